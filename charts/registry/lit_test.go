package registry

import (
	"fmt"
	"slices"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/subject"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/locks"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/gsttrace"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

// legible are the sources of the recordings in which texts have to be legible.
var legible = feed.Registry{decode.Source{}, gsttrace.Source{}, profilelib.Source{}, flare.Source{}}

// collectorPanels are the panels that show collectors, each by its color.
var collectorPanels = []string{"timeline", "flame", "piano", "strip", "collectors", "statistics", "calltree", "calls"}

// TestFoundAndHoveredStandOutEverywhere searches: in every panel that shows collectors what is found
// is outlined in the accent, and what is not steps back; without the search everything is as it was.
// So it is with what lies under the mouse in any of them.
func TestFoundAndHoveredStandOutEverywhere(t *testing.T) {
	rig, v := frameRig(t, 10_000_000)
	s, th := v.Session(), rig.Env.Theme
	draws := model.NoCollector
	for id := range model.CollectorID(s.Collectors().Len()) {
		if c := s.Collector(id); c != nil && c.FullName == "Draw" {
			draws = id
		}
	}
	v.SelectCollectorOf(v.Track(), draws) // whose calls are listed
	panels := map[string]panel.Panel{}
	for _, id := range collectorPanels {
		panels[id] = newOf(t, id)
	}
	pointed := model.NoCollector
	picture := func(id string) []draw.Vertex {
		for range 4 {
			if pointed != model.NoCollector {
				v.Pointer().Set(t, pointed, 0, false)
			}
			rig.Tick(panels[id])
		}
		return slices.Clone(panels[id].List().Vertices)
	}
	accent, own := draw.Color(th.Accent), rig.Env.Palette().Fill(draws)
	before := map[string][]draw.Vertex{}
	for id := range panels {
		before[id] = picture(id)
		testkit.That(t, count(before[id], own) != 0, "%s does not show the collector to be found", id)
	}
	v.Look().SetFound(true, []model.CollectorID{draws})
	for id := range panels {
		now := picture(id)
		testkit.That(t, count(now, accent) > count(before[id], accent), "what is found is not outlined in %s", id)
	}
	v.Look().SetFound(true, nil)
	for _, id := range []string{"timeline", "flame", "piano", "strip"} {
		testkit.That(t, count(picture(id), own) <= 0, "what is not found does not step back in %s", id)
	}
	v.Look().SetFound(false, nil)
	for id := range panels {
		testkit.That(t, slices.Equal(picture(id), before[id]), "after the search %s is not what it was", id)
	}
	pointed = draws
	for id := range panels {
		if id != "calls" && slices.Equal(picture(id), before[id]) { // there all rows are of it
			t.Errorf("what is under the mouse elsewhere is not lit in %s", id)
		}
	}
}

// frameRig is a window that shows a game's frame 100 with some time on either side, paused.
func frameRig(t *testing.T, besideNs int64) (*chartstest.Rig, *view.View) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 1100, 700)
	v := rig.Env.View
	v.SelectFrames(100, 100)
	v.Steer().PlaceTime(v.RangeA()-besideNs, v.RangeB()+besideNs)
	return rig, v
}

// newOf makes a panel by its ID.
func newOf(t *testing.T, id string) panel.Panel {
	t.Helper()
	d, ok := Find(id)
	testkit.MustThat(t, ok, "there is no panel %s", id)
	return d.New()
}

// count counts the corners of a color.
func count(vs []draw.Vertex, c draw.Color) (n int) {
	const unit = 1.0 / 255
	for i := range vs {
		if x := &vs[i]; x.A == 1 && x.R == float32(c.R)*unit && x.G == float32(c.G)*unit && x.B == float32(c.B)*unit {
			n++
		}
	}
	return n
}

