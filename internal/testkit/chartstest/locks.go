package chartstest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Ids of the lock session.
const (
	lkRender, LkPool, LkAudio, LkReady model.CollectorID = 10, 11, 12, 13

	LtMain, LtWorkerA, LtWorkerB, LtAudio, ltIdle model.TrackID = 0, 1, 2, 3, 4

	lockSessionMs = 400
)

func (w *lockWriter) lock(t model.TrackID, at int64, l model.CollectorID, k model.LockKind) {
	w.b[t].Locks = append(w.b[t].Locks, model.LockEvent{Time: at, Lock: l, Kind: k})
}

// use tries a lock, gets it after waitNs and holds it for holdNs. It returns when it is free again.
func (w *lockWriter) use(t model.TrackID, at int64, l model.CollectorID, waitNs, holdNs int64) int64 {
	w.lock(t, at, l, model.LockTry)
	w.lock(t, at+waitNs, l, model.LockAcquired)
	w.lock(t, at+waitNs+holdNs, l, model.LockReleased)
	return at + waitNs + holdNs
}

func (w *lockWriter) say(t model.TrackID, at int64, sev model.Severity, category, object, text string) {
	w.b[t].Messages = append(w.b[t].Messages, model.Message{Time: at, Severity: sev, Category: category, Object: object,
		Text: text})
}

// run puts a thread on a processor.
func (w *lockWriter) run(t model.TrackID, at int64, core float64) {
	if w.core[t] != core {
		w.core[t] = core
		w.b[0].Samples = append(w.b[0].Samples, model.Sample{Series: model.SeriesID(t), Time: at, Value: core})
	}
}

func (w *lockWriter) span(t model.TrackID, lane int, c model.CollectorID, begin, end int64) {
	p, ok := w.paths[c]
	if !ok {
		p = model.PathID(len(w.paths) + 1)
		w.paths[c] = p
		w.s.Apply(model.PathDef{ID: p, Collector: c})
	}
	w.b[t].Spans = append(w.b[t].Spans, model.Span{Begin: begin, End: end, Path: p, Lane: uint16(lane)})
}

// lockWriter fills a session as the reader of a profile stream would: spans, lock events, messages
// and processors of threads, without frames but on the main thread.
type lockWriter struct {
	s     *store.Session
	b     [5]model.Batch
	rng   *rand.Rand
	core  [5]float64
	paths map[model.CollectorID]model.PathID
}

