// Package flame draws the flame graph of a frame, of the mean of frames, or of a range of time.
package flame

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Graph shows the call tree, with times: of one frame, of the mean of the newest frames, or of any range of time
// (VIEWER.md section 10). Bars are packed, siblings in the order of their collectors, so that the same
// collector has the same place in every frame; the rest at the right of a bar's children is its self time.
//
// For sampled sessions it shows the view's measure: duration, CPU time or samples.
//
// Widths are ns of the mean frame, on an axis of their own (for samples, a million units each): a double click
// focuses on a bar (View.FocusOn), the wheel zooms to the bar under the cursor. Bars narrower than a pixel are
// not drawn one by one but joined with their neighbours of the same caller, so that no time vanishes.
type Graph struct {
	// Focus admits only the sub-trees of this collector and its descendants in the static
	// hierarchy; NoCollector admits all.
	Focus model.CollectorID
	// AllTracks adds up all visible tracks; otherwise the view's Track, or Track unless that is
	// NoTrack. Without times that relate the threads, all are added up until the user changes it.
	AllTracks bool
	Track     model.TrackID
	chosen    bool // by the user
	// Flip puts the outermost callers at the bottom, as the official viewer has them.
	Flip bool
	// Locked keeps LockedNs per panel width whatever frame is shown, so that two places compare by
	// eye.
	Locked   bool
	LockedNs float64
	// MeanFrames is the number of newest frames averaged while live, 1 for the newest alone.
	MeanFrames int

	panel.Layers[flameDrawKey, struct{}]
	axis     format.Axis
	gestures panel.Gestures
	again    panel.DoubleGuard
	hover    panel.HoverReport
	regions  flameRegions

	source   flameSource
	measure  spans.Measure
	unit     format.Unit // of the measure
	measures subject.MeasureChoice
	treeKey  flameTreeKey
	madeNs   int64          // when the tree was
	tree     spans.Tree     // of frames
	shared   spans.TreeUser // of times
	asked    flameTreeKey   // the key that shared waits for
	oneTrack [1]model.TrackID
	merge    flameMerge

	forest
	typical typical
	against against

	zoom  []model.CollectorID // the view's focus, if that is in this graph: the callers down to it
	focus view.Path           // it as a path
	of    *store.Session      // the shown session
	chain []model.CollectorID // scratch
	free  bool                // the user moved the axis since
	found int                 // node of zoom, -1 when it is not in this tree, which is shown as a whole then
	fits  uint64              // 1 + Steering.Fits of the tick before; 0 before the first
	live  bool                // View.Live of the tick before

	pal     *view.Palette // of the picture that is drawn
	bars    []flameBar
	placed  placeKey // their inputs
	marks   []rulerMark
	scrollY float32
	deep    int // rows with bars in view: the scrolled height
	hoverAt int // index into bars, -1 none

	crumbs panel.CrumbRow
	tools  panel.Toolbox
	away   panel.CachedText // the words of the crumbs for a focus that did not run

	hit         panel.TipLines
	buf         []byte
	mode, title panel.CachedText
}

// rulerLeast is the height from which on the panel has room for a ruler, at scale 1.
const rulerLeast = 110

// flameRegions are the parts of the panel.
type flameRegions struct{ all, head, ruler, plot draw.Rect }

type flameTreeKey struct {
	session  *store.Session
	revision uint64
	source   flameSource
	focus    model.CollectorID
	measure  spans.Measure
	tracks   uint64
	mean     int // Graph.MeanFrames
}

// New returns a flame graph of the view's track, focused on a collector (NoCollector: the whole
// thread).
func New(focus model.CollectorID) *Graph {
	return &Graph{Focus: focus, Track: model.NoTrack, MeanFrames: panel.LiveFrames, hoverAt: -1, found: -1,
		gestures: panel.Gestures{NoRange: true}}
}

