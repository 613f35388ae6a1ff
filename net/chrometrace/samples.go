package chrometrace

import (
	"strconv"

	"framescope/net/trace"
)

// mostStack is how many calls a stack may have.
const mostStack = trace.MaxDepth

// profile is a CPU profile of V8 in a trace: its events bring nodes of the call tree, samples, and the times between
// these (spec/cpuprofile.md has the same parts in a file of their own).
type profile struct {
	thread *trace.Thread
	nodes  map[string]node
	micros int64 // of the newest sample
}

// node is a call of a tree, or a frame of stackFrames.
type node struct {
	name   trace.Symbol
	parent string
}

// isProfile reports whether an event is a part of a CPU profile.
func (ev *event) isProfile() bool {
	switch string(ev.name) {
	case "Profile", "ProfileChunk", "CpuProfile":
		return trace.Member(ev.args, "data") != nil
	}
	return false
}

// profileEvent takes a part of a CPU profile. Its samples stand on a track of their own below the spans of the thread
// that was profiled.
func (d *decoder) profileEvent(th *trace.Thread, ev *event, ns, at int64) {
	key := th.Process().ID + "\x00" + string(ev.id)
	data := trace.Member(ev.args, "data")
	p := d.profiles[key]
	if p == nil {
		sampled := d.sampledThread(th)
		if sampled == nil || !d.room.Take(256) {
			d.b.Bad.Bad(trace.ManyThreads, at)
			return
		}
		p = &profile{thread: sampled, nodes: map[string]node{}, micros: ns / 1000}
		d.profiles[key] = p
	}
	if start, ok := trace.ParseTime(trace.Member(data, "startTime"), 3); ok {
		p.micros = start.Round() / 1000
	}
	tree := trace.Member(data, "cpuProfile")
	trace.EachJSON(trace.Member(tree, "nodes"), func(_, value []byte, _ byte) { d.node(p, value, at) })
	deltas := trace.Member(data, "timeDeltas")
	if deltas == nil {
		deltas = trace.Member(tree, "timeDeltas")
	}
	d.sampleAll(p, trace.Member(tree, "samples"), deltas, at)
}

// node takes a node of the call tree: it names its parent, or its children.
func (d *decoder) node(p *profile, value []byte, at int64) {
	if !d.room.Take(96) {
		d.b.Bad.Bad(trace.NoMemoryForNames, at)
		return
	}
	id := string(trace.Member(value, "id"))
	n := p.nodes[id]
	call := trace.Member(value, "callFrame")
	n.name = d.b.JSONSymbol(functionName(call))
	if url := trace.Member(call, "url"); len(url) > 0 {
		d.locate(n.name, url, trace.Member(call, "lineNumber"), 1)
	}
	if parent := trace.Member(value, "parent"); parent != nil {
		n.parent = string(parent)
	}
	p.nodes[id] = n
	trace.EachJSON(trace.Member(value, "children"), func(_, child []byte, _ byte) {
		if d.room.Take(96) {
			x := p.nodes[string(child)]
			x.parent = id
			p.nodes[string(child)] = x
		}
	})
}

// functionName returns the name of a function; of one without a name an empty one does for all.
func functionName(callFrame []byte) []byte {
	if name := trace.Member(callFrame, "functionName"); len(name) > 0 {
		return name
	}
	return []byte("(anonymous)")
}

// sampleAll takes the samples of a part of a profile, each a time behind the one before.
func (d *decoder) sampleAll(p *profile, samples, deltas []byte, at int64) {
	var times []int64
	trace.EachJSON(deltas, func(_, value []byte, _ byte) {
		n, _ := strconv.ParseInt(string(value), 10, 48)
		times = append(times, n)
	})
	i := 0
	trace.EachJSON(samples, func(_, value []byte, _ byte) {
		if i < len(times) {
			p.micros += times[i]
		}
		i++
		if p.micros > trace.MaxTime/1000 || p.micros < -trace.MaxTime/1000 {
			d.b.Bad.Bad(trace.BadTime, at)
			return
		}
		p.thread.Sample(p.micros*1000, d.stack(p.nodes, string(value)))
	})
}

// stack returns the calls of a node, the outermost first. The root is none, and idle is no call at all.
func (d *decoder) stack(nodes map[string]node, id string) []trace.Symbol {
	d.calls = d.calls[:0]
	for range mostStack {
		n, ok := nodes[id]
		if !ok {
			break
		}
		switch d.b.Words(n.name) {
		case "(idle)":
			return nil
		case "(root)":
		default:
			d.calls = append(d.calls, n.name)
		}
		id = n.parent
	}
	for i, k := 0, len(d.calls)-1; i < k; i, k = i+1, k-1 {
		d.calls[i], d.calls[k] = d.calls[k], d.calls[i]
	}
	return d.calls
}

// sampledThread returns the track for the samples of a thread.
func (d *decoder) sampledThread(th *trace.Thread) *trace.Thread {
	s := d.sampled[th]
	if s == nil {
		if s = d.b.Thread([]byte(th.Process().ID), []byte("samples of "+th.ID)); s == nil {
			return nil
		}
		d.sampled[th] = s
	}
	return s
}

// nameSampled names the tracks of samples after their threads, and puts them below these.
func (d *decoder) nameSampled() {
	for th, s := range d.sampled {
		s.Name, s.Sort = "Samples of "+th.ID, th.Sort
		if th.Name != "" {
			s.Name = "Samples of " + th.Name
		}
	}
}

// globalSamples takes the samples that stand beside the events, with their stacks (Trace Event Format, Global
// samples). Chrome's have no process: it is that of the events of their thread.
func (d *decoder) globalSamples() {
	frames := map[string]node{}
	trace.Members(d.text.kept["stackFrames"], func(key, value []byte) {
		if d.room.Take(int64(len(key)) + 96) {
			frames[string(key)] = node{
				d.b.JSONSymbol(trace.Member(value, "name")), string(trace.Member(value, "parent")),
			}
		}
	})
	processOf := d.b.ProcessesByThread()
	trace.EachJSON(d.text.kept["samples"], func(_, value []byte, _ byte) {
		time, ok := trace.ParseTime(trace.Member(value, "ts"), 3)
		pid, tid := trace.Member(value, "pid"), trace.Member(value, "tid")
		if pid == nil {
			pid = []byte(processOf[string(tid)])
		}
		th := d.threadOf(pid, tid)
		if !ok || th == nil {
			d.b.Bad.Bad(trace.BadTime, trace.Unknown)
			return
		}
		if s := d.sampledThread(th); s != nil {
			s.Sample(time.Round(), d.stack(frames, string(trace.Member(value, "sf"))))
		}
	})
	d.text.kept = nil
}