// A search for calls lights those that it finds and no others of their collector, and the frames in
// which they are: in the timeline and the frame strip.
func TestFoundCallsStandOut(t *testing.T) {
	rig, v := frameRig(t, 10_000_000)
	s := v.Session()
	accents := func(id, expr string) int {
		v.Look().SetFoundCalls(chartstest.Found(t, s, expr))
		p := newOf(t, id)
		rig.Ticks(p, 4)
		return count(p.List().Vertices, draw.Color(rig.Env.Theme.Accent))
	}
	at := s.Track(v.Track()).Frame(100).Number
	for _, id := range []string{"timeline", "frames"} {
		none, all := accents(id, ">1000s"), accents(id, "Draw >=0ns")
		one, some := accents(id, fmt.Sprintf("Draw frame:%d", at)), accents(id, fmt.Sprintf("Draw frame:%d-%d", at-5, at))
		testkit.That(t, one > none && some >= one && all >= some && (id != "frames" || some > one && all > some),
			"%s: of no call %d, of one frame %d, of some %d, of all %d are lit", id, none, one, some, all)
	}
}

// pipelineWithLocks returns a session in which there is something of every kind: threads with
// locks, and a mixer and a sink that messages name and that series are about.
func pipelineWithLocks(t *testing.T) (s *store.Session, mixer model.ObjectID, fill model.SeriesID) {
	s = chartstest.NewLockSession(t)
	objects, first := model.ObjectID(len(s.Topology().Objects())), model.SeriesID(s.Series().Len())
	mixer, fill = objects, first
	for i, name := range []string{"mixer", "sink"} {
		s.Apply(model.ObjectDef{
			ID: objects + model.ObjectID(i), Parent: model.NoObject, Kind: model.ObjectElement, Name: name,
			Created: model.TimeUnknown, Gone: model.TimeUnknown,
		})
		id := first + model.SeriesID(i)
		s.Apply(model.SeriesDef{
			ID: id, Name: name, Group: "fill", Track: model.NoTrack, Object: objects + model.ObjectID(i), Peer: model.NoObject,
		})
		b := model.Batch{Track: model.NoTrack}
		for k := range int64(40) {
			b.Samples = append(b.Samples, model.Sample{Series: id, Time: k * 5_000_000, Value: float64(k % 7)})
		}
		s.Append(&b)
	}
	s.Apply(model.LinkDef{From: mixer, To: mixer + 1, Since: model.TimeUnknown, Until: model.TimeUnknown, Flow: model.NoSeries})
	return s, mixer, fill
}

