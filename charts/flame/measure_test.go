package flame

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/pstats/decode"
)

func TestFlameMeasurePictures(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s"))
	for _, c := range []struct {
		name  string
		m     spans.Measure
		light bool
		total string
	}{
		{"flame_measure_duration", spans.MeasureDuration, false, "range of 40.0 s · total 40.0 s"},
		{"flame_measure_cpu", spans.MeasureCPU, false, "of CPU, estimated"},
		{"flame_measure_cpu_light", spans.MeasureCPU, true, "of CPU, estimated"},
		{"flame_measure_samples", spans.MeasureSamples, true, " samples"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig := chartstest.NewRig(s, 1, 900, 280)
			chartstest.Light(rig.Env, c.light)
			f := New(model.NoCollector)
			f.Track = chartstest.ThreadCalled(t, s, "order-worker-1")
			rig.Env.View.SelectRange(10e9, 50e9)
			rig.Tick(f)
			tools := f.Tools(rig.Env)
			i := slices.IndexFunc(tools, func(t panel.Tool) bool { return t.ID == toolMeasure })
			f.Use(rig.Env, toolMeasure, slices.Index(f.measures.List, c.m))
			if label := tools[i].Label; label == "" || rig.Env.View.Look().Measure() != c.m {
				t.Fatalf("%q gives %v", label, rig.Env.View.Look().Measure())
			}
			rig.Tick(f)
			rig.In.Over = false
			rig.Check(t, f, c.name)
			got := f.Mode(rig.Env)
			testkit.That(t, strings.Contains(got, c.total), "mode %q", got)
			h := f.HitTest(rig.Env, 300, f.regions.plot.Y0+5)
			testkit.That(t, c.m != spans.MeasureCPU || strings.Contains(strings.Join(h.Lines, "\n"), "Estimated"),
				"the tooltip does not say that CPU time is an estimate: %q", h.Lines)
		})
	}
}

// A graph that is locked in one unit is not in another, and what was zoomed to stays zoomed to.
func TestFlameMeasureChangesTheScale(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "constructed-60s"))
	rig := chartstest.NewRig(s, 1, 900, 280)
	f := New(model.NoCollector)
	f.AllTracks = true
	rig.Env.View.SelectRange(0, 60e9)
	rig.Tick(f)
	f.ToggleLock(rig.Env)
	testkit.MustThat(t, len(f.nodes) >= 5, "%d nodes", len(f.nodes))
	f.ZoomTo(rig.Env, f.chainOf(2))
	rig.Tick(f)
	want := f.nodes[f.found].Collector
	testkit.Equal(t, rig.Env.View.Look().CycleMeasure(), spans.MeasureCPU, "after duration comes")
	testkit.Equal(t, rig.Env.View.Look().CycleMeasure(), spans.MeasureSamples, "after CPU time comes")
	rig.Tick(f)
	testkit.That(t, !f.Locked && f.found >= 0 && f.nodes[f.found].Collector == want,
		"locked %v, zoomed to node %d", f.Locked, f.found)
	w := f.axis.Width()
	testkit.That(t, w == f.node(int32(f.found)).total,
		"%v units are visible of a bar of %v", w, f.node(int32(f.found)).total)
	rig.Env.View.Look().CycleMeasure()
	rig.Tick(f)
	testkit.That(t, f.measure == spans.MeasureDuration, "after samples comes %d", f.measure)
	game := chartstest.NewRig(chartstest.NewSession(t), 1, 900, 280)
	game.Env.View.Look().SetMeasure(spans.MeasureCPU) // of another session
	game.Env.View.SelectFrames(3, 3)
	g := New(model.NoCollector)
	game.Tick(g)
	testkit.That(t, g.measure == spans.MeasureDuration && g.total > 0,
		"a game shows measure %d, %v in all", g.measure, g.total)
}

