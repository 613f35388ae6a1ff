package app

import (
	"fmt"

	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/widgets"
)

// settingsMenu is the menu of settings.
type settingsMenu struct {
	settings *settings.Settings
	stage    *stage
	ss       *sessions.Sessions
	ask      *workspace.Prompt
	keyOf    func(command string) string
}

// open shows it, as a menu that stays open.
func (m *settingsMenu) open() {
	menu := &widgets.Menu{Name: "Settings", Rebuild: m.settingItems}
	menu.Items = menu.Rebuild()
	const far = 1 << 20 // beyond any window: it stays in the corner, however large that is
	m.ask.OpenMenu(menu, far, 0)
}

func (m *settingsMenu) settingItems() []widgets.MenuItem {
	s := m.settings
	toggle := func(label string, b *bool, after func()) widgets.MenuItem {
		return widgets.MenuItem{Label: label, On: *b, Keep: true, Run: func() {
			*b = !*b
			s.Touch()
			if after != nil {
				after()
			}
		}}
	}
	items := []widgets.MenuItem{
		m.motionItem("as the system", settings.MotionSystem), m.motionItem("on", settings.MotionOn),
		m.motionItem("off", settings.MotionOff),
		toggle("Show tooltips", &s.Tooltips, nil),
		toggle("Colours as sent", &s.ColorsAsSent, m.ss.ApplyColors),
		m.themeItem(assets.DarkTheme, true), m.themeItem(assets.LightTheme, false), m.themeItem(assets.HighContrastTheme, false),
		{Label: fmt.Sprintf("Larger (now %.0f %%)", s.Scale*100), Key: m.keyOf("size.larger"), Line: true, Keep: true,
			Run: func() { m.rescale(1) }},
		{Label: "Smaller", Key: m.keyOf("size.smaller"), Keep: true, Run: func() { m.rescale(-1) }},
	}
	items = append(items, m.ss.SettingItems()...)
	items = append(items, widgets.MenuItem{Label: "Reset this workspace", Line: true, Run: m.ask.Desk.Reset})
	return items
}

// themeWords are the names of themes for people.
var themeWords = map[assets.ThemeKind]string{
	assets.DarkTheme: "Dark colours", assets.LightTheme: "Light colours", assets.HighContrastTheme: "High-contrast colours",
}

func (m *settingsMenu) themeItem(k assets.ThemeKind, line bool) widgets.MenuItem {
	return widgets.MenuItem{
		Label: themeWords[k], On: m.settings.Theme == k.String(), Line: line, Keep: true, Run: func() { m.setTheme(k) },
	}
}

func (m *settingsMenu) motionItem(words, motion string) widgets.MenuItem {
	return widgets.MenuItem{Label: "Motion: " + words, On: m.settings.Motion == motion, Keep: true, Run: func() {
		m.settings.Motion = motion
		m.settings.Touch()
	}}
}

// setTheme takes the colours of a theme.
func (m *settingsMenu) setTheme(k assets.ThemeKind) {
	m.settings.Theme = k.String()
	m.settings.Touch()
	m.stage.setTheme()
}

// rescale makes everything larger or smaller; 0 goes back to the display's own size.
func (m *settingsMenu) rescale(dir int) {
	if m.settings.Rescale(dir); dir != 0 {
		m.ask.TellNow("Size ", "%.0f %%", m.settings.Scale*100)
	}
}
