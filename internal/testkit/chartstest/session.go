// Package chartstest holds the sessions, and the window without a window system, with which panels
// are tested.
package chartstest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// testCollectors are the collectors of the test session. The index in the list is the id; parents
// come first.
var testCollectors = []struct {
	name   string
	parent model.CollectorID
	sort   int
	unit   string
}{
	0: {"Frame", 0, -1, ""},
	1: {"App", 0, 300, ""}, 2: {"Cull", 0, 200, ""}, 3: {"Draw", 0, 100, ""}, 4: {"Wait", 0, 0, ""},
	5: {"Show code", 1, 20, ""}, 6: {"Collide", 1, 10, ""}, 7: {"Animation", 1, 5, ""},
	8: {"Task: enemies", 5, -1, ""}, 9: {"Physics", 5, -1, ""}, 10: {"Narrow phase", 9, -1, ""},
	11: {"Traverse", 2, 10, ""}, 12: {"Sort", 2, 5, ""}, 13: {"Bounds", 11, -1, ""}, 14: {"Geom", 11, -1, ""},
	15: {"Primitive", 3, 10, ""}, 16: {"Flush", 3, 5, ""}, 17: {"Make current", 3, 1, ""}, 18: {"State", 15, -1, ""},
	19: {"Vertex buffer", 15, -1, ""}, 20: {"Texture", 16, -1, ""}, 21: {"Upload", 20, -1, ""}, 22: {"Flip", 4, -1, ""},
	23: {"Shadow pass", 0, -1, ""}, 24: {"Opaque pass", 0, -1, ""}, 25: {"Transparent pass", 0, -1, ""},
	26: {"Post", 0, -1, ""},
	27: {"Read mesh", 0, -1, ""}, 28: {"Decode PNG", 0, -1, ""}, 29: {"Idle", 4, -1, ""}, 30: {"Inflate", 28, -1, ""},
	31: {"Shadow map", 23, -1, ""},
	32: {"Nodes", 0, -1, ""}, 33: {"Vertex buffers", 0, -1, "MB"}, 34: {"Pixels", 0, -1, ""}, 35: {"Audio", 1, 0, ""},
	36: {"Static", 33, -1, "MB"}, 37: {"Dynamic", 33, -1, "MB"},
}

// Ids of the test session.
const (
	CApp, CCull, CDraw, CWait = model.CollectorID(1), model.CollectorID(2), model.CollectorID(3),
		model.CollectorID(4)
	CGeom, cNodes, CBuffers, CTravers = model.CollectorID(14), model.CollectorID(32), model.CollectorID(33),
		model.CollectorID(11)

	TMain, TCull, tDraw, TGPU, TLoader = model.TrackID(0), model.TrackID(1), model.TrackID(2), model.TrackID(3),
		model.TrackID(4)
)

// Properties of the test session.
const (
	testFirstNumber = 12_300
	TestFrames      = 200
	TestGapAfter    = 160 // index of the Main frame before the gap
	TestGapFrames   = 8
	testStartNs     = 205_000_000_000
)

// Writer fills a session as a decoder would.
type Writer struct {
	S     *store.Session
	rng   *rand.Rand
	paths map[[2]int64]model.PathID
	batch model.Batch
	alone map[model.CollectorID]*model.CollectorTime
	kids  map[model.CollectorID][]model.CollectorID
	Flags model.SpanFlags // of the next span that is added
}

func NewWriter(seed uint64) *Writer { return NewWriterOn(store.NewSession(), seed) }

func NewWriterOn(s *store.Session, seed uint64) *Writer {
	w := &Writer{
		S: s, rng: rand.New(rand.NewPCG(seed, 7)),
		paths: map[[2]int64]model.PathID{}, alone: map[model.CollectorID]*model.CollectorTime{},
		kids: map[model.CollectorID][]model.CollectorID{},
	}
	w.S.Apply(model.Info{Source: "pstats", Program: "Solar Chase", Host: "devbox", PID: 4312, Version: "PStats 3.2",
		Clock: model.Clock{Float32Seconds: true}, File: true})
	for id, c := range testCollectors {
		w.S.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: c.name, Parent: c.parent, Sort: c.sort, Unit: c.unit})
		if id > 0 {
			w.kids[c.parent] = append(w.kids[c.parent], model.CollectorID(id))
		}
	}
	return w
}

func (w *Writer) Track(id model.TrackID, name string, kind model.TrackKind) {
	w.S.Apply(model.TrackDef{ID: id, Name: name, Kind: kind, Index: int(id)})
}

// at returns a time as a 32-bit float of seconds can hold it.
func (w *Writer) at(ns int64) int64 {
	return int64(math.Round(float64(float32(float64(ns)/1e9)) * 1e9))
}

