package app

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/view"
)

// Place sets the bar's items and their places.
func (b *Toolbar) Place(rect draw.Rect, shown Shown) {
	b.rect, b.shown, b.items = rect, shown, b.items[:0]
	b.addSpaces()
	b.add(item{kind: itemGap})
	b.addView(shown.View)
	b.add(item{kind: itemGap})
	b.addFiles(b.some(shown.View))
	b.add(item{kind: itemGap})
	b.addSides()
	b.add(item{id: "search", kind: itemSearch, label: "Find…", enabled: true, dropAt: 5, tip: b.searchTip()})
	b.addRight(shown.View)
	b.layOut()
}

// add adds an item, unless its command is not there.
func (b *Toolbar) add(it item) {
	if it.command == "" || b.Offers == nil || b.Offers(it.command) {
		b.items = append(b.items, it)
	}
}

// addSpaces adds the tabs of the workspaces.
func (b *Toolbar) addSpaces() {
	for _, s := range b.shown.Spaces {
		drop := format.Pick(s.Own, 13, 5)
		b.add(item{id: "workspace." + s.Name, kind: itemTab, label: s.Name, command: s.Command, tip: "Workspace",
			enabled: true, dropAt: drop})
	}
}

// addView adds the controls of the view.
func (b *Toolbar) addView(v *view.View) {
	live, some := b.shown.Status.Live, b.some(v)
	b.add(b.liveItem())
	pause := "Pause"
	switch {
	case some && !live: // there is nothing to follow
		pause = ""
	case some && !v.Live():
		pause = "Follow"
	}
	b.add(item{id: "pause", label: pause, room: "Follow", command: "follow", tip: "Pause the view; recording continues",
		enabled: some && live, dropAt: 1})
	b.add(item{id: "fit", label: "Fit", command: "fit.all", tip: "Show the whole session", enabled: some, dropAt: 7})
	b.add(item{id: "back", label: "←", command: "back", tip: "Back to the view before",
		enabled: v.CanBack(), dropAt: 7})
	b.add(item{id: "forward", label: "→", command: "forward", tip: "Forward again",
		enabled: v.CanForward(), dropAt: 7})
}

// some reports whether there is a session with data.
func (b *Toolbar) some(v *view.View) bool {
	return !v.None() && (b.shown.Status.Problem == "" || v.Session().Some())
}

// addSides adds the two compared stretches, and their controls.
func (b *Toolbar) addSides() {
	if m, pinned, ready := b.Env.Comparing.Pinned(); pinned {
		label, tip := b.baselineLabels(&m, ready)
		b.add(item{id: "baseline", kind: itemChip, label: label, short: "vs baseline  ×", tip: tip, command: "baseline.off",
			enabled: true, dropAt: 9, leaveAt: 1})
	}
	if !b.Env.Comparing.Any() {
		return
	}
	label, short, tip := b.sideLabels()
	b.add(item{id: "sides", kind: itemChip, label: label, short: short, tip: tip, dropAt: 7, leaveAt: 3})
	_, isA := b.Env.Comparing.Marked(view.SideA)
	if _, isB := b.Env.Comparing.Marked(view.SideB); isA && isB {
		b.add(item{id: "swap", label: "Swap A B", command: "compare.swap", tip: "Swap A and B",
			enabled: true, dropAt: 7})
	}
	b.add(item{id: "stop", label: "Stop", command: "compare.stop", tip: "Stop comparing",
		enabled: true, dropAt: 2})
	b.add(item{kind: itemGap})
}

// addFiles adds the buttons for opening, saving, disk and recording; some reports that there is a
// session.
func (b *Toolbar) addFiles(some bool) {
	st := &b.shown.Status
	b.add(item{id: "open", label: "Open…", command: "open", tip: "Open a recording", enabled: true, dropAt: 8})
	b.add(item{id: "save", label: "Save…", command: "save", tip: "Save the shown session", enabled: some, dropAt: 8})
	if st.Keeps {
		b.add(item{id: "disk", label: "On disk…", command: "disk",
			tip: "Sessions on disk: every live session is kept", enabled: true, dropAt: 10})
	}
	if !some { // else a session's menu has it
		b.add(item{id: "clips", label: "Clips of hitches…", command: "clips",
			tip: "Clips of hitches: the frames around the first of each cause", enabled: true, dropAt: 11})
	}
	rec, tip := "● Record", "Write the shown session to a file while it runs"
	switch {
	case st.Recording:
		rec, tip = "■ Stop", "Finish the recording"
	case some && !st.Live: // there is nothing to record
		rec = ""
	}
	b.add(item{id: "record", label: rec, room: "● Record", command: "record", tip: tip, enabled: st.Recordable, dropAt: 6})
	if st.Record != "" {
		it := item{id: "recorded", kind: itemChip, label: st.Record, tip: st.Record + "\n" + st.RecordTip,
			wrong: st.Unrecorded}
		if it.dropAt, it.leaveAt, it.short = 12, 2, "● rec"; st.Unrecorded {
			it.dropAt, it.short = 2, ""
		}
		b.add(it)
	}
}

// addRight adds the items at the right end.
func (b *Toolbar) addRight(v *view.View) {
	add := func(it item) { it.right = true; b.add(it) }
	add(item{id: "frame", kind: itemText, label: b.chosen.Of(b.Env, b.Chosen(v)), dropAt: 10,
		tip: "Selected time"})
	zoom := ""
	if !v.None() {
		ledger := v.Session().Ledger()
		missing, short := b.missingLabels(&ledger)
		add(item{id: "missing", kind: itemChip, label: missing, short: short, wrong: ledger.Lost() > 0, dropAt: 11,
			leaveAt: 2, tip: missing + "\nMissing frames of all threads. The panel Received says why."})
		zoom = b.zoomLabel(v)
	}
	add(item{id: "zoom", kind: itemChip, label: zoom, tip: "How much time the timeline shows", dropAt: 13})
	add(item{id: "more", command: ToolbarMore, tip: "More", enabled: true})
	add(item{id: "help", label: "?", command: "help", tip: "Keys and mouse", enabled: true, dropAt: 3})
	add(item{id: "settings", label: "⚙", command: "settings", tip: "Settings", enabled: true, dropAt: 4})
}

// searchTip describes the search field, with both of its keys.
func (b *Toolbar) searchTip() string {
	return "Find a name and highlight it in all panels (" + b.Key("find") + "), or look a command up (" +
		b.Key("palette") + ")"
}
