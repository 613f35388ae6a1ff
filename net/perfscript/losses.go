package perfscript

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// tellInfo publishes the description of the program and of the sampling.
func (d *decoder) tellInfo() {
	d.space.Measured(&d.info.Sampling)
	d.info.Clock.StepNs = d.info.Sampling.MedianNs
	d.info.Detail = ""
	switch {
	case d.timeless:
		d.info.Detail = "samples without times"
	case d.started:
		d.info.Detail = fmt.Sprintf("0 is %d.%06d s of the machine's clock", d.zero/1e9, d.zero%1e9/1000)
		if d.stacked != nil && d.stacked.name != "" {
			d.info.Detail += "; runs are of " + d.stacked.name
		}
	}
	d.sink.Define(d.info)
}

// finish publishes the rest and reports the losses. broken is why the file was not read to its end,
// nil where it was.
func (d *decoder) finish(broken error) {
	d.lines.Close()
	d.parse.close()
	if d.leapt.is {
		d.queueLeapt()
	}
	d.release(maxTime)
	for _, t := range d.list {
		if hold := t.interval(d.info.Sampling.AskedNs); t.released {
			t.stop(hold)
		}
	}
	d.out.Close()
	d.tellInfo()
	if d.out.Cancelled() {
		return
	}
	if d.timeless && d.counts != nil && d.counts.Publish(d.sink) != nil {
		return
	}
	lose := trace.Losses{Define: d.sink.Define}.Lose
	if d.cut {
		lose(model.LossTruncated, 1, fmt.Sprintf("line %d: the file ends inside a line of a stack, which is left out", d.lines.N))
	}
	if broken != nil {
		lose(model.LossTruncated, 1, "the rest can't be read: "+broken.Error())
	}
	lose(model.LossSource, d.dropped, "perf lost events: they were not written down in time")
	lose(model.LossMalformed, d.odds.N, fmt.Sprintf("lines do not belong to a sample: %s", d.odds.Where()))
	lose(model.LossMalformed, d.harmedLines.N, fmt.Sprintf("lines of stacks are damaged, and are shown as [unknown]: %s", d.harmedLines.Where()))
	lose(model.LossMalformed, d.harmedFirsts.N, fmt.Sprintf("samples with a damaged first line are left out: %s", d.harmedFirsts.Where()))
	lose(model.LossMalformed, d.astray.N, fmt.Sprintf("samples more than a minute after those around them are left out: "+
		"they end before %s", d.astray.Where()))
	lose(model.LossMalformed, d.untimed, fmt.Sprintf("samples without a time, where others have one, are left out; the first ends before line %d", d.firstUntimed))
	lose(model.LossLate, d.late, "samples came more than a second after later ones of their thread")
	if d.long > 0 {
		words := fmt.Sprintf("lines of more than %d bytes are left out", trace.MostLine)
		d.sink.Define(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: d.long, Limit: words,
			Detail: fmt.Sprintf("%s; the first is line %d", words, d.firstLong)})
	}
	lose(model.LossLimit, d.refused, "there are too many threads: the samples of further ones are left out")
	lose(model.LossLimit, d.out.Refused, fmt.Sprintf("stacks deeper than %d frames are shown without their innermost part", trace.MaxDepth))
	lose(model.LossLimit, d.uncounted, "there are too many different stacks: further ones are left out")
	d.lines.NULs.Tell(d.sink.Define)
	d.names.Tell()
	var more []string
	if d.others > 0 {
		more = append(more, fmt.Sprintf("the stacks of %d samples of other events than %s", d.others, d.stacked.name))
	}
	if d.periods {
		more = append(more, "the periods of samples")
	}
	if len(more) > 0 {
		d.sink.Define(model.Warning{Text: "Not shown from the file: " + strings.Join(more, ", ") + "."})
	}
}
