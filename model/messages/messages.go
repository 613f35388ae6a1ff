// Package messages holds log messages: those of each track in order of time, with their texts,
// categories and objects, and the results of the panels' searches. Table answers; Keeper and Track
// change the data for the session. It knows the model and columns, but no sessions.
package messages

import (
	"framescope/model"
	"framescope/model/columns"
)

// Table has the messages of all tracks of a session.
//
// Its methods are queries. Keeper and Track have the methods that change it; the session keeps
// these private.
type Table struct {
	tracks              []*Track // those with messages
	none                Track    // stands for the others
	categories, objects columns.Interns
	severities          [model.SeverityError - model.SeverityTrace + 1]int64 // messages stored, from SeverityTrace on
	searches            searches
	rev                 uint64 // changes with the stored data
	acc                 *columns.Account
}

// Keeper is a table with the methods that change it.
type Keeper struct{ Table }

// Init makes the table ready.
func (x *Keeper) Init(acc *columns.Account) {
	x.acc, x.categories.Acc, x.objects.Acc, x.searches.acc = acc, acc, acc, acc
}

// Clear frees everything but the tracks' own parts, which are cleared before.
func (x *Keeper) Clear() {
	x.rev++
	x.searches.drop()
	x.categories.Clear()
	x.objects.Clear()
	clear(x.severities[:])
	columns.LetGo(x.acc, x.tracks)
	x.tracks = nil
}

// DropAnswers forgets the results of searches.
func (x *Keeper) DropAnswers() { x.searches.drop() }

// part returns the part of a track, an empty one where it has no messages.
func (x *Table) part(id model.TrackID) *Track {
	if n := columns.Slot(x.tracks, id); n != nil {
		return n
	}
	return &x.none
}

// leave makes the table forget the part of a track.
func (x *Table) leave(n *Track) {
	if columns.Slot(x.tracks, n.track) == n {
		columns.EmptySlot(x.tracks, n.track, n)
		x.rev++
	}
}

// Of appends to out the messages of a track in [t0, t1], in order of time; of equal times, in the
// order of their arrival.
func (x *Table) Of(track model.TrackID, t0, t1 int64, out []model.Message) []model.Message {
	n := x.part(track)
	for i := n.from(t0); i < n.rows.End() && n.rows.Ref(i).time <= t1; i++ {
		out = append(out, n.message(i))
	}
	return out
}

// Severities returns how many messages of each severity are stored, of all tracks; index 0 is
// SeverityTrace.
func (x *Table) Severities() [model.SeverityError - model.SeverityTrace + 1]int64 {
	return x.severities
}
