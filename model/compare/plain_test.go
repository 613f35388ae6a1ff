package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/estimate"
	"framescope/model/store"
)

// made is a session and what was put into it.
type made struct {
	s      *store.Session
	frames []madeFrame
}

type madeFrame struct {
	ns          int64
	total, self map[string]int64 // by call path, names joined by ">"
	calls       map[string]int64
}

// drawSession makes a session of random call trees. Ids are given in another order than in other
// sessions, so that names alone tell what is the same.
func drawSession(t *rapid.T, label string) *made {
	m := &made{s: store.NewSession()}
	m.s.Apply(model.Info{Source: "pstats", Program: label})
	m.s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	m.s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	order := rapid.Permutation([]string{"a", "b", "c", "d"}).Draw(t, "names of "+label)
	id := map[string]model.CollectorID{}
	for i, name := range order {
		id[name] = model.CollectorID(i + 1)
		m.s.Apply(model.CollectorDef{ID: id[name], Name: name})
	}
	paths := map[string]model.PathID{"": 0}
	at := int64(rapid.IntRange(0, 1000).Draw(t, "begin"))
	for number := range rapid.IntRange(1, 40).Draw(t, "frames of "+label) {
		f := madeFrame{total: map[string]int64{}, self: map[string]int64{}, calls: map[string]int64{}}
		b := model.Batch{Track: 0, HasFrame: true, Number: int64(number), Begin: at}
		var run func(path string, lane int) int64
		run = func(path string, lane int) (ns int64) {
			begin := at
			k := len(b.Spans)
			b.Spans = append(b.Spans, model.Span{Begin: begin, Path: paths[path], Lane: uint16(lane)})
			more := lane < 3 && rapid.IntRange(0, 2).Draw(t, "callees") > 0
			for ; more; more = rapid.Bool().Draw(t, "more") {
				name := rapid.SampledFrom(order).Draw(t, "callee")
				child := strings.TrimPrefix(path+">"+name, ">")
				if _, ok := paths[child]; !ok {
					paths[child] = model.PathID(len(paths))
					m.s.Apply(model.PathDef{ID: paths[child], Parent: paths[path], Collector: id[name]})
				}
				ns += run(child, lane+1)
			}
			own := int64(rapid.IntRange(1, 500).Draw(t, "own"))
			at += own
			b.Spans[k].End = at
			f.total[path] += at - begin
			f.self[path] += own
			f.calls[path]++
			return ns + own
		}
		top := rapid.SampledFrom(order).Draw(t, "outermost")
		if _, ok := paths[top]; !ok {
			paths[top] = model.PathID(len(paths))
			m.s.Apply(model.PathDef{ID: paths[top], Collector: id[top]})
		}
		f.ns = run(top, 0)
		b.End = at
		m.s.Append(&b)
		m.frames = append(m.frames, f)
	}
	return m
}

// mean is that of one of the maps of frames.
func mean(frames []madeFrame, of func(f *madeFrame) int64) float64 {
	sum := int64(0)
	for i := range frames {
		sum += of(&frames[i])
	}
	return float64(sum) / float64(len(frames))
}

// What a comparison says of random sessions is what plain sums over their frames say, of a range
// of each, call path by call path and collector by collector.
func TestMeansAgreeWithPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var of [2]*made
		var sides [2]Side
		var frames [2][]madeFrame
		for i := range of {
			of[i] = drawSession(t, fmt.Sprint(i))
			first := rapid.IntRange(0, len(of[i].frames)-1).Draw(t, "first")
			last := rapid.IntRange(first, len(of[i].frames)-1).Draw(t, "last")
			sides[i], frames[i] = FramesOf(of[i].s, 0, first, last), of[i].frames[first:last+1]
		}
		r := Of(sides[0], sides[1], Options{BudgetNs: 700})
		seen := map[string]bool{}
		for i := range r.Paths {
			x := &r.Paths[i]
			path := strings.Join(x.Names, ">")
			seen[path] = true
			if x.Parent >= i || x.Parent >= 0 && strings.Join(r.Paths[x.Parent].Names, ">")+">"+x.Name() != path {
				t.Fatalf("%s is called from row %d", path, x.Parent)
			}
			for side, got := range [2][3]float64{{x.Total.A, x.Self.A, x.Calls[0]}, {x.Total.B, x.Self.B, x.Calls[1]}} {
				for k, of := range []func(f *madeFrame) int64{
					func(f *madeFrame) int64 { return f.total[path] },
					func(f *madeFrame) int64 { return f.self[path] },
					func(f *madeFrame) int64 { return f.calls[path] },
				} {
					testkit.MustEqual(t, got[k], mean(frames[side], of), "%s, side %d, figure %d", path, side, k)
				}
			}
		}
		for side := range frames {
			for i := range frames[side] {
				for path := range frames[side][i].total {
					testkit.MustThat(t, seen[path], "%s is missing", path)
				}
			}
		}
		for i := range r.Collectors {
			x := &r.Collectors[i]
			for side, got := range [2][2]float64{{x.Total.A, x.Self.A}, {x.Total.B, x.Self.B}} {
				total := mean(frames[side], func(f *madeFrame) (sum int64) {
					for path, ns := range f.total { // outermost ones
						if names := strings.Split(path, ">"); slices.Index(names, x.Name()) == len(names)-1 {
							sum += ns
						}
					}
					return sum
				})
				self := mean(frames[side], func(f *madeFrame) (sum int64) {
					for path, ns := range f.self {
						if strings.HasSuffix(">"+path, ">"+x.Name()) {
							sum += ns
						}
					}
					return sum
				})
				testkit.MustThat(t, got[0] == total && got[1] == self,
					"%s, side %d: total %v self %v, want %v %v", x.Name(), side, got[0], got[1], total, self)
			}
		}
		checkFrameTimes(t, r.Frames, frames)
	})
}

