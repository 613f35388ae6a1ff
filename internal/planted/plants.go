package planted

import (
	"math"
	"slices"
)

// Kind is a kind of hitches.
type Kind string

// The kinds of hitches. How is what the last link of the chain says.
const (
	OwnLonger        Kind = "own work longer"          // longer, on the main thread
	MoreCalls        Kind = "more calls"               // more_calls
	Newcomer         Kind = "newcomer"                 // new
	Lock             Kind = "lock"                     // a bystander holds it: longer or new there
	OtherLonger      Kind = "another thread, longer"   // of those that work for the main thread
	OtherMore        Kind = "another thread, more"     // more_calls there
	OtherNew         Kind = "another thread, newcomer" // new there
	ChainOfThree     Kind = "chain of three"           // main thread, its server or a bystander, a bystander
	GPU              Kind = "gpu"                      // longer, more_calls or new on the GPU
	GC               Kind = "gc"                       // new, in the midst of the main thread's work
	GCStop           Kind = "gc on its own thread"     // the main thread stands still: new there
	IOWait           Kind = "i/o wait"                 // a wait that nothing in the session ends: unknown
	NotMeasured      Kind = "not measured"             // no collector covers it
	NotMeasuredOther Kind = "not measured elsewhere"   // on a thread that the main thread waits for
	Spread           Kind = "spread"                   // all of the main thread a little longer
	PartLonger       Kind = "a part longer"            // all that is in a collector: longer or spread
	TwoCauses        Kind = "two causes"               // the second is in others
	Burst            Kind = "burst"                    // the same in several frames on end
	Periodic         Kind = "periodic"                 // the same again and again
	FirstOfPhase     Kind = "first of a phase"         // a newcomer in the first frame of a phase or of the session

	ReadsFile     Kind = "reads a file"            // new, on the main thread
	Helps         Kind = "helps while waiting"     // the main thread does a job that its workers have
	Allocates     Kind = "allocates"               // new, and called very often
	Deep          Kind = "deep in calls"           // longer, innermost
	Slight        Kind = "slight"                  // a newcomer that makes the frame just a hitch
	Stopped       Kind = "all stopped"             // by a debugger or the system: not measured, on all threads at once
	AllSlower     Kind = "all slower"              // the clock of the processor is lower
	RefreshMissed Kind = "refresh missed"          // by little, with vsync
	Shader        Kind = "shader"                  // new on the thread that draws
	DrawCalls     Kind = "draw calls"              // more_calls there
	Upload        Kind = "upload"                  // new on the GPU
	Spins         Kind = "spins"                   // the main thread spins until a bystander is ready
	Streams       Kind = "streaming"               // it waits until one has read something
	NetworkWait   Kind = "network wait"            // nothing in the session ends it: unknown
	QueueLock     Kind = "lock of the queue"       // its workers wait until a bystander lets go the lock
	OneDoesAll    Kind = "one does all"            // one of the workers has the jobs of all: more_calls there
	ChainOfFour   Kind = "chain of four"           // its server waits for a bystander, and that for another
	Fiber         Kind = "fiber goes on elsewhere" // one of its workers begins when what a job needs is there
	Inversion     Kind = "priority inversion"      // a lock, while another bystander has the processor of who holds it
)

// The kinds of what lasts, see Options.Lasts.
const (
	Step  Kind = "step that lasts" // a part takes longer from some frame on
	Drift Kind = "drift"           // it takes longer and longer
)

// absorbed is work that a limiter makes up for: no hitch.
const absorbed Kind = "absorbed"

// Kinds are all of them.
var Kinds = []Kind{
	OwnLonger, MoreCalls, Newcomer, Lock, OtherLonger, OtherMore, OtherNew, ChainOfThree, GPU, GC, GCStop, IOWait,
	NotMeasured,
	NotMeasuredOther, Spread, PartLonger, TwoCauses, Burst, Periodic, FirstOfPhase, ReadsFile, Helps, Allocates, Deep,
	Slight,
	Stopped, AllSlower, RefreshMissed, Shader, DrawCalls, Upload, Spins, Streams, NetworkWait, QueueLock, OneDoesAll,
	ChainOfFour,
	Fiber, Inversion,
}

