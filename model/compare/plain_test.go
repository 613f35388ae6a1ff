package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
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
