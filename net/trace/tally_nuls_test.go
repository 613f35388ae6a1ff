package trace

import (
	"strings"
	"testing"

	"framescope/model"
)

// TestLongNULs counts only places of so many bytes, in pieces of every size, but none in what is skipped.
func TestLongNULs(t *testing.T) {
	nuls := func(n int) string { return strings.Repeat("\x00", n) }
	for text, want := range map[string]NULs{
		"a" + nuls(7) + "b" + nuls(7): {},
		nuls(8):                       {N: 1, Bytes: 8},
		nuls(7) + "a" + nuls(9) + "bc" + nuls(20):     {N: 2, Bytes: 29, First: 8},
		"abcdefghijklmn" + nuls(31) + "b" + nuls(7):   {N: 1, Bytes: 31, First: 14},
		"abcdefghijklmno" + nuls(7) + "b" + nuls(300): {N: 1, Bytes: 300, First: 23},
	} {
		for size := 1; size <= len(text)+1; size++ {
			x := NULs{Least: 8}
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				x.Write(rest[:min(size, len(rest))])
			}
			if x.N != want.N || x.Bytes != want.Bytes || x.First != want.First {
				t.Errorf("%q in pieces of %d: %+v, want %+v", text, size, x, want)
			}
		}
	}
	x := NULs{Least: 8}
	x.Write(make([]byte, 7))
	x.Skip(9)
	x.Write(make([]byte, 7))
	x.Write([]byte("a" + nuls(8)))
	x.Write(make([]byte, 4))
	x.Skip(0)
	x.Write(make([]byte, 4))
	if x.N != 1 || x.First != 24 || x.Bytes != 16 {
		t.Errorf("behind what was skipped: %+v", x)
	}
}

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
