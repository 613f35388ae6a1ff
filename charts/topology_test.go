package charts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/layered"
	"framescope/model"
)

// topoWriter fills a session with a pipeline as a decoder would.
type topoWriter struct {
	s       *model.Session
	objects model.ObjectID
	links   model.LinkID
	series  model.SeriesID
	batch   model.Batch
}

func newTopoWriter() *topoWriter {
	w := &topoWriter{s: model.NewSession()}
	w.batch.Track = model.NoTrack
	w.s.Apply(model.Info{File: true, Program: "gst-launch-1.0"})
	return w
}

func (w *topoWriter) object(parent model.ObjectID, kind model.ObjectKind, dir model.PadDirection, name, class string) model.ObjectID {
	id := w.objects
	w.objects++
	w.s.Apply(model.ObjectDef{ID: id, Parent: parent, Kind: kind, Direction: dir, Name: name, Type: class, Created: 1_000_000, Gone: model.TimeUnknown})
	return id
}

// element makes an element with pads, a name that ends with "sink" or begins with it being one that takes.
func (w *topoWriter) element(parent model.ObjectID, name, class string, pads ...string) (e model.ObjectID, pad map[string]model.ObjectID) {
	e = w.object(parent, model.ObjectElement, 0, name, class)
	return e, w.pads(e, model.ObjectPad, pads...)
}

func (w *topoWriter) pads(e model.ObjectID, kind model.ObjectKind, names ...string) map[string]model.ObjectID {
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
func (w *topoWriter) link(from, to model.ObjectID, perSecond, size float64, t0, t1 int64) model.LinkID {
	id := w.links
	w.links++
	flow := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: flow, Name: "flow", Group: "buffer", Kind: model.SeriesEvent, Role: model.RoleFlow, Unit: "B", Track: model.NoTrack, Object: from, Peer: to})
	w.s.Apply(model.LinkDef{ID: id, From: from, To: to, Since: 2_000_000, Until: model.TimeUnknown, Flow: flow})
	if perSecond > 0 {
		for t := t0; t < t1; t += int64(1e9 / perSecond) {
			w.batch.Samples = append(w.batch.Samples, model.Sample{Series: flow, Time: t, Value: size})
		}
	}
	return id
}

// latency gives an element a latency of about ms, measured fifty times a second, one in ten three times as long.
func (w *topoWriter) latency(e model.ObjectID, ms float64) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "latency", Kind: model.SeriesValue, Role: model.RoleLatency, Unit: "ns", Track: model.NoTrack, Object: e, Peer: model.NoObject})
	for i := range int64(150) {
		v := ms * 1e6 * (1 + 0.2*math.Sin(float64(i)))
		if i%10 == 9 {
			v = ms * 3e6
		}
		w.batch.Samples = append(w.batch.Samples, model.Sample{Series: id, Time: i * 20_000_000, Value: v})
	}
}

// states gives an element the usual way of states, one after each step.
func (w *topoWriter) states(e model.ObjectID, step int64, to int) {
	id := w.series
	w.series++
	w.s.Apply(model.SeriesDef{ID: id, Group: "state", Kind: model.SeriesState, Role: model.RoleState, Track: model.NoTrack, Object: e, Peer: model.NoObject,
		States: []string{"void-pending", "null", "ready", "paused", "playing"}})
	for i := 1; i <= to; i++ {
		w.batch.Samples = append(w.batch.Samples, model.Sample{Series: id, Time: int64(i) * step, Value: float64(i)})
	}
}

// session stores the samples and returns the session, with a track that is as long as they are.
func (w *topoWriter) session() *model.Session {
	w.s.Apply(model.TrackDef{ID: 0, Name: "main"})
	w.s.Apply(model.CollectorDef{ID: 1, Name: "work"})
	w.s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	w.s.Append(&w.batch)
	w.s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 3_000_000_000, Path: 1}}})
	w.batch.Reset()
	w.batch.Track = model.NoTrack
	return w.s
}

// smallPipeline is videotestsrc ! videoconvert ! queue ! autovideosink, the sink half way to playing.
func smallPipeline() *topoWriter {
	w := newTopoWriter()
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
		id, pads := w.element(p, e.name, e.class, e.pads...)
		w.states(id, 100_000_000, e.state)
		if e.ms > 0 {
			w.latency(id, e.ms)
		}
		if i > 0 {
			w.link(before, pads["sink"], 25, 115_200, 400_000_000, 3_000_000_000)
		}
		before = pads["src"]
	}
	w.states(p, 100_000_000, 4)
	return w
}

