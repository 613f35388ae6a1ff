package spans

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/lanes"
)

// Run is one bar of a piano roll.
type Run struct {
	Collector  model.CollectorID
	Begin, End int64
	Flags      model.SpanFlags
}

// Runs appends to out the runs of every collector in the frame at a position, from begin to end,
// nested starts of the same collector merged (pstats-viewer section 12), ordered by collector
// (descending sort, ties by descending id), then by time. Times are cut to the frame; a run that
// was cut has SpanOpenBegin or SpanOpenEnd. Where the next frame begins at the end of this one
// (shared), an instant there belongs to that.
func (x *Table) Runs(track model.TrackID, position, begin, end int64, shared bool, out []Run) []Run {
	t := x.lanes.Track(track)
	if t == nil {
		return out
	}
	from, sequence := len(out), t.SequenceOf(position)
	for _, l := range t.Stack() {
		if l == nil {
			continue
		}
		s, ok := l.ShareOf(sequence)
		if !ok {
			continue
		}
		for i := max(l.FirstEndAt(begin), s.From-1, l.First()); i < s.To; i++ {
			r := Run{Flags: l.Flags(i)}
			r.Begin, r.End = l.Times(i)
			if !cut(s, i, &r) {
				continue
			}
			b, e := r.Begin, r.End
			if b > end || b == end && shared {
				break
			}
			if e < begin || e == begin && b < begin || b == end && e > end && end > begin {
				continue // only touches the frame
			}
			if _, r.Collector = x.host.Paths.ByID(l.Path(i)); r.Collector == model.NoCollector {
				continue
			}
			if b < begin {
				r.Begin, r.Flags = begin, r.Flags|model.SpanOpenBegin
			}
			if e > end {
				r.End, r.Flags = end, r.Flags|model.SpanOpenEnd
			}
			out = append(out, r)
		}
	}
	h := x.host.Collectors.Tree()
	runs := out[from:]
	slices.SortFunc(runs, func(a, b Run) int {
		if d := h.CompareRank(a.Collector, b.Collector); d != 0 {
			return d
		}
		if d := cmp.Compare(a.Begin, b.Begin); d != 0 {
			return d
		}
		return cmp.Compare(b.End, a.End)
	})
	k := 0
	for _, r := range runs {
		if k > 0 {
			last := &runs[k-1]
			if last.Collector == r.Collector && (r.Begin < last.End || r.Begin == last.Begin) {
				if r.End > last.End {
					last.End = r.End
					last.Flags = last.Flags&^model.SpanOpenEnd | r.Flags&model.SpanOpenEnd
				}
				continue
			}
		}
		runs[k] = r
		k++
	}
	return out[:from+k]
}

// cut cuts a span to its part in a share; false: it has none.
func cut(s lanes.Share, i int64, r *Run) bool {
	if i < s.From {
		if r.End <= s.Begin {
			return false
		}
		r.Begin, r.Flags = s.Begin, r.Flags|model.SpanOpenBegin
	}
	if r.End > s.End {
		r.End, r.Flags = s.End, r.Flags|model.SpanOpenEnd
	}
	return true
}
