package truth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"framescope/app/report"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen/planted"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
	"framescope/widgets/details"
)

// whyTold is what the command why says of a frame.
type whyTold struct {
	Frame    int64
	Duration int64 `json:"duration_ns"`
	Typical  int64 `json:"typical_ns"`
	Hitch    bool
	Chain    []whyLink
	Others   []whyLink
}

type whyLink struct {
	Thread, Collector, How string
	Excess                 int64 `json:"excess_ns"`
	Calls                  int64
	Typical                int64 `json:"typical_calls"`
}

// hitchy is a game with hitches of many kinds.
func hitchy(t *testing.T, seed uint64) *store.Session {
	t.Helper()
	p, err := planted.New(planted.Options{Seed: seed, Frames: 700})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	sink := &pstatstest.Sink{Session: store.NewSession()}
	if _, err := sessionfile.Read(bytes.NewReader(b.Bytes()), "planted", 0, decode.New(sink, decode.Options{File: true}), nil); err != nil {
		t.Fatal(err)
	}
	return sink.Session
}

// tellWhy asks the command, of the main thread.
func tellWhy(t *testing.T, s *store.Session, o report.WhyOptions, into any) {
	t.Helper()
	var b bytes.Buffer
	o.JSON = true
	if err := report.WriteWhy(&b, s, o); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// whyRig is a window on the main thread of a session.
func whyRig(s *store.Session) *chartstest.Rig {
	v := view.New(s)
	v.Follow(false)
	rig := &chartstest.Rig{
		Env: &panel.Env{View: v, Theme: &theme, Atlas: atlas, Scale: 1, NowNs: 1e9}, R: draw.Rect{X1: 320, Y1: 600},
	}
	v.Tick(rig.Env.NowNs, false)
	v.SetTrack(s.MainTrack())
	return rig
}

// The headline of the inspector says of each frame what the command why says of it: how long it took,
// what is typical, and of a hitch each link of each chain.
func TestWhyOfTheHeadline(t *testing.T) {
	s := hitchy(t, 3)
	var told []whyTold
	tellWhy(t, s, report.WhyOptions{}, &told)
	hitches := len(told)
	var all []whyTold
	tellWhy(t, s, report.WhyOptions{Every: true}, &all)
	for i := 0; i < len(all); i += 41 {
		told = append(told, all[i])
	}
	rig := whyRig(s)
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	links := 0
	for i := range told {
		w := &told[i]
		at, ok := s.Track(s.MainTrack()).FrameByNumber(w.Frame)
		if !ok {
			t.Fatalf("no frame %d", w.Frame)
		}
		rig.Env.View.SelectFrames(at, at)
		settle(rig, pane)
		settle(rig, head)
		want := []string{fmt.Sprint("took ", w.Duration)}
		if w.Typical > 0 {
			want = append(want, fmt.Sprint("typical ", w.Typical))
		} else {
			want = nil // nothing that it could be compared with
		}
		if w.Hitch {
			for _, l := range slices.Concat(w.Chain, w.Others) {
				want = append(want, fmt.Sprint(l.Thread, " ", l.Collector, " ", l.How, " ", l.Excess, " ", l.Calls, " ", l.Typical))
				links++
			}
		}
		if got := headlineFacts(rig, head); !slices.Equal(got, want) {
			t.Errorf("frame %d: the headline says %q, why says %q", w.Frame, got, want)
		}
	}
	if hitches < 10 || links < hitches {
		t.Errorf("%d hitches, %d links", hitches, links)
	}
}

// headlineFacts are what the headline states, in words like those of why.
func headlineFacts(rig *chartstest.Rig, head *details.Why) (out []string) {
	s, row := rig.Env.View.Session(), -1
	var line map[string]float64
	for _, f := range head.Facts(rig.Env, nil) {
		switch {
		case f.Row < 0:
			out = append(out, fmt.Sprint(f.Measure, " ", int64(f.Value)))
		case f.Measure == "words":
		case f.Value != f.Value: // in which way: the last of a row
			of := fmt.Sprint(s.Track(f.Of.Track).Title(), " ", s.Collector(f.Of.Collector).Title(), " ", f.Measure)
			out = append(out, fmt.Sprint(of, " ", int64(line["excess"]), " ", int64(line["calls"]), " ", int64(line["typical_calls"])))
		default:
			if f.Row != row {
				row, line = f.Row, map[string]float64{}
			}
			line[f.Measure] = f.Value
		}
	}
	return out
}
