package store

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
)

// Following and panning a chart in StripMax gives what a fresh one gives, and reads each frame
// once.
func TestNetCacheFollowsThePan(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(6, 6)), s, 12, 40, 6)
	fill(s, g, 0, 60_000)
	var kept frames.Strip
	rng := rand.New(rand.NewPCG(1, 1))
	lo, hi, _ := s.Bounds()
	width := (hi - lo) / 20
	at := lo + (hi-lo)/2
	for step := range 120 {
		switch {
		case step%30 == 29:
			at = lo + rng.Int64N(hi-lo-width)
		case step%60 < 30:
			at = max(at-rng.Int64N(width), lo)
		default:
			at = min(at+rng.Int64N(width), hi-width)
		}
		if step%25 == 24 {
			again := *fill(s, g, 0, 500).frames[0]
			again.Rewind = true
			s.Append(&again)
			g.number, g.now = again.Number+1, again.End
			g.open = nil
		}
		q := frames.StripQuery{T0: at, T1: at + width, Columns: 200, Mode: frames.StripMax, Levels: step%40 > 30}
		var fresh frames.Strip
		s.Frames().Strip(q, &fresh)
		s.Frames().Strip(q, &kept)
		testkit.MustEqualSlices(t, kept.Columns, fresh.Columns, "step %d", step)
		testkit.MustEqualSlices(t, kept.Values, fresh.Values, "step %d", step)
	}
}

func TestRevisions(t *testing.T) {
	s := NewSession()
	rev, defs := s.Revision(), s.DefsRevision()
	step := func(what string, f func(), wantDefs bool) {
		t.Helper()
		f()
		testkit.That(t, s.Revision() != rev, "%s: same revision", what)
		testkit.Equal(t, s.DefsRevision() != defs, wantDefs, "%s: definitions changed: %v", what, !wantDefs)
		rev, defs = s.Revision(), s.DefsRevision()
	}
	step("collector", func() { s.Apply(model.CollectorDef{ID: 1, Name: "A"}) }, true)
	step("the same again", func() { s.Apply(model.CollectorDef{ID: 1, Name: "A"}) }, false)
	step("track", func() { s.Apply(model.TrackDef{ID: 0, Name: "Main"}) }, true)
	step("path", func() { s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1}) }, true)
	step("frame", func() { frame(s, 1, 0, 10, model.Batch{Self: []model.CollectorTime{{Collector: 1, Ns: 5, Count: 1}}}) }, false)
	step("frame with a new collector", func() {
		frame(s, 2, 10, 20, model.Batch{Self: []model.CollectorTime{{Collector: 9, Ns: 5, Count: 1}}})
	}, true)
	step("track end", func() { s.Apply(model.TrackEnd{ID: 0}) }, true)
	step("loss", func() { s.Apply(model.Loss{Reason: model.LossRing, N: 1, Track: 0, Detail: "ring"}) }, false)
	testkit.That(t, !s.Track(0).Alive && s.Track(0).Title() == "Main" && s.Track(0).Losses()[model.LossRing] == 1,
		"track is wrong")
	for want, def := range map[string]model.TrackDef{"Thread 4": {ID: 1, Index: 4}, "GPU 5": {ID: 1, Kind: model.TrackGPU, Index: 5}, "Stream 6": {ID: 1, Kind: model.TrackStream, Index: 6}} {
		s.Apply(def)
		testkit.Equal(t, s.Track(1).Title(), want, "title")
	}
	testkit.That(t, s.Paths().Depth(1) == 0 && s.Paths().Depth(0) == -1 && s.Paths().Depth(77) == -1, "depth of paths")
}

func TestStoreForgetsSessions(t *testing.T) {
	var st Store
	a, b := st.NewSession(), st.NewSession()
	st.Remove(a)
	st.Remove(a)
	got := st.Sessions()
	testkit.That(t, len(got) == 1 && got[0] == b, "%v", got)
}

func TestLossLinesAreTheNewest(t *testing.T) {
	s := NewSession()
	for i := range 100 {
		s.Apply(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 1, Detail: strings.Repeat("x", i)})
	}
	n, lines := s.Losses()
	testkit.That(t, n[model.LossMalformed] == 100 && len(lines) == 64 && len(lines[63]) == 99 && len(lines[0]) == 36,
		"%d lines", len(lines))
}

func TestBoundsLeaveOutOwnClocks(t *testing.T) {
	s := NewSession()
	_, _, ok := s.Bounds()
	testkit.That(t, !ok, "bounds of nothing")
	s.Apply(model.TrackDef{ID: 1, OwnClock: true})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: 900, End: 1000}}})
	lo, hi, ok := s.Bounds()
	testkit.That(t, lo == 900 && hi == 1000 && ok, "bounds %d, %d, %v", lo, hi, ok)
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 5, End: 10}}})
	lo, hi, ok = s.Bounds()
	testkit.That(t, lo == 5 && hi == 10 && ok, "bounds %d, %d, %v", lo, hi, ok)
}

func TestClockStep(t *testing.T) { // PROTOCOL.md section 7: 0.24 ms after an hour
	c := model.Clock{Float32Seconds: true}
	for at, want := range map[int64]float64{3600e9: 1e9 / 4096, 1e9: 1e9 / (1 << 23), -3600e9: 1e9 / 4096, 0: 1} {
		got := float64(c.Step(at))
		testkit.That(t, math.Abs(got-want) <= 0.5, "step at %d: %v, want %v", at, got, want)
	}
	testkit.That(t, (model.Clock{}).Step(5) == 1 && (model.Clock{StepNs: 1000}).Step(5) == 1000, "fixed steps")
}

