package spans_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/spans"
	"framescope/model/store"
)

func seriesSession(n int, kind model.SeriesKind) *store.Session {
	s := store.NewSession()
	for i := range n {
		s.Apply(model.SeriesDef{ID: model.SeriesID(i), Name: "x", Kind: kind, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	}
	return s
}

// plainSeries answers by looking at every sample.
type plainSeries struct {
	rows  []model.Sample
	holds bool
}

func (p *plainSeries) add(x model.Sample) {
	i := len(p.rows)
	for i > 0 && p.rows[i-1].Time > x.Time {
		i--
	}
	p.rows = slices.Insert(p.rows, i, x)
}

func (p *plainSeries) in(t0, t1 int64) (rows []model.Sample) {
	for _, r := range p.rows {
		if r.Time >= t0 && r.Time < t1 {
			rows = append(rows, r)
		}
	}
	return rows
}

func (p *plainSeries) before(timeNs int64) (x model.Sample, ok bool) {
	for _, r := range p.rows {
		if r.Time < timeNs {
			x, ok = r, true
		}
	}
	return x, ok && !math.IsNaN(x.Value)
}

// held goes through what was in force in [t0, t1), of a series that holds: up to its newest sample.
func (p *plainSeries) held(t0, t1 int64, each func(value float64, ns int64)) {
	for i := range max(len(p.rows)-1, 0) {
		r, next := p.rows[i], p.rows[i+1]
		if ns := min(next.Time, t1) - max(r.Time, t0); p.holds && ns > 0 && !math.IsNaN(r.Value) {
			each(r.Value, ns)
		}
	}
}

// mean is by time of what holds, if it did, else by number.
func (p *plainSeries) mean(t0, t1 int64, sum float64, n int64) (mean float64, heldNs int64) {
	area := 0.0
	p.held(t0, t1, func(v float64, ns int64) { area, heldNs = area+v*float64(ns), heldNs+ns })
	switch {
	case heldNs > 0:
		return area / float64(heldNs), heldNs
	case n > 0:
		return sum / float64(n), 0
	}
	return 0, 0
}

func (p *plainSeries) bin(t0, t1 int64) spans.SeriesBin {
	b := spans.SeriesBin{Begin: t0, End: t1}
	if x, ok := p.before(t0); ok {
		b.Before, b.HasBefore = x.Value, true
	}
	for _, r := range p.in(t0, t1) {
		if math.IsNaN(r.Value) {
			b.Gaps++
			continue
		}
		if b.N == 0 {
			b.First, b.Min, b.Max = r.Value, r.Value, r.Value
		}
		b.N++
		b.Last, b.Min, b.Max, b.Sum = r.Value, min(b.Min, r.Value), max(b.Max, r.Value), b.Sum+r.Value
	}
	if b.N > 0 {
		p.held(t0, t1, func(v float64, _ int64) { b.Min, b.Max = min(b.Min, v), max(b.Max, v) })
	}
	b.Mean, b.HeldNs = p.mean(t0, t1, b.Sum, b.N)
	return b
}

func (p *plainSeries) stats(t0, t1 int64) (st spans.SeriesStats) {
	var values []float64
	for _, r := range p.in(t0, t1) {
		if math.IsNaN(r.Value) {
			st.Gaps++
			continue
		}
		if len(values) == 0 {
			st.First, st.FirstTime = r.Value, r.Time
		}
		st.Last, st.LastTime = r.Value, r.Time
		st.Sum += r.Value
		values = append(values, r.Value)
	}
	if st.N = int64(len(values)); st.N == 0 {
		return spans.SeriesStats{}
	}
	number := st.Sum / float64(st.N)
	st.Mean, _ = p.mean(t0, t1, st.Sum, st.N)
	for _, v := range values {
		st.StdDev += (v - number) * (v - number)
	}
	st.StdDev = math.Sqrt(st.StdDev / float64(st.N))
	slices.Sort(values)
	at := func(p float64) float64 { return values[int(math.Ceil(p*float64(len(values))))-1] }
	st.Min, st.Max = values[0], values[len(values)-1]
	var held []float64 // each ns of its own
	p.held(t0, t1, func(v float64, ns int64) {
		st.Min, st.Max = min(st.Min, v), max(st.Max, v)
		held = append(held, slices.Repeat([]float64{v}, int(ns))...)
	})
	if len(held) > 0 { // of what holds all is by time
		values = held
		slices.Sort(values)
		st.StdDev = 0
		for _, v := range values {
			st.StdDev += (v - st.Mean) * (v - st.Mean)
		}
		st.StdDev = math.Sqrt(st.StdDev / float64(len(values)))
	}
	st.P50, st.P90, st.P95, st.P99 = at(0.5), at(0.9), at(0.95), at(0.99)
	return st
}

func TestSeriesLikePlain(t *testing.T) {
	near := cmpopts.EquateApprox(1e-9, 1e-9)
	rapid.Check(t, func(t *rapid.T) {
		s := seriesSession(2, model.SeriesValue)
		s.Apply(model.SeriesDef{ID: 1, Name: "x", Role: model.RoleCPULoad, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
		plain := []plainSeries{{}, {holds: true}}
		now := int64(0)
		if rapid.Bool().Draw(t, "long") { // so long that there are nodes over most of it
			b := &model.Batch{Track: model.NoTrack}
			for i := range 2*4096 + 3000 {
				x := model.Sample{Series: model.SeriesID(i % 2), Time: now, Value: float64(i*7919%1009) - 300}
				if i%97 < 3 || i > 2000 && i < 2300 {
					x.Value = math.NaN()
				}
				b.Samples = append(b.Samples, x)
				plain[x.Series].rows = append(plain[x.Series].rows, x)
				now += int64(i % 3)
			}
			s.Append(b)
		}
		for range rapid.IntRange(1, 12).Draw(t, "batches") {
			b := &model.Batch{Track: model.NoTrack}
			value := rapid.Float64Range(-100, 100).Draw(t, "value")
			late := rapid.IntRange(0, 5).Draw(t, "lateness")
			step := rapid.Int64Range(0, 7).Draw(t, "step")
			gap := rapid.IntRange(2, 30).Draw(t, "gap")
			for i := range rapid.IntRange(0, 300).Draw(t, "samples") {
				now += step
				x := model.Sample{Series: model.SeriesID(i % 2), Time: now, Value: value + float64(i%17)*1.25}
				if late > 0 && i%(3*late) == late {
					x.Time -= int64(late) * 11
				}
				if i%gap == 1 {
					x.Value = math.NaN()
				}
				b.Samples = append(b.Samples, x)
				plain[x.Series].add(x)
			}
			s.Append(b)
		}
		for id := range plain {
			p, x := &plain[id], s.Series().ByID(model.SeriesID(id))
			rows := x.Samples(math.MinInt64, math.MaxInt64, 0, nil)
			same := slices.EqualFunc(p.rows, rows, func(a, b model.Sample) bool {
				return a.Series == b.Series && a.Time == b.Time && (a.Value == b.Value || math.IsNaN(a.Value) && math.IsNaN(b.Value))
			})
			testkit.MustThat(t, same, "samples: %v, want %v", rows, p.rows)
			if begin, end, ok := x.Bounds(); ok != (len(p.rows) > 0) || ok && (begin != p.rows[0].Time || end != p.rows[len(p.rows)-1].Time) {
				t.Fatalf("bounds %d…%d %v", begin, end, ok)
			}
			for range 4 {
				t0 := rapid.Int64Range(-50, now+50).Draw(t, "t0")
				t1 := t0 + rapid.Int64Range(1, now+100).Draw(t, "length")
				n := rapid.IntRange(1, 40).Draw(t, "bins")
				end := t0
				for i, got := range x.Bins(t0, t1, n, nil) {
					testkit.MustEqual(t, got.Begin, end, "bin %d begins at %d, not at %d", i, got.Begin, end)
					end = got.End
					testkit.MustNoDiff(t, testkit.Diff(p.bin(got.Begin, got.End), got, near), "bin %d of %d in %d…%d", i, n, t0, t1)
				}
				testkit.MustEqual(t, end, t1, "the bins end at %d, not at %d", end, t1)
				diff := testkit.Diff(p.stats(t0, t1), x.Stats(t0, t1), near)
				testkit.MustThat(t, diff == "" || p.stats(t0, t1).N <= 0, "stats in %d…%d: %s", t0, t1, diff)
				got, ok := x.At(t0)
				want, some := p.before(t0 + 1)
				testkit.MustThat(t, ok == some && (!ok || got == want), "at %d: %v %v, want %v %v", t0, got, ok, want, some)
				slop := rapid.Int64Range(0, 60).Draw(t, "slop")
				far := int64(-1)
				for _, r := range p.rows {
					if d := max(r.Time-t0, t0-r.Time); !math.IsNaN(r.Value) && d <= slop && (far < 0 || d < far) {
						far = d
					}
				}
				got, ok = x.Nearest(t0, slop)
				testkit.MustThat(t, ok == (far >= 0) && (!ok || max(got.Time-t0, t0-got.Time) == far),
					"nearest to %d: %v %v, want one %d away", t0, got, ok, far)
			}
		}
	})
}

// TestSeriesWork checks that bins and statistics do not walk over the samples, also where
// percentiles come from histograms.
func TestSeriesWork(t *testing.T) {
	s := seriesSession(1, model.SeriesValue)
	x := s.Series().ByID(0)
	const n = 400_000
	b := &model.Batch{Track: model.NoTrack}
	var values []float64
	for i := range int64(n) {
		v := 50 + 40*math.Sin(float64(i)*0.7)
		b.Samples = append(b.Samples, model.Sample{Time: i * 100, Value: v})
		if i >= 1_234 && i < n-5_678 {
			values = append(values, v)
		}
	}
	s.Append(b)
	const bins = 200
	for _, role := range []model.SeriesRole{model.RoleNone, model.RoleCPULoad, model.RoleNone} {
		s.Apply(model.SeriesDef{Name: "x", Role: role, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
		most := int64(bins * 100)
		if x.Def.Holds() { // once more for the time that values were in force
			most *= 2
		}
		got, visited := x.BinsWork(0, n*100, bins)
		testkit.That(t, len(got) == bins && visited <= most,
			"role %d: %d nodes and samples for %d bins", role, visited, len(got))
	}
	t0, t1 := int64(123_400), int64((n-5_678)*100)
	st := x.Stats(t0, t1)
	slices.Sort(values)
	for _, c := range []struct{ p, got float64 }{{0.5, st.P50}, {0.9, st.P90}, {0.95, st.P95}, {0.99, st.P99}} {
		want := values[int(math.Ceil(c.p*float64(len(values))))-1]
		testkit.That(t, math.Abs(c.got-want) <= 0.01*want, "percentile %v: %v, want %v", c.p, c.got, want)
	}
	testkit.That(t, st.N == int64(len(values)) && st.Min == values[0] && st.Max == values[len(values)-1], "%+v", st)
	x.Stats(t0, t1)
	work := x.StatsWork()
	testkit.That(t, work <= 2<<14+30_000, "%d samples and bins for percentiles", work)
	// A late sample makes only the newest histograms wrong.
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: (n - 4000) * 100, Value: 1e6}}})
	st = x.Stats(0, math.MaxInt64)
	testkit.That(t, st.Max == 1e6 && st.N == n+1, "after a late sample %+v", st)
	work = x.StatsWork()
	testkit.That(t, work <= 4<<14+30_000, "%d samples and bins after a late sample", work)
	var out []spans.SeriesBin
	var list []model.Sample
	out = x.Bins(0, n*100, bins, out)
	list = x.Samples(0, 100_000, 0, list)
	if a := testing.AllocsPerRun(20, func() {
		out = x.Bins(0, n*100, bins, out[:0])
		list = x.Samples(0, 100_000, 0, list[:0])
		x.At(12_345)
		x.Nearest(12_345, 100)
		x.Stats(t0, t1)
	}); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func TestLateSamples(t *testing.T) {
	s := seriesSession(2, model.SeriesValue)
	b := &model.Batch{Track: model.NoTrack}
	for i := range int64(5000) {
		b.Samples = append(b.Samples, model.Sample{Time: i * 10, Value: float64(i)})
	}
	s.Append(b)
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{
		{Time: 9_045, Value: -1},                 // 4,095 are newer
		{Time: 8_005, Value: -2},                 // older than that
		{Series: 1, Time: 5, Value: 7},           // another series has its own end
		{Series: 1, Time: 5, Value: math.Inf(1)}, // no number: a gap
		{Series: 7, Time: 5, Value: 7},
	}})
	got, _ := s.Series().ByID(0).At(9_049)
	testkit.That(t, got.Value == -1, "a late sample: %v", got)
	testkit.Equal(t, s.Series().ByID(0).Len(), 5001, "samples")
	_, ok := s.Series().ByID(1).At(100)
	testkit.That(t, !ok && s.Series().ByID(1).Len() == 2, "a gap has a value")
	n, _ := s.Losses()
	testkit.That(t, n[model.LossLate] == 1 && n[model.LossLimit] == 1, "losses %v", n)
}

func TestSeriesLeaveMemory(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := st.NewSession()
	s.Apply(model.SeriesDef{ID: 0, Track: model.NoTrack})
	s.Apply(model.SeriesDef{ID: 1, Kind: model.SeriesState, Track: model.NoTrack})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 1, Time: 3, Value: 4}}})
	const n = 500_000
	for i := range int64(n / 100) {
		b := &model.Batch{Track: model.NoTrack}
		for k := range int64(100) {
			b.Samples = append(b.Samples, model.Sample{Time: (i*100 + k) * 10, Value: float64(k)})
		}
		s.Append(b)
		st.EnforceLimit(time.Time{})
		got := st.Memory().Total()
		testkit.MustThat(t, got <= 2<<20, "%d bytes after %d samples", got, i*100)
	}
	x := s.Series().ByID(0)
	begin, end, ok := s.Bounds()
	testkit.MustThat(t, ok && end == (n-1)*10 && begin != 0 && x.Len() >= 50_000,
		"%d samples in %d…%d", x.Len(), begin, end)
	losses, _ := s.Losses()
	testkit.That(t, losses[model.LossEvicted]+x.Len()+s.Series().ByID(1).Len() == n+1,
		"%d evicted, %d stored", losses[model.LossEvicted], x.Len())
	got := s.Memory().Series
	testkit.That(t, got <= x.Len()*20+200_000, "%d bytes for %d samples", got, x.Len())
	// What was in force when the oldest samples left still is.
	if got, ok := s.Series().ByID(1).At(begin); !ok || got.Value != 4 {
		t.Errorf("the state is %v %v", got, ok)
	}
	bins := s.Series().ByID(1).Bins(begin, end, 2, nil)
	testkit.That(t, bins[0].HasBefore && bins[0].Before == 4, "bins of the state %+v", bins)
}

