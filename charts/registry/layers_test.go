package registry

import (
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
)

// importsOf returns what the code of a folder imports of charts, tests left out.
func importsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no code, %v", dir, err)
	}
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if of, ok := strings.CutPrefix(path, "framescope/charts/"); ok {
				found[of] = true
			}
		}
	}
	return found
}

// No panel knows another one: what they share lies below them, and what they tell each other goes
// by the view.
func TestNoPanelKnowsAnother(t *testing.T) {
	panels := importsOf(t, ".")
	for _, below := range []string{"panel", "view", "subject"} {
		delete(panels, below)
	}
	if len(panels) < 10 {
		t.Fatalf("only %d packages of panels", len(panels))
	}
	for p := range panels {
		for of := range importsOf(t, filepath.Join("..", p)) {
			if panels[of] || of == "registry" {
				t.Errorf("charts/%s imports charts/%s", p, of)
			}
		}
	}
}

// TestLeaksShowAHistory chooses the object whose references were followed most.
func TestLeaksShowAHistory(t *testing.T) {
	s := chartstest.LoadTrace(t, "leaks-refs.log")
	best := longestHistory(s)
	if n := len(s.Topology().RefEvents(best)); n != 116 || s.Topology().Resources()[best].Type != "GstIdentity" {
		t.Errorf("%s with %d steps, want the GstIdentity with 116", s.Topology().Resources()[best].Type, n)
	}
}

// A right click asks for a menu of what lies under the mouse: of the collector of a row, not of its
// thread, of the span, the element, the message that is pointed at, in every panel.
func TestRightClicksAreAboutWhatIsPointedAt(t *testing.T) {
	sessions := kinds(t)
	delete(sessions, "none")
	maps.Copy(sessions, recorded(t))
	asked := map[string]int{}
	for name, s := range sessions {
		for _, d := range having(s) {
			rig := chartstest.NewRig(s, 1, 900, 420)
			if v := rig.Env.View; d.Frames || s.HasFrames() {
				v.SelectFrames(20, 20)
			}
			p := d.New()
			rig.Ticks(p, 4)
			for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 23 {
				for x := rig.R.X0 + 11; x < rig.R.X1; x += 71 {
					rig.In.Right = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
					rig.Move(p, x, y)
					h := p.HitTest(rig.Env, x, y)
					rig.In.Right = panel.Button{Released: true, DownX: x, DownY: y}
					a := rig.Tick(p)
					rig.In.Right = panel.Button{}
					switch {
					case h.Kind == panel.HitNothing || h.Kind == panel.HitAxis && a.Kind == panel.ActionNone:
					case a.Kind != panel.ActionMenu:
						t.Errorf("%s, %s at %v, %v: no menu of %+v", name, d.ID, x, y, h)
					case a.Hit.Kind != h.Kind || a.Hit.Collector != h.Collector || a.Hit.Track != h.Track || a.Hit.Thing != h.Thing:
						t.Errorf("%s, %s at %v, %v: a menu of %+v, there is %+v", name, d.ID, x, y, a.Hit, h)
					default:
						if asked[d.ID]++; h.Collector > 0 {
							asked[d.ID+" collector"]++
						}
					}
				}
			}
		}
	}
	for _, id := range []string{"collectors", "statistics", "calltree", "contention", "flame", "piano", "strip", "timeline"} {
		atLeast(t, 1, asked, id+" collector")
	}
	atLeast(t, 1, asked, "messages", "topology", "elements", "threads", "spikes", "series", "counters", "packages")
}
