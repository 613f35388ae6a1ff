package store

import (
	"math"
	"math/rand/v2"
	"slices"
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