// Update handles the input of a tick and brings the picture up to date.
func (f *Graph) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	f.layOut(env, rect)
	f.source = f.choose(env)
	f.of = env.View.Session()
	moved := f.follow(env)
	f.query(env)
	if moved {
		f.settle(env)
	}
	f.comeBack(env)
	act := f.input(env, in)
	f.hover.Report(env.View, f)
	f.layHead(env)
	f.layOut(env, rect)
	f.queryTypical(env)
	f.queryBaseline(env)
	f.place(env)
	f.placeTypical(env)
	f.axis.Step(env.NowNs)
	if f.BeginBase(env, rect, f.drawKey(env)) {
		f.draw(env)
	}
	return act
}

// Extent implements panel.Sized: with the typical frame, where there is one.
func (f *Graph) Extent(env *panel.Env, _ float32) float32 {
	if f.total <= 0 {
		return 0
	}
	r := f.regions
	y := r.plot.Y0 + float32(f.forest.rows)*f.rowHeight(env)
	for i := range f.typical.bars {
		y = max(y, f.typical.bars[i].rect.Y1+f.pane(env).line)
	}
	y = max(y, f.typical.words.Y1)
	return y - r.all.Y0 + r.all.Y1 - r.plot.Y1
}

func (f *Graph) layOut(env *panel.Env, rect draw.Rect) {
	r := flameRegions{all: rect}
	r.head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0}
	if len(f.crumbs.Items) > 1 { // there is somewhere to go back to
		r.head.Y1 = min(rect.Y0+env.Px(24), rect.Y1)
	}
	r.plot = draw.Rect{X0: rect.X0 + env.Px(6), Y0: r.head.Y1, X1: rect.X1 - env.Px(6), Y1: rect.Y1 - env.Px(4)}
	if rect.H() >= env.Px(rulerLeast) {
		r.ruler = draw.Rect{X0: r.plot.X0, Y0: r.plot.Y0, X1: r.plot.X1, Y1: r.plot.Y0 + env.Px(16)}
		r.plot.Y0 = r.ruler.Y1 + env.Px(1)
	}
	r.plot.X1, r.plot.Y1 = max(r.plot.X0, r.plot.X1), max(r.plot.Y0, r.plot.Y1)
	f.regions = r
}

// query gets the call tree from the model if anything about it changed, and scales it to the mean
// frame.
func (f *Graph) query(env *panel.Env) {
	s := env.View.Session()
	if f.source.kind != subject.SourceShown {
		f.clear()
		f.shared.Drop()
		f.found = -1
		f.treeKey, f.measures = flameTreeKey{}, subject.MeasureChoice{List: f.measures.List[:0]}
		return
	}
	if f.shared.Waits() && f.asked.session == s { // words and bars must show the same state
		if f.source = f.treeKey.source; f.shared.Step() {
			f.showTree(env, f.asked, &f.shared.Tree().Tree)
		}
		return
	}
	tracks := f.tracks(env)
	key := flameTreeKey{session: s, revision: s.Revision(), source: f.source, focus: f.Focus,
		measure: f.measures.Of(env.View, tracks), tracks: subject.TrackHash(tracks), mean: f.MeanFrames}
	if key == f.treeKey {
		return
	}
	if f.stands(env, key) {
		f.source = f.treeKey.source
		return
	}
	if key.measure == spans.MeasureDuration && key.source.b >= key.source.a {
		f.shared.Drop()
		s.FrameTree(tracks, f.track(env), key.source.a, key.source.b, &f.tree)
		f.showTree(env, key, &f.tree)
		return
	}
	if key.session != f.treeKey.session { // the shown tree is of another session
		f.clear()
		f.shared.Drop()
		f.treeKey = flameTreeKey{session: s}
	}
	f.asked = key
	f.shared.Ask(s.Spans(), key.measure, tracks, key.source.t0, key.source.t1)
	if !f.shared.Step() {
		f.source = f.treeKey.source
		return
	}
	f.showTree(env, key, &f.shared.Tree().Tree)
}

// showTree shows a tree.
func (f *Graph) showTree(env *panel.Env, key flameTreeKey, tree *spans.Tree) {
	s := key.session
	f.treeKey, f.source, f.madeNs = key, key.source, env.NowNs
	if key.measure != f.measure {
		f.measure, f.Locked = key.measure, false // a scale of one unit means nothing in another
	}
	nodes, ends, rows := f.merge.focus(s, tree, f.Focus)
	f.unit, _ = subject.MeasureUnit(s, f.measure)
	share := subject.UnitsOf(f.unit) / float64(max(1, f.source.frames))
	old := f.total
	f.fill(nodes, ends, rows, share)
	f.reframe(env, old)
}

