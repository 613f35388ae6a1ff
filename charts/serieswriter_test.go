package charts

import (
	"fmt"
	"framescope/model"
	"math"
	"math/rand/v2"
)

// seriesWriter fills a session with series as a decoder would.
type seriesWriter struct {
	s     *model.Session
	rng   *rand.Rand
	next  model.SeriesID
	batch model.Batch
}

func newSeriesWriter() *seriesWriter {
	w := &seriesWriter{s: model.NewSession(), rng: rand.New(rand.NewPCG(4, 8))}
	w.s.Apply(model.Info{Source: "gsttrace", Program: "player", File: true})
	return w
}

func (w *seriesWriter) define(d model.SeriesDef) model.SeriesID {
	d.ID = w.next
	d.Track, d.Object, d.Peer = model.NoTrack, model.NoObject, model.NoObject
	w.next++
	w.s.Apply(d)
	return d.ID
}

func (w *seriesWriter) add(id model.SeriesID, timeNs int64, value float64) {
	w.batch.Samples = append(w.batch.Samples, model.Sample{Series: id, Time: timeNs, Value: value})
}

func (w *seriesWriter) flush() *model.Session {
	w.batch.Track = model.NoTrack
	w.s.Append(&w.batch)
	w.batch.Reset()
	return w.s
}

// latencySession returns n pairs with a latency sample every few ms over five seconds; one of them has a burst.
func latencySession(n int) *model.Session {
	w := newSeriesWriter()
	names := []string{"audiotestsrc0.src → fakesink0.sink", "queue0.src", "queue10.src", "queue2.src", "videoconvert0.src", "x264enc0.src", "mux.src", "tee0.src_0"}
	for i := range n {
		name := fmt.Sprintf("element%d.src", i)
		if i < len(names) {
			name = names[i]
		}
		id := w.define(model.SeriesDef{Name: name, Group: "latency", Unit: "ns", Role: model.RoleLatency, Description: "time it took for the buffer to go from source to sink, in ns"})
		base := 0.4e6 * float64(1+i)
		for t := int64(200*ms) + int64(i)*3*ms; t < 5000*ms; t += int64(2*ms) + int64(w.rng.IntN(3*ms)) {
			v := base * (0.85 + 0.3*w.rng.Float64() + 0.2*math.Sin(float64(t)/4e8+float64(i)))
			if i == 1 && t > 2200*ms && t < 2600*ms {
				v *= 3.5
			}
			w.add(id, t, v)
		}
	}
	return w.flush()
}

func loadSession() *model.Session {
	w := newSeriesWriter()
	for i, name := range []string{"process", "queue0:src", "audiotestsrc0:src", "multiqueue0:src_1"} {
		id := w.define(model.SeriesDef{Name: name, Group: "thread-rusage current-cpuload", Kind: model.SeriesGauge, Unit: "%", HasRange: true, Max: 100, Role: model.RoleCPULoad,
			Description: "current cpu usage of the thread in ‰"})
		for t := int64(100 * ms); t < 4600*ms; t += 10 * ms {
			v := 12 + 20*float64(i) + 11*math.Sin(float64(t)/(5e8+2e8*float64(i))) + 5*w.rng.Float64()
			w.add(id, t, max(0, min(v, 100)))
		}
	}
	return w.flush()
}

func stateSession(n int) *model.Session {
	w := newSeriesWriter()
	names := []string{"void-pending", "null", "ready", "paused", "playing"}
	for i := range n {
		id := w.define(model.SeriesDef{Name: fmt.Sprintf("element%d", i), Group: "element state", Kind: model.SeriesState, Role: model.RoleState, States: names})
		t := int64(100*ms + i*12*ms)
		for _, v := range []float64{1, 2, 3, 4} {
			w.add(id, t, v)
			t += int64(40*ms + w.rng.IntN(500*ms))
		}
		if i%3 == 1 {
			w.add(id, t+400*ms, 3)
			w.add(id, t+700*ms, math.NaN())
			w.add(id, t+1200*ms, 2)
		}
		if i == 0 {
			w.add(id, 4000*ms, 1)
		}
	}
	return w.flush()
}

const ms = 1_000_000
