// Package timeline draws the threads of a session against time.
package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Timeline shows every visible track of a session against time: a block of lanes for each track,
// with flags for messages, nested spans as bars, processors, counters, gaps.
//
// Drawing. Each tick the blocks are laid out from the tracks' lane counts (layout.go): cheap, and
// independent of the number of spans. If any input of the picture changed, the base of the list is
// made anew: for each lane on screen one query for its bars, with about as many bars as there are
// pixels (denser ones come merged), and each bar becomes one quad, with a label if it fits. The
// bars are kept beside the list with their pixel edges: a hit test looks up the drawn bars, so that
// the tooltip always agrees with the picture. Parts that change with every movement of the mouse
// are drawn behind it in the same list, and cut off again before they are drawn anew: see timepane.
//
// Merging. The model merges spans shorter than minNs; minNs is the power of two at or above the
// time of two pixels, so that bars don't shimmer in a zoom and the anchors of merged bars stay
// while panning. If the session's clock is coarser than that, its step is minNs: nothing is drawn
// finer than its precision.
type Timeline struct {
	pane    timepane.Pane
	stack   timepane.Stack[block]
	anchor  scrollAnchor
	align   map[model.TrackID]int64 // added to the times of tracks with clocks of their own
	threads []timepane.Thread
	gone    []model.TrackID // threads in one row, see sampled.go
	drag    trackDrag
	ruler   timepane.Ruler
	gutter  float32 // how wide it is at least, in pixels

	inGoneRow map[model.TrackID]bool
	places    []int // of the block that shows a track, by its id: the index and 1, 0 none
	laid      layoutKey
	paced     panel.Paced[layoutKey]
	tall      tallest
	lays      int // how often the blocks were made
	gutterW   float32
	shown     shown
	looks     struct {
		session *store.Session
		atlas   *draw.Atlas
		of      []trackLook
		left    int   // in how many tracks the last layout might still look; below 0: it left some out
		atNs    int64 // when that was
	}

	times    frameTimes
	flags    flagLane
	spans    spanLane
	samples  sampleLane
	cores    coreLane
	counters counterLane
	gaps     gapLane
	locks    lockMarks
	flows    flowMarks

	tools tools
	mode  panel.CachedText
	buf   []byte
}

// Update handles a tick's input, lays the timeline out in rect, and draws it if anything changed.
func (t *Timeline) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	t.layout(env, rect, in)
	t.reveal(env)
	var act panel.Action
	if !t.inputTracks(env, in) {
		act = t.input(env, in)
	}
	t.shown.choice = env.View.Choice() // a choice made here stays where it was pressed
	t.layout(env, rect, in)
	t.pane.Show(env, in, t)
	if t.tools.hideIdle && act.Kind == panel.ActionNone {
		act.Kind, t.tools.hideIdle = panel.ActionHideIdle, false
	}
	return act
}

// Align makes its ruler count from where that of another timeline does, and its gutter at least so
// many pixels wide, so that both lie on one scale below each other.
func (t *Timeline) Align(ruler timepane.Ruler, gutter float32) { t.ruler, t.gutter = ruler, gutter }

// Gutter returns how wide the gutter is by itself, in pixels, as of the last Update.
func (t *Timeline) Gutter() float32 { return t.gutterW }

// Plot returns where time is drawn, as of the last Update.
func (t *Timeline) Plot() draw.Rect { return t.pane.Plot() }

// Extent implements panel.Sized.
func (t *Timeline) Extent(env *panel.Env, _ float32) float32 { return t.pane.Extent(env) }

// List returns the list filled by the last Update.
func (t *Timeline) List() *draw.List { return t.pane.List() }

// Title names the chart.
func (t *Timeline) Title(*panel.Env) string { return "Timeline" }

