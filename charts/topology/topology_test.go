package topology

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/gsttrace"
)

func topoRig(s *store.Session, scale, w, h float32, light bool) (*chartstest.Rig, *Chart) {
	rig := chartstest.NewRig(s, scale, w, h)
	chartstest.Light(rig.Env, light)
	rig.Env.View.SetPlayhead(2_500_000_000)
	rig.In.Over = false
	rig.In.X, rig.In.Y = -1, -1
	return rig, New()
}

func TestTopologyPictures(t *testing.T) {
	type shot = chartstest.Shot[*Chart]
	tipOf := func(name string) func(*panel.Env, *Chart, draw.Rect) *draw.List {
		return func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
			x, y := middle(c, name)
			return chartstest.TipAt(env, c, r, x, y)
		}
	}
	tee := chartstest.TeePipeline().Session()
	shots := []shot{
		{Name: "topology_small", S: smallPipeline().Session(), W: 900, H: 260},
		{Name: "topology_small_light", S: smallPipeline().Session(), W: 900, H: 260, Scale: 1.5, Light: true, Then: tipOf("queue0")},
		{Name: "topology_tee", S: tee, W: 1000, H: 460, Then: func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
			x, y := middle(c, "encoder")
			chartstest.Click(env, c, r, x, y)
			return chartstest.TipAt(env, c, r, x, y)
		}},
		{Name: "topology_tee_light", S: tee, W: 1000, H: 460, Light: true},
		{Name: "topology_bins", S: nestedBins().Session(), W: 1500, H: 520},
		{Name: "topology_bins_near", S: nestedBins().Session(), W: 1000, H: 520, Then: func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
			in := chartstest.MouseAt(middle(c, "multiqueue0"))
			in.DoubleClick = true
			c.Update(env, r, in)
			chartstest.Settle(env, c, r)
			return nil
		}},
		{Name: "topology_60", S: manyElements().Session(), W: 1400, H: 700},
		{Name: "topology_60_near_light", S: manyElements().Session(), W: 1400, H: 700, Light: true,
			Then: func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
				for range 6 {
					in := chartstest.MouseAt(500, 300)
					in.WheelY = 1
					c.Update(env, r, in)
				}
				chartstest.Settle(env, c, r)
				return nil
			}},
		{Name: "topology_hostile", S: hostileNames().Session(), W: 1100, H: 420},
		{Name: "topology_edge_tip", S: tee, W: 1000, H: 460, Then: func(env *panel.Env, c *Chart, r draw.Rect) *draw.List {
			p := c.layout.Curves[0].At(0.4)
			return chartstest.TipAt(env, c, r, c.camera.px(p.X), c.camera.py(p.Y))
		}},
		{Name: "topology_tiny", S: tee, W: 150, H: 70},
		{Name: "topology_empty", S: chartstest.NewTopoWriter().Session(), W: 600, H: 200, Light: true},
	}
	for i := range shots {
		shots[i].Set = func(env *panel.Env, _ *Chart) { env.View.SetPlayhead(2_500_000_000) }
	}
	chartstest.Shoot(t, New, shots...)
}

// middle returns a point on an element.
func middle(c *Chart, name string) (x, y float32) {
	for i := range c.graph.nodes {
		if b := c.layout.Boxes[i]; c.graph.nodes[i].name == name {
			return c.camera.px((b.X0 + b.X1) / 2), c.camera.py(b.Y0 + 12)
		}
	}
	return 0, 0
}

// Links are drawn for the time in which they were, objects that come later are faint.
func TestTopologyInTime(t *testing.T) {
	w := smallPipeline()
	s := w.Session()
	l := s.Topology().Links()[1]
	l.Until = 1_200_000_000
	s.Apply(l)
	l = s.Topology().Links()[2]
	l.Since = 2_800_000_000
	s.Apply(l)
	o, _ := s.Topology().Object(s.Topology().Links()[2].To)
	o, _ = s.Topology().Object(o.Parent)
	o.Created = 2_800_000_000
	s.Apply(o)
	rig, c := topoRig(s, 1, 800, 300, false)
	for _, x := range []struct {
		at                  int64
		first, second, late bool
	}{{1_000_000_000, true, true, true}, {1_500_000_000, true, false, true}, {2_900_000_000, true, false, false}} {
		rig.Env.View.SetPlayhead(x.at)
		rig.Tick(c)
		testkit.That(t, c.edgeInView(0) == x.first && c.edgeInView(1) == x.second && c.figures.edges[2].later == x.late,
			"at %d: %+v", x.at, c.figures.edges)
		f := c.figures.nodes[c.graph.nodeOf[o.ID]]
		testkit.That(t, f.later == x.late, "at %d: %+v", x.at, f)
	}
}

