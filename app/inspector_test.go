package app

import (
	"testing"

	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
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
		g.mouse.WheelY = 0
		testkit.MustThat(t, lower() != was, "the wheel does not scroll the inspector")
	}
	v.SelectCollector(c)
	rest(t, g, x, y)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.StepFrame(1)
	testkit.That(t, !atTop(), "a step to another frame scrolls the inspector")
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(1)
	testkit.That(t, !atTop(), "another collector scrolls the inspector")
	v.SelectCollector(c)
	scroll()
	x, y = 300, 300
	turn(t, g, x, y)
	v.SelectCollector(model.NoCollector)
	testkit.That(t, atTop(), "of another kind of thing it does not begin at its top")
	scroll()
	v.SelectCollector(c)
	testkit.That(t, !atTop(), "a thing that was chosen in it scrolls it")
	// Nor does a list of it that has what was selected elsewhere.
	x, y = 300, 300
	v.SelectCollector(model.NoCollector)
	g.desk.ToTop(workspace.Right, false)
	for range 12 {
		g.commands.Run("spike.next")
		rest(t, g, x, y)
	}
	testkit.That(t, v.FrameA() >= 1 && atTop() && !place("against").Empty(),
		"going to the spike in frame %d scrolls the inspector", v.FrameA())
}

// Pausing moves no section of the inspector, in a window in which there is little room, and wherever the
// mouse is; what then differs from the typical frame is cut to what has room, and a click shows more.
func TestPauseMovesNothingInTheInspector(t *testing.T) {
	for _, over := range []bool{true, false} {
		g := tradeGame(t, 0, 1280, 720)
		place := func(id string) (r draw.Rect) {
			g.desk.EachInSight(func(tab *workspace.Tab, at draw.Rect) {
				if tab.ID == id {
					r = at
				}
			})
			return r
		}
		g.View().Follow(true)
		rest(t, g, 300, 300)
		was, x, y := place("spikes"), float32(300), float32(300)
		if over {
			x, y = (was.X0+was.X1)/2, was.Y0+40
		}
		rest(t, g, x, y)
		g.View().Follow(false)
		rest(t, g, x, y)
		if got := place("spikes"); g.View().Live() || got != was || got.Empty() {
			t.Errorf("mouse over it: %v; pausing moves the list of spikes from %v to %v", over, was, got)
		}
		at := place("against")
		if !over {
			below := at.Y1
			x, y = (at.X0+at.X1)/2, at.Y1-10
			for _, b := range []panel.Button{{Pressed: true, Down: true, DownX: x, DownY: y}, {Released: true, DownX: x, DownY: y}, {}} {
				g.mouse.Buttons[0] = b
				turn(t, g, x, y)
			}
			rest(t, g, x, y)
			at = place("against")
			testkit.That(t, at.Y1 > below, "a click on what is said of the rest shows no more: %v", at)
		}
	}
}
