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
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// truth is what a decoder of another make found in a capture.
type truth struct {
	Form      string            `json:"form"`
	Events    int64             `json:"events"`
	ByPhase   map[string]int64  `json:"by_phase"`
	Processes map[string]string `json:"process_names"`
	Threads   []struct {
		Pid, Tid, Name string
		Process        *string
		Spans          int64
		MaxDepth       int `json:"max_depth"`
	} `json:"threads"`
	Sorts        map[string]int64        `json:"thread_sort_index"`
	ByName       map[string]feedtest.Sum `json:"by_name"`
	Cut          *int                    `json:"by_name_cut_to_400_of"`
	AllTotal     int64                   `json:"all_names_total_ns"`
	AllSelf      int64                   `json:"all_names_self_ns"`
	Asynchronous struct {
		Spans, Unclosed, Instants int64
		ByName                    map[string]feedtest.Sum `json:"by_name"`
	} `json:"asynchronous"`
	Counters []struct {
		Pid, Name, ID, Series string
		Samples               int
		Min, Max, Last        float64
	} `json:"counters"`
	Instants struct {
		Total  int64
		ByName map[string]int64 `json:"by_name"`
	} `json:"instants"`
	Flows struct {
		Starts, Steps, Ends int64
		BindIDEvents        int64 `json:"bind_id_events"`
		Arrows              int64
		NoStart             int64 `json:"ends_without_start"`
		NoEnd               int64 `json:"starts_without_end"`
	} `json:"flows"`
	First  int64 `json:"first_ns"`
	Last   int64 `json:"last_ns"`
	Frames struct {
		ByProcess map[string]struct {
			Count int
			List  [][3]int64
		} `json:"by_process"`
	} `json:"frames"`
	Damaged struct {
		Container     []string
		Events        map[string]int64
		UnmatchedEnds int64 `json:"unmatched_ends"`
		Unclosed      int64 `json:"unclosed_begins"`
		ClosedByOuter int64 `json:"closed_by_an_outer_end"`
		Overlaps      int64 `json:"partial_overlaps"`
		GzipCut       bool  `json:"gzip_cut"`
	} `json:"damaged"`
}

// folder returns where the captures are; the test is skipped where they are not.
func folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(recordings.Root(t), "..", "shared", "captures", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the captures are not on this machine")
	}
	return dir
}

// TestCaptures reads traces of many programs and compares all that is in them with what a decoder of
// another make found.
func TestCaptures(t *testing.T) { compareAll(t, folder(t, "chrome")) }

// TestOwnCaptures is TestCaptures of those that are in the repository.
func TestOwnCaptures(t *testing.T) {
	compareAll(t, filepath.Join(recordings.Root(t), "testdata", "chrometrace"))
}

func compareAll(t *testing.T, dir string) {
	truths, _ := filepath.Glob(filepath.Join(dir, "*.truth.json"))
	testkit.MustThat(t, len(truths) != 0, "there are no captures in %s", dir)
	for _, path := range truths {
		name := strings.TrimSuffix(filepath.Base(path), ".truth.json")
		t.Run(name, func(t *testing.T) {
			text := testkit.Must(os.ReadFile(path))(t)
			var want truth
			testkit.OK(t, json.Unmarshal(text, &want))
			files, _ := filepath.Glob(filepath.Join(dir, name+".json*"))
			var k feedtest.Kept
			err := Source{}.OpenFile(t.Context(), files[0], &k)
			testkit.MustThat(t, (err != nil) == want.Damaged.GzipCut, "%v", err)
			compare(t, &k, &want)
			compareArgs(t, &k, files[0], want.First)
		})
	}
}