// teePipeline is a tee with three branches, of which one is quiet.
func teePipeline() *topoWriter {
	w := newTopoWriter()
	src, s := w.element(model.NoObject, "camera", "GstV4l2Src", "src")
	tee, t := w.element(model.NoObject, "t", "GstTee", "sink", "src_0", "src_1", "src_2")
	w.link(s["src"], t["sink"], 30, 3_110_400, 0, 3e9)
	w.latency(tee, 0.05)
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
		q, qp := w.element(model.NoObject, fmt.Sprintf("queue%d", i), "GstQueue", "sink", "src")
		w.link(t[fmt.Sprintf("src_%d", i)], qp["sink"], b.rate, 3_110_400, 0, b.until)
		w.latency(q, b.ms)
		w.states(q, 1e8, 4)
		pads := []string{"sink"}
		if b.names[1] == "encoder" {
			pads = append(pads, "src")
		}
		e, ep := w.element(model.NoObject, b.names[1], b.names[0], pads...)
		w.latency(e, b.sinkms)
		w.states(e, 1e8, 4)
		w.link(qp["src"], ep["sink"], b.rate, 3_110_400, 0, b.until)
		if len(pads) > 1 {
			f, fp := w.element(model.NoObject, "file", "GstFileSink", "sink")
			w.states(f, 1e8, 4)
			w.link(ep["src"], fp["sink"], 30, 21_000, 0, 3e9)
		}
	}
	return w
}

// nestedBins is a decode bin in a bin, with ghost pads and the proxy pads behind them.
func nestedBins() *topoWriter {
	w := newTopoWriter()
	p := w.object(model.NoObject, model.ObjectBin, 0, "pipeline0", "GstPipeline")
	uri := w.object(p, model.ObjectBin, 0, "d", "GstURIDecodeBin")
	dec := w.object(uri, model.ObjectBin, 0, "decodebin0", "GstDecodeBin")
	_, source := w.element(uri, "source", "GstFileSrc", "src")
	_, find := w.element(dec, "typefind", "GstTypeFindElement", "sink", "src")
	dm, demux := w.element(dec, "matroskademux0", "GstMatroskaDemux", "sink", "video_0", "audio_0")
	mq, multi := w.element(dec, "multiqueue0", "GstMultiQueue", "sink_0", "src_0", "sink_1", "src_1")
	vd, video := w.element(dec, "vp8dec0", "GstVP8Dec", "sink", "src")
	_, audio := w.element(dec, "vorbisdec0", "GstVorbisDec", "sink", "src")
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
	link := func(from, to model.ObjectID, rate, size float64) { w.link(from, to, rate, size, 0, 3e9) }
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
		qe, qp := w.element(p, fmt.Sprintf("queue%d", i), "GstQueue", "sink", "src")
		_, cp := w.element(p, q.names[0], q.names[2], "sink", "src")
		_, sp := w.element(p, q.names[1], "GstFakeSink", "sink")
		link(q.from, qp["sink"], q.rate, q.size)
		link(qp["src"], cp["sink"], q.rate, q.size)
		link(cp["src"], sp["sink"], q.rate, q.size)
		w.latency(qe, float64(3+4*i))
	}
	w.latency(dm, 0.3)
	w.latency(mq, 40)
	w.latency(vd, 7.5)
	for _, id := range []model.ObjectID{p, uri, dec, dm, mq, vd} {
		w.states(id, 1e8, 4)
	}
	return w
}

