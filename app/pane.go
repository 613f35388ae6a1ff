package app

import (
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// page is one tab of a pane: a chart, or anything else that behaves like one.
type page struct {
	id    string // stable, for settings and commands: "timeline"
	tab   string // short name on the tab when another tab is in front
	chart panel.Panel
	// shows tells whether the tab has anything to show for a session (which may be nil); nil: always. rank says how well it fits: of the tabs of a pane the first with the
	// highest is in front until the user chooses another; nil: 0.
	shows func(*model.Session) bool
	rank  func(*model.Session) int
}

// pane is one window of the workspace: docked in a cell of the layout, or floating. It is a window of the widget library, which moves it by its title row and
// resizes it by its corner; its looks are painted over from draw lists.
type pane struct {
	id     string
	serial uint64 // no other pane has it
	panels []*page
	active int // the tab in front, see settle
	// chosen is the tab that the user chose, by kind of session
	chosen     map[string]tabName
	kind       string
	hiddenTabs []bool
	docked     bool // has a cell in the layout, where it goes back to
	float      bool
	folded     bool // shows its title row only
	extra      bool // opened by the user, or a dialog: closing it removes it
	fixed      bool // a menu or dialog: no fold button, no resizing, no memory
	hidden     bool

	rect    draw.Rect // where it is now, physical pixels of the window; title row included
	floatAt draw.Rect // where it floats

	given    image.Rectangle // bounds last given to the widget library, in its units
	reported image.Rectangle // bounds that it last told
	parity   bool            // turns over to give new bounds: a window takes them only when its id is new
	scope    [2]string       // its two ids
	called   bool            // the library ran its body in this tick, so it is not collapsed
	chrome   *draw.List
	drawKey  chromeKey
	tabs     []tabRect
	paint    func(*ebiten.Image)
}

// tabRect is where a tab of the title row can be clicked.
type tabRect struct {
	rect draw.Rect
	page int
}

// chromeKey is everything that the looks of a pane's frame depend on.
type chromeKey struct {
	rect                     draw.Rect
	title, mode              string
	active                   int
	folded, float, hot, over bool
	hotTab, tabs             int
	hidden                   uint64 // bits of the tabs that are left out
	scale                    float32
}

func newPane(id string, panels ...*page) *pane {
	return &pane{id: id, panels: panels, scope: [2]string{id + "/a", id + "/b"}}
}

// front returns the panel whose tab is in front.
func (p *pane) front() *page { return p.panels[min(p.active, len(p.panels)-1)] }

// find returns the index of the panel with that id, -1 if it is not one of the pane's.
func (p *pane) find(panelID string) int {
	for i, q := range p.panels {
		if q.id == panelID {
			return i
		}
	}
	return -1
}

// titlePx is the height of a title row. It is not smaller than the row by which the widget library moves windows.
func titlePx(env *panel.Env) float32 {
	return max(env.Px(24), float32(widgetTitle*widgetScale(env.Scale)))
}

// widgetScale is the whole number by which the widget library scales itself.
func widgetScale(scale float32) int { return max(1, int(scale)) }

// content is the part of the pane that its panel fills.
func (p *pane) content(env *panel.Env) draw.Rect {
	r := p.rect
	r.X0++
	r.X1--
	r.Y1--
	r.Y0 += titlePx(env)
	return r
}

// titleRow is the row that names the panel and moves the pane.
func (p *pane) titleRow(env *panel.Env) draw.Rect {
	r := p.rect
	r.Y1 = min(r.Y1, r.Y0+titlePx(env))
	return r
}

// closeBox is where a floating pane is closed or docked again; empty for docked ones.
func (p *pane) closeBox(env *panel.Env) draw.Rect {
	if !p.float {
		return draw.Rect{}
	}
	r := p.titleRow(env)
	r.X0 = r.X1 - env.Px(22)
	return r
}

// paintChrome fills the list of the pane's frame: ground, border, title row with tabs at the left and the mode at the right.
func (p *pane) paintChrome(env *panel.Env, hot, over bool, hotTab int) {
	front := p.front()
	key := chromeKey{rect: p.rect, title: front.chart.Title(env), mode: front.chart.Mode(env), active: p.active, folded: p.folded, float: p.float, hot: hot, over: over, hotTab: hotTab, scale: env.Scale, tabs: len(p.panels)}
	for i, h := range p.hiddenTabs {
		if h {
			key.tabs--
			key.hidden |= 1 << (i & 63)
		}
	}
	if p.chrome != nil && key == p.drawKey && p.chrome.Atlas() == env.Atlas {
		return
	}
	if p.chrome == nil || p.chrome.Atlas() != env.Atlas {
		p.chrome = draw.NewList(env.Atlas)
	}
	p.drawKey = key
	t, l := env.Theme, p.chrome
	l.Reset(p.rect)
	l.Rect(p.rect, draw.Color(t.Panel))
	row := p.titleRow(env)
	l.Rect(row, draw.Color(t.PanelTitle))
	border := draw.Color(t.Separator)
	if p.float && hot {
		border = draw.Color(t.TextDim)
	}
	l.Outline(p.rect, 1, border)

	x := row.X0 + env.Px(9)
	if !p.fixed {
		// The triangle says that the row folds; it is the library's own fold button that lies below it.
		c := draw.Color(t.TextDim)
		if hot {
			c = draw.Color(t.Text2)
		}
		mid, s := (row.Y0+row.Y1)/2, env.Px(3)
		if p.folded {
			l.Triangle(x, mid-s, x, mid+s, x+s, mid, c)
		} else {
			l.Triangle(x-s/2, mid-s/2, x+s*1.5, mid-s/2, x+s/2, mid+s/2, c)
		}
		x += env.Px(11)
	}
	right := row.X1 - env.Px(8)
	if box := p.closeBox(env); !box.Empty() {
		right = box.X0
		c := draw.Color(t.TextDim)
		if over {
			c = draw.Color(t.Text)
		}
		cx, cy, s := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2, env.Px(4)
		if p.extra {
			l.Line(cx-s, cy-s, cx+s, cy+s, env.Px(1.2), c)
			l.Line(cx-s, cy+s, cx+s, cy-s, env.Px(1.2), c)
		} else { // dock again: a bar that a square sits on
			l.Outline(draw.Rect{X0: cx - s, Y0: cy - s, X1: cx + s, Y1: cy + s}, 1, c)
			l.Rect(draw.Rect{X0: cx - s, Y0: cy + s - env.Px(2), X1: cx + s, Y1: cy + s}, c)
		}
	}

	p.tabs = p.tabs[:0]
	// The tab in front has its room, with its short name where not all fit; the others share what is left, and the longest of their names are cut.
	title, gap, most := key.title, env.Px(16), float32(math.MaxFloat32)
	left := right - x - env.Atlas.Measure(draw.Medium, title) - gap*float32(max(key.tabs-1, 0))
	if key.tabs > 1 && p.widthOfTabs(env, most) > left {
		title, gap = p.panels[p.active].tab, env.Px(12)
		left = right - x - env.Atlas.Measure(draw.Medium, title) - gap*float32(key.tabs-1)
		for most = env.Px(160); most > 0 && p.widthOfTabs(env, most) > left; {
			most -= env.Px(2)
		}
	}
	for i, q := range p.panels {
		if i < len(p.hiddenTabs) && p.hiddenTabs[i] {
			continue
		}
		name, face, c := q.tab, draw.Regular, draw.Color(t.TextDim)
		if i == hotTab {
			c = draw.Color(t.Text)
		}
		if i == p.active {
			name, face, c = title, draw.Medium, draw.Color(t.Text)
		}
		w := env.Atlas.Measure(face, name)
		if i != p.active {
			w = min(w, most)
		}
		w = min(w, max(0, right-x))
		r := draw.Rect{X0: x, Y0: row.Y0, X1: x + w, Y1: row.Y1}
		l.TextIn(face, r, draw.Left, name, c)
		if i == p.active && key.tabs > 1 {
			l.Rect(draw.Rect{X0: x, Y0: row.Y1 - env.Px(2), X1: x + w, Y1: row.Y1}, draw.Color(t.Accent))
		}
		p.tabs = append(p.tabs, tabRect{draw.Rect{X0: x - env.Px(6), Y0: row.Y0, X1: x + w + env.Px(6), Y1: row.Y1}, i})
		x += w + gap
	}
	if key.mode != "" && right-x >= env.Px(40) {
		l.TextIn(draw.Regular, draw.Rect{X0: x, Y0: row.Y0, X1: right, Y1: row.Y1}, draw.Right, key.mode, draw.Color(t.Text2))
	}
}

// widthOfTabs is what the names of the tabs that are not in front take, each at most so much.
func (p *pane) widthOfTabs(env *panel.Env, most float32) float32 {
	var sum float32
	for i, q := range p.panels {
		if i != p.active && (i >= len(p.hiddenTabs) || !p.hiddenTabs[i]) {
			sum += min(env.Atlas.Measure(draw.Regular, q.tab), most)
		}
	}
	return sum
}

// draw paints the pane.
func (p *pane) drawOn(g *Game, screen *ebiten.Image) {
	if p.chrome == nil {
		return
	}
	g.submit(screen, p.chrome)
	if !p.folded {
		g.submit(screen, p.front().chart.List())
	}
}
