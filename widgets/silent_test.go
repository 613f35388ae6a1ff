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
		if len(hit.Lines) == 0 || !strings.HasSuffix(hit.Lines[0], "connected and sent nothing") {
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

// The parts of the memory add up to all of it, and what is short says what the long one says.
func TestMemoryUseAddsUp(t *testing.T) {
	m := MemoryUse{
		Resident: 412 << 20, Limit: 512 << 20, Slack: 102 << 20, Program: 65 << 20, Waiting: 12 << 20,
		Live: 220 << 20, Ended: 81 << 20, LiveSessions: 2, EndedSessions: 1,
	}
	var sum int64
	for _, p := range m.parts() {
		sum += p.bytes
	}
	if sum != m.Resident {
		t.Errorf("the parts are %d MiB, all is %d MiB", sum>>20, m.Resident>>20)
	}
	if got := string(m.AppendShort(nil)); got != "RSS 412 MiB, at most 679 MiB" {
		t.Errorf("%q", got)
	}
	all := strings.Join(m.Lines(), "\n")
	for _, want := range []string{
		"2 live sessions\t220 MiB", "1 ended session\t81", "garbage, caches, buffers\t34", "nothing loaded\t65",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in:\n%s", want, all)
		}
	}
	if m.Over() {
		t.Error("412 of 679 MiB are over the limit")
	}
	if m.Resident = 700 << 20; !m.Over() {
		t.Error("700 of 679 MiB are not over the limit")
	}
	if got := string(m.AppendShort(nil)); got != "RSS 700 MiB, more than the 679 MiB allowed" {
		t.Errorf("%q", got)
	}
}
