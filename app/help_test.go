package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
)

// TestHelp: whatever the size of the window, the help is whole: nothing of it is cut or lies over
// another part, and what has no room is found by its words.
func TestHelp(t *testing.T) {
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
			testkit.NoErr(t, p.settle())
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
			testkit.That(t, strings.Contains(all, "Everywhere"), "%s at %v: %s", name, s, all)
			for _, group := range g.help.Groups {
				for _, r := range group.Rows {
					if found := look(r.Does); !strings.Contains(found, r.Key) {
						t.Errorf("%s at %v: %q finds %s, not %s", name, s, r.Does, found, r.Key)
					}
				}
			}
		}
	}
}

// TestKeysOf: each of the commands that cards name is there.
func TestKeysOf(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for id, keys := range keysOf {
		for _, k := range keys {
			testkit.That(t, g.help.does[id] != "" && g.commands.Key(k) != "", "no panel %s, or no key of %s", id, k)
		}
	}
}

// TestHelpStandsOnPanels: panels in sight have cards with their keys, above them.
func TestHelpStandsOnPanels(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	g.stage.width, g.stage.height = 1920, 1080
	p := photographer{g: g}
	testkit.NoErr(t, p.settle())
	g.openHelp()
	at := map[string]draw.Rect{}
	for _, x := range g.helpPicture().Texts() {
		at[x.Text] = x.Box
	}
	for _, o := range g.observe().Panels {
		for id, texts := range map[string][]string{
			"flame":    {"Flame graph (2)", "to the caller"},
			"timeline": {"Timeline (1)", "zoom time at the mouse", "Everywhere"},
			"strip":    {"Strip chart (4)", "Open the chosen collector's children"},
		} {
			for _, text := range texts {
				r, ok := at[text]
				testkit.That(t, o.ID != id || ok && o.Rect.Contains(r.X0, r.Y0) && o.Rect.Contains(r.X1, r.Y1),
					"%q is at %v, %s at %v", text, r, id, o.Rect)
			}
		}
	}
}

// TestHelpShowsTheRest: a card that has no room for all of its rows shows them on a click on the row
// that says how many there are, and no other click opens anything.
func TestHelpShowsTheRest(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	followed := 0
	for _, size := range [][2]int{{1280, 720}, {1000, 640}, {900, 600}, {1280, 500}} {
		g.stage.width, g.stage.height = size[0], size[1]
		p := photographer{g: g}
		testkit.NoErr(t, p.settle())
		words := func() (out []string) {
			for _, x := range g.helpPicture().Texts() {
				out = append(out, x.Text)
			}
			return out
		}
		g.help.Redraw()
		g.openHelp()
		before, link := words(), ""
		for _, x := range g.helpPicture().Texts() {
			if strings.HasPrefix(x.Text, "Show ") && strings.HasSuffix(x.Text, " more") {
				link = x.Text
				g.mouse = input.Mouse{Inside: true, X: x.Box.X0 + 3, Y: (x.Box.Y0 + x.Box.Y1) / 2}
			}
		}
		if link == "" {
			g.help.close()
			continue
		}
		followed++
		g.mouse.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: g.mouse.X, DownY: g.mouse.Y}
		g.dismiss()
		testkit.MustThat(t, g.help.open, "%v: “%s” closes the help", size, link)
		more, after := 0, words()
		for _, w := range after {
			if !slices.Contains(before, w) {
				more++
			}
		}
		var left int
		if fmt.Sscanf(link, "Show %d more", &left); more < left || slices.Contains(after, link) {
			t.Errorf("%v: “%s” shows %d more: %q", size, link, more, after)
		}
		g.mouse = input.Mouse{Inside: true, X: 2, Y: float32(size[1] - 2)}
		g.mouse.Buttons[0] = panel.Button{Down: true, Pressed: true, DownX: 2, DownY: g.mouse.Y}
		g.dismiss()
		testkit.That(t, !g.help.open, "%v: a click elsewhere does not close it", size)
	}
	testkit.That(t, followed != 0, "every card has room for all of its rows")
}

