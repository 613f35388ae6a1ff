package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model/store"
)

// sizes are the windows that people have, in physical pixels, and scales.
func sizes(f func(w, h, scale float32)) {
	for _, s := range [][2]float32{{1280, 720}, {1366, 768}, {1463, 823}, {1600, 900}, {1920, 1080}, {2560, 1440}, {3840, 2160}} {
		for _, scale := range []float32{1, 1.5, 2} {
			f(s[0], s[1], scale)
		}
	}
}

// at lays the desk of a rig out in a window.
func (r *rig) at(w, h, scale float32) {
	r.w, r.h, r.env.Scale = w, h, scale
	r.tick()
	r.tick()
}

// In every window and at every scale the panes of every workspace fill it without overlap and without
// a hole wider than the ground between panels.
func TestWorkspacesFillTheWindow(t *testing.T) {
	r := newRig(t)
	for _, name := range r.d.Workspaces() {
		r.d.Use(name)
		sizes(func(w, h, scale float32) {
			r.at(w, h, scale)
			_, area := r.regions()
			var covered float32
			rects := map[string]draw.Rect{}
			for _, p := range r.d.docked() {
				if p.rect.Empty() {
					continue
				}
				rects[p.id] = p.rect
				testkit.Equal(t, p.rect.Intersect(area), p.rect,
					"%s, %v×%v@%v: %s lies at %v, outside of %v", name, w, h, scale, p.id, p.rect, area)
				covered += p.rect.W() * p.rect.H()
			}
			for a, x := range rects {
				for b, y := range rects {
					testkit.That(t, a == b || x.Intersect(y).Empty(), "%s, %v×%v@%v: %s and %s overlap", name, w, h, scale, a, b)
				}
			}
			all := area.W() * area.H()
			testkit.That(t, covered >= all*0.985, "%s, %v×%v@%v: panes cover %v of %v", name, w, h, scale, covered, all)
		})
	}
}

func middleOf(r draw.Rect) (x, y float32) { return (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2 }

// Beside the charts are lists of 236 px and an inspector of 308; in narrow windows the lists are icons
// and the inspector is smaller, in still narrower ones it is icons, too. All grow with the scale.
func TestWidthsOfSides(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ w, scale, left, right float32 }{
		{1920, 1, 236, 308}, {1600, 1, 236, 248}, {1280, 1, 36, 248}, {1920, 1.5, 54, 372}, {3840, 2, 472, 616}, {1280, 2, 72, 72},
	} {
		r.at(c.w, 900*c.scale, c.scale)
		if left, right := r.rect(layout.PaneRail).W(), r.rect(layout.PaneInspector).W(); left != c.left || right != c.right {
			t.Errorf("in %v px at %v the sides are %v and %v px wide, want %v and %v", c.w, c.scale, left, right, c.left, c.right)
		}
	}
}

// Icons open the lists over the charts, which stay where they are; a press elsewhere shuts them.
func TestListsOpenOverTheCharts(t *testing.T) {
	r := newRig(t)
	r.at(1280, 720, 1)
	charts := r.rect(layout.PaneMain)
	p := r.d.pane(layout.PaneRail)
	x, y := middleOf(p.iconRect(r.env, 1))
	r.click(x, y)
	testkit.MustThat(t, r.rect(layout.PaneRail).W() == 36+236 && r.rect(layout.PaneMain) == charts,
		"the lists have %v, the timeline %v, before %v", r.rect(layout.PaneRail), r.rect(layout.PaneMain), charts)
	testkit.That(t, r.tabs["threads"].updates != 0, "the list that was asked for is not shown")
	at := r.tabs["threads"].rect
	testkit.That(t, at.X0 >= 36, "the list lies over the icons: %v", at)
	// The icons stay where they are: the next one is pressed without looking, and the same shuts the list.
	seen := r.tabs["collectors"].updates
	x2, y2 := middleOf(p.iconRect(r.env, 2))
	r.click(x2, y2)
	testkit.That(t, r.tabs["collectors"].updates != seen && r.rect(layout.PaneRail).W() == 36+236 && !p.stack.folds(1) &&
		!p.stack.folds(2), "the next icon leaves the lists at %v, folded %v", r.rect(layout.PaneRail), p.stack.folded)
	r.click(x2, y2)
	testkit.That(t, r.rect(layout.PaneRail).W() == 36, "the icon that opened the lists does not shut them")
	r.click(x, y)
	r.click(700, 300)
	testkit.Equal(t, r.rect(layout.PaneRail).W(), 36, "after a press elsewhere the lists are … px wide")
	for _, side := range []string{layout.Left, layout.Right} {
		before := fmt.Sprint(r.rect(layout.PaneRail), r.rect(layout.PaneInspector))
		r.d.ToggleSide(side)
		r.tick()
		now := fmt.Sprint(r.rect(layout.PaneRail), r.rect(layout.PaneInspector))
		testkit.That(t, now != before, "the key for the %s side changes nothing", side)
		r.d.ToggleSide(side)
		r.tick()
		testkit.Equal(t, fmt.Sprint(r.rect(layout.PaneRail), r.rect(layout.PaneInspector)), before, "twice the key for the %s side", side)
	}
}

