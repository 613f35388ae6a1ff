// File toolbar.go owns the bar at the top of the window: which tabs, buttons, chips and texts it has,
// where each lies and which of them leave a narrow one, their looks and tooltips, and which of them
// was pressed. It is told what is shown, and tells which command was asked for; it runs none, and
// knows neither the window nor where sessions come from.

package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/comparing"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
	"framescope/widgets"
)

// ToolbarHeight is how high the bar is, in pixels at scale 1.
const ToolbarHeight = 36

// Toolbar is a window of the widget library whose title row lies above the screen, so that it cannot be
// moved. Each tick it is placed (Place), asked what was pressed (Pressed), and painted (Paint).
type Toolbar struct {
	Env   *panel.Env
	Mouse *input.Mouse
	// Covered reports whether the mouse is over something else.
	Covered func() bool
	// Key returns the key of a command as people read it, empty: it has none.
	Key func(command string) string
	// Still leaves out what is measured by a clock.
	Still bool

	shown  Shown
	rect   draw.Rect
	items  []item
	list   *draw.List
	widths []int // of the cells
	cells  []int // items, -1 for a spacer
	buf    []byte
	key    widgets.Sum

	sides  sideLabels
	base   baselineLabels
	lag    panel.Paced[time.Duration]
	chosen panel.Paced[string]
}

// sideLabels are what the bar says of two sides, as of a revision of them.
type sideLabels struct {
	of         *comparing.State
	revision   uint64
	label, tip string
}

// baselineLabels are what the bar says of a baseline, as of a revision of it and for a session.
type baselineLabels struct {
	session    *store.Session
	revision   uint64
	label, tip string
}

// Shown is what the bar tells of.
type Shown struct {
	View   *view.View
	Status sessions.Status
	// Spaces are the workspaces in the order of their tabs.
	Spaces []Space
}

// Space is the tab of a workspace.
type Space struct {
	Name    string
	Command string // shows it
	Own     bool   // the user's, of which there may be many
}

// Search is what the search field shows.
type Search struct {
	Field *widgets.TextField
	Note  string // at its end: how much was found, or the field's key
}

// ToolbarItem is a thing of the bar that is in sight.
type ToolbarItem struct {
	ID      string // unique in the bar
	Command string // run on a click; empty: the thing only tells something
	Label   string
	Tip     string // what its tooltip says, its key apart
	Off     bool   // cannot be pressed now; of what has no room
	Rect    draw.Rect
}

// Items returns what is in sight, from the left to the right.
func (b *Toolbar) Items() []ToolbarItem {
	var list []ToolbarItem
	for i := range b.items {
		if it := &b.items[i]; !it.rect.Empty() && it.kind != itemGap {
			list = append(list, ToolbarItem{ID: it.id, Command: it.command, Label: it.label, Tip: it.tip, Rect: it.rect})
		}
	}
	slices.SortFunc(list, func(a, b ToolbarItem) int { return cmp.Compare(a.Rect.X0, b.Rect.X0) })
	return list
}

// List returns what is painted, nil before the first Paint.
func (b *Toolbar) List() *draw.List { return b.list }

// Field returns where the search field lies, empty where there is no room for it.
func (b *Toolbar) Field() draw.Rect {
	for i := range b.items {
		if b.items[i].kind == itemSearch {
			return b.items[i].rect
		}
	}
	return draw.Rect{}
}

// hot returns the item under the mouse, -1: there is none.
func (b *Toolbar) hot() int {
	if b.Covered() || !b.Mouse.Inside {
		return -1
	}
	for i := range b.items {
		if b.items[i].rect.Contains(b.Mouse.X, b.Mouse.Y) {
			return i
		}
	}
	return -1
}

// HitTest returns the tooltip of the item under the mouse.
func (b *Toolbar) HitTest() (panel.Hit, bool) {
	i := b.hot()
	if i < 0 || b.items[i].tip == "" {
		return panel.Hit{}, false
	}
	tip := b.items[i].tip
	if key := b.Key(b.items[i].command); key != "" && !strings.Contains(tip, "\n") {
		tip += " (" + key + ")"
	}
	return panel.Hit{Kind: panel.HitLabel, Collector: -1, Rect: b.items[i].rect, Lines: strings.Split(tip, "\n")}, true
}
