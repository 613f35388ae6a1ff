package calls

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// searchAll ticks until the search is done.
func searchAll(t testing.TB, rig *chartstest.Rig, c *Slow) {
	t.Helper()
	for range 10_000 {
		rig.Tick(c)
		if q := &c.search; q.valid && q.done && !q.again {
			rig.Tick(c)
			return
		}
	}
	t.Fatal("the search does not end")
}

func TestSlowCallsOfARecording(t *testing.T) {
	s := chartstest.LoadFlare(t, "constructed-60s")
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	rig.Tick(c)
	testkit.That(t, len(c.source.rows) == 0 && strings.Contains(c.source.Empty(false), " of a method.\nSelect one"),
		"%d rows, %q", len(c.source.rows), c.source.Empty(false))
	price := collectorCalled(t, s, "Cart.price()")
	rig.Env.View.SelectCollector(price)
	searchAll(t, rig, c)
	if got := c.Mode(rig.Env); got != "Cart.price() · 50 runs" { // 1200 ms cycles in 60 s, all with the same callee
		t.Errorf("mode %q", got)
	}
	testkit.That(t, len(c.source.rows) == 51 && c.source.groups[0].max == 560e6 && c.source.groups[0].min == 560e6,
		"%d rows, %+v", len(c.source.rows), c.source.groups)
	x := c.source.run().Calls()[c.source.rows[1].call]
	testkit.That(t, x.SelfNs == 320e6, "self %d", x.SelfNs)
	// A click goes there, and the search stays what it was.
	c.InRange = true
	rig.Env.View.SelectRange(0, 12e9)
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 10 runs", "in 12 s")
	y := c.table.RowRect(2).Y0 + 4
	rig.Click(c, 100, y)
	v := rig.Env.View
	x = c.source.run().Calls()[c.source.rows[2].call]
	testkit.That(t, v.HasSpan() && v.Span().Ref == x.Ref && v.RangeA() == x.Begin && v.RangeB() == x.Begin+x.Ns &&
		v.Track() == x.Ref.Track, "span %v %+v, range %d – %d", v.HasSpan(), v.Span(), v.RangeA(), v.RangeB())
	if b, e := v.Steer().Target(); int64(b) > x.Begin || int64(e) < x.Begin+x.Ns || e-b > float64(3*x.Ns) {
		t.Errorf("%v – %v is shown for %d – %d", b, e, x.Begin, x.Begin+x.Ns)
	}
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 10 runs", "after going to a call")
	a := rig.DoubleClick(c, 100, y)
	testkit.That(t, a.Kind == panel.ActionOpenFlame && a.Collector == price && a.Track == x.Ref.Track,
		"a double click asks for %+v", a)
	v.SelectRange(0, 24e9)
	searchAll(t, rig, c)
	testkit.Equal(t, c.Mode(rig.Env), "Cart.price() · 20 runs", "in 24 s")
}

func TestSlowCallsByName(t *testing.T) {
	s := chartstest.LoadFlare(t, "constructed-60s")
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	for _, k := range []struct {
		text  string
		re    bool
		minNs int64
		mode  string
	}{
		{"cart.PRICE", false, 0, "50 runs"},
		{`ledger\.append|journal\.flush`, true, 0, "50 runs"}, // flush runs within append
		{"cart.price", false, 560e6, "50 runs"},
		{"cart.price", false, 560e6 + 100_000, "0 runs"},
		{"nobody is called so", false, 0, "0 runs"},
	} {
		c.Text, c.Regexp, c.MinNs = k.text, k.re, k.minNs
		searchAll(t, rig, c)
		got := c.Mode(rig.Env)
		testkit.That(t, strings.HasSuffix(got, k.mode) && strings.Contains(got, k.text),
			"%q: %q, want %q", k.text, got, k.mode)
	}
	c.Text, c.Regexp = "(", true
	rig.Ticks(c, 2)
	e := c.source.Empty(false)
	testkit.That(t, strings.Contains(e, "nvalid regular expression"), "empty: %q", e)
}

// A long search takes many ticks, tells how far it is, and shows what it has.
func TestSlowCallsGoOnTickByTick(t *testing.T) {
	s := chartstest.NewLaneSession(120_000, 6)
	rig := chartstest.NewRig(s, 1, 700, 300)
	c := NewSlow()
	c.Text, c.Regexp = ".", true
	ticks, last := 0, ""
	seen := 0
	for ; ticks < 100_000; ticks++ {
		rig.Tick(c)
		if c.search.done {
			break
		}
		m := c.Mode(rig.Env)
		if m != last {
			seen++
		}
		last = m
		testkit.MustThat(t, strings.HasPrefix(m, "names like /./ · searching "), "mode %q", m)
	}
	testkit.That(t, ticks >= 2 && seen >= 2, "%d ticks, %d words", ticks, seen)
	rig.Tick(c)
	n := len(c.source.run().Calls())
	testkit.That(t, n == 2000 && c.source.run().More, "%d calls", n)
	q := c.List().Quads()
	testkit.That(t, q <= 3000, "%d quads", q)
	chartstest.AllocatesNothing(t, "calls", func() { rig.Tick(c) })
}