// plant is a hitch that is planted.
type plant struct {
	kind    Kind
	frame   int
	frames  int     // on end
	factor  float64 // how many times as long as usual the frame is to be
	extraNs float64 // what makes it so
	ops     []*op
	chain   []Link
	others  []Link
}

// planters make a plant what its kind says; false: the game has no place for it there. They are set
// by init, as the kinds that vary others ask for them.
var planters map[Kind]func(w *world, p *plant) bool

func init() {
	planters = map[Kind]func(w *world, p *plant) bool{
		OwnLonger:        func(w *world, p *plant) bool { return w.longer(p, 0, nil, 1) },
		MoreCalls:        func(w *world, p *plant) bool { return w.more(p, 0, nil) },
		Newcomer:         func(w *world, p *plant) bool { return w.newcomer(p, 0, nil, 1, p.newName(w)) },
		Lock:             func(w *world, p *plant) bool { return w.lockOn(p, 0, nil, w.lockWait, 1) },
		OtherLonger:      func(w *world, p *plant) bool { return w.elsewhere(p, w.longerThere) },
		OtherMore:        func(w *world, p *plant) bool { return w.elsewhere(p, w.more) },
		OtherNew:         func(w *world, p *plant) bool { return w.elsewhere(p, w.newThere) },
		NotMeasuredOther: func(w *world, p *plant) bool { return !w.flat() && w.elsewhere(p, w.gap) },
		ChainOfThree:     (*world).chainOfThree,
		GPU:              func(w *world, p *plant) bool { return w.gpu != nil && w.onGPU(p) },
		GC:               (*world).collect,
		GCStop:           (*world).stopTheWorld,
		IOWait:           func(w *world, p *plant) bool { return w.waitFor(p, w.ioWait) },
		NotMeasured:      func(w *world, p *plant) bool { return w.gap(p, 0, nil) },
		Spread:           (*world).spread,
		PartLonger:       (*world).partLonger,
		TwoCauses:        (*world).twoCauses,
		Burst:            (*world).burst,
		Periodic:         (*world).again,
		FirstOfPhase:     func(w *world, p *plant) bool { return w.newcomer(p, 0, nil, 1, p.newName(w)) },
		ReadsFile:        func(w *world, p *plant) bool { return w.newcomer(p, 0, nil, 1, "Read file") },
		Helps: func(w *world, p *plant) bool {
			return len(w.servers) > 1 && w.newcomer(p, 0, nil, 1, "Help with jobs")
		},
		Allocates: (*world).allocate, Deep: (*world).deep, Slight: (*world).slight,
		Stopped:       func(w *world, p *plant) bool { return w.together() && w.gap(p, 0, nil) && w.onServers(p, gap, 1) },
		AllSlower:     func(w *world, p *plant) bool { return w.together() && w.spread(p) && w.onServers(p, slower, 0.5) },
		RefreshMissed: (*world).missRefresh,
		Shader:        func(w *world, p *plant) bool { return w.newcomer(p, w.drawer, w.toDrawer(), 1, "Compile shader") },
		DrawCalls:     func(w *world, p *plant) bool { return w.more(p, w.drawer, w.toDrawer()) },
		Upload: func(w *world, p *plant) bool {
			return w.gpu != nil && w.newcomer(p, w.gpuThread(), w.toGPU(), 1, "Upload texture")
		},
		Spins:       func(w *world, p *plant) bool { return w.lockOn(p, 0, nil, w.wait(waitSync, "Wait:Spin"), 1) },
		Streams:     func(w *world, p *plant) bool { return w.lockOn(p, 0, nil, w.ioWait, 1) },
		NetworkWait: func(w *world, p *plant) bool { return w.waitFor(p, w.wait(waitIO, "Wait:Network")) },
		QueueLock: func(w *world, p *plant) bool {
			return w.elsewhere(p, func(p *plant, thread int, to []Link) bool {
				return w.lockOn(p, thread, to, w.wait(waitLock, "Wait:Queue lock"), 1)
			})
		},
		OneDoesAll:  func(w *world, p *plant) bool { return w.o.Game == Jobs && w.elsewhere(p, w.doAll) },
		ChainOfFour: (*world).chainOfFour,
		Fiber:       func(w *world, p *plant) bool { return w.o.Game == Jobs && w.elsewhere(p, w.goesOn) },
		Inversion: func(w *world, p *plant) bool {
			return len(w.loopers) > 1 && w.lockOn(p, 0, nil, w.lockWait, 1) && w.distract(p)
		},
	}
}

