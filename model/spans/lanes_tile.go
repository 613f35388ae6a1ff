package spans

import (
	"framescope/model"
)

// AddTile adds to a tile the spans of its frames, the first of them at a position. Unlike AddTime
// it changes nothing, not even cached answers. Cost: O(spans in these frames), each read once, in
// order.
func (t *LaneTrack) AddTile(position int64, y *PathTile) {
	for _, l := range t.lanes {
		if l == nil || l.n == l.first {
			continue
		}
		w, s := tileWalk{l: l, y: y, next: unknown}, l.Whole()
		for f := range y.Frames {
			t0, t1 := model.ClampTime(y.Frames[f].Begin), model.ClampTime(y.Frames[f].End)
			if t0 >= t1 {
				continue
			}
			if t.Overlaps() {
				var ok bool
				if s, ok = l.ShareOf(t.SequenceOf(position + int64(f))); !ok {
					continue
				}
				w.next = unknown // its spans may end before those of the next frame begin
			}
			if w.next < t0 { // there are spans between the frames
				w.seek(min(max(l.FirstBeginAt(t0), s.From), s.To))
			}
			y.Frame = f
			w.frame(s, t0, t1)
		}
	}
}

// tileWalk goes along a lane, from frame to frame.
type tileWalk struct {
	l    *Lane
	y    *PathTile
	at   int64 // the span that it has come to
	next int64 // when that begins, MaxTime where there is none
	last int64 // when the one before it ends, MinTime where there is none

	block blockRows
}

// unknown is before every time: the walk has yet to find its place.
const unknown = model.MinTime - 1

// seek goes to a position.
func (w *tileWalk) seek(at int64) {
	w.at, w.next, w.last = at, model.MaxTime, model.MinTime
	if at < w.l.n {
		w.next = w.l.Begin(at)
	}
	if at > w.l.first {
		w.last = w.l.End(at - 1)
	}
}

// frame adds the part of a share of the lane in [t0, t1), the time of the tile's present frame, and
// goes to the first span that begins later. It has come to the first that begins in it.
func (w *tileWalk) frame(s LaneShare, t0, t1 int64) {
	from, until := w.at, min(t1, s.End) // the last of them may have gone on, not in the share
	since := t0
	if from == s.From { // the one before may have gone on into the share
		since = max(t0, s.Begin)
	}
	if min(w.last, until) > since {
		w.l.addPart(from-1, since, until, w.y)
	}
	if w.next >= t1 {
		return
	}
	w.rows(s.To, t0, t1, until)
	w.y.Visited += w.at - from
	if w.last <= until || w.at == from {
		return
	}
	if last := w.l.row(w.at - 1); last.meta&(metaWide|metaMoved) == 0 {
		w.y.Add(model.PathID(last.meta>>metaShift), until-w.last, 0)
	}
}

// rows adds the spans up to end as far as they begin before t1. Those that need no more than a row
// are added whole.
func (w *tileWalk) rows(end, t0, t1, until int64) {
	l, y := w.l, w.y
	at, masks, ns, stride, f := y.At, y.Masks, y.Ns, y.Stride, y.Frame
	for i := w.at; i < end; {
		rows, base := w.block.rowsFrom(l.chunk(i), i&chunkMask)
		rows = rows[:min(int64(len(rows)), end-i)]
		limit := t1 - base
		for j := range rows {
			r := &rows[j]
			if r.meta&(metaWide|metaMoved) != 0 {
				if l.Begin(i+int64(j)) >= t1 {
					w.seek(i + int64(j))
					return
				}
				l.addPart(i+int64(j), t0, until, y)
				masks, ns = y.Masks, y.Ns
				continue
			}
			if int64(r.begin) >= limit {
				if j == 0 || rows[j-1].meta&metaWide != 0 {
					w.seek(i + int64(j))
					return
				}
				before := &rows[j-1]
				w.at, w.next, w.last = i+int64(j), base+int64(r.begin), base+int64(before.begin)+int64(before.dur)
				return
			}
			p := r.meta >> metaShift
			k := at[p]
			if k == 0 {
				k = y.Row(model.PathID(p))
				masks, ns = y.Masks, y.Ns
			}
			masks[k] |= 1 << (f & 63)
			ns[int(k)*stride+f] += int64(r.dur)
		}
		i += int64(len(rows))
	}
	w.seek(end)
}