// manyElements is a pipeline of 60 elements with forks and joins.
func manyElements() *topoWriter {
	w := newTopoWriter()
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
		e, p := w.element(model.NoObject, fmt.Sprintf("%s%d", strings.ToLower(class[3:]), i), class, pads...)
		w.latency(e, rng.Float64()*rng.Float64()*20)
		w.states(e, 1e8, 4)
		for _, name := range pads {
			if strings.HasPrefix(name, "sink") && len(open) > 0 {
				k := rng.IntN(min(len(open), 3))
				w.link(open[k].pad, p[name], float64(1+rng.IntN(60)), float64(1000+rng.IntN(1_000_000)), 0, 3e9)
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
func hostileNames() *topoWriter {
	w := newTopoWriter()
	names := []string{strings.Repeat("very_long_name_", 20), "", "日本語の要素", "a\x00b\xff\n\tc", "مرحبا 🎬", " "}
	var before model.ObjectID = model.NoObject
	for i, n := range names {
		class := strings.Repeat("GstVeryLong", i*3)
		_, p := w.element(model.NoObject, n, class, "sink"+n, "src"+n)
		if i > 0 {
			w.link(before, p["sink"+n], 1e3, 1e9, 0, 1e9)
		}
		before = p["src"+n]
	}
	self, p := w.element(model.NoObject, "loop", "GstIdentity", "sink", "src")
	w.link(p["src"], p["sink"], 5, 5, 0, 3e9)
	w.link(before, self, 0, 0, 0, 0)
	w.object(77, model.ObjectBin, 0, "in nothing", "GstBin")
	a := w.object(w.objects+1, model.ObjectBin, 0, "ring a", "GstBin")
	w.object(a, model.ObjectBin, 0, "ring b", "GstBin")
	w.link(900, 901, 1, 1, 0, 1)
	return w
}

func topoRig(s *model.Session, scale, w, h float32, light bool) (*panelRig, *Topology) {
	rig := newPanelRig(s, scale, w, h)
	if light {
		th := assets.Light()
		rig.env.Theme = &th
	}
	rig.env.View.SetPlayhead(2_500_000_000)
	rig.in.Over = false
	rig.in.X, rig.in.Y = -1, -1
	return rig, NewTopology()
}

func TestTopologyPictures(t *testing.T) {
	tip := func(x, y float32) func(*panelRig, *Topology) *draw.List {
		return func(rig *panelRig, c *Topology) *draw.List {
			rig.move(c, x, y)
			rig.tick(c)
			hit := c.HitTest(rig.env, x, y)
			var tt Tooltip
			return tt.Draw(rig.env, &hit, x, y, rig.r)
		}
	}
	middle := func(c *Topology, name string) (float32, float32) {
		for i := range c.graph.nodes {
			if c.graph.nodes[i].name == name {
				b := c.layout.Boxes[i]
				return c.camera.px((b.X0 + b.X1) / 2), c.camera.py(b.Y0 + 12)
			}
		}
		return 0, 0
	}
	for _, c := range []struct {
		name  string
		w     *topoWriter
		width float32
		high  float32
		scale float32
		light bool
		then  func(*panelRig, *Topology) *draw.List
	}{
		{"topology_small", smallPipeline(), 900, 260, 1, false, nil},
		{"topology_small_light", smallPipeline(), 900, 260, 1.5, true, func(rig *panelRig, c *Topology) *draw.List {
			x, y := middle(c, "queue0")
			return tip(x, y)(rig, c)
		}},
		{"topology_tee", teePipeline(), 1000, 460, 1, false, func(rig *panelRig, c *Topology) *draw.List {
			x, y := middle(c, "encoder")
			rig.click(c, x, y)
			return tip(x, y)(rig, c)
		}},
		{"topology_tee_light", teePipeline(), 1000, 460, 1, true, nil},
		{"topology_bins", nestedBins(), 1500, 520, 1, false, nil},
		{"topology_bins_near", nestedBins(), 1000, 520, 1, false, func(rig *panelRig, c *Topology) *draw.List {
			x, y := middle(c, "multiqueue0")
			rig.in.DoubleClick = true
			rig.move(c, x, y)
			rig.in.Over = false
			rig.move(c, -1, -1)
			return nil
		}},
		{"topology_60", manyElements(), 1400, 700, 1, false, nil},
		{"topology_60_near_light", manyElements(), 1400, 700, 1, true, func(rig *panelRig, c *Topology) *draw.List {
			for range 6 {
				rig.in.WheelY = 1
				rig.move(c, 500, 300)
			}
			rig.in.Over = false
			rig.tick(c)
			return nil
		}},
		{"topology_hostile", hostileNames(), 1100, 420, 1, false, nil},
		{"topology_edge_tip", teePipeline(), 1000, 460, 1, false, func(rig *panelRig, c *Topology) *draw.List {
			pts := c.layout.Routes[0]
			p := layered.At(pts, 0, 0.4)
			return tip(c.camera.px(p.X), c.camera.py(p.Y))(rig, c)
		}},
		{"topology_tiny", teePipeline(), 150, 70, 1, false, nil},
		{"topology_empty", newTopoWriter(), 600, 200, 1, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig, chart := topoRig(c.w.session(), c.scale, c.width, c.high, c.light)
			rig.tick(chart)
			rig.tick(chart)
			lists := []*draw.List{nil}
			if c.then != nil {
				if l := c.then(rig, chart); l != nil {
					lists = append(lists, l)
				}
			}
			lists[0] = chart.List()
			golden.Check(t, "testdata/golden/"+c.name+".png", picture(int(rig.r.X1), int(rig.r.Y1), lists...))
			t.Logf("%d quads, %s", chart.List().Quads(), chart.Mode(rig.env))
		})
	}
}

// What the picture says, read from the figures: rates of the second before the playhead, of a range, of the whole recording.
func TestTopologyFigures(t *testing.T) {
	rig, c := topoRig(teePipeline().session(), 1, 800, 400, false)
	edge := func(name string) *edgeFigures {
		for i := range c.graph.edges {
			if c.padName(rig.env, c.graph.edges[i].to) == name {
				return &c.figures.edges[i]
			}
		}
		t.Fatalf("no edge to %s", name)
		return nil
	}
	rig.tick(c)
	if f := edge("t.sink"); f.n != 30 || math.Abs(f.perSec-30) > 0.01 || math.Abs(f.bytesPerS-30*3_110_400) > 1e5 {
		t.Errorf("one second: %+v", f)
	}
	if f := edge("analysis.sink"); f.n != 0 || !f.hasLast || f.last != 1_000_000_000 {
		t.Errorf("a quiet edge: %+v", f)
	}
	rig.env.View.SelectRange(500_000_000, 1_500_000_000)
	rig.tick(c)
	if f := edge("analysis.sink"); f.n != 6 {
		t.Errorf("a range: %+v", f)
	}
	if m := c.Mode(rig.env); !strings.HasPrefix(m, "range of 1.00 s · ") {
		t.Errorf("mode %q", m)
	}
	rig.env.View.ClearSelection()
	rig.env.View.PlacePlayhead(0)
	rig.tick(c)
	if f := edge("t.sink"); f.n != 91 || math.Abs(f.perSec-30.33) > 0.01 {
		t.Errorf("all: %+v", f)
	}
	for i := range c.graph.nodes {
		n, f := &c.graph.nodes[i], &c.figures.nodes[i]
		if n.name == "encoder" && (f.latencyN != 150 || f.latencyMean < 25e6 || f.latencyMean > 25.3e6 || f.latencyMax != 63e6 || f.state != "playing") {
			t.Errorf("encoder: %+v", f)
		}
	}
}

// Links are drawn for the time in which they were, objects that come later are faint.
func TestTopologyInTime(t *testing.T) {
	w := smallPipeline()
	s := w.session()
	l := s.Links()[1]
	l.Until = 1_200_000_000
	s.Apply(l)
	l = s.Links()[2]
	l.Since = 2_800_000_000
	s.Apply(l)
	o, _ := s.Object(s.Links()[2].To)
	o, _ = s.Object(o.Parent)
	o.Created = 2_800_000_000
	s.Apply(o)
	rig, c := topoRig(s, 1, 800, 300, false)
	for _, x := range []struct {
		at                  int64
		first, second, late bool
	}{{1_000_000_000, true, true, true}, {1_500_000_000, true, false, true}, {2_900_000_000, true, false, false}} {
		rig.env.View.SetPlayhead(x.at)
		rig.tick(c)
		if c.edgeShown(0) != x.first || c.edgeShown(1) != x.second || c.figures.edges[2].later != x.late {
			t.Errorf("at %d: %+v", x.at, c.figures.edges)
		}
		if f := c.figures.nodes[c.graph.nodeOf[o.ID]]; f.later != x.late {
			t.Errorf("at %d: %+v", x.at, f)
		}
	}
}

// A click chooses what is under it and tells; on the ground it chooses nothing.
func TestTopologySelect(t *testing.T) {
	rig, c := topoRig(teePipeline().session(), 1, 1000, 460, false)
	var told []model.ObjectID
	c.OnSelect = func(id model.ObjectID) { told = append(told, id) }
	rig.tick(c)
	b := c.layout.Boxes[1]
	rig.click(c, c.camera.px(b.X0+30), c.camera.py(b.Y0+10))
	rig.click(c, c.camera.px(b.X1), c.camera.py(b.Out[1]))
	edge := layered.At(c.layout.Routes[0], 0, 0.5)
	rig.click(c, c.camera.px(edge.X), c.camera.py(edge.Y))
	rig.click(c, 5, 5)
	want := []model.ObjectID{c.graph.nodes[1].object, c.graph.nodes[1].out[1].object, c.graph.edges[0].from, model.NoObject}
	if len(told) != 4 || told[0] != want[0] || told[1] != want[1] || told[2] != want[2] || told[3] != want[3] {
		t.Errorf("told %v, want %v", told, want)
	}
	if c.Selected != model.NoObject {
		t.Error("something is still chosen")
	}
}

// The wheel keeps what is under the cursor there, out and in again comes back; a drag moves by its pixels; a double click on the ground fits.
func TestTopologyZoomAndPan(t *testing.T) {
	rig, c := topoRig(nestedBins().session(), 1, 900, 500, false)
	rig.tick(c)
	fit := c.camera
	at := func(x, y float32) (float64, float64) {
		k := c.camera.zoom * c.camera.scale
		return c.camera.x + float64(x)/k, c.camera.y + float64(y)/k
	}
	x0, y0 := at(300, 200)
	for _, n := range []float32{3, 2, -1, -4} {
		rig.in.WheelY = n
		rig.move(c, 300, 200)
		if x, y := at(300, 200); math.Abs(x-x0) > 0.01 || math.Abs(y-y0) > 0.01 {
			t.Errorf("wheel %v: %v, %v is now %v, %v", n, x0, y0, x, y)
		}
	}
	if math.Abs(c.camera.zoom-fit.zoom) > 1e-9 || math.Abs(c.camera.x-fit.x) > 0.01 {
		t.Errorf("out and in: %v, %v", fit, c.camera)
	}
	rig.in.WheelY = 4
	rig.move(c, 300, 200)
	x0, _ = at(300, 200)
	rig.in.Left = Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
	rig.move(c, 300, 200)
	rig.in.Left.Dragging = true
	rig.move(c, 350, 220)
	rig.in.Left = Button{Released: true, DownX: 300, DownY: 200}
	rig.move(c, 350, 220)
	if x, _ := at(350, 220); math.Abs(x-x0) > 0.01 {
		t.Errorf("a drag brought %v to where %v should be", x, x0)
	}
	rig.in.DoubleClick = true
	rig.move(c, 3, 3)
	if c.camera.x != fit.x || c.camera.zoom != fit.zoom || !c.camera.fitted {
		t.Errorf("double click: %v, want %v", c.camera, fit)
	}
}

// Only what changes the graph lays it out anew, and what is seen stays where it is when something is added.
func TestTopologyLaysOutOnlyWhenNeeded(t *testing.T) {
	w := teePipeline()
	s := w.session()
	rig, c := topoRig(s, 1, 900, 400, false)
	rig.tick(c)
	l := c.layout
	w.latency(c.graph.nodes[1].object, 3) // a series more, of an element that has one
	s.Apply(model.RefEvent{})
	s.Append(&w.batch)
	rig.tick(c)
	if c.layout != l {
		t.Error("laid out for a sample")
	}
	rig.in.WheelY = 3
	rig.move(c, 430, 180)
	mid := int32(0)
	for i := range c.graph.nodes {
		if c.graph.nodes[i].name == "queue1" {
			mid = int32(i)
		}
	}
	before := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	q, p := w.element(model.NoObject, "extra", "GstQueue", "sink", "src")
	_ = q
	w.link(c.graph.edges[0].from, p["sink"], 1, 1, 0, 1)
	rig.tick(c)
	after := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	if c.layout == l || before.X0 != after.X0 || before.Y0 != after.Y0 {
		t.Errorf("the middle was at %v, is at %v", before, after)
	}
}

// A picture that does not change costs nothing, and one that moves allocates nothing.
func TestTopologyAllocatesNothing(t *testing.T) {
	rig, c := topoRig(nestedBins().session(), 1, 900, 500, false)
	for i := range 8 {
		rig.move(c, 400+float32(i%2), 250)
		c.HitTest(rig.env, 420, 250)
	}
	rev := c.List().Revision()
	rig.tick(c)
	if c.List().Revision() != rev {
		t.Error("drawn again though nothing changed")
	}
	n := testing.AllocsPerRun(20, func() {
		c.camera.pan(1, 0)
		rig.move(c, rig.in.X+1, 250)
		c.camera.pan(-1, 0)
		rig.move(c, rig.in.X-1, 250)
		c.HitTest(rig.env, rig.in.X, rig.in.Y)
		c.Mode(rig.env)
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Random mice, sizes and sessions: nothing panics, nothing is drawn outside.
func TestTopologySurvivesAbuse(t *testing.T) {
	for name, s := range map[string]*model.Session{"none": nil, "empty": model.NewSession(), "hostile": hostileNames().session(), "bins": nestedBins().session(), "many": manyElements().session()} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6))
			rig := newPanelRig(s, 1, 600, 300)
			rig.env.Animate = true
			c := NewTopology()
			for i := range 400 {
				if i%7 == 0 {
					rig.r = draw.Rect{X0: float32(rng.IntN(50)), Y0: float32(rng.IntN(50))}
					rig.r.X1, rig.r.Y1 = rig.r.X0+float32(rng.IntN(800)), rig.r.Y0+float32(rng.IntN(500))
				}
				in := &rig.in
				in.X, in.Y, in.Over = float32(rng.IntN(900)-20), float32(rng.IntN(600)-20), rng.IntN(4) > 0
				in.WheelY, in.WheelX = float32(rng.IntN(9)-4)*float32(rng.IntN(2)), float32(rng.IntN(3)-1)
				in.Shift, in.Ctrl, in.Alt, in.DoubleClick = rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(8) == 0
				in.ZoomIn, in.PanLeft = rng.IntN(9) == 0, rng.IntN(9) == 0
				down := rng.IntN(2) == 0
				in.Left.Pressed, in.Left.Released, in.Left.Dragging = down && !in.Left.Down, !down && in.Left.Down, down && in.Left.Down
				in.Left.Down = down
				switch rng.IntN(9) {
				case 0:
					rig.env.View.Follow(true)
				case 1:
					rig.env.View.SetPlayhead(rng.Int64N(4e9))
				case 2:
					rig.env.View.SelectRange(rng.Int64N(4e9), rng.Int64N(4e9))
				case 3:
					c.Select(rig.env, model.ObjectID(rng.IntN(90)-5))
				case 4:
					c.Fit(rig.env)
				}
				rig.tick(c)
				c.HitTest(rig.env, in.X, in.Y)
				c.Title(rig.env)
				c.Mode(rig.env)
				for k := range c.List().Vertices {
					vx := &c.List().Vertices[k]
					if !(vx.X >= rig.r.X0-1 && vx.X <= rig.r.X1+1 && vx.Y >= rig.r.Y0-1 && vx.Y <= rig.r.Y1+1) {
						t.Fatalf("tick %d: draws at %v, %v outside %v", i, vx.X, vx.Y, rig.r)
					}
				}
			}
		})
	}
}