// A click selects what is under it in the view; on the ground it selects nothing.
func TestTopologySelect(t *testing.T) {
	rig, c := topoRig(chartstest.TeePipeline().Session(), 1, 1000, 460, false)
	var told []model.ObjectID
	rig.Tick(c)
	b := c.layout.Boxes[1]
	click := func(x, y float32) {
		rig.Click(c, x, y)
		told = append(told, rig.Env.View.Element())
	}
	click(c.camera.px(b.X0+30), c.camera.py(b.Y0+10))
	click(c.camera.px(b.X1), c.camera.py(b.Ports[Right][1]))
	edge := c.layout.Curves[0].At(0.5)
	click(c.camera.px(edge.X), c.camera.py(edge.Y))
	click(5, 5)
	want := []model.ObjectID{c.graph.nodes[1].object, c.graph.nodes[1].ports[Right][1].object, c.graph.edges[0].from, model.NoObject}
	testkit.That(t, len(told) == 4 && told[0] == want[0] && told[1] == want[1] && told[2] == want[2] &&
		told[3] == want[3], "told %v, want %v", told, want)
}

// The wheel keeps what is under the cursor there, out and in again comes back; a drag moves by its
// pixels; a double click on the ground fits.
func TestTopologyZoomAndPan(t *testing.T) {
	rig, c := topoRig(nestedBins().Session(), 1, 900, 500, false)
	rig.Tick(c)
	fit := c.camera
	at := func(x, y float32) (float64, float64) {
		k := c.camera.zoom * c.camera.scale
		return c.camera.x + float64(x)/k, c.camera.y + float64(y)/k
	}
	x0, y0 := at(300, 200)
	for _, n := range []float32{2, 1, -1, -2} {
		rig.In.WheelY = n
		rig.Move(c, 300, 200)
		if x, y := at(300, 200); math.Abs(x-x0) > 0.01 || math.Abs(y-y0) > 0.01 {
			t.Errorf("wheel %v: %v, %v is now %v, %v", n, x0, y0, x, y)
		}
	}
	testkit.That(t, math.Abs(c.camera.zoom-fit.zoom) <= 1e-9 && math.Abs(c.camera.x-fit.x) <= 0.01,
		"out and in: %v, %v", fit, c.camera)
	rig.In.WheelY = 4
	rig.Move(c, 300, 200)
	x0, _ = at(300, 200)
	rig.In.Left = panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
	rig.Move(c, 300, 200)
	rig.In.Left.Dragging = true
	rig.Move(c, 350, 220)
	rig.In.Left = panel.Button{Released: true, DownX: 300, DownY: 200}
	rig.Move(c, 350, 220)
	x, _ := at(350, 220)
	testkit.That(t, math.Abs(x-x0) <= 0.01, "a drag brought %v to where %v should be", x, x0)
	rig.In.DoubleClick = true
	rig.Move(c, 3, 3)
	testkit.That(t, c.camera.x == fit.x && c.camera.zoom == fit.zoom && c.camera.fitted,
		"double click: %v, want %v", c.camera, fit)
}

// Only what changes the graph lays it out anew, and what is seen stays where it is when something
// is added.
func TestTopologyLaysOutOnlyWhenNeeded(t *testing.T) {
	w := chartstest.TeePipeline()
	s := w.Session()
	rig, c := topoRig(s, 1, 900, 400, false)
	rig.Tick(c)
	l := c.layout
	w.Latency(c.graph.nodes[1].object, 3) // a series more, of an element that has one
	s.Apply(model.RefEvent{})
	s.Append(&w.Batch)
	rig.Tick(c)
	testkit.That(t, c.layout == l, "laid out for a sample")
	rig.In.WheelY = 3
	rig.Move(c, 430, 180)
	mid := int32(0)
	for i := range c.graph.nodes {
		if c.graph.nodes[i].name == "queue1" {
			mid = int32(i)
		}
	}
	before := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	q, p := w.Element(model.NoObject, "extra", "GstQueue", "sink", "src")
	_ = q
	w.Link(c.graph.edges[0].from, p["sink"], 1, 1, 0, 1)
	rig.Tick(c)
	after := c.camera.rect(c.layout.Boxes[mid].X0, c.layout.Boxes[mid].Y0, 0, 0)
	testkit.That(t, c.layout != l && before.X0 == after.X0 && before.Y0 == after.Y0,
		"the middle was at %v, is at %v", before, after)
}

