package gotrace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// Limits of the decoder's memory.
const (
	maxPending = 1 << 20 // things that wait for being published: the first of a trace order its tracks together,
	nextBatch  = 1 << 16 // those that follow are published by fewer, which caches hold
	maxText    = 4 << 10 // bytes of a name or a message
	mostTime   = model.MaxTime / 2

	emptyCredit = 16 // frames without regions that each event may cause
)

// decoder turns events into the model. Times in it are the session's, ns.
type decoder struct {
	sink  feed.Sink
	room  *feed.Names
	names *trace.Table
	info  model.Info
	opt   Options
	live  bool // events are published at the end of each generation
	fresh bool // something came since then

	started bool
	shift   int64         // is added to the times of a trace
	begin   int64         // of the trace that is being read
	now     int64         // its newest event
	sync    int64         // when the newest generation began
	flushed int64         // everything before is published
	first   exptrace.Time // of the trace, by its own clock
	version int           // of its format
	any     bool          // something has happened in it
	gap     string        // the damage before this part of the same trace
	read    int           // traces

	// arrived is the time since the reading began, where traces come while they are made; nil: they
	// don't.
	arrived func() int64

	gs      map[exptrace.GoID]*goroutine
	order   []*goroutine // all of gs, as they appeared
	main    *goroutine   // that is looked at first; nil: none is known
	minor   int          // short-lived ones that have tracks
	procs   map[exptrace.ProcID]*proc
	tasks   map[exptrace.TaskID]task
	ranges  map[rangeKey]begun // that go on
	rows    []*rows            // procs, kinds of tasks, collection of garbage, in the order of their making
	rowsOf  map[string]*rows
	tracing *rows // of goroutines that run for the tracing alone; nil: there were none
	sharing int   // functions whose goroutines share a track
	rounds  bool  // traces come one after another
	pending int
	flushAt int // so many are published; 0: maxPending are

	words    words
	metrics  map[string]model.SeriesID
	series   model.SeriesID // the next
	samples  []model.Sample // of metrics, that wait
	flows    map[string]model.FlowID
	frames   framing
	lines    *trace.StackWriter
	bad      trace.Diagnostics
	labels   int // that are not shown,
	stacks   int // and samples of stacks
	tracks   int // of goroutines
	keys     int // of tracks of goroutines, ever
	scratch  []model.Sample
	arrows   []model.Flow
	canceled bool
	clocks   *exptrace.ClockSnapshot // at the last sync, nil: none
}

func newDecoder(sink feed.Sink, opt Options, info model.Info) *decoder {
	d := &decoder{
		sink: sink, room: feed.NamesOf(sink), info: info, opt: opt, gs: map[exptrace.GoID]*goroutine{},
		procs: map[exptrace.ProcID]*proc{}, tasks: map[exptrace.TaskID]task{}, ranges: map[rangeKey]begun{},
		rowsOf: map[string]*rows{}, metrics: map[string]model.SeriesID{}, flows: map[string]model.FlowID{},
		flushed: math.MinInt64,
	}
	d.info.Source, d.info.PID = Kind, -1
	d.info.Version = cmp.Or(d.info.Version, "Go execution trace")
	d.words = newWords()
	sink.Define(d.info)
	d.names = trace.NewTable(sink, d.room, "All regions")
	d.frames.choose(opt.Frames)
	d.frames.bad = &d.bad
	d.lines = trace.NewStackWriter(d.names, &d.bad)
	return d
}

// traces reads all traces of a stream, one behind the other, to their ends. Damage is reported in the session, so
// the error is that of r, or of a stream without any event.
func (d *decoder) traces(r io.Reader) error {
	p := &parts{r: r, wait: d.wait}
	var broken error
	for p.next() {
		err := d.trace(p)
		if !d.canceled {
			io.Copy(io.Discard, p) //nolint:errcheck // stopped has it
		}
		stopped := p.stopped()
		switch {
		case d.canceled:
			return feed.ErrCancelled
		case errors.Is(stopped, context.Canceled) || errors.Is(stopped, feed.ErrCancelled):
			return stopped
		case err != nil:
			d.bad.Explain(trace.Gap, p.at, "%v", err)
			broken = cmp.Or(broken, err)
		default:
			d.read++
		}
	}
	if d.read > 0 {
		return nil
	}
	return cmp.Or(broken, errNoEvents)
}

