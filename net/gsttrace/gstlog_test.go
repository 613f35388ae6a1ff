package gsttrace

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model/store"
	"framescope/net/trace"
)

// What other versions than 1.22 write, and damaged logs; the source is FORMAT.md.

// TestLines reads lines of all versions, and damaged ones.
func TestLines(t *testing.T) {
	testkit.Blocks(t, "testdata/lines.txt", func(_, text string) string {
		s, c := table(text)
		for _, name := range slices.Sorted(maps.Keys(s.classes)) {
			class := s.classes[name]
			fmt.Fprintf(&s.text, "class %s %v %+v\n", name, class.Origin, class.Fields)
		}
		c.NULs = Counts{}.NULs
		fmt.Fprintf(&s.text, "%+v", c)
		return strings.ReplaceAll(strings.ToValidUTF8(s.text.String(), "�"), "\x00", "␀")
	})
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
	testkit.Lines(t, "testdata/structures.txt", func(text string) string {
		s, ok := ParseStructure([]byte(text))
		return fmt.Sprintf("%v %q", ok, s)
	})
	s, ok := ParseStructure([]byte("a, b=" + strings.Repeat("< ", 33) + "1" + strings.Repeat(" >", 33)))
	testkit.That(t, !ok && len(s.Fields) <= 2, "deep: %+v", s)
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
				text = fmt.Sprint(int64(v.Uint))
			case KindBool:
				text, groups[at] = fmt.Sprint(v.Uint != 0), map[string]string{"0": "false", "1": "true", "true": "true", "false": "false"}[groups[at]]
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

// truths is what the README of the recordings says of each: its name, its records, and its counts.
var truths = testkit.Rows("testdata/recordings.txt")

// truth is how many records of each kind each capture holds.
var truth = func() map[string]map[string]int64 {
	all := map[string]map[string]int64{}
	for _, log := range truths {
		kinds := map[string]int64{}
		for _, k := range strings.Split(log[1], ", ") {
			kind, n, _ := strings.Cut(k, " ")
			kinds[kind], _ = strconv.ParseInt(n, 10, 64)
		}
		all[captureOf(log[0])] = kinds
	}
	return all
}()

// rows is a handler that keeps all that it gets: records by field, and counts.
type rows struct {
	all               []map[string]string
	kinds             map[string]int64 // records
	classes           map[string]*Class
	bad               map[trace.Kind]int64
	foreign, messages []string
	text              strings.Builder // all of it
}

// table reads a log, in pieces of one size.
func tableOf(log string, piece int) (*rows, Counts) {
	s := &rows{kinds: map[string]int64{}, classes: map[string]*Class{}, bad: map[trace.Kind]int64{}}
	r := NewLogReader(s)
	for p := []byte(log); len(p) > 0; p = p[min(len(p), piece):] {
		part := bytes.Clone(p[:min(len(p), piece)])
		r.Write(part)
		clear(part)
	}
	r.Close()
	return s, r.Counts()
}

func table(log string) (*rows, Counts) { return tableOf(log, max(len(log), 1)) }

func (s *rows) entry(kind string, e *LogEntry) {
	fmt.Fprintf(&s.text, "%s line %d %d pid %d %s %v %s %s:%d:%s:<%s>", kind, e.Line, e.TimeNs, e.PID, e.Thread, e.Level, e.Category, e.File, e.FileLine, e.Function, e.Object)
}

func (s *rows) Record(r *Record) {
	s.entry("record", r.Entry)
	s.kinds[r.Class.Name]++
	s.classes[r.Class.Name] = r.Class
	row := map[string]string{"": r.Class.Name}
	for i := range r.Values {
		row[r.Class.Fields[i].Name] = show(&r.Values[i])
	}
	s.all = append(s.all, row)
	fmt.Fprintln(&s.text, "", row)
}

func show(v *Value) string {
	if !v.Present {
		return "-"
	}
	switch v.Kind {
	case KindUint:
		return fmt.Sprint(v.Uint)
	case KindInt:
		return fmt.Sprint(int64(v.Uint))
	case KindFloat:
		return fmt.Sprint(v.Float)
	case KindBool:
		return fmt.Sprint(v.Uint != 0)
	case KindStructure:
		return string(appendPlain(nil, v.Text))
	}
	return fmt.Sprintf("%q", v.Text)
}

func (s *rows) Message(e *LogEntry) {
	s.entry("message", e)
	s.messages = append(s.messages, string(e.Message))
	fmt.Fprintf(&s.text, " %q\n", e.Message)
}

func (s *rows) Foreign(text []byte) {
	s.foreign = append(s.foreign, string(text))
	fmt.Fprintf(&s.text, "foreign %q\n", text)
}

func (s *rows) Unreadable(kind trace.Kind, line int64, text []byte) {
	s.bad[kind]++
	fmt.Fprintf(&s.text, "unreadable %d at %d: %q\n", kind, line, text)
}

// records are the numbers of records by kind, as in truths.
func (s *rows) records() string {
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(s.kinds)) {
		words = append(words, kind+" "+strconv.FormatInt(s.kinds[kind], 10))
	}
	return strings.Join(words, ", ")
}

