package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/strip"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/widgets"
)

// pianoLabel returns what a right click on the label of a collector's row in a piano roll asks for.
func pianoLabel(t *testing.T, g *Game, c model.CollectorID) panel.Action {
	t.Helper()
	p, env, rect := strip.NewPiano(model.NoTrack), &g.stage.env, draw.Rect{X1: 900, Y1: 600}
	p.Update(env, rect, &panel.Input{X: -1, Y: -1})
	for y := float32(1); y < rect.Y1; y++ {
		if h := p.HitTest(env, 20, y); h.Kind != panel.HitCollector || h.Collector != c {
			continue
		}
		in := panel.Input{X: 20, Y: y, Over: true, Right: panel.Button{Down: true, Pressed: true, DownX: 20, DownY: y}}
		if a := p.Update(env, rect, &in); a.Kind != panel.ActionNone {
			t.Errorf("the press of the right button does %d", a.Kind)
		}
		in.Right = panel.Button{Released: true, DownX: 20, DownY: y}
		a := p.Update(env, rect, &in)
		testkit.MustThat(t, a.Kind == panel.ActionMenu && a.Hit.Collector == c && a.X == 20 && a.Y == y,
			"a right click on the label of collector %d: %+v", c, a)
		in.Right.Dragging = true
		if a := p.Update(env, rect, &in); a.Kind != panel.ActionNone {
			t.Errorf("the end of a drag does %d", a.Kind)
		}
		return a
	}
	t.Fatalf("the piano roll has no row of collector %d", c)
	return panel.Action{}
}

