package perfetto

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// taken is a sink that keeps what it gets.
type taken struct{ feedtest.Kept }

// lost returns how often there is something of a kind of diagnostics.
func (k *taken) lost(kind string) (n int64) {
	for _, l := range k.Losses {
		if l.Kind == kind {
			n += l.N
		}
	}
	return n
}

// isTimeline tells whether a track is of the frame timeline.
func isTimeline(d *model.TrackDef) bool {
	return d.Kind == model.TrackAsync &&
		(strings.HasPrefix(d.Name, "Frames") || strings.HasPrefix(d.Name, "Display frames"))
}

func notTimeline(d *model.TrackDef) bool { return !isTimeline(d) }

// truth is what a decoder of another make found in a capture.
type truth struct {
	Packets   int64
	Names     map[string]*string `json:"process_names"`
	Container struct {
		Errors []string
		Bad    int64 `json:"bad_packets"`
	} `json:"containers"`
	Threads []struct {
		Tid             int
		Name            *string
		Spans, Instants int
		MaxDepth        int            `json:"max_depth"`
		ByName          map[string]int `json:"spans_by_name"` // the most frequent
	}
	Others []struct {
		Name  *string
		Spans int
	} `json:"other_tracks"`
	OtherCount int `json:"other_tracks_count"`
	Spans      int64
	ByName     map[string]feedtest.Sum `json:"by_name"`
	AllTotal   int64                   `json:"all_names_total_ns"`
	AllSelf    int64                   `json:"all_names_self_ns"`
	Counters   []struct {
		Name           string
		Owner          []any
		Unit           string
		Samples        int
		Min, Max, Last float64
	}
	CounterCount int `json:"counters_count"`
	Instants     struct {
		Total  int
		ByName map[string]int `json:"by_name"` // at most 60
	}
	Flows  struct{ Arrows int64 }
	Legacy map[string]int `json:"legacy_events"`
	Frames struct {
		Timeline [][4]any
		Slices   map[string]int `json:"spans_with_frame_in_name"`
	}
	Damaged struct {
		NeedsState int64 `json:"skipped_needs_state"`
		Dropped    int64 `json:"previous_packet_dropped"`
		Unmatched  int64 `json:"unmatched_ends"`
		Unclosed   int64 `json:"unclosed_begins"`
	}
}

// captures are traces of many programs.
var captures = []string{
	"broken-cut", "chromium-page", "concatenated", "frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib",
	"sdk-plain", "sdk-ring", "sdk-us",
}

// TestUnknownFirst opens a trace of others, whose first packet is of a kind that is not read.
func TestUnknownFirst(t *testing.T) {
	path := recordings.File(t, recordings.Perfetto, "field-translation-table-first.pftrace")
	testkit.That(t, Source{}.Sniff(feedtest.Head(t, path), path), "it is not recognised")
	k := open(t, "field-translation-table-first")
	lines := slices.DeleteFunc(k.lines(), isUnshown)
	testkit.That(t, len(lines) == 4 && len(k.Losses) == 0, "%q", lines)
	for _, name := range []string{"raw_name1", "raw_name2", "raw_name3", "raw_slice_begin"} {
		testkit.That(t, strings.Count(strings.Join(lines, "\n"), name) == 1, "%s: %q", name, lines)
	}
}

// open reads a trace.
func open(t *testing.T, name string) *taken {
	t.Helper()
	var k taken
	testkit.OK(t, (Source{}).OpenFile(t.Context(), recordings.File(t, recordings.Perfetto, name+".pftrace"), &k))
	return &k
}

// TestCaptures compares all that is in traces with what a decoder of another make found.
func TestCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			k := open(t, name)
			want := recordings.JSON[truth](t, recordings.Perfetto, name+".truth.json")
			compareSums(t, k, want)
			compareTracks(t, k, want)
			compareSeries(t, k, want)
			compareInstants(t, k, want)
			if len(want.Frames.Timeline) > 0 {
				compareTimeline(t, k, want)
			}
		})
	}
}

// TestCounted compares how often everything occurs with what the programs themselves counted.
func TestCounted(t *testing.T) {
	for _, name := range []string{"frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib", "sdk-plain", "sdk-us"} {
		t.Run(name, func(t *testing.T) {
			if !recordings.Here(t, recordings.Perfetto, name) {
				t.Skip("the trace is not on this machine")
			}
			compareCounts(t, open(t, name), *recordings.JSON[map[string]int64](t, recordings.Perfetto, name+".program.json"))
		})
	}
}

