package widgets

import (
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// A port that could not be listened on is told beside the sessions, and its button tries again.
func TestClosedPortInTheList(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a"}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	idle := &panel.Input{X: -1, Y: -1}
	pane.Update(env, panelRect, idle)
	before := pane.List().Quads()
	low := float32(panelRect.Y1 - 15)
	if hit := pane.HitTest(env, panelRect.X0+20, low); len(hit.Lines) != 0 {
		t.Errorf("says %q though all is well", hit.Lines)
	}

	p.closed = Listening{Problem: "localhost:5185 is taken by game (process 12)", Short: "port 5185 is taken", Remedy: "Close it."}
	pane.Update(env, panelRect, idle)
	if pane.List().Quads() <= before {
		t.Error("nothing is said")
	}
	if hit := pane.HitTest(env, panelRect.X0+20, low); len(hit.Lines) != 2 || hit.Lines[0] != "Not listening: "+p.closed.Problem || hit.Lines[1] != "Close it." {
		t.Errorf("says %q", hit.Lines)
	}
	b := pane.closed.again.rect
	if b.Empty() || b.Intersect(panelRect) != b {
		t.Fatalf("the button is at %+v", b)
	}
	press := click((b.X0+b.X1)/2, (b.Y0+b.Y1)/2)
	if pane.Update(env, panelRect, press); p.again != 1 || p.selected != nil {
		t.Errorf("tried %d times, selected %v", p.again, p.selected)
	}
	if pane.Update(env, panelRect, click(panelRect.X0+20, low)); p.again != 1 || p.selected != nil {
		t.Error("a click beside the button does something")
	}
	p.closed = Listening{}
	pane.Update(env, panelRect, idle)
	if pane.Update(env, panelRect, press); p.again != 1 {
		t.Error("a button that is gone tries again")
	}
}

// So is it in the middle of an empty window.
func TestClosedPortInTheEmptyState(t *testing.T) {
	env := testEnv(nil)
	rect := draw.Rect{X0: 240, Y0: 128, X1: 1034, Y1: 386}
	p := &program{closed: Listening{Problem: "localhost:5185 is taken by game (process 12)", Remedy: "Close it."}}
	pane := &Empty{}
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{}, Offers{})
	b := pane.again.rect
	if b.Empty() || b.Intersect(rect) != b {
		t.Fatalf("the button is at %+v", b)
	}
	pane.Update(env, rect, click((b.X0+b.X1)/2, (b.Y0+b.Y1)/2), p, EmptyState{}, Offers{})
	if p.again != 1 {
		t.Errorf("tried %d times", p.again)
	}
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{Session: "x"}, Offers{})
	if !pane.again.rect.Empty() {
		t.Error("a button where a session is")
	}
}
