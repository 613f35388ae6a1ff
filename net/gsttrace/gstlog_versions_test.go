package gsttrace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/net/trace"
)

// What other versions than 1.22 write, and damaged logs; the source is FORMAT.md.

func TestSymbolsBefore118(t *testing.T) {
	s, _ := table(place + `x.class, thread-id=(structure)"scope\,\ type\=\(type\)guint64\,\ related-to\=\(GstTracerValueScope\)GST_TRACER_VALUE_SCOPE_THREAD\;", ` +
		`load=(structure)"value\,\ type\=\(type\)guint\,\ description\=\(string\)\"load\\\ in\\\ \\342\\200\\260\"\,\ flags\=\(GstTracerValueFlags\)GST_TRACER_VALUE_FLAGS_OPTIONAL+GST_TRACER_VALUE_FLAGS_AGGREGATED\,\ min\=\(guint\)0\,\ max\=\(guint\)1000\;", ` +
		`all=(structure)"value\,\ type\=\(type\)guint64\,\ min\=\(guint64\)0\,\ max\=\(guint64\)18446744073709551615\;";` + "\n" +
		columns + "x, thread-id=(guint64)7, have-load=(boolean)0, load=(uint)99, all=(guint64)1;\n")
	want := []Field{
		{Name: "thread-id", Type: "guint64", Kind: KindUint, Scope: true, Related: RelatedThread},
		{Name: "load", Type: "uint", Kind: KindUint, Optional: true, Aggregated: true, Description: "load in ‰", Max: 1000, HasMin: true, HasMax: true},
		{Name: "all", Type: "guint64", Kind: KindUint},
	}
	testkit.NoDiff(t, cmp.Diff(want, s.classes["x"].Fields), "-want +got")
	diff := cmp.Diff([]map[string]string{{"": "x", "thread-id": "7", "load": "-", "all": "1"}}, s.all)
	testkit.That(t, diff == "", "%v", diff)
}

// After 1.28 classes are announced at their first use, with types of their own, and records are in
// structure notation.
func TestAfter128(t *testing.T) {
	log := columns + `latency.class, src=(structure)"scope\,\ type\=\(GstTracerFieldType\)string\,\ related-to\=\(GstTracerValueScope\)pad\;", time=(structure)"value\,\ type\=\(GstTracerFieldType\)clock-time\;", ` +
		`live=(structure)"value\,\ type\=\(GstTracerFieldType\)boolean\,\ flags\=\(GstTracerValueFlags\)optional\;", n=(structure)"value\,\ type\=\(GstTracerFieldType\)int\;";` + "\n" +
		columns + `latency, src=(string)"my\ source\,\ \"main\"", time=(guint64)15, have-live=(boolean)true, live=(boolean)true, n=(int)-3;` + "\n" +
		columns + `latency, src=(string)plain, time=(guint64)16, have-live=(boolean)false, live=(boolean)false, n=(int)4;` + "\n" +
		columns + `latency, src=(string)NULL, time=(guint64)17, n=(int)4;` + "\n" +
		columns + `latency, src=(string)cut, time=(guint64)18;` + "\n"
	s, c := table(log)
	want := []map[string]string{
		{"": "latency", "src": `"my source, \"main\""`, "time": "15", "live": "true", "n": "-3"},
		{"": "latency", "src": `"plain"`, "time": "16", "live": "-", "n": "4"},
		{"": "latency", "src": "-", "time": "17", "live": "-", "n": "4"},
	}
	diff := cmp.Diff(want, s.all[:3])
	testkit.That(t, diff == "" && s.classes["latency"].Fields[1].Kind == KindUint, "%s", diff)
	if c.Announcements != 1 || len(s.all) != 4 || c.Generic != 1 { // one field is missing: by its own notation
		t.Errorf("%+v", c)
	}
}

