// Package decode turns the messages of one client, or a session file, into the model's terms:
// definitions, and frames with nested spans, self times and levels. It owns the order of frames and
// the rules of nesting, and reads the threads of a large file at the same time. It knows the wire,
// session files and feed.Sink, and nothing of sockets and journals.
package decode

import (
	"fmt"
	"slices"

	"framescope/assets"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// Limits of the decoder's memory for one client.
const (
	maxTracks = 1 << 17 // tracks of a session; indices that are reused beyond share the last one
	lossEvery = 64      // frames between two reports of the same kind of loss
)

// Options says where the data come from.
type Options struct {
	// Peer is the client's address, or the path of the file.
	Peer string
	// File marks a recording, not a live connection.
	File bool
	// Replay marks a live session that is played again from disk: a recording for the user, but
	// decoded as it was when live.
	Replay bool
}

// Decoder turns the messages of one client into the model's terms and sends them to a sink:
// definitions as model changes, each frame as a batch with nested spans, the self time of each
// collector and the levels. It is a Handler: one goroutine at a time may call it.
//
// Frames may come in any order within a window of the newest 4,096 frames or 4 MiB of each thread: a
// late one is put in its place, and those after it are published again, since spans across their
// borders may change. In order, a frame costs no allocation.
type Decoder struct {
	sink      feed.Sink
	opt       Options
	info      model.Info
	threads   []*thread // by index on the wire
	numTracks model.TrackID
	cols      map[int32]pstats.CollectorDef
	ignore    int32 // collector with events left out of the timeline, -1 none

	nest   nestPass
	events []event
	levels levelPass
	window windowPool

	loss      [model.NumLossReasons]pendingLoss
	cancelled bool
	closed    bool
	warned    bool // that no datagrams come
}

// New returns a decoder that writes to sink.
func New(sink feed.Sink, opt Options) *Decoder {
	d := &Decoder{sink: sink, opt: opt, cols: map[int32]pstats.CollectorDef{}, ignore: -1}
	d.info = model.Info{
		Source: "pstats", Peer: opt.Peer, PID: -1, Version: "PStats", File: opt.File || opt.Replay,
		Clock: model.Clock{Float32Seconds: true},
	}
	d.window.held = feed.HeldOf(sink)
	d.window.settle = func(th *thread) { d.publishLate(th, true) }
	d.nest.setIntern(&pathIntern{define: func(def model.PathDef) { sink.Define(def) }}, true)
	return d
}

// Cancelled reports whether the sink wants no more, because the loading of a file was cancelled.
func (d *Decoder) Cancelled() bool { return d.cancelled }

// Hello implements Handler.
func (d *Decoder) Hello(h pstats.ClientHello) {
	d.info.Host, d.info.Program, d.info.PID = short(h.Host), short(h.Program), h.PID
	d.info.Version = "PStats"
	if h.Version != (pstats.Version{}) {
		d.info.Version = "PStats " + h.Version.String()
	}
	d.sink.Define(d.info)
}

// Collectors implements Handler. Definitions with a negative index are ignored and counted;
// identical repetitions are dropped.
func (d *Decoder) Collectors(defs []pstats.CollectorDef) {
	names := false
	for _, def := range defs {
		if def.Index < 0 {
			d.lose(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 1}, func() string {
				return fmt.Sprintf("definition of collector %d %q ignored: negative index", def.Index, def.Name)
			})
			continue
		}
		def.Name, def.Units = short(def.Name), short(def.Units)
		if old, ok := d.cols[int32(def.Index)]; ok && old == def {
			continue
		}
		d.cols[int32(def.Index)] = def
		names = true
		d.sink.Define(modelCollector(def))
	}
	if names {
		d.findIgnored()
	}
}

// short cuts a name to a readable length.
func short(name string) string { return pstats.Short(name, pstats.MaxName) }

// modelCollector translates a definition. Bounds of parents and cycles are the store's to check,
// since they depend on all definitions.
func modelCollector(def pstats.CollectorDef) model.CollectorDef {
	c := model.CollectorDef{
		ID: model.CollectorID(def.Index), Name: def.Name, Parent: model.CollectorID(def.Parent), Sort: int(def.Sort),
		Unit: def.Units, Scale: finite(def.Scale), Factor: finite(def.Factor),
	}
	if def.R != 0 || def.G != 0 || def.B != 0 {
		c.Color.R, c.Color.G, c.Color.B = assets.LinearToSRGB(def.R, def.G, def.B)
		c.Color.Set = true
	}
	return c
}

func finite(f float32) float64 {
	if f-f != 0 {
		return 0
	}
	return float64(f)
}

// findIgnored looks for App:Show code:General. Clients of 1.10 start and stop it inside out, which
// would destroy the nesting (VIEWER.md section 11.2).
func (d *Decoder) findIgnored() {
	d.ignore = -1
	for i, c := range d.cols {
		if c.Name == "General" && c.Parent != 0 {
			show := d.cols[int32(c.Parent)]
			app := d.cols[int32(show.Parent)]
			if show.Name == "Show code" && show.Parent != 0 && app.Name == "App" && app.Parent == 0 {
				d.ignore = i
				return
			}
		}
	}
}

