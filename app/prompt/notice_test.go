package prompt

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// What is longer than the window is wide is written in lines, and nothing of it is lost before the
// last of them.
func TestNoticeInLines(t *testing.T) {
	theme := assets.Dark()
	env := &panel.Env{Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	long := "The Java VM refused to load the library (status -1): libflareagent.so was not loaded.\n" + strings.Repeat("Is it built for this machine, and may the user of the JVM read it? ", 3)
	var n Notices
	n.add("short\nbut of two lines", false)
	n.add(long, true)
	n.Update(env, draw.Rect{X1: 800, Y1: 600})
	if got := n.items[0].lines; len(got) != 1 || got[0] != "short but of two lines" {
		t.Errorf("%q", got)
	}
	got := n.items[1].lines
	if len(got) < 3 || strings.Join(got, " ") != strings.Join(strings.Fields(long), " ") {
		t.Errorf("%q", got)
	}
	for _, line := range got {
		if w := env.Atlas.Measure(draw.Regular, line); w > 732 {
			t.Errorf("%q is %v px wide", line, w)
		}
	}
	if quads := n.list.Quads(); quads < 100 {
		t.Errorf("%d quads", quads)
	}
	// In a wide window one line is enough.
	n.Update(env, draw.Rect{X1: 4000, Y1: 600})
	if len(n.items[1].lines) != 1 {
		t.Errorf("%q", n.items[1].lines)
	}
	// Far too long a text is cut.
	n.add(strings.Repeat("word ", 2000), false)
	n.Update(env, draw.Rect{X1: 800, Y1: 600})
	if got := len(n.items[2].lines); got != noticeLines {
		t.Errorf("%d lines", got)
	}
}

// What is told again is the newest, once.
func TestNoticeAgain(t *testing.T) {
	var n Notices
	for _, text := range []string{"opened a part", "opening", "opened a part"} {
		n.add(text, false)
	}
	if got := n.Shown(); len(got) != 2 || got[1].Text != "opened a part" {
		t.Errorf("%+v", got)
	}
}

// A state that is told anew takes the place of what was told of it before.
func TestTellNow(t *testing.T) {
	var p Prompt
	p.TellNow("Size ", "%d %%", 175)
	p.Tell("something else")
	p.TellNow("Size ", "%d %%", 200)
	if got := p.Notices.Shown(); len(got) != 2 || got[1].Text != "Size 200 %" {
		t.Errorf("%+v", got)
	}
}
