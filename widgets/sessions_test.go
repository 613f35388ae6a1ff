package widgets

import (
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// The list of sessions paints itself when something comes, not more often than can be read, and not
// while nothing does.
func TestSessionsAreStillWithoutNews(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a", Live: true}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	env.Paced = true
	tick := func() uint64 {
		env.NowNs += 16_666_667
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		return pane.List().Revision()
	}
	before := tick()
	for range 60 {
		if tick() != before {
			t.Fatal("painted without news")
		}
	}
	painted := 0
	for range 60 { // a second in which something comes every tick
		s.Apply(model.CollectorDef{ID: 1, Name: "x"})
		if now := tick(); now != before {
			before = now
			painted++
		}
	}
	if painted < 4 || painted > 6 {
		t.Errorf("painted %d times in a second of news, want 5", painted)
	}
	p.rows[0].State = "waiting for data"
	for range 16 { // more than a quarter of a second
		tick()
	}
	if pane.List().Revision() == before {
		t.Error("a new state is not shown")
	}
}

// The session that is shown is brought into sight when it becomes another; after that the list
// stays as the user scrolls it.
func TestShownSessionIsInSight(t *testing.T) {
	p := &program{}
	for range 9 {
		p.rows = append(p.rows, SessionRow{Session: store.NewSession(), Name: "a"})
	}
	pane := &Sessions{Program: p}
	env := testEnv(p.rows[0].Session)
	rect := draw.Rect{X1: 300, Y1: 2.5 * sessionRow}
	shows := func(i int) bool {
		y := env.Px(2) + env.Px(sessionRow)*float32(i) - pane.scroll.Px
		return y >= 0 && y+env.Px(sessionRow) <= rect.H()
	}
	for _, i := range []int{6, 0, 8, 7} {
		for k := range p.rows {
			p.rows[k].Active = k == i
		}
		pane.Update(env, rect, &panel.Input{X: -1, Y: -1})
		if !shows(i) {
			t.Errorf("row %d is out of sight at %v", i, pane.scroll.Px)
		}
	}
	pane.scroll.Px = 0
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1})
	if pane.scroll.Px != 0 {
		t.Error("the user's scrolling was undone")
	}
}

// How long a file is stands before what it says of itself, which may be cut.
func TestFilesSayHowLongTheyAre(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", Version: "a version that takes more words than there is room for", File: true})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Append(&model.Batch{HasFrame: true, Begin: 0, End: 9_600_000_000})
	s.Apply(model.End{})
	env := testEnv(s)
	pane := &Sessions{Program: &program{rows: []SessionRow{{Session: s, Name: "a"}}}}
	pane.Update(env, draw.Rect{X1: 200, Y1: 100}, &panel.Input{X: -1, Y: -1})
	for _, x := range pane.List().Texts() {
		if strings.HasPrefix(x.Text, "file · 9.60 s · a version") {
			return
		}
	}
	t.Errorf("the row says %v", pane.List().Texts())
}
