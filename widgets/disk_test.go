package widgets

import (
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/tabletest"
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
func (d *disk) DoOnDisk(what Action, id string) {
	d.did = append(d.did, map[Action]string{Open: "open ", Rename: "rename ", Export: "export ", Keep: "keep ", Delete: "delete ", ShowMenu: "menu "}[what]+id)
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
	p.Key(env, "delete") // of the newest, which is live
	p.Key(env, "enter")
	p.Key(env, "down")
	p.Key(env, "delete")
	idle()
	closed := 0
	p.Close = func() { closed++ }
	for _, r := range slices.Clone(p.foot.rects) {
		click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	}
	testkit.Equal(t, closed, 1, "times closed")
	click(40, 24+22+2*22+10) // the third row
	testkit.That(t, p.Chosen() == "22223333", "%q is chosen", p.Chosen())
	p.Update(env, rect, &panel.Input{X: 40, Y: 100, Over: true, DoubleClick: true, Left: panel.Button{Pressed: true, Down: true, DownX: 40, DownY: 100}})
	p.Update(env, rect, &panel.Input{X: 40, Y: 60, Over: true, Right: panel.Button{Released: true, DownX: 40, DownY: 60}})
	want := []string{
		"open 0a1b2c3d", "delete 11112222",
		"open 11112222", "rename 11112222", "export 11112222", "keep 11112222", "delete 11112222",
		"open 22223333", "menu 0a1b2c3d",
	}
	testkit.MustThat(t, slices.Equal(d.did, want), "did %q, want %q", d.did, want)
}

type clipProgram struct {
	rows     []ClipRow
	revision uint64
	did      []string
}

func (p *clipProgram) Clips() ([]ClipRow, uint64) { return p.rows, 1 + p.revision }
func (p *clipProgram) ClipWords() (line, mode string) {
	return "Of the first hitch of each cause 5 s before and 2 s after it, in ~/.local/state/framescope/clips", "4 of 50"
}
func (p *clipProgram) DoClip(what Action, path string) {
	p.did = append(p.did, map[Action]string{Open: "open ", Delete: "delete ", ShowMenu: "menu "}[what]+path)
}

func some() []ClipRow {
	at := time.Date(2026, 11, 20, 19, 45, 0, 0, time.Local)
	return []ClipRow{
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
		rows  []ClipRow
		light bool
	}{
		{"clips", 820, 180, some(), false}, {"clips_light", 820, 180, some(), true},
		{"clips_narrow", 400, 160, some(), false}, {"clips_empty", 480, 140, nil, false},
	} {
		e := testEnv(nil)
		chartstest.Light(e, c.light)
		p := NewClipList(&clipProgram{rows: c.rows})
		rect := draw.Rect{X1: c.w, Y1: c.h}
		p.Update(e, rect, &panel.Input{})
		golden.Check(t, "testdata/golden/"+c.name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(e.Theme.Panel), Lists: []*draw.List{p.List()}})
	}
}

// When the chosen clip is gone the one in its place is chosen; when others come the keys stay with it.
func TestTheChosenClipStays(t *testing.T) {
	e, prog := testEnv(nil), &clipProgram{rows: some()}
	p := NewClipList(prog)
	rect := draw.Rect{X1: 820, Y1: 180}
	p.Update(e, rect, &panel.Input{})
	p.Key(e, "down")
	p.Key(e, "down")
	p.Update(e, rect, &panel.Input{})
	change := func(rows []ClipRow, want string) {
		t.Helper()
		prog.rows = rows
		prog.revision++
		p.Update(e, rect, &panel.Input{})
		p.Update(e, rect, &panel.Input{})
		testkit.That(t, p.source.chosen == want, "%q is chosen, want %q", p.source.chosen, want)
		prog.did = prog.did[:0]
		p.Key(e, "enter")
		testkit.That(t, len(prog.did) == 1 && prog.did[0] == "open "+want, "enter: %q", prog.did)
	}
	all := some()
	change([]ClipRow{all[0], all[2], all[3]}, "b")
	newer := all[1]
	newer.Path, newer.At = "e", all[0].At.Add(time.Minute)
	change([]ClipRow{newer, all[0], all[2], all[3]}, "b")
	p.Key(e, "up")
	p.Update(e, rect, &panel.Input{})
	change([]ClipRow{newer, all[2], all[3]}, "b")
	p.Key(e, "end")
	p.Update(e, rect, &panel.Input{})
	change([]ClipRow{newer, all[2]}, "b")
}

