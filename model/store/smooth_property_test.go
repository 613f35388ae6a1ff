package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Smoothed levels are the means of what the frames of the window have, however great those were that
// left it: the definition adds up, for each column anew. What the focus keeps for itself is cut at 0
// after that.
func TestSmoothedLevelsEqualPlainMeans(t *testing.T) {
	var strip frames.Strip
	rapid.Check(t, func(rt *rapid.T) {
		drawn, plain := randomSession(rt)
		p := plain[0]
		s := NewSession()
		for c := range drawn.Collectors().Len() {
			d := drawn.Collector(model.CollectorID(c))
			s.Apply(model.CollectorDef{ID: d.ID, Name: d.Name, Parent: d.Parent, Sort: d.Sort})
		}
		value := rapid.SampledFrom([]float64{0, 1, 0.1, 3.7, 250, 4096, -2, 1e9, 1e15, 1e25})
		for _, b := range p.frames {
			for i := range b.Levels {
				b.Levels[i].Value = value.Draw(rt, "level")
			}
			s.Append(b)
		}
		for range 2 {
			q := frames.StripQuery{
				Levels: true, Mode: frames.StripSmooth, Columns: rapid.IntRange(1, 60).Draw(rt, "columns"),
				Focus:    model.CollectorID(rapid.SampledFrom([]int{0, 0, 1, 5}).Draw(rt, "focus")),
				SmoothNs: rapid.SampledFrom([]int64{1000, 50_000, 3e9}).Draw(rt, "smooth"),
			}
			q.T0, q.T1 = someTime(rt, p, "t0"), someTime(rt, p, "t1")
			q.T0, q.T1 = min(q.T0, q.T1), max(q.T0, q.T1)+1
			s.Frames().Strip(q, &strip)
			for x := range strip.Columns {
				got := map[model.CollectorID]float64{}
				for k, c := range strip.Bands {
					got[c] = float64(strip.Values[x*len(strip.Bands)+k])
				}
				want, most := plainMeans(s, p, &q, q.ColumnTime(x))
				testkit.MustThat(rt, len(want) > 0 == (strip.Columns[x].State != frames.ColumnEmpty),
					"%+v: column %d is %+v, it has %v", q, x, strip.Columns[x], want)
				for c, v := range want {
					testkit.MustThat(rt, math.Abs(got[c]-v) <= 1e-6*most[c],
						"%+v: column %d, band %d: %v, want %v, of at most %v", q, x, c, got[c], v, most[c])
				}
			}
		}
	})
}

// plainMeans returns the mean of each band over the window that ends at a time, and the mean of the
// magnitudes that it is made of; empty where the time is none of the frames'.
func plainMeans(s *Session, p *plainTrack, q *frames.StripQuery, at int64) (mean, most map[model.CollectorID]float64) {
	mean, most = map[model.CollectorID]float64{}, map[model.CollectorID]float64{}
	first, last := p.frames[0], p.frames[len(p.frames)-1]
	if at < first.Begin || at >= last.Begin && at > last.End {
		return mean, most
	}
	then := max(at-q.SmoothNs, first.Begin)
	for i, b := range p.frames {
		from := first.Begin
		if i > 0 {
			from = p.frames[i-1].End
		}
		weight := float64(max(min(b.End, at)-max(from, then), 0)) / float64(max(at-then, 1))
		if at == then && i == 0 {
			weight = 1
		}
		alone, nets, _ := plainNets(s, b, true)
		add := func(c model.CollectorID, v, size float64) {
			mean[c] += v * weight
			most[c] += size * weight
		}
		size := 0.0
		for _, l := range b.Levels {
			size += math.Abs(l.Value)
		}
		for _, c := range s.Collectors().Children(q.Focus) {
			add(c, nets[c], size)
		}
		add(q.Focus, alone[q.Focus], size)
	}
	mean[q.Focus] = max(mean[q.Focus], 0)
	return mean, most
}

