package chartstest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"framescope/model"
	"framescope/model/store"
)

func (w *TopoWriter) object(parent model.ObjectID, kind model.ObjectKind, dir model.PadDirection, name, class string) model.ObjectID {
	id := w.objects
	w.objects++
	w.s.Apply(model.ObjectDef{ID: id, Parent: parent, Kind: kind, Direction: dir, Name: name, Type: class, Created: 1_000_000, Gone: model.TimeUnknown})
	return id
}

// element makes an element with pads, a name that ends with "sink" or begins with it being one that takes.
func (w *TopoWriter) Element(parent model.ObjectID, name, class string, pads ...string) (e model.ObjectID, pad map[string]model.ObjectID) {
	e = w.object(parent, model.ObjectElement, 0, name, class)
	return e, w.pads(e, model.ObjectPad, pads...)
}

func (w *TopoWriter) pads(e model.ObjectID, kind model.ObjectKind, names ...string) map[string]model.ObjectID {
	m := map[string]model.ObjectID{}
	for _, p := range names {
		dir := model.PadSource
		if strings.Contains(p, "sink") {
			dir = model.PadSink
		}
		m[p] = w.object(e, kind, dir, p, "GstPad")
	}
	return m
}

// link links two pads, over which n buffers a second of a size went, from a time to another.
func (w *TopoWriter) Link(from, to model.ObjectID, perSecond, size float64, t0, t1 int64) model.LinkID {
	id := w.links
	w.links++
	flow := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: flow, Name: "flow", Group: "buffer", Kind: model.SeriesEvent, Role: model.RoleFlow, Unit: "B", Track: model.NoTrack, Object: from, Peer: to})
	w.s.Apply(model.LinkDef{ID: id, From: from, To: to, Since: 2_000_000, Until: model.TimeUnknown, Flow: flow})
	if perSecond > 0 {
		for t := t0; t < t1; t += int64(1e9 / perSecond) {
			w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: flow, Time: t, Value: size})
		}
	}
	return id
}

// latency gives an element a latency of about ms, measured fifty times a second, one in ten three times as long.
func (w *TopoWriter) Latency(e model.ObjectID, ms float64) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "latency", Kind: model.SeriesValue, Role: model.RoleLatency, Unit: "ns", Track: model.NoTrack, Object: e, Peer: model.NoObject})
	for i := range int64(150) {
		v := ms * 1e6 * (1 + 0.2*math.Sin(float64(i)))
		if i%10 == 9 {
			v = ms * 3e6
		}
		w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: id, Time: i * 20_000_000, Value: v})
	}
}

// states gives an element the usual way of states, one after each step.
func (w *TopoWriter) states(e model.ObjectID, step int64, to int) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "state", Kind: model.SeriesState, Role: model.RoleState, Track: model.NoTrack, Object: e, Peer: model.NoObject,
		States: []string{"void-pending", "null", "ready", "paused", "playing"}})
	for i := 1; i <= to; i++ {
		w.Batch.Samples = append(w.Batch.Samples, model.Sample{Series: id, Time: int64(i) * step, Value: float64(i)})
	}
}

// session stores the samples and returns the session, with a track that is as long as they are.
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
	objects model.ObjectID
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

// SmallPipeline is videotestsrc ! videoconvert ! queue ! autovideosink, the sink half way to playing.
func SmallPipeline() *TopoWriter {
	w := NewTopoWriter()
	p := w.object(model.NoObject, model.ObjectBin, 0, "pipeline0", "GstPipeline")
	var before model.ObjectID = model.NoObject
	for i, e := range []struct {
		name, class string
		pads        []string
		ms          float64
		state       int
	}{
		{"videotestsrc0", "GstVideoTestSrc", []string{"src"}, 0, 4}, {"videoconvert0", "GstVideoConvert", []string{"sink", "src"}, 0.42, 4},
		{"queue0", "GstQueue", []string{"sink", "src"}, 12.4, 3}, {"videosink", "GstXvImageSink", []string{"sink"}, 2.1, 2},
	} {
		id, pads := w.Element(p, e.name, e.class, e.pads...)
		w.states(id, 100_000_000, e.state)
		if e.ms > 0 {
			w.Latency(id, e.ms)
		}
		if i > 0 {
			w.Link(before, pads["sink"], 25, 115_200, 400_000_000, 3_000_000_000)
		}
		before = pads["src"]
	}
	w.states(p, 100_000_000, 4)
	return w
}