// While live, what came since is searched now and then, without emptying the list meanwhile.
func TestSlowCallsWhileLive(t *testing.T) {
	s := store.NewSession()
	chartstest.Fill(s, 40)
	s.Apply(model.Info{Source: "pstats"})
	rig := chartstest.NewRig(s, 1, 700, 300)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	c := NewSlow()
	rig.Env.View.SelectCollector(chartstest.CGeom)
	searchAll(t, rig, c)
	before := len(c.source.run().Calls())
	testkit.MustThat(t, before != 0, "nothing was found")
	chartstest.Fill(s, 80) // the same frames are refused, later ones are new
	for range 200 {
		rig.Tick(c)
		testkit.MustThat(t, len(c.source.rows) != 0, "the list was emptied")
	}
	n := len(c.source.run().Calls())
	testkit.That(t, n > before, "%d calls after more came, %d before", n, before)
}

func TestLeastLengthOfCalls(t *testing.T) {
	for _, k := range []struct {
		ns    int64
		steps int
		want  int64
	}{{0, 1, 1e5}, {1e5, -1, 0}, {0, -3, 0}, {19e5, 1, 2e6}, {2e6, 1, 3e6}, {2e6, -1, 19e5}, {3e6, -1, 2e6}, {20e6, 1, 30e6}, {20e6, -1, 19e6}} {
		testkit.Equal(t, stepMin(k.ns, k.steps), k.want, "stepMin(%d, %d)", k.ns, k.steps)
	}
	c := NewSlow()
	for i, want := range leastLengths {
		c.Use(nil, toolMin, i)
		testkit.That(t, c.MinNs == want, "choice %d gives %d, want %d", i, c.MinNs, want)
	}
	c.Turn(nil, toolMin, 1)
	testkit.That(t, c.MinNs > leastLengths[4], "the wheel gives %d", c.MinNs)
}

func TestSlowCallsPictures(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	for _, p := range []struct {
		name  string
		light bool
		w     float32
		set   func(rig *chartstest.Rig, c *Slow)
	}{
		{"slowcalls", false, 900, func(rig *chartstest.Rig, c *Slow) {
			rig.Env.View.SelectCollector(collectorCalled(t, s, "priceCart"))
			c.MinNs = 200e6
		}},
		{"slowcalls_light", true, 900, func(rig *chartstest.Rig, c *Slow) {
			c.Text = "Service."
			searchAll(t, rig, c)
			c.source.open[c.source.groups[c.source.order[0].group].key] = true
			c.source.folds++
		}},
		{"slowcalls_flat", false, 520, func(rig *chartstest.Rig, c *Slow) {
			c.Text, c.Regexp, c.Flat = "persist|collect", true, true
			searchAll(t, rig, c)
			c.show(rig.Env, &c.source.run().Calls()[2])
		}},
		{"slowcalls_nothing", true, 600, func(rig *chartstest.Rig, c *Slow) {}},
	} {
		t.Run(p.name, func(t *testing.T) {
			rig := chartstest.NewRig(s, 1, p.w, 300)
			chartstest.Light(rig.Env, p.light)
			c := NewSlow()
			p.set(rig, c)
			if p.name != "slowcalls_nothing" {
				searchAll(t, rig, c)
			}
			rig.Check(t, c, p.name)
		})
	}
}

// collectorCalled returns the collector whose name contains a text.
func collectorCalled(t testing.TB, s *store.Session, text string) model.CollectorID {
	t.Helper()
	for id := range model.CollectorID(s.Collectors().Len()) {
		if d := s.Collector(id); d.HasTime && strings.Contains(d.Name, text) {
			return id
		}
	}
	t.Fatalf("no collector %q", text)
	return model.NoCollector
}

// Of a name that only stands for those below it nothing is called: the panel says what to choose.
func TestSlowCallsOfAGroup(t *testing.T) {
	s := chartstest.LoadProfile(t, "exhausted.prof")
	rig := chartstest.NewRig(s, 1, 900, 300)
	c := NewSlow()
	testkit.Equal(t, c.source.nameOfGroup(), "", "without a collector the group")
	for name, want := range map[string]bool{"All blocks": true, "Render": false} {
		c.search.key.session, c.search.key.collector = s, collectorCalled(t, s, name)
		c.search.steps++
		got := c.source.nameOfGroup()
		testkit.That(t, (got != "") == want, "%s is the group %q", name, got)
	}
	rig.Tick(c)
}

