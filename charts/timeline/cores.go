package timeline

import (
	"math"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model/spans"
)

const (
	coreH     = 12 // height of the band, in scale-1 pixels
	coreGap   = 4  // above it: the marks
	coreMarks = 7  // least distance of marks
)

// coreLane is the bands under the lanes of tracks with known processors: in the color of the
// processor, with a mark where the track moved to another. A column with several moves is divided
// in height by the share of time of each.
type coreLane struct {
	found timepane.Cores
	px    []drawnCores
	buf   []byte
}

// drawnCores is a drawn band: runs[from:to].
type drawnCores struct {
	series   *spans.Series
	offset   int64
	r        draw.Rect
	from, to int
}

func (c *coreLane) reset() {
	c.found.Reset()
	c.px = c.px[:0]
}

// Layout implements timepane.Lane.
func (c *coreLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	if b.cores == nil || b.folded {
		return 0
	}
	return env.Px(coreGap) + env.Px(coreH)
}

// Label implements timepane.Lane.
func (c *coreLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (c *coreLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.cores == nil || b.folded {
		return
	}
	plot, y := p.Plot(), at.Y+env.Px(coreGap)
	r := draw.Rect{X0: plot.X0, Y0: y, X1: plot.X1, Y1: y + env.Px(coreH)}
	if r.Y1 <= plot.Y0 || at.Y >= plot.Y1 {
		return
	}
	d := drawnCores{series: b.cores, offset: b.offset, r: r, from: len(c.found.Runs())}
	c.found.Find(p, env, b.track, b.cores, b.offset)
	runs := c.found.Runs()
	d.to = len(runs)
	c.px = append(c.px, d)
	marked := float32(math.Inf(-1))
	for i := d.from; i < d.to; i++ {
		run := &runs[i]
		if run.Changes > 0 {
			c.drawShares(p, env, run, r)
			continue
		}
		fill, text := coreColor(env, run.Core)
		bar := draw.Rect{X0: run.X0, Y0: r.Y0, X1: run.X1, Y1: r.Y1}
		p.List().Rect(bar, fill)
		c.name(p, env, bar, run.Core, text)
		moved := i > d.from && runs[i-1].Changes == 0 && runs[i-1].End == run.Begin
		if !moved || run.X0-marked < env.Px(coreMarks) || run.X0 < plot.X0 {
			continue
		}
		marked = run.X0
		w := env.Px(3)
		p.List().Triangle(run.X0-w, at.Y, run.X0+w, at.Y, run.X0, r.Y0+1, draw.Color(env.Theme.Text))
	}
}

// coreColor returns the colors of a processor's part of a band. It stays behind the spans, which
// matter more.
func coreColor(env *panel.Env, core int32) (fill, text draw.Color) {
	fill, _ = subject.CategoryColor(env.Theme, int(core))
	return draw.Mix(fill, draw.Color(env.Theme.Panel), 205), draw.Color(env.Theme.Text)
}

// name writes the processor into its bar: "CPU 3", or the number alone, as there is room.
func (c *coreLane) name(p *timepane.Pane, env *panel.Env, bar draw.Rect, core int32, text draw.Color) {
	if bar = p.Inside(bar, env.Px(4), env.Px(2)); bar.W() < env.Px(6) {
		return
	}
	c.buf = strconv.AppendInt(append(c.buf[:0], "CPU "...), int64(core), 10)
	if !p.List().TextFit(draw.Small, bar, draw.Left, panel.ScratchText(c.buf), text) {
		p.List().TextFit(draw.Small, bar, draw.Left, panel.ScratchText(c.buf[len("CPU "):]), text)
	}
}

// drawShares draws a column in which the processor changed more than once.
func (c *coreLane) drawShares(p *timepane.Pane, env *panel.Env, run *timepane.CoreRun, r draw.Rect) {
	y, sum := r.Y0, 0.0
	for _, s := range c.found.Shares(run) {
		sum += s.Share
		y1 := r.Y0 + float32(math.Round(sum*float64(r.H())))
		fill, _ := coreColor(env, s.Core)
		p.List().Rect(draw.Rect{X0: run.X0, Y0: y, X1: run.X1, Y1: y1}, fill)
		y = y1
	}
}

// at returns the band that was drawn at a point, and its run there; nil where none was.
func (c *coreLane) at(pxX, pxY float32) (*drawnCores, *timepane.CoreRun) {
	for i := range c.px {
		d := &c.px[i]
		if pxY < d.r.Y0-coreGap || pxY >= d.r.Y1+1 {
			continue
		}
		runs := c.found.Runs()[d.from:d.to]
		for j := range runs {
			if run := &runs[j]; pxX >= run.X0 && pxX < run.X1 {
				return d, run
			}
		}
		return d, nil
	}
	return nil, nil
}

// Hit implements timepane.Lane.
func (c *coreLane) Hit(p *timepane.Pane, env *panel.Env, _ *block, at timepane.Spot, hit *panel.Hit) bool {
	d, run := c.at(at.PxX, at.PxY)
	if run == nil {
		return false
	}
	hit.Kind, hit.Rect = panel.HitCore, draw.Rect{X0: run.X0, Y0: d.r.Y0, X1: run.X1, Y1: d.r.Y1}
	tip := p.Tip()
	if run.Changes > 0 {
		tip.Plural(run.Changes, "change", "changes").Text(" of processor in ").Duration(run.End - run.Begin).End()
		for _, s := range c.found.Shares(run) {
			tip.Text("CPU ").Count(int64(s.Core)).Text("\t").Percent(s.Share).End()
		}
	} else {
		tip.Text("CPU ").Count(int64(run.Core)).End()
		hit.TimeNs = min(max(hit.TimeNs, run.Begin), run.End-1) // a pixel may reach beyond it
		if since, ok := coreSince(d.series, hit.TimeNs-d.offset); ok {
			tip.Text("since\t").Clock(since + d.offset).End()
			tip.Text("for\t").Duration(hit.TimeNs - since - d.offset).End()
		}
	}
	return true
}

// coreSince returns since when the track is on its processor at a time. It skips samples of the
// same processor, a few hundred at most.
func coreSince(d *spans.Series, timeNs int64) (since int64, ok bool) {
	s, ok := d.At(timeNs)
	if !ok {
		return 0, false
	}
	for range 512 {
		before, ok := d.At(s.Time - 1)
		if !ok || before.Value != s.Value {
			break
		}
		s = before
	}
	return s.Time, true
}
