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

// warned is the number before some words in a warning.
func (k *taken) warned(words string) (n int64) {
	for _, w := range k.Warnings {
		if before, _, ok := strings.Cut(w, " "+words); ok {
			fmt.Sscan(before[strings.LastIndexByte(before, ' ')+1:], &n)
		}
	}
	return n
}

// isTimeline tells whether a track is of the frame timeline.
func isTimeline(d *model.TrackDef) bool {
	return d.Kind == model.TrackAsync && (strings.HasPrefix(d.Name, "Frames") || strings.HasPrefix(d.Name, "Display frames"))
}

func notTimeline(d *model.TrackDef) bool { return !isTimeline(d) }

// truth is what a decoder of another make found in a capture.
type truth struct {
	Packets   int64              `json:"packets"`
	Kinds     map[string]int64   `json:"packet_kinds"`
	Names     map[string]*string `json:"process_names"`
	Container struct {
		Errors []string `json:"errors"`
		Bad    int64    `json:"bad_packets"`
	} `json:"containers"`
	Threads []struct {
		Pid, Tid int64
		Name     *string
		Spans    int64
		Instants int64
		MaxDepth int            `json:"max_depth"`
		ByName   map[string]int `json:"spans_by_name"`
		Distinct int            `json:"distinct_names"`
	} `json:"threads"`
	Others []struct {
		Name     *string
		Owner    []any
		Spans    int64
		Instants int64
	} `json:"other_tracks"`
	OtherCount int                     `json:"other_tracks_count"`
	Spans      int64                   `json:"spans"`
	MaxDepth   int                     `json:"max_depth"`
	ByName     map[string]feedtest.Sum `json:"by_name"`
	AllTotal   int64                   `json:"all_names_total_ns"`
	AllSelf    int64                   `json:"all_names_self_ns"`
	Counters   []struct {
		Name           string
		Owner          []any
		Unit           string
		Samples        int
		Min, Max, Last float64
	} `json:"counters"`
	CounterCount int `json:"counters_count"`
	Instants     struct {
		Total  int64
		ByName map[string]int64 `json:"by_name"`
	} `json:"instants"`
	Flows       struct{ Arrows int64 }
	Annotations int64            `json:"debug_annotations"`
	Legacy      map[string]int64 `json:"legacy_events"`
	First       int64            `json:"first_ns"`
	Last        int64            `json:"last_ns"`
	Frames      struct {
		Timeline [][4]any       `json:"timeline"`
		Slices   map[string]int `json:"spans_with_frame_in_name"`
	} `json:"frames"`
	Damaged struct {
		NeedsState int64 `json:"skipped_needs_state"`
		Dropped    int64 `json:"previous_packet_dropped"`
		Unmatched  int64 `json:"unmatched_ends"`
		Unclosed   int64 `json:"unclosed_begins"`
	} `json:"damaged"`
}

// captures are traces of many programs; counted are those that were counted by the program itself.
var (
	captures = []string{
		"broken-cut", "chromium-page", "concatenated", "frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib",
		"sdk-plain", "sdk-ring", "sdk-us",
	}
	counted = []string{"frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib", "sdk-plain", "sdk-us"}
)

// open reads a trace.
func open(t *testing.T, path string) *taken {
	t.Helper()
	var k taken
	testkit.OK(t, (Source{}).OpenFile(t.Context(), path, &k))
	return &k
}

// TestCaptures reads traces of many programs and compares all that is in them with what a decoder of
// another make found.
func TestCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Perfetto, name+".pftrace")
			want := recordings.JSON[truth](t, recordings.Perfetto, name+".truth.json")
			compareWith(t, open(t, path), want)
		})
	}
}