// A great level leaves nothing behind, whether blocks of frames are added up or frames, and what
// reports no more than those below it has nothing for itself.
func TestGreatLevelsLeaveNothing(t *testing.T) {
	s := NewSession()
	for c := range model.CollectorID(4) {
		s.Apply(model.CollectorDef{ID: c + 1, Name: string(rune('a' + c)), Parent: min(c, 1)})
	}
	for k := range int64(3000) {
		b := &model.Batch{HasFrame: true, Number: k, Begin: k * 1000, End: k*1000 + 1000, Levels: []model.Level{
			{Collector: 1, Value: 0.7}, {Collector: 2, Value: 0.4}, {Collector: 3, Value: 0.2}, {Collector: 4, Value: 0.1},
		}}
		if k < 300 {
			b.Levels[0].Value, b.Levels[1].Value = 3e25, 2e25
		}
		s.Append(b)
	}
	for _, q := range []frames.StripQuery{
		{T0: 0, T1: 3_000_000, Columns: 100, SmoothNs: 200_000}, {T0: 250_000, T1: 400_000, Columns: 1000, SmoothNs: 10_000},
	} {
		var strip frames.Strip
		q.Focus, q.Levels, q.Mode = 1, true, frames.StripSmooth
		for range 2 {
			s.Frames().Strip(q, &strip)
		}
		_, sums := strip.Kept()
		testkit.That(t, (sums > 0) == (q.Columns == 100), "%d columns: %d sums are kept", q.Columns, sums)
		checked := 0
		for x, col := range strip.Columns {
			if q.ColumnTime(x) <= 300_000+q.SmoothNs {
				continue
			}
			checked++
			testkit.MustThat(t, math.Abs(float64(col.Net)-0.7) <= 1e-6,
				"%d columns: column %d has %v in all, each of its frames 0.7", q.Columns, x, col.Net)
			for k, c := range strip.Bands {
				v, want := float64(strip.Values[x*len(strip.Bands)+k]), [...]float64{0, 0, 0.4, 0.2, 0.1}[c]
				testkit.MustThat(t, math.Abs(v-want) <= 1e-6,
					"%d columns: column %d: %v of %d, want %v", q.Columns, x, v, c, want)
			}
		}
		testkit.That(t, checked >= 50, "%d columns were checked", checked)
	}
}

// Where a frame has many columns, a smoothed strip reads it a few times and not for each column, and
// shows what each column on its own shows.
func TestSmoothingOfManyColumnsPerFrame(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 30, 60, 6)
	for range 300 {
		s.Append(g.frame())
	}
	tr := s.Track(0)
	const columns, shown = 2000, 50
	var all, one frames.Strip // used again and again: what they keep must never show
	for step, first := range []int{100, 101, 140, 20, 0} {
		begin, end := tr.Frame(first).Begin+int64(step)*100, tr.Frame(first+shown).End
		window := (end - begin) / int64(1+step*7)
		for _, levels := range []bool{false, true} {
			q := frames.StripQuery{
				T0: begin, T1: end, Columns: columns, Mode: frames.StripSmooth, SmoothNs: window, Levels: levels,
			}
			s.Frames().Strip(q, &all)
			const read = 5 * 2 * shown // what is in view and in the window before it
			work := s.Frames().Visited()
			testkit.That(t, work <= columns*int64(len(all.Bands))+read,
				"from frame %d: %d values and frames read of %d bands", first, work, len(all.Bands))
			for x := step; x < columns; x += 13 {
				alone := q
				alone.T0, alone.T1, alone.Columns = q.ColumnTime(x), end+1e9, 1
				s.Frames().Strip(alone, &one)
				if a, b := float64(all.Columns[x].Net), float64(one.Columns[0].Net); math.Abs(a-b) > 1e-6*math.Abs(b) {
					t.Fatalf("from frame %d, column %d: %v, on its own %v", first, x, a, b)
				}
				for k, c := range all.Bands {
					want := float32(0)
					for i, d := range one.Bands {
						if d == c {
							want = one.Values[i]
						}
					}
					got := all.Values[x*len(all.Bands)+k]
					testkit.MustThat(t, math.Abs(float64(got-want)) <= 1e-6*math.Abs(float64(want)),
						"from frame %d, column %d, band %d: %v, on its own %v", first, x, c, got, want)
				}
			}
		}
	}
}

// Where a column has many frames, a smoothed strip whose edges move reads those that are new: of the
// others it has the sums, also of the frames at both ends of each column's window.
func TestSmoothingReadsWhatIsNew(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 8, 60, 6)
	for range 4000 {
		s.Append(g.frame())
	}
	tr := s.Track(0)
	const columns = 200
	var strip, anew frames.Strip
	for step := range int64(20) {
		begin, end := tr.Frame(200+int(step)).Begin+step*100, tr.Frame(3900+int(step)).End
		q := frames.StripQuery{T0: begin, T1: end, Columns: columns, Mode: frames.StripSmooth, SmoothNs: (end - begin) / 50}
		s.Frames().Strip(q, &strip)
		const fresh = 8 // of a step: what a window has in part is not among the sums
		work := s.Frames().Visited()
		testkit.That(t, step <= 0 || work <= columns*int64(len(strip.Bands))+fresh,
			"step %d: %d values and frames read for %d columns of %d bands", step, work, columns, len(strip.Bands))
		anew = frames.Strip{}
		s.Frames().Strip(q, &anew)
		for x := range anew.Columns {
			a, b := float64(strip.Columns[x].Net), float64(anew.Columns[x].Net)
			testkit.MustThat(t, math.Abs(a-b) <= 1e-6*math.Abs(b), "step %d, column %d: %v, anew %v", step, x, a, b)
		}
	}
}

