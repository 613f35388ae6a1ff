package assets

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

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

//go:embed themes.json
var themesJSON []byte

// sets are the themes of themes.json. Colors are "#rrggbb", or "#rrggbbaa" where others shine through.
var sets = sync.OnceValue(func() (all [numThemes]Theme) {
	var named map[string]Theme
	if err := json.Unmarshal(themesJSON, &named); err != nil {
		panic(err) // it is part of the program
	}
	for kind, name := range themeNames {
		t := named[name]
		t.Kind = ThemeKind(kind)
		all[kind] = t.numbers()
	}
	return all
})

// UnmarshalText takes a color as themes.json has it.
func (c *Color) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(strings.TrimPrefix(string(text), "#"))
	if err != nil || len(b) != 3 && len(b) != 4 {
		return fmt.Errorf("%q is no color", text)
	}
	*c = RGB(b[0], b[1], b[2])
	if len(b) == 4 {
		c.A = b[3]
	}
	return nil
}

// Dark returns the theme for dim rooms. It is the default.
func Dark() Theme { return sets()[DarkTheme] }

// Light returns the theme for bright rooms, with the same meanings of the colors.
func Light() Theme { return sets()[LightTheme] }

// HighContrast returns the theme for people who need more contrast: white on black, and visible lines.
func HighContrast() Theme { return sets()[HighContrastTheme] }
