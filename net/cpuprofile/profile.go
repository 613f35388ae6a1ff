package cpuprofile

import (
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxNodes  = 1 << 22
	maxEdges  = 2 * maxNodes // each may name its caller, and be named by it
	nodeBytes = 96

	noCount = math.MaxInt64 // hits that are no number
	noID    = -1            // of a node that has none
)

// node is a call: a function below its caller.
type node struct {
	id     int64
	hits   int64        // noCount: none that can be
	at     int64        // file offset of invalid hits
	place  int64        // of the id
	parent int32        // index of the caller; -1: none
	path   model.PathID // PathRoot until it is known
	coll   model.CollectorID
	kind   kind
}

// kind says which nodes are no functions.
type kind uint8

const (
	function kind = iota
	root
	idle
	other
)

// edge says which node another calls, or, where at is the complement of an index, is called by.
type edge struct {
	at    int32
	id    int64
	place int64 // of the id in the file
}

// profile is the content of a file.
type profile struct {
	sink  feed.Sink
	room  *feed.Names
	names *trace.Table
	files *files

	nodes    []node
	edges    []edge
	hasNodes bool
	old      bool // the form of before 2017: seconds, absolute times
	heap     bool

	start, end moment // of the profile
	absolute   bool
	// samples are kept until all are read: their times may stand behind them, or before them.
	samples    []sample
	ids, times int   // numbers of either that were read
	uneven     int64 // samples without times; below 0: times without samples
	full       bool  // there is no room for more samples

	ticks   int64       // nodes with samples per line
	refused int64       // nodes that there was no room for
	unnamed int64       // edges, likewise
	beyond  int64       // edges beyond maxEdges
	noCount trace.Tally // nodes with invalid hits
	tooMany int64       // nodes that the sums have no place for
	odd     int64       // nodes with several callers, or that call themselves in a circle
	oddID   int64       // of the first of these
	badEnd  bool        // the end of the profile is impossible
	strange int64       // samples of nodes that the tree has not

	badIDs, badEdges, badFrames, badStart trace.Tally // see tellTree
}

func newProfile(sink feed.Sink, room *feed.Names) *profile {
	table := trace.New(sink, room, "All")
	return &profile{sink: sink, room: room, names: table, files: newFiles(table)}
}

// read reads the whole file.
func (p *profile) read(r *trace.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "nodes":
			p.hasNodes = r.Array(func() { p.node(r, -1) }) || p.hasNodes
		case "head":
			p.old = true
			p.hasNodes = p.node(r, -1) || p.hasNodes
		case "startTime":
			null, at := r.Peek() == 'n', r.At()
			var ok bool
			if p.start, ok = timeOf(r.Plain()); !ok && !null && r.Err() == nil {
				p.badStart.Add(at)
			}
		case "endTime":
			var ok bool
			if p.end, ok = timeOf(r.Plain()); !ok && r.Err() == nil {
				p.badEnd = true
			}
		case "samples":
			r.Array(func() { p.keep(r, &p.ids) })
		case "timeDeltas":
			r.Array(func() { p.keep(r, &p.times) })
		case "timestamps":
			p.absolute = true
			r.Array(func() { p.keep(r, &p.times) })
		}
	})
}

// moment is a time of the file, in ns, taken for µs and taken for seconds.
type moment struct{ us, s int64 }

// timeOf parses a moment; ok is false for values that are a time in neither unit.
func timeOf(b []byte) (t moment, ok bool) {
	us, isUs := trace.ParseTime(b, 3)
	s, isS := trace.ParseTime(b, 9)
	return moment{us.Round(), s.Round()}, isUs || isS
}

// edge reads the id of a node that a node calls or is called by.
func (p *profile) edge(r *trace.Reader, at int32, known bool) {
	place := r.At()
	id, ok := r.Int()
	switch {
	case r.Err() != nil || !known:
	case !ok:
		p.badEdges.Add(place)
	case len(p.edges) >= maxEdges:
		p.beyond++
	default:
		if p.edges, ok = feed.Grow(p.room, p.edges, 1); !ok {
			p.unnamed++
			return
		}
		p.edges = append(p.edges, edge{at, id, place})
	}
}

// of returns the time as the file's form has it.
func (t moment) of(old bool) int64 {
	if old {
		return t.s
	}
	return t.us
}

// keep reads the next id or time of a sample, as far as there is room.
func (p *profile) keep(r *trace.Reader, n *int) {
	v, ok := r.Int()
	switch {
	case r.Err() != nil:
		return
	case !ok:
		v = math.MinInt64 // no node has it, and it is no time that can be
	}
	i := *n
	*n++
	if i == len(p.samples) && !p.full {
		if p.samples, ok = feed.Grow(p.room, p.samples, 1); ok {
			p.samples = append(p.samples, sample{})
		}
		p.full = !ok
	}
	switch {
	case i >= len(p.samples):
	case n == &p.ids:
		p.samples[i].id = v
	default:
		p.samples[i].at = v
	}
}

// node reads a node, and those inside it in the old form. It returns false for values that are no
// node.
func (p *profile) node(r *trace.Reader, parent int32) bool {
	at := int32(len(p.nodes))
	known := at < maxNodes && p.room.Take(nodeBytes)
	if known {
		p.nodes = append(p.nodes, node{id: noID, parent: parent})
	} else {
		p.refused++
	}
	n := node{id: noID, parent: parent}
	var f frame
	f.line = -1
	whole := r.Object(func(key []byte) {
		switch string(key) {
		case "id":
			r.Peek()
			n.place = r.At()
			var ok bool
			if n.id, ok = r.Int(); (!ok || n.id < 0) && r.Err() == nil {
				p.badIDs.Add(n.place)
				n.id = noID
			}
		case "hitCount":
			var ok bool
			before := r.At()
			if n.hits, ok = r.Int(); !ok || n.hits > trace.MostOne {
				n.hits, n.at = noCount, before
			}
		case "parent":
			if r.Peek() != 'n' {
				p.edge(r, ^at, known)
			}
		case "children":
			r.Array(func() {
				if r.Peek() == '{' {
					if known {
						p.node(r, at)
					}
					return
				}
				p.edge(r, at, known)
			})
		case "callFrame":
			r.Object(func(key []byte) { f.read(r, key, 1) })
		case "positionTicks":
			p.ticks++
		case "selfSize":
			p.heap = true
		default:
			f.read(r, key, 0)
		}
	})
	if known {
		if r.Err() != nil && (len(f.name) == 0 || n.hits == noCount) { // cut off before it is known what it is
			n.hits = 0
		}
		if f.bad.N > 0 {
			p.badFrames.AddN(f.bad.N, f.bad.At)
		}
		n.coll, n.kind = p.files.collector(&f)
		p.nodes[at] = n
	}
	return whole
}
