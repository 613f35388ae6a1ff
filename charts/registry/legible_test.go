package registry

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/panel"
)

// Every panel is legible with every session, at six sizes and three scales.
func TestPanelsAreLegible(t *testing.T) {
	light := assets.Light()
	var g chartstest.Legibility
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		for _, d := range All() {
			if d.Has != nil && !d.Has(s.Contents()) {
				continue
			}
			look := func(p panel.Panel, scale, w, h float32, what string) {
				rig := g.Rig(s, scale, w, h)
				rig.Tick(p)
				rig.Tick(p)
				g.Look(rig, p.List(), d.ID, name+what)
			}
			for _, scale := range chartstest.LegibleScales {
				p := d.New()
				for _, size := range chartstest.LegibleSizes {
					look(p, scale, size[0], size[1], "")
				}
			}
			g.Theme = &light
			p := d.New()
			for _, size := range chartstest.LegibleSizes {
				look(p, 1, size[0], size[1], " in light")
			}
			g.Theme = nil
		}
	}
	g.Report(t)
}
