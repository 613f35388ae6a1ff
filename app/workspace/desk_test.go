package workspace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/model/store"
)

// blank is a panel that notes what it is given.
type blank struct {
	title, mode string
	list        *draw.List
	rect        draw.Rect
	in          panel.Input
	updates     int
}

func (b *blank) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	if b.list == nil {
		b.list = draw.NewList(env.Atlas)
	}
	b.rect, b.in = rect, *in
	b.updates++
	return panel.Action{}
}
func (b *blank) List() *draw.List                               { return b.list }
func (b *blank) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }
func (b *blank) Title(*panel.Env) string                        { return b.title }
func (b *blank) Mode(*panel.Env) string                         { return b.mode }

// rig is a desk with a mouse.
type rig struct {
	t    *testing.T
	d    *Desk
	env  *panel.Env
	m    input.Mouse
	k    input.Keyboard
	tabs map[string]*blank
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, env: chartstest.NewEnv(nil, 1), tabs: map[string]*blank{}}
	tab := func(id, name string) *Tab {
		r.tabs[id] = &blank{title: name}
		return &Tab{ID: id, Name: name, Panel: r.tabs[id]}
	}
	r.d = New(tab("frames", "Frames"))
	for _, id := range defaultLayout().panes(nil) {
		r.d.Add(id, tab(id, id))
	}
	r.d.Add(registry.PaneStrip, tab("statistics", "Statistics"))
	r.d.Add(registry.PaneStrip, tab("calls", "Calls"))
	r.d.Arrange(DefaultArrangement())
	r.m.Inside = true
	r.tick()
	return r
}

func (r *rig) tick() {
	bar, area := draw.Rect{Y0: 40, X1: 1280, Y1: 100}, draw.Rect{Y0: 102, X1: 1280, Y1: 700}
	r.d.Settle("", store.Contents{Frames: true})
	r.d.Place(r.env, bar, area)
	r.d.Route(r.env, &r.m)
	r.d.Update(r.env, &r.m, &r.k, 1, false, func(panel.Action) {})
	for i := range r.m.Buttons {
		r.m.Buttons[i].Pressed, r.m.Buttons[i].Released = false, false
	}
	r.m.DoubleClick = false
}

func (r *rig) move(x, y float32) {
	r.m.X, r.m.Y = x, y
	r.tick()
}

func (r *rig) press(x, y float32) {
	r.move(x, y)
	r.m.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	r.tick()
}

func (r *rig) release() {
	b := &r.m.Buttons[0]
	b.Down, b.Released = false, true
	r.tick()
	r.tick()
}

func (r *rig) click(x, y float32) {
	r.press(x, y)
	r.release()
}

func (r *rig) doubleClick(x, y float32) {
	r.click(x, y)
	r.move(x, y)
	r.m.DoubleClick = true
	r.m.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: x, DownY: y}
	r.tick()
	r.release()
}

func (r *rig) drag(x0, y0, x1, y1 float32) {
	r.press(x0, y0)
	r.move((x0+x1)/2, (y0+y1)/2)
	r.move(x1, y1)
	r.release()
}

func (r *rig) rect(id string) draw.Rect { return r.d.pane(id).rect }

// order returns the panes from the bottom up, as they are painted.
func (r *rig) order() (ids []string) {
	lists := map[*draw.List]string{}
	for _, p := range r.d.panes {
		lists[p.chrome] = p.id
	}
	r.d.Paint(func(l *draw.List) {
		if id, ok := lists[l]; ok && l != nil {
			ids = append(ids, id)
		}
	})
	return ids
}

