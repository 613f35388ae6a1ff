// Package panel is the contract of all panels: their input (Env, Input), their results (Hit,
// Action), and their shared parts that are about no session: gestures, switches, tooltips, words.
// Panels turn model queries and a viewport into draw lists. They know no window system.
package panel

import (
	"io"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// Env is the environment of a chart besides the view, for its layout. One per window and tick.
type Env struct {
	View  *view.View
	Theme *assets.Theme
	Atlas *draw.Atlas
	// Scale is the device scale factor times the user's; sizes in the code are for scale 1.
	Scale float32
	// Compact means that the window is narrower than 1400 scale-1 pixels: rows are lower.
	Compact bool
	// NowNs is a monotonic clock for animations.
	NowNs int64
	// Animate is false in golden pictures and where nothing is to move: jumps are then immediate.
	Animate bool
	// Paced is false in golden pictures: then numbers of live data are shown at once, and not as fast
	// as they can be read, and long work is done in one go.
	Paced bool
	// Calm means that the last picture stayed as it was: this tick has time for work that is not urgent.
	Calm bool
	// Kept means that all of the view's session is on disk, so that data that left memory can be
	// opened from there.
	Kept bool
	// Comparing is the window's comparison.
	Comparing *view.Comparing
	// ViewOf returns the view of a session that is not shown at present; nil: there is none, and a
	// panel with two sessions makes one.
	ViewOf func(*store.Session) *view.View
	// Limits are the budgets of the view's session.
	Limits *view.State
	// MemoryOf returns the shown memory of a session, in bytes; nil: its real one. Pictures in
	// tests state a number, so that the store may change.
	MemoryOf func(*store.Session) int64
}

// NewEnv returns the environment of a view, which may be nil where nothing shows one.
func NewEnv(v *view.View, th *assets.Theme, atlas *draw.Atlas) *Env {
	return &Env{
		View: v, Theme: th, Atlas: atlas, Scale: atlas.Scale(), NowNs: 1, Comparing: new(view.Comparing),
		Limits: new(view.State),
	}
}

// Palette returns the colors of the session's collectors. Code that draws many bars calls it once.
func (e *Env) Palette() *view.Palette { return e.View.Palette(e.Theme) }

// Px returns n scale-1 pixels in physical pixels, rounded to whole ones.
func (e *Env) Px(n float32) float32 { return float32(int32(n*e.Scale + 0.5)) }

// Input is the mouse and the held keys of one tick, as one chart sees them. Positions are physical
// pixels of the window.
type Input struct {
	X, Y                float32
	Over                bool // the mouse is over this chart and no other widget has it
	WheelX, WheelY      float32
	Left, Right, Middle Button
	DoubleClick         bool // of the left button, in this tick
	Shift, Ctrl, Alt    bool
	// Keys held for movement, by position: W S A D.
	ZoomIn, ZoomOut, PanLeft, PanRight bool
	DtNs                               int64 // since the tick before
}

// Button is one mouse button in one tick.
type Button struct {
	Down         bool    // is held
	Pressed      bool    // went down in this tick
	Released     bool    // went up in this tick
	DownX, DownY float32 // where it went down
	Dragging     bool    // moved more than 4 px (times scale) since it went down
}

// Held returns the button of a drag: the right one, the middle one where it may be that and is
// held, else the left one.
func (in *Input) Held(right, middle bool) Button {
	switch {
	case right:
		return in.Right
	case middle && (in.Middle.Down || in.Middle.Released):
		return in.Middle
	}
	return in.Left
}

// Hit is the item under a point of a chart.
type Hit struct {
	Kind      HitKind
	Track     model.TrackID
	Group     string // key of the group of tracks with this label, see view.TrackGroup
	Collector model.CollectorID
	Bar       spans.Bar // of HitSpan
	Frame     int       // index into the track's frames, -1 none
	TimeNs    int64
	Gap       frames.Gap // of HitGap
	Thing     view.Thing // that is there: an element, a lock or a use of it, a series, a message
	Path      view.Path  // of calls, of HitNode in a menu
	Budget    int        // line of a budget in its file, of a row of it; 0: none
	Mark      uint64     // id of the bookmark that is there, 0 none
	Rect      draw.Rect  // of the item
	// Among is the list that contains it as a row; empty: none. Its tooltip covers no row beside it.
	Among draw.Rect
	// InRow lays the lines one behind the other, where there is room: below a low panel they cover little.
	InRow bool
	// From and Until are the time that the lines cover, if that is more than the rest implies.
	From, Until int64
	// Lines are the tooltip, the first its title.
	Lines []string
}

// Named returns the collector that is under the point: of a bar, a row, a label; NoCollector where
// something else is.
func (h *Hit) Named() model.CollectorID {
	switch h.Kind {
	case HitNothing, HitLabel, HitFrame, HitGap, HitMark:
		return model.NoCollector
	}
	return h.Collector
}

// Thread returns the thread with its label under the point, or NoTrack.
func (h *Hit) Thread() model.TrackID {
	return format.Pick(h.Kind != HitLabel, model.NoTrack, h.Track)
}

// NoHit returns the answer where nothing is.
func NoHit() Hit { return Hit{Track: model.NoTrack, Collector: model.NoCollector, Frame: -1} }

// HitKind is the kind of thing under a point.
type HitKind uint8

// The kinds.
const (
	HitNothing HitKind = iota
	HitSpan
	HitMerged // several spans in one bar
	HitFrame
	HitGap
	HitBand      // strip chart band or label
	HitNode      // flame graph node
	HitRun       // piano roll bar
	HitLabel     // label of a thread, or of something in a panel
	HitCollector // name of a collector: a row of a table, a label
	HitAxis
	HitCore    // band of processors
	HitMessage // flag or row of messages
	HitObject  // element, bin or pad
	HitLock    // bar of a lock
	HitMark    // flag or row of a bookmark
	HitLoad    // curve of a track's load; Bar has the time of the column
	HitSample  // a look at the stack of a sampled thread
)

// Action is a chart's request to the workspace after an input (open another chart, a menu).
type Action struct {
	Kind      ActionKind
	Track     model.TrackID
	Collector model.CollectorID
	Frame     int
	X, Y      float32
	Hit       Hit
	Cells     Cells
	Text      string         // of ActionFind
	Session   *store.Session // of ActionShow
}

// Cells are the row of a table under a context menu, in words.
type Cells struct {
	// Row is all of it, its cells separated by tabs; Cell is the hovered cell, as shown. Name means
	// that the cell is a name or a word, not a number.
	Row, Cell string
	Name      bool
	// Only filters the rows by this cell's text in the column; nil: the table has no such filter. All
	// removes that filter; nil: all rows are there.
	Only, All func()
}

// MenuOf opens the context menu of the item under a point.
func MenuOf(h Hit, pxX, pxY float32) Action {
	return Action{Kind: ActionMenu, Track: h.Track, Collector: h.Collector, Frame: h.Frame, X: pxX, Y: pxY, Hit: h}
}

// ActionKind is the kind of an Action.
type ActionKind uint8

// The kinds.
const (
	ActionNone      ActionKind = iota
	ActionMenu                 // context menu at X, Y for Hit
	ActionOpenStrip            // strip chart of Collector on Track
	ActionOpenFlame            // flame graph of Track, focused on Collector if any
	ActionOpenPiano
	ActionOpenLevels     // level strip chart
	ActionClearSearch    // nothing is looked for any more
	ActionHideIdle       // idle tracks are hidden, or shown again
	ActionFind           // the expression of Text is looked for
	ActionGoToMark       // the bookmark of Hit is gone to
	ActionRemoveMark     // it is taken away
	ActionNote           // edits its note
	ActionShow           // Session is shown
	ActionFilterMessages // list of message filters, below or above Hit.Rect
)

// Panel is one panel's content.
type Panel interface {
	// Update handles the input of a tick and lays the chart out in rect. A list with unchanged
	// inputs stays as it is.
	Update(env *Env, rect draw.Rect, in *Input) Action
	// List returns the list filled by the last Update.
	List() *draw.List
	// HitTest returns the item under a point, as of the last Update. Lines reuse a buffer of the
	// chart.
	HitTest(env *Env, pxX, pxY float32) Hit
	// Title is the panel's title ("Strip chart: Frame"), Mode the text at the right of the title
	// row ("frames 12 405 – 12 409").
	Title(env *Env) string
	Mode(env *Env) string
}

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
	// Home is a panel in whose pane it lies in workspaces that do not name it; empty: in none. In the panes at
	// the sides ("threads", "details") all panels are in sight, in the others they are tabs.
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

// Format is how an export is written.
type Format uint8

// The formats: comma-separated values, tab-separated values, and a list of objects, one per row,
// with the titles as field names.
const (
	CSV Format = iota
	TSV
	JSON
)

// Exporter is a panel with content that can be written as text. Others export a picture.
type Exporter interface {
	// Export writes all of it, in the order of display, below a line of titles.
	Export(env *Env, w io.Writer, f Format) error
}

// Picture returns the picture of a panel in a part of the window, with its title in the row above
// it.
func Picture(env *Env, p Panel, rect draw.Rect) *draw.Picture {
	ground := draw.NewList(env.Atlas)
	ground.Reset(rect)
	row := draw.Rect{X0: rect.X0 + env.Px(8), Y0: rect.Y0, X1: rect.X1 - env.Px(8), Y1: rect.Y0 + env.Px(24)}
	ground.TextIn(draw.Medium, row, draw.Left, p.Title(env), draw.Color(env.Theme.Text))
	row.X0 += env.Atlas.Measure(draw.Medium, p.Title(env)) + env.Px(12)
	ground.TextIn(draw.Regular, row, draw.Right, p.Mode(env), draw.Color(env.Theme.Text2))
	return &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{ground, p.List()}}
}

