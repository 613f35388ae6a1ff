package find

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// TestParse says what expressions mean: which of some names they find, and which collectors by their files, the lengths of
// calls, and what may be mistyped. Of errors it says where they are and why.
func TestParse(t *testing.T) {
	names := []string{
		"Scene", "App:Draw", "App:DrawSky", "Draw", "Draw:Compile shader", "List<T>", "a*b", "ab", "axb", "selfish", "threads", "Дом:Окно",
	}
	placed := []model.Collector{
		{Name: "Cull"}, {Name: "Draw", Place: model.Place{File: "/x/render/draw.cpp", Line: 7}}, {Name: "Sky", Place: model.Place{File: "render/sky.h"}},
	}
	testkit.Lines(t, "testdata/parse.txt", func(text string) string {
		e, err := Parse(text)
		if err != nil {
			bad := err.(*Error)
			_, marks, _ := strings.Cut(bad.Caret(text), "\n")
			return marks + " " + bad.Reason
		}
		var found, files []string
		for _, full := range names {
			if e.Name(full[strings.LastIndexByte(full, ':')+1:], full) {
				found = append(found, full)
			}
		}
		for _, c := range placed {
			if e.Collector(&c) {
				files = append(files, c.Name)
			}
		}
		said := strings.Join(found, ", ") + "; " + strings.Join(files, ", ")
		if lo, hi := e.Lengths(); e.OfCalls() {
			said += fmt.Sprintf("; calls of %d to %d ns", lo, hi)
		}
		return strings.TrimSuffix(said+"; "+e.Unknown(), "; ")
	})
	testkit.Refused(Parse(strings.Repeat("a ", maxTerms+1)))(t)
	testkit.Refused(Parse(strings.Repeat("a", maxText+1)))(t)
}

func TestWithLengths(t *testing.T) {
	for _, x := range []struct {
		expr   string
		lo, hi int64
		want   string
	}{
		{"Draw* thread:main", 1_250_000, 4_000_000, "Draw* thread:main dur>=1.25ms dur<4ms"},
		{"Draw* > 4ms thread:main <8ms", 5_000_000, 0, "Draw* thread:main dur>=5ms"},
		{"  > 4ms ", 0, 0, ""},
		{`"a >4ms" self>2ms`, 0, 999, `"a >4ms" self>2ms dur<999ns`},
		{"a", 1_234_567, 2_000_000_000, "a dur>=1234.567us dur<2s"},
	} {
		e, err := Parse(x.expr)
		testkit.NoErr(t, err)
		got := e.WithLengths(x.lo, x.hi)
		testkit.Equal(t, got, x.want, "%s", x.expr)
		again, err := Parse(got)
		testkit.NoErr(t, err)
		lo, hi := again.Lengths()
		testkit.That(t, (x.lo <= 0 || lo == x.lo) && (x.hi <= 0 || hi == x.hi-1), "%s: from %d to %d", got, lo, hi)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"Draw* > 4ms thread:main calls>10 frame:100-900 path:App/Cull self>1ms", "arg:~level", "flow:job -flow:/a/", `-"a b" ->4ms`,
		"/a|b/ -/c/", `path:"a/b"/*/C?`, "thread:2 frame:-9 frame:3-", "dur = 1.5s self<=2µs", "self", "a\xff", "\u00a0x", "-", `"`, "/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			bad := err.(*Error)
			testkit.MustThat(t, bad.From >= 0 && bad.To >= bad.From && bad.To <= len(text) && bad.Reason != "",
				"%q: %+v", text, bad)
			bad.Caret(text)
			return
		}
		at := 0
		for _, x := range e.terms {
			testkit.MustThat(t, x.from >= at && x.to > x.from && x.to <= len(text),
				"%q: a term from %d to %d", text, x.from, x.to)
			at = x.to
		}
		e.Name("Draw", "App:Draw")
		Plain(text).Name("Draw", "App:Draw")
		lo, hi := int64(1_000_000), int64(2_000_000)
		again, err := Parse(e.WithLengths(lo, hi))
		if len(text) > maxText-64 || len(e.terms) > maxTerms-2 {
			return
		}
		testkit.MustThat(t, err == nil, "%q: %q: %v", text, e.WithLengths(lo, hi), err)
		a, b := again.Lengths()
		testkit.MustThat(t, a >= lo && b < hi, "%q: %d to %d", text, a, b)
	})
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"Draw": "Draw", "Compile shader": "Compile shader", "<init>": `"<init>"`, "a > 4ms": `"a > 4ms"`, "-x": `"-x"`, "a*": `"a*"`, "/a/": `"/a/"`,
	} {
		testkit.Equal(t, Quote(text), want, "%s", text)
		e, err := Parse(want)
		testkit.That(t, err == nil && e.Name(text, text), "%s does not find %s: %v", want, text, err)
	}
}

// Exactly finds one name, whatever letters it is made of and whatever others are called.
func TestExactly(t *testing.T) {
	names := []string{
		"Draw", "draw", "Draw:Scene", "Cull:Scene", "App:Draw", "Draw call", "App:*", "a/b", `say "this"`, `Say "this"`, "[", "name:x", "ü",
		`C:\dir\x`, `a "/" b`, "-x",
	}
	for _, want := range names {
		e, err := Parse(Exactly(want))
		if err != nil || e.OfCalls() {
			t.Errorf("%s for %q: %v", Exactly(want), want, err)
			continue
		}
		for _, full := range names {
			short := full[strings.LastIndexByte(full, ':')+1:]
			testkit.That(t, e.Name(short, full) == (full == want),
				"%s: %q is found: %v", Exactly(want), full, full != want)
		}
	}
	for text, full := range map[string]string{"name:app:*": "App:Collide", "name:Cull": "Cull", "-name:Draw": "Draw:Scene"} {
		e, err := Parse(text)
		testkit.That(t, err == nil && e.Name("x", full), "%s does not find %s: %v", text, full, err)
	}
	testkit.Refused(Parse("name:"))(t, "which name?")
}

// TestHelpOfCalls says what is counted where a thread has no frames, as oftenCalled does.
func TestHelpOfCalls(t *testing.T) {
	testkit.That(t, strings.Contains(Help, "how often the recording does"), "%v", Help)
}
