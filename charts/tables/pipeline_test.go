package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/gsttrace"
)

// Elements stand below their bins, with what their latencies say; a click selects one in all
// panels.
func TestElements(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz")
	rig := chartstest.NewRig(s, 1, 300, 600)
	e := NewElements()
	n, _ := e.Rows(rig.Env)
	var queue *elementRow
	seen := map[model.ObjectID]bool{}
	for i := range n {
		r := e.At(i)
		if r.head || seen[r.object] {
			continue
		}
		seen[r.object] = true
		if e.name(rig.Env, r) == "q2" {
			queue = r
		}
	}
	testkit.MustThat(t, queue != nil, "%d elements, no q2", len(seen))
	sum, count := 0.0, int64(0)
	for id := range model.SeriesID(s.Series().Len()) {
		if x := s.Series().ByID(id); x.Def.Name == "q2.src" && x.Def.Role == model.RoleLatency {
			begin, end, _ := x.Bounds()
			b := x.Bins(begin, end+1, 1, nil)
			sum, count = sum+b[0].Sum, count+b[0].N
		}
	}
	testkit.That(t, count != 0 && queue.took.N == count && math.Abs(queue.took.MeanNs-sum/float64(count)) <= 1,
		"%d buffers of %v ns in q2, want %d of %v", queue.took.N, queue.took.MeanNs, count, sum/float64(count))
	e.Click(rig.Env, queue, &panel.Input{})
	if v := rig.Env.View; v.Thing() != view.Element(queue.object) || v.Track() != queue.track || !e.Row(rig.Env, queue).Selected {
		t.Error("the element is not selected")
	}
	p := NewElementPanel()
	rig.Tick(p)
	p.SetFilter("Q2")
	rig.Tick(p)
	if p.NumRows() < 1 || p.NumRows() > 2 { // and its bin
		t.Errorf("%d rows are called q2", p.NumRows())
	}
}

// Where no element has a mean the list says why, and with what it would have.
func TestElementsSayWhatIsNotTraced(t *testing.T) {
	for log, want := range map[string]bool{"stats-mux.log.gz": true, "latency-tee-queues.log.gz": false} {
		rig, p := chartstest.NewRig(chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, log), 1, 300, 600), NewElementPanel()
		rig.Tick(p)
		r := p.FootRect()
		said := strings.Join(p.HitTest(rig.Env, r.X0+20, (r.Y0+r.Y1)/2).Lines, "\n")
		testkit.That(t, p.NumRows() != 0 && !r.Empty() == want && strings.Contains(said, "GST_TRACERS=") == want,
			"%s: %d rows, and below them %v: %q", log, p.NumRows(), r, said)
	}
}

