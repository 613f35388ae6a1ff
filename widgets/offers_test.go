package widgets

import (
	"image"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

// The empty window offers the newest sessions on disk, beside how to connect a game, and a click
// opens one.
func TestOffers(t *testing.T) {
	rows := append(someOnDisk(), DiskRow{ID: "5", Name: "a name that is much too long for its place in the list", Began: someOnDisk()[0].Began})
	for _, c := range []struct {
		name  string
		w, h  float32
		p     *program
		light bool
	}{
		{"offers", 794, 258, &program{}, false},
		{"offers_wide", 1896, 800, &program{}, true},
		{"offers_closed", 794, 258, &program{closed: Listening{Problem: "localhost:5185 is taken by game (process 12)", Remedy: "Close it, or listen elsewhere with --listen HOST:PORT."}}, false},
	} {
		env := testEnv(nil)
		if c.light {
			theme := assets.Light()
			env.Theme = &theme
		}
		opened := ""
		all := 0
		o := Offers{Rows: rows, Revision: 1, Open: func(id string) { opened = id }, All: func() { all++ }, Files: []string{"/home/ada/captures/solar-0412.pstats", "/tmp/trace.log"}}
		rect := draw.Rect{X1: c.w, Y1: c.h}
		p := &Empty{}
		p.Update(env, rect, &panel.Input{X: -1, Y: -1}, c.p, EmptyState{}, o)
		img := image.NewRGBA(image.Rect(0, 0, int(c.w), int(c.h)))
		ground := draw.NewList(env.Atlas)
		ground.Reset(rect)
		ground.Rect(rect, draw.Color(env.Theme.Panel))
		draw.Render(img, ground, p.List())
		golden.Check(t, "testdata/golden/"+c.name+".png", img)
		for _, v := range p.List().Vertices {
			if v.Y >= rect.Y1 || v.X >= rect.X1 {
				t.Errorf("%s: something is cut off", c.name)
				break
			}
		}
		r := p.offers.rows[2]
		p.Update(env, rect, click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2), c.p, EmptyState{}, o)
		b := p.offers.all.rect
		p.Update(env, rect, click((b.X0+b.X1)/2, (b.Y0+b.Y1)/2), c.p, EmptyState{}, o)
		if opened != rows[2].ID || all != 1 {
			t.Errorf("%s: opened %q, %d times all", c.name, opened, all)
		}
		p.Update(env, rect, click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2), c.p, EmptyState{Session: "x"}, Offers{Rows: rows, Open: func(string) { t.Error("opened where a session is") }})
	}
}

// Each way to connect has lines that its button copies, also where only one has room; the demo
// plays.
func TestWaysAreCopied(t *testing.T) {
	for _, size := range [][2]float32{{794, 258}, {1896, 800}} {
		env, p, pane := testEnv(nil), &program{}, &Empty{}
		rect := draw.Rect{X1: size[0], Y1: size[1]}
		pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{}, Offers{})
		all := waysTo("127.0.0.1", "5185")
		if len(waysTo("127.0.0.1", "5199")[1].lines) != 6 {
			t.Error("the port is not said")
		}
		middle := func(r draw.Rect) *panel.Input { return click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2) }
		for i := range all {
			at := i
			if len(pane.ways.names) > 0 {
				pane.Update(env, rect, middle(pane.ways.names[i]), p, EmptyState{}, Offers{})
				at = 0
			}
			pane.Update(env, rect, middle(pane.ways.copies[at].rect), p, EmptyState{}, Offers{})
			for _, line := range all[i].lines {
				if wide := env.Atlas.Measure(draw.Mono, line); wide > wayWide-2*wayPad {
					t.Errorf("%q is cut: it is %v px wide", line, wide)
				}
			}
			if want := strings.Join(all[i].lines, "\n"); p.copied != want {
				t.Errorf("%v: %s copies %q, want %q", size, all[i].name, p.copied, want)
			}
		}
		if pane.Update(env, rect, middle(pane.ways.plays.rect), p, EmptyState{}, Offers{}); p.played != 1 {
			t.Errorf("%v: the demo plays %d times", size, p.played)
		}
	}
}
