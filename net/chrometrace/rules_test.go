package chrometrace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
	"framescope/net/trace/tracetest"
)

// pieces reads a trace that comes in pieces.
func pieces(text string, size func(i int) int) (*feedtest.Kept, error) {
	k := &feedtest.Kept{}
	d := newDecoder(k, nil, "trace.json", "")
	_ = feedtest.Pieces([]byte(text), size, func(b []byte) error { d.scan.write(b); return nil })
	return k, d.finish(nil)
}

// read reads a file.
func read(t testing.TB, text string) (*feedtest.Kept, error) {
	t.Helper()
	k := &feedtest.Kept{}
	return k, Source{}.OpenFile(t.Context(), feedtest.File(t, "trace.json", text), k)
}

// rules returns the cases in testdata/rules.txt: what each is about, a trace, and what must become of it.
func rules(t testing.TB) (list [][3]string) {
	t.Helper()
	text := string(testkit.Must(os.ReadFile("testdata/rules.txt"))(t))
	text = strings.NewReplacer("␀", "\x00", "␛", "\x1b").Replace(text)
	for _, block := range strings.Split(text, "\n\n")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		n := len(lines) - 1
		list = append(list, [3]string{lines[0], strings.Join(lines[1:n], "\n"), lines[n]})
	}
	return list
}

// TestRules says what becomes of events, and of damage.
func TestRules(t *testing.T) {
	for _, c := range rules(t) {
		k := testkit.Must(read(t, c[1]))(t, c[0])
		testkit.Equal(t, k.Words(), c[2], "%s", c[0])
	}
}

// TestPieces reads each trace cut at each of its bytes, and in small pieces: it is the same as the whole.
func TestPieces(t *testing.T) {
	for _, c := range rules(t) {
		want := testkit.Must(pieces(c[1], feedtest.Steps(1<<20)))(t, c[0])
		for at := 1; at < len(c[1]); at++ {
			got, err := pieces(c[1], func(i int) int { return []int{at, 1 << 20}[min(i, 1)] })
			testkit.MustThat(t, err == nil, "cut at byte %d: %v", at, err)
			testkit.MustSame(t, got, want, "%s: cut at byte %d", c[0], at)
		}
		for n := 1; n < 9; n++ {
			testkit.MustSame(t, testkit.Must(pieces(c[1], feedtest.Steps(n)))(t), want, "%s: pieces of %d bytes", c[0], n)
		}
	}
}

// TestNoEvents says why a trace has no events.
func TestNoEvents(t *testing.T) {
	const meta = `{"traceEvents":[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"x"}}`
	for text, want := range map[string]string{
		meta + `,{"ph":"M","pi`: "; the file ends inside the event at byte 85",
		meta + `,`:              "; the file ends at byte 85, before the object does in which the events are",
		meta + `]`:              "; the file ends at byte 85, before",
		meta + `],"a":"`:        "; the file ends inside",
		meta + `]}`:             "", "": "", "[]": "", `{"traceEvents":[]}`: "", "no": "; byte 0: the file begins with 'n'",
	} {
		_, err := pieces(text, feedtest.Steps(1<<20))
		testkit.Fails(t, err, "no events: ", want)
		testkit.That(t, want != "" || err == errNoEvents, "%s: %v", text, err)
	}
}

// TestWarnings tells what is not shown, and hides threads that have nothing but what clang writes of how long all of a
// name took.
func TestWarnings(t *testing.T) {
	text := `[{"ph":"X","ts":0,"dur":1,"tid":6,"name":"Total War"},{"ph":"X","ts":3,"dur":1,"tid":5,"name":"x"}`
	for tid, name := range []string{"Source", "Total Source", "Total Parse", "Total Late", "", "Total Busy"} {
		text += fmt.Sprintf(`,{"ph":"X","ts":%d,"dur":9,"tid":%d,"name":%q,"args":{"count":2,"avg ms":4}}`, tid/3, tid, name)
	}
	for _, ph := range "PNODvVc()P" {
		text += fmt.Sprintf(`,{"ph":"%c","ts":1}`, ph)
	}
	k := testkit.Must(read(t, text+"]"))(t)
	hidden := ""
	for _, d := range k.Tracks {
		if d.Sums {
			hidden += fmt.Sprint(d.Index, " ")
		}
	}
	testkit.Equal(t, hidden, "1 2 ", "threads that are hidden")
	testkit.Contains(t, strings.Join(k.Warnings, "\n"), "2 spans “Total …” are sums",
		"Not shown from the file: 2 samples, 3 events of objects, 2 memory dumps, 1 clock sync, 2 changes of context.")
}

