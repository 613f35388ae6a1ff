package planted

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"framescope/net/pstats"
)

// world is a game before it is played: the threads, their work in a frame, and their waits for each
// other.
type world struct {
	o          Options
	rnd        *rand.Rand
	collectors []pstats.CollectorDef
	byName     map[string]int
	waits      map[int]bool // collectors in which threads wait
	threads    []string
	tail       bool
	gaps       bool
	ownClock   bool
	contention bool // locks are waited for a little all the time

	periodNs int64
	busy     float64   // how much of the period the longest thread works
	load     []float64 // of the phases
	ends     []int     // frames at which the phases end
	swing    float64   // by how much the scene grows and shrinks over seconds
	shiver   float64   // by how much whole frames vary
	rough    bool      // whole frames vary without bounds
	firstNs  int64     // when the game begins, on its own clock

	main    []step
	servers []*server
	gpu     *task
	gpuAt   int // its thread; 0: there is none
	drawer  int // the thread that waits for the GPU
	flip    int // what it waits in
	loopers []*looper
	pool    []*looper // with frames in step with the main thread's, and always full
	limit   int       // collector in which the limiter waits

	lockWait int     // the collector in which threads wait for locks
	ioWait   int     // and for the outside of the program
	stopWait int     // and for the end of a garbage collection on another thread
	allowed  float64 // up to which factor noise makes it no hitch
	least    float64 // from which factor a frame is a hitch
	plants   []*plant
	taken    map[string]bool // names of newcomers and of all others
	periodic *plant          // what comes again and again
	lasts    *lasts          // what grows for good
}

// lasts is a task that takes by times as long from a frame on, or, as a Drift, at the end of the session.
type lasts struct {
	at   *task
	from int
	by   float64
}

// grows chooses the task, a leaf that makes whole frames longer by a twelfth to a fifth.
func (w *world) grows() {
	least := 0.1 * w.busy * float64(w.periodNs)
	at := w.somewhere(0, 0, func(t *task) bool { return t.leaf() && t.share*t.root().ns() > least })
	if at == nil {
		at = w.trees(0)[0]
	}
	more := (0.08 + 0.12*w.rnd.Float64()) * w.busy * float64(w.periodNs) / (at.share * at.root().ns())
	w.lasts = &lasts{at, w.o.Frames * (3 + w.rnd.IntN(5)) / 10, 1 + more}
}

// growth is the factor of a task that grows for good.
func (w *world) growth(t *task, frame int) float64 {
	l := w.lasts
	switch {
	case l == nil || t != l.at:
	case w.o.Lasts == Drift:
		return 1 + (l.by-1)*float64(frame)/float64(w.o.Frames)
	case frame >= l.from:
		return l.by
	}
	return 1
}

// stepKind is the kind of a step of a frame.
type stepKind uint8

const (
	work   stepKind = iota // does a task
	kick                   // lets a server begin
	join                   // waits until a server is done
	submit                 // gives the GPU its work
	flip                   // waits for the GPU's frame before
	pace                   // the limiter
)

// step is a part of a thread's frame.
type step struct {
	kind   stepKind
	task   *task
	server *server
	wait   int // collector of join
}

// server is a thread that works when the main thread lets it.
type server struct {
	thread int
	steps  []step
	idle   int // collector in which it waits for work; below 0: outside of its frames
	wait   int // in which the main thread waits for it, or by does
	by     *server
}

// looper is a thread that works for itself, all the time.
type looper struct {
	thread  int
	jobs    []*task
	idle    int // collector between two jobs, below 0: outside of frames
	restNs  float64
	everyNs int64 // if above 0, its jobs begin so often, and it rests for the rest
}

