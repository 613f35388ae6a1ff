package messages

import "framescope/model"

// SearchWork returns how many messages all searches looked at.
func (x *Table) SearchWork() int64 { return x.searches.checked }

// MarksWork returns Marks, and how many messages and nodes were looked at for them.
func (x *Table) MarksWork(track model.TrackID, t0, t1, minNs int64) (marks []Mark, visited int64) {
	marks = x.marks(track, t0, t1, minNs, nil, &visited)
	return marks, visited
}
