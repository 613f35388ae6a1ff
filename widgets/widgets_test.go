package widgets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/store"
)

// testEnv is a window at scale 1 that shows a session.
func testEnv(s *store.Session) *panel.Env { return chartstest.ReadyEnv(s, 1) }

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
	rows                         []SessionRow
	selected, forgotten, offered *store.Session
	silent, nonsense             int
	closed                       Listening
	again                        int // how often ListenAgain was called
	copied                       string
	played                       int
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
	testkit.That(t, p.selected == b, "a click on the second row does not select the second session")
	pane.Update(env, panelRect, click(panelRect.X1-10, 50+5))
	testkit.That(t, p.forgotten == a, "a click on the cross of an ended session does not take it away")
	p.selected = nil
	right := &panel.Input{X: 200, Y: 60, Over: true, Right: panel.Button{Released: true, DownX: 200, DownY: 60}}
	for i, in := range []*panel.Input{click(panelRect.X1-36, 50+5), right} {
		p.offered = nil
		pane.Update(env, panelRect, in)
		testkit.That(t, p.offered == a && p.selected == nil, "way %d does not open the menu of a session's row", i)
	}
	dragged := click(200, 60)
	dragged.Left.Dragging = true
	pane.Update(env, panelRect, dragged)
	pane.Update(env, panelRect, click(200, 245))
	testkit.That(t, p.selected == nil, "a drag, or a click below all rows, selected a session")
	hit := pane.HitTest(env, 200, 50+2+sessionRow+5)
	testkit.That(t, len(hit.Lines) >= 2 && hit.Lines[1] == "cut off",
		"the tooltip does not say what is wrong: %q", hit.Lines)
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
			testkit.That(t, r.Y1 <= rect.Y1, "row %d lies outside of what Size asked for", k)
		})
		return y
	}
	m.Update(env, rect, click(30, row(0)))
	m.Update(env, rect, click(30, row(1)))
	m.Update(env, rect, click(rect.X0+24+swatchPx+3, row(2)))
	m.Update(env, rect, click(30, row(3)))
	got, want := fmt.Sprint(ran), "[one close red close stays]"
	testkit.That(t, got == want, "clicks did %v, want %v", got, want)
}

func TestPalette(t *testing.T) {
	var ran string
	p := &Palette{Close: func() {}}
	for _, n := range []string{"Open a recording", "Save the session", "Open the last recording again"} {
		p.Items = append(p.Items, PaletteItem{Name: n, Run: func() { ran = n }})
	}
	p.Field.SetText("LAST open")
	p.Enter()
	testkit.That(t, ran == "Open the last recording again", "every word in any order: ran %q", ran)
	p.Field.SetText("open")
	p.match()
	p.Move(5)
	p.Enter()
	testkit.That(t, ran == "Open the last recording again", "the second hit: ran %q", ran)
	ran = ""
	p.Field.SetText("nothing is called so")
	p.Enter()
	testkit.That(t, ran == "", "no hit, yet %q ran", ran)
	for _, n := range []string{"Resave it", "Save the session again", "Save"} {
		p.Items = append(p.Items, PaletteItem{Name: n, Run: func() { ran = n }})
	}
	for text, want := range map[string]string{"save": "Save", "save the": "Save the session", "again": "Open the last recording again"} {
		p.Field.SetText(text)
		p.Enter()
		testkit.That(t, ran == want, "%q ran %q, want %q", text, ran, want)
	}
	q := &Palette{Answer: func(s string) string { return "no: " + s }, Close: func() { t.Error("a wrong answer closed the question") }}
	q.Field.SetText("x")
	q.Enter()
	testkit.That(t, q.complaint == "no: x", "the complaint is %q", q.complaint)
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
		testkit.Equal(t, p.Chosen().Name, c.want, "%q behind %q", c.text, c.behind)
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
		testkit.That(t, l.Quads() >= 10, "%+v: hardly a word", state)
		seen[l.Quads()] = true
		for _, v := range l.Vertices {
			if v.Y >= rect.Y1-1 {
				t.Errorf("%+v: words are cut off at the bottom", state)
				break
			}
		}
	}
	testkit.That(t, len(seen) >= 5, "only %d different pictures of 7 states", len(seen))
}

