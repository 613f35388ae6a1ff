package truth

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
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
	Less     int64 `json:"less_ns"`
}

// says tells that a hitch has causes that are so much more than what it is over the typical that it is
// said.
func (w *whyTold) says() bool { return w.Hitch && w.Less > 0 && w.Less*10 >= w.Duration-w.Typical }

type whyLink struct {
	Thread, Collector, How, Within string
	Excess                         int64 `json:"excess_ns"`
	Calls                          int64
	Typical                        int64 `json:"typical_calls"`
}

// whyCause is what the command why says of hitches with one root cause.
type whyCause struct {
	Thread, Collector string
	Hitches           int
	Worst             int64 `json:"worst_ns"`
	Excess            int64 `json:"excess_ns"`
	Period            int64 `json:"period_ns"`
	Regular           bool
	Trend             float64
	Frames            []int64
}

// figures are what a row of the list of spikes states of it.
func (w *whyCause) figures() map[string]float64 {
	want := map[string]float64{"took": float64(w.Worst)}
	if len(w.Frames) > 1 {
		want["hitches"] = float64(len(w.Frames))
		if w.Regular {
			want["period"] = float64(w.Period)
		}
		if w.Trend != 0 {
			want["trend"] = w.Trend
		}
	}
	return want
}

// said is a link as headlineFacts tells it.
func (l *whyLink) said() string {
	return fmt.Sprint(l.Thread, " ", l.Collector, " ", l.How, " ", l.Excess, " ", l.Calls, " ", l.Typical)
}

// hitchy is a game with hitches of many kinds.
func hitchy(t *testing.T, seed uint64) *store.Session {
	t.Helper()
	p := testkit.Must(gen.NewPlanted(gen.PlantedOptions{Seed: seed, Frames: 700}))(t)
	var b bytes.Buffer
	testkit.OK(t, p.Write(&b))
	sink := &pstatstest.Sink{Session: store.NewSession()}
	if _, err := sessionfile.Read(bytes.NewReader(b.Bytes()), "planted", 0, decode.New(sink, decode.Options{File: true}), nil); err != nil {
		t.Fatal(err)
	}
	return sink.Session
}

