package store_test

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// fillSession makes a session with the structure of a game's.
func fillSession(t testing.TB, o gen.Options) *store.Session {
	t.Helper()
	g := testkit.Must(gen.New(o))(t)
	s := store.NewSession()
	g.Fill(s)
	return s
}

// The work for a picture does not grow with the session: ten times the spans (eighty in the long form), at most twice the
// work. What is counted is nodes, spans, list entries, so that the test says the same on any
// machine.
func TestWorkOfLargeSessions(t *testing.T) {
	sizes := [2]int64{50_000, int64(testkit.Rounds(500_000, 4_000_000))}
	work := [2]map[string]int64{{}, {}}
	for i, count := range sizes {
		s, w := fillSession(t, gen.Options{Spans: count, Tracks: 4, Depth: 10, FrameSpans: 100, Seed: 1}), work[i]
		lo, hi, _ := s.Bounds()
		var ids []model.TrackID
		for id := range model.TrackID(s.NumTracks()) {
			ids = append(ids, id)
			for lane := range s.Track(id).Lanes() {
				w["bars of all"] += int64(len(s.Spans().Visible(id, lane, lo, hi, (hi-lo)/60, nil)))
				w["nodes for the bars of all"] += s.Spans().Visited()
				begin := lo + (hi-lo)/3 // as many frames in either session
				w["bars of a second"] += int64(len(s.Spans().Visible(id, lane, begin, begin+1e9, 16_666_667, nil)))
				w["nodes for the bars of a second"] += s.Spans().Visited()
			}
		}
		var tree spans.Tree
		for _, r := range []struct {
			name   string
			lo, hi int64
		}{{"all", lo, hi}, {"most", lo + (hi-lo)/7, hi - (hi-lo)/9}, {"a second", lo + (hi-lo)/3, lo + (hi-lo)/3 + 1e9}} {
			s.Spans().Tree(ids, r.lo, r.hi, &tree) // in this order: what was asked before helps
			w["entries for the tree of "+r.name] = tree.Visited
		}
		var strip frames.Strip
		s.Frames().Strip(frames.StripQuery{T0: lo, T1: hi, Columns: 200}, &strip)
		w["values of the strip"] = s.Frames().Visited()
		s.Spans().Next(0, math.MaxInt32, lo-1, 1) // there is none
		w["steps to the next span"] = s.Spans().Visited()
	}
	for name, small := range work[0] {
		large := work[1][name]
		testkit.That(t, large <= 2*small+64, "%s: %d of %d spans, %d of %d", name, small, sizes[0], large, sizes[1])
	}
}

// Statistics of five times the frames take no more than twice the work, once the blocks are made.
func TestWorkOfStatistics(t *testing.T) {
	var work [2]int64
	sizes := [2]int64{100_000, int64(testkit.Rounds(500_000, 2_000_000))}
	for i, count := range sizes {
		s := fillSession(t, gen.Options{Spans: count, Tracks: 1, FrameSpans: 20, Seed: 1})
		tr := s.Track(0)
		n := tr.NumFrames()
		for s.Frames().PrepareStats(0, false, 1<<20) {
		}
		for range 2 { // blocks above those made ahead are made by the first question
			s.Frames().AllStats(0, false, 500, n&^1023-500, nil)
		}
		work[i] = s.Frames().Visited()
	}
	testkit.That(t, work[1] <= 2*work[0], "%v for %v spans", work, sizes)
}

