package together

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"framescope/model"
	"framescope/net/feed"
)

// Merger hands the words of several decoders to one sink.
type Merger struct {
	mu         sync.Mutex
	sink       feed.Sink
	room       *feed.Names
	peer       string
	live       bool
	collectors map[collectorKey]model.CollectorID
	paths      map[pathKey]model.PathID
	next       struct {
		collector model.CollectorID
		path      model.PathID
		track     model.TrackID
		series    model.SeriesID
		object    model.ObjectID
		link      model.LinkID
		resource  model.ResourceID
		flow      model.FlowID
	}
	members []*member
	open    int
}

// collectorKey is what makes collectors of two programs one: name and parent.
type collectorKey struct {
	parent model.CollectorID
	name   string
}

type pathKey struct {
	parent    model.PathID
	collector model.CollectorID
}

// mostIDs bounds the ids of a kind that a program uses.
const mostIDs = 1 << 20

// pathBytes is what a call path takes in paths.
const pathBytes = 48

// NewMerger returns a merger into a sink. peer is where the whole comes from, for people. live: its sessions go on.
func NewMerger(sink feed.Sink, peer string, live bool) *Merger {
	m := &Merger{
		sink: sink, room: feed.NamesOf(sink), peer: peer, live: live,
		collectors: map[collectorKey]model.CollectorID{}, paths: map[pathKey]model.PathID{},
	}
	m.next.collector, m.next.path = 1, 1
	return m
}

// Add returns the sink of one more program. All are added before the first is used.
func (m *Merger) Add(name string, shift Shift) feed.Sink {
	x := &member{merger: m, name: name, shift: shift, number: len(m.members) + 1}
	m.members, m.open = append(m.members, x), m.open+1
	return x
}

// define hands over a definition.
func (m *Merger) define(c model.Change) { m.sink.Define(c) }

// describe hands over what is known of all programs together.
func (m *Merger) describe() {
	info := model.Info{Source: "together", Peer: m.peer, PID: -1, File: !m.live, Table: true}
	first := &m.members[0].info
	info.ZeroAt, info.Monotonic, info.Boottime, info.Host = first.ZeroAt, first.Monotonic, first.Boottime, first.Host
	var programs, versions, facts []string
	for _, x := range m.members {
		programs = append(programs, x.name)
		info.Table = info.Table && x.info.Table
		info.Clock.StepNs = max(info.Clock.StepNs, x.info.Clock.StepNs)
		info.Clock.Float32Seconds = info.Clock.Float32Seconds || x.info.Clock.Float32Seconds
		if x.info.Host != info.Host {
			info.Host = ""
		}
		if !info.Sampling.Known() {
			info.Sampling = x.info.Sampling
		}
		if x.info.Version != "" {
			versions = append(versions, x.name+" "+x.info.Version)
		}
		if x.number > 1 {
			facts = append(facts, x.name+" "+x.shift.Words())
		}
	}
	info.Program = strings.Join(programs, " + ")
	info.Version = fmt.Sprintf("%d programs on one ruler", len(m.members))
	info.Detail = strings.Join(append(facts, versions...), "; ")
	m.define(info)
}

// end notes that a program ended, and ends the session with the last one.
func (m *Merger) end() {
	if m.open--; m.open > 0 {
		return
	}
	var reasons []string
	for _, x := range m.members {
		if x.reason != "" {
			reasons = append(reasons, x.name+": "+x.reason)
		}
	}
	m.room.Close()
	m.define(model.End{Reason: strings.Join(reasons, "; ")})
}

// member is the sink of a program.
type member struct {
	merger *Merger
	name   string
	number int
	shift  Shift

	feed.Nowhere // has its batch
	info         model.Info
	reason       string
	ended        bool
	done, total  int64

	collectors ids[model.CollectorID]
	tracks     ids[model.TrackID]
	series     ids[model.SeriesID]
	objects    ids[model.ObjectID]
	links      ids[model.LinkID]
	resources  ids[model.ResourceID]
	flows      ids[model.FlowID]
	paths      []model.PathID // by the decoder's, from 0
}

// Unwrap returns the sink of all programs, for the accounts of memory.
func (x *member) Unwrap() feed.Sink { return x.merger.sink }

// ids are those of the session by those of a decoder.
type ids[T ~int32] map[T]T

