package widgets

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// The empty window offers the newest sessions on disk, beside how to connect a game, and a click
// opens one.
func TestOffers(t *testing.T) {
	rows := append(someOnDisk(), DiskRow{ID: "5", Name: "a name that is much too long for its place in the list", Began: someOnDisk()[0].Began})
	for _, c := range []struct {
		name  string
		w, h  float32
		p     *program
		light bool
	}{
		{"offers", 794, 258, &program{}, false},
		{"offers_wide", 1896, 800, &program{}, true},
		{"offers_720", 1280, 566, &program{}, false},
		{"offers_closed", 794, 258, &program{closed: Listening{Problem: "localhost:5185 is taken by game (process 12)", Remedy: "Close it, or listen elsewhere with --listen HOST:PORT."}}, false},
	} {
		env := testEnv(nil)
		chartstest.Light(env, c.light)
		opened := ""
		all, chosen := 0, 0
		o := Offers{Rows: rows, Revision: 1, Open: func(id string) { opened = id }, OpenFile: func(path string) { opened = path }, All: func() { all++ }, Choose: func() { chosen++ }, Files: someFiles()}
		rect := draw.Rect{X1: c.w, Y1: c.h}
		p := &Empty{}
		p.Update(env, rect, &panel.Input{X: -1, Y: -1}, c.p, EmptyState{}, o)
		golden.Check(t, "testdata/golden/"+c.name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{p.List()}})
		for _, v := range p.List().Vertices {
			if v.Y >= rect.Y1 || v.X >= rect.X1 {
				t.Errorf("%s: something is cut off", c.name)
				break
			}
		}
		press := func(r draw.Rect) { p.Update(env, rect, click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2), c.p, EmptyState{}, o) }
		turn := func(to *draw.Rect, by float32) { // what lies lower is scrolled to
			for i := 0; i < 30 && to.Empty(); i++ {
				in := &panel.Input{X: p.ways.room.X0 + 9, Y: p.ways.room.Y0 + 9, Over: true, WheelY: by}
				p.Update(env, rect, in, c.p, EmptyState{}, o)
			}
		}
		turn(&p.offers.rows[0], -1)
		press(p.offers.rows[0])
		testkit.That(t, opened == rows[0].ID, "%s: opened %q, want %q", c.name, opened, rows[0].ID)
		if f := p.offers.files[0]; f.Empty() {
			t.Errorf("%s: no file", c.name)
		} else if press(f); opened != someFiles()[0].Path {
			t.Errorf("%s: opened %q, want %q", c.name, opened, someFiles()[0].Path)
		}
		press(p.offers.all.rect)
		turn(&p.offers.open.rect, 1)
		press(p.offers.open.rect)
		testkit.That(t, all == 1 && chosen == 1, "%s: %d times all, %d times asked", c.name, all, chosen)
		turn(&p.offers.rows[0], -1)
		r := p.offers.rows[0]
		p.Update(env, rect, click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2), c.p, EmptyState{Session: "x"}, Offers{Rows: rows, Open: func(string) { t.Error("opened where a session is") }})
	}
}

// someFiles are recordings that were opened: more than have room everywhere.
func someFiles() []FileRow {
	at := someOnDisk()[0].Began
	return []FileRow{
		{Path: "/home/ada/captures/solar-0412.pstats", Kind: "PStats session", Bytes: 3 << 20, Changed: at},
		{Path: "/tmp/trace.log", Kind: "GStreamer trace log", Bytes: 812, Changed: at},
		{Path: "/home/ada/captures/orders", Kind: "Flare sample folder", Bytes: 90 << 20, Changed: at},
		{Path: "/run/live.fifo", Kind: "FIFO", Bytes: -1, Changed: at},
	}
}

// The scroll bar of the empty window covers nothing.
func TestScrollBarBesideTheWays(t *testing.T) {
	for _, size := range [][2]float32{{794, 240}, {1280, 440}, {1896, 400}, {420, 230}} {
		env, pane := testEnv(nil), &Empty{}
		rect := draw.Rect{X1: size[0], Y1: size[1]}
		o := Offers{Rows: someOnDisk(), Files: someFiles(), Choose: func() {}, Open: func(string) {}, All: func() {}}
		pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, &program{}, EmptyState{}, o)
		bar, is := env.Theme.ButtonHover, func(v float32, c uint8) bool { return int(v*255+0.5) == int(c) }
		left, right, found := float32(0), float32(0), false
		for _, v := range pane.List().Vertices {
			if is(v.R, bar.R) && is(v.G, bar.G) && is(v.B, bar.B) {
				if !found || v.X < left {
					left = v.X
				}
				right, found = max(right, v.X), true
			}
		}
		if room := pane.ways.room; !found || left < room.X1 || right > rect.X1 {
			t.Errorf("%v: a bar at %v to %v, the ways end at %v (%v)", size, left, right, room.X1, found)
		}
	}
}

