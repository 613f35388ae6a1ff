package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

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