// The typical frame is that of those around which is nearest to what all panels call typical there,
// never the frame itself; where nobody knows that, there is none.
func TestTypicalOf(t *testing.T) {
	var lengths []int64
	for i := range int64(200) {
		lengths = append(lengths, 16e6+i*i%37*1e5)
	}
	lengths[100] = 75e6
	s := chartstest.FramesOf(lengths...)
	tr := s.Track(0)
	length := func(i int) int64 { f := tr.Frame(i); return f.End - f.Begin }
	for i := range 200 {
		k, ns := typicalOf(s, tr, i)
		testkit.MustThat(t, k != i && k >= i-frames.Near && k <= i+frames.Near &&
			ns == s.Frames().Around(0, i).MedianNs, "of frame %d: %d, %d ns", i, k, ns)
		for j := max(0, i-frames.Near); j <= min(i+frames.Near, 199); j++ {
			off := length(j) - ns
			testkit.That(t, j == i || max(off, -off) >= max(length(k)-ns, ns-length(k)),
				"of frame %d: %d is further from %d ns than %d", i, k, ns, j)
		}
	}
	alone := chartstest.FramesOf(1e6, 1e6, 1e6, 1e6, 1e6)
	k, _ := typicalOf(alone, alone.Track(0), 2)
	testkit.That(t, k == -1, "where too few frames are to know, %d is typical", k)
}

// The words of the typical frame name what is typical as the inspector does, and what they say of the
// frame is that frame's.
func TestTypicalWordsAreOfTheirFrame(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 640, 400)
	v := rig.Env.View
	for _, i := range []int{20, 60, 107} {
		v.SelectFrames(i, i)
		f := New(model.NoCollector)
		rig.Tick(f)
		y, tr := &f.typical, v.Shown()
		number := format.AppendCount(nil, tr.Frame(y.frame).Number)
		took := format.AppendDuration(nil, int64(y.total))
		said, want := string(f.appendTypical(rig.Env, nil)), fmt.Sprintf("typical frame %s: %s ", number, took)
		testkit.That(t, strings.HasPrefix(said, want), "%q is not of %q", said, want)
	}
}

// The word at the mark of the budget lies over no bar, and the mark crosses no words, at any height.
func TestTheBudgetsMarkCoversNothing(t *testing.T) {
	marked, s := 0, chartstest.NewSession(t)
	for h := float32(60); h < 300; h += 6 {
		rig := chartstest.NewRig(s, 1, 640, h)
		rig.Env.View.SelectFrames(107, 107)
		budget := rig.Env.View.Shown().Frame(107)
		rig.Env.View.Look().SetFrameBudget((budget.End - budget.Begin) / 5)
		f := New(model.NoCollector)
		rig.Ticks(f, 2)
		for _, text := range f.List().Texts() {
			if !strings.HasSuffix(text.Text, " Hz") {
				continue
			}
			marked++
			for _, b := range f.bars {
				testkit.That(t, b.rect.Intersect(text.Box).Empty(),
					"height %v: %q lies over the bar at %v", h, text.Text, b.rect)
			}
		}
		target, y := draw.Color(rig.Env.Theme.Target), &f.typical
		for _, v := range f.List().Vertices {
			if v.A != 1 || int(v.R*255+0.5) != int(target.R) || int(v.G*255+0.5) != int(target.G) || int(v.B*255+0.5) != int(target.B) {
				continue
			}
			r := y.words
			r.X1 = r.X0 + f.measureTypical(rig.Env)
			testkit.That(t, r.Empty() || v.X <= r.X0 || v.X >= r.X1 || v.Y <= r.Y0 || v.Y >= r.Y1,
				"height %v: the mark crosses the words at %v", h, r)
		}
	}
	testkit.That(t, marked != 0, "the budget is never told")
}

// officialBar is a bar of the official flame graph, 1000 px wide.
type officialBar struct {
	frame                            int64
	depth, x0, x1, collector, parent int32
}

// readOfficialBars reads NAME.flame.tsv beside a recording, by thread index.
func readOfficialBars(t *testing.T, name string) map[int][]officialBar {
	t.Helper()
	bars := map[int][]officialBar{}
	for line := range strings.Lines(string(recordings.Read(t, recordings.PStats, name+".flame.tsv"))) {
		var b officialBar
		var thread int
		if strings.HasPrefix(line, "#") {
			continue
		}
		_, err := fmt.Sscan(line, &thread, &b.frame, &b.depth, &b.x0, &b.x1, &b.collector, &b.parent)
		testkit.MustThat(t, err == nil, "%s.flame.tsv: %q: %v", name, line, err)
		bars[thread] = append(bars[thread], b)
	}
	return bars
}