// A buffer's way is shown stop by stop: each begins where the one before ends, and all together take
// what the way takes. It is the median one, until another is selected.
func TestWayOfTheMedianBuffer(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz")
	rig := chartstest.NewRig(s, 1, 700, 360)
	w := &waterfall{shown: -1}
	p := waterfallPanel(w)
	rig.Tick(p)
	testkit.MustThat(t, len(w.ways) == 2 && w.shown == 0, "%d paths, shown is %d", len(w.ways), w.shown)
	x := w.ways[0]
	var took []int64
	for lane := range s.Track(x.Track).Lanes() {
		for _, b := range s.Spans().Visible(x.Track, lane, -1<<40, 1<<40, 1, nil) {
			took = append(took, b.End-b.Begin)
		}
	}
	slices.Sort(took)
	testkit.That(t, int64(len(took)) == x.N && x.Length() == took[(len(took)-1)/2],
		"%d buffers, the median took %d; want %d, %d", x.N, x.Length(), len(took), took[(len(took)-1)/2])
	at, sum := x.Passage.Way.Begin, int64(0)
	for i, b := range x.Passage.Stops {
		testkit.That(t, b.Begin == at, "a stop begins at %d, the one before ended at %d", b.Begin, at)
		at, sum = b.End, sum+b.End-b.Begin
		in := rig.Env.View.Causes().Flow().Passed(s.Track(b.Ref.Track).Def.Object, s.Collector(b.Collector).Name, -1<<40, 1<<40)
		testkit.That(t, w.All[1+i].in == in && w.All[1+i].bar == b, "stop %d: %+v, want %+v", i, w.All[1+i], in)
	}
	testkit.That(t, x.Passage.Whole && sum == x.Length() && len(x.Passage.Stops) >= 5,
		"%d stops of %d ns, the way took %d", len(x.Passage.Stops), sum, x.Length())
	testkit.Equal(t, p.NumRows(), len(w.ways)+len(x.Passage.Stops)+len(w.ways[1].Passage.Stops), "rows")
	testkit.Equal(t, p.Mode(rig.Env), fmt.Sprintf("buffer %d, nearest to the median of %d buffers", x.Passage.Number, x.N), "mode")
	golden.Check(t, "../testdata/golden/waterfall_median.png", chartstest.Picture(700, 360, p.List()))

	// A click on a stop selects it, and the buffer stays.
	clickRow := func(row int) {
		r := p.RowRect(row)
		rig.Click(p, r.X0+20, r.Y0+8)
		rig.Tick(p)
	}
	v := rig.Env.View
	clickRow(3)
	testkit.MustThat(t, v.HasSpan() && v.Span().Ref == x.Passage.Stops[2].Ref && w.ways[w.shown].N == 0, "the stop is not selected")
	testkit.That(t, strings.Contains(p.Mode(rig.Env), "selected"), "it is %q", p.Mode(rig.Env))
	golden.Check(t, "../testdata/golden/waterfall_selected.png", chartstest.Picture(700, 360, p.List()))

	// A buffer on the other path, selected anywhere, is shown on its path.
	other := w.ways[1]
	var way []spans.Bar
	for lane := range s.Track(other.Track).Lanes() {
		way = s.Spans().Visible(other.Track, lane, -1<<40, 1<<40, 1, way)
	}
	v.SelectSpan(way[3])
	rig.Tick(p)
	testkit.That(t, w.ways[w.shown].Track == other.Track && w.ways[w.shown].Passage.Way.Ref == way[3].Ref,
		"the selected buffer is not shown")
	v.ClearSelection()
	clickRow(0)
	testkit.That(t, v.Track() == x.Track && w.ways[w.shown].Track == x.Track, "a click on a path shows track %d", v.Track())
}

func TestWithoutWays(t *testing.T) {
	rig := chartstest.NewRig(chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "factories.log"), 1, 700, 200)
	w := NewWaterfall()
	rig.Tick(w)
	testkit.That(t, w.NumRows() == 0 && len(w.List().Vertices) != 0, "an empty panel says nothing")
}

func leakRig(s *store.Session, scale, w, h float32, light bool) (*chartstest.Rig, *LeaksPanel) {
	rig := chartstest.NewRig(s, scale, w, h)
	chartstest.Light(rig.Env, light)
	rig.In.X, rig.In.Y = -1, -1
	c := NewLeaks()
	rig.Tick(c)
	return rig, c
}

func TestLeaksPictures(t *testing.T) {
	type shot = chartstest.Shot[*LeaksPanel]
	rowY := func(tb *table.Table, row int) float32 { return (tb.RowRect(row).Y0 + tb.RowRect(row).Y1) / 2 }
	choose := func(id model.ResourceID) func(*panel.Env, *LeaksPanel) {
		return func(env *panel.Env, c *LeaksPanel) { c.Select(env, id) }
	}
	clickOn := func(at func(c *LeaksPanel) (x, y float32)) func(*panel.Env, *LeaksPanel, draw.Rect) *draw.List {
		return func(env *panel.Env, c *LeaksPanel, r draw.Rect) *draw.List {
			x, y := at(c)
			chartstest.Click(env, c, r, x, y)
			chartstest.Settle(env, c, r)
			return nil
		}
	}
	leaks := chartstest.LeakSession()
	chartstest.Shoot(t, NewLeaks,
		shot{Name: "leaks_table", S: leaks, W: 620, H: 260, // the type with the third most
			Then: clickOn(func(c *LeaksPanel) (x, y float32) { return 40, rowY(c.table, 2) })},
		shot{Name: "leaks_table_light", S: leaks, W: 360, H: 240, Scale: 1.5, Light: true},
		shot{Name: "leaks_object", S: leaks, W: 1100, H: 460, Set: choose(0),
			Then: clickOn(func(c *LeaksPanel) (x, y float32) { return c.regions.refs.X0 + 20, rowY(c.refs, 2) })},
		shot{Name: "leaks_object_light", S: leaks, W: 520, H: 560, Light: true, Set: choose(0),
			Then: func(env *panel.Env, c *LeaksPanel, r draw.Rect) *draw.List {
				return chartstest.TipAt(env, c, r, c.regions.refs.X0+20, rowY(c.refs, 2))
			}},
		shot{Name: "leaks_without_history", S: leaks, W: 520, H: 420, Set: choose(2)},
		shot{Name: "leaks_filtered", S: leaks, W: 520, H: 200, Set: func(_ *panel.Env, c *LeaksPanel) { c.SetFilter("PASSER") }},
		shot{Name: "leaks_none", S: store.NewSession(), W: 520, H: 160},
		shot{Name: "leaks_tiny", S: leaks, W: 130, H: 90, Set: choose(0)})
}