// A clock that runs backwards: frames stay in order of number, times are found from the newest
// frame that began by then.
func TestClockRunsBackwards(t *testing.T) {
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	for i, begin := range []int64{100, 200, 0, 210, 300} {
		frame(s, int64(i), begin, begin+50, model.Batch{Spans: []model.Span{{Begin: begin, End: begin + 50, Path: 1}}})
	}
	tr := s.Track(0)
	for at, want := range map[int64]int{99: -1, 150: 0, 205: 2, 220: 3, 999: 4} {
		testkit.Equal(t, tr.FrameAt(at), want, "FrameAt(%d) =", at)
	}
	last := int64(math.MinInt64)
	for _, b := range s.Spans().Visible(0, 0, 0, 1000, 0, nil) {
		testkit.That(t, b.Begin >= last, "bars overlap")
		last = b.End
	}
	testkit.That(t, tr.FrameRate(sec) > 0, "no frame rate")
}

// A definition may come after its first use, and a batch may name what nobody defines.
func TestUseBeforeDefinition(t *testing.T) {
	s := NewSession()
	s.Append(&model.Batch{Track: 3, HasFrame: true, Number: 1, Begin: 0, End: 10, Self: []model.CollectorTime{{Collector: 6, Ns: 10, Count: 1}}, Levels: []model.Level{{Collector: 7, Time: 1, Value: 2}}, Spans: []model.Span{{Begin: 0, End: 10, Path: 4}}})
	if s.NumTracks() != 4 || s.Track(3).NumFrames() != 1 || s.Collectors().Len() != 8 || s.Collector(6).Name != "#6" {
		t.Errorf("%d tracks, %d collectors", s.NumTracks(), s.Collectors().Len())
	}
	bands, net := s.Frames().Bands(3, 0, 0, false, nil)
	testkit.That(t, len(bands) == 1 && bands[0].Collector == 6 && net == 10e-9, "%+v, %v", bands, net)
	s.Apply(model.CollectorDef{ID: 6, Name: "late", Parent: 2})
	s.Apply(model.TrackDef{ID: 3, Name: "late"})
	bands, _ = s.Frames().Bands(3, 0, 0, false, nil)
	testkit.That(t, len(bands) == 1 && bands[0].Collector == 2 && s.Collector(2).HasTime == true, "%+v", bands)
	b, ok := s.Spans().At(3, 0, 5, 0)
	testkit.That(t, ok && b.Path == model.PathRoot && b.Collector == model.NoCollector, "%+v, %v", b, ok)
}

// Smoothing by way of sums of blocks gives what reading frame by frame gives, while the view pans,
// follows and rewinds.
func TestSmoothingOfManyFramesPerColumn(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 12, 40, 6)
	g.spansPerFrame = 4
	for range 4000 {
		s.Append(g.frame())
	}
	var kept, plain frames.Strip
	rng := rand.New(rand.NewPCG(1, 1))
	used := 0
	for step := range 30 {
		lo, hi, _ := s.Bounds()
		width := (hi - lo) / int64(1+rng.IntN(4))
		at := lo + rng.Int64N(hi-lo-width+1)
		q := frames.StripQuery{T0: at, T1: at + width, Columns: 40, Mode: frames.StripSmooth, SmoothNs: 1 + rng.Int64N(width), Levels: step%7 == 3}
		s.Frames().Strip(q, &kept)
		if _, sums := kept.Kept(); sums > 0 {
			used++
		}
		if step%10 == 9 {
			tr := s.Track(0)
			f := tr.Frame(tr.NumFrames() - 20)
			s.Append(&model.Batch{HasFrame: true, Rewind: true, Number: f.Number, Begin: f.Begin, End: f.End, Self: []model.CollectorTime{{Collector: 2, Ns: 500, Count: 1}}})
		}
		for range 30 {
			s.Append(g.frame())
		}
		s.Frames().Strip(q, &kept)
		// One column at a time has too few frames in view for the cache of a strip of its own.
		for x := 0; x < q.Columns; x += 7 {
			one := q
			one.T0, one.T1, one.Columns = q.ColumnTime(x), q.ColumnTime(x)+1, 1<<12
			s.Frames().Strip(one, &plain)
			got, want := map[model.CollectorID]float32{}, map[model.CollectorID]float32{}
			for k, c := range kept.Bands {
				got[c] = kept.Values[x*len(kept.Bands)+k]
			}
			for k, c := range plain.Bands {
				want[c] = plain.Values[k]
			}
			for c, v := range want {
				testkit.MustThat(t, math.Abs(float64(got[c]-v)) <= 1e-5*math.Abs(float64(v))+1e-15,
					"step %d, column %d, band %d: %v, want %v", step, x, c, got[c], v)
				delete(got, c)
			}
			for c, v := range got {
				testkit.MustThat(t, math.Abs(float64(v)) <= 1e-15, "step %d, column %d, band %d: %v, want none", step, x, c, v)
			}
			testkit.MustThat(t, kept.Columns[x].State == plain.Columns[0].State,
				"step %d, column %d: %+v, want %+v", step, x, kept.Columns[x], plain.Columns[0])
		}
		_, sums := plain.Kept()
		testkit.MustThat(t, sums <= 0, "the plain strip used the cache")
	}
	testkit.That(t, used >= 20, "the cache was used %d times", used)
}
