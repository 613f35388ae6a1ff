//go:build !js

package convert

// native are those whose writers are too large for a page in a browser.
var native = []*Format{&ParquetFormat}
