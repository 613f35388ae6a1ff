package compare

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
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
	r = Of(All(calls(rng, 0.3, "x")), All(calls(rng, 0.3, "x")), Options{})
	testkit.That(t, !r.anything(), "in noise: %v", changed(r.Collectors))
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
	r = Of(FramesOf(s, 2, 3, 3), FramesOf(s, 2, 4, 4), Options{}) // of seven that run with it, one
	main := &r.Collectors[slices.IndexFunc(r.Collectors, func(x Row) bool { return r.Threads[x.Thread].Title == "Main" })]
	testkit.That(t, r.Threads[main.Thread].Frames == [2]int64{1, 1} && main.Total.Typical == [2]float64{51, 58} &&
		!main.Total.AsLong, "one frame of Main with one of Loader: %+v", main.Total)
	testkit.That(t, r.AsLong(100, 101) && !r.AsLong(100, 102) && r.AsLong(1e6, 1e6+900), "what counts")
}

// profile makes a session of stacks without times: main calls parts, which take so much each.
func profile(thread string, unit string, takes map[string]float64) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "pprof", Sampling: model.Sampling{Timeless: true}})
	s.Apply(model.TrackDef{ID: 0, Name: thread})
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	s.Apply(model.CollectorDef{ID: 1, Name: "main"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	def := model.SeriesDef{ID: 0, Kind: model.SeriesEvent, Role: model.RoleStack, Object: model.NoObject, Peer: model.NoObject}
	s.Apply(def)
	def.ID, def.Role, def.Name, def.Unit = 1, model.RoleWeight, "size", unit
	s.Apply(def)
	var b model.Batch
	id := 2
	for _, name := range []string{"a", "b", "c", "d"} {
		n, ok := takes[name]
		if !ok {
			continue
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id), Parent: 1, Collector: model.CollectorID(id)})
		b.Samples = append(b.Samples, model.Sample{Series: 0, Value: float64(id)}, model.Sample{Series: 1, Value: n})
		id++
	}
	s.Append(&b)
	return s
}

// Recordings without times are compared by sums, by name, and nothing of them is tested.
func TestSumsAreCompared(t *testing.T) {
	a := profile("all stacks", "B", map[string]float64{"a": 100, "b": 50, "c": 7})
	b := profile("all stacks", "B", map[string]float64{"a": 160, "c": 7, "d": 3})
	r := Of(All(a), All(b), Options{})
	if r.Sums == nil || r.Sums.Unit != "B" || r.Sums.Measures != [2]spans.Measure{spans.MeasureWeight, spans.MeasureWeight} || r.Frames != nil {
		t.Fatalf("%+v, %+v", r.Sums, r.Frames)
	}
	testkit.That(t, r.Totals == [2]float64{157, 170} && r.Tests == 0, "totals %v, %d tests", r.Totals, r.Tests)
	want := map[string][4]float64{"main": {157, 170, 0, 0}, "a": {100, 160, 100, 160}, "b": {50, 0, 50, 0}, "c": {7, 7, 7, 7}, "d": {0, 3, 0, 3}}
	verdicts := map[string]Verdict{"main": Untested, "a": Untested, "b": Gone, "c": Identical, "d": New}
	for _, rows := range [][]Row{r.Collectors, r.Paths} {
		testkit.Equal(t, len(rows), len(want), "rows")
		for i := range rows {
			x := &rows[i]
			testkit.Equal(t, [4]float64{x.Total.A, x.Total.B, x.Self.A, x.Self.B}, want[x.Name()], "%s", x.Name())
			testkit.That(t, x.Total.Verdict == verdicts[x.Name()] && x.Total.Delta() == x.Total.B-x.Total.A,
				"%s: %v, difference %v", x.Name(), x.Total.Verdict, x.Total.Delta())
			testkit.That(t, x.Name() != "a" || r.Share(&x.Self, 1) == 160.0/170, "share %v", r.Share(&x.Self, 1))
		}
	}
}

// What has nothing in common is not compared; threads of which none is that of the other side are one.
func TestSumsOfOthers(t *testing.T) {
	takes := map[string]float64{"a": 1}
	a := profile("worker", "B", takes)
	list := Summables(&Side{Session: a}, &Side{Session: profile("worker", "ns", takes)})
	testkit.That(t, len(list) == 0, "%+v in common", list)
	if r := Of(All(a), All(profile("worker", "ns", takes)), Options{}); len(r.Collectors) != 0 || r.Sums == nil {
		t.Errorf("%+v", r)
	}
	r := Of(All(a), All(profile("all stacks", "B", takes)), Options{})
	testkit.That(t, len(r.Threads) == 1 && r.Collectors[0].Total.Verdict == Identical, "%+v", r.Threads)
}

