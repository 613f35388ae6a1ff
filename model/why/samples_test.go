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
