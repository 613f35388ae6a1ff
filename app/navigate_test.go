package app

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/input"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
)

func TestFrameCommands(t *testing.T) {
	g := openedGame(t, "gaps.pstats")
	v := g.View()
	track := v.Session().Track(v.Track())
	last := track.NumFrames() - 1
	at := func(what string, a, b int) {
		t.Helper()
		testkit.That(t, v.FrameA() == a && v.FrameB() == b,
			"%s: frames %d to %d are chosen, want %d to %d", what, v.FrameA(), v.FrameB(), a, b)
		testkit.That(t, !v.Live(), "%s: the view of a file is live", what)
	}
	worst := v.Session().Frames().Spikes(v.Track(), 0, last, 1, nil)[0]
	at("at first, the longest spike", worst, worst)
	g.commands.Run("frame.first")
	at("Home", 0, 0)
	g.commands.Run("frame.next")
	at("→", 1, 1)
	g.commands.Run("frame.on10")
	at("Ctrl+→", 11, 11)
	g.commands.Run("frame.moreright")
	g.commands.Run("frame.moreright")
	at("Shift+→ twice", 11, 13)
	g.commands.Run("frame.moreleft")
	at("Shift+←", 10, 13)
	g.commands.Run("escape")
	at("Esc", 10, 10)
	g.commands.Run("frame.last")
	at("End", last, last)
	g.commands.Run("frame.next")
	at("→ at the end", last, last)
	g.commands.Run("frame.first")
	at("Home", 0, 0)
	g.commands.Run("frame.back10")
	at("Ctrl+← at the begin", 0, 0)

	number := track.Frame(50).Number
	for _, text := range []string{"#" + itoa(number), " " + itoa(number)} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 50, 50)
	}
	for _, text := range []string{"soon", "100-", "100 - 14s x", "5s-5s", "1000000-2000000", "900s-901s"} {
		before := v.FrameA()
		if complaint := g.nav.gotoFrame(text); !strings.Contains(complaint, strconv.Quote(text)) || v.FrameA() != before {
			t.Errorf("%q: it complains %q", text, complaint)
		}
	}
	a, b := track.Frame(20), track.Frame(40)
	for _, text := range []string{
		itoa(a.Number) + "-" + itoa(b.Number), "#" + itoa(b.Number) + " – " + itoa(a.Number), itoa(a.Number) + ".." + itoa(b.Number),
	} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 20, 40)
	}
	g.commands.Run("frame.tolast")
	at("Shift+End", 20, last)
	g.commands.Run("frame.tofirst")
	at("Shift+Home", 0, last)
	for _, text := range []string{"1.2s-1.5s", "1.2 - 1.5 s", "0:01.5-0:01.2", "1200ms-1500ms"} {
		g.commands.Run("frame.first")
		if complaint := g.nav.gotoFrame(text); complaint != "" || v.RangeA() != 1200e6 || v.RangeB() != 1500e6 {
			t.Errorf("%q: %q, %d to %d ns", text, complaint, v.RangeA(), v.RangeB())
		}
	}
	if items := g.nav.typed(itoa(a.Number) + "-" + itoa(b.Number)); len(items) != 1 {
		t.Errorf("a range that is typed into the search leads to %d places", len(items))
	} else {
		items[0].Run()
		at("the search", 20, 40)
	}
	// A number that was never received leads to the next that was.
	for i := 1; i < track.NumFrames(); i++ {
		if f := track.Frame(i); f.Missing > 3 {
			g.nav.gotoFrame(itoa(f.Number - 2))
			at("go to a missing frame", i, i)
			break
		}
	}
}

func itoa(n int64) string {
	var b []byte
	for {
		b = append(b, byte('0'+n%10))
		if n /= 10; n == 0 {
			slices.Reverse(b)
			return string(b)
		}
	}
}

// N walks through the spikes in the order of time and Shift+N back, and both meet the same ones.
func TestSpikes(t *testing.T) {
	g := openedGame(t, "late.pstats")
	v := g.View()
	walk := func(command string) (found []int) {
		for range 1000 {
			before := v.FrameA()
			g.commands.Run(command)
			if v.FrameA() == before {
				return found
			}
			found = append(found, v.FrameA())
		}
		t.Fatalf("%s never ends", command)
		return nil
	}
	g.commands.Run("frame.first")
	there := walk("spike.next")
	testkit.MustThat(t, len(there) >= 3 && slices.IsSorted(there), "the spikes after the first frame are %v", there)
	longest := v.Session().Frames().Slowest(v.Track(), 0, v.Session().Track(v.Track()).NumFrames()-1, 1, nil)
	testkit.That(t, longest[0] == 0 || slices.Contains(there, longest[0]),
		"the longest frame, %d, is not among the spikes %v", longest[0], there)
	g.commands.Run("frame.last")
	back := walk("spike.previous")
	slices.Reverse(back)
	for _, i := range there {
		testkit.That(t, i == v.Session().Track(v.Track()).NumFrames()-1 || slices.Contains(back, i),
			"spike %d is met on the way on, not on the way back", i)
	}
}

