package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// What is longer than the window is wide is written in lines, and nothing of it is lost before the
// last of them.
func TestNoticeInLines(t *testing.T) {
	theme := assets.Dark()
	env := &panel.Env{Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	long := "The Java VM refused to load the library (status -1): libflareagent.so was not loaded.\n" + strings.Repeat("Is it built for this machine, and may the user of the JVM read it? ", 3)
	var n Notices
	n.add(Notice{Text: "short\nbut of two lines"})
	n.add(Notice{Text: long, Problem: true})
	n.Update(env, draw.Rect{X1: 800, Y1: 600}, 0)
	if got := n.items[0].lines; len(got) != 1 || got[0] != "short but of two lines" {
		t.Errorf("%q", got)
	}
	got := n.items[1].lines
	testkit.That(t, len(got) >= 3 && strings.Join(got, " ") == strings.Join(strings.Fields(long), " "), "%q", got)
	for _, line := range got {
		w := env.Atlas.Measure(draw.Regular, line)
		testkit.That(t, w <= 732, "%q is %v px wide", line, w)
	}
	quads := n.list.Quads()
	testkit.That(t, quads >= 100, "%d quads", quads)
	// In a wide window one line is enough.
	n.Update(env, draw.Rect{X1: 4000, Y1: 600}, 0)
	testkit.That(t, len(n.items[1].lines) == 1, "%q", n.items[1].lines)
	// Far too long a text is cut.
	n.add(Notice{Text: strings.Repeat("word ", 2000)})
	n.Update(env, draw.Rect{X1: 800, Y1: 600}, 0)
	testkit.Equal(t, len(n.items[2].lines), noticeLines, "lines")
}

// What is told again is the newest, once.
func TestNoticeAgain(t *testing.T) {
	var n Notices
	for _, text := range []string{"opened a part", "opening", "opened a part"} {
		n.add(Notice{Text: text})
	}
	got := n.Shown()
	testkit.That(t, len(got) == 2 && got[1].Text == "opened a part", "%+v", got)
}

// What stays until it was seen is there after any time, until it is dropped by its first words.
func TestToldUntilSeen(t *testing.T) {
	theme := assets.Dark()
	env := &panel.Env{Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	var p Prompt
	p.Tell("passing")
	p.TellUntilSeen("Panda Stats (pid 7)", " is connected, too")
	p.TellUntilSeen("Panda Stats (pid 7)", " has ended")
	for range 2 {
		p.Notices.Update(env, draw.Rect{X1: 800, Y1: 600}, 0)
		env.NowNs += 60 * problemNs
	}
	got := p.Notices.Shown()
	testkit.That(t, len(got) == 1 && got[0].Text == "Panda Stats (pid 7) has ended", "%+v", got)
	p.Notices.Drop("Panda Stats (pid 7)")
	testkit.That(t, len(p.Notices.Shown()) == 0, "it is there when it was dropped")
}

// A state that is told anew takes the place of what was told of it before.
func TestTellNow(t *testing.T) {
	var p Prompt
	p.TellNow("Size ", "%d %%", 175)
	p.Tell("something else")
	p.TellNow("Size ", "%d %%", 200)
	got := p.Notices.Shown()
	testkit.That(t, len(got) == 2 && got[1].Text == "Size 200 %", "%+v", got)
}

// Notices lie over the end of the status line: beside each other as long as its left part stays free, then
// above. A press takes the one away that it hits, and no other.
func TestNoticesLieOverTheStatusLine(t *testing.T) {
	theme := assets.Dark()
	env := &panel.Env{Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	window := draw.Rect{X1: 1280, Y1: 720}
	var n Notices
	for _, text := range []string{"the first that was told of all these", "the second, which is as long as that", "the third, longer than those before it", "the fourth, and the last of these here"} {
		n.add(Notice{Text: text})
	}
	n.Update(env, window, 0)
	low := 0
	for i := range n.items {
		r := n.items[i].rect
		for k := range i {
			o := r.Intersect(n.items[k].rect)
			testkit.That(t, o.W() <= 0 || o.H() <= 0, "%v lies over %v", r, n.items[k].rect)
		}
		if r.Y1 == window.Y1 {
			low++
			testkit.That(t, r.H() == 22 && r.X0 >= 0.4*window.X1, "%v is not in the status line's end", r)
		}
		testkit.That(t, r.Y0 >= window.Y1-44 && r.X1 <= window.X1, "%v is far from the status line", r)
	}
	if last := n.items[3].rect; last.X1 != window.X1 || last.Y1 != window.Y1 || low < 2 {
		t.Errorf("the newest lies at %v, %d beside each other", last, low)
	}
	r := n.items[2].rect
	testkit.That(t, !n.Press(100, 710) && !n.Press(1270, 400) && len(n.items) == 4,
		"a press beside them takes one away")
	testkit.That(t, n.Press(r.X0+2, r.Y0+2) && len(n.items) == 3 &&
		n.items[2].Text == "the fourth, and the last of these here", "%d are left after a press on one", len(n.items))
}

// Notices leave the figures at the end of the status line free, and do not move while these change; where
// there is no room beside them they lie over them.
func TestNoticesLeaveTheFiguresFree(t *testing.T) {
	theme := assets.Dark()
	env := &panel.Env{Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	window := draw.Rect{X1: 1280, Y1: 720}
	var n Notices
	n.Update(env, window, 1000)
	n.add(Notice{Text: "something happened"})
	for _, c := range []struct{ figures, end float32 }{{1010, 1002}, {1014, 1002}, {990, 982}, {1200, 982}} {
		n.Update(env, window, c.figures)
		r := n.items[0].rect
		testkit.That(t, r.X1 == c.end && r.Y1 == window.Y1, "figures at %v: the notice lies at %v", c.figures, r)
	}
	n.Update(env, draw.Rect{X1: 640, Y1: 480}, 300)
	r := n.items[0].rect
	testkit.That(t, r.X1 == 640, "in a narrow window it lies at %v", r)
}

// TestClipboard: what can't be copied is told with what to do, and what can lies where it belongs.
func TestClipboard(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of other systems are always there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	testkit.Fails(t, clipboard("text"), "install wl-clipboard")
	program := func(name, script string) {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
	}
	program("wl-copy", "exit 1")
	if err := clipboard("text"); err == nil || !strings.Contains(err.Error(), "nothing was copied: wl-copy") {
		t.Errorf("with a program that fails: %v", err)
	}
	got := filepath.Join(dir, "got")
	program("xclip", "read line; echo $line > "+got)
	testkit.NoErr(t, clipboard("text\n"))
	text, _ := os.ReadFile(got)
	testkit.That(t, string(text) == "text\n", "%q was copied", text)
	defer func(d time.Duration) { clipTime = d }(clipTime)
	clipTime = 50 * time.Millisecond
	program("xclip", "while :; do :; done")
	testkit.Fails(t, clipboard("text"), "xclip")
}

// TestPaste: what is pasted is what the system has, else what was copied here last; never more of it
// than has room.
func TestPaste(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of other systems are always there")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	later := make(chan func(), 10)
	p := Prompt{Later: func(f func()) { later <- f }}
	paste := func() (text string) {
		got := false
		p.Clipboard().Get(func(s string) { text, got = s, true })
		for !got {
			(<-later)()
		}
		return text
	}
	p.Clipboard().Put("mine")
	(<-later)() // the word that it is copied here alone
	testkit.Equal(t, paste(), "mine", "without a program … is pasted")
	program := func(script string) {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "xclip"), []byte("#!/bin/sh\n"+script), 0o755))
	}
	program("echo theirs")
	testkit.Equal(t, paste(), "theirs", "… is pasted")
	program("while :; do echo 0123456789012345678901234567890123456789; done")
	got := paste()
	testkit.That(t, len(got) <= pasteMost && len(got) >= pasteMost/2, "%d bytes are pasted", len(got))
	program("exit 1")
	testkit.Equal(t, paste(), "mine", "with a program that fails … is pasted")
}
