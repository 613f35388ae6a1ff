// Package flare shows what the Flare JVM profiler records: sample folders, live agents, and the
// WebSocket API of its server. Source: FORMAT.md.
package flare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of a session.
const (
	maxTracks     = 1 << 14
	maxMethods    = 1 << 20
	maxNameBytes  = 512
	maxIntervalMs = 1 << 30
)

// Approximate memory costs in bytes, besides texts and definitions in the session.
const (
	methodBytes = 64      // by a name, or by the collector of a number
	threadBytes = 8 << 10 // by a thread: its track and three series
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
	space   trace.Spacing // of the samples of all threads
	spaced  int64         // of these distances, at the last report
	newest  int64         // time of a sample, ms

	threads  map[int64]*thread
	tracks   model.TrackID
	named    map[string]model.CollectorID   // by full name, where it came after their samples
	methods  map[MethodID]model.CollectorID // that samples used
	names    map[MethodID]string
	unnamed  int // of methods: their names have not come
	table    *trace.Table
	out      *trace.StackWriter
	bad      trace.Diagnostics
	leftover int64 // since the last report
}

// thread is the mapper's state of a thread.
type thread struct {
	track    model.TrackID
	name     string
	out      *trace.StackThread
	newest   []MethodID
	paths    []model.PathID // of these, the outermost first
	beganNs  int64          // session times of the first and the last sample
	lastNs   int64
	any      bool
	cpu      model.SeriesDef // the clock
	load     model.SeriesDef
	clock    int64 // CPU ns at the last change
	changeNs int64 // session time of that change
}

// NewMapper returns a mapper that writes to a sink. zeroMs is the wall clock, Unix epoch ms, that
// becomes session time 0; 0 means that of the first sample.
func NewMapper(sink feed.Sink, info model.Info, zeroMs int64) *Mapper {
	m := &Mapper{
		sink: sink, room: feed.NamesOf(sink), info: info, zeroMs: zeroMs, started: zeroMs != 0,
		threads: map[int64]*thread{}, named: map[string]model.CollectorID{},
		methods: map[MethodID]model.CollectorID{}, names: map[MethodID]string{},
	}
	m.info.Source = "flare"
	m.info.ZeroAt = model.DayTime{UnixNs: zeroMs * 1e6, StepNs: 1e6}
	m.table = trace.NewTable(sink, m.room, "All")
	m.out = trace.NewStackWriter(m.table, &m.bad)
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
	m.reportSpacing()
}

// Tick notes the time of a sample, Unix epoch ms. Sample does it for samples in order of time; a caller that
// passes one thread after another calls Tick for all times before.
func (m *Mapper) Tick(ms int64) {
	if d := ms - m.newest; d > 0 {
		if m.newest != 0 {
			m.space.Add(min(d, 1<<41) * 1e6) // 70 years
		}
		m.newest = ms
	}
}

// reportSpacing defines the spacing of samples, which is the precision of times.
func (m *Mapper) reportSpacing() {
	m.spaced = m.space.N()
	m.space.Measured(&m.info.Sampling)
	m.info.Clock = model.Clock{StepNs: cmp.Or(m.info.Sampling.MedianNs, m.info.Sampling.AskedNs)}
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
		m.bad.Bad(trace.ManyNames, trace.Unknown)
		return
	}
	m.names[id] = name
	if _, used := m.methods[id]; used && !known {
		m.unnamed--
	}
	if c, used := m.methods[id]; used && !known {
		// Its samples so far are those of a number: that collector gets the name.
		if _, taken := m.named[name]; !taken {
			m.named[name] = c
		}
		def := m.definition(name)
		def.ID = c
		m.sink.Define(def)
	}
}

// Unnamed returns the number of methods in samples without a name so far.
func (m *Mapper) Unnamed() int { return m.unnamed }

// collector returns the collector of a full name, a new one if need be.
func (m *Mapper) collector(name string) model.CollectorID {
	if c, ok := m.named[name]; ok {
		return c
	}
	return m.table.Keyed([]byte(name), func() model.CollectorDef { return m.definition(name) })
}

// definition describes the collector of a method: "Checkout$Worker.run()" below the package
// "com.acme.shop". It may define the package.
func (m *Mapper) definition(name string) model.CollectorDef {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if len(name) > maxNameBytes {
		name = strings.ToValidUTF8(name[:maxNameBytes], "") + "…"
	}
	def := model.CollectorDef{Name: name, Sort: -1}
	if pkg, inside := SplitName(name); pkg != "" {
		def.Name, def.Parent = inside, m.table.Group([]byte(pkg), func() string { return pkg })
	}
	return def
}

// SplitName returns the package of a method, which is what stands before the last dot but one, and the rest:
// com.acme.shop, Checkout$Worker.run(). A hidden class has an address after its own name:
// pkg.Outer$$Lambda$3.0x00007f86a0001800.run().
func SplitName(name string) (pkg, inside string) {
	head, _, _ := strings.Cut(name, "(")
	class := head[:max(0, strings.LastIndexByte(head, '.'))]
	if hidden := strings.LastIndexByte(class, '.'); hidden > 0 && strings.HasPrefix(class[hidden+1:], "0x") {
		class = class[:hidden]
	}
	if dot := strings.LastIndexByte(class, '.'); dot > 0 {
		return class[:dot], name[dot+1:]
	}
	return "", name
}

