package app

import (
	"fmt"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// Observed is the state of the viewer after a tick: the selection, and what each visible panel shows of
// it. Tests compare the panels with each other.
type Observed struct {
	Tick      int64
	Track     model.TrackID
	Thread    string
	Span      spans.Bar
	HasSpan   bool
	Collector model.CollectorID
	Name      string // of the collector
	Thing     string // of view.Thing
	// FrameA and FrameB are the numbers of the first and the last selected frame, -1 without one.
	FrameA, FrameB, RangeA, RangeB int64
	WholeFrames                    bool // the range equals the frames'
	Framed                         bool // the thread has frames
	Playhead                       int64
	Begin, End                     float64 // of the visible time
	Live                           bool
	Bar                            string // the tool bar's text on the frame
	Status                         string // the left text of the status line
	Panels                         []ObservedPanel
	Controls                       []workspace.Control // of the tool bar
	Menu                           []string            // choices of the open menu, in the order of the keys
	// Under is the thing under the mouse, Span of it where Kind says so.
	Under          panel.HitKind
	UnderTrack     model.TrackID
	UnderCollector model.CollectorID
	UnderSpan      spans.Bar
	UnderFrame     int
	UnderLines     []string
	UnderTimeNs    int64
	UnderThing     string // of view.Thing
	// Picture returns the window as it is then.
	Picture func() *draw.Picture `json:"-"`
}

// ObservedPanel is a panel in sight.
type ObservedPanel struct {
	ID, Title, Mode string
	Rect            draw.Rect
	// Lists reports that the panel marks its selected rows: Marked.
	Lists  bool
	Marked []string
	// Tabs and Tools are the controls in the title row, if this is the tab in front.
	Tabs, Tools []workspace.Control
}

// mark names the subject of a panel's row.
func mark(v *view.View, h *panel.Hit) string {
	switch {
	case !h.Thing.None():
		return h.Thing.String()
	case h.Kind == panel.HitSpan:
		return fmt.Sprintf("span %+v", h.Bar.Ref)
	case h.Kind == panel.HitFrame:
		if t := v.Session().Track(h.Track); t != nil && h.Frame >= 0 && h.Frame < t.NumFrames() {
			return fmt.Sprintf("frame %d of thread %d", t.Frame(h.Frame).Number, h.Track)
		}
	case h.Thread() != model.NoTrack:
		return fmt.Sprintf("thread %d", h.Thread())
	}
	return fmt.Sprintf("collector %d", h.Named())
}