// Mode describes the visible part: the frames of the ruler's thread, by number unless they move on,
// the width in time, the step of the clock if it is coarser than the picture, and the progress of
// the search for messages with flags.
func (t *Timeline) Mode(env *panel.Env) string {
	v := env.View
	b := t.buf[:0]
	if t.pane.Empty() || !v.Time().Valid() {
		return ""
	}
	if t.flows.tooMany {
		b = append(b, "too many flows to show · "...)
	}
	if t.flags.unseen > 0 {
		b = format.AppendSearching(b, 1-t.flags.unseen)
	}
	if tr := v.Lead(); tr != nil && tr.NumFrames() > 0 {
		begin, end := v.Time().Visible()
		_, ended := v.Session().Ended()
		first, last := max(tr.FrameAt(begin), 0), tr.FrameAt(end)
		// An overlap of less than a pixel is invisible: frames overlap by the rounding of their times.
		px := max(int64(t.pane.NsPerPx()), 1)
		if f := tr.Frame(max(first, 0)); first < last && f.Begin < begin && f.End-begin < px {
			first++
		}
		if f := tr.Frame(max(last, 0)); first < last && f.End > end && end-f.Begin < px {
			last--
		}
		switch {
		case last < 0:
		case v.Live() && !ended: // the ruler moves on while the words stand to be read
			b = append(b, "newest frames · "...)
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
	if step := t.spans.stepNs; float64(step) > 3*t.pane.NsPerPx() {
		b = format.AppendDuration(append(b, " · time step "...), step)
	}
	t.buf = b
	return t.mode.Set(b)
}

// DrawBase implements timepane.Content: everything but cursors, outlines and the range under
// construction.
func (t *Timeline) DrawBase(env *panel.Env) {
	p := &t.pane
	t.spans.reset(p, env)
	t.flags.reset()
	t.samples.reset()
	t.cores.reset()
	t.counters.reset()
	t.gaps.reset()
	t.locks.reset()
	if p.Empty() {
		t.drawEmpty(env)
		return
	}
	t.stack.Draw(p, env)
	if t.spans.load.pending {
		t.spans.load.turns++
	}
	t.drawLocks(env)
	t.drawAllFlows(env)
	t.drawWaits(env)
	p.EndPlot()
	t.stack.DrawLabels(p, env)
}

func (t *Timeline) drawEmpty(env *panel.Env) {
	l, th, v := t.pane.List(), env.Theme, env.View
	title, hint := "Nothing to show yet", "Each thread gets a row of bars here as soon as its first frame has arrived."
	switch s := v.Session(); {
	case s.NumTracks() > 0 && len(t.stack.Groups()) == 0 && v.Look().HidesTracks():
		title, hint = "All threads are hidden", "Show one in the list of threads, or press Shift+H to show all."
	case s.Info().File:
		hint = "The file is being read: each thread gets a row of bars here as soon as its data are there."
	}
	r, h := l.Clip(), env.Px(20)
	mid := (r.Y0 + r.Y1) / 2
	above := draw.Rect{X0: r.X0, Y0: mid - h, X1: r.X1, Y1: mid}
	below := draw.Rect{X0: r.X0, Y0: mid, X1: r.X1, Y1: mid + h}
	l.TextIn(draw.Medium, above, draw.Center, title, draw.Color(th.Text2))
	l.TextIn(draw.Regular, below, draw.Center, hint, draw.Color(th.TextDim))
}

// DrawOver implements timepane.Content.
func (t *Timeline) DrawOver(env *panel.Env, in *panel.Input) {
	p, v := &t.pane, env.View
	p.List().PushClip(p.Gutter())
	t.counters.drawValues(p, env)
	t.drawFrameTimes(env)
	p.List().PopClip()
	t.drawDrag(env, in)
	t.drawSpread(env)
	var hovered *spans.Bar
	if p.Pointing(in) {
		if row, d := t.spans.barAt(in.X, in.Y); d != nil {
			p.OutlineHovered(env, d.rect(row))
			hovered = d.bar
		}
	}
	if v.HasSpan() {
		if r, ok := t.spans.selectedAt(p, v); ok {
			p.OutlineSelected(env, r)
			if v.Look().Searching() {
				p.MarkHit(env, r)
			}
		}
	}
	t.drawFlows(env, hovered)
}

// The tools of the timeline.
const (
	toolTracks = iota
	toolCounters
	toolFlows
	toolFit
)

// OrderName is an order of tracks and its name.
type OrderName struct {
	Order view.TrackOrder
	Name  string
}

// Orders returns the orders of tracks as they are called in menus.
func Orders() []OrderName { return orders[:] }

var orders = [...]OrderName{
	{view.TracksAsSent, "Sorted as sent"}, {view.TracksByName, "Sorted by name"},
	{view.TracksByBusy, "Sorted by busy time"}, {view.TracksByHand, "Sorted by hand"},
}

// GroupingName is a way to group tracks and its name.
type GroupingName struct {
	By   view.TrackGrouping
	Name string
}

// Groupings returns the ways to group tracks as they are called in menus.
func Groupings() []GroupingName { return groupings[:] }

var groupings = [...]GroupingName{
	{view.TracksAlone, "Not grouped"}, {view.TracksByKind, "Grouped by kind"},
	{view.TracksByProcess, "Grouped by process"}, {view.TracksByPool, "Grouped by name"},
}

// Names of the commands that hide tracks, in menus.
const (
	HideIdle   = "Hide idle tracks"
	ShowIdle   = "Show idle tracks"
	ShowTracks = "Show all tracks"
)

// trackOptions are both as one list, and behind them the commands that hide tracks.
var trackOptions = func() (names []string) {
	for _, o := range Orders() {
		names = append(names, o.Name)
	}
	for _, g := range Groupings() {
		names = append(names, g.Name)
	}
	return append(names, HideIdle, ShowTracks)
}()

// counterChoices are the choices of counters and their names.
var counterChoices = [...]view.CounterChoice{
	view.CountersFit, view.CountersChanging, view.CountersAll, view.CountersNone,
}

var counterOptions = []string{"Counters: as many as fit", "Counters that change", "All counters", "No counters"}

// tools are those of the timeline.
type tools struct {
	panel.Toolbox
	hideIdle bool // chosen: the window does it, and shows the result
}

// Tools implements panel.Tooled.
func (t *Timeline) Tools(env *panel.Env) []panel.Tool {
	b, v := &t.tools, env.View
	b.Begin()
	if t.pane.Empty() {
		return b.All()
	}
	b.Action(toolFit, "Fit", "Show the whole session (0)")
	b.Choice(toolTracks, -1, trackOptions, "Tracks",
		"How tracks are sorted and grouped, and whether idle ones are shown; drag a name to move one, its lower edge "+
			"for more or fewer rows")
	for i, o := range Orders() {
		b.Mark(i, v.Look().TrackOrder() == o.Order)
	}
	for i, g := range Groupings() {
		b.Mark(len(Orders())+i, v.Look().TrackGrouping() == g.By)
	}
	b.Mark(len(trackOptions)-2, v.Look().HidesIdle())
	if n, _ := v.Look().Counters(); n > 0 {
		b.Choice(toolCounters, -1, counterOptions, "Counters",
			"Which counters have a row below the threads; those that change most come first")
		for i, c := range counterChoices {
			b.Mark(i, v.Look().CounterChoice() == c)
		}
	}
	if v.Session().Flows().Any() {
		b.Toggle(toolFlows, v.Look().ShowFlows(), "Flows", "All flow arrows, not only those of the selected span")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (t *Timeline) Use(env *panel.Env, id, option int) {
	v := env.View
	switch id {
	case toolTracks:
		switch orders, groups := Orders(), Groupings(); {
		case option < len(orders):
			v.Look().SetTrackOrder(orders[option].Order)
		case option < len(orders)+len(groups):
			v.Look().SetTrackGrouping(groups[option-len(orders)].By)
		case option == len(trackOptions)-2:
			t.tools.hideIdle = true
		default:
			v.Look().ShowAllTracks()
		}
	case toolCounters:
		v.Look().ChooseCounters(counterChoices[option])
	case toolFlows:
		v.Look().SetShowFlows(!v.Look().ShowFlows())
	case toolFit:
		v.Steer().FitAll()
	}
}
