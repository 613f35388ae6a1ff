package app

import (
	"testing"

	"framescope/app/input"
)

// Every key does one thing, every command has a name of its own, and the tool bar names only commands that exist.
func TestCommandTable(t *testing.T) {
	g := newTestGame(t, Options{})
	names := map[string]bool{}
	keys := map[input.Chord]string{}
	for _, c := range g.commands {
		if names[c.name] {
			t.Errorf("two commands are called %q", c.name)
		}
		names[c.name] = true
		if c.run == nil || c.group == "" {
			t.Errorf("%q does nothing, or belongs nowhere", c.name)
		}
		for _, k := range c.keys {
			if other, taken := keys[input.ParseChord(k)]; taken {
				t.Errorf("%s is the key of %q and of %q", k, c.name, other)
			}
			keys[input.ParseChord(k)] = c.name
		}
	}
	g.prepareEnv(0)
	g.env.View = g.View()
	g.width, g.height = 1280, 720
	top, _, _ := g.regions(window(g))
	g.top.refresh(g, top)
	for _, it := range g.top.items {
		if it.command != "" && !names[it.command] {
			t.Errorf("the tool bar's %q runs %q, which does not exist", it.label, it.command)
		}
	}
}

func TestTimesAndFrameNumbers(t *testing.T) {
	for text, want := range map[string]float64{"3.5s": 3.5, "250ms": 0.25, "1:02.5": 62.5, "1:00:01": 3601, "7.25": 7.25} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("%s is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "-1s", "1:x", "1e30", "NaN", "Inf"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%q was taken for the time %v", text, got)
		}
	}
}

// The tool bar's things never overlap, and what can be clicked stays in the window, at every width down to the least that a window can have.
func TestToolBarFits(t *testing.T) {
	g := newTestGame(t, Options{})
	g.env.View = g.View()
	for _, scale := range []float64{0.8, 1, 1.5, 2, 2.5} {
		g.settings.Scale = scale
		g.prepareEnv(0)
		for w := 640; w <= 2600; w += 70 {
			g.width, g.height = int(float64(w)*max(1, scale)), 900
			top, _, _ := g.regions(window(g))
			g.top.refresh(g, top)
			end := top.X0
			for _, it := range sortedByX(g.top.items) {
				if it.rect.X0 < end {
					t.Fatalf("scale %v, width %d: %q begins at %v, before its neighbour ends at %v", scale, g.width, it.label, it.rect.X0, end)
				}
				end = it.rect.X1
			}
			if end > top.X1 {
				t.Errorf("scale %v, width %d: the tool bar ends at %v", scale, g.width, end)
			}
		}
	}
}
