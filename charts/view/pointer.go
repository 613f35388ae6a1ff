package view

import "framescope/model"

// Pointer is the item under the mouse, in whichever panel it is: a collector, a time.
type Pointer struct {
	collector model.CollectorID
	timeNs    int64
	hasTime   bool
	owner     any  // the chart that has the mouse
	seen      bool // Set was called since the last tick
}

// Nothing returns a pointer at nothing.
func Nothing() Pointer { return Pointer{collector: model.NoCollector} }

// Set publishes the position of the mouse to all panels: a collector (or NoCollector) and, if
// hasTime, a time. owner is the chart that has the mouse.
func (p *Pointer) Set(owner any, c model.CollectorID, timeNs int64, hasTime bool) {
	p.owner, p.seen = owner, true
	p.collector, p.timeNs, p.hasTime = c, timeNs, hasTime
	if !hasTime {
		p.timeNs = 0
	}
}

// Clear takes Set back, unless another chart has the mouse by now.
func (p *Pointer) Clear(owner any) {
	if p.owner == owner {
		*p = Pointer{collector: model.NoCollector, seen: p.seen}
	}
}

// Collector returns the collector under the mouse in any panel.
func (p *Pointer) Collector() model.CollectorID { return p.collector }

// Time returns the time under the mouse in any panel, if HasTime.
func (p *Pointer) Time() int64 { return p.timeNs }

// HasTime reports whether the mouse is at a time.
func (p *Pointer) HasTime() bool { return p.hasTime }

// Tick clears the item of a chart that was closed meanwhile: a chart with the mouse calls Set in
// every Update.
func (p *Pointer) Tick() {
	if p.owner != nil && !p.seen {
		p.Clear(p.owner)
	}
	p.seen = false
}