// method returns the collector of a method; its number stands for a name that never came.
func (m *Mapper) method(id MethodID) model.CollectorID {
	c, ok := m.methods[id]
	if !ok {
		name, known := m.names[id]
		if !known {
			name = strconv.FormatInt(int64(id), 10)
		}
		if c = m.collector(name); c == trace.Other || !m.room.Take(methodBytes) {
			return c
		}
		m.methods[id] = c
		if !known {
			m.unnamed++
		}
	}
	return c
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
			m.bad.Bad(trace.ManyThreads, trace.Unknown)
			return nil
		}
		t = &thread{track: m.tracks}
		m.tracks++
		m.threads[id] = t
	}
	t.name = name
	label := cmp.Or(strings.ToValidUTF8(name, "\uFFFD"), "Thread "+strconv.FormatInt(id, 10))
	m.sink.Define(model.TrackDef{ID: t.track, Name: label, Kind: model.TrackThread, Index: int(id)})
	m.defineSeries(t, label)
	return t
}

// defineSeries defines the series of a thread, or their new names.
func (m *Mapper) defineSeries(t *thread, label string) {
	if t.out != nil {
		t.out.Rename(label)
		for _, def := range []*model.SeriesDef{&t.load, &t.cpu} {
			def.Name = label
			m.sink.Define(*def)
		}
		return
	}
	t.out = m.out.Thread(t.track, label)
	t.load = model.SeriesDef{
		Name: label, Group: "CPU load", Kind: model.SeriesValue, Role: model.RoleCPULoad, Unit: "%", Max: 100, HasRange: true,
		Track: t.track, Object: model.NoObject, Peer: model.NoObject,
		Description: "growth of the thread's CPU clock spread over the time between two readings: 100 % is one processor",
	}
	t.cpu = model.SeriesDef{
		Name: label, Group: "CPU time", Kind: model.SeriesCounter, Role: model.RoleCPUTime, Unit: "ns",
		Track: t.track, Object: model.NoObject, Peer: model.NoObject,
		Description: "CPU clock of the thread, as the agent last read it (every 200 ms or more)",
	}
	t.load.ID, t.cpu.ID = t.out.Series(t.load), t.out.Series(t.cpu)
}

// Sample takes one sample of a thread. name may be empty to keep the name that the thread has.
func (m *Mapper) Sample(id int64, name string, x Record) {
	if !m.started {
		m.zeroMs, m.started = x.TimeMs, true
		m.info.ZeroAt = model.DayTime{UnixNs: x.TimeMs * 1e6, StepNs: 1e6}
		m.sink.Define(m.info)
	}
	m.Tick(x.TimeMs)
	t := m.thread(id, name)
	if t == nil {
		return
	}
	at := m.ns(x.TimeMs)
	if t.any && at < t.lastNs {
		m.bad.Bad(trace.LateEvent, trace.Unknown)
		at = t.lastNs
	}
	t.out.Sample(at, m.stack(t, x.Stack))
	t.value(&t.cpu, at, float64(x.CPUNs))
	switch {
	case !t.any:
		t.clock, t.changeNs, t.beganNs = x.CPUNs, at, at
	case x.CPUNs < t.clock: // another clock
		t.endLoad()
		t.clock, t.changeNs = x.CPUNs, at
	case x.CPUNs > t.clock && at > t.changeNs: // growth within one and the same ms is left to the next reading
		t.value(&t.load, t.changeNs, 100*float64(x.CPUNs-t.clock)/float64(at-t.changeNs))
		t.clock, t.changeNs = x.CPUNs, at
	}
	t.lastNs, t.any = at, true
}

// stack returns the call paths of a stack, the outermost first.
func (m *Mapper) stack(t *thread, stack []MethodID) []model.PathID {
	if t.any && slices.Equal(stack, t.newest) {
		return t.paths
	}
	t.newest, t.paths = append(t.newest[:0], stack...), t.paths[:0]
	path := model.PathRoot
	for _, id := range slices.Backward(stack[max(0, len(stack)-trace.MaxDepth-1):]) { // one more is counted
		path = m.table.Path(path, m.method(id))
		t.paths = append(t.paths, path)
	}
	return t.paths
}

func (t *thread) value(def *model.SeriesDef, at int64, v float64) {
	t.out.Value(model.Sample{Series: def.ID, Time: at, Value: v})
}

// endLoad ends the load of a thread at its last reading: since its clock changed it did not grow.
func (t *thread) endLoad() {
	if t.lastNs == t.beganNs {
		return // one reading gives no load
	}
	if t.changeNs < t.lastNs {
		t.value(&t.load, t.changeNs, 0)
	}
	t.value(&t.load, t.lastNs, math.NaN())
}

// Leftover counts samples of an earlier recording, which are left out.
func (m *Mapper) Leftover(n int64) { m.leftover += n }

// Damaged counts a sample with a time far from all others, which is left out.
func (m *Mapper) Damaged() {
	m.bad.Explain(trace.BadTime, trace.Unknown, "a sample is more than an hour away from all others")
}

// Flush publishes the data of every thread. Spans that are still open are published up to the thread's newest
// sample, and go on later.
func (m *Mapper) Flush() {
	m.out.Flush()
	if m.space.N() > m.spaced+m.spaced/4 {
		m.reportSpacing()
	}
	m.report()
}

// report reports what was left out, or is beyond a limit, since the last report.
func (m *Mapper) report() {
	trace.Lose(m.sink, model.LossLeftover, m.leftover,
		"the agent still had samples from before it was started: they are left out")
	m.leftover = 0
	m.bad.BadN(trace.ManyNames, m.table.Refused, trace.Unknown)
	m.table.Refused = 0
	m.bad.Define(m.sink.Define, m.room)
}

// Close publishes the rest and ends the session.
func (m *Mapper) Close(reason string) {
	for _, t := range m.threads {
		t.endLoad()
	}
	m.out.Close()
	if m.space.N() > m.spaced {
		m.reportSpacing()
	}
	m.report()
	m.sink.Define(model.End{Reason: reason})
	m.room.Close()
	*m = Mapper{sink: m.sink} // names of the closed session are useless now
}