// Threads implements Handler. A thread is on screen once it has a name or data; an expired index
// that gets another name is another thread.
func (d *Decoder) Threads(first int, names []string) {
	if d.opt.File {
		d.flushLosses() // those of the thread before
	}
	for i, name := range names {
		index, name := first+i, short(name)
		if index < 0 || index > 0xffff {
			d.lose(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: int64(len(names) - i)}, func() string {
				return fmt.Sprintf("names of threads from %d on ignored: indices end at 65535", index)
			})
			return
		}
		th := d.thread(index)
		// the file holds the thread in pieces: each is put in order, but not mixed with the one before
		if d.opt.File && th.frames > 0 {
			d.publishLate(th, true)
			d.window.empty(th)
			th.window.base = th.newest
		}
		if th.expired && name != "" && name != th.name {
			th = d.replaceThread(index)
		}
		if name == th.name && (th.shown || name == "") {
			continue
		}
		th.setName(name)
		if th.shown || name != "" {
			d.show(th)
		}
	}
}

// Expire implements Handler.
func (d *Decoder) Expire(index int) {
	if index < 0 || index >= len(d.threads) || d.threads[index] == nil {
		return // nothing was ever heard of it
	}
	th := d.threads[index]
	if !th.expired {
		th.expired = true
		if th.shown {
			d.sink.Define(model.TrackEnd{ID: th.track})
		}
	}
}

// Lost implements Handler.
func (d *Decoder) Lost(l model.Loss) {
	l.Track = model.NoTrack
	d.sink.Define(l)
	if l.Reason == model.LossWay && !d.warned {
		d.warned = true
		d.sink.Define(model.Warning{Text: pstats.NoDatagrams})
	}
}

// Close implements Handler.
func (d *Decoder) Close(reason string) {
	if d.closed {
		return
	}
	d.closed = true
	for _, th := range d.threads {
		for ; th != nil; th = th.old {
			d.publishLate(th, true)
		}
	}
	d.flushLosses()
	d.window.close()
	d.sink.Define(model.End{Reason: reason})
}

// thread returns the thread that has an index now.
func (d *Decoder) thread(index int) *thread {
	if index >= len(d.threads) || d.threads[index] == nil {
		d.setThread(newThread(index))
	}
	return d.threads[index]
}

// setThread gives an index to a thread.
func (d *Decoder) setThread(th *thread) {
	if th.index >= len(d.threads) {
		d.threads = slices.Grow(d.threads, th.index+1-len(d.threads))[:th.index+1]
	}
	d.threads[th.index] = th
}

// replaceThread begins a new thread for an index that is used again.
func (d *Decoder) replaceThread(index int) *thread {
	old := d.threads[index]
	if d.numTracks >= maxTracks {
		d.lose(model.Loss{Reason: model.LossLimit, Track: old.track, N: 1}, func() string {
			return fmt.Sprintf("thread %d is used again, and %d tracks are the most: both share one", index, maxTracks)
		})
		return old
	}
	if old.shown && !old.expired {
		d.sink.Define(model.TrackEnd{ID: old.track})
	}
	if old.old != nil {
		d.publishLate(old.old, true)
		d.window.release(old.old)
		old.old = nil
	}
	th := newThread(index)
	th.setName(old.name)
	th.old = old
	d.threads[index] = th
	return th
}

// show gives a thread its track, or defines it again.
func (d *Decoder) show(th *thread) {
	if !th.shown {
		th.shown = true
		th.track = d.numTracks
		d.numTracks++
	}
	def := model.TrackDef{ID: th.track, Name: th.name, Index: th.index, OwnClock: th.clock != nil && !th.clock.known}
	if th.gpu() {
		def.Kind = model.TrackGPU
	}
	if c := th.clock; c != nil && c.known && c.shiftNs != 0 {
		def.ShiftNs, def.ShiftSpreadNs, def.ShiftFrames = c.shiftNs, c.spreadNs, min(c.n, clockFrames)
	}
	d.sink.Define(def)
}

// pendingLoss gathers losses of a kind, so that a hostile client cannot flood the log.
type pendingLoss struct {
	sum      model.Loss
	events   int
	reported bool
}

// lose counts losses. Of a live session the first is reported at once and later ones are gathered;
// those of a file are gathered for each thread. detail is only called when its text is wanted.
func (d *Decoder) lose(l model.Loss, detail func() string) {
	if d.opt.File && l.Reason == model.LossMalformed && l.N > 0 {
		l.Track = model.NoTrack // it is the file that is damaged
	}
	p := &d.loss[l.Reason]
	if p.events == 0 {
		l.Detail = detail()
		p.sum = l
	} else {
		if p.sum.Track != l.Track {
			p.sum.Track = model.NoTrack
		}
		p.sum.Add(l)
	}
	p.events++
	if !d.opt.File && (!p.reported || p.events >= lossEvery) {
		p.reported = true
		d.flushLoss(l.Reason)
	}
}

func (d *Decoder) flushLoss(reason model.LossReason) {
	p := &d.loss[reason]
	if p.events == 0 {
		return
	}
	d.sink.Define(p.sum)
	p.sum, p.events = model.Loss{}, 0
}

func (d *Decoder) flushLosses() {
	for reason := range d.loss {
		d.flushLoss(model.LossReason(reason))
	}
}

// dropLosses forgets the pending losses.
func (d *Decoder) dropLosses() { d.loss = [model.NumLossReasons]pendingLoss{} }
