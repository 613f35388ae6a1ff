package widgets

import (
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

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
