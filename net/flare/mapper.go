// Package flare shows what the Flare JVM profiler records: sample folders, live agents, and the
// WebSocket API of its server. Source: FORMAT.md.
package flare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
)

// Limits of a session.
const (
	maxTracks     = 1 << 14
	maxCollectors = 60_000 // of 65,536 that the store takes
	maxMethods    = 1 << 20
	maxPaths      = 1 << 21
	maxNameBytes  = 512
	maxDepth      = 4000 // lanes of a track
	flushSpans    = 4096
	sureDepth     = 64 // lanes of a track for which there is always room
	maxIntervalMs = 1 << 30
)

// Approximate memory costs in bytes, besides texts and definitions in the session.
const (
	methodBytes = 64      // by a name, or by the collector of a number
	threadBytes = 8 << 10 // by a thread: its track and three series
	depthBytes  = 544     // by a lane: the session's, and its open spans
)

// Mapper turns samples into the model: a track for each thread, a span for each run of samples that
// share the beginning of their stack, and the thread's CPU clock as series.
//
// A sample owns the time up to the thread's next one; the last one owns nothing (FORMAT.md, "Three measures").
// Neighbouring samples with the same method at the same depth, under the same callers, are one span: sampling
// cannot distinguish two calls from one. So spans are flagged model.SpanUncertain, and their ends are known to the
// sampling interval only.
//
// Use: Info and Method at any time, Sample in order of time for each thread, Flush now and then
// while live, Close at the end.
type Mapper struct {
	sink    feed.Sink
	room    *feed.Names
	zeroMs  int64 // session time 0
	started bool
	info    model.Info
	space   spacing

	threads    map[int64]*thread
	tracks     model.TrackID
	collectors map[string]model.CollectorID   // by full name
	methods    map[MethodID]model.CollectorID // that samples used
	names      map[MethodID]string
	unnamed    int // of methods: their names have not come
	packages   map[string]model.CollectorID
	more       model.CollectorID // of all methods beyond the limit, 0 while there are none
	nextColl   model.CollectorID
	paths      map[pathKey]model.PathID
	nextPath   model.PathID
	nextSeries model.SeriesID
	refused    int64 // things beyond a limit, since the last report
	told       bool  // with words
	disorder   int64
	leftover   int64 // since the last report
	damaged    int64 // since the last report
}

type pathKey struct {
	parent    model.PathID
	collector model.CollectorID
}

// thread is the mapper's state of a thread.
type thread struct {
	track    model.TrackID
	name     string
	depth    int        // for which there is room
	open     []openSpan // of the newest sample, the outermost first
	newest   []MethodID
	done     []model.Span
	samples  []model.Sample
	beganNs  int64 // session times of the first and the last sample
	lastNs   int64
	any      bool
	cpu      model.SeriesID // the clock
	load     model.SeriesID
	stack    model.SeriesID
	clock    int64 // CPU ns at the last change
	changeNs int64 // session time of that change
}

type openSpan struct {
	path      model.PathID
	collector model.CollectorID
	begin     int64 // ns, of the unpublished part
	continues bool
}

// rootCollector is the root of the static hierarchy.
const rootCollector model.CollectorID = 0

// NewMapper returns a mapper that writes to a sink. zeroMs is the wall clock, Unix epoch ms, that
// becomes session time 0; 0 means that of the first sample.
func NewMapper(sink feed.Sink, info model.Info, zeroMs int64) *Mapper {
	m := &Mapper{
		sink: sink, room: feed.NamesOf(sink), info: info, zeroMs: zeroMs, started: zeroMs != 0,
		threads: map[int64]*thread{}, collectors: map[string]model.CollectorID{},
		methods: map[MethodID]model.CollectorID{}, names: map[MethodID]string{},
		packages: map[string]model.CollectorID{},
		paths:    map[pathKey]model.PathID{}, nextColl: 1, nextPath: 1,
	}
	m.info.Source = "flare"
	sink.Define(model.CollectorDef{ID: rootCollector, Name: "All", Sort: -1})
	sink.Define(m.info)
	return m
}

// Info takes the configured sampling interval in ms; 0 is unknown. It is the least distance of samples, and the
// precision of ends of spans until distances are measured.
func (m *Mapper) Info(intervalMs int64) {
	if intervalMs <= 0 || intervalMs > maxIntervalMs || intervalMs*1e6 == m.info.Sampling.AskedNs {
		return
	}
	m.info.Sampling.AskedNs = intervalMs * 1e6
	m.tellSpacing()
}

// Tick notes the time of a sample, Unix epoch ms. Sample does it for samples in order of time; a caller that
// passes one thread after another calls Tick for all times before.
func (m *Mapper) Tick(ms int64) { m.space.at(ms) }

