package widgets

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

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