func TestMatchRefs(t *testing.T) {
	ref := func(f string) model.RefEvent {
		return model.RefEvent{Ref: true, Trace: chartstest.Trace("gst_object_ref", f)}
	}
	unref := func(f string) model.RefEvent { return model.RefEvent{Trace: chartstest.Trace("gst_object_unref", f)} }
	for name, c := range map[string]struct {
		events []model.RefEvent
		want   []int32
	}{
		"brackets":                      {[]model.RefEvent{ref("??"), ref("??"), unref("??"), unref("??")}, []int32{3, 2, 1, 0}},
		"each its own":                  {[]model.RefEvent{ref("a"), ref("b"), unref("a"), unref("b")}, []int32{2, 3, 0, 1}},
		"the one that stays":            {[]model.RefEvent{ref("keep"), ref("a"), unref("a")}, []int32{-1, 2, 1}},
		"handed on":                     {[]model.RefEvent{ref("keep"), ref("give"), unref("take")}, []int32{-1, 2, 1}},
		"its own comes before others":   {[]model.RefEvent{ref("a"), ref("b"), unref("c"), unref("b")}, []int32{2, 3, 0, 1}},
		"unref of the first reference":  {[]model.RefEvent{unref("a"), ref("b")}, []int32{-1, -1}},
		"no traces":                     {[]model.RefEvent{{Ref: true}, {Ref: true}, {}}, []int32{-1, 2, 1}},
		"nothing":                       {nil, nil},
		"unref before its own function": {[]model.RefEvent{unref("a"), ref("a"), unref("a")}, []int32{-1, 2, 1}},
	} {
		testkit.NoDiff(t, cmp.Diff(c.want, matchRefs(c.events)), "%s", name)
	}
}

// Partners point at each other, a ref always comes before its unref, and no ref before an unpaired
// unref is left unpaired.
func TestMatchRefsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []model.RefEvent
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			events = append(events, model.RefEvent{Ref: rapid.Bool().Draw(t, "ref"), Trace: rapid.SampledFrom([]string{"", "a", "b (x.c:1)", "?? (lib.so:0x1)", "gst_object_ref\nc"}).Draw(t, "trace")})
		}
		p := matchRefs(events)
		open := 0
		for i, k := range p {
			switch {
			case k < 0 && events[i].Ref:
				open++
			case k < 0:
				testkit.MustThat(t, open <= 0, "unref %d has no partner, though a ref before it has none: %v", i, p)
			case p[k] != int32(i) || events[i].Ref == events[k].Ref || events[i].Ref != (int(k) > i):
				t.Fatalf("%d and %d are partners: %v", i, k, p)
			}
		}
	})
}

func TestTraceLine(t *testing.T) {
	for in, want := range map[string]string{
		"":  "no trace",
		"a": "a",
		chartstest.Trace("gst_object_ref", "gst_pad_get_peer", "??", "g_list_foreach", "main (leaky.c:10)", "_start", "below"): "gst_pad_get_peer ‹ g_list_foreach ‹ main ‹ _start",
		chartstest.Trace("gst_object_unref", "??", "??"):                                                                       "somewhere in libgstreamer-1.0",
		chartstest.Trace("gst_object_unref", "??", "g_list_foreach"):                                                           "g_list_foreach",
		"\n\n  \nf (with space) (a.c:1)\n":                                                                                     "f (with space)",
		"?? (C:\\gst\\bin\\gstbase-1.0-0.dll:0x7ff)\n":                                                                         "somewhere in gstbase-1.0-0.dll",
		chartstest.Trace("??", "g_object_new_valist", "g_object_new", "gst_pad_new_from_template", "main (leaky.c:4)"):         "gst_pad_new_from_template ‹ main",
		strings.Repeat("x", 500): strings.Repeat("x", 80),
	} {
		testkit.Equal(t, string(appendTraceLine(nil, in)), want, "%.60q", in)
	}
}

