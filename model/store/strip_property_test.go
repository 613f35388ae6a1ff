package store

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
)

// plainNets returns own and net value of every collector in one frame, by the letter of
// VIEWER.md sections 4 and 5.
func plainNets(s *Session, b *model.Batch, levels bool) (alone, net map[model.CollectorID]float64, present map[model.CollectorID]bool) {
	alone, net, present = map[model.CollectorID]float64{}, map[model.CollectorID]float64{}, map[model.CollectorID]bool{}
	up := func(c model.CollectorID) model.CollectorID { return s.Collector(c).Parent }
	if !levels {
		for _, a := range b.Self {
			alone[a.Collector] += float64(a.Ns) / 1e9
			for c := a.Collector; c >= 0; c = up(c) {
				present[c] = true
			}
		}
	} else {
		value := map[model.CollectorID]float64{}
		for _, l := range b.Levels {
			value[l.Collector] = l.Value
		}
		for c, v := range value {
			alone[c] += v
			for a := up(c); a >= 0; a = up(a) {
				if _, ok := value[a]; ok {
					alone[a] -= v
					break
				}
			}
			for a := c; a >= 0; a = up(a) {
				present[a] = true
			}
		}
	}
	var sum func(c model.CollectorID) float64
	sum = func(c model.CollectorID) float64 {
		n := alone[c]
		for _, child := range s.Collectors().Children(c) {
			n += sum(child)
		}
		net[c] = n
		return n
	}
	sum(0)
	return alone, net, present
}

// plainStrip is what is stacked for one frame, in ns or units.
func plainStrip(s *Session, b *model.Batch, focus model.CollectorID, levels bool) (bands []frames.Band, net float64) {
	alone, nets, _ := plainNets(s, b, levels)
	for _, c := range s.Collectors().Children(focus) {
		if v := nets[c]; math.Abs(v) > 1e-12 {
			bands = append(bands, frames.Band{Collector: c, Value: v})
			net += v
		}
	}
	if v := alone[focus]; v > 1e-12 {
		bands = append(bands, frames.Band{Collector: focus, Value: v})
		net += v
	}
	return bands, net
}

func TestFrameStripEqualsPlainSum(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		p := plain[0]
		i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
		focus := model.CollectorID(rapid.IntRange(0, 11).Draw(rt, "focus"))
		levels := rapid.Bool().Draw(rt, "levels")
		want, wantNet := plainStrip(s, p.frames[i], focus, levels)
		got, net := s.Frames().OpenBands(0, i, focus, 0, levels, nil)
		testkit.MustThat(rt, len(got) == len(want) && math.Abs(net-wantNet) <= 1e-9, "%+v, want %+v", got, want)
		for k := range got {
			testkit.MustThat(rt, got[k].Collector == want[k].Collector && math.Abs(got[k].Value-want[k].Value) <= 1e-9,
				"%+v, want %+v", got, want)
			for _, a := range p.frames[i].Self {
				testkit.MustThat(rt, levels || a.Collector != got[k].Collector || a.Count == got[k].Count,
					"count of %d: %d, want %d", a.Collector, got[k].Count, a.Count)
			}
		}
		var levelsWant []model.Level
		for _, l := range p.frames[i].Levels {
			levelsWant = slices.DeleteFunc(levelsWant, func(o model.Level) bool { return o.Collector == l.Collector })
			levelsWant = append(levelsWant, l)
		}
		slices.SortFunc(levelsWant, func(a, b model.Level) int { return cmp.Compare(a.Collector, b.Collector) })
		testkit.MustNoDiff(rt, gocmp.Diff(levelsWant, s.Frames().Levels(0, i, nil)), "Levels")
	})
}

