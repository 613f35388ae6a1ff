package panel

import (
	"framescope/charts/view"
	"framescope/model"
)

// HoverReport is the item that a chart found under the mouse in a tick, published to all panels
// through the view.
type HoverReport struct {
	on        bool
	collector model.CollectorID
	timeNs    int64
	hasTime   bool
}

// Begin forgets the tick before.
func (h *HoverReport) Begin() { *h = HoverReport{collector: model.NoCollector} }

// AtCollector notes the collector under the mouse.
func (h *HoverReport) AtCollector(c model.CollectorID) { h.on, h.collector = true, c }

// AtTime notes the time under the mouse.
func (h *HoverReport) AtTime(timeNs int64) { h.on, h.timeNs, h.hasTime = true, timeNs, true }

// Tell publishes the report to the view; owner is the chart.
func (h *HoverReport) Tell(v *view.View, owner any) {
	if h.on {
		v.Pointer().Set(owner, h.collector, h.timeNs, h.hasTime)
	} else {
		v.Pointer().Clear(owner)
	}
}
