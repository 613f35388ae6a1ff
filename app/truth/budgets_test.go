package truth

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/cli"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/spans"
)

// What the panel of budgets states is what check writes, and that is what the frames say.
func TestBudgets(t *testing.T) {
	seen := map[string]int{}
	eachSubject(t, func(t *testing.T, x *subject) {
		if x.s.MainTrack() == model.NoTrack {
			return
		}
		file := map[bool]string{true: "testdata/framed.toml", false: "testdata/frameless.toml"}[x.s.HasFrames()]
		all := testkit.Must(budget.Parse(string(testkit.Must(os.ReadFile(file))(t))))(t)
		results := testkit.Must(cli.CheckBudgets(x.s, all, place.TimeRange{}))(t)
		x.compareBudgets(t, results, seen)
		x.comparePanelOfBudgets(t, all, results, seen)
	})
	demand(t, seen, "duration, p99", "duration share", "total, p99", "total, max", "total, mean", "total share", "limit", "measured",
		"frame", "broken", "kept", "nothing")
}

// compareBudgets compares the results on frames with what the plain definitions give.
func (x *subject) compareBudgets(t *testing.T, results []budget.Result, seen map[string]int) {
	main := x.s.MainTrack()
	n := x.s.Track(main).NumFrames()
	if !x.s.HasFrames() || n == 0 {
		return
	}
	inside := x.insideOf(main, 0, n-1)
	frames := x.newFramed(main, 0, n-1)
	for i := range n {
		f := x.s.Track(main).Frame(i)
		frames.values[i] = float64(f.End - f.Begin)
	}
	for i := range results {
		r := &results[i]
		of := frames
		switch {
		case r.Budget.Measure == budget.Total && r.Verdict != budget.Nothing:
			of = inside[r.Collector]
		case r.Budget.Measure != budget.Duration:
			continue
		}
		if of == nil {
			t.Errorf("%s: %s: nothing ran there", x.name, r.Title())
			continue
		}
		sorted, over, sum := slices.Sorted(slices.Values(of.values)), 0, 0.0
		for _, v := range of.values {
			if sum += v; v > r.Budget.Limit {
				over++
			}
		}
		what, want := string(r.Budget.Measure)+" share", float64(over)/float64(n)
		if !r.Budget.HasShare {
			what = r.Budget.Measured()
			want = map[budget.At]float64{
				budget.P99: sorted[int(math.Ceil(0.99*float64(n)))-1], budget.Max: sorted[n-1], budget.Mean: sum / float64(n),
			}[r.Budget.At]
		}
		seen[what]++
		allowed := r.Budget.Limit
		if r.Budget.HasShare {
			allowed = r.Budget.Share
		}
		testkit.That(t, math.Abs(r.Value-want) <= 1e-9*math.Max(1, want) && int(r.Over) == over && int(r.Frames) == n &&
			r.Worst == of.maxFrame() && (r.Verdict == budget.Broken) == (want > allowed),
			"%s: %s, %s: %+v, want %v, %d over, worst #%d", x.name, r.Title(), what, r, want, over, of.maxFrame())
	}
}

// comparePanelOfBudgets compares what the panel states with what check writes as JSON.
func (x *subject) comparePanelOfBudgets(t *testing.T, all []budget.Budget, results []budget.Result, seen map[string]int) {
	var files []row
	testkit.OK(t, asJSON(&files, func(w io.Writer) error {
		return cli.WriteBudgetJSON(w, []cli.BudgetFile{{Name: x.name, Results: results}})
	}))
	lines := map[string]int{}
	line := func(limit, measured, frame float64) string {
		return fmt.Sprintf("%.9g %.9g %.9g", limit, measured, frame)
	}
	broken := 0
	for _, r := range files[0].rows("results") {
		limit := of(r, "limit")
		if v := of(r, "share"); v == v {
			limit = v
		}
		lines[line(limit, of(r, "value"), of(r, "worst_frame"))]++
		seen[r.text("verdict")]++
		if r["breach"] == true {
			broken++
		}
	}
	rig := (&part{subject: x, track: model.NoTrack, last: -1, t0: 0, t1: 1}).rig()
	rig.R = draw.Rect{X1: 900, Y1: 500}
	state := new(view.State)
	state.Set("b.toml", all)
	for !state.Follow(x.s, 0, 1000) {
	}
	rig.Env.Limits = state
	c := tables.NewBudgets()
	settle(rig, c)
	for _, r := range records(c.Facts(rig.Env, nil)) {
		v := func(m string) float64 {
			f := r.cells[m]
			if f == nil {
				return math.NaN()
			}
			seen[m]++
			text, share := strings.CutSuffix(strings.TrimPrefix(f.Text, "#"), " %")
			w, ok := read(text, 1)
			if part, _ := read(text, 0.01); ok && !w.says(f.Value) && !(share && part.says(f.Value)) {
				t.Errorf("%s: %s of %s is written %q, it is %v", x.name, m, r.name, f.Text, f.Value)
			}
			return f.Value
		}
		key := line(v("limit"), v("measured"), v("frame"))
		lines[key]--
		testkit.That(t, lines[key] >= 0, "%s: check has no line of %s with %s", x.name, r.name, key)
	}
	for key, n := range lines {
		testkit.That(t, n <= 0, "%s: no row has %s", x.name, key)
	}
	words := fmt.Sprintf("b.toml · %d of %d broken", broken, len(results))
	testkit.Equal(t, strings.ReplaceAll(c.Mode(rig.Env), "\u202f", ""), words, "%s", x.name)
}

