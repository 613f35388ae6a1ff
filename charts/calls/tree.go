// Package calls holds the panels on single calls: the call tree of a range, and the longest calls.
package calls

import (
	"io"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Tree is the call tree of the selected range as a table: each method under its callers, or, bottom
// up, each method with its callers under it. A click on a row selects the method in all panels, a
// double click on its name opens a flame graph of it, one on its figures unfolds the heaviest path
// below it.
//
// For sampled sessions it shows the view's measure, for others durations. Only the rows on screen
// are drawn, and only the unfolded part of a tree is sorted.
type Tree struct {
	// BottomUp lists every method once, with its callers below.
	BottomUp bool
	// AllTracks adds up all visible tracks; otherwise Track, or the view's track if that is NoTrack.
	// By default one is shown if there are frames, which belong to a thread, else all.
	AllTracks bool
	Track     model.TrackID

	headed[callTreeDrawKey]
	chosen   bool // which tracks
	source   callTreeSource
	measures subject.MeasureChoice
	mode     panel.CachedText
}

// callTreeDrawKey is the inputs of the picture, besides its table.
type callTreeDrawKey struct {
	state   [3]bool
	measure spans.Measure
}

// NewTree returns the call tree, the greatest totals first.
func NewTree() *Tree {
	c := &Tree{Track: model.NoTrack}
	c.source.owner = c
	for m := range spans.MeasureWeight {
		c.source.columns[m] = measured.With(c.source.columnsOf(m, false), c.source.measured)
	}
	c.source.ofRuns = measured.With(c.source.columnsOf(spans.MeasureDuration, true), c.source.measured)
	c.source.open = map[uint64]struct{}{}
	c.table = table.New("", &c.source)
	c.table.SortBy("total", true)
	c.table.RowHeight = 20
	return c
}

// Title returns the panel's title.
func (c *Tree) Title(*panel.Env) string { return "Call tree" }

// Mode describes the content, threads first: "all threads · range of 40.0 s · total 12.5 s of CPU,
// estimated".
func (c *Tree) Mode(env *panel.Env) string {
	b := c.mode.New()
	if k := &c.source.key; k.t1 > k.t0 {
		if tracks := c.tracks(env); c.all(env) {
			b = append(b, subject.AllThreads(env.View)...)
		} else if len(tracks) > 0 {
			b = append(b, env.View.Session().Track(tracks[0]).Title()...)
		}
		if !env.View.Session().Info().Sampling.Timeless {
			b = appendStops(format.AppendDuration(append(b, " · range of "...), k.t1-k.t0), env, k.t0, k.t1)
		}
		b = subject.AppendMeasured(append(b, " · total "...), k.session, k.measure, c.source.total())
		if k.measure == spans.MeasureCPU {
			b = append(b, " of CPU, estimated"...)
		}
	}
	return c.mode.Set(b)
}

// all reports whether all tracks are added up.
func (c *Tree) all(env *panel.Env) bool {
	s := env.View.Session()
	return c.AllTracks || !c.chosen && !s.HasFrames()
}

// The tools of the call tree.
const (
	toolHeaviest = iota
	toolBottomUp
	toolMeasure
	toolTracks
)

// Tools implements panel.Tooled.
func (c *Tree) Tools(env *panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	if len(c.measures.List) > 1 {
		b.Choice(toolMeasure, c.measures.At(c.source.key.measure), c.measures.Names(), "", "Measure (M)")
	}
	b.Toggle(toolTracks, c.all(env), "All threads", "Sum over all visible threads")
	b.Toggle(toolBottomUp, c.BottomUp, "Bottom up", subject.CallWordsIn(env.View.Session()).BottomUp)
	b.Action(toolHeaviest, "Heaviest path", "Unfold the heaviest path (*)")
	return b.All()
}

// Use implements panel.Tooled.
func (c *Tree) Use(env *panel.Env, id, option int) {
	switch id {
	case toolHeaviest:
		c.UnfoldHeaviest(env)
	case toolBottomUp:
		if c.BottomUp = !c.BottomUp; c.BottomUp {
			c.source.callersOf(env.View.Collector())
		}
	case toolMeasure:
		env.View.Look().SetMeasure(c.measures.List[option])
	case toolTracks:
		c.AllTracks, c.chosen = !c.all(env), true
	}
}

// Update handles the input of a tick and brings the picture up to date.
func (c *Tree) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	act := c.table.Place(env, rect, in)
	if row := c.source.rowOf(c.source.found); row >= 0 {
		c.table.ScrollTo(env, row)
		act = c.table.Place(env, rect, in)
	}
	c.source.found = 0
	state := [3]bool{c.all(env), c.BottomUp, len(c.measures.List) > 1}
	c.draw(env, rect, callTreeDrawKey{state, c.source.key.measure})
	return act
}