// TestCounted compares how often everything occurs with what the programs themselves counted.
func TestCounted(t *testing.T) {
	for _, name := range counted {
		t.Run(name, func(t *testing.T) {
			if !recordings.Here(t, recordings.Perfetto, name) {
				t.Skip("the trace is not on this machine")
			}
			k := open(t, recordings.File(t, recordings.Perfetto, name+".pftrace"))
			want := recordings.JSON[map[string]int64](t, recordings.Perfetto, name+".program.json")
			compareCounts(t, k, *want)
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
	testkit.That(t, got == want, "%s: %v, want %v", what, got, want)
}

func compareWith(t *testing.T, k *taken, want *truth) {
	t.Helper()
	got := k.Sums(notTimeline)
	var all feedtest.Sum
	for name, x := range got {
		all = feedtest.Sum{Count: all.Count + x.Count, Total: all.Total + x.Total, Self: all.Self + x.Self}
		if _, ok := want.ByName[name]; !ok {
			t.Errorf("%q is in no truth", name)
		}
	}
	for name, x := range want.ByName {
		is(t, name, got[name], x)
	}
	is(t, "spans", all.Count, want.Spans)
	is(t, "total of all names", all.Total, want.AllTotal)
	is(t, "self time of all names", all.Self, want.AllSelf)
	open := int64(0)
	for _, s := range k.Spans() {
		if s.Flags&model.SpanOpenEnd != 0 {
			open++
		}
	}
	is(t, "open spans", open, want.Damaged.Unclosed)
	is(t, "ends without a begin", k.Lost("never began"), want.Damaged.Unmatched)
	is(t, "packets that need a state", k.Lost("was overwritten before"), want.Damaged.NeedsState)
	is(t, "packets after a loss", k.Lost("report lost data before them"), want.Damaged.Dropped)
	is(t, "files cut", k.Lost("the file ends inside"), int64(len(want.Container.Errors)))
	is(t, "bad packets", k.Lost("can't be decoded"), want.Container.Bad)
	flows := int64(0)
	for _, b := range k.Batches {
		flows += int64(len(b.Flows))
	}
	is(t, "flow arrows", flows, want.Flows.Arrows)
	is(t, "packets", strings.HasPrefix(k.Info.Detail, fmt.Sprintf("%d packets;", want.Packets)), true)
	compareTracks(t, k, want)
	compareSeries(t, k, want)
	compareFrames(t, k, want)
}

// compareTracks compares the spans of each thread by name, and its depth; and those of other tracks.
func compareTracks(t *testing.T, k *taken, want *truth) {
	t.Helper()
	type of struct {
		spans, instants int64
		depth           int
		names           string
	}
	byTrack := make([]of, len(k.Tracks))
	byName := make([]map[string]int, len(k.Tracks))
	for _, b := range k.Batches {
		if b.Track == model.NoTrack {
			continue
		}
		x := &byTrack[b.Track]
		for _, s := range b.Spans {
			x.spans++
			x.depth = max(x.depth, int(s.Lane)+1)
			if byName[b.Track] == nil {
				byName[b.Track] = map[string]int{}
			}
			byName[b.Track][k.Name(s.Path)]++
		}
		if k.Tracks[b.Track].Kind == model.TrackThread {
			x.instants += int64(len(b.Messages))
		}
	}
	marks := int64(0)
	for _, n := range want.Legacy {
		marks += n
	}
	var got, wanted []string
	instants := int64(0)
	for i, x := range byTrack {
		if k.Tracks[i].Kind == model.TrackThread {
			name, _, _ := strings.Cut(k.Tracks[i].Name, " (")
			got = append(got, fmt.Sprint(k.Tracks[i].Index, " ", name, " ", x.spans, " ", x.depth))
			instants += x.instants
		}
	}
	others := int64(0)
	for i, x := range byTrack {
		if k.Tracks[i].Kind != model.TrackThread && !isTimeline(&k.Tracks[i]) {
			others += x.spans
		}
	}
	for _, th := range want.Threads {
		if th.Spans+th.Instants == 0 {
			continue
		}
		name := ""
		if th.Name != nil {
			name, _, _ = strings.Cut(*th.Name, " (")
		}
		wanted = append(wanted, fmt.Sprint(th.Tid, " ", name, " ", th.Spans, " ", th.MaxDepth))
		alike := func(d model.TrackDef) bool {
			for name, n := range th.ByName { // the most frequent
				if byName[d.ID][name] != n {
					return false
				}
			}
			return d.Kind == model.TrackThread && d.Index == int(th.Tid)
		}
		testkit.That(t, slices.ContainsFunc(k.Tracks, alike), "no thread %d has %v", th.Tid, th.ByName)
	}
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("threads:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
	}
	total := int64(0)
	for _, o := range want.Others {
		total += o.Spans
		found := o.Name == nil || o.Spans == 0
		for _, d := range k.Tracks {
			found = found || strings.HasPrefix(d.Name, *o.Name) && d.Kind == model.TrackAsync
		}
		if !found {
			t.Errorf("there is no track %s", *o.Name)
		}
	}
	if len(want.Others) == want.OtherCount {
		is(t, "spans of other tracks", others, total)
	}
}

func compareSeries(t *testing.T, k *taken, want *truth) {
	t.Helper()
	values := k.Values()
	is(t, "counters", len(k.Series), want.CounterCount)
	for _, c := range want.Counters {
		found := false
		unit := map[string]string{"bytes": "B", "count": ""}
		for i, d := range k.Series {
			v := values[i]
			c := c
			as, ok := unit[c.Unit]
			if !ok {
				as = c.Unit
			}
			if c.Name == "thread_time" {
				as = "ns"
			}
			if ns, ok := Lengths[as]; ok && as != "ns" {
				as, c.Min, c.Max, c.Last = "ns", c.Min*ns, c.Max*ns, c.Last*ns
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
			found = found || d.Group == c.Name && d.Unit == as && len(v) == c.Samples && near(slices.Min(v), c.Min) &&
				near(slices.Max(v), c.Max) && near(v[len(v)-1], c.Last) && (d.Track != model.NoTrack) == (c.Owner[0] == "thread")
		}
		testkit.That(t, found, "no counter is %+v", c)
	}
}

// compareFrames compares frames and messages: instants are one of both.
func compareFrames(t *testing.T, k *taken, want *truth) {
	t.Helper()
	messages := map[string]int64{}
	total, main, ticks := int64(0), 0, int64(0)
	var list [][2]int64
	for _, b := range k.Batches {
		if b.Track == model.NoTrack || isTimeline(&k.Tracks[b.Track]) {
			continue
		}
		for _, m := range b.Messages {
			name := m.Text
			for want.Instants.ByName[name] == 0 { // it says more than its name
				at := strings.LastIndexAny(name, " :")
				if at < 0 {
					name, _, _ = strings.Cut(m.Text, ": ")
					break
				}
				name = name[:at]
			}
			messages[name]++
			total++
		}
		if (b.HasFrame || b.Open) && k.Tracks[b.Track].Main {
			list = append(list, [2]int64{b.Begin, b.End})
			main++
		}
	}
	for _, n := range want.Legacy {
		total -= n // in the truth they are not taken for instants
	}
	for name, n := range want.Instants.ByName {
		_, frame := trace.Frame([]byte(name))
		if frame {
			ticks += n - messages[name]
		} else if messages[name] < n {
			t.Errorf("%d messages %q, want %d", messages[name], name, n)
		}
	}
	if len(want.Instants.ByName) >= 60 {
		ticks = int64(main) // not all names are listed
	}
	is(t, "messages", total+ticks, want.Instants.Total)
	if len(want.Frames.Timeline) > 0 {
		compareTimeline(t, k, want, list)
		return
	}
	most := 0
	for _, name := range sliceNames {
		if n := want.Frames.Slices[name]; n >= 10 {
			most = max(most, n/max(1, len(want.Names)))
		}
	}
	if most > 0 && main < most || most == 0 && main != int(ticks) {
		t.Errorf("%d frames, %d slices, %d instants", main, most, ticks)
	}
}

// compareTimeline compares the frames of a frame timeline.
func compareTimeline(t *testing.T, k *taken, want *truth, main [][2]int64) {
	t.Helper()
	title := map[string]string{
		"expected_display": "Display frames expected", "actual_display": "Display frames",
		"expected_surface": "Frames expected", "actual_surface": "Frames",
	}
	spans := map[string]int{}
	for tr, s := range k.Spans() {
		spans[fmt.Sprint(tr.Name, s.Begin, s.End)]++
	}
	first := int64(math.MaxInt64)
	for _, f := range want.Frames.Timeline {
		first = min(first, int64(f[2].(float64)))
	}
	n := 0
	numbers := map[int64]bool{}
	for _, b := range k.Batches {
		numbers[b.Number] = numbers[b.Number] || b.HasFrame || b.Open
	}
	for _, f := range want.Frames.Timeline {
		begin, end := int64(f[2].(float64))-first, int64(f[3].(float64))-first
		if key := fmt.Sprint(title[f[0].(string)], begin, end); spans[key] == 0 {
			t.Errorf("no span is %v", f)
		}
		if f[0] == "actual_surface" {
			if token := int64(f[1].(float64)); !numbers[token] {
				t.Errorf("no frame has the number %d", token)
			}
			testkit.MustThat(t, n < len(main) && main[n] == [2]int64{begin, end}, "frame %d is not %v", n, f)
			n++
		}
	}
	is(t, "frames", len(main), n)
}
