package app

import (
	"slices"

	"framescope/app/input"
	"framescope/widgets"
)

// help is the page of keys and gestures, above everything.
type help struct {
	widgets.Help
	does map[string]string // descriptions of panels, by their IDs
	open bool
}

// keysOf are the commands that the help has in the section of a panel, besides the panel's own.
var keysOf = map[string][]string{
	"frames": {
		"frame.previous", "frame.next", "frame.back10", "frame.on10", "frame.moreleft", "frame.moreright",
		"frame.pageleft", "frame.pageright", "frame.tofirst", "frame.tolast",
		"frame.first", "frame.last", "goto", "spike.next", "spike.previous", "spike.cause",
	},
	"timeline": {"fit.selection", "fit.all", "zoom.range", "time.previous", "time.next"},
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

// close takes the help away.
func (h *help) close() {
	h.open = false
	h.Close()
}

// setKeys gathers the keys of the help, as the keyboard's layout is now.
func (h *help) setKeys(t *input.Table) {
	h.Groups = append([]widgets.KeyGroup{gestures()}, keyGroups(t)...)
	for i := range h.Groups {
		rows := &h.Groups[i].Rows
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

// keyGroups returns the commands that have keys, by their groups.
func keyGroups(t *input.Table) (groups []widgets.KeyGroup) {
	at := map[string]int{}
	for _, c := range t.All() {
		if len(c.Keys) == 0 {
			continue
		}
		k, ok := at[c.Group]
		if !ok {
			k = len(groups)
			at[c.Group] = k
			groups = append(groups, widgets.KeyGroup{Title: c.Group})
		}
		key := input.Show(c.Keys[0])
		if len(c.Keys) > 1 && c.Keys[1] != "Ctrl+Shift++" {
			key += ", " + input.Show(c.Keys[1])
		}
		groups[k].Rows = append(groups[k].Rows, widgets.KeyRow{Key: key, Does: c.Name, Panel: c.Panel})
	}
	return groups
}

// numbered describes the keys from 1 to 9 that share one line, by the first of them.
var numbered = map[string]string{"Alt+1": "Workspaces, in their order", "Ctrl+1": "Go to the bookmark of that number"}

// gestures is the part of the help that is about the mouse.
func gestures() widgets.KeyGroup {
	const axis = "timeline"
	return widgets.KeyGroup{Title: "Mouse", Rows: []widgets.KeyRow{
		{Key: "click", Does: "Select, everywhere"},
		{Key: "double click", Does: "Zoom to fit the data"},
		{Key: "right click", Does: "Menu"},
		{Key: "wheel", Does: "Zoom time at the mouse", Panel: axis},
		{Key: "Ctrl + wheel", Does: "Zoom finely", Panel: axis},
		{Key: "Shift + wheel", Does: "Pan time", Panel: axis},
		{Key: "Alt + wheel", Does: "Scroll rows", Panel: axis},
		{Key: "left or right drag", Does: "Pan", Panel: axis},
		{Key: "Shift + left drag", Does: "Select a range of time", Panel: axis},
		{Key: "Ctrl + left drag", Does: "Zoom to a range", Panel: axis},
		{Key: input.MovingKeys(), Does: "Zoom and pan while held", Panel: axis},
		{Key: "drag", Does: "Scrub through time, on the frame strip", Panel: "frames"},
		{Key: "double click", Does: "Open the children of a band of the strip chart", Panel: "strip"},
	}}
}
