package messages

import (
	"framescope/model"
	"framescope/model/columns"
)

// Mark stands for the messages of a track that lie close together.
type Mark struct {
	Begin, End int64 // of the first and the last
	N          int64
	Severity   model.Severity // of the gravest
	First      model.Message
	Gravest    model.Message // the first of the highest severity
	Index      int64         // of First in Hit.Index: those of the mark have the next N numbers
}

// Marks appends to out the marks of a track's messages in [t0, t1], in order of time: those between
// two multiples of minNs, the time of a flag's width in pixels, are one mark. The multiples are
// fixed in time, so marks stay as they are while a picture pans; at the edges of the range they
// also stand for messages outside. Cost: O(marks · log n).
func (x *Table) Marks(track model.TrackID, t0, t1, minNs int64, out []Mark) []Mark {
	var visited int64
	return x.marks(track, t0, t1, minNs, out, &visited)
}

// marks also counts the messages and nodes that it looks at.
func (x *Table) marks(
	track model.TrackID, t0, t1, minNs int64, out []Mark, visited *int64,
) []Mark {
	n := x.part(track)
	t0, t1, minNs = model.ClampTime(t0), model.ClampTime(t1), min(max(minNs, 1), model.MaxTime)
	guess := int64(1)
	for i := n.from(model.FloorTo(t0, minNs)); i < n.rows.End(); {
		first := n.rows.Ref(i)
		begin := model.FloorTo(first.time, minNs)
		if begin > t1 {
			break
		}
		end := begin + minNs
		to := columns.SearchNear(i+1, n.rows.End(), i+guess,
			func(k int64) bool { *visited++; return n.rows.Ref(k).time >= end })
		guess = to - i // marks mostly stand for about as many as the one before
		worst := n.gravest(i, to, visited)
		m := Mark{
			Begin: first.time, End: n.rows.Ref(to - 1).time, N: to - i,
			Severity: n.rows.Ref(worst).severity, First: n.message(i), Index: i,
		}
		m.Gravest = m.First
		if worst != i {
			m.Gravest = n.message(worst)
		}
		out = append(out, m)
		i = to
	}
	return out
}
