// Package spans holds what threads did: the spans of each track in lanes, what is derived from them
// (level of detail, sums by call path, lengths of calls), and the questions on them: what is to be
// seen, call trees, longest and next calls, statistics of calls, CPU time, the way of a thing
// through a pipeline. Table answers; Keeper and Track change it, and are the session's. It knows
// the model, call paths, collectors, series and what sampled stacks add up to, and of sessions only
// what Host says; of frames only positions, for rewinds.
package spans

import (
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/columns"
	"framescope/model/paths"
	"framescope/model/series"
	"framescope/model/stacks"
)

// Table knows what the threads of a session did.
//
// Its methods are questions. What changes it is Keeper's and Track's, which the session keeps to
// itself.
type Table struct {
	host    Host
	tracks  []*Track     // by id, nil where no span came yet
	stacks  stacks.Table // what is made of sampled stacks
	bars    *barCache    // made by the first question
	visited int64        // see Visited
}

// Host is what the session gives to its spans.
type Host struct {
	Collectors *collectors.Table
	Paths      *paths.Table
	Series     *series.Table
	Revision   *uint64 // changes with whatever an answer depends on
	// Kind returns of what kind a track is.
	Kind func(model.TrackID) model.TrackKind
	// Work is what questions work in. Sessions share it, as one goroutine asks them all.
	Work *Scratch

	Spans, Pyramids, Other *columns.Account
}

// Scratch is the memory that single questions work in. The zero value is ready.
type Scratch struct {
	walk barWalk
	sums statWork
}

// Keeper is a table and what changes it.
type Keeper struct {
	Table
	closing closing // of blocks that close during an append
}

// Init makes the table ready.
func (x *Keeper) Init(host Host) {
	x.host = host
	x.stacks.Init(host.Pyramids)
}

// Size returns the bytes that appending works in.
func (x *Keeper) Size() int64 { return x.closing.totals.Size() }

// DropSamples gives back what was made of samples that left memory.
func (x *Keeper) DropSamples() { x.stacks.DropBefore() }

// DropAnswers forgets the answers that are kept.
func (x *Keeper) DropAnswers() {
	if x.bars != nil {
		x.bars.drop(x.host.Other)
	}
}

// Clear lets go of everything. The tracks have been cleared.
func (x *Keeper) Clear() {
	x.stacks.Clear()
	if x.bars != nil {
		x.bars.drop(x.host.Other)
		x.bars = nil
		x.host.Other.Add(-columns.SizeOf[barCache]())
	}
	columns.LetGo(x.host.Other, x.tracks)
	x.tracks, x.closing = nil, closing{}
}

// enter makes the table know a track.
func (x *Keeper) enter(t *Track) {
	if n := int(t.id) + 1 - len(x.tracks); n > 0 {
		was := cap(x.tracks)
		x.tracks = append(x.tracks, make([]*Track, n)...)
		x.host.Other.Add(int64(cap(x.tracks)-was) * 8)
	}
	x.tracks[t.id] = t
}

// track returns a track, nil if it has no lanes.
func (x *Table) track(id model.TrackID) *Track {
	if uint(id) >= uint(len(x.tracks)) {
		return nil
	}
	return x.tracks[id]
}

// lane returns a lane, nil if it holds nothing.
func (x *Table) lane(track model.TrackID, lane int) *lane {
	t := x.track(track)
	if t == nil || uint(lane) >= uint(len(t.lanes)) {
		return nil
	}
	return t.lanes[lane]
}