// The table's numbers, its order and its rows.
func TestLeaksTable(t *testing.T) {
	rig, c := leakRig(chartstest.LeakSession(), 1, 600, 400, false)
	row := func(i int) string {
		var b []string
		for _, col := range c.source.columns {
			if text := c.table.CellText(rig.Env, i, col.ID); text != "" {
				b = append(b, strings.Clone(text))
			}
		}
		return strings.Join(b, " | ")
	}
	rows := func() (out []string) {
		for i := range c.table.NumRows() {
			out = append(out, row(i))
		}
		return out
	}
	d := cmp.Diff([]string{"GstBuffer | 14 | 5", "GstMemory | 7", "GstPad | 2", "GstCaps | 1", "GstEvent | 1", "GstMessage | 1"}, rows())
	testkit.That(t, d == "", "%v", d)
	testkit.Equal(t, c.Mode(rig.Env), "5 leaked · 21 added · 5 removed", "mode")
	rig.Click(c, 20, c.table.Body().Y0+2.5*22)
	rig.Tick(c)
	d = cmp.Diff([]string{"GstPad | 2", "0x55e44be32680  <passer:src> | 3 | in 3", "0x55e44be32430  <passer:sink> | 1 | in 3"}, rows()[2:5])
	testkit.That(t, d == "", "%v", d)
	var text strings.Builder
	testkit.NoErr(t, c.Export(rig.Env, &text, panel.CSV))
	lines := strings.Split(text.String(), "\n")
	if len(lines) != len(rows())+2 || !strings.HasPrefix(lines[0], "type,") || lines[3] != "GstPad,,2,0,0,0" ||
		lines[4] != "\"    0x55e44be32680  <passer:src>\",3,in 3,,," {
		t.Errorf("exported is\n%s", text.String())
	}
	text.Reset()
	testkit.NoErr(t, c.Export(rig.Env, &text, panel.JSON))
	for _, want := range []string{
		`{"type": "GstPad", "refs": null, "leaked": 2, "alive": 0, "added": 0, "removed": 0}`,
		`{"level": 2, "type": "0x55e44be32680  \u003cpasser:src\u003e", "refs": 3, "leaked": "in 3", "alive": null, "added": null, "removed": null}`,
	} {
		testkit.That(t, strings.Contains(text.String(), want), "exported is\n%s\nwithout %s", text.String(), want)
	}
	c.table.SortBy("leaked", true)
	rig.Tick(c)
	r := rows()
	testkit.That(t, r[0] == "GstPad | 2", "by leaked: %q", r)
	rig.Click(c, 60, c.table.Body().Y0+2.5*22)
	testkit.That(t, c.Selected == 1, "chosen %d", c.Selected)
	c.SetFilter("caps")
	rig.Tick(c)
	testkit.EqualSlices(t, rows(), []string{"GstCaps | 1"}, "rows")
	c.SetFilter("")
	c.Listing = 2
	rig.Tick(c)
	testkit.EqualSlices(t, rows(), []string{"GstBuffer | 5", "GstMemory | 7"}, "rows")
}

// The unmatched references are first, and unfold to their frames.
func TestLeaksHistory(t *testing.T) {
	rig, c := leakRig(chartstest.LeakSession(), 1, 1000, 500, false)
	c.Select(rig.Env, 0)
	rig.Tick(c)
	text := func(i int) string { return c.refs.CellText(rig.Env, i, "step") }
	want := []string{"made in gst_pad_new_from_template ‹ gst_parse_launch_full ‹ main ‹ __libc_start_call_main", "2 taken and not released",
		"+ on_pad_added ‹ g_signal_emit ‹ main", "+ remember ‹ on_message ‹ main", "the other 24 steps"}
	for i, w := range want {
		testkit.Equal(t, text(i), w, "row %d", i)
	}
	rig.Click(c, c.regions.refs.X0+30, c.refs.Body().Y0+2.5*20)
	testkit.Equal(t, text(6), "on_pad_added  leaky.c:31", "unfolded")
	chartstest.AllocatesNothing(t, "a history", func() { rig.Move(c, 900-rig.In.X, rig.In.Y) })
}

