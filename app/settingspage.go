package app

import (
	"fmt"

	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/panel"
	"framescope/widgets"
)

// settingsPage is the page of settings.
type settingsPage struct {
	settings *settings.Settings
	stage    *stage
	ss       *sessions.Sessions
	ask      *workspace.Prompt
	keyOf    func(command string) string
	source   *sourceCode
}

// paneSettings is the dialog of settings.
const paneSettings = "settings"

// open shows it as a dialog.
func (m *settingsPage) open() {
	page := &widgets.Settings{All: m.all, Close: func() { m.ask.Desk.Close(paneSettings) }}
	m.ask.CloseMenu()
	tab := &workspace.Tab{ID: paneSettings, Panel: page}
	m.ask.Desk.OpenDialog(m.ask.Env, tab, func(env *panel.Env) (float32, float32) {
		w, h := page.Size(env)
		return workspace.OverSize(env, w, h)
	}, nil)
}

// all returns the settings as they are.
func (m *settingsPage) all() []widgets.Setting {
	s := m.settings
	set := func(label string, on bool, change func()) widgets.SettingValue {
		return widgets.SettingValue{Label: label, On: on, Run: func() { change(); s.Touch() }}
	}
	look := []widgets.Setting{
		{Name: "Colors", Values: []widgets.SettingValue{
			m.theme("Dark", assets.DarkTheme), m.theme("Light", assets.LightTheme),
			m.theme("High contrast", assets.HighContrastTheme),
		}},
		{Name: "Collectors", Values: []widgets.SettingValue{
			set("Colors by name", !s.ColorsAsSent, func() { s.ColorsAsSent = false; m.ss.ApplyColors() }),
			set("Colors as sent", s.ColorsAsSent, func() { s.ColorsAsSent = true; m.ss.ApplyColors() }),
		}},
		{Name: fmt.Sprintf("Size, now %.0f %%", s.Scale*100), Values: []widgets.SettingValue{
			{Label: "Smaller", Key: m.keyOf("size.smaller"), Run: func() { m.rescale(-1) }},
			{Label: "Larger", Key: m.keyOf("size.larger"), Run: func() { m.rescale(1) }},
		}},
		{Name: "Motion", Values: []widgets.SettingValue{
			set("As the system", s.Motion == settings.MotionSystem, func() { s.Motion = settings.MotionSystem }),
			set("On", s.Motion == settings.MotionOn, func() { s.Motion = settings.MotionOn }),
			set("Off", s.Motion == settings.MotionOff, func() { s.Motion = settings.MotionOff }),
		}},
		{Name: "Tooltips", Values: []widgets.SettingValue{
			set("Shown", s.Tooltips, func() { s.Tooltips = true }),
			set("Not shown", !s.Tooltips, func() { s.Tooltips = false }),
		}},
		{Name: "This workspace", Values: []widgets.SettingValue{{Label: "Reset its panels", Run: m.ask.Desk.Reset}}},
	}
	for i := range look {
		look[i].Section = "Window"
	}
	return append(append(look, m.ss.Settings()...), m.source.editors(), m.source.folders())
}

func (m *settingsPage) theme(words string, k assets.ThemeKind) widgets.SettingValue {
	return widgets.SettingValue{Label: words, On: m.settings.Theme == k.String(), Run: func() { m.setTheme(k) }}
}

// setTheme takes the colors of a theme.
func (m *settingsPage) setTheme(k assets.ThemeKind) {
	m.settings.Theme = k.String()
	m.settings.Touch()
	m.stage.setTheme()
}

// rescale makes everything larger or smaller; 0 goes back to the display's own size.
func (m *settingsPage) rescale(dir int) {
	if m.settings.Rescale(dir); dir != 0 {
		m.ask.ReplaceNotice("Size ", "%.0f %%", m.settings.Scale*100)
	}
}
