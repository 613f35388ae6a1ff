package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/collectors"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// label writes the name of a bar inside its visible part, cut where it is too long, and the
// duration behind it where there is room for all of it.
func (s *spanLane) label(p *timepane.Pane, env *panel.Env, d *drawnBar, text draw.Color, row *spanRow) {
	l, c := p.List(), env.View.Session().Collector(d.bar.Collector)
	in := p.Inside(draw.Rect{X0: d.x0, Y0: row.y0, X1: d.x1, Y1: row.y1}, env.Px(5), env.Px(3))
	if in.W() < env.Px(9) {
		in.X0 -= env.Px(2)
	}
	room := in.W()
	if c == nil || room <= 0 {
		return
	}
	name := s.name(env, d, row, c, room)
	if name != "" && !l.TextFit(draw.Regular, in, draw.Left, name, text) {
		l.NameIn(draw.Regular, in, draw.Left, name, text)
		return
	}
	if room <= env.Px(32) { // for both, and what is between them
		return
	}
	if in.X0 += env.Atlas.Measure(draw.Regular, name) + env.Px(8); in.W() <= env.Px(24) {
		return
	}
	s.buf = s.buf[:0]
	if d.bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		s.buf = append(s.buf, "≥ "...)
	}
	s.buf = format.AppendDuration(s.buf, d.bar.End-d.bar.Begin)
	l.TextFit(draw.Regular, in, draw.Left, panel.ScratchText(s.buf), text)
}

// name returns what to call a bar: "Parent:Name" where that has room and the bar does not lie in
// its parent anyway (pstats-viewer section 11.6), else the name. It is valid until s.buf changes.
func (s *spanLane) name(env *panel.Env, d *drawnBar, row *spanRow, c *collectors.Collector, room float32) string {
	session := env.View.Session()
	if subject.IsFrameRoot(c) {
		tr := session.Track(row.track)
		i := tr.FrameOf(d.bar.Ref, d.bar.Begin-row.offset)
		if i < 0 {
			return c.Name
		}
		s.buf = format.AppendCount(append(s.buf[:0], "Frame "...), tr.Frame(i).Number)
		return panel.ScratchText(s.buf)
	}
	if room < env.Px(32) || c.Parent <= 0 {
		return c.Name
	}
	parentPath, _ := session.Path(d.bar.Path)
	if _, inside := session.Path(parentPath); inside == c.Parent {
		return c.Name
	}
	parent := session.Collector(c.Parent)
	if parent == nil {
		return c.Name
	}
	s.buf = append(append(append(s.buf[:0], parent.Name...), ':'), c.Name...)
	if long := panel.ScratchText(s.buf); env.Atlas.Measure(draw.Regular, long) <= room {
		return long
	}
	return c.Name
}

// Label implements timepane.Lane: the track's name with its fold arrow.
func (s *spanLane) Label(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	l, th, g := p.List(), env.Theme, p.Gutter()
	tr := env.View.Session().Track(b.track)
	row := s.nameRow(p, env, b, at.Y0, at.Y1)
	if row.Y1 > g.Y1+env.Px(4) {
		return // half a name says nothing
	}
	if b.head.key != "" && b.many == nil {
		l.Rect(draw.Rect{X0: g.X0, Y0: row.Y0, X1: g.X1, Y1: row.Y1}, draw.Color(th.PanelTitle))
	}
	cx, cy, d := g.X0+env.Px(12), (row.Y0+row.Y1)/2, env.Px(4)
	if b.folded && (b.head.key == "" || b.many != nil || b.head.why != view.NotHidden) {
		l.Triangle(cx-d/2, cy-d, cx+d/2+1, cy, cx-d/2, cy+d, draw.Color(th.Text2))
	} else {
		l.Triangle(cx-d, cy-d/2, cx+d, cy-d/2, cx, cy+d/2+1, draw.Color(th.Text2))
	}
	col := draw.Color(th.Text)
	if !tr.Alive {
		col = draw.Color(th.Text2)
	}
	switch {
	case b.head.key != "":
		s.labelHead(p, env, row, b)
		return
	case b.many != nil:
		s.labelGone(l, row, len(b.many), draw.Color(th.Text2))
		return
	}
	p.Name(timepane.GroupNames, draw.Medium, row, tr.Title(), col)
}

// nameRow returns the place of a block's name in the gutter. It stays in view while something of
// the block does.
func (s *spanLane) nameRow(p *timepane.Pane, env *panel.Env, b *block, y0, y1 float32) draw.Rect {
	h := env.Px(nameH)
	y := max(y0+env.Px(2), min(p.Gutter().Y0+env.Px(2), y1-2*h))
	row := p.Beside(y, y+h, env.Px(foldArrowW), env.Px(4))
	if b.folded {
		row.Y0, row.Y1 = y0, y1
	}
	return row
}

// appendFrameTime appends number and duration of a thread's frame at a time: "#12 407 16.9 ms"; where
// offset is not 0, how far its clock is off, about.
func appendFrameTime(dst []byte, frame frames.Frame, offset int64, named bool) []byte {
	if named {
		dst = append(format.AppendCount(append(dst, '#'), frame.Number), ' ')
	}
	if offset != 0 {
		dst = append(dst, "≈ "...)
	}
	return format.AppendDuration(dst, frame.End-frame.Begin)
}

