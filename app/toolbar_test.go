package app

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model/store"
	"framescope/net/pstats/decode"
	"framescope/widgets"
)

// newBar returns a bar at a scale, and what it shows of a session, nil: of none.
func newBar(s *store.Session, scale float64) (*Toolbar, Shown) {
	env := chartstest.NewEnv(s, scale)
	b := &Toolbar{
		Env: env, Mouse: &input.Mouse{}, Covered: func() bool { return false }, Key: func(string) string { return "" },
	}
	shown := Shown{View: env.View}
	for _, name := range []string{"Frames", "Memory", "Threads", "My own"} {
		shown.Spaces = append(shown.Spaces, Space{Name: name, Command: "workspace." + name, Own: name == "My own"})
	}
	return b, shown
}

// troubled is what is said when much went wrong.
var troubled = sessions.Status{
	Live: true, Recording: true, Recordable: true, Keeps: true, Unrecorded: true,
	Record: "12 345 678 of 98 765 432 missing, not kept", AtEnd: "12 345 678 of 98 765 432 missing, not kept",
	Silence: widgets.Silence{Nothing: true},
}

// The bar's things never overlap, and what can be clicked stays in the window, at every width down to
// the least that a window can have.
func TestFits(t *testing.T) {
	for _, scale := range []float64{0.8, 1, 1.5, 2, 2.5} {
		b, shown := newBar(nil, scale)
		if scale == 1.5 { // a chip that is longer than the bar is cut, and never leaves
			shown.View, shown.Status = chartstest.NewEnv(chartstest.HolesSession(), scale).View, troubled
			shown.View.Follow(true)
			shown.Status.AtEnd = strings.Repeat(shown.Status.AtEnd, 5)
		}
		for w := 640; w <= 2600; w += 70 {
			rect := draw.Rect{X1: float32(float64(w) * max(1, scale)), Y1: b.Env.Px(ToolbarHeight)}
			b.Place(rect, shown)
			end := rect.X0
			for _, it := range b.Items() {
				testkit.MustThat(t, it.Rect.X0 >= end,
					"scale %v, width %v: %q begins at %v, before its neighbour ends at %v", scale, rect.W(), it.Label, it.Rect.X0, end)
				end = it.Rect.X1
			}
			testkit.That(t, end <= rect.X1, "scale %v, width %v: the bar ends at %v", scale, rect.W(), end)
		}
	}
}

// What can be pressed is in the bar or, in a narrow one, in the list of its last button: at no width is
// anything out of reach, and where all has room there is no such button.
func TestNothingIsOutOfReach(t *testing.T) {
	for _, scale := range []float64{1, 1.5} {
		b, shown := newBar(chartstest.HolesSession(), scale)
		shown.Status = sessions.Status{Live: true, Recordable: true, Keeps: true}
		want := []string{"open", "save", "disk", "record", "search", "pause", "fit", "back", "forward", "help", "settings"}
		for _, s := range shown.Spaces {
			want = append(want, "workspace."+s.Name)
		}
		for width := float32(480); width <= 2400; width += 40 {
			b.Place(draw.Rect{X1: width * float32(scale), Y1: b.Env.Px(ToolbarHeight)}, shown)
			here, left := map[string]bool{}, b.Left()
			for _, it := range slices.Concat(b.Items(), left) {
				testkit.That(t, !here[it.ID], "%v px: %s is there twice", width, it.ID)
				if here[it.ID] = true; it.Command == "" && it.ID == "search" && slices.Contains(left, it) {
					t.Errorf("%v px: what opens the search?", width)
				}
			}
			for _, id := range want {
				testkit.That(t, here[id], "scale %v, %v px: %s is out of reach", scale, width, id)
			}
			testkit.Equal(t, here["more"], len(left) > 0,
				"scale %v, %v px: %d things have no room, a button for them", scale, width, len(left))
		}
	}
}

// While there is no session the bar leads to the clips, too.
func TestClipsOnTheStartScreen(t *testing.T) {
	for _, s := range []*store.Session{nil, chartstest.HolesSession()} {
		b, shown := newBar(s, 1)
		shown.Status = sessions.Status{Keeps: true}
		b.Place(draw.Rect{X1: 1600, Y1: ToolbarHeight}, shown)
		has := slices.ContainsFunc(b.Items(), func(it ToolbarItem) bool { return it.ID == "clips" && it.Command == "clips" })
		testkit.Equal(t, has, s == nil, "a session %v, the clips", s != nil)
	}
}

