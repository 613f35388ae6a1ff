// Package assets embeds what the viewer ships: fonts, icon, colour themes.
package assets

// Color is a display colour, sRGB, not premultiplied. It has the layout of draw.Color:
// draw.Color(c) converts.
type Color struct{ R, G, B, A uint8 }

// RGB returns an opaque colour.
func RGB(r, g, b uint8) Color { return Color{r, g, b, 255} }

// WithAlpha returns c with another opacity.
func (c Color) WithAlpha(a uint8) Color { c.A = a; return c }

// Theme is a set of colours. The grounds are neutral, so that what has a colour is data; the few
// colours of the interface have one meaning each.
type Theme struct {
	Ground, Panel, PanelTitle, Separator Color
	Text, Text2, TextDim                 Color
	Accent, Selection                    Color // blue: can be clicked; violet: selection and comparison
	Over, Bad, Live                      Color // amber over budget, red twice over, green live
	FrameBar, Grid, Target, Hatch        Color
	Hover, Tooltip, TooltipBorder        Color
	Button, ButtonHover, Input           Color
}

// Dark returns the theme that goes with the widgets' own greys (30/38/45). It is the default.
func Dark() Theme {
	return Theme{
		Ground:     RGB(24, 24, 24),
		Panel:      RGB(38, 38, 38),
		PanelTitle: RGB(30, 30, 30),
		Separator:  RGB(58, 58, 58),

		Text:    RGB(230, 230, 230),
		Text2:   RGB(155, 155, 155),
		TextDim: RGB(110, 110, 110),

		Accent:    RGB(108, 182, 255),
		Selection: RGB(176, 136, 255),

		Over: RGB(245, 184, 76),
		Bad:  RGB(240, 98, 98),
		Live: RGB(80, 200, 120),

		FrameBar: RGB(88, 132, 188),
		Grid:     Color{255, 255, 255, 26},
		Target:   Color{255, 255, 255, 110},
		Hatch:    Color{255, 255, 255, 46},

		Hover:         Color{255, 255, 255, 30},
		Tooltip:       Color{18, 18, 18, 245},
		TooltipBorder: RGB(78, 78, 78),

		Button:      RGB(52, 52, 52),
		ButtonHover: RGB(68, 68, 68),
		Input:       RGB(20, 20, 20),
	}
}

// Light returns the theme for bright rooms, with the same meanings of the colours.
func Light() Theme {
	return Theme{
		Ground:     RGB(224, 224, 224),
		Panel:      RGB(246, 246, 246),
		PanelTitle: RGB(234, 234, 234),
		Separator:  RGB(200, 200, 200),

		Text:    RGB(28, 28, 28),
		Text2:   RGB(96, 96, 96),
		TextDim: RGB(144, 144, 144),

		Accent:    RGB(0, 102, 204),
		Selection: RGB(116, 66, 214),

		Over: RGB(196, 122, 0),
		Bad:  RGB(204, 40, 40),
		Live: RGB(22, 138, 66),

		FrameBar: RGB(96, 142, 200),
		Grid:     Color{0, 0, 0, 26},
		Target:   Color{0, 0, 0, 120},
		Hatch:    Color{0, 0, 0, 60},

		Hover:         Color{0, 0, 0, 22},
		Tooltip:       Color{255, 255, 255, 248},
		TooltipBorder: RGB(180, 180, 180),

		Button:      RGB(222, 222, 222),
		ButtonHover: RGB(208, 208, 208),
		Input:       RGB(255, 255, 255),
	}
}
