package workspace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/layout"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model/store"
)

// blank is a panel that notes what it is given.
type blank struct {
	title, mode string
	list        *draw.List
	rect        draw.Rect
	in          panel.Input
	updates     int
	useful      float32
}

func (b *blank) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	if b.list == nil {
		b.list = draw.NewList(env.Atlas)
	}
	b.rect, b.in = rect, *in
	b.updates++
	return panel.Action{}
}
func (b *blank) Useful(*panel.Env) float32                      { return b.useful }
func (b *blank) List() *draw.List                               { return b.list }
func (b *blank) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }
func (b *blank) Title(*panel.Env) string                        { return b.title }
func (b *blank) Mode(*panel.Env) string                         { return b.mode }

// part is a blank panel that can be a section.
type part struct {
	*blank
	height, shift float32
	reveal        [2]float32
}

func (p *part) Extent(*panel.Env, float32) float32 { return p.height }
func (p *part) Shift(px float32)                   { p.shift = px }
func (p *part) Reveal() (y0, y1 float32, ok bool) {
	r := p.reveal
	p.reveal = [2]float32{}
	return r[0], r[1], r != [2]float32{}
}

// rig is a desk with a mouse.
type rig struct {
	w, h float32 // of the window
	t    *testing.T
	d    *Desk
	env  *panel.Env
	m    input.Mouse
	k    input.Keyboard
	tabs map[string]*blank
}

func newRig(t *testing.T) *rig {
	r := &rig{w: 1600, h: 900, t: t, env: chartstest.NewEnv(nil, 1), tabs: map[string]*blank{}}
	tab := func(id, name string) *Tab {
		r.tabs[id] = &blank{title: name}
		return &Tab{ID: id, Name: name, Panel: r.tabs[id]}
	}
	r.d = New(tab("frames", "Frames"))
	for _, id := range []string{"timeline", "flame", "strip"} {
		r.d.Add(tab(id, id))
	}
	r.d.Add(tab("statistics", "Statistics"))
	r.d.Add(tab("calls", "Calls"))
	for _, id := range []string{"sessions", "threads", "collectors", "why", "against", "details", "spikes", "received"} {
		t := tab(id, id)
		t.Panel = &part{blank: r.tabs[id], height: 150}
		r.d.Add(t)
	}
	r.d.Load(layout.Kept{})
	r.m.Inside = true
	r.tick()
	return r
}

func (r *rig) tick() {
	bar, area := r.regions()
	r.d.Settle(store.Contents{Frames: true})
	r.d.Place(r.env, bar, area)
	r.d.Dismiss(&r.m)
	r.d.Route(r.env, &r.m)
	r.d.Update(r.env, &r.m, &r.k, 1, false, func(panel.Action) {})
	for i := range r.m.Buttons {
		r.m.Buttons[i].Pressed, r.m.Buttons[i].Released = false, false
	}
	r.m.DoubleClick = false
}

func (r *rig) regions() (bar, area draw.Rect) {
	px := r.env.Px
	return draw.Rect{Y0: px(36), X1: r.w, Y1: px(96)}, draw.Rect{Y0: px(97), X1: r.w, Y1: r.h - px(24)}
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
	r.doubleClick2(x, y)
}

