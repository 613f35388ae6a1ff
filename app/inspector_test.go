package app

import (
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/model"
)

// The inspector begins at its top for another kind of thing and another session, stays where it is while
// one steps through frames, spikes and collectors, and while what was chosen in it is under the mouse.
func TestInspectorBeginsAtItsTop(t *testing.T) {
	g := tradeGame(t, 0, 1280, 720)
	v := g.View()
	place := func(id string) (r draw.Rect) {
		g.desk.EachInSight(func(tab *workspace.Tab, at draw.Rect) {
			if tab.ID == id {
				r = at
			}
		})
		return r
	}
	var c model.CollectorID = 1
	for id := c; int(id) < v.Session().Collectors().Len(); id++ {
		if _, ok := v.Session().Spans().Next(v.Track(), id, -1<<60, 1); ok {
			c = id
		}
	}
	x, y := float32(300), float32(300) // the mouse
	lower := func() float32 {          // higher up where it is scrolled
		rest(t, g, x, y)
		return place("details").Y1
	}
	atTop := func() bool {
		was := lower()
		g.desk.ToTop(workspace.Right, false)
		return lower() == was
	}
	scroll := func() {
		t.Helper()
		r := place("details")
		x, y = (r.X0+r.X1)/2, r.Y1-5
		turn(t, g, x, y)
		g.mouse.WheelY = -2
		was := place("details").Y1
		turn(t, g, x, y)
		if g.mouse.WheelY = 0; lower() == was {
			t.Fatal("the wheel does not scroll the inspector")
		}
	}
	v.SelectCollector(c)
	rest(t, g, x, y)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.StepFrame(1)
	if atTop() {
		t.Error("a step to another frame scrolls the inspector")
	}
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(1)
	if atTop() {
		t.Error("another collector scrolls the inspector")
	}
	v.SelectCollector(c)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(model.NoCollector)
	if !atTop() {
		t.Error("of another kind of thing it does not begin at its top")
	}
	scroll()
	v.SelectCollector(c)
	if atTop() {
		t.Error("a thing that was chosen in it scrolls it")
	}
	// Nor does a list of it that has what was selected elsewhere.
	x, y = 300, 300
	v.SelectCollector(model.NoCollector)
	g.desk.ToTop(workspace.Right, false)
	for range 12 {
		g.commands.Run("spike.next")
		rest(t, g, x, y)
	}
	if v.FrameA() < 1 || !atTop() || place("against").Empty() {
		t.Errorf("going to the spike in frame %d scrolls the inspector", v.FrameA())
	}
}
