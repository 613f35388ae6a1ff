package perfscript

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"unsafe"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxTime    = int64(1) << 62
	window     = int64(1e9) // ns within which samples are put in order
	maxWaiting = 24 << 20   // bytes of samples, and
	maxPending = 32 << 20   // of their frames that wait for that, and
	waitParts  = 16         // which part of the memory either may be
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
	long  int64 // lines that were too long
	cut   bool  // the text ends inside a stack
	parse parser

	threads map[id]*thread
	list    []*thread
	several bool // processes
	named   bool // the session, by a thread
	newest  *thread
	events  map[string]*event
	stacked *event // the event with the samples shown as runs

	now     sample // that frames are read of
	nowIn   *thread
	stack   []model.CollectorID
	ends    int    // wholly unknown frames, without an address, behind the stack,
	endIn   []byte // in this library
	waiting []sample
	pending []model.PathID // stacks of what waits, one after the other
	// mostWaiting and mostPending bound these.
	mostWaiting, mostPending int

	began    bool  // a sample came,
	firstEnd int64 // before this line
	started  bool  // zero is known
	timeless bool
	zero     int64 // ns, of the first sample
	last     int64 // of the newest that was released
	space    trace.Spacing
	counts   *trace.Stacks // weights without times; nil: none
	weighed  bool          // these have periods

	samples                 int64
	uncounted               int64 // without times, that there was no room for
	bare                    int64 // without any frame
	odds                    trace.Lines
	harmedLines             trace.Lines
	harmedFirsts            trace.Lines
	astray                  trace.Lines
	leapt                   leapt
	newestAt                int64 // of all that was queued
	left                    bool  // the sample that frames are read of is left out
	dropped                 int64 // by perf
	late                    int64
	untimed                 int64
	firstUntimed, firstLong int64 // their lines
	refused                 int64
	others                  int64 // samples of events that are no runs
	periods                 bool  // samples have one that is not shown
}

// id identifies a thread; the processor distinguishes the idle ones.
type id struct{ pid, tid, cpu int64 }

// thread is the state of a thread.
type thread struct {
	id
	comm     string
	def      model.TrackDef
	out      *trace.StackThread
	series   map[*event]model.SeriesID
	weights  [2]model.SeriesID // what its samples count, and their periods; NoSeries
	on       model.SeriesID    // which processor it ran on, NoSeries
	arrived  int64             // of the newest sample, as it came
	space    trace.Spacing
	told     int64 // distances when the median was last looked at
	median   int64
	released bool
}

// event is an event that perf counted.
type event struct {
	name  string
	point bool
	clock bool
}

// sample is one that waits.
type sample struct {
	at     int64
	thread *thread
	event  *event
	period int64
	cpu    int64
	from   int // of pending
	n      int
	text   string // of a tracepoint
}

func newDecoder(sink feed.Sink, path, program string) *decoder {
	d := &decoder{
		sink: sink, room: feed.NamesOf(sink), threads: map[id]*thread{}, events: map[string]*event{},
		info: model.Info{
			Source: "perfscript", Program: cmp.Or(program, filepath.Base(path)), Peer: path, PID: -1, Version: "perf script",
		},
	}
	d.mostWaiting = int(feed.Room(maxWaiting, waitParts) / int64(unsafe.Sizeof(sample{})))
	d.mostPending = int(feed.Room(maxPending, waitParts) / int64(unsafe.Sizeof(model.PathRoot)))
	d.names = trace.New(sink, d.room, "All")
	d.funcs.names = d.names
	d.out = trace.NewStackRuns(sink, d.room)
	d.parse.to = d
	d.lines.Take, d.lines.Long = d.line, func() {
		if d.long++; d.long == 1 {
			d.firstLong = d.lines.N
		}
	}
	sink.Define(d.info)
	return d
}

// count counts a sample without a time. The first of all says whether they have periods.
func (d *decoder) count(s *sample, path model.PathID) error {
	if d.counts == nil {
		kinds := []trace.WeightKind{{Name: model.WeightSamples}}
		if d.weighed = s.period > 0; d.weighed {
			kinds = append(kinds, s.event.periods())
		}
		d.counts = trace.NewWeighted(d.room, kinds...)
	}
	if d.weighed {
		return d.counts.Add(s.thread.def.ID, path, 1, max(s.period, 1))
	}
	d.periods = d.periods || s.period > 0
	return d.counts.Add(s.thread.def.ID, path, 1)
}

// comment takes a line of perf's own head.
func (d *decoder) comment(line []byte) {
	if host, ok := bytes.CutPrefix(line, []byte("# hostname : ")); ok && d.info.Host == "" {
		d.info.Host = trace.Shown(string(host[:min(len(host), maxComm)]))
	}
}

// line takes a line. An unfinished last line within a stack is skipped: its name may be cut.
func (d *decoder) line(b []byte) {
	if d.cut = d.lines.Unended && d.parse.open; !d.cut {
		d.parse.line(b)
	}
}

func (d *decoder) lost(n int64) { d.dropped += n }

func (d *decoder) odd() { d.odds.Add(d.lines.N) }

func (d *decoder) harmed() {
	if !d.left {
		d.harmedLines.Add(d.lines.N)
	}
}

func (d *decoder) harmedFirst() {
	d.harmedFirsts.Add(d.lines.N)
	d.left, d.nowIn = true, nil
}

// begin takes the header of a sample.
func (d *decoder) begin(h *header) {
	d.samples++
	d.stack, d.ends, d.left = d.stack[:0], 0, false
	d.nowIn = d.threadOf(h)
	d.now = sample{at: h.ns, thread: d.nowIn, event: d.eventOf(h.event), period: h.period, cpu: h.cpu}
	if d.now.event.point && len(h.rest) > 0 {
		d.now.text = trace.Shown(string(h.rest[:min(len(h.rest), maxSymbol)]))
	}
}

