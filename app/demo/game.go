package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"framescope/net/pstats/client"
)

const (
	ms = time.Millisecond
	us = time.Microsecond

	// shortest is the shortest frame that the display can show; longer ones are shown when they are
	// ready (variable refresh), so that frames differ.
	shortest = 8333 * us
)

// The rhythm of the pathologies, in frames.
const (
	everyCollection = 210 // garbage collection on the main thread
	everyHitch      = 370 // shader compilation on the draw thread
	everyLoss       = 290 // frames that are never sent
	everyAutosave   = 450 // a span over many frames
	everyScript     = 600 // a collector defined late
	everyLoader     = 420 // the loader comes
	loaderFrames    = 170 // and stays
	loaderLocks     = 80  // frames before it goes, another thread waits for its lock
)

// game is the state of Solar Chase.
type game struct {
	c   *client.Client
	rng *rand.Rand
	col collectors

	main, cull, draw, gpu line
	jobs                  [2]line
	loader                line
	loading               int // frames of the main thread for which the loader stays
	visits                int // of the loader
	locking               bool
	rare                  *rand.Rand // for rare events: the rest of the game is the same without

	n        int           // frames of the main thread so far
	now      time.Duration // where the next frame begins
	heap     float64       // bytes
	textures float64       // bytes
	saving   bool
	next     bool // the next version of the game
	skipping int  // frames that are not sent
	late     []client.Collector
	pending  []gpuFrame // GPU work with times not known to the program yet
	gpuFree  time.Duration
}

// gpuFrame is the work of one frame on the GPU.
type gpuFrame struct {
	number uint32 // of the game's frame that it draws
	begin  time.Duration
	load   float64
}

func newGame(c *client.Client, seed uint64) *game {
	g := &game{c: c, rng: rand.New(rand.NewPCG(seed, 2463534242)), heap: 60 << 20, textures: 180 << 20}
	g.rare = rand.New(rand.NewPCG(seed, 1181783497276652981))
	g.col = defineCollectors(c)
	g.main.t, g.cull.t, g.draw.t, g.gpu.t = c.MainThread(), c.Thread("Cull"), c.Thread("Draw"), c.Thread("GPU")
	for i := range g.jobs {
		g.jobs[i].t = c.Thread(fmt.Sprint("Job ", i+1))
	}
	return g
}

// begin begins the first frame, after the viewer has connected.
func (g *game) begin() {
	g.now = g.c.Now()
	for i := range g.jobs {
		g.jobs[i].at = g.now
	}
	g.main.t.SetFrame(1) // the render threads are one behind
	for _, l := range []*line{&g.main, &g.cull, &g.draw} {
		l.t.BeginFrameAt(g.now)
	}
}

// vary returns d times a random factor around 1.
func (g *game) vary(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.85 + 0.3*g.rng.Float64()))
}

// since returns d, multiplied by times in the next version of the game.
func (g *game) since(times float64, d time.Duration) time.Duration {
	if g.next {
		return time.Duration(times * float64(d))
	}
	return d
}

// rarely is vary for rare events.
func (g *game) rarely(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.85 + 0.3*g.rare.Float64()))
}

// often reports whether something with a rhythm happens in this frame.
func (g *game) often(every, offset int) bool { return g.n > 0 && g.n%every == offset%every }

// frame plays one frame on all threads and returns when it ends.
func (g *game) frame() time.Duration {
	begin := g.now
	// The load in view of the camera: swells and ebbs over some seconds, with the odd crowd.
	scene := 1 + 0.35*math.Sin(float64(g.n)/140) + 0.15*math.Sin(float64(g.n)/23) + 0.06*g.rng.NormFloat64()
	if g.n%500 > 410 && g.n%500 < 450 {
		scene += 0.45
	}
	scene = max(0.4, scene)

	g.playMain(begin, scene)
	g.playCull(begin, scene)
	g.playDraw(begin, scene)
	end := max(begin+shortest, g.main.at, g.cull.at, g.draw.at) + g.vary(150*us)
	// The main thread waits for the render threads, then for the clock.
	g.main.until(g.col.waitSync, min(end, max(g.cull.at, g.draw.at)))
	g.main.until(g.col.waitClock, end)
	g.cull.until(g.col.waitSync, end)
	g.draw.until(g.col.waitFlip, end)

	g.playJobs(end, scene)
	g.playLoader(begin, end)
	g.playGPU()
	g.endFrames(end)
	g.n++
	g.now = end
	return end
}

// endFrames ends the frame on the threads that follow the main thread's. Now and then frames are
// not sent, as when the network drops them.
func (g *game) endFrames(end time.Duration) {
	if g.often(everyLoss, everyLoss-1) {
		g.skipping = 3 + g.rng.IntN(25)
	}
	// The render threads work on the frame before.
	number := g.main.t.Frame()
	g.cull.t.SetFrame(number - 1)
	g.draw.t.SetFrame(number - 1)
	for _, l := range []*line{&g.main, &g.cull, &g.draw} {
		if g.skipping > 0 {
			l.t.DropFrameAt(end)
		} else {
			l.t.EndFrameAt(end)
		}
	}
	g.skipping = max(0, g.skipping-1)
}

