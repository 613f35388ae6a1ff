package panel

import (
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/store"
)

// Def is a panel's entry in the registry: where it goes, when, how it is opened, made and drawn. It
// is the only place that defines these.
type Def struct {
	// ID is the panel's name for settings, commands and pictures: "flame".
	ID string
	// Title is the text of its tab, Command the name of the command that brings it to the front;
	// empty: as the tab. Key is that command's key, if it has one.
	Title, Command, Key string
	// Called is the text of its tab for a session that it shows something else of; nil, or empty: Title.
	Called func(store.Contents) string
	// Help describes its content in a line.
	Help string
	// Home is a panel beside which it lies in workspaces that do not name it; empty: it is no tab.
	Home string
	// Has reports whether a session has content for it; nil: always. Lacks names the missing data:
	// "locks".
	Has   func(store.Contents) bool
	Lacks string
	// Tab reports whether the tab is there; nil: always.
	Tab func(store.Contents) bool
	// New makes the panel.
	New func() Panel
	// Commands are its further commands.
	Commands []Command

	// Frames means that it counts frames: its picture needs a thread with frames.
	Frames bool
	// Whole means that it covers the whole recording, whatever range is selected.
	Whole bool
	// Height of a picture of it at scale 1, in pixels; 0: 720.
	Height float32
	// Draw makes it for a picture; nil: New, of the given range.
	Draw func(*Ask) (Panel, error)
}

// PictureHeight returns the height of a picture of it at scale 1, in pixels.
func (d *Def) PictureHeight() float32 {
	return format.Pick(d.Height == 0, 720, d.Height)
}

// Command is something that one can do with a panel. Run gets the panel under the mouse, else the
// one in the workspace.
type Command struct {
	// ID is its name for the program, Name the one for people.
	ID, Name string
	Keys     []string
	// View groups the command with those about the view, not with those about panels.
	View bool
	Run  func(env *Env, p Panel)
}

// Ask is the request for a picture of a panel. The view has been placed over the range.
type Ask struct {
	Env *Env
	// Track is the thread that frames are counted on; Named means that the user named it.
	Track model.TrackID
	Named bool
	// Collector is the collector shown, NoCollector for everything.
	Collector model.CollectorID
	// Group is the group of series; empty: the one that one looks at first.
	Group string
	// BeginNs and EndNs are the range, Whole means that it is the whole recording; First and Last are
	// the indices of its frames, for panels that count them.
	BeginNs, EndNs int64
	Whole          bool
	First, Last    int
}

// Acquainted is a panel that works together with others of the workspace.
type Acquainted interface {
	// Meet is called once, when all are made.
	Meet(others func(id string) Panel)
}
