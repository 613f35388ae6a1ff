package jfr

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// waits are events that last while their thread waits: what for, and the field that says more.
var waits = map[string]struct{ name, field string }{
	"jdk.JavaMonitorEnter": {"wait for lock", "monitorClass"}, "jdk.JavaMonitorWait": {"wait on", "monitorClass"},
	"jdk.ThreadPark": {"park", "parkedClass"}, "jdk.ThreadSleep": {"sleep", ""},
	"jdk.SocketRead": {"read socket", "host"}, "jdk.SocketWrite": {"write socket", "host"},
	"jdk.FileRead": {"read file", "path"}, "jdk.FileWrite": {"write file", "path"}, "jdk.FileForce": {"sync file", "path"},
}

// allocations are events of allocated objects, with the field that says how many bytes they stand for.
var allocations = map[string]string{
	"jdk.ObjectAllocationSample": "weight", "jdk.ObjectAllocationInNewTLAB": "tlabSize",
	"jdk.ObjectAllocationOutsideTLAB": "allocationSize",
}

// gauges are values of the whole program: event, field, what they are called, unit and by what they are multiplied.
var gauges = []struct {
	event, field, group, unit string
	times                     float64
}{
	{"jdk.GCHeapSummary", "heapUsed", "heap used", "B", 1},
	{"jdk.CPULoad", "jvmUser", "processor load, program", "%", 100},
	{"jdk.CPULoad", "jvmSystem", "processor load, program in the kernel", "%", 100},
	{"jdk.CPULoad", "machineTotal", "processor load, machine", "%", 100},
	{"jdk.JavaThreadStatistics", "activeCount", "threads", "", 1},
	{"jdk.ResidentSetSize", "size", "resident memory", "B", 1},
}

// thread is a thread of the recording.
type thread struct {
	*trace.Thread
	waits     *trace.Track
	allocated float64 // bytes so far
}

// event takes an event of a chunk.
func (d *decoder) event(c *chunk, v value, at int64) {
	begin := c.nanos - d.zero + c.ns(c.get(v, "startTime").n-c.ticks)
	if begin < -trace.MaxTime/2 || begin > trace.MaxTime/2 {
		d.b.Bad.Bad(trace.BadTime, at)
		return
	}
	name := v.of.name
	switch {
	case name == "jdk.ExecutionSample", name == "jdk.NativeMethodSample", name == "profiler.WallClockSample":
		if t := d.thread(c, c.get(v, "sampledThread")); t != nil {
			t.Sample(begin, d.stack(c, c.get(v, "stackTrace", "frames")))
		}
	case allocations[name] != "":
		if t := d.thread(c, c.get(v, "eventThread")); t != nil {
			bytes := c.get(v, allocations[name]).n
			d.allocate(c, v, begin, bytes)
			t.allocated += float64(bytes)
			d.b.Value(d.b.Counter(t.Process(), []byte("allocated "+t.ID), func() model.SeriesDef {
				return model.SeriesDef{Name: t.Name, Group: "allocated", Unit: "B", Kind: model.SeriesCounter}
			}), begin, t.allocated, at)
		}
	case name == "jdk.JVMInformation":
		d.b.Info.PID = c.get(v, "pid").n
	case name == "jdk.InitialSystemProperty" && c.get(v, "key").text == "sun.java.command":
		program, _, _ := strings.Cut(c.get(v, "value").text, " ")
		d.process().Name = program
	default:
		d.lasting(c, v, begin)
		d.gauges(c, v, begin, at)
	}
}

// allocate takes the stack of an allocation, into the thread that has all of them.
func (d *decoder) allocate(c *chunk, v value, ns, bytes int64) {
	if d.allocated == nil {
		if d.allocated = d.b.Thread([]byte(d.process().ID), []byte("allocations")); d.allocated == nil {
			d.b.Bad.Bad(trace.ManyThreads, trace.Unknown)
			return
		}
		d.allocated.Name, d.allocated.Sort = "Allocations", math.MaxInt64
	}
	d.allocated.Allocation(ns, d.stack(c, c.get(v, "stackTrace", "frames")), bytes)
}

