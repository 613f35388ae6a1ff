package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/widgets"
)

// trades are the preset workspaces, each with a recording of its kind, and about how many quads its
// first picture has.
var trades = []struct {
	workspace, file string
	quads           int
}{
	{"Game", "pstats/late.pstats", 3050},
	{"Pipeline", "gsttrace/all-audio-chain.log.gz", 4350},
	{"Samples", "", 9000}, // of the captures
}

// tradeGame returns a viewer whose clock goes by its ticks and in which jumps are animated, with the
// recording of a trade, at rest.
func tradeGame(t *testing.T, i, w, h int) *Game {
	t.Helper()
	file := filepath.Join(testkit.Folder, "..", "testdata", filepath.FromSlash(trades[i].file))
	if trades[i].file == "" {
		file = flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*")
	}
	g, err := NewGame(Options{Options: sessions.Options{Files: []string{file}, Deterministic: true}, SettingsPath: "-", Inside: true})
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	g.stage.width, g.stage.height = w, h
	settleGame(t, g)
	rest(t, g, -1, -1)
	testkit.MustEqual(t, g.desk.Workspace(), trades[i].workspace, "%s is shown in the workspace", file)
	return g
}

// turn is a tick with the mouse at a place.
func turn(t *testing.T, g *Game, x, y float32) {
	t.Helper()
	testkit.NoErr(t, g.tickAt(x, y))
}

// rest lets the window come to rest with the mouse at a place.
func rest(t *testing.T, g *Game, x, y float32) {
	t.Helper()
	for range settleTicks {
		turn(t, g, x, y)
	}
}

// still demands that nothing is painted for more than a second. What is worked out a piece a tick is
// done later where other programs have the processor: that comes to an end, and the window to rest.
func still(t *testing.T, g *Game, x, y float32, what string) bool {
	t.Helper()
	complaint := stirs(t, g, x, y)
	for range 2 {
		if complaint == "" {
			return true
		}
		rest(t, g, x, y)
		complaint = stirs(t, g, x, y)
	}
	testkit.Equal(t, complaint, "", "%s, mouse at %v, %v", what, x, y)
	return complaint == ""
}

// stirs tells what is painted within more than a second, nothing where the window is at rest.
func stirs(t *testing.T, g *Game, x, y float32) string {
	t.Helper()
	before := g.seen(g.stage.width, g.stage.height)
	was := map[*draw.List]uint64{}
	g.lists(func(l *draw.List) {
		if l != nil {
			was[l] = l.Revision()
		}
	})
	for i := range 80 {
		turn(t, g, x, y)
		if g.seen(g.stage.width, g.stage.height) == before {
			continue
		}
		var who []string
		names := map[*draw.List]string{g.bars.top.List(): "tool bar", g.bars.status.list: "status line", g.bars.tipped: "tooltip"}
		g.desk.EachInSight(func(tab *workspace.Tab, _ draw.Rect) { names[tab.Panel.List()] = tab.ID })
		g.lists(func(l *draw.List) {
			if l != nil && was[l] != l.Revision() {
				who = append(who, fmt.Sprintf("%q %v", names[l], l.Clip()))
			}
		})
		return fmt.Sprintf("painted %d ticks after it came to rest: %v", i+1, who)
	}
	return ""
}

// sections demands that rail and inspector are open with all their sections, of which all the session
// has something for are in sight.
func sections(t *testing.T, g *Game) {
	t.Helper()
	seen := map[string]bool{}
	g.desk.EachInSight(func(tab *workspace.Tab, _ draw.Rect) { seen[tab.ID] = true })
	for _, id := range []string{"sessions", "threads", "collectors", "details"} {
		testkit.That(t, seen[id], "%s is not in sight", id)
	}
}

// inOneGoroutine leaves a test out where others are looked for.
func inOneGoroutine(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing of it runs beside anything else")
	}
}