// doubleClick2 is the second click of a double click.
func (r *rig) doubleClick2(x, y float32) {
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
	at := r.rect(layout.PaneLeft)
	r.drag(at.X0+200, at.Y0+10, at.X0+200, at.Y0-150)
	floated := r.rect(layout.PaneLeft)
	testkit.MustThat(t, floated.Y0 == at.Y0-160 && floated.W() == at.W(),
		"the flame graph was moved from %v to %v", at, floated)
	extra := draw.Rect{X0: 300, Y0: 200, X1: 700, Y1: 500}
	r.d.Open(r.env, &Tab{ID: "extra", Panel: &blank{}}, extra)
	r.tick()
	for i := range 40 {
		x, y := float32(20+i*31%1240), float32(110+i*97%580)
		r.click(x, y)
		ids := r.order()
		if last := ids[len(ids)-2:]; !strings.Contains(fmt.Sprint(last), layout.PaneLeft) || !strings.Contains(fmt.Sprint(last), "extra") {
			t.Fatalf("after a click at %v, %v the order is %v", x, y, ids)
		}
	}
	r.click(floated.X0+5, floated.Y1-30)
	ids := r.order()
	testkit.That(t, ids[len(ids)-1] == layout.PaneLeft, "the floating pane that was pressed in is not on top: %v", ids)
	// Over a docked pane that lies below, it is the floating one that has the mouse.
	r.move(600, 420)
	over := 0
	for _, b := range r.tabs {
		if b.in.Over {
			over++
		}
	}
	testkit.That(t, over <= 1, "%d panels have the mouse", over)
	gone := 0
	r.d.OpenOver(&Tab{ID: "menu", Panel: &blank{}}, extra, false, func() { gone++ })
	r.tick()
	ids = r.order()
	testkit.That(t, ids[len(ids)-1] == "menu", "the menu is not on top: %v", ids)
	r.click(310, 300)
	testkit.That(t, gone == 0 && r.d.Find("menu") != nil, "a press in the menu closes it")
	r.click(1200, 680)
	testkit.That(t, gone == 1 && r.d.Find("menu") == nil, "a press elsewhere leaves the menu; closed %d times", gone)
}

// A press elsewhere closes a list under a field, and does what it hits. What closes a menu does nothing
// else.
func TestPressBesideAList(t *testing.T) {
	for _, bare := range []bool{false, true} {
		r := newRig(t)
		over := &Tab{ID: "list", Panel: &blank{}, Bare: bare}
		r.d.OpenOver(over, draw.Rect{X0: 300, Y0: 300, X1: 400, Y1: 400}, false, nil)
		p := r.d.pane(layout.PaneMain)
		r.press((p.rect.X0+p.rect.X1)/2, p.rect.Y1-40)
		if got := r.tabs["timeline"].in.Left.Down; r.d.Find("list") != nil || got != bare {
			t.Errorf("bare %v: still open %v, the chart is pressed %v", bare, r.d.Find("list") != nil, got)
		}
	}
}

// Tabs keep their names and places whichever is in front, and whatever its title says.
func TestTabsKeepTheirPlaces(t *testing.T) {
	r := newRig(t)
	r.tabs["strip"].title = "strip: Frame"
	r.tabs["calls"].title = "Slowest calls"
	r.tick()
	places := func() string { return fmt.Sprint(r.d.pane(layout.PaneRight).row.names) }
	before := places()
	for i, id := range []string{"calls", "statistics", "strip"} {
		n := r.d.pane(layout.PaneRight).row.names[2-i]
		r.click(n.rect.X0+12, n.rect.Y0+8)
		testkit.Equal(t, r.d.pane(layout.PaneRight).front().ID, id, "in front")
		got := places()
		testkit.That(t, got == before, "with %s in front the tabs lie at %s, before at %s", id, got, before)
	}
	for title, want := range map[string]string{"strip: Frame": "Frame", "Slowest calls": "", "strip": "", "strip · Main": "Main"} {
		testkit.Equal(t, subject("strip", title), want, "%q is about", title)
	}
}