func compareCounts(t *testing.T, k *taken, want map[string]int64) {
	got, spans, late := k.Sums(notTimeline), map[string]int64{}, int64(0)
	for tr, s := range k.Spans() {
		if k.Name(s.Path) == "frame late: missed its deadline" && tr.Name == "Frames" {
			late++
		}
	}
	for key, n := range want {
		kind, name, _ := strings.Cut(key, ":")
		switch kind {
		case "slice", "enter", "0", "1", "2":
			spans[name] += n
		case "frames":
			is(t, key, got["doFrame"].Count, n)
		case "late":
			is(t, key, late, n)
		}
	}
	for name, n := range spans {
		is(t, name, got[name].Count, n)
	}
}

func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	testkit.Equal(t, got, want, "%s", what)
}

// compareSums compares sums of spans by name, and what is damaged.
func compareSums(t *testing.T, k *taken, want *truth) {
	got := k.Sums(notTimeline)
	var all feedtest.Sum
	for _, x := range got {
		all = feedtest.Sum{Count: all.Count + x.Count, Total: all.Total + x.Total, Self: all.Self + x.Self}
	}
	testkit.NoDiff(t, testkit.Diff(want.ByName, got), "sums by name")
	is(t, "sums of all names", all, feedtest.Sum{Count: want.Spans, Total: want.AllTotal, Self: want.AllSelf})
	open, flows := int64(0), int64(0)
	for _, s := range k.Spans() {
		if s.Flags&model.SpanOpenEnd != 0 {
			open++
		}
	}
	for _, b := range k.Batches {
		flows += int64(len(b.Flows))
	}
	is(t, "flow arrows", flows, want.Flows.Arrows)
	is(t, "open spans", open, want.Damaged.Unclosed)
	is(t, "ends without a begin", k.lost("unmatched-end"), want.Damaged.Unmatched)
	is(t, "packets that need a state", k.lost("overwritten"), want.Damaged.NeedsState)
	is(t, "packets after a loss", k.lost("dropped"), want.Damaged.Dropped)
	is(t, "files cut", k.lost("cut"), int64(len(want.Container.Errors)))
	is(t, "bad packets", k.lost("bad-event"), want.Container.Bad)
	is(t, "packets", strings.HasPrefix(k.Info.Detail, fmt.Sprintf("%d packets;", want.Packets)), true)
}

// compareTracks compares the spans of each thread by name, and its depth; and those of other tracks.
func compareTracks(t *testing.T, k *taken, want *truth) {
	spans, depths, names := map[model.TrackID]int{}, map[model.TrackID]int{}, map[model.TrackID]map[string]int{}
	threads, others := 0, 0
	for i := range k.Tracks {
		names[k.Tracks[i].ID] = map[string]int{}
		if k.Tracks[i].Kind == model.TrackThread {
			threads++
		}
	}
	for d, s := range k.Spans() {
		spans[d.ID]++
		depths[d.ID] = max(depths[d.ID], int(s.Lane)+1)
		names[d.ID][k.Name(s.Path)]++
		if d.Kind != model.TrackThread && !isTimeline(d) {
			others++
		}
	}
	alone := func(name string) string { name, _, _ = strings.Cut(name, " ("); return name }
	for _, th := range want.Threads {
		if th.Spans+th.Instants == 0 {
			continue
		}
		threads--
		is := func(d model.TrackDef) bool {
			for name, n := range th.ByName {
				if names[d.ID][name] != n {
					return false
				}
			}
			return d.Kind == model.TrackThread && d.Index == th.Tid && spans[d.ID] == th.Spans &&
				depths[d.ID] == th.MaxDepth && (th.Name == nil || alone(*th.Name) == alone(d.Name))
		}
		testkit.That(t, slices.ContainsFunc(k.Tracks, is), "no thread is %+v", th)
	}
	is(t, "threads beyond", threads, 0)
	for _, o := range want.Others {
		others -= o.Spans
		is := func(d model.TrackDef) bool { return strings.HasPrefix(d.Name, *o.Name) && d.Kind == model.TrackAsync }
		testkit.That(t, o.Name == nil || o.Spans == 0 || slices.ContainsFunc(k.Tracks, is), "there is no track %v", o)
	}
	testkit.That(t, others == 0 || len(want.Others) < want.OtherCount, "%d more spans of other tracks", others)
}

