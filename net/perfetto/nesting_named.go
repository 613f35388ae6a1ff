package perfetto

import "framescope/net/trace"

const (
	leastSlices = 10 // spans of a name that make frames
	deepest     = 3  // how many rows down these may be
)

// Named returns the spans of a name among rows that were paired, as frames; nil where they are few, deep or
// inside each other. last is when those end that have no end. Of a name that is wanted one is enough, and
// what lies in another is a part of it.
func Named(rows []Row, name uint32, last int64, wanted bool) (list []trace.Border) {
	depth := 0
	for i := range rows {
		r := &rows[i]
		if r.Ends() {
			depth = max(depth-1, 0)
			continue
		}
		depth++
		if r.Text != name || depth > deepest && !wanted {
			continue
		}
		f := trace.Border{Number: int64(len(list)), Begin: r.Time, End: last, Open: r.Open()}
		if !f.Open {
			f.End = rows[r.ord].Time
		}
		within := len(list) > 0 && list[len(list)-1].End > r.Time
		if within && !wanted {
			return nil
		}
		if within || wanted && f.End <= f.Begin {
			continue
		}
		list = append(list, f)
	}
	if len(list) < leastSlices && !wanted {
		return nil
	}
	return list
}
