// File flows.go holds the arrows from span to span: hand-overs and wake-ups. Each is kept with the
// track on which it ends, in order of time, and is found from its begin, too. FlowTable answers; FlowKeeper
// and FlowTrack change the data for the session. It knows the model, columns, and spans, which are the
// ends of arrows.

package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Arrow goes from a moment of a track to one of another, or of the same.
type Arrow struct {
	model.Flow
	ToTrack model.TrackID
}

// Delay returns how long the arrow is in time, in ns: from where it begins to where it ends.
func (a *Arrow) Delay() int64 { return a.To - a.From }

// FlowTable has the arrows of a session.
//
// Its methods are queries. FlowKeeper and FlowTrack have the methods that change it; the session keeps
// these private.
type FlowTable struct {
	in      []*FlowTrack // of tracks on which arrows end
	out     []*outs      // of tracks on which they begin
	names   []string
	texts   int64 // bytes of the names
	stored  int64
	rev     uint64
	visited int64
	acc     *columns.Account
}

// FlowKeeper is a table with the methods that change it.
type FlowKeeper struct{ FlowTable }

// Init makes the table ready.
func (x *FlowKeeper) Init(acc *columns.Account) {
	x.acc = acc
}

// mostNames bounds the names of flows.
const mostNames = 1 << 16

// Define takes a name, and returns false where its id is out of bounds.
func (x *FlowKeeper) Define(d model.FlowDef) bool {
	was := cap(x.names)
	list, ok := columns.GrowTo(x.names, int(d.ID), mostNames, func(int) string { return "" })
	if x.names = list; !ok {
		return false
	}
	x.acc.Add(int64(cap(list)-was)*16 + int64(len(d.Name)-len(list[d.ID])))
	x.texts += int64(len(d.Name) - len(list[d.ID]))
	list[d.ID] = d.Name
	x.rev++
	return true
}

// Clear frees everything but the tracks' own parts, which are cleared before.
func (x *FlowKeeper) Clear() {
	x.rev++
	for id, o := range x.out {
		if o != nil {
			x.dropOuts(model.TrackID(id), o)
		}
	}
	columns.LetGo(x.acc, x.in)
	columns.LetGo(x.acc, x.out)
	x.in, x.out = nil, nil
	x.acc.Add(-int64(cap(x.names))*16 - x.texts)
	x.names, x.texts, x.stored = nil, 0, 0
}

// Any reports whether there are arrows.
func (x *FlowTable) Any() bool { return x.stored > 0 }

// Stored returns the number of arrows that are kept.
func (x *FlowTable) Stored() int64 { return x.stored }

// NumNames returns the number of names: ids are below it.
func (x *FlowTable) NumNames() int { return len(x.names) }

// Name returns the name of the flows of an id, "flow" if they have no name.
func (x *FlowTable) Name(id model.FlowID) string {
	if uint(id) >= uint(len(x.names)) || x.names[id] == "" {
		return "flow"
	}
	return x.names[id]
}

// Visited returns the work of all queries so far: arrows and nodes looked at.
func (x *FlowTable) Visited() int64 { return x.visited }