// A session of many tracks answers as one of few.
func TestThousandsOfTracks(t *testing.T) {
	tracks := testkit.Rounds(1000, 4000)
	s := fillSession(t, gen.Options{Spans: int64(tracks) * 100, Tracks: tracks, Depth: 4, FrameSpans: 20})
	testkit.MustEqual(t, s.NumTracks(), tracks, "tracks")
	var count, inTree, inBars int64
	ids := make([]model.TrackID, tracks)
	lo, hi, _ := s.Bounds()
	var bars []spans.Bar
	for i := range ids {
		ids[i] = model.TrackID(i)
		count += s.Track(ids[i]).NumSpans()
		for lane := range s.Track(ids[i]).Lanes() {
			bars = s.Spans().Visible(ids[i], lane, lo, hi, (hi-lo)/50, bars[:0])
			for _, b := range bars {
				inBars += int64(b.Count)
			}
		}
	}
	var tree spans.Tree
	s.Spans().Tree(ids, lo, hi+1, &tree)
	for _, n := range tree.Nodes {
		inTree += n.Count
	}
	testkit.That(t, count == int64(tracks)*100 && inBars == count && inTree == count,
		"%d spans stored, %d in bars, %d in the tree", count, inBars, inTree)
	m := s.Memory().Total() / int64(tracks)
	testkit.That(t, m <= 10<<10, "%d bytes a track", m)
}

// The times of a session may lie anywhere: what is far out is moved to the bounds, told, and drawn
// there.
func TestTimesNearTheEnds(t *testing.T) {
	for _, base := range []int64{math.MinInt64, math.MinInt64 + 5, -1 << 61, 1<<61 - 100_000, 1 << 62, math.MaxInt64 - 200_000} {
		s := store.NewSession()
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		b := &model.Batch{}
		for i := range int64(1000) {
			b.Spans = append(b.Spans, model.Span{Begin: base + i*100, End: base + i*100 + 50, Path: 1})
		}
		s.Append(b)
		var n int64
		for _, minNs := range []int64{0, 1, 1000, 1 << 40, math.MaxInt64} {
			n = 0
			for _, bar := range s.Spans().Visible(0, 0, math.MinInt64, math.MaxInt64, minNs, nil) {
				n += int64(bar.Count)
				testkit.That(t, bar.End >= bar.Begin && bar.Busy >= 0 && bar.Busy <= 1, "base %d, %d ns: %+v", base, minNs, bar)
			}
			testkit.Equal(t, n, 1000, "base %d, %d ns: bars of … spans", base, minNs)
		}
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, math.MinInt64, math.MaxInt64, &tree)
		var total int64
		for _, node := range tree.Nodes {
			total += node.Total
		}
		testkit.That(t, total >= 0 && total <= 1000*50, "base %d: %d ns in all", base, total)
	}
}

// Many spans that all overlap, all of no length, or in a lane below one of an hour: bars and
// tree stay right, memory stays in its bounds.
func TestManySpansInOneLane(t *testing.T) {
	n := int64(testkit.Rounds(50_000, 1_000_000))
	for _, c := range []struct {
		name string
		span func(i int64) model.Span
		most int64 // ns in the tree
	}{
		{"overlapping", func(i int64) model.Span { return model.Span{Begin: i, End: i + 10*n} }, 11 * n},
		{"the same", func(i int64) model.Span { return model.Span{Begin: 5, End: 5} }, 0},
		{"no length", func(i int64) model.Span { return model.Span{Begin: i * 10, End: i * 10} }, 0},
		{"backwards", func(i int64) model.Span { return model.Span{Begin: i * 10, End: i*10 - 1000} }, 0},
		{"descending", func(i int64) model.Span { return model.Span{Begin: -i, End: -i + 1} }, 1},
		{"long and short", func(i int64) model.Span { return model.Span{Begin: i << 33, End: i<<33 + i%2<<33} }, n << 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := store.NewSession()
			for p := model.PathID(1); p <= 300; p++ {
				s.Apply(model.PathDef{ID: p, Collector: model.CollectorID(p)})
			}
			b := &model.Batch{}
			for i := range n {
				sp := c.span(i)
				sp.Path = model.PathID(1 + i%300)
				if b.Spans = append(b.Spans, sp); len(b.Spans) == 500 {
					s.Append(b)
					b.Spans = b.Spans[:0]
				}
			}
			lo, hi, _ := s.Bounds()
			for _, minNs := range []int64{1, (hi - lo) / 1000, hi - lo + 1} {
				if minNs == 1 && n > 50_000 {
					continue
				}
				var count int64
				last := int64(math.MinInt64)
				for _, bar := range s.Spans().Visible(0, 0, lo, hi, minNs, nil) {
					count += int64(bar.Count)
					testkit.MustThat(t, bar.Begin >= last && bar.End >= bar.Begin && bar.Busy <= 1, "%+v after %d", bar, last)
					last = bar.End
				}
				testkit.Equal(t, count, n, "%d ns: bars of … spans", minNs)
			}
			var tree spans.Tree
			s.Spans().Tree([]model.TrackID{0}, lo, hi+1, &tree)
			var count int64
			for _, node := range tree.Nodes {
				count += node.Count
			}
			testkit.That(t, count == n && tree.Total <= c.most, "%d spans and %d ns in the tree", count, tree.Total)
			m := s.Memory()
			testkit.That(t, m.Spans+m.Pyramids <= n*60, "%+v", m)
		})
	}
}