// A column put before others breaks nothing.
func TestColumnsGoByTheirNames(t *testing.T) {
	tabletest.Unharmed(t, func() tabletest.Shown[DiskRow] {
		tab := NewDisk(&disk{rows: someOnDisk(), limit: 1 << 30}).table
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
	testkit.That(t, sum == m.Resident, "the parts are %d MiB, all is %d MiB", sum>>20, m.Resident>>20)
	got := string(m.AppendShort(nil))
	testkit.That(t, got == "RSS 412 MiB, at most 679 MiB", "%q", got)
	all := strings.Join(m.Lines(), "\n")
	for _, want := range []string{
		"2 live sessions\t220 MiB", "1 ended session\t81", "garbage, caches, buffers\t34", "nothing loaded\t65",
	} {
		testkit.That(t, strings.Contains(all, want), "%q is not in:\n%s", want, all)
	}
	early := (MemoryUse{Limit: m.Limit, Slack: m.Slack})
	testkit.That(t, !early.Known() && m.Known(), "a bound is told before it is known, or never")
	testkit.That(t, !m.Over(), "412 of 679 MiB are over the limit")
	m.Resident = 700 << 20
	testkit.That(t, m.Over(), "700 of 679 MiB are not over the limit")
	got = string(m.AppendShort(nil))
	testkit.That(t, got == "RSS 700 MiB, more than the 679 MiB allowed", "%q", got)
}

// What is typed goes to the cursor, or in the place of what is selected, and stays one line.
func TestTextFieldTakesText(t *testing.T) {
	var f TextField
	f.SetText("localhost:3333")
	f.insert("0")
	testkit.That(t, f.Text() == "localhost:33330", "at the end: %q", f.Text())
	f.Focus(true) // selects everything
	f.insert("b")
	f.insert("ö\n\x7f\tx")
	testkit.That(t, f.Text() == "bö x" && f.anchor == len("bö x") && f.anchor == f.cursor,
		"%q, cursor at %d, %d", f.Text(), f.anchor, f.cursor)
	f.set(f.Text(), len("bö"))
	f.insert("--")
	f.insert("\n")
	testkit.That(t, f.Text() == "bö-- x" && f.cursor == len("bö--"), "%q, cursor at %d", f.Text(), f.cursor)
	f.anchor, f.cursor = 0, len("bö")
	f.preedit = "ろ"
	f.Focus(false)
	testkit.That(t, f.preedit == "" && f.Text() == "bö-- x" && !f.Focused(),
		"%q while %q is composed", f.Text(), f.preedit)
}

// ownBoard is a clipboard for tests.
type ownBoard struct{ text string }

func (b *ownBoard) Put(text string)          { b.text = text }
func (b *ownBoard) Get(to func(text string)) { to(b.text) }

// strokeOf reads "Ctrl+Shift+left".
func strokeOf(text string) (s Stroke) {
	for {
		mod, rest, more := strings.Cut(text, "+")
		if !more {
			s.Key = text
			return s
		}
		s.Ctrl, s.Shift, s.Alt = s.Ctrl || mod == "Ctrl", s.Shift || mod == "Shift", s.Alt || mod == "Alt"
		text = rest
	}
}

// The keys do what they do in every text field: | is the cursor, [ ] a selection with the cursor at
// its end, { } one with the cursor at its begin.
func TestTextFieldKeys(t *testing.T) {
	board := &ownBoard{}
	var f TextField
	f.focus = true
	set := func(s string) {
		f.text, f.anchor, f.cursor = "", -1, -1
		for _, r := range s {
			at := len(f.text)
			switch r {
			case '|':
				f.anchor, f.cursor = at, at
			case '[', '}':
				f.anchor = at
			case ']', '{':
				f.cursor = at
			default:
				f.text += string(r)
			}
		}
	}
	state := func() string {
		a, b := f.selection()
		switch {
		case a == b:
			return f.text[:a] + "|" + f.text[a:]
		case f.cursor == b:
			return f.text[:a] + "[" + f.text[a:b] + "]" + f.text[b:]
		}
		return f.text[:a] + "{" + f.text[a:b] + "}" + f.text[b:]
	}
	for _, c := range testkit.Rows("testdata/strokes.txt") {
		set(c[0])
		for _, k := range strings.Fields(c[1]) {
			f.strike(strokeOf(k), board)
		}
		testkit.Equal(t, state(), c[2], "%s, %s", c[0], c[1])
	}
	board.text = "two\nlines"
	set("|")
	f.strike(strokeOf("Ctrl+v"), board)
	testkit.That(t, f.Text() == "two lines", "pasted %q", f.Text())
}

// A press puts the cursor where it is, a drag selects, a double click selects the word.
func TestTextFieldMouse(t *testing.T) {
	env := chartstest.NewEnv(nil, 1)
	l := draw.NewList(env.Atlas)
	var f TextField
	f.focus = true
	f.SetText("Render scene_pass 2")
	r := draw.Rect{X0: 20, Y0: 10, X1: 320, Y1: 34}
	l.Reset(r)
	f.Draw(l, env, r, "")
	x := func(before string) float32 { return 28 + env.Atlas.Measure(draw.Regular, before) }
	do := func(in panel.Input) bool { in.Y = 20; return f.Point(&in) }
	down := panel.Button{Down: true, Pressed: true}
	testkit.That(t, do(panel.Input{X: x("Rend"), Left: down}) && f.cursor == 4 && f.Selected() == "",
		"pressed, the cursor is at %d, selected is %q", f.cursor, f.Selected())
	do(panel.Input{X: x("Render sc"), Left: panel.Button{Down: true, Dragging: true}})
	testkit.That(t, f.Selected() == "er sc", "dragged, selected is %q", f.Selected())
	do(panel.Input{X: x("Render sc"), Left: panel.Button{Released: true}})
	do(panel.Input{X: x("Re"), Shift: true, Left: down})
	testkit.That(t, f.Selected() == "nd", "pressed with Shift, selected is %q", f.Selected())
	do(panel.Input{X: x("Render sce"), DoubleClick: true, Left: down})
	testkit.That(t, f.Selected() == "scene_pass", "a double click selects %q", f.Selected())
	testkit.That(t, !f.Point(&panel.Input{X: 100, Y: 60, Left: down}) && f.Selected() == "scene_pass",
		"a press elsewhere is one in the field")
	do(panel.Input{X: 319, Left: down})
	testkit.That(t, f.cursor == len(f.Text()), "pressed behind the text the cursor is at %d", f.cursor)
}

// What is offered is selected, so that typing takes its place.
func TestOfferedTextIsReplaced(t *testing.T) {
	f := &TextField{}
	f.Offer("3.961 ms")
	testkit.That(t, f.Selected() == "3.961 ms", "%q is selected", f.Selected())
	f.insert("4 ms")
	testkit.That(t, f.Text() == "4 ms", "%q", f.Text())
}

// jvmList is the dialog that lists Java VMs; run gets the name of the one that was chosen.
func jvmList(run func(name string)) *Palette {
	p := &Palette{Name: "Attach to a JVM", Close: func() {}}
	p.Field.Hint = "type part of a name, or a process number"
	for _, vm := range [][2]string{{"com.acme.shop.Checkout", "812"}, {"org.example.jobs.Nightly", "20417"}, {"server.jar", "20911"}, {"(unknown)", "31007"}} {
		p.Items = append(p.Items, PaletteItem{Name: vm[0], Key: "process " + vm[1], Also: vm[1], Run: func() { run(vm[0]) }})
	}
	p.Items = append(p.Items, PaletteItem{Name: "Choose another agent library…", Key: "libflareagent.so", Run: func() { run("library") }})
	return p
}

// agentQuestion is the dialog that asks for an agent's address.
func agentQuestion(answer func(text string) string, run func(name string)) *Palette {
	p := &Palette{Name: "Connect to a JVM's agent", Answer: answer, Close: func() {}}
	p.Field.Hint = "HOST:PORT of a Flare agent that listens; Enter connects"
	p.Field.SetText("localhost:3333")
	for i, addr := range []string{"localhost:3333", "build-box:3333", "10.0.0.7:4000"} {
		key := ""
		if i == 0 {
			key = "the last one"
		}
		p.Items = append(p.Items, PaletteItem{Name: addr, Key: key, Run: func() { run(addr) }})
	}
	return p
}

func TestJVMDialogPictures(t *testing.T) {
	nothing := func(string) {}
	refuse := func(string) string { return `"http" is no port: write HOST:PORT, such as localhost:3333` }
	for _, c := range []struct {
		name  string
		w, h  float32
		p     *Palette
		after func(p *Palette)
	}{
		{"jvm_list", 480, 190, jvmList(nothing), func(p *Palette) { p.Move(1) }},
		{"jvm_filtered", 480, 190, jvmList(nothing), func(p *Palette) { p.Field.SetText("20 jobs") }},
		{"jvm_none", 440, 150, &Palette{Empty: []string{"No JVM of yours is running on this machine", "JVMs of other users are visible to them only."}}, func(*Palette) {}},
		{"jvm_agent", 420, 150, agentQuestion(refuse, nothing), func(p *Palette) { p.Move(2) }},
		{"jvm_agent_refused", 420, 150, agentQuestion(refuse, nothing), func(p *Palette) { p.Field.SetText("box:http"); p.Enter() }},
	} {
		for _, light := range []bool{false, true} {
			env := testEnv(nil)
			name := c.name
			if light {
				theme := assets.Light()
				env.Theme, name = &theme, name+"_light"
			}
			rect := draw.Rect{X1: c.w, Y1: c.h}
			c.p.Update(env, rect, &panel.Input{})
			if !light {
				c.after(c.p)
			}
			c.p.Update(env, rect, &panel.Input{})
			golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{c.p.List()}})
		}
	}
}

