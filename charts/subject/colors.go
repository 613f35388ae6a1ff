package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// CategoryColor returns the fill and text colors of the thing of a number on a theme.
func CategoryColor(th *assets.Theme, n int) (fill, text draw.Color) {
	fill = draw.Color(th.Numbered(n))
	return fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
}

// ThreadColor returns the fill and text colors of a thread, the same wherever colors distinguish
// threads. A track of the work at an element has the element's.
func ThreadColor(env *panel.Env, track model.TrackID) (fill, text draw.Color) {
	if t := env.View.Session().Track(track); t != nil && t.Def.Kind == model.TrackElement &&
		t.Def.Object != model.NoObject {
		fill = ElementColor(env, t.Def.Object)
		return fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
	}
	return CategoryColor(env.Theme, int(track))
}

// SeverityColor returns the color of a severity: the graver the louder.
func SeverityColor(th *assets.Theme, s model.Severity) draw.Color {
	switch {
	case s >= model.SeverityError:
		return draw.Color(th.Bad)
	case s == model.SeverityWarning:
		return draw.Color(th.Over)
	case s == model.SeverityFixme:
		return draw.Mix(draw.Color(th.Over), draw.Color(th.Text2), 128)
	case s == model.SeverityInfo:
		return draw.Color(th.Text)
	case s == model.SeverityDebug:
		return draw.Color(th.Text2)
	}
	return draw.Color(th.TextDim)
}

// SeverityName returns the word for a severity.
func SeverityName(s model.Severity) string {
	switch {
	case s >= model.SeverityError:
		return "error"
	case s == model.SeverityWarning:
		return "warning"
	case s == model.SeverityFixme:
		return "fixme"
	case s == model.SeverityInfo:
		return "info"
	case s == model.SeverityDebug:
		return "debug"
	case s == model.SeverityLog:
		return "log"
	}
	return "trace"
}

// ElementColor returns the color of an element, and of its pads: that which its source gave it, as
// data have it, else one from its name.
func ElementColor(env *panel.Env, id model.ObjectID) draw.Color {
	return draw.Color(env.Theme.Data.Muted(elementHue(env.Theme, env.View.Session(), id)))
}

// elementHue returns the hue, level and chroma of an element.
func elementHue(
	th *assets.Theme, s *store.Session, id model.ObjectID,
) (hue float64, level assets.Level, chroma float64) {
	o, ok := s.Topology().Object(id)
	for range 4 { // a pad, and a pad of a pad
		if !ok || o.Kind != model.ObjectPad && o.Kind != model.ObjectGhostPad || o.Color.Set {
			break
		}
		up, has := s.Topology().Object(o.Parent)
		if !has {
			break
		}
		o = up
	}
	if !o.Color.Set {
		hue, level = assets.NameHue(o.Name)
		return hue, level, th.Data.C
	}
	hue, chroma, level = th.Data.Clamp(assets.RGB(o.Color.R, o.Color.G, o.Color.B))
	return hue, level, chroma
}

// SeriesColors are the colors of the series of a session, the same in every panel: a series about an
// element or a thread has the hue of that; other series have one of their own, different from those
// before it in its group. A series named like a way of buffers is about that. The zero value is ready.
type SeriesColors struct {
	session *store.Session
	defs    uint64
	theme   assets.ThemeKind
	colors  []draw.Color
}

// seriesOf is the subject of several series of a group: they differ in lightness.
type seriesOf struct {
	group  string
	object model.ObjectID
	track  model.TrackID
}

// Of returns the color of a series. Cost: an index, and O(series) after definitions changed.
func (c *SeriesColors) Of(env *panel.Env, id model.SeriesID) draw.Color {
	s := env.View.Session()
	if s != c.session || s.DefsRevision() != c.defs || env.Theme.Kind != c.theme {
		c.session, c.defs, c.theme = s, s.DefsRevision(), env.Theme.Kind
		c.lay(env)
	}
	if id < 0 || int(id) >= len(c.colors) {
		return draw.Color(env.Theme.FrameBar)
	}
	return c.colors[id]
}