// The list of sessions paints itself when something comes, not more often than can be read, and not
// while nothing does.
func TestSessionsAreStillWithoutNews(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a", Live: true}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	env.Paced = true
	tick := func() uint64 {
		env.NowNs += 16_666_667
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		return pane.List().Revision()
	}
	before := tick()
	for range 60 {
		testkit.MustThat(t, tick() == before, "painted without news")
	}
	painted := 0
	for range 60 { // a second in which something comes every tick
		s.Apply(model.CollectorDef{ID: 1, Name: "x"})
		if now := tick(); now != before {
			before = now
			painted++
		}
	}
	testkit.That(t, painted >= 4 && painted <= 6, "painted %d times in a second of news, want 5", painted)
	p.rows[0].State = "waiting for data"
	for range 16 { // more than a quarter of a second
		tick()
	}
	testkit.That(t, pane.List().Revision() != before, "a new state is not shown")
}

// The session that is shown is brought into sight when it becomes another; after that the list
// stays as the user scrolls it.
func TestShownSessionIsInSight(t *testing.T) {
	p := &program{}
	for range 9 {
		p.rows = append(p.rows, SessionRow{Session: store.NewSession(), Name: "a"})
	}
	pane := &Sessions{Program: p}
	env := testEnv(p.rows[0].Session)
	rect := draw.Rect{X1: 300, Y1: 2.5 * sessionRow}
	shows := func(i int) bool {
		y := env.Px(2) + env.Px(sessionRow)*float32(i) - pane.scroll.Px
		return y >= 0 && y+env.Px(sessionRow) <= rect.H()
	}
	for _, i := range []int{6, 0, 8, 7} {
		for k := range p.rows {
			p.rows[k].Active = k == i
		}
		pane.Update(env, rect, &panel.Input{X: -1, Y: -1})
		testkit.That(t, shows(i), "row %d is out of sight at %v", i, pane.scroll.Px)
	}
	pane.scroll.Px = 0
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1})
	testkit.That(t, pane.scroll.Px == 0, "the user's scrolling was undone")
}

// How long a file is stands before what it says of itself, which may be cut.
func TestFilesSayHowLongTheyAre(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", Version: "a version that takes more words than there is room for", File: true})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Append(&model.Batch{HasFrame: true, Begin: 0, End: 9_600_000_000})
	s.Apply(model.End{})
	env := testEnv(s)
	pane := &Sessions{Program: &program{rows: []SessionRow{{Session: s, Name: "a"}}}}
	pane.Update(env, draw.Rect{X1: 200, Y1: 100}, &panel.Input{X: -1, Y: -1})
	for _, x := range pane.List().Texts() {
		if strings.HasPrefix(x.Text, "file · 9.60 s · a version") {
			return
		}
	}
	t.Errorf("the row says %v", pane.List().Texts())
}

// A session that broke off says so once, and by what, before what sets it apart, also when it was opened again.
func TestRowsOfSessionsThatBrokeOff(t *testing.T) {
	for want, row := range map[string]SessionRow{
		"broke off 14:02 · killed by signal 11 · 127.0.0.1:40024":            {At: time.Date(2026, 1, 1, 14, 2, 0, 0, time.UTC)},
		"file · broke off · killed by signal 11 · 127.0.0.1:40024 · 10.0 ms": {},
	} {
		row.Session, row.Name, row.Apart = testSession(1), "a", "127.0.0.1:40024"
		row.Session.Apply(model.Info{Program: "game", File: row.At.IsZero()})
		row.Session.Apply(model.End{Reason: model.BrokeOff + "killed by signal 11"})
		env := testEnv(row.Session)
		pane := &Sessions{Program: &program{rows: []SessionRow{row}}}
		pane.Update(env, draw.Rect{X1: 600, Y1: 100}, &panel.Input{X: -1, Y: -1})
		at := slices.IndexFunc(pane.List().Texts(), func(x draw.WatchedText) bool { return x.Text == want })
		testkit.MustThat(t, at >= 0, "%q: %v", want, pane.List().Texts())
		testkit.Equal(t, pane.List().Texts()[at].Color, draw.Color(env.Theme.Bad), "color")
		hit := pane.HitTest(env, 40, 20)
		testkit.That(t, slices.Contains(hit.Lines, "broke off: killed by signal 11"), "%q", hit.Lines)
	}
}