// Random mice, sizes and sessions: nothing panics, nothing is drawn outside.
func TestTopologySurvivesAbuse(t *testing.T) {
	for name, s := range map[string]*store.Session{
		"hostile": hostileNames().Session(), "bins": nestedBins().Session(), "many": manyElements().Session(),
	} {
		t.Run(name, func(t *testing.T) {
			c := New()
			chartstest.Abuse(t, s, []panel.Panel{c}, testkit.Rounds(150, 400), func(rig *chartstest.Rig, rng *rand.Rand) {
				switch v := rig.Env.View; rng.IntN(9) {
				case 0:
					v.Follow(true)
				case 1:
					v.SetPlayhead(rng.Int64N(4e9))
				case 2:
					v.SelectRange(rng.Int64N(4e9), rng.Int64N(4e9))
				case 3:
					v.Select(view.Element(model.ObjectID(rng.IntN(90) - 5)))
				case 4:
					c.Fit(rig.Env)
				}
			})
		})
	}
}

// A pipeline that grows while it is watched: all that is known is drawn at every moment, and in the
// end it is as tidy as one that was there from the begin, or nearly.
func TestTopologyGrows(t *testing.T) {
	whole := manyElements().Session()
	s := store.NewSession()
	rig, c := topoRig(s, 1, 900, 500, false)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	for id := range model.SeriesID(whole.Series().Len()) {
		s.Apply(whole.Series().ByID(id).Def)
	}
	links := whole.Topology().Links()
	for i, o := range whole.Topology().Objects() {
		s.Apply(o)
		for len(links) > 0 && int(max(links[0].From, links[0].To)) <= i {
			s.Apply(links[0])
			links = links[1:]
		}
		rig.Tick(c)
		c.HitTest(rig.Env, 450, 250)
	}
	rig.Ticks(c, 60)
	testkit.MustThat(t, len(c.graph.nodes) == 60 && len(c.graph.edges) == len(whole.Topology().Links()),
		"%d nodes, %d edges", len(c.graph.nodes), len(c.graph.edges))
	fresh := Lay(&c.graph.graph, distances, nil)
	testkit.That(t, crossings(c.layout) <= crossings(fresh)+6,
		"%d crossings, %d from scratch", crossings(c.layout), crossings(fresh))
}

// crossings counts pairs of edges that cross, drawn as straight lines.
func crossings(l *Layout) (n int) {
	turns := func(a, b, c Point) bool { return (b.X-a.X)*(c.Y-a.Y) > (b.Y-a.Y)*(c.X-a.X) }
	for i, a := range l.Curves {
		for _, b := range l.Curves[:i] {
			if a.From != b.From && a.To != b.To && turns(a.From, a.To, b.From) != turns(a.From, a.To, b.To) &&
				turns(b.From, b.To, a.From) != turns(b.From, b.To, a.To) {
				n++
			}
		}
	}
	return n
}

// What is out of view costs no quads: of five thousand elements a few are drawn when one comes
// near.
func TestTopologyDrawsOnlyWhatIsSeen(t *testing.T) {
	w := chartstest.NewTopoWriter()
	var before model.ObjectID
	for i := range 5000 {
		_, p := w.Element(model.NoObject, fmt.Sprint("e", i), "GstQueue", "sink", "src")
		if i > 0 {
			w.Link(before, p["sink"], 0, 0, 0, 0)
		}
		before = p["src"]
	}
	rig, c := topoRig(w.Session(), 1, 900, 500, false)
	rig.Tick(c)
	c.camera.near(rig.Env, c.layout.Boxes[2500])
	rig.Tick(c)
	q := c.List().Quads()
	testkit.That(t, q <= 600, "%d quads", q)
}

// Measured by a baseline elements are blue where buffers are through faster than usual, and red where slower
// so is their list.
func TestGoldenBaseline(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "all-audio-chain.log.gz")
	begin, end, _ := s.Bounds()
	mid := begin + (end-begin)/2
	rig, c := topoRig(s, 1, 1300, 300, false)
	rig.Env.Comparing = new(view.Comparing)
	rig.Env.Comparing.Pin(view.Mark{Side: compare.TimeOf(s, begin, mid), Name: "before", What: "half"})
	for rig.Env.Comparing.Baseline(s) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
	rig.Env.View.SelectRange(mid, end+1)
	rig.Ticks(c, 2)
	golden.Check(t, "../testdata/golden/topology_baseline.png", chartstest.Picture(int(rig.R.X1), int(rig.R.Y1), c.List()))
}