// The menu of a row's label in the piano roll: its items, and what each of them does.
func TestMenuOfAPianoLabel(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no program takes what is copied: it is told
	g, v := openedView(t, "nested.pstats")
	s := v.Session()
	v.SelectFrames(10, 10)
	runs := s.PianoRuns(v.Track(), 10, nil)
	testkit.MustThat(t, len(runs) != 0, "nothing ran in the frame")
	c := runs[0].Collector
	name := s.Collector(c).FullName
	menu := func() []string {
		g.nav.openMenu(pianoLabel(t, g, c))
		defer g.ask.CloseMenu()
		m := g.ask.Menu()
		testkit.Equal(t, m.Name, name, "the menu is called “%s”, the row is of “%s”", m.Name, name)
		var labels []string
		for _, it := range m.Items {
			if it.Label == "" && len(it.Colors) > 0 {
				it.Label = "(colors)"
			}
			labels = append(labels, it.Label)
		}
		return labels
	}
	want := []string{
		"Open strip chart", "Open flame graph", "Callers", "Next occurrence", "Treat as waiting", "Treat as work", "Hide",
		"Copy the name", "(colors)", "Set budget…", "Fit the selection", "Fit everything", "Zoom to the selected range",
	}
	testkit.EqualSlices(t, menu(), want, "the menu has")
	press := func(label string) { t.Helper(); pressMenu(t, g, pianoLabel(t, g, c), label) }
	press("Open strip chart")
	p, ok := g.desk.Focused().Panel.(*strip.Chart)
	testkit.That(t, ok && p.Focus == c, "no strip chart of collector %d was opened: %+v", c, g.desk.Focused())
	press("Open flame graph")
	if p, ok := g.desk.Focused().Panel.(*flame.Graph); !ok || p.Focus != c {
		t.Errorf("no flame graph of collector %d was opened: %+v", c, g.desk.Focused())
	}

	press("Callers")
	testkit.That(t, g.nav.panels[callTree].(*calls.Tree).BottomUp && g.desk.Find(callTree) != nil && v.Collector() == c,
		"the callers of collector %d are not shown, %d is chosen", c, v.Collector())
	before := v.Playhead()
	press("Next occurrence")
	oneTruth(t, g, "the occurrence after a label")
	testkit.That(t, v.Collector() == c && v.Playhead() > before,
		"collector %d is selected at %d, it was at %d", v.Collector(), v.Playhead(), before)

	for _, x := range []struct {
		label string
		said  model.Voice
		waits bool
	}{
		{"Treat as waiting", model.SaysWait, true},
		{"Treat as work", model.SaysWork, false},
		{"Decide by itself", model.SaysNothing, false},
	} {
		causes := v.Causes().Revision()
		press(x.label)
		kept := g.settings.Treated[s.Info().Program]
		testkit.That(t, s.Collector(c).Waits == x.waits && kept.Voice(s.Collector(c)) == x.said && v.Causes().Revision() != causes,
			"%s: it waits: %v, kept is %+v, causes are as of %d", x.label, s.Collector(c).Waits, kept, causes)
	}

	press("Hide")
	testkit.That(t, v.Look().Hidden(c), "it is not hidden")
	press("Show")
	testkit.That(t, !v.Look().Hidden(c), "it is not shown again")

	clip := t.TempDir() // a clipboard, also where there is none
	testkit.NoErr(t, os.WriteFile(filepath.Join(clip, "wl-copy"), []byte("#!/bin/sh\n"), 0o755))
	t.Setenv("PATH", clip+string(filepath.ListSeparator)+os.Getenv("PATH"))
	press("Copy the name")
	testkit.WaitUntil(t, "what was copied", func() bool {
		takeIn(g)
		shown := g.ask.Notices.Shown()
		return len(shown) > 0 && strings.Contains(shown[len(shown)-1].Text, name)
	})

	g.nav.openMenu(pianoLabel(t, g, c))
	items := g.ask.Menu().Items
	i := slices.IndexFunc(items, func(it widgets.MenuItem) bool { return len(it.Colors) > 0 })
	items[i].Pick(items[i].Colors[3])
	g.ask.CloseMenu()
	testkit.That(t, v.Look().HasColor(name), "it has no color of the user's")
	press("Reset its color")
	testkit.That(t, !v.Look().HasColor(name), "it still has a color of the user's")

	press("Fit everything")
	all := v.Time()
	v.SelectFrames(20, 22)
	press("Zoom to the selected range")
	if w := v.Time(); w.EndNs-w.BeginNs >= all.EndNs-all.BeginNs {
		t.Errorf("the range is [%v, %v], all of it [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
	press("Fit everything")
	if w := v.Time(); w.EndNs-w.BeginNs != all.EndNs-all.BeginNs {
		t.Errorf("everything is [%v, %v], it was [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
	press("Fit the selection")
	if w := v.Time(); w.EndNs-w.BeginNs >= all.EndNs-all.BeginNs {
		t.Errorf("the selection is [%v, %v], all of it [%v, %v]", w.BeginNs, w.EndNs, all.BeginNs, all.EndNs)
	}
}

// TestMenuMakesFrames: the menu of a span makes frames of the calls of its name, and gives back those that are found.
func TestMenuMakesFrames(t *testing.T) {
	g := openedGame(t, "../spall/game-v3.spall")
	found := g.View().Shown().NumFrames()
	for _, c := range []struct {
		label string
		n     int
	}{{"Use its calls as frames", 60}, {"Detect frames automatically", found}, {"No frames", 0}} {
		was := g.View().Session()
		bar, ok := spanOf(g, "physics")
		testkit.MustThat(t, ok, "nothing is called physics")
		hit := panel.Hit{Kind: panel.HitSpan, Bar: bar, Collector: bar.Collector}
		pressMenu(t, g, panel.Action{Hit: hit, Track: was.MainTrack()}, c.label)
		testkit.WaitUntil(t, "the recording with other frames", func() bool {
			takeIn(g)
			return g.View().Session() != was && len(g.ss.Sessions()) == 1
		})
		settleGame(t, g)
		s := g.View().Session()
		testkit.Equal(t, s.Track(s.MainTrack()).NumFrames(), c.n, "%s: frames", c.label)
	}
}

// spanOf returns the first span of a name on the main thread.
func spanOf(g *Game, name string) (b spans.Bar, ok bool) {
	s := g.View().Session()
	for c := range s.Collectors().Len() {
		if s.Collector(model.CollectorID(c)).Name == name {
			return s.Spans().Next(s.MainTrack(), model.CollectorID(c), math.MinInt64, 1)
		}
	}
	return b, false
}

// passing counts the messages that pass the filter.
func passing(v *view.View) int {
	f := v.Look().MessageFilter()
	q := f.Query()
	if f.OnlyTrack {
		q.Tracks = []model.TrackID{f.Track}
	}
	_, n := v.Session().Messages().Find(q, nil)
	return n
}

// Each switch of the list says how many messages there are of its kind, lets these through, and
// takes that back; what is typed becomes the text.
func TestMessageFilters(t *testing.T) {
	g, v := openedView(t, "../gsttrace/mixed-debug.log.gz")
	all := passing(v)
	g.nav.act(panel.Action{Kind: panel.ActionFilterMessages, Hit: panel.Hit{Rect: draw.Rect{X0: 600, Y0: 600, X1: 640, Y1: 620}}})
	p := g.ask.Dialog()
	testkit.MustThat(t, p != nil && all != 0, "no list of what %d messages are filtered by", all)
	groups := map[string]int{}
	for i := range p.Items {
		it := &p.Items[i]
		groups[it.Group]++
		if it.Name == "All" {
			continue
		}
		it.Run()
		f := v.Look().MessageFilter()
		n := passing(v)
		if f.HasLeast { // the level, and graver ones
			q := f.Query()
			q.MinSeverity++
			_, graver := v.Session().Messages().Find(q, nil)
			n -= graver
		}
		testkit.That(t, n != 0 && countText(n) == it.Key && it.On() && it.Keep,
			"%s %s: %d messages pass, it says %s", it.Group, it.Name, n, it.Key)
		it.Run()
		testkit.That(t, f.All() || !it.On() && passing(v) == all, "%s %s is not taken back", it.Group, it.Name)
	}
	testkit.That(t, groups["Level"] >= 2 && groups["Category"] >= 2 && groups["Thread"] >= 1,
		"groups of switches: %v", groups)
	p.Field.SetText("caps")
	testkit.MustThat(t, p.Chosen().Run != nil, "nothing stands for what is typed")
	p.Enter()
	if f := v.Look().MessageFilter(); f.Text != "caps" || passing(v) == 0 || passing(v) == all || g.ask.Dialog() != nil {
		t.Errorf("filter %+v, %d of %d pass", f, passing(v), all)
	}
	// What comes later, and what is looked for elsewhere, leaves it as it is.
	g.find.lastKey.defs++
	g.find.update()
	f := v.Look().MessageFilter()
	testkit.That(t, f.Text == "caps", "new definitions make it %+v", f)
}

func countText(n int) string { return string(format.AppendCount(nil, int64(n))) }

// A row of a table can be copied, and looked for.
func TestMenuOfCells(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	only, all := false, false
	a := panel.Action{Kind: panel.ActionMenu, Hit: panel.NoHit(), Cells: panel.Cells{
		Row: "App\t1.00", Cell: "App", Name: true, Only: func() { only = true }, All: func() { all = true },
	}}
	pressMenu(t, g, a, "Only rows with “App”")
	pressMenu(t, g, a, "Show all rows")
	g.nav.openMenu(a)
	has := func(label string) bool {
		return slices.ContainsFunc(g.ask.Menu().Items, func(it widgets.MenuItem) bool { return it.Label == label })
	}
	testkit.That(t, only && all && has("Copy “App”") && has("Copy the row") && !has("Find “App” in all panels"),
		"done: %v %v, the menu: %+v", only, all, g.ask.Menu().Items)
	a.Cells.Only, a.Cells.All = nil, nil
	pressMenu(t, g, a, "Find “App” in all panels")
	if g.find.update(); g.find.field.Text() != "App" || len(g.find.found) == 0 {
		t.Errorf("“%s” finds %d", g.find.field.Text(), len(g.find.found))
	}
}

// TestHelp: whatever the size of the window, the help is whole: nothing of it is cut or lies over
// another part, and what has no room is found by its words.
func TestHelp(t *testing.T) {
	inOneGoroutine(t)
	for _, name := range []string{"nested.pstats", "../gsttrace/leaks-refs.log"} {
		g := openedGame(t, name)
		g.openHelp()
		for _, s := range []struct {
			w, h  int
			scale float64
		}{{1280, 720, 1}, {1366, 768, 1}, {1920, 1080, 1}, {2560, 1440, 2}, {1280, 800, 2}, {1920, 1080, 1.75}} {
			g.settings.Scale = s.scale
			g.stage.width, g.stage.height = s.w, s.h
			p := photographer{g: g}
			testkit.NoErr(t, p.waitForRest())
			look := func(typed string) string {
				g.help.Field.SetText(typed)
				g.help.Redraw()
				l := g.helpPicture()
				var words strings.Builder
				var seen letters
				seen.list(l)
				testkit.Equal(t, seen.first, "", "%s at %v, %q", name, s, typed)
				window := g.stage.window()
				for _, x := range l.Texts() {
					c := x.Box.Intersect(x.Clip.Intersect(window))
					scrolls := x.Clip.H() < window.H() // TestAllOfPopupsIsReachable asks for that
					testkit.That(t, (scrolls || c.W() >= x.Box.W()-2 && c.H() >= x.Box.H()-1) && !strings.HasSuffix(x.Text, "…"),
						"%s at %v, %q: %q is cut", name, s, typed, x.Text)
					words.WriteString(x.Text + " ")
				}
				return words.String()
			}
			all := look("")
			testkit.That(t, strings.Contains(all, "Mouse"), "%s at %v: %s", name, s, all)
			for _, group := range g.help.Groups {
				for _, r := range group.Rows {
					found := look(r.Does)
					testkit.That(t, strings.Contains(found, r.Key), "%s at %v: %q finds %s, not %s", name, s, r.Does, found, r.Key)
				}
			}
		}
	}
}

// TestKeysOf: each of the commands that sections name is there.
func TestKeysOf(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for id, keys := range keysOf {
		for _, k := range keys {
			testkit.That(t, g.help.does[id] != "" && g.commands.Key(k) != "", "no panel %s, or no key of %s", id, k)
		}
	}
}

// TestHelpHasSections: each panel in sight has a section with its keys.
func TestHelpHasSections(t *testing.T) {
	g := openedGame(t, "late.pstats")
	g.stage.width, g.stage.height = 1920, 1080
	p := photographer{g: g}
	testkit.NoErr(t, p.waitForRest())
	g.openHelp()
	var texts []string
	for _, x := range g.helpPicture().Texts() {
		texts = append(texts, x.Text)
	}
	before := ""
	for _, want := range []string{"Mouse", "Timeline", "1", "Zoom time at the mouse", "Flame graph", "To the caller", "Strip chart", "4", "Program"} {
		i := slices.Index(texts, want)
		testkit.MustThat(t, i >= 0, "%q comes not after %q in %q", want, before, texts)
		before, texts = want, texts[i+1:]
	}
}

const oneKey = `F[0-9]+|PgUp|PgDn|Space|Home|End|Enter|Esc|Backspace|[][A-Z0-9,./?←→↑↓+-]`

const oneChord = `(?:(?:Ctrl|Shift|Alt)\+)*(?:` + oneKey + `)`

var (
	// chordText finds keys in prose: with a modifier, function keys, or marked as a key.
	chordText = regexp.MustCompile("(?:(?:Ctrl|Shift|Alt)\\+)+(?:" + oneKey + ")|\\bF[0-9]{1,2}\\b|`[A-Z]`")
	// keyCell finds the cells of a table of keys, after those of the mouse.
	keyCell = regexp.MustCompile(`(?m)\| (` + oneChord + `(?:(?:, | )` + oneChord + `)*) \| [^|]+ \|$`)
	arrowOf = strings.NewReplacer("←", "Left", "→", "Right", "↑", "Up", "↓", "Down", "`", "")
)

// keysIn returns the keys that a text names, in its order.
func keysIn(text string) (keys []string) {
	for _, cell := range keyCell.FindAllStringSubmatch(text, -1) {
		keys = append(keys, strings.FieldsFunc(cell[1], func(r rune) bool { return r == ' ' || r == ',' })...)
	}
	return append(keys, chordText.FindAllString(keyCell.ReplaceAllString(text, ""), -1)...)
}

// Each key that README, change log and docs name is that of the command of which they say so.
func TestKeysOfTheManual(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	named := map[string]int{}
	for _, row := range testkit.Rows("testdata/manual.txt") {
		file, words, commands := row[0], row[1], strings.Fields(row[2])
		data := testkit.Must(os.ReadFile(filepath.Join("..", file)))(t)
		text := strings.Join(strings.Fields(string(data)), " ") // lines break anywhere
		testkit.That(t, strings.Contains(text, words), "%s no longer says %q", file, words)
		keys := keysIn(words)
		if len(keys) != len(commands) {
			t.Errorf("%q names the keys %q, want those of %q", words, keys, commands)
			continue
		}
		for i, key := range keys {
			named[file+" "+key]++
			testkit.That(t, hasKey(g, commands[i], key),
				"%s says %q: %s is no key of %s", file, words, key, commands[i])
		}
	}
	walk(t, ".md", func(path string, data []byte) {
		if dir := filepath.Dir(path); dir != "." && dir != "docs" && dir != "docs/sources" { // of protocols, files, other viewers
			return
		}
		for _, key := range keysIn(string(data)) {
			named[path+" "+key]--
			testkit.That(t, named[path+" "+key] >= 0, "%s names %s, and no test says what for", path, key)
		}
	})
	for key, n := range named {
		testkit.That(t, n <= 0, "%s is expected %d times more", key, n)
	}
}

// A key that the window names in a sentence is one of a command.
func TestKeysOfTheWindow(t *testing.T) {
	inOneGoroutine(t)
	t.Parallel() // while TestSilentLog waits
	g := newTestGame(t, sessions.Options{})
	found := 0
	walk(t, ".go", func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") || !chordText.Match(data) {
			return
		}
		file := testkit.Must(parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution))(t)
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			words, err := strconv.Unquote(lit.Value)
			if err != nil || !strings.Contains(words, " ") {
				return true
			}
			for _, key := range chordText.FindAllString(words, -1) {
				found++
				if path == "widgets/disk.go" && key == "F2" { // the list's own
					continue
				}
				testkit.That(t, slices.ContainsFunc(g.commands.All(), func(c input.Command) bool { return hasKey(g, c.ID, key) }),
					"%s says %q, and %s is no key", path, words, key)
			}
			return true
		})
	})
	testkit.That(t, found >= 8, "only %d sentences with keys were found", found)
}