// What is selected stands out in every panel in which it appears, wherever it was chosen; nothing
// of it is left when it is let go; and no other panel is drawn otherwise.
func TestThingsLightUpEverywhere(t *testing.T) {
	s, mixer, fill := pipelineWithLocks(t)
	rig := chartstest.NewRig(s, 1, 1100, 700)
	v := rig.Env.View
	v.Steer().PlaceTime(110_000_000, 142_000_000)
	panels := map[string]panel.Panel{}
	for _, d := range having(s) {
		panels[d.ID] = d.New()
		if c, ok := panels[d.ID].(*series.Chart); ok {
			c.Show("fill")
		}
	}
	picture := func(id string) []draw.Vertex {
		rig.Ticks(panels[id], 4)
		return slices.Clone(panels[id].List().Vertices)
	}
	before := map[string][]draw.Vertex{}
	for id := range panels {
		before[id] = picture(id)
	}
	var use locks.Use // a wait for a condition that a signal ended
	a := s.Locks().Arrows(110_000_000, 142_000_000, nil)[0]
	for _, bar := range s.Locks().Bars(a.Lock, a.ToTime, a.ToTime, 1, nil) {
		if bar.Kind == locks.Condition && bar.End == a.ToTime {
			use = bar.Use
		}
	}
	said := s.Messages().Of(chartstest.LtAudio, 120_000_000, 130_000_000, nil)[0]
	testkit.MustThat(t, use != (locks.Use{}) && said.Object == "mixer", "use %+v, message %+v", use, said)
	for _, c := range []struct {
		name  string
		thing view.Thing
		in    []string
	}{
		{"element", view.Element(mixer), []string{"topology", "series", "messages", "elements"}},
		{"series", view.Series(fill), []string{"timeline", "topology", "series", "elements"}},
		{"lock", view.Lock(a.Lock), []string{"timeline", "locks"}},
		{"use", view.Use(use), []string{"timeline", "locks"}},
		{"message", view.Message(chartstest.LtAudio, said), []string{"timeline", "messages", "topology", "elements"}},
	} {
		v.Select(c.thing)
		for _, id := range c.in {
			testkit.MustThat(t, panels[id] != nil && len(before[id]) != 0, "there is no panel %s", id)
		}
		for id := range panels {
			lit := !slices.Equal(picture(id), before[id])
			switch about := v.Collector() != model.NoCollector; { // panels of collectors are about those of locks
			case slices.Contains(c.in, id) && !lit:
				t.Errorf("a %s is selected, and nothing stands out in %s", c.name, id)
			case !slices.Contains(c.in, id) && lit && !about:
				t.Errorf("a %s is selected, and something stands out in %s", c.name, id)
			}
		}
		testkit.That(t, v.Thing() == c.thing, "a %s was selected, and panels left %+v", c.name, v.Thing())
		v.ClearThing()
		for id := range panels {
			testkit.That(t, slices.Equal(picture(id), before[id]),
				"a %s was let go, and %s is not what it was", c.name, id)
		}
	}
	// The use of a lock stands out from the lock: its bar, its arrow, its length in the table.
	for _, id := range []string{"locks", "timeline"} {
		v.Select(view.Lock(a.Lock))
		lock := picture(id)
		v.Select(view.Use(use))
		testkit.That(t, !slices.Equal(picture(id), lock), "a use of a lock looks like the lock in %s", id)
	}
}

// A thing has one hue: the square before the name of an element, a thread or a collector has its hue
// in whatever panel that stands, also before the name of what is measured there. What has none, as
// what waits, is grey.
func TestThingsHaveOneHue(t *testing.T) {
	checked := map[string]int{} // by panel
	for name, load := range chartstest.LegibleSessions(t, legible) {
		s := load()
		rig := chartstest.NewRig(s, 1, 1100, 700)
		env := rig.Env
		of := map[string][]draw.Color{}
		for i := range s.Topology().Objects() {
			o := &s.Topology().Objects()[i]
			name, color := o.Name, subject.ElementColor(env, o.ID)
			if up, ok := s.Topology().Object(o.Parent); ok && o.Kind != model.ObjectElement {
				name, color = up.Name+"."+o.Name, subject.ElementColor(env, up.ID) // a pad has that of its element
			}
			of[name] = append(of[name], color)
		}
		for id := range model.TrackID(s.NumTracks()) {
			fill, _ := subject.ThreadColor(env, id)
			of[s.Track(id).Title()] = append(of[s.Track(id).Title()], fill)
		}
		for id := range model.CollectorID(s.Collectors().Len()) {
			for _, title := range []string{s.Collector(id).Name, s.Collector(id).FullName} {
				of[title] = append(of[title], env.Palette().Fill(id))
			}
		}
		groups := map[string]bool{}
		for id := range model.SeriesID(s.Series().Len()) {
			groups[s.Series().ByID(id).Def.Group] = true
		}
		for _, d := range having(s) {
			p := d.New()
			show := []string{""}
			c, charted := p.(*series.Chart)
			if charted {
				for g := range groups {
					show = append(show, g)
				}
			}
			for _, group := range show {
				if charted && group != "" {
					c.Show(group)
				}
				rig.Ticks(p, 2)
				for text, fill := range chartstest.Swatches(p.List()) {
					colors, known := of[text]
					if !known || fill == draw.Color(env.Theme.Panel) {
						continue // a port has the ground of the panel
					}
					checked[d.ID]++
					testkit.That(t, anyHue(colors, fill),
						"%s, %s %s: %q has %v, not a hue of %v", name, d.ID, group, text, fill, colors)
				}
			}
		}
	}
	atLeast(t, 1, checked, "series", "elements", "collectors", "messages", "statistics", "processors")
}