func compare(t *testing.T, k *feedtest.Kept, want *truth) {
	t.Helper()
	is := func(what string, got, want any) {
		t.Helper()
		testkit.That(t, got == want, "%s: %v, want %v", what, got, want)
	}
	cut := want.Cut != nil
	for _, c := range []struct {
		async bool
		names map[string]feedtest.Sum
	}{{false, want.ByName}, {true, want.Asynchronous.ByName}} {
		got := k.Sums(func(d *model.TrackDef) bool { return (d.Kind == model.TrackAsync) == c.async })
		var all feedtest.Sum
		for name, x := range got {
			all.Count, all.Total, all.Self = all.Count+x.Count, all.Total+x.Total, all.Self+x.Self
			_, ok := c.names[name]
			testkit.That(t, ok || cut && !c.async, "%q is in no truth", name)
		}
		for name, x := range c.names {
			is(name, got[name], x)
		}
		if !c.async {
			is("total of all names", all.Total, want.AllTotal)
			is("self time of all names", all.Self, want.AllSelf)
		} else {
			is("asynchronous spans", all.Count, want.Asynchronous.Spans)
		}
	}
	compareThreads(t, k, want)
	open := int64(0)
	for _, s := range k.Spans() {
		if s.Flags&model.SpanOpenEnd != 0 {
			open++
		}
	}
	is("open spans", open, want.Damaged.Unclosed+want.Asynchronous.Unclosed)
	is("ends without a begin", k.Told("unmatched-end"), want.Damaged.UnmatchedEnds)
	is("ends that are missing", k.Told("missing-end"), want.Damaged.ClosedByOuter)
	is("files cut", k.Lost("ends inside")+k.Lost("the data end too early"), int64(len(want.Damaged.Container)))
	is("array", strings.Contains(k.Info.Detail, "an array"), want.Form == "array")
	is("begin", strings.Contains(k.Info.Detail, " "+microseconds(want.First)+" µs"), true)
	compareSeries(t, k, want)
	compareFrames(t, k, want)
	arrows := k.Told("flow-without-track")
	for _, b := range k.Batches {
		arrows += int64(len(b.Flows))
		for _, f := range b.Flows {
			testkit.That(t, f.To >= f.From && k.Tracks[f.FromTrack].ID == f.FromTrack, "arrow %+v", f)
		}
	}
	is("arrows", arrows, want.Flows.Arrows)
	is("arrows without a begin", k.Told("flow-without-begin"), want.Flows.NoStart)
	is("arrows without an end", k.Told("flow-without-end"), want.Flows.NoEnd)
}

// compareThreads compares spans and depth of each thread, by its process and name.
func compareThreads(t *testing.T, k *feedtest.Kept, want *truth) {
	t.Helper()
	type id struct{ process, name string }
	type of struct {
		spans int64
		rows  int
	}
	got, wanted := map[id]of{}, map[id]of{}
	for tr, s := range k.Spans() {
		if tr.Kind == model.TrackThread {
			name := strings.TrimSuffix(tr.Name, " ("+tr.Process+")")
			name = cmp.Or(strings.TrimSuffix(name, fmt.Sprintf(" (%d)", tr.Index)), fmt.Sprint("Thread ", tr.Index))
			x := got[id{tr.Process, name}]
			got[id{tr.Process, name}] = of{x.spans + 1, max(x.rows, int(s.Lane)+1)}
		}
	}
	several := false
	for i := range k.Tracks {
		several = several || k.Tracks[i].Process != ""
	}
	same := map[string]int{}
	for _, name := range want.Processes {
		same[trace.Program(name)]++
	}
	for _, th := range want.Threads {
		if th.Spans == 0 {
			continue
		}
		name := id{"", cmp.Or(th.Name, "Thread "+th.Tid)}
		if several {
			process := ""
			if th.Process != nil {
				process = trace.Program(*th.Process)
			}
			called := func(d model.TrackDef) bool { return d.Process == process }
			switch {
			case process == "":
				name.process = "process " + th.Pid
			case same[process] > 1 && !slices.ContainsFunc(k.Tracks, called):
				name.process = process + " " + th.Pid
			default:
				name.process = process
			}
		}
		x := wanted[name]
		wanted[name] = of{x.spans + th.Spans, max(x.rows, th.MaxDepth)}
	}
	for name, x := range wanted {
		testkit.That(t, got[name] == x, "thread %v has %v, want %v", name, got[name], x)
	}
	testkit.That(t, len(got) == len(wanted), "%d threads, want %d", len(got), len(wanted))
}

func compareSeries(t *testing.T, k *feedtest.Kept, want *truth) {
	t.Helper()
	values := k.Values()
	testkit.That(t, len(k.Series) == len(want.Counters), "%d counters, want %d", len(k.Series), len(want.Counters))
	for _, c := range want.Counters {
		found := false
		for i, d := range k.Series {
			v := values[i]
			found = found || d.Group == c.Name && strings.HasSuffix(d.Name, c.Series) && len(v) == c.Samples &&
				slices.Min(v) == c.Min && slices.Max(v) == c.Max && v[len(v)-1] == c.Last
		}
		testkit.That(t, found, "no counter is %+v", c)
	}
}

