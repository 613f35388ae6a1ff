// Faults count the missing or wrong parts of a Perfetto trace and where each kind occurred first, and report them
// as losses.

package perfetto

import (
	"fmt"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// MostRows is how many rows of a track are shown; the store has room for 4,096.
const MostRows = 4000

// Fault is why something of a file is missing or not as it should be.
type Fault uint8

// The faults of traces.
const (
	BadPacket Fault = iota
	BadCompressed
	TooBig
	Dropped
	NeedsState
	NoTime
	NoClock
	Untyped
	NoNumber
	NoName
	Unmatched
	OpenFrames
	Overlapping
	NoRoom
	NoTrack
	NoSeries
	NoNames
	NoRows
	NoEmptyFrames
	BadArg
	NoArgs
	ManyArgs
	ManyKeys
	NoFlows
	AloneFlow
	Unplaced
	Rounded
	EndsBefore
	num
)

// words gives each fault its reason and text.
var words = [num]struct {
	reason model.LossReason
	words  string
}{
	BadPacket:     {model.LossMalformed, "packets that can't be decoded are left out"},
	BadCompressed: {model.LossMalformed, "compressed packets are damaged: the rest of them is left out"},
	TooBig:        {model.LossLimit, fmt.Sprintf("packets of more than %d MiB, or for which memory has no room, are left out", PacketsMost>>20)},
	Dropped:       {model.LossSource, "packets report lost data before them"},
	NeedsState: {model.LossSource, "packets are left out: what their names and times refer to was overwritten before the " +
		"trace was written"},
	NoTime:        {model.LossMalformed, "events without a valid time are left out"},
	NoClock:       {model.LossMalformed, "events and values of clocks that nothing ties to the clock of the trace are left out"},
	Untyped:       {model.LossMalformed, "events of an unknown type are left out"},
	NoNumber:      {model.LossMalformed, "values of counters that are no numbers, or of no counter, are left out"},
	NoName:        {model.LossMalformed, "events have the number of a name that is missing: they are shown as name_iid"},
	Unmatched:     {model.LossUnseen, "ends of spans that never began are left out"},
	OpenFrames:    {model.LossUnseen, "ends of frames of the frame timeline that never began are left out"},
	Overlapping:   {model.LossMalformed, "spans end after the span that they began in: they are shown as ending with it"},
	NoRoom:        {model.LossLimit, "memory has no room for more events: further ones are left out"},
	NoTrack:       {model.LossLimit, "there are too many tracks: further ones are left out"},
	NoSeries:      {model.LossLimit, "there are too many counters: the values of further ones are left out"},
	NoNames:       {model.LossLimit, "there are too many names: further ones are shown as " + feed.MoreNames},
	NoRows:        {model.LossLimit, fmt.Sprintf("spans beyond %d rows of their track are left out", MostRows)},
	NoEmptyFrames: {model.LossLimit, "empty frames of some threads are left out: there are too many for so few events"},
	BadArg:        {model.LossMalformed, "values of annotations are left out: they lie too deep, or have no key"},
	NoArgs:        {model.LossLimit, "memory has no room for more annotations: further ones are left out"},
	ManyArgs:      {model.LossLimit, fmt.Sprintf("values of annotations beyond %d of an event are left out", model.MaxArgs)},
	ManyKeys:      {model.LossLimit, fmt.Sprintf("annotations with more than %d different keys are left out", model.MaxArgKeys)},
	NoFlows:       {model.LossLimit, "memory has no room for more flows: further ones are left out"},
	AloneFlow:     {model.LossUnseen, "flows go through one event alone: where they came from or led to is not in the trace"},
	EndsBefore:    {model.LossMalformed, "ends of spans lie before their begins: they are left out"},
	Rounded:       {model.LossLimit, trace.Rounded},
	Unplaced:      {model.LossUnseen, "flow arrows begin or end on tracks without spans"},
}

// Tally is the number of a fault's occurrences, the place of the first, and its detail.
type Tally struct {
	trace.Tally
	Why string
}

// Account counts faults.
type Account [num]Tally

// Count counts a fault of the packet at a byte, -1 where that is not known.
func (a *Account) Count(f Fault, at int64) { a[f].Add(at) }

// Tell reports the counted faults, and the limit of room.
func (a *Account) Tell(define func(model.Change), room *feed.Names) {
	for f, t := range a {
		if t.N == 0 {
			continue
		}
		words, reason := words[f].words, words[f].reason
		switch Fault(f) {
		case NoRoom, NoArgs, NoFlows:
			words = room.FullOfData(words)
		}
		detail := t.Words(words)
		if t.Why != "" {
			detail += ": " + t.Why
		}
		loss := model.Loss{Reason: reason, Track: model.NoTrack, N: t.N, Detail: detail}
		if loss.Reason == model.LossLimit {
			loss.Limit = words
		}
		define(loss)
	}
}
