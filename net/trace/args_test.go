package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/net/feed"
)

func lines(g *Gathered, event uint32) string {
	var b strings.Builder
	for _, a := range g.Append(nil, 7, event) {
		fmt.Fprintf(&b, "%s=%v/%d ", a.Key, a.Value, a.Value.Kind)
	}
	return strings.TrimSpace(b.String())
}

// Objects become keys with dots, arrays such with numbers, and a value stays what it is.
func TestObjects(t *testing.T) {
	deep := `{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"j":1}}}}}}}}}}`
	for _, c := range []struct{ in, want string }{
		{`{}`, ""},
		{`{"n":12,"m":-7,"z":0,"f":1.5,"w":2.0,"e":1e3}`, "n=12/1 m=-7/1 z=0/1 f=1.5/2 w=2/1 e=1000/1"},
		{`{"t":"12","s":"a \"b\" \u00fc","l":"[1,2]","o":"{x","e":"","b":true,"x":null}`,
			`t=12/0 s=a "b" ü/0 l=[1,2]/0 o={x/0 e=/0 b=true/0 x=null/0`},
		{`{"a":{"b":1,"c":{"d":"x"}},"l":[1,"two",{"k":3},[4]],"n":{},"m":[]}`,
			"a.b=1/1 a.c.d=x/0 l[0]=1/1 l[1]=two/0 l[2].k=3/1 l[3][0]=4/1 n={}/0 m=[]/0"},
		{`{"big":18446744073709551615,"long":123456789012345678,"least":-9223372036854775808,"max":1e400}`,
			"big=18446744073709551615/0 long=123456789012345678/1 least=-9223372036854775808/1 max=1e400/0"},
		{deep, `a.b.c.d.e.f.g.h.i={"j":1}/0`},
		{`[1]`, ""}, {`{"cut":`, ""}, {`{"":5}`, "(no name)=5/1"},
	} {
		g := NewGathered(nil)
		g.Object(3, []byte(c.in))
		got := lines(g, 3)
		testkit.That(t, got == c.want, "%s:\n got %s\nwant %s", c.in, got, c.want)
		testkit.Equal(t, lines(g, 2)+lines(g, 4), "", "%s: others", c.in)
	}
	g := NewGathered(nil)
	g.JSON(1, []byte("k"), []byte(` {"a":[1.25]}`))
	g.JSON(1, []byte("n"), []byte(`17`))
	g.JSON(1, []byte("bad"), []byte(`{"a":`))
	got, want := lines(g, 1), `k.a[0]=1.25/2 n=17/1 bad={"a":/0`
	testkit.That(t, got == want, "got %s, want %s", got, want)
}

// What is beyond a limit is counted.
func TestLimits(t *testing.T) {
	g := NewGathered(nil)
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	g.Object(1, []byte("{"+b.String()[1:]+"}"))
	n := len(g.Append(nil, 0, 1))
	testkit.That(t, n == model.MaxArgs && g.Many == 72, "%d arguments, %d left out", n, g.Many)
	for i := range model.MaxArgKeys {
		g.Int(uint32(2+i), fmt.Appendf(nil, "key %d", i), 1)
	}
	testkit.That(t, g.Keys == model.MaxArgs, "%d keys beyond the limit, want %d", g.Keys, model.MaxArgs)
}

// Spans that are put in order take their arguments with them.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var spans []model.Span
		var args []model.Arg
		for i := range rng.IntN(20) {
			spans = append(spans, model.Span{
				Begin: rng.Int64N(5), End: 9, Lane: uint16(rng.IntN(3)), Path: model.PathID(i),
			})
			for range rng.IntN(3) {
				args = append(args, model.Arg{Span: int32(i), Key: "k", Value: model.IntArg(int64(i*100 + len(args)))})
			}
		}
		n := len(args)
		Order(spans, args)
		for i := 1; i < len(spans); i++ {
			a, b := spans[i-1], spans[i]
			if a.Begin > b.Begin || a.Begin == b.Begin && (a.Lane > b.Lane || a.Lane == b.Lane && a.Path > b.Path) {
				t.Fatalf("%+v before %+v", a, b)
			}
		}
		for i, a := range args {
			if int64(spans[a.Span].Path) != a.Value.Int()/100 || i > 0 && (args[i-1].Span > a.Span ||
				args[i-1].Span == a.Span && args[i-1].Value.Int() > a.Value.Int()) {
				t.Fatalf("argument %v of span %+v", a, spans[a.Span])
			}
		}
		testkit.MustThat(t, len(args) == n, "arguments are missing")
	}
}

// Texts are what the bytes say, however many there are.
func TestTexts(t *testing.T) {
	var texts Texts
	for i := range 100_000 {
		want := fmt.Sprintf("asset %d with a name", i%50_000)
		got := texts.Of([]byte(want))
		testkit.MustThat(t, got == want, "%q, want %q", got, want)
	}
	got := texts.Of([]byte("gr\xc3"))
	testkit.That(t, got == "gr\uFFFD", "%q", got)
	testkit.That(t, texts.bytes <= mostKnown, "%d bytes are kept", texts.bytes)
}

type item struct {
	key  int64
	from int // where it was
}

func byKey(a, b item) int { return cmp.Compare(a.key, b.key) }