// The name that the user gave, and what became of a session on disk, are in its row; what changes
// there is painted.
func TestSessionsOnDiskPictures(t *testing.T) {
	live := testSession(3)
	live.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2"})
	rows := []SessionRow{
		{Session: testSession(3), Active: true, Title: "the hitch near the gate", OnDisk: "interrupted"},
		{Session: testSession(4), OnDisk: "deleted from the disk"},
		{Session: live, Live: true, Deleted: "on disk it lacks 100 frames that another program has deleted"},
	}
	env := testEnv(rows[0].Session)
	p := &Sessions{Program: &program{rows: rows}}
	rect := draw.Rect{X1: 250, Y1: 120}
	p.Update(env, rect, &panel.Input{})
	golden.Check(t, "testdata/golden/sessions_on_disk.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{p.List()}})

	before := p.List().Revision()
	rows[0].Title = "another name"
	env.NowNs += 1e9
	p.Update(env, rect, &panel.Input{})
	testkit.That(t, p.List().Revision() != before, "a new name is not shown")
}

func TestSilenceInWords(t *testing.T) {
	for _, c := range []struct {
		s    Silence
		want string
	}{
		{Silence{}, ""}, {Silence{Ns: 640e6}, "silent for 0.6 s"},
		{Silence{Ns: 12_900e6, Overdue: true}, "silent for 12 s"}, {Silence{Ns: 125e9}, "silent for 2 min 5 s"},
		{Silence{Ns: 3725e9}, "silent for 1 h 2 min"},
		{Silence{Ns: 25e9, Nothing: true}, "nothing received yet, 25 s"},
	} {
		testkit.Equal(t, string(c.s.Append(nil)), c.want, "%+v", c.s)
	}
}

// The row of a session that falls silent counts the seconds, and turns amber when something is
// overdue.
func TestSilentSessionInTheList(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a", Live: true}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	amber := draw.Color(env.Theme.Over)
	show := func(silence Silence) (colored bool, revision uint64) {
		p.rows[0].Silence = silence
		for range 13 { // news are shown a few times a second
			env.NowNs += int64(time.Second) / 60
			pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		}
		for _, v := range pane.List().Vertices {
			is := func(have float32, want uint8) bool { return int(have*255+0.5) == int(want) }
			colored = colored || is(v.R, amber.R) && is(v.G, amber.G) && is(v.B, amber.B)
		}
		return colored, pane.List().Revision()
	}
	if colored, _ := show(Silence{}); colored {
		t.Error("amber though all is well")
	}
	colored, first := show(Silence{Ns: 1200e6})
	testkit.That(t, !colored, "amber though nothing is overdue")
	_, again := show(Silence{Ns: 1900e6})
	testkit.That(t, again == first, "painted anew though the words are the same")
	if colored, later := show(Silence{Ns: 2000e6, Overdue: true}); !colored || later == first {
		t.Error("what is overdue is not amber")
	}
}

// Programs that sent nothing are one line, with or without sessions above it.
func TestSilentProgramsAreCounted(t *testing.T) {
	s := store.NewSession()
	for _, rows := range [][]SessionRow{nil, {{Session: s, Name: "a", Live: true}}} {
		p := &program{rows: rows}
		pane := &Sessions{Program: p}
		env := testEnv(s)
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		before := pane.List().Revision()
		if hit := pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3); len(hit.Lines) > 0 {
			t.Errorf("nobody was silent, and there is %q", hit.Lines)
		}
		p.silent = 1204
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		testkit.That(t, pane.List().Revision() != before, "the line is not drawn")
		hit := pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3)
		testkit.That(t, len(hit.Lines) != 0 && strings.HasSuffix(hit.Lines[0], "connected and sent no frame"),
			"there is %q where they are counted", hit.Lines)
		p.nonsense = 3
		pane.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
		hit = pane.HitTest(env, panelRect.X0+20, panelRect.Y1-3)
		testkit.That(t, len(hit.Lines) == 2 && hit.Lines[1] == "3 connections sent something other than PStats",
			"there is %q where they are counted", hit.Lines)
		hit = pane.HitTest(env, panelRect.X0+20, panelRect.Y0+5)
		testkit.That(t, len(rows) <= 0 || len(hit.Lines) != 0 && hit.Lines[0] == "a",
			"the session is not where it was: %q", hit.Lines)
	}
}

