package gsttrace

import (
	"math"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// stream is a track of things that are under way at the same time: each is a span in the lowest
// free lane, so that the number of lanes in use is how many there are.
type stream struct {
	track model.TrackID
	lanes trace.FreeRows
}

// latency maps a latency record to a span from ts - time to ts: on a track of the pair, or of the
// element.
func (c *recordAt) latency(g *group) {
	c.p.sawLatencies()
	if g.stream == nil {
		c.openStream(g)
	}
	took := c.field("time")
	if !took.Present || took.Unsigned() == math.MaxUint64 { // GST_CLOCK_TIME_NONE: not known
		return
	}
	var flags model.SpanFlags
	begin := c.timeNs - int64(min(took.Unsigned(), uint64(c.timeNs)))
	if took.Unsigned() > uint64(c.timeNs) {
		flags = model.SpanUncertain // longer than the program has been running: the marks of the tracer went astray
	}
	lane, ok := g.stream.lanes.Take(begin, c.timeNs, 1, MaxLanes)
	if !ok {
		c.m.out.Beyond(trace.ManyRows)
		return
	}
	c.m.out.Span(g.stream.track, model.Span{Begin: begin, End: c.timeNs, Path: g.path, Lane: uint16(lane), Flags: flags})
}

// openStream finds the track of a group: pairs have one each, the pads of an element share one.
func (c *recordAt) openStream(g *group) {
	m := c.m
	if g == c.pl.more {
		g.path, g.stream = m.colls.Path(model.PathRoot, trace.Other), m.moreStream()
		return
	}
	key, title := streamKey{class: c.pl.class.Name, group: g}, g.name
	var color model.RGB
	d := model.TrackDef{Kind: model.TrackStream, Process: c.p.title, Object: g.object.id(), Peer: g.peer.id()}
	if len(g.nodes) < 2 {
		d.Kind, d.Peer = model.TrackElement, model.NoObject
	}
	if g.object != nil && len(g.nodes) == 1 {
		key = streamKey{class: c.pl.class.Name, object: g.object}
		title = g.object.fullName() + c.p.suffix()
		color = m.colors.colorOf([]byte(g.object.def.Name))
	}
	g.path = m.colls.Path(model.PathRoot, m.collector(c.pl.class.Name, nil, []byte(g.name), color))
	if g.stream = c.p.streams[key]; g.stream != nil {
		return
	}
	d.Name, d.Index = Label(title), len(c.p.streams)
	if m.nTracks >= MaxTracks-KeptTracks || !m.out.Names.Admit(d) {
		m.out.Beyond(trace.ManyTracks)
		g.stream = m.moreStream()
		return
	}
	g.stream = &stream{track: m.addTrack(d)}
	c.p.streams[key] = g.stream
}

// moreStream returns the stream of all elements, or paths, that there is no room for a track for.
func (m *mapper) moreStream() *stream {
	if m.more == nil {
		d := model.TrackDef{Name: feed.MoreNames, Kind: model.TrackStream, Object: model.NoObject, Peer: model.NoObject}
		m.more = &stream{track: m.addTrack(d)}
	}
	return m.more
}

// streamKey identifies a stream.
type streamKey struct {
	class  string
	object *object
	group  *group
}
