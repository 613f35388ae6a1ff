package view

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

func TestPalette(t *testing.T) {
	s := game()
	s.Apply(model.CollectorDef{ID: cGeom, Name: "Geom", Color: model.RGB{R: 10, G: 20, B: 30, Set: true}})
	v, th := viewOf(s), assets.Dark()
	sent := assets.LChOf(assets.RGB(10, 20, 30))
	got := assets.LChOf(assets.Color(v.Palette(&th).Fill(cGeom)))
	testkit.That(t, assets.HueDistance(got.Hue, sent.Hue) <= 5 && got.L >= th.Data.MinL-0.002 && got.C <= sent.C+0.002,
		"the sender's %+v is shown as %+v", sent, got)
	v.Look().SetColorsAsSent(true)
	if b := v.Palette(&th).Bar(cGeom); b.Fill != draw.RGB(10, 20, 30) || b.Text.R != 255 || !v.Look().ColorsAsSent() {
		t.Errorf("as it was sent it is shown as %+v", b)
	}
	v.Look().SetColorsAsSent(false)
	v.Look().SetColor("Geom", assets.RGB(200, 210, 220))
	c := v.Palette(&th).Fill(cGeom)
	testkit.That(t, c.R == 200 && v.Look().HasColor("Geom"), "the user's color is not used: %v", c)
	v.Look().ResetColor("Geom")
	if c := assets.LChOf(assets.Color(v.Palette(&th).Fill(cGeom))); c != got || v.Look().HasColor("Geom") {
		t.Errorf("the user's color stays: %v", c)
	}
	light := assets.Light()
	testkit.That(t, assets.LChOf(assets.Color(v.Palette(&light).Fill(cGeom))) != got,
		"another theme has the same colors")
	c = v.Palette(&th).Fill(99_999)
	testkit.That(t, c.A == 255, "an unknown collector has no color")
	if b := v.Palette(&th).Bar(0); b.Fill != draw.Color(th.FrameBar) || b.Text != draw.Color(th.Text) {
		t.Errorf("what stands for everything has the colors %+v", b)
	}
	v.Pointer().Set(t, cGeom, 0, false)
	p := v.Palette(&th)
	testkit.That(t, p.Drawn(cGeom, false) != p.Bar(cGeom) && p.Drawn(cApp, false) == p.Bar(cApp),
		"what is under the mouse, and nothing else, is lit")
}

func TestWhatWaitsIsGrey(t *testing.T) {
	s := game()
	loud := model.RGB{G: 255, B: 188, Set: true}
	s.Apply(model.CollectorDef{ID: 40, Name: "Wait", Color: loud})
	s.Apply(model.CollectorDef{ID: 41, Name: "Thread sync", Parent: 40, Color: loud})
	s.Apply(model.CollectorDef{ID: 42, Name: "Whatever", Parent: 41})
	v := viewOf(s)
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		for id := model.CollectorID(40); id <= 42; id++ {
			b := v.Palette(&th).Bar(id)
			testkit.That(t, b == (Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}),
				"%s: collector %d is drawn in %+v", name, id, b)
		}
		v.Look().SetColorsAsSent(true)
		testkit.Equal(t, v.Palette(&th).Fill(41), draw.RGB(0, 255, 188), "%s: as it was sent it", name)
		v.Look().SetColorsAsSent(false)
	}
}

func TestRuntimesStandBack(t *testing.T) {
	s := game()
	s.Apply(model.CollectorDef{ID: 40, Name: "java.util"})
	s.Apply(model.CollectorDef{ID: 41, Name: "shop.order"})
	for id := model.CollectorID(50); id < 80; id++ {
		s.Apply(model.CollectorDef{ID: id, Name: fmt.Sprint("HashMap.resize", id), Parent: 40})
	}
	v, th := viewOf(s), assets.Dark()
	for id := model.CollectorID(50); id < 80; id++ {
		c := assets.LChOf(assets.Color(v.Palette(&th).Fill(id)))
		testkit.That(t, c.C >= 0.022 && c.C <= 0.058, "a method of the runtime has a chroma of %.3f", c.C)
	}
	c := assets.LChOf(assets.Color(v.Palette(&th).Fill(41)))
	testkit.That(t, c.C >= 0.09, "a package of the program has a chroma of %.3f", c.C)
}