// trace reads one trace to its end. Its error is that of one without any event.
func (d *decoder) trace(p *parts) error {
	d.rounds = d.rounds || d.opt.Rounds || d.read > 0 && d.gap == ""
	m := meter{room: d.room}
	defer m.done()
	e, v, err := newEvents(p, &m)
	if err != nil {
		return cmp.Or(m.err, err)
	}
	d.any = false
	gap := ""
	syncs := uint64(0) // generations that have begun
	for begun := false; !d.canceled; begun = true {
		ev, wrong := nextEvent(e)
		if errors.Is(wrong, io.EOF) {
			break
		}
		if err = wrong; err != nil {
			break
		}
		if !begun {
			d.first, d.version = ev.Time(), v
		}
		if ev.Kind() == exptrace.EventSync {
			syncs++
		}
		if err = d.guarded(&ev); err != nil {
			break
		}
		if d.pending >= cmp.Or(d.flushAt, maxPending) {
			d.flush(false)
		}
	}
	at := p.at
	if err != nil {
		if err = cmp.Or(m.err, err); v >= firstParted && !d.canceled {
			p.resume(m.recent, m.first+max(syncs, 1)-1)
		}
	}
	switch {
	case !d.any && err != nil:
		return fmt.Errorf("%w; %w", errNoEvents, err)
	case !d.any:
		return errNoEvents
	case p.more && err != nil:
		gap = fmt.Sprintf("byte %d: a generation of the trace is damaged, and is left out: %v", at, err)
	case err != nil && !d.canceled:
		d.bad.Explain(trace.Cut, at, "after %.3f s, %v", float64(d.now-d.begin)/1e9, err)
	}
	d.endTrace()
	d.flush(true)
	d.gap = gap
	return nil
}

// wait publishes what came before more is read, as nobody knows when more comes.
func (d *decoder) wait() {
	if d.live && d.any && d.fresh {
		d.flush(false)
	}
}

// firstOfV2 is the first format with times of the machine's clock.
const firstOfV2 = 22

// start begins a trace with the time of its first event, when it is known that there are others. Those of
// one machine have one clock since the second form of the format; else a trace begins when it came, or in
// a file where the one before ended.
func (d *decoder) start() {
	t, again, at := d.first, d.started, d.now
	if again && d.arrived != nil {
		at = max(at, d.arrived())
	}
	back := again && d.version >= firstOfV2 && d.time(t) < d.now
	if !again || d.version < firstOfV2 || back {
		d.shift = at - clamp(int64(t))
	}
	d.findDayTime()
	d.started = true
	d.begin = max(d.time(t), d.flushed)
	switch {
	case back:
		d.sink.Define(model.Warning{Text: "A trace began before the one in front of it had ended: it is shown behind that."})
	case again:
		lost := model.Loss{
			Reason: model.LossBetween, Track: model.NoTrack, N: 1, Begin: d.now, End: d.begin,
			Detail: "between two traces nothing was recorded",
		}
		if d.gap != "" {
			lost.Reason, lost.Detail = model.LossDamaged, d.gap
		}
		d.sink.Define(lost)
	}
	d.now, d.sync = d.begin, d.begin
	d.info.Version = fmt.Sprintf("Go execution trace, format of Go 1.%d", d.version)
	d.sink.Define(d.info)
}

// clamp keeps a time so small that the difference of two is one that may be stored.
func clamp(ns int64) int64 { return min(max(ns, -mostTime/2), mostTime/2) }

// time returns a time of the trace as one of the session.
func (d *decoder) time(t exptrace.Time) int64 { return clamp(clamp(int64(t)) + d.shift) }

// guarded takes an event. The reader hands out handles into its tables, so that an event may be found
// broken only when it is looked at.
func (d *decoder) guarded(ev *exptrace.Event) (err error) {
	defer recovered(&err)
	d.take(ev)
	return nil
}

// findDayTime takes the time of day from the first clocks that show it.
func (d *decoder) findDayTime() {
	if c := d.clocks; c != nil && d.info.ZeroAt.UnixNs == 0 {
		d.info.ZeroAt.UnixNs = c.Wall.UnixNano() - d.time(c.Trace)
		d.info.Monotonic = int64(c.Mono) - d.time(c.Trace)
		d.sink.Define(d.info)
	}
}

func (d *decoder) take(ev *exptrace.Event) {
	kind := ev.Kind()
	if kind != exptrace.EventSync && !d.any {
		d.start()
		d.any = true
	}
	if d.any {
		d.now = max(d.now, d.time(ev.Time()))
	}
	if kind == exptrace.EventSync {
		d.sync = d.now
		if d.clocks = ev.Sync().ClockSnapshot; d.any {
			d.findDayTime()
		}
		if d.live && d.any {
			d.flush(false)
		}
		return
	}
	d.pending++
	d.fresh = true
	d.frames.all.Credit += emptyCredit
	switch kind {
	case exptrace.EventStateTransition:
		d.transition(ev)
	case exptrace.EventRegionBegin, exptrace.EventRegionEnd:
		d.region(ev, kind == exptrace.EventRegionBegin)
	case exptrace.EventTaskBegin:
		d.taskBegin(ev)
	case exptrace.EventTaskEnd:
		d.taskEnd(ev)
	case exptrace.EventRangeBegin, exptrace.EventRangeActive, exptrace.EventRangeEnd:
		d.inRange(ev, kind)
	case exptrace.EventMetric:
		d.metric(ev)
	case exptrace.EventLog:
		d.log(ev)
	case exptrace.EventLabel:
		d.labels++
	case exptrace.EventStackSample:
		d.stacks++
	default:
		d.bad.Bad(trace.BadEvent, trace.Unknown)
	}
}

