//go:build !js

package convert

// native are the formats with writers too large for a page in a browser.
var native = []*Format{&ParquetFormat}
