package view

import (
	"framescope/model"
	"framescope/model/spans"
)

// Choice is the selection, except its time. Panels compare it, and bring it into view when another
// panel changed it.
type Choice struct {
	Track     model.TrackID
	Span      spans.Ref // if HasSpan
	HasSpan   bool
	Collector model.CollectorID
	Thing     Thing
	Frame     int64 // number of the first selected frame, 0 of none and while live, when it runs along
}

// Choice returns the current selection.
func (v *View) Choice() Choice {
	c := Choice{Track: v.track, HasSpan: v.hasSpan, Collector: v.Collector(), Thing: v.thing}
	if v.hasSpan {
		c.Span = v.span.Ref
	}
	if !v.window.live && v.frameA >= 0 {
		c.Frame = v.numberA
	}
	return c
}
