package flame

import (
	"math"
	"slices"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// typical is a frame like those around the shown one, below it at the same scale, for comparison.
// It uses the room that the graph leaves.
type typical struct {
	forest
	key   flameTreeKey
	frame int   // index, -1 none
	ns    int64 // the typical length
	tree  spans.Tree
	merge flameMerge
	bars  []flameBar
	pane  pane
	rows  int       // how many have room
	words draw.Rect // where they are written; empty: nowhere
}

// typicalOf returns the frame with a length nearest to the typical one around a frame
// (Frames().Around), among those around and not itself; -1 if no typical length is known.
func typicalOf(s *store.Session, t *store.Track, frame int) (index int, ns int64) {
	typical := s.Frames().Around(t.Def.ID, frame)
	index = -1
	if typical.N == 0 {
		return index, 0
	}
	best := int64(math.MaxInt64)
	for i := max(0, frame-frames.Near); i <= min(frame+frames.Near, t.NumFrames()-1); i++ {
		f := t.Frame(i)
		if off := max(f.End-f.Begin-typical.MedianNs, typical.MedianNs-f.End+f.Begin); i != frame && off < best {
			index, best = i, off
		}
	}
	return index, typical.MedianNs
}

// queryTypical gets the typical frame's tree if one frame is shown that leaves room for it.
func (f *Graph) queryTypical(env *panel.Env) {
	y := &f.typical
	y.bars = y.bars[:0]
	one := f.source.kind == subject.SourceShown && f.source.a == f.source.b && !f.source.live &&
		f.measure == spans.MeasureDuration
	if !one || f.total <= 0 || f.room(env) < f.rowHeight(env) {
		return
	}
	if y.key == f.treeKey {
		return
	}
	y.key, y.frame = f.treeKey, -1
	y.clear()
	s := env.View.Session()
	if t := s.Track(f.track(env)); t != nil {
		y.frame, y.ns = typicalOf(s, t, f.source.a)
	}
	if y.frame < 0 {
		return
	}
	s.FrameTree(f.tracks(env), f.track(env), y.frame, y.frame, &y.tree)
	nodes, ends, rows := y.merge.focus(s, &y.tree, f.Focus)
	y.fill(nodes, ends, rows, 1)
}

// typicalGapPx parts the typical frame from the one above it, at scale 1.
const typicalGapPx = 14

// room is the height that the graph leaves.
func (f *Graph) room(env *panel.Env) float32 {
	return f.regions.plot.H() - float32(f.forest.rows)*f.rowHeight(env) - env.Px(typicalGapPx)
}

// placeTypical computes the bars of the typical frame: whole rows, beside or below their words, and
// nothing where these have no room.
func (f *Graph) placeTypical(env *panel.Env) {
	y, plot, rowH := &f.typical, f.regions.plot, f.rowHeight(env)
	y.bars, y.words = y.bars[:0], draw.Rect{}
	room := f.room(env)
	if y.key != f.treeKey || y.frame < 0 || y.total <= 0 || room < rowH || plot.W() < env.Px(60) {
		return
	}
	begin := 0.0 // of the zoomed bar, there
	if f.found >= 0 {
		at := y.find(f.zoom)
		if at < 0 {
			return
		}
		begin = y.start(int32(at)) - f.start(int32(f.found))
	}
	p := f.pane(env)
	p.begin, p.end = p.begin+begin, p.end+begin
	side := float32(float64(float32(y.total)-float32(p.begin)) / (p.end - p.begin) * float64(plot.W()))
	h := env.Atlas.LineHeight(draw.Small) + env.Px(2)
	y.rows = int((room - h) / rowH) // at least so many, beside or below the words
	wide := f.measureTypical(env)
	x := plot.X0 + max(side, 0) + env.Px(12)
	top := plot.Y1 - room // of the room, where rows go down
	if p.up {
		top = plot.Y0
	}
	switch {
	case x+wide <= plot.X1: // beside
		y.words = draw.Rect{X0: x, Y0: top, X1: plot.X1, Y1: top + rowH}
		if p.up {
			y.words.Y0, y.words.Y1 = top+room-rowH, top+room
		}
	case wide <= plot.W() && room >= rowH+h: // above the rows, or below those that go up
		y.words = draw.Rect{X0: plot.X0, Y0: top, X1: plot.X1, Y1: top + h}
		if p.up {
			y.words.Y0, y.words.Y1 = top+room-h, top+room
		} else {
			top += h
		}
		room -= h
	default:
		return
	}
	p.y = format.Pick(p.up, top+room, top)
	y.rows = int(room / rowH)
	p.rows = int32(y.rows)
	y.bars, y.pane = p.bars(&y.forest, y.bars), p
}

// appendTypical describes the typical frame.
func (f *Graph) appendTypical(env *panel.Env, dst []byte) []byte {
	s, y := env.View.Session(), &f.typical
	t := s.Track(f.track(env))
	if t == nil || y.frame >= t.NumFrames() {
		return dst
	}
	typical, here, where := y.total, f.total, ""
	if f.found >= 0 {
		if at := y.find(f.zoom); at >= 0 {
			typical, here, where = y.node(int32(at)).total, f.node(int32(f.found)).total, s.Collector(f.focused()).Name
		}
	} else if !f.all(env) {
		where = t.Title()
	}
	dst = format.AppendCount(append(dst, "typical frame "...), t.Frame(y.frame).Number)
	dst = f.append(append(dst, ": "...), typical)
	if where != "" {
		dst = append(append(dst, " in "...), where...)
	}
	dst = f.append(append(dst, " instead of "...), here)
	if y.rows < y.forest.rows { // rows left out are no missing calls
		dst = strconv.AppendInt(append(dst, ", "...), int64(y.rows), 10)
		dst = strconv.AppendInt(append(dst, " of "...), int64(y.forest.rows), 10)
		dst = append(dst, " rows"...)
	}
	return dst
}

// measureTypical returns how wide the words are.
func (f *Graph) measureTypical(env *panel.Env) float32 {
	f.buf = f.appendTypical(env, f.buf[:0])
	return env.Atlas.Measure(draw.Small, panel.ScratchText(f.buf))
}

// drawTypical draws the typical frame, paler than the graph.
func (f *Graph) drawTypical(env *panel.Env) {
	l, th, y := f.List(), env.Theme, &f.typical
	ground := draw.Color(th.Panel)
	for i := range y.bars {
		b := &y.bars[i]
		r := b.rect
		if r.W() >= 3 {
			r.X1 -= env.Px(1)
		}
		if b.merged > 1 {
			l.Rect(r, draw.Mix(draw.Color(th.TextDim), ground, 140))
			continue
		}
		n := y.node(b.node)
		fill, text := f.pal.Drawn(n.collector, true).Both()
		l.Rect(r, fill)
		if f.pal.Found(n.collector) {
			l.Outline(r, env.Px(1), draw.Color(th.Accent))
		}
		f.drawBarText(env, &y.forest, &n, r, text, &subject.Measured{})
	}
	if !y.words.Empty() {
		f.buf = f.appendTypical(env, f.buf[:0])
		l.TextFit(draw.Small, y.words, draw.Left, panel.ScratchText(f.buf), draw.Color(th.Text2))
	}
}

// typicalAt returns the index of the typical frame's bar under a point, -1 none.
func (f *Graph) typicalAt(pxX, pxY float32) int {
	return slices.IndexFunc(f.typical.bars, func(b flameBar) bool { return b.rect.Contains(pxX, pxY) })
}

// against holds the baseline of the bars of a graph while one is pinned: for each node of the tree
// the entry for the same calls.
type against struct {
	base     *compare.Against // nil: nothing is pinned
	made     flameTreeKey
	revision uint64
	nodes    measured.Nodes
	tones    subject.Tones
}

// queryBaseline looks up the nodes of the tree in the baseline when either changed.
func (f *Graph) queryBaseline(env *panel.Env) {
	a := &f.against
	a.base = subject.Baseline(env)
	a.tones.Use(env.Theme)
	if a.base == nil || f.source.kind != subject.SourceShown {
		a.nodes.Known, a.made = false, flameTreeKey{}
		return
	}
	rev := env.Comparing.BaselineRevision()
	if a.made == f.treeKey && a.revision == rev {
		return
	}
	a.made, a.revision = f.treeKey, rev
	a.nodes.Known = false
	src, track := &f.source, f.track(env)
	if f.all(env) || f.Focus != model.NoCollector || f.measure != spans.MeasureDuration || !a.base.Knows(track) {
		return
	}
	switch ofFrames := src.b >= src.a; {
	case ofFrames && !a.base.ByTime(): // widths are per frame already
		a.nodes.Look(a.base, track, f.nodes, 1)
	case a.base.ByTime() && src.partial && src.t1 > src.t0:
		a.nodes.Look(a.base, track, f.nodes, 1e9/float64(src.t1-src.t0))
	}
}

// measuredBy returns how wide a node is, by the baseline.
func (f *Graph) measuredBy(node int32) subject.Measured {
	return f.against.nodes.Of(node, f.node(node).total)
}
