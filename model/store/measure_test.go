package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// plainSample is a sample of a thread: its stack and its clock.
type plainSample struct {
	at    int64
	path  model.PathID
	clock float64
}

// sampledTrack defines the two series of a track and appends samples to them.
func sampledTrack(s *Session, track model.TrackID) (stack, clock model.SeriesID) {
	n := model.SeriesID(s.Series().Len())
	s.Apply(model.TrackDef{ID: track, Name: "thread"})
	s.Apply(model.SeriesDef{ID: n, Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.SeriesDef{ID: n + 1, Name: "clock", Kind: model.SeriesCounter, Role: model.RoleCPUTime, Track: track, Object: model.NoObject, Peer: model.NoObject})
	return n, n + 1
}

func appendSampled(s *Session, stack, clock model.SeriesID, samples []plainSample) {
	b := model.Batch{Track: model.NoTrack}
	for _, x := range samples {
		b.Samples = append(b.Samples, model.Sample{Series: stack, Time: x.at, Value: float64(x.path)}, model.Sample{Series: clock, Time: x.at, Value: x.clock})
	}
	s.Append(&b)
}

// plainStretch is the time [a, b) in which a clock grew by ns.
type plainStretch struct{ a, b, ns int64 }

// until is how much of the growth came up to a time, evenly, in whole ns.
func (g plainStretch) until(at int64) int64 {
	if at >= g.b {
		return g.ns
	}
	return int64(math.Round(float64(g.ns) * (float64(at-g.a) / float64(g.b-g.a))))
}

// share is a part of the growth, rounded.
func (g plainStretch) share(part, whole int64) int64 {
	return int64(math.Round(float64(g.ns) * (float64(part) / float64(whole))))
}

// of is what a sample gets that owns [a, b) of the stretch, of which code owns so much in all, and so
// much before a.
func (g plainStretch) of(code bool, before, all, a, b int64) int64 {
	switch {
	case all == 0:
		return g.until(b) - g.until(a)
	case !code:
		return 0
	}
	return g.share(before+b-a, all) - g.share(before, all)
}

// plainMeasure adds up the samples of a range one by one, as TreeOf says. waits tells of a call path
// whether what has it waits.
func plainMeasure(samples []plainSample, parents []model.PathID, waits []bool, t0, t1 int64) (count, cpu, selfCPU map[model.PathID]int64) {
	count, cpu, selfCPU = map[model.PathID]int64{}, map[model.PathID]int64{}, map[model.PathID]int64{}
	var grown []plainStretch
	for i, from := 1, 0; i < len(samples); i++ {
		switch x, y := samples[from], samples[i]; {
		case y.clock < x.clock:
			from = i
		case y.clock > x.clock && y.at > x.at:
			grown = append(grown, plainStretch{x.at, y.at, int64(y.clock - x.clock)})
			from = i
		}
	}
	for _, x := range samples {
		for p := x.path; p != model.PathRoot && x.at >= t0 && x.at < t1; p = parents[p] {
			count[p]++
		}
	}
	for _, g := range grown {
		if lo, hi := max(g.a, t0), min(g.b, t1); lo < hi { // of what the range cuts, that part alone
			g = plainStretch{lo, hi, g.until(hi) - g.until(lo)}
		} else {
			continue
		}
		all, before := int64(0), int64(0)
		owned := func(fn func(x plainSample, a, b int64)) {
			from := sort.Search(len(samples)-1, func(i int) bool { return samples[i+1].at > g.a })
			for i := from; i+1 < len(samples) && samples[i].at < g.b; i++ { // the newest owns no time yet
				if a, b := max(samples[i].at, g.a), min(samples[i+1].at, g.b); a < b {
					fn(samples[i], a, b)
				}
			}
		}
		code := func(x plainSample) bool { return x.path != model.PathRoot && !waits[x.path] }
		owned(func(x plainSample, a, b int64) {
			if code(x) {
				all += b - a
			}
		})
		owned(func(x plainSample, a, b int64) {
			ns := g.of(code(x), before, all, a, b)
			if code(x) {
				before += b - a
			}
			if x.path == model.PathRoot {
				return
			}
			selfCPU[x.path] += ns
			for p := x.path; p != model.PathRoot; p = parents[p] {
				cpu[p] += ns
			}
		})
	}
	return count, cpu, selfCPU
}

// sampledSession makes a session of one or two sampled threads with random stacks and its plain
// twin.
func sampledSession(rt *rapid.T, most int) (*Session, [][]plainSample, []model.PathID, []bool) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 4))
	known := rapid.SampledFrom([]int{1, 7, 60}).Draw(rt, "paths")
	s := NewSession()
	parents := []model.PathID{0}
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	for c := 1; c < 9; c++ {
		name := "work"
		if c%3 == 0 {
			name = "Wait"
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: name})
	}
	waits := []bool{false}
	for p := 1; p <= known; p++ {
		c := rng.IntN(9)
		parents, waits = append(parents, model.PathID(rng.IntN(p))), append(waits, c > 0 && c%3 == 0)
		s.Apply(model.PathDef{ID: model.PathID(p), Parent: parents[p], Collector: model.CollectorID(c)})
	}
	var plain [][]plainSample
	for track := range model.TrackID(rapid.IntRange(1, 2).Draw(rt, "tracks")) {
		stack, clock := sampledTrack(s, track)
		n := rapid.IntRange(0, most).Draw(rt, "samples")
		var all []plainSample
		at, cpu := int64(rng.IntN(100)), float64(rng.IntN(100))
		for range n {
			if rng.IntN(3) == 0 {
				cpu += float64(rng.IntN(4000))
			} else if rng.IntN(400) == 0 {
				cpu = 0
			}
			all = append(all, plainSample{at, model.PathID(rng.IntN(known + 1)), cpu})
			at += int64(rng.IntN(50))
		}
		for rest := all; len(rest) > 0; {
			k := min(1+rng.IntN(2000), len(rest))
			appendSampled(s, stack, clock, rest[:k])
			rest = rest[k:]
			if rng.IntN(2) == 0 { // asking in between must not matter
				var tree spans.Tree
				s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{track}, 0, math.MaxInt64, &tree)
			}
		}
		plain = append(plain, all)
	}
	return s, plain, parents, waits
}

func TestMeasuresEqualAPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain, parents, waits := sampledSession(rt, 14_000)
		var tracks []model.TrackID
		for id := range plain {
			tracks = append(tracks, model.TrackID(id))
		}
		var tree spans.Tree
		for range 6 {
			t0 := rapid.Int64Range(-100, 350_000).Draw(rt, "t0")
			t1 := t0 + rapid.Int64Range(0, 350_000).Draw(rt, "length")
			if rapid.IntRange(0, 5).Draw(rt, "all") == 0 {
				t0, t1 = math.MinInt64, math.MaxInt64
			}
			count, cpu, self := map[model.PathID]int64{}, map[model.PathID]int64{}, map[model.PathID]int64{}
			for _, samples := range plain {
				a, b, c := plainMeasure(samples, parents, waits, t0, t1)
				for p := range a {
					count[p] += a[p]
				}
				for p := range b {
					cpu[p] += b[p]
				}
				for p := range c {
					self[p] += c[p]
				}
			}
			timed := len(count) // call paths with samples or time
			for p, ns := range cpu {
				if count[p] == 0 && ns > 0 {
					timed++
				}
			}
			for _, m := range []spans.Measure{spans.MeasureSamples, spans.MeasureCPU} {
				s.Spans().TreeOf(m, tracks, t0, t1, &tree)
				want := len(count)
				if m == spans.MeasureCPU {
					want = timed
				}
				testkit.MustEqual(rt, len(tree.Nodes), want, "measure %d of [%d, %d): nodes", m, t0, t1)
				for _, n := range tree.Nodes {
					total := count[n.Path]
					if m == spans.MeasureCPU {
						total = cpu[n.Path]
						testkit.MustEqual(rt, n.Self, self[n.Path], "[%d, %d): path %d has … ns itself", t0, t1, n.Path)
					}
					if n.Total != total || n.Count != count[n.Path] {
						rt.Fatalf("measure %d of [%d, %d): path %d has %d in %d samples, want %d in %d", m, t0, t1, n.Path, n.Total, n.Count, total, count[n.Path])
					}
				}
			}
		}
	})
}