// plainColumn is what one column shows, by definition.
func plainColumn(s *Session, p *plainTrack, q *frames.StripQuery, begin, end int64) (bands map[model.CollectorID]float64, state frames.ColumnState, frame int) {
	bands = map[model.CollectorID]float64{}
	received, stopped, out := p.frames, func(int) bool { return false }, []frames.Stop(nil)
	if !q.Levels {
		stopped, out = s.Track(0).Stopped, s.Track(0).Stops(0, len(received)-1, nil)
	}
	at, inside := -1, -1
	for i, b := range received {
		if b.Begin <= begin {
			at = i
		}
		if b.Begin >= begin && b.Begin < end {
			if inside < 0 || stopped(inside) && !stopped(i) {
				inside = i
			} else if stopped(i) {
			} else if _, a := plainStrip(s, b, q.Focus, q.Levels); true {
				if _, o := plainStrip(s, received[inside], q.Focus, q.Levels); a > o+1e-12 {
					inside = i
				}
			}
		}
	}
	add := func(i int, weight float64) {
		list, _ := plainStrip(s, received[i], q.Focus, q.Levels)
		for _, b := range list {
			bands[b.Collector] += b.Value * weight
		}
	}
	if q.Mode == frames.StripMax && inside >= 0 && stopped(inside) {
		return bands, frames.ColumnStopped, inside
	}
	if q.Mode == frames.StripMax && inside >= 0 {
		add(inside, 1)
		return bands, frames.ColumnData, inside
	}
	if at < 0 || at == len(received)-1 && begin > received[at].End {
		return bands, frames.ColumnEmpty, -1
	}
	for _, x := range out {
		if x.Begin <= begin && (begin < x.End || x.Frame == at && !x.Between) {
			return bands, frames.ColumnStopped, at
		}
	}
	state = frames.ColumnData
	if at+1 < len(received) && received[at+1].Number > received[at].Number+1 && begin >= received[at].End {
		state = frames.ColumnMissing
	}
	switch {
	case q.Mode == frames.StripSmooth:
		then := max(begin-q.SmoothNs, received[0].Begin)
		if then >= begin {
			add(at, 1)
			break
		}
		width := begin - then
		for _, x := range out {
			width -= max(min(x.End, begin)-max(x.Begin, then), 0)
		}
		for i := range received {
			if stopped(i) {
				continue
			}
			from := received[0].Begin
			if i > 0 {
				from = received[i-1].End
				for _, x := range out {
					if x.Between && x.Frame == i {
						from = x.End
					}
				}
			}
			if ns := min(received[i].End, begin) - max(from, then); ns > 0 {
				add(i, float64(ns)/float64(width))
			}
		}
	case state == frames.ColumnMissing:
		a, b := received[at], received[at+1]
		share := 0.0
		if b.Begin > a.End {
			share = float64(begin-a.End) / float64(b.Begin-a.End)
		}
		add(at, 1-share)
		add(at+1, share)
	default:
		add(at, 1)
	}
	return bands, state, at
}

