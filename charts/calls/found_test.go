package calls

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model/find"
)

// foundCalls lists what an expression finds.
func foundCalls(t *testing.T, expr string) (*chartstest.Rig, *Slow) {
	t.Helper()
	rig := chartstest.NewRig(chartstest.NewLaneSession(4_000, 6), 1, 900, 400)
	c := NewSlow()
	lookFor(t, rig, c, expr)
	return rig, c
}

func lookFor(t *testing.T, rig *chartstest.Rig, c *Slow, expr string) {
	t.Helper()
	e, err := find.Parse(expr)
	if err != nil {
		t.Fatal(err)
	}
	hits := new(find.Hits)
	hits.Search(rig.Env.View.Session(), e)
	for !hits.Done() {
		hits.Step(1<<40, 0)
	}
	rig.Env.View.Look().SetFoundCalls(hits)
	searchAll(t, rig, c)
}

// Whatever the groups of what a search found have in common, together they have all of it, and each
// call is with its like.
func TestFoundCallsInGroups(t *testing.T) {
	rig, c := foundCalls(t, ">0ns")
	n := int64(len(c.source.run().Calls()))
	if n == 0 || c.source.run().Sums.Count < n {
		t.Fatalf("%d calls of %d", n, c.source.run().Sums.Count)
	}
	s := rig.Env.View.Session()
	for by := ByStack; by <= ByFrame; by++ {
		c.Use(rig.Env, toolGroup, int(by))
		rig.Tick(c)
		sum, names := int64(0), map[string]bool{}
		for i := range c.source.groups {
			g := &c.source.groups[i]
			sum += g.n()
			if g.n() == 0 {
				continue
			}
			name := string(c.source.appendGroup(rig.Env, nil, &slowRow{int32(i), -1}))
			if name == "" || by != ByStack && names[name] && by != ByPath && by != ByCaller {
				t.Errorf("%s: group %q", groupNames[by], name)
			}
			names[name] = true
			for _, k := range c.source.calls[g.from:g.to] {
				x := &c.source.run().Calls()[k]
				if by != ByStack && by.keyOf(s, x) != g.of {
					t.Errorf("%s: %+v is in %+v", groupNames[by], x, g)
				}
			}
		}
		if sum != n || len(names) == 0 || c.source.numGroups() != len(c.source.order) {
			t.Errorf("%s: %d calls in %d groups, want %d", groupNames[by], sum, len(names), n)
		}
	}
	if !strings.HasPrefix(c.Mode(rig.Env), "found by “>0ns” · ") {
		t.Errorf("mode %q", c.Mode(rig.Env))
	}
}

// The histogram has every call that was found in it. A drag over a part of it asks for the calls of
// these lengths, and a double click for all again.
func TestLengthsAreDragged(t *testing.T) {
	rig, c := foundCalls(t, ">0ns thread:0")
	h := &c.lengths
	for _, linear := range []bool{false, true} {
		if h.linear != linear {
			c.Use(rig.Env, toolLinear, 0)
			rig.Tick(c)
		}
		sum := 0.0
		for _, n := range h.columns {
			sum += n
		}
		if all := float64(c.source.run().Sums.Count); sum < all*0.999 || sum > all*1.001 {
			t.Errorf("linear %v: %v calls of %v", linear, sum, all)
		}
		if h.at(h.lo) != 0 || h.at(h.hi) != float64(len(h.columns)) || h.lengthAt(h.plot.X0) > h.lengthAt(h.plot.X1) {
			t.Errorf("linear %v: from %d to %d", linear, h.lo, h.hi)
		}
	}
	x0, x1, y := h.plot.X0+h.plot.W()/4, h.plot.X0+h.plot.W()/2, h.plot.Y1-3
	var act panel.Action
	step := func(in panel.Input) {
		in.Over = true
		if a := c.Update(rig.Env, rig.R, &in); a.Kind != panel.ActionNone {
			act = a
		}
	}
	step(panel.Input{X: x0, Y: y, Left: panel.Button{Down: true, Pressed: true, DownX: x0, DownY: y}})
	step(panel.Input{X: x1, Y: y, Left: panel.Button{Down: true, Dragging: true, DownX: x0, DownY: y}})
	lo, hi := h.chosen()
	step(panel.Input{X: x1, Y: y, Left: panel.Button{Released: true, Dragging: true, DownX: x0, DownY: y}})
	e, err := find.Parse(act.Text)
	if act.Kind != panel.ActionFind || err != nil {
		t.Fatalf("the drag asks for %+v, %v", act, err)
	}
	if a, b := e.Lengths(); a != lo || b != hi-1 || !strings.HasPrefix(act.Text, "thread:0 ") {
		t.Errorf("%s: %d to %d, want %d to %d", act.Text, a, b, lo, hi)
	}
	all := c.source.run().Sums.Count
	lookFor(t, rig, c, act.Text)
	if n := c.source.run().Sums.Count; n == 0 || n >= all {
		t.Errorf("%d calls, before %d", n, all)
	}
	act = panel.Action{}
	step(panel.Input{X: x0, Y: y, DoubleClick: true, Left: panel.Button{Down: true, Pressed: true, DownX: x0, DownY: y}})
	if act.Kind != panel.ActionFind || act.Text != "thread:0" {
		t.Errorf("a double click asks for %+v", act)
	}
	// Without a search there is none.
	rig.Env.View.Look().SetFound(false, nil)
	c.Text = "a"
	searchAll(t, rig, c)
	if !h.rect.Empty() || c.grouping() != ByStack {
		t.Errorf("a histogram at %v", h.rect)
	}
}

func TestFoundCallsPicture(t *testing.T) {
	chartstest.AtScales(t, "slowcalls_found", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(chartstest.NewSession(t), scale, 640*scale, 320*scale)
		c := NewSlow()
		c.By = ByPath
		lookFor(t, rig, c, "Draw >0.1ms")
		rig.Check(t, c, name)
	})
}

// Few calls are few columns. In a low panel the rows of the list give way to the histogram, all but one.
func TestFewFoundCallsPicture(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 500, 28+82)
	c := NewSlow()
	c.By = ByPath
	lookFor(t, rig, c, "Draw >5ms")
	n := c.source.run().Sums.Count
	if got := int64(len(c.lengths.columns)); n == 0 || (got-1)*(got-1) >= n || got*got < n || c.lengths.rect.H() < lengthsLeastPx {
		t.Errorf("%d columns for %d calls in %v", got, n, c.lengths.rect)
	}
	rig.Check(t, c, "slowcalls_found_few")
}
