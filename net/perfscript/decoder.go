package perfscript

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxTime    = int64(1) << 62
	window     = int64(1e9) // ns within which samples are put in order
	maxWaiting = 56 << 20   // bytes of samples that wait for that, and
	waitParts  = 16         // which part of the memory they may be
	maxEvents  = 64

	fewTimeless = 4       // samples without a time at most that say nothing of those with one behind them
	maxFrames   = 1 << 14 // of a stack, before it is cut to its shown length
	maxComm     = 256     // bytes of the name of a thread
)

// decoder turns samples into runs, in order of time.
type decoder struct {
	sink  feed.Sink
	room  *feed.Names
	info  model.Info
	names *trace.Table
	funcs symbols
	out   *trace.StackWriter
	lines trace.Cutter
	parse parser
	bad   trace.Diagnostics
	idles int

	threads map[threadID]*thread
	list    []*thread
	several bool // processes
	named   bool // the session, by a thread
	events  map[string]*event
	stacked *event // the event with the samples shown as runs

	now     *sample // that frames are read of, nil: none
	funcsOf []model.CollectorID
	ends    int           // wholly unknown frames, without an address, behind the stack,
	endIn   []byte        // in this library
	waiting []*sample     // in order of time
	frames  int           // of these
	free    []*sample     // that are used again
	most    int           // bytes that they may have
	samples int64         // that came
	started bool          // zero is known
	zero    int64         // ns, of the first sample
	last    int64         // of the newest that was released
	space   trace.Spacing //
	counts  *trace.Stacks // weights without times; nil: none
	weighed bool          // these have periods
	others  int64         // samples of events that are no runs
	periods bool          // samples have one that is not shown
}

// event is an event that perf counted.
type event struct {
	name  string
	point bool
	clock bool
}

// sample is one that waits.
type sample struct {
	at     int64 // -1: no time
	thread *thread
	event  *event
	period int64
	cpu    int64
	stack  []model.PathID
	text   string // of a tracepoint
}

func newDecoder(sink feed.Sink, path, program string) *decoder {
	d := &decoder{
		sink: sink, room: feed.NamesOf(sink), threads: map[threadID]*thread{}, events: map[string]*event{},
		most: int(feed.Room(maxWaiting, waitParts)), bad: trace.Diagnostics{Unit: "line"},
		info: model.Info{Source: "perfscript", Program: program, Peer: path, PID: -1, Version: "perf script"},
	}
	d.names = trace.NewTable(sink, d.room, "All")
	d.funcs.names = d.names
	d.out = trace.NewStackWriter(d.names, &d.bad)
	d.lines.Take = d.line
	d.lines.Long = func() { d.bad.Bad(trace.LongLine, d.lines.N) }
	sink.Define(d.info)
	return d
}

// line takes a line. A last line without an end is skipped where it lacks the DSO that other frames have: its name may
// be cut.
func (d *decoder) line(b []byte) {
	p := &d.parse
	if d.lines.Unended && p.open && p.placed > p.bare && len(b) > 0 && b[len(b)-1] != ')' {
		d.bad.Bad(trace.Cut, d.lines.N)
		return
	}
	switch p.read(b) {
	case emptyLine:
		d.end()
	case comment:
		if host, ok := bytes.CutPrefix(b, []byte("# hostname : ")); ok && d.info.Host == "" {
			d.info.Host = trace.Shown(string(host[:min(len(host), maxComm)]))
		}
	case sampleLine:
		d.begin(&p.h)
		if p.single {
			d.frame(&p.f)
		}
	case frameLine:
		if p.first {
			d.begin(&p.h)
		}
		d.frame(&p.f)
	case placeLine:
		d.funcs.locate(pastBlanks(b), d.sink)
	case lostLine:
		d.bad.BadN(trace.LostBySource, p.lost, d.lines.N)
	case badLine:
		d.bad.Bad(trace.BadLine, d.lines.N)
		if len(b) > 0 && b[0] == '\t' { // a frame, whatever its name was
			d.frame(&frame{})
		}
	}
}

