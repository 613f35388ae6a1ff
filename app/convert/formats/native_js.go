package formats

import "framescope/app/convert"

var native []*convert.Format
