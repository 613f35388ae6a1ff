package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/input"
	"framescope/app/sessions"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/widgets"
)

// settleSearch lets ticks go by until everything was searched.
func settleSearch(t *testing.T, g *Game) {
	t.Helper()
	for range 10_000 {
		if g.find.update(); g.find.calls.Done() {
			return
		}
	}
	t.Fatal("the search does not end")
}

// What is typed as an expression finds calls: they are counted as the report counts them, lit, and
// stepped through in the order of time, from the last to the first, by Enter and by the keys for
// occurrences.
func TestSearchForCalls(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	s := v.Session()
	const expr = "App:* >0ns frame:10-20"
	g.find.field.SetText(expr)
	settleSearch(t, g)
	e := testkit.Must(find.Parse(expr))(t)
	var c spans.CallSearch
	c.Start(s.Spans(), e.Query(s, v.Look().VisibleTracks(), -1<<60, 1<<60))
	for !c.Step(1 << 40) {
	}
	testkit.MustThat(t, c.Sums.Count != 0 && strings.HasPrefix(g.find.countText, countText(int(c.Sums.Count))+" call") &&
		!strings.Contains(g.find.countText, "…"), "“%s”, the report has %d calls", g.find.countText, c.Sums.Count)
	hits := v.Look().FoundCalls()
	last, first := int64(-1<<60), int64(0)
	for i := range c.Sums.Count {
		switch {
		case i == 0: // in time, not by length
			g.find.step(false)
		case i%2 == 0:
			g.commands.Run("occurrence.next")
		default:
			g.find.next(false)
		}
		b := v.Span()
		testkit.MustThat(t, v.HasSpan() && hits.Is(&b) && (b.Begin >= last || i <= 0 || last == first),
			"step %d leads to %+v", i, b)
		if oneTruth(t, g, "a hit"); i == 0 {
			first = b.Begin
		}
		last = b.Begin
	}
	at := v.Span()
	g.commands.Run("occurrence.next")
	g.commands.Run("occurrence.previous")
	testkit.That(t, v.Span() == at, "a step on and one back lead from %+v to %+v", at, v.Span())
	// What can't be understood says why, and what was found stays.
	g.find.field.SetText(expr + " >4")
	settleSearch(t, g)
	items := g.find.hitItems(g.find.field.Text())
	testkit.That(t, len(items) == 1 && strings.Contains(items[0].Name, "Give a unit") && v.Look().FoundCalls() != nil,
		"%+v", items)
	items[0].Run()
	// Names alone are found as names.
	g.find.field.SetText("App")
	settleSearch(t, g)
	testkit.That(t, v.Look().FoundCalls() == nil && len(g.find.found) != 0,
		"“%s”, %d found", g.find.countText, len(g.find.found))
	// How many calls those names have is what their statistics add up to.
	var tracks []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		tracks = append(tracks, id)
	}
	calls := int64(0)
	for _, of := range s.Spans().Stats(tracks, -1<<60, 1<<60, nil) {
		if slices.Contains(g.find.found, of.Collector) {
			calls += of.Calls
		}
	}
	want := fmt.Sprintf("%d names found, %s calls", len(g.find.found), countText(int(calls)))
	testkit.That(t, calls != 0 && g.find.countText == want, "“%s”, not “%s”", g.find.countText, want)
	g.find.clear()
	settleSearch(t, g)
	testkit.That(t, !v.Look().Searching(), "an empty field looks for something")
}

