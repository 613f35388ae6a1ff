package spans

import (
	"cmp"
	"slices"

	"framescope/model"
)

// Run is one bar of a piano roll.
type Run struct {
	Collector  model.CollectorID
	Begin, End int64
	Flags      model.SpanFlags
}

// Runs appends to out the runs of every collector in a frame from begin to end, nested starts of
// the same collector merged (pstats-viewer section 12), ordered by collector (descending sort, ties
// by descending id), then by time. Times are cut to the frame; a run that was cut has SpanOpenBegin
// or SpanOpenEnd. Where the next frame begins at the end of this one (shared), an instant there
// belongs to that.
func (x *Table) Runs(track model.TrackID, begin, end int64, shared bool, out []Run) []Run {
	t := x.track(track)
	if t == nil {
		return out
	}
	from := len(out)
	for _, l := range t.lanes {
		if l == nil {
			continue
		}
		for i := l.firstEndAt(begin); i < l.n; i++ {
			b, e := l.times(i)
			if b > end || b == end && shared {
				break
			}
			if e == begin && b < begin || b == end && e > end && end > begin {
				continue // only touches the frame
			}
			_, c := x.host.Paths.ByID(l.path(i))
			if c == model.NoCollector {
				continue
			}
			r := Run{Collector: c, Begin: b, End: e, Flags: model.SpanFlags(l.row(i).meta & metaFlags)}
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