// TestLimits leaves out events that are too large or too deep, and reads on.
func TestLimits(t *testing.T) {
	text := `[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","ts":2,"args":"` + strings.Repeat("x", mostEvent) +
		`"},{"ph":"X","ts":3,"args":` + strings.Repeat("[", trace.MaxDeep+1) + strings.Repeat("]", trace.MaxDeep+1) +
		`},{"ph":"X","ts":3,"dur":1,"name":"b"}]`
	k := testkit.Must(pieces(text, feedtest.Steps(256<<10)))(t)
	testkit.Equal(t, k.Words(), "0.0 a 0-1000, 0.0 b 2000-3000, big-event×1@38, deep-event×1@16777282", "session")
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"ph":"X"}]`: true, "\xef\xbb\xbf [\n, {\"name\":\"x\",\"ph\":\"B\",\"ts\":": true, `[{"frame":1}]`: false,
		`{"otherData":{"]":"}"},"traceEvents":[`: true, `{"displayTimeUnit":"ns","x":`: true, `[{},{"ph":"X"}]`: true,
		`[{"name":"x"},{"pid":1,"args":{"a":"`: true, `[{"name":"x"},{"args":{"a":"`: false, `[1,2]`: false, `[`: false,
		`{"$schema":"x","profiles":[]}`: false, `{"meta":{},"threads":[]}`: false, `# calls`: false, ``: false,
		`{"nodes":[{"traceEvents":1}]}`: false, `{"name":"\"traceEvents\":["}`: false,
	} {
		testkit.Equal(t, (Source{}).Sniff([]byte(text), ""), want, "%s", text)
	}
}

// FuzzDecoder reads anything, in pieces of any size, and demands what the store relies on.
func FuzzDecoder(f *testing.F) {
	for i, c := range rules(f) {
		f.Add([]byte(c[1]), uint8(i))
	}
	f.Add(traceOf(40), uint8(99))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		k, err := pieces(string(text), feedtest.Steps(int(step)+1))
		again, err2 := pieces(string(text), feedtest.Steps(1<<30))
		testkit.MustEqual(t, err == nil, err2 == nil, "pieces of %d bytes: %v, %v", int(step)+1, err, err2)
		testkit.MustSame(t, k, again, "pieces of %d bytes", int(step)+1)
		r := feedtest.NewRuled(t)
		for _, c := range k.Changes {
			r.Define(c)
		}
		for i := range k.Batches {
			r.Publish(&k.Batches[i])
		}
		feedtest.Unrefused(t, r.Session)
	})
}

// traceOf returns a trace of so many events, as programs write them: frames, spans of three depths on
// four threads, counters, arguments.
func traceOf(events int) []byte {
	b := []byte("[\n")
	names := []string{"Update", "Physics::Step", "Collide", "Render", "Cull", "Submit draw calls", "Audio mix"}
	for i := range events {
		ts, tid, name := float64(i/8)*10+float64(i%8)*0.125, i%4, names[i/8%7]
		line := fmt.Sprintf(`{"ph":"E","pid":4711,"tid":%d,"ts":%.3f},`, tid, ts)
		switch {
		case i%400 == 0:
			line = fmt.Sprintf(`{"ph":"i","pid":4711,"tid":1,"ts":%.3f,"name":"frame","s":"t","args":{"n":%d}},`, ts, i/400)
		case i%50 == 7:
			line = fmt.Sprintf(`{"ph":"C","pid":4711,"ts":%.3f,"name":"memory","args":{"heap":%d,"gpu":%d.5}},`, ts, i, i%99)
		case tid < 2:
			line = fmt.Sprintf(`{"ph":"X","pid":4711,"tid":%d,"ts":%.3f,"dur":3.141,"name":%q,"cat":"engine",`+
				`"args":{"index":%d}},`, tid, ts, name, i)
		case i%8 < 4:
			line = fmt.Sprintf(`{"ph":"B","pid":4711,"tid":%d,"ts":%.3f,"name":%q,"cat":"engine"},`, tid, ts, name)
		}
		b = append(append(b, line...), '\n')
	}
	return append(b, `{"ph":"M","pid":4711,"name":"process_name","args":{"name":"game"}}]`...)
}

// BenchmarkScan reads events without keeping them.
func BenchmarkScan(b *testing.B) {
	text, events := traceOf(200_000), 0
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := scanner{take: func(*event, int64) { events++ }}
		s.write(text)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "trace.json", traceOf(2_000_000)) }

// sampledText has a CPU profile in two parts, its tree by parents and by children, and samples beside the events.
const sampledText = `{"traceEvents":[
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Main"}},
{"ph":"P","name":"Profile","id":"0x1","pid":1,"tid":2,"ts":100,"args":{"data":{"startTime":100}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":400,"args":{"data":{"cpuProfile":{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"tick"}},
{"id":3,"parent":1,"callFrame":{"functionName":"(idle)"}}],"samples":[2,2,3]},"timeDeltas":[10,10,10]}}},
{"ph":"P","name":"ProfileChunk","id":"0x1","pid":1,"tid":9,"ts":500,"args":{"data":{"cpuProfile":{"nodes":[
{"id":4,"parent":2,"callFrame":{"functionName":""}}],"samples":[4]},"timeDeltas":[10]}}},
{"ph":"I","name":"CpuProfile","id":"0x2","pid":7,"ts":0,"args":{"data":{"cpuProfile":{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"callFrame":{"functionName":"old"}}],
"samples":[2],"timeDeltas":[5]}}}}],
"stackFrames":{"1":{"name":"outer"},"2":{"name":"inner","parent":1}},
"samples":[{"pid":3,"tid":4,"ts":120.5,"name":"cycles","sf":2},{"pid":3,"tid":4,"ts":121,"sf":1}]}`

func TestSamples(t *testing.T) {
	k, err := tracetest.Text(t, Source{}, "x.json", sampledText)
	testkit.That(t, err == nil && len(k.Losses) == 0, "%v, %v", err, k.Losses)
	got := map[string]string{}
	for _, def := range k.Tracks {
		var list []string
		for _, s := range k.Samples[def.ID] {
			stack := "idle"
			if s.Value != 0 {
				stack = k.Stack(model.PathID(s.Value))
			}
			list = append(list, fmt.Sprintf("%d %s", s.Time/100, stack))
		}
		if len(list) > 0 {
			got[def.Process+": "+def.Name] = strings.Join(list, ", ")
		}
	}
	want := map[string]string{
		"process 1: Samples of Main": "1050 tick, 1150 tick, 1250 idle, 1350 tick;(anonymous)",
		"process 7: Samples of 7":    "0 old",
		"process 3: Samples of 4":    "1155 outer;inner, 1160 outer",
	}
	for track, list := range want {
		testkit.That(t, got[track] == list, "%s: %q, want %q", track, got[track], list)
	}
	testkit.That(t, len(got) == len(want), "%v", got)
}

// A thread without a number is that of its process, a whole span without a length went on, and events are found again
// behind what can't be read.
func TestGapsAndOpenSpans(t *testing.T) {
	text := `[{"ph":"X","name":"Parent","pid":5,"ts":0,"dur":10},{"ph":"X","name":"Child","pid":5,"tid":5,"ts":2,"dur":3},
{"ph":"X","name":"Task","pid":6,"tid":6,"ts":4},{"ph":"X","na` + "\x00\x00" + `me":"Lost","pid":5,"ts":"args":{"a":{"b":1}}},
{"ph":"X","name":"Found","pid":6,"tid":6,"ts":5,"dur":1},{"ph":"X","name":"End","pid":5,"tid":5,"ts":19,"dur":1}]`
	k := testkit.Must(tracetest.Text(t, Source{}, "x.json", text))(t)
	testkit.That(t, k.Runs(0, 1000) == "Parent 0-10, Parent;Child 2-5, End 19-20", "%s", k.Runs(0, 1000))
	testkit.That(t, k.Runs(1, 1000) == "Task 4-20+, Task;Found 5-6", "%s", k.Runs(1, 1000))
	gaps := int64(0)
	for _, l := range k.Losses {
		if l.Kind == "gap" {
			gaps = l.N
		}
	}
	testkit.That(t, gaps == 1, "%+v", k.Losses)
}

// argsOf returns the arguments of each span, by its name and begin.
func argsOf(k *feedtest.Kept) map[string][]map[string]string {
	out := map[string][]map[string]string{}
	for _, b := range k.Batches {
		has := make([]map[string]string, len(b.Spans))
		for _, a := range b.Args {
			if has[a.Span] == nil {
				has[a.Span] = map[string]string{}
			}
			has[a.Span][a.Key] = a.Value.String()
		}
		for i, s := range b.Spans {
			key := fmt.Sprint(k.Name(s.Path), " ", s.Begin)
			out[key] = append(out[key], has[i])
		}
	}
	return out
}

// flatten adds the values of an object under their keys, as the standard library reads it.
func flatten(out map[string]string, key string, v any) {
	inside := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		out[key] = "{}"
		for k, x := range v {
			inside[strings.TrimPrefix(key+"."+k, ".")] = x
		}
	case []any:
		out[key] = "[]"
		for i, x := range v {
			inside[fmt.Sprintf("%s[%d]", key, i)] = x
		}
	case nil:
		out[key] = "null"
	case json.Number:
		f, _ := v.Float64()
		out[key] = model.FloatArg(f).String()
		if i, err := v.Int64(); err == nil {
			out[key] = model.IntArg(i).String()
		}
	default:
		out[key] = fmt.Sprint(v)
	}
	if len(inside) > 0 || key == "" {
		delete(out, key)
	}
	for k, x := range inside {
		flatten(out, k, x)
	}
}

// eventsIn reads the events of a file by the standard library.
func eventsIn(t *testing.T, path string) (events []map[string]any) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	text, _ := io.ReadAll(testkit.Must(feed.Uncompressed(f))(t))
	text = text[max(bytes.Index(text, []byte(`"traceEvents"`)), 0):]
	d := json.NewDecoder(bytes.NewReader(text[bytes.IndexByte(text, '['):]))
	d.UseNumber()
	testkit.Must(d.Token())(t)
	for d.More() {
		var ev map[string]any
		if d.Decode(&ev) != nil {
			break // the file is cut off
		}
		events = append(events, ev)
	}
	return events
}