// bigSpans is the size of the session that the cost rules are about.
const bigSpans = 10_000_000

// bigRows is how many rows its tracks have together.
const bigRows = 40

// big is a session of ten million spans, made once for all benchmarks.
var big = sync.OnceValues(func() (*store.Session, time.Duration) {
	g, err := gen.New(gen.Options{Spans: bigSpans, Tracks: 4, Depth: bigRows / 4, Seed: 1})
	if err != nil {
		panic(err)
	}
	s := store.NewSession()
	begin := time.Now()
	g.Fill(s)
	return s, time.Since(begin)
})

func bigSession(b *testing.B) *store.Session {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	s, _ := big()
	return s
}

// BenchmarkBigMemory reports what a span takes in sessions of all sorts of frames: those that a
// game sends have 20 to 400 spans.
func BenchmarkBigMemory(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	for _, c := range []struct {
		name string
		opt  gen.Options
	}{
		{"20", gen.Options{FrameSpans: 20}}, {"50", gen.Options{FrameSpans: 50}}, {"100", gen.Options{FrameSpans: 100}}, {"400", gen.Options{FrameSpans: 400}},
		{"mixed", gen.Options{}}, {"64 tracks", gen.Options{Tracks: 64}},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := c.opt
			o.Spans = 1_000_000
			g, err := gen.New(o)
			testkit.NoErr(b, err)
			var s *store.Session
			for b.Loop() {
				s = store.NewSession()
				g.Fill(s)
			}
			reportMemory(b, s, o.Spans)
		})
	}
	b.Run("10 million", func(b *testing.B) {
		s, took := big()
		for b.Loop() {
			s.Memory()
		}
		reportMemory(b, s, bigSpans)
		b.ReportMetric(bigSpans/took.Seconds()/1e6, "Mspans/s-fill")
	})
}

func reportMemory(b *testing.B, s *store.Session, spans int64) {
	m, n := s.Memory(), float64(spans)
	b.ReportMetric(float64(m.Spans)/n, "rowB/span")
	b.ReportMetric(float64(m.Pyramids)/n, "pyramidB/span")
	b.ReportMetric(float64(m.Frames)/n, "frameB/span")
	b.ReportMetric(float64(m.Totals)/n, "totalB/span")
	b.ReportMetric(float64(m.Other+m.Levels)/n, "otherB/span")
	b.ReportMetric(float64(m.Total())/n, "B/span")
}

// bigZooms are shares of the session that fill the screen.
var bigZooms = []int64{1, 4, 16, 64, 256, 1024, 8192, 65536}

// BenchmarkBigVisibleSpans asks for all rows at 1,920 pixels, three pixels to a bar, one pixel
// further each time: "pan" with bars of the same length, "zoom" with others in any two pictures, so
// that nothing can be used again.
func BenchmarkBigVisibleSpans(b *testing.B) {
	b.Run("pan", func(b *testing.B) { benchVisible(b, false) })
	b.Run("zoom", func(b *testing.B) { benchVisible(b, true) })
}

