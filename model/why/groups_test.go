package why_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// hitchesAt returns hitches that begin at times, in ms, and take so many ms over the typical.
func hitchesAt(beginMs, excessMs []int64) why.Group {
	g := why.Group{}
	for i, ms := range beginMs {
		g.Hitches = append(g.Hitches, why.Hitch{
			Number: ms, BeginNs: ms * 1e6, ExcessNs: excessMs[i] * 1e6, DurationNs: (excessMs[i] + 10) * 1e6,
		})
	}
	why.Finish(&g)
	return g
}

// What comes in turn is told as such, and neither a burst of slow frames nor two times that happen to be
// alike.
func TestOnlyWhatComesInTurnIsRegular(t *testing.T) {
	same := []int64{20, 20, 20, 20, 20, 20}
	for _, c := range []struct {
		begin   []int64
		regular bool
	}{
		{[]int64{0, 1000, 2010, 2990, 4000}, true},
		{[]int64{0, 1000, 2000}, false},
		{[]int64{0, 30, 60, 90, 120, 150}, false},
		{[]int64{0, 100, 1000, 1700, 9000, 9100}, false},
		{[]int64{0, 100, 200, 2000}, false},
	} {
		g := hitchesAt(c.begin, same)
		testkit.That(t, g.Regular == c.regular, "%v: regular %v, every %d ns", c.begin, g.Regular, g.PeriodNs)
	}
}

// Hitches that get worse are told, and of those that do not at most one in twenty is said to.
func TestTrendIsNotChance(t *testing.T) {
	begin := make([]int64, 40)
	for i := range begin {
		begin[i] = int64(i) * 1000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 7, 12, 40} {
		const trials = 2000
		said := 0
		for range trials {
			excess := make([]int64, n)
			for i := range excess {
				excess[i] = 5 + random.Int64N(50)
			}
			if hitchesAt(begin[:n], excess).Trend != 0 {
				said++
			}
		}
		testkit.That(t, said <= trials*6/100,
			"of %d hitches that are alike a trend was said %d of %d times", n, said, trials)
	}
	excess := []int64{10, 11, 10, 12, 20, 24, 22, 23}
	g := hitchesAt(begin[:8], excess)
	testkit.That(t, g.Trend >= 1 && g.Trend <= 1.4, "%v: %v", excess, g.Trend)
	g = hitchesAt(begin[:4], []int64{10, 11, 50, 60})
	testkit.That(t, g.Trend == 0, "two against two tell nothing: %v", g.Trend)
}