func (g *game) playMain(begin time.Duration, scene float64) {
	l, c := &g.main, &g.col
	l.at = begin
	l.run(c.pstats, g.vary(60*us))
	l.in(c.app, func() {
		l.run(c.input, g.vary(180*us))
		// Packets that came since the last frame: recorded when they are read, with the time at which
		// they came, so the times run backwards here.
		l.t.StartAt(c.network, l.at-90*us)
		l.idle(g.vary(240 * us))
		l.t.StopAt(c.network, l.at)
		l.in(c.tasks, func() {
			l.in(c.ai, func() {
				l.run(c.sense, g.vary(600*us))
				g.minimax(l, 3+g.rng.IntN(3), g.since(0.75, g.vary(2300*us)))
			})
			g.physics(l, scene)
			if g.visits%2 == 1 {
				g.awaitLoader(l)
			}
			l.run(c.animation, g.vary(time.Duration(scene*float64(1400*us))))
			g.scripts(l)
		})
		// The mixer runs on while the particles have begun: overlap that is not nesting.
		l.t.StartAt(c.audio, l.at)
		l.idle(g.vary(220 * us))
		l.t.StartAt(c.particles, l.at)
		l.idle(g.vary(260 * us))
		l.t.StopAt(c.audio, l.at)
		l.idle(g.vary(time.Duration(scene * float64(900*us))))
		l.t.StopAt(c.particles, l.at)
	})
	if g.often(everyCollection, 120) {
		l.in(c.gc, func() {
			l.run(c.gcMark, g.vary(9*ms))
			l.run(c.gcSweep, g.vary(3*ms))
		})
		g.heap = 58<<20 + g.rng.Float64()*(6<<20)
	}
	g.heap += 180e3 + g.rng.Float64()*120e3
	l.t.Level(c.heap, g.heap)
	l.t.Level(c.mmap, 220<<20)
	l.t.Level(c.nodes, math.Round(900*scene))
	l.t.Level(c.geoms, math.Round(420*scene))
	l.t.Level(c.enemies, float64(12+int(6*math.Sin(float64(g.n)/200)+float64(g.rng.IntN(3)))))
	l.t.Level(c.received, 9000+6000*g.rng.Float64())
}

// minimax is a recursive search: the collector runs inside itself.
func (g *game) minimax(l *line, depth int, d time.Duration) {
	l.in(g.col.minimax, func() {
		l.idle(d / 5)
		if depth > 1 {
			g.minimax(l, depth-1, d/2)
			l.idle(d / 20)
			if g.rng.IntN(2) == 0 {
				g.minimax(l, depth-2, d/4)
			}
		} else {
			l.idle(d / 3)
		}
		l.idle(d / 10)
	})
}

func (g *game) physics(l *line, scene float64) {
	c := &g.col
	l.in(c.physics, func() {
		l.run(c.broad, g.vary(400*us))
		l.run(c.narrow, g.since(1.3, g.vary(time.Duration(scene*float64(1300*us)))))
		for range 4 + g.rng.IntN(4) { // several starts in one frame
			l.run(c.solve, g.vary(240*us))
			l.idle(12 * us)
		}
	})
}

// scripts runs the collectors defined at run time, and the autosave, which lasts many frames.
func (g *game) scripts(l *line) {
	c := &g.col
	if g.often(everyAutosave, 200) && !g.saving {
		g.saving = true
		l.t.StartAt(c.autosave, l.at)
		l.run(c.waitDisk, g.rarely(22*ms)) // until the file is there; the rest is written while the game goes on
	} else if g.saving && g.n%everyAutosave == 200+14 {
		g.saving = false
		l.t.StopAt(c.autosave, l.at)
	}
	if g.often(everyScript, 100) && len(g.late) < 12 {
		g.late = append(g.late, g.c.Collector(fmt.Sprintf("App:Scripts:Level %d:Director", len(g.late)+1)))
	}
	l.in(c.scripts, func() {
		l.idle(g.vary(90 * us))
		for _, s := range g.late {
			l.run(s, g.vary(70*us))
		}
	})
}

func (g *game) playCull(begin time.Duration, scene float64) {
	l, c := &g.cull, &g.col
	l.at = begin + 40*us
	l.in(c.cull, func() {
		l.run(c.cullSetup, g.vary(200*us))
		for range 3 {
			l.in(c.cullShadows, func() {
				l.run(c.cullVisit, g.vary(time.Duration(scene*float64(330*us))))
			})
		}
		l.run(c.cullVisit, g.vary(time.Duration(scene*float64(900*us))))
		l.run(c.cullSort, g.vary(300*us))
	})
}