func benchVisible(b *testing.B, zooms bool) {
	s := bigSession(b)
	lo, hi, _ := s.Bounds()
	for _, share := range bigZooms {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			var bars []spans.Bar
			width := (hi - lo) / share
			from, at, n, rows := lo+(hi-lo)/2-width/2, int64(0), 0, 0
			to := int64(1920) // as far as the picture is wide
			if share == 1 {
				to = 64
			}
			b.ReportAllocs()
			for b.Loop() {
				t0 := from + at%to*width/1920
				at++
				rows = 0
				minNs := width * 3 / 1920
				if zooms {
					minNs += at & 1
				}
				for id := range model.TrackID(s.NumTracks()) {
					for lane := range s.Track(id).Lanes() {
						bars = s.Spans().Visible(id, lane, t0, t0+width, minNs, bars[:0])
						n += len(bars)
						rows++
					}
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "bars")
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(n), "ns/bar")
		})
	}
}

// BenchmarkBigStats asks for the statistics of a range of which one edge moves.
func BenchmarkBigStats(b *testing.B) {
	s := bigSession(b)
	n := s.Track(0).NumFrames()
	b.Run("first", func(b *testing.B) { // nothing was asked before
		var out []frames.Stats
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			s.Track(0).ForgetStats()
			b.StartTimer()
			out = s.Frames().AllStats(0, false, 0, n, out[:0])
		}
		b.ReportMetric(float64(n), "frames")
	})
	for _, name := range []string{"all", "one"} {
		b.Run(name, func(b *testing.B) {
			var out []frames.Stats
			b.ReportAllocs()
			at := 0
			for b.Loop() {
				at++
				if name == "one" {
					s.Frames().Stats(0, 1, false, at%3000, n-at%2000)
				} else {
					out = s.Frames().AllStats(0, false, at%3000, n-at%2000, out[:0])
				}
			}
			b.ReportMetric(float64(n), "frames")
			b.ReportMetric(float64(len(out)), "collectors")
		})
	}
}

