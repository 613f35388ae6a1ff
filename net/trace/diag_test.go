package trace

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

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

// cut cuts a text in pieces; a line that is too long is "…", an end without LF is marked.
func cut(data []byte, size func(i int) int) (out []string) {
	var c Cutter
	c.Take = func(line []byte) {
		text := string(line)
		if c.Unended {
			text += "$"
		}
		if out = append(out, text); c.N != int64(len(out)) {
			panic("number of the line")
		}
	}
	c.Long = func() { out = append(out, "…") }
	for i := 0; len(data) > 0; i++ {
		n := min(max(size(i), 1), len(data))
		c.Write(bytes.Clone(data[:n]))
		data = data[n:]
	}
	c.Close()
	return out
}

// wide is a text in UTF-16.
func wide(s string, big bool) (out []byte) {
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		if lo, hi := byte(u), byte(u>>8); big {
			out = append(out, hi, lo)
		} else {
			out = append(out, lo, hi)
		}
	}
	return out
}

// TestLines reads one text in every encoding, cut at every byte.
func TestLines(t *testing.T) {
	const text = "one\r\n\ntwo ü 𝄞\nlast"
	want := []string{"one", "", "two ü 𝄞", "last$"}
	for name, data := range map[string][]byte{
		"plain": []byte(text), "marked": []byte("\ufeff" + text), "little": wide(text, false), "big": wide(text, true),
	} {
		for at := range len(data) + 1 {
			got := cut(data, func(i int) int { return []int{at, len(data)}[min(i, 1)] })
			testkit.MustThat(t, slices.Equal(got, want), "%s cut at %d: %q", name, at, got)
		}
		testkit.EqualSlices(t, cut(data, func(int) int { return 1 }), want, "%s byte by byte", name)
	}
	testkit.EqualSlices(t, cut([]byte("a"), func(int) int { return 1 }), []string{"a$"}, "one byte")
}

// TestLong leaves out a line that is too long, whether it comes at once or in pieces.
func TestLong(t *testing.T) {
	for _, n := range []int{MostLine, MostLine + 1} {
		data := []byte("a\n" + strings.Repeat("x", n) + "\nb\n")
		whole, pieces := cut(data, func(int) int { return len(data) }), cut(data, func(int) int { return 1000 })
		if !slices.Equal(whole, pieces) || len(whole) != 3 || (whole[1] == "…") != (n > MostLine) || whole[2] != "b" {
			t.Errorf("%d bytes: %d and %d lines", n, len(whole), len(pieces))
		}
	}
}

// TestHead returns whole lines alone, unless all of the text is there.
func TestHead(t *testing.T) {
	text := []byte("one\ntwo\nthr")
	got := Head(text, false, 9)
	testkit.That(t, slices.Equal(got, []string{"one", "two"}), "%q", got)
	got = Head(text, true, 9)
	testkit.That(t, slices.Equal(got, []string{"one", "two", "thr"}), "%q", got)
	got = Head(text, true, 1)
	testkit.That(t, slices.Equal(got, []string{"one"}), "%q", got)
}

// FuzzLines holds pieces of any text against the whole.
func FuzzLines(f *testing.F) {
	f.Add(uint8(3), []byte("one\r\ntwo\n\nlast"))
	f.Add(uint8(1), wide("a𝄞\nb", false))
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		want := cut(data, func(int) int { return len(data) })
		got := cut(data, func(int) int { return int(step) })
		testkit.MustThat(t, slices.Equal(got, want), "%q in pieces of %d: %q", want, step, got)
	})
}

// TestLikePlain holds sums of frames against a plain model, which asks at each moment which span that
// runs began last.
func TestLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.Span {
			begin := rapid.Int64Range(0, 40).Draw(t, "begin")
			return model.Span{
				Begin: begin, End: begin + rapid.Int64Range(0, 20).Draw(t, "length"),
				Path: model.PathID(rapid.IntRange(1, 5).Draw(t, "path")),
			}
		}), 0, 12).Draw(t, "spans")
		slices.SortStableFunc(spans, func(a, b model.Span) int { return cmp.Compare(a.Begin, b.Begin) })
		borders := []int64{rapid.Int64Range(0, 10).Draw(t, "first")}
		for range rapid.IntRange(1, 4).Draw(t, "frames") {
			borders = append(borders, borders[len(borders)-1]+rapid.Int64Range(1, 15).Draw(t, "frame"))
		}
		var s SelfTimes
		next := 0
		for ; next < len(spans) && spans[next].Begin < borders[0]; next++ {
			s.Run(of(spans[next].Path), spans[next].End)
		}
		for i, begin := range borders[:len(borders)-1] {
			end := borders[i+1]
			got, want := s.Runs(begin), slices.ContainsFunc(spans[:next], func(x model.Span) bool { return x.End > begin })
			testkit.MustThat(t, got == want, "at %d: runs %v, want %v", begin, got, want)
			s.Frame(begin, end)
			for ; next < len(spans) && spans[next].Begin < end; next++ {
				s.Start(of(spans[next].Path), spans[next].Begin, spans[next].End, 1)
			}
			if got, want := s.End(nil), plain(spans[:next], begin, end); !slices.Equal(got, want) {
				t.Fatalf("%d to %d: %v, want %v", begin, end, got, want)
			}
		}
	})
}

// TestWhole sums a frame of which all spans are at hand; what goes on in it did not start there.
func TestWhole(t *testing.T) {
	var s SelfTimes
	s.Run(3, 100)
	got := s.Whole(nil, []model.Span{
		{Begin: 5, End: 15, Path: 1, Flags: model.SpanContinues}, {Begin: 8, End: 9, Path: 2}, {Begin: 12, End: 30, Path: 2},
	}, 10, 20, of)
	want := []model.CollectorTime{{Collector: of(1), Ns: 2}, {Collector: of(2), Ns: 8, Count: 2}}
	testkit.That(t, slices.Equal(got, want), "%v, want %v", got, want)
}

func of(p model.PathID) model.CollectorID { return model.CollectorID(p) * 100 }

func plain(spans []model.Span, begin, end int64) (out []model.CollectorTime) {
	sums := map[model.CollectorID]model.CollectorTime{}
	add := func(p model.PathID, ns int64, n int32) {
		c := of(p)
		sums[c] = model.CollectorTime{Collector: c, Ns: sums[c].Ns + ns, Count: sums[c].Count + n}
	}
	for at := begin; at < end; at++ {
		for i := len(spans) - 1; i >= 0; i-- {
			if spans[i].Begin <= at && at < spans[i].End {
				add(spans[i].Path, 1, 0)
				break
			}
		}
	}
	for _, x := range spans {
		if x.Begin >= begin {
			add(x.Path, 0, 1)
		}
	}
	for _, c := range sums {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b model.CollectorTime) int { return cmp.Compare(a.Collector, b.Collector) })
	return out
}