// onServers slows all servers as the main thread is slowed, by a share of that.
func (w *world) onServers(p *plant, what opKind, share float64) bool {
	for _, s := range w.servers {
		base := 0.0
		for _, t := range w.trees(s.thread) {
			base += t.ns()
		}
		at := w.trees(s.thread)[0]
		p.ops = append(p.ops, &op{what: what, thread: s.thread, frame: p.frame, plant: p, at: at, share: share, baseNs: base})
	}
	return true
}

// allocate makes a newcomer that is called very often.
func (w *world) allocate(p *plant) bool {
	if !w.newcomer(p, 0, nil, 1, "Allocate") {
		return false
	}
	t := p.ops[len(p.ops)-1].task
	t.calls, t.share, t.children = 150, 1, nil
	p.chain[len(p.chain)-1].Or = []string{"more_calls"}
	return true
}

// deep makes an innermost call longer.
func (w *world) deep(p *plant) bool {
	at := w.somewhere(0, p.frame, (*task).leaf)
	return p.do(&op{what: longer, thread: 0, at: at}, nil, w.link(0, at.collector, "longer"))
}

func (w *world) slight(p *plant) bool {
	p.factor = 1
	return w.newcomer(p, 0, nil, 1, p.newName(w))
}

// missRefresh makes work so much longer that a frame is not ready in time.
func (w *world) missRefresh(p *plant) bool {
	p.factor = 1.1
	return w.o.Limiter == VSync && w.longer(p, 0, nil, 1)
}

// doAll gives a worker many times its jobs.
func (w *world) doAll(p *plant, thread int, to []Link) bool {
	at := w.trees(thread)[0]
	if thread == w.drawer || !at.in(w.phaseOf(p.frame)) || float64(w.periodNs) < 2*at.ns() {
		return false
	}
	last := w.link(thread, at.collector, "more_calls")
	last.At = w.mostOf(at)
	return p.do(&op{what: more, thread: thread, at: at}, to, last)
}

// goesOn lets a worker begin late, as what it does waits for a bystander.
func (w *world) goesOn(p *plant, thread int, to []Link) bool {
	k := slices.IndexFunc(w.servers, func(s *server) bool { return s.thread == thread })
	h, last := w.holder(-1)
	idle := w.servers[k].idle
	return thread != w.drawer && idle >= 0 &&
		p.do(&op{what: late, thread: thread, by: h, wait: idle}, append(to, w.link(thread, idle, "waiting")), last)
}

// toDrawer is the chain to the thread that draws, toGPU that to the GPU.
func (w *world) toDrawer() (to []Link) {
	for _, s := range w.servers {
		if s.thread == w.drawer {
			to = w.toServer(s)
		}
	}
	return to
}

func (w *world) toGPU() []Link { return append(w.toDrawer(), w.link(w.drawer, w.flip, "waiting")) }

// chainOfFour lets a server wait for a thread that waits for another.
func (w *world) chainOfFour(p *plant) bool {
	return len(w.loopers) > 1 && w.elsewhere(p, func(p *plant, thread int, to []Link) bool {
		at := w.somewhere(thread, p.frame, whatever)
		return w.waitsThrough(p, at, thread, append(to, w.link(thread, w.lockWait, "waiting")))
	})
}