// anyHue tells whether a color has the hue of one of some, or is grey as one of them is.
func anyHue(of []draw.Color, fill draw.Color) bool {
	const grey, near = 0.02, 6 // chroma; degrees, for what rounding to 8 bits and mixing with black do
	x := assets.LChOf(assets.Color(fill))
	for _, c := range of {
		y := assets.LChOf(assets.Color(c))
		if x.C < grey && y.C < grey || x.C >= grey && y.C >= grey && assets.HueDistance(x.Hue, y.Hue) < near {
			return true
		}
	}
	return false
}

// Every panel that shows collectors tells the others which of them is under the mouse, and that none is
// any more once it is closed.
func TestHoveredIsTold(t *testing.T) {
	for _, id := range collectorPanels {
		rig, v := frameRig(t, 10_000_000)
		v.SelectCollectorOf(v.Track(), chartstest.CDraw) // whose calls are listed
		p, told := newOf(t, id), 0
		rig.Ticks(p, 4)
		for y := rig.R.Y0 + 5; y < rig.R.Y1; y += 37 {
			for x := rig.R.X0 + 5; x < rig.R.X1; x += 97 {
				rig.Move(p, x, y)
				rig.Tick(p)
				if h := p.HitTest(rig.Env, x, y); h.Collector > 0 && v.Pointer().Collector() == h.Collector {
					told++
				}
			}
		}
		for range 2 {
			v.Tick(rig.Env.NowNs, false)
		}
		if told < 5 || v.Pointer().Collector() != model.NoCollector {
			t.Errorf("%s tells of %d places what is under the mouse; closed it still tells of %d", id, told, v.Pointer().Collector())
		}
	}
}

// everySize looks at a panel in light and dark colors, at all sizes and scales. ready makes the window what
// the panel is to show; nil: it is.
func everySize(g *chartstest.Legibility, s *store.Session, id, where string, make func() panel.Panel, ready func(*panel.Env)) {
	light := assets.Light()
	var p panel.Panel
	for _, sight := range chartstest.Sights(&light) {
		if sight.First {
			p = make()
		}
		g.Theme = sight.Theme
		rig := g.Rig(s, sight.Scale, sight.W, sight.H)
		if ready != nil {
			ready(rig.Env)
		}
		rig.Ticks(p, 2)
		g.Look(rig, p.List(), id, fmt.Sprintf("%s, light %v", where, sight.Theme != nil))
	}
	g.Theme = nil
}

// quotes are the panels of what programs write.
var quotes = []string{"messages"}

// Every panel is legible with every session, at six sizes and three scales.
func TestPanelsAreLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	for name, load := range chartstest.LegibleSessions(t, legible) {
		s := load()
		for _, d := range having(s) {
			everySize(&g, s, d.ID, name, d.New, nil)
		}
	}
	g.Report(t)
}

// So are the panels of the comparison, in every way that their tools offer.
func TestComparedIsLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	_, b, state := chartstest.NewCompared()
	for _, d := range Compared() {
		id, make := d.ID, d.New
		tools := chartstest.NewComparedRig(1, 600, 400)
		for i := range len(make().(panel.Tooled).Tools(tools.Env)) + 1 {
			everySize(&g, b, id, "compared", func() panel.Panel {
				p := make()
				if i > 0 {
					tool := p.(panel.Tooled).Tools(tools.Env)[i-1]
					p.(panel.Tooled).Use(tools.Env, tool.ID, 0)
				}
				return p
			}, func(env *panel.Env) { env.Comparing = state })
		}
		everySize(&g, b, id, "nothing compared", make, nil)
	}
	g.Report(t)
}

