package timeline

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/store"
)

const (
	flagRowH  = 15 // in scale-1 pixels
	flagW     = 7
	flagH     = 9
	flagsPx   = 12 // least distance of two flags
	flagTexts = 26 // least room for text beside a flag
)

// messageFlag is the messages of one flag.
type messageFlag struct {
	track       model.TrackID
	first, last int64 // times in the track
	n           int64
	more        bool          // n is the least that it can be
	message     model.Message // the first of the gravest
}

// drawnFlag is a drawn flag. Its times are those of the session.
type drawnFlag struct {
	messageFlag
	offset int64
	r      draw.Rect // with its text
}

// flagLane shows the messages of a track as flags in a row above its spans, each with a thin pole
// through them. Flags that would stand closer than their width are one flag with the number of
// messages in it, in the color of the gravest; which messages share a flag depends on multiples of
// a power of two of ns, so that flags stay while the picture pans. Beside a flag stands its text,
// up to the next.
type flagLane struct {
	marks    []messages.Mark
	hits     []messages.Hit
	flags    []messageFlag
	filtered []messageFlag // of all tracks, by part of time, while a filter is set
	done     bool          // filtered was made for the present picture
	unseen   float64       // share of the messages that was not looked at yet; 0: none
	tracks   [1]model.TrackID
	px       []drawnFlag
	buf      []byte
}

// With a filter, messages are queried by part of time, all tracks at once. In a part that holds
// more than so many, these decide which tracks have a flag; its count is then a lower bound.
const (
	flagsAtOnce = 4096 // messages of the whole picture that are looked at one by one
	flagsPart   = 128  // of one part
)

// gather finds the flags of a track in [begin, end], times of the track.
func (f *flagLane) gather(v *view.View, id model.TrackID, tr *store.Track, begin, end, minNs int64, ownClock bool) {
	f.flags = f.flags[:0]
	filter := v.Look().MessageFilter()
	switch {
	case filter.OnlyTrack && filter.Track != id:
	case filter.All() || filter.JustTrack():
		f.marks = v.Session().Messages().Marks(id, begin, end, minNs, f.marks[:0])
		for i := range f.marks {
			m := &f.marks[i]
			f.flags = append(f.flags, messageFlag{track: id, first: m.Begin, last: m.End, n: m.N, message: m.Gravest})
		}
	case ownClock:
		f.tracks[0] = id
		f.search(v.Session(), &filter, f.tracks[:], begin, end, minNs)
		f.flags = append(f.flags, f.filtered...)
		f.done = false
	default:
		if !f.done {
			f.search(v.Session(), &filter, nil, begin, end, minNs)
			f.done = true
		}
		for i := range f.filtered {
			if f.filtered[i].track == id {
				f.flags = append(f.flags, f.filtered[i])
			}
		}
	}
}

// search finds the flags of messages that pass a filter, into f.filtered.
func (f *flagLane) search(
	s *store.Session, filter *view.MessageFilter, tracks []model.TrackID, begin, end, minNs int64,
) {
	f.filtered = f.filtered[:0]
	q := filter.Query()
	if tracks != nil {
		q.Tracks = tracks
	}
	q.T0, q.T1, q.Limit = format.FloorDiv(begin, minNs)*minNs, (format.FloorDiv(end, minNs)+1)*minNs-1, flagsAtOnce
	total := 0
	share := 0.0
	f.hits, total, share = s.Messages().FindSoFar(q, f.hits[:0])
	if f.unseen = max(f.unseen, 1-share); total <= flagsAtOnce {
		for from := 0; from < len(f.hits); {
			part, to := format.FloorDiv(f.hits[from].Time, minNs), from
			for to < len(f.hits) && format.FloorDiv(f.hits[to].Time, minNs) == part {
				to++
			}
			f.part(f.hits[from:to], share < 1 && to == len(f.hits))
			from = to
		}
		return
	}
	last := q.T1
	for at := q.T0; at <= last; at += minNs {
		q.T0, q.T1, q.Limit = at, at+minNs-1, flagsPart
		f.hits, total, _ = s.Messages().FindSoFar(q, f.hits[:0])
		f.part(f.hits, total > len(f.hits) || share < 1)
	}
}

