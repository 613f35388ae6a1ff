package details

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/flow"
	"framescope/model/why"
)

// chain shows why a frame took so long, as rows below its headline: from its own thread to the root
// cause, then other causes, and the unexplained rest. A click on a row selects its subject; as long as
// that is selected, the frame's headline and the chain stay.
type chain struct {
	answer        why.Answer
	of            *view.Causes
	tells         chainOf
	stamp         uint64 // another one for other rows
	groups        []why.Group
	rows          []chainRow
	width         float32 // that the rows were laid out for
	scale, height float32
}

// chainOf is the subject of the rows: an answer, or the hitches of a range of frames.
type chainOf struct {
	causes      *view.Causes
	made        uint64 // which answer, of a frame
	revision    uint64 // of the hitches
	first, last int64  // numbers of the range's frames
	where       bool   // made describes where the time of buffers goes
}

// chainRow is a row of the chain: a link, a cause of hitches, or words.
type chainRow struct {
	link                why.Link
	linked              bool       // it has a link
	cause               *why.Group // of hitches of a range
	element             *flow.Link // of where the time of buffers goes
	leads               bool       // the next row explains this wait
	method              bool       // the link is a method of a sampled thread; samples have it, a share of all
	calls               bool       // the next row is a callee of this one
	samples             int64
	share               float64
	thread, name, words string
	told                string   // the link as a sentence
	lines               []string // the words, as they have room
	y0, y1              float32  // from the chain's upper edge
}

// read takes the answer on a frame, beside a baseline if there is one, and reports whether it stands
// out.
func (c *chain) read(of *view.Causes, base *compare.Against, track model.TrackID, index int) (stands bool) {
	a, made := of.Frame(base, track, index)
	return c.take(of, a, made)
}

// take takes an answer, and reports whether its subject stands out.
func (c *chain) take(of *view.Causes, a *why.Answer, made uint64) (stands bool) {
	if a == nil {
		c.forget()
		return false
	}
	if tells := (chainOf{causes: of, made: made}); tells == c.tells {
		return a.Stands
	} else {
		c.of, c.tells = of, tells
	}
	links, others := append(c.answer.Chain[:0], a.Chain...), append(c.answer.Others[:0], a.Others...)
	c.answer = *a
	c.answer.Chain, c.answer.Others = links, others
	c.say()
	return a.Stands
}

// readRange takes the hitches among some frames, by their causes.
func (c *chain) readRange(of *view.Causes, first, last int64) {
	tells := chainOf{causes: of, revision: of.Revision(), first: first, last: last}
	if tells == c.tells {
		return
	}
	c.forget()
	c.of, c.tells = of, tells
	hitches := of.Hitches(first, last)
	c.groups = of.GroupsOf(hitches, c.groups[:0])
	words := "None of these frames is a hitch."
	switch {
	case len(hitches) > 0:
		b := format.AppendPlural(nil, int64(len(hitches)), "hitch", "hitches")
		b = append(b, format.Pick(of.Ready(), " among them", " among them so far")...)
		words = string(format.AppendDuration(append(b, ", over typical by "...), overTypical(c.groups)))
	case !of.Ready():
		words = "Looking for hitches."
	}
	c.rows = append(c.rows, chainRow{words: words})
	for k := range c.groups[:min(len(c.groups), mostCauses)] {
		g := &c.groups[k]
		b := format.AppendCount(append(subject.AppendCauseName(nil, of.Session(), g, false), " ×"...), int64(len(g.Hitches)))
		at := format.AppendDuration([]byte("worst "), g.Worst.DurationNs)
		at = format.AppendCount(append(at, " · #"...), g.Worst.Number)
		c.rows = append(c.rows, chainRow{
			link: g.Worst.Root, linked: true, cause: g, thread: subject.ThreadName(of.Session(), g.Track), name: string(b),
			words: string(at),
		})
	}
	if n := len(c.groups) - mostCauses; n > 0 {
		c.rows = append(c.rows, chainRow{words: string(format.AppendPlural(nil, int64(n), "cause more", "causes more"))})
	}
}

// mostCauses is the greatest number of causes shown for a range; the list of spikes has all.
const mostCauses = 5

// overTypical is how much longer than typical hitches took, all together.
func overTypical(groups []why.Group) (ns int64) {
	for k := range groups {
		ns += groups[k].ExcessNs()
	}
	return ns
}

// forget drops the content of the rows.
func (c *chain) forget() {
	c.answer = why.Answer{Chain: c.answer.Chain[:0], Others: c.answer.Others[:0]}
	c.tells, c.rows, c.width = chainOf{}, c.rows[:0], 0
	c.stamp++
}