// lasting takes an event with a length: a wait of a thread, or a pause of the garbage collector.
func (d *decoder) lasting(c *chunk, v value, begin int64) {
	end := begin + c.ns(min(max(c.get(v, "duration").n, 0), trace.MaxTime/2))
	if end > trace.MaxTime {
		return
	}
	wait, ok := waits[v.of.name]
	switch {
	case v.of.name == "jdk.GarbageCollection":
		cause := cmp.Or(c.get(v, "cause").text, "unknown cause")
		d.track(&d.gc, "Garbage collections").Span(begin, end, d.symbol(c.get(v, "name").text+": "+cause))
	case v.of.name == "jdk.GCPhasePause":
		d.track(&d.pauses, "Pauses of all threads").Span(begin, end, d.symbol(c.get(v, "name").text))
	case ok:
		t := d.thread(c, c.get(v, "eventThread"))
		if t == nil {
			return
		}
		what := c.get(v, wait.field)
		text := strings.TrimSpace(wait.name + " " + cmp.Or(what.text, className(c, what)))
		d.track(&t.waits, "Waits of "+cmp.Or(t.Name, t.ID)).Span(begin, end, d.symbol(text))
	}
}

// track returns a track of the program, which it makes the first time.
func (d *decoder) track(t **trace.Track, title string) *trace.Track {
	if *t == nil {
		if *t = d.b.NewTrack(); *t == nil {
			*t = &d.nowhere.Track
			return *t
		}
		d.process().Attach(*t, d.symbol(title))
	}
	return *t
}

func (d *decoder) gauges(c *chunk, v value, ns, at int64) {
	for _, g := range gauges {
		if v.of.name != g.event {
			continue
		}
		x := c.get(v, g.field)
		d.b.Value(d.b.Counter(d.process(), []byte(g.group), func() model.SeriesDef {
			return model.SeriesDef{Group: g.group, Unit: g.unit, Kind: model.SeriesGauge}
		}), ns, (x.f+float64(x.n))*g.times, at)
	}
}

// thread returns a thread by its description, nil if there is none.
func (d *decoder) thread(c *chunk, v value) *thread {
	id := cmp.Or(c.get(v, "osThreadId").n, c.get(v, "javaThreadId").n)
	if v.of == nil || id == 0 {
		return nil
	}
	t := d.threads[id]
	if t == nil {
		x := d.b.Thread([]byte(d.process().ID), fmt.Append(nil, id))
		if x == nil {
			d.b.Bad.Bad(trace.ManyThreads, trace.Unknown)
			return nil
		}
		t = &thread{Thread: x}
		d.threads[id] = t
	}
	if name := cmp.Or(c.get(v, "javaName").text, c.get(v, "osName").text); name != "" {
		t.Name = trace.Shown(name)
	}
	return t
}

// stack returns the calls of a stack, the outermost first.
func (d *decoder) stack(c *chunk, frames value) []trace.Symbol {
	d.calls = d.calls[:0]
	for i := len(frames.list) - 1; i >= 0 && len(d.calls) < trace.MaxDepth; i-- {
		method := c.get(frames.list[i], "method")
		name := c.get(method, "name").text
		if of := className(c, c.get(method, "type")); of != "" {
			name = of + "." + name
		}
		call := d.symbol(cmp.Or(name, "(unknown)"))
		d.b.Locate(call, trace.EmptySymbol, c.get(frames.list[i], "lineNumber").n)
		d.calls = append(d.calls, call)
	}
	return d.calls
}

// className returns the name of a class, with dots. Those of hidden classes, such as lambdas, are without the address
// that each run gives them.
func className(c *chunk, v value) string {
	name, _, _ := strings.Cut(strings.ReplaceAll(c.get(v, "name").text, "/", "."), "+0x")
	if lambda, _, ok := strings.Cut(name, "$$Lambda"); ok {
		return lambda + "$$Lambda"
	}
	return name
}

func (d *decoder) symbol(text string) trace.Symbol { return d.b.Symbol([]byte(text)) }
