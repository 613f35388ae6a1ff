package find

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

func TestNames(t *testing.T) {
	for _, x := range []struct {
		expr, full string
		want       bool
	}{
		{"", "App:Draw", true},
		{"draw", "App:Draw", true},
		{"Draw", "App:Draw", true},
		{"DRAW", "App:Draw", false}, // capitals are meant
		{"app:d", "App:Draw", true},
		{"draw cull", "App:Draw", false},
		{"draw app", "App:Draw", true},
		{"-draw", "App:Draw", false},
		{"app -cull", "App:Draw", true},
		{"Draw*", "App:DrawSky", true},
		{"App*", "App:DrawSky", true},
		{"Dra?", "App:DrawSky", false}, // a glob is all of a name
		{"App:*Sky", "App:DrawSky", true},
		{"?raw", "Draw", true},
		{"?aw", "Draw", false},
		{"/^App|Cull$/", "App:DrawSky", true},
		{"/sky$/", "App:DrawSky", true},
		{"/SKY$/", "App:DrawSky", false},
		{`/\Sky$/`, "App:DrawSky", true}, // the S is no capital
		{`"Compile shader"`, "Draw:Compile shader", true},
		{`"compile  shader"`, "Draw:Compile shader", false},
		{`"a*"`, "a*b", true},
		{`"a*"`, "ab", false},
		{"List<T>", "List<T>", true},
		{"a.b", "axb", false},
		{"selfish", "selfish", true},
		{"thread", "threads", true},
		{"дом", "Дом:Окно", true},
		{"Draw >4ms thread:main", "Draw", true}, // names alone
	} {
		e, err := Parse(x.expr)
		if err != nil {
			t.Errorf("%s: %v", x.expr, err)
			continue
		}
		name := x.full[strings.LastIndexByte(x.full, ':')+1:]
		testkit.Equal(t, e.Name(name, x.full), x.want, "%s: %s is found", x.expr, x.full)
	}
}

// Files are looked for in places of collectors. What has none has no file of any name.
func TestFiles(t *testing.T) {
	for expr, want := range map[string]string{
		"file:render": "Draw, Sky", "file:Render": "", "file:*.cpp": "Draw", "file:render/*": "Sky", "file:/sky.h$/": "Sky", "file:*": "Draw, Sky",
		"-file:cpp": "Cull, Sky", "-file:*": "Cull", "file:render dr": "Draw", `file:"*"`: "",
	} {
		e, err := Parse(expr)
		testkit.MustThat(t, err == nil && !e.OfCalls(), "%s: %v", expr, err)
		var found []string
		for _, c := range []model.Collector{
			{Name: "Cull"}, {Name: "Draw", Place: model.Place{File: "/x/render/draw.cpp", Line: 7}}, {Name: "Sky", Place: model.Place{File: "render/sky.h"}},
		} {
			if e.Collector(&c) {
				found = append(found, c.Name)
			}
		}
		testkit.Equal(t, strings.Join(found, ", "), want, "%s", expr)
	}
}

func TestLengths(t *testing.T) {
	for expr, want := range map[string][2]int64{
		"> 4ms":         {4_000_001, 1<<63 - 1},
		">=4ms <5ms":    {4_000_000, 4_999_999},
		"dur<=1.5s":     {-1 << 63, 1_500_000_000},
		"dur > 300us":   {300_001, 1<<63 - 1},
		">=300µs":       {300_000, 1<<63 - 1},
		"->4ms":         {-1 << 63, 4_000_000},
		"-<4ms <= 20ns": {4_000_000, 20},
		"=0ns":          {0, 0},
	} {
		e, err := Parse(expr)
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		lo, hi := e.Lengths()
		testkit.That(t, [2]int64{lo, hi} == want && e.OfCalls(), "%s: %d to %d", expr, lo, hi)
	}
}