// Of what was found one is chosen: that alone is lit and selected from then on. Who chooses a thread, a
// frame or a command from the list means no name.
func TestOneIsChosenOfManyFound(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	const text = "app"
	for _, want := range []string{"App", "App:"} {
		g.find.field.SetText(text)
		settleSearch(t, g)
		testkit.MustThat(t, len(g.find.found) >= 3, "%q finds %d names", text, len(g.find.found))
		g.find.open()
		items := g.ask.Dialog().Items
		i := slices.IndexFunc(items, func(it widgets.PaletteItem) bool {
			return it.Group == headNames && (it.Also == want || want == "App:" && strings.HasPrefix(it.Also, want))
		})
		testkit.MustThat(t, i >= 0, "%s is not offered", want)
		full := items[i].Also
		g.ask.Dialog().Close()
		items[i].Run()
		settleSearch(t, g)
		testkit.That(t, len(g.find.found) == 1 && v.Session().Collector(g.find.found[0]).FullName == full,
			"%s was chosen, %d names are lit", full, len(g.find.found))
		if c := v.Chosen(); c == model.NoCollector || v.Session().Collector(c).FullName != full {
			t.Errorf("%s was chosen, %v is selected", full, c)
		}
	}
	for _, group := range []string{headThreads, groupView, headTyped} {
		g.find.field.SetText("0")
		settleSearch(t, g)
		g.find.open()
		p := g.ask.Dialog()
		items := slices.Concat(p.Items, p.Typed("0"))
		g.ask.Dialog().Close()
		i := slices.IndexFunc(items, func(it widgets.PaletteItem) bool { return it.Group == group })
		testkit.MustThat(t, i >= 0, "nothing of %s is offered", group)
		items[i].Run()
		settleSearch(t, g)
		testkit.That(t, !v.Look().Searching(), "after %s of %s names are looked for still", items[i].Name, group)
	}
}

// Once Enter goes through what was found, the list is one line, so that the charts below it are seen;
// what else is typed or chosen brings it back.
func TestListStepsAsideForWhatWasFound(t *testing.T) {
	g := tradeGame(t, 0, 1920, 1080)
	v := g.View()
	v.ClearThing()
	g.find.open()
	g.find.field.SetText("app")
	hit := g.ask.Dialog().Chosen()
	settleSearch(t, g)
	if hit.Says == nil || hit.Says() != g.find.countText+", lit in all panels" || strings.Contains(g.find.countText, "…") {
		t.Errorf("the list, there before all were counted, says %q, the field %q", hit.Says(), g.find.countText)
	}
	p, high := g.ask.Dialog(), g.find.place().H()
	testkit.MustThat(t, len(g.find.found) != 0 && p.Chosen().Name == "Next hit",
		"%d names are found, Enter chooses %q", len(g.find.found), p.Chosen().Name)
	p.Enter()
	at := v.Span()
	if got := g.find.place().H(); !v.HasSpan() || got >= g.ask.Env.Px(40) || !g.find.field.Focused() {
		t.Errorf("after Enter the list is %v px high, was %v; a span: %v, typing: %v", got, high, v.HasSpan(), g.find.field.Focused())
	}
	p.Enter()
	testkit.That(t, v.Span() != at, "the next Enter goes no further")
	p.Back()
	testkit.That(t, v.Span() == at, "Shift+Enter leads from %+v to %+v", at, v.Span())
	if p.Move(1); g.find.place().H() != high {
		t.Errorf("by the keys the list comes back %v px high, was %v", g.find.place().H(), high)
	}
	p.Move(-1)
	p.Enter()
	if g.find.field.SetText("ap"); g.find.place().H() < high {
		t.Errorf("of another text the list is %v px high, was %v", g.find.place().H(), high)
	}
}

// Where calls are looked for, and there are none, it is not said that nothing is called so.
func TestNoCallIsNoName(t *testing.T) {
	g := openedGame(t, "nested.pstats")
	for text, want := range map[string]string{
		"App > 1000s thread:main": "Nothing was found: no call matches all of it", "zzzz": "No match",
	} {
		takeIn(g)
		g.find.field.SetText(text)
		settleSearch(t, g)
		g.find.list(&g.find.field, true)
		p := g.find.palette
		if p == nil {
			p = g.ask.Dialog()
			p.Field.SetText(text)
		}
		testkit.That(t, p.Hits() == 0 && p.NothingWords() == want, "%s: %d hits, %q", text, p.Hits(), p.NothingWords())
	}
}

// Where nothing was found, the hit of what was looked for before is selected no more; what was chosen
// otherwise is.
func TestNothingFoundIsNoHit(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	look := func(text string) {
		takeIn(g)
		g.find.field.SetText(text)
		settleSearch(t, g)
		g.find.update()
	}
	look("App")
	g.find.next(false)
	at := v.Span()
	look("App:")
	testkit.That(t, v.HasSpan(), "the hit is gone while there are hits")
	if look("zzzz"); v.HasSpan() || v.Collector() != model.NoCollector || g.find.walked() != "" {
		t.Errorf("nothing was found: %+v is selected, %q", v.Span(), g.find.walked())
	}
	v.Back()
	testkit.That(t, v.Span() == at, "Back leads to %+v, not %+v", v.Span(), at)
	g.find.clear()
	v.SelectSpan(at)
	if look("zzzz"); v.Span() == at {
		return
	}
	t.Error("what was chosen is gone, too")
}