// Sections lie below each other and scroll as one; a folded one is its head, one without data takes no
// room, and what should be seen is scrolled to.
func TestSectionsScrollAsOne(t *testing.T) {
	r := newRig(t)
	p := r.d.pane(layout.PaneRail)
	long := r.d.tab("collectors").Panel.(*part)
	long.height = 2000
	r.tick()
	h := r.tabs["collectors"].rect.H()
	testkit.That(t, h <= r.rect(layout.PaneRail).H() && h >= 200, "of a long list %v px are given", h)
	r.move(100, 400)
	r.m.WheelY = -5
	r.tick()
	r.m.WheelY = 0
	r.tick()
	testkit.MustEqual(t, p.stack.scroll, 300, "scrolled by")
	sessions, threads := &p.stack.places[0], &p.stack.places[1]
	testkit.That(t, sessions.body.H() == 0 && threads.body.Y0 == p.rect.Y0 && threads.shift != 0,
		"scrolled, the sessions have %v, the threads %v, %v px above", sessions.body, threads.body, threads.shift)
	testkit.That(t, r.tabs["threads"].rect == threads.body,
		"the threads are given %v, they lie at %v", r.tabs["threads"].rect, threads.body)
	long.reveal = [2]float32{1900, 1920}
	r.tick()
	place := &p.stack.places[2]
	if y := place.body.Y0 - long.shift + 1920; y > p.rect.Y1 || y < p.rect.Y0 {
		t.Errorf("what should be seen ends at %v of %v", y, p.rect)
	}
	p.stack.scroll = 0
	r.tick()
	x, y := middleOf(p.stack.places[1].head)
	r.click(x, y)
	if !p.stack.folds(1) || p.stack.places[1].body.H() != 0 || p.stack.places[2].head.Y0 != p.stack.places[1].head.Y1 {
		t.Errorf("folded, the threads have %v, the collectors begin at %v", p.stack.places[1].body, p.stack.places[2].head.Y0)
	}
	r.d.tab("threads").Shows = func(store.Contents) bool { return false }
	r.tick()
	r.tick()
	if p.stack.places[2].head.Y0 != p.stack.places[0].body.Y1+6 {
		t.Errorf("without threads the collectors begin at %v, the sessions end at %v", p.stack.places[2].head.Y0, p.stack.places[0].body.Y1)
	}
}

// What is selected stays above the sections about it when they are scrolled.
func TestHeadOfTheInspectorStays(t *testing.T) {
	r := newRig(t)
	p := r.d.pane(layout.PaneInspector)
	r.d.tab("why").Bare = true
	r.d.tab("spikes").Panel.(*part).height = 2000
	r.tick()
	head := p.stack.places[0].body
	testkit.MustThat(t, head.Y0 == p.rect.Y0 && head.H() == 156 && p.stack.places[1].head.Y0 == head.Y1,
		"the head has %v, what is below it begins at %v", head, p.stack.places[1].head)
	p.stack.scroll = 500
	r.tick()
	if got := p.stack.places[0].body; got != head || r.tabs["why"].rect != head || p.stack.scroll != 500 {
		t.Errorf("scrolled by %v, the head is at %v, drawn at %v", p.stack.scroll, got, r.tabs["why"].rect)
	}
	testkit.Equal(t, p.stack.places[2].body.Y0, head.Y1, "the spikes lie over the head")
	r.press(middleOf(head))
	testkit.That(t, r.tabs["why"].in.Left.Pressed, "the head is not told that it was pressed")
}

