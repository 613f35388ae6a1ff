package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// label writes the name of a bar inside its visible part, cut where it is too long, and the
// duration behind it where there is room for all of it.
func (s *spanLane) label(p *timepane.Pane, env *panel.Env, d *drawnBar, at draw.Rect, text draw.Color, row *spanRow) {
	l, c := p.List(), env.View.Session().Collector(d.bar.Collector)
	in := p.Inside(at, env.Px(5), env.Px(3))
	if in.W() < env.Px(9) {
		in.X0 -= env.Px(2)
	}
	room := in.W()
	if c == nil || room <= 0 {
		return
	}
	name := draw.WithoutAddress(s.name(env, d, row, c, room))
	if name != "" && !l.TextFit(draw.Regular, in, draw.Left, name, text) {
		l.NameIn(draw.Regular, in, draw.Left, name, text)
		return
	}
	if room <= env.Px(32) { // for both, and the gap
		return
	}
	if in.X0 += env.Atlas.Measure(draw.Regular, name) + env.Px(8); in.W() <= env.Px(24) {
		return
	}
	s.buf = s.buf[:0]
	if row.measured {
		if m := s.measured(row.track, d.bar); m.Known {
			s.buf = m.AppendDelta(s.buf)
			l.TextFit(draw.Regular, in, draw.Left, panel.ScratchText(s.buf), text)
			return
		}
	}
	if d.bar.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0 {
		s.buf = append(s.buf, "≥ "...)
	}
	s.buf = format.AppendDuration(s.buf, d.bar.End-d.bar.Begin)
	l.TextFit(draw.Regular, in, draw.Left, panel.ScratchText(s.buf), text)
}

// name returns the name of a bar: "Parent:Name" if that fits and the bar does not lie in its parent
// anyway (VIEWER.md section 11.6), else the name. It is valid until s.buf changes.
func (s *spanLane) name(env *panel.Env, d *drawnBar, row *spanRow, c *model.Collector, room float32) string {
	session := env.View.Session()
	if c.IsFrameRoot() {
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
	if b.counter != nil {
		return
	}
	l, th, g := p.List(), env.Theme, p.Gutter()
	tr := env.View.Session().Track(b.track)
	row := s.nameRow(p, env, b, at.Y0, at.Y1)
	if row.Y1 > g.Y1+env.Px(4) {
		return // half a name is useless
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
	col := draw.Color(format.Pick(!tr.Alive, th.Text2, th.Text))
	switch {
	case b.head.key != "":
		s.labelHead(p, env, row, b)
		return
	case b.many != nil:
		s.labelGone(l, row, len(b.many), draw.Color(th.Text2))
		return
	}
	p.Name(timepane.GroupNames, draw.Medium, row, nameOf(env.View, tr), col)
}

// nameOf returns the name of a track in the gutter: without its process where that stands above it.
func nameOf(v *view.View, tr *store.Track) string {
	if v.Look().TrackGrouping() == view.TracksByProcess {
		return view.TrackName(tr)
	}
	return tr.Title()
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

// longestFrames keeps the length of the longest of merged frames. Bars stay where they are while
// the picture pans, so answers are kept from picture to picture, in the order of the bars.
type longestFrames struct {
	kept, last []mergedFrames // of this picture, and of the one before
	at         int            // in last: earlier ones belong to bars before the present one
	asked      int            // number of queries
}

// reset begins a picture.
func (k *longestFrames) reset() {
	k.kept, k.last, k.at = k.last[:0], k.kept, 0
}

// mergedFrames is the frames of a merged bar, and the longest of them.
type mergedFrames struct {
	session    *store.Session
	track      model.TrackID
	begin, end int64
	count      int32
	busy       float32
	longestNs  int64
}

// longestIn returns the length of the longest of the frames that a bar stands for.
func (k *longestFrames) longestIn(v *view.View, bar *spans.Bar, row *spanRow) int64 {
	want := mergedFrames{
		session: v.Session(), track: row.track, begin: bar.Begin - row.offset, end: bar.End - row.offset,
		count: bar.Count, busy: bar.Busy,
	}
	for k.at < len(k.last) && k.last[k.at].begin < want.begin {
		k.at++
	}
	if k.at < len(k.last) {
		want.longestNs = k.last[k.at].longestNs
	}
	if k.at == len(k.last) || k.last[k.at] != want {
		k.asked++
		want.longestNs = 0
		if tr := v.Shown(); tr != nil {
			from := max(tr.FrameAt(want.begin), 0)
			want.longestNs = tr.LongestFrame(from, from+int(want.count)-1)
		}
	}
	k.kept = append(k.kept, want)
	return want.longestNs
}