// transition takes a change of the state of a goroutine or of a P.
func (d *decoder) transition(ev *exptrace.Event) {
	st := ev.StateTransition()
	switch st.Resource.Kind {
	case exptrace.ResourceGoroutine:
		from, to := st.Goroutine()
		g := d.goroutineOf(st.Resource.Goroutine())
		g.learn(st.Stack)
		g.seen = d.now
		if from == to {
			return
		}
		d.rouse(g, from, to, ev.Goroutine())
		at := d.now
		if from == exptrace.GoUndetermined {
			at = d.sync
		}
		d.state(g, max(at, g.since), to, st.Reason, ev.Proc())
	case exptrace.ResourceProc:
		from, to := st.Proc()
		if from != to && to != exptrace.ProcRunning {
			d.onProc(st.Resource.Proc(), nil, d.now)
		}
	}
}

// region takes the begin or the end of a region.
func (d *decoder) region(ev *exptrace.Event, begins bool) {
	g := d.goroutineOf(ev.Goroutine())
	g.learn(ev.Stack())
	if g.inAssist() { // it can't begin or end within one
		d.assistEnd(g)
	}
	r := ev.Region()
	c := d.collector(r.Type)
	if begins {
		g.regions++
		kind := opens
		if isTask(r.Task) {
			kind = opensInTask
			g.tasks = append(g.tasks, d.taskTitle(r.Task))
		}
		d.frames.begin(g, r.Type, d.now)
		g.marks = append(g.marks, mark{d.now, c, kind})
		g.depth++
		return
	}
	if g.depth == 0 {
		d.orphan(g, r.Type, c)
		return
	}
	d.frames.end(g, g.depth, d.now, false)
	g.depth--
	g.marks = append(g.marks, mark{d.now, c, closes})
}

// orphan takes the end of a region that began before the trace: it goes on from the trace's begin, and
// all that came since lies in it.
func (d *decoder) orphan(g *goroutine, name string, c model.CollectorID) {
	if d.flushed > d.begin {
		d.bad.Bad(trace.UnmatchedEnd, trace.Unknown)
		return
	}
	g.regions++
	g.marks = append([]mark{{d.begin, c, openedBefore}}, g.marks...)
	g.marks = append(g.marks, mark{d.now, c, closes})
	d.frames.before(g, name, d.begin, d.now)
}

// log takes a message.
func (d *decoder) log(ev *exptrace.Event) {
	l := ev.Log()
	g := d.goroutineOf(ev.Goroutine())
	g.learn(ev.Stack())
	m := model.Message{Time: d.now, Text: cutText(l.Message), Category: cutText(l.Category)}
	if _, ok := d.tasks[l.Task]; ok {
		m.Object = d.taskTitle(l.Task)
	}
	g.notes = append(g.notes, m)
}

// cutText returns a text of the trace as it is shown: lines become one.
func cutText(s string) string {
	if len(s) > maxText {
		s = s[:maxText] + "…"
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\n", "↵")
}

// endTrace ends everything open at the end of a trace: nothing is known from there on.
func (d *decoder) endTrace() {
	for _, g := range d.order {
		if g.ended {
			continue
		}
		g.ended = g.seen < d.begin // a trace says of each that exists
		d.leave(g, d.now, false)
		g.changes = append(g.changes, change{d.now, unknown, noProc})
		g.state, g.roused = unknown, roused{}
		if g.depth > 0 {
			g.marks = append(g.marks, mark{d.now, trace.Other, closesAll})
			d.frames.end(g, 1, d.now, true)
			g.depth, g.assist = 0, 0
		}
	}
	d.endTasks()
	d.endRanges()
	for _, p := range d.procs {
		if p.now != nil {
			p.now.end = max(d.now, p.now.begin)
		}
	}
	clear(d.procs)
}

// close reports what was wrong or is not shown, and ends the reading.
func (d *decoder) close() {
	d.names.Report()
	d.bad.Define(d.sink.Define, d.room)
	for _, x := range []struct {
		n    int
		what string
	}{{d.stacks, "samples of stacks"}, {d.labels, "labels"}} {
		if x.n > 0 {
			trace.Warn(d.sink, "Not shown: %d %s.", x.n, x.what)
		}
	}
	f := &d.frames
	if name, ok := d.opt.Frames.Named(); ok && len(f.all.List) == 0 {
		d.sink.Define(trace.NoFrames("region and no task", name))
	}
	if f.overlap > 0 {
		trace.Warn(d.sink, "%d tasks that would be frames began while another went on: these are shown, but are no frames.",
			f.overlap)
	}
}