// Fact is a number that a panel states about an item: checks compare panels by these instead of
// pictures.
type Fact struct {
	// Measure is the ID of the number's column, Header its title there, and Row the index of its
	// row.
	Measure, Header string
	Row             int
	// Of is its subject: the collector, thread, frame, span or thing under the mouse there. Name is
	// its name there, with the indentation of trees in Depth.
	Of    Hit
	Name  string
	Depth int
	// Value is the number in full, in Unit, NaN if the column has words alone; Text is the shown
	// text.
	Value      float64
	Unit, Text string
}

// Teller is a panel that states numbers of things: all of them, not only those in view.
type Teller interface {
	// Facts appends the panel's present facts, in the order of display.
	Facts(env *Env, out []Fact) []Fact
}

// Marker is a panel that lists things and highlights the selected ones.
type Marker interface {
	// Marked appends the item of each row that stands out as selected, also of rows out of view.
	// Lines are left out.
	Marked(env *Env, out []Hit) []Hit
}

// Filterer is a panel, or the source of a table, that the search filters: it lists only items with
// the text in their name, in any case; all for an empty text.
type Filterer interface {
	SetFilter(text string)
}

// NoMatch is the text of a table's source (Empty) if the search leaves no rows.
const NoMatch = "no match"

// WhyEmpty returns the text of a table without rows: NoMatch where the search leaves none, else the words.
func WhyEmpty(filtered bool, words string) string {
	return format.Pick(filtered, NoMatch, words)
}

