package perfscript

import (
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

var nan = math.NaN()

// threadOf returns the thread of a sample, nil where there is no room for one more.
func (d *decoder) threadOf(h *header) *thread {
	if t := d.newest; t != nil && t.tid == h.tid && t.pid == h.pid && h.tid != 0 && string(h.comm) == t.comm {
		return t
	}
	key := id{h.pid, h.tid, 0}
	if h.tid == 0 {
		key.cpu = h.cpu // each processor has an idle thread of its own
	}
	t := d.threads[key]
	comm := string(h.comm[:min(len(h.comm), maxComm)])
	switch {
	case t == nil:
		t = &thread{id: key, comm: comm, on: model.NoSeries, weights: [2]model.SeriesID{model.NoSeries, model.NoSeries}}
		d.several = d.several || len(d.list) > 0 && d.list[0].pid != h.pid
		t.def = model.TrackDef{Name: d.title(t), Kin: d.kin(t), Index: int(h.tid), Process: d.process(t)}
		track, ok := d.names.Track(fmt.Sprint(key), t.def)
		if !ok {
			return nil
		}
		t.def.ID = track
		d.threads[key] = t
		d.list = append(d.list, t)
		d.rename()
		d.program(t)
	case comm != t.comm:
		t.comm = comm
		d.rename()
		d.program(t)
	}
	d.newest = t
	return t
}

// title returns the title of a thread: its newest name, and its number.
func (d *decoder) title(t *thread) string {
	if t.tid == 0 && t.cpu >= 0 {
		return trace.Shown(fmt.Sprintf("%s CPU %d", t.comm, t.cpu))
	}
	return trace.Shown(strings.TrimSpace(fmt.Sprintf("%s %d", t.comm, t.tid)))
}

// kin is the name of a thread without its number, which another run does not have.
func (d *decoder) kin(t *thread) string {
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
	if main := d.threads[id{t.pid, t.pid, 0}]; main != nil {
		return trace.Shown(fmt.Sprintf("%s %d", main.comm, t.pid))
	}
	return fmt.Sprintf("process %d", t.pid)
}

// rename redefines tracks with changed names.
func (d *decoder) rename() {
	for _, t := range d.list {
		if name, process := d.title(t), d.process(t); name != t.def.Name || process != t.def.Process {
			t.def.Name, t.def.Kin, t.def.Process = name, d.kin(t), process
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
	d.tellInfo()
}

// eventOf returns the state of an event.
func (d *decoder) eventOf(name []byte) *event {
	if e := d.events[string(name)]; e != nil {
		return e
	}
	if len(d.events) >= maxEvents {
		return &tooMany
	}
	e := &event{name: trace.Shown(string(name[:min(len(name), maxComm)])), point: isPoint(name), clock: isClock(name)}
	d.events[string(name)] = e
	return e
}

// tooMany stands for the events that there was no room for.
var tooMany = event{name: "(more events)", point: true}

// other takes a sample of an event that has no runs: it is an event of its thread.
func (d *decoder) other(s *sample, at int64) {
	d.others++
	t := s.thread
	if s.text != "" {
		t.out.Note(model.Message{Time: at, Text: s.text, Category: s.event.name})
		return
	}
	series, ok := t.series[s.event]
	if !ok {
		if t.series == nil {
			t.series = map[*event]model.SeriesID{}
		}
		series = t.out.Series(model.SeriesDef{
			Name: t.def.Name, Group: s.event.name, Kind: model.SeriesEvent,
			Description: "samples of " + s.event.name + "; the value is their period",
		})
		t.series[s.event] = series
	}
	t.out.Value(model.Sample{Series: series, Time: at, Value: float64(max(s.period, 1))})
}

// weighs defines the weights of a thread's samples, by the first one, if it has a period.
func (d *decoder) weighs(t *thread, s *sample) {
	if s.period == 0 {
		return
	}
	for i, kind := range [...]trace.WeightKind{{Name: model.WeightSamples}, s.event.periods()} {
		t.weights[i] = t.out.Series(model.SeriesDef{
			Name: kind.Name, Unit: kind.Unit, Group: "samples", Kind: model.SeriesEvent, Role: model.RoleWeight,
			Description: "what samples of the thread's stack stand for",
		})
	}
}

// periods are what periods of an event are of: time of a clock, else as many events.
func (e *event) periods() trace.WeightKind {
	if e.clock {
		return trace.WeightKind{Name: "period", Unit: "ns"}
	}
	return trace.WeightKind{Name: "period"}
}

// weigh counts a sample: itself, and its period, or else 1.
func (d *decoder) weigh(t *thread, at int64, s *sample) {
	switch {
	case t.weights[1] != model.NoSeries:
		t.out.Value(model.Sample{Series: t.weights[0], Time: at, Value: 1})
		t.out.Value(model.Sample{Series: t.weights[1], Time: at, Value: float64(max(s.period, 1))})
	case s.period > 0:
		d.periods = true
	}
}

// ranOn takes the processor of a sample.
func (d *decoder) ranOn(t *thread, at, cpu int64) {
	if t.on == model.NoSeries {
		t.on = t.out.Series(model.SeriesDef{
			Name: t.def.Name, Group: "processor", Kind: model.SeriesState, Role: model.RoleProcessor,
			Description: "the processor on which the thread was sampled",
		})
	}
	t.out.Value(model.Sample{Series: t.on, Time: at, Value: float64(cpu)})
}
