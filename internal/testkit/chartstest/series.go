package chartstest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"framescope/model"
	"framescope/model/store"
)

// seriesWriter fills a session with series as a decoder would.
type seriesWriter struct {
	S     *store.Session
	Rng   *rand.Rand
	Next  model.SeriesID
	batch model.Batch
}

func NewSeriesWriter() *seriesWriter {
	w := &seriesWriter{S: store.NewSession(), Rng: rand.New(rand.NewPCG(4, 8))}
	w.S.Apply(model.Info{Source: "gsttrace", Program: "player", File: true})
	return w
}

func (w *seriesWriter) Define(d model.SeriesDef) model.SeriesID {
	d.ID = w.Next
	d.Track, d.Object, d.Peer = model.NoTrack, model.NoObject, model.NoObject
	w.Next++
	w.S.Apply(d)
	return d.ID
}

func (w *seriesWriter) Add(id model.SeriesID, timeNs int64, value float64) {
	w.batch.Samples = append(w.batch.Samples, model.Sample{Series: id, Time: timeNs, Value: value})
}

func (w *seriesWriter) Flush() *store.Session {
	w.batch.Track = model.NoTrack
	w.S.Append(&w.batch)
	w.batch.Reset()
	return w.S
}

// LatencySession returns n pairs with a latency sample every few ms over five seconds; one of them
// has a burst.
func LatencySession(n int) *store.Session {
	w := NewSeriesWriter()
	names := []string{"audiotestsrc0.src → fakesink0.sink", "queue0.src", "queue10.src", "queue2.src", "videoconvert0.src",
		"x264enc0.src", "mux.src", "tee0.src_0"}
	for i := range n {
		name := fmt.Sprintf("element%d.src", i)
		if i < len(names) {
			name = names[i]
		}
		id := w.Define(model.SeriesDef{Name: name, Group: "latency", Unit: "ns", Role: model.RoleLatency,
			Description: "time it took for the buffer to go from source to sink, in ns"})
		base := 0.4e6 * float64(1+i)
		for t := int64(200*Ms) + int64(i)*3*Ms; t < 5000*Ms; t += int64(2*Ms) + int64(w.Rng.IntN(3*Ms)) {
			v := base * (0.85 + 0.3*w.Rng.Float64() + 0.2*math.Sin(float64(t)/4e8+float64(i)))
			if i == 1 && t > 2200*Ms && t < 2600*Ms {
				v *= 3.5
			}
			w.Add(id, t, v)
		}
	}
	return w.Flush()
}

func LoadSession() *store.Session {
	w := NewSeriesWriter()
	for i, name := range []string{"process", "queue0:src", "audiotestsrc0:src", "multiqueue0:src_1"} {
		id := w.Define(model.SeriesDef{Name: name, Group: "thread-rusage current-cpuload", Kind: model.SeriesGauge, Unit: "%",
			HasRange: true, Max: 100, Role: model.RoleCPULoad,
			Description: "current cpu usage of the thread in ‰"})
		for t := int64(100 * Ms); t < 4600*Ms; t += 10 * Ms {
			v := 12 + 20*float64(i) + 11*math.Sin(float64(t)/(5e8+2e8*float64(i))) + 5*w.Rng.Float64()
			w.Add(id, t, max(0, min(v, 100)))
		}
	}
	return w.Flush()
}

func StateSession(n int) *store.Session {
	w := NewSeriesWriter()
	names := []string{"void-pending", "null", "ready", "paused", "playing"}
	for i := range n {
		id := w.Define(model.SeriesDef{Name: fmt.Sprintf("element%d", i), Group: "element state", Kind: model.SeriesState,
			Role: model.RoleState, States: names})
		t := int64(100*Ms + i*12*Ms)
		for _, v := range []float64{1, 2, 3, 4} {
			w.Add(id, t, v)
			t += int64(40*Ms + w.Rng.IntN(500*Ms))
		}
		if i%3 == 1 {
			w.Add(id, t+400*Ms, 3)
			w.Add(id, t+700*Ms, math.NaN())
			w.Add(id, t+1200*Ms, 2)
		}
		if i == 0 {
			w.Add(id, 4000*Ms, 1)
		}
	}
	return w.Flush()
}

const Ms = 1_000_000

// Sample defines a series of n samples, stepNs apart.
func (w *seriesWriter) Sample(d model.SeriesDef, n int, stepNs int64, value func(k int) float64) model.SeriesID {
	id := w.Define(d)
	for k := range n {
		w.Add(id, int64(k)*stepNs, value(k))
	}
	return id
}