// The search finds collectors by a part of their name; Enter goes through them, and occurrences of
// the chosen one are found on its thread.
func TestSearch(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	v := g.View()
	g.find.field.SetText("physics")
	g.find.update()
	testkit.MustThat(t, len(g.find.found) != 0, "nothing is called “physics”")
	g.find.next(false)
	c := v.Session().Collector(v.Collector())
	testkit.MustThat(t, c != nil && c.Name == "Physics", "the first hit is %+v", c)
	first := v.Collector()
	for range g.find.found {
		g.find.next(false)
	}
	testkit.Equal(t, v.Collector(), first, "going through all hits does not lead back to the first")
	v.PlacePlayhead(0)
	g.commands.Run("occurrence.next")
	testkit.MustThat(t, v.HasSpan() && v.Span().Collector == first, "no occurrence was found")
	begin := v.Span().Begin
	g.commands.Run("occurrence.next")
	testkit.That(t, v.Span().Begin > begin, "the next occurrence begins at %d, not after %d", v.Span().Begin, begin)
	g.commands.Run("occurrence.previous")
	testkit.Equal(t, v.Span().Begin, begin, "back again it begins at")
	g.commands.Run("escape")
	testkit.Equal(t, g.find.field.Text(), "", "Esc did not clear the search")
	g.commands.Run("escape")
	testkit.That(t, !v.HasSpan() && v.Collector() == model.NoCollector, "Esc did not clear the selection")
}

const flowTrace = `[
{"ph":"X","name":"spawn","ts":0,"dur":10,"pid":1,"tid":1}, {"ph":"X","name":"job","ts":20,"dur":10,"pid":1,"tid":2},
{"ph":"X","name":"job","ts":25,"dur":10,"pid":1,"tid":3}, {"ph":"X","name":"join","ts":40,"dur":10,"pid":1,"tid":1},
{"ph":"s","name":"go","id":1,"ts":2,"pid":1,"tid":1}, {"ph":"f","bp":"e","name":"go","id":1,"ts":20,"pid":1,"tid":2},
{"ph":"s","name":"go","id":2,"ts":4,"pid":1,"tid":1}, {"ph":"f","bp":"e","name":"go","id":2,"ts":25,"pid":1,"tid":3},
{"ph":"s","name":"done","id":3,"ts":35,"pid":1,"tid":3}, {"ph":"f","bp":"e","name":"done","id":3,"ts":40,"pid":1,"tid":1}]`

// Keys follow flows: on and back, also to a thread that is hidden; where there are several they are
// offered, and Enter takes the first. What was selected before comes back with Ctrl+Z.
func TestKeysFollowFlows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flows.json")
	testkit.NoErr(t, os.WriteFile(path, []byte(flowTrace), 0o600))
	g := newTestGame(t, sessions.Options{Files: []string{path}, Deterministic: true})
	g.stage.width, g.stage.height = 1280, 720
	settle(t, g)
	v := g.View()
	strike := func(c input.Chord, name string, beginNs int64) {
		t.Helper()
		g.keys.Chords = append(g.keys.Chords[:0], c)
		g.handleKeys()
		takeIn(g)
		if b := v.Span(); !v.HasSpan() || v.Session().Collector(b.Collector).Name != name || b.Begin != beginNs {
			t.Fatalf("%v leads to %+v, want %s at %d", c, b, name, beginNs)
		}
	}
	b, ok := v.Session().Spans().Innermost(v.Track(), 5000)
	testkit.MustThat(t, ok, "no span")
	v.SelectSpan(b)
	v.Look().SetTrackHidden(2, true)
	strike(input.Chord{Key: "]"}, "spawn", 0)
	m := g.ask.Menu()
	testkit.MustThat(t, m != nil && len(m.Items) == 2, "the menu is %+v", m)
	strike(input.Chord{Key: "enter"}, "job", 20_000)
	strike(input.Chord{Key: "["}, "spawn", 0)
	strike(input.Chord{Key: "]"}, "spawn", 0)
	strike(input.Chord{Key: "down"}, "spawn", 0)
	strike(input.Chord{Key: "enter"}, "job", 25_000)
	testkit.That(t, !v.Look().TrackHidden(v.Track()), "the thread is hidden still")
	strike(input.Chord{Key: "]"}, "join", 40_000)
	strike(input.Chord{Ctrl: true, Key: "z"}, "job", 25_000)
	strike(input.Chord{Ctrl: true, Key: "y"}, "join", 40_000)
	strike(input.Chord{Key: "]"}, "join", 40_000) // there is none
}

// workspaceOf returns the workspace in which a recording opens.
func workspaceOf(t *testing.T, file string) string {
	t.Helper()
	g, err := NewGame(Options{Options: sessions.Options{Files: []string{file}, Deterministic: true}, SettingsPath: "-"})
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	g.stage.width, g.stage.height = 1280, 720
	settle(t, g)
	rest(t, g, -1, -1)
	return g.desk.Workspace()
}

// A recording opens in the workspace for what is in it: one of a pipeline, which was given back in
// another format, in that for pipelines.
func TestWorkspaceByContents(t *testing.T) {
	folder := filepath.Join("..", "testdata")
	for file, want := range map[string]string{
		"gsttrace/latency-tee-queues.log.gz": "Pipeline", "gsttrace/leaks-found.log": "Pipeline", "gsttrace/rusage-threads.log.gz": "Game",
		"speedscope/game-threads.speedscope.json": "Samples", "speedscope/game-evented.speedscope.json": "Game",
		"pprof/game-cpu.pprof": "Profile", "chrometrace/bevy-async.json.gz": "Game", "pstats/late.pstats": "Game",
	} {
		testkit.Equal(t, workspaceOf(t, filepath.Join(folder, filepath.FromSlash(file))), want,
			"%s opens in the workspace", file)
	}
	for _, format := range []convert.Format{convert.ChromeFormat, convert.PerfettoFormat} {
		rec, err := load.File(t.Context(), filepath.Join(folder, "gsttrace", "latency-tee-queues.log.gz"), load.Options{})
		testkit.NoErr(t, err)
		part, err := convert.Of(rec.Session, place.TimeRange{}, nil)
		testkit.NoErr(t, err)
		_, again := converttest.Again(t, &format, part)
		testkit.Equal(t, workspaceOf(t, again), "Pipeline", "given back as %s it opens in the workspace", format.Name)
	}
}