// A port that could not be listened on is told beside the sessions, and its button tries again.
func TestClosedPortInTheList(t *testing.T) {
	s := store.NewSession()
	p := &program{rows: []SessionRow{{Session: s, Active: true, Name: "a"}}}
	pane := &Sessions{Program: p}
	env := testEnv(s)
	idle := &panel.Input{X: -1, Y: -1}
	pane.Update(env, panelRect, idle)
	before := pane.List().Quads()
	low := float32(panelRect.Y1 - 15)
	hit := pane.HitTest(env, panelRect.X0+20, low)
	testkit.That(t, len(hit.Lines) == 0, "says %q though all is well", hit.Lines)

	p.closed = Listening{Problem: "localhost:5185 is taken by game (process 12)", Short: "port 5185 is taken", Remedy: "Close it."}
	pane.Update(env, panelRect, idle)
	testkit.That(t, pane.List().Quads() > before, "nothing is said")
	if hit := pane.HitTest(env, panelRect.X0+20, low); len(hit.Lines) != 2 || hit.Lines[0] != "Not listening: "+p.closed.Problem || hit.Lines[1] != "Close it." {
		t.Errorf("says %q", hit.Lines)
	}
	b := pane.closed.again.rect
	testkit.MustThat(t, !b.Empty() && b.Intersect(panelRect) == b, "the button is at %+v", b)
	press := click((b.X0+b.X1)/2, (b.Y0+b.Y1)/2)
	pane.Update(env, panelRect, press)
	testkit.That(t, p.again == 1 && p.selected == nil, "tried %d times, selected %v", p.again, p.selected)
	pane.Update(env, panelRect, click(panelRect.X0+20, low))
	testkit.That(t, p.again == 1 && p.selected == nil, "a click beside the button does something")
	p.closed = Listening{}
	pane.Update(env, panelRect, idle)
	pane.Update(env, panelRect, press)
	testkit.That(t, p.again == 1, "a button that is gone tries again")
}

// So is it in the middle of an empty window.
func TestClosedPortInTheEmptyState(t *testing.T) {
	env := testEnv(nil)
	rect := draw.Rect{X0: 240, Y0: 128, X1: 1034, Y1: 386}
	p := &program{closed: Listening{Problem: "localhost:5185 is taken by game (process 12)", Remedy: "Close it."}}
	pane := &Empty{}
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{}, Offers{})
	b := pane.action.rect
	testkit.MustThat(t, !b.Empty() && b.Intersect(rect) == b, "the button is at %+v", b)
	pane.Update(env, rect, click((b.X0+b.X1)/2, (b.Y0+b.Y1)/2), p, EmptyState{}, Offers{})
	testkit.That(t, p.again == 1, "tried %d times", p.again)
	pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{Session: "x"}, Offers{})
	testkit.That(t, pane.action.rect.Empty(), "a button where a session is")
}

func TestRank(t *testing.T) {
	for _, c := range []struct {
		text, name, also string
		rank             int
	}{
		{"save", "save", "", Same}, {"save t", "save the session", "", Prefix},
		{"shad", "compile shader", "", Word}, {"hade", "compile shader", "", Inside},
		{"session save", "save the session", "", Word}, {"gtf", "go to frame or time", "", Initials},
		{"gofr", "go to frame", "", Initials}, {"theme", "light colors", "theme", Also},
		{"oader", "load", "", None}, {"çava", "ça va", "", Initials}, {"", "anything", "", Word},
	} {
		m := NewMatcher(c.text)
		got := m.Rank(c.name, c.also)
		testkit.That(t, got == c.rank, "%q in %q: rank %d; want %d", c.text, c.name, got, c.rank)
	}
}

// Of programs of one name the number of the process sets them apart, where it differs, else the address. It comes
// first, so that it is not cut.
func TestProgramsOfOneNameAreToldApart(t *testing.T) {
	of := func(pid int64, peer string) SessionRow {
		s := store.NewSession()
		s.Apply(model.Info{Program: "Panda Stats", PID: pid, Peer: peer})
		return SessionRow{Session: s, Name: "Panda Stats", Path: "Panda Stats", Live: true}
	}
	rows := []SessionRow{of(7, "127.0.0.1:5001"), of(8, "127.0.0.1:5002"), of(-1, "10.0.0.2:1"), of(-1, "10.0.0.3:1")}
	Distinguish(rows)
	env := testEnv(rows[0].Session)
	pane := &Sessions{Program: &program{rows: rows}}
	pane.Update(env, draw.Rect{X1: 200, Y1: 200}, &panel.Input{X: -1, Y: -1})
	said := ""
	for _, x := range pane.List().Texts() {
		said += x.Text + "\n"
	}
	testkit.Contains(t, said, "\npid 7 · live\n", "\npid 8 · live\n", "\n10.0.0.2:1 · live\n", "\n10.0.0.3:1 · live\n")
}

// Of a file's path that is offered, typing replaces the name and keeps folder and ending.
func TestOfferFile(t *testing.T) {
	for path, want := range map[string]string{
		"/a.b/run-1.pstats": "/a.b/X.pstats", "/a.b/run": "/a.b/X", "run.json.gz": "X.gz", "/a/.hidden": "/a/X.hidden",
	} {
		var f TextField
		f.OfferFile(path)
		f.Begin("X")
		testkit.Equal(t, f.Text(), want, "%s", path)
	}
}
