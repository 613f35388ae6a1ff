package lanes

import (
	"framescope/model"
	"framescope/model/internal/sizes"
	"framescope/model/paths"
)

// AddTile adds to a tile what came with its frames, of which the first is at a position. Unlike
// AddTime it changes nothing, not even what is kept for the next question. Cost: O(spans in these
// frames), each of which is read once, in order.
func (t *Track) AddTile(position int64, y *paths.Tile) {
	for _, l := range t.lanes {
		if l == nil || l.n == l.first {
			continue
		}
		s, at, since := l.Whole(), l.n, int64(model.MinTime) // at is the first span that begins at since or later
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
				since = model.MinTime // its spans may end before those of the next frame begin
			}
			if t0 != since {
				at = l.FirstBeginAt(t0)
			}
			y.Frame = f
			at, since = l.addFrame(s, t0, t1, min(max(at, s.From), s.To), y), t1
		}
	}
}

// addFrame adds what of a share of the lane lies in [t0, t1), the time of a frame of a tile, of
// which from is the first span that begins in it. It returns the first one that begins later.
func (l *Lane) addFrame(s Share, t0, t1, from int64, y *paths.Tile) (to int64) {
	until := min(t1, s.End) // the last of them may have gone on, not in the share
	if from > l.first {
		since := t0
		if from == s.From { // it may have gone on into the share
			since = max(t0, s.Begin)
		}
		if min(l.End(from-1), until) > since {
			l.addPart(from-1, since, until, y)
		}
	}
	to = from + l.addTileRows(from, s.To, t0, t1, until, y)
	y.Visited += to - from
	if to == from || l.row(to-1).meta&(metaWide|metaMoved) != 0 {
		return to
	}
	if _, end := l.Times(to - 1); end > until {
		y.Add(l.Path(to-1), until-end, 0)
	}
	return to
}

// addTileRows adds the spans [from, end) as far as they begin before t1, and returns how many. Those
// that need no more than a row are added whole.
func (l *Lane) addTileRows(from, end, t0, t1, until int64, y *paths.Tile) (n int64) {
	at, masks, ns, stride, f := y.At, y.Masks, y.Ns, y.Stride, y.Frame
	for i := from; i < end; {
		c := l.chunks[(i>>sizes.ChunkShift)-l.firstChunk]
		k := i & chunkMask
		rows := c.rows[k:min(k|blockMask+1, int64(len(c.rows)), k+end-i)]
		limit := t1 - c.base[k>>sizes.BlockShift]
		for j := range rows {
			r := &rows[j]
			if r.meta&(metaWide|metaMoved) != 0 {
				if l.Begin(i+int64(j)) >= t1 {
					return i + int64(j) - from
				}
				l.addPart(i+int64(j), t0, until, y)
				masks, ns = y.Masks, y.Ns
				continue
			}
			if int64(r.begin) >= limit {
				return i + int64(j) - from
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
	return end - from
}