func TestStripChartEqualsPlainColumns(t *testing.T) {
	var strip frames.Strip // used again and again: what it keeps must never show
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		p := plain[0]
		for range 3 {
			q := frames.StripQuery{
				Focus: model.CollectorID(rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(rt, "focus")), Levels: rapid.Bool().Draw(rt, "levels"),
				Mode: frames.StripMode(rapid.IntRange(0, 2).Draw(rt, "mode")), Columns: rapid.IntRange(1, 40).Draw(rt, "columns"),
				SmoothNs: rapid.SampledFrom([]int64{1000, 50_000, 3e9}).Draw(rt, "smooth"),
			}
			q.T0, q.T1 = someTime(rt, p, "t0"), someTime(rt, p, "t1")
			q.T0, q.T1 = min(q.T0, q.T1), max(q.T0, q.T1)+1
			s.Frames().Strip(q, &strip)
			n := len(strip.Bands)
			for x, col := range strip.Columns {
				width, columns := q.T1-q.T0, int64(q.Columns)
				edge := func(x int) int64 { return q.T0 + width/columns*int64(x) + width%columns*int64(x)/columns }
				want, state, frame := plainColumn(s, p, &q, edge(x), edge(x+1))
				testkit.MustEqual(rt, col.State, state, "%+v: column %d is %+v, want state %d", q, x, col, state)
				if own := want[q.Focus]; q.Mode != frames.StripSmooth && state != frames.ColumnMissing && (int(col.Frame) != frame) && state != frames.ColumnEmpty {
					rt.Fatalf("%+v: column %d is %+v, want frame %d (%v)", q, x, col, frame, own)
				}
				if q.Mode == frames.StripSmooth || state == frames.ColumnMissing {
					continue // own values below 0 are cut after mixing, not before: checked by TestMixedColumns
				}
				net := 0.0
				for k, c := range strip.Bands {
					v := float64(strip.Values[x*n+k])
					testkit.MustThat(rt, math.Abs(v-want[c]) <= 1e-6*max(1, math.Abs(v)),
						"%+v: column %d, band %d: %v, want %v", q, x, c, v, want[c])
					delete(want, c)
					net += v
				}
				for c, v := range want {
					rt.Fatalf("%+v: column %d lacks band %d of %v", q, x, c, v)
				}
				testkit.MustThat(rt, math.Abs(net-float64(col.Net)) <= 1e-5*max(1, math.Abs(net)),
					"%+v: column %d: net %v, bands %v", q, x, col.Net, net)
			}
			if !slices.IsSortedFunc(strip.Bands, func(a, b model.CollectorID) int {
				if a == q.Focus || b == q.Focus {
					return cmp.Compare(b2i(a == q.Focus), b2i(b == q.Focus))
				}
				return s.collectors.Tree().CompareRank(a, b)
			}) {
				rt.Fatalf("bands %v", strip.Bands)
			}
		}
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Interpolated and smoothed columns, where all own values are positive, so that cutting and mixing
// commute.
func TestMixedColumns(t *testing.T) {
	var strip frames.Strip
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		p := plain[0]
		again := NewSession()
		for c := range s.Collectors().Len() {
			d := s.Collector(model.CollectorID(c))
			again.Apply(model.CollectorDef{ID: d.ID, Name: d.Name, Parent: d.Parent, Sort: d.Sort})
		}
		for _, b := range p.frames {
			for i := range b.Self {
				b.Self[i].Ns = max(b.Self[i].Ns, -b.Self[i].Ns)
			}
			again.Append(b)
		}
		q := frames.StripQuery{
			Mode: rapid.SampledFrom([]frames.StripMode{frames.StripHold, frames.StripSmooth}).Draw(rt, "mode"), Columns: rapid.IntRange(1, 60).Draw(rt, "columns"),
			SmoothNs: rapid.SampledFrom([]int64{1000, 50_000, 3e9}).Draw(rt, "smooth"),
		}
		q.T0, q.T1 = someTime(rt, p, "t0"), someTime(rt, p, "t1")
		q.T0, q.T1 = min(q.T0, q.T1), max(q.T0, q.T1)+1
		again.Frames().Strip(q, &strip)
		n := len(strip.Bands)
		for x := range strip.Columns {
			want, _, _ := plainColumn(again, p, &q, q.ColumnTime(x), q.ColumnTime(x+1))
			for k, c := range strip.Bands {
				if v := float64(strip.Values[x*n+k]); math.Abs(v-want[c]) > 1e-6*max(1, math.Abs(v)) {
					rt.Fatalf("%+v: column %d, band %d: %v, want %v", q, x, c, v, want[c])
				}
				delete(want, c)
			}
			for c, v := range want {
				testkit.MustThat(rt, v <= 1e-12, "%+v: column %d lacks band %d of %v", q, x, c, v)
			}
		}
	})
}

func TestStatsEqualPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		p := plain[0]
		levels := rapid.Bool().Draw(rt, "levels")
		first := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "first")
		last := rapid.IntRange(first, len(p.frames)-1).Draw(rt, "last")
		values, own := map[model.CollectorID][]float64{}, map[model.CollectorID]float64{}
		occurs, count := map[model.CollectorID]int64{}, map[model.CollectorID]int64{}
		for c := range model.CollectorID(s.Collectors().Len()) {
			values[c] = nil
		}
		left := func(i int) bool { return s.Track(0).Stopped(i) }
		n := 0
		for i := first; i <= last; i++ {
			if !left(i) {
				n++
			}
		}
		if n == 0 {
			n, left = last-first+1, func(int) bool { return false }
		}
		var numbers []int64
		for i := first; i <= last; i++ {
			if left(i) {
				continue
			}
			numbers = append(numbers, p.frames[i].Number)
			alone, net, present := plainNets(s, p.frames[i], levels)
			for c := range values {
				values[c] = append(values[c], net[c])
				own[c] += alone[c]
			}
			for c := range present {
				occurs[c]++
			}
			if !levels {
				for _, a := range p.frames[i].Self {
					count[a.Collector] += int64(a.Count)
				}
			}
		}
		want := map[model.CollectorID]frames.Stats{}
		for c, v := range values {
			if occurs[c] == 0 {
				continue
			}
			st := frames.Stats{Collector: c, Frames: int64(n), Present: occurs[c], Count: count[c], Max: math.Inf(-1), SelfMean: own[c] / float64(n)}
			for k, x := range v {
				st.Sum += x
				if x > st.Max+1e-12 {
					st.Max, st.MaxFrame = x, numbers[k]
				}
			}
			st.Mean = st.Sum / float64(n)
			slices.Sort(v)
			st.Min, st.Median = v[0], (v[(n-1)/2]+v[n/2])/2
			st.P95, st.P99 = v[(95*n+99)/100-1], v[(99*n+99)/100-1]
			want[c] = st
		}
		all := s.Frames().AllStats(0, levels, first, last, nil)
		seen := map[model.CollectorID]bool{}
		for _, got := range all {
			seen[got.Collector] = true
			checkStats(rt, "all", got, want[got.Collector])
		}
		for c := range want {
			_, rootOnly := want[0]
			testkit.MustThat(rt, seen[c] || levels && c == 0 && rootOnly, "AllStats lacks %d", c)
			checkStats(rt, "one", s.Frames().Stats(0, c, levels, first, last), want[c])
		}
	})
}

func checkStats(rt *rapid.T, what string, got, want frames.Stats) {
	close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }
	if got.Collector != want.Collector || got.Frames != want.Frames || got.Present != want.Present || got.Count != want.Count || got.MaxFrame != want.MaxFrame ||
		!close(got.Sum, want.Sum) || !close(got.Mean, want.Mean) || !close(got.Min, want.Min) || !close(got.Median, want.Median) ||
		!close(got.P95, want.P95) || !close(got.P99, want.P99) || !close(got.Max, want.Max) || !close(got.SelfMean, want.SelfMean) {
		rt.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func TestPianoRunsEqualPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		p := plain[0]
		i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
		f := p.frames[i]
		runs := s.PianoRuns(0, i, nil)
		// Each instant in the middle of a nanosecond of the frame is in a run exactly if a span of the
		// collector covers it.
		at := f.Begin + rapid.Int64Range(0, max(f.End-f.Begin-1, 0)).Draw(rt, "at")
		covered := map[model.CollectorID]bool{}
		for _, lane := range p.lanes {
			for _, sp := range lane {
				if sp.begin <= at && sp.end > at && at < f.End {
					_, c := s.Path(sp.path)
					covered[c] = true
				}
			}
		}
		seen := map[model.CollectorID]int{}
		for k, r := range runs {
			testkit.MustThat(rt, r.Begin >= f.Begin && r.End <= f.End && r.End >= r.Begin, "run %+v outside of the frame", r)
			if r.Begin <= at && r.End > at {
				seen[r.Collector]++
			}
			testkit.MustThat(rt, k == 0 || runs[k-1].Collector != r.Collector || runs[k-1].End <= r.Begin,
				"run %d, %+v, overlaps that before it", k, r)
		}
		for c := range model.CollectorID(12) {
			testkit.MustThat(rt, (seen[c] == 1) == covered[c] && seen[c] <= 1,
				"collector %d at %d: in %d runs, covered %v", c, at, seen[c], covered[c])
		}
	})
}

