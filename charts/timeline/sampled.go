package timeline

import (
	"math/bits"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Stacks of a sampled program are deep at times and flat at others, and it starts and ends threads
// by the hundred. So its blocks are as high as what is in view, and threads that are gone lie in one
// row, unless they did something that is in view, or the user unfolds them.

const (
	goneNs    = 1_000_000_000 // who was heard of last so long before the end of the data is gone
	leastGone = 2             // a row for one thread would save nothing
)

// sampledKey is the part of time of which the depth is known: what is in view, in steps of a
// quarter, so that blocks change their height only now and then.
type sampledKey struct{ t0, t1 int64 }

// sampledTime returns it; the zero value where nothing is sampled.
func sampledTime(v *view.View) (key sampledKey) {
	if s := v.Session(); s == nil || !v.Time().Valid() || !s.Spans().AnySampled() {
		return key
	}
	begin, end := v.Time().Visible()
	step := int64(1) << bits.Len64(uint64(max(end-begin, 4)/4))
	key.t0 = begin / step * step
	if key.t0 > begin {
		key.t0 -= step
	}
	key.t1 = (end/step + 1) * step
	return key
}

// known tells whether the depth of a track is asked for.
func (k sampledKey) known(tr *store.Track) bool { return k != (sampledKey{}) && tr.NumFrames() == 0 }

// sampledDepth is how many lanes of a track have something in a part of time.
type sampledDepth struct {
	key   sampledKey
	spans int64 // that the track had then
	lanes int
}

// of returns it. Stacks have no holes, so it is searched for.
func (d *sampledDepth) of(s *store.Session, tr *store.Track, key sampledKey) int {
	if d.key == key && d.spans == tr.NumSpans() {
		return d.lanes
	}
	lo, hi := 0, tr.Lanes()
	var one [4]spans.Bar
	for lo < hi {
		mid := (lo + hi) / 2
		if len(s.Spans().Visible(tr.Def.ID, mid, key.t0, key.t1, key.t1-key.t0, one[:0])) > 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	*d = sampledDepth{key: key, spans: tr.NumSpans(), lanes: lo}
	return lo
}

// foldGone takes the threads that are no more, and lie in one row, from those that are shown.
func (t *Timeline) foldGone(v *view.View, tracks []model.TrackID) []model.TrackID {
	t.gone = t.gone[:0]
	if v.Look().GoneShown() || t.laid.sampled == (sampledKey{}) {
		return tracks
	}
	_, end, _ := v.Session().Bounds()
	isGone := func(id model.TrackID) bool {
		tr := v.Session().Track(id)
		if !t.laid.sampled.known(tr) || id == v.Track() {
			return false
		}
		first, last, ok := tr.Bounds()
		inView := last >= t.laid.sampled.t0 && first < t.laid.sampled.t1
		return ok && end-last >= goneNs && (!inView || view.TrackRank(tr) > 3)
	}
	for _, id := range tracks {
		if isGone(id) {
			t.gone = append(t.gone, id)
		}
	}
	if len(t.gone) < leastGone {
		t.gone = t.gone[:0]
		return tracks
	}
	return slices.DeleteFunc(tracks, isGone)
}

// drawGone draws the outermost spans of the threads of a row.
func (s *spanLane) drawGone(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	begin, end := env.View.Time().Visible()
	for i, id := range b.gone {
		from, to, ok := env.View.Session().Track(id).Bounds()
		if !ok || to < begin || from > end {
			continue
		}
		y := at.Y + s.laneY(env, b, i%foldedLanes)
		row := spanRow{track: id, y0: y, y1: y + env.Px(foldedLaneH) - 1, from: len(s.bars), thin: true}
		s.drawRow(p, env, &row)
		row.to = len(s.bars)
		s.rows = append(s.rows, row)
	}
}

// appendGone appends how many threads are gone.
func appendGone(b []byte, n int) []byte { return append(format.AppendCount(b, int64(n)), " ended"...) }

// labelGone writes how many threads a row stands for.
func (s *spanLane) labelGone(l *draw.List, row draw.Rect, n int, col draw.Color) {
	s.buf = appendGone(s.buf[:0], n)
	l.TextIn(draw.Medium, row, draw.Left, panel.ScratchText(s.buf), col)
}

// tipGone describes the label of such a row.
func tipGone(env *panel.Env, tip *panel.TipLines, tracks []model.TrackID) {
	const few = 8
	tip.Buf = append(appendGone(tip.Buf, len(tracks)), " threads"...)
	tip.End()
	tip.Add("Heard of last more than a second before the end")
	for _, id := range tracks[:min(len(tracks), few)] {
		tip.Add(env.View.Session().Track(id).Title())
	}
	if more := len(tracks) - few; more > 0 {
		tip.Text("and ").Count(int64(more)).Text(" more").End()
	}
	tip.Add("Click: a row for each")
}
