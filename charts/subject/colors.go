package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// CategoryColor returns the fill and text colours of the thing of a number on a theme.
func CategoryColor(th *assets.Theme, n int) (fill, text draw.Color) {
	fill = draw.Color(th.Numbered(n))
	return fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
}

// ThreadColor returns the fill and text colours that stand for a thread, the same wherever threads
// are told apart by colour.
func ThreadColor(env *panel.Env, track model.TrackID) (fill, text draw.Color) {
	return CategoryColor(env.Theme, int(track))
}

// SeverityColor returns the colour of a severity: the graver the louder.
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

// ElementColor returns the colour of an element: that which its source gave it, as data have it.
func ElementColor(env *panel.Env, id model.ObjectID) draw.Color {
	o, _ := env.View.Session().Topology().Object(id)
	if !o.Color.Set {
		return draw.Color(env.Theme.NameColor(o.Name))
	}
	hue, chroma, level := env.Theme.Data.Clamp(assets.RGB(o.Color.R, o.Color.G, o.Color.B))
	return draw.Color(env.Theme.Data.Muted(hue, level, chroma))
}