// The methods of a class lie around one hue, which is not that of their package.
func TestClassesHaveHues(t *testing.T) {
	s := game()
	s.Apply(model.CollectorDef{ID: 40, Name: "shop"})
	hues := map[string][]float64{}
	methods := []string{
		"Basket.add(shop.Item)", "Basket.remove(int)", "Bill::print", "Bill::sum", "(*Stock).Find", "(*Stock).Take(int)",
	}
	v, th := viewOf(s), assets.Dark()
	for i, name := range methods {
		s.Apply(model.CollectorDef{ID: model.CollectorID(50 + i), Name: name, Parent: 40})
	}
	for i, name := range methods {
		hues[classOf(name)] = append(hues[classOf(name)], assets.LChOf(assets.Color(v.Palette(&th).Fill(model.CollectorID(50+i)))).Hue)
	}
	testkit.MustThat(t, len(hues["Basket"]) == 2 && len(hues["Bill"]) == 2 && len(hues["(*Stock)"]) == 2, "the classes are %v", hues)
	for class, of := range hues {
		testkit.That(t, assets.HueDistance(of[0], of[1]) <= 60, "%s has the hues %v", class, of)
	}
	testkit.Equal(t, classOf("main(int)"), "", "a function has no class")
	apart := max(assets.HueDistance(hues["Basket"][0], hues["Bill"][0]), assets.HueDistance(hues["Basket"][0], hues["(*Stock)"][0]))
	testkit.That(t, apart > 60, "all classes have one hue: %v", hues)
}

// distinct is what a stack asks of neighbours. A grey, which has no hue, differs from each colour that has one.
func distinct(a, b draw.Color) bool {
	x, y := assets.LChOf(assets.Color(a)), assets.LChOf(assets.Color(b))
	d := x.L - y.L
	if grey := min(x.C, y.C) < 0.03; grey && max(x.C, y.C)-min(x.C, y.C) > 0.03 {
		return true
	}
	return d >= 0.06 || d <= -0.06 || assets.HueDistance(x.Hue, y.Hue) >= 25-1.5 // rounded to 8 bits
}

// TestColorsOfAnyTree gives trees of any shape, some with colors that were sent: all are within the
// bounds, a child is told from its parent, and from the sibling before it where neither was sent.
func TestColorsOfAnyTree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		s := store.NewSession()
		n := 2 + rnd.IntN(80)
		before := map[model.CollectorID]draw.Color{}
		for id := range model.CollectorID(n) {
			d := model.CollectorDef{ID: id, Name: fmt.Sprint("c", rnd.IntN(50)), Sort: rnd.IntN(5)}
			if rnd.IntN(3) == 0 {
				d.Name = fmt.Sprintf("Class%d.%s(int)", rnd.IntN(4), d.Name)
			}
			if id > 0 {
				d.Parent = model.CollectorID(rnd.IntN(int(id)))
			}
			if round%2 == 1 && rnd.IntN(3) == 0 {
				d.Color = model.RGB{R: uint8(rnd.Uint32()), G: uint8(rnd.Uint32()), B: uint8(rnd.Uint32()), Set: true}
			}
			s.Apply(d)
		}
		v := New(s)
		for _, name := range assets.ThemeNames() {
			th, _ := assets.ThemeNamed(name)
			pal, h := v.Palette(&th), s.Collectors().Tree()
			for at := range h.All {
				c := &h.All[at]
				if c.ID == 0 {
					continue
				}
				fill := pal.Fill(c.ID)
				x := assets.LChOf(assets.Color(fill))
				if x.L < th.Data.MinL-0.003 || x.L > th.Data.MaxL+0.003 || x.C > th.Data.C+0.002 ||
					x.C > 0.035 && x.Hue > assets.AccentFrom && x.Hue < assets.AccentTo {
					t.Fatalf("%s: collector %d has %+v, out of bounds", name, c.ID, x)
				}
				checkNeighbours(t, name, pal, h, c)
			}
			if name == "dark" {
				for id := range model.CollectorID(n) {
					before[id] = pal.Fill(id)
				}
			}
		}
		// What is defined later takes nobody's color away.
		s.Apply(model.CollectorDef{ID: model.CollectorID(n), Name: "late", Parent: model.CollectorID(rnd.IntN(n))})
		th := assets.Dark()
		for id, c := range before {
			now := v.Palette(&th).Fill(id)
			testkit.MustThat(t, now == c, "collector %d was %v and is %v after another was defined", id, c, now)
		}
	}
}