// Who goes through what was found sees in the field and in the status line which hit is selected, by
// whatever key he came there, and of how many: as many as the field counts. What is selected elsewhere
// is no hit.
func TestWhichHitIsSelected(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	for _, text := range []string{"App", "App:* >0ns frame:10-20"} {
		g.find.clear()
		v.ClearSelection()
		settleSearch(t, g)
		g.find.field.SetText(text)
		settleSearch(t, g)
		testkit.Equal(t, g.find.walked(), "", "%s: while nothing is selected", text)
		of, _ := g.find.calls.Count()
		v.PlacePlayhead(-1 << 50)
		seen := map[spans.Ref]bool{}
		for i := range of {
			switch {
			case i == 0 && g.find.expr.OfCalls(): // in time, not by length
				g.find.step(false)
			case i%2 == 0:
				g.find.next(false)
			default:
				g.commands.Run("occurrence.next")
			}
			g.find.update()
			want := fmt.Sprintf("%s of %s", countText(int(i+1)), countText(int(of)))
			if note := g.find.search().Note; note != want || g.find.walked() != "Hit "+want {
				t.Fatalf("%s: step %d says %q and %q", text, i, note, g.find.walked())
			}
			seen[v.Span().Ref] = true
		}
		testkit.Equal(t, len(seen), int(of), "%s: %d of %d hits were met", text, len(seen), of)
		g.find.next(false)
		if g.find.update(); g.find.search().Note != "1 of "+countText(int(of)) {
			t.Errorf("%s: behind the last comes %q", text, g.find.search().Note)
		}
		g.find.next(true)
		if g.find.update(); g.find.search().Note != countText(int(of))+" of "+countText(int(of)) {
			t.Errorf("%s: before the first comes %q", text, g.find.search().Note)
		}
	}
}

// A spike says which it is of how many: as many as the keys go through.
func TestWhichSpikeIsSelected(t *testing.T) {
	g, v := openedView(t, "late.pstats")
	for !v.Causes().Ready() {
		g.stage.tick++
		v.PrepareCauses(true, false)
	}
	g.commands.Run("frame.first")
	n := v.Causes().Hitches(-1<<60, 1<<60)
	for i := range n {
		if i > 0 || v.Choice().Frame != n[0].Number {
			g.commands.Run("spike.next")
		}
		want := fmt.Sprintf("Spike %d of %d", i+1, len(n))
		g.find.update()
		testkit.MustThat(t, g.find.walked() == want, "%q, not %q", g.find.walked(), want)
	}
	testkit.That(t, len(n) >= 3, "%d spikes", len(n))
	g.commands.Run("spike.cause")
	testkit.That(t, v.Cause() != (view.Cause{}), "no cause was chosen")
	g.find.field.SetText("App")
	settleSearch(t, g)
	g.find.next(false)
	testkit.Equal(t, v.Cause(), view.Cause{}, "the cause while hits are walked through")
	g.find.clear()
	g.commands.Run("frame.first")
	if g.find.update(); v.Choice().Frame != n[0].Number && g.find.walked() != "" {
		t.Errorf("%q of a frame that is no spike", g.find.walked())
	}
}

// Of a search for names a bar of several calls is a hit where one of them is, whatever else it stands for.
func TestSeveralCallsInOneBarAreFound(t *testing.T) {
	g, v := openedView(t, "nested.pstats")
	g.find.field.SetText("physics")
	settleSearch(t, g)
	g.find.next(false)
	hit := v.Span()
	testkit.MustThat(t, slices.Contains(g.find.found, hit.Collector), "%+v is no hit", hit)
	pal := g.stage.env.Palette()
	several := hit
	several.Ref.Index, several.Count, several.Collector = max(hit.Ref.Index-2, 0), 5, 0
	testkit.That(t, pal.FoundBar(&several), "a bar with a hit in it is none")
	several.Ref.Lane += 40
	testkit.That(t, !pal.FoundBar(&several), "a bar of another row is a hit")
	g.find.clear()
	g.find.update()
	several = hit
	testkit.That(t, !pal.FoundBar(&several), "without a search something is found")
}