// waitsThrough lets a thread wait for a bystander that waits for another one.
func (w *world) waitsThrough(p *plant, at *task, thread int, to []Link) bool {
	first, _ := w.holder(-1)
	second, last := w.holder(first.looper)
	first.newcomer, first.next, first.wait = nil, second, w.wait(waitCondition, "Wait:Condition Variable")
	to = append(to, w.link(w.loopers[first.looper].thread, first.wait, "waiting"))
	return p.do(&op{what: waits, thread: thread, at: at, by: first, wait: w.lockWait}, to, last)
}

// link describes the anomaly of a thread.
func (w *world) link(thread, collector int, how string, or ...string) Link {
	l := Link{Thread: w.threads[thread], How: how, Or: or}
	if collector >= 0 {
		l.Collector = w.named(collector)
	}
	return l
}

// trees returns a thread's tasks in a frame.
func (w *world) trees(thread int) (trees []*task) {
	steps := w.main
	if thread == w.gpuThread() && w.gpu != nil {
		return []*task{w.gpu}
	}
	for _, s := range w.servers {
		if s.thread == thread {
			steps = s.steps
		}
	}
	for _, s := range steps {
		if s.kind == work {
			trees = append(trees, s.task)
		}
	}
	return trees
}

// somewhere returns one of a thread's tasks that run in a frame and satisfy ok.
func (w *world) somewhere(thread, frame int, ok func(*task) bool) *task {
	var all []*task
	for _, t := range w.trees(thread) {
		all = t.walk(all)
	}
	return w.anyOf(all, w.phaseOf(frame), ok)
}

func (w *world) anyOf(all []*task, phase int, ok func(*task) bool) *task {
	all = slices.DeleteFunc(all, func(t *task) bool { return !t.in(phase) || !ok(t) })
	if len(all) == 0 {
		return nil
	}
	return all[w.rnd.IntN(len(all))]
}

func whatever(*task) bool { return true }

// do adds an op to a plant, with its chain's last link.
func (p *plant) do(o *op, to []Link, last Link) bool {
	o.plant, o.frame = p, p.frame
	if o.share == 0 {
		o.share = 1
	}
	p.ops = append(p.ops, o)
	p.chain = append(slices.Clone(to), last)
	return true
}

func (w *world) longer(p *plant, thread int, to []Link, share float64) bool {
	at := w.somewhere(thread, p.frame, whatever)
	o := &op{what: longer, thread: thread, at: at, share: share, one: w.rnd.IntN(2) == 0}
	return p.do(o, to, w.link(thread, at.collector, "longer"))
}

func (w *world) longerThere(p *plant, thread int, to []Link) bool { return w.longer(p, thread, to, 1) }

// more calls a task some times as often; it is one of those for which these are not too many.
func (w *world) more(p *plant, thread int, to []Link) bool {
	at := w.somewhere(thread, p.frame, func(t *task) bool {
		ns := t.selfNs * w.load[w.phaseOf(p.frame)]
		return float64(w.periodNs)*p.factor < 300*ns && float64(w.periodNs)*0.4 > 2*float64(t.calls)*ns && t.parent != nil
	})
	if at == nil {
		return false
	}
	last := w.link(thread, at.collector, "more_calls")
	last.At = w.mostOf(at)
	return p.do(&op{what: more, thread: thread, at: at}, to, last)
}

// mostOf returns the names of the dominant parts of a task, from child to child.
func (w *world) mostOf(t *task) (names []string) {
	for whole := t.ns() / float64(t.calls); ; {
		k := slices.IndexFunc(t.children, func(c *task) bool { return c.ns() > 0.6*whole })
		if k < 0 {
			return names
		}
		t = t.children[k]
		names = append(names, w.named(t.collector))
	}
}