// tellWhy asks the command, of the main thread.
func tellWhy(t *testing.T, s *store.Session, o report.WhyOptions, into any) {
	t.Helper()
	o.JSON = true
	testkit.OK(t, asJSON(into, func(w io.Writer) error { return report.WriteWhy(w, s, o) }))
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
	links, less := 0, 0
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
				want = append(want, l.said())
				links++
			}
		}
		if got := headlineFacts(rig, head); !slices.Equal(got, want) {
			t.Errorf("frame %d: the headline says %q, why says %q", w.Frame, got, want)
		}
		words := ""
		for _, f := range head.Facts(rig.Env, nil) {
			if f.Measure == "words" && strings.HasPrefix(f.Text, "All else took ") {
				words, less = f.Text, less+1
			}
		}
		if says := string(format.AppendDuration([]byte("All else took "), w.Less)); w.says() != (words != "") ||
			!strings.HasPrefix(words, says) && words != "" {
			t.Errorf("frame %d: the headline says %q of what took %d ns less", w.Frame, words, w.Less)
		}
	}
	if hitches < 10 || links < hitches || less == 0 {
		t.Errorf("%d hitches, %d links, %d with less elsewhere", hitches, links, less)
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

// hitchesOf are the figures of the hitches of a row's cause, from what the command why says of each
// frame: how many, the longest, the middle of the times from one to the next, and by how much the
// newer half is worse.
func (p *part) hitchesOf(v *view.View, r *record) (out figuresOf) {
	t := p.s.Track(p.track)
	if t.NumFrames() == 0 {
		return p.lateOf(v, r)
	}
	o := report.WhyOptions{Thread: fmt.Sprint(t.Def.Index)}
	if v.FrameB() > v.FrameA() && v.FrameA() >= 0 {
		o.Range = place.TimeRange{A: t.Frame(v.FrameA()).Number, B: t.Frame(v.FrameB()).Number, HasA: true, HasB: true}
	}
	return p.causeOf(r, o, func(number int64) int64 { i, _ := t.FrameByNumber(number); return t.Frame(i).Begin })
}

// causeOf are the figures of the hitches of a row's cause among those that why tells of; of a wait those
// in each of the calls in which it was, as a row does not say in which. begin returns when that of a
// number began.
func (p *part) causeOf(r *record, o report.WhyOptions, begin func(number int64) int64) (out figuresOf) {
	var told []whyTold
	o.JSON = true
	if asJSON(&told, func(w io.Writer) error { return report.WriteWhy(w, p.s, o) }) != nil {
		return nil
	}
	slices.SortFunc(told, func(a, b whyTold) int { return cmp.Compare(a.Frame, b.Frame) })
	byCall := map[string][]whyTold{"": nil}
	for _, w := range told {
		root, known := whyLink{}, len(w.Chain) > 0
		if known {
			root = w.Chain[len(w.Chain)-1]
		}
		if known != (r.of.Kind == panel.HitCollector) {
			continue
		}
		if known && (root.Thread != p.s.Track(r.of.Track).Title() || root.Collector != p.s.Collector(r.of.Collector).Title()) {
			continue
		}
		byCall[root.Within] = append(byCall[root.Within], w)
	}
	for _, told := range byCall {
		out = append(out, hitchFigures(told, begin))
	}
	return out
}

func hitchFigures(told []whyTold, begin func(number int64) int64) map[string]float64 {
	want := map[string]float64{"hitches": 0}
	var begins, over []int64
	for _, w := range told {
		begins, over = append(begins, begin(w.Frame)), append(over, w.Duration-w.Typical)
		want["hitches"]++
		if float64(w.Duration) > want["took"] {
			want["took"], want["worst_frame"] = float64(w.Duration), float64(w.Frame)
		}
	}
	middle := func(of []int64) float64 {
		of = slices.Sorted(slices.Values(of))
		return float64(of[(len(of)-1)/2])
	}
	if n := len(begins); n >= 3 {
		var times []int64
		for i := range n - 1 {
			times = append(times, begins[i+1]-begins[i])
		}
		want["period"] = middle(times)
	}
	if n := len(over); n >= 4 {
		want["trend"] = middle(over[n-n/2:])/middle(over[:n/2]) - 1
	}
	return want
}

// typical is the middle of the frames around one.
func (p *part) typical(track model.TrackID, frame int) float64 {
	t := p.s.Track(track)
	var lengths []int64
	for i := max(frame-15, 0); i <= min(frame+15, t.NumFrames()-1); i++ {
		lengths = append(lengths, t.Frame(i).End-t.Frame(i).Begin)
	}
	slices.Sort(lengths)
	return float64(lengths[(len(lengths)-1)/2])
}

// overTypical is how much longer a frame took than that.
func (p *part) overTypical(track model.TrackID, frame int) float64 {
	f := p.s.Track(track).Frame(frame)
	return float64(f.End-f.Begin) - p.typical(track, frame)
}

// The list of spikes says of each cause what the command why says: how many frames, the worst, how
// often, whether they grow; and below it, open, each frame.
func TestSpikesByCause(t *testing.T) {
	s := hitchy(t, 4)
	var told []whyCause
	tellWhy(t, s, report.WhyOptions{ByCause: true}, &told)
	rig := whyRig(s)
	rig.Env.View.ClearSelection()
	list := tables.NewSpikePanel()
	rig.R = draw.Rect{X1: 700, Y1: 900}
	settle(rig, list)
	rows := records(list.Facts(rig.Env, nil))
	several := 0
	if len(rows) != len(told) || len(rows) < 5 {
		t.Fatalf("%d causes, why says %d", len(rows), len(told))
	}
	for i := range told {
		w, r := &told[i], &rows[i]
		if len(w.Frames) > 1 {
			several++
		}
		got, want := r.values(), w.figures()
		if !maps.Equal(got, want) {
			t.Errorf("%s: the list says %v, why says %v", r.name, got, want)
		}
	}
	if several < 2 {
		t.Errorf("%d causes of several hitches", several)
	}
}
