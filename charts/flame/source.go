package flame

import (
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// flameSource is the content of a flame graph: a range of time and the received frames in it.
type flameSource struct {
	kind        subject.SourceKind
	t0, t1      int64
	frames      int64 // received frames in the range, by which totals are divided
	missing     int64 // frame numbers missing in the range
	first, last int64 // their numbers; of the gap when kind is flameMissing
	a, b        int   // indices of the frames of the mean, b < a: totals are those of the range
	live        bool
	partial     bool // the range cuts frames: the mean is per range, not per frame
	timeless    bool // its samples have no times
}

// choose chooses the content: while live the newest frames; else the selected frames, else the
// selected range, else the frame at the playhead.
func (f *Graph) choose(env *panel.Env) flameSource {
	v := env.View
	s := v.Session()
	id := f.track(env)
	track := s.Track(id)
	if track == nil {
		return flameSource{}
	}
	n := track.NumFrames()
	if n == 0 {
		return f.chooseTime(v, track)
	}
	if v.Live() {
		src := framesSource(track, max(0, n-max(1, f.MeanFrames)), n-1)
		src.live = true
		return src
	}
	a, b, selected := v.FramesOf(id)
	switch {
	case !selected:
		if a = v.FrameAtPlayhead(id, 0); a < 0 {
			return missingSource(track, v.Playhead())
		}
		return framesSource(track, a, a)
	case b < a:
		return missingSource(track, v.RangeA())
	}
	begin, end, _ := track.FrameTimes(a, b)
	if id == v.Track() && v.HasRange() && (v.RangeA() > begin || v.RangeB() < end) {
		return cutSource(track, a, b, v.RangeA(), v.RangeB())
	}
	return framesSource(track, a, b)
}

// chooseTime is choose for a track that has spans but no frames.
func (f *Graph) chooseTime(v *view.View, track *store.Track) flameSource {
	if track.NumSpans() == 0 && !v.Session().Spans().Sampled(track.Def.ID) {
		return flameSource{}
	}
	src := flameSource{kind: subject.SourceShown, frames: 1, partial: true, b: -1}
	src.timeless = v.Session().Info().Sampling.Timeless
	src.t0, src.t1 = subject.ThreadRange(v)
	return src
}

// framesSource returns the source of the frames with index [a, b].
func framesSource(track *store.Track, a, b int) flameSource {
	first, last := track.Frame(a), track.Frame(b)
	src := flameSource{
		kind: subject.SourceShown, frames: track.CountedFrames(a, b), a: a, b: b, first: first.Number, last: last.Number,
	}
	src.t0, src.t1, _ = track.FrameTimes(a, b)
	src.missing = track.MissingIn(a, b)
	return src
}

// cutSource returns the source of a range that cuts the first or the last of the frames with index
// [a, b] that it touches. Totals are divided by the frames that begin in it; where that is one or
// none, the range is shown as it is.
func cutSource(track *store.Track, a, b int, t0, t1 int64) flameSource {
	if track.Frame(a).Begin < t0 && b-a >= 2 {
		a++
	}
	src := framesSource(track, a, b)
	src.t0, src.t1, src.b = t0, t1, -1
	if a == b || track.Frame(a).Begin < t0 {
		src.frames, src.partial = 1, true
	}
	return src
}

// missingSource returns the source of an instant where nothing was received.
func missingSource(track *store.Track, timeNs int64) flameSource {
	i := track.FrameAt(timeNs)
	if i < 0 || i+1 >= track.NumFrames() {
		return flameSource{}
	}
	g, ok := track.GapAfter(i)
	if !ok {
		return flameSource{}
	}
	return flameSource{kind: subject.SourceMissing, first: g.FirstNumber, last: g.LastNumber, missing: g.Count()}
}

// appendWords appends the source in words: "frame 12 407", "mean of 60 frames", "range of 9 frames
// · 3 missing".
func (src *flameSource) appendWords(dst []byte) []byte {
	switch src.kind {
	case subject.SourceEmpty:
		return dst
	case subject.SourceMissing:
		return subject.AppendMissingFrames(dst, src.first, src.last)
	}
	switch n := src.frames; {
	case src.live && n > 1:
		dst = panel.AppendMeanOf(dst, n)
	case src.timeless:
		dst = append(dst, "all samples"...)
	case src.partial:
		dst = format.AppendDuration(append(dst, "range of "...), src.t1-src.t0)
	case n == 1:
		dst = format.AppendCount(append(dst, "frame "...), src.first)
	default:
		dst = append(format.AppendCount(append(dst, "range of "...), n), " frames"...)
	}
	if src.missing > 0 {
		dst = append(format.AppendCount(append(dst, " · "...), src.missing), " missing"...)
	}
	return dst
}

// perFrame reports whether totals are means of frames.
func (src *flameSource) perFrame() bool { return src.frames > 1 }

// whole reports whether a total is the duration of the one frame that is shown, to all digits that are
// written.
func (src *flameSource) whole(total float64) bool {
	took := float64(src.t1 - src.t0)
	return src.a == src.b && math.Abs(total-took) <= took/2000
}

// flameMerge builds the call tree above a focus collector, in buffers that are kept.
type flameMerge struct {
	mapped []int32
	raw    []mergedNode
	stack  []int32
	out    []spans.Node
	ends   []int32 // of out, see spans.Tree
}

// mergedNode is a node of the tree being built, with its children as a list in ascending collector
// id.
type mergedNode struct {
	node           spans.Node
	child, sibling int32
}

// focus returns the nodes to show. With a focus, only it and its static descendants may be
// outermost, everything may be inside them, and equal paths from different callers are one
// (VIEWER.md section 10.1).
func (m *flameMerge) focus(s *store.Session, tree *spans.Tree, focus model.CollectorID) (nodes []spans.Node, ends []int32, rows int) {
	if focus == model.NoCollector {
		return tree.Nodes, tree.Ends, tree.Rows
	}
	m.mapped, m.raw, m.out, m.stack = m.mapped[:0], m.raw[:0], m.out[:0], m.stack[:0]
	m.raw = append(m.raw, mergedNode{child: -1, sibling: -1}) // the root above the outermost
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		at, in := int32(-1), int32(-1)
		if n.Parent >= 0 {
			in = m.mapped[n.Parent]
		}
		switch {
		case in >= 0:
			at = m.child(in, n)
		case n.Collector == focus || s.Collectors().IsDescendant(n.Collector, focus):
			at = m.child(0, n)
		}
		m.mapped = append(m.mapped, at)
		if at < 0 {
			continue
		}
		r := &m.raw[at].node
		r.Total += n.Total
		r.Self += n.Self
		r.Count += n.Count
	}
	// depth first, with a stack of siblings still to come; Parent becomes the index in the result
	push := func(i int32) {
		if i >= 0 {
			m.stack = append(m.stack, i)
		}
	}
	push(m.raw[0].child)
	for len(m.stack) > 0 {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		r := &m.raw[i]
		push(r.sibling)
		n := r.node
		if p := n.Parent; p > 0 {
			n.Parent = m.raw[p].node.Parent // by now the index of the result, see below
			n.Depth = m.out[n.Parent].Depth + 1
		} else {
			n.Parent, n.Depth = -1, 0
		}
		m.out = append(m.out, n)
		r.node.Parent = int32(len(m.out) - 1)
		push(r.child)
		rows = max(rows, int(n.Depth)+1)
	}
	m.ends = slices.Grow(m.ends[:0], len(m.out))[:len(m.out)]
	for i := range m.ends {
		m.ends[i] = int32(i + 1)
	}
	for i := len(m.out) - 1; i >= 0; i-- { // children come after their caller
		if p := m.out[i].Parent; p >= 0 {
			m.ends[p] = max(m.ends[p], m.ends[i])
		}
	}
	return m.out, m.ends, rows
}

// child returns the child of a node with n's collector, made if there is none.
func (m *flameMerge) child(parent int32, n *spans.Node) int32 {
	before, at := int32(-1), m.raw[parent].child
	for at >= 0 && m.raw[at].node.Collector < n.Collector {
		before, at = at, m.raw[at].sibling
	}
	if at >= 0 && m.raw[at].node.Collector == n.Collector {
		return at
	}
	id := int32(len(m.raw))
	m.raw = append(m.raw, mergedNode{node: spans.Node{Path: n.Path, Collector: n.Collector, Parent: parent}, child: -1, sibling: at})
	if before < 0 {
		m.raw[parent].child = id
	} else {
		m.raw[before].sibling = id
	}
	return id
}
