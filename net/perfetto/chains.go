// Flows of a Perfetto trace lead through events with the same flow number, in order of time. This part knows
// nothing of the format.

package perfetto

import (
	"cmp"

	"framescope/net/trace"
)

// Key identifies a flow.
type Key struct {
	ID    uint64
	Space Space
}

// Space is the kind of a flow's number.
type Space uint8

// The kinds of numbers.
const (
	FlowIDs Space = iota // flow_ids and terminating_flow_ids
	BindIDs              // of old events, with a direction
	Old                  // events of flows alone, of old
)

// Role is the part of an event in a flow.
type Role uint8

// The roles.
const (
	Goes   Role = iota // begins it, or is a step of it
	Ends               // the last step
	Begins             // begins it anew
	Steps              // is a step only of one that has begun
)

// Knot is an event that a flow goes through.
type Knot struct {
	Key
	Role  Role
	Event uint32 // its number
}

// chain is a flow that goes on.
type chain struct {
	last, first int
	arrows      bool
}

// Tie calls join with each two of n knots, in order of time, that follow each other in a flow, the knot
// in which the flow began and the flow's number, from 1 on. It returns how many flows go through one
// event alone.
func Tie(n int, knot func(i int) *Knot, join func(from, to, first int, number uint32)) (alone int64) {
	var at [Old + 1]map[uint64]uint32 // number of the chain that goes on
	for space := range at {
		at[space] = map[uint64]uint32{}
	}
	var list []chain // by number
	for i := range n {
		k := knot(i)
		number, goes := at[k.Space][k.ID]
		switch {
		case k.Role == Begins || !goes && k.Role == Goes:
			list = append(list, chain{last: i, first: i})
			at[k.Space][k.ID] = uint32(len(list))
			continue
		case !goes:
			alone++
			continue
		}
		if c := &list[number-1]; k.Event != knot(c.last).Event {
			join(c.last, i, c.first, number)
			c.last, c.arrows = i, true
		}
		if k.Role == Ends {
			delete(at[k.Space], k.ID)
		}
	}
	for i := range list {
		if !list[i].arrows {
			alone++
		}
	}
	return alone
}

// Moment is when a knot is, which is moved about in its place.
type Moment struct {
	Time int64
	Knot int32
}

// InTime returns n knots in order of time, those of the same time in that of the file; time is that of one.
func InTime(n int, time func(i int) int64) []Moment {
	order := make([]Moment, n)
	for i := range order {
		order[i] = Moment{time(i), int32(i)}
	}
	trace.SortRuns(order, func(a, b Moment) int { return cmp.Compare(a.Time, b.Time) })
	return order
}