// newName returns a name for a newcomer; those that come again keep theirs.
func (p *plant) newName(w *world) string { return newNames[w.rnd.IntN(len(newNames))] }

// arrival makes a newcomer that runs after a task, of a name that is not in any frame yet.
func (w *world) arrival(after *task, name string) *task {
	if after.parent != nil {
		name = w.full(after.parent.collector) + ":" + name
	}
	for w.taken[name] {
		name += " again"
	}
	w.taken[name] = true
	t := &task{collector: w.collector(name), calls: 1, share: 1}
	if w.rnd.IntN(4) == 0 { // most of it is deeper down
		in := &task{collector: w.collector(name + ":" + pick(w.rnd, "Parse", "Copy", "Update")), calls: 1 + w.rnd.IntN(3),
			share: 0.9}
		t.share, t.children = 0.1, []*task{in}
	}
	return t
}

// arrived describes a newcomer: the task itself, or the children with its time.
func (w *world) arrived(thread int, t *task) Link {
	l := w.link(thread, t.collector, "new")
	for _, c := range t.children {
		l.At = append(l.At, w.named(c.collector))
	}
	return l
}

func (w *world) newcomer(p *plant, thread int, to []Link, share float64, name string) bool {
	after := w.somewhere(thread, p.frame, whatever)
	t := w.arrival(after, name)
	return p.do(&op{what: insert, thread: thread, at: after, task: t, share: share}, to, w.arrived(thread, t))
}

func (w *world) newThere(p *plant, thread int, to []Link) bool {
	return w.newcomer(p, thread, to, 1, p.newName(w))
}

func (w *world) gap(p *plant, thread int, to []Link) bool {
	at := w.trees(thread)[0]
	if w.rnd.IntN(2) == 0 && thread == 0 {
		at = w.trees(thread)[len(w.trees(thread))-1]
	}
	return p.do(&op{what: gap, thread: thread, at: at}, to, w.link(thread, -1, "not_measured"))
}

// toServer is the chain to a server: the main thread waits for it.
func (w *world) toServer(s *server) []Link {
	if s.by != nil {
		return append(w.toServer(s.by), w.link(s.by.thread, s.wait, "waiting"))
	}
	return []Link{w.link(0, s.wait, "waiting")}
}

// together reports whether all threads work at a frame at the same time.
func (w *world) together() bool { return w.o.Game != Jobs && w.o.Game != ThreeDeep }

// elsewhere plants an anomaly in a server.
func (w *world) elsewhere(p *plant, what func(p *plant, thread int, to []Link) bool) bool {
	if len(w.servers) == 0 {
		return false
	}
	s := w.servers[w.rnd.IntN(len(w.servers))]
	return what(p, s.thread, w.toServer(s))
}

// onGPU plants an anomaly in the GPU.
func (w *world) onGPU(p *plant) bool {
	gpu := w.gpuThread()
	to := w.toGPU()
	switch w.rnd.IntN(4) {
	case 0:
		return w.newThere(p, gpu, to)
	case 1:
		return w.more(p, gpu, to) || w.longerThere(p, gpu, to)
	}
	return w.longerThere(p, gpu, to)
}

// holder plants an anomaly in a looper while others wait for it. It never takes the looper not; below 0:
// it may take any.
func (w *world) holder(not int) (*held, Link) {
	h := &held{looper: w.rnd.IntN(len(w.loopers))}
	if h.looper == not {
		h.looper = (h.looper + 1) % len(w.loopers)
	}
	l := w.loopers[h.looper]
	h.job = l.jobs[w.rnd.IntN(len(l.jobs))]
	h.at = w.anyOf(h.job.walk(nil), 0, whatever)
	if h.at == nil {
		h.job, h.at = l.jobs[0], l.jobs[0]
	}
	if w.rnd.IntN(3) == 0 {
		h.newcomer = w.arrival(h.at, newNames[w.rnd.IntN(len(newNames))])
		return h, w.arrived(l.thread, h.newcomer)
	}
	return h, w.link(l.thread, h.at.collector, "longer")
}

