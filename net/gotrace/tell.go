package gotrace

import (
	"fmt"

	"framescope/model"
	"framescope/net/trace"
)

// tally counts events that are not shown, or only in part.
type tally struct {
	labels, stacks, unknown int64 // reported in a warning

	orphans, unframed, empty, deep int64 // regions, and frames without any
	goroutines, lost, states       int64 // goroutines without a track, regions and logs of them, those without states
	wakes                          int64 // that lead to or from goroutines without a track
	metrics, rows                  int64
}

// tell reports all counts, once.
func (d *decoder) tell() {
	t := &d.told
	d.warn()
	one := func(reason model.LossReason, n int64, format string, args ...any) {
		if n > 0 {
			d.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: fmt.Sprintf(format, args...)})
		}
	}
	one(model.LossUnseen, t.orphans, "ends of regions that began more than a generation before are left out")
	one(model.LossUnframed, t.unframed, "regions began in no frame: they are shown, and are in call trees by time, but not in figures of frames")
	one(model.LossLimit, t.empty, "too many goroutines for so few events: empty frames of some are left out")
	one(model.LossLimit, t.deep, "regions too deep inside each other are left out")
	one(model.LossLimit, t.goroutines, "goroutines have no track, most of them because they lived shortly and had no regions: "+
		"when they ran stands on the procs alone")
	one(model.LossLimit, t.lost, "regions and logs of goroutines without a track are left out")
	one(model.LossLimit, t.wakes, "wake-ups of goroutines, and by goroutines, without a track are left out")
	one(model.LossLimit, t.states, "no room for the states of goroutines")
	one(model.LossLimit, t.metrics, "values of metrics beyond %d are left out", maxMetrics)
	one(model.LossLimit, t.rows, "tasks and ranges beyond %d at the same time are left out", mostRows)
	one(model.LossLimit, d.frames.refused, "frames that overlap others, have no length, or last longer than can be waited for: their regions are shown in no frame")
	*t, d.frames.refused = tally{}, 0
}

// warn reports data of the trace that is not shown.
func (d *decoder) warn() {
	t := &d.told
	for _, x := range []struct {
		n         int64
		one, many string
	}{
		{t.stacks, "sample of a stack", "samples of stacks"},
		{t.labels, "label", "labels"},
		{t.unknown, "event of an unknown kind", "events of unknown kinds"},
	} {
		if x.n == 1 {
			d.sink.Define(model.Warning{Text: "Not shown: 1 " + x.one + "."})
		} else if x.n > 0 {
			d.sink.Define(model.Warning{Text: fmt.Sprintf("Not shown: %d %s.", x.n, x.many)})
		}
	}
	f := &d.frames
	if name, ok := d.opt.Frames.Named(); ok && len(f.list) == 0 {
		d.sink.Define(trace.NoFrames("region and no task", name))
	}
	if f.overlap > 0 {
		d.sink.Define(model.Warning{Text: fmt.Sprintf(
			"%d tasks that would be frames began while another went on: these are shown, but are no frames.", f.overlap)})
	}
}
