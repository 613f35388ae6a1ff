package widgets

import (
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/table/tabletest"
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
		chartstest.Light(env, c.light)
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
	if !slices.Equal(d.did, want) {
		t.Fatalf("did %q, want %q", d.did, want)
	}
}

type trayProgram struct {
	rows     []Row
	revision uint64
	did      []string
}

func (p *trayProgram) Clips() ([]Row, uint64) { return p.rows, 1 + p.revision }
func (p *trayProgram) ClipWords() (line, mode string) {
	return "Of the first hitch of each cause 5 s before and 2 s after it, in ~/.local/state/framescope/clips", "4 of 50"
}
func (p *trayProgram) DoClip(what Action, path string) {
	p.did = append(p.did, map[Action]string{Open: "open ", Delete: "delete ", TrayMenu: "menu "}[what]+path)
}

func some() []Row {
	at := time.Date(2026, 11, 20, 19, 45, 0, 0, time.Local)
	return []Row{
		{Path: "d", Cause: "Compile shader on Draw", Mark: "◆", Color: draw.Color{R: 0xd0, G: 0x90, B: 0x60, A: 255}, Program: "Solar Chase", Thread: "Main", Frame: 5431, Took: 74_800_000, Length: 7_074_000_000, At: at, Bytes: 1_260_000, Frames: 2940},
		{Path: "c", Cause: "Disk on Main", Mark: "●", Color: draw.Color{R: 0x60, G: 0xb0, B: 0x90, A: 255}, Program: "Solar Chase", Thread: "Main", Frame: 4702, Took: 51_200_000, Length: 7_051_000_000, At: at.Add(-12 * time.Second), Bytes: 1_190_000, Frames: 2910, Lacks: 312},
		{Path: "b", Cause: "Not explained", Mark: "▲", Program: "Roaming Ralph and the very long name of a game", Thread: "Main", Frame: 12, Took: 33_000_000, Length: 2_200_000_000, At: at.Add(-26 * time.Hour), Bytes: 90_000, Frames: 120},
		{Path: "a", Cause: "copied-from-elsewhere", Frame: -1, At: at.Add(-50 * time.Hour), Bytes: 4_000_000},
	}
}

func TestPictures(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  float32
		rows  []Row
		light bool
	}{
		{"tray", 820, 180, some(), false},
		{"tray_light", 820, 180, some(), true},
		{"tray_narrow", 400, 160, some(), false},
		{"tray_empty", 480, 140, nil, false},
	} {
		e := testEnv(nil)
		chartstest.Light(e, c.light)
		p := NewTray(&trayProgram{rows: c.rows})
		rect := draw.Rect{X1: c.w, Y1: c.h}
		p.Update(e, rect, &panel.Input{})
		p.Key(e, "down")
		p.Update(e, rect, &panel.Input{})
		golden.Check(t, "testdata/golden/"+c.name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(e.Theme.Panel), Lists: []*draw.List{p.List()}})
	}
}

// When the chosen clip is gone the one in its place is chosen; when others come the keys stay with it.
func TestTheChosenClipStays(t *testing.T) {
	e, prog := testEnv(nil), &trayProgram{rows: some()}
	p := NewTray(prog)
	rect := draw.Rect{X1: 820, Y1: 180}
	p.Update(e, rect, &panel.Input{})
	p.Key(e, "down")
	p.Key(e, "down")
	p.Update(e, rect, &panel.Input{})
	change := func(rows []Row, want string) {
		t.Helper()
		prog.rows = rows
		prog.revision++
		p.Update(e, rect, &panel.Input{})
		if p.Update(e, rect, &panel.Input{}); p.source.chosen != want {
			t.Errorf("%q is chosen, want %q", p.source.chosen, want)
		}
		prog.did = prog.did[:0]
		if p.Key(e, "enter"); len(prog.did) != 1 || prog.did[0] != "open "+want {
			t.Errorf("enter: %q", prog.did)
		}
	}
	all := some()
	change([]Row{all[0], all[2], all[3]}, "b")
	newer := all[1]
	newer.Path, newer.At = "e", all[0].At.Add(time.Minute)
	change([]Row{newer, all[0], all[2], all[3]}, "b")
	p.Key(e, "up")
	p.Update(e, rect, &panel.Input{})
	change([]Row{newer, all[2], all[3]}, "b")
	p.Key(e, "end")
	p.Update(e, rect, &panel.Input{})
	change([]Row{newer, all[2]}, "b")
}

// A click opens, the right button offers all else, the keys act on what they chose.
func TestActs(t *testing.T) {
	e, prog := testEnv(nil), &trayProgram{rows: some()}
	p := NewTray(prog)
	rect := draw.Rect{X1: 820, Y1: 180}
	p.Update(e, rect, &panel.Input{})
	p.Key(e, "end") // nothing is chosen yet, but the list has the keys
	p.Key(e, "enter")
	p.Key(e, "home")
	p.Key(e, "down")
	p.Key(e, "enter")
	p.Key(e, "delete")
	at := func(b panel.Button, right bool) {
		in := panel.Input{X: 60, Y: 24 + 24 + 12, Over: true}
		if b.DownX, b.DownY = in.X, in.Y; right {
			in.Right = b
		} else {
			in.Left = b
		}
		p.Update(e, rect, &in)
	}
	at(panel.Button{Pressed: true, Down: true}, false)
	at(panel.Button{Released: true}, false)
	at(panel.Button{Released: true}, true)
	want := []string{"open a", "open c", "delete c", "open d", "menu d"}
	if !slices.Equal(prog.did, want) {
		t.Fatalf("did %q, want %q", prog.did, want)
	}
	var in panel.Input
	chartstest.AllocatesNothing(t, "clips", func() { p.Update(e, rect, &in) })
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[DiskRow] {
		tab := table.New("", &diskTable{program: &disk{rows: someOnDisk(), limit: 1 << 30}})
		return tabletest.Shown[DiskRow]{Rig: chartstest.NewRig(nil, 1, 1400, 200), Table: tab, Columns: &diskColumns}
	})
}

// A column put before others breaks nothing.
func TestMetricsColumnsGoByTheirNames(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[metricRow] {
		tab := New(func() Costs { return Costs{Quads: 5} })
		return tabletest.Shown[metricRow]{Rig: chartstest.NewRig(nil, 1, 400, 200), Table: tab, Columns: &metricColumns}
	})
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
	if early := (MemoryUse{Limit: m.Limit, Slack: m.Slack}); early.Known() || !m.Known() {
		t.Error("a bound is told before it is known, or never")
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
