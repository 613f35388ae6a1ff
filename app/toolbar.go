// The bar at the top of the window: its tabs, buttons, chips and texts, their places, their removal
// from a narrow bar, their looks and tooltips, and presses. Its input is the shown state, its output
// the pressed command; it runs none, and does not depend on the window or the sources of sessions.

package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
	"framescope/widgets"
)

// ToolbarHeight is how high the bar is, in pixels at scale 1.
const ToolbarHeight = 36

// Toolbar is a window of the widget library with its title row above the screen, so that it cannot be
// moved. Each tick calls Place, Pressed and Paint.
type Toolbar struct {
	Env   *panel.Env
	Mouse *input.Mouse
	// Covered reports whether the mouse is over something else.
	Covered func() bool
	// Key returns the key of a command for people, empty: none.
	Key func(command string) string
	// Offers reports whether there is a command; nil: all are there.
	Offers func(command string) bool
	// Still leaves out measured times.
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

// sideLabels are the bar's texts on two sides, as of a revision of them.
type sideLabels struct {
	of         *view.Comparing
	revision   uint64
	label, tip string
}

// baselineLabels are the bar's texts on a baseline, as of a revision of it and for a session.
type baselineLabels struct {
	session    *store.Session
	revision   uint64
	label, tip string
}

// Shown is the state that the bar shows.
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
	Own     bool   // the user's, perhaps one of many
}

// Search is the state of the search field.
type Search struct {
	Field *widgets.TextField
	Note  string // at its end: how much was found, or the field's key
}

// ToolbarItem is a thing of the bar that is in sight.
type ToolbarItem struct {
	ID      string // unique in the bar
	Command string // run on a click; empty: the thing is only information
	Label   string
	Tip     string // its tooltip, without its key
	Off     bool   // cannot be pressed now; for things without room
	Rect    draw.Rect
}

// Items returns the visible things, from the left to the right.
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

// List returns the draw list, nil before the first Paint.
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

// hot returns the item under the mouse, -1: none.
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

// item is one thing in the bar.
type item struct {
	id      string
	command string // run on a click; empty: the thing is only information
	label   string
	kind    itemKind
	rect    draw.Rect
	tip     string
	enabled bool
	wrong   bool // it reports a problem
	// dropAt is its rank for leaving a narrow bar: the highest first, 0 never. With a shorter label it
	// switches to that first, and leaves at leaveAt.
	dropAt, leaveAt int
	short           string
	right           bool
	// room is another label that it reserves room for, so that its neighbours stay in place when that
	// comes; shortRoom is the same for the shorter label.
	room, shortRoom string
}

type itemKind uint8

const (
	itemButton itemKind = iota
	itemChip            // colored by state
	itemText
	itemGap
	itemSearch
	itemTab // a workspace
)

// ToolbarMore is the command that lists the things without room in the bar (Left). Its button is there
// only if there are some.
const ToolbarMore = "toolbar.more"
