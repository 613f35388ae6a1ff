package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// CategoryColor returns the fill and text colours of the thing of a number on a theme.
func CategoryColor(th *assets.Theme, n int) (fill, text draw.Color) {
	if n < 0 {
		n = -(n + 1)
	}
	dark := isDark(th)
	if dark {
		fill = categoriesDark[n%numCategories]
	} else {
		fill = categoriesLight[n%numCategories]
	}
	switch n / numCategories % 3 {
	case 1:
		fill = draw.Mix(fill, draw.RGB(0, 0, 0), 90)
	case 2:
		fill = draw.Mix(fill, draw.RGB(255, 255, 255), 110)
	}
	return fill, draw.Color(assets.TextOn(fill.R, fill.G, fill.B))
}

// ThreadColor returns the fill and text colours that stand for a thread wherever threads are told
// apart by colour.
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
		return draw.Color(th.Selection)
	case s == model.SeverityInfo:
		return draw.Color(th.Accent)
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

// isDark tells whether a theme has bright text on a dark ground.
func isDark(th *assets.Theme) bool { return int(th.Panel.R)+int(th.Panel.G)+int(th.Panel.B) < 3*128 }

// Things that are told apart by number (processors, threads that hold a lock) are coloured by
// number, not by name: neighbours in number are then as different as can be. The eight
// colours are those that Okabe and Ito chose for all kinds of colour vision, brought to a lightness
// that reads on each ground; what follows repeats them, darker and brighter.
const numCategories = 8

var (
	categoriesDark = [numCategories]draw.Color{
		draw.RGB(86, 180, 233), draw.RGB(230, 159, 0), draw.RGB(38, 176, 132), draw.RGB(206, 124, 170),
		draw.RGB(222, 212, 72), draw.RGB(66, 128, 214), draw.RGB(220, 98, 38), draw.RGB(156, 162, 168),
	}
	categoriesLight = [numCategories]draw.Color{
		draw.RGB(64, 158, 214), draw.RGB(222, 146, 0), draw.RGB(0, 150, 108), draw.RGB(188, 88, 144),
		draw.RGB(202, 186, 28), draw.RGB(0, 98, 172), draw.RGB(196, 78, 0), draw.RGB(126, 132, 138),
	}
)