// A floating pane is resized by its corner, docked by its box, by a double click and by being
// dropped on its own place, and comes loose only when it is really pulled.
func TestFloating(t *testing.T) {
	r := newRig(t)
	home := r.rect(layout.PaneLeft)
	r.drag(home.X0+150, home.Y0+10, home.X0+154, home.Y0+12)
	testkit.MustEqual(t, r.rect(layout.PaneLeft), home, "pulled a little it went to")
	loose := func() {
		r.drag(home.X0+150, home.Y0+10, home.X0+150, home.Y0-190)
		testkit.MustThat(t, r.d.pane(layout.PaneLeft).float, "it does not come loose")
	}
	loose()
	strip := r.rect(layout.PaneRight)
	testkit.That(t, strip.X0 == home.X0, "the neighbour does not get its room: %v", strip)
	at := r.rect(layout.PaneLeft)
	r.drag(at.X1-4, at.Y1-4, at.X1+46, at.Y1+26)
	got := r.rect(layout.PaneLeft)
	testkit.That(t, got.W() == at.W()+50 && got.H() == at.H()+30, "resized from %v to %v", at, got)
	box := r.d.pane(layout.PaneLeft).closeBox(r.env)
	r.click(box.X0+5, box.Y0+5)
	testkit.Equal(t, r.rect(layout.PaneLeft), home, "docked by its box it lies at")
	loose()
	at = r.rect(layout.PaneLeft)
	r.drag(at.X0+150, at.Y0+10, home.X0+150, home.Y0+10)
	testkit.Equal(t, r.rect(layout.PaneLeft), home, "dropped on its place it lies at")
	loose()
	at = r.rect(layout.PaneLeft)
	r.doubleClick(at.X0+150, at.Y0+10)
	testkit.Equal(t, r.rect(layout.PaneLeft), home, "docked by a double click it lies at")
}

// A tick in which nothing happens allocates nothing.
func TestIdleTickAllocatesNothing(t *testing.T) {
	r := newRig(t)
	r.move(400, 300)
	act := func(panel.Action) {}
	bar, area := r.regions()
	n := testing.AllocsPerRun(100, func() {
		r.d.Place(r.env, bar, area)
		r.d.Route(r.env, &r.m)
		r.d.Update(r.env, &r.m, &r.k, 1, false, act)
	})
	testkit.Equal(t, n, 0, "allocations a tick")
}

// A tab may be called otherwise where stacks are sampled: runs are no calls.
func TestTabsOfSampledSessions(t *testing.T) {
	r := newRig(t)
	p := r.d.pane(layout.PaneRight)
	calls := p.tabs[p.find("calls")]
	calls.Called = func(has store.Contents) string { return map[bool]string{true: "Runs"}[has.Sampled] }
	for sampled, want := range map[bool]string{false: "Calls", true: "Runs"} {
		p.chooseTabs(store.Contents{Spans: true, Sampled: sampled})
		testkit.Equal(t, p.name(calls), want, "sampled %v: the tab says", sampled)
	}
}

// What a tab, the head of a section or an icon says lies beside the whole pane, not over what is in it.
func TestTooltipsOfTitlesLieBesideThePane(t *testing.T) {
	r := newRig(t)
	seen := 0
	for _, p := range r.d.panes {
		for i := range p.tabs {
			p.tabs[i].Tip = "what it shows"
		}
		for x := p.rect.X0 + 2; x < p.rect.X1; x += 20 {
			for y := p.rect.Y0 + 2; y < p.rect.Y1; y += 9 {
				r.move(x, y)
				if h, ok := r.d.HitTest(r.env, &r.m); ok && len(h.Lines) > 0 {
					seen++
					testkit.MustThat(t, h.Rect == p.rect, "at %v, %v it lies beside %v, the pane is %v", x, y, h.Rect, p.rect)
				}
			}
		}
	}
	testkit.That(t, seen >= 20, "only %d places say something", seen)
}

// A dialog lies in the middle, also after the window has changed, dims what is below, and has all keys; the
// window below has no mouse. A press elsewhere closes the topmost one alone, and does nothing else.
func TestDialogs(t *testing.T) {
	r := newRig(t)
	size := func(env *panel.Env) (w, h float32) { return env.Px(400), env.Px(200) }
	open := func(id string) { r.d.OpenDialog(r.env, &Tab{ID: id, Panel: &blank{}}, size, nil) }
	scrims := func() (n int) {
		r.d.Paint(func(l *draw.List) {
			for _, p := range r.d.panes {
				if p.scrim != nil && p.scrim == l && l.Quads() == 1 {
					n++
				}
			}
		})
		return n
	}
	open("a")
	open("b")
	r.tick()
	testkit.That(t, r.d.Dialog().ID == "b" && r.d.Focused() == r.d.Dialog() && scrims() == 2, "%v, %d scrims", r.d.Dialog(), scrims())
	r.d.area.X1 -= 200
	r.tick()
	p := r.d.pane("b")
	testkit.That(t, p.rect.X0+p.rect.X1 == r.d.area.X0+r.d.area.X1 && p.rect.W() == 400, "it lies at %v of %v", p.rect, r.d.area)
	r.move(5, 300)
	testkit.That(t, !r.d.Hovers(), "a pane below has the mouse")
	r.press(5, 300)
	testkit.That(t, r.d.Find("b") == nil && r.d.Find("a") != nil, "a press closes both, or none")
	for _, b := range r.tabs {
		testkit.That(t, !b.in.Left.Down && !b.in.Over, "the press goes through")
	}
	testkit.That(t, r.d.CloseDialog() && r.d.Dialog() == nil && !r.d.CloseDialog() && scrims() == 0, "it is not closed")
}

