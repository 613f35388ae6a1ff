package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// plainUsual is what is usual of values, put in order: the 5th percentile by nearest rank, the median, the
// 95th.
func plainUsual(values []float64) (low, median, high float64) {
	slices.Sort(values)
	n := len(values)
	rank := func(percent int) float64 { return values[max((n*percent+99)/100, 1)-1] }
	return rank(5), (values[(n-1)/2] + values[n/2]) / 2, rank(95)
}

// ready returns the baseline of a side.
func ready(side Side) *Baseline {
	b := BeginBaseline(side)
	for !b.Step(100) {
	}
	return b
}

// What a baseline says of a thread's collectors and call paths is what is usual of all of its frames and
// calls, one by one; for a session of another run, too, whose ids are others.
func TestBaselineIsWhatIsUsual(t *testing.T) {
	g := &game{rows: 5, phi: 0.4, cv: 0.2, hitch: 40}
	s := g.session(rand.New(rand.NewPCG(3, 4)), 400)
	side := FramesOf(s, 0, 100, 349)
	of := ready(side).On(s)
	tr, checked := s.Track(0), 0
	values, calls := map[model.CollectorID][]float64{}, map[model.CollectorID][]float64{}
	var tree spans.Tree
	for i := 100; i <= 349; i++ {
		s.FrameTree([]model.TrackID{0}, 0, i, i, &tree)
		for _, x := range tree.Inside(nil) {
			for len(values[x.Collector]) < i-100 {
				values[x.Collector] = append(values[x.Collector], 0)
			}
			values[x.Collector] = append(values[x.Collector], float64(x.Total))
		}
		for lane := range tr.Lanes() {
			for _, b := range s.Spans().Visible(0, lane, tr.Frame(i).Begin, tr.Frame(i).End-1, 0, nil) {
				if b.Begin >= tr.Frame(i).Begin {
					calls[b.Collector] = append(calls[b.Collector], float64(b.End-b.Begin))
				}
			}
		}
	}
	for c, list := range values {
		for len(list) < 250 {
			list = append(list, 0)
		}
		e, known := of.Collector(0, c)
		testkit.MustThat(t, known && e != nil, "nothing is known of collector %d", c)
		low, median, high := plainUsual(list)
		testkit.Equal(t, e.Total, Usual{250, low, median, high},
			"collector %d: %+v, want %v, %v, %v", c, e.Total, low, median, high)
		low, median, high = plainUsual(calls[c])
		testkit.That(t, e.Call == (Usual{len(calls[c]), low, median, high}),
			"calls of %d: %+v, want %d: %v, %v, %v", c, e.Call, len(calls[c]), low, median, high)
		checked++
	}
	testkit.MustThat(t, checked >= 5, "%d collectors", checked)
	r := Of(side, All(s), Options{})
	for i := range r.Paths {
		x := &r.Paths[i]
		e, _ := of.Path(0, x.Paths[0])
		testkit.That(t, e != nil && e.Total == x.Total.Usual && e.Call == x.Call,
			"%v: %+v, a comparison says %+v", x.Names, e, x.Total.Usual)
	}
	d, at := (&Usual{10, 2, 3, 5}).Off(6)
	testkit.That(t, d == 3 && at == 1, "%v %v", d, at)
	d, at = (&Usual{10, 2, 3, 5}).Off(5)
	testkit.That(t, d == 2 && at == 0, "%v %v", d, at)
}

// What was not in the baseline is told from what nothing is known of, and being asked again takes no
// memory.
func TestBaselineOnAnotherSession(t *testing.T) {
	s := (&game{rows: 2, cv: 0.2}).session(rand.New(rand.NewPCG(3, 4)), 50)
	more := (&game{rows: 4, cv: 0.2}).session(rand.New(rand.NewPCG(5, 6)), 50)
	of := ready(All(s)).On(more)
	there, fresh := 0, 0
	for i := range model.PathID(more.Paths().Len()) {
		switch e, known := of.Path(0, i); {
		case i == model.PathRoot:
		case !known:
			t.Errorf("path %d: the thread is not known", i)
		case e == nil:
			fresh++
		default:
			there++
		}
	}
	testkit.That(t, there >= 2 && fresh >= 2, "%d call paths were there, %d are new", there, fresh)
	_, known := of.Path(9, 1)
	testkit.That(t, !known && !of.Knows(9) && !of.Knows(model.NoTrack), "a thread that is not there is known")
	if n := testing.AllocsPerRun(10, func() {
		for i := range model.PathID(more.Paths().Len()) {
			of.Path(0, i)
		}
		of.Collector(0, 1)
	}); n > 0 {
		t.Errorf("asking again takes %v allocations", n)
	}
	nothing := ready(All(store.NewSession())).On(more)
	testkit.That(t, !nothing.Knows(0), "an empty session has threads")
}

// A figure is doubtful only where it changed and its interval includes no change.
func TestWithinHalf(t *testing.T) {
	for _, c := range []struct {
		verdict Verdict
		half    float64
		want    bool
	}{{Slower, 3, true}, {Faster, 2, true}, {Slower, 1, false}, {Untested, 3, false}} {
		f := Figure{Verdict: c.verdict, Typical: [2]float64{10, 12}, Half: c.half}
		testkit.Equal(t, f.WithinHalf(), c.want, "%v, half %v", c.verdict, c.half)
	}
}
