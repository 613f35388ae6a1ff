package topology

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"framescope/charts/chartstest"
	"framescope/model"
)

// smallPipeline is videotestsrc ! videoconvert ! queue ! autovideosink, the sink half way to
// playing.
func smallPipeline() *chartstest.TopoWriter {
	w := chartstest.NewTopoWriter()
	p := w.Object(model.NoObject, model.ObjectBin, 0, "pipeline0", "GstPipeline")
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
		w.States(id, 100_000_000, e.state)
		if e.ms > 0 {
			w.Latency(id, e.ms)
		}
		if i > 0 {
			w.Link(before, pads["sink"], 25, 115_200, 400_000_000, 3_000_000_000)
		}
		before = pads["src"]
	}
	w.States(p, 100_000_000, 4)
	return w
}

// nestedBins is a decode bin in a bin, with ghost pads and the proxy pads behind them.
func nestedBins() *chartstest.TopoWriter {
	w := chartstest.NewTopoWriter()
	p := w.Object(model.NoObject, model.ObjectBin, 0, "pipeline0", "GstPipeline")
	uri := w.Object(p, model.ObjectBin, 0, "d", "GstURIDecodeBin")
	dec := w.Object(uri, model.ObjectBin, 0, "decodebin0", "GstDecodeBin")
	_, source := w.Element(uri, "source", "GstFileSrc", "src")
	_, find := w.Element(dec, "typefind", "GstTypeFindElement", "sink", "src")
	dm, demux := w.Element(dec, "matroskademux0", "GstMatroskaDemux", "sink", "video_0", "audio_0")
	mq, multi := w.Element(dec, "multiqueue0", "GstMultiQueue", "sink_0", "src_0", "sink_1", "src_1")
	vd, video := w.Element(dec, "vp8dec0", "GstVP8Dec", "sink", "src")
	_, audio := w.Element(dec, "vorbisdec0", "GstVorbisDec", "sink", "src")
	ghost := func(bin model.ObjectID, name, proxy string) (outside, inside model.ObjectID) {
		outside = w.Pads(bin, model.ObjectGhostPad, name)[name]
		dir := model.PadSink
		if strings.Contains(name, "sink") {
			dir = model.PadSource
		}
		inside = w.Object(bin, model.ObjectPad, dir, proxy, "GstProxyPad")
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
		w.States(id, 1e8, 4)
	}
	return w
}

// manyElements is a pipeline of 60 elements with forks and joins.
func manyElements() *chartstest.TopoWriter {
	w := chartstest.NewTopoWriter()
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
		w.States(e, 1e8, 4)
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

// hostileNames are names that no sane program gives.
func hostileNames() *chartstest.TopoWriter {
	w := chartstest.NewTopoWriter()
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
	w.Object(77, model.ObjectBin, 0, "in nothing", "GstBin")
	a := w.Object(w.Objects+1, model.ObjectBin, 0, "ring a", "GstBin")
	w.Object(a, model.ObjectBin, 0, "ring b", "GstBin")
	w.Link(900, 901, 1, 1, 0, 1)
	return w
}