// A pipeline that has ended is shown as it was while it played: its elements are not back in the
// state in which they were before, and its links are there. Tooltips tell how full a queue is, and
// what goes over a link how regularly.
func TestTopologyOfAnEndedPipeline(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "all-audio-chain.log.gz")
	_, end, _ := s.Bounds()
	for name, place := range map[string]func(*chartstest.Rig){
		"opened":        func(*chartstest.Rig) {},
		"live":          func(rig *chartstest.Rig) { rig.Env.View.Follow(true) },
		"at the end":    func(rig *chartstest.Rig) { rig.Env.View.SetPlayhead(end) },
		"range to end":  func(rig *chartstest.Rig) { rig.Env.View.SelectRange(end/2, end+1) },
		"whole session": func(rig *chartstest.Rig) { rig.Env.View.SelectRange(0, end+1) },
	} {
		rig, c := topoRig(s, 1, 1300, 500, false)
		place(rig)
		rig.Ticks(c, 2)
		for i := range c.graph.nodes {
			f := &c.figures.nodes[i]
			testkit.That(t, f.state == "playing" || c.graph.nodes[i].state < 0,
				"%s: %s is %q", name, c.graph.nodes[i].name, f.state)
		}
		for i := range c.graph.edges {
			testkit.That(t, c.figures.edges[i].exists, "%s: edge %d is gone", name, i)
		}
		testkit.MustThat(t, len(c.graph.edges) == 5, "%s: %d edges", name, len(c.graph.edges))
	}
}

func TestTopologyTellsLevelsAndCaps(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "stats-mux.log.gz")
	rig, c := topoRig(s, 1, 1300, 500, false)
	rig.Ticks(c, 2)
	words := ""
	for i := range c.graph.edges {
		p := c.layout.Curves[i].At(0.4)
		words += strings.Join(c.HitTest(rig.Env, c.camera.px(p.X), c.camera.py(p.Y)).Lines, "\n") + "\n"
	}
	for i := range c.graph.nodes {
		if !c.graph.nodes[i].frame {
			b := c.layout.Boxes[i]
			words += strings.Join(c.HitTest(rig.Env, c.camera.px((b.X0+b.X1)/2), c.camera.py(b.Y0+12)).Lines, "\n") + "\n"
		}
	}
	for _, want := range []string{"interval, mean\t", "jitter (std. deviation)\t", "caps\tvideo/x-vp8", "queue level buffers\t", "queue level bytes\t", "queue level time\t"} {
		testkit.That(t, strings.Contains(words, want), "no %q in\n%s", want, words)
	}
}

// What a click on a slow buffer shows of the elements is of the time in which it was on its way, not
// of the buffers before it.
func TestTopologyOfABuffer(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz")
	rig, c := topoRig(s, 1, 1300, 500, false)
	first, last, _ := s.Bounds()
	var slowest spans.Bar
	for i := range s.NumTracks() {
		if tr := s.Track(model.TrackID(i)); tr.Def.Kind == model.TrackStream {
			for _, b := range s.Spans().Longest(model.TrackID(i), model.NoCollector, -1, first, last+1, 1, nil) {
				if b.End-b.Begin > slowest.End-slowest.Begin {
					slowest = b
				}
			}
		}
	}
	rig.Env.View.SelectSpan(slowest)
	rig.Ticks(c, 2)
	testkit.Equal(t, string(c.figures.appendRange(nil, s)), "buffer of 23.0 ms", "the figures are of the")
	for i := range c.graph.nodes {
		if n, f := &c.graph.nodes[i], &c.figures.nodes[i]; n.name == "q2" && (f.latencyMax < 19e6 || f.latencyMax < c.figures.hottest) {
			t.Errorf("q2 kept buffers for %v ns, of at most %v", f.latencyMax, c.figures.hottest)
		}
	}
}

// The search outlines the elements that are called so, or are of such a type, and the rest steps back.
func TestSearchMarksElements(t *testing.T) {
	rig, c := topoRig(chartstest.TeePipeline().Session(), 1, 1000, 460, false)
	rig.Ticks(c, 3)
	// An outline is more quads; what steps back has only other colors.
	none := c.List().Quads()
	for text, want := range map[string]int{"QUEUE": 3, "GstX264": 1, "no such thing": 0} {
		c.SetFilter(text)
		rig.Tick(c)
		found := 0
		for i := range c.graph.nodes {
			if c.found(int32(i)) {
				found++
			}
		}
		marked := c.List().Quads() > none
		testkit.That(t, found == want && marked == (want > 0),
			"%q: %d elements are found, outlined: %v", text, found, marked)
	}
	c.SetFilter("")
	rig.Tick(c)
	testkit.That(t, c.List().Quads() == none, "outlines stay without a search")
}

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
		from       model.ObjectID
		names      [3]string
		rate, size float64
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