// What left memory leaves the pyramids, too, and the rest is as before.
func TestMeasuresAfterEviction(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain, parents, waits := sampledSession(rt, 9000)
		if len(plain[0]) < 10 {
			return
		}
		var tree spans.Tree
		if rapid.Bool().Draw(rt, "asked before") {
			s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{0}, 0, math.MaxInt64, &tree)
		}
		cut := plain[0][rapid.IntRange(1, len(plain[0])-2).Draw(rt, "cut")].at
		s.series.DropBefore(cut)
		s.spans.DropSamples()
		s.rev++
		before := s.Memory()
		testkit.MustThat(rt, before.Pyramids >= 0, "%d bytes of pyramids", before.Pyramids)
		from := cut + rapid.Int64Range(0, 5000).Draw(rt, "from")
		count, _, _ := plainMeasure(plain[0], parents, waits, from, math.MaxInt64)
		s.Spans().TreeOf(spans.MeasureSamples, []model.TrackID{0}, from, math.MaxInt64, &tree)
		for _, n := range tree.Nodes {
			testkit.MustEqual(rt, n.Total, count[n.Path], "from %d, cut at %d: path %d has … samples", from, cut, n.Path)
			delete(count, n.Path)
		}
		testkit.MustThat(rt, len(count) == 0, "paths are missing: %v", count)
		s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{0}, math.MinInt64, math.MaxInt64, &tree)
	})
}

// manySamples is a session of a million samples of one thread.
func manySamples() *Session {
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	const paths, n = 40, 400_000
	for p := 1; p <= paths; p++ {
		s.Apply(model.PathDef{ID: model.PathID(p), Parent: model.PathID(p / 2), Collector: model.CollectorID(p)})
	}
	stack, clock := sampledTrack(s, 0)
	batch := make([]plainSample, 0, 10_000)
	for i := range n {
		batch = append(batch, plainSample{int64(i) * 1000, model.PathID(1 + i*7%paths), float64(i / 5 * 3000)})
		if len(batch) == cap(batch) {
			appendSampled(s, stack, clock, batch)
			batch = batch[:0]
		}
	}
	return s
}

// A question about many samples costs what its paths cost, and allocates nothing.
func TestMeasureOfManySamplesIsCheap(t *testing.T) {
	s := manySamples()
	var tree spans.Tree
	tracks := []model.TrackID{0}
	for _, m := range []spans.Measure{spans.MeasureSamples, spans.MeasureCPU} {
		s.Spans().TreeOf(m, tracks, 12_345_678, 387_654_321, &tree)
		testkit.That(t, tree.Visited <= 20_000, "measure %d: %d steps", m, tree.Visited)
		i := int64(0)
		a := testing.AllocsPerRun(20, func() { i += 1001; s.Spans().TreeOf(m, tracks, 1_000_000+i, 300_000_000+i, &tree) })
		testkit.That(t, a == 0, "measure %d: %v allocations", m, a)
	}
}

func TestWhatTracksCanMeasure(t *testing.T) {
	s := NewSession()
	stack, clock := sampledTrack(s, 0)
	s.Apply(model.TrackDef{ID: 1, Name: "idle"})
	got := s.Spans().Measures([]model.TrackID{0, 1}, nil)
	testkit.EqualSlices(t, got, []spans.Measure{spans.MeasureDuration}, "measures")
	appendSampled(s, stack, clock, []plainSample{{at: 5, path: 1, clock: 3}})
	d := cmp.Diff([]spans.Measure{spans.MeasureDuration, spans.MeasureCPU, spans.MeasureSamples}, s.Spans().Measures([]model.TrackID{1, 0}, got[:0]))
	testkit.That(t, d == "", "%v", d)
	testkit.EqualSlices(t, s.Spans().Measures([]model.TrackID{1, 9}, nil), []spans.Measure{spans.MeasureDuration}, "measures")
}

// Values that are no paths, clocks that go back or are not known, and samples in any order are
// shown as far as they go, and nothing breaks.
func TestMeasuresOfNonsense(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := NewSession()
		s.Apply(model.CollectorDef{ID: 0, Name: "All"})
		s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 0})
		s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 0})
		stack, clock := sampledTrack(s, 0)
		value := rapid.SampledFrom([]float64{0, 1, 2, 3, -1, 1.5, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)})
		for range 20 {
			b := model.Batch{Track: model.NoTrack}
			for range rapid.IntRange(0, 400).Draw(rt, "n") {
				at := rapid.SampledFrom([]int64{math.MinInt64, -5, 0, 1, 2, 700, math.MaxInt64}).Draw(rt, "at")
				b.Samples = append(b.Samples, model.Sample{Series: rapid.SampledFrom([]model.SeriesID{stack, clock}).Draw(rt, "series"), Time: at, Value: value.Draw(rt, "value")})
			}
			s.Append(&b)
			var tree spans.Tree
			s.Spans().TreeOf(rapid.SampledFrom([]spans.Measure{spans.MeasureCPU, spans.MeasureSamples}).Draw(rt, "measure"), []model.TrackID{0}, math.MinInt64, math.MaxInt64, &tree)
			for _, n := range tree.Nodes {
				testkit.MustThat(rt, n.Path == 1 || n.Path == 2, "a node of path %d", n.Path)
			}
		}
	})
}