func checkNeighbours(t *testing.T, name string, pal *Palette, h *model.Hierarchy, c *model.Collector) {
	t.Helper()
	testkit.MustThat(t, c.Parent <= 0 || distinct(pal.Fill(c.ID), pal.Fill(c.Parent)),
		"%s: %d has %v, its parent %d %v", name, c.ID, pal.Fill(c.ID), c.Parent, pal.Fill(c.Parent))
	if Sent(c) {
		return
	}
	last := model.NoCollector
	for _, id := range h.Children[h.Slot(c.Parent)] {
		if id < c.ID && id > last {
			last = id
		}
	}
	if last != model.NoCollector && !Sent(&h.All[h.Slot(last)]) && c.Parent > 0 && !distinct(pal.Fill(c.ID), pal.Fill(last)) {
		t.Fatalf("%s: %d has %v, its sibling %d %v", name, c.ID, pal.Fill(c.ID), last, pal.Fill(last))
	}
}

func TestPaletteIsMadeOnce(t *testing.T) {
	v, th := viewOf(game()), assets.Dark()
	v.Palette(&th)
	n := testing.AllocsPerRun(50, func() { v.Palette(&th).Drawn(cApp, true) })
	testkit.That(t, n == 0, "asking for a color allocates %v times", n)
}

// Text on bars reads, whether they stand out or step back, and on what is lit by the mouse.
func TestTextOnBarsReads(t *testing.T) {
	least := [numStrengths]float64{Whole: 5.8, Outside: 4.5, Missed: 4.5}
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		check := func(what string, b Bar, want float64) {
			t.Helper()
			got := assets.Contrast(assets.Color(b.Fill), assets.Color(b.Text))
			testkit.That(t, got >= want, "%s: text on %s has a contrast of %.2f, want %.1f", name, what, got, want)
		}
		under := &Palette{lit: 1, th: &th}
		for hue := range 72 {
			free, _ := assets.FreeHue(float64(hue * 5))
			for _, level := range []assets.Level{assets.Bright, assets.Deep} {
				whole := barOf(draw.Color(th.Data.Color(free, level)))
				for s := range numStrengths {
					check(fmt.Sprintf("hue %.0f at strength %d", free, s), faded(whole, &th, s), least[s])
				}
				check(fmt.Sprintf("hue %.0f under the mouse", free), under.lighten(1, whole), 4.5)
			}
		}
		wait := Bar{draw.Color(th.Wait), draw.Color(th.WaitText)}
		for s := range numStrengths {
			check(fmt.Sprintf("what waits at strength %d", s), faded(wait, &th, s), 4.5)
			check(fmt.Sprintf("what waits, under the mouse, at strength %d", s), under.lighten(1, faded(wait, &th, s)), leastText)
		}
		other := Bar{draw.Color(th.FrameBar), draw.Color(th.Text)}
		for s := range numStrengths {
			check(fmt.Sprintf("what has no color at strength %d", s), faded(other, &th, s), 5.8)
		}
	}
}

// crew is ten seconds of a main thread, a worker, one that only waits, one that did something for a
// moment, one that never did anything, and one that ran all the time in one span.
func crew() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	for i := range model.PathID(2) {
		s.Apply(model.PathDef{ID: i + 1, Collector: model.CollectorID(i + 1)})
	}
	for i, name := range []string{"Main", "Worker", "Waiter", "Loader", "Spare", "Runner"} {
		s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name, Main: i == 0})
	}
	const second = 1_000_000_000
	add := func(id model.TrackID, begin, end int64, path model.PathID) {
		s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: begin, End: end, Path: path}}})
	}
	for at := range int64(100) {
		add(1, at*second/10, at*second/10+second/100, 1)
		add(2, at*second/10, at*second/10+second/10, 2)
	}
	add(0, 0, 10*second, 1)
	add(3, second, second+second/1000, 1)
	add(5, 0, 10*second, 1)
	return s
}

func shownTitles(v *View) (out []string) {
	for _, id := range v.Look().VisibleTracks() {
		out = append(out, v.Session().Track(id).Title())
	}
	return out
}