// TestPercentilesByTime: of what holds half of the time, not half of the samples, is below the
// median, also where percentiles come from histograms, of any range, after late samples, and when a
// definition makes of values what holds.
func TestPercentilesByTime(t *testing.T) {
	s := seriesSession(1, model.SeriesValue)
	const n = 200_000
	b := &model.Batch{Track: model.NoTrack}
	now := int64(0)
	for i := range int64(n) {
		v := 1 + float64(i*7919%1009)
		if i%5003 == 7 {
			v = math.NaN()
		}
		b.Samples = append(b.Samples, model.Sample{Time: now, Value: v})
		now += 1 + int64(v)*int64(v)%4096 // what is large holds for long, mostly
	}
	s.Append(b)
	x := s.Series().ByID(0)
	byNumber := x.Stats(0, now)
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Role: model.RoleCPULoad, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	check := func(t0, t1 int64) {
		t.Helper()
		got, exact := x.Stats(t0, t1), x.ExactStats(t0, t1)
		testkit.MustThat(t, got.Estimated && !exact.Estimated && got.StdDev == exact.StdDev && got.Mean == exact.Mean,
			"%+v, exactly %+v", got, exact)
		for _, c := range [][2]float64{{got.P50, exact.P50}, {got.P90, exact.P90}, {got.P95, exact.P95}, {got.P99, exact.P99}} {
			testkit.That(t, math.Abs(c[0]-c[1]) <= 0.01*c[1], "%d to %d: %v, exactly %v", t0, t1, c[0], c[1])
		}
	}
	check(0, now)
	testkit.That(t, x.Stats(0, now).P50 != byNumber.P50, "the median by time is that by number: %v", byNumber.P50)
	check(12_345, now-54_321)
	check(-5, math.MaxInt64)
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: now - 4_000_000, Value: 5000}}})
	check(0, now)
	check(now/7, now)
}