// follow goes to the target of a row: the subject of its link, or the worst frame of its cause.
func (c *chain) follow(v *view.View, r *chainRow) {
	if r.element != nil {
		v.SelectElement(r.element.Object, r.element.Track)
	} else if r.method {
		r.choose(v)
	} else if r.cause == nil {
		v.SelectCause(&r.link)
	} else if i, ok := v.Shown().FrameByNumber(r.cause.Worst.Number); ok {
		v.GoToHitch(i)
	}
}

// say makes the rows of the answer.
func (c *chain) say() {
	c.rows, c.width = c.rows[:0], 0
	if c.stamp++; !c.answer.Stands {
		return
	}
	s := c.of.Session()
	if c.answer.Pending {
		c.rows = append(c.rows, chainRow{words: "Working out what took longer."})
		return
	}
	c.sayLinks(c.answer.Chain)
	if len(c.answer.Others) > 0 {
		c.rows = append(c.rows, chainRow{words: "also"})
	}
	c.sayLinks(c.answer.Others)
	for _, words := range [...]string{subject.Less(s, &c.answer), subject.Unexplained(&c.answer)} {
		if words != "" {
			c.rows = append(c.rows, chainRow{words: words})
		}
	}
}

func (c *chain) sayLinks(links []why.Link) {
	s := c.of.Session()
	for i := range links {
		l := &links[i]
		c.rows = append(c.rows, chainRow{
			link: *l, linked: true, leads: l.How == why.Waiting && i+1 < len(links), thread: subject.LinkThread(s, l),
			name: subject.LinkName(s, l), words: string(subject.AppendLinkFigures(nil, s, l)),
			told: string(subject.AppendLinkAt(nil, s, links, i)) + ".",
		})
	}
}

// Sizes at scale 1.
const (
	chainSwatch = 10
	chainText   = 18 // from the left edge to the words
	chainName   = 19
	chainLine   = 15
	chainGap    = 5
)

// lay gives the rows their places in a width, and returns how high they are.
func (c *chain) lay(env *panel.Env, width float32) float32 {
	if c.width == width && c.scale == env.Scale {
		return c.height
	}
	c.width, c.scale = width, env.Scale
	y := float32(0)
	for i := range c.rows {
		r := &c.rows[i]
		r.lines = panel.WrapWords(env.Atlas, draw.Small, r.words, width-env.Px(chainText))
		r.y0 = y
		if r.linked {
			y += env.Px(chainName)
		}
		y += env.Px(chainLine)*float32(len(r.lines)) + env.Px(chainGap)
		r.y1 = y
	}
	c.height = y
	return y
}

// chosen returns the row that is selected, -1 where none is.
func (c *chain) chosen(v *view.View) int {
	for i := range c.rows {
		r := &c.rows[i]
		if r.element != nil && v.Element() == r.element.Object ||
			r.linked && r.element == nil && r.cause == nil && v.ChoseCause(&r.link) {
			return i
		}
	}
	return -1
}

// at returns the row with a link at a height below the chain's upper edge, -1 where none is.
func (c *chain) at(pxY float32) int {
	for i := range c.rows {
		if r := &c.rows[i]; r.linked && pxY >= r.y0 && pxY < r.y1 {
			return i
		}
	}
	return -1
}

// draw draws the rows below a height, between two edges.
func (c *chain) draw(l *draw.List, env *panel.Env, x0, x1, top float32, hover, chosen int) {
	th := env.Theme
	for i := range c.rows {
		r := &c.rows[i]
		y := top + r.y0
		if i == hover || i == chosen {
			ground := format.Pick(i == chosen, draw.Color(th.Accent).WithAlpha(58), draw.Color(th.Hover))
			l.Rect(draw.Rect{X0: x0 - env.Px(6), Y0: y, X1: x1 + env.Px(6), Y1: top + r.y1 - env.Px(2)}, ground)
		}
		left, quiet := x0, draw.Color(th.Text2)
		if r.linked {
			left += env.Px(chainText)
			c.drawLink(l, env, r, x0, x1, y, top+r.y1, i == chosen)
			y += env.Px(chainName)
		}
		if i == chosen {
			quiet = draw.Color(th.Text)
		}
		for _, line := range r.lines {
			l.TextIn(draw.Small, draw.Rect{X0: left, Y0: y, X1: x1, Y1: y + env.Px(chainLine)}, draw.Left, line, quiet)
			y += env.Px(chainLine)
		}
	}
}

