package registry

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/series"
	"framescope/charts/subject"
	"framescope/model"
)

// A thing has one hue: the square before the name of an element, a thread or a collector has its hue
// in whatever panel that stands, also before the name of what is measured there. What has none, as
// what waits, is grey.
func TestThingsHaveOneHue(t *testing.T) {
	checked := map[string]int{} // by panel
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		rig := chartstest.NewRig(s, 1, 1100, 700)
		env := rig.Env
		of := map[string][]draw.Color{}
		for i := range s.Topology().Objects() {
			o := &s.Topology().Objects()[i]
			name, color := o.Name, subject.ElementColor(env, o.ID)
			if up, ok := s.Topology().Object(o.Parent); ok && o.Kind != model.ObjectElement {
				name, color = up.Name+"."+o.Name, subject.ElementColor(env, up.ID) // a pad has that of its element
			}
			of[name] = append(of[name], color)
		}
		for id := range model.TrackID(s.NumTracks()) {
			fill, _ := subject.ThreadColor(env, id)
			of[s.Track(id).Title()] = append(of[s.Track(id).Title()], fill)
		}
		for id := range model.CollectorID(s.Collectors().Len()) {
			for _, title := range []string{s.Collector(id).Name, s.Collector(id).FullName} {
				of[title] = append(of[title], env.Palette().Fill(id))
			}
		}
		groups := map[string]bool{}
		for id := range model.SeriesID(s.Series().Len()) {
			groups[s.Series().ByID(id).Def.Group] = true
		}
		for _, d := range All() {
			if d.Has != nil && !d.Has(s.Contents()) {
				continue
			}
			p := d.New()
			show := []string{""}
			c, charted := p.(*series.Chart)
			if charted {
				for g := range groups {
					show = append(show, g)
				}
			}
			for _, group := range show {
				if charted && group != "" {
					c.Show(group)
				}
				rig.Tick(p)
				rig.Tick(p)
				for text, fill := range chartstest.Swatches(p.List()) {
					colors, known := of[text]
					if !known || fill == draw.Color(env.Theme.Panel) {
						continue // a port has the ground of the panel
					}
					checked[d.ID]++
					if !anyHue(colors, fill) {
						t.Errorf("%s, %s %s: %q has %v, not a hue of %v", name, d.ID, group, text, fill, colors)
					}
				}
			}
		}
	}
	for _, id := range []string{"series", "elements", "threads", "collectors", "counters", "messages", "statistics", "processors"} {
		if checked[id] == 0 {
			t.Errorf("nothing was compared in %s; %v", id, checked)
		}
	}
}

// anyHue tells whether a colour has the hue of one of some, or is grey as one of them is.
func anyHue(of []draw.Color, fill draw.Color) bool {
	const grey, near = 0.02, 6 // chroma; degrees, for what rounding to 8 bits and mixing with black do
	x := assets.LChOf(assets.Color(fill))
	for _, c := range of {
		y := assets.LChOf(assets.Color(c))
		if x.C < grey && y.C < grey || x.C >= grey && y.C >= grey && assets.HueDistance(x.Hue, y.Hue) < near {
			return true
		}
	}
	return false
}
