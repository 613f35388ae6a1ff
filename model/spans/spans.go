// Package spans answers queries on the work of threads: visible spans, call trees, longest and next
// calls, statistics of calls, CPU time, the way of a thing through a pipeline. Table answers;
// Keeper changes its data for the session. It knows the model, and sessions only through Host. Sampled threads
// have their stacks, CPU time and weights in series, so series of samples are here, too.
//
// Its files begin with what they are about: lanes_ store the spans of a thread in rows and reduce them to
// bars for each zoom, paths_ hold call paths and sum call trees by them, flows_ hold arrows between spans,
// series_ hold samples, series by series, with the sums and histograms that bins and statistics come from.
package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Table has the spans of a session's threads.
//
// Its methods are queries. Keeper has the methods that change it; the session keeps it private.
type Table struct {
	host    Host
	lanes   LaneTable
	stacks  StackTable // made from sampled stacks
	code    codePaths
	weights weights
	visited int64 // see Visited
}

// Host is the environment that the session gives to its spans.
type Host struct {
	Collectors *model.Collectors
	Paths      *PathTable
	Series     *SeriesTable
	Revision   *uint64 // changes with whatever an answer depends on
	// Kind returns the kind of a track.
	Kind func(model.TrackID) model.TrackKind
	// Timeless reports whether no times are known, see model.Sampling.
	Timeless func() bool
	// Stops appends the stops in a range of time, cut at its edges, in order; none where they fill it.
	Stops func(t0, t1 int64, out []model.Stretch) []model.Stretch
	// Idle reports whether threads without a stack were idle, see model.Sampling.
	Idle func() bool
	// Work is the working memory of queries. Sessions share it, as one goroutine makes them all.
	Work *Scratch

	Spans, Pyramids, Other *columns.Account
}

// Scratch is the working memory of single queries. The zero value is ready.
type Scratch struct {
	walk  Walk
	stops []model.Stretch
	sums  statWork
	runs  runSorter
	acts  activityWork

	shared sharedTrees
}

// Keeper is a table with the methods that change it.
type Keeper struct{ Table }

// Init makes the table ready.
func (x *Keeper) Init(host Host) {
	x.host = host
	x.lanes.Init(LaneHost{Paths: host.Paths, Spans: host.Spans, Pyramids: host.Pyramids, Other: host.Other})
	x.stacks.Init(host.Pyramids)
}

// Lanes returns the lanes of the spans, for new tracks.
func (x *Keeper) Lanes() *LaneTable { return &x.lanes }

// Size returns the bytes that appending works in.
func (x *Keeper) Size() int64 { return x.lanes.Size() + x.code.size() }

// DropSamples frees the results of samples that left memory.
func (x *Keeper) DropSamples() { x.stacks.DropBefore() }

// DropAnswers forgets the answers that are kept.
func (x *Keeper) DropAnswers() {
	x.lanes.DropAnswers()
	x.host.Work.shared.drop(&x.Table)
}

// Clear frees everything. The tracks have been cleared.
func (x *Keeper) Clear() {
	x.stacks.Clear()
	x.lanes.Clear()
	x.host.Work.shared.forget(&x.Table)
	x.code, x.weights = codePaths{}, weights{}
}

// Visible appends to out the bars of one lane that touch [t0, t1], in time order, those that are
// shorter than minNs merged: see LaneTable.Visible.
func (x *Table) Visible(track model.TrackID, lane int, t0, t1, minNs int64, out []Bar) []Bar {
	if uint(lane) >= MaxLanes {
		return out
	}
	ref := Ref{Track: track, Lane: uint16(lane)}
	out, x.visited = x.lanes.Visible(&x.host.Work.walk, ref, t0, t1, minNs, out)
	return out
}