// lockOn lets a thread wait in a collector for a bystander.
func (w *world) lockOn(p *plant, thread int, to []Link, wait int, share float64) bool {
	h, last := w.holder(-1)
	to = append(slices.Clone(to), w.link(thread, wait, "waiting"))
	at := w.somewhere(thread, p.frame, whatever)
	return p.do(&op{what: waits, thread: thread, at: at, by: h, wait: wait, share: share}, to, last)
}

// chainOfThree lets the main thread wait for a thread that waits for a third.
func (w *world) chainOfThree(p *plant) bool {
	if len(w.servers) > 0 && (w.rnd.IntN(3) > 0 || len(w.loopers) < 2) {
		return w.elsewhere(p, func(p *plant, thread int, to []Link) bool { return w.lockOn(p, thread, to, w.lockWait, 1) })
	}
	if len(w.loopers) < 2 {
		return false
	}
	at := w.somewhere(0, p.frame, whatever)
	return w.waitsThrough(p, at, 0, []Link{w.link(0, w.lockWait, "waiting")})
}

// collect plants a garbage collection in the middle of a task.
func (w *world) collect(p *plant) bool {
	at := w.somewhere(0, p.frame, whatever)
	mark := &task{collector: w.collector("GC:Mark"), calls: 1, share: 0.8}
	sweep := &task{collector: w.collector("GC:Sweep"), calls: 1, share: 0.17}
	t := &task{collector: w.collector("GC"), calls: 1, share: 0.03, children: []*task{mark, sweep}}
	last := w.link(0, t.collector, "new")
	last.At = []string{w.named(mark.collector)}
	return p.do(&op{what: insert, thread: 0, at: at, task: t}, nil, last)
}

// stopTheWorld plants a garbage collection on a thread of its own.
func (w *world) stopTheWorld(p *plant) bool {
	for i, l := range w.loopers {
		if w.threads[l.thread] != "GC thread" {
			continue
		}
		h := &held{looper: i, job: l.jobs[0], at: l.jobs[0]}
		h.newcomer = &task{collector: w.collector("Runtime:Mark"), calls: 1, share: 1}
		to := []Link{w.link(0, w.stopWait, "waiting")}
		at := w.somewhere(0, p.frame, whatever)
		last := w.link(l.thread, h.newcomer.collector, "new")
		return p.do(&op{what: waits, thread: 0, at: at, by: h, wait: w.stopWait}, to, last)
	}
	return false
}

// waitFor makes a wait that no thread of the session ends.
func (w *world) waitFor(p *plant, wait int) bool {
	at := w.somewhere(0, p.frame, whatever)
	last := w.link(0, wait, "unknown", "waiting", "new", "longer")
	return p.do(&op{what: alone, thread: 0, at: at, wait: wait}, nil, last)
}

// spread makes all that the main thread does longer, where it does many things of about a size.
func (w *world) spread(p *plant) bool {
	phase, base := w.phaseOf(p.frame), 0.0
	var all []*task
	for _, t := range w.trees(0) {
		base += t.ns() * t.phases[phase]
		all = t.walk(all)
	}
	many := 0
	for _, t := range all {
		if t.in(phase) && t.leaf() {
			many++
			if self := t.share * t.root().ns(); self > 0.25*base {
				return false
			}
		}
	}
	if many < 8 {
		return false
	}
	return p.do(&op{what: slower, thread: 0, at: w.trees(0)[0], baseNs: base}, nil, w.link(0, -1, "spread"))
}

