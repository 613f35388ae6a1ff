package firefox

import (
	"errors"
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// problem is a kind of fault in the file.
type problem uint8

const (
	badStack problem = iota
	badPrefix
	badFrame
	backward
	noTimes
	uneven
	negative
	badMarker
	unopened
	unclosed
	noRow
	noThread
	noSeries
	noFrame
	badCounter
	badCPU
	badPlace
	tooMuch
	numProblems
)

var problemWords = [numProblems]struct {
	reason model.LossReason
	words  string
}{
	badStack:   {model.LossMalformed, "samples name stacks that are not in the table: they are shown as (unknown)"},
	badPrefix:  {model.LossMalformed, "stacks lie inside stacks that do not come before them: they are shown as outermost"},
	badFrame:   {model.LossMalformed, "frames or functions are not in their tables: they are shown as (unknown)"},
	backward:   {model.LossMalformed, "samples go back in time: they count as of the latest time before"},
	noTimes:    {model.LossMalformed, "samples or values of counters have no time: they are left out"},
	uneven:     {model.LossMalformed, "columns of samples, markers or counters are not equally long: what lacks a part is left out"},
	negative:   {model.LossMalformed, "weights of samples are less than 0: they count as 0"},
	badMarker:  {model.LossMalformed, "markers have no name or no time: they are left out"},
	unopened:   {model.LossMalformed, "ends of markers have no begin: they are shown from the begin of their thread"},
	unclosed:   {model.LossMalformed, "begins of markers have no end: they are shown up to the end of their thread"},
	noRow:      {model.LossLimit, "more markers overlap than there are rows for: further ones are left out"},
	noThread:   {model.LossLimit, "there are too many threads: further ones are left out"},
	noSeries:   {model.LossLimit, "there are too many counters: further ones are left out"},
	noFrame:    {model.LossMalformed, "markers with the name of frames overlap another one: they do not count as frames"},
	badCounter: {model.LossMalformed, "values of counters are not numbers: they are left out"},
	badCPU:     {model.LossMalformed, "CPU times of samples are invalid: they count as unknown"},
	badPlace:   {model.LossMalformed, "functions name libraries, files or categories that are not in their tables: they are shown without them"},
	tooMuch:    {model.LossMalformed, trace.TooMuch},
}

// problem counts n faults at the current place.
func (d *decoder) problem(p problem, n int64) {
	if n > 0 {
		d.problems[p].AddN(n, d.place)
	}
}

// tell defines the losses with their reasons.
func (d *decoder) tell(broken error) {
	losses := trace.Losses{Define: d.sink.Define}
	lose := losses.Lose
	losses.LoseRest(broken)
	for p, t := range d.problems {
		reason, words := problemWords[p].reason, problemWords[p].words
		if inTable := p == int(badStack) || p == int(badFrame); inTable && errors.Is(broken, trace.ErrCut) {
			reason = model.LossUnseen // their tables are behind the samples
		}
		if reason == model.LossLimit {
			lose(reason, t.N, words)
		} else {
			lose(reason, t.N, t.Within(words))
		}
	}
	d.keep.bad.Tell(d.sink.Define, model.LossMalformed, "values of tables or of the profile are invalid: they count as missing")
	lose(model.LossLimit, d.keep.refused, d.room.FullOfData("memory has no room for all values of a table: further ones are left out"))
	lose(model.LossLimit, d.moreThreads, fmt.Sprintf("there are more than %d threads: further ones are left out", maxThreads))
	lose(model.LossLimit, d.tooMany, trace.LeftOut)
	lose(model.LossLimit, d.tooDeep+d.out.Refused, fmt.Sprintf("stacks deeper than %d frames are shown without their innermost part", trace.MaxDepth))
	d.names.Tell()
	if d.bare > 0 {
		d.warn(fmt.Sprintf("%d samples have no stack: nothing is shown at their times.", d.bare))
	}
	if !d.meta.symbolicated && d.sampled > 0 {
		d.warn("The profile was saved without symbols: functions of the program are addresses in their library. Saved from samply's page, " +
			"once it shows their names, it has them.")
	}
	var more []string
	if d.timed > 0 {
		more = append(more, fmt.Sprintf("%d markers, as it has no times", d.timed))
	}
	if d.causes > 0 {
		more = append(more, fmt.Sprintf("the stacks of %d markers", d.causes))
	}
	if d.meta.allocations {
		more = append(more, "allocations")
	}
	if u := d.meta.cpuUnit; u != "" && cpuUnit(u) == 0 {
		more = append(more, "CPU use, which is in "+u)
	}
	if d.timeless && d.hasCounters {
		more = append(more, "counters")
	}
	more = append(more, d.skipped...)
	if len(more) > 0 {
		d.warn("Not shown from the file: " + strings.Join(more, ", ") + ".")
	}
}
