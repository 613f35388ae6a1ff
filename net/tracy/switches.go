package tracy

import (
	"fmt"
	"math"

	"framescope/model"
	"framescope/net/ftrace"
	"framescope/net/trace"
)

// switches are what the system's processors run, and who wakes whom.
type switches struct {
	processors map[uint64]*processor
	tasks      map[uint32]*task
	named      bool // the flow of wake-ups has a name
	timeless   int64
}

// processor is a processor, and what it runs.
type processor struct {
	line *trace.StackThread // nil: there is no room for it
	runs *task              // nil: nothing, or it is not known
}

// task is a thread of the system: one of the program, or of another one.
type task struct {
	id     uint32
	call   model.CollectorID // as a span of processors
	series [ftrace.NumSeries]model.SeriesID
	shown  bool  // it is a thread of the program with data, and has these
	runs   bool  // on a processor
	waker  *task // thread that woke it since it ran
	woken  int64 // when
}

// nameless is how Tracy calls a thread that has ended before its name was asked for.
const nameless = "???"

// mostArrows is how many wake-ups of a thread are kept until they are published.
const mostArrows = 1024

// processor returns a processor by its number.
func (s *switches) processor(d *decoder, number uint64) *processor {
	c := s.processors[number]
	if c == nil {
		c = &processor{}
		s.processors[number] = c // of 256
		def := model.TrackDef{Kind: model.TrackProcessor, Index: int(number)}
		if id, ok := d.names.table.Track(fmt.Sprintf("cpu%d", number), def); ok {
			c.line = d.lines.Calls(id)
		} else {
			d.bad.Bad(trace.ManyThreads, d.at)
		}
	}
	return c
}

// task returns a thread by its number; nil: it is the idle one, or there is no room for it.
func (s *switches) task(d *decoder, id uint32) *task {
	x := s.tasks[id]
	if x != nil || id == 0 || !d.hasRoom() {
		return x
	}
	x = &task{id: id}
	x.call = d.names.table.Keyed(fmt.Appendf(nil, "task%d", id), func() model.CollectorDef {
		return model.CollectorDef{Name: fmt.Sprintf("thread %d", id)}
	})
	s.tasks[id] = x
	kind := d.names.askExternal
	if d.threads[id] != nil {
		kind = askThread
	}
	d.names.want(kind, uint64(id), func(text string) {
		if text != "" && text != nameless && x.call != trace.Other {
			d.sink.Define(model.CollectorDef{ID: x.call, Name: text})
		}
	})
	return x
}

// change takes that a processor goes over from a thread to another.
func (s *switches) change(d *decoder, r *record, at int64) {
	c := s.processor(d, r.uint("cpu"))
	if x := c.runs; x != nil {
		isOld := x.id == uint32(r.uint("old")) // else it ended before, and that was not sent
		if c.line != nil {
			c.line.Leave(at, !isOld)
		}
		x.leave(d, at, isOld, r.uint("state"))
	}
	x := s.task(d, uint32(r.uint("new")))
	if c.runs = x; x == nil {
		return
	}
	if c.line != nil {
		c.line.Enter(at, d.names.table.Path(model.PathRoot, x.call), 0)
	}
	x.runs = true
	if t := d.threads[x.id]; t != nil && t.line != nil {
		x.show(d, t)
		d.value(x.series[ftrace.Processor], at, float64(r.uint("cpu")))
		d.value(x.series[ftrace.Load], at, 100)
		d.value(x.series[ftrace.Doing], at, float64(ftrace.Running))
		s.connect(d, x, t, at)
	}
}

// leave takes that a thread runs no more. Its state is unknown where known is false.
func (x *task) leave(d *decoder, at int64, known bool, state uint64) {
	if x.runs, x.waker = false, nil; !x.shown {
		return
	}
	d.put(model.Sample{Series: x.series[ftrace.Processor], Time: at, Value: math.NaN()})
	d.value(x.series[ftrace.Load], at, 0)
	now := math.NaN()
	if known {
		now = float64(stateOf(state))
	}
	d.put(model.Sample{Series: x.series[ftrace.Doing], Time: at, Value: now})
}

// stateOf returns the state that a number stands for: of Windows, or from 100 on those that Tracy gives Linux.
func stateOf(number uint64) ftrace.State {
	const linux, letters = 101, "DIRSTtWXZP"
	switch {
	case number >= linux && number-linux < uint64(len(letters)):
		return ftrace.StateOfLetter(letters[number-linux])
	case number == 4:
		return ftrace.Ended
	case number == 5:
		return ftrace.Waiting
	}
	return ftrace.Runnable
}

// show defines the series of a thread of the program.
func (x *task) show(d *decoder, t *thread) {
	if x.shown {
		return
	}
	x.shown = true
	for i, def := range ftrace.Series() {
		x.series[i] = t.series(d, def)
	}
}

// series defines a series of a thread with its name.
func (t *thread) series(d *decoder, def model.SeriesDef) model.SeriesID {
	def.Track, def.Name = t.def.ID, t.def.Name
	def.ID, def.Object, def.Peer = d.lines.Series(def), model.NoObject, model.NoObject
	t.named = append(t.named, func() {
		def.Name = t.def.Name
		d.sink.Define(def)
	})
	return def.ID
}

// wake takes that a thread is woken by what runs on a processor.
func (s *switches) wake(d *decoder, r *record, at int64) {
	x := s.task(d, uint32(r.uint("thread")))
	if x == nil || x.runs {
		return
	}
	if x.shown {
		d.value(x.series[ftrace.Doing], at, float64(ftrace.Runnable))
	}
	if _, says := r.fields["cpu"]; says && x.waker == nil {
		x.waker, x.woken = s.processor(d, r.uint("cpu")).runs, at
	}
}

// connect gives a thread that runs the arrow from the thread that woke it, if both are the program's.
func (s *switches) connect(d *decoder, x *task, t *thread, at int64) {
	waker := x.waker
	if x.waker = nil; waker == nil {
		return
	}
	by := d.threads[waker.id]
	if by == nil || by.line == nil {
		return
	}
	if !s.named {
		s.named = true
		d.sink.Define(model.FlowDef{Name: "wake-up"})
	}
	t.arrows = append(t.arrows, model.Flow{
		From: x.woken, To: at, FromTrack: by.def.ID, FromLane: model.NoLane, ToLane: model.NoLane,
	})
	if len(t.arrows) >= mostArrows {
		t.publishArrows(d)
	}
}

// publishArrows publishes the wake-ups of a thread so far.
func (t *thread) publishArrows(d *decoder) {
	if len(t.arrows) == 0 {
		return
	}
	b := d.sink.Begin()
	b.Track = t.def.ID
	b.Flows = append(b.Flows, t.arrows...)
	t.arrows = t.arrows[:0]
	d.sink.Publish(b)
}

// close ends what goes on.
func (s *switches) close(d *decoder) {
	if s.timeless > 0 {
		d.sink.Define(model.Warning{Text: fmt.Sprintf(
			"%d switches between threads and wake-ups have no time and are not shown: the kernel there does not know the "+
				"program's clock",
			s.timeless)})
	}
	for _, c := range s.processors {
		if c.runs != nil && c.line != nil {
			c.line.Leave(d.newest, true)
		}
	}
}
