package trace

import (
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// TestExact compares with what a float64 makes of a number.
func TestExact(t *testing.T) {
	for n, want := range map[int64]bool{
		0: true, -1: true, 1 << 53: true, 1<<53 + 1: false, -1<<53 - 1: false, 1<<53 + 2: true, 1 << 62: true, math.MinInt64: true,
		math.MaxInt64: false, 1<<62 + 1<<10: true, 1<<62 + 1<<9: false, 1_700_000_000_123_456_789: false,
	} {
		testkit.Equal(t, Exact(n), want, "%d", n)
	}
}

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
			testkit.That(t, x.N == want.N && x.Bytes == want.Bytes && x.First == want.First,
				"%q in pieces of %d: %+v, want %+v", text, size, x, want)
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
	testkit.That(t, x.N == 1 && x.First == 24 && x.Bytes == 16, "behind what was skipped: %+v", x)
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
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				x.Write(rest[:min(size, len(rest))])
			}
			testkit.That(t, x.N == want.N && x.Bytes == want.Bytes && x.First == want.First,
				"%q in pieces of %d: %+v, want %+v", text, size, x, want)
			told := 0
			x.Tell(func(c model.Change) { told += int(c.(model.Loss).N) })
			testkit.That(t, int64(told) == want.N, "%q: a loss of %d places, want %d", text, told, want.N)
		}
	}
}
