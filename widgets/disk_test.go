package widgets

import (
	"testing"
	"time"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

// disk is a program with some sessions on disk.
type disk struct {
	rows  []DiskRow
	limit int64
	left  int
	did   []string
}

func (d *disk) OnDisk() ([]DiskRow, uint64) { return d.rows, 1 }
func (d *disk) DiskUse() DiskUse {
	return DiskUse{Bytes: 3_300_000_000, Limit: d.limit, Where: "~/.local/state/framescope/sessions", SessionsLeft: d.left, BytesLeft: int64(d.left) * 600 << 20}
}
func (d *disk) DoOnDisk(what DiskAction, id string) {
	d.did = append(d.did, map[DiskAction]string{DiskOpen: "open ", DiskRename: "rename ", DiskExport: "export ", DiskKeep: "keep ", DiskDelete: "delete ", DiskMenu: "menu "}[what]+id)
}

func someOnDisk() []DiskRow {
	at := time.Date(2026, 11, 20, 19, 45, 0, 0, time.Local)
	return []DiskRow{
		{ID: "0a1b2c3d", Name: "Solar Chase", Program: "Solar Chase", Source: "PStats", State: "live here", Live: true, Began: at, Length: 754 * time.Second, Frames: 45_240, Bytes: 212 << 20, Path: "/s/a"},
		{ID: "11112222", Name: "the hitch near the gate", Program: "Solar Chase", Source: "PStats", State: "ended", Kept: true, Began: at.Add(-time.Hour), Length: 33 * time.Minute, Frames: 118_800, Bytes: 640 << 20, Path: "/s/b"},
		{ID: "22223333", Name: "Roaming Ralph", Program: "Roaming Ralph", Source: "PStats", State: "interrupted, 312 frames not recorded", Alarm: true, Began: at.Add(-26 * time.Hour), Length: 90 * time.Second, Frames: -1, Bytes: 11 << 20, Path: "/s/c"},
		{ID: "33334444", Name: "gst-launch-1.0", Program: "gst-launch-1.0", Source: "GStreamer", State: "ended", Began: at.Add(-50 * time.Hour), Length: 4 * time.Second, Frames: -1, Bytes: 900 << 10, Path: "/s/d"},
	}
}

func TestDiskPictures(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  float32
		d     *disk
		light bool
	}{
		{"disk", 900, 220, &disk{rows: someOnDisk(), limit: 20 << 30}, false},
		{"disk_light", 900, 220, &disk{rows: someOnDisk(), limit: 20 << 30, left: 3}, true},
		{"disk_narrow", 420, 180, &disk{rows: someOnDisk(), limit: 20 << 30}, false},
		{"disk_empty", 420, 140, &disk{limit: 20 << 30}, false},
		{"disk_off", 420, 140, &disk{}, true},
	} {
		env := testEnv(nil)
		if c.light {
			theme := assets.Light()
			env.Theme = &theme
		}
		p := NewDisk(c.d)
		rect := draw.Rect{X1: c.w, Y1: c.h}
		p.Update(env, rect, &panel.Input{})
		p.Key(env, "down")
		p.Key(env, "down")
		p.Update(env, rect, &panel.Input{})
		golden.Check(t, "testdata/golden/"+c.name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{p.List()}})
	}
}

// What is chosen is what the keys, the buttons and the mouse act on; a live session is not deleted.
func TestDiskActs(t *testing.T) {
	env := testEnv(nil)
	d := &disk{rows: someOnDisk(), limit: 1 << 30}
	p := NewDisk(d)
	rect := draw.Rect{X1: 900, Y1: 220}
	idle := func() { p.Update(env, rect, &panel.Input{}) }
	click := func(x, y float32) {
		p.Update(env, rect, &panel.Input{X: x, Y: y, Over: true, Left: panel.Button{Released: true, DownX: x, DownY: y}})
	}
	idle()
	p.Key(env, "enter") // nothing is chosen: the newest is
	p.Key(env, "delete")
	p.Key(env, "enter")
	p.Key(env, "down")
	p.Key(env, "delete")
	idle()
	for i := range p.buttons {
		click((p.buttons[i].X0+p.buttons[i].X1)/2, (p.buttons[i].Y0+p.buttons[i].Y1)/2)
	}
	click(40, 24+22+2*22+10) // the third row
	if p.Chosen() != "22223333" {
		t.Errorf("%q is chosen", p.Chosen())
	}
	p.Update(env, rect, &panel.Input{X: 40, Y: 100, Over: true, DoubleClick: true, Left: panel.Button{Pressed: true, Down: true, DownX: 40, DownY: 100}})
	p.Update(env, rect, &panel.Input{X: 40, Y: 60, Over: true, Right: panel.Button{Released: true, DownX: 40, DownY: 60}})
	want := []string{
		"open 0a1b2c3d", "delete 11112222",
		"open 11112222", "rename 11112222", "export 11112222", "keep 11112222", "delete 11112222",
		"open 22223333", "menu 0a1b2c3d",
	}
	for i := range max(len(want), len(d.did)) {
		if i >= len(want) || i >= len(d.did) || d.did[i] != want[i] {
			t.Fatalf("did %q, want %q", d.did, want)
		}
	}
}