// of returns the id of the session, a new one if need be. Negative ones stand for nothing.
func (m *ids[T]) of(id T, next *T) T {
	if id < 0 {
		return id
	}
	known, ok := (*m)[id]
	if !ok && len(*m) < mostIDs {
		known = *next
		*next++
		m.set(id, known)
	} else if !ok {
		return -1
	}
	return known
}

// set makes an id stand for one of the session.
func (m *ids[T]) set(id, session T) {
	if *m == nil {
		*m = ids[T]{}
	}
	(*m)[id] = session
}

// known returns the id of the session, -1 for one that was not defined.
func (m ids[T]) known(id T) T {
	if known, ok := m[id]; ok {
		return known
	}
	return -1
}

func (x *member) track(id model.TrackID) model.TrackID {
	return x.tracks.of(id, &x.merger.next.track)
}

func (x *member) object(id model.ObjectID) model.ObjectID {
	return x.objects.of(id, &x.merger.next.object)
}

func (x *member) seriesOf(id model.SeriesID) model.SeriesID {
	return x.series.of(id, &x.merger.next.series)
}

// collector returns the id of the session. The root is that of all.
func (x *member) collector(id model.CollectorID) model.CollectorID {
	if id == 0 {
		return 0
	}
	return x.collectors.of(id, &x.merger.next.collector)
}

func (x *member) path(id model.PathID) model.PathID {
	if int64(id) >= int64(len(x.paths)) {
		return 0
	}
	return x.paths[id]
}

// at moves a time; one that is not known stays so.
func (x *member) at(ns int64) int64 {
	if ns == model.TimeUnknown {
		return ns
	}
	return x.shift.At(ns)
}

// Define implements feed.Sink.
func (x *member) Define(c model.Change) {
	m := x.merger
	m.mu.Lock()
	defer m.mu.Unlock()
	switch c := c.(type) {
	case model.Info:
		x.info = c
		m.describe()
	case model.End:
		x.end(c.Reason)
	case model.CollectorDef:
		x.defineCollector(c)
	case model.PathDef:
		x.definePath(c)
	case model.TrackDef:
		m.define(x.movedTrack(c))
	default:
		m.define(x.moved(c))
	}
}

// end ends the threads of the program.
func (x *member) end(reason string) {
	if x.ended {
		return
	}
	x.ended, x.reason = true, reason
	for _, id := range slices.Sorted(maps.Values(x.tracks)) {
		x.merger.define(model.TrackEnd{ID: id})
	}
	x.merger.end()
}

// defineCollector makes a collector that of another program with the same name below the same parent.
func (x *member) defineCollector(d model.CollectorDef) {
	m := x.merger
	local := d.ID
	d.Parent = x.collector(max(d.Parent, 0))
	if local == 0 {
		if x.number == 1 {
			m.define(d)
		}
		return
	}
	key := collectorKey{d.Parent, d.Name}
	shared, known := m.collectors[key]
	own, used := x.collectors[local]
	switch {
	case known && (!used || own != shared): // what was counted under another name before stays there
		x.collectors.set(local, shared)
		return
	case !known:
		d.ID = x.collector(local)
		m.collectors[key] = d.ID
	default:
		d.ID = own
	}
	m.define(d)
}

// definePath makes a call path that of another program with the same collectors.
func (x *member) definePath(d model.PathDef) {
	m := x.merger
	if len(x.paths) == 0 {
		x.paths = append(x.paths, 0)
	}
	if int64(d.ID) != int64(len(x.paths)) {
		m.define(model.Loss{
			Reason: model.LossLimit, Track: model.NoTrack, N: 1, Detail: x.name + ": a call path out of order",
		})
		return
	}
	key := pathKey{x.path(d.Parent), x.collector(d.Collector)}
	id, known := m.paths[key]
	if !known {
		id = m.next.path
		m.next.path++
		if m.room.Take(pathBytes) {
			m.paths[key] = id
		}
		m.define(model.PathDef{ID: id, Parent: key.parent, Collector: key.collector})
	}
	x.paths = append(x.paths, id)
}

// movedTrack is the definition of a thread in the session.
func (x *member) movedTrack(d model.TrackDef) model.TrackDef {
	d.ID, d.Object, d.Peer = x.track(d.ID), x.object(d.Object), x.object(d.Peer)
	d.Main = d.Main && x.number == 1
	d.Program, d.ProgramSpreadNs = x.name, x.shift.SpreadNs
	if d.Process != "" && d.Process != x.name {
		d.Process = x.name + ": " + d.Process
	} else {
		d.Process = x.name
	}
	return d
}