// hasKey tells whether a key, as people read it, is one of a command's.
func hasKey(g *Game, id, key string) bool {
	chord := input.ParseChord(arrowOf.Replace(key))
	for _, c := range g.commands.All() {
		if c.ID == id {
			return slices.ContainsFunc(c.Keys, func(k string) bool { return input.ParseChord(k) == chord })
		}
	}
	return false
}

// walk reads the project's files of a kind, by their path in it.
func walk(t *testing.T, ext string, file func(path string, data []byte)) {
	t.Helper()
	testkit.NoErr(t, fs.WalkDir(os.DirFS(".."), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || e.Name() == "shared"):
			return fs.SkipDir
		case e.IsDir() || filepath.Ext(path) != ext:
			return nil
		}
		data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path)))
		if err == nil {
			file(path, data)
		}
		return err
	}))
}

// The item of a menu that hides has a key where the key hides the same: the collector of a span, not the thread
// whose head is under the mouse.
func TestKeyOfHide(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	for _, onHead := range []bool{false, true} {
		hit := panel.NoHit()
		hit.Kind, hit.Collector = panel.HitSpan, 2
		if onHead {
			hit.Kind, hit.Track = panel.HitLabel, 0
		}
		m := thingMenu{n: &g.nav, v: v, hit: &hit}
		m.collector(2)
		key := ""
		for _, it := range m.Items {
			if it.Label == "Hide" {
				key = it.Key
			}
		}
		g.under = under{hit: hit, some: true}
		g.nav.hideThing()
		testkit.That(t, v.Look().Hidden(2) == (key != "") && (key != "") == !onHead,
			"on a head %v: the key %q, hidden %v", onHead, key, v.Look().Hidden(2))
		v.Look().ShowAll()
	}
}