// TeePipeline is a tee with three branches, of which one is quiet.
func TeePipeline() *TopoWriter {
	w := NewTopoWriter()
	src, s := w.Element(model.NoObject, "camera", "GstV4l2Src", "src")
	tee, t := w.Element(model.NoObject, "t", "GstTee", "sink", "src_0", "src_1", "src_2")
	w.Link(s["src"], t["sink"], 30, 3_110_400, 0, 3e9)
	w.Latency(tee, 0.05)
	w.states(src, 1e8, 4)
	w.states(tee, 1e8, 4)
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
		w.states(q, 1e8, 4)
		pads := []string{"sink"}
		if b.names[1] == "encoder" {
			pads = append(pads, "src")
		}
		e, ep := w.Element(model.NoObject, b.names[1], b.names[0], pads...)
		w.Latency(e, b.sinkms)
		w.states(e, 1e8, 4)
		w.Link(qp["src"], ep["sink"], b.rate, 3_110_400, 0, b.until)
		if len(pads) > 1 {
			f, fp := w.Element(model.NoObject, "file", "GstFileSink", "sink")
			w.states(f, 1e8, 4)
			w.Link(ep["src"], fp["sink"], 30, 21_000, 0, 3e9)
		}
	}
	return w
}

// NestedBins is a decode bin in a bin, with ghost pads and the proxy pads behind them.
func NestedBins() *TopoWriter {
	w := NewTopoWriter()
	p := w.object(model.NoObject, model.ObjectBin, 0, "pipeline0", "GstPipeline")
	uri := w.object(p, model.ObjectBin, 0, "d", "GstURIDecodeBin")
	dec := w.object(uri, model.ObjectBin, 0, "decodebin0", "GstDecodeBin")
	_, source := w.Element(uri, "source", "GstFileSrc", "src")
	_, find := w.Element(dec, "typefind", "GstTypeFindElement", "sink", "src")
	dm, demux := w.Element(dec, "matroskademux0", "GstMatroskaDemux", "sink", "video_0", "audio_0")
	mq, multi := w.Element(dec, "multiqueue0", "GstMultiQueue", "sink_0", "src_0", "sink_1", "src_1")
	vd, video := w.Element(dec, "vp8dec0", "GstVP8Dec", "sink", "src")
	_, audio := w.Element(dec, "vorbisdec0", "GstVorbisDec", "sink", "src")
	ghost := func(bin model.ObjectID, name, proxy string) (outside, inside model.ObjectID) {
		outside = w.pads(bin, model.ObjectGhostPad, name)[name]
		dir := model.PadSink
		if strings.Contains(name, "sink") {
			dir = model.PadSource
		}
		inside = w.object(bin, model.ObjectPad, dir, proxy, "GstProxyPad")
		return
	}
	in, inFace := ghost(dec, "sink", "proxypad0")
	v, vFace := ghost(dec, "src_0", "proxypad2")
	a, aFace := ghost(dec, "src_1", "proxypad3")
	v2, v2Face := ghost(uri, "src_0", "proxypad4")
	a2, a2Face := ghost(uri, "src_1", "proxypad5")
	link := func(from, to model.ObjectID, rate, size float64) { w.Link(from, to, rate, size, 0, 3e9) }
	link(source["src"], in, 20, 65536)
	link(inFace, find["sink"], 20, 65536)
	link(find["src"], demux["sink"], 20, 65536)
	link(demux["video_0"], multi["sink_0"], 30, 2100)
	link(demux["audio_0"], multi["sink_1"], 43, 60)
	link(multi["src_0"], video["sink"], 30, 2100)
	link(multi["src_1"], audio["sink"], 43, 60)
	link(video["src"], vFace, 30, 115200)
	link(audio["src"], aFace, 43, 4096)
	link(v, v2Face, 30, 115200)
	link(a, a2Face, 43, 4096)
	for i, q := range []struct {
		from  model.ObjectID
		names [3]string
		rate  float64
		size  float64
	}{{v2, [3]string{"videoconvert0", "fakesink0", "GstVideoConvert"}, 30, 115200}, {a2, [3]string{"audioconvert0", "fakesink1", "GstAudioConvert"}, 43, 4096}} {
		qe, qp := w.Element(p, fmt.Sprintf("queue%d", i), "GstQueue", "sink", "src")
		_, cp := w.Element(p, q.names[0], q.names[2], "sink", "src")
		_, sp := w.Element(p, q.names[1], "GstFakeSink", "sink")
		link(q.from, qp["sink"], q.rate, q.size)
		link(qp["src"], cp["sink"], q.rate, q.size)
		link(cp["src"], sp["sink"], q.rate, q.size)
		w.Latency(qe, float64(3+4*i))
	}
	w.Latency(dm, 0.3)
	w.Latency(mq, 40)
	w.Latency(vd, 7.5)
	for _, id := range []model.ObjectID{p, uri, dec, dm, mq, vd} {
		w.states(id, 1e8, 4)
	}
	return w
}