// stands reports whether a live graph is not made anew yet, as nothing is but the frames.
func (f *Graph) stands(env *panel.Env, key flameTreeKey) bool {
	live := key.source.live && f.treeKey.source.live
	key.revision, key.source = f.treeKey.revision, f.treeKey.source
	return live && key == f.treeKey && panel.Stands(env, f.madeNs)
}

// all reports whether all tracks are added up.
func (f *Graph) all(env *panel.Env) bool {
	s := env.View.Session()
	return f.AllTracks || !f.chosen && f.Track == model.NoTrack && s.Info().Sampling.Timeless
}

// tracks returns the tracks added up.
func (f *Graph) tracks(env *panel.Env) []model.TrackID {
	if f.all(env) {
		return env.View.Look().VisibleTracks()
	}
	f.oneTrack[0] = f.track(env)
	return f.oneTrack[:]
}

// track returns the track with the frames of the graph.
func (f *Graph) track(env *panel.Env) model.TrackID {
	if f.Track != model.NoTrack {
		return f.Track
	}
	return env.View.Track()
}

// reframe brings the axis in line with a new tree: the zoomed bar, the same share of the whole, or
// the locked scale.
func (f *Graph) reframe(env *panel.Env, oldTotal float64) {
	f.found = f.find(f.zoom)
	if f.total <= 0 {
		return
	}
	f.axis.SetLimits(0, int64(max(f.total, f.LockedNs)+1))
	f.axis.Hold(0, f.total)
	switch {
	case !f.axis.Valid():
		f.axis.Set(0, f.wholeNs(), false, env.NowNs)
	case f.free && f.Locked:
		// stays where it is
	case f.free && oldTotal > 0:
		b, e := f.axis.Target()
		k := f.total / oldTotal
		f.axis.Set(b*k, e*k, false, env.NowNs)
	default:
		f.show(env, f.axis.Animating() && env.Animate)
	}
}

// comeBack undoes a pan after FitAll, or when the newest data is shown again.
func (f *Graph) comeBack(env *panel.Env) {
	fits, live := 1+env.View.Steer().Fits(), env.View.Live()
	switch {
	case f.fits != 0 && fits != f.fits:
		f.settle(env)
	case live && !f.live && f.free:
		f.settle(env)
	}
	f.fits, f.live = fits, live
}

// originNs is where the ruler begins: at the left edge of the bar zoomed to, or of the whole graph,
// wherever the axis was panned to.
func (f *Graph) originNs() float64 {
	if f.found >= 0 && f.found < len(f.nodes) {
		return f.start(int32(f.found))
	}
	return 0
}

// wholeNs is the width of the whole graph.
func (f *Graph) wholeNs() float64 {
	return format.Pick(f.Locked && f.LockedNs > 0, f.LockedNs, f.total)
}

// show moves the axis to the zoomed bar, or to the whole graph.
func (f *Graph) show(env *panel.Env, animate bool) {
	b, w := 0.0, f.wholeNs()
	if f.found >= 0 && f.found < len(f.nodes) {
		b = f.start(int32(f.found))
		if !f.Locked {
			w = f.node(int32(f.found)).total
		}
	}
	if w <= 0 {
		return
	}
	f.axis.Set(b, b+w, animate, env.NowNs)
}

// chainOf returns the chain of collectors that leads to a node, empty for -1; valid until the next
// call.
func (f *Graph) chainOf(node int32) []model.CollectorID {
	f.chain = f.chain[:0]
	for i := node; i >= 0; i = f.nodes[i].Parent {
		f.chain = append(f.chain, f.nodes[i].Collector)
	}
	slices.Reverse(f.chain)
	return f.chain
}