const (
	columns = "0:00:00.016827541  8596 0x5643198aa460 TRACE             GST_TRACER :0:: "
	place   = "0:00:00.005718082  8596 0x5643197fa760 TRACE             GST_TRACER gsttracerrecord.c:109:gst_tracer_record_build_format: "
	anEvent = columns + "event, thread-id=(guint64)1, ts=(guint64)1, pad-ix=(uint)0, element-ix=(uint)0, name=(string)eos;\n"
)

// captureOf is the name of a capture, of the name of its log.
func captureOf(log string) string { return strings.TrimSuffix(strings.TrimSuffix(log, ".gz"), ".log") }

func TestEveryRecordOfEveryCapture(t *testing.T) {
	for _, want := range truths {
		name := want[0]
		s, c := table(string(file(t, name)))
		counts := fmt.Sprint(c.Bytes, c.Lines, c.Untimed, c.Foreign, c.Announcements, c.Unreadable)
		testkit.EqualSlices(t, []string{name, s.records(), counts}, want, "records and counts, unreadable %v", s.bad)
		testkit.That(t, c.Generic == 0 && c.Damaged == 0,
			"%s: %d records by structure notation, %d damaged announcements", name, c.Generic, c.Damaged)
		for of, class := range s.classes {
			testkit.That(t, class.Origin == OriginAnnounced, "%s: class %s is %v", name, of, class.Origin)
		}
		testkit.That(t, c.Entries == c.Records+c.Messages && int64(len(s.foreign)) == c.Foreign &&
			int64(len(s.messages)) == c.Messages, "%s: counts do not add up: %+v", name, c)
	}
}

func TestColorsChangeNothing(t *testing.T) {
	log := string(file(t, "color-all.log.gz"))
	got, _ := table(log)
	want, _ := table(string(stripColors(nil, []byte(log))))
	diff := cmp.Diff(want.text.String(), got.text.String())
	testkit.That(t, diff == "" && len(got.all) == 2205, "%d records (-plain +colored):\n%.2000s", len(got.all), diff)
}

// TestPrefixes: a log whose lines have a prefix of another program gives what it gives without.
func TestPrefixes(t *testing.T) {
	path := recordings.File(t, recordings.GStreamer, "field-docker-compose-prefix.log")
	d := &feedtest.Into{Session: store.NewSession()}
	testkit.OK(t, Source{}.OpenFile(t.Context(), path, d))
	x := seriesNamed(t, d.Session, "latency", "filesrc0.src → appsink.sink")
	testkit.Equal(t, fmt.Sprint(values(x)), "[1.024721082e+09 1.057383023e+09]", "latencies")

	programs := map[string]func(i int) string{
		"docker compose":            func(int) string { return "player  | " },
		"docker compose, in colors": func(int) string { return "\x1b[36mplayer-1  |\x1b[0m " },
		"docker logs":               func(i int) string { return fmt.Sprintf("2026-11-28T22:10:%02d.%09dZ ", i%60, i) },
		"journald":                  func(i int) string { return fmt.Sprintf("Nov 28 22:10:%02d board player[4711]: ", i%60) },
	}
	for _, name := range []string{"latency-pipeline-only", "leaks-refs-traces", "color-leaks-debug"} {
		plain := string(captureText(t, name))
		want := read(plain)
		for program, prefix := range programs {
			var b strings.Builder
			for i, line := range strings.SplitAfter(plain, "\n") {
				if line != "" {
					b.WriteString(prefix(i) + line)
				}
			}
			testkit.That(t, SniffLog([]byte(b.String()[:min(b.Len(), 64<<10)])), "%s of %s is not recognised", name, program)
			testkit.That(t, read(b.String()) == want, "%s of %s gives something else", name, program)
		}
	}
	got := read("web  | GET /\nplayer  | " + record(1000, "a, n=(uint)1") + "web  | GET /\nplayer  | " + record(2000, "a, n=(uint)2"))
	testkit.Equal(t, strings.Count(got, `foreign "web  | GET /"`), 2, "lines of another service: %s", got)
}

// read writes all that is in a log, which comes in parts.
func read(text string) string {
	s, _ := tableOf(text, 1000)
	return s.text.String()
}