// partLonger slows all parts of a collector without a dominant part.
func (w *world) partLonger(p *plant) bool {
	phase := w.phaseOf(p.frame)
	at := w.somewhere(0, p.frame, func(t *task) bool {
		grows := 0
		for _, c := range t.children {
			if c.share > 0.5*t.share {
				return false
			}
			if c.in(phase) && c.share > 0.15*t.share {
				grows++
			}
		}
		return grows >= 3 && t.parent != nil && t.share > 0.1
	})
	if at == nil {
		return false
	}
	weight := 1.0
	for t := at; t != nil; t = t.parent {
		weight *= t.phases[phase]
	}
	p.factor = min(p.factor, 4)
	last := w.link(0, at.collector, "longer", "spread")
	return p.do(&op{what: partSlower, thread: 0, at: at, baseNs: at.ns() * weight}, nil, last)
}

func (t *task) root() *task {
	for t.parent != nil {
		t = t.parent
	}
	return t
}

// twoCauses plants two independent causes, on the main thread or where it waits.
func (w *world) twoCauses(p *plant) bool {
	great := 0.58 + 0.1*w.rnd.Float64()
	second := func() bool { return w.newcomer(p, 0, nil, 1-great, p.newName(w)) }
	if w.rnd.IntN(2) == 0 {
		second = func() bool { return w.lockOn(p, 0, nil, w.lockWait, 1-great) }
	}
	if !second() {
		return false
	}
	p.others = p.chain[len(p.chain)-1:]
	first := p.ops[0].at
	for range 8 {
		before := len(p.ops)
		if w.longer(p, 0, nil, great); p.ops[before].at != first {
			return true
		}
		p.ops = p.ops[:before]
	}
	return false
}

// repeat plants the causes of frame i in frame i+by, too.
func (p *plant) repeat(by int) []*op {
	var ops []*op
	for _, o := range p.ops {
		c := *o
		c.frame += by
		ops = append(ops, &c)
	}
	return ops
}

// burst plants a simple kind in several successive frames.
func (w *world) burst(p *plant) bool {
	if !planters[pick(w.rnd, OwnLonger, Newcomer, MoreCalls, OtherLonger, OtherNew)](w, p) {
		return false
	}
	p.frames = 2 + w.rnd.IntN(9)
	all := p.ops
	for k := 1; k < p.frames; k++ {
		all = append(all, p.repeat(k)...)
	}
	p.ops = all
	return true
}

// again returns the recurring task, which is chosen once.
func (w *world) again(p *plant) bool {
	if w.periodic == nil {
		first := &plant{frame: p.frame, factor: p.factor}
		if !planters[pick(w.rnd, OwnLonger, Newcomer, GC, OtherLonger, OtherNew)](w, first) {
			return false
		}
		w.periodic = first
	}
	p.factor = w.periodic.factor
	for _, o := range w.periodic.ops {
		if !o.at.in(w.phaseOf(p.frame)) {
			return false
		}
		c := *o
		c.frame, c.plant = p.frame, p
		p.ops = append(p.ops, &c)
	}
	p.chain = slices.Clone(w.periodic.chain)
	if last := &p.chain[len(p.chain)-1]; last.How == "new" {
		last.Or = []string{"more_calls"} // seen before, in a frame of many
	}
	return true
}

// choosePlants chooses the planted causes and their places.
func (w *world) choosePlants() {
	w.taken = map[string]bool{}
	for name := range w.byName {
		w.taken[name] = true
	}
	if w.o.Quiet {
		w.chooseQuiet()
		return
	}
	kinds := slices.Clone(w.o.Kinds)
	if kinds == nil {
		kinds = slices.Clone(Kinds)
	}
	w.rnd.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	turn, period := 0, 25+w.rnd.IntN(60)
	periodic := slices.Contains(kinds, Periodic) && (w.o.Kinds != nil || w.rnd.IntN(3) == 0)
	kinds = slices.DeleteFunc(kinds, func(k Kind) bool { return k == Periodic || k == FirstOfPhase })
	firsts := w.o.Kinds == nil || slices.Contains(w.o.Kinds, FirstOfPhase)
	free := 0 // the first frame that is not touched by those before
	for at := 0; at < w.o.Frames-5; at++ {
		if at < free {
			continue
		}
		switch begins := at == 0 || w.phaseOf(at) != w.phaseOf(at-1); {
		case begins && firsts && w.rnd.IntN(2) == 0:
			free = w.put(FirstOfPhase, at)
		case at < 6 || w.nearEnd(at):
		case periodic && at%period < 12 && at%period > 0 && at > period: // kept for what comes again
			if at%period == 11 {
				free = max(free, w.put(Periodic, at))
			}
		case periodic && at%period < 1 && at > period, len(kinds) == 0:
		case w.rnd.Float64() < 0.05 || at == w.o.Frames-6:
			free = w.put(kinds[turn%len(kinds)], at)
			turn++
		}
	}
}