// TestFlameBarsAreTheOfficialOnes lays flame graphs of real frames out 1000 px wide and compares
// them with the official viewer's: the same bars in the same rows, at the same place to the pixel
// (the official one rounds down, this one to the nearest). Frames that a span enters from the frame
// before, or in which one outlives its caller, are left out: there the official viewer shows
// nothing of the span up to its stop, or from its caller's stop on (VIEWER.md section 10.1),
// while here the time counts for what ran.
func TestFlameBarsAreTheOfficialOnes(t *testing.T) {
	for _, name := range []string{"nested", "recursion", "threads", "late", "gaps", "fragmented", "killed", "levels", "tinyudp", "bigframes", "longrun", "render_gl_gpu"} {
		t.Run(name, func(t *testing.T) {
			official := readOfficialBars(t, name)
			s := chartstest.Load(t, decode.Source{}, recordings.PStats, name+".pstats")
			rig := chartstest.NewRig(s, 1, 1012, 2000)
			compared, crossed := 0, 0
			for thread, bars := range official {
				id := trackByIndex(s, thread)
				testkit.MustThat(t, id != model.NoTrack, "thread %d is not in the session", thread)
				rig.Env.View.SetTrack(id)
				for i := 0; i < len(bars); {
					j := i
					for j < len(bars) && bars[j].frame == bars[i].frame {
						j++
					}
					if entered(s, id, bars[i].frame) {
						crossed++
					} else {
						compareBars(t, rig, s.Track(id), thread, bars[i:j])
						compared += j - i
					}
					i = j
				}
			}
			testkit.That(t, compared != 0 || crossed != 0, "nothing was compared")
		})
	}
}

// entered tells whether a span runs into a frame from before it, or outlives its caller in it.
func entered(s *store.Session, id model.TrackID, number int64) bool {
	tr := s.Track(id)
	i, ok := tr.FrameByNumber(number)
	if !ok {
		return false
	}
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{id}, tr.Frame(i).Begin, tr.Frame(i).End, &tree)
	for _, n := range tree.Nodes {
		if n.Count == 0 {
			return true // the rest of a span that is counted elsewhere
		}
	}
	begin := tr.Frame(i).Begin
	for lane := range tr.Lanes() {
		if bar, ok := s.Spans().At(id, lane, begin, 0); ok && bar.Begin < begin && bar.End > begin {
			return true
		}
	}
	return false
}

func trackByIndex(s *store.Session, index int) model.TrackID {
	for id := range model.TrackID(s.NumTracks()) {
		if tr := s.Track(id); tr.Def.Index == index && tr.NumFrames() > 0 {
			return id
		}
	}
	return model.NoTrack
}

func compareBars(t *testing.T, rig *chartstest.Rig, track *store.Track, thread int, want []officialBar) {
	t.Helper()
	i, ok := track.FrameByNumber(want[0].frame)
	if !ok {
		t.Errorf("thread %d: frame %d is not in the session", thread, want[0].frame)
		return
	}
	rig.Env.View.SelectFrames(i, i)
	f := New(model.NoCollector)
	rig.Tick(f)
	w := f.regions.plot.W()
	testkit.MustThat(t, w == 1000, "the plot is %v px wide", w)
	type place struct{ depth, x0, x1, collector, parent int32 }
	got := map[place]int{}
	add := func(r draw.Rect, node int32) {
		n := f.node(node)
		p := place{n.depth, int32(r.X0 - f.regions.plot.X0), int32(r.X1 - f.regions.plot.X0), int32(n.collector), -1}
		if n.parent >= 0 {
			p.parent = int32(f.nodes[n.parent].Collector)
		}
		got[p]++
	}
	plain := 0
	for b := range f.bars {
		if f.bars[b].merged == 1 {
			add(f.bars[b].rect, f.bars[b].node)
			plain++
		}
	}
	for _, w := range want {
		found := false
		for dx0 := int32(-1); dx0 <= 1 && !found; dx0++ {
			for dx1 := int32(-1); dx1 <= 1 && !found; dx1++ {
				p := place{w.depth, w.x0 + dx0, w.x1 + dx1, w.collector, w.parent}
				if got[p] > 0 {
					got[p]--
					found = true
				}
			}
		}
		if !found && w.x1-w.x0 > 1 {
			t.Errorf("thread %d, frame %d: no bar of collector %d in %d, depth %d from %d to %d", thread, w.frame, w.collector, w.parent, w.depth, w.x0, w.x1)
		}
	}
	for p, n := range got {
		testkit.That(t, n <= 0 || p.x1-p.x0 <= 2,
			"thread %d, frame %d: the official viewer has no bar %+v", thread, want[0].frame, p)
	}
}