// The same without the announcement: stock layouts whose types differ are read by notation, with
// the roles that are known.
func TestLateStartAfter128(t *testing.T) {
	s, c := table(columns + `buffer, thread-id=(guint64)5, ts=(guint64)6, pad-ix=(uint)1, buffer-size=(uint)8, have-buffer-pts=(boolean)false, buffer-pts=(guint64)3, buffer-flags=(uint)64;` + "\n" +
		columns + `event, thread-id=(guint64)5, ts=(guint64)6, pad-ix=(uint)1, element-ix=(uint)2, name=(string)"a\ b";` + "\n")
	want := []map[string]string{
		{"": "buffer", "thread-id": "5", "ts": "6", "pad-ix": "1", "buffer-size": "8", "buffer-pts": "-", "buffer-flags": "64"},
		{"": "event", "thread-id": "5", "ts": "6", "pad-ix": "1", "element-ix": "2", "name": `"a b"`},
	}
	testkit.NoDiff(t, cmp.Diff(want, s.all), "-want +got")
	f := s.classes["buffer"].Fields
	if c.Generic != 1 || !f[0].Scope || f[0].Related != RelatedThread || !f[4].Optional || s.classes["buffer"].Origin != OriginGeneric {
		t.Errorf("%+v %+v", c, f)
	}
}

func TestLatencyOf114(t *testing.T) {
	s, _ := table(columns + "latency, src=(string)a b_src, sink=(string)c_sink, time=(guint64)5, ts=(guint64)6;\n")
	diff := cmp.Diff([]map[string]string{{"": "latency", "src": `"a b_src"`, "sink": `"c_sink"`, "time": "5", "ts": "6"}}, s.all)
	testkit.That(t, diff == "" && s.classes["latency"].Origin == OriginBuiltin, "%v", diff)
}

// A program that was started again announces once more: records of both layouts are read.
func TestAnnouncedAgain(t *testing.T) {
	first := place + `z.class, a=(structure)"value\,\ type\=\(type\)guint\;";` + "\n"
	second := place + `z.class, a=(structure)"value\,\ type\=\(type\)guint\;", b=(structure)"value\,\ type\=\(type\)gchararray\;";` + "\n"
	_, c := table(first + columns + "z, a=(uint)1;\n" + first + second + columns + "z, a=(uint)2, b=(string)x;\n" + columns + "z, a=(uint)3;\n")
	testkit.That(t, c.Announcements == 3 && c.Records == 3 && c.Generic == 0, "%+v", c)
}

func TestColumnsAndPositions(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"0:00:00.003750296  6096 0x5591e4446f50 DEBUG             GST_TRACER gsttracer.c:159:gst_tracer_register:<registry0> update x (latency)",
			"message line 1 3750296 pid 6096 0x5591e4446f50 5 GST_TRACER gsttracer.c:159:gst_tracer_register:true<registry0> \"update x (latency)\"\n"},
		{"100:01:02.000000003 1 (nil) WARN x C:\\a b\\c.c:12:A::f::g:<a:b@0x1> > m",
			"message line 1 360062000000003 pid 1 (nil) 2 x C:\\a b\\c.c:12:A::f::g:true<a:b@0x1> \"> m\"\n"},
		{"0:00:00.000000001 1 0x1 INFO x a.c:1:f:(NULL) text", "message line 1 1 pid 1 0x1 4 x a.c:1:f:true<(NULL)> \"text\"\n"},
		{"0:00:00.000000001 1 0x1 LOG x a.c:1:f:<a> b> text", "message line 1 1 pid 1 0x1 6 x a.c:1:f:true<a> \"b> text\"\n"},
		{"0:00:00.000000001 1 0x1 ERROR x a.c:1:f: ", "message line 1 1 pid 1 0x1 1 x a.c:1:f:false<> \"\"\n"},
		{"0:00:00.000000001 1 0x1 FIXME x a.c:1:f:<a>", "message line 1 1 pid 1 0x1 3 x a.c:1:f:true<a> \"\"\n"},
		{"0:00:00.000000001 1 0x1 MEMDUMP x a.c:1:f: 00000000: 41\n  next\n", "message line 1 1 pid 1 0x1 9 x a.c:1:f:false<> \"00000000: 41\\n  next\"\n"},
		{"0:00:00.000000001 1 0x1 TRACE x :0:do_push_buffer_pre:<s:src> 0:00:00.1, pad=<s:src>\r\n", "message line 1 1 pid 1 0x1 7 x :0:do_push_buffer_pre:true<s:src> \"0:00:00.1, pad=<s:src>\"\n"},
	} {
		s, _ := table(test.line)
		got := s.text.String()
		testkit.NoDiff(t, cmp.Diff(test.want, got), "%q", test.line)
	}
}

