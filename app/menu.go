package app

import (
	"fmt"
	"slices"

	"framescope/assets"
	"framescope/charts"
	"framescope/charts/draw"
	"framescope/model"
	"framescope/widgets"
)

// openMenu shows what can be done with a thing in a chart.
func (o *overlays) openMenu(g *Game, a charts.Action) {
	v := g.View()
	if v.Session() == nil {
		return
	}
	m := &widgets.Menu{Name: "View"}
	add := func(it widgets.MenuItem) { m.Items = append(m.Items, it) }
	hit := a.Hit
	c := hit.Collector
	if a.Collector != model.NoCollector && c == model.NoCollector {
		c = a.Collector
	}
	var k *model.Collector
	if c != model.NoCollector && hit.Kind != charts.HitLabel && hit.Kind != charts.HitFrame && hit.Kind != charts.HitGap && hit.Kind != charts.HitNothing {
		k = v.Session().Collector(c)
	}
	if k != nil {
		name := k.FullName
		if name == "" {
			name = k.Name
		}
		m.Name = name
		if hit.Kind == charts.HitSpan {
			bar := hit.Bar
			add(widgets.MenuItem{Label: "Zoom to it", Run: func() { v.ZoomTo(bar.Begin, bar.End) }})
		}
		if k.HasTime || c == 0 {
			add(widgets.MenuItem{Label: "Open strip chart", Run: func() { g.act(action(charts.ActionOpenStrip, v.Track(), c)) }})
			add(widgets.MenuItem{Label: "Open flame graph", Run: func() { g.act(action(charts.ActionOpenFlame, v.Track(), c)) }})
		}
		if k.HasLevel {
			add(widgets.MenuItem{Label: "Open level chart", Run: func() { g.act(action(charts.ActionOpenLevels, v.Track(), c)) }})
		}
		add(widgets.MenuItem{Label: "Next occurrence", Key: ".", Run: func() { v.SelectCollector(c); g.occurrence(1) }})
		hide := "Hide"
		if v.Hidden(c) {
			hide = "Show"
		}
		add(widgets.MenuItem{Label: hide, Line: true, Run: func() { v.SetHidden(c, !v.Hidden(c)) }})
		add(widgets.MenuItem{Label: "Copy the name", Run: func() { g.copyText(name) }})
		add(widgets.MenuItem{Line: true, Colors: g.swatches(), Pick: func(col draw.Color) { g.setColor(k.FullName, col) }})
		if v.HasColor(k.FullName) {
			add(widgets.MenuItem{Label: "Its own colour again", Run: func() { g.resetColor(k.FullName) }})
		}
	}
	switch {
	case hit.Kind == charts.HitFrame && hit.Frame >= 0:
		m.Name = "Frame"
		if t := v.Session().Track(v.Track()); t != nil && hit.Frame < t.NumFrames() {
			f := t.Frame(hit.Frame)
			m.Name = "Frame " + string(charts.AppendCount(nil, f.Number))
			add(widgets.MenuItem{Label: "Zoom to it", Run: func() { v.SelectFrames(hit.Frame, hit.Frame); v.ZoomTo(f.Begin, f.End) }})
		}
	case hit.Kind == charts.HitLabel && hit.Track != model.NoTrack && v.Session().Track(hit.Track) != nil:
		t := v.Session().Track(hit.Track)
		m.Name = t.Title()
		add(widgets.MenuItem{Label: "Its frames in all panels", On: v.Track() == hit.Track, Run: func() { v.SetTrack(hit.Track) }})
		fold := "Fold"
		if v.TrackFolded(hit.Track) {
			fold = "Unfold"
		}
		add(widgets.MenuItem{Label: fold, Run: func() { v.SetTrackFolded(hit.Track, !v.TrackFolded(hit.Track)) }})
		hide := "Hide"
		if v.TrackHidden(hit.Track) {
			hide = "Show"
		}
		add(widgets.MenuItem{Label: hide, Run: func() { v.SetTrackHidden(hit.Track, !v.TrackHidden(hit.Track)) }})
		add(widgets.MenuItem{Label: "Open piano roll", Run: func() { v.SetTrack(hit.Track); g.act(action(charts.ActionOpenPiano, hit.Track, model.NoCollector)) }})
		add(widgets.MenuItem{Label: "Copy the name", Run: func() { g.copyText(t.Title()) }})
	}
	if len(m.Items) > 0 {
		add(widgets.MenuItem{Line: true, Label: "Fit the selection", Key: "F", Run: func() { v.FitSelection() }})
	} else {
		add(widgets.MenuItem{Label: "Fit the selection", Key: "F", Run: func() { v.FitSelection() }})
	}
	add(widgets.MenuItem{Label: "Fit everything", Key: "0", Run: func() { v.FitAll() }})
	if v.RangeB() > v.RangeA() {
		add(widgets.MenuItem{Label: "Zoom to the selected range", Key: "Z", Run: g.zoomToRange})
	}
	if v.HidesTracks() || v.HidesCollectors() {
		add(widgets.MenuItem{Label: "Show everything hidden", Run: v.ShowAll})
	}
	if g.env.Kept && leftMemory(v.Session()) {
		add(widgets.MenuItem{Label: "Open all of it from disk", Line: true, Run: g.openAll})
	}
	o.showMenu(g, m, a.X, a.Y)
}

// swatches are the colours that a collector can be given: one lightness, so that none shouts.
func (g *Game) swatches() []draw.Color {
	var out []draw.Color
	seen := map[draw.Color]bool{}
	for i := 0; len(out) < 12 && i < 400; i++ {
		c := draw.RGB(assets.NameColor(fmt.Sprint("swatch", i)))
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b draw.Color) int { return int(hueOrder(a)) - int(hueOrder(b)) })
	return out
}

// hueOrder sorts colours around the wheel.
func hueOrder(c draw.Color) int {
	r, g, b := int(c.R), int(c.G), int(c.B)
	most, least := max(r, g, b), min(r, g, b)
	d := max(1, most-least)
	switch most {
	case r:
		return ((g-b)*60/d + 360) % 360
	case g:
		return (b-r)*60/d + 120
	}
	return (r-g)*60/d + 240
}

func (g *Game) setColor(fullName string, c draw.Color) {
	g.View().SetColor(fullName, assets.RGB(c.R, c.G, c.B))
	if g.settings.Colors == nil {
		g.settings.Colors = map[string]rgb{}
	}
	g.settings.Colors[fullName] = rgb{c.R, c.G, c.B}
	g.settingsChanged = true
}

func (g *Game) resetColor(fullName string) {
	g.View().ResetColor(fullName)
	delete(g.settings.Colors, fullName)
	g.settingsChanged = true
}