// frame takes a frame. Unknown frames at address 0 are the end of the stack, unless others follow.
func (d *decoder) frame(f *frame) {
	switch {
	case d.nowIn == nil:
		return
	case f.zero && string(f.symbol) == "[unknown]":
		d.ends, d.endIn = d.ends+1, append(d.endIn[:0], f.dso...)
		return
	case d.ends > 0:
		end := d.funcs.collector(&frame{symbol: []byte("[unknown]"), dso: d.endIn})
		for ; d.ends > 0 && len(d.stack) < maxFrames; d.ends-- {
			d.stack = append(d.stack, end)
		}
		d.ends = 0
	}
	if len(d.stack) < maxFrames {
		d.stack = append(d.stack, d.funcs.collector(f))
	}
}

// end completes the sample after its last frame.
func (d *decoder) end() {
	if d.nowIn == nil {
		if !d.left {
			d.refused++
		}
		return
	}
	if len(d.stack) == 0 {
		d.bare++
	}
	s := d.now
	s.from = len(d.pending)
	p := model.PathRoot
	for _, c := range slices.Backward(d.stack) {
		p = d.names.Path(p, c)
		d.pending = append(d.pending, p)
	}
	s.n = len(d.stack)
	if !d.began {
		d.began, d.timeless, d.firstEnd = true, s.at < 0, d.lines.N
		d.info.Sampling.Timeless = d.timeless
		d.tellInfo()
	}
	if d.timeless && s.at >= 0 && d.samples <= fewTimeless { // the first headers were damaged
		d.timeless, d.info.Sampling.Timeless = false, false
		d.untimed, d.firstUntimed = d.samples-1, d.firstEnd
		d.counts, d.others, d.uncounted = nil, 0, 0
		d.stacked = nil
		d.tellInfo()
	}
	switch {
	case d.timeless:
		d.pending = d.pending[:s.from]
		if d.stacked == nil {
			d.stacked = s.event
		}
		if s.event != d.stacked {
			d.others++
			return
		}
		if d.count(&s, p) != nil {
			d.uncounted++
		}
		return
	case s.at < 0:
		if d.untimed++; d.untimed == 1 {
			d.firstUntimed = d.lines.N
		}
		d.pending = d.pending[:s.from]
		return
	}
	d.believe(s)
}

// queue takes a sample, to be put in order.
func (d *decoder) queue(s sample) {
	d.newestAt = max(d.newestAt, s.at)
	if s.thread.out == nil {
		s.thread.out = d.out.Thread(s.thread.def.ID, s.thread.def.Name)
	}
	if t := s.thread; !s.event.point {
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
	newest := d.waiting[len(d.waiting)-1].at
	switch {
	case len(d.waiting) >= d.mostWaiting || len(d.pending) >= d.mostPending:
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
	if d.stacked == nil || d.stacked.point {
		for i := range d.waiting {
			if e := d.waiting[i].event; d.stacked == nil || !e.point && d.stacked.point && !d.any() {
				d.stacked = e
			}
		}
	}
	for i := range d.waiting[:n] {
		d.play(&d.waiting[i])
	}
	// The rest is moved to the front, with its stacks.
	rest := d.waiting[:copy(d.waiting, d.waiting[n:])]
	clear(d.waiting[len(rest):])
	d.waiting = rest
	moved := make([]model.PathID, 0, len(d.pending))
	for i := range rest {
		s := &rest[i]
		moved = append(moved, d.pending[s.from:s.from+s.n]...)
		s.from = len(moved) - s.n
	}
	d.pending = moved
}

// any reports whether runs were published.
func (d *decoder) any() bool { return d.space.N() > 0 }

// play hands over a sample.
func (d *decoder) play(s *sample) {
	t, at := s.thread, s.at-d.zero
	if s.event != d.stacked {
		d.other(s, at)
		return
	}
	if t.released && at < t.out.Last() {
		d.late++
		at = t.out.Last()
	}
	d.space.Add(s.at - d.last)
	d.last = max(d.last, s.at)
	if s.event.clock && s.period > 0 && d.info.Sampling.AskedNs == 0 {
		d.info.Sampling.AskedNs = s.period
	}
	if !t.released {
		t.released = true
		d.weighs(t, s)
	} else if every := t.interval(d.info.Sampling.AskedNs); every > 0 && at-t.out.Last() > 2*every {
		t.stop(every)
	}
	if s.text != "" {
		t.out.Note(model.Message{Time: at, Text: s.text, Category: s.event.name})
	}
	t.out.Sample(at, d.pending[s.from:s.from+s.n])
	d.weigh(t, at, s)
	if s.cpu >= 0 {
		d.ranOn(t, at, s.cpu)
	}
}

// interval returns the distance of samples while the thread runs: the requested interval of the clock,
// or else the median distance, which is too long where the thread sleeps between most samples; 0 if
// unknown. Samples closer than twice that form one run, and a single sample lasts as long.
func (t *thread) interval(asked int64) int64 {
	if asked > 0 {
		return asked
	}
	if n := t.space.N(); n > t.told+t.told/4 {
		t.told, t.median = n, t.space.Median()
	}
	return t.median
}

// stop ends what the thread did some time after its newest sample.
func (t *thread) stop(hold int64) {
	t.out.Stop(t.out.Last() + hold)
	if t.on != model.NoSeries {
		t.out.Value(model.Sample{Series: t.on, Time: t.out.Last(), Value: nan})
	}
}