// Each step of each way to connect has lines that a click copies, and these alone; the demo
// plays.
func TestWaysAreCopied(t *testing.T) {
	for _, size := range [][2]float32{{794, 258}, {1256, 566}, {1896, 800}} {
		env, p, pane := testEnv(nil), &program{}, &Empty{}
		rect := draw.Rect{X1: size[0], Y1: size[1]}
		pane.Update(env, rect, &panel.Input{X: -1, Y: -1}, p, EmptyState{}, Offers{})
		all := waysTo("127.0.0.1", "5185")
		changed := waysTo("127.0.0.1", "5199")
		testkit.That(t, len(changed[0].steps[0].lines) == 3 && len(changed[1].steps[2].lines) == 4,
			"the port is not said")
		middle := func(r draw.Rect) *panel.Input { return click((r.X0+r.X1)/2, (r.Y0+r.Y1)/2) }
		at := 0
		for i := range all {
			for _, s := range all[i].steps {
				if room := pane.ways.room; !room.Empty() { // what lies lower is scrolled to
					in := &panel.Input{X: room.X0 + 9, Y: room.Y0 + 9, Over: true, WheelY: -1}
					for range 20 {
						if r := pane.ways.copies[at].rect; !r.Empty() && r.Y1 < room.Y1-2 {
							break
						}
						pane.Update(env, rect, in, p, EmptyState{}, Offers{})
					}
				}
				pane.Update(env, rect, middle(pane.ways.copies[at].rect), p, EmptyState{}, Offers{})
				for _, line := range s.lines {
					wide := env.Atlas.Measure(draw.Mono, line)
					testkit.That(t, wide <= wayWide-2*wayPad, "%q is cut: it is %v px wide", line, wide)
				}
				want := s.copied()
				testkit.That(t, p.copied == want, "%v: %s copies %q, want %q", size, all[i].name, p.copied, want)
				at++
			}
		}
		pane.Update(env, rect, middle(pane.action.rect), p, EmptyState{}, Offers{})
		testkit.That(t, p.played == 1, "%v: the demo plays %d times", size, p.played)
	}
}

// What a game in Go is told to write is Go, of the package that there is.
func TestGoWay(t *testing.T) {
	steps := goWay("127.0.0.1", "5185").steps
	_, err := os.Stat(filepath.Join("..", strings.TrimPrefix(clientPackage, "framescope/")))
	testkit.That(t, err == nil, "%v", err)
	get := steps[0].lines
	testkit.That(t, get[len(get)-1] == "go get "+clientPackage, "%q", get)
	for _, host := range []string{"127.0.0.1", "10.0.0.5"} {
		lines := goWay(host, "5199").steps[1].lines
		text := "package game\n" + lines[0] + "\nfunc f() {\n" + strings.Join(lines[1:], "\n") + "\n}\n"
		_, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		testkit.That(t, err == nil, "%v in\n%s", err, text)
	}
}

// Each address where programs are awaited is told, with why one is not listened on.
func TestDoorsAreTold(t *testing.T) {
	b := block{}
	theme := assets.Dark()
	b.doors(&theme, &Listening{Problem: "localhost:1 is taken", Doors: [MaxDoors]Door{
		{For: "told above", Problem: "localhost:1 is taken"}, {For: "a", Address: "127.0.0.1:2"},
		{For: "b", Problem: "localhost:3 is taken"}, {For: "c", Flag: "--listen"},
	}})
	want := []string{"a: listening on 127.0.0.1:2", "b: not listening, localhost:3 is taken",
		"c: not listening, started without --listen"}
	for i, x := range b.lines {
		testkit.That(t, len(b.lines) == len(want) && x.text == want[i] && x.mark.A != 0, "line %d: %q", i, x.text)
	}
}