// TestSpreadByTime: percentiles and the standard deviation of a load are by time, like its mean.
func TestSpreadByTime(t *testing.T) {
	s := seriesSession(1, model.SeriesValue)
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Role: model.RoleCPULoad, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	b := &model.Batch{Track: model.NoTrack}
	for i := range int64(9) { // nine short peaks, then rest
		b.Samples = append(b.Samples, model.Sample{Time: i, Value: 1})
	}
	b.Samples = append(b.Samples, model.Sample{Time: 9, Value: 0}, model.Sample{Time: 100, Value: math.NaN()})
	s.Append(b)
	st := s.Series().ByID(0).Stats(0, 200)
	testkit.That(t, st.Mean == 0.09 && st.P50 == 0 && st.P90 == 0 && st.P95 == 1 &&
		math.Abs(st.StdDev-math.Sqrt(0.09*0.91)) <= 1e-12, "%+v", st)
}

func TestIndexesLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := store.NewSession()
		for range rapid.IntRange(0, 60).Draw(t, "definitions") {
			if rapid.Bool().Draw(t, "object") {
				s.Apply(model.ObjectDef{ID: model.ObjectID(rapid.IntRange(0, 12).Draw(t, "id")), Parent: model.ObjectID(rapid.IntRange(-1, 12).Draw(t, "parent"))})
				continue
			}
			s.Apply(model.SeriesDef{
				ID: model.SeriesID(rapid.IntRange(0, 12).Draw(t, "id")), Role: model.SeriesRole(rapid.IntRange(0, 3).Draw(t, "role")), Group: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "group"),
				Object: model.ObjectID(rapid.IntRange(-1, 3).Draw(t, "of")), Track: model.TrackID(rapid.IntRange(-1, 2).Draw(t, "track")), Name: "x",
			})
		}
		seen := 0
		for parent := model.NoObject; parent <= 12; parent++ { // defined or not
			for _, id := range s.Topology().Children(parent) {
				o, _ := s.Topology().Object(id)
				testkit.MustThat(t, o.Parent == parent, "object %d is not in %d", id, parent)
				seen++
			}
		}
		var defined int
		for id, o := range s.Topology().Objects() {
			if slices.Contains(s.Topology().Children(o.Parent), model.ObjectID(id)) {
				defined++
			}
		}
		testkit.MustEqual(t, seen, defined, "%d children, %d objects", seen, defined)
		roles, groups := 0, 0
		for id := range model.SeriesID(s.Series().Len()) {
			d := s.Series().ByID(id).Def
			if d.Name == "" {
				continue // fills a hole
			}
			roles++
			if !slices.Contains(s.Series().ByRole(d.Role), id) || d.Object >= 0 && !slices.Contains(s.Series().ByObject(d.Object), id) || d.Track >= 0 && !slices.Contains(s.Series().ByTrack(d.Track), id) {
				t.Fatalf("series %d is missing in an index", id)
			}
		}
		var names []string
		for _, g := range s.Series().ByGroup() {
			names = append(names, g.Name)
			groups += len(g.Series)
			testkit.MustThat(t, len(g.Series) != 0 && slices.IsSorted(g.Series), "group %+v", g)
			for _, id := range g.Series {
				testkit.MustEqual(t, s.Series().ByID(id).Def.Group, g.Name, "series %d is not of group %q", id, g.Name)
			}
		}
		slices.Sort(names)
		testkit.MustThat(t, len(slices.Compact(names)) == len(names) && groups == roles,
			"groups %q of %d series, %d are defined", names, groups, roles)
	})
}

// Of all places, the percentile's is the first at which enough values are at most what stands there.
func TestRank(t *testing.T) {
	for n := int64(1); n < 700; n++ {
		for _, percent := range []int64{1, 5, 50, 90, 95, 99, 100} {
			want := int64(0)
			for (want+1)*100 < n*percent {
				want++
			}
			testkit.MustEqual(t, measure.Rank(n, percent), want, "p%d of %d values is number", percent, n)
		}
		low, high := measure.Middle(n)
		testkit.MustThat(t, low+high == n-1 && high-low == 1-n%2, "the middle of %d values is %d and %d", n, low, high)
	}
	testkit.Equal(t, measure.Rank(math.MaxInt64, 100), math.MaxInt64-1, "the greatest of all is number")
}
