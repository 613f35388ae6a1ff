package spall

import (
	"fmt"
	"path/filepath"
	"sort"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

const (
	maxDepth    = 4096    // lanes of a track that the store takes
	sureDepth   = 64      // for which there is always room
	depthBytes  = 544     // of a lane beyond: the session's, and the call in it
	flushSpans  = 4096    // of a batch without a frame
	maxWaiting  = 1 << 21 // spans of all threads that wait for the ends of their frames
	emptyCredit = 16      // frames without calls that each event may cause
	argsKey     = "args"  // under which the text of a call is shown that stands beside its name
)

// decoder turns events into spans, by the results of the survey.
type decoder struct {
	*survey
	sink      feed.Sink
	names     *trace.Table
	info      model.Info
	tracks    map[key]*thread
	list      []*thread
	cur       *thread
	curKey    key
	alone     trace.SelfTimes
	texts     trace.Texts
	waiting   int
	credit    int64
	cancelled bool
	loss      losses
}

// call is one that goes on.
type call struct {
	path  model.PathID
	depth int // of its span in thread.spans
}

// thread is the decoder's state of one thread.
type thread struct {
	def   model.TrackDef
	label string // in messages
	any   bool
	now   int64 // its newest event, ns
	room  int   // depth for which there is room
	open  []call
	over  int // begins that are deeper than that
	spans []model.Span
	args  []model.Arg // of spans
	said  int         // as many spans as the arguments count for
	fresh int         // index of the first new span: those behind it continue published ones
	// mixed marks spans out of order: a span without length was followed by its caller's neighbour.
	mixed bool

	seg     int  // the frame that comes next, or that goes on
	inFrame bool // it goes on
	account
}

func newDecoder(s *survey, sink feed.Sink, path string) *decoder {
	d := &decoder{survey: s, sink: sink, names: trace.New(sink, s.room, "All calls"), tracks: map[key]*thread{}}
	d.last = nil
	d.loss.sink = sink
	d.info = model.Info{
		Source: "spall", Program: filepath.Base(path), Peer: path, PID: -1, File: true,
		Version: fmt.Sprintf("Spall version %d", s.clock.version), Clock: model.Clock{StepNs: s.clock.step()},
	}
	pids := map[uint32]bool{}
	for _, t := range s.order {
		pids[t.key.pid] = true
	}
	if len(pids) == 1 {
		pid := s.order[0].key.pid
		if name := trace.Shown(s.processes[pid]); name != "" {
			d.info.Program = name
		}
		if pid != 0 {
			d.info.PID = int64(pid)
		}
	}
	if s.main != nil {
		d.info.Detail = fmt.Sprintf("frames are the calls %q of one thread", s.frameName)
	}
	sink.Define(d.info)
	alike := map[string]int{}
	for _, t := range s.order {
		alike[t.name]++
	}
	for _, t := range s.order {
		d.track(t, alike[t.name] > 1, len(pids) > 1)
	}
	if name, ok := s.want.Named(); ok && s.main == nil {
		sink.Define(trace.NoFrames("call", name))
	}
	if s.refused {
		sink.Define(model.Loss{
			Reason: model.LossLimit, Track: model.NoTrack, N: 1,
			Detail: fmt.Sprintf("more than %d frames: the calls of later ones are shown, but in no frame", maxFrames),
		})
	}
	return d
}

// track defines the track of a thread.
func (d *decoder) track(t *surveyed, shared, processes bool) {
	th := &thread{room: sureDepth, def: model.TrackDef{
		ID: model.TrackID(len(d.list)), Name: trace.Shown(t.name), Index: int(t.key.tid), Main: t == d.main,
	}}
	if th.def.Name != "" && shared {
		th.def.Name = fmt.Sprintf("%s (%d)", th.def.Name, t.key.tid)
	}
	if processes {
		if th.def.Process = trace.Shown(d.processes[t.key.pid]); th.def.Process == "" {
			th.def.Process = fmt.Sprintf("process %d", t.key.pid)
		}
	}
	if th.label = th.def.Name; th.label == "" {
		th.label = fmt.Sprintf("Thread %d", t.key.tid)
	}
	d.tracks[t.key] = th
	d.list = append(d.list, th)
	d.sink.Define(th.def)
}

// take takes an event.
func (d *decoder) take(e *event) {
	if e.kind != begin && e.kind != end || d.cancelled {
		return
	}
	th := d.cur
	if th == nil || d.curKey != e.key {
		if th = d.tracks[e.key]; th == nil {
			d.loss.strangers.note(e.at)
			return
		}
		d.cur, d.curKey = th, e.key
	}
	ns, ok := d.clock.time(e)
	switch {
	case !ok:
		th.noTime.note(e.at)
		ns = max(th.now, 0)
	case th.any && ns < th.now:
		th.back.note(e.at)
		ns = th.now
	}
	if !th.any {
		th.any = true
		th.seg = sort.Search(len(d.frames), func(i int) bool { return d.frames[i].end > ns })
	}
	th.now = ns
	d.credit += emptyCredit
	if th.seg < len(d.frames) {
		d.advance(th, ns, e.kind == begin)
	}
	if e.kind == begin {
		d.begin(th, e, ns)
	} else {
		d.end(th, e, ns)
	}
}

func (d *decoder) begin(th *thread, e *event, ns int64) {
	depth := len(th.open)
	if depth >= th.room {
		if depth >= maxDepth || !d.room.Take(depthBytes) {
			th.over++
			th.deep.note(e.at)
			return
		}
		th.room++
	}
	parent := model.PathRoot
	if depth > 0 {
		parent = th.open[depth-1].path
	}
	p := d.names.Path(parent, d.names.Collector(e.name))
	th.open = append(th.open, call{path: p, depth: len(th.spans)})
	if n := len(th.spans); n > 0 && th.spans[n-1].Begin == ns && int(th.spans[n-1].Lane) > depth {
		th.mixed = true
	}
	th.spans = append(th.spans, model.Span{Begin: ns, End: ns, Path: p, Lane: uint16(depth)})
	d.waiting++
	if len(e.args) > 0 {
		th.args = append(th.args, model.Arg{Span: int32(len(th.spans) - 1), Key: argsKey, Value: model.TextArg(d.texts.Of(e.args))})
		said := 2 + len(e.args)/32
		th.said += said
		d.waiting += said
	}
	if len(th.spans) >= flushSpans+4*depth && !th.inFrame {
		d.loose(th, ns)
	}
	if d.waiting > maxWaiting {
		d.relieve()
	}
}

func (d *decoder) end(th *thread, e *event, ns int64) {
	if th.over > 0 {
		th.over--
		return
	}
	n := len(th.open) - 1
	if n < 0 {
		th.orphans.note(e.at)
		return
	}
	th.spans[th.open[n].depth].End = ns
	th.open = th.open[:n]
}

// fill moves a thread's spans into a batch. Calls that go on are published up to a time, and get
// spans that go on from there.
func (d *decoder) fill(b *model.Batch, th *thread, upTo int64) {
	for _, c := range th.open {
		sp := &th.spans[c.depth]
		sp.End, sp.Flags = upTo, sp.Flags|model.SpanOpenEnd
	}
	b.Track = th.def.ID
	b.Spans, b.Args = append(b.Spans, th.spans...), append(b.Args, th.args...)
	if th.mixed {
		trace.Order(b.Spans, b.Args)
		th.mixed = false
	}
	d.waiting -= len(th.spans) - th.fresh + th.said
	clear(th.args)
	th.spans, th.args, th.said, th.fresh = th.spans[:0], th.args[:0], 0, len(th.open)
	for k := range th.open {
		c := &th.open[k]
		c.depth = k
		th.spans = append(th.spans, model.Span{Begin: upTo, End: upTo, Path: c.path, Lane: uint16(k), Flags: model.SpanContinues})
	}
}

// publish hands a batch over.
func (d *decoder) publish(b *model.Batch) {
	if !d.sink.Publish(b) {
		d.cancelled = true
	}
}

// loose publishes a thread's spans outside frames, up to a time.
func (d *decoder) loose(th *thread, upTo int64) {
	if len(th.spans) == 0 {
		return
	}
	if len(d.frames) > 0 {
		if n := int64(len(th.spans) - th.fresh); th.inFrame {
			d.loss.crowded += n
		} else {
			d.loss.unframed += n
		}
	}
	b := d.sink.Begin()
	d.fill(b, th, upTo)
	d.publish(b)
}

// relieve publishes all that waits: a frame has more than memory should hold.
func (d *decoder) relieve() {
	for _, th := range d.list {
		d.loose(th, th.now)
	}
}

// close publishes the rest and reports the losses. Calls that never ended last to the newest event of
// their thread.
func (d *decoder) close() {
	for _, th := range d.list {
		switch {
		case d.cancelled:
		case th.inFrame:
			d.frame(th, th.now)
		default:
			d.loose(th, th.now)
		}
	}
	d.names.Tell()
	d.loss.tell(d.list)
}