// pipe is a pipeline src ! queue ! scale ! sink, through which n buffers go, one every 10 ms. Each waits
// in the queue for wait ns, and scale has it for work ns.
func pipe(n int, wait, work int64, sinkDrops float64) *store.Session {
	s := store.NewSession()
	names := []string{"src", "queue0", "scale0", "sink0"}
	for i, name := range names {
		s.Apply(model.ObjectDef{ID: model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectElement, Name: name})
	}
	s.Apply(model.LinkDef{ID: 0, From: 1, To: 2, Until: model.TimeUnknown, Flow: model.NoSeries})
	s.Apply(model.LinkDef{ID: 1, From: 2, To: 3, Until: model.TimeUnknown, Flow: model.NoSeries})
	track := func(id model.TrackID, name string, kind model.TrackKind, object, peer model.ObjectID) {
		s.Apply(model.TrackDef{ID: id, Name: name, Kind: kind, Object: object, Peer: peer})
		s.Apply(model.CollectorDef{ID: model.CollectorID(id + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(id + 1), Collector: model.CollectorID(id + 1)})
	}
	track(0, "src → sink0", model.TrackStream, 0, 3)
	track(1, "queue0", model.TrackElement, 1, model.NoObject)
	track(2, "scale0", model.TrackElement, 2, model.NoObject)
	track(3, "queue0:src", model.TrackThread, model.NoObject, model.NoObject)
	series := func(id model.SeriesID, name, group string, kind model.SeriesKind, role model.SeriesRole, unit string, of model.ObjectID) {
		s.Apply(model.SeriesDef{ID: id, Name: name, Group: group, Kind: kind, Role: role, Unit: unit, Track: model.NoTrack, Object: of, Peer: model.NoObject})
	}
	series(0, "queue0", "element-latency", model.SeriesValue, model.RoleLatency, "ns", 1)
	series(1, "scale0", "element-latency", model.SeriesValue, model.RoleLatency, "ns", 2)
	series(2, "queue0", "queue level buffers", model.SeriesGauge, model.RoleLevel, "", 1)
	series(3, "sink0", "qos dropped", model.SeriesCounter, model.RoleNone, "", 3)
	var spans [3][]model.Span
	b := model.Batch{Track: model.NoTrack}
	for i := range int64(n) {
		begin := i * 10e6
		at := [...]int64{begin, begin + wait, begin + wait + work}
		lane := uint16(i % 64)
		spans[0] = append(spans[0], model.Span{Begin: at[0], End: at[2], Path: 1, Lane: lane})
		spans[1] = append(spans[1], model.Span{Begin: at[0], End: at[1], Path: 2, Lane: lane})
		spans[2] = append(spans[2], model.Span{Begin: at[1], End: at[2], Path: 3})
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: at[1], Value: float64(wait)}, model.Sample{Series: 1, Time: at[2], Value: float64(work)},
			model.Sample{Series: 2, Time: begin, Value: float64(min(i, 30))})
	}
	if sinkDrops > 0 {
		b.Samples = append(b.Samples, model.Sample{Series: 3, Time: 15e6, Value: 2}, model.Sample{Series: 3, Time: int64(n) * 5e6, Value: sinkDrops})
	}
	for i := range spans {
		s.Append(&model.Batch{Track: model.TrackID(i), Spans: spans[i]})
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// What has buffers longest is told, and of a queue whom they wait for: who has the ones before for most
// of the time, or the sink where nobody who is measured does.
func TestFlowWhere(t *testing.T) {
	for _, c := range []struct {
		what       string
		wait, work int64
		drops      float64
		of         model.ObjectID
		want       []flow.How
		objects    []model.ObjectID
		shares     []float64
		dropped    float64
	}{
		{"behind the element", 300e6, 9e6, 0, model.NoObject, []flow.How{flow.Waits, flow.Behind}, []model.ObjectID{1, 2}, []float64{300. / 309, 0.9}, 0},
		{"behind the sink", 300e6, 2e6, 0, model.NoObject, []flow.How{flow.Waits, flow.Unmeasured}, []model.ObjectID{1, 3}, []float64{300. / 302, 0.8}, 0},
		{"in work", 1e6, 8e6, 0, model.NoObject, []flow.How{flow.Works}, []model.ObjectID{2}, []float64{8. / 9}, 0},
		{"of the one that is asked about", 300e6, 9e6, 0, 2, []flow.How{flow.Works}, []model.ObjectID{2}, []float64{9. / 309}, 0},
		{"dropped", 300e6, 9e6, 131, model.NoObject, []flow.How{flow.Waits, flow.Behind}, []model.ObjectID{1, 2}, []float64{300. / 309, 0.9}, 131},
	} {
		s := pipe(100, c.wait, c.work, c.drops)
		begin, end, _ := s.Bounds()
		var asker flow.Asker
		var a flow.Answer
		if !asker.Ask(s, model.NoTrack, c.of, begin, end+1, &a) || len(a.Chain) != len(c.want) {
			t.Errorf("%s: %+v", c.what, a)
			continue
		}
		for i := range a.Chain {
			l := &a.Chain[i]
			testkit.That(t, l.How == c.want[i] && l.Object == c.objects[i] && math.Abs(l.Share-c.shares[i]) <= 1e-9 &&
				l.Thread == 3, "%s: link %d is %+v", c.what, i, l)
		}
		testkit.That(t, a.Dropped == c.dropped && (c.dropped <= 0 || a.Dropper == 3),
			"%s: %v dropped by %d", c.what, a.Dropped, a.Dropper)
		f := a.Chain[0].Fill
		testkit.That(t, a.Chain[0].Object != 1 || f.Known && f.Most == 30 && f.Full(), "%s: fill %+v", c.what, f)
	}
}

// Drops are those of the range alone, and nothing is said of a range in which nothing set out.
func TestFlowWhereInARange(t *testing.T) {
	s := pipe(100, 300e6, 9e6, 131)
	var asker flow.Asker
	var a flow.Answer
	testkit.That(t, asker.Ask(s, model.NoTrack, model.NoObject, 100e6, 900e6, &a) && a.Dropped == 129, "%+v", a)
	testkit.That(t, !asker.Ask(s, model.NoTrack, model.NoObject, 5e9, 6e9, &a) && len(a.Chain) == 0,
		"of nothing it says %+v", a)
	testkit.That(t, !asker.Ask(s, model.NoTrack, 3, 0, 1e9, &a), "of the sink, which is not measured, it says %+v", a)
}

// TestDeepRewind takes back more frames than are remembered one by one, with messages and lock
// events of no frame among them.
func TestDeepRewind(t *testing.T) {
	s := store.NewSession()
	for i := range int64(1500) {
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10, End: i*10 + 10, Messages: []model.Message{{Time: i*10 + 1}}, Locks: []model.LockEvent{lockStep(i*10+1, model.LockAcquired, deepLock), lockStep(i*10+4, model.LockReleased, deepLock)}})
		s.Append(&model.Batch{Messages: []model.Message{{Time: i*10 + 2, Category: "loose"}}, Locks: []model.LockEvent{lockStep(i*10+8, model.LockSignal, deepLock)}})
	}
	for _, to := range []int64{1490, 1200, 100, 0} {
		s.Append(&model.Batch{HasFrame: true, Number: to, Begin: to * 10, End: to*10 + 1, Rewind: true})
		framed, loose := 0, 0
		for _, m := range s.Messages().Of(0, 0, math.MaxInt64, nil) {
			if m.Category == "loose" {
				loose++
			} else {
				framed++
			}
		}
		testkit.That(t, framed == int(to) && loose == 1500,
			"back to %d: %d messages of frames, %d loose ones", to, framed, loose)
		uses := s.Locks().Uses(deepLock, 0, math.MaxInt64, nil)
		testkit.That(t, len(uses) == int(to), "back to %d: %d uses", to, len(uses))
		testkit.Equal(t, len(s.Locks().Events(0, 0, math.MaxInt64, nil)), int(to)*2+1500, "back to %d: events", to)
	}
}