// SetFilter implements panel.Filterer: it lists only methods with the text in their full name, in
// any case, with the paths that lead to them and the nodes below them.
func (c *Tree) SetFilter(text string) { c.table.SetFilter(text) }

// tracks returns the tracks with the calls added up.
func (c *Tree) tracks(env *panel.Env) []model.TrackID { return c.tracksOf(env, c.all(env), c.Track) }

// HitTest returns the row under a point.
func (c *Tree) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if c.source.key.session != env.View.Session() {
		return panel.NoHit()
	}
	return c.table.HitTest(env, pxX, pxY)
}

// UnfoldHeaviest unfolds, below the selected row (without one: below the heaviest method), the
// callee that has most, of it again the one that has most, and so on, until a method has more
// itself than any callee (key *).
func (c *Tree) UnfoldHeaviest(env *panel.Env) {
	t := &c.source
	switch row := t.selectedRow(env); {
	case row >= 0:
		t.heaviest(t.rows[row].node)
	case len(t.roots) > 0:
		t.heaviest(t.greatestRoot())
	default:
		return
	}
	t.Rows(env)
}

// ShowCallers turns the tree bottom up, of all threads, with the heaviest way to a method unfolded
// below it.
func (c *Tree) ShowCallers(env *panel.Env, method model.CollectorID) {
	c.BottomUp, c.AllTracks = true, true
	env.View.SelectCollector(method)
	c.source.callersOf(method)
}

// callRange returns the time that tables of calls cover: the selected range; while live the newest
// frames, or without frames the newest ten seconds; else all stored data.
func callRange(env *panel.Env) (t0, t1 int64, ok bool) {
	v := env.View
	if !v.Live() && v.RangeB() > v.RangeA() {
		return v.RangeA(), v.RangeB(), true
	}
	if v.Live() {
		if track, first, last, some := panel.FrameRange(env); some {
			return track.FrameTimes(first, last)
		}
	}
	t0, t1, ok = v.Session().Bounds()
	t1++ // include events at the very end
	if v.Live() {
		t0 = max(t0, t1-10e9)
	}
	return t0, t1, ok
}

// headed is a table in a list of its own: the common part of Tree and Slow.
type headed[K comparable] struct {
	panel.Layers[headedKey[K], struct{}]
	table    *table.Table
	tools    panel.Toolbox
	oneTrack [1]model.TrackID
}

// headedKey is the extra inputs of the picture.
type headedKey[K comparable] struct {
	table uint64
	of    K
}

// draw draws the table if anything changed, and reports whether it did; of holds its other inputs.
func (h *headed[K]) draw(env *panel.Env, rect draw.Rect, of K) bool {
	changed := h.BeginBase(env, rect, headedKey[K]{h.table.Stamp(), of})
	if changed {
		h.table.DrawInto(h.List(), env)
	}
	return changed
}

// Extent implements panel.Sized.
func (h *headed[K]) Extent(env *panel.Env, pxWidth float32) float32 {
	return h.table.Extent(env, pxWidth)
}

// Key takes a key for the table.
func (h *headed[K]) Key(env *panel.Env, key string) (panel.Action, bool) {
	return h.table.Key(env, key)
}

// Titles returns the titles of the columns.
func (h *headed[K]) Titles() []string { return h.table.Titles() }

// Copy returns the row under the mouse as text.
func (h *headed[K]) Copy(env *panel.Env) (string, bool) { return h.table.Copy(env) }

