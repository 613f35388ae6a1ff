package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/estimate"
	"framescope/model/store"
)

// game makes sessions: a frame of App, in which some collectors run one after the other, each longer
// or shorter than its mean with what it was in the frame before in it.
type game struct {
	rows  int     // collectors
	phi   float64 // how much a frame resembles the one before
	cv    float64 // standard deviation by mean
	hitch int     // one frame in so many takes eight times as long; 0: none
	slow  int     // the collector whose time is multiplied
	times float64
	from  int    // the frame from which on it is
	drift string // that all share: curve, walk, machine or load
}

const gameRowNs = 1_000_000

// fill appends frames to a session.
func (g *game) fill(rng *rand.Rand, s *store.Session, frames int) {
	s.Apply(model.Info{Source: "pstats", Program: "game"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	state := make([]float64, g.rows)
	for i := range g.rows {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 2), Name: string(rune('a' + i)), Parent: 1})
		s.Apply(model.PathDef{ID: model.PathID(i + 2), Parent: 1, Collector: model.CollectorID(i + 2)})
		state[i] = rng.NormFloat64()
	}
	at, walk := int64(0), 0.0
	for f := range frames {
		if g.drift != "" {
			walk = walk*map[bool]float64{true: 0.9, false: 1}[g.drift == "load"] + 0.01*rng.NormFloat64()
		}
		all := map[string]float64{
			"": 1, "walk": math.Exp(walk), "load": math.Exp(5 * walk), "machine": 1 + 0.2*float64(min(f/max(g.from, 1), 1)),
			"curve": 1 + 0.4*math.Sin(math.Pi*float64(f)/float64(frames)-1),
		}[g.drift]
		b := model.Batch{Track: 0, HasFrame: true, Number: int64(f), Begin: at}
		b.Spans = append(b.Spans, model.Span{Begin: at, Path: 1})
		b.Self = append(b.Self, model.CollectorTime{Collector: 1, Count: 1})
		for i := range state {
			state[i] = g.phi*state[i] + math.Sqrt(1-g.phi*g.phi)*rng.NormFloat64()
			ns := gameRowNs * math.Exp(g.cv*state[i]) * all
			if g.hitch > 0 && rng.IntN(g.hitch) == 0 {
				ns *= 8
			}
			if i == g.slow && f >= g.from && g.times != 0 {
				ns *= g.times
			}
			end := at + int64(ns)
			b.Spans = append(b.Spans, model.Span{Begin: at, End: end, Path: model.PathID(i + 2), Lane: 1})
			b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(i + 2), Ns: int64(ns), Count: 1})
			at = end
		}
		b.Spans[0].End, b.End = at, at
		s.Append(&b)
	}
}

func (g *game) session(rng *rand.Rand, frames int) *store.Session {
	s := store.NewSession()
	g.fill(rng, s, frames)
	return s
}

// halves returns the first and the second half of a session.
func halves(s *store.Session) (a, b Side) {
	n := s.Track(0).NumFrames()
	return FramesOf(s, 0, 0, n/2-1), FramesOf(s, 0, n/2, n-1)
}

// changed returns the rows of which a figure changed.
func changed(rows []Row) (out []string) {
	for i := range rows {
		if r := &rows[i]; r.Self.Verdict.Changed() || r.Total.Verdict.Changed() {
			out = append(out, r.Name())
		}
	}
	return out
}

// anything tells whether a comparison says that anything changed.
func (r *Result) anything() bool {
	return len(changed(r.Collectors)) > 0 || len(changed(r.Paths)) > 0 ||
		r.Frames != nil && (r.Frames.Mean.Verdict.Changed() || r.Frames.Hitches.Verdict.Changed())
}