// A tree of all there is walks, of the block that is not closed, what came since the tree before;
// and what was taken back is in none.
func TestTreeOfAllGoesOn(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(5, 5)), s, 8, 20, 6)
	g.spansPerFrame = 3
	ask := func(s *Session) spans.Tree {
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, model.MinTime, model.MaxTime, &tree)
		return tree
	}
	var sent []*model.Batch
	var most, least int64
	for range columns.FlameMinBlock {
		b := g.frame()
		s.Append(b)
		sent = append(sent, b)
		first := ask(s)
		again := ask(s)
		testkit.MustEqualSlices(t, first.Nodes, again.Nodes, "%v, asked again %v", first.Nodes, again.Nodes)
		most, least = max(most, first.Visited), again.Visited
	}
	lanes := int64(s.Track(0).Lanes())
	bound := lanes * (columns.FlameMinBlock/4 + 64)
	testkit.That(t, most <= bound && least <= bound, "%d and %d steps, of %d lanes", most, least, lanes)
	for back := 1; back < 60; back += 7 { // and other frames come in their place
		f := s.Track(0).Frame(s.Track(0).NumFrames() - back)
		empty := model.Batch{HasFrame: true, Number: f.Number, Begin: f.Begin, End: f.End}
		rewound := empty
		rewound.Rewind = true
		s.Append(&rewound)
		sent = append(sent[:len(sent)-back], &empty)
		for range 60 {
			b := g.frame()
			s.Append(b)
			sent = append(sent, b)
		}
		fresh := NewSession()
		newGame(rand.New(rand.NewPCG(5, 5)), fresh, 8, 20, 6) // defines the same
		for _, b := range sent {
			fresh.Append(b)
		}
		got, want := ask(s), ask(fresh)
		testkit.MustThat(t, slices.Equal(got.Nodes, want.Nodes),
			"%d frames taken back: %v, want %v", back, got.Nodes, want.Nodes)
	}
}

// Following and panning a chart in StripMax gives what a fresh one gives, and reads each frame
// once.
func TestNetCacheFollowsThePan(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(6, 6)), s, 12, 40, 6)
	fill(s, g, 0, 60_000)
	var kept frames.Strip
	rng := rand.New(rand.NewPCG(1, 1))
	lo, hi, _ := s.Bounds()
	width := (hi - lo) / 20
	at := lo + (hi-lo)/2
	for step := range 120 {
		switch {
		case step%30 == 29:
			at = lo + rng.Int64N(hi-lo-width)
		case step%60 < 30:
			at = max(at-rng.Int64N(width), lo)
		default:
			at = min(at+rng.Int64N(width), hi-width)
		}
		if step%25 == 24 {
			again := *fill(s, g, 0, 500).frames[0]
			again.Rewind = true
			s.Append(&again)
			g.number, g.now = again.Number+1, again.End
			g.open = nil
		}
		q := frames.StripQuery{T0: at, T1: at + width, Columns: 200, Mode: frames.StripMax, Levels: step%40 > 30}
		var fresh frames.Strip
		s.Frames().Strip(q, &fresh)
		s.Frames().Strip(q, &kept)
		testkit.MustEqualSlices(t, kept.Columns, fresh.Columns, "step %d", step)
		testkit.MustEqualSlices(t, kept.Values, fresh.Values, "step %d", step)
	}
}