// So is what budgets say, in charts and tables and in the list of them.
func TestBudgetsAreLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	_, s, _ := chartstest.NewCompared()
	all, err := budget.Parse("[[budget]]\nname = \"60 Hz\"\nlimit = \"9 ms\"\nshare = \"1 %\"\n[[budget]]\ncollector = \"*\"\nlimit = \"2 ms\"\n" +
		"[[budget]]\ncollector = \"Frame\"\nlimit = \"12 ms\"\n[[budget]]\ncollector = \"gone\"\noptional = true\nlimit = \"1 s\"\n")
	testkit.NoErr(t, err)
	state := new(view.State)
	state.Set("game/budgets.toml", all)
	for !state.Follow(s, 0, 1<<40) {
	}
	with := func(env *panel.Env) { env.Limits = state }
	everySize(&g, s, "budgets", "some budgets", func() panel.Panel { return tables.NewBudgets() }, with)
	everySize(&g, s, "budgets", "no budgets", func() panel.Panel { return tables.NewBudgets() }, nil)
	for _, id := range []string{"frames", "strip", "collectors", "statistics"} {
		d, _ := Find(id)
		everySize(&g, s, id, "budgets", d.New, with)
	}
	g.Report(t)
}

// So is everything while calls are found, with their lengths over the list of them.
func TestFoundIsLegible(t *testing.T) {
	g := chartstest.Legibility{Sentences: true, Quotes: quotes}
	s := chartstest.NewSession(t)
	hits := chartstest.Found(t, s, ">0ns")
	n, _ := hits.Count()
	testkit.MustThat(t, n != 0, "nothing was found")
	for _, d := range having(s) {
		everySize(&g, s, d.ID, "found", d.New, func(env *panel.Env) { env.View.Look().SetFoundCalls(hits) })
	}
	g.Report(t)
}

// recorder takes the place of a test that is to fail, and keeps which rules of panels were broken.
type recorder struct {
	testing.TB
	rules string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Errorf(_ string, args ...any) { r.rules += args[0].(string) }

// The test of legibility sees what it is there for: a text over another, one that is cut at its side,
// one that hardly stands out. What is drawn well, or covered again, it lets pass.
func TestLegibilitySeesWhatIsWrong(t *testing.T) {
	s := chartstest.NewSession(t)
	for name, c := range map[string]struct {
		draw func(l *draw.List, text, grey draw.Color)
		want string // of the rules; empty: nothing is wrong
	}{
		"well": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 10, 40, "two", text)
		}, ""},
		"over": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 14, 12, "two", text)
		}, "panel: over"},
		"covered": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Rect(draw.Rect{X0: 5, Y0: 5, X1: 100, Y1: 40}, draw.RGB(20, 20, 20))
			l.Text(draw.Regular, 14, 12, "two", text)
		}, ""},
		"cut": {func(l *draw.List, text, _ draw.Color) {
			l.PushClip(draw.Rect{X1: 30, Y1: 60})
			l.Text(draw.Regular, 10, 10, "a long text", text)
			l.PopClip()
		}, "panel: cut"},
		"elided": {func(l *draw.List, text, _ draw.Color) {
			l.TextIn(draw.Regular, draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}, draw.Left, "a long text", text)
		}, ""},
		"grey on grey": {func(l *draw.List, _, grey draw.Color) {
			l.Rect(draw.Rect{X1: 200, Y1: 60}, draw.RGB(90, 90, 90))
			l.Text(draw.Regular, 10, 10, "one", grey)
		}, "panel: contrast"},
		"pale": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text.WithAlpha(80))
		}, "panel: contrast"},
	} {
		var g chartstest.Legibility
		rig := g.Rig(s, 1, 200, 60)
		l := draw.NewList(rig.Env.Atlas)
		l.Reset(rig.R)
		c.draw(l, draw.Color(rig.Env.Theme.Text), draw.RGB(120, 120, 120))
		g.Look(rig, l, "panel", "here")
		r := recorder{TB: t}
		g.Report(&r)
		testkit.That(t, r.rules == c.want, "%s: %q is found", name, r.rules)
	}
}