// What is under the mouse stays there when what is told above it becomes longer or shorter, up to when
// the mouse leaves or the user scrolls.
func TestNothingMovesUnderTheMouse(t *testing.T) {
	for name, foot := range map[string]float32{"a head that stays": 0, "a section": 0, "a section above the foot": 100} {
		bare := name == "a head that stays"
		r := newRig(t)
		p := r.d.pane(layout.PaneInspector)
		why := r.d.tab("why").Panel.(*part)
		r.d.tab("why").Bare = bare
		i := 2
		if r.tick(); foot > 0 { // then growth above would push it there
			i = slices.IndexFunc(p.tabs, func(t *Tab) bool { return t.ID == "spikes" })
			place := &p.stack.places[i]
			r.d.tab("against").Panel.(*part).height += p.view().Y1 - foot - 20 - place.head.Y0
			r.d.tab("spikes").Foot = foot
			r.tick()
		}
		x, y := middleOf(p.stack.places[i].body)
		was := p.stack.places[i].head
		r.move(x, y)
		for _, height := range []float32{210, 90, 150} {
			why.height = height
			r.tick()
			if got := p.stack.places[i].head; got != was || p.sectionAt(x, y) != i {
				t.Errorf("%s: %v px high it moves what is under the mouse from %v to %v", name, height, was, got)
			}
		}
		why.height = 210
		testkit.That(t, p.stack.scroll == 0, "%s: as high as before, it is scrolled by %v", name, p.stack.scroll)
		r.tick()
		r.move(300, 300)
		if most := max(0, p.stack.total-p.view().H()); p.stack.scroll > most || p.stack.scroll < 0 {
			t.Errorf("%s: the mouse gone, it is scrolled by %v of %v", name, p.stack.scroll, most)
		}
	}
}

// A pane none of whose panels has anything takes no room.
func TestPanesWithoutDataTakeNoRoom(t *testing.T) {
	r := newRig(t)
	for _, id := range []string{"strip", "statistics", "calls"} {
		r.d.tab(id).Shows = func(c store.Contents) bool { return c.Spans }
	}
	r.tick()
	r.tick()
	if right, left, main := r.rect(layout.PaneRight), r.rect(layout.PaneLeft), r.rect(layout.PaneMain); !right.Empty() || left.X1 != main.X1 {
		t.Errorf("the strip chart without data has %v, the flame graph beside it %v", right, left)
	}
	came, _ := r.d.Show("calls")
	testkit.That(t, came == ShownNot, "a panel without data was shown: %v", came)
}

// A border that is dragged stays where it was put, and neither neighbour gets too small.
func TestBordersStayWhereTheyWerePut(t *testing.T) {
	r := newRig(t)
	main, rail := r.rect(layout.PaneMain), r.rect(layout.PaneRail)
	r.drag(main.X0-1, 400, main.X0+59, 400)
	w := r.rect(layout.PaneRail).W()
	testkit.That(t, w == rail.W()+60, "dragged by 60 px the lists are %v px wide, before %v", w, rail.W())
	main = r.rect(layout.PaneMain)
	r.drag(800, main.Y1, 800, main.Y1-200)
	if h := r.rect(layout.PaneMain).H(); h < main.H()-202 || h > main.H()-198 {
		t.Errorf("dragged by 200 px the timeline is %v px high, before %v", h, main.H())
	}
	h := r.rect(layout.PaneMain).H()
	r.at(1600, 901, 1)
	if now := r.rect(layout.PaneMain).H(); now < h || now > h+2 {
		t.Errorf("in a window that is 1 px higher the timeline is %v px high, before %v", now, h)
	}
	r.drag(800, r.rect(layout.PaneMain).Y1, 800, 0)
	h = r.rect(layout.PaneMain).H()
	testkit.That(t, h >= 69, "the timeline was dragged down to %v px", h)
}