func TestRevisions(t *testing.T) {
	s := NewSession()
	rev, defs := s.Revision(), s.DefsRevision()
	step := func(what string, f func(), wantDefs bool) {
		t.Helper()
		f()
		testkit.That(t, s.Revision() != rev, "%s: same revision", what)
		testkit.Equal(t, s.DefsRevision() != defs, wantDefs, "%s: definitions changed: %v", what, !wantDefs)
		rev, defs = s.Revision(), s.DefsRevision()
	}
	step("collector", func() { s.Apply(model.CollectorDef{ID: 1, Name: "A"}) }, true)
	step("the same again", func() { s.Apply(model.CollectorDef{ID: 1, Name: "A"}) }, false)
	step("track", func() { s.Apply(model.TrackDef{ID: 0, Name: "Main"}) }, true)
	step("path", func() { s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1}) }, true)
	step("frame", func() { frame(s, 1, 0, 10, model.Batch{Self: []model.CollectorTime{{Collector: 1, Ns: 5, Count: 1}}}) }, false)
	step("frame with a new collector", func() {
		frame(s, 2, 10, 20, model.Batch{Self: []model.CollectorTime{{Collector: 9, Ns: 5, Count: 1}}})
	}, true)
	step("track end", func() { s.Apply(model.TrackEnd{ID: 0}) }, true)
	step("loss", func() { s.Apply(model.Loss{Reason: model.LossRing, N: 1, Track: 0, Detail: "ring"}) }, false)
	testkit.That(t, !s.Track(0).Alive && s.Track(0).Title() == "Main" && s.Track(0).Losses()[model.LossRing] == 1,
		"track is wrong")
	for want, def := range map[string]model.TrackDef{"Thread 4": {ID: 1, Index: 4}, "GPU 5": {ID: 1, Kind: model.TrackGPU, Index: 5}, "Stream 6": {ID: 1, Kind: model.TrackStream, Index: 6}} {
		s.Apply(def)
		testkit.Equal(t, s.Track(1).Title(), want, "title")
	}
}

func TestStoreForgetsSessions(t *testing.T) {
	var st Store
	a, b := st.NewSession(), st.NewSession()
	st.Remove(a)
	st.Remove(a)
	got := st.Sessions()
	testkit.That(t, len(got) == 1 && got[0] == b, "%v", got)
}

func TestLossLinesAreTheNewest(t *testing.T) {
	s := NewSession()
	for i := range 100 {
		s.Apply(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 1, Detail: strings.Repeat("x", i)})
	}
	n, lines := s.Losses()
	testkit.That(t, n[model.LossMalformed] == 100 && len(lines) == 64 && len(lines[63]) == 99 && len(lines[0]) == 36,
		"%d lines", len(lines))
}

func TestBoundsLeaveOutOwnClocks(t *testing.T) {
	s := NewSession()
	_, _, ok := s.Bounds()
	testkit.That(t, !ok, "bounds of nothing")
	s.Apply(model.TrackDef{ID: 1, OwnClock: true})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: 900, End: 1000}}})
	lo, hi, ok := s.Bounds()
	testkit.That(t, lo == 900 && hi == 1000 && ok, "bounds %d, %d, %v", lo, hi, ok)
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 5, End: 10}}})
	lo, hi, ok = s.Bounds()
	testkit.That(t, lo == 5 && hi == 10 && ok, "bounds %d, %d, %v", lo, hi, ok)
}

func TestClockStep(t *testing.T) { // PROTOCOL.md section 7: 0.24 ms after an hour
	c := model.Clock{Float32Seconds: true}
	for at, want := range map[int64]float64{3600e9: 1e9 / 4096, 1e9: 1e9 / (1 << 23), -3600e9: 1e9 / 4096, 0: 1} {
		got := float64(c.Step(at))
		testkit.That(t, math.Abs(got-want) <= 0.5, "step at %d: %v, want %v", at, got, want)
	}
	testkit.That(t, (model.Clock{}).Step(5) == 1 && (model.Clock{StepNs: 1000}).Step(5) == 1000, "fixed steps")
}

// A clock that runs backwards: frames stay in order of number, times are found from the newest
// frame that began by then.
func TestClockRunsBackwards(t *testing.T) {
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	for i, begin := range []int64{100, 200, 0, 210, 300} {
		frame(s, int64(i), begin, begin+50, model.Batch{Spans: []model.Span{{Begin: begin, End: begin + 50, Path: 1}}})
	}
	tr := s.Track(0)
	for at, want := range map[int64]int{99: -1, 150: 0, 205: 2, 220: 3, 999: 4} {
		testkit.Equal(t, tr.FrameAt(at), want, "FrameAt(%d) =", at)
	}
	last := int64(math.MinInt64)
	for _, b := range s.Spans().Visible(0, 0, 0, 1000, 0, nil) {
		testkit.That(t, b.Begin >= last, "bars overlap")
		last = b.End
	}
	testkit.That(t, tr.FrameRate(sec) > 0, "no frame rate")
}

