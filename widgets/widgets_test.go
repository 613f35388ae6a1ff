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

// testSession has one thread with n frames of 10 ms, every tenth of them 30 ms, in each of which App runs for 4 ms.
func testSession(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2", File: true})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "App", Parent: 0})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	const ms = 1_000_000
	t := int64(0)
	for i := range n {
		d := int64(10 * ms)
		if i%10 == 5 {
			d = 30 * ms
		}
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: int64(100 + i), Begin: t, End: t + d,
			Spans: []model.Span{{Begin: t, End: t + d, Path: 1}, {Begin: t + ms, End: t + 5*ms, Path: 2, Lane: 1}},
			Alone: []model.CollectorTime{{Collector: 0, Ns: d - 4*ms, Count: 1}, {Collector: 1, Ns: 4 * ms, Count: 1}},
		})
		t += d
	}
	s.Apply(model.End{})
	return s
}

// program is a Program of a test.
type program struct {
	rows      []SessionRow
	selected  *store.Session
	forgotten *store.Session
	silent    int
	nonsense  int
	closed    Listening
	again     int // how often ListenAgain was called
}

func (p *program) Sessions() []SessionRow  { return p.rows }
func (p *program) Select(s *store.Session) { p.selected = s }
func (p *program) Silent() Silent          { return Silent{Nothing: p.silent, NotPStats: p.nonsense} }
func (p *program) Forget(s *store.Session) { p.forgotten = s }
func (p *program) Listening() Listening {
	if p.closed != (Listening{}) {
		return p.closed
	}
	return Listening{Address: "127.0.0.1:5185"}
}

func (p *program) ListenAgain() { p.again++ }

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

// While nothing changes a panel is not drawn again; at a growing session its numbers change a few times a second.
func TestPanelsAreDrawnOnlyWhenTheyChange(t *testing.T) {
	env := testEnv(testSession(40))
	env.View.SelectCollector(1)
	pane := &Details{}
	idle := &panel.Input{}
	pane.Update(env, panelRect, idle)
	first := pane.List().Revision()
	for range 20 {
		env.NowNs += 16_000_000
		pane.Update(env, panelRect, idle)
	}
	if pane.List().Revision() != first {
		t.Error("the details of an ended session were drawn again though nothing changed")
	}
	env.View.StepFrame(1)
	pane.Update(env, panelRect, idle)
	if pane.List().Revision() == first {
		t.Error("the details were not drawn again for another frame")
	}
	if n := testing.AllocsPerRun(50, func() { pane.Update(env, panelRect, idle) }); n != 0 {
		t.Errorf("a tick of a panel in which nothing changes allocates %v times", n)
	}
}

func TestDetailsOfACollector(t *testing.T) {
	s := testSession(40)
	env := testEnv(s)
	env.View.SelectCollector(1)
	env.View.SelectFrames(3, 3)
	pane := &Details{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	if pane.Title(env) != "App" {
		t.Errorf("the title is %q", pane.Title(env))
	}
	if pane.stats.Frames != 40 || pane.here.Frames != 1 || pane.here.Count != 1 || pane.inside != 4_000_000 {
		t.Errorf("%d frames in all, %d here with %d calls, %d ns from start to stop", pane.stats.Frames, pane.here.Frames, pane.here.Count, pane.inside)
	}
	// Of the frame itself there is a histogram: 36 short ones and 4 long ones.
	env.View.SelectCollector(0)
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	var sum int32
	for _, n := range pane.counts {
		sum += n
	}
	if sum != 40 || pane.counts[0] != 36 || pane.counts[histogramBins-1] != 4 || pane.at != 0 {
		t.Errorf("the histogram is %v, this frame in bin %d", pane.counts, pane.at)
	}
	// The longest frame is a click away.
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, click((pane.maxRow.X0+pane.maxRow.X1)/2, (pane.maxRow.Y0+pane.maxRow.Y1)/2))
	if f := s.Track(0).Frame(env.View.FrameA()); f.End-f.Begin != 30_000_000 {
		t.Errorf("the click went to frame %d", f.Number)
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
	q := &Palette{Answer: func(s string) string { return "no: " + s }, Close: func() { t.Error("a wrong answer closed the question") }}
	q.Field.SetText("x")
	q.Enter()
	if q.complaint != "no: x" {
		t.Errorf("the complaint is %q", q.complaint)
	}
}

// Whatever there is to say while nothing is shown fits into the panel of a window of 1280 × 720, and is said again when it changes.
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