// plainCalls finds the calls of wanted collectors span by span, the longest first.
func plainCalls(s *Session, plain []*plainTrack, wanted []bool, t0, t1, minNs int64) (out []int64) {
	hit := func(p model.PathID) bool {
		row := s.paths.Rows()[p]
		if row.Collector < 0 || !wanted[row.Collector] {
			return false
		}
		for up := row.Parent; up != model.PathRoot; up = s.paths.Rows()[up].Parent {
			if c := s.paths.Rows()[up].Collector; c >= 0 && wanted[c] {
				return false
			}
		}
		return true
	}
	for _, t := range plain {
		for _, spans := range t.lanes {
			for i, x := range spans {
				in := x.begin >= t0 && x.begin < t1 || x.begin < t0 && x.end > t0 && t0 < t1 && (i+1 == len(spans) || spans[i+1].begin >= t0)
				if in && hit(x.path) && x.end-x.begin >= minNs {
					out = append(out, x.end-x.begin)
				}
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

func TestCallSearchEqualsAPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		wanted := make([]bool, s.Collectors().Len())
		for i := range wanted {
			wanted[i] = rapid.IntRange(0, 3).Draw(rt, "wanted") == 0
		}
		var tracks []model.TrackID
		for id := range plain {
			tracks = append(tracks, model.TrackID(id))
		}
		t0, t1 := someTime(rt, plain[0], "t0"), someTime(rt, plain[0], "t1")
		if rapid.Bool().Draw(rt, "all") {
			t0, t1 = math.MinInt64, math.MaxInt64
		}
		q := spans.CallQuery{Tracks: append(tracks, tracks[0]), T0: t0, T1: t1, Wanted: wanted, MinNs: rapid.Int64Range(0, 5000).Draw(rt, "min"), Limit: rapid.SampledFrom([]int{0, 1, 7, 100}).Draw(rt, "limit")}
		want := plainCalls(s, plain, wanted, t0, t1, q.MinNs)
		var c spans.CallSearch
		c.Start(s.Spans(), q)
		work := rapid.SampledFrom([]int64{1, 50, 3000, 1 << 40}).Draw(rt, "work")
		for last := 0.0; !c.Step(work); {
			p := c.Progress()
			testkit.MustThat(rt, p >= last && p <= 1, "progress went from %v to %v", last, p)
			last = p
		}
		limit := q.Limit
		if limit == 0 {
			limit = 2000
		}
		if more := len(want) > limit; c.More && !more || len(c.Calls()) != min(len(want), limit) {
			rt.Fatalf("%d calls, more %v; want %d of %d", len(c.Calls()), c.More, min(len(want), limit), len(want))
		}
		for i, x := range c.Calls() {
			testkit.MustEqual(rt, x.Ns, want[i], "call %d takes", i)
			bar, ok := s.Spans().ByRef(x.Ref)
			testkit.MustThat(rt, ok && bar.Begin == x.Begin && bar.Path == x.Path && x.SelfNs >= 0 && x.SelfNs <= x.Ns,
				"call %d: %+v is %+v", i, x, bar)
			stack := c.PrimaryStack(x.Stack)
			testkit.MustThat(rt, len(stack) != 0 && s.paths.Rows()[stack[0]].Collector == x.Collector,
				"call %d: primary stack %v", i, stack)
		}
		testkit.MustEqual(rt, c.Progress(), 1, "progress … at the end")
	})
}

// The longest calls of a great session are found without looking at most of its spans.
func TestCallSearchPassesBlocksOver(t *testing.T) {
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	for p := 1; p <= 3; p++ {
		s.Apply(model.PathDef{ID: model.PathID(p), Parent: 0, Collector: model.CollectorID(p)})
	}
	const n = 400_000
	for i := 0; i < n; i += 1000 {
		b := model.Batch{}
		for k := i; k < i+1000; k++ {
			x := model.Span{Begin: int64(k) * 1000, End: int64(k)*1000 + 500, Path: 1}
			if k%50_000 == 49_999 {
				x.Path, x.End = 2, x.Begin+900+int64(k/50_000)
			}
			b.Spans = append(b.Spans, x)
		}
		s.Append(&b)
	}
	var c spans.CallSearch
	c.Start(s.Spans(), spans.CallQuery{Tracks: []model.TrackID{0}, T0: math.MinInt64, T1: math.MaxInt64, Wanted: []bool{false, false, true}})
	c.Step(1 << 40)
	testkit.That(t, len(c.Calls()) == 8 && c.Calls()[0].Ns == 907 && !c.More,
		"%d calls, %+v", len(c.Calls()), c.Calls())
	testkit.That(t, c.Visited <= n/20, "%d steps for %d spans", c.Visited, n)
	// Of very many the longest, with bounded memory.
	c.Start(s.Spans(), spans.CallQuery{Tracks: []model.TrackID{0}, T0: math.MinInt64, T1: math.MaxInt64, Wanted: []bool{false, true}, Limit: 10})
	c.Step(1 << 40)
	testkit.That(t, len(c.Calls()) == 10 && c.More, "%d calls, more %v", len(c.Calls()), c.More)
}

// weighedTrack defines a track with stacks and a series of weights for each kind.
func weighedTrack(s *Session, track model.TrackID, kinds ...spans.Weight) (stack model.SeriesID) {
	stack = model.SeriesID(s.Series().Len())
	s.Apply(model.TrackDef{ID: track, Name: "thread"})
	def := model.SeriesDef{ID: stack, Name: "stacks", Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject}
	s.Apply(def)
	def.Role = model.RoleWeight
	for _, k := range kinds {
		def.ID, def.Name, def.Unit = def.ID+1, k.Name, k.Unit
		s.Apply(def)
	}
	return stack
}

// Weights are summed up by call path in any range, whatever came late and whatever left memory, and the
// number of samples is what a weight of that name says.
func TestWeights(t *testing.T) {
	kinds := []spans.Weight{{Name: "space", Unit: "B"}, {Name: model.WeightSamples}, {Name: "time", Unit: "ns"}}
	rapid.Check(t, func(rt *rapid.T) {
		s := NewSession()
		s.Apply(model.CollectorDef{ID: 0, Name: "All"})
		parents := []model.PathID{0, 0, 1, 2, 1}
		for p := 1; p < len(parents); p++ {
			s.Apply(model.PathDef{ID: model.PathID(p), Parent: parents[p], Collector: 0})
		}
		stack := weighedTrack(s, 0, kinds...)
		type plain struct {
			at      int64
			path    model.PathID
			weights [3]float64
		}
		var all []plain
		weight := rapid.OneOf(rapid.Float64Range(0, 1e6), rapid.SampledFrom([]float64{-4, math.NaN(), math.Inf(1), 1e12, 0.5}))
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			b := model.Batch{Track: 0}
			for range rapid.IntRange(0, 300).Draw(rt, "n") {
				x := plain{at: int64(rapid.IntRange(0, 500).Draw(rt, "at")), path: model.PathID(rapid.IntRange(1, 4).Draw(rt, "path"))}
				b.Samples = append(b.Samples, model.Sample{Series: stack, Time: x.at, Value: float64(x.path)})
				for k := range kinds {
					x.weights[k] = math.Floor(weight.Draw(rt, "weight"))
					b.Samples = append(b.Samples, model.Sample{Series: stack + 1 + model.SeriesID(k), Time: x.at, Value: x.weights[k]})
				}
				all = append(all, x)
			}
			s.Append(&b)
			t0 := int64(rapid.IntRange(-5, 505).Draw(rt, "t0"))
			t1 := int64(rapid.IntRange(-5, 505).Draw(rt, "t1"))
			for k, m := range []spans.Measure{spans.MeasureWeight, spans.MeasureSamples, spans.MeasureWeight + 1} {
				want := map[model.PathID]int64{}
				for _, x := range all {
					for p := x.path; p != 0 && x.at >= t0 && x.at < t1; p = parents[p] {
						switch w := x.weights[k]; { // what is no number is a gap
						case w > 1<<62 && !math.IsInf(w, 0):
							want[p] += 1 << 62
						case w > 0 && !math.IsInf(w, 0):
							want[p] += int64(w)
						}
					}
				}
				var tree spans.Tree
				s.Spans().TreeOf(m, []model.TrackID{0}, t0, t1, &tree)
				got := map[model.PathID]int64{}
				for _, n := range tree.Nodes {
					got[n.Path] = n.Total
				}
				testkit.MustNoDiff(rt, cmp.Diff(want, got), "measure %d of [%d, %d)", m, t0, t1)
			}
		}
	})
}