// A pipeline that grows while it is watched: all that is known is drawn at every moment, and in the end it is as tidy as one that was there from the begin, or nearly.
func TestTopologyGrows(t *testing.T) {
	whole := manyElements().session()
	s := model.NewSession()
	rig, c := topoRig(s, 1, 900, 500, false)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	for id := range model.SeriesID(whole.NumSeries()) {
		s.Apply(whole.Series(id).Def)
	}
	links := whole.Links()
	for i, o := range whole.Objects() {
		s.Apply(o)
		for len(links) > 0 && int(max(links[0].From, links[0].To)) <= i {
			s.Apply(links[0])
			links = links[1:]
		}
		rig.tick(c)
		c.HitTest(rig.env, 450, 250)
	}
	for range 60 {
		rig.tick(c)
	}
	if len(c.graph.nodes) != 60 || len(c.graph.edges) != len(whole.Links()) {
		t.Fatalf("%d nodes, %d edges", len(c.graph.nodes), len(c.graph.edges))
	}
	fresh := layered.Lay(&c.graph.graph, layered.Options{}, nil)
	if c.layout.Crossings > fresh.Crossings+3 {
		t.Errorf("%d crossings, %d from scratch", c.layout.Crossings, fresh.Crossings)
	}
	c.Tidy(rig.env)
	if rig.tick(c); c.layout.Crossings != fresh.Crossings || c.grown {
		t.Errorf("tidy has %d crossings, from scratch there are %d", c.layout.Crossings, fresh.Crossings)
	}
}

// What is out of view costs no quads: of five thousand elements a few are drawn when one comes near.
func TestTopologyDrawsOnlyWhatIsSeen(t *testing.T) {
	w := newTopoWriter()
	var before model.ObjectID
	for i := range 5000 {
		_, p := w.element(model.NoObject, fmt.Sprint("e", i), "GstQueue", "sink", "src")
		if i > 0 {
			w.link(before, p["sink"], 0, 0, 0, 0)
		}
		before = p["src"]
	}
	rig, c := topoRig(w.session(), 1, 900, 500, false)
	rig.tick(c)
	c.camera.near(rig.env, c.layout.Boxes[2500])
	rig.tick(c)
	if q := c.List().Quads(); q > 600 {
		t.Errorf("%d quads", q)
	}
}