// ManyElements is a pipeline of 60 elements with forks and joins.
func ManyElements() *TopoWriter {
	w := NewTopoWriter()
	rng := rand.New(rand.NewPCG(3, 4))
	type out struct{ pad model.ObjectID }
	var open []out
	for i := range 60 {
		pads := []string{"sink", "src"}
		switch {
		case i == 0:
			pads = []string{"src"}
		case i%9 == 3:
			pads = []string{"sink", "src_0", "src_1", "src_2"}
		case i%13 == 12:
			pads = []string{"sink_0", "sink_1", "src"}
		case i > 50:
			pads = []string{"sink"}
		}
		class := []string{"GstQueue", "GstIdentity", "GstVideoConvert", "GstCapsFilter"}[i%4]
		e, p := w.Element(model.NoObject, fmt.Sprintf("%s%d", strings.ToLower(class[3:]), i), class, pads...)
		w.Latency(e, rng.Float64()*rng.Float64()*20)
		w.states(e, 1e8, 4)
		for _, name := range pads {
			if strings.HasPrefix(name, "sink") && len(open) > 0 {
				k := rng.IntN(min(len(open), 3))
				w.Link(open[k].pad, p[name], float64(1+rng.IntN(60)), float64(1000+rng.IntN(1_000_000)), 0, 3e9)
				open = append(open[:k], open[k+1:]...)
			}
		}
		for _, name := range pads {
			if strings.HasPrefix(name, "src") {
				open = append(open, out{p[name]})
			}
		}
	}
	return w
}

// HostileNames are names that no sane program gives.
func HostileNames() *TopoWriter {
	w := NewTopoWriter()
	names := []string{strings.Repeat("very_long_name_", 20), "", "日本語の要素", "a\x00b\xff\n\tc", "مرحبا 🎬", " "}
	var before model.ObjectID = model.NoObject
	for i, n := range names {
		class := strings.Repeat("GstVeryLong", i*3)
		_, p := w.Element(model.NoObject, n, class, "sink"+n, "src"+n)
		if i > 0 {
			w.Link(before, p["sink"+n], 1e3, 1e9, 0, 1e9)
		}
		before = p["src"+n]
	}
	self, p := w.Element(model.NoObject, "loop", "GstIdentity", "sink", "src")
	w.Link(p["src"], p["sink"], 5, 5, 0, 3e9)
	w.Link(before, self, 0, 0, 0, 0)
	w.object(77, model.ObjectBin, 0, "in nothing", "GstBin")
	a := w.object(w.objects+1, model.ObjectBin, 0, "ring a", "GstBin")
	w.object(a, model.ObjectBin, 0, "ring b", "GstBin")
	w.Link(900, 901, 1, 1, 0, 1)
	return w
}