// What a session's samples stand for is offered before their number, and that only where it is known.
func TestWhatWeightsThereAre(t *testing.T) {
	s := NewSession()
	s.Apply(model.Info{Sampling: model.Sampling{Timeless: true}})
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	s.Apply(model.PathDef{ID: 1, Collector: 0})
	heap, cpu := spans.Weight{Name: "space", Unit: "B"}, spans.Weight{Name: "cpu", Unit: "ns"}
	a, b := weighedTrack(s, 0, heap, heap), weighedTrack(s, 1, cpu, spans.Weight{Name: model.WeightSamples})
	batch := model.Batch{}
	for _, x := range []model.Sample{{Series: a, Value: 1}, {Series: a + 1, Value: 100}, {Series: b, Value: 1}, {Series: b + 1, Value: 70}, {Series: b + 2, Value: 7}} {
		batch.Samples = append(batch.Samples, x)
	}
	s.Append(&batch)
	testkit.NoDiff(t, cmp.Diff([]spans.Weight{heap, cpu}, s.Spans().Weights()), "Weights")
	for _, c := range []struct {
		tracks []model.TrackID
		want   []spans.Measure
	}{
		{[]model.TrackID{0}, []spans.Measure{spans.MeasureWeight}},
		{[]model.TrackID{1}, []spans.Measure{spans.MeasureWeight + 1, spans.MeasureSamples}},
		{[]model.TrackID{0, 1}, []spans.Measure{spans.MeasureWeight, spans.MeasureWeight + 1, spans.MeasureSamples}},
	} {
		testkit.NoDiff(t, cmp.Diff(c.want, s.Spans().Measures(c.tracks, nil)), "%v", c.tracks)
	}
	n, ok := s.Spans().NumSamples(0, 0, 1)
	testkit.That(t, !ok, "%d samples of what has bytes alone", n)
	n, ok = s.Spans().NumSamples(1, 0, 1)
	testkit.That(t, ok && n == 7, "%d samples, %v", n, ok)
	var tree spans.Tree
	s.Spans().TreeOf(spans.MeasureSamples, []model.TrackID{0, 1}, 0, 1, &tree)
	testkit.That(t, tree.Total == 7, "%d samples of both", tree.Total)
}

