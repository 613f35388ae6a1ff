//go:build !js

package formats

import (
	"framescope/app/convert"
	"framescope/app/convert/parquet"
)

// native are those whose writers are too large for a page in a browser.
var native = []*convert.Format{&parquet.Format}