// Random mice and sizes; names and traces of any bytes; a history of many steps: nothing panics,
// nothing is drawn outside.
func TestLeaksSurviveAbuse(t *testing.T) {
	wild := store.NewSession()
	rng := rand.New(rand.NewPCG(7, 8))
	junk := func() string {
		b := make([]byte, rng.IntN(300))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return string(b) + strings.Repeat("long", rng.IntN(2000))
	}
	for i := range 40 {
		wild.Apply(model.ResourceDef{ID: model.ResourceID(i * 3), Fate: model.ResourceFate(rng.IntN(7)), Listing: rng.IntN(5) - 1, Type: junk()[:min(rng.IntN(30), 10)], Address: junk(), Description: junk(), RefCount: rng.Int64() - 1<<62, Trace: junk()})
	}
	for i := range 3000 {
		wild.Apply(model.RefEvent{Resource: model.ResourceID(rng.IntN(4)), Time: rng.Int64() - 1<<62, Ref: rng.IntN(2) == 0, Count: rng.Int64() - 1<<62, Trace: []string{"", junk()}[i%2]})
	}
	t.Run("wild", func(t *testing.T) {
		c := NewLeaks()
		chartstest.Abuse(t, wild, []panel.Panel{c}, testkit.Rounds(100, 300), func(rig *chartstest.Rig, rng *rand.Rand) {
			switch rng.IntN(9) {
			case 0:
				c.Select(rig.Env, model.ResourceID(rng.IntN(9)-2))
			case 1:
				c.SetFilter([]string{"", "gst", "\xff"}[rng.IntN(3)])
			case 2:
				c.Listing = rng.IntN(4)
			}
		})
	})
}

// What a real program leaked, with the history of one of its pads.
func TestLeaksOfARealTrace(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "leaks-refs-traces.log.gz")
	rig, c := leakRig(s, 1, 1100, 480, true)
	testkit.Equal(t, c.Mode(rig.Env), "8 leaked", "mode")
	i := slices.IndexFunc(s.Topology().Resources(), func(r model.ResourceDef) bool { return r.Description == "<passer:src>" })
	c.Select(rig.Env, model.ResourceID(i))
	rig.Ticks(c, 4)
	h := c.history
	taken := 0
	for _, e := range h.events {
		if e.Ref {
			taken++
		}
	}
	testkit.That(t, len(h.events) != 0 && h.unmatched-h.strays == taken-(len(h.events)-taken),
		"%d steps, %d taken: %d never released, %d given up without", len(h.events), taken, h.unmatched, h.strays)
	golden.Check(t, "../testdata/golden/leaks_real.png", chartstest.Picture(1100, 480, c.List()))
}

// What is chosen in the panel is what is selected, and the other way round; a second click puts it
// away, and other selections leave its history.
func TestObjectsAreSelected(t *testing.T) {
	rig, c := leakRig(chartstest.LeakSession(), 1, 700, 400, false)
	v := rig.Env.View
	c.choose(rig.Env, 1)
	rig.Tick(c)
	testkit.MustThat(t, v.Thing() == view.Resource(1) && c.Selected == 1,
		"selected %v, shown %d", v.Thing(), c.Selected)
	v.Select(view.Resource(0))
	rig.Tick(c)
	testkit.That(t, c.Selected == 0, "selected elsewhere, the panel shows %d", c.Selected)
	v.Select(view.Thing{})
	rig.Tick(c)
	testkit.That(t, c.Selected == 0, "nothing selected, the panel shows %d", c.Selected)
	c.choose(rig.Env, 0)
	c.choose(rig.Env, 0)
	testkit.That(t, v.Thing().None() && c.Selected < 0, "put away: %v is selected, %d shown", v.Thing(), c.Selected)
}