// compareArgs demands that each span has the arguments of its begin, but for what an end says otherwise. first is the
// session's time 0.
func compareArgs(t *testing.T, k *feedtest.Kept, path string, first int64) {
	t.Helper()
	spans, compared := argsOf(k), 0
	for _, ev := range eventsIn(t, path) {
		ph, _ := ev["ph"].(string)
		args, _ := ev["args"].(map[string]any)
		us, ok := new(big.Rat).SetString(fmt.Sprint(ev["ts"]))
		if !ok || len(args) == 0 || !strings.Contains("BXbS", ph) {
			continue
		}
		ns := us.Mul(us, big.NewRat(1000, 1)).Add(us, big.NewRat(1, 2))
		at := new(big.Int).Div(ns.Num(), ns.Denom()).Int64() - first
		want := map[string]string{}
		flatten(want, "", args)
		name, _ := ev["name"].(string)
		has := spans[fmt.Sprint(strings.ToValidUTF8(cmp.Or(name, "(unnamed)"), "�"), " ", at)]
		if !slices.ContainsFunc(has, func(got map[string]string) bool {
			for key, v := range want {
				if _, ok := got[key]; !ok || got[key] != v && ph == "X" {
					return false
				}
			}
			return len(got) == len(want) || ph != "X" && len(got) >= len(want)
		}) {
			t.Fatalf("no span %q at %d ns has %.300v; there are %.300v", name, at, fmt.Sprint(want), fmt.Sprint(has))
		}
		compared++
	}
	with := 0
	for _, list := range maps.All(spans) {
		for _, a := range list {
			with += min(len(a), 1)
		}
	}
	testkit.That(t, with >= compared, "%d spans have arguments, of %d begins", with, compared)
	t.Logf("%d spans with arguments compared", compared)
}
