package truth

import (
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/calls"
	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
)

// pinned makes a window measure by a side.
func pinned(rig *chartstest.Rig, side compare.Side) {
	rig.Env.Comparing = new(view.Comparing)
	rig.Env.Comparing.Pin(view.Mark{Side: side, Name: "before", What: "all"})
	for rig.Env.Comparing.Baseline(rig.Env.View.Session()) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
}

// measuredRows hands the tooltip of each row of a table to do, and what the row is of.
func measuredRows(rig *chartstest.Rig, c panel.Panel, do func(h panel.Hit)) {
	told := map[string]bool{}
	for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 4 {
		h := c.HitTest(rig.Env, rig.R.X0+60, y)
		if key := strings.Join(h.Lines, "\n"); strings.Contains(key, "aseline") && !told[key] {
			told[key] = true
			do(h)
		}
	}
}

// What the call tree and the longest calls say of a baseline is what diff writes of it: of the frame that is
// shown, and of single calls.
func TestBaselineOfCalls(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	const frame = 123
	main := b.MainTrack()
	sides := [2]compare.Side{compare.All(a), compare.FramesOf(b, main, frame, frame)}
	p := compared(t, "baseline", [2]*subject{subjectOf("before", a), subjectOf("after", b)}, sides)
	rig := p.window()
	pinned(rig, sides[0])
	rig.Env.View.SelectFrames(frame, frame)
	thread := b.Track(main).Title()
	path := func(collector string) row {
		all := p.said.rows("paths")
		return all[slices.IndexFunc(all, func(r row) bool { return r.text("collector") == collector && r.text("thread") == thread })]
	}
	says := func(what, title string, got map[string]written, usual row, value float64) {
		want := map[string]float64{"median": of(usual, "median_ns"), "low": of(usual, "p5_ns"), "high": of(usual, "p95_ns")}
		want["delta"] = value - want["median"]
		for name, v := range want {
			if w := got[name]; !w.says(v) {
				t.Errorf("%s: %s: %s is %v, diff has %v", what, title, name, w.value, v)
			}
		}
	}
	seen := map[string]int{}
	tree := calls.NewTree()
	tree.AllTracks = false
	settle(rig, tree)
	measuredRows(rig, tree, func(h panel.Hit) {
		title := b.Collector(h.Collector).Title()
		if got, _ := p.readMeasured(t, "calltree", h.Lines); got != nil {
			seen["calltree"]++
			r := path(title).object("total")
			says("calltree", title, got, r.object("usual_a"), of(r, "b_ns"))
		}
	})
	slow := calls.NewSlow()
	slow.Flat, slow.InRange = true, true
	rig.Env.View.SelectCollectorOf(main, collectorOf(b.Collectors().Len(), func(c model.CollectorID) bool { return b.Collector(c).Name == "Physics" }))
	for range 5 {
		settle(rig, slow)
	}
	measuredRows(rig, slow, func(h panel.Hit) {
		if got, _ := p.readMeasured(t, "calls", h.Lines); got != nil {
			seen["calls"]++
			says("calls", "Physics", got, path(b.Collector(h.Collector).Title()).object("call_a"), float64(h.Bar.End-h.Bar.Begin))
		}
	})
	if seen["calltree"] < 4 || seen["calls"] < 1 {
		t.Errorf("%v rows were compared", seen)
	}
}

func collectorOf(n int, is func(model.CollectorID) bool) model.CollectorID {
	for c := range model.CollectorID(n) {
		if is(c) {
			return c
		}
	}
	return model.NoCollector
}

// What elements say of a baseline is what diff writes of the latencies of their pads.
func TestBaselineOfElements(t *testing.T) {
	seen := map[string]int{}
	eachSubject(t, func(t *testing.T, x *subject) {
		main := x.s.MainTrack()
		if !x.s.Contents().Objects || main == model.NoTrack {
			return
		}
		begin, end, _ := x.s.Bounds()
		mid := begin + (end-begin)/2
		sides := [2]compare.Side{compare.TimeOf(x.s, begin, mid), compare.TimeOf(x.s, mid, end+1)}
		p := compared(t, x.name, [2]*subject{x, x}, sides)
		rig := p.window()
		pinned(rig, sides[0])
		rig.Env.View.Follow(false)
		rig.Env.View.SelectRange(mid, end+1)
		for _, id := range []string{"elements", "topology"} {
			d, _ := registry.Find(id)
			c := d.New()
			settle(rig, c)
			told := map[string]bool{}
			for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 5 {
				for px := rig.R.X0 + 5; px < rig.R.X1; px += 25 {
					h := c.HitTest(rig.Env, px, y)
					key := strings.Join(h.Lines, "\n")
					if h.Kind != panel.HitObject || told[key] || !strings.Contains(key, "vs baseline") {
						continue
					}
					told[key] = true
					got, _ := p.readMeasured(t, id, h.Lines)
					best := math.Inf(1)
					for _, r := range p.said.rows("collectors") {
						if usual := r.object("call_a"); usual != nil && strings.HasPrefix(r.text("collector"), "element-latency:") {
							if w := got["median"]; w.says(of(usual, "median_ns")) {
								best = min(best, 0)
							}
						}
					}
					if best != 0 {
						t.Errorf("%s: %s: nothing in diff has the median of %q", x.name, id, h.Lines)
					}
					seen[id]++
				}
			}
		}
	})
	if seen["elements"] == 0 || seen["topology"] == 0 {
		t.Errorf("nothing was compared: %v", seen)
	}
}