// bounds checks the options.
func (o Options) bounds() error {
	switch {
	case o.Frames != 0 && (o.Frames < 100 || o.Frames > 100_000):
		return fmt.Errorf("%d frames: give 100 to 100,000", o.Frames)
	case o.Hz != 0 && !(o.Hz >= 10 && o.Hz <= 1000):
		return fmt.Errorf("%v frames a second: give 10 to 1,000", o.Hz)
	case o.Jitter != 0 && !(o.Jitter >= 0.01 && o.Jitter <= 0.5):
		return fmt.Errorf("jitter of %v: give 0.01 to 0.5", o.Jitter)
	case o.Bystanders < 0 || o.Bystanders > 12:
		return fmt.Errorf("%d bystanders: give 1 to 12", o.Bystanders)
	case o.Phases < 0 || o.Phases > 8:
		return fmt.Errorf("%d phases: give 1 to 8", o.Phases)
	case o.Depth != 0 && (o.Depth < 2 || o.Depth > 12):
		return fmt.Errorf("depth %d: give 2 to 12", o.Depth)
	case !(o.Drift >= 0 && o.Drift <= 4):
		return fmt.Errorf("drift of %v: give 0 to 4", o.Drift)
	case o.Format != "" && !slices.Contains(Formats, o.Format):
		return fmt.Errorf("unknown format %q", o.Format)
	case o.Style != "" && !slices.Contains(Styles, o.Style):
		return fmt.Errorf("unknown style of names %q", o.Style)
	}
	for _, k := range o.Kinds {
		if planters[k] == nil {
			return fmt.Errorf("unknown kind of hitch %q", k)
		}
	}
	return nil
}

func newWorld(o Options) (*world, error) {
	if err := o.bounds(); err != nil {
		return nil, err
	}
	w := &world{o: o, byName: map[string]int{}, waits: map[int]bool{},
		rnd: rand.New(rand.NewPCG(o.Seed, 0x706c616e746564))}
	w.collectors = append(w.collectors, pstats.CollectorDef{Name: "Frame", R: 0.5, G: 0.5, B: 0.5, Scale: 1.0 / 30,
		Factor: 1})
	w.choose()
	if w.build(); o.Lasts != "" {
		w.grows()
	}
	w.choosePlants()
	return w, nil
}

func pick[T any](rnd *rand.Rand, of ...T) T { return of[rnd.IntN(len(of))] }

// or returns the choice, or the seed's value if there is none.
func (c Choice) or(seed bool) bool { return c == Yes || c == BySeed && seed }