// tellSpacing defines the spacing of samples, which is the precision of times.
func (m *Mapper) tellSpacing() {
	m.space.measured(&m.info.Sampling)
	step := m.info.Sampling.MedianNs
	if step == 0 {
		step = m.info.Sampling.AskedNs
	}
	m.info.Clock = model.Clock{StepNs: step}
	m.sink.Define(m.info)
}

// Method takes a method's name. One that comes after samples that use it names them, too.
func (m *Mapper) Method(id MethodID, name string) {
	old, known := m.names[id]
	if known && old == name {
		return
	}
	bytes := int64(len(name) - len(old))
	if !known {
		bytes += methodBytes
	}
	if len(m.names) >= maxMethods && !known || !m.room.Take(bytes) {
		m.refused++
		return
	}
	m.names[id] = name
	if _, used := m.methods[id]; used && !known {
		m.unnamed--
	}
	if c, used := m.methods[id]; used && !known {
		// Its samples so far are those of a number: that collector gets the name.
		if _, taken := m.collectors[name]; !taken {
			m.collectors[name] = c
		}
		m.sink.Define(m.definition(c, name))
	}
}

// Unnamed returns the number of methods in samples without a name so far.
func (m *Mapper) Unnamed() int { return m.unnamed }

// collector returns the collector of a full name, a new one if need be.
func (m *Mapper) collector(name string) model.CollectorID {
	if c, ok := m.collectors[name]; ok {
		return c
	}
	if m.nextColl >= maxCollectors || !m.room.Admit(model.CollectorDef{Name: name[:min(len(name), maxNameBytes)]}) {
		m.refused++
		return m.collectorLimit()
	}
	def := m.definition(m.nextColl, name)
	def.ID = m.nextColl // a package may have taken the number
	m.nextColl++
	m.collectors[name] = def.ID
	m.sink.Define(def)
	return def.ID
}

// collectorLimit stands for all methods beyond the limit.
func (m *Mapper) collectorLimit() model.CollectorID {
	if m.more == 0 {
		m.more = maxCollectors
		m.sink.Define(model.CollectorDef{ID: m.more, Name: feed.MoreNames, Parent: rootCollector, Sort: -1})
	}
	return m.more
}

// definition describes the collector of a method: "Checkout$Worker.run()" below the package
// "com.acme.shop". It may define the package.
func (m *Mapper) definition(id model.CollectorID, name string) model.CollectorDef {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if len(name) > maxNameBytes {
		name = strings.ToValidUTF8(name[:maxNameBytes], "") + "…"
	}
	def := model.CollectorDef{ID: id, Name: name, Parent: rootCollector, Sort: -1}
	head, _, _ := strings.Cut(name, "(")
	// The package is what stands before the last dot but one: com.acme.shop | Checkout$Worker.run(). A
	// hidden class has a suffix after its own name: pkg.Outer$$Lambda$3.0x00007f86a0001800.run().
	if at := strings.LastIndexByte(head, '.'); at > 0 {
		class := head[:at]
		if lambda := strings.LastIndexByte(class, '.'); lambda > 0 && strings.HasPrefix(class[lambda+1:], "0x") {
			class = class[:lambda]
		}
		if dot := strings.LastIndexByte(class, '.'); dot > 0 {
			def.Parent = m.pkg(class[:dot])
			def.Name = name[dot+1:]
		}
	}
	return def
}

// pkg returns the collector of a package.
func (m *Mapper) pkg(name string) model.CollectorID {
	if c, ok := m.packages[name]; ok {
		return c
	}
	if m.nextColl >= maxCollectors || !m.room.Admit(model.CollectorDef{Name: name}) {
		return rootCollector
	}
	// The id that a definition in the making has is the next one: the package takes the one after, so
	// that ids stay dense.
	c := m.nextColl
	m.nextColl++
	m.packages[name] = c
	m.sink.Define(model.CollectorDef{ID: c, Name: name, Parent: rootCollector, Sort: -1})
	return c
}

// method returns the collector of a method; its number stands for a name that never came.
func (m *Mapper) method(id MethodID) model.CollectorID {
	c, ok := m.methods[id]
	if !ok {
		name, known := m.names[id]
		if !known {
			name = strconv.FormatInt(int64(id), 10)
		}
		if c = m.collector(name); c == m.more || !m.room.Take(methodBytes) {
			return c
		}
		m.methods[id] = c
		if !known {
			m.unnamed++
		}
	}
	return c
}

func (m *Mapper) path(parent model.PathID, c model.CollectorID) model.PathID {
	k := pathKey{parent, c}
	p, ok := m.paths[k]
	if ok {
		return p
	}
	d := model.PathDef{ID: m.nextPath, Parent: parent, Collector: c}
	if outermost := parent == model.PathRoot; !outermost || c != m.more || c == 0 {
		if m.nextPath >= maxPaths || !m.room.Admit(d) {
			m.refused++
			if outermost {
				return m.path(model.PathRoot, m.collectorLimit())
			}
			return parent
		}
	}
	m.nextPath++
	m.paths[k] = d.ID
	m.sink.Define(d)
	return d.ID
}