// A tab is dragged to another pane, to its own place there, and into a pane of its own beside one.
func TestTabsAreMoved(t *testing.T) {
	r := newRig(t)
	tab := func(pane, id string) (x, y float32) {
		p := r.d.pane(pane)
		for _, n := range p.row.names {
			if p.tabs[n.tab].ID == id {
				return middleOf(n.rect)
			}
		}
		t.Fatalf("%s has no tab %s", pane, id)
		return
	}
	names := func(pane string) (ids string) {
		for _, p := range r.d.pane(pane).tabs {
			ids += p.ID + " "
		}
		return strings.TrimSpace(ids)
	}
	x, y := tab(layout.PaneRight, "statistics")
	tx, ty := tab(layout.PaneLeft, "flame")
	r.drag(x, y, tx-10, ty)
	l, right := names(layout.PaneLeft), names(layout.PaneRight)
	testkit.MustThat(t, l == "statistics flame" && right == "strip calls", "the panes have %q and %q", l, right)
	testkit.Equal(t, r.d.pane(layout.PaneLeft).front().ID, "statistics", "in front")
	x, y = tab(layout.PaneRight, "calls")
	m := r.rect(layout.PaneMain)
	r.drag(x, y, m.X1-40, (m.Y0+m.Y1)/2)
	own := r.d.pane("pane 1")
	testkit.MustThat(t, own != nil && own.rect.X1 == m.X1 && own.rect.X0 > r.rect(layout.PaneMain).X1 &&
		names("pane 1") == "calls", "there is no pane of its own: %v", own)
	x, y = tab("pane 1", "calls")
	tx, ty = tab(layout.PaneLeft, "flame")
	r.drag(x, y, tx+60, ty)
	testkit.That(t, r.d.pane("pane 1") == nil && names(layout.PaneLeft) == "statistics flame calls",
		"moved back the panes have %q", names(layout.PaneLeft))
	testkit.That(t, r.rect(layout.PaneMain).X1 == m.X1, "the timeline has %v, before %v", r.rect(layout.PaneMain), m)
	r.drag(x, y, 20, 300) // what is no section does not become one
	r.d.Reset()
	r.tick()
	l, right = names(layout.PaneLeft), names(layout.PaneRight)
	testkit.That(t, l == "flame" && right == "strip statistics calls", "reset, the panes have %q and %q", l, right)
}

// Names and subject have the pixels that they need, at every scale: what is rounded is not cut.
func TestTitlesAreWholeAtEveryScale(t *testing.T) {
	for scale := float32(0.5); scale < 3; scale += 0.05 {
		env := &panel.Env{Scale: scale}
		c := &titleContent{left: env.Px(12), right: env.Px(900), subject: 101.4 * scale}
		for _, w := range []float32{37.3, 44.8, 61.1, 29.5} {
			c.tabs = append(c.tabs, w*scale)
		}
		var p titleParts
		p.lay(env, draw.Rect{X1: c.right, Y1: env.Px(28)}, c)
		drawn := func(r draw.Rect) float32 { return panel.Snap(r.X1) - panel.Snap(r.X0) }
		for i, n := range p.names {
			testkit.That(t, drawn(n.rect) >= c.tabs[i],
				"at %v: a name of %v has %v px", scale, c.tabs[i], drawn(n.rect))
		}
		testkit.That(t, drawn(p.subject) >= c.subject,
			"at %v: the subject of %v has %v px", scale, c.subject, drawn(p.subject))
	}
}

