package widgets

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// What is typed goes to the cursor, or in the place of what is selected, and stays one line.
func TestTextFieldTakesText(t *testing.T) {
	var f TextField
	f.SetText("localhost:3333")
	f.insert("0")
	if f.Text() != "localhost:33330" {
		t.Errorf("at the end: %q", f.Text())
	}
	f.Focus(true) // selects everything
	f.insert("b")
	f.insert("ö\n\x7f\tx")
	if f.Text() != "böx" || f.anchor != len("böx") || f.anchor != f.cursor {
		t.Errorf("%q, cursor at %d, %d", f.Text(), f.anchor, f.cursor)
	}
	f.set(f.Text(), len("bö"))
	f.insert("--")
	f.insert("\n")
	if f.Text() != "bö--x" || f.cursor != len("bö--") {
		t.Errorf("%q, cursor at %d", f.Text(), f.cursor)
	}
	f.anchor, f.cursor = 0, len("bö")
	f.preedit = "ろ"
	f.Focus(false)
	if f.preedit != "" || f.Text() != "bö--x" || f.Focused() {
		t.Errorf("%q while %q is composed", f.Text(), f.preedit)
	}
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
	for _, c := range []struct{ from, keys, to string }{
		{"ab|c", "left", "a|bc"}, {"aö|c", "left", "a|öc"}, {"ab|c", "right", "abc|"}, {"ab|c", "home", "|abc"}, {"a|bc", "end", "abc|"},
		{"a[b]c", "left", "a|bc"}, {"a{b}c", "right", "ab|c"}, {"|abc", "left", "|abc"}, {"abc|", "right", "abc|"},
		{"one two|", "Ctrl+left", "one |two"}, {"one two|", "Ctrl+left Ctrl+left", "|one two"}, {"|one two", "Ctrl+right", "one| two"},
		{"one, |two", "Ctrl+left", "|one, two"}, {"one|, two", "Ctrl+right", "one, two|"}, {"one two|", "Alt+left", "one |two"},
		{"abc|", "Shift+left", "ab{c}"}, {"abc|", "Shift+left Shift+left", "a{bc}"}, {"|abc", "Shift+right", "[a]bc"},
		{"a{bc}", "Shift+right", "ab{c}"}, {"ab|c", "Shift+home", "{ab}c"}, {"a|bc", "Shift+end", "a[bc]"},
		{"one two|", "Ctrl+Shift+left", "one {two}"}, {"|one two", "Ctrl+Shift+right", "[one] two"},
		{"ab|c", "backspace", "a|c"}, {"a|bc", "delete", "a|c"}, {"a[b]c", "backspace", "a|c"}, {"a{b}c", "delete", "a|c"},
		{"one two|", "Ctrl+backspace", "one |"}, {"|one two", "Ctrl+delete", "| two"}, {"|", "backspace delete left right", "|"},
		{"a|bc", "Ctrl+a", "[abc]"}, {"a|bc", "Ctrl+a backspace", "|"}, {"a|bc", "Ctrl+Alt+a", "a|bc"},
		{"a[b]c", "Ctrl+c end Ctrl+v", "abcb|"}, {"a[b]c", "Ctrl+x home Ctrl+v", "b|ac"}, {"a[b]c", "Ctrl+c Ctrl+a Ctrl+v", "b|"},
		{"x[yz]", "Ctrl+c left Ctrl+c Ctrl+v", "xyz|yz"}, {"a|bc", "a v tab", "a|bc"},
	} {
		set(c.from)
		for _, k := range strings.Fields(c.keys) {
			f.strike(strokeOf(k), board)
		}
		if got := state(); got != c.to {
			t.Errorf("%s, %s: %s, want %s", c.from, c.keys, got, c.to)
		}
	}
	board.text = "two\nlines"
	set("|")
	if f.strike(strokeOf("Ctrl+v"), board); f.Text() != "twolines" {
		t.Errorf("pasted %q", f.Text())
	}
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
	if !do(panel.Input{X: x("Rend"), Left: down}) || f.cursor != 4 || f.Selected() != "" {
		t.Errorf("pressed, the cursor is at %d, selected is %q", f.cursor, f.Selected())
	}
	do(panel.Input{X: x("Render sc"), Left: panel.Button{Down: true, Dragging: true}})
	if f.Selected() != "er sc" {
		t.Errorf("dragged, selected is %q", f.Selected())
	}
	do(panel.Input{X: x("Render sc"), Left: panel.Button{Released: true}})
	do(panel.Input{X: x("Re"), Shift: true, Left: down})
	if f.Selected() != "nd" {
		t.Errorf("pressed with Shift, selected is %q", f.Selected())
	}
	do(panel.Input{X: x("Render sce"), DoubleClick: true, Left: down})
	if f.Selected() != "scene_pass" {
		t.Errorf("a double click selects %q", f.Selected())
	}
	if f.Point(&panel.Input{X: 100, Y: 60, Left: down}) || f.Selected() != "scene_pass" {
		t.Error("a press elsewhere is one in the field")
	}
	do(panel.Input{X: 319, Left: down})
	if f.cursor != len(f.Text()) {
		t.Errorf("pressed behind the text the cursor is at %d", f.cursor)
	}
}

// What is offered is selected, so that typing takes its place.
func TestOfferedTextIsReplaced(t *testing.T) {
	f := &TextField{}
	f.Offer("3.961 ms")
	if f.Selected() != "3.961 ms" {
		t.Errorf("%q is selected", f.Selected())
	}
	if f.insert("4 ms"); f.Text() != "4 ms" {
		t.Errorf("%q", f.Text())
	}
}