func (w *Writer) path(parent model.PathID, c model.CollectorID) model.PathID {
	k := [2]int64{int64(parent), int64(c)}
	p, ok := w.paths[k]
	if !ok {
		p = model.PathID(len(w.paths) + 1)
		w.paths[k] = p
		w.S.Apply(model.PathDef{ID: p, Parent: parent, Collector: c})
	}
	return p
}

func (w *Writer) Begin(track model.TrackID, number, begin, end int64) {
	w.batch.Reset()
	w.batch.Track, w.batch.HasFrame, w.batch.Number = track, true, number
	w.batch.Begin, w.batch.End = w.at(begin), w.at(end)
	clear(w.alone)
}

// Span adds a span and charges its time to it and not to the collector it lies in. It returns its
// path.
func (w *Writer) Span(parent model.PathID, in, c model.CollectorID, lane int, begin, end int64) model.PathID {
	p := w.path(parent, c)
	begin, end = w.at(begin), w.at(end)
	w.batch.Spans = append(w.batch.Spans, model.Span{Begin: begin, End: end, Path: p, Lane: uint16(lane), Flags: w.Flags})
	w.Flags = 0
	w.charge(c, end-begin, 1)
	if lane > 0 {
		w.charge(in, begin-end, 0)
	}
	return p
}

func (w *Writer) charge(c model.CollectorID, ns int64, starts int32) {
	a := w.alone[c]
	if a == nil {
		a = &model.CollectorTime{Collector: c}
		w.alone[c] = a
	}
	a.Ns += ns
	a.Count += starts
}

// fill divides [begin, end) among the given collectors by weight, with small pauses, and each part
// among its children.
func (w *Writer) fill(
	parent model.PathID, in model.CollectorID, lane int, begin, end int64, cs []model.CollectorID, weights []float64,
) {
	total := 0.0
	for i := range cs {
		total += weights[i]
	}
	at := float64(begin)
	for i, c := range cs {
		d := float64(end-begin) * weights[i] / total
		b, e := int64(at), int64(at+d*(0.985-0.01*w.rng.Float64()))
		at += d
		if e-b < 20_000 {
			continue
		}
		p := w.Span(parent, in, c, lane, b, e)
		if lane >= 5 {
			continue
		}
		// children: several short runs, as a game's inner loops make them
		if kids := w.kids[c]; len(kids) > 0 {
			n := 1 + w.rng.IntN(4)
			sub, ws := make([]model.CollectorID, 0, n), make([]float64, 0, n)
			for range n {
				sub = append(sub, kids[w.rng.IntN(len(kids))])
				ws = append(ws, 0.15+w.rng.Float64())
			}
			used := 0.55 + 0.4*w.rng.Float64()
			from := b + int64(float64(e-b)*(1-used)*w.rng.Float64())
			w.fill(p, c, lane+1, from, from+int64(float64(e-b)*used), sub, ws)
		} else if e-b > 400_000 && w.rng.IntN(3) == 0 {
			self := []model.CollectorID{c, c}
			w.fill(p, c, lane+1, b, b+(e-b)*2/3, self, []float64{1, 0.5})
		}
	}
}

// End appends the frame to the session.
func (w *Writer) End() {
	slices.SortStableFunc(w.batch.Spans, func(a, b model.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Lane, b.Lane))
	})
	w.batch.Self = w.batch.Self[:0]
	for _, a := range w.alone {
		w.batch.Self = append(w.batch.Self, *a)
	}
	slices.SortFunc(w.batch.Self, func(a, b model.CollectorTime) int { return cmp.Compare(a.Collector, b.Collector) })
	w.batch.Bytes = 24 * len(w.batch.Spans)
	w.S.Append(&w.batch)
}

// testDurations returns how long the Main frames take: a calm game with four hitches and one heavy
// stretch.
func testDurations(n int, rng *rand.Rand) []int64 {
	d := make([]int64, n)
	for i := range d {
		ms := 14.9 + 0.8*math.Sin(float64(i)/9) + 0.7*rng.Float64()
		switch {
		case i%200 == 20, i%200 == 171:
			ms = 25
		case i%200 == 31:
			ms = 38
		case i%200 == 150:
			ms = 41.2
		case i%200 >= 90 && i%200 < 120:
			ms += 4.2
		}
		d[i] = int64(ms * 1e6)
	}
	return d
}

// NewSession returns a session like that of a small game: Main with TestFrames frames, Cull and
// Draw pipelined behind it, GPU, and a loader that misses three frames. Main misses TestGapFrames
// frames after the one with index TestGapAfter. It is the same in every run.
func NewSession(testing.TB) *store.Session { return SessionOf(TestFrames) }