// nearEnd reports whether a phase ends soon or has just begun: a cause planted there would lie in
// both.
func (w *world) nearEnd(at int) bool {
	return slices.ContainsFunc(w.ends[:len(w.ends)-1], func(end int) bool { return at >= end-8 && at < end+2 })
}

// put plants a hitch and returns the first frame for the next.
func (w *world) put(kind Kind, at int) int {
	p := &plant{kind: kind, frame: at, frames: 1}
	p.factor = pick(w.rnd, 1.4, 1.55, 1.8, 2, 3, 3, 5, 5, 8, 8, 20) * (0.95 + 0.3*w.rnd.Float64())
	if kind == Spread {
		p.factor = min(p.factor, 4)
	}
	if !planters[kind](w, p) {
		return at
	}
	switch w.rnd.IntN(8) {
	case 0, 1:
		w.distract(p)
	case 2:
		w.beside(p)
	}
	w.plants = append(w.plants, p)
	return at + p.frames + 7
}

// distract plants an anomaly at the same time in a bystander that nobody waits for.
func (w *world) distract(p *plant) bool {
	if len(w.loopers) < 2 {
		return false
	}
	used := -1
	for _, o := range p.ops {
		if o.by != nil {
			used = o.by.looper
			if o.by.next != nil {
				return false
			}
		}
	}
	h, _ := w.holder(used)
	p.ops = append(p.ops, &op{what: decoy, frame: p.frame, plant: p, by: h, aside: true, share: 0.3 + 0.4*w.rnd.Float64()})
	return true
}

// beside makes a server slightly slower, too, while it works at the same time as the planted cause.
func (w *world) beside(p *plant) {
	if w.o.Game == ThreeDeep {
		return
	}
	on := p.ops[0].thread
	for _, s := range w.servers {
		worker := w.o.Game == Jobs && s.thread != w.drawer
		at := w.somewhere(s.thread, p.frame, whatever)
		switch {
		case s.thread == on, w.o.Game == Jobs && (on == 0 || on == w.drawer || !worker), on == w.gpuThread(),
			p.kind == Burst || p.kind == Periodic:
		case w.rnd.IntN(2) == 0:
			share := 0.2 + 0.3*w.rnd.Float64()
			p.ops = append(p.ops, &op{what: longer, thread: s.thread, frame: p.frame, plant: p, at: at, aside: true,
				share: share})
			return
		}
	}
}

// chooseQuiet plants events that are not hitches: anomalies of bystanders, and work that a limiter makes
// up for.
func (w *world) chooseQuiet() {
	for at := 10; at < w.o.Frames-5; at += 20 + w.rnd.IntN(80) {
		p := &plant{kind: absorbed, frame: at, frames: 1, extraNs: float64(w.periodNs) * math.Exp(3*w.rnd.Float64())}
		if h, _ := w.holder(-1); w.o.Limiter == Free || w.rnd.IntN(2) == 0 {
			p.ops = append(p.ops, &op{what: decoy, frame: at, plant: p, by: h, share: 1})
		} else {
			p.extraNs = float64(w.periodNs) * (1 - w.busy*(1+w.o.Drift)) * 0.5 * w.rnd.Float64()
			w.longer(p, 0, nil, 1)
		}
		w.plants = append(w.plants, p)
	}
}
