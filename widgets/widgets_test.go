package widgets

import (
	"fmt"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// testEnv is a window at scale 1 that shows a session.
func testEnv(s *store.Session) *panel.Env {
	theme := assets.Dark()
	env := &panel.Env{View: view.New(s), Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	env.View.Tick(0, false)
	return env
}

// testSession has one thread with n frames of 10 ms.
func testSession(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2", File: true})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	for i := range int64(n) {
		s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10_000_000, End: (i + 1) * 10_000_000})
	}
	s.Apply(model.End{})
	return s
}

// program is a Program of a test.
type program struct {
	rows      []SessionRow
	selected  *store.Session
	forgotten *store.Session
	offered   *store.Session
	silent    int
	nonsense  int
	closed    Listening
	again     int // how often ListenAgain was called
	copied    string
	played    int
}

func (p *program) Sessions() []SessionRow  { return p.rows }
func (p *program) Select(s *store.Session) { p.selected = s }
func (p *program) Silent() Silent          { return Silent{Nothing: p.silent, NotPStats: p.nonsense} }
func (p *program) Forget(s *store.Session) { p.forgotten = s }
func (p *program) Offer(s *store.Session)  { p.offered = s }
func (p *program) Listening() Listening {
	if p.closed != (Listening{}) {
		return p.closed
	}
	return Listening{Address: "127.0.0.1:5185", Doors: [MaxDoors]Door{
		{For: "PStats (Panda3D, Go)", Address: "127.0.0.1:5185"},
	}}
}

func (p *program) ListenAgain()     { p.again++ }
func (p *program) Copy(text string) { p.copied = text }
func (p *program) PlayDemo()        { p.played++ }

var panelRect = draw.Rect{X0: 100, Y0: 50, X1: 350, Y1: 250}

// click is the input of a tick in which the left button is let go at a point where it was pressed.
func click(x, y float32) *panel.Input {
	return &panel.Input{X: x, Y: y, Over: true, Left: panel.Button{Released: true, DownX: x, DownY: y}}
}

func TestSessionsSwitchAndLeave(t *testing.T) {
	a, b := testSession(3), testSession(3)
	p := &program{rows: []SessionRow{{Session: a, Active: true, Name: "a"}, {Session: b, Name: "b", Problem: "cut off"}}}
	pane := &Sessions{Program: p}
	env := testEnv(a)
	pane.Update(env, panelRect, click(200, 50+2+sessionRow+5))
	if p.selected != b {
		t.Error("a click on the second row does not select the second session")
	}
	pane.Update(env, panelRect, click(panelRect.X1-10, 50+5))
	if p.forgotten != a {
		t.Error("a click on the cross of an ended session does not take it away")
	}
	p.selected = nil
	right := &panel.Input{X: 200, Y: 60, Over: true, Right: panel.Button{Released: true, DownX: 200, DownY: 60}}
	for i, in := range []*panel.Input{click(panelRect.X1-36, 50+5), right} {
		p.offered = nil
		if pane.Update(env, panelRect, in); p.offered != a || p.selected != nil {
			t.Errorf("way %d does not open the menu of a session's row", i)
		}
	}
	dragged := click(200, 60)
	dragged.Left.Dragging = true
	pane.Update(env, panelRect, dragged)
	pane.Update(env, panelRect, click(200, 245))
	if p.selected != nil {
		t.Error("a drag, or a click below all rows, selected a session")
	}
	if hit := pane.HitTest(env, 200, 50+2+sessionRow+5); len(hit.Lines) < 2 || hit.Lines[1] != "cut off" {
		t.Errorf("the tooltip does not say what is wrong: %q", hit.Lines)
	}
}

func TestMenu(t *testing.T) {
	var ran []string
	do := func(s string) func() { return func() { ran = append(ran, s) } }
	red := draw.RGB(200, 0, 0)
	m := &Menu{Name: "thing", Close: do("close"), Items: []MenuItem{
		{Label: "one", Run: do("one")},
		{Label: "off", Run: do("off"), Off: true},
		{Line: true, Colors: []draw.Color{{}, red}, Pick: func(c draw.Color) {
			if c == red {
				ran = append(ran, "red")
			}
		}},
		{Label: "stays", Run: do("stays"), Keep: true},
	}}
	env := testEnv(nil)
	w, h := m.Size(env)
	rect := draw.Rect{X0: 10, Y0: 10, X1: 10 + w, Y1: 10 + h}
	row := func(i int) (y float32) {
		m.rect = rect
		m.rows(env, func(k int, r draw.Rect) {
			if k == i {
				y = (r.Y0 + r.Y1) / 2
			}
			if r.Y1 > rect.Y1 {
				t.Errorf("row %d lies outside of what Size asked for", k)
			}
		})
		return y
	}
	m.Update(env, rect, click(30, row(0)))
	m.Update(env, rect, click(30, row(1)))
	m.Update(env, rect, click(rect.X0+24+swatchPx+3, row(2)))
	m.Update(env, rect, click(30, row(3)))
	if got, want := fmt.Sprint(ran), "[one close red close stays]"; got != want {
		t.Errorf("clicks did %v, want %v", got, want)
	}
}