// moved is a definition in the session.
func (x *member) moved(c model.Change) model.Change {
	next := &x.merger.next
	switch d := c.(type) {
	case model.TrackEnd:
		d.ID = x.track(d.ID)
		return d
	case model.SeriesDef:
		d.ID, d.Track, d.Object, d.Peer = x.seriesOf(d.ID), x.track(d.Track), x.object(d.Object), x.object(d.Peer)
		return d
	case model.ObjectDef:
		d.ID, d.Parent, d.Created, d.Gone = x.object(d.ID), x.object(d.Parent), x.at(d.Created), x.at(d.Gone)
		return d
	case model.LinkDef:
		d.ID, d.From, d.To = x.links.of(d.ID, &next.link), x.object(d.From), x.object(d.To)
		d.Since, d.Until, d.Flow = x.at(d.Since), x.at(d.Until), x.seriesOf(d.Flow)
		return d
	case model.ResourceDef:
		d.ID, d.Time = x.resources.of(d.ID, &next.resource), x.at(d.Time)
		return d
	case model.RefEvent:
		d.Resource, d.Time = x.resources.of(d.Resource, &next.resource), x.at(d.Time)
		return d
	case model.FlowDef:
		d.ID = x.flows.of(d.ID, &next.flow)
		return d
	case model.Loss:
		if d.Track = x.track(d.Track); d.Begin != 0 || d.End != 0 {
			d.Begin, d.End = x.at(d.Begin), x.at(d.End)
		}
		d.Detail = x.name + ": " + d.Detail
		return d
	case model.Warning:
		d.Text = x.name + ": " + d.Text
		return d
	}
	return c
}

// Publish implements feed.Sink.
func (x *member) Publish(b *model.Batch) bool {
	m := x.merger
	m.mu.Lock()
	defer m.mu.Unlock()
	x.move(b)
	out := m.sink.Begin()
	*out, *b = *b, *out
	return m.sink.Publish(out)
}

// move makes a batch one of the session.
func (x *member) move(b *model.Batch) {
	b.Track = x.track(b.Track)
	b.Begin, b.End = x.at(b.Begin), x.at(b.End)
	for i := range b.Spans {
		s := &b.Spans[i]
		s.Begin, s.End, s.Path = x.at(s.Begin), x.at(s.End), x.path(s.Path)
	}
	for i := range b.Self {
		b.Self[i].Collector = x.collector(b.Self[i].Collector)
	}
	slices.SortFunc(b.Self, func(a, b model.CollectorTime) int { return cmp.Compare(a.Collector, b.Collector) })
	for i := range b.Levels {
		b.Levels[i].Collector, b.Levels[i].Time = x.collector(b.Levels[i].Collector), x.at(b.Levels[i].Time)
	}
	for i := range b.Messages {
		b.Messages[i].Time = x.at(b.Messages[i].Time)
	}
	for i := range b.Locks {
		b.Locks[i].Lock, b.Locks[i].Time = x.collector(b.Locks[i].Lock), x.at(b.Locks[i].Time)
	}
	for i := range b.Samples {
		b.Samples[i].Series, b.Samples[i].Time = x.series.known(b.Samples[i].Series), x.at(b.Samples[i].Time)
	}
	for i := range b.Flows {
		f := &b.Flows[i]
		f.From, f.To, f.FromTrack = x.at(f.From), x.at(f.To), x.track(f.FromTrack)
		f.Name, f.Chain = x.flows.known(f.Name), x.chain(f.Chain)
	}
}

// chain numbers a chain of arrows in the session.
func (x *member) chain(of uint32) uint32 {
	if of == 0 {
		return 0
	}
	return of*uint32(len(x.merger.members)) + uint32(x.number-1)
}

// Progress implements feed.Sink: of all programs together.
func (x *member) Progress(done, total int64) {
	m := x.merger
	m.mu.Lock()
	defer m.mu.Unlock()
	x.done, x.total = done, total
	done, total = 0, 0
	for _, x := range m.members {
		done, total = done+x.done, total+x.total
	}
	m.sink.Progress(done, total)
}