// TestNothingNewPaintsNothing: a window that shows nothing new paints nothing, in every workspace,
// with all sections unfolded: as it was opened, with the mouse at rest anywhere, when a jump has
// ended, with every panel in front, and with a list or the keys over it.
func TestNothingNewPaintsNothing(t *testing.T) {
	inOneGoroutine(t)
	for i := range trades {
		t.Run(trades[i].workspace, func(t *testing.T) {
			g := tradeGame(t, i, 1920, 1600)
			sections(t, g)
			still(t, g, -1, -1, "opened")
			columns, rows := testkit.Rounds(5, 10), testkit.Rounds(7, 12)
			pictures, over := map[picture]bool{}, 0
			for n := range columns * rows {
				x := (float32(n%columns) + 0.5) / float32(columns) * float32(g.stage.width)
				y := (float32(n/columns) + 0.5) / float32(rows) * float32(g.stage.height)
				rest(t, g, x, y)
				if len(g.under.hit.Lines) > 0 {
					over++
				}
				now := g.seen(g.stage.width, g.stage.height)
				if pictures[now] {
					continue // it looks as with the mouse at a place where it stayed so
				}
				pictures[now] = true
				if !still(t, g, x, y, "hovered") {
					break
				}
			}
			testkit.That(t, over >= columns*rows/6 && len(pictures) >= over/2,
				"the mouse was over something at %d of %d places, and that lit up %d times", over, columns*rows, len(pictures))
			jumps(t, g)
			folds(t, g)
			g.desk.Each(func(tab *workspace.Tab) {
				if shown, _ := g.desk.Show(tab.ID); shown == workspace.ShownNow {
					rest(t, g, -1, -1)
					still(t, g, -1, -1, tab.ID+" in front")
				}
			})
			menu := &widgets.Menu{Name: "menu", Items: []widgets.MenuItem{{Label: "an item", Run: func() {}}}}
			for what, open := range map[string]func(){
				"palette": g.find.commands, "search": func() { g.find.open(); g.find.field.SetText("a") }, "keys": func() { g.help.open = true },
				"menu": func() { g.ask.OpenMenu(menu, 400, 300) }, "notice": func() { g.ask.Notify("a notice"); turn(t, g, -1, -1) },
				"filter": func() { g.find.names.Field.Focus(true) },
			} {
				open()
				rest(t, g, -1, -1)
				still(t, g, -1, -1, what)
				g.help.open = false
				if list := g.ask.Dialog(); list != nil {
					list.Close()
				}
				for g.ask.Notices.Dismiss() {
				}
			}
		})
	}
}

// jumps brings times near, and demands motion that ends.
func jumps(t *testing.T, g *Game) {
	t.Helper()
	v := g.View()
	begin, end := v.Time().Visible()
	before := g.seen(g.stage.width, g.stage.height)
	v.Steer().ZoomTo(begin+(end-begin)/4, begin+(end-begin)/2)
	turn(t, g, -1, -1)
	first := g.seen(g.stage.width, g.stage.height)
	turn(t, g, -1, -1)
	testkit.That(t, first != before && g.seen(g.stage.width, g.stage.height) != first, "a jump does not move")
	rest(t, g, -1, -1)
	still(t, g, -1, -1, "after a jump")
}

// folds folds every section at both sides and unfolds it again, and demands motion that ends.
func folds(t *testing.T, g *Game) {
	t.Helper()
	press := func(x, y float32) {
		for _, b := range []panel.Button{{Pressed: true, Down: true, DownX: x, DownY: y}, {Released: true}, {}} {
			g.mouse.Buttons[0] = b
			turn(t, g, x, y)
		}
	}
	n := 0
	for _, id := range []string{"threads", "collectors", "details"} {
		g.desk.EachInSight(func(tab *workspace.Tab, r draw.Rect) {
			if tab.ID != id || tab.Bare || r.W() > float32(g.stage.width)/2 { // in the middle nothing folds
				return
			}
			n++
			for _, what := range []string{"folded", "unfolded"} {
				x, y := r.X0+30, r.Y0+10
				press(x, y)
				first := g.seen(g.stage.width, g.stage.height)
				turn(t, g, x, y)
				testkit.That(t, g.seen(g.stage.width, g.stage.height) != first, "%s is %s without motion", id, what)
				rest(t, g, x, y)
				still(t, g, x, y, id+" "+what)
			}
		})
	}
	testkit.That(t, n >= 2, "%d sections were folded", n)
}

// TestOwnCostIsNoNews: what the viewer itself costs is told when something else is painted, else the
// window would paint itself for ever to say what that costs.
func TestOwnCostIsNoNews(t *testing.T) {
	testkit.OneGoroutine(t)
	g := tradeGame(t, 0, 1920, 1080)
	g.bars.status.still = false
	ticks := func(n int) int {
		before := g.paint.changes
		for range n {
			g.paint.cost.UpdateMs++
			turn(t, g, -1, -1)
			g.paint.begin(g.seen(g.stage.width, g.stage.height), g.stage.tick, 0)
		}
		return g.paint.changes - before
	}
	ticks(settleTicks)
	told := g.bars.status.shown
	n := ticks(200)
	testkit.That(t, n <= 0 && g.bars.status.shown == told, "the window painted itself %d times", n)
	g.ask.Notify("something new")
	if n := ticks(200); n < 2 || n > 4 || g.bars.status.shown == told {
		t.Errorf("%d pictures of a notice and what the viewer costs then: %s", n, g.bars.status.shown)
	}
}

// TestQuadsOfTheFirstPicture: what the first picture of a workspace costs the graphics card is not
// twice what it was; nor half of it, as then the number is to be lowered.
func TestQuadsOfTheFirstPicture(t *testing.T) {
	for i, trade := range trades {
		g := tradeGame(t, i, 1920, 1080)
		sections(t, g)
		quads := 0
		g.lists(func(l *draw.List) {
			if l != nil {
				quads += l.Quads()
			}
		})
		testkit.That(t, quads <= 2*trade.quads && 2*quads >= trade.quads,
			"%s: %d quads a frame, it was %d", trade.workspace, quads, trade.quads)
	}
}