func TestPalette(t *testing.T) {
	var ran string
	p := &Palette{Close: func() {}}
	for _, n := range []string{"Open a recording", "Save the session", "Open the last recording again"} {
		p.Items = append(p.Items, PaletteItem{Name: n, Run: func() { ran = n }})
	}
	p.Field.SetText("LAST open")
	p.Enter()
	if ran != "Open the last recording again" {
		t.Errorf("every word in any order: ran %q", ran)
	}
	p.Field.SetText("open")
	p.match()
	p.Move(5)
	p.Enter()
	if ran != "Open the last recording again" {
		t.Errorf("the second hit: ran %q", ran)
	}
	ran = ""
	p.Field.SetText("nothing is called so")
	p.Enter()
	if ran != "" {
		t.Errorf("no hit, yet %q ran", ran)
	}
	for _, n := range []string{"Resave it", "Save the session again", "Save"} {
		p.Items = append(p.Items, PaletteItem{Name: n, Run: func() { ran = n }})
	}
	for text, want := range map[string]string{"save": "Save", "save the": "Save the session", "again": "Open the last recording again"} {
		p.Field.SetText(text)
		if p.Enter(); ran != want {
			t.Errorf("%q ran %q, want %q", text, ran, want)
		}
	}
	q := &Palette{Answer: func(s string) string { return "no: " + s }, Close: func() { t.Error("a wrong answer closed the question") }}
	q.Field.SetText("x")
	q.Enter()
	if q.complaint != "no: x" {
		t.Errorf("the complaint is %q", q.complaint)
	}
}

// Whatever there is to say while nothing is shown fits into the panel of a window of 1280 × 720,
// and is said again when it changes.
// Where commands are looked for a name that is the very text does not come before a command that a
// word of the text begins a word of; among commands what answers best does.
func TestPaletteBehind(t *testing.T) {
	items := []PaletteItem{
		{Name: "Hide idle tracks", Group: "Commands"}, {Name: "Trace", Group: "Commands"}, {Name: "Idle trace", Group: "Panels"},
		{Name: "Idle", Group: "Names"}, {Name: "Race", Group: "Names"},
	}
	for _, c := range []struct{ behind, text, want string }{
		{"", "idle", "Idle"}, {"Names", "idle", "Idle trace"}, {"Names", "race", "Race"}, {"Names", "i h", "Hide idle tracks"}, {"Names", "trace", "Trace"},
	} {
		p := &Palette{Items: items, Behind: []string{c.behind}, Close: func() {}}
		p.Field.SetText(c.text)
		if got := p.Chosen().Name; got != c.want {
			t.Errorf("%q behind %q: %q, want %q", c.text, c.behind, got, c.want)
		}
	}
}

func TestEmptyStatesFit(t *testing.T) {
	env := testEnv(nil)
	rect := draw.Rect{X0: 240, Y0: 128, X1: 1034, Y1: 386}
	seen := map[int]bool{}
	pane := &Empty{}
	for _, state := range []EmptyState{{}, {Demo: true}, {Session: "x", Problem: "it is a picture"}, {Session: "x", Loading: true}, {Session: "x", Ended: true}, {Session: "x"},
		{Session: "x", Followed: "following", Silence: Silence{Ns: 25e9, Nothing: true, Overdue: true}, Advice: strings.Repeat("what may be wrong ", 20)}} {
		pane.Update(env, rect, &panel.Input{}, &program{}, state, Offers{})
		l := pane.List()
		if l.Quads() < 10 {
			t.Errorf("%+v: hardly a word", state)
		}
		seen[l.Quads()] = true
		for _, v := range l.Vertices {
			if v.Y >= rect.Y1-1 {
				t.Errorf("%+v: words are cut off at the bottom", state)
				break
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d different pictures of 7 states", len(seen))
	}
}
