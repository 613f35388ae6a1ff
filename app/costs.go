// This file measures the viewer's own cost: it smooths and counts, and does not depend on the display.

package app

import (
	"time"

	"framescope/widgets"
)

// Costs is the viewer's own cost, smoothed for reading.
type Costs struct {
	UpdateMs, DrawMs float64
	Quads            int // of the picture that is painted
	Pixels           int // that were painted since the window was opened
	ShownQuads       int // of the last one

	second      time.Time // when the present second began
	now, last   ofSecond
	lists, made int // of the last picture
}

// ofSecond holds the maxima and the counts of one second.
type ofSecond struct {
	update, draw time.Duration
	ticks, drawn int
}

// Updated takes how long a tick took.
func (c *Costs) Updated(d time.Duration) {
	c.UpdateMs += (d.Seconds()*1e3 - c.UpdateMs) / 16
	if now := time.Now(); now.Sub(c.second) >= time.Second {
		c.second, c.last, c.now = now, c.now, ofSecond{}
	}
	c.now.update = max(c.now.update, d)
	c.now.ticks++
}

// Drawn takes the time of a picture, how many lists it has, and how many of them were made anew.
func (c *Costs) Drawn(d time.Duration, lists, made int) {
	c.DrawMs += (d.Seconds()*1e3 - c.DrawMs) / 16
	c.ShownQuads = c.Quads
	c.now.draw = max(c.now.draw, d)
	c.now.drawn++
	c.lists, c.made = lists, made
}

// Now returns the values for the panel on the viewer's own cost.
func (c *Costs) Now() widgets.Costs {
	ms := func(v float64) time.Duration { return time.Duration(v * 1e6) }
	return widgets.Costs{
		Update: ms(c.UpdateMs), Draw: ms(c.DrawMs), UpdateMax: c.last.update, DrawMax: c.last.draw,
		Ticks: c.last.ticks, Drawn: c.last.drawn, Quads: c.ShownQuads, Lists: c.lists, Filled: c.made,
	}
}