// choose lets the seed choose the unset options.
func (w *world) choose() {
	o, r := &w.o, w.rnd
	game := pick(r, OneThread, Pipelined, Pipelined, Jobs, ThreeDeep, Server, Decoupled)
	limiter := pick(r, Free, Free, VSync, Clock)
	frames := 700 + r.IntN(1100)
	hz := pick(r, 30.0, 60, 60, 75, 90, 120, 144, 240)
	jitter := pick(r, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
	bystanders, phases, depth := 1+r.IntN(6), pick(r, 1, 1, 1, 2, 2, 3, 4, 8), 2+r.IntN(5)
	drift := pick(r, 0, 0, 0, 0, 0.5, 1)
	if o.Game == "" {
		o.Game = game
	}
	if o.Limiter == "" {
		o.Limiter = limiter
	}
	if o.Game == Server && o.Limiter == VSync {
		o.Limiter = Clock
	}
	if o.Frames == 0 {
		o.Frames = frames
	}
	if o.Hz == 0 {
		o.Hz = hz
	}
	if o.Jitter == 0 {
		o.Jitter = jitter
	}
	if o.Bystanders == 0 {
		o.Bystanders = bystanders
	}
	if o.Phases == 0 {
		o.Phases = phases
	}
	if o.Depth == 0 {
		o.Depth = depth
	}
	if o.Drift == 0 {
		o.Drift = drift
	}
	w.tail = o.Tail.or(r.IntN(2) == 0)
	w.gaps = o.Gaps.or(r.IntN(2) == 0) && !w.flat()
	w.ownClock = o.OwnClock.or(r.IntN(5) == 0) && !w.flat() && o.Game != Server
	w.contention = r.IntN(3) == 0
	w.swing = 0.12 * r.Float64()
	w.shiver = pick(r, 0.2*o.Jitter, 0.3*o.Jitter, 0.02, 0.06, 0.08)
	// Clocks of the old are coarse: they count in 32-bit seconds.
	w.firstNs = pick[int64](r, 1, 1, 1, 200, 1000) * 1_500_000_000
	if o.Quiet {
		w.swing *= 2
		w.rough = r.IntN(4) == 0
	}
	if o.Lasts != "" {
		o.Game, o.Limiter, o.Phases, o.Drift = pick(r, OneThread, Server), Free, 1, 0
		w.swing, w.shiver, w.rough, o.Frames = 0, 0.03, false, max(o.Frames, 1000)
	}
	if o.Hz > 100 {
		w.firstNs = 1_500_000_000
	}
	w.periodNs = int64(1e9 / o.Hz)
	for k := range o.Phases {
		w.load = append(w.load, 1)
		if k > 0 {
			w.load[k] = pick(r, 0.25, 0.4, 0.6, 0.8, 1)
		}
		w.ends = append(w.ends, o.Frames*(k+1)/o.Phases+r.IntN(41)-20)
	}
	r.Shuffle(len(w.load), func(i, j int) { w.load[i], w.load[j] = w.load[j], w.load[i] })
	w.ends[o.Phases-1] = o.Frames
}

// phaseOf returns the phase of a frame.
func (w *world) phaseOf(frame int) int {
	for k, end := range w.ends {
		if frame < end {
			return k
		}
	}
	return len(w.ends) - 1
}

// collector returns the index of a collector by its full name, and defines it and its parents.
func (w *world) collector(name string) int {
	if i, ok := w.byName[name]; ok {
		return i
	}
	parent, own := 0, name
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		parent, own = w.collector(name[:at]), name[at+1:]
	}
	i := len(w.collectors)
	h := uint32(2166136261)
	for _, c := range []byte(name) {
		h = (h ^ uint32(c)) * 16777619
	}
	w.collectors = append(w.collectors, pstats.CollectorDef{
		Index: int16(i), Name: w.nameOf(i, own), Parent: int16(parent), Scale: 1.0 / 30, Factor: 1,
		R: float32(h&255) / 255, G: float32(h>>8&255) / 255, B: float32(h>>16&255) / 255,
	})
	w.byName[name] = i
	return i
}

// full returns the full name of a collector.
func (w *world) full(i int) string {
	d := &w.collectors[i]
	if d.Parent == 0 {
		return d.Name
	}
	return w.full(int(d.Parent)) + ":" + d.Name
}

// named returns the name that a file has for a collector: without parents, formats have the last part alone if that is
// of no other, of waits with conventional names all.
func (w *world) named(i int) string {
	d := &w.collectors[i]
	switch {
	case !w.flat() || w.waits[i] && w.o.Style != Meaningless:
		return w.full(i)
	case w.o.Style == Meaningless || d.Parent == 0 || !slices.ContainsFunc(w.collectors[:i],
		func(o pstats.CollectorDef) bool {
			return o.Name == d.Name
		}):
		return d.Name
	}
	return w.named(int(d.Parent)) + " " + d.Name
}

// flat reports whether the format has no parents of names, and frames of the main thread alone.
func (w *world) flat() bool { return w.o.Format != "" && w.o.Format != PStats }

func (w *world) thread(name string) int {
	w.threads = append(w.threads, name)
	return len(w.threads) - 1
}

// tree makes a thread's work with the game's depth.
func (w *world) tree(name string, budget float64, leaves int, pool []string) *task {
	t := w.grow(name, budget, leaves, w.o.Depth-1, pool)
	t.shares(t.ns())
	w.seasons(t, true)
	return t
}