// path returns a chain of calls of this graph as a path.
func (f *Graph) path(env *panel.Env, chain []model.CollectorID) view.Path {
	track := f.track(env)
	if f.all(env) {
		track = model.NoTrack
	}
	return view.PathOf(f.Focus, track, chain)
}

// ours returns a path if it belongs to this graph, none if it belongs to another thread or graph.
func (f *Graph) ours(env *panel.Env, p view.Path) view.Path {
	if p.None() || p.Of != f.Focus || f.all(env) != (p.Track == model.NoTrack) || !f.all(env) && p.Track != f.track(env) {
		return view.Path{}
	}
	return p
}

// follow takes over the view's focus; true: it is another.
func (f *Graph) follow(env *panel.Env) bool {
	p := f.ours(env, env.View.Focus())
	if p == f.focus {
		return false
	}
	f.focus, f.zoom = p, p.Append(f.zoom[:0])
	return true
}

// settle shows the focus, as a pan may not.
func (f *Graph) settle(env *panel.Env) {
	f.free = false
	f.found = f.find(f.zoom)
	if f.Locked && f.found >= 0 {
		f.LockedNs = f.node(int32(f.found)).total
	}
	f.show(env, env.Animate)
}

// ZoomTo focuses on a bar given by the collectors from the outermost in, and selects it; an empty
// chain is the whole graph.
func (f *Graph) ZoomTo(env *panel.Env, chain []model.CollectorID) {
	v, p := env.View, f.path(env, chain)
	if v.Session() != f.of { // the bars are those of another still
		return
	}
	v.SelectPath(f.track(env), p)
	if !p.None() || !f.focus.None() { // the focus of another graph does not apply here
		v.FocusOn(p)
	}
	f.follow(env)
	f.settle(env)
}

// Parent zooms out to the caller of the bar zoomed to; false when the whole graph is shown already.
func (f *Graph) Parent(env *panel.Env) bool {
	if len(f.zoom) == 0 && !f.free {
		return false
	}
	f.ZoomTo(env, f.zoom[:max(len(f.zoom)-1, 0)])
	return true
}

// at returns the node that keys go on from: the selected bar, else the one zoomed to, -1 for the
// whole graph.
func (f *Graph) at(env *panel.Env) int {
	f.chain = f.ours(env, env.View.Path()).Append(f.chain[:0])
	if i := f.find(f.chain); i >= 0 {
		return i
	}
	return f.found
}

// Caller goes to the caller of the selected bar; false when there is none.
func (f *Graph) Caller(env *panel.Env) bool {
	at := f.at(env)
	if at < 0 || at >= len(f.nodes) {
		return f.Parent(env)
	}
	f.ZoomTo(env, f.chainOf(f.nodes[at].Parent))
	return true
}

// FirstChild goes to the widest child of the selected bar; false when there is none.
func (f *Graph) FirstChild(env *panel.Env) bool {
	best := int32(-1)
	for i, end := f.children(f.at(env)); i < end; i = int(f.ends[i]) {
		if best < 0 || f.nodes[i].Total > f.nodes[best].Total {
			best = int32(i)
		}
	}
	if best < 0 || f.nodes[best].Total <= 0 {
		return false
	}
	f.ZoomTo(env, f.chainOf(best))
	return true
}

// Key implements panel.Keyed: Enter focuses on the selected bar.
func (f *Graph) Key(env *panel.Env, key string) (panel.Action, bool) {
	p := f.ours(env, env.View.Path())
	if key != "enter" || p.None() {
		return panel.Action{}, false
	}
	env.View.FocusOn(p)
	return panel.Action{}, true
}

// ToggleLock locks the scale as it is, or makes it fit every frame again (key K).
func (f *Graph) ToggleLock(env *panel.Env) {
	f.Locked = !f.Locked
	if f.Locked {
		b, e := f.axis.Target()
		f.LockedNs = e - b
		if len(f.zoom) == 0 && !f.free && f.measure == spans.MeasureDuration && f.LockedNs < float64(subject.Budget(env)) {
			// A frame within the budget is compared with the budget: there is room for it.
			f.LockedNs = float64(subject.Budget(env))
		}
	}
	f.free = false
	f.show(env, env.Animate)
}