func compareSeries(t *testing.T, k *taken, want *truth) {
	values := k.Values()
	is(t, "counters", len(k.Series), want.CounterCount)
	for _, c := range want.Counters {
		unit := c.Unit
		switch {
		case c.Name == "thread_time":
			unit = "ns"
		case unit == "bytes":
			unit = "B"
		case unit == "count":
			unit = ""
		case lengths[unit] > 0:
			c.Min, c.Max, c.Last, unit = c.Min*lengths[unit], c.Max*lengths[unit], c.Last*lengths[unit], "ns"
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		is := func(d model.SeriesDef) bool {
			v := values[d.ID]
			return d.Group == c.Name && d.Unit == unit && len(v) == c.Samples && near(slices.Min(v), c.Min) &&
				near(slices.Max(v), c.Max) && near(v[len(v)-1], c.Last) &&
				(d.Track != model.NoTrack) == (c.Owner[0] == "thread")
		}
		testkit.That(t, slices.ContainsFunc(k.Series, is), "no counter is %+v", c)
	}
}

// compareInstants compares instants: they are messages or frames.
func compareInstants(t *testing.T, k *taken, want *truth) {
	total, main, ticks := 0, 0, 0
	messages := map[string]int{}
	for _, b := range k.Batches {
		if b.Track == model.NoTrack || isTimeline(&k.Tracks[b.Track]) {
			continue
		}
		if (b.HasFrame || b.Open) && k.Tracks[b.Track].Main {
			main++
		}
		for _, m := range b.Messages {
			total++
			for name := range want.Instants.ByName {
				if rest, ok := strings.CutPrefix(m.Text, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ": ")) {
					messages[name]++
				}
			}
		}
	}
	for _, n := range want.Legacy {
		total -= n // in the truth they are not taken for instants
	}
	for name, n := range want.Instants.ByName {
		if _, frame := trace.Frame([]byte(name)); frame {
			ticks += n - messages[name]
		} else {
			testkit.That(t, messages[name] >= n, "%d messages %q, want %d", messages[name], name, n)
		}
	}
	if len(want.Instants.ByName) >= 60 {
		ticks = main // not all names are listed
	}
	is(t, "messages", total+ticks, want.Instants.Total)
	most := 0
	for _, name := range frameNames {
		if n := want.Frames.Slices[name]; n >= 10 {
			most = max(most, n/max(1, len(want.Names)))
		}
	}
	if len(want.Frames.Timeline) == 0 {
		testkit.That(t, main >= most && (most > 0 || main == ticks), "%d frames, %d slices, %d instants", main, most, ticks)
	}
}

// compareTimeline compares the frames of a frame timeline.
func compareTimeline(t *testing.T, k *taken, want *truth) {
	titles := map[any]string{
		"expected_display": "Display frames expected", "actual_display": "Display frames",
		"expected_surface": "Frames expected", "actual_surface": "Frames",
	}
	type key struct {
		title      string
		begin, end int64
	}
	spans, frames := map[key]int{}, map[key]int{}
	for tr, s := range k.Spans() {
		spans[key{tr.Name, s.Begin, s.End}]++
	}
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			frames[key{fmt.Sprint(b.Number), b.Begin, b.End}]++
		}
	}
	first, n := int64(math.MaxInt64), 0
	for _, f := range want.Frames.Timeline {
		first = min(first, int64(f[2].(float64)))
	}
	for _, f := range want.Frames.Timeline {
		begin, end := int64(f[2].(float64))-first, int64(f[3].(float64))-first
		testkit.That(t, spans[key{titles[f[0]], begin, end}] > 0, "no span is %v", f)
		if f[0] == "actual_surface" {
			n++
			testkit.That(t, frames[key{fmt.Sprint(f[1]), begin, end}] == 1, "no frame is %v", f)
		}
	}
	is(t, "frames", len(frames), n)
}

// TestOdd reads traces that were made with the classes that Perfetto's own tools have: parents in a loop, two tracks of
// one thread, machines, tracks of one name, and writers of before there were tracks. What must come of them was worked
// out by hand.
func TestOdd(t *testing.T) {
	for name, want := range map[string][]string{
		"odd-tracks": {
			"elsewhere: far 0-30 row 0", "loads: a.png 0-50 row 0", "loads: b.png 20-60 row 1", "loads: c.png 60-70 row 0",
			"loads: open 90-100 row 0 open", "loop 20: in a loop 0-10 row 0", "lost unmatched-end 1",
			"main: inner 10-20 row 1", "main: outer 0-100 row 0", "main: second row 5-95 row 2",
			"track 77: nobody's 0-40 row 0",
		},
		"odd-old": {
			"not shown: 1 event of an old kind.", `old: "a: it went wrong" at 213000`, "old: a 0-10000 row 0",
			"old: a 210000-211000 row 0", "old: a 95000-145000 row 0",
		},
	} {
		testkit.NoDiff(t, testkit.Diff(want, open(t, name).lines()), "%s", name)
	}
}

// TestStep: how fine the times of a session are is told.
func TestStep(t *testing.T) {
	for name, want := range map[string]int64{"sdk-us": 1000, "sdk-clear-zlib": 1, "frametimeline": 1, "odd-old": 1000} {
		is(t, name, open(t, name).Info.Clock.StepNs, want)
	}
}