// A question takes what was typed, or one of the answers that it offers.
func TestQuestionWithAnswers(t *testing.T) {
	env := testEnv(nil)
	rect := draw.Rect{X1: 420, Y1: 150}
	var typed, chosen []string
	closed := 0
	p := agentQuestion(func(text string) string {
		typed = append(typed, text)
		if strings.Contains(text, "no") {
			return "no"
		}
		return ""
	}, func(name string) { chosen = append(chosen, name) })
	p.Close = func() { closed++ }
	p.Update(env, rect, &panel.Input{})
	p.Field.SetText("no")
	p.Enter()
	testkit.That(t, closed == 0 && p.complaint == "no", "closed %d times, complaint %q", closed, p.complaint)
	p.Field.SetText("box:1")
	p.Update(env, rect, &panel.Input{})
	p.Move(1)
	p.Move(1)
	p.Move(-5) // back to the field
	if p.Enter(); closed != 1 || len(chosen) != 0 || typed[len(typed)-1] != "box:1" {
		t.Errorf("closed %d times, typed %q, chosen %q", closed, typed, chosen)
	}
	p.Move(2)
	p.Enter()
	p.Update(env, rect, click(100, 70+5))
	testkit.That(t, len(chosen) == 2 && chosen[0] == "build-box:3333" && chosen[1] == "localhost:3333" &&
		len(typed) == 2 && closed == 3, "closed %d times, typed %q, chosen %q", closed, typed, chosen)
}