// lay gives all series their colors, in the order of their definition, which only adds at its end.
func (c *SeriesColors) lay(env *panel.Env) {
	th, s := env.Theme, c.session
	c.colors = c.colors[:0]
	taken, known, ways := map[string][]float64{}, map[seriesOf]int{}, map[string]model.TrackID{}
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t.Def.Kind == model.TrackStream {
			ways[t.Title()] = id
		}
	}
	for id := range model.SeriesID(s.Series().Len()) {
		d := &s.Series().ByID(id).Def
		of := seriesOf{d.Group, d.Object, d.Track}
		if way, ok := ways[d.Name]; ok {
			of.object, of.track = model.NoObject, way
		}
		if of.object == model.NoObject && of.track == model.NoTrack {
			var color draw.Color
			color, taken[d.Group] = distinctColor(d.Name, taken[d.Group], th)
			c.colors = append(c.colors, color)
			continue
		}
		var x assets.LCh
		if of.object != model.NoObject {
			x = assets.LChOf(assets.Color(ElementColor(env, of.object)))
		} else {
			fill, _ := ThreadColor(env, of.track)
			x = assets.LChOf(assets.Color(fill))
		}
		color := assets.Color(x.Color())
		if n := known[of]; n%2 == 1 {
			level := format.Pick(x.L < (th.Data.MinL+th.Data.MaxL)/2, assets.Bright, assets.Deep)
			color = th.Data.Muted(x.Hue, level, x.C)
		}
		known[of]++
		c.colors = append(c.colors, onGround(draw.Color(color), th))
	}
}

// leastMark is the contrast of a mark to the ground that it stands on, markChroma how much stronger its
// color is than that of an area: a small one of the same would look grey.
const leastMark, markChroma = 4.5, 1.6

// CauseMark returns the mark of hitches with a root cause, wherever frames that stand out are
// marked: in the color of the cause, grey for an unknown one, and with a shape for the kind, so
// that no mark depends on its color alone.
func CauseMark(env *panel.Env, c model.CollectorID, how why.How) (shape string, color draw.Color) {
	shape = CauseShape(how)
	if how == why.Unknown || how == why.NotMeasured || c == model.NoCollector {
		return shape, draw.Color(env.Theme.Text2)
	}
	return shape, draw.Color(markColor(env.Theme, assets.Color(env.Palette().Fill(c))))
}

// GroupMark returns the mark of a hitch by the group of its cause: a grey ring where g is nil, as it was not looked
// at yet, or is older than those that causes are kept of.
func GroupMark(env *panel.Env, g *why.Group) (shape string, color draw.Color) {
	if g == nil {
		return "○", draw.Color(env.Theme.Text2)
	}
	return CauseMark(env, g.Collector, g.How)
}

// markColor returns the color of a mark of something with a fill color: of the same hue, and only so
// much darker or lighter that it stands out from the ground.
func markColor(t *assets.Theme, fill assets.Color) assets.Color {
	contrast := func(c assets.Color) float64 { return min(assets.Contrast(c, t.Well), assets.Contrast(c, t.Panel)) }
	x, step := assets.LChOf(fill), 0.01
	if assets.LChOf(t.Panel).L > 0.5 {
		step = -step
	}
	for x.C *= markChroma; contrast(fill) < leastMark && x.L+step > 0 && x.L+step < 1; x.L += step {
		fill = x.Color()
	}
	return fill
}

// CauseShape returns the shape of a mark: a triangle for an unknown cause, a diamond for new work, a
// square for more calls, a disc for longer ones.
func CauseShape(how why.How) string {
	switch how {
	case why.New:
		return "◆"
	case why.MoreCalls:
		return "■"
	case why.Longer, why.Spread, why.Waiting:
		return "●"
	}
	return "▲"
}

// DrawMark draws a mark around a point, size px high.
func DrawMark(l *draw.List, shape string, color draw.Color, x, y, size float32) {
	r := draw.Rect{X0: x - size, Y0: y - size, X1: x + size, Y1: y + size}
	l.TextIn(draw.Small, r, draw.Center, shape, color)
}
