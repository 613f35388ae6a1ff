package compare

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// A comparison that is made in steps says what one at once does, and no step is much longer than asked.
func TestStepsGiveTheSame(t *testing.T) {
	a, b := halves((&game{rows: 5, phi: 0.4, cv: 0.2, hitch: 30}).session(rand.New(rand.NewPCG(3, 4)), 400))
	want := Of(a, b, Options{})
	c := Begin(a, b, Options{})
	steps := 0
	for !c.Step(100) {
		steps++
		testkit.MustThat(t, c.Result() == nil, "a result before it is ready")
	}
	got := c.Result()
	testkit.MustThat(t, reflect.DeepEqual(got, want) && steps >= 20, "%d steps\n%+v\n%+v", steps, got, want)
	c = Begin(a, b, Options{})
	c.Step(1)
	c.Close()
	testkit.That(t, c.Result() == nil, "a result of what was ended")
}

// What is looked at frame by frame is bounded, whatever the length of the range; means are of all.
func TestWorkIsBounded(t *testing.T) {
	s := (&game{rows: 2, cv: 0.2}).session(rand.New(rand.NewPCG(5, 6)), 3*mostFrames)
	r := Of(FramesOf(s, 0, 0, 99), All(s), Options{})
	th := r.Threads[0]
	testkit.That(t, th.Looked == [2]int64{100, mostFrames} && th.Frames == [2]int64{100, 3 * mostFrames}, "%+v", th)
	whole := Of(All(s), All(s), Options{})
	testkit.That(t, r.Collectors[0].Total.B == whole.Collectors[0].Total.A && r.Frames.Sides[1].Received == 3*mostFrames,
		"the mean of all depends on what is compared with it")
}

// Single frames have differences, but no chance: what is in one alone is new or gone, of the rest is
// said that it was not tested.
func TestTwoFrames(t *testing.T) {
	s := (&game{rows: 3, cv: 0.3}).session(rand.New(rand.NewPCG(7, 8)), 10)
	r := Of(FramesOf(s, 0, 2, 2), FramesOf(s, 0, 7, 7), Options{})
	for i := range r.Collectors {
		f := &r.Collectors[i].Total
		testkit.That(t, f.Verdict == Untested && math.IsNaN(f.P) && f.Delta() == f.B-f.A, "%+v", f)
	}
	testkit.That(t, r.Tests == 0 && r.Frames.Mean.Verdict == Untested, "%d tests", r.Tests)
}

// calls makes a session without frames: a thread calls f for some part of every 10 ms, and another
// thread may be there or not.
func calls(rng *rand.Rand, busy float64, more string) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "profilelib"})
	s.Apply(model.CollectorDef{ID: 0, Name: "root"})
	s.Apply(model.CollectorDef{ID: 1, Name: "f"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.TrackDef{ID: 0, Name: "worker"})
	s.Apply(model.TrackDef{ID: 1, Name: more})
	for id := range model.TrackID(2) {
		if id == 1 && more == "" {
			continue
		}
		for i := range int64(2000) {
			begin := i * 10_000_000
			ns := int64(1e7 * min(busy*(1+0.3*rng.NormFloat64()), 1))
			b := model.Batch{Track: id, Spans: []model.Span{{Begin: begin, End: begin + max(ns, 0), Path: 1}}}
			s.Append(&b)
		}
	}
	return s
}

// Without frames it is a second that is compared, and slices of time that are looked at; a thread that
// one side has not is new or gone.
func TestSessionsWithoutFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	r := Of(All(calls(rng, 0.3, "")), All(calls(rng, 0.36, "loader")), Options{})
	testkit.MustThat(t, r.ByTime && r.Frames == nil && len(r.Threads) == 2 && len(r.Collectors) == 2, "%+v", r)
	f := &r.Collectors[0]
	if x := &f.Total; x.Verdict != Slower || math.Abs(x.A-0.3e9) > 5e6 || math.Abs(x.Delta()-0.06e9) > 2*x.Half ||
		math.Abs(f.Calls[0]-100) > 1 {
		t.Errorf("%+v", f)
	}
	if f = &r.Collectors[1]; f.Total.Verdict != New || f.Total.A != 0 ||
		!math.IsNaN(r.Threads[1].Typical(&f.Total, 0)) || r.Threads[1].Tracks[0] != model.NoTrack {
		t.Errorf("%+v", f)
	}
	if r = Of(All(calls(rng, 0.3, "x")), All(calls(rng, 0.3, "x")), Options{}); r.anything() {
		t.Errorf("in noise: %v", changed(r.Collectors))
	}
}

// What only one side has in its frames is new or gone where that is no chance.
func TestNewAndGone(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	a := (&game{rows: 3, cv: 0.2}).session(rng, 200)
	b := (&game{rows: 4, cv: 0.2}).session(rng, 200)
	for side, want := range [2]Verdict{New, Gone} {
		sides := [2]Side{All(a), All(b)}
		r := Of(sides[side], sides[1-side], Options{})
		x := r.Collectors[len(r.Collectors)-4:]
		testkit.MustThat(t, len(x) == 4, "%v", x)
		found := false
		for i := range r.Collectors {
			if x := &r.Collectors[i]; x.Name() == "App:d" {
				found = x.Self.Verdict == want
			}
		}
		testkit.That(t, found, "no %v: %+v", want, r.Collectors)
	}
}

// besides makes a session of three threads that work 1 ns longer in each frame, of 100 ns: one whose frames
// the others are counted by, one that has their numbers and begins a little earlier, and one that counts
// for itself, whose frames take as long as seven.
func besides() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "pstats"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id, t := range []struct {
		name                string
		begin, each, number int64
	}{{"Main", 1_000, 100, 0}, {"Render", 990, 100, 0}, {"Loader", 1_000, 700, 5_000}} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: t.name})
		for k := range 7_000 / t.each {
			begin := t.begin + k*t.each
			s.Append(&model.Batch{
				Track: model.TrackID(id), HasFrame: true, Number: t.number + k, Begin: begin, End: begin + t.each,
				Spans: []model.Span{{Begin: begin + 1, End: begin + 31 + k, Path: 1}},
			})
		}
	}
	return s
}

// Frames of threads that have the numbers of those that are compared are compared by these, though they
// begin a little earlier. A frame that began before, and belongs to neither, makes nothing new or gone.
func TestFramesBesideAreCompared(t *testing.T) {
	s := besides()
	r := Of(FramesOf(s, 0, 21, 21), FramesOf(s, 0, 45, 45), Options{})
	testkit.MustThat(t, len(r.Threads) == 3 && len(r.Collectors) == 3,
		"%d threads, %d collectors", len(r.Threads), len(r.Collectors))
	for k, x := range []struct {
		frames [2]int64
		a, b   float64
	}{{[2]int64{1, 1}, 51, 75}, {[2]int64{1, 1}, 51, 75}, {[2]int64{1, 0}, 33, 0}} {
		f := r.Collectors[k].Total
		testkit.That(t, r.Threads[k].Frames == x.frames && f.Verdict == Untested && f.A == x.a && f.B == x.b,
			"%s: %+v: %+v", r.Threads[k].Title, r.Threads[k], f)
	}
	at := r.Threads[2]
	testkit.That(t, at.Reaches[1] && !at.Reaches[0], "%+v", at)
}