// foundCalls lists what an expression finds.
func foundCalls(t *testing.T, expr string) (*chartstest.Rig, *Slow) {
	t.Helper()
	rig := chartstest.NewRig(chartstest.NewLaneSession(4_000, 6), 1, 900, 400)
	c := NewSlow()
	lookFor(t, rig, c, expr)
	return rig, c
}

func lookFor(t *testing.T, rig *chartstest.Rig, c *Slow, expr string) {
	t.Helper()
	rig.Env.View.Look().SetFoundCalls(chartstest.Found(t, rig.Env.View.Session(), expr))
	searchAll(t, rig, c)
}

// Whatever the groups of what a search found have in common, together they have all of it, and each
// call is with its like.
func TestFoundCallsInGroups(t *testing.T) {
	rig, c := foundCalls(t, ">0ns")
	n := int64(len(c.source.run().Calls()))
	testkit.MustThat(t, n != 0 && c.source.run().Sums.Count >= n, "%d calls of %d", n, c.source.run().Sums.Count)
	s := rig.Env.View.Session()
	for by := ByStack; by <= ByFrame; by++ {
		c.Use(rig.Env, toolGroup, int(by))
		rig.Tick(c)
		sum, names := int64(0), map[string]bool{}
		for i := range c.source.groups {
			g := &c.source.groups[i]
			sum += g.n()
			if g.n() == 0 {
				continue
			}
			name := string(c.source.appendGroup(rig.Env, nil, &slowRow{int32(i), -1}))
			testkit.That(t, name != "" && (by == ByStack || !names[name] || by == ByPath || by == ByCaller),
				"%s: group %q", groupNames[by], name)
			names[name] = true
			for _, k := range c.source.calls[g.from:g.to] {
				x := &c.source.run().Calls()[k]
				testkit.That(t, by == ByStack || by.keyOf(s, x) == g.of, "%s: %+v is in %+v", groupNames[by], x, g)
			}
		}
		testkit.That(t, sum == n && len(names) != 0 && c.source.numGroups() == len(c.source.order),
			"%s: %d calls in %d groups, want %d", groupNames[by], sum, len(names), n)
	}
	testkit.That(t, strings.HasPrefix(c.Mode(rig.Env), "found by “>0ns” · "), "mode %q", c.Mode(rig.Env))
}

func TestFoundCallsPicture(t *testing.T) {
	chartstest.AtScales(t, "slowcalls_found", func(t *testing.T, scale float32, name string) {
		rig := chartstest.NewRig(chartstest.NewSession(t), scale, 640*scale, 320*scale)
		c := NewSlow()
		c.By = ByPath
		lookFor(t, rig, c, "Draw >0.1ms")
		rig.Check(t, c, name)
	})
}

// Few calls are few columns. In a low panel the rows of the list give way to the histogram, all but one.
func TestFewFoundCallsPicture(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 500, 28+82)
	c := NewSlow()
	c.By = ByPath
	lookFor(t, rig, c, "Draw >5ms")
	n := c.source.run().Sums.Count
	got := int64(len(c.lengths.columns))
	testkit.That(t, n != 0 && (got-1)*(got-1) < n && got*got >= n && c.lengths.rect.H() >= lengthsLeastPx,
		"%d columns for %d calls in %v", got, n, c.lengths.rect)
	rig.Check(t, c, "slowcalls_found_few")
}

// Whether a collector without calls stands for a group is looked up once for each state of the search: the
// answer takes a walk over all threads.
func TestGroupsAreLookedUpOnce(t *testing.T) {
	s := chartstest.NewSession(t)
	group := model.CollectorID(s.Collectors().Len())
	s.Apply(model.CollectorDef{ID: group, Name: "Systems", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: group + 1, Name: "Unused", Parent: group})
	rig, c := chartstest.NewRig(s, 1, 700, 300), NewSlow()
	rig.Env.View.SelectCollector(group)
	searchAll(t, rig, c)
	const isGroup = "It was not called: “Systems” is a group.\nSelect one of those below it, or a bar."
	testkit.Equal(t, c.source.Empty(false), isGroup, "before a call")
	path := model.PathID(1 << 12)
	s.Apply(model.PathDef{ID: path, Collector: group})
	_, end, _ := s.Bounds()
	s.Append(&model.Batch{Begin: end, End: end + 10, Spans: []model.Span{{Path: path, Begin: end, End: end + 5}}})
	testkit.Equal(t, c.source.Empty(false), isGroup, "before the search goes on")
	searchAll(t, rig, c)
	testkit.That(t, len(c.source.rows) > 0, "the new call is not listed")
}
