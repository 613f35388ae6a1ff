package trace

import (
	"math"
	"strconv"
	"strings"

	"framescope/model"
)

// mostPath bounds the path of a file in bytes; of a longer one the end is kept, which has its name.
const mostPath = 1024

// Place returns a place in the source code, for display: 0 is no line.
func Place(file string, line int64) model.Place {
	if line < 0 || line > math.MaxInt32 {
		line = 0
	}
	return model.Place{File: Shown(file[max(len(file)-mostPath, 0):]), Line: int(line)}
}

// PlaceOf reads a place as compilers write it: file:line, or a file alone.
func PlaceOf(text string) model.Place {
	if at := strings.LastIndexByte(text, ':'); at > 0 {
		if line, err := strconv.ParseUint(text[at+1:], 10, 31); err == nil {
			return Place(text[:at], int64(line))
		}
	}
	return Place(text, 0)
}