// ns is a wall clock in ms as session time.
func (m *Mapper) ns(ms int64) int64 {
	d := ms - m.zeroMs
	const most = int64(1) << 41 // 70 years
	return min(max(d, -most), most) * 1e6
}

// thread returns the state of a thread, nil when there are too many.
func (m *Mapper) thread(id int64, name string) *thread {
	t := m.threads[id]
	if len(name) > maxNameBytes {
		name = strings.Clone(name[:maxNameBytes])
	}
	if t != nil && (name == "" || name == t.name) {
		return t
	}
	if t == nil {
		if m.tracks >= maxTracks || m.tracks >= feed.SureThreads && !m.room.Take(threadBytes) {
			m.refused++
			return nil
		}
		t = &thread{track: m.tracks, load: m.nextSeries, cpu: m.nextSeries + 1, stack: m.nextSeries + 2}
		m.tracks++
		m.nextSeries += 3
		m.threads[id] = t
	}
	t.name = name
	label := strings.ToValidUTF8(name, "\uFFFD")
	if label == "" {
		label = "Thread " + strconv.FormatInt(id, 10)
	}
	m.sink.Define(model.TrackDef{ID: t.track, Name: label, Kind: model.TrackThread, Index: int(id)})
	series := func(s model.SeriesDef) {
		s.Name, s.Track, s.Object, s.Peer = label, t.track, model.NoObject, model.NoObject
		m.sink.Define(s)
	}
	series(model.SeriesDef{ID: t.load, Group: "CPU load", Kind: model.SeriesValue, Role: model.RoleCPULoad, Unit: "%", Min: 0, Max: 100, HasRange: true,
		Description: "growth of the thread's CPU clock spread over the time between two readings: 100 % is one processor"})
	series(model.SeriesDef{
		ID: t.cpu, Group: "CPU time", Kind: model.SeriesCounter, Role: model.RoleCPUTime, Unit: "ns",
		Description: "CPU clock of the thread, as the agent last read it (every 200 ms or more)",
	})
	series(model.SeriesDef{
		ID: t.stack, Group: "samples", Kind: model.SeriesEvent, Role: model.RoleStack,
		Description: "samples of the thread's stack",
	})
	return t
}

// Sample takes one sample of a thread. name may be empty to keep the name that the thread has.
func (m *Mapper) Sample(id int64, name string, x Record) {
	if !m.started {
		m.zeroMs, m.started = x.TimeMs, true
	}
	m.Tick(x.TimeMs)
	t := m.thread(id, name)
	if t == nil {
		return
	}
	at := m.ns(x.TimeMs)
	if t.any && at < t.lastNs {
		m.disorder++
		at = t.lastNs
	}
	stack := x.Stack
	if len(stack) > maxDepth {
		stack = stack[len(stack)-maxDepth:] // the outermost stay
		m.refused++
	}
	if extra := len(stack) - max(t.depth, sureDepth); extra > 0 {
		if m.room.Take(int64(extra) * depthBytes) {
			t.depth = len(stack)
		} else {
			stack = stack[extra:]
			m.refused++
		}
	}
	// Calls shared with the sample before continue; its other calls end here.
	shared, parent := 0, model.PathRoot
	if t.any && slices.Equal(stack, t.newest) {
		if shared = len(t.open); shared > 0 {
			parent = t.open[shared-1].path
		}
	}
	t.newest = append(t.newest[:0], stack...)
	for shared < len(t.open) && shared < len(stack) && t.open[shared].collector == m.method(stack[len(stack)-1-shared]) {
		parent = t.open[shared].path
		shared++
	}
	m.end(t, shared, at)
	for k := shared; k < len(stack); k++ {
		c := m.method(stack[len(stack)-1-k])
		parent = m.path(parent, c)
		t.open = append(t.open, openSpan{path: parent, collector: c, begin: at})
	}
	t.samples = append(t.samples, model.Sample{Series: t.stack, Time: at, Value: float64(parent)}, model.Sample{
		Series: t.cpu, Time: at, Value: float64(x.CPUNs),
	})
	switch {
	case !t.any:
		t.clock, t.changeNs, t.beganNs = x.CPUNs, at, at
	case x.CPUNs < t.clock: // another clock
		t.endLoad()
		t.clock, t.changeNs = x.CPUNs, at
	case x.CPUNs > t.clock && at > t.changeNs: // growth within one and the same ms is left to the next reading
		t.samples = append(t.samples, model.Sample{
			Series: t.load, Time: t.changeNs, Value: 100 * float64(x.CPUNs-t.clock) / float64(at-t.changeNs),
		})
		t.clock, t.changeNs = x.CPUNs, at
	}
	t.lastNs, t.any = at, true
	if len(t.done) >= flushSpans || len(t.samples) >= 4*flushSpans {
		m.publish(t, false)
	}
}

