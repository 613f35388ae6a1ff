package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// frameTime is what a thread did in its frames [first, last]: the figure that the list of threads has.
type frameTime struct {
	first, last int
	number      int64 // of the first
	begin, end  int64 // of the first and of the last
	by          subject.Share
	revision    uint64
	work        subject.FrameWork
}

// count returns how many frames the figure is of.
func (x *frameTime) count() int64 {
	if x.work.Frames > 0 {
		return x.work.Frames
	}
	return int64(max(0, x.last-x.first+1))
}

// frameTimeNames is the most that stands before a time: which frame, or of how many it is the mean.
const frameTimeNames = 2

// append appends the text under a name: "#12 407 16.9 ms", "mean of 2: 16.9 ms", with fewer names
// "mean 16.9 ms", "16.9 ms"; of several that run in one frame "20 frames: 16.9 ms"; unless offset is 0, also
// about how far the thread's clock is off.
func (x *frameTime) append(dst []byte, l *view.Look, offset int64, names int) []byte {
	switch n := x.count(); {
	case n == 1 && x.work.Of <= 1 && names == frameTimeNames:
		dst = append(format.AppendCount(append(dst, '#'), x.number), ' ')
	case n > x.work.Of && x.work.Of == 1 && names == frameTimeNames:
		dst = append(format.AppendPlural(dst, n, "frame", "frames"), ": "...)
	case n > 1 && n == x.work.Of && names == frameTimeNames:
		dst = append(format.AppendCount(append(dst, "mean of "...), n), ": "...)
	case x.work.Of > 1 && names > 0:
		dst = append(dst, "mean "...)
	}
	if offset != 0 {
		dst = append(dst, "≈ "...)
	}
	ns, _ := x.work.Shown(l)
	return format.AppendDuration(dst, ns)
}

// tip adds it to a tooltip.
func (x *frameTime) tip(l *panel.TipLines) {
	switch n := x.count(); {
	case n == 0:
		return
	case n == 1:
		l.Text("in frame ").Count(x.number)
	case n > x.work.Of:
		l.Text("in ").Count(n).Text(" frames")
	default:
		l.With(panel.AppendMeanOf(l.Buf, n))
	}
	l.End()
	x.work.Tip(l)
}

// frameTimes are the times under the names of tracks. While frames come they stay for as long as
// all figures do, so that they are readable and belong to the same moment.
type frameTimes struct {
	session *store.Session
	atNs    int64
	stand   bool
	only    timepane.Frames
	of      map[model.TrackID]frameTime
}

// begin forgets them where others are to be shown.
func (x *frameTimes) begin(env *panel.Env, only timepane.Frames) {
	s := env.View.Session()
	if x.of == nil || x.session != s || x.only != only {
		x.of, x.only = map[model.TrackID]frameTime{}, only
	}
	x.stand = x.session == s && env.View.Live() && panel.Stands(env, x.atNs)
	if !x.stand {
		x.session, x.atNs = s, env.NowNs
	}
}

// look returns that of a block's track (framesOf); of none where it has none there.
func (x *frameTimes) look(v *view.View, b *block) frameTime {
	kept, ok := x.of[b.track]
	if ok && x.stand && kept.count() > 0 {
		return kept
	}
	tr := x.session.Track(b.track)
	var now frameTime
	now.first, now.last, now.by = x.framesOf(v, b)
	if now.count() > 0 {
		first := tr.Frame(now.first)
		now.number, now.begin, now.end = first.Number, first.Begin, tr.Frame(now.last).End
		now.revision = x.session.Revision()
		if now.work = kept.work; now == kept {
			return kept
		}
		now.work = subject.WorkOf(x.session, b.track, now.first, now.last, now.by)
	}
	x.of[b.track] = now
	return now
}

// framesOf returns the indices of the frames for the time of a block's track, and those that share it: the
// shown ones (view.View.FramesShown), while live those of all means, or those that go with the frames of one side of
// a comparison.
func (x *frameTimes) framesOf(v *view.View, b *block) (first, last int, by subject.Share) {
	if !x.only.Some {
		if first, last = v.FramesShown(b.track, b.offset); v.Live() {
			first, last = panel.FramesOf(v, b.track)
		}
		return first, last, subject.SharedBy(v)
	}
	by = subject.Share{Of: x.only.Track, Last: -1}
	of := x.session.Track(x.only.Track)
	i, is := of.FrameByNumber(x.only.First)
	k, known := of.FrameByNumber(x.only.Last)
	if !is || !known {
		return 0, -1, by
	}
	by.First, by.Last = i, k
	first, last, _ = x.session.FramesWith(b.track, x.only.Track, i, k)
	return first, last, by
}

// drawFrameTimes writes under each track's name how long its frame took, or its frames in the mean,
// with which it is, or how many they are, where there is room.
func (t *Timeline) drawFrameTimes(env *panel.Env) {
	p, th, v := &t.pane, env.Theme, env.View
	l, g := p.List(), p.Gutter()
	t.times.begin(env, t.ruler.Of)
	for i, blocks := 0, t.stack.Groups(); i < len(blocks); i++ {
		b := &blocks[i]
		if b.counter != nil {
			continue
		}
		top, h := t.stack.Band(i)
		if p.ScreenY(top) > g.Y1 || p.ScreenY(top+h)+env.Px(nameH+timeH) < g.Y0 {
			continue
		}
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
		x := t.times.look(v, b)
		ns, known := x.work.Shown(v.Look())
		if !known {
			continue
		}
		for names := frameTimeNames; names >= 0; names-- {
			t.buf = x.append(t.buf[:0], v.Look(), b.offset, names)
			if env.Atlas.Measure(draw.Small, panel.ScratchText(t.buf)) <= r.W() {
				break
			}
		}
		col := draw.Color(th.Text2)
		if x.work.Over(v.Look()) {
			col = subject.FrameColor(th, ns, v.Look().FrameBudgetNs())
		}
		l.TextFit(draw.Small, r, align, panel.ScratchText(t.buf), col)
	}
}