// However much a bar has to tell, Pause stays: things with less to lose leave before it.
func TestPauseStays(t *testing.T) {
	b, shown := newBar(chartstest.HolesSession(), 1)
	shown.Status = troubled
	for _, width := range []float32{700, 900, 1280, 1600} {
		b.Place(draw.Rect{X1: width, Y1: ToolbarHeight}, shown)
		seen := map[string]bool{}
		for _, it := range b.Items() {
			seen[it.ID] = true
		}
		testkit.That(t, seen["pause"], "a bar of %.0f px has %v", width, seen)
	}
}

// In a narrow bar what is recorded and what is missing are said in fewer words before anything else of
// them leaves, and the tooltip has all of it; a paused view says how far it is behind.
func TestStateStaysInNarrowBars(t *testing.T) {
	b, shown := newBar(chartstest.Load(t, decode.Source{}, recordings.PStats, "gaps.pstats"), 1)
	shown.View.Follow(true)
	shown.View.Follow(false)
	shown.Status = sessions.Status{Live: true, Recordable: true, Keeps: true, Recording: true, Record: "● rec 123.4 MiB", RecordTip: "to a file"}
	was := map[string]int{}
	for width := float32(2000); width >= 900; width -= 20 {
		b.Place(draw.Rect{X1: width, Y1: ToolbarHeight}, shown)
		tips, labels := map[string]string{}, map[string]string{}
		for _, it := range b.Items() {
			tips[it.ID], labels[it.ID] = it.Tip, it.Label
		}
		for id, whole := range map[string]string{"recorded": shown.Status.Record, "missing": " of ", "live": "behind live"} {
			testkit.MustThat(t, labels[id] != "" && strings.Contains(tips[id], whole),
				"a bar of %.0f px says %q of what is %s, its tooltip %q", width, labels[id], id, tips[id])
			if n := len(labels[id]); was[id] > 0 && n > was[id] {
				t.Errorf("a bar of %.0f px says %q", width, labels[id])
			} else {
				was[id] = n
			}
		}
		testkit.That(t, width != 1280 || labels["disk"] != "", "what is kept on disk is out of reach at 1280")
	}
	for id, n := range was {
		testkit.That(t, n <= len("Paused  99.9 s"), "what is %s is not shortened", id)
	}
}

// letters finds text that is painted over, by other text or by what else the same list has.
type letters struct {
	shown []draw.Rect // that nothing lies over
	on    []int       // lists
	lists int
	first string // the first place where there is text over text
}

// list takes what is painted next. A letter is a quad that is small and takes different parts of
// the atlas; what is all but opaque hides those below.
func (t *letters) list(l *draw.List) {
	if t.lists++; l == nil {
		return
	}
	for i := 0; i+6 <= len(l.Indices); i += 6 {
		k := l.Indices[i : i+6]
		if k[1] != k[0]+1 || k[2] != k[0]+2 || k[3] != k[0] || k[4] != k[2] || k[5] != k[0]+3 {
			continue
		}
		a, b := &l.Vertices[k[0]], &l.Vertices[k[2]]
		r := draw.Rect{X0: a.X, Y0: a.Y, X1: b.X, Y1: b.Y}
		switch {
		case a.U == b.U && min(a.A, b.A) > 0.85:
			t.hide(r)
		case a.U != b.U && r.W() <= 24 && r.H() <= 24:
			t.letter(r)
		}
	}
}

// hide takes away what an opaque rectangle covers: of other lists, which is what lies on top for.
func (t *letters) hide(r draw.Rect) {
	n := 0
	for i, s := range t.shown {
		c := s.Intersect(r)
		if t.on[i] == t.lists && t.first == "" && c.W() >= 3 && c.H() >= 3 {
			t.first = fmt.Sprintf("list %d covers what it wrote at %v by %v", t.lists, s, r)
		}
		if c.Empty() || c.W() < s.W()/2 || c.H() < s.H()/2 {
			t.shown[n], t.on[n] = s, t.on[i]
			n++
		}
	}
	t.shown, t.on = t.shown[:n], t.on[:n]
}

// letter adds one. Neighbours in a word touch, and sometimes share a column of pixels.
func (t *letters) letter(r draw.Rect) {
	for i, s := range t.shown {
		if t.first == "" && s.Y1-r.Y0 >= 3 && r.Y1-s.Y0 >= 3 && min(s.Intersect(r).W(), s.Intersect(r).H()) >= 3 {
			t.first = fmt.Sprintf("list %d writes at %v over what list %d wrote at %v", t.lists, r, t.on[i], s)
		}
	}
	t.shown, t.on = append(t.shown, r), append(t.on, t.lists)
}

