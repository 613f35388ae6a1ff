package widgets

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
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

// jvmList is the dialog that lists Java VMs; run gets the name of the one that was chosen.
func jvmList(run func(name string)) *Palette {
	p := &Palette{Name: "Attach to a JVM", Close: func() {}}
	p.Field.Hint = "type a part of a name, or a process number"
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
		{"jvm_none", 440, 150, &Palette{Empty: []string{"No JVM of yours is running on this machine", "Those of other users can be seen only by them."}}, func(*Palette) {}},
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

// What matches by name or number is chosen by Enter, by the arrows or by a click.
func TestJVMListChooses(t *testing.T) {
	env := testEnv(nil)
	rect := draw.Rect{X1: 480, Y1: 190}
	chosen := ""
	choose := func(do func(p *Palette)) string {
		chosen = ""
		p := jvmList(func(name string) { chosen = name })
		p.Update(env, rect, &panel.Input{})
		do(p)
		return chosen
	}
	enter := func(text string, moves int) string {
		return choose(func(p *Palette) {
			p.Field.SetText(text)
			p.Update(env, rect, &panel.Input{})
			p.Move(moves)
			p.Enter()
		})
	}
	for _, c := range []struct {
		text  string
		moves int
		want  string
	}{{"", 0, "com.acme.shop.Checkout"}, {"", 9, "library"}, {"209", 0, "server.jar"}, {"NIGHT", 0, "org.example.jobs.Nightly"}, {"20", 1, "server.jar"}, {"process", 0, ""}} {
		if got := enter(c.text, c.moves); got != c.want {
			t.Errorf("%q and %d down: %q, want %q", c.text, c.moves, got, c.want)
		}
	}
	if got := choose(func(p *Palette) { p.Update(env, rect, click(100, 40+24*2+5)) }); got != "server.jar" {
		t.Errorf("a click on the third: %q", got)
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
	if p.Enter(); closed != 0 || p.complaint != "no" {
		t.Errorf("closed %d times, complaint %q", closed, p.complaint)
	}
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
	if len(chosen) != 2 || chosen[0] != "build-box:3333" || chosen[1] != "localhost:3333" || len(typed) != 2 || closed != 3 {
		t.Errorf("closed %d times, typed %q, chosen %q", closed, typed, chosen)
	}
}