// Where a title row has no room the tools go first, the last ones before the others, then the
// subject, and never the names of the tabs. Nothing lies over anything else, at any width and scale.
func TestTitleRowsGiveWayInOrder(t *testing.T) {
	for _, scale := range []float64{1, 1.5, 2} {
		env := chartstest.NewEnv(nil, scale)
		c := &titleContent{subject: env.Px(280), left: env.Px(12)}
		for _, w := range []float32{70, 60, -1, 90} {
			c.tabs = append(c.tabs, env.Px(w))
		}
		c.tabs[2] = -1
		for _, w := range []float32{80, 60, 50} {
			c.tools = append(c.tools, env.Px(w))
		}
		tools, hadSubject := 0, false
		for w := float32(160); w <= 900; w++ {
			row := draw.Rect{X1: env.Px(w), Y1: env.Px(28)}
			c.right = row.X1 - env.Px(8)
			var p titleParts
			p.lay(env, row, c)
			testkit.MustEqual(t, len(p.names), 3, "%v px wide at %v: names", w, scale)
			x := c.left
			for _, n := range p.names {
				testkit.MustThat(t, n.rect.X0 >= x && n.rect.W() > 0 && n.rect.X1 <= c.right,
					"%v px wide at %v: a name lies at %v, %v is taken", w, scale, n.rect, x)
				x = n.rect.X1
			}
			testkit.That(t, w <= 300 || p.names[2].rect.W() >= c.tabs[3],
				"%v px wide at %v: a name is cut though there is room", w, scale)
			some := !p.subject.Empty()
			if some {
				testkit.MustThat(t, p.subject.X0 > x && p.subject.X1 <= c.right,
					"%v px wide at %v: the subject lies at %v", w, scale, p.subject)
				x = p.subject.X1
			}
			testkit.MustEqual(t, p.more.Empty(), len(p.tools) == len(c.tools), "%v px wide at %v: no menu", w, scale)
			if !p.more.Empty() {
				testkit.MustThat(t, p.more.X0 >= x, "%v px wide at %v: the menu lies at %v", w, scale, p.more)
				x = p.more.X1
			}
			from := c.right
			for i, tool := range p.tools { // from the right, each where it is whatever else has room
				from -= c.tools[i]
				testkit.MustThat(t, tool.tool == i && tool.rect.X0 == from && from > x,
					"%v px wide at %v: tool %d lies at %v", w, scale, tool.tool, tool.rect)
				from -= env.Px(4)
			}
			testkit.MustThat(t, len(p.tools) >= tools && (!hadSubject || some),
				"%v px wide at %v: less is shown than in less room", w, scale)
			testkit.MustThat(t, len(p.tools) == 0 || p.subject.W() >= c.subject,
				"%v px wide at %v: a tool stands where the subject has no room %v", w, scale, p)
			tools, hadSubject = len(p.tools), some
		}
		testkit.That(t, tools == 3 && hadSubject, "in a wide row there are %d tools, subject %v", tools, hadSubject)
	}
}

// A subject that has no room loses its last parts whole: half a number is a wrong one.
func TestSubjectsLoseWholeParts(t *testing.T) {
	env := chartstest.NewEnv(nil, 1)
	const about = "Frame · Draw · 74.7 ms · frame 5430"
	for w := env.Atlas.Measure(draw.Regular, about) + 1; w > 60; w -= 3 {
		said := wholeParts(env, draw.Regular, about, w)
		kept, cut := strings.CutSuffix(said, " …")
		testkit.MustThat(t, env.Atlas.Measure(draw.Regular, said) <= w+1 && cut == (kept != about) &&
			strings.HasPrefix(about+parted, kept+parted), "in %v px: %q", w, said)
	}
}

// A folded row is as high as the highest of its folded cells: nothing below it covers a title.
func TestFoldedRowsKeepAllTitles(t *testing.T) {
	pane := func(name string) *layout.Node { return &layout.Node{Pane: name} }
	two := &layout.Node{Column: true, Children: []*layout.Node{pane("a"), pane("b")}}
	for _, row := range [][]*layout.Node{{two, pane("c")}, {pane("c"), two}} {
		tree := &layout.Node{Column: true, Children: []*layout.Node{{Children: row}, pane("open")}}
		got := layout.Tile(tree, draw.Rect{X1: 400, Y1: 300}, 4, 20, layout.Room{
			State: func(name string) layout.State {
				if name == "open" {
					return layout.Open
				}
				return layout.Folded
			},
			Width:  func(*layout.Node) float32 { return 0 },
			Useful: func(string) float32 { return 0 },
		}).Rects
		testkit.That(t, got["a"].H() == 20 && got["b"].H() == 20 && got["b"].Y0 == 24 && got["c"].H() == 20 && got["open"].Y0 == 48,
			"%v", got)
	}
}
