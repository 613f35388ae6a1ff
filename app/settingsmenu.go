package app

import (
	"fmt"
	"math"

	"framescope/app/library"
	"framescope/app/prompt"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/widgets"
)

// settingsMenu is what can be set.
type settingsMenu struct {
	settings *settings.Settings
	stage    *stage
	ss       *sessions
	ask      *prompt.Prompt
	keyOf    func(command string) string
}

// open shows it, as a menu that stays open.
func (m *settingsMenu) open() {
	menu := &widgets.Menu{Name: "Settings", Rebuild: m.settingItems}
	menu.Items = menu.Rebuild()
	m.ask.OpenMenu(menu, m.ask.Desk.Area().X1, m.ask.Desk.Area().Y0)
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
		toggle("Animate jumps", &s.Animate, nil),
		toggle("Show tooltips", &s.Tooltips, nil),
		toggle("Light colours", &s.Light, m.stage.setTheme),
		{Label: fmt.Sprintf("Larger (now %.0f %%)", s.Scale*100), Key: m.keyOf("size.larger"), Line: true, Keep: true, Run: func() { m.rescale(1) }},
		{Label: "Smaller", Key: m.keyOf("size.smaller"), Keep: true, Run: func() { m.rescale(-1) }},
	}
	for i, hz := range []float64{30, 60, 90, 120, 144} {
		on := math.Abs(s.BudgetMs-1000/hz) < 0.01
		items = append(items, widgets.MenuItem{Label: fmt.Sprintf("Frame budget %.1f ms (%.0f Hz)", 1000/hz, hz), On: on, Keep: true, Line: i == 0, Run: func() { m.ss.setBudget(1000 / hz) }})
	}
	items = append(items,
		widgets.MenuItem{Label: fmt.Sprintf("More memory for sessions (now %s)", format.AppendBytes(nil, m.ss.memory.limit)), Line: true, Keep: true, Run: func() { m.ss.stepMemory(1) }},
		widgets.MenuItem{Label: "Less memory for sessions", Keep: true, Run: func() { m.ss.stepMemory(-1) }},
	)
	listed := !m.ss.keepsSessions()
	for i, gib := range []float64{0, 5, settings.DefaultDiskGiB, 50, 100, 500} {
		if !m.ss.keepsSessions() {
			break
		}
		label := fmt.Sprintf("Keep up to %.0f GiB of sessions on disk", gib)
		if gib == 0 {
			label = "Keep no sessions on disk"
		}
		on := m.ss.library.Limit() == int64(gib)<<30
		listed = listed || on
		items = append(items, widgets.MenuItem{Label: label, On: on, Keep: true, Line: i == 0, Run: func() { m.ss.setDisk(gib) }})
	}
	if !listed { // it was set by a command
		label := "Keep up to " + library.Bytes(m.ss.library.Limit()) + " of sessions on disk"
		items = append(items, widgets.MenuItem{Label: label, On: true, Keep: true})
	}
	items = append(items, widgets.MenuItem{Label: "Reset the layout", Line: true, Run: m.resetLayout})
	return items
}

// resetLayout brings the arrangement of a first start back. Charts that the user opened stay open.
func (m *settingsMenu) resetLayout() { m.ask.Desk.Arrange(workspace.DefaultArrangement()) }

// rescale makes everything larger or smaller; 0 goes back to the display's own size.
func (m *settingsMenu) rescale(dir int) {
	if m.settings.Rescale(dir); dir != 0 {
		m.ask.Tell("Size %.0f %%", m.settings.Scale*100)
	}
}