// Errors say where they are and why.
func TestErrors(t *testing.T) {
	for expr, want := range map[string][2]string{
		"Draw >4":                    {"      ^", "of what?"},
		"Draw >":                     {"     ^", "compared with what?"},
		"> 4parsecs":                 {"  ^^^^^^^^", "no length"},
		"calls>4ms":                  {"      ^^^", "no number"},
		"calls:4":                    {"^^^^^^", "compare it: calls>10"},
		"self:4ms":                   {"^^^^^", "compare it: self>4ms"},
		"App /Dr":                    {"    ^^^", "not closed"},
		"/a(/":                       {"^^^^", "missing closing )"},
		`x "Draw`:                    {"  ^^^^^", "not closed"},
		`""`:                         {"^^", "nothing between"},
		"-":                          {" ^", "missing"},
		"frame:9-2":                  {"      ^^^", "before the first"},
		"frame:x":                    {"      ^", "no frames"},
		"frame:-":                    {"      ^", "no frames"},
		"frame:":                     {"^^^^^^", "which frame"},
		"path:App/":                  {"^^^^^^^^^", "which path"},
		"path://a":                   {"^^^^^", "which path"},
		"thread:":                    {"^^^^^^^", "which thread"},
		"flow: x":                    {"^^^^^", "which flow"},
		"-file:":                     {" ^^^^^", "which file"},
		"flow:/(/":                   {"     ^^^", "missing closing )"},
		`flow:"x`:                    {"     ^^", "not closed"},
		"arg: x":                     {"^^^^", "which argument"},
		"arg:":                       {"^^^^", "which argument"},
		`arg:""`:                     {"    ^^", "nothing between"},
		"arg:size>":                  {"^^^^^^^^^", "compared with what?"},
		"arg:size>rock":              {"         ^^^^", "no number"},
		"arg:size>0x10":              {"         ^^^^", "no number"},
		"arg:tex=/(/":                {"        ^^^", "missing closing )"},
		`arg:tex="x`:                 {"        ^^", "not closed"},
		"дом >4":                     {"     ^", "of what?"},
		"thread:/(/":                 {"       ^^^", "missing closing )"},
		"a\xff":                      {"^^", "UTF-8"},
		">99999999999s":              {" ^^^^^^^^^^^^", "no length"},
		">-4ms":                      {" ^^^^", "no length"},
		"calls>99999999999999999999": {"", "no number"},
	} {
		_, err := Parse(expr)
		bad, ok := err.(*Error)
		if !ok {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		_, marks, _ := strings.Cut(bad.Caret(expr), "\n")
		testkit.That(t, (want[0] == "" || marks == want[0]) && strings.Contains(bad.Reason, want[1]),
			"%s:\n%s\n%s", expr, bad.Caret(expr), bad.Reason)
	}
	_, err := Parse(strings.Repeat("a ", maxTerms+1))
	testkit.That(t, err != nil, "any number of terms")
	_, err = Parse(strings.Repeat("a", maxText+1))
	testkit.That(t, err != nil, "a text of any length")
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
			if e.Name(short, full) != (full == want) {
				t.Errorf("%s: %q is found: %v", Exactly(want), full, full != want)
			}
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

// A mistyped key is told with the nearest one. Names with colons or brackets are names.
func TestUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"thred:Main":         `no key "thred": thred:Main is looked for in names. thread is the nearest key`,
		"Draw -pth:App/Cull": `no key "pth"`,
		"slef>1ms":           "self is the nearest key",
		"agr:url":            "arg is the nearest key",
		"nmae:x":             "name is the nearest key",
		"thread:Main":        "",
		"std::sort":          "",
		"part::x":            "",
		"App:Cull":           "",
		"foo:bar":            "",
		"vector<T>":          "",
		"call<T>":            "",
		`"thred:Main"`:       "",
		"thred:":             "",
		"thred":              "",
	} {
		e, err := Parse(text)
		testkit.NoErr(t, err, text)
		got := e.Unknown()
		testkit.That(t, (want != "" || got == "") && strings.Contains(got, want), "%s: %q, want %q", text, got, want)
	}
}
