package topology

import (
	"slices"
	"strings"

	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/store"
)

// topologyRange is the time of the figures.
type topologyRange struct {
	kind   view.Around
	t0, t1 int64
	past   bool // the chosen moment is later: ended things are shown as they played
}

// topologyFigures are the figures of nodes and edges in a range.
type topologyFigures struct {
	shown    topologyRange
	nodes    []nodeFigures
	edges    []edgeFigures
	states   []string // that occur, in the order of the legend
	hottest  float64  // greatest median latency of an element, ns
	filled   bool     // it is known of an element how many buffers are in it
	threads  bool     // it is known of an element which thread pushes from it
	revision uint64

	base      measured.Baseline
	typical   measured.Latencies
	refresher panel.Refresher
	bins      []spans.SeriesBin
}

// nodeFigures are the figures of one node.
type nodeFigures struct {
	latencyN              int64
	latencyMean           float64 // ns
	latencyMax            float64
	median, p99           float64          // ns, of the pad that takes most
	medianDeviation       subject.Measured // the median, by a baseline
	fill                  flow.Fill
	dropped               float64
	thread                model.TrackID
	reported              float64
	hasReported           bool
	activity              int64
	state                 string
	stateSince            int64
	later, gone           bool
	buffersIn, buffersOut int64
	bytesIn, bytesOut     float64
}

// edgeFigures are the figures of one edge.
type edgeFigures struct {
	exists, later              bool
	buffers                    int64
	bytes, perSec, bytesPerSec float64
	lastBufferAt               int64 // time of the newest buffer up to the end of the range
	hasLastBuffer              bool
}

// update brings the figures up to date; while live, a few times a second.
func (f *topologyFigures) update(env *panel.Env, g *topologyGraph) {
	s := env.View.Session()
	if len(g.nodes) == 0 {
		f.nodes, f.edges, f.states = f.nodes[:0], f.edges[:0], f.states[:0]
		f.refresher.Done = false
		return
	}
	v := env.View
	t0, t1, kind := v.FigureRange()
	key := panel.RangeKey{Session: s, Revision: s.Revision(), Live: v.Live(), First: int(kind), T0: t0, T1: t1,
		Extra: g.sum}
	if f.base.Follow(env) {
		f.refresher.Done = false
	}
	if !f.refresher.Due(env, key) && len(f.nodes) == len(g.nodes) && len(f.edges) == len(g.edges) {
		return
	}
	f.revision++
	f.chooseRange(v, g)
	f.ofEdges(s, g)
	f.ofNodes(s, g, v.Causes().Flow())
}

// chooseRange finds the range. If nothing plays any more at the moment, everything is shut down; then
// the last moment at which something played is used.
func (f *topologyFigures) chooseRange(v *view.View, g *topologyGraph) {
	f.shown.t0, f.shown.t1, f.shown.kind = v.FigureRange()
	f.shown.past = false
	if f.shown.kind != view.AroundMoment {
		return
	}
	if at, ok := lastPlayed(v.Session(), g, f.shown.t1-1); ok {
		begin, _, _ := v.Session().Bounds()
		f.shown.t0, f.shown.t1, f.shown.past = max(begin, at-view.MomentNs+1), at+1, true
	}
}

// lastPlayed returns when the last element stopped playing before a time; ok is false where one
// plays then, or none ever did.
func lastPlayed(s *store.Session, g *topologyGraph, timeNs int64) (at int64, ok bool) {
	const most = 16 // changes of state that one looks back
	for i := range g.nodes {
		x := s.Series().ByID(g.nodes[i].state)
		if x == nil {
			continue
		}
		for t, n := timeNs, 0; n < most; n++ {
			sample, known := x.At(t)
			if !known {
				break
			}
			if i := sample.Value; i >= 0 && i < float64(len(x.Def.States)) && plays(x.Def.States[int(i)]) {
				if t == timeNs {
					return 0, false
				}
				at, ok = max(at, t), true
				break
			}
			t = sample.Time - 1
		}
	}
	return at, ok
}

// seconds is the length of the range.
func (f *topologyFigures) seconds() float64 { return max(float64(f.shown.t1-f.shown.t0), 1) / 1e9 }

// ofEdges sums up the traffic of the edges.
func (f *topologyFigures) ofEdges(s *store.Session, g *topologyGraph) {
	f.edges = f.edges[:0]
	links := s.Topology().Links()
	for i := range g.edges {
		e := &g.edges[i]
		var x edgeFigures
		for _, id := range e.links {
			l := &links[id]
			switch {
			case l.Since != model.TimeUnknown && l.Since >= f.shown.t1:
				x.later = true
			case l.Until != model.TimeUnknown && (l.Until <= f.shown.t0 || f.shown.kind == view.AroundMoment &&
				l.Until < f.shown.t1):
			default:
				x.exists = true
			}
		}
		x.later = x.later && !x.exists
		for _, id := range e.flows {
			b := f.bin(s, id)
			x.buffers, x.bytes = x.buffers+b.N, x.bytes+b.Sum
			if last, ok := s.Series().ByID(id).At(f.shown.t1 - 1); ok && (!x.hasLastBuffer || last.Time > x.lastBufferAt) {
				x.lastBufferAt, x.hasLastBuffer = last.Time, true
			}
		}
		x.perSec, x.bytesPerSec = float64(x.buffers)/f.seconds(), x.bytes/f.seconds()
		f.edges = append(f.edges, x)
	}
}