// build makes the threads of the game.
func (w *world) build() {
	r, period := w.rnd, float64(w.periodNs)
	limited := w.o.Limiter != Free
	full := 1.0
	if limited {
		full = 0.45 + 0.35*r.Float64()
		w.o.Drift = max(0, min(w.o.Drift, 0.85/full-1))
	}
	w.busy = full
	few := r.IntN(5) == 0 // a game that measures hardly anything
	leaves := func() int {
		if few {
			return 2 + r.IntN(4)
		}
		return 5 + r.IntN(22)
	}
	w.lockWait = w.wait(waitLock, pick(r, "Wait:Mutex block", "Wait:Mutex block", "Wait:Condition Variable"))
	w.ioWait = w.wait(waitIO, pick(r, "Wait:Disk", "Wait:Network", "Wait:I/O", "App:Wait for I/O"))
	w.stopWait = w.wait(waitStop, pick(r, "Wait:Safepoint", "Wait:GC"))
	w.limit = w.wait(waitLimit, pick(r, "Wait:Clock Wait", "Wait:Clock Wait:Sleep", "Wait:Sleep"))
	w.flip = w.wait(waitFlip, pick(r, "Wait:Flip", "Wait:Flip:End", "Wait:Fence"))
	sync := w.wait(waitSync, "Wait:Thread sync")
	idle := pick(r, sync, sync, w.wait(waitIdle, "Wait:Idle"), -1)
	w.thread("Main")
	app := func(share float64) step {
		return step{kind: work, task: w.tree("App", share*full*period, leaves(), w.namesFor(appNames))}
	}
	cull := func(share float64) step {
		return step{kind: work, task: w.tree("Cull", share*full*period, 3+r.IntN(6), cullNames)}
	}
	draw := func(share float64) step {
		return step{kind: work, task: w.tree("Draw", share*full*period, leaves(), w.namesFor(drawNames))}
	}
	shown := []step{{kind: submit}, {kind: flip}}
	if limited {
		shown = append(shown, step{kind: pace})
	}
	switch w.o.Game {
	case Server:
		a := 0.4 + 0.3*r.Float64()
		w.main = append([]step{app(a), {kind: work, task: w.tree("Late update", (1-a)*full*period, leaves(), appNames)}},
			shown[2:]...)
	case ThreeDeep:
		render := &server{thread: w.thread(pick(r, "Render", "RenderThread")), idle: idle, wait: sync}
		rhi := &server{thread: w.thread(pick(r, "RHI", "Submit")), idle: idle, wait: sync, by: render}
		rhi.steps = append([]step{draw(0.3 + 0.6*r.Float64())}, shown...)
		render.steps = []step{cull(0.3 + 0.6*r.Float64()), {kind: join, server: rhi, wait: sync}, {kind: kick, server: rhi}}
		w.servers, w.drawer = []*server{render, rhi}, rhi.thread
		w.main = []step{app(0.5 + 0.5*r.Float64()), {kind: join, server: render, wait: sync}, {kind: kick, server: render}}
	case OneThread, Decoupled:
		a, c := 0.3+0.4*r.Float64(), 0.05+0.15*r.Float64()
		w.main = append([]step{app(a), cull(c), draw(1 - a - c)}, shown...)
		w.drawer = 0
	case Pipelined:
		slow := r.IntN(3)
		part := func(k int) float64 {
			if k == slow {
				return 1
			}
			return 0.2 + 0.7*r.Float64()
		}
		s := &server{thread: w.thread(pick(r, "Draw", "Draw", "Render", "Draw thread")), idle: sync, wait: sync,
			steps: append([]step{draw(part(1))}, shown...)}
		w.drawer = s.thread
		w.servers = append(w.servers, s)
		w.main = append(w.main, step{kind: kick, server: s})
		if r.IntN(3) > 0 {
			c := &server{thread: w.thread(pick(r, "Cull", "Cull thread")), idle: sync, wait: sync, steps: []step{cull(part(2))}}
			w.servers = append(w.servers, c)
			w.main = append(w.main, step{kind: kick, server: c})
		}
		w.main = append(w.main, app(part(0)))
		for _, s := range w.servers {
			w.main = append(w.main, step{kind: join, server: s, wait: sync})
		}
	case Jobs:
		wait := w.wait(waitJobs, pick(r, "Wait:Jobs", "App:Wait for jobs"))
		render := w.wait(waitRender, pick(r, "Wait:Render thread", "Wait:Thread sync"))
		mine := 0.5 + 0.3*r.Float64()
		w.main = append(w.main, app(mine))
		for k := range 2 + r.IntN(4) {
			s := &server{thread: w.thread(fmt.Sprintf("Worker %d", k+1)), idle: idle, wait: wait}
			s.steps = []step{{kind: work, task: w.tree("Jobs", (1-mine)*0.6*full*period*(0.6+0.4*r.Float64()), 3+r.IntN(8),
				w.namesFor(jobNames))}}
			w.servers = append(w.servers, s)
			w.main = append(w.main, step{kind: kick, server: s})
		}
		for _, s := range w.servers {
			w.main = append(w.main, step{kind: join, server: s, wait: wait})
		}
		late := w.tree("Late update", (1-mine)*0.4*full*period, 3+r.IntN(5), appNames)
		w.main = append(w.main, step{kind: work, task: late})
		s := &server{thread: w.thread("Render"), idle: idle, wait: render}
		s.steps = append([]step{draw(0.5 + 0.4*r.Float64())}, shown...)
		w.drawer = s.thread
		w.servers = append(w.servers, s)
		w.main = append(w.main, step{kind: join, server: s, wait: render}, step{kind: kick, server: s})
	}
	w.allowed = noHitch
	if w.o.Quiet && w.o.Lasts == "" && r.IntN(3) == 0 {
		w.beat()
	}
	gpu := "GPU"
	if w.ownClock {
		gpu = "NVIDIA GeForce RTX 3070/PCIe/SSE2"
	}
	if w.o.Game != Server {
		w.gpuAt = w.thread(gpu)
		w.gpu = w.tree("Draw", (0.3+0.5*r.Float64())*full*period, 4+r.IntN(8), gpuNames)
	}
	if w.o.Game == Decoupled {
		l := &looper{thread: w.thread("Simulation"), idle: idle, everyNs: int64(period * pick(r, 1, 1, 0.5, 1.2))}
		l.jobs = []*task{w.tree("Simulation", 0.3*float64(l.everyNs), 3+r.IntN(8), w.namesFor(appNames))}
		w.loopers = append(w.loopers, l)
	}
	w.bystanders(idle)
	if r.IntN(3) == 0 {
		for k := range 1 + r.IntN(3) {
			l := &looper{thread: w.thread(fmt.Sprintf("Pool %d", k+1)), idle: idle}
			ns := float64(w.periodNs) * (0.02 + 0.1*r.Float64())
			l.jobs = []*task{w.tree("Pool", ns, 1+r.IntN(4), jobNames)}
			w.pool = append(w.pool, l)
		}
	}
}