// Idle hands over messages at once, yet waits for the rest of records over many lines.
func TestIdle(t *testing.T) {
	message := "0:00:00.000000001  1 0x1 WARN  default a.c:1:f: careful"
	record := columns + "object-alive, type-name=(string)GstPad, address=(gpointer)0x1, description=(string)<a:b>, ref-count=(uint)1, trace=(string)one (a.c:1)\ntwo (b.c:2)\n;\n"
	r := NewLogReader(&counter{})
	steps := []struct {
		bytes             string
		messages, records int64
	}{
		{message, 0, 0}, {"\n", 1, 0}, {record[:100], 1, 0}, {record[100 : len(record)-3], 1, 0}, {record[len(record)-3:], 1, 1}, {message + "\n", 2, 1},
	}
	for i, s := range steps {
		r.Write([]byte(s.bytes))
		r.Idle()
		if c := r.Counts(); c.Messages != s.messages || c.Records != s.records {
			t.Errorf("after step %d: %d messages, %d records, want %+v", i, c.Messages, c.Records, s)
		}
	}
	r.Write([]byte("printed\n")) // the message before was handed over
	r.Close()
	c := r.Counts()
	testkit.That(t, c.Foreign == 1 && c.Unreadable == 0, "%+v", c)
}

// Records in structure notation allocate nothing, with and without their announcement.
func TestNoAllocationPerStructure(t *testing.T) {
	later := columns + `seen.class, src=(structure)"scope\,\ type\=\(GstTracerFieldType\)string\;", n=(structure)"value\,\ type\=\(GstTracerFieldType\)uint64\;";` + "\n"
	records := []byte(strings.Repeat(columns+`seen, src=(string)"my\ \"pad\"", n=(guint64)5;`+"\n"+columns+`unseen, have-x=(boolean)true, x=(double)1.5, src=(string)"my\ \"pad\"", n=(NeverHeardOf)< 5, 6 >;`+"\n", 500))
	s := &counter{}
	r := NewLogReader(s)
	r.Write([]byte(later))
	r.Write(records)
	if allocs := testing.AllocsPerRun(5, func() { r.Write(records) }); allocs > 0 || s.records != 7*1000 || r.Counts().Generic != 7*500 {
		t.Errorf("%v allocations for 1,000 records; %+v", allocs, r.Counts())
	}
}

// counter counts the records of a log.
type counter struct{ records int64 }

func (c *counter) Record(*Record)                     { c.records++ }
func (*counter) Message(*LogEntry)                    {}
func (*counter) Foreign([]byte)                       {}
func (*counter) Unreadable(trace.Kind, int64, []byte) {}

// What is said of a field ends without its unit, which values have beside them.
func TestWhatIsSaidHasNoUnit(t *testing.T) {
	for about, want := range map[string]string{
		"time it took for the buffer to go from src to sink ns": "time it took for the buffer to go from src to sink",
		"time since start, in ms":                               "time since start",
		"cpu usage in ‰":                                        "cpu usage",
		"ns":                                                    "ns",
		"the ts when the latency was logged":                    "the ts when the latency was logged",
		"ns it took to get there":                               "ns it took to get there",
		"":                                                      "",
	} {
		testkit.Equal(t, AboutOf(&Field{Description: about}), want, "%q becomes", about)
	}
}