// Stacks that come anew take the place of those before, of their own track alone, however many there
// are and whatever was asked in between.
func TestWeightsAnew(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := NewSession()
		s.Apply(model.Info{Sampling: model.Sampling{Timeless: true}})
		s.Apply(model.CollectorDef{ID: 0, Name: "All"})
		for p := range model.PathID(5) {
			s.Apply(model.PathDef{ID: p + 1, Collector: 0})
		}
		kinds := []spans.Weight{{Name: "space", Unit: "B"}}
		stacks := []model.SeriesID{weighedTrack(s, 0, kinds...), weighedTrack(s, 1, kinds...)}
		want := [2]map[model.PathID]int64{{}, {}}
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			track := rapid.IntRange(0, 1).Draw(rt, "track")
			b := model.Batch{Track: model.TrackID(track), Anew: rapid.Bool().Draw(rt, "anew")}
			if b.Anew {
				clear(want[track])
			}
			for range rapid.IntRange(0, 2500).Draw(rt, "n") {
				p, w := model.PathID(rapid.IntRange(1, 5).Draw(rt, "path")), int64(rapid.IntRange(1, 50).Draw(rt, "weight"))
				b.Samples = append(b.Samples, model.Sample{Series: stacks[track], Value: float64(p)},
					model.Sample{Series: stacks[track] + 1, Value: float64(w)})
				want[track][p] += w
			}
			s.Append(&b)
			for k := range want {
				var tree spans.Tree
				s.Spans().TreeOf(spans.MeasureWeight, []model.TrackID{model.TrackID(k)}, 0, 1, &tree)
				got := map[model.PathID]int64{}
				for _, n := range tree.Nodes {
					if n.Path != model.PathRoot {
						got[n.Path] = n.Total
					}
				}
				testkit.MustNoDiff(rt, cmp.Diff(want[k], got), "track %d", k)
			}
			begin, end, ok := s.Series().Bounds()
			testkit.MustThat(rt, ok == (len(want[0])+len(want[1]) > 0) && begin == 0 && end == 0,
				"bounds %d, %d, %v", begin, end, ok)
		}
	})
}
