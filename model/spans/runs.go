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

// Runs appends to out the runs of every collector in the frame at a position, from begin to end,
// nested starts of the same collector merged (VIEWER.md section 12), ordered by collector
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
	runs := out[from:]
	x.host.Work.runs.sort(x.host.Collectors.Tree(), runs)
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

// runSorter sorts runs. Collectors are few, and in each lane the runs of one are in order of time:
// it sorts the collectors, distributes the runs to them, and sorts only those still out of order.
type runSorter struct {
	ranked []model.CollectorID
	ends   []int32 // by slot: behind the last run of the collector; 0 where it has none
	runs   []Run
}

func (x *runSorter) sort(h *model.Hierarchy, runs []Run) {
	x.ranked, x.runs = x.ranked[:0], append(x.runs[:0], runs...)
	x.ends = slices.Grow(x.ends[:0], len(h.All))[:len(h.All)]
	clear(x.ends)
	for i := range runs {
		slot := h.Slot(runs[i].Collector)
		if slot < 0 {
			slices.SortStableFunc(runs, func(a, b Run) int {
				return cmp.Or(h.CompareRank(a.Collector, b.Collector), compareTimes(a, b))
			})
			return
		}
		if x.ends[slot]++; x.ends[slot] == 1 {
			x.ranked = append(x.ranked, runs[i].Collector)
		}
	}
	slices.SortFunc(x.ranked, h.CompareRank)
	from := int32(0)
	for _, c := range x.ranked {
		end := &x.ends[h.Slot(c)]
		from, *end = from+*end, from
	}
	for i := range x.runs {
		end := &x.ends[h.Slot(x.runs[i].Collector)]
		runs[*end] = x.runs[i]
		*end++
	}
	from = 0
	for _, c := range x.ranked {
		to := x.ends[h.Slot(c)]
		if of := runs[from:to]; !slices.IsSortedFunc(of, compareTimes) {
			slices.SortStableFunc(of, compareTimes)
		}
		from = to
	}
}

// compareTimes orders runs of one collector: those around others first.
func compareTimes(a, b Run) int {
	if d := cmp.Compare(a.Begin, b.Begin); d != 0 {
		return d
	}
	return cmp.Compare(b.End, a.End)
}

// cut cuts a span to its part in a share; false: it has none.
func cut(s LaneShare, i int64, r *Run) bool {
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
