package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

// Messages of a track are flags in a row above its lanes, each with a thin pole through them. Flags that would stand closer than their width are one flag with the number of messages in it, in the
// colour of the gravest; which messages share a flag depends on multiples of a power of two of ns, so that flags stay while the picture pans. Beside a flag stands its text, up to the next flag.
const (
	flagRowH  = 15 // in scale-1 pixels
	flagW     = 7
	flagH     = 9
	flagsPx   = 12 // least width of what shares a flag
	flagTexts = 26 // least room for text beside a flag
)

// messageFlag is what one flag stands for.
type messageFlag struct {
	first, last int64 // times in the session
	n           int
	message     model.Message // the first of the gravest
}

// drawnFlag is a flag as it was drawn.
type drawnFlag struct {
	messageFlag
	block int
	r     draw.Rect // with its text
}

// flagRows is what the timeline keeps for messages.
type flagRows struct {
	session *model.Session
	rev     uint64
	has     map[model.TrackID]bool
	list    []model.Message
	flags   []messageFlag
	px      []drawnFlag
}

// any tells whether a track has any messages; once it had one it has a row for them.
func (f *flagRows) any(s *model.Session, id model.TrackID, tr *model.Track) bool {
	if f.session != s {
		f.session = s
		clear(f.has)
	}
	if f.has[id] {
		return true
	}
	begin, end, ok := tr.Bounds()
	if !ok {
		return false
	}
	if f.list = tr.Messages(begin, end, f.list[:0]); len(f.list) == 0 {
		return false
	}
	if f.has == nil {
		f.has = map[model.TrackID]bool{}
	}
	f.has[id] = true
	return true
}

// gather finds the flags of a track in [begin, end], times of the track, that pass the filter.
func (f *flagRows) gather(v *View, id model.TrackID, tr *model.Track, begin, end, minNs int64) {
	f.flags = f.flags[:0]
	f.list = tr.Messages(floorDiv(begin, minNs)*minNs, end, f.list[:0])
	for i := range f.list {
		m := &f.list[i]
		if !v.Messages.filter.Match(id, m) {
			continue
		}
		if n := len(f.flags); n > 0 && floorDiv(f.flags[n-1].first, minNs) == floorDiv(m.Time, minNs) {
			k := &f.flags[n-1]
			k.last = max(k.last, m.Time)
			if k.n++; m.Severity > k.message.Severity {
				k.message = *m
			}
			continue
		}
		f.flags = append(f.flags, messageFlag{first: m.Time, last: m.Time, n: 1, message: *m})
	}
}

// drawFlags draws the messages of a block.
func (t *Timeline) drawFlags(env *Env, block int, begin, end int64) {
	b := &t.blocks[block]
	if b.flags == 0 || b.folded {
		return
	}
	v, f := env.View, &t.flags
	y0 := t.screenY(b.y) + env.Px(2)
	poleEnd := t.screenY(b.y) + t.laneOffset(env, b, max(b.lanes, 1)) - 1
	if poleEnd <= t.plot.Y0 || y0 >= t.plot.Y1 {
		return
	}
	w := int64(1)
	for float64(w) < float64(env.Px(flagsPx))*t.nsPerPx && w < 1<<60 {
		w *= 2
	}
	f.gather(v, b.track, v.Session.Track(b.track), begin-b.offset, end-b.offset, w)
	for i := range f.flags {
		d := drawnFlag{messageFlag: f.flags[i], block: block}
		d.first, d.last = d.first+b.offset, d.last+b.offset
		x, next := t.pxOf(d.first, env), t.plot.X1
		if i+1 < len(f.flags) {
			next = min(t.pxOf(f.flags[i+1].first+b.offset, env), next)
		}
		if x >= t.plot.X1 {
			break
		}
		if d.last < begin {
			continue
		}
		d.r = draw.Rect{X0: x, Y0: y0, X1: x + env.Px(flagW), Y1: y0 + env.Px(flagRowH) - env.Px(2)}
		t.drawFlag(env, b, &d, next, poleEnd)
		f.px = append(f.px, d)
	}
}

