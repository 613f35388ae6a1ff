package sessions

import (
	"fmt"
	"math"

	"framescope/app/input"
	"framescope/app/library"
	"framescope/app/settings"
	"framescope/charts/format"
	"framescope/widgets"
)

// Commands are the user's commands for files and programs.
func (ss *Sessions) Commands() []input.Command {
	const group = "Files"
	commands := []input.Command{
		{ID: "open", Name: "Open a recording", Group: group, Keys: []string{"Ctrl+O"}, Run: ss.askOpen, Out: true},
		{ID: "open.list", Name: "Open a recording of a folder", Group: group, Out: true,
			Run: func() { ss.listRecordings(ss.startFolder()) }},
		{ID: "reopen", Name: "Open the session used last", Words: "newest ended", Group: group, Keys: []string{"Ctrl+Shift+O"},
			Run: ss.reopen, Out: true},
		{ID: "disk", Name: "Sessions on disk", Group: group, Keys: []string{"Ctrl+Shift+D"}, Run: ss.showDisk},
		{ID: "clips", Name: "Clips of hitches", Words: "dashcam tray", Group: group, Keys: []string{KeyOfTray}, Run: ss.camera.Show},
		{ID: "open.evicted", Name: "Open from disk what has left memory", Group: group,
			Keys: []string{keyOfElsewhere}, Run: ss.openElsewhere, Out: true},
		{ID: "save", Name: "Save the session", Group: group, Keys: []string{"Ctrl+S"}, Run: ss.saveAs, Out: true},
		{ID: "save.selection", Name: "Save only the selection", Words: "clip part range session", Group: group,
			Keys: []string{"Ctrl+Shift+S"}, Run: ss.SavePart, Out: true, Does: "as a session of its own"},
		{ID: "record", Name: "Record", Group: group, Run: ss.toggleRecord, Out: true},
		{ID: "listen", Name: "Listen again", Group: group, Run: ss.ListenAgain},
		{ID: "jvm.attach", Name: "Attach to a JVM…", Group: group, Run: ss.askJVM, Out: true},
	}
	return append(commands, ss.connectCommands(group)...)
}

// SettingItems are the settings of sessions: the time of a frame, memory and disk. Each item stays
// open.
func (ss *Sessions) SettingItems() (items []widgets.MenuItem) {
	add := func(label string, on, line bool, run func()) {
		items = append(items, widgets.MenuItem{Label: label, On: on, Line: line, Keep: true, Run: run})
	}
	for i, hz := range []float64{30, 60, 90, 120, 144} {
		ms := 1000 / hz
		on := math.Abs(ss.settings.BudgetMs-ms) < 0.01
		add(fmt.Sprintf("Frame budget %.1f ms (%.0f Hz)", ms, hz), on, i == 0, func() { ss.setBudget(ms) })
	}
	now := format.AppendBytes(nil, ss.memory.Limit())
	add(fmt.Sprintf("More memory for sessions (now %s)", now), false, true, func() { ss.stepMemory(1) })
	add("Less memory for sessions", false, false, func() { ss.stepMemory(-1) })
	listed, limit := false, ss.library.Limit()
	if ss.keepsSessions() {
		for i, gib := range []float64{0, 5, settings.DefaultDiskGiB, 50, 100, 500} {
			label := fmt.Sprintf("Keep up to %.0f GiB of sessions on disk", gib)
			if gib == 0 {
				label = "Keep no sessions on disk"
			}
			on := limit == int64(gib)<<30
			listed = listed || on
			add(label, on, i == 0, func() { ss.setDisk(gib) })
		}
	}
	if ss.keepsSessions() && !listed { // it was set by a command
		add("Keep up to "+library.Bytes(limit)+" of sessions on disk", true, false, nil)
	}
	ss.camera.SettingItems(add)
	return items
}

// Elsewhere are the parts of the shown session that are on disk only, to be opened.
func (ss *Sessions) Elsewhere() (items []widgets.MenuItem) {
	e, _ := ss.elsewhere()
	offer := func(what string, p part) {
		run := func() { ss.openOnDisk(e, p) }
		items = append(items, widgets.MenuItem{Label: "Open " + what + " from disk", Line: true, Run: run})
	}
	if e.whole {
		offer("all of it", part{})
		return items
	}
	for _, p := range []part{e.before, e.after} {
		if !p.whole() {
			offer(p.words(), p)
		}
	}
	return items
}