// begin takes the header of a sample.
func (d *decoder) begin(h *header) {
	d.end()
	d.samples++
	d.funcsOf, d.ends = d.funcsOf[:0], 0
	t := d.threadOf(h)
	if t == nil {
		d.bad.Bad(trace.ManyThreads, d.lines.N)
		return
	}
	d.now = &sample{}
	if n := len(d.free); n > 0 {
		d.now, d.free = d.free[n-1], d.free[:n-1]
	}
	*d.now = sample{
		at: h.ns, thread: t, event: d.eventOf(h.event), period: h.period, cpu: h.cpu, stack: d.now.stack[:0],
	}
	if d.now.event.point && len(h.rest) > 0 {
		d.now.text = trace.Shown(string(h.rest[:min(len(h.rest), maxSymbol)]))
	}
}

// frame takes a frame. Unknown frames at address 0 are the end of the stack, unless others follow.
func (d *decoder) frame(f *frame) {
	if d.now == nil {
		return
	}
	if f.zero && string(f.symbol) == "[unknown]" {
		d.ends, d.endIn = d.ends+1, append(d.endIn[:0], f.dso...)
		return
	}
	for ; d.ends > 0; d.ends-- {
		d.push(&frame{symbol: []byte("[unknown]"), dso: d.endIn})
	}
	d.push(f)
}

func (d *decoder) push(f *frame) {
	if len(d.funcsOf) < maxFrames {
		d.funcsOf = append(d.funcsOf, d.funcs.collector(f))
	}
}

// end completes the sample after its last frame.
func (d *decoder) end() {
	s := d.now
	if d.now = nil; s == nil {
		return
	}
	p := model.PathRoot
	for _, c := range slices.Backward(d.funcsOf) {
		p = d.names.Path(p, c)
		s.stack = append(s.stack, p)
	}
	timeless := &d.info.Sampling.Timeless
	switch {
	case d.samples == 1:
		*timeless = s.at < 0
		d.reportInfo()
	case *timeless && s.at >= 0 && d.samples <= fewTimeless: // the first headers were damaged
		*timeless = false
		d.bad.BadN(trace.BadTime, d.samples-1, 1)
		d.counts, d.stacked, d.others = nil, nil, 0
		d.reportInfo()
	}
	switch {
	case *timeless:
		d.count(s, p)
	case s.at < 0:
		d.bad.Bad(trace.BadTime, d.lines.N)
	default:
		d.queue(s)
	}
}

// count counts a sample without a time. The first of all says whether they have periods.
func (d *decoder) count(s *sample, path model.PathID) {
	if d.counts == nil {
		d.stacked = s.event
		kinds := []trace.WeightKind{{Name: model.WeightSamples}}
		if d.weighed = s.period > 0; d.weighed {
			kinds = append(kinds, s.event.periods())
		}
		d.counts = trace.NewWeighted(d.room, kinds...)
	}
	if s.event != d.stacked {
		d.others++
		return
	}
	weights := []int64{1, max(s.period, 1)}
	if !d.weighed {
		d.periods = d.periods || s.period > 0
		weights = weights[:1]
	}
	if d.counts.Add(s.thread.def.ID, path, weights...) != nil {
		d.bad.Bad(trace.ManyStacks, d.lines.N)
	}
}

// queue takes a sample, to be put in order.
func (d *decoder) queue(s *sample) {
	t := s.thread
	if t.out == nil {
		t.out = d.out.Thread(t.def.ID, t.def.Name)
	}
	if !s.event.point {
		if t.arrived > 0 {
			t.space.Add(s.at - t.arrived)
		}
		t.arrived = max(t.arrived, s.at)
	}
	at := len(d.waiting)
	for at > 0 && d.waiting[at-1].at > s.at {
		at--
	}
	d.waiting = slices.Insert(d.waiting, at, s)
	d.frames += len(s.stack)
	newest := d.waiting[len(d.waiting)-1].at
	switch {
	case len(d.waiting)*int(unsafe.Sizeof(*s)+8)+d.frames*4 >= d.most:
		d.release(d.waiting[len(d.waiting)/2].at)
	case newest-d.waiting[0].at >= 2*window:
		d.release(newest - window)
	}
}