// NoMatchWords is the text of a panel then. An empty panel needs words and a way back: a click on
// it requests ActionClearSearch.
func NoMatchWords(text string) string {
	return "Nothing matches “" + format.ClipName(text) + "” here.\nA click shows all again."
}

// NameFilter makes its embedding type a Filterer.
type NameFilter struct {
	Filter string
}

// SetFilter implements Filterer.
func (f *NameFilter) SetFilter(text string) { f.Filter = text }

// Keyed is a panel that takes keys while it was pressed in last.
type Keyed interface {
	// Key takes a key that was struck without Ctrl, Shift and Alt, by the name that it has in the
	// table of commands, in lower case; false when it is none of the panel's.
	Key(env *Env, key string) (Action, bool)
}

// Copier is a panel that returns the hovered item as text.
type Copier interface {
	// Copy returns the text; ok is false where nothing is.
	Copy(env *Env) (text string, ok bool)
}

// Sized is a panel that knows the height of its content; others fill their place.
type Sized interface {
	// Extent returns how high all that it shows is at a width, as of the last Update, in physical
	// pixels.
	Extent(env *Env, pxWidth float32) float32
}

// Modest is a panel that can't use more than a height; the panels beside it get the rest.
type Modest interface {
	// Useful returns that height as of the last Update, in physical pixels, 0: any. It must not change with the
	// selection, the window of time or the panel's own size, as borders between panels follow it.
	Useful(env *Env) float32
}

// Section is a panel that may be one of several in a pane that scrolls as one. Update then gets its
// visible part, and Shift, called before, the height above that.
type Section interface {
	Panel
	Sized
	// Shift sets how much of the panel lies above the rectangle of Update, in physical pixels; below 0:
	// it is no section, and scrolls by itself.
	Shift(px float32)
	// Reveal returns the range to scroll into view since the last call, from the panel's upper edge in
	// physical pixels; false: none.
	Reveal() (y0, y1 float32, ok bool)
}

// Roomy is a section that shows less in a small pane: Room sets the visible height of all sections of
// its pane together, in physical pixels, before Extent is called.
type Roomy interface{ Room(px float32) }