// compareFrames compares frames and messages: instants are one of both.
func compareFrames(t *testing.T, k *feedtest.Kept, want *truth) {
	t.Helper()
	messages, framed := map[string]int64{}, map[string]int64{}
	got, open := map[[3]int64]int{}, map[[2]int64]int64{}
	per := int64(0)
	for _, b := range k.Batches {
		for _, m := range b.Messages {
			name, _, _ := strings.Cut(m.Text, ": ")
			if want.Instants.ByName[m.Text] > 0 {
				name = m.Text
			}
			messages[name]++
			per++
		}
		if b.HasFrame {
			got[[3]int64{b.Number, b.Begin + want.First, b.End + want.First}]++
			framed[k.Tracks[b.Track].Process]++
		}
		if b.Open {
			open[[2]int64{b.Number, b.Begin + want.First}] = b.End + want.First
		}
	}
	if strings.Contains(k.Info.Detail, "found by that") { // the truth knows declared frames alone
		testkit.That(t, len(want.Frames.ByProcess) == 0 && len(got) >= 20, "%d frames by their rhythm", len(got))
		return
	}
	frames := int64(0)
	for pid, p := range want.Frames.ByProcess {
		if p.Count < 2 { // one instant is a message
			continue
		}
		frames += int64(p.Count)
		ascend, skips := true, p.List[len(p.List)-1][0] != p.List[0][0]+int64(len(p.List))-1
		for i, f := range p.List {
			ascend = ascend && (i == 0 || f[0] > p.List[i-1][0])
		}
		counted := strings.Contains(strings.Join(k.Warnings, ""), "frames are counted from 0 instead")
		testkit.That(t, counted != ascend, "frames are counted: %v", counted)
		for _, def := range k.Tracks {
			testkit.That(t, def.Skips == (skips && ascend) || framed[def.Process] <= 0 ||
				len(want.Frames.ByProcess) != 1, "%s: numbers leave some out: %v", def.Name, def.Skips)
		}
		for i, f := range p.List {
			if !ascend {
				f[0] = int64(i)
			}
			// The last one has no end: it went on as long as there is something of its process, and of this alone.
			end, isOpen := open[[2]int64{f[0], f[1]}]
			if last := i == len(p.List)-1; isOpen != last || last && (end < f[1] || end > f[2]) || !last && got[f] == 0 {
				t.Errorf("process %s has no frame %v; open: %v, to %d", pid, f, isOpen, end)
			}
		}
	}
	testkit.That(t, (frames > 0) == (len(framed) > 0), "%d frames, want %d", len(framed), frames)
	others := want.ByPhase["T"] + want.ByPhase["p"] + want.Asynchronous.Instants
	testkit.That(t, per+frames == want.Instants.Total+others,
		"%d messages and %d frames of %d instants and %d others", per, frames, want.Instants.Total, others)
	for name, n := range want.Instants.ByName {
		said := int64(0)
		for text, k := range messages {
			if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || rest[0] == ' ' || rest[0] == ':') {
				said += k
			}
		}
		_, frame := trace.Frame([]byte(name))
		testkit.That(t, frame || said >= n, "%d messages %q, want %d", said, name, n)
	}
}

// pySpySum is what the truth of a trace by py-spy says of a name.
type pySpySum struct {
	N         int64 `json:"n"`
	Inclusive int64 `json:"inclusive_us"`
	Self      int64 `json:"self_us"`
}

// pySpyTruth returns the sums of each name, by thread.
func pySpyTruth(t *testing.T, dir string) map[int]map[string]pySpySum {
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "game-threads.truth.json")))(t)
	var truth struct {
		Threads []struct {
			Tid    int
			Totals map[string]pySpySum
		}
	}
	testkit.OK(t, json.Unmarshal(text, &truth))
	out := map[int]map[string]pySpySum{}
	for _, th := range truth.Threads {
		out[th.Tid] = th.Totals
	}
	return out
}

// TestPySpy compares with what a Python program counted in a trace by py-spy.
func TestPySpy(t *testing.T) {
	var k feedtest.Kept
	dir := folder(t, "chrometrace")
	testkit.OK(t, (Source{}).OpenFile(t.Context(), filepath.Join(dir, "game-threads.chrometrace.json"), &k))
	want := pySpyTruth(t, dir)
	got := map[int]map[string]pySpySum{}
	for i := range k.Tracks {
		of := map[string]pySpySum{}
		for name, x := range k.Sums(func(d *model.TrackDef) bool { return d == &k.Tracks[i] }) {
			of[name] = pySpySum{x.Count, x.Total / 1000, x.Self / 1000}
		}
		if len(of) > 0 {
			got[k.Tracks[i].Index] = of
		}
	}
	testkit.That(t, reflect.DeepEqual(got, want), "%v\nwant %v", got, want)
}

