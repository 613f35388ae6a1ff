package widgets

import (
	"testing"
	"time"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
)

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

func env() *panel.Env {
	theme := assets.Dark()
	return &panel.Env{Atlas: draw.NewAtlas(1), Scale: 1, Theme: &theme, View: view.New(nil)}
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
		e := env()
		if c.light {
			theme := assets.Light()
			e.Theme = &theme
		}
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
	e, prog := env(), &trayProgram{rows: some()}
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
	e, prog := env(), &trayProgram{rows: some()}
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
	for i := range max(len(want), len(prog.did)) {
		if i >= len(want) || i >= len(prog.did) || prog.did[i] != want[i] {
			t.Fatalf("did %q, want %q", prog.did, want)
		}
	}
	var in panel.Input
	if n := testing.AllocsPerRun(100, func() { p.Update(e, rect, &in) }); n > 0 {
		t.Errorf("a tick in which nothing changes costs %v allocations", n)
	}
}