// In a window of 1280×720 every way to connect can be read at once, and recordings of each kind
// that was kept beside them; what is offered takes no room from them, and they none that nothing needs.
func TestAllWaysAreInSight(t *testing.T) {
	for _, files := range [][]FileRow{nil, someFiles(), slices.Repeat(someFiles(), 2)} {
		for _, size := range [][2]float32{{1280, 566}, {1366, 614}, {1920, 926}} {
			env, pane, of := testEnv(nil), &Empty{}, Offers{Choose: func() {}, Files: files}
			if files != nil {
				of.Rows = someOnDisk()
			}
			pane.Update(env, draw.Rect{X1: size[0], Y1: size[1]}, &panel.Input{X: -1, Y: -1}, &program{}, EmptyState{}, of)
			w := &pane.ways
			testkit.That(t, w.high <= w.room.H() && !w.room.Empty(),
				"%v, %d files: %v px high in %v", size, len(files), w.high, w.room)
			steps := 0
			for _, x := range waysTo("127.0.0.1", "5185") {
				steps += len(x.steps)
			}
			testkit.That(t, len(w.copies) == steps, "%v: %d steps, want %d", size, len(w.copies), steps)
			o := &pane.offers
			testkit.That(t, !o.open.rect.Empty() && (len(files) <= 0 || !o.files[1].Empty() && !o.rows[0].Empty()),
				"%v: recordings are missing", size)
		}
	}
}

// What the card of profile_lib copies are the lines of docs/sources/profile-lib.md, which are compiled by a test.
func TestProfileLibLinesAreThoseOfTheReadme(t *testing.T) {
	text := testkit.Must(os.ReadFile("../docs/sources/profile-lib.md"))(t)
	testkit.That(t, strings.Contains(strings.ReplaceAll(string(text), "\r", ""), "```c\n"+profileLibCode+"```"),
		"docs/sources/profile-lib.md has other lines")
	for _, w := range waysTo("localhost", "5185") {
		for _, s := range w.steps {
			testkit.That(t, s.copied() != "" && !strings.Contains(s.copied(), "…"),
				"%s, %s: copies %q", w.name, s.says, s.copied())
		}
	}
}

// legibleStates are the panels around the charts, in the states that they can be in.
func legibleStates() map[string]func() panel.Panel {
	live := testSession(3)
	live.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2"})
	listen := Listening{
		Problem: "localhost:5185 is taken by game (process 12)", Short: "taken by game",
		Remedy: "Close it, or listen elsewhere with --listen HOST:PORT.",
	}
	rows := []SessionRow{
		{Session: live, Active: true, Live: true, Recording: "/tmp/x.pstats", Recorded: 123 << 20, State: "following a file"},
		{Session: testSession(3), Title: "the hitch near the gate, which has a long name", OnDisk: "interrupted"},
		{Session: live, Name: "10.0.0.7:40112", Live: true, Silence: Silence{Ns: 25e9, Nothing: true, Overdue: true}},
		{Session: testSession(4), Problem: "offset 12 345: a frame is longer than the file"},
		{Session: live, Live: true, Unrecorded: "since 12:03 the disk is full", Why: "disk full: /tmp/x.pstats"},
		{Session: live, Name: "/captures/big.pstats", Feed: feed.Stats{Done: 40, Total: 100}},
		{Session: live, Live: true, Deleted: "on disk it lacks 100 frames that another program has deleted"},
	}
	of := map[string]func() panel.Panel{
		"sessions":         func() panel.Panel { return &Sessions{Program: &program{rows: rows}} },
		"sessions, none":   func() panel.Panel { return &Sessions{Program: &program{}} },
		"sessions, silent": func() panel.Panel { return &Sessions{Program: &program{rows: rows, silent: 1, nonsense: 2}} },
		"sessions, closed": func() panel.Panel { return &Sessions{Program: &program{rows: rows, closed: listen}} },
		"disk":             func() panel.Panel { return NewDisk(&disk{rows: someOnDisk(), limit: 20 << 30, left: 3}) },
		"disk, empty":      func() panel.Panel { return NewDisk(&disk{limit: 20 << 30}) },
		"disk, off":        func() panel.Panel { return NewDisk(&disk{}) },
		"jvm":              func() panel.Panel { return jvmList(func(string) {}) },
		"question": func() panel.Panel {
			refuse := func(string) string { return "“http” is no port: write HOST:PORT, such as localhost:3333" }
			p := agentQuestion(refuse, func(string) {})
			p.Field.SetText("box:http")
			p.Enter()
			return p
		},
		"palette": func() panel.Panel {
			p := &Palette{Name: "Go to", Close: func() {}, Items: legibleItems()}
			p.Field.SetText("sess")
			return p
		},
		"palette, all": func() panel.Panel { return &Palette{Name: "Go to", Close: func() {}, Items: legibleItems()} },
		"palette, none": func() panel.Panel {
			return &Palette{Empty: []string{
				"No JVM of yours is running on this machine", "JVMs of other users are visible to them only.",
			}}
		},
		"search": func() panel.Panel {
			f := &TextField{}
			f.SetText("se")
			return &Palette{Outer: f, Close: func() {}, Items: legibleItems()}
		},
		"filter":  func() panel.Panel { return &Filter{} },
		"metrics": func() panel.Panel { return New(func() Costs { return Costs{} }) },
	}
	offers := Offers{
		Rows:  append(someOnDisk(), DiskRow{ID: "5", Name: "a name that is much too long for its place in the list"}),
		Files: someFiles(), Choose: func() {},
	}
	empty := func(name string, s EmptyState, p *program, o Offers) {
		of["empty, "+name] = func() panel.Panel { return &emptyPanel{state: s, program: p, offers: o} }
	}
	empty("waiting", EmptyState{}, &program{}, Offers{})
	empty("offers", EmptyState{}, &program{}, offers)
	empty("closed", EmptyState{}, &program{closed: listen}, offers)
	empty("demo", EmptyState{Demo: true}, &program{}, Offers{})
	problem := "it is a picture, and no recording of any kind that is known here"
	empty("problem", EmptyState{Session: "x.pstats", Problem: problem}, &program{}, Offers{})
	empty("loading", EmptyState{Session: "x.pstats", Loading: true}, &program{}, Offers{})
	empty("ended", EmptyState{Session: "game", Ended: true}, &program{}, Offers{})
	empty("silent", EmptyState{
		Session: "x", Followed: "following /tmp/a.log", Silence: Silence{Ns: 25e9, Nothing: true, Overdue: true},
		Advice: strings.Repeat("what may be wrong ", 20),
	}, &program{}, Offers{})
	return of
}

