package cpuprofile

import (
	"math"
	"path/filepath"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxNodes  = 1 << 22
	nodeBytes = 96
	maxLine   = math.MaxInt32
)

// profile is the content of a file.
type profile struct {
	*trace.Profile
	base  string // of the path of the file
	names names
	tree

	heap     bool
	old      bool // the form of before 2017: seconds
	absolute bool // times of samples, as it has them
	lines    bool // the file says at which lines functions were sampled
	counted  bool // the tree counts samples
	// start and end are those of the profile, in the unit of the form.
	start, end moment
	samples    trace.Sized[int64, int64] // ids of nodes, and times
	// Where the lists of these begin.
	idsAt, timesAt int64
}

// moment is a time of the file, in ns, taken for µs and taken for seconds.
type moment struct{ us, s int64 }

func newProfile(sink feed.Sink, path string) *profile {
	base := filepath.Base(path)
	p := &profile{base: base, Profile: trace.NewProfile(sink, model.Info{
		Source: "cpuprofile", Program: feed.Stem(base, ".json", ".cpuprofile"), Peer: path, Version: "V8 CPU profile",
	})}
	p.Bad.Within = true
	p.samples.Float = func(us int64) float64 { return float64(us) }
	p.samples.Size = func(us float64) int64 { return int64(us) }
	p.names = names{Profile: p.Profile, taken: map[string]bool{}}
	return p
}

// read reads the whole file.
func (p *profile) read(r *trace.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "nodes":
			p.hasNodes = r.Array(func() { p.node(r, noCaller) }) || p.hasNodes
		case "head":
			p.old = true
			p.hasNodes = p.node(r, noCaller) || p.hasNodes
		case "startTime":
			p.start = p.moment(r)
		case "endTime":
			p.end = p.moment(r)
		case "samples":
			p.idsAt = r.At()
			p.samples.Of.Read(r, func() { p.keep(r, &p.samples.Of) })
		case "timeDeltas", "timestamps":
			p.absolute = string(key) == "timestamps"
			p.timesAt = r.At()
			p.samples.Sizes.Read(r, func() { p.keep(r, &p.samples.Sizes) })
		}
	})
}

// moment reads the begin or the end of the profile.
func (p *profile) moment(r *trace.Reader) moment {
	null, at := r.Peek() == 'n', r.At()
	b := r.Plain()
	us, isUs := trace.ParseTime(b, 3)
	s, isS := trace.ParseTime(b, 9)
	if !isUs && !isS && !null && r.Err() == nil {
		p.Bad.Bad(trace.BadHeader, at)
	}
	return moment{us.Round(), s.Round()}
}

// in is a moment in ns of the file's form.
func (p *profile) in(m moment) int64 {
	if p.old || p.absolute {
		return m.s
	}
	return m.us
}

// keep reads the id or the time of a sample.
func (p *profile) keep(r *trace.Reader, list *trace.Kept[int64]) {
	v, ok := r.Int()
	if !ok {
		v = math.MinInt64 // no node has it, and it is no time that can be
	}
	if r.Err() == nil {
		list.Add(p.Room, v)
	}
}

// node reads a node, and those inside it in the old form. It returns false for values that are no
// node.
func (p *profile) node(r *trace.Reader, caller int32) bool {
	at, i := r.At(), int32(len(p.nodes))
	if i >= maxNodes || !p.Room.Take(nodeBytes) {
		p.Bad.Bad(trace.NoMemoryForNames, at)
		return false
	}
	n, f := node{id: noID, caller: caller}, function{line: -1}
	p.nodes = append(p.nodes, n)
	whole := r.Object(func(key []byte) {
		switch string(key) {
		case "id":
			n.id = p.number(r, noID)
		case "hitCount":
			n.hits = p.number(r, 0)
		case "parent":
			if r.Peek() != 'n' {
				p.edge(r, ^i)
			}
		case "children":
			r.Array(func() { p.child(r, i) })
		case "callFrame":
			r.Object(func(key []byte) { p.names.read(r, &f, key, 1) })
		case "positionTicks":
			p.lines = true
		case "selfSize":
			p.heap = true
		default:
			p.names.read(r, &f, key, 0)
		}
	})
	if !whole && len(f.name) == 0 { // cut off before it is known what it is
		n.hits = 0
	}
	p.counted = p.counted || n.hits > 0
	n.function = p.names.collector(&f)
	p.nodes[i] = n
	return whole
}

// number reads a number that is not negative, or what else it counts as.
func (p *profile) number(r *trace.Reader, other int64) int64 {
	at := r.At()
	n, ok := r.Int()
	if (!ok || n < 0) && r.Err() == nil {
		p.Bad.Bad(trace.BadNumber, at)
	}
	if !ok || n < 0 {
		return other
	}
	return n
}

// child reads a node that another calls, or its id.
func (p *profile) child(r *trace.Reader, caller int32) {
	if r.Peek() == '{' {
		p.node(r, caller)
	} else {
		p.edge(r, caller)
	}
}

// edge reads the id of a node that a node calls or, where at is the complement of its index, is called by.
func (p *profile) edge(r *trace.Reader, at int32) {
	place := r.At()
	id, ok := r.Int()
	if r.Err() == nil && !ok {
		id = noID
	}
	if r.Err() == nil && !p.edges.Add(p.Room, edge{at, id, place}) {
		p.Bad.Bad(trace.NoMemory, place)
	}
}