// merged returns a list of several that are in order, behind each other or with their values mixed.
func merged(r *rand.Rand, n, lists int, mixed bool) (list []item) {
	last := make([]int64, lists)
	for i := range n {
		of := i * lists / n
		if mixed {
			of = r.IntN(lists)
		}
		last[of] += r.Int64N(3)
		list = append(list, item{last[of], i})
	}
	return list
}

func TestSortKeepsTheOrderOfEquals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := r.IntN(300)
		list := merged(r, n, 1+r.IntN(20), r.IntN(2) == 0)
		switch r.IntN(6) {
		case 0:
			slices.Reverse(list)
		case 1:
			r.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for i := range list {
			list[i].from = i
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		SortRuns(list, byKey)
		testkit.MustThat(t, slices.Equal(list, want), "%d values: %v, not %v", n, list, want)
	}
}

// The work is that of the stretches that are in order, not that of the values.
func TestSortOfAFewLists(t *testing.T) {
	const n = 1 << 14
	for lists, passes := range map[int]int{1: 0, 2: 1, 8: 3, 13: 4} {
		r := rand.New(rand.NewPCG(3, uint64(lists)))
		list, compared := merged(r, n, lists, false), 0
		SortRuns(list, func(a, b item) int {
			compared++
			return byKey(a, b)
		})
		testkit.That(t, compared <= (passes+1)*n, "%d lists: %d values are compared %d times", lists, n, compared)
		testkit.That(t, lists != 1 || testing.AllocsPerRun(1, func() { SortRuns(list, byKey) }) <= 0,
			"a list that is in order takes memory")
	}
}

// The begin of a long text counts, with a mark, and each such text is counted once, however it is written.
func TestLongTextsAreCounted(t *testing.T) {
	sink := &feedtest.Kept{}
	var bad Diagnostics
	s := newSymbols(sink, feed.NamesOf(sink), &bad, "x")
	long := strings.Repeat("k", MaxText+1)
	a, b := s.Symbol([]byte(long)), s.JSONSymbol([]byte(long))
	short := s.Symbol([]byte(long[:MaxText]))
	testkit.That(t, a == b && a != short && s.Words(short) == long[:MaxText], "symbols %d, %d, %d", a, b, short)
	testkit.That(t, len(s.Words(a)) <= MaxText+len("…") && strings.HasSuffix(s.Words(a), "k…"), "%q", s.Words(a)[MaxText-5:])
	testkit.Equal(t, bad.Count(LongText), 1, "long texts")
}

// A note of a loss ends with the loss's number; the standard library's words for errors in it are replaced.
func TestLossesAreTold(t *testing.T) {
	sink := &feedtest.Kept{}
	Lose(sink, model.LossSource, 0, "nothing")
	Lose(sink, model.LossSource, 3, "events were overwritten")
	Lose(sink, model.LossTruncated, 1, fmt.Sprintf("the rest can't be read: %v", io.ErrUnexpectedEOF))
	var bad Diagnostics
	bad.Explain(Gap, 7, "a packet: %v", io.EOF)
	bad.Define(sink.Define, nil)
	got := []string{}
	for _, l := range sink.Losses {
		got = append(got, l.Detail)
	}
	testkit.Equal(t, strings.Join(got, "\n"), "events were overwritten (3)\nthe rest can't be read: the data end too early\n"+
		kinds[Gap].sentence+": a packet: the data end there; the first is at byte 7", "losses")
}

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
			x.Report(func(c model.Change) { told += int(c.(model.Loss).N) })
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
		testkit.That(t, slices.Equal(whole, pieces) && len(whole) == 3 && (whole[1] == "…") == (n > MostLine) &&
			whole[2] == "b", "%d bytes: %d and %d lines", n, len(whole), len(pieces))
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
	names := &Table{paths: []callPath{{0, Root}, {0, of(1)}, {1, of(2)}}}
	got := s.Whole(nil, []model.Span{
		{Begin: 5, End: 30, Path: 1, Flags: model.SpanContinues}, {Begin: 8, End: 9, Path: 2}, {Begin: 12, End: 30, Path: 2},
	}, 10, 20, names)
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

// TestPaths compares call paths with a map, and asks for one more than a table may have.
func TestPaths(t *testing.T) {
	n := NewTable(&feed.Nowhere{}, nil, "All")
	known := map[callPath]model.PathID{}
	for i := range 50_000 {
		p := callPath{model.PathID(rand.IntN(1+i/2)) % model.PathID(len(n.paths)), 2 + model.CollectorID(rand.IntN(40))}
		id := n.Path(p.above, p.of)
		if was, ok := known[p]; ok && was != id || !ok && int(id) != len(known)+1 {
			t.Fatalf("path %d, known %d as %d", id, len(known), was)
		}
		known[p] = id
	}
	n.paths = append(n.paths, make([]callPath, maxPaths-len(n.paths))...)
	more := n.Path(model.PathRoot, 50)
	testkit.That(t, more == maxPaths && n.Path(model.PathRoot, 51) == more && n.Path(more, 1) == more && n.Refused == 3 &&
		len(n.paths) == maxPaths+1, "path %d of those without room, %d refused", more, n.Refused)
}
