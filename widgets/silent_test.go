package widgets

import (
	"strings"
	"testing"

	"framescope/charts/panel"
	"framescope/model/store"
)

// Programs that sent nothing are one line, with or without sessions above it.
func TestSilentProgramsAreCounted(t *testing.T) {
	s := store.NewSession()
	for _, rows := range [][]SessionRow{nil, {{Session: s, Name: "a", Live: true}}} {
		p := &program{rows: rows}
		pane := &Sessions{Program: p}
		env := testEnv(s)
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		before := pane.List().Revision()
		if hit := pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3); len(hit.Lines) > 0 {
			t.Errorf("nobody was silent, and there is %q", hit.Lines)
		}
		p.silent = 1204
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		if pane.List().Revision() == before {
			t.Error("the line is not drawn")
		}
		hit := pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3)
		if len(hit.Lines) == 0 || !strings.HasSuffix(hit.Lines[0], "connected and sent no frame") {
			t.Errorf("there is %q where they are counted", hit.Lines)
		}
		p.nonsense = 3
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		hit = pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3)
		if len(hit.Lines) != 2 || hit.Lines[1] != "3 connections sent what is not PStats" {
			t.Errorf("there is %q where they are counted", hit.Lines)
		}
		hit = pane.HitTest(env, panelRect.X0+20, panelRect.Y0+5)
		if len(rows) > 0 && (len(hit.Lines) == 0 || hit.Lines[0] != "a") {
			t.Errorf("the session is not where it was: %q", hit.Lines)
		}
	}
}