// release publishes the waiting samples, up to a time.
func (d *decoder) release(until int64) {
	n := 0
	for n < len(d.waiting) && d.waiting[n].at <= until {
		n++
	}
	if n == 0 {
		return
	}
	if !d.started {
		d.started = true
		d.zero, d.last = d.waiting[0].at, d.waiting[0].at
	}
	if d.space.N() == 0 && (d.stacked == nil || d.stacked.point) { // no runs so far: they are of the first clock
		d.stacked = d.waiting[0].event
		if i := slices.IndexFunc(d.waiting, func(s *sample) bool { return !s.event.point }); i >= 0 {
			d.stacked = d.waiting[i].event
		}
	}
	for _, s := range d.waiting[:n] {
		d.frames -= len(s.stack)
		d.play(s)
	}
	d.free = append(d.free, d.waiting[:n]...)
	d.waiting = slices.Delete(d.waiting, 0, n)
}

// play hands over a sample.
func (d *decoder) play(s *sample) {
	t, at := s.thread, s.at-d.zero
	if s.event != d.stacked || s.event.point && !d.parse.framed() {
		if len(s.stack) > 0 {
			d.others++
		}
		t.other(s, at)
		return
	}
	if !d.parse.framed() { // nothing but the name of its thread says what ran
		s.stack = append(s.stack, d.names.Path(model.PathRoot, d.names.Collector([]byte(t.comm))))
	}
	if t.released && at < t.out.Last() {
		d.bad.Bad(trace.LateEvent, trace.Unknown)
		at = t.out.Last()
	}
	d.space.Add(s.at - d.last)
	d.last = max(d.last, s.at)
	if s.event.clock && s.period > 0 && d.info.Sampling.AskedNs == 0 {
		d.info.Sampling.AskedNs = s.period
	}
	if !t.released {
		t.released = true
		if t.weighed = s.period > 0; t.weighed { // by the first one
			t.out.Weighs(s.event.periods())
		}
	} else if every := t.interval(d.info.Sampling.AskedNs); every > 0 && at-t.out.Last() > 2*every {
		t.stop(every)
	}
	t.note(s, at)
	t.out.Sample(at, s.stack)
	d.periods = d.periods || s.period > 0 && !t.weighed
	t.weigh(s, at)
}

// reportInfo publishes the description of the program and of the sampling.
func (d *decoder) reportInfo() {
	d.space.Measured(&d.info.Sampling)
	d.info.Clock.StepNs = d.info.Sampling.MedianNs
	d.info.Detail = ""
	switch {
	case d.info.Sampling.Timeless:
		d.info.Detail = "samples without times"
	case d.started:
		d.info.Detail = fmt.Sprintf("0 is %d.%06d s of the machine's clock", d.zero/1e9, d.zero%1e9/1000)
		switch {
		case d.stacked == nil || d.stacked.name == "" || d.stacked.point && !d.parse.framed():
		case !d.parse.framed():
			d.info.Detail += "; runs are of " + d.stacked.name + ", by the names of threads, as there are no stacks"
		default:
			d.info.Detail += "; runs are of " + d.stacked.name
		}
	}
	d.sink.Define(d.info)
}

// finish publishes the rest and reports the losses. broken is the error that ended the reading early,
// nil where it was.
func (d *decoder) finish(broken error) {
	d.lines.Close()
	d.line(nil)
	d.release(maxTime)
	for _, t := range d.list {
		if t.released {
			t.stop(t.interval(d.info.Sampling.AskedNs))
		}
	}
	d.out.Close()
	d.reportInfo()
	if d.out.Cancelled() || d.counts != nil && d.counts.Publish(d.sink) != nil {
		return
	}
	if broken != nil {
		d.bad.Explain(trace.Unread, d.lines.N, "%v", broken)
	}
	d.lines.NULs.Report(d.sink.Define)
	d.bad.BadN(trace.NoMemoryForNames, d.names.Refused, trace.Unknown)
	d.bad.Define(d.sink.Define, d.room)
	if d.others > 0 {
		text := fmt.Sprintf("Not shown from the file: the stacks of %d samples of other events than %s.", d.others,
			d.stacked.name)
		d.sink.Define(model.Warning{Text: text})
	}
	if d.periods {
		d.sink.Define(model.Warning{Text: "Not shown from the file: the periods of samples, as the first has none."})
	}
}
