package gotrace

import (
	"fmt"
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

const (
	maxProcs = 1 << 12
	mostRows = 256 // of a track: so many things at the same time
	mostKind = 128 // of tasks that have tracks of their own
)

// rows is a track of things that are under way, each in a row of its own.
type rows struct {
	def     model.TrackDef
	key     string
	refused bool
	defined bool
	bars    []*bar
	fresh   []bar // that came last, made together
	free    trace.FreeRows
	flows   []model.Flow // to goroutines that share the track, not published
}

// bar is one of them.
type bar struct {
	begin, end int64 // mostTime: it goes on
	c          model.CollectorID
	g          *goroutine // that it is called after
	flags      model.SpanFlags
	row        int // -1: none yet
	args       []model.Arg
}

// rowsFor returns the track of a key.
func (d *decoder) rowsFor(key string, def model.TrackDef) *rows {
	r := d.rowsOf[key]
	if r == nil {
		r = &rows{def: def, key: key}
		d.rowsOf[key] = r
		d.rows = append(d.rows, r)
	}
	return r
}

func (r *rows) add(b bar) *bar {
	b.end, b.row = mostTime, -1
	if len(r.fresh) == cap(r.fresh) {
		r.fresh = make([]bar, 0, min(max(1, len(r.bars)), 64))
	}
	r.fresh = append(r.fresh, b)
	r.bars = append(r.bars, &r.fresh[len(r.fresh)-1])
	return r.bars[len(r.bars)-1]
}

// flushRows publishes the data of a track up to a time.
func (d *decoder) flushRows(r *rows, now int64) {
	trace.SortRuns(r.bars, func(a, b *bar) int { return trace.SortRunPairs(a.begin, b.begin, int64(a.row), int64(b.row)) })
	b := d.sink.Begin()
	b.Track = r.def.ID
	kept := r.bars[:0]
	for _, x := range r.bars {
		s := model.Span{Begin: x.begin, End: min(x.end, now), Flags: x.flags}
		if x.row < 0 {
			row, ok := r.free.Take(x.begin, x.end, 1, mostRows)
			if x.row = row; !ok {
				d.bad.Explain(trace.ManyRows, trace.Unknown, "tasks and ranges, %d at the same time", mostRows)
				continue
			}
		} else {
			s.Flags |= model.SpanContinues
		}
		r.free[x.row] = x.end
		if s.Lane = uint16(x.row); x.g != nil {
			x.c = d.runs(x.g, "")
		}
		if s.Path = d.names.Path(model.PathRoot, x.c); x.end > now {
			s.Flags |= model.SpanOpenEnd
		}
		b.Spans = append(b.Spans, s)
		for _, a := range x.args {
			a.Span = int32(len(b.Spans) - 1)
			b.Args = append(b.Args, a)
		}
		x.args = nil
		if x.end > now {
			x.begin, x.flags = now, 0
			kept = append(kept, x)
		}
		if len(b.Spans) >= samplesAtOnce {
			d.publish(b)
			b = d.sink.Begin()
			b.Track = r.def.ID
		}
	}
	clear(r.bars[len(kept):])
	r.bars = kept
	d.publish(b)
}

// runs returns the collector of a goroutine's runs.
func (d *decoder) runs(g *goroutine, prefix string) model.CollectorID {
	return d.names.Keyed([]byte(cutText(prefix+g.shortName())), func() model.CollectorDef {
		return model.CollectorDef{Name: cutText(prefix + g.shortName()), Place: g.place}
	})
}

// shortName returns the name of a goroutine's runs: its function, without its number.
func (g *goroutine) shortName() string {
	if g.name == "" {
		return "(unknown goroutine)"
	}
	return g.name
}

// proc is a P, and the goroutine on it.
type proc struct {
	*rows
	now *bar
}

// onProc gives a P to a goroutine from a time on; nil: to none. The goroutine keeps it in a system call, until the
// P is taken away (spec/gotrace.md, Mapping).
func (d *decoder) onProc(id exptrace.ProcID, g *goroutine, at int64) {
	if id < 0 || id >= maxProcs {
		return
	}
	p := d.procs[id]
	if p == nil {
		p = &proc{rows: d.rowsFor(fmt.Sprintf("P%d", id), model.TrackDef{
			Kind: model.TrackProcessor, Name: fmt.Sprintf("Proc %d", id), Index: int(id), Process: groupProcs,
		})}
		d.procs[id] = p
	}
	if b := p.now; b != nil {
		if b.g == g {
			return
		}
		b.g.loses(id, at)
		b.end = max(at, b.begin)
		at = b.end
		p.now = nil
	}
	if g != nil {
		p.now = p.add(bar{begin: max(at, d.flushed), g: g})
		d.pending++
	}
}

// task is one that goes on, or that a region or log may name.
type task struct {
	name  string
	title string // "": not made yet
	bar   *bar
}

// taskBegin takes the begin of a task.
func (d *decoder) taskBegin(ev *exptrace.Event) {
	t := ev.Task()
	name := taskName(t)
	d.tasks[t.ID] = task{name: name, bar: d.addTask(name, d.now, 0)}
	d.argue(t)
	if g := d.gs[ev.Goroutine()]; g != nil && !g.ended {
		g.learn(ev.Stack())
		d.frames.taskBegin(g, name, t.ID, d.now)
	}
}

func taskName(t exptrace.Task) string {
	if t.Type == "" {
		return fmt.Sprintf("task %d", t.ID)
	}
	return t.Type
}

func (d *decoder) addTask(name string, begin int64, flags model.SpanFlags) *bar {
	key, title := "T"+name, trace.Shown(cutText(name))
	if strings.HasPrefix(name, "task ") && flags != 0 {
		key, title = "T\x00", "(begun before the trace)"
	}
	if d.rowsOf[key] == nil && len(d.rows) > mostKind+len(d.procs) {
		key, title = "T\x01", "(more kinds of tasks)"
	}
	r := d.rowsFor(key, model.TrackDef{Name: title, Process: groupTasks, Kind: model.TrackAsync})
	return r.add(bar{begin: begin, c: d.collector(name), flags: flags})
}

// taskEnd takes the end of a task. A task without a begin began before the trace.
func (d *decoder) taskEnd(ev *exptrace.Event) {
	t := ev.Task()
	x, ok := d.tasks[t.ID]
	if !ok {
		name := taskName(t)
		x.name, x.bar = name, d.addTask(name, max(d.begin, d.flushed), model.SpanOpenBegin)
		d.tasks[t.ID] = x
		d.argue(t)
	}
	x.bar.end = d.now
	delete(d.tasks, t.ID)
	d.frames.taskEnd(t.ID, d.now, false)
}

// endTasks ends the tasks that go on where the trace ends.
func (d *decoder) endTasks() {
	for id, t := range d.tasks {
		t.bar.end = d.now
		t.bar.flags |= model.SpanOpenEnd
		d.frames.taskEnd(id, d.now, true)
	}
	clear(d.tasks)
}

// rangeKey identifies a range.
type rangeKey struct {
	name  string
	scope exptrace.ResourceID
}

// inRange takes what the runtime says of a stretch of its own work: collecting garbage, stopping the
// world.
func (d *decoder) inRange(ev *exptrace.Event, kind exptrace.EventKind) {
	r := ev.Range()
	if r.Name == assistName && r.Scope.Kind == exptrace.ResourceGoroutine {
		d.assisting(r.Scope.Goroutine(), kind != exptrace.EventRangeEnd, kind == exptrace.EventRangeActive)
		return
	}
	k := rangeKey{r.Name, r.Scope}
	x, open := d.ranges[k]
	switch kind {
	case exptrace.EventRangeBegin:
		d.ranges[k] = begun{d.now, 0}
	case exptrace.EventRangeActive:
		if !open {
			d.ranges[k] = begun{max(d.sync, d.begin), model.SpanOpenBegin}
		}
	case exptrace.EventRangeEnd:
		if !open {
			x = begun{d.begin, model.SpanOpenBegin}
		}
		d.addRange(k, x, d.now, 0).args = rangeArgs(ev)
		delete(d.ranges, k)
	}
}

// begun is when a range began.
type begun struct {
	at    int64
	flags model.SpanFlags
}

func (d *decoder) addRange(k rangeKey, x begun, end int64, flags model.SpanFlags) *bar {
	name := k.name
	r := d.rowsFor("R"+rangeTrack(name), model.TrackDef{Name: rangeTrack(name), Process: groupRuntime,
		Kind: model.TrackAsync})
	b := r.add(bar{begin: x.at, c: d.collector(name), flags: x.flags | flags})
	b.end = end
	return b
}

// rangeTrack is the name of the track of a range.
func rangeTrack(name string) string {
	if strings.HasPrefix(name, "stop-the-world") {
		return "Stop the world"
	}
	return trace.Shown(cutText(name))
}

// endRanges ends the ranges that go on where the trace ends.
func (d *decoder) endRanges() {
	for k, x := range d.ranges {
		d.addRange(k, x, d.now, model.SpanOpenEnd)
	}
	clear(d.ranges)
}
