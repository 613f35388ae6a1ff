package perfetto

import (
	"fmt"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// tellProblems reports the counted problems.
func (d *decoder) tellProblems() {
	for f, n := range map[Fault]int64{
		BadArg: d.notes.Wrong, NoArgs: d.args.NoRoom, ManyArgs: d.args.Many, ManyKeys: d.args.Keys,
	} {
		d.faults[f] = Tally{Tally: trace.Tally{N: n, At: trace.Unknown}}
	}
	d.faults.Tell(d.sink.Define, d.room)
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
		d.sink.Define(model.Warning{Text: "Not shown from the file: " + strings.Join(parts, ", ") + "."})
	}
	if d.uncounted {
		d.sink.Define(model.Warning{Text: "The frame numbers in the file do not ascend or are impossible: frames are counted from 0 instead."})
	}
}

// tellStats reports the losses in the tracing service's statistics.
func (d *decoder) tellStats() {
	for _, l := range Losses(d.stats) {
		d.sink.Define(model.Loss{Reason: model.LossSource, Track: model.NoTrack, N: l.N, Detail: l.Words})
	}
}