// A session that is compared with itself has no differences at all.
func TestASessionIsLikeItself(t *testing.T) {
	s := (&game{rows: 8, phi: 0.5, cv: 0.2, hitch: 50}).session(rand.New(rand.NewPCG(1, 2)), 600)
	r := Of(All(s), All(s), Options{})
	if r.anything() || len(r.Collectors) != 9 || len(r.Paths) != 9 || r.Tests == 0 {
		t.Fatalf("%d collectors, %d paths, %d tests, changed: %v %v", len(r.Collectors), len(r.Paths), r.Tests,
			changed(r.Collectors), changed(r.Paths))
	}
	testkit.That(t, r.Frames.Mean.Verdict == Identical && r.Frames.Hitches.Verdict == Identical &&
		r.Frames.Mean.Half == 0, "frame times: %+v", r.Frames)
	track := s.Track(0).Def.ID
	if f := Of(FramesOf(s, track, 0, 9), FramesOf(s, track, 10, 19), Options{}).Frames; f.Mean.Verdict != Untested ||
		f.Mean.Needs < leastIndependent || f.Mean.Lack != LacksFrames || f.Hitches.Lack != LacksFrames {
		t.Errorf("ten frames and ten others: %+v", f)
	}
	for _, x := range r.Collectors {
		if x.Total.Delta() != 0 || x.Total.P != 1 || x.Self.Verdict != Identical || x.Self.Half != 0 || x.Calls[0] != 1 || x.Calls[1] != 1 {
			t.Errorf("%s: %+v", x.Name(), x)
		}
	}
}

// What is untested says why, and with as many frames as it says it is tested.
func TestUntestedSaysWhatIsLacking(t *testing.T) {
	g := game{rows: 2, phi: 0.97, cv: 0.2}
	long := g.session(rand.New(rand.NewPCG(4, 2)), 8000)
	a, b := FramesOf(long, 0, 0, 399), FramesOf(long, 0, 400, 799)
	f := &Of(a, b, Options{}).Collectors[1].Self
	testkit.MustThat(t, f.Verdict == Untested && f.Lack == LacksIndependent && f.Needs > 400 && f.Needs <= 4000,
		"of 400 frames: %v, %v, %d", f.Verdict, f.Lack, f.Needs)
	f = &Of(FramesOf(long, 0, 0, 3999), FramesOf(long, 0, 4000, 7999), Options{}).Collectors[1].Self
	testkit.That(t, f.Verdict != Untested && len(f.AppendWhy(nil, "frame")) == 0,
		"of 4000 frames: %s", f.AppendWhy(nil, "frame"))
}

// In noise no more than is stated is found: in one of twenty comparisons at most anything at all,
// however many rows they have, however much a frame resembles the one before.
func TestNothingIsFoundInNoise(t *testing.T) {
	for _, x := range noises {
		found := 0
		for seed := range uint64(x.times) {
			a, b := halves(x.game.session(rand.New(rand.NewPCG(seed, 9)), x.frames))
			r := Of(a, b, Options{})
			if x.game.drift != "" { // whole frames differ
				r.Frames = nil
			}
			if r.anything() {
				found++
			}
		}
		// Three standard deviations of the binomial distribution above the rate.
		n := float64(x.times)
		most := int(n*ErrorRate + 3*math.Sqrt(n*ErrorRate*(1-ErrorRate)))
		t.Logf("%+v: %d", x.game, found)
		testkit.That(t, found <= most, "%+v: %d of %d find something, at most %d may", x.game, found, x.times, most)
	}
}

type noise struct {
	game          game
	frames, times int
}

// Eight times as many hitches are found where typical frames stay as they are, and told of the side that
// has them.
func TestMoreHitchesAreFound(t *testing.T) {
	session := func(seed uint64, hitch int) Side {
		return All((&game{rows: 6, phi: 0.4, cv: 0.15, hitch: hitch}).session(rand.New(rand.NewPCG(seed, 7)), 3000))
	}
	for seed := range uint64(testkit.Rounds(2, 5)) {
		a, b := session(seed, 2500), session(seed+100, 500)
		r, back := Of(a, b, Options{}), Of(b, a, Options{})
		f, g := &r.Frames.Hitches, &back.Frames.Hitches
		if f.Verdict != Slower && f.Verdict != New || g.Verdict != Faster && g.Verdict != Gone || f.P != g.P || f.A*3000 != float64(r.Frames.Sides[0].Hitches) ||
			r.Frames.Sides[1].Hitches < 15 || math.Abs(f.Delta()) < f.Half {
			t.Errorf("seed %d: %d and %d hitches: %+v, the other way %+v", seed, r.Frames.Sides[0].Hitches,
				r.Frames.Sides[1].Hitches, f, g)
		}
		testkit.That(t, !r.Frames.Mean.Verdict.Changed(), "seed %d: frames are %v", seed, r.Frames.Mean.Verdict)
	}
}

