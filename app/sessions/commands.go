package sessions

import (
	"framescope/app/input"
	"framescope/widgets"
)

// Commands are the user's commands for files and programs.
func (ss *Sessions) Commands() []input.Command {
	const group = "Files"
	commands := []input.Command{
		{ID: "open", Name: "Open a recording", Group: group, Keys: []string{"Ctrl+O"}, Run: ss.askOpen, Out: true},
		{ID: "open.list", Name: "Open a recording from a list of a folder", Group: group, Out: true,
			Run: func() { ss.listRecordings(ss.startFolder()) }},
		{ID: "reopen", Name: "Open the session used last", Words: "newest ended", Group: group,
			Keys: []string{"Ctrl+Shift+O"}, Run: ss.reopen, Out: true},
		{ID: "disk", Name: "Sessions on disk", Group: group, Keys: []string{"Ctrl+Shift+D"}, Run: ss.showDisk},
		{ID: "clips", Name: "Clips of hitches", Words: "dashcam tray", Group: group, Keys: []string{KeyOfClips},
			Run: ss.liveClips.Show},
		{ID: "open.ondisk", Name: "Open the part that has left memory, from disk", Group: group,
			Keys: []string{keyOfElsewhere}, Run: ss.openElsewhere, Out: true},
		{ID: "together", Name: "Put sessions on one ruler", Words: "merge align processes programs", Group: group, Out: true,
			Run: ss.togetherAll},
		{ID: "save", Name: "Save the session", Group: group, Keys: []string{"Ctrl+S"}, Run: ss.saveAs, Out: true},
		{ID: "save.selection", Name: "Save only the selection", Words: "clip part range session", Group: group,
			Keys: []string{"Ctrl+Shift+S"}, Run: ss.SavePart, Out: true, Does: "as a session of its own"},
		{ID: "record", Name: "Record", Group: group, Run: ss.toggleRecord, Out: true},
		{ID: "listen", Name: "Listen for games again", Group: group, Run: ss.ListenAgain},
		{ID: "jvm.attach", Name: "Attach to a JVM…", Group: group, Run: ss.askJVM, Out: true},
	}
	return append(commands, ss.connectCommands(group)...)
}

// Elsewhere are the parts of the shown session that are on disk only, to be opened.
func (ss *Sessions) Elsewhere() (items []widgets.MenuItem) {
	e, _ := ss.partOnDisk()
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
			offer(p.describe(), p)
		}
	}
	return items
}