// part adds the flags of the messages of one part of time.
func (f *flagLane) part(hits []messages.Hit, more bool) {
	from := len(f.filtered)
next:
	for i := range hits {
		h := &hits[i]
		for j := from; j < len(f.filtered); j++ {
			k := &f.filtered[j]
			if k.track != h.Track {
				continue
			}
			k.last = h.Time
			if k.n++; h.Severity > k.message.Severity {
				k.message = h.Message
			}
			continue next
		}
		f.filtered = append(f.filtered, messageFlag{
			track: h.Track, first: h.Time, last: h.Time, n: 1, more: more, message: h.Message,
		})
	}
}

func (f *flagLane) reset() { f.px, f.done, f.unseen = f.px[:0], false, 0 }

// Layout implements timepane.Lane.
func (f *flagLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	switch {
	case b.folded, b.counter != nil:
		return 0
	case b.messages:
		return env.Px(blockPadTop) + env.Px(flagRowH)
	}
	return env.Px(blockPadTop)
}

// Label implements timepane.Lane.
func (f *flagLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (f *flagLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if !b.messages || b.folded {
		return
	}
	v, plot := env.View, p.Plot()
	y0, poleEnd := at.Y+env.Px(2), at.Y0+b.spansY1-1
	if poleEnd <= plot.Y0 || y0 >= plot.Y1 || plot.W() < 1 {
		return
	}
	begin, end := v.Time().Visible()
	w := p.PowerOf(env.Px(flagsPx))
	f.gather(v, b.track, v.Session().Track(b.track), begin-b.offset, end-b.offset, w, b.offset != 0)
	for i := range f.flags {
		d := drawnFlag{messageFlag: f.flags[i], offset: b.offset}
		d.first, d.last = d.first+b.offset, d.last+b.offset
		x, next := p.PxOf(env, d.first), plot.X1
		if i+1 < len(f.flags) {
			next = min(p.PxOf(env, f.flags[i+1].first+b.offset), next)
		}
		if x >= plot.X1 {
			break
		}
		if d.last < begin {
			continue
		}
		d.r = draw.Rect{X0: x, Y0: y0, X1: x + env.Px(flagW), Y1: y0 + env.Px(flagRowH) - env.Px(2)}
		f.drawFlag(p.List(), env, &d, next, poleEnd)
		f.px = append(f.px, d)
	}
}

// drawFlag draws one flag with its pole and, up to next, its text. It makes d.r as wide as all of
// it.
func (f *flagLane) drawFlag(l *draw.List, env *panel.Env, d *drawnFlag, next, poleEnd float32) {
	th := env.Theme
	c := subject.SeverityColor(th, d.message.Severity)
	one := timepane.One(env)
	selected := d.n == 1 && env.View.Thing() == view.Message(d.track, d.message)
	pole := format.Pick(selected, c, c.WithAlpha(90))
	l.Rect(draw.Rect{X0: d.r.X0, Y0: d.r.Y0, X1: d.r.X0 + one, Y1: poleEnd}, pole)
	y := d.r.Y0 + env.Px(1)
	flag := draw.Rect{X0: d.r.X0, Y0: y, X1: d.r.X0 + env.Px(flagW), Y1: y + env.Px(flagH)}
	if d.n > 1 {
		f.drawMany(l, env, d, &flag, next, c)
	} else {
		l.Triangle(flag.X0, flag.Y0, flag.X1+env.Px(1), (flag.Y0+flag.Y1)/2, flag.X0, flag.Y1, c)
	}
	d.r.X1 = flag.X1
	in := draw.Rect{X0: flag.X1 + env.Px(3), Y0: d.r.Y0, X1: next - env.Px(5), Y1: d.r.Y1}
	if in.W() < env.Px(flagTexts) {
		return
	}
	text, _ := subject.MessageLine(d.message.Text)
	wide := min(env.Atlas.Measure(draw.Small, text), in.W())
	color := draw.Color(format.Pick(selected, th.Text, th.Text2))
	if l.TextIn(draw.Small, in, draw.Left, text, color) {
		d.r.X1 = in.X0 + wide
	}
	if selected {
		around := draw.Rect{X0: d.r.X0, Y0: d.r.Y0 - 1, X1: d.r.X1 + env.Px(3), Y1: d.r.Y1}
		l.Outline(around, one, draw.Color(th.Text))
	}
}

// drawMany draws the flag of several messages: with their number where that has room, which makes
// the flag wider, else in two parts.
func (f *flagLane) drawMany(
	l *draw.List, env *panel.Env, d *drawnFlag, flag *draw.Rect, next float32, c draw.Color,
) {
	f.buf = format.AppendCount(f.buf[:0], d.n)
	if d.more {
		f.buf = append(f.buf, '+')
	}
	number := panel.ScratchText(f.buf)
	if wide := env.Atlas.Measure(draw.Small, number) + env.Px(5); wide <= next-env.Px(2)-flag.X0 {
		flag.X1, flag.Y1 = flag.X0+wide, flag.Y0+env.Px(11)
		l.Rect(*flag, c)
		l.TextIn(draw.Small, *flag, draw.Center, number, draw.Color(assets.TextOn(c.R, c.G, c.B)))
		return
	}
	l.Rect(draw.Rect{X0: flag.X0, Y0: flag.Y0, X1: flag.X1, Y1: flag.Y0 + env.Px(4)}, c)
	l.Rect(draw.Rect{X0: flag.X0, Y0: flag.Y0 + env.Px(5), X1: flag.X1, Y1: flag.Y1}, c)
}

// at returns the flag that was drawn at a point, nil where none was.
func (f *flagLane) at(pxX, pxY float32) *drawnFlag {
	for i := len(f.px) - 1; i >= 0; i-- {
		r := f.px[i].r
		near := pxX >= r.X0-1 && pxX < r.X1+2 && pxY >= r.Y0-2 && pxY < r.Y1
		if near || r.Contains(pxX, pxY) {
			return &f.px[i]
		}
	}
	return nil
}

// Hit implements timepane.Lane: a message, or the first few of many.
func (f *flagLane) Hit(p *timepane.Pane, env *panel.Env, _ *block, at timepane.Spot, hit *panel.Hit) bool {
	const few = 6
	d := f.at(at.PxX, at.PxY)
	if d == nil {
		return false
	}
	hit.Kind, hit.Rect, hit.TimeNs = panel.HitMessage, d.r, d.first
	s, tip := env.View.Session(), p.Tip()
	if d.n == 1 {
		hit.Thing = view.Message(d.track, d.message)
		m := d.message
		m.Time = d.first
		subject.MessageTip(tip, s.Track(d.track).Title(), &m)
		return true
	}
	tip.If(d.more).Text("more than ")
	tip.Count(d.n).Text(" messages within ").Duration(d.last - d.first).End()
	filter := env.View.Look().MessageFilter()
	q := filter.Query()
	q.T0, q.T1, q.Limit = d.first-d.offset, d.last-d.offset, flagsPart
	f.hits, _, _ = s.Messages().FindSoFar(q, f.hits[:0])
	shown := int64(0)
	for i := range f.hits {
		m := &f.hits[i]
		if m.Track != d.track {
			continue
		}
		if shown == few {
			break
		}
		shown++
		text, more := subject.MessageLine(m.Text)
		if line, rest := subject.BreakLine(text); rest != "" {
			text, more = line, true
		}
		tip.Text(subject.SeverityName(m.Severity)).Text(": ").Text(text)
		tip.If(more).Text(" …")
		tip.End()
	}
	tip.If(d.n > shown).Text("and ").Count(d.n - shown).Text(" more").End()
	return true
}

// gapLane hatches the intervals without data, and leaves stops dark. It has no height: it lies behind the
// other lanes of a track, over all of its block.
type gapLane struct {
	found []frames.Gap
	stops []frames.Stop
	px    []drawnGap
	buf   []byte
}

// drawnGap is a drawn hatched interval.
type drawnGap struct {
	gap                frames.Gap
	track              model.TrackID
	r                  draw.Rect
	missing, withoutNs int64 // of all that are merged
	merged             int   // gaps drawn as one
	left               int64 // frames that left memory: before the oldest kept one
}

func (g *gapLane) reset() { g.px = g.px[:0] }

// Layout implements timepane.Lane.
func (g *gapLane) Layout(*panel.Env, *block, float32) float32 { return 0 }

// Label implements timepane.Lane.
func (g *gapLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (g *gapLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if !b.alone() {
		return
	}
	l, hatch := p.List(), draw.Color(env.Theme.Hatch)
	tr := env.View.Session().Track(b.track)
	begin, end := env.View.Time().Visible()
	if from, _, ok := tr.Bounds(); ok && tr.Evicted() > 0 && from+b.offset > begin {
		gap := frames.Gap{Begin: begin, End: from + b.offset}
		r := draw.Rect{X0: p.Plot().X0, Y0: at.Y0, X1: p.PxOf(env, gap.End), Y1: at.Y1}
		g.px = append(g.px, drawnGap{gap: gap, track: b.track, r: r, merged: 1, left: tr.Evicted()})
		l.Hatch(r, hatch.WithAlpha(hatch.A/2))
		g.buf = subject.AppendLeft(g.buf[:0], tr.Evicted())
		g.writeText(p, env, r)
	}
	g.stops = tr.StopsTouching(begin-b.offset, end-b.offset, g.stops[:0])
	for _, s := range g.stops {
		x0, x1 := p.PxOf(env, s.Begin+b.offset), p.PxOf(env, s.End+b.offset)
		r := draw.Rect{X0: x0, Y0: at.Y0, X1: max(x1, x0+env.Px(2)), Y1: at.Y1}
		panel.DrawStop(l, env, r.Intersect(p.Plot()), s.End-s.Begin)
	}
	first := len(g.px)
	g.found = tr.Gaps(begin-b.offset, end-b.offset, g.found[:0])
	for _, gap := range g.found {
		gap.Begin, gap.End = gap.Begin+b.offset, gap.End+b.offset
		x0, x1 := p.PxOf(env, gap.Begin), p.PxOf(env, gap.End)
		x1 = max(x1, x0+env.Px(2))
		if n := len(g.px); n > first && x0 >= g.px[n-1].r.X0 && x0 <= g.px[n-1].r.X1 {
			last := &g.px[n-1]
			last.r.X1 = max(last.r.X1, x1)
			last.merged++
			last.missing += gap.Count()
			last.withoutNs += gap.End - gap.Begin
			last.gap.LastNumber, last.gap.End = gap.LastNumber, gap.End
			continue
		}
		r := draw.Rect{X0: x0, Y0: at.Y0, X1: x1, Y1: at.Y1}
		g.px = append(g.px, drawnGap{
			gap: gap, track: b.track, r: r, merged: 1, missing: gap.Count(), withoutNs: gap.End - gap.Begin,
		})
	}
	for i := first; i < len(g.px); i++ {
		d := &g.px[i]
		l.Hatch(d.r, hatch)
		if d.merged > 1 || d.r.W() < env.Px(60) {
			continue
		}
		g.buf = append(format.AppendCount(g.buf[:0], d.gap.Count()), " missing"...)
		g.writeText(p, env, d.r)
	}
}

// writeText writes the text of g.buf in the middle of the visible part of a hatched rectangle where it has room.
func (g *gapLane) writeText(p *timepane.Pane, env *panel.Env, r draw.Rect) {
	l, th, vis := p.List(), env.Theme, r.Intersect(p.Plot())
	text := panel.ScratchText(g.buf)
	w := env.Atlas.Measure(draw.Regular, text) + env.Px(12)
	mid, cy, h := (vis.X0+vis.X1)/2, (vis.Y0+vis.Y1)/2, min(env.Px(laneH), r.H())
	if w > vis.W() || vis.H() < h {
		return
	}
	back := draw.Rect{X0: mid - w/2, Y0: cy - h/2, X1: mid + w/2, Y1: cy + h/2}
	l.Rect(back, draw.Color(th.Panel))
	l.TextIn(draw.Regular, back, draw.Center, text, draw.Color(th.Text2))
}

// Hit implements timepane.Lane.
func (g *gapLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	if !b.alone() {
		return false
	}
	for i := range g.px {
		d := &g.px[i]
		if d.track != b.track || at.PxX < d.r.X0 || at.PxX >= d.r.X1 {
			continue
		}
		hit.Kind, hit.Gap, hit.Rect = panel.HitGap, d.gap, d.r
		if d.left > 0 {
			subject.LeftTip(env, p.Tip(), d.left)
			return true
		}
		if d.merged > 1 {
			subject.GapsTip(p.Tip(), d.gap, d.merged, d.missing, d.withoutNs)
			return true
		}
		subject.GapTip(p.Tip(), d.gap)
		return true
	}
	timeNs := p.TimeAt(env, at.PxX) - b.offset
	g.stops = env.View.Session().Track(b.track).StopsTouching(timeNs, timeNs, g.stops[:0])
	for _, s := range g.stops {
		s.Begin, s.End = s.Begin+b.offset, s.End+b.offset
		hit.Rect = draw.Rect{X0: p.PxOf(env, s.Begin), Y0: at.Y0, X1: p.PxOf(env, s.End), Y1: at.Y1}.Intersect(p.Plot())
		subject.StopTip(p.Tip(), s)
		return true
	}
	return false
}