// Statistics of long ranges equal those of a plain tally: exactly but for percentiles, and those
// within 1 %; also after rewinds, evictions and a change of the hierarchy.
func TestBlockStatsEqualExactOnes(t *testing.T) {
	st := &Store{}
	s := st.NewSession()
	rng := rand.New(rand.NewPCG(8, 8))
	g := newGame(rng, s, 12, 40, 6)
	g.spansPerFrame = 8
	grow := func(n int) {
		for range n {
			b := g.frame()
			b.Spans = b.Spans[:min(len(b.Spans), 1)]
			s.Append(b)
		}
	}
	check := func(what string) {
		t.Helper()
		n := s.Track(0).NumFrames()
		for range 6 {
			first := rng.IntN(n - 4200)
			last := first + 4200 + rng.IntN(n-first-4200)
			for _, levels := range []bool{false, true} {
				compareStats(t, what, s, levels, first, last)
			}
		}
	}
	grow(12_000)
	check("at first")
	tr := s.Track(0)
	back := tr.Frame(tr.NumFrames() - 3000)
	again := &model.Batch{HasFrame: true, Rewind: true, Number: back.Number, Begin: back.Begin, End: back.End, Self: []model.CollectorTime{{Collector: 1, Ns: 5e8, Count: 1}}}
	s.Append(again)
	grow(5000)
	check("after a rewind")
	s.Apply(model.CollectorDef{ID: 3, Name: "moved", Parent: 9})
	s.Apply(model.CollectorDef{ID: 9, Name: "top"})
	check("after a collector moved")
	st.MemoryLimit = st.Memory().Total() * 3 / 4
	st.EnforceLimit(time.Time{})
	testkit.MustThat(t, tr.Evicted() != 0, "nothing was evicted")
	check("after an eviction")
	st.MemoryLimit = 1 // whatever the bound: no crash, and no byte is counted twice
	st.EnforceLimit(time.Time{})
	n := tr.frames.Blocks()
	testkit.That(t, n <= 0, "%d blocks without frames", n)
}

func compareStats(t *testing.T, what string, s *Session, levels bool, first, last int) {
	t.Helper()
	figure := frames.FigureNet
	if levels {
		figure = frames.FigureLevel
	}
	want := s.Frames().ExactStats(0, figure, first, last, nil)
	got := s.Frames().AllStats(0, levels, first, last, nil)
	testkit.MustEqual(t, len(got), len(want), "%s: collectors", what)
	for i := range want {
		for _, g := range []frames.Stats{got[i], s.Frames().Stats(0, want[i].Collector, levels, first, last)} {
			w := want[i]
			for _, p := range [][2]float64{{g.Median, w.Median}, {g.P95, w.P95}, {g.P99, w.P99}} {
				if math.Abs(p[0]-p[1]) > 0.01*math.Abs(p[1]) {
					t.Errorf("%s: levels %v, [%d, %d], collector %d: percentile %v, want %v", what, levels, first, last, w.Collector, p[0], p[1])
				}
			}
			g.Median, g.P95, g.P99, w.Median, w.P95, w.P99 = 0, 0, 0, 0, 0, 0
			for _, v := range [][2]*float64{{&g.Sum, &w.Sum}, {&g.Mean, &w.Mean}, {&g.SelfMean, &w.SelfMean}} {
				testkit.That(t, math.Abs(*v[0]-*v[1]) <= 1e-9*max(1, math.Abs(*v[1])),
					"%s: collector %d: %v, want %v", what, w.Collector, *v[0], *v[1])
				*v[0], *v[1] = 0, 0
			}
			g.Estimated = false
			testkit.Equal(t, g, w, "%s: levels %v, [%d, %d]", what, levels, first, last)
		}
	}
}