// What floats stays above what is docked, whatever is pressed; menus stay above both.
func TestFloatsStayOnTop(t *testing.T) {
	r := newRig(t)
	at := r.rect(registry.PaneFlame)
	r.drag(at.X0+200, at.Y0+10, at.X0+200, at.Y0-150)
	floated := r.rect(registry.PaneFlame)
	if floated.Y0 != at.Y0-160 || floated.W() != at.W() {
		t.Fatalf("the flame graph was moved from %v to %v", at, floated)
	}
	extra := draw.Rect{X0: 300, Y0: 200, X1: 700, Y1: 500}
	r.d.Open(r.env, &Tab{ID: "extra", Panel: &blank{}}, extra)
	r.tick()
	for i := range 40 {
		x, y := float32(20+i*31%1240), float32(110+i*97%580)
		r.click(x, y)
		ids := r.order()
		if last := ids[len(ids)-2:]; !strings.Contains(fmt.Sprint(last), registry.PaneFlame) || !strings.Contains(fmt.Sprint(last), "extra") {
			t.Fatalf("after a click at %v, %v the order is %v", x, y, ids)
		}
	}
	r.click(floated.X0+5, floated.Y1-30)
	if ids := r.order(); ids[len(ids)-1] != registry.PaneFlame {
		t.Errorf("the floating pane that was pressed in is not on top: %v", ids)
	}
	// Over a docked pane that lies below, it is the floating one that has the mouse.
	r.move(600, 420)
	over := 0
	for _, b := range r.tabs {
		if b.in.Over {
			over++
		}
	}
	if over > 1 {
		t.Errorf("%d panels have the mouse", over)
	}
	gone := 0
	r.d.OpenOver(&Tab{ID: "menu", Panel: &blank{}}, extra, false, func() { gone++ })
	r.tick()
	if ids := r.order(); ids[len(ids)-1] != "menu" {
		t.Errorf("the menu is not on top: %v", ids)
	}
	if r.click(310, 300); gone != 0 || r.d.Find("menu") == nil {
		t.Error("a press in the menu closes it")
	}
	if r.click(1200, 680); gone != 1 || r.d.Find("menu") != nil {
		t.Errorf("a press elsewhere leaves the menu; closed %d times", gone)
	}
}

// A pane folds to its title row by a double click, its neighbours get its room, and unfolding, by the
// same or by a tab, brings everything back.
func TestFolding(t *testing.T) {
	for _, id := range []string{registry.PaneThreads, registry.PaneFlame, registry.PaneStrip} {
		r := newRig(t)
		before := map[string]draw.Rect{}
		var sum float32
		area := func() (a float32) {
			for _, p := range r.d.panes {
				a += p.rect.W() * p.rect.H()
			}
			return a
		}
		for _, p := range r.d.panes {
			before[p.id] = p.rect
		}
		sum = area()
		fold := func() {
			at := r.rect(id)
			r.doubleClick(at.X0+150, at.Y0+12)
		}
		fold()
		if h := r.rect(id).H(); h != 28 {
			t.Fatalf("%s is folded to %v px", id, h)
		}
		if got := area(); got < sum*0.99 {
			t.Errorf("with %s folded panes cover %v of %v square pixels", id, got, sum)
		}
		if n := r.tabs[id].updates; n == 0 {
			t.Fatal("nothing was shown before")
		} else if r.tick(); r.tabs[id].updates != n {
			t.Errorf("%s is prepared while it is folded", id)
		}
		if at := r.rect(id); at.H() == 28 {
			r.click(at.X1-60, at.Y0+12)
		}
		if r.rect(id) != before[id] {
			t.Errorf("unfolded, %s lies at %v, before at %v", id, r.rect(id), before[id])
		}
		fold()
		at := r.rect(id)
		r.click(at.X0+30, at.Y0+12) // on its first tab
		for _, p := range r.d.panes {
			if p.rect != before[p.id] {
				t.Errorf("%s unfolded by its tab: %s lies at %v, before at %v", id, p.id, p.rect, before[p.id])
			}
		}
	}
}

// Tabs keep their names and places whichever is in front, and whatever its title says.
func TestTabsKeepTheirPlaces(t *testing.T) {
	r := newRig(t)
	r.tabs[registry.PaneStrip].title = "strip: Frame"
	r.tabs["calls"].title = "Slowest calls"
	r.tick()
	places := func() string { return fmt.Sprint(r.d.pane(registry.PaneStrip).row.names) }
	before := places()
	for i, id := range []string{"calls", "statistics", registry.PaneStrip} {
		n := r.d.pane(registry.PaneStrip).row.names[2-i]
		r.click(n.rect.X0+12, n.rect.Y0+8)
		if front := r.d.pane(registry.PaneStrip).front().ID; front != id {
			t.Errorf("in front is %s, want %s", front, id)
		}
		if got := places(); got != before {
			t.Errorf("with %s in front the tabs lie at %s, before at %s", id, got, before)
		}
	}
	for title, want := range map[string]string{"strip: Frame": "Frame", "Slowest calls": "", "strip": "", "strip · Main": "Main"} {
		if got := subject("strip", title); got != want {
			t.Errorf("%q is about %q, want %q", title, got, want)
		}
	}
}

