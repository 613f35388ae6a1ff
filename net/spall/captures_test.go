package spall

import (
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// truth is what another program reads in a capture, which knows the format alone.
type truth struct {
	Error    *string
	Version  int
	Trailing int64 `json:"trailing_bytes_dropped"`
	Warnings []string
	Threads  []truthThread
	Frames   []struct {
		Begin float64 `json:"begin_ns"`
		End   float64 `json:"end_ns"`
	} `json:"frames_called_frame"`
	Stops []struct {
		Frame    int64
		Between  bool
		Begin    float64 `json:"begin_ns"`
		Duration float64 `json:"duration_ns"`
	}
	First     *float64 `json:"first_ns"`
	Last      float64  `json:"last_ns"`
	Processes map[string]string
}

type truthThread struct {
	PID, TID   int64
	Name       string
	Spans      int
	Depth      int   `json:"max_depth"`
	Orphans    int64 `json:"orphan_ends"`
	Open       int   `json:"open_ends"`
	Totals     map[string]truthTotal
	FirstSpans []struct {
		Name  string
		Args  string
		Begin float64 `json:"begin_ns"`
		End   float64 `json:"end_ns"`
		Depth int
	} `json:"first_spans"`
}

type truthTotal struct {
	N         int64
	Inclusive float64 `json:"inclusive_ns"`
	Self      float64 `json:"self_ns"`
	Min       float64 `json:"min_ns"`
	Max       float64 `json:"max_ns"`
}

// TestCaptures compares each capture with its truth: threads with their spans, sums and depths, the
// frames, what is open, and what is damaged.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game-v3", "plain-v3", "game-v1", "broken-cut-v3", "broken-event-type", "header-only", "stops-v1",
		"broken-header", "broken-version2", "broken-native-magic",
	} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Spall, name+".spall")
			want := recordings.JSON[truth](t, recordings.Spall, name+".truth.json")
			s, err := feedtest.Load(t, Source{}, path)
			if want.Error != nil {
				testkit.Fails(t, err, path+": byte ")
				return
			}
			testkit.OK(t, err)
			compare(t, s, want)
		})
	}
}

func compare(t *testing.T, s *store.Session, want *truth) {
	zero := 0.0
	if want.First != nil {
		zero = *want.First
	}
	same := func(what string, got int64, ns float64) {
		t.Helper()
		testkit.That(t, got == int64(math.Round(ns)), "%s: %d, want %.0f", what, got, ns)
	}
	testkit.MustThat(t, s.NumTracks() == len(want.Threads), "%d threads, want %d", s.NumTracks(), len(want.Threads))
	orphans := int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		i := slices.IndexFunc(want.Threads, func(w truthThread) bool { return w.TID == int64(s.Track(id).Def.Index) })
		testkit.MustThat(t, i >= 0, "no thread %d in the truth", s.Track(id).Def.Index)
		orphans += want.Threads[i].Orphans
		if n := s.Track(id).NumSpans(); n > 0 && want.Threads[i].Spans == 0 { // the truth skips the buffer of an unknown event
			testkit.Equal(t, n, 30, "calls behind the unknown event")
			continue
		}
		compareThread(t, s, id, &want.Threads[i], zero, same)
	}
	wrong := map[string]int64{}
	for _, d := range s.Diagnostics() {
		wrong[d.Kind] = d.N
	}
	testkit.Equal(t, wrong["unmatched-end"], orphans, "ends without a begin")
	damage := wrong["gap"] + wrong["cut"] + wrong["unread"]
	testkit.Equal(t, damage, int64(len(want.Warnings)), "places that are damaged: %v", wrong)
	main := s.Track(s.MainTrack())
	if main == nil {
		return
	}
	whole := want.Frames
	if o, open := main.OpenFrame(); open && len(whole) > 0 {
		w := whole[len(whole)-1]
		same("begin of the open frame", o.Begin, w.Begin-zero)
		same("end of what is known of it", o.End, w.End-zero)
		whole = whole[:len(whole)-1]
	}
	testkit.MustThat(t, main.NumFrames() == len(whole), "%d frames, want %d", main.NumFrames(), len(whole))
	for i, w := range whole {
		f := main.Frame(i)
		same("begin of a frame", f.Begin, w.Begin-zero)
		same("end of a frame", f.End, w.End-zero)
	}
	stops := main.Stops(0, main.NumFrames()-1, nil)
	testkit.MustEqual(t, len(stops), len(want.Stops), "stops")
	for i, w := range want.Stops {
		testkit.That(t, stops[i].Number == w.Frame && stops[i].Between == w.Between, "%+v, want %+v", stops[i], w)
		same("begin of a stop", stops[i].Begin, w.Begin-zero)
		same("length of a stop", stops[i].End-stops[i].Begin, w.Duration)
	}
}

func compareThread(
	t *testing.T, s *store.Session, id model.TrackID, w *truthThread, zero float64, same func(string, int64, float64),
) {
	tr := s.Track(id)
	name, _, _ := strings.Cut(tr.Def.Name, " (")
	testkit.Equal(t, name, w.Name, "name of a thread")
	testkit.Equal(t, tr.NumSpans(), int64(w.Spans), "%q: spans", name)
	testkit.Equal(t, tr.Lanes(), w.Depth, "%q: lanes", name)
	open, inclusive := 0, map[string]int64{}
	for lane := range tr.Lanes() {
		for _, b := range feedtest.Bars(s, id, lane) {
			if b.Flags&model.SpanOpenEnd != 0 {
				open++
			}
			testkit.That(t, b.Flags&(model.SpanOpenBegin|model.SpanUncertain) == 0 && b.Count == 1,
				"a span of %d with flags %b", b.Count, b.Flags)
			inclusive[s.Collector(b.Collector).Name] += b.End - b.Begin
		}
	}
	testkit.That(t, open == w.Open, "%q: %d open, want %d", w.Name, open, w.Open)
	for _, f := range w.FirstSpans {
		b, ok := s.Spans().At(id, f.Depth, int64(math.Round(f.Begin-zero)), 0)
		if !ok || s.Collector(b.Collector).Name != f.Name {
			t.Errorf("%s: no %s at %.0f", w.Name, f.Name, f.Begin-zero)
			continue
		}
		same(f.Name+" begins", b.Begin, f.Begin-zero)
		same(f.Name+" ends", b.End, f.End-zero)
		said := ""
		for _, a := range s.Args().Of(id, f.Depth, b.Ref.Index, nil) {
			said += a.Key + " " + a.Value.String()
		}
		if f.Args != "" {
			f.Args = "args " + f.Args
		}
		testkit.That(t, said == f.Args, "%s at %d has %q, want %q", f.Name, b.Begin, said, f.Args)
	}
	stats := s.Spans().Stats([]model.TrackID{id}, model.MinTime, model.MaxTime, nil)
	testkit.That(t, len(stats) == len(w.Totals), "%d names, want %d", len(stats), len(w.Totals))
	for _, st := range stats {
		name := s.Collector(st.Collector).Name
		x := w.Totals[name]
		testkit.That(t, st.Calls == x.N, "%s: %d calls, want %d", name, st.Calls, x.N)
		same(name+" inclusive", inclusive[name], x.Inclusive)
		same(name+" self", st.SelfNs, x.Self)
		same(name+" shortest", st.MinNs, x.Min)
		same(name+" longest", st.MaxNs, x.Max)
	}
}
