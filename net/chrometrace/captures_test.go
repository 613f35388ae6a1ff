package chrometrace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
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
	is("files cut", k.Lost("ends inside")+k.Lost("unexpected EOF"), int64(len(want.Damaged.Container)))
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