// Export implements panel.Exporter.
func (h *headed[K]) Export(env *panel.Env, w io.Writer, f panel.Format) error {
	return h.table.Export(env, w, f)
}

// Facts implements panel.Teller.
func (h *headed[K]) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	return h.table.Facts(env, out)
}

// Marked implements panel.Marker.
func (h *headed[K]) Marked(env *panel.Env, out []panel.Hit) []panel.Hit {
	return h.table.Marked(env, out)
}

// tracksOf returns all visible tracks, or only one: the view's where track is NoTrack.
func (h *headed[K]) tracksOf(env *panel.Env, all bool, track model.TrackID) []model.TrackID {
	if all {
		return env.View.Look().VisibleTracks()
	}
	if track == model.NoTrack {
		track = env.View.Track()
	}
	h.oneTrack[0] = track
	return h.oneTrack[:]
}

// treeAgainst holds the baseline of the rows of a call tree while one is pinned.
type treeAgainst struct {
	base  measured.Baseline
	of    againstKey
	made  uint64 // how often it was made
	nodes measured.Nodes
}

// againstKey is its inputs.
type againstKey struct {
	numbers, revision uint64
	bottomUp          bool
}

// measure looks up the nodes of the tree in the baseline when either changed. The baseline has call paths
// of single threads, per frame or per second; it has nothing on methods with merged callers.
func (t *callTreeSource) measure(env *panel.Env, tracks []model.TrackID) {
	a := &t.against
	if a.base.Follow(env) {
		a.made++
	}
	if a.base.Against == nil {
		a.nodes.Known, a.of = false, againstKey{}
		return
	}
	key := againstKey{t.numbers, env.Comparing.BaselineRevision(), t.owner.BottomUp}
	if key == a.of {
		return
	}
	a.of, a.nodes.Known = key, false
	a.made++
	if t.owner.BottomUp || len(tracks) != 1 || t.key.measure != spans.MeasureDuration || !a.base.Knows(tracks[0]) {
		return
	}
	if a.base.ByTime() {
		a.nodes.Look(a.base.Against, tracks[0], t.tree.Nodes, 1e9/float64(max(t.key.t1-t.key.t0, 1)))
	} else if n := wholeFrames(env.View.Session().Track(tracks[0]), t.key.t0, t.key.t1); n > 0 {
		a.nodes.Look(a.base.Against, tracks[0], t.tree.Nodes, 1/float64(n))
	}
}

// wholeFrames returns how many frames of a thread a range is, 0 where it is another time than that of some.
func wholeFrames(t *store.Track, t0, t1 int64) int {
	first, last := t.FramesBeginning(t0, t1)
	first, last = max(first, 0), min(last, t.NumFrames()-1)
	if t.NumFrames() == 0 || first > last {
		return 0
	}
	if begin, end, ok := t.FrameTimes(first, last); !ok || begin != t0 || end != t1 && end+1 != t1 {
		return 0
	}
	return int(t.CountedFrames(first, last))
}

// measured measures a row of the tree by the baseline.
func (t *callTreeSource) measured(_ *panel.Env, r *callRow) subject.Measured {
	n := &t.nodes[r.node]
	return t.against.nodes.Of(n.at, float64(n.total))
}

// measured compares a call with the baseline, for a group the mean of its calls if all are of one call path:
// with the calls of that path. Runs of samples, and calls with a lost begin or end, have no result.
func (t *slowSource) measured(env *panel.Env, r *slowRow) subject.Measured {
	x, ns := t.call(r), 0.0
	if x != nil {
		ns = float64(x.Ns)
	} else if g := &t.groups[r.group]; !g.mixed {
		x, ns = &t.run().Calls()[g.one], float64(g.sum)/float64(g.n())
	}
	if t.base.Against == nil || x == nil || x.Flags&openEnds != 0 || env.View.Session().Spans().Sampled(x.Ref.Track) {
		return subject.Measured{}
	}
	e, known := t.base.Path(x.Ref.Track, x.Path)
	return subject.MeasuredBy(e, known, subject.CallOf, ns)
}

// openEnds are the marks of a call with a lost begin or end.
const openEnds = model.SpanOpenBegin | model.SpanOpenEnd