func TestParseStructure(t *testing.T) {
	field := func(name, typ, text string) StructField { return StructField{name, typ, text} }
	for in, want := range map[string][]StructField{
		`value, type=(type)guint64, description=(string)"per\ mille\ \342\200\260", min=(guint64)0;`: {
			field("type", "type", "guint64"), field("description", "string", "per mille ‰"), field("min", "guint64", "0"),
		},
		`value`:                       nil,
		` value ;  `:                  nil,
		`value, b = (int) 5 , c=x, ;`: {field("b", "int", "5"), field("c", "", "x")},
		`value,\ b=(int)5;`:           {field("b", "int", "5")},
		`value, b=(string)NULL, c=(string)"NULL", d=(string)"";`: {field("b", "string", ""), field("c", "string", "NULL"), field("d", "string", "")},
		`value(memory:GLMemory), format=(string){ I420, "a\ b" }, m=< (int)1, { x, y } >`: {
			field("format", "string", ` I420, "a\ b" `), field("m", "", " (int)1, { x, y } "),
		},
		`value, b=(NeverHeardOf)"\(X\)\ y";`: {field("b", "NeverHeardOf", "(X) y")},
		`"value\,\ b\=\(int\)5\;"`:           {field("b", "int", "5")},
		`value, s=(structure)[b, c=(int)1];`: {field("s", "structure", "b, c=(int)1")},
	} {
		got, ok := ParseStructure([]byte(in))
		diff := cmp.Diff(Structure{"value", want}, got)
		testkit.That(t, diff == "" && ok, "%s: %v (-want +got):\n%s", in, ok, diff)
	}
	deep := strings.Repeat("< ", 33) + "1" + strings.Repeat(" >", 33)
	for _, in := range []string{
		``, `a b`, `a; b`, `a, b=(int)5, c=(string)x y;`, `a, b=(string);`, `a, b=(int 5;`, `a, b="open`, `a, b={ 1, 2`,
		`a, b={ 1, < 2 } >;`, `a, b`, "a, b=" + deep,
	} {
		s, ok := ParseStructure([]byte(in))
		testkit.That(t, !ok && len(s.Fields) <= 2, "%s: %+v", in, s)
	}
}

// Caps inside queries are quoted up to five times.
func TestNestedFiveTimes(t *testing.T) {
	text := "core, n=(int)7;"
	for range 5 {
		text = "level, inner=(structure)\"" + quote(text) + "\";"
	}
	for range 5 {
		s, _ := ParseStructure([]byte(text))
		text = s.text("inner")
	}
	testkit.That(t, text == "core, n=(int)7;", "%v", text)
}

// pattern is a layout as the regular expression that it stands for (FORMAT.md section 5).
func pattern(c *Class) *regexp.Regexp {
	var out strings.Builder
	out.WriteString(`(?s)\A` + regexp.QuoteMeta(c.Name))
	for _, f := range c.Fields {
		if f.Optional {
			out.WriteString(regexp.QuoteMeta(", have-"+f.Name+"=(boolean)") + `([01]|true|false)`)
		}
		value := `(.*?)`
		switch f.Kind {
		case KindUint:
			value = `([0-9]+)`
		case KindInt:
			value = `([+-]?[0-9]+)`
		case KindBool:
			value = `([01]|true|false)`
		}
		out.WriteString(regexp.QuoteMeta(", "+f.Name+"=("+f.Type+")") + value)
	}
	return regexp.MustCompile(out.String() + `;\z`)
}

// The matcher gives what the regular expression gives, for texts that look like the fields behind
// them.
func TestLayoutEqualsTheRegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Class{Name: "r"}
		for i := range rapid.IntRange(0, 5).Draw(t, "fields") {
			typ := rapid.SampledFrom([]string{"string", "uint", "int", "boolean", "structure", "string"}).Draw(t, "type")
			c.Fields = append(c.Fields, Field{Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name") + fmt.Sprint(i), Type: typ, Kind: kindOf(typ), Optional: rapid.IntRange(0, 3).Draw(t, "optional") == 0})
		}
		var parts []string // of which messages are made: the literals, whole fields and rubbish
		for _, f := range c.Fields {
			have := ""
			if f.Optional {
				have = ", have-" + f.Name + "=(boolean)" + rapid.SampledFrom([]string{"0", "1", "true"}).Draw(t, "have")
			}
			parts = append(parts, have+", "+f.Name+"=("+f.Type+")", have+", "+f.Name+"=("+f.Type+")1")
		}
		parts = append(parts, "1", "12", "x", "", ";", ", ", "-3")
		m := "r"
		for i := range c.Fields {
			m += parts[2*i+rapid.IntRange(0, 1).Draw(t, "form")]
			for range rapid.IntRange(0, 3).Draw(t, "more") {
				m += rapid.SampledFrom(parts).Draw(t, "part")
			}
		}
		m += ";"
		c.compile(false)
		values := make([]Value, len(c.Fields))
		got := c.layout.match(c.Name, []byte(m), values)
		groups := pattern(c).FindStringSubmatch(m)
		testkit.MustThat(t, got == (groups != nil), "%q: layout %v, expression %v", m, got, groups != nil)
		if !got {
			return
		}
		at := 1
		for i, f := range c.Fields {
			present := true
			if f.Optional {
				present = groups[at] == "1" || groups[at] == "true"
				at++
			}
			v := &values[i]
			text := string(v.Text)
			switch v.Kind {
			case KindUint:
				text = fmt.Sprint(v.Uint)
			case KindInt:
				text = fmt.Sprint(v.Int)
			case KindBool:
				text, groups[at] = fmt.Sprint(v.Bool), map[string]string{"0": "false", "1": "true", "true": "true", "false": "false"}[groups[at]]
			}
			testkit.MustThat(t, v.Present == present && text == groups[at],
				"%q field %d: %q present %v, expression %q present %v", m, i, text, v.Present, groups[at], present)
			at++
		}
	})
}