// numbered makes a session of threads whose numbers a run gave: each runs f once.
func numbered(titles ...[2]string) *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "root"})
	s.Apply(model.CollectorDef{ID: 1, Name: "f"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for i, x := range titles {
		id := model.TrackID(i)
		s.Apply(model.TrackDef{ID: id, Name: x[0] + x[1], Kin: x[0], Main: x[0] == "main"})
		at := int64(i) * 1000
		s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: at, End: at + 100, Path: 1}}})
	}
	return s
}

// Threads are found in another run by their names without the numbers that a run gave them; several of a
// name are one. Within a session each is itself where all of them run on both sides.
func TestThreadsWithNumbersOfARun(t *testing.T) {
	a := numbered([2]string{"main", " 1"}, [2]string{"io", " 17"}, [2]string{"worker", " 5"}, [2]string{"worker", " 9"}, [2]string{"old", " 4"})
	b := numbered([2]string{"main", " 8"}, [2]string{"io", " 3"}, [2]string{"worker", " 5"}, [2]string{"worker", " 6"}, [2]string{"worker", " 7"})
	r := Of(All(a), All(b), Options{})
	got := map[string][2]int{}
	for i := range r.Threads {
		x := &r.Threads[i]
		got[x.Title] = [2]int{len(x.All[0]), len(x.All[1])}
	}
	want := map[string][2]int{"main": {1, 1}, "io": {1, 1}, "worker": {2, 3}, "old 4": {1, 0}}
	testkit.Equal(t, len(got), len(want), "%v", got)
	for name, n := range want {
		testkit.Equal(t, got[name], n, "%s", name)
	}
	for i := range r.Collectors {
		if x := &r.Collectors[i]; r.Threads[x.Thread].Title == "worker" {
			// 200 and 300 ns of 4,101 ns
			testkit.That(t, x.Total.A != 0 && x.Total.B/x.Total.A >= 1.49 && x.Total.B/x.Total.A <= 1.51,
				"worker: %v and %v", x.Total.A, x.Total.B)
		}
	}
	for _, x := range Of(All(a), All(a), Options{}).Threads {
		testkit.That(t, len(x.All[0]) == 1 && len(x.All[1]) == 1 && x.All[0][0] == x.All[1][0], "%s: %v", x.Title, x.All)
	}
	base := BeginBaseline(All(a))
	for !base.Step(1 << 20) {
	}
	on := base.On(b)
	for id, known := range map[model.TrackID]bool{0: true, 1: true, 2: true, 3: false, 4: false} {
		testkit.That(t, on.Knows(id) == known, "the baseline knows %s: %v", b.Track(id).Title(), !known)
	}
}

// What stands far out is cut of a few: sides with little in common keep what they are.
func TestFarOutIsCutOfFew(t *testing.T) {
	fill := func(n int, v float64, far int, to float64) (out []float64) {
		for i := range n {
			x := v * (1 + float64(i%10)/50)
			if far > 0 && i%far == 0 {
				x = to
			}
			out = append(out, x)
		}
		return out
	}
	mean := func(x []float64) (sum float64) {
		for _, v := range x {
			sum += v / float64(len(x))
		}
		return sum
	}
	var w ranker
	long, short := fill(200, 18, 0, 0), fill(1000, 0.1, 0, 0)
	c := w.test(long, short)
	testkit.That(t, c.typical[0] >= 17 && c.typical[1] <= 0.2, "of 18 and 0.1: %v", c.typical)
	c = w.test(fill(1000, 10, 50, 1000), fill(1000, 10, 0, 0))
	testkit.That(t, c.typical[0] <= 13 && c.typical[1] <= 13, "two of a hundred are 1000: %v", c.typical)
	often := fill(1000, 10, 5, 1000)
	if c := w.test(often, fill(1000, 10, 0, 0)); math.Abs(c.typical[0]-mean(often)) > 1e-6 {
		t.Errorf("a fifth is 1000: %v, want %v", c.typical, mean(often))
	}
}

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

// Of a thread that was not in the baseline nothing is known, and being asked again takes no memory.
func TestBaselineOnAnotherSession(t *testing.T) {
	s := (&game{rows: 2, cv: 0.2}).session(rand.New(rand.NewPCG(3, 4)), 50)
	more := (&game{rows: 4, cv: 0.2}).session(rand.New(rand.NewPCG(5, 6)), 50)
	of := ready(All(s)).On(more)
	_, known := of.Path(9, 1)
	testkit.That(t, !known && !of.Knows(9) && !of.Knows(model.NoTrack), "a thread that is not there is known")
	nothing := ready(All(store.NewSession())).On(more)
	testkit.That(t, !nothing.Knows(0), "an empty session has threads")
	if n := testing.AllocsPerRun(10, func() {
		for i := range model.PathID(more.Paths().Len()) {
			of.Path(0, i)
		}
		of.Collector(0, 1)
	}); n > 0 {
		t.Errorf("asking again takes %v allocations", n)
	}
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
