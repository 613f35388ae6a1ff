package widgets

import (
	"testing"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
)

// The list of sessions paints itself when something comes, not more often than can be read, and not while nothing does.
func TestSessionsAreStillWithoutNews(t *testing.T) {
	s := model.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a", Live: true}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
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
	for range 13 {
		tick()
	}
	if pane.List().Revision() == before {
		t.Error("a new state is not shown")
	}
}

// The details of a session that runs, but sends nothing, stay as they are.
func TestDetailsAreStillWithoutNews(t *testing.T) {
	s := testSession(5)
	for _, live := range []bool{true, false} {
		env := testEnv(s)
		env.View.Follow(live)
		p := &Details{}
		tick := func() uint64 {
			env.NowNs += 16_666_667
			env.View.Tick(env.NowNs, false)
			p.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
			return p.List().Revision()
		}
		for range 20 {
			tick()
		}
		before := tick()
		for range 60 {
			if tick() != before {
				t.Fatalf("painted without news (live: %v)", live)
			}
		}
		s.Apply(model.CollectorDef{ID: 1, Name: "x"})
		if tick() == before {
			t.Errorf("news are not shown (live: %v)", live)
		}
	}
}

// A view that is made live again shows its newest frame, also when nothing new comes.
func TestDetailsOfAViewThatIsLiveAgain(t *testing.T) {
	s := testSession(5)
	env := testEnv(s)
	p := &Details{}
	tick := func() {
		env.NowNs += 16_666_667
		env.View.Tick(env.NowNs, false)
		p.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
	}
	env.View.SelectFrames(1, 1)
	tick()
	env.View.Follow(true)
	p.Update(env, panelRect, &panel.Input{X: -1, Y: -1}) // by a key, after the view's tick
	tick()
	if want := "Frame " + string(format.AppendCount(nil, s.Track(0).Frame(4).Number)); p.Title(env) != want {
		t.Errorf("shows %q, want %q", p.Title(env), want)
	}
}
