package tally

import (
	"strings"
	"testing"

	"framescope/model"
)

// TestNULs counts places and bytes, in pieces of every size.
func TestNULs(t *testing.T) {
	hole := strings.Repeat("\x00", 5)
	for text, want := range map[string]NULs{
		"":                              {},
		"no hole\n":                     {},
		hole:                            {N: 1, Bytes: 5},
		"a\n" + hole + "b\n":            {N: 1, Bytes: 5, First: 2},
		"ab" + hole + "c" + hole + hole: {N: 2, Bytes: 15, First: 2},
	} {
		for size := 1; size <= len(text)+1; size++ {
			var x NULs
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				x.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			if x.N != want.N || x.Bytes != want.Bytes || x.First != want.First {
				t.Errorf("%q in pieces of %d: %+v, want %+v", text, size, x, want)
			}
			told := 0
			x.Tell(func(c model.Change) { told += int(c.(model.Loss).N) })
			if int64(told) != want.N {
				t.Errorf("%q: a loss of %d places, want %d", text, told, want.N)
			}
		}
	}
}