// manual is what the project's texts say of keys: the words that do, and the command of each key in
// them.
var manual = []struct {
	file, words string
	commands    []string
}{
	{"README.md", "| Space, L | pause or follow; back to live |", []string{"follow", "live"}},
	{"README.md", "| ← → | previous, next frame |", []string{"frame.previous", "frame.next"}},
	{"README.md", "| N, Shift+N | next, previous spike |", []string{"spike.next", "spike.previous"}},
	{"README.md", "| F, 0, Backspace | fit the selection; fit everything; up one level |", []string{"fit.selection", "fit.all", "up"}},
	{"README.md", "| Shift+A, Shift+B | compare two selections |", []string{"compare.a", "compare.b"}},
	{"README.md", "| B | bookmark the selection |", []string{"bookmark"}},
	{"README.md", "| ? | show [all keys](docs/keys.md) |", []string{"help"}},
	{"docs/sources/flare.md", "count time, CPU time or\nsamples (`M`)", []string{"measure"}},
	{"docs/sources/sessions.md", "*Open from disk what has left memory*, opens it beside the rest (Ctrl+Shift+E)",
		[]string{"open.evicted"}},
	{"docs/sources/sessions.md", "Ctrl+Shift+E\nonce more opens what is before it", []string{"open.evicted"}},
	{"docs/sources/sessions.md", "*On disk…* in the tool bar (Ctrl+Shift+D)", []string{"disk"}},
	{"docs/sources/sessions.md", "**Save only the selection** (Ctrl+Shift+S)", []string{"save.selection"}},
	{"docs/sources/sessions.md", "a link to the part (Ctrl+Shift+L)", []string{"link"}},
	{"docs/sources/sessions.md", "*Clips of hitches* (Ctrl+Shift+C) lists them", []string{"clips"}},
	{"docs/budgets.md", "or Shift+L for what is under the mouse or chosen", []string{"budget.set"}},
	{"docs/sources/sessions.md", "Ctrl+Shift+O opens the newest that has ended (where none is kept, the recording opened last)",
		[]string{"reopen"}},
	{"docs/keys.md", "| Space | pause, follow live |", []string{"follow"}},
	{"docs/keys.md", "| L | back to live |", []string{"live"}},
	{"docs/keys.md", "| ← → | previous, next frame (Shift extends, with Ctrl by a screen; Ctrl by ten) |",
		[]string{"frame.previous", "frame.next"}},
	{"docs/keys.md", "| Home, End | first, last frame (Shift selects up to there) |", []string{"frame.first", "frame.last"}},
	{"docs/keys.md", "| G | go to a frame (`12407`), a time (`3.5s`), or select a range of either (`100-900`, `12.5s-14s`) |",
		[]string{"goto"}},
	{"docs/keys.md", "| F | centre the selection, again: fit it |", []string{"fit.selection"}},
	{"docs/keys.md", "| 0 | fit everything |", []string{"fit.all"}},
	{"docs/keys.md", "| Backspace | up one level |", []string{"up"}},
	{"docs/keys.md", "| N, Shift+N | next, previous spike |", []string{"spike.next", "spike.previous"}},
	{"docs/keys.md", "| Ctrl+N | spikes of one cause |", []string{"spike.cause"}},
	{"docs/why.md", "N and Shift+N go through the frames of that cause alone (Ctrl+N does so",
		[]string{"spike.previous", "spike.cause"}},
	{"docs/keys.md", "| Shift+A, Shift+B | mark what is selected as A, as B, and compare them (Shift+C swaps them) |",
		[]string{"compare.a", "compare.b"}},
	{"docs/keys.md", "| C, Alt+C | [measure by](compare.md#a-baseline-while-the-game-runs) what is selected or in view: slower red, faster blue; off |",
		[]string{"baseline.pin", "baseline.off"}},
	{"docs/compare.md", "Press it again for another one; Alt+C, or a click", []string{"baseline.off"}},
	{"docs/compare.md", "press Shift+A, select others, in the same session or in another, and press Shift+B",
		[]string{"compare.a", "compare.b"}},
	{"docs/keys.md", "| B, Alt+B | [bookmark](bookmarks.md) what is selected, with a note; Ctrl+1 … Ctrl+9 go there |",
		[]string{"bookmark", "bookmark.note"}},
	{"docs/keys.md", "| Ctrl+Shift+L | copy a link to what is selected |", []string{"link"}},
	{"docs/bookmarks.md", "`B` marks what is selected, a span", []string{"bookmark"}},
	{"docs/bookmarks.md", "`Ctrl+1` … `Ctrl+9` go\nthere and select it again; Back (`Alt+←`) returns. `Alt+B` writes a note",
		[]string{"bookmark.1", "bookmark.9", "back", "bookmark.note"}},
	{"docs/bookmarks.md", "`Ctrl+Shift+B` takes the bookmark away", []string{"bookmark.remove"}},
	{"docs/bookmarks.md", "The palette (`Ctrl+Shift+P`) finds them", []string{"palette"}},
	{"docs/bookmarks.md", "`Ctrl+Shift+L`, *Copy link* in menus", []string{"link"}},
	{"docs/keys.md", "| Ctrl+Z, Ctrl+Y | undo, redo: zoom, selection, what is compared, and which threads and collectors were hidden, folded, moved, sized or grouped; panels stay as they were arranged |",
		[]string{"back", "forward"}},
	{"docs/keys.md", "| ? | all keys |", []string{"help"}},
	{"docs/keys.md", "| ], [ | follow a [flow](flows.md) of the selected span: on, back |", []string{"flow.next", "flow.previous"}},
	{"docs/flows.md", "time, and Enter takes the first. `Ctrl+Z` goes back", []string{"back"}},
	{"docs/keys.md", "| J | all [flows](flows.md) in the timeline, or those of what is selected |",
		[]string{"flows"}},
	{"docs/flows.md", "`J` shows all that touch the visible time", []string{"flows"}},
	{"docs/workspaces.md", "`Alt+1` … `Alt+9` switch", []string{"workspace.1", "workspace.9"}},
	{"docs/workspaces.md", "palette (`Ctrl+Shift+P`)", []string{"palette"}},
	{"docs/workspaces.md", "`Ctrl+B` and `Ctrl+I` hide either", []string{"rail", "inspector"}},
	{"CONTRIBUTING.md", "something for Ctrl+C", []string{"copy"}},
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
	for _, m := range manual {
		data, err := os.ReadFile(filepath.Join("..", m.file))
		testkit.NoErr(t, err)
		testkit.That(t, strings.Contains(string(data), m.words), "%s no longer says %q", m.file, m.words)
		keys := keysIn(m.words)
		if len(keys) != len(m.commands) {
			t.Errorf("%q names the keys %q, want those of %q", m.words, keys, m.commands)
			continue
		}
		for i, key := range keys {
			named[m.file+" "+key]++
			testkit.That(t, hasKey(g, m.commands[i], key),
				"%s says %q: %s is no key of %s", m.file, m.words, key, m.commands[i])
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
	g := newTestGame(t, sessions.Options{})
	found := 0
	walk(t, ".go", func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") || !chordText.Match(data) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution)
		testkit.NoErr(t, err)
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
				if !slices.ContainsFunc(g.commands.All(), func(c input.Command) bool { return hasKey(g, c.ID, key) }) {
					t.Errorf("%s says %q, and %s is no key", path, words, key)
				}
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
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, e fs.DirEntry, err error) error {
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
	})
	testkit.NoErr(t, err)
}
