package truth

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
	"framescope/widgets/details"
)

// whyPart is what the command why says of a part of a frame.
type whyPart struct {
	Collector string
	Self      float64 `json:"self_ns"`
	Typical   float64 `json:"typical_self_ns"`
	Starts    float64
	TypStarts float64 `json:"typical_starts"`
	Seen      float64
	Around    float64
}

// pinnedWhy is the inspector of a window with a baseline pinned.
type pinnedWhy struct {
	rig  *chartstest.Rig
	pane *details.Panel
	head *details.Why
}

func newPinnedWhy(s *store.Session, base compare.Side) *pinnedWhy {
	p := &pinnedWhy{rig: whyRig(s), pane: &details.Panel{}, head: &details.Why{}}
	p.rig.Env.Comparing = new(view.Comparing)
	p.rig.Env.Comparing.Pin(view.Mark{Side: base, Name: "before", What: "all"})
	for p.rig.Env.Comparing.Baseline(s) == nil {
		p.rig.Env.Comparing.Tick(1 << 30)
	}
	p.head.Meet(func(string) panel.Panel { return p.pane })
	return p
}

// What the inspector says of a frame while a baseline is pinned is what why --baseline says of it: how
// long it took, the median of the baseline's frames, and of one that is slower than usual there each link
// of each chain. What is typical there is what diff has of the same sides.
func TestWhyOverABaseline(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	whyOver(t, "another run", a, b, 1)
	s := hitchy(t, 3)
	whyOver(t, "the same run", s, s, 10)
}

func whyOver(t *testing.T, name string, before, s *store.Session, least int) {
	var told []struct {
		whyTold
		Slower *bool
		Parts  []whyPart
	}
	tellWhy(t, s, report.WhyOptions{Baseline: before, Every: true, Parts: true}, &told)
	main := s.MainTrack()
	p := newPinnedWhy(s, compare.All(before))
	said := compared(t, name, [2]*subject{subjectOf("before", before), subjectOf("after", s)},
		[2]compare.Side{compare.All(before), compare.All(s)}).said
	median := of(said.object("frame_time").object("mean").object("usual_a"), "median_ns")
	high := of(said.object("frame_time").object("mean").object("usual_a"), "p95_ns")
	slower := 0
	for i := 0; i < len(told); i++ {
		w := &told[i]
		if w.Slower == nil || *w.Slower != (float64(w.Duration) > high) || math.Abs(float64(w.Typical)-median) > 1 {
			t.Fatalf("%s: frame %d: why has %d ns typical, slower %v; diff has a median of %g and a p95 of %g", name, w.Frame,
				w.Typical, w.Slower, median, high)
		}
		if !*w.Slower && i%41 != 0 {
			continue
		}
		at, _ := s.Track(main).FrameByNumber(w.Frame)
		p.rig.Env.View.SelectFrames(at, at)
		settle(p.rig, p.pane)
		settle(p.rig, p.head)
		want := []string{fmt.Sprint("took ", w.Duration), fmt.Sprint("baseline ", w.Typical)}
		if *w.Slower {
			slower++
			for _, l := range slices.Concat(w.Chain, w.Others) {
				want = append(want, l.said())
			}
		}
		if got := headlineFacts(p.rig, p.head); !slices.Equal(got, want) {
			t.Errorf("%s: frame %d: the headline says %q, why says %q", name, w.Frame, got, want)
		}
		p.parts(t, name, said, w.Parts)
	}
	if slower < least {
		t.Errorf("%s: %d frames are slower than the baseline", name, slower)
	}
}

// parts holds the list of what took longer against what why and diff say.
func (p *pinnedWhy) parts(t *testing.T, name string, said row, want []whyPart) {
	panel := tables.NewAgainstPanel()
	settle(p.rig, panel)
	s := p.rig.Env.View.Session()
	thread, rows := s.Track(s.MainTrack()).Title(), 0
	for _, f := range panel.Facts(p.rig.Env, nil) {
		title := ""
		if c := f.Of.Collector; c != model.NoCollector {
			title = s.Collector(c).Title()
		}
		i := slices.IndexFunc(want, func(x whyPart) bool { return x.Collector == title })
		if i < 0 {
			t.Fatalf("%s: why knows no part %q", name, title)
		}
		x := &want[i]
		is := map[string]float64{
			"self": x.Self, "typical_self": x.Typical, "over_typical": x.Self - x.Typical, "starts": x.Starts,
			"typical_starts": x.TypStarts, "seen": x.Seen, "around": x.Around,
		}
		if v, ok := is[f.Measure]; ok && v != f.Value {
			t.Errorf("%s: %s of %q is %g, why has %g", name, f.Measure, title, f.Value, v)
		}
		if f.Measure != "typical_self" || title == "" {
			continue
		}
		rows++
		for _, r := range said.rows("collectors") {
			if r.text("collector") != title || r.text("thread") != thread {
				continue
			}
			if m := of(r.object("self").object("usual_a"), "median_ns"); math.Abs(m-f.Value) > 1 {
				t.Errorf("%s: %q takes %g ns typically, diff has %g", name, title, f.Value, m)
			}
		}
	}
	if rows == 0 {
		t.Errorf("%s: no part of a frame is told", name)
	}
	if words := panel.Title(p.rig.Env) + panel.Mode(p.rig.Env); !strings.Contains(words, "baseline of ") {
		t.Errorf("%s: %q does not say what is typical", name, words)
	}
}
