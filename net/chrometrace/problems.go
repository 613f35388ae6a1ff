package chrometrace

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// problem is why something of a file is missing or not as it should be.
type problem uint8

const (
	noPhase problem = iota
	unknownPhase
	noTime
	noLength
	negative
	noNumber
	unmatched
	closedAround
	tooDeep
	tooBig
	noRoom
	noThread
	noSeries
	noNames
	noPaths
	noRows
	noEmptyFrames
	unbegun
	unended
	unplaced
	noArgs
	manyArgs
	manyKeys
	rounded
	numProblems
)

// problems gives each problem its reason and text.
var problems = [numProblems]struct {
	reason model.LossReason
	words  string
}{
	noPhase:      {model.LossMalformed, "events without a phase (ph) are left out"},
	unknownPhase: {model.LossMalformed, "events of an unknown phase are left out"},
	noTime:       {model.LossMalformed, "events without a valid time (ts) are left out"},
	noLength:     {model.LossMalformed, "spans without a valid length (dur) are shown with none"},
	negative:     {model.LossMalformed, "spans with a negative length (dur) are shown with none"},
	rounded:      {model.LossLimit, trace.Rounded},
	noNumber:     {model.LossMalformed, "values of counters that are not numbers are left out"},
	unmatched:    {model.LossMalformed, "ends of spans that never began are left out"},
	closedAround: {model.LossMalformed, "ends of spans are missing: they end with the span around them"},
	tooDeep:      {model.LossLimit, fmt.Sprintf("events with more than %d values inside each other are left out", trace.MaxDeep)},
	tooBig:       {model.LossLimit, fmt.Sprintf("events of more than %d MiB are left out", mostEvent>>20)},
	noRoom:       {model.LossLimit, "memory has no room for more events: the rest of the file is left out"},
	noThread:     {model.LossLimit, "there are too many threads: the events of further ones are left out"},
	noSeries:     {model.LossLimit, "there are too many counters: the values of further ones are left out"},
	noNames:      {model.LossLimit, "there are too many names: further ones are shown as " + feed.MoreNames},
	noPaths:      {model.LossLimit, "there are too many call paths: further ones count for their callers"},
	noRows:       {model.LossLimit, fmt.Sprintf("spans beyond %d rows of their thread are left out", mostRows)},
	unbegun:      {model.LossUnseen, "steps and ends of flow arrows that never began are left out"},
	unended:      {model.LossUnseen, "flow arrows began and lead nowhere: their ends never came"},
	unplaced:     {model.LossUnseen, "flow arrows begin or end on threads without spans"},
	noEmptyFrames: {
		model.LossLimit, "empty frames of some threads are left out: there are too many for so few events",
	},
	noArgs:   {model.LossLimit, "memory has no room for more arguments: further ones are left out"},
	manyArgs: {model.LossLimit, fmt.Sprintf("arguments beyond %d of an event are left out", model.MaxArgs)},
	manyKeys: {model.LossLimit, fmt.Sprintf("arguments with more than %d different keys are left out", model.MaxArgKeys)},
}

// count notes a problem of the event at a byte, trace.Unknown where that is not known.
func (d *decoder) count(p problem, at int64) { d.problems[p].Add(at) }

// unshown are the kinds of events that are read and not shown.
type unshown uint8

const (
	samples unshown = iota
	snapshots
	dumps
	clocks
	contexts
	numUnshown
)

var unshownWords = [numUnshown][2]string{
	{"sample", "samples"}, {"event of an object", "events of objects"},
	{"memory dump", "memory dumps"}, {"clock sync", "clock syncs"}, {"change of context", "changes of context"},
}

// tellProblems reports the counted problems.
func (d *decoder) tellProblems() {
	for p, n := range map[problem]int64{noArgs: d.args.NoRoom, manyArgs: d.args.Many, manyKeys: d.args.Keys} {
		d.problems[p] = trace.Tally{N: n, At: trace.Unknown}
	}
	for p, t := range d.problems {
		words := problems[p].words
		switch problem(p) {
		case noRoom, noArgs:
			words = d.room.FullOfData(words)
		}
		t.Tell(d.sink.Define, problems[p].reason, words)
	}
	var parts []string
	for k, n := range d.unshown {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unshownWords[k][min(n-1, 1)]))
		}
	}
	if len(parts) > 0 {
		d.sink.Define(model.Warning{Text: "Not shown from the file: " + strings.Join(parts, ", ") + "."})
	}
	if d.uncounted {
		d.sink.Define(model.Warning{Text: "The frame numbers in the file do not ascend or are impossible: frames are counted from 0 instead."})
	}
}
