package widgets

import (
	"image"
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
		{"offers_wide", 1300, 300, &program{}, true},
		{"offers_closed", 794, 258, &program{closed: Listening{Problem: "localhost:5185 is taken by game (process 12)", Remedy: "Close it, or listen elsewhere with --listen HOST:PORT."}}, false},
	} {
		env := testEnv(nil)
		if c.light {
			theme := assets.Light()
			env.Theme = &theme
		}
		opened := ""
		all := 0
		o := Offers{Rows: rows, Revision: 1, Open: func(id string) { opened = id }, All: func() { all++ }}
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