// hostilePaths are names of files that a shell, or a program with flags, would misread.
var hostilePaths = []string{"--flag", "-x.cpp", "a b\"$(touch c)'.cpp", "x\ny.cpp", "\x1b[31m.cpp", "{line}.cpp", "a;b&c|d.cpp"}

// TestStartEditor: the editor is given the path and the line as they are, each in its argument.
func TestStartEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a shell script")
	}
	dir := t.TempDir()
	script, out := filepath.Join(dir, "editor"), filepath.Join(dir, "out")
	text := "#!/bin/sh\nprintf '<%s>' \"$@\" > \"" + out + ".part\"\nmv \"" + out + ".part\" \"" + out + "\"\n"
	testkit.NoErr(t, os.WriteFile(script, []byte(text), 0o700))
	for _, name := range hostilePaths {
		path := filepath.Join(dir, name)
		testkit.NoErr(t, os.WriteFile(path, nil, 0o600))
		found, ok := locateSource(name, []string{dir})
		testkit.That(t, ok && found == path, "%q is found at %q", name, found)
		testkit.NoErr(t, startEditor([]string{script, "--goto", "{file}:{line}", "+{line}"}, found, 0))
		var got []byte
		testkit.WaitUntil(t, "the editor", func() (ok bool) { got, _ = os.ReadFile(out); return len(got) > 0 })
		testkit.Equal(t, string(got), "<--goto><"+path+":1><+1>", "arguments for %q", name)
		testkit.NoErr(t, os.Remove(out))
	}
	testkit.Fails(t, startEditor([]string{filepath.Join(dir, "none")}, dir, 1), "can't be started")
	testkit.Fails(t, startEditor(nil, dir, 1), "no editor")
}

