package model

import "math"

// Flow is an arrow from a moment of one track to a moment of another, or of the same: handed-on
// work, a woken thread. It belongs to the track of its batch, on which it ends. Its ends are the
// spans that run there at these moments.
type Flow struct {
	From, To  int64 // ns; To is that on the track of the batch. A clock that is not exact may have To < From
	FromTrack TrackID
	Name      FlowID
	// Chain identifies the chain of an arrow: the arrow that goes on where this one ends has the same
	// number. 0: there is no chain.
	Chain uint32
	// FromLane and ToLane are the rows of the spans at its ends, if the source has them; else NoLane: the
	// innermost span that runs at the time.
	FromLane, ToLane uint16
}

// NoLane is the row of an end of a flow with only its time known.
const NoLane = math.MaxUint16

// FlowID is the index of a name of flows within its session, dense from 0.
type FlowID int32

// FlowDef names the flows of an id.
type FlowDef struct {
	ID   FlowID
	Name string
}
