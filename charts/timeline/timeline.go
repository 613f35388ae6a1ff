// Package timeline draws a session against time: its threads with their spans, its locks, its
// processors.
package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// Timeline shows every visible track of a session against time: a block of lanes for each track, nested spans as bars, gaps, frame borders, the selection.
//
// How it comes to a picture. Each tick the blocks are laid out from the tracks' lane counts (timeline_rows.go): cheap, and independent of the number of spans. If anything the
// picture depends on changed, the base of the list is made anew: for each lane on screen one VisibleSpans query, whose answer has about as many bars as there are pixels (what is denser comes
// merged), and each bar becomes one quad, with a label where it has room. The bars are kept beside the list with their pixel edges: a hit test looks up what was drawn, so that
// the tooltip can't disagree with the picture. What changes with every movement of the mouse (ghost cursor, playhead, range under construction) is drawn behind it in the
// same list, and cut off again before it is drawn anew.
//
// Merging. The model merges spans shorter than minNs; minNs is the power of two at or above the time of two pixels, so that bars don't shimmer in a zoom and the
// anchors of merged bars stay while panning. Where the session's clock is coarser than that, its step is minNs: nothing is drawn finer than it is known.
type Timeline struct {
	// Options are what the timeline shows besides spans.
	Options TimelineOptions

	list *draw.List
	mark draw.Mark // end of the base in list
	// baseDraws is how often the base was made, for tests.
	baseDraws int
	baseKey   timelineKey
	topKey    timelineTopKey

	rect, plot, gutter, ruler draw.Rect
	blocks                    []timelineBlock
	scrollY                   float32 // pixels above the plot's top edge
	contentH                  float32
	lanePitch                 float32
	anchor                    scrollAnchor

	rows    []timelineRow // drawn in the base
	bars    []drawnBar
	scratch []model.Bar
	gaps    []model.Gap
	gapPx   []drawnGap
	ticks   []int64
	minNs   int64
	stepNs  int64 // step of the clock at the right edge
	nsPerPx float64

	gestures   panel.Gestures
	gutterDrag bool
	rulerDrag  bool
	lastY      float32
	lastX      float32
	edge       rangeEdge
	frameBars  []model.FrameBar
	merged     []mergedFrames // kept answers of longestFrame
	labelGaps  []model.Gap
	ranging    bool
	rangeFrom  int64 // where the range under construction was begun
	rangeA     int64
	rangeB     int64
	zooming    bool
	readout    rangeReadout

	counters       map[model.TrackID]*trackCounters
	counterSession *model.Session
	counterPx      []drawnCounter
	levels         []model.Level
	bands          []model.Band

	cores coreBands
	flags flagRows
	locks lockMarks

	align map[model.TrackID]clockAlign
	mode  panel.CachedText
	buf   []byte
	tip   panel.TipLines
	flame model.FlameTree
}

// TimelineOptions are what a timeline shows besides spans. The zero value shows everything that there is.
type TimelineOptions struct {
	// HideCores leaves out the bands that say on which processor a thread ran.
	HideCores bool
	// HideMessages leaves out the flags of messages.
	HideMessages bool
	// HideLocks leaves out the arrows from signals to the waits that they ended, and what the tracks did with the selected lock.
	HideLocks bool
}

// timelineKey is what the base of the list depends on.
type timelineKey struct {
	panel.PictureKey
	options    TimelineOptions
	begin, end float64
	scrollY    float32
	empty      bool
}

// timelineTopKey is what the final list depends on besides its base. The zero value stands for nothing drawn.
type timelineTopKey struct {
	valid          bool
	cursor         uint64
	ranging, zoom  bool
	rangeA, rangeB int64
	mouseX, mouseY float32
	over           bool
}

// Update handles a tick's input, lays the timeline out in rect, and draws it if anything changed.
func (t *Timeline) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	if panel.ListFor(&t.list, env) {
		t.baseKey = timelineKey{}
	}
	v := env.View
	t.layout(env, rect)
	var act panel.Action
	if v.Session() != nil {
		act = t.input(env, in)
		t.layout(env, rect)
	}
	t.nsPerPx = v.Time().NsPerPx(t.plot)
	key := timelineKey{
		PictureKey: panel.PictureKeyOf(env, rect), begin: v.Time().BeginNs, end: v.Time().EndNs, scrollY: t.scrollY,
		empty: len(t.blocks) == 0 || !v.Time().Valid(), options: t.Options,
	}
	if key != t.baseKey {
		t.baseKey = key
		t.drawBase(env, key.empty)
		t.based()
	}
	t.hover(env, in)
	if t.overChanged(env, in) && !key.empty {
		t.drawOver(env, in)
	}
	return act
}

// List returns the list filled by the last Update.
func (t *Timeline) List() *draw.List { return t.list }

// Title names the chart.
func (t *Timeline) Title(*panel.Env) string { return "Timeline" }

// Mode says what is visible: the frames of the view's track, how much time the panel shows, and the step of the clock where it is coarser than the picture.
func (t *Timeline) Mode(env *panel.Env) string {
	v := env.View
	b := t.buf[:0]
	if !v.Time().Valid() || len(t.blocks) == 0 {
		return ""
	}
	if tr := v.Shown(); tr != nil && tr.NumFrames() > 0 {
		begin, end := v.Time().Visible()
		first, last := max(tr.FrameAt(begin), 0), tr.FrameAt(end)
		if first < last && tr.Frame(first).End <= begin {
			first++
		}
		switch {
		case last < 0:
		case first >= last:
			b = format.AppendCount(append(b, "frame "...), tr.Frame(last).Number)
			b = append(b, " · "...)
		default:
			b = format.AppendCount(append(b, "frames "...), tr.Frame(first).Number)
			b = append(b, " – "...)
			b = append(format.AppendCount(b, tr.Frame(last).Number), " · "...)
		}
	}
	b = append(format.AppendDuration(b, int64(v.Time().Width())), " / screen"...)
	if float64(t.stepNs) > 3*t.nsPerPx {
		b = format.AppendDuration(append(b, " · time step "...), t.stepNs)
	}
	t.buf = b
	return t.mode.Set(b)
}