// The page of settings takes values by mouse and keys, and values of the user's own.
func TestSettingsPage(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.settingsPage().open()
	page := g.desk.Find(paneSettings).Panel.(*widgets.Settings)
	value := func(name, label string) *widgets.SettingValue {
		for _, s := range g.settingsPage().all() {
			for k := range s.Values {
				if s.Name == name && s.Values[k].Label == label {
					return &s.Values[k]
				}
			}
		}
		t.Fatalf("%s has no value %q", name, label)
		return nil
	}

	testkit.NoErr(t, g.tickAt(-1, -1))
	env, in := &g.stage.env, &panel.Input{}
	page.Update(env, draw.Rect{X1: 700, Y1: 600}, in)
	for _, key := range []string{"down", "down", "up", "right", "enter"} { // the colors' second
		page.Key(env, key)
	}
	testkit.That(t, value("Colors", "Light").On && g.settings.Theme == "light", "keys chose %s", g.settings.Theme)

	value("Time for a frame", "Other…").Run()
	for text, want := range map[string]float64{"90 Hz": 1000.0 / 90, "12.5": 12.5, "7ms": 7} {
		testkit.Equal(t, g.ask.Dialog().Answer(text), "", text)
		testkit.Equal(t, g.settings.BudgetMs, want, text)
	}
	for _, text := range []string{"", "soon", "-3 ms", "0 Hz", "90 GHz", "NaN"} {
		testkit.That(t, g.ask.Dialog().Answer(text) != "" && g.settings.BudgetMs > 0, "%q gives %v ms", text, g.settings.BudgetMs)
	}
	value("Memory for sessions", "Other…").Run()
	testkit.Equal(t, g.ask.Dialog().Answer("3GiB"), "", "a size")
	testkit.That(t, value("Memory for sessions", "3 GiB").On, "a value of one's own is not listed")
}

// Every command has a name of its own, a heading in the help, and something to do; tool bar and
// menus name only commands that exist.
func TestCommandTable(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	names := map[string]bool{}
	for _, c := range g.commands.All() {
		testkit.That(t, !names[c.Name], "two commands are called %q", c.Name)
		names[c.Name] = true
		testkit.That(t, c.Run != nil && c.Group != "" && c.ID != "", "%q does nothing, or belongs nowhere", c.Name)
	}
	for _, id := range []string{"occurrence.next", "fit.selection", "fit.all", "zoom.range", "size.larger", "size.smaller"} {
		testkit.That(t, g.nav.keyOf(id) != "", "menus name %s, which has no key", id)
	}
	g.stage.begin()
	g.stage.env.View = g.View()
	g.stage.width, g.stage.height = 1280, 720
	top, _, _, _ := g.stage.regions()
	g.placeBar(top)
	for _, it := range g.bars.top.Items() {
		testkit.That(t, it.Command == "" || g.commands.Has(it.Command),
			"the tool bar's %q runs %q, which does not exist", it.Label, it.Command)
	}
}

// In a narrow window what has no room in the tool bar is in the menu of its last button, and done from
// there.
func TestMoreOfTheToolBar(t *testing.T) {
	for _, width := range []int{480, 640} {
		g := tradeGame(t, 0, width, 500)
		g.commands.Run("toolbar.more")
		rest(t, g, -1, -1)
		left := g.bars.top.Left()
		m := g.ask.Menu()
		testkit.MustThat(t, m != nil && len(left) != 0 && len(m.Items) == len(left),
			"%d px: %d things have no room, the menu is %+v", width, len(left), m)
		for i, it := range m.Items {
			testkit.That(t, it.Label != "" && g.commands.Has(left[i].Command),
				"%d px: %q runs %q", width, it.Label, left[i].Command)
		}
		i := slices.IndexFunc(left, func(it ToolbarItem) bool { return it.ID == "search" })
		if i < 0 {
			continue
		}
		m.Items[i].Run()
		testkit.That(t, g.ask.Dialog() != nil, "%d px: the search does not open", width)
	}
}

func TestTimesAndFrameNumbers(t *testing.T) {
	for text, want := range map[string]float64{"3.5s": 3.5, "250ms": 0.25, "1:02.5": 62.5, "1:00:01": 3601, "7.25": 7.25} {
		got, err := sessions.ParseTime(text)
		testkit.That(t, err == nil && got == want, "%s is %v (%v), want %v", text, got, err, want)
	}
	for _, text := range []string{"", "x", "-1s", "1:x", "1e30", "NaN", "Inf", "1:60", "5:10:5:15"} {
		got, err := sessions.ParseTime(text)
		testkit.That(t, err != nil, "%q was taken for the time %v", text, got)
	}
}

