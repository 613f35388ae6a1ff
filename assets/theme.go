// Package assets embeds what the viewer ships: fonts, icon, colour themes.
package assets

// Color is a display colour, sRGB, not premultiplied.
type Color struct{ R, G, B, A uint8 }

// Theme is a set of colours.
type Theme struct {
	Ground, Panel, PanelTitle, Separator Color
	Text, Text2, TextDim                 Color
	Accent, Selection                    Color // blue: can be clicked; violet: selection and comparison
	Over, Bad, Live                      Color // amber over budget, red twice over, green live
	FrameBar, Grid, Target, Hatch        Color
	Hover, Tooltip, TooltipBorder        Color
	Button, ButtonHover, Input           Color
}