// drawLink draws the name of a link and the square before it, with an arrow from the next one where
// it waited for that.
func (c *chain) drawLink(l *draw.List, env *panel.Env, r *chainRow, x0, x1, y, end float32, chosen bool) {
	th, size := env.Theme, env.Px(chainSwatch)
	at := y + panel.Snap((env.Px(chainName)-size)/2)
	square := draw.Rect{X0: x0, Y0: at, X1: x0 + size, Y1: at + size}
	if r.element != nil {
		if c := draw.Color(th.WaitText); r.element.How == flow.Unmeasured {
			l.Outline(square, env.Px(1), draw.Color(th.Text2))
		} else if r.element.How == flow.Waits {
			l.Rect(square, c)
		} else {
			l.Rect(square, subject.ElementColor(env, r.element.Object))
		}
	} else if r.cause != nil {
		shape, color := subject.GroupMark(env, r.cause)
		subject.DrawMark(l, shape, color, (square.X0+square.X1)/2, (square.Y0+square.Y1)/2, size)
	} else if r.link.How == why.Waiting || r.link.How == why.Unknown || r.link.How == why.NotMeasured {
		l.Outline(square, env.Px(1), draw.Color(th.Text2))
	} else {
		l.Rect(square, env.Palette().Fill(r.link.Collector))
	}
	if r.leads {
		x, tip := panel.Snap(x0+size/2), square.Y1+env.Px(2)
		c := draw.Color(th.TextDim)
		l.VLine(x, tip, end+at-y-env.Px(1), env.Px(1), c)
		half := env.Px(3)
		mid := x + env.Px(1)/2
		l.Triangle(mid, tip, mid+half, tip+env.Px(5), mid-half, tip+env.Px(5), c)
	}
	if r.calls {
		l.VLine(panel.Snap(x0+size/2), square.Y1+env.Px(1), end+at-y-env.Px(1), env.Px(1), draw.Color(th.TextDim))
	}
	row := draw.Rect{X0: x0 + env.Px(chainText), Y0: y, X1: x1, Y1: y + env.Px(chainName)}
	quiet := draw.Color(format.Pick(chosen, th.Text, th.Text2))
	if w := env.Atlas.Measure(draw.Regular, r.thread) + env.Px(8); r.thread != "" && panel.RoomBeside(env, draw.Medium,
		r.name, row.W(), w) {
		l.TextIn(draw.Regular, row, draw.Left, r.thread, quiet)
		row.X0 += w
	}
	l.NameIn(draw.Medium, row, draw.Left, r.name, draw.Color(th.Text))
}

// hit returns the item of a row.
func (c *chain) hit(r *chainRow, rect draw.Rect) panel.Hit {
	hit := panel.NoHit()
	if r.element != nil {
		hit.Kind, hit.Thing, hit.Rect = panel.HitObject, view.Element(r.element.Object), rect
		hit.Lines = []string{r.name, r.words, "click: this element in all panels"}
		return hit
	}
	hit.Kind, hit.Track, hit.Collector, hit.Rect = panel.HitCollector, r.link.Track, r.link.Collector, rect
	if r.cause != nil {
		hit.Lines = []string{string(subject.AppendCause(nil, c.of.Session(), r.cause)), "click: the worst of these"}
		return hit
	}
	hit.Lines = []string{
		r.told, "click: show it everywhere",
	}
	return hit
}

// facts appends the facts of the rows.
func (c *chain) facts(out []panel.Fact) []panel.Fact {
	fact := func(row int, of panel.Hit, measure string, v float64, unit, text string) {
		out = append(out, panel.Fact{Measure: measure, Row: row, Of: of, Value: v, Unit: unit, Text: text})
	}
	for i := range c.rows {
		r := &c.rows[i]
		if !r.linked {
			fact(i, panel.NoHit(), "words", math.NaN(), "", r.words)
			continue
		}
		if r.element != nil {
			out = flowFacts(out, i, c.hit(r, draw.Rect{}), r)
			continue
		}
		if r.method {
			fact(i, c.hit(r, draw.Rect{}), "samples", float64(r.samples), "", r.words)
			fact(i, c.hit(r, draw.Rect{}), "share", r.share, "", r.words)
			continue
		}
		if g := r.cause; g != nil {
			fact(i, c.hit(r, draw.Rect{}), "hitches", float64(len(g.Hitches)), "", r.name)
			fact(i, c.hit(r, draw.Rect{}), "worst", float64(g.Worst.DurationNs), "ns", r.words)
			continue
		}
		hit := c.hit(r, draw.Rect{})
		hit.Lines = nil
		fact(i, hit, "excess", float64(r.link.ExcessNs), "ns", r.words)
		fact(i, hit, "calls", float64(r.link.Calls), "", r.words)
		fact(i, hit, "typical_calls", float64(r.link.TypicalCalls), "", r.words)
		fact(i, hit, r.link.How.String(), math.NaN(), "", r.name)
	}
	return out
}