// A press in a menu takes the keys from nobody: when it is gone, they go where they went.
func TestMenusKeepTheFocus(t *testing.T) {
	r := newRig(t)
	r.d.Show("calls")
	before := r.d.Focused()
	r.d.OpenOver(&Tab{ID: "menu", Panel: &blank{}}, draw.Rect{X0: 600, Y0: 300, X1: 800, Y1: 400}, false, nil)
	r.tick()
	r.press(700, 380)
	r.d.Close("menu")
	testkit.That(t, before != nil && r.d.Focused() == before, "the keys went to %v and go to %v", before, r.d.Focused())
}

// kept reads what a file of settings says.
func kept(t *testing.T, text string) layout.Kept {
	t.Helper()
	var k layout.Kept
	testkit.NoErr(t, json.Unmarshal([]byte(text), &k))
	k.Sanitize()
	return k
}

// What was changed in a workspace comes back, of each alone.
func TestWorkspacesComeBack(t *testing.T) {
	r := newRig(t)
	got := r.d.Keep(nil)
	testkit.MustThat(t, got == nil, "of a first start %v is kept", got)
	r.d.Show("calls")
	main := r.rect(layout.PaneMain)
	r.drag(main.X0-1, 400, main.X0+59, 400)
	r.d.Use("Samples")
	r.tick()
	x := r.rect(layout.PaneLeft)
	r.doubleClick(x.X1-60, x.Y0+10)
	data := testkit.Must(json.Marshal(layout.Kept{Workspaces: r.d.Keep(nil)}))(t)
	k := kept(t, string(data))
	testkit.Equal(t, len(k.Workspaces), 2, "kept are … workspaces: %s", data)
	again := newRig(t)
	again.d.Load(k)
	again.tick()
	if f := again.d.pane(layout.PaneRight).front().ID; f != "calls" || again.rect(layout.PaneRail).W() != 296 {
		t.Errorf("in front is %s, the lists are %v px wide", f, again.rect(layout.PaneRail).W())
	}
	again.d.Use("Samples")
	testkit.That(t, again.d.pane(layout.PaneLeft).folded, "a folded pane is open")
	again.d.Use("Pipeline")
	testkit.That(t, !again.d.spaces[1].changed, "a workspace that nobody touched is a changed one")
	again.d.Use("Game")
	again.d.Reset()
	again.d.Use("Samples")
	again.d.Reset()
	got = again.d.Keep(k.Workspaces)
	testkit.That(t, got != nil && len(got) == 0, "reset, %v is kept", got)
}

