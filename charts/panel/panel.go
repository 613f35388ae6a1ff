// Package panel is the contract of all panels: their input (Env, Input), their results (Hit,
// Action), and their shared parts that are about no session: gestures, switches, tooltips, words.
// Panels turn model queries and a viewport into draw lists. They know no window system.
package panel

import (
	"framescope/assets"
	"framescope/charts/format"

	"framescope/charts/draw"
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
		View: v, Theme: th, Atlas: atlas, Scale: atlas.Scale(), NowNs: 1, Comparing: new(view.Comparing), Limits: new(view.State),
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
