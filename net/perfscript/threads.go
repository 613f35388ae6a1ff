package perfscript

import (
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// threadID identifies a thread; the processor distinguishes the idle ones.
type threadID struct{ pid, tid, cpu int64 }

// thread is the state of a thread.
type thread struct {
	threadID
	comm     string
	def      model.TrackDef
	out      *trace.StackThread
	series   map[*event]model.SeriesID
	weighed  bool           // its samples have periods
	on       model.SeriesID // which processor it ran on, NoSeries
	arrived  int64          // of the newest sample, as it came
	space    trace.Spacing
	counted  int64 // distances when the median was last computed
	median   int64
	released bool
}

// threadOf returns the thread of a sample, nil where there is no room for one more.
func (d *decoder) threadOf(h *header) *thread {
	key := threadID{h.pid, h.tid, 0}
	if h.tid == 0 {
		key.cpu = h.cpu // each processor has an idle thread of its own
	}
	t := d.threads[key]
	comm := h.comm[:min(len(h.comm), maxComm)]
	switch {
	case t == nil:
		t = &thread{threadID: key, comm: string(comm), on: model.NoSeries}
		d.several = d.several || len(d.list) > 0 && d.list[0].pid != h.pid
		t.def = model.TrackDef{Name: t.title(), Kin: t.kin(), Index: int(h.tid), Process: d.process(t)}
		track, ok := d.names.Track(fmt.Sprint(key), t.def)
		if !ok {
			return nil
		}
		t.def.ID = track
		d.threads[key] = t
		d.list = append(d.list, t)
	case string(comm) != t.comm:
		t.comm = string(comm)
	default:
		return t
	}
	d.rename()
	d.program(t)
	return t
}

// title returns the title of a thread: its newest name, and its number.
func (t *thread) title() string {
	if t.tid == 0 && t.cpu >= 0 {
		return trace.Shown(fmt.Sprintf("%s CPU %d", t.comm, t.cpu))
	}
	return trace.Shown(strings.TrimSpace(fmt.Sprintf("%s %d", t.comm, t.tid)))
}

// kin is the name of a thread without its number, which another run does not have.
func (t *thread) kin() string {
	if t.tid == 0 && t.cpu >= 0 {
		return ""
	}
	return trace.Shown(t.comm)
}

// process names the process of a thread, where there are several.
func (d *decoder) process(t *thread) string {
	if !d.several || t.pid < 0 {
		return ""
	}
	if main := d.threads[threadID{t.pid, t.pid, 0}]; main != nil {
		return trace.Shown(fmt.Sprintf("%s %d", main.comm, t.pid))
	}
	return fmt.Sprintf("process %d", t.pid)
}

// rename redefines tracks with changed names.
func (d *decoder) rename() {
	for _, t := range d.list {
		if name, process := t.title(), d.process(t); name != t.def.Name || process != t.def.Process {
			t.def.Name, t.def.Kin, t.def.Process = name, t.kin(), process
			d.sink.Define(t.def)
		}
	}
}

// program names the session by the first thread that is no part of perf.
func (d *decoder) program(t *thread) {
	if d.named || t.tid == 0 || t.comm == "perf" || t.comm == "perf-exec" || t.comm == "" {
		return
	}
	d.named = true
	d.info.Program = trace.Shown(t.comm)
	if t.pid > 0 {
		d.info.PID = t.pid
	}
	d.reportInfo()
}

// eventOf returns the state of an event.
func (d *decoder) eventOf(name []byte) *event {
	key := string(base(name)) // in the kernel alone, or precise: it is one event
	if e := d.events[key]; e != nil {
		return e
	}
	if len(d.events) >= maxEvents {
		return &tooMany
	}
	e := &event{name: trace.Shown(string(name[:min(len(name), maxComm)])), point: isPoint(name), clock: isClock(name)}
	d.events[key] = e
	return e
}

// tooMany stands for the events that there was no room for.
var tooMany = event{name: "(more events)", point: true}

// note takes what a tracepoint says.
func (t *thread) note(s *sample, at int64) {
	if s.text != "" {
		t.out.Note(model.Message{Time: at, Text: s.text, Category: s.event.name})
	}
}

// other takes a sample of an event that has no runs: it is an event of its thread.
func (t *thread) other(s *sample, at int64) {
	if s.text != "" {
		t.note(s, at)
		return
	}
	series, ok := t.series[s.event]
	if !ok {
		series = t.out.Series(model.SeriesDef{
			Name: t.def.Name, Group: s.event.name, Kind: model.SeriesEvent,
			Description: "samples of " + s.event.name + "; the value is their period",
		})
		model.Put(&t.series, s.event, series)
	}
	t.out.Value(model.Sample{Series: series, Time: at, Value: float64(max(s.period, 1))})
}

// periods are what periods of an event are of: time of a clock, else as many events.
func (e *event) periods() trace.WeightKind {
	if e.clock {
		return trace.WeightKind{Name: "period", Unit: "ns"}
	}
	return trace.WeightKind{Name: "period"}
}

// weigh counts a sample: itself, and its period, or else 1; and takes the processor that it was taken on.
func (t *thread) weigh(s *sample, at int64) {
	t.out.Weigh(float64(max(s.period, 1)))
	if s.cpu < 0 {
		return
	}
	if t.on == model.NoSeries {
		t.on = t.out.Series(model.SeriesDef{
			Name: t.def.Name, Group: "processor", Kind: model.SeriesState, Role: model.RoleProcessor,
			Description: "the processor on which the thread was sampled",
		})
	}
	t.out.Value(model.Sample{Series: t.on, Time: at, Value: float64(s.cpu)})
}

// interval returns the distance of samples while the thread runs: the requested interval of the clock,
// or else the median distance, which is too long where the thread sleeps between most samples; 0 if
// unknown. Samples closer than twice that form one run, and a single sample lasts as long.
func (t *thread) interval(asked int64) int64 {
	if asked > 0 {
		return asked
	}
	if n := t.space.N(); n > t.counted+t.counted/4 {
		t.counted, t.median = n, t.space.Median()
	}
	return t.median
}

// stop ends what the thread did some time after its newest sample.
func (t *thread) stop(hold int64) {
	t.out.Stop(t.out.Last() + hold)
	if t.on != model.NoSeries {
		t.out.Value(model.Sample{Series: t.on, Time: t.out.Last(), Value: math.NaN()})
	}
}