// The parts of a frame are what a plain look at the frames around gives.
func TestParts(t *testing.T) {
	s := play([]call{{cPhysics, 2000}, {cAI, 900}, {cGC, 9000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}, nil)
	e := why.NewEngine(s)
	for _, at := range []int{0, 3, 100, 149, 150, 299} {
		parts, around := e.Parts(tMain, at, nil)
		refs := neighbours(s, at)
		testkit.MustEqual(t, around, len(refs), "frame %d: compared with … frames", at)
		is, seen := selfOf(s, at), map[model.CollectorID]bool{}
		last := int64(1 << 60)
		for _, p := range parts {
			var of []int64
			n := 0
			for _, r := range refs {
				self := selfOf(s, r)
				if of = append(of, self[p.Collector]); self[p.Collector] > 0 {
					n++
				}
			}
			slices.Sort(of)
			want := of[(len(of)-1)/2]
			testkit.That(t, p.SelfNs == is[p.Collector] && p.TypicalNs == want && p.Seen == n,
				"frame %d: %+v, want %d, typical %d, in %d", at, p, is[p.Collector], want, n)
			testkit.Equal(t, p.Waits, p.Collector == cSync, "%+v waits", p)
			far := max(p.ExcessNs(), -p.ExcessNs())
			testkit.That(t, far <= last, "frame %d: %+v comes too late", at, p)
			last, seen[p.Collector] = far, true
		}
		for c, ns := range is {
			testkit.That(t, ns <= 0 || seen[c], "frame %d: %d is no part", at, c)
		}
		if at == 149 && (parts[0].Collector != cGC || parts[0].Seen != 0 || parts[0].Calls != 1 || parts[0].TypicalCalls != 0) {
			t.Errorf("first is %+v", parts[0])
		}
	}
	list, n := e.Parts(tMain, 300, nil)
	testkit.That(t, n == 0 && len(list) == 0, "of no frame: %v", list)
}

// neighbours are the frames that one is compared with.
func neighbours(s *store.Session, at int) (out []int) {
	typical := func(i int) bool { return !s.Frames().Hitch(tMain, i) }
	for i := at - 1; i >= 0 && len(out) < 64; i-- {
		if typical(i) {
			out = append(out, i)
		}
	}
	before := len(out)
	for i := at + 1; i < s.Track(tMain).NumFrames() && len(out)-before < 64; i++ {
		if typical(i) {
			out = append(out, i)
		}
	}
	return out
}

// selfOf is what each collector took in a frame; NoCollector the time that none covers.
func selfOf(s *store.Session, at int) map[model.CollectorID]int64 {
	f := s.Track(tMain).Frame(at)
	out := map[model.CollectorID]int64{}
	rest := f.End - f.Begin
	for _, a := range s.Frames().Self(tMain, at, nil) {
		c := a.Collector
		if rest -= a.Ns; c == 0 {
			c = model.NoCollector
		}
		out[c] += a.Ns
	}
	out[model.NoCollector] += max(rest, 0)
	return out
}

// sampled returns a session of two threads whose stacks were sampled every 20 ms for 60 s: each is in
// Physics, AI or Animation, all below App, for some samples in a row; in [20 s, 25 s) rule is asked
// what it is in instead.
func sampled(seed uint64, rule func(r *rand.Rand, was model.CollectorID) model.CollectorID) *store.Session {
	return sampledWith(15, seed, rule)
}

// sampledWith is sampled with the call path of an id first.
func sampledWith(first model.PathID, seed uint64, rule func(r *rand.Rand, was model.CollectorID) model.CollectorID) *store.Session {
	s := newGame().s
	s.Apply(model.PathDef{ID: first, Collector: cApp})
	path := map[model.CollectorID]model.PathID{}
	for k, c := range []model.CollectorID{cPhysics, cAI, cAnim, cSolve} {
		path[c] = first + 1 + model.PathID(k)
		s.Apply(model.PathDef{ID: path[c], Parent: first, Collector: c})
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for track := range model.TrackID(2) {
		id := model.SeriesID(track)
		s.Apply(model.SeriesDef{
			ID: id, Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject,
		})
		b := model.Batch{Track: model.NoTrack}
		in := model.CollectorID(cPhysics)
		for i := range int64(3000) {
			if r.IntN(4) == 0 {
				in = [...]model.CollectorID{cPhysics, cPhysics, cAI, cAnim}[r.IntN(4)]
			}
			c := in
			if track == 0 && i >= 1000 && i < 1250 && rule != nil {
				c = rule(r, in)
			}
			b.Samples = append(b.Samples, model.Sample{Series: id, Time: i * 20e6, Value: float64(path[c])})
		}
		s.Append(&b)
	}
	return s
}

var (
	there  = why.Stretch{BeginNs: 20e9, EndNs: 25e9}
	always = why.Stretch{BeginNs: model.MinTime, EndNs: model.MaxTime}
)

func TestSamplesBeyondChance(t *testing.T) {
	for name, c := range map[string]struct {
		rule func(r *rand.Rand, was model.CollectorID) model.CollectorID
		want model.CollectorID
	}{
		"more of what is always there": {func(r *rand.Rand, was model.CollectorID) model.CollectorID {
			if was == cPhysics && r.IntN(10) < 7 {
				return cAnim
			}
			return was
		}, cAnim},
		"a new one": {func(r *rand.Rand, was model.CollectorID) model.CollectorID {
			if r.IntN(10) < 1 {
				return cSolve
			}
			return was
		}, cSolve},
	} {
		found := why.Samples(sampled(1, c.rule), []model.TrackID{0, 1}, there, always)
		if len(found.List) != 1 || found.List[0].Collector != c.want || found.List[0].Track != 0 || !found.List[0].Self {
			t.Errorf("%s: %+v", name, found.List)
			continue
		}
		x := &found.List[0]
		a, b := x.Share()
		testkit.That(t, x.OfThere == 250 && x.OfElsewhere == 2750 && a > b && x.P < 0.05 && x.Error > 0 && x.Error <= 0.1,
			"%s: %+v", name, x)
	}
}

// In sessions in which nothing changes no more than one in twenty says that something did.
func TestNoSamplesBeyondChance(t *testing.T) {
	sessions := testkit.Rounds(100, 200)
	wrong := 0
	for seed := range uint64(sessions) {
		found := why.Samples(sampled(seed, nil), []model.TrackID{0, 1}, there, always)
		testkit.MustThat(t, found.Tests == 6 && found.Threads == 2 && found.OfThere == 500 && found.OfElsewhere == 5500,
			"%+v", found)
		if len(found.List) > 0 {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, sessions)
	testkit.That(t, wrong <= sessions/20, "%d of %d", wrong, sessions)
	found := why.Samples(sampled(1, nil), []model.TrackID{0}, why.Stretch{BeginNs: 90e9, EndNs: 95e9}, always)
	testkit.That(t, found.Threads == 0, "where nothing was sampled: %+v", found)
}

// Against a stretch of another session a range is told as against the same one of its own; methods are
// those of the same names, whatever their call paths are called there.
func TestSamplesOverAnotherSession(t *testing.T) {
	rule := func(r *rand.Rand, was model.CollectorID) model.CollectorID {
		if was == cPhysics && r.IntN(10) < 7 {
			return cAnim
		}
		return was
	}
	tracks, elsewhere := []model.TrackID{0, 1}, why.Stretch{BeginNs: 30e9, EndNs: 50e9}
	s, other := sampled(3, rule), sampledWith(40, 3, rule)
	want := why.Samples(s, tracks, there, elsewhere)
	for name, before := range map[string]*store.Session{"itself": s, "another": other} {
		got := why.SamplesOver(s, tracks, there, before, elsewhere)
		for i := range got.List {
			testkit.That(t, got.List[i].Baseline, "%s: %+v is not told to be over a baseline", name, got.List[i])
			got.List[i].Baseline = false
		}
		if len(want.List) == 0 || !slices.Equal(got.List, want.List) || got.Tests != want.Tests || got.OfElsewhere != want.OfElsewhere {
			t.Errorf("%s: %+v, within the session %+v", name, got, want)
		}
	}
}