// endLoad ends the load of a thread at its last reading: since its clock changed it did not grow.
func (t *thread) endLoad() {
	if t.lastNs == t.beganNs {
		return // one reading gives no load
	}
	if t.changeNs < t.lastNs {
		t.samples = append(t.samples, model.Sample{Series: t.load, Time: t.changeNs})
	}
	t.samples = append(t.samples, model.Sample{Series: t.load, Time: t.lastNs, Value: math.NaN()})
}

// end closes the spans of a thread from a depth on.
func (m *Mapper) end(t *thread, depth int, at int64) {
	for k := len(t.open) - 1; k >= depth; k-- {
		o := t.open[k]
		if at > o.begin {
			s := model.Span{Begin: o.begin, End: at, Path: o.path, Lane: uint16(k), Flags: model.SpanUncertain}
			if o.continues {
				s.Flags |= model.SpanContinues
			}
			t.done = append(t.done, s)
		}
	}
	t.open = t.open[:min(depth, len(t.open))]
}

// Leftover counts samples of an earlier recording, which are left out.
func (m *Mapper) Leftover(n int64) { m.leftover += n }

// Damaged counts samples with times far from all others, which are left out.
func (m *Mapper) Damaged(n int64) { m.damaged += n }

// Flush publishes the data of every thread. Spans that are still open are published up to the thread's newest
// sample, and go on later.
func (m *Mapper) Flush() {
	for _, t := range m.inOrder() {
		m.publish(t, false)
	}
	if m.space.news() {
		m.tellSpacing()
	}
	m.tellRefused()
}

// tellRefused reports the counts of samples left out and beyond a limit. The first report of each has a text.
func (m *Mapper) tellRefused() {
	if m.leftover > 0 {
		m.sink.Define(model.Loss{
			Reason: model.LossLeftover, Track: model.NoTrack, N: m.leftover,
			Detail: "the agent still had samples from before it was started: they are left out",
		})
		m.leftover = 0
	}
	if m.damaged > 0 {
		m.sink.Define(model.Loss{
			Reason: model.LossMalformed, Track: model.NoTrack, N: m.damaged,
			Detail: "samples more than an hour away from all others: their times are damaged, they are left out",
		})
		m.damaged = 0
	}
	if m.refused == 0 {
		return
	}
	l := model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: m.refused}
	if !m.told {
		l.Detail = "more methods, threads or callers than a session takes: more methods are shown as \"" +
			feed.MoreNames + "\""
	}
	m.refused, m.told = 0, true
	m.sink.Define(l)
}

func (m *Mapper) inOrder() []*thread {
	out := make([]*thread, len(m.threads))
	for _, t := range m.threads {
		out[t.track] = t
	}
	return out
}

func (m *Mapper) publish(t *thread, last bool) bool {
	if last {
		m.end(t, 0, t.lastNs)
	} else {
		for k := range t.open {
			o := &t.open[k]
			if t.lastNs == o.begin {
				continue
			}
			s := model.Span{
				Begin: o.begin, End: t.lastNs, Path: o.path, Lane: uint16(k),
				Flags: model.SpanUncertain | model.SpanOpenEnd,
			}
			if o.continues {
				s.Flags |= model.SpanContinues
			}
			t.done = append(t.done, s)
			o.begin, o.continues = t.lastNs, true
		}
	}
	if len(t.done) == 0 && len(t.samples) == 0 {
		return true
	}
	b := m.sink.Begin()
	b.Track = t.track
	b.Begin, b.End = t.lastNs, t.lastNs
	b.Spans = append(b.Spans, t.done...)
	sortSpans(b.Spans)
	if len(b.Spans) > 0 {
		b.Begin = b.Spans[0].Begin
	}
	b.Samples = append(b.Samples, t.samples...)
	t.done, t.samples = t.done[:0], t.samples[:0]
	return m.sink.Publish(b)
}

// Close publishes the rest and ends the session.
func (m *Mapper) Close(reason string) {
	for _, t := range m.inOrder() {
		t.endLoad()
		m.publish(t, true)
	}
	if m.space.n > m.space.told {
		m.tellSpacing()
	}
	m.tellRefused()
	if m.disorder > 0 {
		m.sink.Define(model.Loss{
			Reason: model.LossLate, Track: model.NoTrack, N: m.disorder,
			Detail: "samples came after later ones of their thread",
		})
	}
	m.sink.Define(model.End{Reason: reason})
	m.room.Close()
	*m = Mapper{sink: m.sink} // names of the closed session are useless now
}