// Instants of a name that the user chose are frames, as in recordings of Chrome's DevTools; others are messages.
func TestChosenInstants(t *testing.T) {
	k := &feedtest.Kept{}
	d := newDecoder(k, nil, "trace.json", "DrawFrame")
	d.text.read(strings.NewReader(`[{"ph":"I","s":"t","ts":1,"name":"DrawFrame","args":{"layerTreeId":1}},{"ph":"i","ts":2,"name":"frame"},` +
		`{"ph":"X","ts":3,"dur":4,"name":"a"},{"ph":"I","ts":17,"name":"DrawFrame"},{"ph":"I","ts":40,"name":"DrawFrame"}]`))
	_, err := d.finish()
	testkit.OK(t, err)
	frames, messages := "", 0
	for _, b := range k.Batches {
		messages += len(b.Messages)
		if b.End > b.Begin {
			frames += fmt.Sprint(b.Begin, "-", b.End, " ")
		}
	}
	testkit.That(t, strings.HasPrefix(frames, "0-16000 16000-39000 ") && messages == 1, "frames %s, %d messages", frames, messages)
}

const rules = "testdata/rules.txt"

// pieces reads a trace that comes in pieces.
func pieces(text string, size func(i int) int) (*feedtest.Kept, error) {
	k := &feedtest.Kept{}
	d := newDecoder(k, nil, "trace.json", "")
	from, to := io.Pipe()
	go func() {
		to.CloseWithError(feedtest.Pieces([]byte(text), size, func(b []byte) error { _, err := to.Write(b); return err }))
	}()
	d.text.read(from)
	from.Close()
	_, err := d.finish()
	return k, err
}

// read reads a file.
func read(t testing.TB, text string) (*feedtest.Kept, error) {
	t.Helper()
	k := &feedtest.Kept{}
	return k, Source{}.OpenFile(t.Context(), feedtest.File(t, "trace.json", text), k)
}

// TestRules says what becomes of events, and of damage.
func TestRules(t *testing.T) {
	testkit.Blocks(t, rules, func(about, text string) string {
		return strings.ReplaceAll(testkit.Must(read(t, text))(t, about).Words(), "\x1b", "␛")
	})
}

// TestPieces reads each trace cut at each of its bytes, and in small pieces: it is the same as the whole.
func TestPieces(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, text := range testkit.BlockTexts(t, rules) {
		want := testkit.Must(pieces(text, feedtest.Steps(1<<20)))(t, text)
		for at := 1; at < len(text); at++ {
			got, err := pieces(text, func(i int) int { return []int{at, 1 << 20}[min(i, 1)] })
			testkit.MustThat(t, err == nil, "cut at byte %d: %v", at, err)
			testkit.MustSame(t, got, want, "%s: cut at byte %d", text, at)
		}
		for n := 1; n < 9; n++ {
			testkit.MustSame(t, testkit.Must(pieces(text, feedtest.Steps(n)))(t), want, "%s: pieces of %d bytes", text, n)
		}
	}
}

// TestLimits leaves out events that are too large or too deep, and reads on.
func TestLimits(t *testing.T) {
	text := `[{"ph":"X","ts":1,"dur":1,"name":"a"},{"ph":"X","ts":2,"args":"` + strings.Repeat("x", mostEvent) +
		`"},{"ph":"X","ts":3,"args":` + strings.Repeat("[", trace.MaxDeep+1) + strings.Repeat("]", trace.MaxDeep+1) +
		`},{"ph":"X","ts":3,"dur":1,"name":"b"}]`
	k := testkit.Must(pieces(text, feedtest.Steps(256<<10)))(t)
	testkit.Equal(t, k.Words(), "0.0 a 0-1000, 0.0 b 2000-3000, big-event×1@38, deep-event×1@16777282", "session")
}

// FuzzDecoder reads anything, in pieces of any size, and demands what the store relies on.
func FuzzDecoder(f *testing.F) {
	for i, text := range testkit.BlockTexts(f, rules) {
		f.Add([]byte(text), uint8(i))
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
	made, events := traceOf(200_000), 0
	b.SetBytes(int64(len(made)))
	for b.Loop() {
		x := text{take: func(*event, int64) { events++ }, bad: &trace.Diagnostics{}}
		x.read(bytes.NewReader(made))
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) { feedtest.BenchOpen(b, Source{}, "trace.json", traceOf(2_000_000)) }

// TestCases reads traces with other things than spans, and what can't be read.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "trace.json") }

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
}
