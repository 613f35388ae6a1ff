package truth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
)

// baselineTips are the lines of tooltips on what is measured by a baseline.
var baselineTips = reading(`in the baseline\t{median}`, `usual there\t{low} – {high}`, `vs baseline\t{delta}, (faster|as usual|slower)`)

// What bars say of a baseline is what diff writes of it, and of what is measured: the frame that is shown,
// or the call.
func TestBaseline(t *testing.T) {
	seen := map[string]int{}
	for _, frame := range []int{123, 147} {
		measuredFrame(t, frame, seen)
	}
	demand(t, seen, "flame slower", "timeline slower", "flame as usual", "timeline as usual", "timeline faster")
}

// measuredFrame looks at a frame of the second of two sessions, by all of the first.
func measuredFrame(t *testing.T, frame int, seen map[string]int) {
	a, b, _ := chartstest.NewCompared()
	before, after := subjectOf("before", a), subjectOf("after", b)
	main := b.MainTrack()
	sides := [2]compare.Side{compare.All(a), compare.FramesOf(b, main, frame, frame)}
	p := compared(t, "baseline", [2]*subject{before, after}, sides)
	rig := p.window()
	rig.Env.Comparing = new(view.Comparing)
	rig.Env.Comparing.Pin(view.Mark{Side: sides[0], Name: "before", What: "all"})
	for rig.Env.Comparing.Baseline(b) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
	rig.Env.View.SelectFrames(frame, frame)
	f := b.Track(main).Frame(frame)
	rig.Env.View.Steer().PlaceTime(f.Begin, f.End)
	for id, c := range map[string]panel.Panel{"flame": flame.New(model.NoCollector), "timeline": &timeline.Timeline{}} {
		settle(rig, c)
		p.eachMeasured(rig, c, func(h panel.Hit) {
			got, side := p.readMeasured(t, id, h.Lines)
			if got == nil {
				return
			}
			title := b.Collector(h.Collector).Title()
			thread := b.Track(h.Track).Title()
			row := p.said.rows("paths")[slices.IndexFunc(p.said.rows("paths"), func(r row) bool {
				return r.text("collector") == title && r.text("thread") == thread
			})]
			usual, value := row.object("total").object("usual_a"), of(row.object("total"), "b_ns")
			if id == "timeline" {
				usual, value = row.object("call_a"), float64(h.Bar.End-h.Bar.Begin)
			}
			want := map[string]float64{
				"median": of(usual, "median_ns"), "low": of(usual, "p5_ns"), "high": of(usual, "p95_ns"),
			}
			want["delta"] = value - want["median"]
			for name, v := range want {
				if w := got[name]; !w.says(v) {
					t.Errorf("%s: %s: %s is %v, diff has %v", id, title, name, w.value, v)
				}
			}
			is := "as usual"
			switch {
			case value > want["high"]:
				is = "slower"
			case value < want["low"]:
				is = "faster"
			}
			if side != is {
				t.Errorf("%s: %s is %s, not %s", id, title, is, side)
			}
			seen[id+" "+is]++
		})
	}
}

// eachMeasured points at a panel all over.
func (p *pair) eachMeasured(rig *chartstest.Rig, c panel.Panel, do func(panel.Hit)) {
	told := map[draw.Rect]bool{}
	for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 6 {
		for x := rig.R.X0 + 1; x < rig.R.X1; x += 4 {
			h := c.HitTest(rig.Env, x, y)
			if (h.Kind == panel.HitSpan || h.Kind == panel.HitNode) && !told[h.Rect] {
				told[h.Rect] = true
				do(h)
			}
		}
	}
}

// readMeasured reads what a tooltip says of the baseline; nil where it says that something is new.
func (p *pair) readMeasured(t *testing.T, id string, lines []string) (got map[string]written, side string) {
	got = map[string]written{}
	for _, line := range lines {
		if strings.HasPrefix(line, "new: ") {
			return nil, ""
		}
		for _, pattern := range baselineTips {
			if m := pattern.line.FindStringSubmatch(line); m != nil {
				for k, name := range pattern.names {
					w, ok := read(m[k+1], 1)
					if !ok {
						t.Errorf("%s: %q can't be read", id, line)
					}
					got[strings.Trim(name, "{}")] = w
				}
				_, side, _ = strings.Cut(line, ", ")
			}
		}
	}
	if len(got) != 4 {
		t.Errorf("%s: %v in %q", id, fmt.Sprint(got), lines)
		return nil, ""
	}
	return got, side
}