func (g *game) playDraw(begin time.Duration, scene float64) {
	l, c := &g.draw, &g.col
	l.at = max(begin+200*us, g.cull.at-1500*us) // starts on culled objects
	submit := l.at
	triangles := 0.0
	l.in(c.draw, func() {
		l.run(c.makeCurrent, 25*us)
		l.run(c.clear, 40*us)
		for range 3 {
			l.in(c.shadows, func() { triangles += g.batches(l, 5, scene) })
		}
		l.in(c.opaque, func() { triangles += g.batches(l, 22, scene) })
		if g.visits%2 == 0 {
			g.awaitLoader(l)
		}
		if g.often(everyHitch, 250) {
			l.run(c.compile, g.vary(52*ms))
		}
		if g.loading > 0 && g.n%9 == 0 {
			l.run(c.transfer, g.vary(1800*us))
			g.textures += 1.5e6
		}
		l.in(c.transparent, func() { triangles += g.batches(l, 8, scene) })
		l.run(c.particlesDraw, g.vary(350*us))
		l.run(c.ui, g.vary(420*us))
		l.run(c.flush, g.vary(120*us))
	})
	l.t.Level(c.vertices, math.Round(triangles))
	l.t.Level(c.triangles, math.Round(triangles*0.93))
	l.t.Level(c.textures, g.textures)
	g.pending = append(g.pending, gpuFrame{g.main.t.Frame() - 1, submit + 700*us, scene})
}

// batches draws n batches: many short spans, and their vertices.
func (g *game) batches(l *line, n int, scene float64) (vertices float64) {
	c := &g.col
	for range n {
		l.run(c.setState, g.vary(14*us))
		d := g.since(1.1, g.vary(time.Duration(scene*float64(200*us))))
		l.run(c.primitive, d)
		vertices += float64(d/us) * 14
	}
	return vertices
}

// playGPU reports the frame before the last: the times of a GPU are known only when its queries
// have come back.
func (g *game) playGPU() {
	if len(g.pending) <= 2 {
		return
	}
	f := g.pending[0]
	g.pending = append(g.pending[:0], g.pending[1:]...)
	if g.skipping > 0 {
		return
	}
	l, c := &g.gpu, &g.col
	l.at = max(f.begin, g.gpuFree)
	submitted := f.begin
	l.t.BeginFrameAt(l.at)
	l.t.SetFrame(f.number)
	l.t.Level(c.latency, float64(l.at-submitted)/1e9)
	l.in(c.draw, func() {
		for range 3 {
			l.run(c.shadows, g.vary(time.Duration(f.load*float64(850*us))))
		}
		l.run(c.opaque, g.vary(time.Duration(f.load*float64(5200*us))))
		l.run(c.transparent, g.vary(time.Duration(f.load*float64(1200*us))))
		l.in(c.post, func() {
			for range 4 {
				l.run(c.bloom, g.since(0.7, g.vary(260*us)))
			}
			l.run(c.tonemap, g.vary(300*us))
		})
		l.run(c.ui, g.vary(250*us))
	})
	g.gpuFree = l.at
	l.t.FinishFrameAt(l.at)
}

// playJobs lets the workers go on to the end of the frame; their frames are one job each.
func (g *game) playJobs(end time.Duration, scene float64) {
	c := &g.col
	for i := range g.jobs {
		for l := &g.jobs[i]; l.at < end; {
			l.t.BeginFrameAt(l.at)
			l.in(c.job[g.rng.IntN(len(c.job))], func() {
				for range 2 + g.rng.IntN(5) {
					l.run(c.jobStep, g.vary(time.Duration(scene*float64(280*us))))
					l.idle(20 * us)
				}
			})
			l.run(c.waitIdle, g.vary(time.Duration(1+g.rng.IntN(3))*ms))
			l.t.FinishFrameAt(l.at)
		}
	}
}

// playLoader brings the loader, lets it work, and lets it go.
func (g *game) playLoader(begin, end time.Duration) {
	c, l := &g.col, &g.loader
	if g.often(everyLoader, 60) && g.loading == 0 {
		g.loading = loaderFrames
		g.visits++
		*l = line{g.c.Thread("Loader"), begin}
	}
	if g.loading == 0 {
		return
	}
	for l.at < end {
		l.t.BeginFrameAt(l.at)
		l.run(c.read, g.vary(time.Duration(4+g.rng.IntN(18))*ms))
		l.run(c.inflate, g.vary(time.Duration(2+g.rng.IntN(9))*ms))
		l.run(c.upload, g.vary(1500*us))
		l.t.Level(c.queued, float64(g.loading*3e5))
		l.t.FinishFrameAt(l.at)
		l.idle(g.vary(2 * ms))
	}
	g.loading--
	g.locking = g.loading > 0 && (g.locking || g.loading == loaderLocks)
	if g.loading == 0 {
		l.t.Close()
	}
}

// awaitLoader lets a thread wait until the loader, which has the lock of the textures, has uploaded its
// data: alternately the main thread, and the draw thread, for which the main thread waits then.
func (g *game) awaitLoader(l *line) {
	o, c := &g.loader, &g.col
	if !g.locking || o.at > l.at {
		return
	}
	g.locking = false
	o.t.BeginFrameAt(o.at)
	o.run(c.read, g.rarely(900*us))
	o.until(c.upload, l.at+g.rarely(26*ms))
	o.t.FinishFrameAt(o.at)
	l.until(c.waitLock, o.at)
}