// cutByAnother tells whether the frames of threads other than the main one are those of the main
// one, which cut them: all took the same, and no thread as long.
func cutByAnother(s *store.Session) bool {
	main := s.Track(s.MainTrack())
	return main != nil && main.Def.Main
}

// frameTimes are the frames whose times stand under the names of tracks. While frames come they stay
// for as long as all figures do: they can be read, and are of the moment that the others are of.
type frameTimes struct {
	session *store.Session
	atNs    int64
	cut     bool // see cutByAnother
	of      map[model.TrackID]frames.Frame
}

// begin forgets them where others are to be shown.
func (x *frameTimes) begin(env *panel.Env) {
	s := env.View.Session()
	if x.of == nil {
		x.of = map[model.TrackID]frames.Frame{}
	}
	if x.session != s || !env.View.Live() || !panel.Stands(env, x.atNs) {
		x.session, x.atNs, x.cut = s, env.NowNs, cutByAnother(s)
		clear(x.of)
	}
}

// frame returns that of a block's track at the playhead; false where there is none, or it is one of
// another thread, which cuts all.
func (x *frameTimes) frame(v *view.View, b *block) (frames.Frame, bool) {
	if f, ok := x.of[b.track]; ok {
		return f, true
	}
	tr := x.session.Track(b.track)
	f := v.FrameAtPlayhead(b.track, b.offset)
	if f < 0 || x.cut && !tr.Def.Main {
		return frames.Frame{}, false
	}
	x.of[b.track] = tr.Frame(f)
	return tr.Frame(f), true
}

// drawFrameTimes writes under each track's name how long its frame at the playhead took, with its
// number where there is room.
func (t *Timeline) drawFrameTimes(env *panel.Env) {
	p, th, v := &t.pane, env.Theme, env.View
	l, g := p.List(), p.Gutter()
	t.times.begin(env)
	for i, blocks := 0, t.stack.Groups(); i < len(blocks); i++ {
		b := &blocks[i]
		top, h := t.stack.Band(i)
		name := t.spans.nameRow(p, env, b, p.ScreenY(top), p.ScreenY(top+h))
		tr := v.Session().Track(b.track)
		r := p.Beside(name.Y1-env.Px(1), name.Y1+env.Px(timeH), env.Px(20), env.Px(6))
		align := draw.Left
		if h < env.Px(nameH+timeH+2) { // beside it
			r, align = name, draw.Right
			if r.X0 += t.look(env, b.track, tr).width + env.Px(6); r.W() < env.Px(24) {
				continue
			}
		}
		if b.folded || r.Y1 < g.Y0 || r.Y1 > g.Y1 {
			continue
		}
		below := draw.Rect{X0: r.X0, Y0: r.Y1, X1: r.X1, Y1: r.Y1 + env.Px(timeH)}
		if b.deeper > 0 && below.Y1 <= p.ScreenY(top+h) {
			t.buf = append(format.AppendCount(append(t.buf[:0], '+'), int64(b.deeper)), " deeper"...)
			l.TextIn(draw.Small, below, draw.Left, panel.ScratchText(t.buf), draw.Color(th.TextDim))
		}
		frame, ok := t.times.frame(v, b)
		if !ok {
			continue
		}
		t.buf = appendFrameTime(t.buf[:0], frame, b.offset, true)
		if env.Atlas.Measure(draw.Small, panel.ScratchText(t.buf)) > r.W() {
			t.buf = appendFrameTime(t.buf[:0], frame, b.offset, false)
		}
		ns := frame.End - frame.Begin
		col := draw.Color(th.Text2)
		if b.track == v.Track() && subject.OverBudget(ns, v.Look().FrameBudgetNs()) {
			col = subject.FrameColor(th, ns, v.Look().FrameBudgetNs())
		}
		l.TextFit(draw.Small, r, align, panel.ScratchText(t.buf), col)
	}
}

// longestFrames keeps the length of the longest of merged frames. Bars stay where they are while
// the picture pans, so answers are kept, in a place that follows from the bar's begin.
type longestFrames struct {
	kept []mergedFrames
}

// mergedFrames is what a bar of merged frames stands for, and the longest of them.
type mergedFrames struct {
	session    *store.Session
	track      model.TrackID
	begin, end int64
	count      int32
	busy       float32
	longestNs  int64
}

// of returns the length of the longest of the frames that a bar stands for.
func (k *longestFrames) of(v *view.View, bar *spans.Bar, row *spanRow) int64 {
	if len(k.kept) == 0 {
		k.kept = make([]mergedFrames, 2048)
	}
	want := mergedFrames{
		session: v.Session(), track: row.track, begin: bar.Begin - row.offset, end: bar.End - row.offset,
		count: bar.Count, busy: bar.Busy,
	}
	kept := &k.kept[uint64(want.begin)*0x9e3779b97f4a7c15>>53]
	want.longestNs = kept.longestNs
	if *kept == want {
		return kept.longestNs
	}
	want.longestNs = 0
	if tr := v.Shown(); tr != nil {
		from := max(tr.FrameAt(want.begin), 0)
		want.longestNs = tr.LongestFrame(from, from+int(want.count)-1)
	}
	*kept = want
	return want.longestNs
}