// Idle tracks are those that did nothing or next to nothing, however many spans say so; one of them
// that is shown stays, and who begins to work is shown.
func TestIdleTracks(t *testing.T) {
	s := crew()
	v := New(s)
	look := v.Look()
	look.HideIdle(true)
	see := func(what string, idle, byHand int, want ...string) {
		t.Helper()
		got := shownTitles(v)
		testkit.That(t, reflect.DeepEqual(got, want), "%s: %q are shown, want %q", what, got, want)
		i, h := look.NumHidden(HiddenIdle), look.NumHidden(HiddenByHand)
		testkit.That(t, i == idle && h == byHand,
			"%s: %d idle ones are hidden and %d by hand, want %d and %d", what, i, h, idle, byHand)
	}
	see("hidden", 3, 0, "Main", "Worker", "Runner")
	look.SetTrackHidden(3, false)
	look.SetTrackHidden(1, true)
	see("one is shown, another hidden", 2, 1, "Main", "Loader", "Runner")
	kept := look.Tracks()
	testkit.That(t, kept.Sane() && !kept.Plain(), "%+v is not kept", kept)
	other := New(s)
	other.Look().SetTracks(kept)
	got := shownTitles(other)
	testkit.That(t, reflect.DeepEqual(got, []string{"Main", "Loader", "Runner"}), "of what was kept %q are shown", got)
	look.ShowTracks(HiddenByHand)
	see("what was hidden by hand is shown", 2, 0, "Main", "Worker", "Loader", "Runner")
	s.Append(&model.Batch{Track: 4, Spans: []model.Span{{Begin: 10_000_000_000, End: 11_000_000_000, Path: 1}}})
	see("one begins to work", 1, 0, "Main", "Worker", "Loader", "Spare", "Runner")
	look.ShowTracks(HiddenIdle)
	see("all", 0, 0, "Main", "Worker", "Waiter", "Loader", "Spare", "Runner")
	look.HideIdle(true)
	look.SetTrackHidden(2, false)
	look.SetTrackHidden(3, false)
	if all := []string{"Main", "Worker", "Waiter", "Loader", "Spare", "Runner"}; look.HidesIdle() {
		t.Error("idle ones are hidden, though each was shown again")
	} else {
		see("each is shown again", 0, 0, all...)
	}
	look.HideIdle(true)
	testkit.That(t, look.HidesIdle(), "idle ones are not hidden again")
}

// Tracks with sums instead of calls are hidden until they are shown, one of them or all, and that is kept.
func TestTracksOfSums(t *testing.T) {
	s := crew()
	for id := model.TrackID(1); id < 4; id++ {
		def := s.Track(id).Def
		def.Sums = true
		s.Apply(def)
	}
	v := viewOf(s)
	look := v.Look()
	at := look.Tracks()
	n := look.NumHidden(HiddenSums)
	testkit.That(t, n == 3 && at.Plain() && look.HidesTracks(), "%d are hidden, %+v", n, at)
	look.SetTrackHidden(2, false)
	testkit.That(t, !look.TrackHidden(2) && look.NumHidden(HiddenSums) == 2, "one that is shown is hidden")
	v.Tick(2e9, false)
	look.ShowAllTracks()
	other := New(s)
	other.Look().SetTracks(look.Tracks())
	n = other.Look().NumHidden(HiddenSums)
	testkit.That(t, n == 0 && !look.HidesTracks(), "%d are hidden of what was shown", n)
	v.Back()
	testkit.That(t, look.NumHidden(HiddenSums) == 2, "back: %d are hidden", look.NumHidden(HiddenSums))
}

// Where none is idle none is hidden, now or later, and nothing is remembered.
func TestNoIdleTracks(t *testing.T) {
	s := crew()
	v := New(s)
	look := v.Look()
	for _, id := range []model.TrackID{2, 3} {
		look.SetTrackPinned(id, true)
	}
	s.Append(&model.Batch{Track: 4, Spans: []model.Span{{Begin: 10_000_000_000, End: 11_000_000_000, Path: 1}}})
	look.HideIdle(true)
	testkit.That(t, !look.HidesIdle() && !look.Tracks().NoIdle,
		"%d tracks are idle: %+v", look.NumHidden(HiddenIdle), look.Tracks())
}

// Back undoes whatever is hidden, folded, moved, sized, sorted or grouped, Forward does it again;
// while live the view stays so.
func TestBackOfTracks(t *testing.T) {
	for _, live := range []bool{false, true} {
		v := New(crew())
		look := v.Look()
		w := walker{t: t, v: v, now: 1}
		w.tick(1)
		v.Follow(live)
		w.state = func() string {
			return fmt.Sprintf("%+v %v %v %q", look.Tracks(), look.Hidden(1), look.GoneShown(), shownTitles(v))
		}
		w.thereAndBack([]func(){
			func() { look.SetTrackHidden(1, true) },
			func() { look.SetTrackFolded(2, true) },
			func() { look.HideIdle(true) },
			func() { look.MoveTrack(5, 0, false) },
			func() {
				for n := range 4 { // an edge is dragged
					look.SetTrackLanes(0, n+1)
					w.tick(16e6)
				}
			},
			func() { look.SetTrackOrder(TracksByName) },
			func() { look.SetTrackGrouping(TracksByPool) },
			func() { look.SetGroupClosed("pool:other threads", true) },
			func() { look.SetTrackPinned(5, true) },
			func() { look.SetHidden(1, true) },
			func() { look.SetGoneShown(true) },
			look.ShowAll,
		})
	}
}

