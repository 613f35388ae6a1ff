package app

import (
	"time"

	"framescope/app/sessions"
	"framescope/charts/draw/gpu"
	"framescope/widgets/metrics"
)

// costs is what the viewer itself takes, smoothed so that it can be read.
type costs struct {
	updateMs, drawMs float64
	quads            int
	shownQuads       int

	second      time.Time // when the present second began
	now, last   secondCosts
	before      gpu.Stats // at the picture before
	lists, made int       // of the last picture
}

// secondCosts are the worst and the counts of one second.
type secondCosts struct {
	update, draw time.Duration
	ticks, drawn int
}

func (c *costs) updated(d time.Duration) {
	c.updateMs += (d.Seconds()*1e3 - c.updateMs) / 16
	if now := time.Now(); now.Sub(c.second) >= time.Second {
		c.second, c.last, c.now = now, c.now, secondCosts{}
	}
	c.now.update = max(c.now.update, d)
	c.now.ticks++
}

func (c *costs) drawn(d time.Duration, s gpu.Stats) {
	c.drawMs += (d.Seconds()*1e3 - c.drawMs) / 16
	c.shownQuads = c.quads
	c.now.draw = max(c.now.draw, d)
	c.now.drawn++
	c.lists, c.made = int(s.Draws-c.before.Draws), int(s.Converted-c.before.Converted)
	c.before = s
}

// costsNow gathers what the panel on the viewer's own cost shows.
func costsNow(k *costs, ss *sessions.Sessions) metrics.Costs {
	ms := func(v float64) time.Duration { return time.Duration(v * 1e6) }
	c := metrics.Costs{
		Update: ms(k.updateMs), Draw: ms(k.drawMs), UpdateMax: k.last.update, DrawMax: k.last.draw,
		Ticks: k.last.ticks, Drawn: k.last.drawn, Quads: k.shownQuads, Lists: k.lists, Filled: k.made,
	}
	ss.Costs(&c)
	return c
}