// Jumps are animated as the settings say; numbers are shown at a readable pace either way.
func TestMotion(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	for motion, want := range map[string]bool{settings.MotionOn: true, settings.MotionOff: false} {
		g.settings.Motion = motion
		g.stage.begin()
		e := &g.stage.env
		testkit.That(t, e.Animate == want && e.Paced, "motion %s: animated %v, paced %v", motion, e.Animate, e.Paced)
	}
}

// Idle tracks are hidden by one command, which is found by whatever people call tracks, idleness and
// hiding; Ctrl+Z shows them again, and so do the other ways.
func TestIdleTracksAreHidden(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	s, look := g.View().Session(), g.View().Look()
	spare := model.TrackID(s.NumTracks())
	s.Apply(model.TrackDef{ID: spare, Name: "Spare"})
	shown := func() bool { return slices.Contains(look.VisibleTracks(), spare) }
	takeIn(g)
	for _, text := range []string{
		"hide idle tracks", "hide idle threads", "idle", "hide thread", "remove empty rows", "inactive threads", "hide track", "hide tracks",
	} {
		p, found := lookUp(g, false, text), false
		for range p.Hits() {
			found = found || p.Chosen().Name == timeline.HideIdle
			p.Move(1)
		}
		testkit.That(t, found, "“%s” does not find what hides idle tracks", text)
	}
	key := func(k string) {
		t.Helper()
		takeIn(g)
		testkit.MustThat(t, g.commands.Strike(input.ParseChord(k)), "%s is no key", k)
	}
	lookUp(g, false, "hide idle tracks").Enter()
	testkit.MustThat(t, !shown(), "the idle track is shown")
	said := g.ask.Notices.Shown()
	testkit.That(t, len(said) != 0 && strings.Contains(said[len(said)-1].Text, "hidden: Ctrl+Z"), "it says %v", said)
	key("Ctrl+Z")
	testkit.That(t, shown(), "Ctrl+Z does not undo it")
	key("Ctrl+Y")
	testkit.That(t, !shown(), "Ctrl+Y does not do it again")
	for _, text := range []string{"show idle threads", "show all tracks", "unhide threads"} {
		look.HideIdle(true)
		p := lookUp(g, false, text)
		p.Enter()
		testkit.That(t, shown(), "“%s” does “%s”", text, p.Chosen().Name)
	}
}

// The tool of the timeline says what it hid, in the words of the command; where none is idle that is
// said, and nothing is remembered.
func TestToolSaysWhatItHid(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	s, look := g.View().Session(), g.View().Look()
	takeIn(g)
	env, tl := &g.stage.env, g.nav.panels["timeline"]
	use := func(want string) {
		t.Helper()
		tools := tl.(panel.Tooled)
		for _, tool := range tools.Tools(env) {
			if i := slices.Index(tool.Options, timeline.HideIdle); i >= 0 {
				tools.Use(env, tool.ID, i)
			}
		}
		g.nav.act(tl.Update(env, draw.Rect{X1: 900, Y1: 500}, &panel.Input{X: -1, Y: -1}))
		said := g.ask.Notices.Shown()
		testkit.That(t, len(said) != 0 && strings.Contains(said[len(said)-1].Text, want), "it says %v, want %q", said, want)
	}
	use("No track is idle")
	testkit.That(t, !look.Tracks().NoIdle, "idle tracks are hidden from now on, though none was")
	s.Apply(model.TrackDef{ID: model.TrackID(s.NumTracks()), Name: "Spare"})
	takeIn(g)
	use("1 idle track hidden: Ctrl+Z")
	testkit.That(t, look.HidesIdle(), "the idle track is shown")
}

// trace is a trace log of GStreamer.
var trace = filepath.Join(testkit.Folder, "..", "testdata", "gsttrace", "leaks-refs.log")

// A log whose writer is gone is silent, in the list and in the tool bar; it is live again with the
// next line.
func TestSilentLog(t *testing.T) {
	t.Parallel() // it mostly waits
	path := filepath.Join(t.TempDir(), "trace.log")
	log := testkit.Must(os.ReadFile(trace))(t)
	half := bytes.LastIndexByte(log[:len(log)/2], '\n') + 1
	testkit.NoErr(t, os.WriteFile(path, log[:half], 0o600))
	registry := testkit.Must(load.Sources{}.Registry())(t)
	g := newTestGame(t, sessions.Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry}}})
	tip := func() (said string) {
		g.placeBar(draw.Rect{X1: 1920, Y1: ToolbarHeight})
		for _, it := range g.bars.top.Items() {
			if it.ID == "live" {
				said = it.Label
			}
		}
		return said
	}
	pollUntil(t, g, "silence", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].Silence.Overdue && !rows[0].Silence.Nothing && strings.HasPrefix(tip(), "● Live, silent for ")
	})
	f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	defer f.Close()
	testkit.Must(f.Write(log[half:]))(t)
	pollUntil(t, g, "life", func(rows []widgets.SessionRow) bool {
		return !rows[0].Silence.Overdue && strings.HasPrefix(tip(), "● Live  ")
	})
}
