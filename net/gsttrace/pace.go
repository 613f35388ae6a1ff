package gsttrace

import (
	"fmt"

	"framescope/model"
)

// keepsPace looks whether the pipeline is slower than real time, where a buffer goes into a sink.
func (c *recordAt) keepsPace(g *group) {
	if c.p.slow || g.sink == nil || g.sink.parent == nil {
		return
	}
	for _, pad := range g.sink.parent.pads {
		if pad.def.Direction == model.PadSource {
			return // data go on from there
		}
	}
	share, slow := g.pace.Step(c.timeNs, c.timeOf("buffer-pts"))
	if !slow {
		return
	}
	c.p.slow = true
	text := fmt.Sprintf("In a second of real time %s gets %.2f s of buffers: this pipeline runs at less than half of "+
		"its speed. "+
		"Tracing costs time; fewer tracers cost less (framescope gst --light).", g.sink.parent.fullName(), share)
	c.m.out.Define(model.Warning{Text: text})
	c.m.aside("pace", model.SeverityWarning, []byte(text))
}