// legibleItems are commands, with everything that an item can have.
func legibleItems() (out []PaletteItem) {
	on := func() bool { return true }
	for _, name := range []string{
		"Open a recording", "Save the session", "Sessions on disk",
		"A command with a name that is longer than it should be, for a session",
	} {
		out = append(out,
			PaletteItem{Name: name, Key: "Ctrl+Shift+O"},
			PaletteItem{Name: name + " again", Group: "Commands", Note: "as it was when it was saved last", Key: "Ctrl+O"},
			PaletteItem{Name: name + " in red", Group: "Collectors", Swatch: draw.RGB(200, 0, 0), Note: "Frame:App:Session"},
			PaletteItem{Name: name + " on", Group: "Settings", On: on})
	}
	return out
}

// legibleMenu is a menu with every kind of item.
func legibleMenu() *Menu {
	return &Menu{Name: "Settings", Close: func() {}, Items: []MenuItem{
		{Label: "Show tooltips", On: true}, {Label: "Off", Off: true},
		{Label: "Larger (now 100 %)", Key: "Ctrl++", Line: true},
		{Label: "A thing", Swatch: draw.RGB(0, 200, 0)},
		{Label: strings.Repeat("a label that is long ", 6), Key: "Ctrl+Shift+Alt+F12"},
	}}
}

// emptyPanel is the empty window as a panel.
type emptyPanel struct {
	Empty
	state   EmptyState
	program *program
	offers  Offers
}

func (p *emptyPanel) Title(*panel.Env) string { return "" }
func (p *emptyPanel) Mode(*panel.Env) string  { return "" }
func (p *emptyPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	p.Empty.Update(env, rect, in, p.program, p.state, p.offers)
	return panel.Action{}
}
func (p *emptyPanel) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// The panels around the charts are legible in every state and theme, at six sizes and three scales, and
// with the mouse over any of their rows.
func TestPanelsAreLegible(t *testing.T) {
	var g chartstest.Legibility
	s := testSession(3)
	g.Everywhere(s, legibleStates())
	for name, theme := range chartstest.LegibleThemes() {
		for _, scale := range chartstest.LegibleScales {
			rig := chartstest.NewRig(s, scale, 1, 1)
			w, h := legibleMenu().Size(rig.Env)
			g.OfSize(s, "menu", name, theme, scale, w/scale, h/scale, legibleMenu())
		}
	}
	g.Report(t)
}

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
	p.Field.SetText(p.typed)
	p.list = p.Picture(env, rect, bar, area, []KeyHelp{
		{ID: "upper", Title: "Upper", Does: "What each thread did when."},
		{ID: "lower", Title: "Lower", Does: "Who ran inside whom, summed over the range."},
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
