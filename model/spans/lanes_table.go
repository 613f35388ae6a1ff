// File lanes_table.go stores the work of threads: the spans of each track in a stack of lanes, and data
// derived from a lane while it grows: the level of detail that bars are drawn from, sums by call
// path, lengths of calls, and the frames of spans if frames overlap. A Lane is read by position;
// Visible, the one query on rows alone, is here. Package spans has all others; it keeps its LaneTable
// private, as a holder of a LaneTrack may change it. It knows the model, call paths and columns; of
// frames only positions, for rewinds, and no collectors, series and sessions.

package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// LaneTable knows the tracks of a session that have spans.
type LaneTable struct {
	host   LaneHost
	tracks []*LaneTrack // those with lanes
	bars   *barCache    // made by the first query
	work   Work         // of the goroutine that owns the session
}

// LaneHost is the environment of the lanes of a session.
type LaneHost struct {
	Paths                  *PathTable
	Spans, Pyramids, Other *columns.Account
}

// Init makes the table ready.
func (x *LaneTable) Init(host LaneHost) {
	x.host = host
}

// Size returns the bytes that appending works in.
func (x *LaneTable) Size() int64 { return x.work.totals.Size() }

// Work returns the working memory for appends by the goroutine that owns the session.
func (x *LaneTable) Work() *Work { return &x.work }

// Track returns a track, nil if it has no lanes.
func (x *LaneTable) Track(id model.TrackID) *LaneTrack { return columns.Slot(x.tracks, id) }

// Tracks returns the tracks by id, nil where one has no lanes. The slice is not to be changed.
func (x *LaneTable) Tracks() []*LaneTrack { return x.tracks }

// Lane returns a lane, nil if it holds nothing.
func (x *LaneTable) Lane(track model.TrackID, lane int) *Lane {
	t := x.Track(track)
	if t == nil || uint(lane) >= uint(len(t.lanes)) {
		return nil
	}
	return t.lanes[lane]
}

// DropAnswers forgets the answers that are kept.
func (x *LaneTable) DropAnswers() {
	if x.bars != nil {
		x.bars.drop(x.host.Other)
	}
}

// Clear frees everything. The tracks have been cleared.
func (x *LaneTable) Clear() {
	if x.bars != nil {
		x.bars.drop(x.host.Other)
		x.bars = nil
		x.host.Other.Add(-columns.SizeOf[barCache]())
	}
	columns.LetGo(x.host.Other, x.tracks)
	x.tracks = nil
	x.work = Work{}
}
