package app

import (
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/prompt"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/widgets"
)

// help is the overlay of keys and gestures, above everything.
type help struct {
	widgets.Help
	does map[string]string // descriptions of panels, by their IDs
	open bool
}

// keysOf are the commands that the help has on the card of a panel, besides the panel's own.
var keysOf = map[string][]string{
	"frames": {
		"frame.previous", "frame.next", "frame.back10", "frame.on10", "frame.moreleft", "frame.moreright",
		"frame.pageleft", "frame.pageright", "frame.tofirst", "frame.tolast",
		"frame.first", "frame.last", "goto", "spike.next", "spike.previous", "spike.cause",
	},
	"timeline": {"fit.selection", "fit.all", "zoom.range", "depth", "time.previous", "time.next"},
	"strip":    {"descend"},
	"why":      {"back", "forward", "copy", "inspector", "occurrence.next", "occurrence.previous"},
}

// giveToPanels sets the panel of commands that belong to one.
func giveToPanels(list []input.Command) {
	for id, keys := range keysOf {
		for i := range list {
			if slices.Contains(keys, list[i].ID) {
				list[i].Panel = id
			}
		}
	}
}

// openHelp covers the window with the keys. Text typed from then on is a search.
func (g *Game) openHelp() {
	g.help.open = true
	g.find.names.Field.Focus(false)
	g.help.Field.Focus(true)
}

// helpKeys takes the typing of a tick; a key that closes the help has no other effect.
func (g *Game) helpKeys() {
	h := &g.help
	env := &g.stage.env
	for _, c := range g.keys.Chords {
		switch c.Key {
		case "down":
			h.By(env, 1)
		case "up":
			h.By(env, -1)
		case "pgdn":
			h.By(env, 10)
		case "pgup":
			h.By(env, -10)
		}
		if c.Key == "esc" || c.Key == "f1" || c.Key == "?" {
			h.close()
			return
		}
	}
	h.Type(prompt.Strokes(&g.keys), g.ask.Clipboard())
}

// close takes the help away.
func (h *help) close() {
	h.open = false
	h.Close()
}

// helpPicture returns the list of the overlay, nil while it is closed.
func (g *Game) helpPicture() *draw.List {
	if !g.help.open {
		return nil
	}
	var panels []widgets.KeyHelp
	add := func(t *workspace.Tab, r draw.Rect) {
		r.Y1 += g.stage.env.Px(helpHangs[t.ID])
		if does := g.help.does[t.ID]; does != "" {
			panels = append(panels, widgets.KeyHelp{ID: t.ID, Title: t.Name, Does: does, Rect: r})
		}
	}
	g.desk.EachInSight(add)
	bar, frames, area, _ := g.stage.regions()
	area.Y0 = frames.Y0
	return g.help.Picture(&g.stage.env, g.stage.window(), bar, area, panels)
}

// helpHangs is how far the cards of panels that are too low for them hang over the panel below, at
// scale 1.
var helpHangs = map[string]float32{"frames": 44, "why": 190}

// setHelp gathers the text of the help.
func (g *Game) setHelp(defs []panel.Def) {
	g.help.does = map[string]string{}
	for _, d := range defs {
		if d.Help != "" {
			g.help.does[d.ID] = strings.ToUpper(d.Help[:1]) + d.Help[1:] + "."
		}
	}
	g.help.Groups = append([]widgets.KeyGroup{gestures()}, g.commands.Help()...)
	for i := range g.help.Groups {
		rows := &g.help.Groups[i].Rows
		for j := 0; j < len(*rows); j++ {
			key := (*rows)[j].Key
			does, ok := numbered[key]
			if !ok {
				continue
			}
			last := key[:len(key)-1] + "9"
			*rows = slices.DeleteFunc(*rows, func(r widgets.KeyRow) bool { return r.Key > key && r.Key <= last })
			(*rows)[j] = widgets.KeyRow{Key: key + " … 9", Does: does}
		}
	}
}

// numbered describes the keys from 1 to 9 that share one line, by the first of them.
var numbered = map[string]string{"Alt+1": "Workspaces, in their order", "Ctrl+1": "Go to the bookmark of that number"}

// gestures is the part of the help that is about the mouse.
func gestures() widgets.KeyGroup {
	const axis = "timeline"
	return widgets.KeyGroup{Title: "Mouse", Rows: []widgets.KeyRow{
		{Key: "wheel", Does: "zoom time at the mouse", Panel: axis},
		{Key: "Ctrl + wheel", Does: "zoom finely", Panel: axis},
		{Key: "Shift + wheel", Does: "pan time", Panel: axis},
		{Key: "Alt + wheel", Does: "scroll rows", Panel: axis},
		{Key: "left or right drag", Does: "pan", Panel: axis},
		{Key: "Shift + left drag", Does: "select a range of time", Panel: axis},
		{Key: "Ctrl + left drag", Does: "zoom to a range", Panel: axis},
		{Key: "W A S D", Does: "zoom and pan while held", Panel: axis},
		{Key: "drag", Does: "scrub through time, on the frame strip", Panel: "frames"},
		{Key: "double click", Does: "open the children of a band of the strip chart", Panel: "strip"},
		{Key: "click", Does: "select, everywhere"},
		{Key: "double click", Does: "zoom to fit the data"},
		{Key: "right click", Does: "menu"},
	}}
}
