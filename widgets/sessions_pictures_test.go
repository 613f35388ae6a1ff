package widgets

import (
	"testing"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model"
)

// The name that the user gave, and what became of a session on disk, are in its row; what changes
// there is painted.
func TestSessionsOnDiskPictures(t *testing.T) {
	live := testSession(3)
	live.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2"})
	rows := []SessionRow{
		{Session: testSession(3), Active: true, Title: "the hitch near the gate", OnDisk: "interrupted"},
		{Session: testSession(4), OnDisk: "deleted from the disk"},
		{Session: live, Live: true, Deleted: "on disk it lacks 100 frames that another program has deleted"},
	}
	env := testEnv(rows[0].Session)
	p := &Sessions{Program: &program{rows: rows}}
	rect := draw.Rect{X1: 250, Y1: 120}
	p.Update(env, rect, &panel.Input{})
	golden.Check(t, "testdata/golden/sessions_on_disk.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{p.List()}})

	before := p.List().Revision()
	rows[0].Title = "another name"
	env.NowNs += 1e9
	p.Update(env, rect, &panel.Input{})
	if p.List().Revision() == before {
		t.Error("a new name is not shown")
	}
}
