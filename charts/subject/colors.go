package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// CategoryColor returns the fill and text colors of the thing of a number on a theme.
func CategoryColor(th *assets.Theme, n int) (fill, text draw.Color) {
	fill = draw.Color(th.Numbered(n))
	return fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
}

// ThreadColor returns the fill and text colors of a thread, the same wherever colors distinguish
// threads. A track of the work at an element has the element's.
func ThreadColor(env *panel.Env, track model.TrackID) (fill, text draw.Color) {
	if t := env.View.Session().Track(track); t != nil && t.Def.Kind == model.TrackElement && t.Def.Object != model.NoObject {
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
func elementHue(th *assets.Theme, s *store.Session, id model.ObjectID) (hue float64, level assets.Level, chroma float64) {
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
