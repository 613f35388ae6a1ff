package timeline

import (
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// Processors under the lanes and messages above them, at three zooms, in both themes.
func TestTimelineCoresPictures(t *testing.T) {
	s := chartstest.NewLockSession(t)
	rect := draw.Rect{X1: 1000, Y1: 420}
	for _, c := range []struct {
		name       string
		begin, end int64
		light      bool
	}{
		{"timeline_cores_all", 0, 400_000_000, false},
		{"timeline_cores_frames", 150_000_000, 240_000_000, false},
		{"timeline_cores_near", 230_000_000, 239_000_000, false},
		{"timeline_cores_light", 100_000_000, 190_000_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(s, 1)
			if c.light {
				th := assets.Light()
				env.Theme = &th
			}
			env.View.Tick(1, false)
			var tl Timeline
			chartstest.Settle(env, &tl, rect)
			env.View.Steer().PlaceTime(c.begin, c.end)
			chartstest.Settle(env, &tl, rect)
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(1000, 420, tl.List()))
			t.Logf("%d quads, %d runs, %d flags", tl.List().Quads(), len(tl.cores.found.Runs()), len(tl.flags.px))
		})
	}
}

// coreTestSession holds a thread with a span all along that moves to another of four processors
// every stepNs.
func coreTestSession(n int, stepNs int64) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{File: true})
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.SeriesDef{ID: 0, Name: "main", Kind: model.SeriesState, Role: model.RoleProcessor, Track: 0, Object: model.NoObject, Peer: model.NoObject})
	b := model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: int64(n) * stepNs, Path: 1}}}
	for i := range int64(n) {
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: i * stepNs, Value: float64([]int{0, 1, 0, 2, 0, 3, 0, 1}[i%8])})
	}
	s.Append(&b)
	return s
}

func TestCoreTooltip(t *testing.T) {
	env := chartstest.NewEnv(coreTestSession(80, 1_000_000), 1)
	env.View.Tick(1, false)
	env.View.Steer().PlaceTime(10_500_000, 20_500_000)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 200}
	chartstest.Settle(env, &tl, r)
	d := tl.cores.px[0]
	x := float32(env.View.Time().ToPx(tl.pane.Plot(), 13_500_000))
	hit := tl.HitTest(env, x, d.r.Y0+3)
	if hit.Kind != panel.HitCore || len(hit.Lines) != 4 {
		t.Fatalf("hit %v, %q", hit.Kind, hit.Lines)
	}
	for i, want := range []string{"CPU 3", "since\t0:00.013", "for\t", "migrations in view\t10"} {
		if !strings.HasPrefix(hit.Lines[i], want) {
			t.Errorf("line %d is %q, not %q", i, hit.Lines[i], want)
		}
	}
}

// A column in which a thread moved often shows the share of each processor; shares stay as they are
// while the picture pans, and the cost follows the pixels.
func TestCoreColumnsAreFairAndStill(t *testing.T) {
	s := coreTestSession(400_000, 1000)
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	env.View.Steer().PlaceTime(0, 400_000_000)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 200}
	chartstest.Settle(env, &tl, r)
	type column struct {
		begin, end int64
		share0     float64
	}
	columns := func() (out []column) {
		for _, run := range tl.cores.found.Runs() {
			if run.Changes == 0 {
				t.Fatalf("a stretch on processor %d from %d to %d", run.Core, run.Begin, run.End)
			}
			c := column{begin: run.Begin, end: run.End}
			sum := 0.0
			for _, x := range tl.cores.found.Shares(&run) {
				sum += x.Share
				if x.Core == 0 {
					c.share0 = x.Share
				}
			}
			if sum < 0.99 || sum > 1.01 || c.share0 < 0.3 || c.share0 > 0.7 {
				t.Fatalf("shares of %v: %v", c, tl.cores.found.Shares(&run))
			}
			out = append(out, c)
		}
		return out
	}
	env.View.Steer().Set(100_000_000, 300_000_000, false, 0)
	chartstest.Settle(env, &tl, r)
	before := columns()
	quads := tl.List().Quads()
	env.View.Steer().Set(100_000_000+777_777, 300_000_000+777_777, false, 0)
	chartstest.Settle(env, &tl, r)
	after := columns()
	found := 0
	for _, c := range after {
		if slices.Contains(before, c) {
			found++
		}
	}
	if found < len(after)-8 {
		t.Errorf("%d of %d columns stay as they are", found, len(after))
	}
	if quads > 5000 {
		t.Errorf("%d quads", quads)
	}
}

// With a filter, flags of all tracks are found part by part; where there are too many messages to
// look at each, a flag says that it stands for more.
func TestFilteredFlagsOfMany(t *testing.T) {
	s := chartstest.MessageSession(300_000)
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 300}
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityWarning, HasLeast: true})
	chartstest.Settle(env, &tl, r)
	if len(tl.flags.px) == 0 || tl.List().Quads() > 8000 {
		t.Fatalf("%d flags, %d quads", len(tl.flags.px), tl.List().Quads())
	}
	more := 0
	for i := range tl.flags.px {
		f := &tl.flags.px[i]
		if f.message.Severity < model.SeverityWarning {
			t.Fatalf("a flag for %q", f.message.Text)
		}
		if f.more {
			more++
		}
	}
	if more == 0 {
		t.Error("no flag says that it stands for more than was looked at")
	}
	env.View.Look().SetMessageFilter(view.MessageFilter{OnlyTrack: true, Track: 2})
	chartstest.Settle(env, &tl, r)
	n := int64(0)
	for i := range tl.flags.px {
		f := &tl.flags.px[i]
		if f.track != 2 {
			t.Fatalf("a flag of track %d", f.track)
		}
		n += f.n
	}
	if n != 100_000 {
		t.Errorf("flags stand for %d messages", n)
	}
}