// A command that goes both ways is listed by the way that it goes now, and found by either.
func TestCommandsByState(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	name := func() string {
		for _, it := range commandThings(g.commands) {
			if it.Same == "Show or hide counters in the timeline" {
				return it.Name
			}
		}
		return ""
	}
	for range 2 {
		want := "Show counters in the timeline"
		if g.View().Look().CounterChoice() == view.CountersChanging {
			want = "Hide counters in the timeline"
		}
		testkit.That(t, name() == want, "it is called “%s”, not “%s”", name(), want)
		g.commands.Run("counters")
	}
}

// What is written in the tick in which a key opens a field belongs to the field, and is no command:
// the search, a question, and the help.
func TestFieldsTakeWhatFollowsTheirKey(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	strikes := func(text string, chords ...string) string {
		g.keys.Chords, g.keys.Chars = g.keys.Chords[:0], []rune(text)
		for _, c := range chords {
			g.keys.Chords = append(g.keys.Chords, input.ParseChord(c))
		}
		g.handleKeys()
		f := g.typedInto()
		testkit.MustThat(t, f != nil, "%q: no field has the keyboard", text)
		return f.Text()
	}
	before, tips := g.View().Stamp(), g.settings.Tooltips
	for _, c := range []struct {
		text, want string
		chords     []string
	}{
		{"/Titi", "Titi", []string{"/", "T", "I"}}, {"Titi", "Titi", []string{"Ctrl+F", "T", "I"}},
		{"g12", "12", []string{"G", "1", "2"}}, {"?tip", "tip", []string{"?", "T", "I", "P"}},
	} {
		testkit.Equal(t, strikes(c.text, c.chords...), c.want, "%q: the field has", c.text)
		testkit.That(t, g.View().Stamp() == before && g.settings.Tooltips == tips, "%q: a letter was a command", c.text)
		if g.help.open {
			g.help.close()
		} else {
			g.typedInto().SetText("")
			g.ask.Dialog().Close()
		}
	}
}

// What of the settings is not used, and where they are kept as they were, is said in the window and
// on standard error.
func TestDamagedSettingsAreSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	testkit.NoErr(t, os.WriteFile(path, []byte(`{"Theme": "light", "Width": "wide"}`), 0o600))
	out, in, err := os.Pipe()
	testkit.NoErr(t, err)
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = in
	g, err := NewGame(Options{Options: sessions.Options{Deterministic: true}, SettingsPath: path})
	in.Close()
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	said, _ := io.ReadAll(out)
	shown := g.ask.Notices.Shown()
	testkit.MustThat(t, g.settings.Theme == "light" && len(shown) == 1 && shown[0].Problem,
		"the theme is %v, shown is %+v", g.settings.Theme, shown)
	for _, text := range []string{string(said), shown[0].Text} {
		testkit.That(t, strings.Contains(text, `"Width"`) && strings.Contains(text, "settings.json.bad-") &&
			!strings.Contains(text, "Theme"), "it says %q", text)
	}
}

// What a key switches without a sign on screen says what holds now, once.
func TestSwitchesTellTheirState(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for command, want := range map[string][]string{
		"tooltips":     {"Tooltips off: T shows them", "Tooltips on"},
		"interpolated": {"Interpolated frames hidden: I shows them", "Interpolated frames shown"},
		"counters":     {"Counters in the timeline shown", "Counters in the timeline hidden"},
	} {
		var said []string
		for range want {
			for g.ask.Notices.Dismiss() {
			}
			g.commands.Run(command)
			for _, n := range g.ask.Notices.Shown() {
				said = append(said, n.Text)
			}
		}
		slices.Sort(said)
		slices.Sort(want)
		testkit.EqualSlices(t, said, want, "%s says", command)
	}
}

// The palette has no command that is of no use there, the help those with keys.
func TestPaletteAndHelp(t *testing.T) {
	table := testkit.Must(input.NewCommand([]input.Command{
		{ID: "a", Name: "Do A", Group: "G", Keys: []string{"Ctrl+Left", "X"}, Run: func() {}},
		{ID: "b", Name: "Do B", Group: "G", Shy: true, Run: func() {}},
	}))(t)
	items, help := commandThings(table), keyGroups(table)
	testkit.That(t, len(items) == 1 && items[0].Name == "Do A", "the palette has %v", items)
	testkit.That(t, len(help) == 1 && len(help[0].Rows) == 1 && help[0].Rows[0].Key == "Ctrl+←, X", "the help has %v", help)
}