// What is no change is no step.
func TestNoStepWithoutChange(t *testing.T) {
	v := New(crew())
	v.Tick(1, false)
	look := v.Look()
	for _, f := range []func(){
		func() { look.SetTrackHidden(1, false) }, func() { look.HideIdle(false) }, func() { look.SetTrackOrder(TracksAsSent) },
		func() { look.SetGroupClosed("x", false) }, func() { look.SetHidden(1, false) }, look.ShowAll,
	} {
		v.Tick(2e9, false)
		f()
		testkit.MustThat(t, !v.CanBack(), "there is a way back from nothing")
	}
}

func TestCompareNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a", "a", 0}, {"a", "b", -1}, {"a2", "a10", -1}, {"a02", "a2", 0}, {"a", "a1", -1}, {"x9y", "x9z", -1}, {"10", "9", 1}, {"1", "a", -1}} {
		testkit.Equal(t, compareNames(c.a, c.b), c.want, "%q, %q", c.a, c.b)
		testkit.Equal(t, compareNames(c.b, c.a), -c.want, "%q, %q", c.b, c.a)
	}
}

// A thread without a name of which there are samples alone is shown: charts of all threads sum it up.
func TestThreadsOfSamplesAloneAreShown(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Index: 7})
	s.Apply(model.TrackDef{ID: 1, Index: 8})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: 1, Object: model.NoObject, Peer: model.NoObject,
	})
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: 0, Time: 5, Value: 1}}})
	shown := New(s).Look().VisibleTracks()
	testkit.That(t, len(shown) == 1 && shown[0] == 1, "%v", shown)
}

// The main thread is shown once it has frames, however late its first one comes, unless the user looks at another or
// has looked at one for long.
func TestMainThreadIsLate(t *testing.T) {
	frame := func(s *store.Session, track model.TrackID, number int64) {
		at := number * 20 * ms
		s.Append(&model.Batch{Track: track, HasFrame: true, Number: number, Begin: at, End: at + 15*ms})
	}
	for _, c := range []struct {
		name   string
		after  int64 // ns
		choose bool
		want   model.TrackID
	}{
		{"soon", 3000 * ms, false, tMain},
		{"after a minute", 60_000 * ms, false, tDraw},
		{"chosen", 3000 * ms, true, tDraw},
	} {
		s := define("pstats")
		s.Apply(model.Info{Source: "pstats"}) // live
		frame(s, tDraw, 1)
		v := viewOf(s)
		testkit.Equal(t, v.Track(), tDraw, "%s: the only thread with frames", c.name)
		if c.choose {
			v.SetTrack(tDraw)
		}
		frame(s, tDraw, 2)
		v.Tick(c.after, false)
		frame(s, tMain, 3)
		v.Tick(c.after+1000*ms, false)
		testkit.Equal(t, v.Track(), c.want, "%s", c.name)
	}
}

// Counters that changed often keep their places while a session grows, also where another changes more of it.
func TestCountersKeepTheirPlaces(t *testing.T) {
	s := define("pstats")
	s.Apply(model.Info{Source: "pstats"}) // live
	grow := func(first, n, early, late int64) {
		for i := first; i < first+n; i++ {
			levels := []model.Level{{Collector: cGeom, Value: float64(i / late)}, {Collector: cApp, Value: float64(i / early)}}
			s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 10 * ms, End: i*10*ms + 9*ms, Levels: levels})
		}
	}
	order := func(v *View) (names []string) {
		n, changing := v.Look().Counters()
		testkit.Equal(t, changing, n, "all change")
		for i := range n {
			names = append(names, v.Look().CounterAt(i).Name(s))
		}
		return names
	}
	grow(1, 128, 2, 8)
	v := viewOf(s)
	testkit.EqualSlices(t, order(v), []string{"App", "Geom"}, "the one that changes more is first")
	grow(129, 1000, 1000, 1)
	testkit.EqualSlices(t, order(v), []string{"App", "Geom"}, "it stays there")
	testkit.EqualSlices(t, order(viewOf(s)), []string{"Geom", "App"}, "who looks now sees the other first")
}
