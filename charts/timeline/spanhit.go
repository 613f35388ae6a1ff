package timeline

import (
	"framescope/charts/lanes"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/model"
)

// rowAt returns the lane that was drawn at a height, nil where none was. It reaches into the pixel
// between lanes, so that moving down a stack does not flicker.
func (s *spanLane) rowAt(pxY float32) *spanRow {
	for i := range s.rows {
		if row := &s.rows[i]; pxY >= row.y0 && pxY < row.y1+1 {
			return row
		}
	}
	return nil
}

// barAt returns the bar that was drawn at a point of the plot, nil where none was. One of a pixel or
// two is hard to meet: the nearest within two pixels counts.
func (s *spanLane) barAt(pxX, pxY float32) (*spanRow, *drawnBar) {
	const slop = 2
	row := s.rowAt(pxY)
	if row == nil {
		return nil, nil
	}
	i := s.barIndex(row, pxX)
	if i < row.to && s.bars[i].x0-pxX <= slop {
		return row, &s.bars[i]
	}
	if i > row.from && pxX-s.bars[i-1].x1 < slop {
		return row, &s.bars[i-1]
	}
	return row, nil
}

// barIndex returns the index of the first bar of a row that ends right of a position, row.to if none
// does.
func (s *spanLane) barIndex(row *spanRow, pxX float32) int {
	lo, hi := row.from, row.to
	for lo < hi {
		if mid := (lo + hi) / 2; s.bars[mid].x1 <= pxX {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// drawn returns the bar of a span where it was drawn by itself, nil where it was not.
func (s *spanLane) drawn(ref model.SpanRef) (*spanRow, *drawnBar) {
	for i := range s.rows {
		row := &s.rows[i]
		if row.track != ref.Track || row.lane != int(ref.Lane) {
			continue
		}
		for j := row.from; j < row.to; j++ {
			if d := &s.bars[j]; d.bar.Ref == ref && d.bar.Count == 1 {
				return row, d
			}
		}
	}
	return nil, nil
}

// Edges implements timepane.Snapper with the bars in the lane at a point.
func (s *spanLane) Edges(pxX, pxY float32, out []int64) []int64 {
	row := s.rowAt(pxY)
	if row == nil {
		return out
	}
	i := s.barIndex(row, pxX)
	for j := max(i-1, row.from); j <= i+1 && j < row.to; j++ {
		if bar := &s.bars[j].bar; bar.Count == 1 {
			out = append(out, bar.Begin, bar.End)
		}
	}
	return out
}

// Hit implements timepane.Lane.
func (s *spanLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	row, d := s.barAt(at.PxX, at.PxY)
	if d == nil {
		return false
	}
	hit.Collector, hit.Bar, hit.Rect = d.bar.Collector, d.bar, d.rect(row)
	hit.Frame = env.View.Session().Track(b.track).FrameCovering(d.bar.Begin - b.offset)
	if d.bar.Count > 1 {
		hit.Kind = panel.HitMerged
		lanes.MergedTip(env, p.Tip(), &d.bar, s.minNs)
		return true
	}
	hit.Kind = panel.HitSpan
	s.tips.Span(env, p.Tip(), b.track, &d.bar, b.offset)
	return true
}
