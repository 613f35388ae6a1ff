package app

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

// help is the overlay of keys and gestures, above everything.
type help struct {
	groups []widgets.HelpGroup
	open   bool
	fresh  bool // the press that opened it is not over: it does not close it
	list   *draw.List
	window draw.Rect // that it was filled for
}

// picture returns the list of the overlay, nil while it is closed.
func (h *help) picture(env *panel.Env, window draw.Rect) *draw.List {
	if !h.open {
		return nil
	}
	if h.list != nil && h.list.Atlas() == env.Atlas && h.window == window {
		return h.list
	}
	h.list, h.window = draw.NewList(env.Atlas), window
	h.list.Reset(window)
	widgets.DrawHelp(h.list, env, window, h.groups)
	return h.list
}

// gestures is the part of the help that is about the mouse.
func gestures() widgets.HelpGroup {
	return widgets.HelpGroup{Title: "Mouse", Rows: []widgets.HelpRow{
		{Key: "wheel", Does: "zoom time at the mouse"},
		{Key: "Ctrl + wheel", Does: "zoom finely"},
		{Key: "Shift + wheel", Does: "pan time"},
		{Key: "Alt + wheel", Does: "scroll rows"},
		{Key: "left or right drag", Does: "pan"},
		{Key: "Shift + left drag", Does: "select a range of time"},
		{Key: "Ctrl + left drag", Does: "zoom to a range"},
		{Key: "click", Does: "select, everywhere"},
		{Key: "double click", Does: "zoom to it; strip chart: open its children"},
		{Key: "right click", Does: "menu"},
		{Key: "drag on the frame strip", Does: "scrub through time"},
		{Key: "W A S D", Does: "zoom and pan while held"},
	}}
}