// What the list of bookmarks states is when the marked frames and spans were, and how long they took:
// found anew by their texts, as in a file, and compared with the frames and spans one by one.
func TestBookmarks(t *testing.T) {
	frames, marked := 0, 0
	eachSubject(t, func(t *testing.T, x *subject) {
		rig := chartstest.NewRig(x.s, 1, 800, 400)
		v := rig.Env.View
		v.Tick(1, false)
		want := map[string][2]int64{} // begin and end, by the text of the place
		add := func(p place.Place, begin, end int64) {
			again, err := place.Parse(p.String())
			testkit.MustThat(t, err == nil && again == p, "%s: %+v, want %+v: %v", p, again, p, err)
			if _, twice := want[p.String()]; twice {
				return
			}
			want[p.String()] = [2]int64{begin, end}
			if _, _, ok := v.Marks().Add(again, begin+1, end+2); !ok { // the session knows better
				t.Fatalf("%s was not added", p)
			}
		}
		for id := range x.s.NumTracks() {
			tr := x.s.Track(model.TrackID(id))
			if tr == nil || len(want) > 60 {
				continue
			}
			for i := 0; i < tr.NumFrames(); i += 1 + tr.NumFrames()/5 {
				if p, ok := place.OfFrames(x.s, tr.Def.ID, i, i); ok {
					f := tr.Frame(i)
					add(p, f.Begin, f.End)
					frames++
				}
			}
			for lane := range min(tr.Lanes(), 3) {
				first, end := x.s.Spans().Kept(tr.Def.ID, lane)
				b, ok := x.s.Spans().ByRef(spans.Ref{Track: tr.Def.ID, Lane: uint16(lane), Index: first + (end-first)/2})
				if !ok {
					continue
				}
				p, ok := place.OfSpan(x.s, b)
				if f, err := p.Find(x.s); !ok || err != nil || f.BeginNs != b.Begin || f.EndNs != b.End {
					t.Errorf("%s is %+v, %v, want %+v", p, f, err, b)
				}
				marked++
			}
		}
		p := tables.New()
		p.Update(rig.Env, draw.Rect{X1: 800, Y1: 4000}, &panel.Input{})
		got := map[string]map[string]float64{}
		for _, f := range p.Facts(rig.Env, nil) {
			m, ok := v.Marks().ByID(f.Of.Mark)
			testkit.MustThat(t, ok && f.Of.Mark != 0, "a row is of no bookmark: %+v", f)
			text := m.Place.String()
			if got[text] == nil {
				got[text] = map[string]float64{}
			}
			got[text][f.Measure] = f.Value
		}
		for text, w := range want {
			if g := got[text]; g["at"] != float64(w[0]) || math.Abs(g["took"]-float64(w[1]-w[0])) > 0 {
				t.Errorf("%s: %v, want %d to %d", text, g, w[0], w[1])
			}
		}
		testkit.That(t, len(got) == len(want) && len(want) <= place.MaxMarks, "%d rows of %d bookmarks", len(got), len(want))
	})
	testkit.That(t, frames != 0 && marked != 0, "%d frames and %d spans were compared", frames, marked)
}

// stopped is how the names of recordings begin in which the program stood still.
const stopped = "stops-"

// TestStops: call trees of frames and of time are the sums of what ran in all frames but the stops, and where only a stop
// is selected, of this.
func TestStops(t *testing.T) {
	x := open(t, filepath.Join(recordings.Root(t), "testdata", "spall", stopped+"v1.spall"))
	main := x.s.MainTrack()
	one, tr := []model.TrackID{main}, x.s.Track(main)
	last := tr.NumFrames() - 1
	stops := tr.Stops(0, last, nil)
	testkit.MustThat(t, len(stops) == 2 && !stops[0].Between && stops[1].Between, "%+v", stops)
	sum := func(of []int) (want *sums) {
		want = &sums{nodes: map[model.PathID]*node{}}
		for _, i := range of {
			f := tr.Frame(i)
			in := x.sums(one, f.Begin, f.End)
			want.total += in.total
			for p, n := range in.nodes {
				if want.nodes[p] == nil {
					want.nodes[p] = &node{}
				}
				want.nodes[p].total, want.nodes[p].calls = want.nodes[p].total+n.total, want.nodes[p].calls+n.calls
			}
		}
		return want
	}
	same := func(what string, tree *spans.Tree, want *sums) {
		t.Helper()
		testkit.Equal(t, tree.Total, want.total, "%s: total", what)
		testkit.Equal(t, len(tree.Nodes), len(want.nodes), "%s: calls", what)
		for _, n := range tree.Nodes {
			w := want.nodes[n.Path]
			testkit.That(t, w != nil && n.Total == w.total && n.Count == w.calls, "%s: %+v, want %+v", what, n, w)
		}
	}
	var frames []int
	for i := range last + 1 {
		if i != stops[0].Frame {
			frames = append(frames, i)
		}
	}
	var tree spans.Tree
	x.s.FrameTree(one, main, 0, last, &tree)
	same("frames", &tree, sum(frames))
	begin, end, _ := tr.FrameTimes(0, last)
	x.s.Spans().TreeOf(spans.MeasureDuration, one, begin, end, &tree)
	same("time", &tree, sum(frames))
	testkit.Equal(t, x.s.StoppedNs(begin, end), stops[0].End-stops[0].Begin+stops[1].End-stops[1].Begin, "stopped")
	x.s.FrameTree(one, main, stops[0].Frame, stops[0].Frame, &tree)
	same("a stop", &tree, sum([]int{stops[0].Frame}))
	x.s.Spans().TreeOf(spans.MeasureDuration, one, stops[0].Begin, stops[0].End, &tree)
	same("the time of a stop", &tree, sum([]int{stops[0].Frame}))
	testkit.That(t, len(x.s.OutsideFrames(main, &tree, nil)) == 0 && !slices.Contains(frames, stops[0].Frame), "calls lie outside of frames")
}
