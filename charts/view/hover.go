package view

import "framescope/model"

// SetHover tells all panels what is under the mouse: a collector (or NoCollector) and, if hasTime,
// a time. owner is the chart that has the mouse.
func (v *View) SetHover(owner any, c model.CollectorID, timeNs int64, hasTime bool) {
	v.hoverOwner, v.hoverSeen = owner, true
	v.hover, v.hoverTime, v.hasHover = c, timeNs, hasTime
	if !hasTime {
		v.hoverTime = 0
	}
}

// ClearHover takes SetHover back, unless another chart has the mouse by now.
func (v *View) ClearHover(owner any) {
	if v.hoverOwner == owner {
		v.hoverOwner = nil
		v.hover, v.hoverTime, v.hasHover = model.NoCollector, 0, false
	}
}