func checkFrameTimes(t *rapid.T, f *FrameTimes, frames [2][]madeFrame) {
	h := f.Histogram(20)
	for side := range frames {
		x := &f.Sides[side]
		var ns []int64
		over := int64(0)
		for _, f := range frames[side] {
			if ns = append(ns, f.ns); f.ns > 700 {
				over++
			}
		}
		slices.Sort(ns)
		n := len(ns)
		rank := func(p float64) float64 { return float64(ns[max(int(math.Ceil(p*float64(n)-1e-9)), 1)-1]) }
		median := rank(0.5)
		if n%2 == 0 {
			median = (median + float64(ns[n/2])) / 2
		}
		if x.Median != median || x.P95 != rank(0.95) || x.P99 != rank(0.99) || x.Longest != float64(ns[n-1]) ||
			x.Over != over || x.Received != int64(n) || x.Missing != 0 {
			t.Fatalf("side %d: %+v of %v", side, x, ns)
		}
		sum := h.Above[side]
		for k, c := range h.Counts[side] {
			from := h.FromNs + int64(k)*h.StepNs
			want := int64(0)
			for _, v := range ns {
				if v >= from && v < from+h.StepNs {
					want++
				}
			}
			testkit.MustEqual(t, c, want, "side %d, bin %d: %d, want %d of %v in %+v", side, k, c, want, ns, h)
			sum += c
		}
		testkit.MustThat(t, sum == int64(n) && len(h.Counts[side]) <= 20,
			"side %d: %d of %d in %d bins", side, sum, n, len(h.Counts[side]))
	}
}

// Ranks are the middle of the places that equal values share.
func TestRanksAgreeWithCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Map(rapid.IntRange(-2, 9), func(v int) float64 { return float64(max(v, -1)) })
		a := rapid.SliceOfN(value, 1, 30).Draw(t, "a")
		b := rapid.SliceOfN(value, 1, 30).Draw(t, "b")
		var w ranker
		w.rank(a, b)
		all := append(slices.Clone(a), b...)
		for i, v := range all {
			less, equal := 0, 0
			for _, o := range all {
				if o < v {
					less++
				} else if o == v {
					equal++
				}
			}
			testkit.MustEqual(t, w.ranks[i], float64(less)+float64(equal+1)/2, "rank of %v is … in %v", v, all)
		}
	})
}

// Corrected probabilities are those of Holm's steps, taken one after the other.
func TestHolmAgreesWithItsSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 12).Draw(t, "p")
		got := slices.Clone(p)
		holm(got)
		for i := range p {
			// The least level at which it is rejected: so are all that are less, each at its step.
			want := 0.0
			for k, q := range p {
				if q < p[i] || q == p[i] && k <= i {
					left := 0
					for l, o := range p {
						if o > q || o == q && l >= k {
							left++
						}
					}
					want = max(want, min(q*float64(left), 1))
				}
			}
			testkit.MustThat(t, got[i] == want, "%v of %v: %v, want %v", p[i], p, got[i], want)
		}
	})
}

// fisher is the share of all ways to lie in two stretches that have as many in the first or more.
func TestFisherAgreesWithCounting(t *testing.T) {
	for ofA := 1; ofA <= 5; ofA++ {
		for ofB := 1; ofB <= 5; ofB++ {
			for has := 0; has <= ofA+ofB; has++ {
				var ways [8]int // by how many are in the first
				all := 0
				for set := range 1 << (ofA + ofB) {
					in, inAll := 0, 0
					for i := range ofA + ofB {
						if set>>i&1 != 0 {
							inAll++
							if i < ofA {
								in++
							}
						}
					}
					if inAll == has {
						ways[in]++
						all++
					}
				}
				more := 0
				for hasA := min(has, ofA); hasA >= max(has-ofB, 0); hasA-- {
					more += ways[hasA]
					want := float64(more) / float64(all)
					if got := fisher(hasA, ofA, has-hasA, ofB); math.Abs(got-want) > 1e-9 {
						t.Fatalf("%d of %d, %d of %d: %v, want %v", hasA, ofA, has-hasA, ofB, got, want)
					}
				}
			}
		}
	}
}

// Where samples resemble those before them no more than one stretch in twenty stands out by chance.
func TestSurplusInNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const sessions = 400
	wrong := 0
	for range sessions {
		x, was := make([]float64, 2000), 0.0
		for i := range x {
			if r.IntN(8) == 0 {
				was = float64(r.IntN(4) / 3)
			}
			x[i] = was
		}
		from := r.IntN(1700)
		elsewhere := append(append([]float64{}, x[:from]...), x[from+300:]...)
		if Surplus(x[from:from+300], elsewhere) < ErrorRate {
			wrong++
		}
	}
	testkit.That(t, wrong <= sessions/20, "%d of %d", wrong, sessions)
}

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
	s.Collector(x.Collectors[0]).Waits = true
	w := Of(FramesOf(s, 0, 19, 19), FramesOf(s, 0, 20, 20), Options{})
	testkit.That(t, w.Waited && w.Explains >= 0 && w.Collectors[w.Explains].Name() == "App:d", "where it waits: %+v", w)
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
