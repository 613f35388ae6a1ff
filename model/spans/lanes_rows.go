package spans

import (
	"math"

	"framescope/model"
)

// AppendRows is Append for spans that come lane by lane.
func (t *LaneTrack) AppendRows(runs []model.RowRun, framed bool, known int, work *Work, r *Appended) {
	work.totals.Grow(known)
	for i := range runs {
		x := &runs[i]
		begin, end := x.FirstBegin(), x.LastEnd()
		if x.Lane >= MaxLanes || int64(x.Most) >= int64(known) || begin < model.MinTime || end < begin ||
			end > model.MaxTime {
			t.appendEach(x, framed, known, work, r)
			continue
		}
		l := t.laneFor(int(x.Lane))
		if begin < l.lastEnd {
			t.appendEach(x, framed, known, work, r)
			continue
		}
		if l.touched != t.frame {
			t.touch(l, x.Lane, framed)
		}
		l.appendRows(x, work)
		r.Lo, r.Hi = min(r.Lo, begin), max(r.Hi, end)
		r.began(len(x.Rows))
	}
}

// appendEach adds the spans of a run one by one.
func (t *LaneTrack) appendEach(x *model.RowRun, framed bool, known int, work *Work, r *Appended) {
	for i := range x.Rows {
		s := x.Span(i)
		t.appendOne(&s, known, framed, false, work, r)
	}
}

// appendRows adds spans behind the last one. The first begins at lastEnd or later.
func (l *Lane) appendRows(x *model.RowRun, work *Work) {
	for at := 0; at < len(x.Rows); {
		if l.n >= l.ready {
			l.prepare(l.n, x.Begin+int64(x.Rows[at].Begin), work)
		}
		n := min(len(x.Rows)-at, int(l.ready-l.n))
		rows := x.Rows[at : at+n]
		offset := x.Begin - l.tailBase
		if last := offset + int64(rows[n-1].Begin); last > math.MaxUint32 {
			s := x.Span(at)
			l.append(s.Begin, s.End, s.Path, 0, work)
			at++
			continue
		}
		k := len(l.tail.rows)
		l.tail.rows = l.tail.rows[:k+n]
		to := l.tail.rows[k:][:len(rows)]
		for i := range to {
			r := &rows[i]
			to[i] = lanesRow{r.Begin + uint32(offset), r.Ns, uint32(r.Path) << metaShift}
		}
		l.n += int64(n)
		at += n
	}
	l.lastEnd = x.LastEnd()
}