func SessionOf(frames int) *store.Session { return Fill(store.NewSession(), frames) }

func Fill(s *store.Session, frames int) *store.Session {
	w := NewWriterOn(s, 1)
	w.Track(TMain, "Main", model.TrackThread)
	w.Track(TCull, "Cull", model.TrackThread)
	w.Track(tDraw, "Draw", model.TrackThread)
	w.Track(TGPU, "GPU", model.TrackGPU)
	w.Track(TLoader, "Loader", model.TrackThread)
	number, at := int64(testFirstNumber), int64(testStartNs)
	for i, d := range testDurations(frames, w.rng) {
		if i%200 == TestGapAfter+1 {
			number += TestGapFrames
			at += TestGapFrames * 15_500_000
		}
		w.main(number, at, at+d, i)
		w.pipeline(TCull, number, at+d*14/100, at+d*92/100, []model.CollectorID{CCull, CWait})
		w.pipeline(tDraw, number, at+d*26/100, at+d*93/100, []model.CollectorID{CDraw, CWait})
		w.pipeline(TGPU, number, at+d*33/100, at+d*94/100, []model.CollectorID{23, 24, 25, 26})
		if k := i % 200; k < 106 || k > 108 {
			w.pipeline(TLoader, number, at+d*7/100, at+d*93/100, []model.CollectorID{27, 28, 29})
		}
		at += d
		number++
	}
	return w.S
}

// main appends a frame of the main thread, with levels.
func (w *Writer) main(number, begin, end int64, i int) {
	w.Begin(TMain, number, begin, end)
	p := w.Span(0, 0, 0, 0, begin, end)
	heavy := 1.0
	if end-begin > 18_000_000 {
		heavy = 1.6
	}
	w.fill(p, 0, 1, begin+30_000, end-int64(100_000*(1+w.rng.Float64())), []model.CollectorID{CApp, CCull, CDraw, CWait},
		[]float64{4.2 + 0.3*w.rng.Float64(), (4.6 + 0.3*w.rng.Float64()) * heavy, 5.9 + 0.6*w.rng.Float64(),
			0.6 + 0.4*w.rng.Float64()})
	w.batch.Levels = append(w.batch.Levels[:0],
		model.Level{Collector: cNodes, Time: begin, Value: 1204 + float64(i%7)},
		model.Level{Collector: CBuffers, Time: begin, Value: 0.5},
		model.Level{Collector: 34, Time: begin, Value: 8.3e6},
		model.Level{Collector: 36, Time: begin, Value: 30 + 4*math.Sin(float64(i)/20)},
		model.Level{Collector: 37, Time: begin, Value: 10 + float64(i%13)})
	w.End()
}

// pipeline appends a frame of another track.
func (w *Writer) pipeline(track model.TrackID, number, begin, end int64, cs []model.CollectorID) {
	w.Begin(track, number, begin, end)
	p := w.Span(0, 0, 0, 0, begin, end)
	ws := make([]float64, len(cs))
	for i := range ws {
		ws[i] = 0.4 + w.rng.Float64()
	}
	w.fill(p, 0, 1, begin+20_000, end-20_000, cs, ws)
	w.End()
}

// NewLaneSession returns a session with n spans in each of the given number of lanes of one track,
// as frames of 100 spans a lane without gaps: for benchmarks.
func NewLaneSession(n, lanes int) *store.Session {
	w := NewWriter(3)
	w.Track(0, "Main", model.TrackThread)
	w.S.Apply(model.Info{Source: "pstats", Program: "load", File: true})
	const per = 100
	at := int64(1_000_000_000)
	for f := range n / per {
		w.batch.Reset()
		w.batch.Track, w.batch.HasFrame, w.batch.Number = 0, true, int64(f)
		w.batch.Begin = at
		for range per {
			d := int64(20_000 + w.rng.IntN(200_000))
			parent := model.PathRoot
			for lane := range lanes {
				c := model.CollectorID(1 + (lane*7+w.rng.IntN(3))%30)
				parent = w.path(parent, c)
				inset := int64(lane) * d / int64(4*lanes)
				w.batch.Spans = append(w.batch.Spans, model.Span{Begin: at + inset, End: at + d - inset, Path: parent,
					Lane: uint16(lane)})
			}
			at += d + int64(w.rng.IntN(30_000))
		}
		slices.SortStableFunc(w.batch.Spans, func(a, b model.Span) int {
			return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Lane, b.Lane))
		})
		w.batch.End = at
		w.S.Append(&w.batch)
	}
	return w.S
}