// lineAt is a debug line of a process, its time in seconds.
func lineAt(s, pid int) string {
	return fmt.Sprintf("%d:%02d:%02d.000000001 %5d 0x55cf236bf760 WARN  bin gstbin.c:1:f:<b> at %d\n", s/3600, s/60%60, s%60, pid, s)
}

// A line whose time jumps enters with another of its process that confirms it; what nothing confirms
// is left out, and that is told. Who goes on after hours loses nothing.
func TestJumps(t *testing.T) {
	const year = 365 * 24 * 3600
	type at struct{ s, pid int }
	for name, c := range map[string]struct {
		lines  []at
		want   []int // seconds, in the order of the log
		jumped int
	}{
		"one far ahead":           {[]at{{1, 1}, {2, 1}, {200 * year, 1}, {3, 1}}, []int{1, 2, 3}, 1},
		"the last one":            {[]at{{1, 1}, {2, 1}, {200 * year, 1}}, []int{1, 2}, 1},
		"the first one":           {[]at{{200 * year, 1}, {1, 1}, {2, 1}}, []int{1, 2}, 1},
		"two, each by itself":     {[]at{{1, 1}, {200 * year, 1}, {100 * year, 1}, {2, 1}}, []int{1, 2}, 2},
		"hours of silence":        {[]at{{1, 1}, {20 * 3600, 1}, {40 * 3600, 1}}, []int{1, 20 * 3600, 40 * 3600}, 0},
		"days of silence":         {[]at{{1, 1}, {9 * 86400, 1}, {9*86400 + 1, 1}}, []int{1, 9 * 86400, 9*86400 + 1}, 0},
		"from the middle":         {[]at{{year, 1}, {year + 1, 1}}, []int{year, year + 1}, 0},
		"nothing else":            {[]at{{year, 1}}, []int{year}, 0},
		"processes of their own":  {[]at{{1, 1}, {year, 2}, {2, 1}, {year + 1, 2}, {3, 1}}, []int{1, 2, year, year + 1, 3}, 0},
		"far ahead of another":    {[]at{{1, 1}, {1, 2}, {year, 2}, {2, 1}, {2, 2}}, []int{1, 1, 2, 2}, 1},
		"a process of one line":   {[]at{{1, 1}, {year, 2}, {2, 1}}, []int{1, 2}, 1},
		"back, and on from there": {[]at{{year, 1}, {year + 1, 1}, {1, 1}, {2, 1}}, []int{year, year + 1, 1, 2}, 0},
		"one that is far back":    {[]at{{year, 1}, {year + 1, 1}, {1, 1}, {year + 2, 1}}, []int{year, year + 1, year + 2}, 1},
	} {
		for _, piece := range []int{1, 7, 1 << 20} {
			var log strings.Builder
			for _, l := range c.lines {
				log.WriteString(lineAt(l.s, l.pid))
			}
			s, counts := tableOf(log.String(), piece)
			var text []string
			for _, at := range c.want {
				text = append(text, fmt.Sprintf("at %d", at))
			}
			testkit.That(t, slices.Equal(s.messages, text) && s.bad[trace.BadTime] == int64(c.jumped) && counts.Unreadable == int64(c.jumped),
				"%s: %v, %v, want %v and %d", name, s.messages, s.bad, text, c.jumped)
		}
	}
}
