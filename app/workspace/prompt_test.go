package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"framescope/app/layout"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// What is longer than the window is wide is written in lines, and nothing of it is lost before the
// last of them.
func TestNoticeInLines(t *testing.T) {
	theme := assets.Dark()
	env := panel.NewEnv(nil, &theme, draw.NewAtlas(1))
	long := "The Java VM refused to load the library (status -1): libflareagent.so was not loaded.\n" + strings.Repeat("Is it built for this machine, and may the user of the JVM read it? ", 3)
	var n Notices
	n.add(Notice{Text: "short\nbut of two lines"})
	n.add(Notice{Text: long, Problem: true})
	n.Update(env, draw.Rect{X1: 800, Y1: 600})
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
	n.Update(env, draw.Rect{X1: 4000, Y1: 600})
	testkit.That(t, len(n.items[1].lines) == 1, "%q", n.items[1].lines)
	// Far too long a text is cut.
	n.add(Notice{Text: strings.Repeat("word ", 2000)})
	n.Update(env, draw.Rect{X1: 800, Y1: 600})
	testkit.Equal(t, len(n.items[2].lines), noticeLines, "lines")
}

// A text that comes again is the newest notice, once. ReplaceNotice takes the place of the notice that begins alike.
func TestNoticeAgain(t *testing.T) {
	var p Prompt
	p.ReplaceNotice("Size ", "%d %%", 175)
	for _, text := range []string{"opened a part", "opening", "opened a part"} {
		p.Notify("%s", text)
	}
	p.ReplaceNotice("Size ", "%d %%", 200)
	got := p.Notices.Shown()
	testkit.That(t, len(got) == 3 && got[1].Text == "opened a part" && got[2].Text == "Size 200 %", "%+v", got)
}

// What stays until it was seen is there after any time, until it is dropped by its first words.
func TestToldUntilSeen(t *testing.T) {
	theme := assets.Dark()
	env := panel.NewEnv(nil, &theme, draw.NewAtlas(1))
	var p Prompt
	p.Notify("passing")
	p.NotifyUntilSeen("Panda Stats (pid 7)", " is connected, too")
	p.NotifyUntilSeen("Panda Stats (pid 7)", " has ended")
	for range 2 {
		p.Notices.Update(env, draw.Rect{X1: 800, Y1: 600})
		env.NowNs += 60 * problemNs
	}
	got := p.Notices.Shown()
	testkit.That(t, len(got) == 1 && got[0].Text == "Panda Stats (pid 7) has ended", "%+v", got)
	p.Notices.Drop("Panda Stats (pid 7)")
	testkit.That(t, len(p.Notices.Shown()) == 0, "it is there when it was dropped")
}

// A notice stays for as long as it takes to read.
func TestLongNoticesStayLonger(t *testing.T) {
	theme := assets.Dark()
	env := panel.NewEnv(nil, &theme, draw.NewAtlas(1))
	var n Notices
	n.add(Notice{Text: "short"})
	n.add(Notice{Text: strings.Repeat("a long one ", 20)})
	for _, c := range []struct {
		ns   int64
		want int
	}{{0, 2}, {18_000_000_000, 2}, {19_000_000_000, 1}, {24_200_000_000, 1}, {24_400_000_000, 0}} { // the short one waits
		env.NowNs = c.ns
		n.Update(env, draw.Rect{X1: 800, Y1: 600})
		testkit.Equal(t, len(n.Shown()), c.want, "notices after %d ns", c.ns)
	}
}