// NewLockSession returns a session of four threads that share three locks and a condition for
// lockSessionMs: the workers contend for the pool and pass work on by the condition, the main
// thread takes the render lock twice over, the audio thread only tries. It is the same in every run.
func NewLockSession(testing.TB) *store.Session {
	w := &lockWriter{s: store.NewSession(), rng: rand.New(rand.NewPCG(5, 8)), paths: map[model.CollectorID]model.PathID{}}
	w.s.Apply(model.Info{Source: "profilelib", Program: "Foundry", File: true})
	for id, name := range []string{"Update", "Physics", "Render", "Present", "Job", "Animation blend", "Audio mix",
		"Voice", "Load", "Read", "render lock", "job pool", "audio mixer", "work ready"} {
		w.s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Sort: -1})
	}
	for id, name := range []string{"main", "worker 1", "worker 2", "audio", "idle"} {
		w.s.Apply(model.TrackDef{ID: model.TrackID(id), Name: name, Index: id})
		w.core[id] = -1
		if id < 4 {
			w.s.Apply(model.SeriesDef{ID: model.SeriesID(id), Name: name, Group: "processor", Kind: model.SeriesState,
				Role:  model.RoleProcessor,
				Track: model.TrackID(id), Object: model.NoObject, Peer: model.NoObject})
		}
	}
	const ms = 1_000_000
	for f := range int64(lockSessionMs / 10) {
		at := f * 10 * ms
		jit := func(n int64) int64 { return w.rng.Int64N(n) }
		// main: a frame of four spans
		w.span(LtMain, 0, 1, at, at+2*ms)
		w.span(LtMain, 0, 2, at+2*ms, at+5*ms)
		w.span(LtMain, 0, 3, at+5*ms, at+9*ms)
		w.run(LtMain, at, float64(f/7%2))
		// the render lock, twice over in the middle
		w.lock(LtMain, at+2*ms, lkRender, model.LockTry)
		w.lock(LtMain, at+2*ms+60_000, lkRender, model.LockAcquired)
		w.lock(LtMain, at+3*ms, lkRender, model.LockTry)
		w.lock(LtMain, at+3*ms, lkRender, model.LockAcquired)
		w.lock(LtMain, at+4*ms, lkRender, model.LockReleased)
		w.lock(LtMain, at+5*ms, lkRender, model.LockReleased)
		// work is ready: main signals, worker 1 wakes up; its mate some time later
		w.lock(LtMain, at+1*ms, LkReady, model.LockSignal)
		w.lock(LtWorkerA, at+200_000, LkReady, model.LockWait)
		woke := at + 1*ms + 90_000 + jit(80_000)
		w.lock(LtWorkerA, woke, LkReady, model.LockWoken)
		// the pool: worker 2 holds it while worker 1 waits, then the other way round
		hold := 900_000 + jit(700_000)
		b := w.use(LtWorkerB, at+700_000, LkPool, 0, hold)
		a := w.use(LtWorkerA, woke+30_000, LkPool, max(b-woke-30_000, 0)+12_000, 500_000+jit(600_000))
		for i := range int64(6) {
			from := a + i*700_000 + jit(100_000)
			if from+600_000 > at+7*ms {
				break
			}
			d := 150_000 + jit(150_000)
			e := w.use(LtWorkerB, from, LkPool, 0, d)
			if i%2 == 0 {
				w.use(LtWorkerA, from+40_000, LkPool, e-from-40_000+8_000, 120_000)
			}
		}
		for i := range int64(4) {
			j := at + 1*ms + i*1_900_000
			w.span(LtWorkerA, 0, 4, j+200_000, j+1_700_000)
			w.span(LtWorkerB, 0, 4, j, j+1_500_000)
			w.span(LtWorkerA, 1, 5, j+300_000, j+900_000)
			w.run(LtWorkerA, j+200_000, float64((f*4+i)*7%5%4))
			if f%8 == 3 {
				for k := range int64(40) { // a nervous scheduler
					w.run(LtWorkerB, j+k*40_000, float64((k+i)%3))
				}
			}
			w.run(LtWorkerB, j+1_700_000, 2)
		}
		w.span(LtAudio, 0, 6, at+3*ms, at+5*ms)
		w.span(LtAudio, 1, 7, at+3_200_000, at+4_700_000)
		if f == 12 {
			w.b[0].Samples = append(w.b[0].Samples, model.Sample{Series: model.SeriesID(LtAudio), Time: at, Value: math.NaN()})
			w.core[LtAudio] = -1
		} else if f > 20 || f < 12 {
			w.run(LtAudio, at+3*ms, 3)
		}
		w.lock(LtAudio, at+2_500_000, lkRender, model.LockTry) // in vain
		w.use(LtAudio, at+3_100_000, LkAudio, 0, 300_000)
		if f%9 == 4 {
			w.say(LtMain, at+1_500_000, model.SeverityInfo, "game", "", "checkpoint reached")
		}
		if f == 17 {
			w.say(LtMain, at+4*ms, model.SeverityWarning, "render", "swap chain",
				"frame took longer than the display's interval; the swap chain fell back to one buffer and will be made anew "+
					"when the window has the focus again")
		}
		if f == 23 {
			w.say(LtWorkerB, at+2*ms, model.SeverityError, "load", "level 3",
				"texture not found: stone_wall_07.dds\nsearched in: base, patch 1, patch 2")
		}
		if f%2 == 0 {
			w.say(LtAudio, at+3_400_000, model.SeverityDebug, "audio", "mixer", "buffer underrun avoided")
			w.say(LtAudio, at+3_900_000, model.SeverityLog, "audio", "voice 4", "voice stolen")
		}
	}
	for t := range w.b {
		b := &w.b[t]
		b.Track = model.TrackID(t)
		slices.SortStableFunc(b.Spans, func(a, c model.Span) int { return int(a.Begin - c.Begin) })
		slices.SortStableFunc(b.Locks, func(a, c model.LockEvent) int { return int(a.Time - c.Time) })
		slices.SortStableFunc(b.Messages, func(a, c model.Message) int { return int(a.Time - c.Time) })
		slices.SortStableFunc(b.Samples, func(a, c model.Sample) int { return int(a.Time - c.Time) })
		w.s.Append(b)
	}
	return w.s
}