// A definition may come after its first use, and a batch may name what nobody defines.
func TestUseBeforeDefinition(t *testing.T) {
	s := NewSession()
	s.Append(&model.Batch{Track: 3, HasFrame: true, Number: 1, Begin: 0, End: 10, Self: []model.CollectorTime{{Collector: 6, Ns: 10, Count: 1}}, Levels: []model.Level{{Collector: 7, Time: 1, Value: 2}}, Spans: []model.Span{{Begin: 0, End: 10, Path: 4}}})
	testkit.That(t, s.NumTracks() == 4 && s.Track(3).NumFrames() == 1 && s.Collectors().Len() == 8 &&
		s.Collector(6).Name == "#6", "%d tracks, %d collectors", s.NumTracks(), s.Collectors().Len())
	bands, net := s.Frames().OpenBands(3, 0, 0, 0, false, nil)
	testkit.That(t, len(bands) == 1 && bands[0].Collector == 6 && net == 10e-9, "%+v, %v", bands, net)
	s.Apply(model.CollectorDef{ID: 6, Name: "late", Parent: 2})
	s.Apply(model.TrackDef{ID: 3, Name: "late"})
	bands, _ = s.Frames().OpenBands(3, 0, 0, 0, false, nil)
	testkit.That(t, len(bands) == 1 && bands[0].Collector == 2 && s.Collector(2).HasTime == true, "%+v", bands)
	b, ok := s.Spans().At(3, 0, 5, 0)
	testkit.That(t, ok && b.Path == model.PathRoot && b.Collector == model.NoCollector, "%+v, %v", b, ok)
}

// Smoothing by way of sums of blocks gives what reading frame by frame gives, while the view pans,
// follows and rewinds.
func TestSmoothingOfManyFramesPerColumn(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(9, 9)), s, 12, 40, 6)
	g.spansPerFrame = 4
	for range 4000 {
		s.Append(g.frame())
	}
	var kept, plain frames.Strip
	rng := rand.New(rand.NewPCG(1, 1))
	used := 0
	for step := range 30 {
		lo, hi, _ := s.Bounds()
		width := (hi - lo) / int64(1+rng.IntN(4))
		at := lo + rng.Int64N(hi-lo-width+1)
		q := frames.StripQuery{T0: at, T1: at + width, Columns: 40, Mode: frames.StripSmooth, SmoothNs: 1 + rng.Int64N(width), Levels: step%7 == 3}
		s.Frames().Strip(q, &kept)
		if _, sums := kept.Kept(); sums > 0 {
			used++
		}
		if step%10 == 9 {
			tr := s.Track(0)
			f := tr.Frame(tr.NumFrames() - 20)
			s.Append(&model.Batch{HasFrame: true, Rewind: true, Number: f.Number, Begin: f.Begin, End: f.End, Self: []model.CollectorTime{{Collector: 2, Ns: 500, Count: 1}}})
		}
		for range 30 {
			s.Append(g.frame())
		}
		s.Frames().Strip(q, &kept)
		// One column at a time has too few frames in view for the cache of a strip of its own.
		for x := 0; x < q.Columns; x += 7 {
			one := q
			one.T0, one.T1, one.Columns = q.ColumnTime(x), q.ColumnTime(x)+1, 1<<12
			s.Frames().Strip(one, &plain)
			got, want := map[model.CollectorID]float32{}, map[model.CollectorID]float32{}
			for k, c := range kept.Bands {
				got[c] = kept.Values[x*len(kept.Bands)+k]
			}
			for k, c := range plain.Bands {
				want[c] = plain.Values[k]
			}
			for c, v := range want {
				testkit.MustThat(t, math.Abs(float64(got[c]-v)) <= 1e-5*math.Abs(float64(v))+1e-15,
					"step %d, column %d, band %d: %v, want %v", step, x, c, got[c], v)
				delete(got, c)
			}
			for c, v := range got {
				testkit.MustThat(t, math.Abs(float64(v)) <= 1e-15, "step %d, column %d, band %d: %v, want none", step, x, c, v)
			}
			testkit.MustThat(t, kept.Columns[x].State == plain.Columns[0].State,
				"step %d, column %d: %+v, want %+v", step, x, kept.Columns[x], plain.Columns[0])
		}
		_, sums := plain.Kept()
		testkit.MustThat(t, sums <= 0, "the plain strip used the cache")
	}
	testkit.That(t, used >= 20, "the cache was used %d times", used)
}
