package chartstest

import (
	"fmt"
	"math"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// Object makes an object, and returns its id.
func (w *TopoWriter) Object(
	parent model.ObjectID, kind model.ObjectKind, dir model.PadDirection, name, class string,
) model.ObjectID {
	id := w.Objects
	w.Objects++
	w.s.Apply(model.ObjectDef{ID: id, Parent: parent, Kind: kind, Direction: dir, Name: name, Type: class,
		Created: 1_000_000, Gone: model.TimeUnknown})
	return id
}

// Element makes an element with pads, a name that ends with "sink" or begins with it being one that
// takes.
func (w *TopoWriter) Element(
	parent model.ObjectID, name, class string, pads ...string,
) (e model.ObjectID, pad map[string]model.ObjectID) {
	e = w.Object(parent, model.ObjectElement, 0, name, class)
	return e, w.Pads(e, model.ObjectPad, pads...)
}

// Pads gives an element pads.
func (w *TopoWriter) Pads(e model.ObjectID, kind model.ObjectKind, names ...string) map[string]model.ObjectID {
	m := map[string]model.ObjectID{}
	for _, p := range names {
		dir := model.PadSource
		if strings.Contains(p, "sink") {
			dir = model.PadSink
		}
		m[p] = w.Object(e, kind, dir, p, "GstPad")
	}
	return m
}

// Link links two pads, over which n buffers a second of a size went, from a time to another.
func (w *TopoWriter) Link(from, to model.ObjectID, perSecond, size float64, t0, t1 int64) model.LinkID {
	id := w.links
	w.links++
	flow := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: flow, Name: "flow", Group: "buffer", Kind: model.SeriesEvent, Role: model.RoleFlow,
		Unit: "B", Track: model.NoTrack, Object: from, Peer: to})
	w.s.Apply(model.LinkDef{ID: id, From: from, To: to, Since: 2_000_000, Until: model.TimeUnknown, Flow: flow})
	if perSecond > 0 {
		for t := t0; t < t1; t += int64(1e9 / perSecond) {
			w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: flow, Time: t, Value: size})
		}
	}
	return id
}

// Latency gives an element a latency of about ms, measured fifty times a second, one in ten three
// times as long.
func (w *TopoWriter) Latency(e model.ObjectID, ms float64) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "latency", Kind: model.SeriesValue, Role: model.RoleLatency, Unit: "ns",
		Track: model.NoTrack, Object: e, Peer: model.NoObject})
	for i := range int64(150) {
		v := ms * 1e6 * (1 + 0.2*math.Sin(float64(i)))
		if i%10 == 9 {
			v = ms * 3e6
		}
		w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: id, Time: i * 20_000_000, Value: v})
	}
}

// States gives an element the usual way of states, one after each step.
func (w *TopoWriter) States(e model.ObjectID, step int64, to int) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "state", Kind: model.SeriesState, Role: model.RoleState, Track: model.NoTrack,
		Object: e, Peer: model.NoObject,
		States: []string{"void-pending", "null", "ready", "paused", "playing"}})
	for i := 1; i <= to; i++ {
		w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: id, Time: int64(i) * step, Value: float64(i)})
	}
}

// Session stores the samples and returns the session, with a track that is as long as they are.
func (w *TopoWriter) Session() *store.Session {
	w.s.Apply(model.TrackDef{ID: 0, Name: "main"})
	w.s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	w.s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	w.s.Append(&w.Batch)
	w.s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 3_000_000_000, Path: 1}}})
	w.Batch.Reset()
	w.Batch.Track = model.NoTrack
	return w.s
}

// TopoWriter fills a session with a pipeline as a decoder would.
type TopoWriter struct {
	s       *store.Session
	Objects model.ObjectID
	links   model.LinkID
	series  model.SeriesID
	Batch   model.Batch
}

func NewTopoWriter() *TopoWriter {
	w := &TopoWriter{s: store.NewSession()}
	w.Batch.Track = model.NoTrack
	w.s.Apply(model.Info{File: true, Program: "gst-launch-1.0"})
	return w
}

// TeePipeline is a tee with three branches, one of them quiet.
func TeePipeline() *TopoWriter {
	w := NewTopoWriter()
	src, s := w.Element(model.NoObject, "camera", "GstV4l2Src", "src")
	tee, t := w.Element(model.NoObject, "t", "GstTee", "sink", "src_0", "src_1", "src_2")
	w.Link(s["src"], t["sink"], 30, 3_110_400, 0, 3e9)
	w.Latency(tee, 0.05)
	w.States(src, 1e8, 4)
	w.States(tee, 1e8, 4)
	for i, b := range []struct {
		names  [2]string
		rate   float64
		until  int64
		ms     float64
		sinkms float64
	}{
		{[2]string{"GstAutoVideoSink", "preview"}, 30, 3e9, 0.6, 1.2},
		{[2]string{"GstX264Enc", "encoder"}, 30, 3e9, 3.1, 21},
		{[2]string{"GstFakeSink", "analysis"}, 10, 1_100_000_000, 0.2, 0.1},
	} {
		q, qp := w.Element(model.NoObject, fmt.Sprintf("queue%d", i), "GstQueue", "sink", "src")
		w.Link(t[fmt.Sprintf("src_%d", i)], qp["sink"], b.rate, 3_110_400, 0, b.until)
		w.Latency(q, b.ms)
		w.States(q, 1e8, 4)
		pads := []string{"sink"}
		if b.names[1] == "encoder" {
			pads = append(pads, "src")
		}
		e, ep := w.Element(model.NoObject, b.names[1], b.names[0], pads...)
		w.Latency(e, b.sinkms)
		w.States(e, 1e8, 4)
		w.Link(qp["src"], ep["sink"], b.rate, 3_110_400, 0, b.until)
		if len(pads) > 1 {
			f, fp := w.Element(model.NoObject, "file", "GstFileSink", "sink")
			w.States(f, 1e8, 4)
			w.Link(ep["src"], fp["sink"], 30, 21_000, 0, 3e9)
		}
	}
	return w
}
