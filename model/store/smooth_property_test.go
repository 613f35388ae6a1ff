package store

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
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
