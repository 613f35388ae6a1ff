package perfetto

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/perfetto/heads"
	"framescope/net/perfetto/packets"
)

// problem is why something of a file is missing or not as it should be.
type problem uint8

const (
	badPacket problem = iota
	badCompressed
	tooBig
	dropped
	needsState
	noTime
	noClock
	untyped
	noNumber
	noName
	unmatched
	openFrames
	overlapping
	noRoom
	noTrack
	noSeries
	noNames
	noRows
	noEmptyFrames
	badArg
	noArgs
	manyArgs
	manyKeys
	noFlows
	aloneFlow
	unplaced
	numProblems
)

// problems says of each what its losses are and how it is told.
var problems = [numProblems]struct {
	reason model.LossReason
	words  string
}{
	badPacket:     {model.LossMalformed, "packets that can't be decoded are left out"},
	badCompressed: {model.LossMalformed, "compressed packets are damaged: the rest of them is left out"},
	tooBig:        {model.LossLimit, fmt.Sprintf("packets of more than %d MiB are left out", packets.Most>>20)},
	dropped:       {model.LossSource, "packets tell that the program lost what came before them"},
	needsState: {model.LossSource, "packets are left out: what their names and times refer to was overwritten before the " +
		"trace was written"},
	noTime:        {model.LossMalformed, "events whose time is missing or out of range are left out"},
	noClock:       {model.LossMalformed, "events and values of clocks that nothing ties to the clock of the trace are left out"},
	untyped:       {model.LossMalformed, "events of an unknown type are left out"},
	noNumber:      {model.LossMalformed, "values of counters that are no numbers, or of no counter, are left out"},
	noName:        {model.LossMalformed, "events have the number of a name that is missing: they are shown as name_iid"},
	unmatched:     {model.LossUnseen, "ends of spans that never began are left out"},
	openFrames:    {model.LossUnseen, "ends of frames of the frame timeline that never began are left out"},
	overlapping:   {model.LossMalformed, "spans end after the span that they began in: they are shown as ending with it"},
	noRoom:        {model.LossLimit, "memory has no room for more events: further ones are left out"},
	noTrack:       {model.LossLimit, "there are too many tracks: further ones are left out"},
	noSeries:      {model.LossLimit, "there are too many counters: the values of further ones are left out"},
	noNames:       {model.LossLimit, "there are too many names: further ones are shown as " + feed.MoreNames},
	noRows:        {model.LossLimit, fmt.Sprintf("spans beyond %d rows of their track are left out", mostRows)},
	noEmptyFrames: {model.LossLimit, "empty frames of some threads are left out: there are too many for so few events"},
	badArg:        {model.LossMalformed, "values of annotations are left out: they lie too deep, or have no key"},
	noArgs:        {model.LossLimit, "memory has no room for more annotations: further ones are left out"},
	manyArgs:      {model.LossLimit, fmt.Sprintf("values of annotations beyond %d of an event are left out", model.MaxArgs)},
	manyKeys:      {model.LossLimit, fmt.Sprintf("annotations with more than %d different keys are left out", model.MaxArgKeys)},
	noFlows:       {model.LossLimit, "memory has no room for more flows: further ones are left out"},
	aloneFlow:     {model.LossUnseen, "flows go through one event alone: where they came from or led to is not in the trace"},
	unplaced:      {model.LossUnseen, "flow arrows begin or end on tracks of which nothing is shown"},
}

// tally is how often a problem occurred, and where first.
type tally struct {
	n, at int64
	why   string
}

// count notes a problem of the packet at a byte, -1 where that is not known.
func (d *decoder) count(p problem, at int64) {
	t := &d.problems[p]
	if t.n == 0 {
		t.at = at
	}
	t.n++
}

// tellProblems defines what was counted.
func (d *decoder) tellProblems() {
	for p, n := range map[problem]int64{badArg: d.notes.Wrong, noArgs: d.args.NoRoom, manyArgs: d.args.Many, manyKeys: d.args.Keys} {
		d.problems[p] = tally{n: n, at: -1}
	}
	for p, t := range d.problems {
		if t.n == 0 {
			continue
		}
		detail := problems[p].words
		if t.at > 0 {
			detail += fmt.Sprintf("; the first is at byte %d", t.at)
		}
		if t.why != "" {
			detail += ": " + t.why
		}
		loss := model.Loss{Reason: problems[p].reason, Track: model.NoTrack, N: t.n, Detail: detail}
		if loss.Reason == model.LossLimit {
			loss.Limit = problems[p].words
		}
		d.sink.Define(loss)
	}
	if d.unframed > 0 {
		d.sink.Define(model.Loss{
			Reason: model.LossUnframed, Track: model.NoTrack, N: d.unframed, Detail: "spans began in no frame: they are " +
				"shown, and are in call trees by time, but not in figures of frames",
		})
	}
	d.tellStats()
	var parts []string
	for _, x := range []struct {
		n         int64
		one, more string
	}{
		{d.notes.Own, "value of an annotation in a form of its program's own", "values of annotations in forms of programs' own"},
		{d.oldEvents, "event of an old kind", "events of old kinds"},
		{d.others, "packet of another kind", "packets of other kinds (kernel, memory, settings, …)"},
	} {
		switch {
		case x.n == 1:
			parts = append(parts, "1 "+x.one)
		case x.n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.more))
		}
	}
	if len(parts) > 0 {
		d.sink.Define(model.Warning{Text: "The file has more than is shown: " + strings.Join(parts, ", ") + "."})
	}
	if d.uncounted {
		d.sink.Define(model.Warning{Text: "The numbers that the file gives its frames do not follow each other: frames are " +
			"counted here, from 0."})
	}
}

// tellStats tells what the tracing service says that it lost.
func (d *decoder) tellStats() {
	for _, l := range heads.Losses(d.stats) {
		d.sink.Define(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: l.N, Detail: l.Words})
	}
}