// A floating pane is resized by its corner, docked by its box, by a double click and by being
// dropped on its own place, and comes loose only when it is really pulled.
func TestFloating(t *testing.T) {
	r := newRig(t)
	home := r.rect(registry.PaneFlame)
	r.drag(home.X0+150, home.Y0+10, home.X0+154, home.Y0+12)
	if got := r.rect(registry.PaneFlame); got != home {
		t.Fatalf("pulled a little it went to %v", got)
	}
	loose := func() {
		r.drag(home.X0+150, home.Y0+10, home.X0+150, home.Y0-190)
		if !r.d.pane(registry.PaneFlame).float {
			t.Fatal("it does not come loose")
		}
	}
	loose()
	if strip := r.rect(registry.PaneStrip); strip.X0 != home.X0 {
		t.Errorf("the neighbour does not get its room: %v", strip)
	}
	at := r.rect(registry.PaneFlame)
	r.drag(at.X1-4, at.Y1-4, at.X1+46, at.Y1+26)
	if got := r.rect(registry.PaneFlame); got.W() != at.W()+50 || got.H() != at.H()+30 {
		t.Errorf("resized from %v to %v", at, got)
	}
	box := r.d.pane(registry.PaneFlame).closeBox(r.env)
	r.click(box.X0+5, box.Y0+5)
	if got := r.rect(registry.PaneFlame); got != home {
		t.Errorf("docked by its box it lies at %v", got)
	}
	loose()
	at = r.rect(registry.PaneFlame)
	r.drag(at.X0+150, at.Y0+10, home.X0+150, home.Y0+10)
	if got := r.rect(registry.PaneFlame); got != home {
		t.Errorf("dropped on its place it lies at %v", got)
	}
	loose()
	at = r.rect(registry.PaneFlame)
	r.doubleClick(at.X0+150, at.Y0+10)
	if got := r.rect(registry.PaneFlame); got != home {
		t.Errorf("docked by a double click it lies at %v", got)
	}
}

// What an arrangement keeps comes back.
func TestArrangementComesBack(t *testing.T) {
	r := newRig(t)
	home := r.rect(registry.PaneFlame)
	r.drag(home.X0+150, home.Y0+10, home.X0+200, home.Y0-190)
	r.doubleClick(150, r.rect(registry.PaneThreads).Y0+12)
	r.d.Show("calls")
	r.tick()
	kept := r.d.Arrangement()
	floated := r.rect(registry.PaneFlame)
	r.d.Arrange(DefaultArrangement())
	if r.tick(); r.rect(registry.PaneFlame) != home {
		t.Fatalf("the default has it at %v", r.rect(registry.PaneFlame))
	}
	r.d.Arrange(kept)
	r.tick()
	got := r.rect(registry.PaneFlame)
	if d := got.X0 - floated.X0; d > 1 || d < -1 || got.Y0 > floated.Y0+1 || got.W() < floated.W()-1 {
		t.Errorf("it floated at %v, now at %v", floated, got)
	}
	if p := r.d.pane(registry.PaneThreads); !p.folded {
		t.Error("a folded pane is open")
	}
	if p := r.d.pane(registry.PaneStrip); p.front().ID != "calls" {
		t.Errorf("in front is %s", p.front().ID)
	}
}

// A tick in which nothing happens allocates nothing.
func TestIdleTickAllocatesNothing(t *testing.T) {
	r := newRig(t)
	r.move(400, 300)
	act := func(panel.Action) {}
	bar, area := draw.Rect{Y0: 40, X1: 1280, Y1: 100}, draw.Rect{Y0: 102, X1: 1280, Y1: 700}
	n := testing.AllocsPerRun(100, func() {
		r.d.Place(r.env, bar, area)
		r.d.Route(r.env, &r.m)
		r.d.Update(r.env, &r.m, &r.k, 1, false, act)
	})
	if n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// A tab may be called otherwise where stacks are sampled: runs are no calls.
func TestTabsOfSampledSessions(t *testing.T) {
	r := newRig(t)
	p := r.d.pane(registry.PaneStrip)
	calls := p.tabs[p.find("calls")]
	calls.Sampled = "Runs"
	for sampled, want := range map[bool]string{false: "Calls", true: "Runs"} {
		p.settle("kind", store.Contents{Spans: true, Sampled: sampled})
		if got := p.name(calls); got != want {
			t.Errorf("sampled %v: the tab says %q, want %q", sampled, got, want)
		}
	}
}