// A workspace goes through a file and becomes one of the user's own.
func TestWorkspaceFiles(t *testing.T) {
	r := newRig(t)
	r.d.Show("statistics")
	data := testkit.Must(r.d.Export())(t)
	other := newRig(t)
	testkit.NoErr(t, other.d.Import("Mine", data))
	other.tick()
	testkit.That(t, other.d.Workspace() == "Mine" && other.d.pane(layout.PaneRight).front().ID == "statistics",
		"shown is %s with %s", other.d.Workspace(), other.d.pane(layout.PaneRight).front().ID)
	err := other.d.Import("Game", data)
	testkit.That(t, err == nil && other.d.Workspace() != "Game", "a preset was replaced: %v", err)
	good := string(data)
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "{", "another format": `{"format": "x"}`, "no layout": `{"format": "framescope workspace 1"}`,
		"a panel twice": strings.Replace(good, `"threads"`, `"sessions"`, 1), "a pane twice": strings.Replace(good, `"rail"`, `"main"`, 1),
		"too long": good + strings.Repeat(" ", MaxFile), "two left sides": strings.Replace(good, `"right"`, `"left"`, 1),
		"an unknown side": strings.Replace(good, `"right"`, `"below"`, 1),
		"only sides":      `{"format": "framescope workspace 1", "layout": {"pane": "a", "tabs": ["x"], "side": "left"}}`,
	} {
		before := len(other.d.Workspaces())
		err := other.d.Import("Bad", []byte(text))
		testkit.That(t, err != nil && len(other.d.Workspaces()) == before, "%s: taken over, %v", name, err)
	}
	testkit.OK(t, other.d.Import("Strange", []byte(`{"format": "framescope workspace 1", "layout": {"pane": "a", "tabs": ["from later", "flame"]}}`)))
	other.tick()
	n := 0
	for _, p := range other.d.docked() {
		n += len(p.tabs)
	}
	testkit.Equal(t, n, len(other.d.tabs), "of %d panels %d have a place", len(other.d.tabs), n)
}

// A workspace that comes with a session is shown: a preset as it is, another beside those that are there, and the
// same one again as the user has left it.
func TestWorkspaceOfASession(t *testing.T) {
	r := newRig(t)
	r.d.Use("Samples")
	preset := testkit.Must(r.d.Export())(t)
	r.d.Use("Game")
	r.d.Show("statistics")
	other := testkit.Must(r.d.Export())(t)
	here := newRig(t)
	before := len(here.d.Workspaces())
	for _, x := range []struct {
		data  []byte
		shown string
		n     int
	}{{preset, "Samples", before}, {other, "Game 2", before + 1}, {preset, "Samples", before + 1}, {other, "Game 2", before + 1}} {
		testkit.NoErr(t, here.d.UseGiven(x.data))
		here.tick()
		testkit.That(t, here.d.Workspace() == x.shown && len(here.d.Workspaces()) == x.n, "shown is %s of %v", here.d.Workspace(),
			here.d.Workspaces())
	}
	testkit.Equal(t, here.d.pane(layout.PaneRight).front().ID, "statistics", "in front")
	testkit.Fails(t, here.d.UseGiven([]byte("{}")), "not a workspace")
}

// A wrong layout in a file of settings costs its own workspace alone.
func TestWrongWorkspacesFallBack(t *testing.T) {
	for _, layout := range []string{
		`null`, `{}`, `{"pane": "a"}`, `{"children": [null, {}]}`, `{"pane": "a", "tabs": ["flame"], "side": "left"}`,
		`{"children": [{"pane": "a", "tabs": ["flame"]}, {"pane": "a", "tabs": ["strip"]}]}`,
		`{"children": [{"pane": "a", "tabs": ["flame"]}, {"pane": "b", "tabs": ["flame"]}]}`,
		`{"weights": [-1], "children": [{"pane": "a", "tabs": ["flame"]}]}`,
		`{"pane": "a", "tabs": ["flame"], "size": 1e9}`, strings.Repeat(`{"children": [`, 20) + `{"pane": "a", "tabs": ["flame"]}` + strings.Repeat(`]}`, 20),
	} {
		k := kept(t, `{"Workspaces": {"Game": {"layout": `+layout+`}, "Java": {"layout": {"pane": "all", "tabs": ["flame", "timeline"]}}}}`)
		_, ok := k.Workspaces["Game"]
		testkit.That(t, !ok && len(k.Workspaces) == 1, "%.60s is used", layout)
	}
	k := kept(t, `{"Workspaces": {"Game": {"layout": {"pane": "a", "tabs": ["flame"]}, "floating": [{"Pane": "a", "X": 1e9}]}}}`)
	a := k.Workspaces["Game"]
	testkit.That(t, a.Layout != nil && a.Floating == nil, "a place out of reach: %+v", a)
}