// ofNodes sums up the figures of the nodes.
func (f *topologyFigures) ofNodes(s *store.Session, g *topologyGraph, index *flow.Index) {
	f.nodes, f.states, f.hottest, f.threads, f.filled = f.nodes[:0], f.states[:0], 0, false, false
	for i := range g.nodes {
		n := &g.nodes[i]
		var x nodeFigures
		took := flow.Took(s, n.latency, f.shown.t0, f.shown.t1)
		x.latencyN, x.latencyMean, x.latencyMax, x.median, x.p99 = took.N, took.MeanNs, took.MaxNs, took.MedianNs, took.P99Ns
		f.hottest = max(f.hottest, x.median)
		x.medianDeviation = f.typical.Of(&f.base, s, &took)
		x.fill, x.thread = index.Fill(n.object, f.shown.t0, f.shown.t1), index.Thread(n.object)
		f.filled = f.filled || x.fill.Known
		f.threads = f.threads || x.thread != model.NoTrack
		x.dropped, _ = index.Dropped(n.object, f.shown.t0, f.shown.t1)
		for _, id := range n.reported {
			if v, ok := s.Series().ByID(id).At(f.shown.t1 - 1); ok {
				x.reported, x.hasReported = max(x.reported, v.Value), true
			}
		}
		for _, id := range n.activity {
			x.activity += f.bin(s, id).N
		}
		f.stateOf(s, n, &x)
		o, _ := s.Topology().Object(n.object)
		x.later = o.Created != model.TimeUnknown && o.Created >= f.shown.t1
		x.gone = o.Gone != model.TimeUnknown && (o.Gone <= f.shown.t0 || f.shown.kind == view.AroundMoment &&
			o.Gone < f.shown.t1)
		f.nodes = append(f.nodes, x)
	}
	for i := range g.edges {
		e, x := &g.edges[i], &f.edges[i]
		from, _ := g.end(e.from)
		to, _ := g.end(e.to)
		if g.graph.Nodes[to.Node].Parent != from.Node { // to its child: it came into the bin before
			f.nodes[from.Node].buffersOut += x.buffers
			f.nodes[from.Node].bytesOut += x.bytes
		}
		if g.graph.Nodes[from.Node].Parent != to.Node {
			f.nodes[to.Node].buffersIn += x.buffers
			f.nodes[to.Node].bytesIn += x.bytes
		}
	}
}

// stateOf finds a node's state: that at a moment; in a range of time, which may end with everything
// shut down, the highest.
func (f *topologyFigures) stateOf(s *store.Session, n *topologyNodeInfo, x *nodeFigures) {
	if n.state == model.NoSeries {
		return
	}
	series := s.Series().ByID(n.state)
	value, since, ok := subject.StateIn(series, f.shown.t0, f.shown.t1, f.shown.kind)
	x.stateSince = since
	if !ok || !(value >= 0 && value < float64(len(series.Def.States))) {
		return
	}
	x.state = series.Def.States[int(value)]
	if slices.Contains(f.states, x.state) {
		return
	}
	// In the order of the series' own list, which goes up.
	rank := rankOfState(x.state)
	at := slices.IndexFunc(f.states, func(known string) bool { return rankOfState(known) > rank })
	if at < 0 {
		at = len(f.states)
	}
	f.states = slices.Insert(f.states, at, x.state)
}

// bin sums a series up over the range.
func (f *topologyFigures) bin(s *store.Session, id model.SeriesID) (b spans.SeriesBin) {
	f.bins = s.Series().ByID(id).Bins(f.shown.t0, f.shown.t1, 1, f.bins[:0])
	if len(f.bins) == 1 {
		b = f.bins[0]
	}
	return b
}

// plays reports whether things flow through an element in a state.
func plays(state string) bool { return rankOfState(state) == 4 }

// rankOfState orders the states that elements of a pipeline have; others come behind them.
func rankOfState(state string) int {
	for i, s := range [...]string{"void", "null", "ready", "paused", "playing"} {
		if len(state) >= len(s) && strings.EqualFold(state[:len(s)], s) {
			return i
		}
	}
	return 9
}

// appendRange names the time of the figures.
func (f *topologyFigures) appendRange(b []byte, s *store.Session) []byte {
	switch f.shown.kind {
	case view.AroundAll:
		return format.AppendDuration(append(append(b, subject.Whole(s)...), ", "...), f.shown.t1-1-f.shown.t0)
	case view.AroundRange:
		return format.AppendDuration(append(b, "range of "...), f.shown.t1-f.shown.t0)
	case view.AroundBuffer:
		return format.AppendDuration(append(b, "buffer of "...), f.shown.t1-1-f.shown.t0)
	}
	if f.shown.past {
		b = append(b, "ended · "...)
	}
	b = format.AppendDuration(append(b, "last "...), f.shown.t1-f.shown.t0)
	return format.AppendClock(append(b, " at "...), f.shown.t1-1, 1e6)
}
