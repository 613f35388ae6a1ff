package assets

// ThemeKind names a theme.
type ThemeKind uint8

// The themes.
const (
	DarkTheme ThemeKind = iota
	LightTheme
	HighContrastTheme
	numThemes
)

var themeNames = [numThemes]string{DarkTheme: "dark", LightTheme: "light", HighContrastTheme: "high-contrast"}

// String returns the name of a theme as settings and commands have it.
func (k ThemeKind) String() string {
	if k >= numThemes {
		k = DarkTheme
	}
	return themeNames[k]
}

// ThemeNames returns the names of all themes, the default first.
func ThemeNames() []string { return themeNames[:] }

// ThemeNamed returns the theme of a name; ok is false where there is none, and the theme then the
// default.
func ThemeNamed(name string) (t Theme, ok bool) {
	switch name {
	case themeNames[LightTheme]:
		return Light(), true
	case themeNames[HighContrastTheme]:
		return HighContrast(), true
	}
	return Dark(), name == themeNames[DarkTheme]
}

// Theme is a set of colors. The grounds are neutral, so that colors mean data; the few colors of
// the interface have one meaning each.
type Theme struct {
	Kind ThemeKind
	// Ground lies between the panels, Well behind sunken parts: strips and fields.
	Ground, Panel, PanelTitle, Well Color
	// Chosen is the ground of the time that is selected.
	Chosen               Color
	Separator, Grid      Color
	Text, Text2, TextDim Color
	// Accent means selected, hit, on, link, and the second of two that are compared. It is never data:
	// no collector has a hue near it.
	Accent, AccentGround Color
	Over, Bad, Live      Color // amber over budget and a warning, red twice over and an error, green live
	Slower, Faster       Color // differences
	Wait, WaitText       Color // waiting, idle or parked spans, and text on them
	Even, EvenText       Color // in comparisons what does not differ, beside causes what is as usual, in states "off"
	Pink, Teal, Amber    Color // marks by the cause of a frame that stands out; each has a shape of its own, too
	FrameBar             Color // frames within their budget, and neutral figures
	Target, Hatch        Color
	Hover                Color
	Tooltip              Color
	TooltipBorder        Color
	Button, ButtonHover  Color // raised: buttons and selected rows

	// Data are the bounds of the colors of data.
	Data Bounds
	// numbered are the colors of numbered things.
	numbered [numNumbered]Color
}

// Dark returns the theme for dim rooms. It is the default.
func Dark() Theme {
	return Theme{
		Kind:       DarkTheme,
		Ground:     hex(0x131416),
		Panel:      hex(0x1c1d20),
		PanelTitle: hex(0x1c1d20),
		Well:       hex(0x16171a),
		Chosen:     hex(0x242528),
		Separator:  hex(0x2c2e33),
		Grid:       hex(0x26282c),

		Text:    hex(0xe3e4e7),
		Text2:   hex(0x9a9da4),
		TextDim: hex(0x7e8189),

		Accent:       hex(0xb39cff),
		AccentGround: hex(0x322d47),

		Over: hex(0xe0b055),
		Bad:  hex(0xec6f66),
		Live: hex(0x5fbf8a),

		Slower: hex(0xe2756b),
		Faster: hex(0x5f9fe0),

		Wait:     hex(0x303237),
		WaitText: hex(0x979aa2),
		Even:     hex(0x303237),
		EvenText: hex(0x979aa2),

		FrameBar: hex(0x46494f),
		Pink:     hex(0xd990ac),
		Teal:     hex(0x55bcbc),
		Amber:    hex(0xbca961),
		Target:   Color{255, 255, 255, 110},
		Hatch:    Color{255, 255, 255, 46},

		Hover:         Color{255, 255, 255, 18},
		Tooltip:       Color{19, 20, 22, 248},
		TooltipBorder: hex(0x46494f),

		Button:      hex(0x2a2c30),
		ButtonHover: hex(0x383a40),

		Data: Bounds{MinL: 0.665, MaxL: 0.735, C: 0.095},
	}.numbers()
}

// Light returns the theme for bright rooms, with the same meanings of the colors.
func Light() Theme {
	return Theme{
		Kind:       LightTheme,
		Ground:     hex(0xe4e5e7),
		Panel:      hex(0xf6f6f7),
		PanelTitle: hex(0xf6f6f7),
		Well:       hex(0xeaebed),
		Chosen:     hex(0xfefefe),
		Separator:  hex(0xd2d4d8),
		Grid:       hex(0xe3e4e7),

		Text:    hex(0x1c1d20),
		Text2:   hex(0x5d6067),
		TextDim: hex(0x70737a),

		Accent:       hex(0x6d45c9),
		AccentGround: hex(0xe3dbf6),

		Over: hex(0x8d5900),
		Bad:  hex(0xb9362c),
		Live: hex(0x247147),

		Slower: hex(0xb4362e),
		Faster: hex(0x2866a4),

		Wait:     hex(0xdcdde0),
		WaitText: hex(0x5e6168),
		Even:     hex(0xdcdde0),
		EvenText: hex(0x5e6168),

		FrameBar: hex(0xc0c2c6),
		Pink:     hex(0xb8547e),
		Teal:     hex(0x00827f),
		Amber:    hex(0x8a7300),
		Target:   Color{0, 0, 0, 120},
		Hatch:    Color{0, 0, 0, 60},

		Hover:         Color{0, 0, 0, 14},
		Tooltip:       Color{255, 255, 255, 250},
		TooltipBorder: hex(0xc0c2c6),

		Button:      hex(0xe2e3e6),
		ButtonHover: hex(0xd2d4d8),

		Data: Bounds{MinL: 0.705, MaxL: 0.775, C: 0.105},
	}.numbers()
}

// HighContrast returns the theme for people who need more contrast: white on black, and visible
// lines.
func HighContrast() Theme {
	return Theme{
		Kind:       HighContrastTheme,
		Ground:     hex(0x2a2a2a),
		Panel:      hex(0x000000),
		PanelTitle: hex(0x000000),
		Well:       hex(0x000000),
		Chosen:     hex(0x1c1c1c),
		Separator:  hex(0x8a8a8a),
		Grid:       hex(0x4a4a4a),

		Text:    hex(0xffffff),
		Text2:   hex(0xdcdcdc),
		TextDim: hex(0xbcbcbc),

		Accent:       hex(0xcbb8ff),
		AccentGround: hex(0x45348a),

		Over: hex(0xffd24a),
		Bad:  hex(0xff8f86),
		Live: hex(0x66f0a4),

		Slower: hex(0xff8f86),
		Faster: hex(0x7cc0ff),

		Wait:     hex(0x3c3e44),
		WaitText: hex(0xe6e6e6),
		Even:     hex(0x3c3e44),
		EvenText: hex(0xe6e6e6),

		FrameBar: hex(0x5a5a5a),
		Pink:     hex(0xffa6cb),
		Teal:     hex(0x5fe0de),
		Amber:    hex(0xe6cf6e),
		Target:   Color{255, 255, 255, 200},
		Hatch:    Color{255, 255, 255, 110},

		Hover:         Color{255, 255, 255, 44},
		Tooltip:       Color{0, 0, 0, 255},
		TooltipBorder: hex(0xffffff),

		Button:      hex(0x303030),
		ButtonHover: hex(0x505050),

		Data: Bounds{MinL: 0.765, MaxL: 0.845, C: 0.115},
	}.numbers()
}

// hex returns the opaque color of six digits.
func hex(rgb uint32) Color { return RGB(uint8(rgb>>16), uint8(rgb>>8), uint8(rgb)) }
