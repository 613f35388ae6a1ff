package gsttrace

import (
	"hash/maphash"

	"framescope/model"
	"framescope/net/trace"
)

// mapper maps what the reader hands over to the model. It implements Handler; all ids are of
// one session, whatever number of processes wrote to the log.
type mapper struct {
	out     *Output
	options Options
	texts   trace.Texts
	colls   *trace.Table
	lines   *trace.StackWriter // of calls

	procs    map[uint64]*process
	procList []*process // in order of appearance
	playing  int        // of them have elements
	last     *process   // of the last entry
	nThreads int
	nTracks  model.TrackID

	colors   elementColors
	nSeries  model.SeriesID
	series   map[seriesKey]model.SeriesID
	nObjects model.ObjectID
	links    map[linkKey]*model.LinkDef

	listings   int // of leaks
	nResources model.ResourceID
	refs       []model.RefEvent // of the object listed last, until its history is complete

	passages []passage   // through queues; their levels follow from them
	loads    []*cpuCurve // in the order in which they began

	more *stream // of more elements, and of more paths, than there is room for

	plans    map[*Class]*plan
	lastPlan *plan

	stray   model.TrackID // track of lines that are no part of the log; NoTrack until there is one
	lineNs  int64         // time of the last entry
	version string        // of GStreamer, if the log has it
	seed    maphash.Seed
	scratch []byte
	details []byte
	key     []byte
}

func newMapper(out *Output, o Options) *mapper {
	m := &mapper{
		out: out, colls: trace.NewTable(out.sink, out.Names, "GStreamer"), options: o, procs: map[uint64]*process{},
		plans: map[*Class]*plan{}, stray: model.NoTrack, seed: maphash.MakeSeed(),
		series: map[seriesKey]model.SeriesID{}, links: map[linkKey]*model.LinkDef{},
	}
	m.lines = trace.NewStackWriter(m.colls, &out.bad)
	out.Settle = m.levels
	m.inform()
	return m
}

// inform defines the info of the program.
func (m *mapper) inform() {
	info := model.Info{
		Source: "gsttrace", Program: m.options.Program, Peer: m.options.Peer, PID: -1,
		Version: "GStreamer trace log", File: m.options.File,
	}
	if len(m.procList) > 0 {
		info.PID = int64(min(m.procList[0].pid, 1<<62))
	}
	if m.version != "" {
		info.Version += " of GStreamer " + m.version
	}
	m.out.Define(info)
}

// addTrack defines a track; NoTrack when there are too many.
func (m *mapper) addTrack(d model.TrackDef) model.TrackID {
	if m.nTracks >= MaxTracks {
		m.out.Beyond(trace.ManyTracks)
		return model.NoTrack
	}
	d.ID = m.nTracks
	m.nTracks++
	m.out.Define(d)
	return d.ID
}

// enter notes the time of an entry and returns its process and thread.
func (m *mapper) enter(e *LogEntry) (*process, *thread) {
	m.lineNs = min(e.TimeNs, MaxTime)
	m.out.At(m.lineNs, e.Line)
	p := m.last
	if p == nil || p.pid != e.PID {
		p = m.process(e.PID)
		m.last = p
	}
	t := p.lastThread
	if t == nil || t.key != string(e.Thread) {
		t = p.thread(e.Thread)
		p.lastThread = t
	}
	return p, t
}

// Record implements Handler.
func (m *mapper) Record(r *Record) {
	if m.out.cancelled {
		return
	}
	p, t := m.enter(r.Entry)
	pl := m.lastPlan
	if pl == nil || pl.class != r.Class {
		pl = m.plan(r.Class)
		m.lastPlan = pl
	}
	c := recordAt{m: m, p: p, t: t, pl: pl, values: r.Values, timeNs: m.lineNs}
	if pl.ts >= 0 {
		// All ones, and what else is no time, means that it is not known: the line's time is the next
		// best.
		if v := &r.Values[pl.ts]; v.Present && v.Kind != KindText {
			c.timeNs = r.Entry.Time(v.Unsigned())
		}
	}
	if pl.thread >= 0 && r.Values[pl.thread].Present {
		c.t = p.threadOfID(t, r.Values[pl.thread].Unsigned())
	}
	if pl.stock != stockRefings {
		m.flushRefs()
	}
	pl.record(&c)
	if pl.stock < stockAlive {
		p.undecided = nil // a listing that something follows was not the last thing that the program did
	}
	m.out.Full()
}

// recordAt is a record on its way through the mapping.
type recordAt struct {
	m      *mapper
	p      *process
	t      *thread // that wrote it, or that it describes
	pl     *plan
	values []Value
	timeNs int64
}

// showOpen publishes calls, those that go on as far as they got.
func (m *mapper) showOpen() {
	for _, p := range m.procList {
		for _, t := range p.order {
			t.calls.show(m.out.Settled())
		}
	}
}

// close ends open calls, defines names that depend on the whole log, and settles the last listings.
func (m *mapper) close() {
	m.flushRefs()
	m.endLoads()
	for _, p := range m.procList {
		for _, t := range p.order {
			t.calls.end(0, m.out.newestNs)
			t.rename()
		}
		p.endListing()
	}
	m.lines.Close()
	m.out.bad.BadN(trace.ManyNames, m.colls.Refused, trace.Unknown)
}
