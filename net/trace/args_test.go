package trace

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
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

// TestFind asks for events in any order.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		g, has := NewGathered(nil), map[uint32]bool{}
		most := 1 + rng.IntN(3000)
		for e := range uint32(most) {
			if rng.IntN(3) == 0 {
				g.Int(e, []byte("event"), int64(e))
				has[e] = true
			}
		}
		at := 0
		for range 3000 {
			if at += rng.IntN(9) - 4; rng.IntN(20) == 0 {
				at = rng.IntN(most + 5)
			}
			e := uint32(max(at, 0))
			list := g.Append(nil, 0, e)
			if _, ok := g.find(e); has[e] != ok || has[e] != (len(list) == 1) || has[e] && list[0].Value.Int() != int64(e) {
				t.Fatalf("event %d of %d: %v, want %v", e, most, list, has[e])
			}
		}
	}
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

func TestProgram(t *testing.T) {
	for name, want := range map[string]string{
		"Renderer": "Renderer", "": "", "Service: network.mojom.NetworkService": "Service: network.mojom.NetworkService",
		"/usr/lib/chromium/chromium --type=renderer --enable-crash-reporter=,built on": "chromium renderer",
		"chromium --headless --type=gpu-process":                                       "chromium gpu-process", "/usr/bin/game": "game", "/": "/",
		"/opt/My Game/game -fullscreen": "game", "/usr/bin/python3 /opt/tool.py": "python3",
		`"C:\Program Files\App\app.exe" --type=utility`: "app.exe utility", `C:\Games\g.exe`: "g.exe", "Game, The.exe": "Game, The.exe",
		"com.example.app:remote": "com.example.app:remote", "kworker/0:1": "kworker/0:1",
	} {
		testkit.Equal(t, Program(name), want, "%q", name)
	}
}
