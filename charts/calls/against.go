package calls

import (
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
)

// treeAgainst holds the baseline of the rows of a call tree while one is pinned.
type treeAgainst struct {
	base  measured.Baseline
	of    againstKey
	made  uint64  // how often it was made
	scale float64 // makes of a total one of a frame, or of a second
	known bool    // the tree shows a figure that the baseline has
	nodes []againstNode
}

// againstKey is its inputs.
type againstKey struct {
	numbers  uint64
	revision uint64
	bottomUp bool
}

// againstNode is the baseline's entry for a node.
type againstNode struct {
	entry *compare.Entry
	row   int // to look up its callees with
}

// measure looks up the nodes of the tree in the baseline when either changed. The baseline has call paths
// of single threads, per frame or per second; it has nothing on methods with merged callers.
func (t *callTreeSource) measure(env *panel.Env, tracks []model.TrackID) {
	a := &t.against
	if a.base.Follow(env) {
		a.made++
	}
	if a.base.Against == nil {
		a.known, a.of = false, againstKey{}
		return
	}
	key := againstKey{t.numbers, env.Comparing.BaselineRevision(), t.owner.BottomUp}
	if key == a.of {
		return
	}
	a.of, a.known, a.nodes = key, false, a.nodes[:0]
	a.made++
	if t.owner.BottomUp || len(tracks) != 1 || t.key.measure != spans.MeasureDuration || !a.base.Knows(tracks[0]) {
		return
	}
	if a.base.ByTime() {
		a.scale = 1e9 / float64(max(t.key.t1-t.key.t0, 1))
	} else if n := wholeFrames(env.View.Session().Track(tracks[0]), t.key.t0, t.key.t1); n > 0 {
		a.scale = 1 / float64(n)
	} else {
		return
	}
	a.known = true
	for i := range t.tree.Nodes {
		n, up := &t.tree.Nodes[i], -1
		if n.Parent >= 0 {
			up = a.nodes[n.Parent].row
		}
		e, row := a.base.Child(tracks[0], up, n.Collector)
		a.nodes = append(a.nodes, againstNode{e, row})
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
	a := &t.against
	at := t.nodes[r.node].at
	if !a.known || int(at) >= len(a.nodes) {
		return subject.Measured{}
	}
	m := subject.MeasuredBy(a.nodes[at].entry, true, subject.TotalOf, float64(t.nodes[r.node].total)*a.scale)
	m.Share = a.base.ByTime()
	return m
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