// drawFlag draws one flag with its pole and, up to next, its text. It makes d.r as wide as all of it.
func (t *Timeline) drawFlag(env *Env, b *timelineBlock, d *drawnFlag, next, poleEnd float32) {
	l, th, v := t.list, env.Theme, env.View
	c := severityColor(th, d.message.Severity)
	one := max(1, float32(int(env.Scale)))
	selected := d.n == 1 && v.Messages.IsSelected(b.track, &d.message)
	pole := c.WithAlpha(90)
	if selected {
		pole = c
	}
	l.Rect(draw.Rect{X0: d.r.X0, Y0: d.r.Y0, X1: d.r.X0 + one, Y1: poleEnd}, pole)
	flag := draw.Rect{X0: d.r.X0, Y0: d.r.Y0 + env.Px(1), X1: d.r.X0 + env.Px(flagW), Y1: d.r.Y0 + env.Px(1) + env.Px(flagH)}
	room := next - env.Px(2) - flag.X0
	if d.n > 1 {
		t.buf = AppendCount(t.buf[:0], int64(d.n))
		if wide := env.Atlas.Measure(draw.Small, scratchText(t.buf)) + env.Px(5); wide <= room {
			flag.X1, flag.Y1 = flag.X0+wide, flag.Y0+env.Px(11)
			l.Rect(flag, c)
			l.TextIn(draw.Small, flag, draw.Center, scratchText(t.buf), draw.Color(th.Panel))
		} else {
			l.Rect(draw.Rect{X0: flag.X0, Y0: flag.Y0, X1: flag.X1, Y1: flag.Y0 + env.Px(4)}, c)
			l.Rect(draw.Rect{X0: flag.X0, Y0: flag.Y0 + env.Px(5), X1: flag.X1, Y1: flag.Y1}, c)
		}
	} else {
		l.Triangle(flag.X0, flag.Y0, flag.X1+env.Px(1), (flag.Y0+flag.Y1)/2, flag.X0, flag.Y1, c)
	}
	d.r.X1 = flag.X1
	in := draw.Rect{X0: flag.X1 + env.Px(3), Y0: d.r.Y0, X1: next - env.Px(5), Y1: d.r.Y1}
	if in.W() < env.Px(flagTexts) {
		return
	}
	text, _ := firstLine(d.message.Text)
	wide := min(env.Atlas.Measure(draw.Small, text), in.W())
	color := draw.Color(th.Text2)
	if selected {
		color = draw.Color(th.Text)
	}
	if l.TextIn(draw.Small, in, draw.Left, text, color) {
		d.r.X1 = in.X0 + wide
	}
	if selected {
		l.Outline(draw.Rect{X0: d.r.X0, Y0: d.r.Y0 - 1, X1: d.r.X1 + env.Px(3), Y1: d.r.Y1}, one, draw.Color(th.Text))
	}
}

// flagAt returns the flag that was drawn at a point, nil where none was.
func (t *Timeline) flagAt(pxX, pxY float32) *drawnFlag {
	if !t.plot.Contains(pxX, pxY) {
		return nil
	}
	for i := len(t.flags.px) - 1; i >= 0; i-- {
		if d := &t.flags.px[i]; d.r.Contains(pxX, pxY) || pxX >= d.r.X0-1 && pxX < d.r.X1+2 && pxY >= d.r.Y0-2 && pxY < d.r.Y1 {
			return d
		}
	}
	return nil
}

// flagTip describes what a flag stands for: its message, or the first few of many.
func (t *Timeline) flagTip(env *Env, d *drawnFlag) {
	const few = 6
	tip, b := &t.tip, &t.blocks[d.block]
	tr := env.View.Session.Track(b.track)
	if d.n == 1 {
		m := d.message
		m.Time = d.first
		tip.messageTip(tr.Title(), &m)
		return
	}
	tip.count(int64(d.n)).text(" messages within ").duration(d.last - d.first).end()
	t.flags.list = tr.Messages(d.first-b.offset, d.last-b.offset, t.flags.list[:0])
	shown := 0
	for i := range t.flags.list {
		m := &t.flags.list[i]
		if !env.View.Messages.filter.Match(b.track, m) {
			continue
		}
		if shown == few {
			break
		}
		shown++
		text, more := firstLine(m.Text)
		if line, rest := breakLine(text); rest != "" {
			text, more = line, true
		}
		tip.text(SeverityName(m.Severity)).text(": ").text(text)
		if more {
			tip.text(" …")
		}
		tip.end()
	}
	if d.n > shown {
		tip.text("and ").count(int64(d.n - shown)).text(" more").end()
	}
}