const deepLock model.CollectorID = 3

func lockStep(timeNs int64, kind model.LockKind, lock model.CollectorID) model.LockEvent {
	return model.LockEvent{Time: timeNs, Kind: kind, Lock: lock}
}

// Reset names the fields one by one: none may be forgotten.
func TestBatchReset(t *testing.T) {
	var b model.Batch
	v := reflect.ValueOf(&b).Elem()
	fields := v.NumField() - 1 // the last is room, as it is
	for i := range fields {
		switch f := v.Field(i); f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 3, 5))
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetInt(7)
		}
	}
	b.Reset()
	for i := range fields {
		f, name := v.Field(i), v.Type().Field(i).Name
		if f.Kind() == reflect.Slice {
			testkit.That(t, f.Len() == 0 && f.Cap() == 5, "%s has %d of %d values", name, f.Len(), f.Cap())
		} else if !f.IsZero() {
			t.Errorf("%s is %v", name, f)
		}
	}
}

func TestObjectsNeverLieInThemselves(t *testing.T) {
	s := store.NewSession()
	for _, d := range []model.ObjectDef{{ID: 0, Parent: 2}, {ID: 1, Parent: 0}, {ID: 2, Parent: 1}, {ID: 3, Parent: 3}, {ID: 4, Parent: -7}, {ID: 5, Parent: math.MaxInt32}, {ID: 6, Parent: 2}} {
		s.Apply(d)
	}
	want := map[model.ObjectID][]model.ObjectID{model.NoObject: {2, 3, 4, 5}, 2: {0, 6}, 0: {1}, 1: nil}
	for id, list := range want {
		testkit.NoDiff(t, gocmp.Diff(list, s.Topology().Children(id)), "in %d", id)
	}
	// A chain of a thousand is cut, but has all of them.
	for i := range model.ObjectID(1000) {
		s.Apply(model.ObjectDef{ID: 10 + i, Parent: 9 + i})
	}
	longest := 0
	for id := range model.ObjectID(len(s.Topology().Objects())) {
		n := 0
		for at := id; at != model.NoObject; n++ {
			o, _ := s.Topology().Object(at)
			at = o.Parent
			testkit.MustThat(t, n <= 1000, "object %d lies in itself", id)
		}
		longest = max(longest, n)
	}
	testkit.That(t, longest <= 258, "%d objects deep", longest)
}
