package spall

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// frameNames are the names of calls that are frames, where one thread made two of them or more.
var frameNames = []string{"frame", "Frame", "main loop", "tick"}

// argsKey is under which the text of a call is shown that stands beside its name.
var argsKey = []byte("args")

// decoder hands the events of a file to a builder.
type decoder struct {
	b       *trace.Builder
	clock   clock
	threads map[key]*trace.Thread
	pids    map[uint32]bool // of these
	cur     *trace.Thread
	curKey  key
}

func newDecoder(sink feed.Sink, room *feed.Names, path string, frames feed.Frames) *decoder {
	d := &decoder{threads: map[key]*trace.Thread{}, pids: map[uint32]bool{}}
	d.b = trace.NewBuilder(sink, room, trace.Options{
		Root: "All calls", Frames: frames, FrameNames: frameNames, LeastFrames: 2, EmptyThreads: true,
		EndWithThread: true,
	})
	d.b.Info = model.Info{Source: "spall", Program: filepath.Base(path), Peer: path, PID: -1, File: true}
	return d
}

// begin takes the header.
func (d *decoder) begin(version uint64, unit float64) {
	d.clock = clock{version: version, ns: unit}
	if version == 1 {
		d.clock.ns = unit * 1000
	}
	d.b.Info.Version = fmt.Sprintf("Spall version %d", version)
}

// thread returns the thread of an event, nil if there is no room for it.
func (d *decoder) thread(k key) *trace.Thread {
	if d.cur != nil && d.curKey == k {
		return d.cur
	}
	t := d.threads[k]
	if t == nil {
		if t = d.b.Thread(fmt.Append(nil, k.pid), fmt.Append(nil, k.tid)); t == nil {
			return nil
		}
		d.threads[k], d.pids[k.pid] = t, true
	}
	d.cur, d.curKey = t, k
	return t
}

// addEvent adds an event.
func (d *decoder) addEvent(e *event) {
	t := d.thread(e.key)
	if t == nil {
		d.b.Bad.Bad(trace.ManyThreads, e.at)
		return
	}
	switch e.kind {
	case nameThread:
		t.Name = trace.Shown(string(e.name))
	case nameProcess:
		t.Process().Name = trace.Shown(string(e.name))
	case begin, end:
		ns, ok := d.clock.time(e)
		if !ok { // left out it would shift the nesting
			d.b.Bad.Bad(trace.BadTime, e.at)
			ns = t.Last()
		}
		ns = t.InOrder(ns, e.at)
		if e.kind == end {
			t.End(ns, trace.NoSymbol)
			return
		}
		event := t.Begin(ns, d.b.Symbol(e.name))
		if len(e.args) > 0 {
			d.b.Args.Text(event, argsKey, trace.Plain(e.args))
		}
	}
}

// clock turns the times of events into ns. It subtracts the first event's time before scaling: large times, such as
// ticks since the start of a machine, would lose their last digits.
type clock struct {
	version uint64
	set     bool
	ns      float64 // a tick takes
	ticks   uint64  // of the first event
	when    float64
	most    float64
}

// time returns when an event was, from the first one on; ok is false where that is no number, or no time that can be.
func (c *clock) time(e *event) (ns int64, ok bool) {
	if c.version == 1 {
		if math.IsNaN(e.when) || math.IsInf(e.when, 0) {
			return 0, false
		}
		if !c.set {
			c.set, c.when = true, e.when
		}
		c.most = max(c.most, math.Abs(e.when))
		return c.scale(e.when - c.when)
	}
	if !c.set {
		c.set, c.ticks = true, e.ticks
	}
	d := int64(e.ticks - c.ticks)
	if c.ns == 1 {
		return d, d > model.MinTime/2 && d < model.MaxTime/2
	}
	return c.scale(float64(d))
}

func (c *clock) scale(ticks float64) (ns int64, ok bool) {
	t := ticks * c.ns
	return int64(math.Round(t)), math.Abs(t) <= model.MaxTime/2
}

// step returns the resolution of the clock: a tick, or the spacing of the floats of version 1 at the latest time.
func (c *clock) step() int64 {
	ns := c.ns
	if c.most > 0 {
		ns = c.ns * (math.Nextafter(c.most, math.Inf(1)) - c.most)
	}
	return int64(math.Round(min(max(ns, 1), 1e12)))
}

var order = binary.LittleEndian
