package widgets

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// helpPanel is the overlay as a panel, over two others; typed is what is searched for.
type helpPanel struct {
	Help
	typed string
	list  *draw.List
}

func (p *helpPanel) Title(*panel.Env) string { return "" }
func (p *helpPanel) Mode(*panel.Env) string  { return "" }
func (p *helpPanel) List() *draw.List        { return p.list }
func (p *helpPanel) Update(env *panel.Env, rect draw.Rect, _ *panel.Input) panel.Action {
	p.Groups = nil
	for range 5 {
		p.Groups = append(p.Groups, KeyGroup{Title: "In every chart", Rows: []KeyRow{
			{Key: "Wheel", Does: "zooms in and out at the mouse", Panel: "upper"},
			{Key: "Shift + drag", Does: "selects a range of time, and of frames where there are some", Panel: "lower"},
			{Key: "Ctrl+Shift+P", Does: "commands"},
		}})
	}
	bar, area := rect, rect
	bar.Y1 = bar.Y0 + env.Px(36)
	area.Y0 = bar.Y1
	upper, lower := area, area
	upper.Y1 = area.Y0 + float32(int(area.H()*0.7))
	lower.Y0 = upper.Y1
	p.Field.SetText(p.typed)
	p.list = p.Picture(env, rect, bar, area, []KeyHelp{
		{ID: "upper", Title: "Upper", Does: "What each thread did when.", Rect: upper},
		{ID: "lower", Title: "Lower", Does: "Who ran inside whom, summed over the range.", Rect: lower},
	})
	return panel.Action{}
}
func (p *helpPanel) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// The overlay is legible in every state and theme, at six sizes and three scales.
func TestHelpIsLegible(t *testing.T) {
	var g chartstest.Legibility
	g.Everywhere(store.NewSession(), map[string]func() panel.Panel{
		"help":             func() panel.Panel { return &helpPanel{} },
		"help, searched":   func() panel.Panel { return &helpPanel{typed: "range"} },
		"help, none found": func() panel.Panel { return &helpPanel{typed: "no such thing"} },
	})
	g.Report(t)
}
