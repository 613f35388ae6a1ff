package chartstest

import (
	"math/rand/v2"

	"framescope/model"
	"framescope/model/store"
)

// NewCallWriter returns a writer; loads gives the threads series of processor load, CPU time and
// samples.
func NewCallWriter(loads bool) *callWriter {
	w := &callWriter{S: store.NewSession(), rng: rand.New(rand.NewPCG(5, 9)), loads: loads}
	w.S.Apply(model.Info{Source: "flare", Program: "shop", File: true, PID: 77, Clock: model.Clock{StepNs: 20_000_000}})
	for id, name := range callNames {
		parent := model.CollectorID(0)
		switch {
		case id >= 2 && id <= 5:
			parent = 1
		case id >= 7:
			parent = 6
		}
		w.S.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Parent: parent, Sort: -1})
	}
	for i, p := range []model.PathDef{
		{Collector: 2}, {Parent: 1, Collector: 3}, {Parent: 2, Collector: 4}, {Parent: 2, Collector: 5}, {Collector: 7},
		{Parent: 5, Collector: 8},
	} {
		p.ID = model.PathID(i + 1)
		w.S.Apply(p)
	}
	for id, name := range []string{"main", "worker-1", "loader", "Finalizer"} {
		w.S.Apply(model.TrackDef{ID: model.TrackID(id), Name: name, Index: id})
		if loads {
			for k, d := range []model.SeriesDef{
				{Group: "CPU load", Role: model.RoleCPULoad, Unit: "%", HasRange: true, Max: 100},
				{Group: "CPU time", Role: model.RoleCPUTime, Unit: "ns", Kind: model.SeriesCounter},
				{Group: "samples", Role: model.RoleStack, Kind: model.SeriesEvent},
			} {
				d.ID, d.Name, d.Track, d.Object, d.Peer = model.SeriesID(3*id+k), name, model.TrackID(id), model.NoObject,
					model.NoObject
				w.S.Apply(d)
			}
		}
	}
	return w
}

// NewCallSession returns ten seconds of it, complete.
func NewCallSession(loads bool) *store.Session {
	w := NewCallWriter(loads)
	w.Run(10_000_000_000)
	w.S.Apply(model.End{})
	return w.S
}

// callWriter fills a session without frames, as a tracer or a sampler would.
type callWriter struct {
	S     *store.Session
	rng   *rand.Rand
	loads bool
	At    [4]int64
	batch model.Batch
}

var callNames = []string{"All", "engine", "Game.run()", "Game.update()", "Physics.step()", "Render.draw()", "io",
	"Loader.read()", "Loader.decode()"}

// Run adds activity up to a time: the worker is as busy as the main thread half of the time, the
// loader now and then, the last thread never.
func (w *callWriter) Run(untilNs int64) {
	for track := range UtIdle {
		w.batch.Reset()
		w.batch.Track = track
		for w.At[track] < untilNs {
			at := w.At[track]
			d := 6_000_000 + w.rng.Int64N(8_000_000)
			second := at / 1_000_000_000
			switch {
			case track == UtWorker && second%4 >= 2, track == UtLoader && second%5 != 1:
				w.At[track] = (second + 1) * 1_000_000_000
				continue
			case second == 3 && w.rng.IntN(40) == 0:
				d *= 14
			}
			if track == UtLoader {
				w.batch.Spans = append(w.batch.Spans, model.Span{Begin: at, End: at + d, Path: 5}, model.Span{Begin: at + d/3,
					End: at + d, Path: 6, Lane: 1})
			} else {
				w.batch.Spans = append(w.batch.Spans, model.Span{Begin: at, End: at + d, Path: 1, Flags: model.SpanUncertain},
					model.Span{Begin: at + d/20, End: at + d*19/20, Path: 2, Lane: 1},
					model.Span{Begin: at + d/10, End: at + d*4/10, Path: 3, Lane: 2}, model.Span{Begin: at + d/2, End: at + d*9/10,
						Path: 4, Lane: 2})
			}
			w.At[track] += d + w.rng.Int64N(4_000_000)
		}
		if w.loads {
			w.samples(track, untilNs)
		}
		w.S.Append(&w.batch)
	}
}

// samples adds the load of a thread twice a second, from its spans of the last run.
func (w *callWriter) samples(track model.TrackID, untilNs int64) {
	cpu, next, busy := 0.0, int64(500_000_000), int64(0)
	if _, end, ok := w.S.Series().ByID(model.SeriesID(3 * track)).Bounds(); ok {
		next = end + 500_000_000
		last, _ := w.S.Series().ByID(model.SeriesID(3*track + 1)).At(end)
		cpu = last.Value
	}
	i := 0
	for ; next <= untilNs; next += 500_000_000 {
		busy = 0
		for ; i < len(w.batch.Spans) && w.batch.Spans[i].Begin < next; i++ {
			if s := w.batch.Spans[i]; s.Lane == 0 {
				busy += s.End - s.Begin
				w.batch.Samples = append(w.batch.Samples, model.Sample{Series: model.SeriesID(3*track + 2), Time: s.Begin,
					Value: 1})
			}
		}
		cpu += float64(busy)
		w.batch.Samples = append(w.batch.Samples, model.Sample{Series: model.SeriesID(3 * track), Time: next,
			Value: min(float64(busy)/5e6, 100)},
			model.Sample{Series: model.SeriesID(3*track + 1), Time: next, Value: cpu})
	}
}

// Tracks of the sessions without frames.
const (
	UtMain = model.TrackID(iota)
	UtWorker
	UtLoader
	UtIdle
)

// Named returns a session with a main thread and collectors of names, the first being that of frames, each
// with a call path of one more than its number.
func Named(names ...string) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Main: true})
	for i, name := range names {
		d := model.CollectorDef{ID: model.CollectorID(i), Name: name}
		if i == 0 {
			d.Parent = model.NoCollector
		}
		s.Apply(d)
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: d.ID})
	}
	return s
}

// Took is a call of a collector, by how long it took.
func Took(c model.CollectorID, ns int64) model.CollectorTime {
	return model.CollectorTime{Collector: c, Ns: ns, Count: 1}
}

// AppendCalls appends a frame of calls that come one after another, and returns when it ends.
func AppendCalls(s *store.Session, track model.TrackID, number, begin int64, calls ...model.CollectorTime) int64 {
	b := model.Batch{Track: track, HasFrame: true, Number: number, Begin: begin, End: begin, Self: calls}
	for _, c := range calls {
		b.Spans = append(b.Spans, model.Span{Begin: b.End, End: b.End + c.Ns, Path: model.PathID(c.Collector + 1)})
		b.End += c.Ns
	}
	s.Append(&b)
	return b.End
}

// FramesOf returns a session of a thread whose frames take as long as said.
func FramesOf(lengths ...int64) *store.Session {
	s, at := Named(), int64(0)
	for i, ns := range lengths {
		s.Append(&model.Batch{HasFrame: true, Number: int64(i), Begin: at, End: at + ns})
		at += ns
	}
	return s
}