// Notices lie above the right end of the status line: side by side while its left part stays free; the others
// wait. A press removes only the notice under it.
func TestNoticesLieAboveTheStatusLine(t *testing.T) {
	theme := assets.Dark()
	env := panel.NewEnv(nil, &theme, draw.NewAtlas(1))
	window := draw.Rect{X1: 1280, Y1: 720}
	var n Notices
	for _, text := range []string{"the first that was told of all these", "the second, which is as long as that", "the third, longer than those before it", "the fourth, and the last of these here"} {
		n.add(Notice{Text: text})
	}
	n.Update(env, window)
	low := 0
	for i := range n.items {
		r := n.items[i].rect
		for k := range i {
			o := r.Intersect(n.items[k].rect)
			testkit.That(t, o.W() <= 0 || o.H() <= 0, "%v lies over %v", r, n.items[k].rect)
		}
		if !r.Empty() {
			low++
			testkit.That(t, r.Y1 == window.Y1 && r.H() == 22 && r.X0 >= 0.4*window.X1, "%v is not at the lower right", r)
		}
	}
	if last := n.items[3].rect; last.X1 != window.X1 || last.Y1 != window.Y1 || low < 2 {
		t.Errorf("the newest lies at %v, %d beside each other", last, low)
	}
	r := n.items[2].rect
	ran := 0
	n.items[2].Run = func() { ran++ }
	testkit.That(t, !n.Press(100, 710) && !n.Press(1270, 400) && len(n.items) == 4,
		"a press beside them takes one away")
	testkit.That(t, n.Press(r.X0+2, r.Y0+2) && len(n.items) == 3 &&
		n.items[2].Text == "the fourth, and the last of these here", "%d are left after a press on one", len(n.items))
	testkit.Equal(t, ran, 1, "a press on a notice does what it offers … times")
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
	testkit.Fails(t, clipboard("text"), "nothing was copied: wl-copy")
	got := filepath.Join(dir, "got")
	program("xclip", `read line; echo "$line" > "`+got+`"`)
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

// layoutOf is all that folding must leave as it was: what is kept, and where the panes lie.
func (r *rig) layoutOf() (kept layout.Arrangement, places string) {
	for _, p := range r.d.docked() {
		places += fmt.Sprint(p.id, p.rect, p.folded, " ")
	}
	return r.d.arrangement(), places
}

// Folding a pane and unfolding it again, and the other way round, leaves the layout as it was, in
// every window, at every scale, in every workspace, whether the pane was folded or had its title row
// only for want of room.
func TestFoldingKeepsTheLayout(t *testing.T) {
	small := 0
	for _, size := range [][2]float32{{1280, 720}, {1366, 768}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		for _, scale := range []float32{1, 1.25, 1.5, 1.75, 2, 3} {
			r := newRig(t)
			for _, name := range r.d.Workspaces() {
				r.d.Use(name)
				r.at(size[0], size[1], scale)
				for _, p := range r.d.docked() {
					if p.side != "" || p.rect.Empty() {
						continue
					}
					what := fmt.Sprintf("%v at %v, %s, %s", size, scale, name, p.id)
					kept, places := r.layoutOf()
					title := func() (x, y float32) { return p.rect.X1 - r.env.Px(60), p.rect.Y0 + r.env.Px(12) }
					if p.small {
						small++
						r.click(title())
						if !p.shown && scale < 3 { // at that scale it would be no panel
							t.Errorf("%s: a click on its title row does not open it", what)
						}
						now, _ := r.layoutOf()
						testkit.That(t, now.Equal(kept), "%s: a click on its title row changed the layout", what)
						r.m.DoubleClick = false
						r.doubleClickOn(title)
					} else {
						r.doubleClickOn(title)
						testkit.That(t, !p.shown, "%s: a double click does not fold it", what)
						r.click(title())
					}
					now, at := r.layoutOf()
					testkit.That(t, now.Equal(kept) && at == places, "%s: before %s, after %s", what, places, at)
				}
			}
		}
	}
	testkit.That(t, small != 0, "no window has too little room")
}

// doubleClickOn double clicks a place, wherever it is by the second click.
func (r *rig) doubleClickOn(at func() (x, y float32)) {
	r.click(at())
	x, y := at()
	r.doubleClick2(x, y)
}

// A window that becomes large, and small again, has forgotten that there was too little room.
func TestRoomIsAskedForOnce(t *testing.T) {
	r := newRig(t)
	r.at(1366, 768, 2)
	p := r.d.pane(layout.PaneLeft)
	was := p.rect
	r.click(middleOf(p.row.names[0].rect))
	testkit.MustThat(t, p.shown, "a click does not open it")
	r.at(2560, 1440, 1)
	fresh := newRig(t)
	fresh.at(2560, 1440, 1)
	testkit.That(t, p.rect == fresh.rect(layout.PaneLeft),
		"in a large window it lies at %v, in a new one at %v", p.rect, fresh.rect(layout.PaneLeft))
	r.at(1366, 768, 2)
	testkit.Equal(t, p.rect, was, "in the small window again it lies at %v, before at %v", p.rect, was)
}

// Where one of two panes in a row is folded and there is no room for the other, both have their title
// rows in sight.
func TestNoTitleRowIsLost(t *testing.T) {
	r := newRig(t)
	r.at(1366, 768, 2)
	left, right := r.d.pane(layout.PaneLeft), r.d.pane(layout.PaneRight)
	r.click(middleOf(left.row.names[0].rect))
	r.doubleClickOn(func() (x, y float32) { return right.rect.X1 - 100, right.rect.Y0 + 20 })
	testkit.MustThat(t, right.folded && left.shown, "the right one is not folded")
	r.doubleClickOn(func() (x, y float32) { return left.rect.X1 - 100, left.rect.Y0 + 20 })
	for _, p := range []*pane{left, right} {
		testkit.That(t, p.rect.H() == 56 && !p.shown, "%s lies at %v", p.id, p.rect)
	}
}

// Panes fold and unfold in 120 ms where things move, without a hole on the way, and at once where
// nothing does.
func TestPanesFoldInMotion(t *testing.T) {
	r := newRig(t)
	p, main := r.d.pane(layout.PaneLeft), r.d.pane(layout.PaneMain)
	after := func(ms int64) (left, timeline float32) {
		r.env.NowNs += ms * 1_000_000
		r.tick()
		return p.rect.H(), main.rect.H()
	}
	for _, move := range []bool{true, false} {
		r.env.Animate = move
		full, high := after(500)
		r.d.fold(p)
		r.tick()
		a, _ := after(40)
		testkit.That(t, move == (a > 28 && a < full), "animated %v: folding it has %v of %v px", move, a, full)
		testkit.That(t, !move || p.shown, "its panel vanishes before it is folded")
		a, _ = after(80)
		testkit.That(t, a == 28 && !p.shown && !r.d.move.on, "animated %v: folded it has %v px", move, a)
		r.d.fold(p)
		r.tick()
		a, _ = after(60)
		testkit.That(t, move == (a > 28 && a < full), "animated %v: unfolding it has %v of %v px", move, a, full)
		if a, b := after(60); a != full || b != high {
			t.Errorf("animated %v: unfolded it has %v px, the timeline %v, want %v and %v", move, a, b, full, high)
		}
	}
}

// A section folds and unfolds in 120 ms where things move, also when it is pressed again on its way,
// and at once where nothing does.
func TestSectionsFoldInMotion(t *testing.T) {
	r := newRig(t)
	s := &r.d.pane(layout.PaneRail).stack
	height := func() float32 { return s.places[1].body.H() }
	press := func() {
		x, y := middleOf(s.places[1].head)
		r.click(x, y)
	}
	after := func(ms int64) float32 {
		r.env.NowNs += ms * 1_000_000
		r.tick()
		return height()
	}
	full := height()
	for _, move := range []bool{true, false} {
		r.env.Animate = move
		press()
		testkit.That(t, move == (height() == full), "animated %v: pressed, it has %v of %v px", move, height(), full)
		a, b := after(40), after(40)
		testkit.Equal(t, move, a < full && b < a && b > 0, "animated: folding it has %v, then %v of %v px", a, b, full)
		if next := s.places[2].head.Y0; move && next <= s.places[1].head.Y1 {
			t.Errorf("folding, its head ends at %v, the next begins at %v", s.places[1].head.Y1, next)
		}
		end := after(41)
		testkit.That(t, end == 0 && s.move.section == 0, "animated %v: folded it has %v px", move, end)
		press()
		if a, end := after(60), after(61); move != (a > 0 && a < full) || end != full {
			t.Errorf("animated %v: unfolding it has %v, then %v of %v px", move, a, end, full)
		}
	}
	r.env.Animate = true
	press()
	a := after(20)
	press()
	testkit.That(t, height() == a, "pressed again it goes on at %v px, not at %v", height(), a)
	b, end := after(30), after(91)
	testkit.That(t, b > a && end == full, "pressed again it has %v, then %v, then %v of %v px", a, b, end, full)
}
