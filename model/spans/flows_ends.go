package spans

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Begin returns the span that an arrow begins in; false where there is none, or it left memory.
func (a *Arrow) Begin(x *Table) (Bar, bool) {
	return SpanAt(x, a.FromTrack, a.FromLane, a.From)
}

// End returns the span that an arrow leads to; false where there is none, or it left memory.
func (a *Arrow) End(x *Table) (Bar, bool) { return SpanAt(x, a.ToTrack, a.ToLane, a.To) }

// SpanAt returns the span that an end of an arrow belongs to: that of its lane, else the innermost.
func SpanAt(x *Table, track model.TrackID, lane uint16, timeNs int64) (Bar, bool) {
	if lane != model.NoLane {
		if b, ok := x.At(track, int(lane), timeNs, 0); ok {
			return b, true
		}
	}
	return x.Innermost(track, timeNs)
}

// mostOfSpan is how many arrows within a span are looked at for those that are its own.
const mostOfSpan = 2048

// OfSpan appends to in the arrows that lead to a span, and to out those that begin in it, in order of
// time. Those of the spans inside it are theirs. more means that there may be others: a query looks
// at 2,048 arrows either way.
func (x *FlowTable) OfSpan(s *Table, b *Bar, in, out []Arrow) (_, _ []Arrow, more bool) {
	if t := columns.Slot(x.in, b.Ref.Track); t != nil {
		looked := 0
		for i := t.from(b.Begin); i < t.rows.End() && t.rows.Ref(i).to <= b.End; i++ {
			if looked++; looked > mostOfSpan {
				more = true
				break
			}
			x.visited++
			a := t.rows.Ref(i).arrow(b.Ref.Track)
			if own, ok := a.End(s); ok && own.Ref == b.Ref {
				in = append(in, a)
			}
		}
	}
	if o := x.sorted(b.Ref.Track); o != nil {
		looked := 0
		for i := o.at(b.Begin); i < len(o.list) && o.list[i].from <= b.End; i++ {
			if looked++; looked > mostOfSpan {
				more = true
				break
			}
			x.visited++
			if o.list[i].hole() {
				continue
			}
			a := o.list[i].arrow(b.Ref.Track)
			if own, ok := a.Begin(s); ok && own.Ref == b.Ref {
				out = append(out, a)
			}
		}
	}
	return in, out, more
}

// Sum sums up the flows of one name.
type Sum struct {
	Name  model.FlowID
	N     int64
	Mean  float64 // ns, from where an arrow begins to where it ends
	Worst Arrow   // that took longest, the first of equals
	// NoBegin and NoEnd are how many of them begin, or end, where no span is that is known of.
	NoBegin, NoEnd int64
}

// Sums returns the flows that ended in [t0, t1), by name, the most frequent first. Cost: O(flows in
// the range · log spans).
func (x *FlowTable) Sums(s *Table, t0, t1 int64) []Sum {
	var list []Sum
	by := map[model.FlowID]int{}
	for id, t := range x.in {
		if t == nil {
			continue
		}
		for i := t.from(t0); i < t.rows.End() && t.rows.Ref(i).to < t1; i++ {
			a := t.rows.Ref(i).arrow(model.TrackID(id))
			k, ok := by[a.Name]
			if !ok {
				k = len(list)
				by[a.Name] = k
				list = append(list, Sum{Name: a.Name, Worst: a})
			}
			u := &list[k]
			u.N++
			u.Mean += (float64(a.Delay()) - u.Mean) / float64(u.N)
			if d := a.Delay() - u.Worst.Delay(); d > 0 || d == 0 && compareArrows(a, u.Worst) < 0 {
				u.Worst = a
			}
			if _, ok := a.Begin(s); !ok {
				u.NoBegin++
			}
			if _, ok := a.End(s); !ok {
				u.NoEnd++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Sum) int {
		if a.N != b.N {
			return int(min(1, max(-1, b.N-a.N)))
		}
		return int(a.Name - b.Name)
	})
	return list
}

// Place is where EndsOn goes on. The zero value is the first end.
type Place struct {
	in  int64 // position of the first arrow that ends on the track and was not seen yet
	out int   // and of those that begin on it
}

// EndsOn calls a function with the ends of arrows on a track from a place on, at most most: first those that
// end there, then those that begin there, each in the order of time. It returns where to go on, and whether
// that was all.
func (x *FlowTable) EndsOn(
	track model.TrackID, at Place, most int, report func(timeNs int64, lane uint16, name model.FlowID),
) (Place, bool) {
	if t := columns.Slot(x.in, track); t != nil {
		for at.in = max(at.in, t.first); at.in < t.rows.End() && most > 0; most-- {
			r := t.rows.Ref(at.in)
			report(r.to, r.toLane, r.name)
			at.in++
		}
	}
	o := x.sorted(track)
	if o == nil {
		return at, most > 0
	}
	for ; at.out < len(o.list) && most > 0; most-- {
		if e := &o.list[at.out]; !e.hole() {
			report(e.from, e.fromLane, e.name)
		}
		at.out++
	}
	return at, at.out >= len(o.list)
}
