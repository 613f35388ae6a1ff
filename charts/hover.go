package charts

import (
	"framescope/charts/view"
	"framescope/model"
)

// hoverReport is what a chart found under the mouse in a tick, to be told to all panels through the view.
type hoverReport struct {
	on        bool
	collector model.CollectorID
	timeNs    int64
	hasTime   bool
}

// begin forgets the tick before.
func (h *hoverReport) begin() { *h = hoverReport{collector: model.NoCollector} }

// atCollector notes the collector under the mouse.
func (h *hoverReport) atCollector(c model.CollectorID) { h.on, h.collector = true, c }

// atTime notes the time under the mouse.
func (h *hoverReport) atTime(timeNs int64) { h.on, h.timeNs, h.hasTime = true, timeNs, true }

// tell tells the view; owner is the chart.
func (h *hoverReport) tell(v *view.View, owner any) {
	if h.on {
		v.SetHover(owner, h.collector, h.timeNs, h.hasTime)
	} else {
		v.ClearHover(owner)
	}
}