// TestLocateSource: the longest end of a path counts, in the order of the folders, and nothing beside them is found.
func TestLocateSource(t *testing.T) {
	dir := t.TempDir()
	at := func(path string) string { return filepath.Join(dir, filepath.FromSlash(path)) }
	for _, path := range []string{"a/main.c", "b/main.c", "b/src/main.c", "secret.c", "b/only.c"} {
		testkit.NoErr(t, os.MkdirAll(filepath.Dir(at(path)), 0o700))
		testkit.NoErr(t, os.WriteFile(at(path), nil, 0o600))
	}
	folders := []string{at("a"), at("b")}
	for file, want := range map[string]string{
		"/build/ci/src/main.c": "b/src/main.c", `C:\build\src\main.c`: "b/src/main.c", "main.c": "a/main.c", "x/only.c": "b/only.c",
		"../secret.c": "", "x/../../secret.c": "", "src": "", "": "", "none.c": "", "/": "", "//" + at("secret.c"): "",
		at("secret.c"): "secret.c", "file://" + filepath.ToSlash(at("secret.c")): "secret.c",
	} {
		if want != "" {
			want = at(want)
		}
		got, ok := locateSource(file, folders)
		testkit.That(t, got == want && ok == (want != ""), "%q is at %q, %t, want %q", file, got, ok, want)
	}
}

// TestFoundEditor: the editor that the user names is preferred, if it is one that has a window.
func TestFoundEditor(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("EDITOR", "vi")
	for _, x := range []struct{ installed, visual, want string }{
		{"subl", "", "subl"}, {"code", "", "code"}, {"vi", "", "code"}, {"kate", "/usr/bin/kate --block", "kate"}, {"", "emacs -nw", "code"},
	} {
		if x.installed != "" {
			testkit.NoErr(t, os.WriteFile(filepath.Join(dir, x.installed), []byte("#!/bin/sh\n"), 0o700))
		}
		t.Setenv("VISUAL", x.visual)
		got := strings.Join(foundEditor(), " ")
		testkit.That(t, strings.HasPrefix(got, x.want+" "), "with VISUAL=%q: %q, want %s", x.visual, got, x.want)
	}
}