// Blocks made ahead, a few at a time, give the same answers, and nothing is left to make for the
// first question.
func TestPreparedStats(t *testing.T) {
	s, asked := NewSession(), NewSession()
	newGame(rand.New(rand.NewPCG(5, 6)), asked, 12, 40, 6)
	g := newGame(rand.New(rand.NewPCG(5, 6)), s, 12, 40, 6)
	for range 20_000 {
		b := g.frame()
		b.Spans = nil
		s.Append(b)
		asked.Append(b)
	}
	calls := 1
	for s.Frames().PrepareStats(0, false, 2048) {
		calls++
		made := s.Track(0).frames.Blocks()
		testkit.MustThat(t, made <= 2*(calls-1), "%d blocks after %d calls", made, calls-1)
	}
	testkit.Equal(t, calls, 10, "calls for 19 blocks")
	got, want := s.Frames().AllStats(0, false, 100, 19_000, nil), asked.Frames().AllStats(0, false, 100, 19_000, nil)
	testkit.That(t, len(want) != 0 && slices.Equal(got, want), "got %+v, want %+v", got, want)
	testkit.That(t, !s.Frames().PrepareStats(0, false, 0) && !s.Frames().PrepareStats(9, false, 5),
		"something is left to do")
	s.Append(&model.Batch{Rewind: true, HasFrame: true, Number: s.Track(0).Frame(3000).Number, Begin: s.Track(0).Frame(3000).Begin, End: s.Track(0).Frame(3000).End})
	testkit.That(t, !s.Frames().PrepareStats(0, false, 0), "2 blocks of 3,001 frames were made again")
}

// How long a thread worked is the sum of the self times of all that neither waits nor is the frame itself, in
// short ranges and in those of whole blocks of statistics, also after a collector got a name that waits.
func TestBusy(t *testing.T) {
	const count = 6000 // more than StatExact
	s, rng := NewSession(), rand.New(rand.NewPCG(3, 4))
	for i, name := range []string{"Frame", "App", "Wait", "AI", "Late"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name})
	}
	self := make([][5]int64, count)
	for i := range int64(count) {
		b := model.Batch{HasFrame: true, Number: i, Begin: i * 1e7, End: (i + 1) * 1e7}
		for c := range int64(5) {
			if ns := rng.Int64N(2e6); ns > 1e5 {
				self[i][c] = ns
				b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(c), Ns: ns, Count: 1})
			}
		}
		s.Append(&b)
	}
	check := func(works ...int) {
		t.Helper()
		for _, r := range [][2]int{{0, 0}, {7, 8}, {100, 1200}, {0, count - 1}, {33, 5900}, {count - 5, count + 10}} {
			sum, n := 0.0, 0
			for i := r[0]; i <= r[1] && i < count; i++ {
				n++
				for _, c := range works {
					sum += float64(self[i][c])
				}
			}
			did, ok := s.WorkInFrames(0, r[0], r[1])
			testkit.That(t, ok && math.Abs(float64(did.BusyNs)-sum) < float64(n), "frames %v: %v, want %v", r, did.BusyNs, sum)
		}
	}
	check(1, 3, 4)
	s.Apply(model.CollectorDef{ID: 4, Name: "Wait for vsync"})
	check(1, 3)
	_, ok := s.WorkInFrames(0, count, count+5)
	testkit.That(t, !ok, "frames that are not there worked")
	_, ok = s.WorkInFrames(9, 0, 5)
	testkit.That(t, !ok, "a thread that is not there worked")
}