func TestFrameCommands(t *testing.T) {
	g, v := openedView(t, "gaps.pstats")
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
	for _, c := range []struct {
		commands, keys string
		a, b           int
	}{
		{"frame.first", "Home", 0, 0}, {"frame.next", "→", 1, 1}, {"frame.on10", "Ctrl+→", 11, 11},
		{"frame.moreright frame.moreright", "Shift+→ twice", 11, 13}, {"frame.moreleft", "Shift+←", 10, 13},
		{"escape", "Esc", 10, 10}, {"frame.last", "End", last, last}, {"frame.next", "→ at the end", last, last},
		{"frame.first", "Home", 0, 0}, {"frame.back10", "Ctrl+← at the begin", 0, 0},
	} {
		for id := range strings.FieldsSeq(c.commands) {
			g.commands.Run(id)
		}
		at(c.keys, c.a, c.b)
	}

	number := track.Frame(50).Number
	for _, text := range []string{"#" + itoa(number), " " + itoa(number)} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 50, 50)
	}
	for _, text := range []string{"soon", "100-", "100 - 14s x", "5s-5s", "1000000-2000000", "900s-901s", "900s", "1:2:3:4:5", "15:00:15:01"} {
		before := v.FrameA()
		if complaint := g.nav.gotoFrame(text); !strings.Contains(complaint, strconv.Quote(text)) || v.FrameA() != before {
			t.Errorf("%q: it complains %q", text, complaint)
		}
	}
	a, b := track.Frame(20), track.Frame(40)
	for _, text := range []string{
		itoa(a.Number) + "-" + itoa(b.Number), "#" + itoa(b.Number) + " – " + itoa(a.Number), itoa(a.Number) + ".." + itoa(b.Number),
		itoa(a.Number) + ":" + itoa(b.Number),
	} {
		g.commands.Run("frame.first")
		testkit.Equal(t, g.nav.gotoFrame(text), "", "%q", text)
		at("go to "+text, 20, 40)
	}
	g.commands.Run("frame.tolast")
	at("Shift+End", 20, last)
	g.commands.Run("frame.tofirst")
	at("Shift+Home", 0, last)
	for _, text := range []string{"1.2s-1.5s", "1.2 - 1.5 s", "0:01.5-0:01.2", "1200ms-1500ms", "0:01.2:0:01.5", "1.2s:1.5s"} {
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

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

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
	settleGame(t, g)
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
	settleGame(t, g)
	rest(t, g, -1, -1)
	return g.desk.Workspace()
}

// A recording opens in the workspace for what is in it.
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
}

// The list under the field has the longest of the found calls with their lengths, also when they are found only
// after the text was typed; a choice selects the call.
func TestFoundCallsAreListed(t *testing.T) {
	inOneGoroutine(t)
	g := openedGame(t, "nested.pstats")
	g.stage.width, g.stage.height = 1920, 1080
	for range 3 {
		testkit.NoErr(t, g.tickAt(-1, -1))
	}
	const expr = ">1ms"
	g.find.open()
	g.find.field.SetText(expr)
	settleSearch(t, g)
	testkit.NoErr(t, g.tickAt(-1, -1))
	s := g.View().Session()
	var c spans.CallSearch
	e := testkit.Must(find.Parse(expr))(t)
	c.Start(s.Spans(), e.Query(s, e.Tracks(s), -1<<60, 1<<60))
	for !c.Step(1 << 40) {
	}
	var longest []int64
	for _, call := range c.Calls() {
		longest = append(longest, call.Ns)
	}
	slices.Sort(longest)
	slices.Reverse(longest)
	items := g.find.longestItems()
	testkit.MustThat(t, len(items) == longestListed && g.find.palette.Hits() == 1+longestListed,
		"%d items, %d in the list", len(items), g.find.palette.Hits())
	for i, it := range items {
		want := string(format.AppendDuration(nil, longest[i]))
		testkit.That(t, it.Key == want && strings.HasPrefix(it.Group, countText(int(c.Sums.Count))+" call"),
			"line %d: %q under %q, want %q of %d", i, it.Key, it.Group, want, c.Sums.Count)
		it.Run()
		b := g.View().Span()
		testkit.That(t, g.View().HasSpan() && b.End-b.Begin == longest[i], "line %d selects %+v", i, b)
	}
	g.View().ClearSelection()
	g.find.next(false)
	b := g.View().Span()
	testkit.That(t, g.View().HasSpan() && b.End-b.Begin == longest[0], "Enter selects %+v, not the first line", b)
}