// beat lets a part of the main thread's work run in every second to fourth frame only, as physics at
// a fixed rate does.
func (w *world) beat() {
	for _, t := range w.main {
		if t.kind != work {
			continue
		}
		for _, c := range t.task.children {
			if c.share < 0.35 && c.share > 0.1 {
				c.beat = 2 + w.rnd.IntN(3)
				w.allowed = noHitch / (1 - c.share)
				return
			}
		}
	}
}

// gpuThread returns the index of the GPU's thread.
func (w *world) gpuThread() int { return w.gpuAt }

// bystanders makes threads that are busy with something else.
func (w *world) bystanders(idle int) {
	r := w.rnd
	kinds := r.Perm(len(strangers))
	for k := range w.o.Bystanders {
		kind := strangers[kinds[k%len(kinds)]]
		name := kind.name
		if k >= len(kinds) {
			name = fmt.Sprintf("%s %d", name, 2+k/len(kinds))
		}
		l := &looper{thread: w.thread(name), idle: idle}
		l.restNs = float64(w.periodNs) * kind.rest * (0.3 + r.Float64())
		for j := range 1 + r.IntN(3) {
			ns := float64(w.periodNs) * math.Exp(-2.5+3*r.Float64())
			l.jobs = append(l.jobs, w.tree(kind.root[j%len(kind.root)], ns, 2+r.IntN(5), kind.names))
		}
		w.loopers = append(w.loopers, l)
	}
}