// One collector that takes 5 % longer in the second half of 2,000 frames is found, with what it lies in
// and nothing else, whatever hitches are about.
func TestASlowdownOfFivePercentIsFound(t *testing.T) {
	others := 0
	for seed := range uint64(10) {
		g := game{rows: 10, phi: 0.3, cv: 0.15, hitch: 100, slow: 3, times: 1.05, from: 1000}
		g.drift = []string{"", "curve", "walk", "machine", "load"}[seed/2]
		a, b := halves(g.session(rand.New(rand.NewPCG(seed, 5)), 2000))
		r := Of(a, b, Options{})
		found, shared := false, &r.Threads[0].Shared
		factor := map[string]float64{"machine": 1.2}[g.drift]
		testkit.That(t, shared.Taken == (g.drift != "") && (factor == 0 || math.Abs(shared.Factor-factor) < 0.02),
			"seed %d, %s: %.3f is taken out: %v", seed, g.drift, shared.Factor, shared.Taken)
		for i := range r.Collectors {
			x := &r.Collectors[i]
			switch x.Name() {
			case "App:d", "d":
				found = x.Self.Verdict == Slower
				d := x.Self.Delta() / x.Self.Typical[0]
				testkit.That(t, math.Abs(d-0.05) <= 1.5*x.Self.Half/x.Self.Typical[0], "seed %d: %.1f %% longer", seed, 100*d)
			default:
				if x.Self.Verdict.Changed() {
					others++
				}
			}
		}
		testkit.That(t, found, "seed %d: not found in %+v", seed, r.Collectors)
	}
	testkit.That(t, others <= 1, "%d rows beside it changed", others)
}

// Of two single frames the collector that explains the difference is named, and every difference is exact.
func TestTwoSingleFrames(t *testing.T) {
	s := (&game{rows: 5, cv: 0.02, slow: 3, from: 20, times: 9}).session(rand.New(rand.NewPCG(3, 4)), 40)
	r := Of(FramesOf(s, 0, 19, 19), FramesOf(s, 0, 20, 20), Options{})
	testkit.MustThat(t, r.Single() && r.Tests == 0 && r.Explains >= 0, "%+v", r)
	x := &r.Collectors[r.Explains]
	a, b := s.Track(0).Frame(19), s.Track(0).Frame(20)
	whole := float64(b.End - b.Begin - a.End + a.Begin)
	testkit.That(t, x.Name() == "App:d" && x.Self.Delta() > 0.9*whole, "%s explains %v of %v", x.Name(), x.Self.Delta(), whole)
	sum := 0.0
	for i := range r.Collectors {
		f := &r.Collectors[i].Self
		testkit.That(t, f.Exact() && f.Differs() == (f.Delta() != 0), "%s: %+v", r.Collectors[i].Name(), f)
		sum += f.Delta()
	}
	testkit.Equal(t, sum, whole, "ns of difference in all collectors")
	r = Of(FramesOf(s, 0, 3, 3), FramesOf(s, 0, 4, 4), Options{})
	testkit.That(t, r.Single() && r.Explains < 0, "the noise of five collectors is explained by one: %+v", r)
	testkit.That(t, !Of(FramesOf(s, 0, 3, 4), FramesOf(s, 0, 4, 4), Options{}).Single(), "two frames are one")
}

// TestLikeGonum compares with gonum to the last digit.
func TestLikeGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 3, 40).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), len(x), len(x)).Draw(t, "y")
		mean, variance := estimate.Variance(x)
		alpha, beta := estimate.Line(x, y)
		wantMean, wantVariance := stat.PopMeanVariance(x, nil)
		wantAlpha, wantBeta := stat.LinearRegression(x, y, nil, false)
		got := []float64{estimate.Mean(y), mean, variance, estimate.SampleVariance(x), alpha, beta}
		want := []float64{stat.Mean(y, nil), wantMean, wantVariance, stat.Variance(x, nil), wantAlpha, wantBeta}
		testkit.Same(t, got, want, "of samples")
		at := rapid.Float64Range(-50, 0).Draw(t, "at")
		p := rapid.Float64Range(0.51, 0.999).Draw(t, "p")
		free := rapid.Float64Range(1, 1e6).Draw(t, "free")
		student := distuv.StudentsT{Sigma: 1, Nu: free}
		got = []float64{estimate.StudentBelow(at, free), estimate.StudentQuantile(p, free), estimate.FisherQuantile(p, 2, free)}
		want = []float64{student.CDF(at), student.Quantile(p), distuv.F{D1: 2, D2: free}.Quantile(p)}
		testkit.Same(t, got, want, "of distributions")
	})
}
