package truth

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/planted"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
	"framescope/widgets/details"
)

// whyTold is what the command why says of a frame.
type whyTold struct {
	Lasting       bool
	Frame         int64
	Duration      int64 `json:"duration_ns"`
	Typical       int64 `json:"typical_ns"`
	Hitch         bool
	Chain, Others []whyLink
	Less          int64 `json:"less_ns"`
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

// hitchies are the games of hitchy by seed: no test changes them.
var hitchies = map[uint64]*store.Session{}

// hitchy is a game with hitches of many kinds.
func hitchy(t *testing.T, seed uint64) *store.Session {
	t.Helper()
	if s := hitchies[seed]; s != nil {
		return s
	}
	p := testkit.Must(planted.New(planted.Options{Seed: seed, Frames: 700, Kinds: planted.Kinds[:20]}))(t)
	var b bytes.Buffer
	testkit.OK(t, p.Write(&b))
	sink := &pstatstest.Sink{Session: store.NewSession()}
	_, err := sessionfile.Read(bytes.NewReader(b.Bytes()), "planted", 0, decode.New(sink, decode.Options{File: true}), nil)
	testkit.OK(t, err)
	hitchies[seed] = sink.Session
	return sink.Session
}

// explain asks the command, of the main thread.
func explain(t *testing.T, s *store.Session, o report.WhyOptions, into any) {
	t.Helper()
	o.JSON = true
	testkit.OK(t, asJSON(into, func(w io.Writer) error { return report.WriteWhy(w, s, o) }))
}

// whyRig is a window on the main thread of a session.
func whyRig(s *store.Session) *chartstest.Rig {
	v := view.New(s)
	v.Follow(false)
	rig := &chartstest.Rig{Env: panel.NewEnv(v, &theme, atlas), R: draw.Rect{X1: 320, Y1: 600}}
	v.Tick(rig.Env.NowNs, false)
	v.SetTrack(s.MainTrack())
	return rig
}

// The headline of the inspector says of each frame what the command why says of it: how long it took,
// what is typical, and of a hitch each link of each chain.
func TestWhyOfTheHeadline(t *testing.T) {
	s := hitchy(t, 3)
	var told []whyTold
	explain(t, s, report.WhyOptions{}, &told)
	told = slices.DeleteFunc(told, func(w whyTold) bool { return w.Lasting })
	hitches := len(told)
	var all []whyTold
	explain(t, s, report.WhyOptions{Every: true}, &all)
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
		testkit.MustThat(t, ok, "no frame %d", w.Frame)
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
		testkit.EqualSlices(t, headlineFacts(rig, head), want, "frame %d: the headline", w.Frame)
		words := ""
		for _, f := range head.Facts(rig.Env, nil) {
			if f.Measure == "words" && strings.HasPrefix(f.Text, "The rest of the frame took ") {
				words, less = f.Text, less+1
			}
		}
		says := string(format.AppendDuration([]byte("The rest of the frame took "), w.Less))
		testkit.That(t, w.says() == (words != "") && (strings.HasPrefix(words, says) || words == ""),
			"frame %d: the headline says %q of what took %d ns less", w.Frame, words, w.Less)
	}
	testkit.That(t, hitches >= 10 && links >= hitches && less != 0,
		"%d hitches, %d links, %d with less elsewhere", hitches, links, less)
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
	explain(t, s, report.WhyOptions{ByCause: true}, &told)
	rig := whyRig(s)
	rig.Env.View.ClearSelection()
	list := tables.NewSpikePanel()
	rig.R = draw.Rect{X1: 700, Y1: 900}
	settle(rig, list)
	rows := records(list.Facts(rig.Env, nil))
	several := 0
	testkit.MustThat(t, len(rows) == len(told) && len(rows) >= 5, "%d causes, why says %d", len(rows), len(told))
	for i := range told {
		w, r := &told[i], &rows[i]
		if len(w.Frames) > 1 {
			several++
		}
		got, want := r.values(), w.figures()
		testkit.That(t, maps.Equal(got, want), "%s: the list says %v, why says %v", r.name, got, want)
	}
	testkit.That(t, several >= 2, "%d causes of several hitches", several)
}

// The headline of the inspector says of a buffer on its way what the command why says of it.
func TestWhyOfABuffer(t *testing.T) {
	s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", "latency-tee-queues.log.gz")).s
	engine := why.NewEngine(s)
	rig := whyRig(s)
	pane, head := &details.Panel{}, &details.Why{}
	head.Meet(func(string) panel.Panel { return pane })
	late, usual := 0, 0
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id).Def.Kind != model.TrackStream {
			continue
		}
		var told []whyTold
		explain(t, s, report.WhyOptions{Every: true, Thread: s.Track(id).Title()}, &told)
		for i := range engine.Things(id) {
			bar, number := engine.ThingAt(id, i)
			k := slices.IndexFunc(told, func(w whyTold) bool { return w.Frame == number })
			if k < 0 || !told[k].Hitch && number%29 != 0 {
				continue
			}
			w := &told[k]
			want := []string{fmt.Sprint("took ", w.Duration), fmt.Sprint("typical ", w.Typical)}
			if usual++; w.Hitch {
				late++
				for _, l := range slices.Concat(w.Chain, w.Others) {
					want = append(want, l.said())
				}
			}
			rig.Env.View.SelectSpan(bar)
			settle(rig, pane)
			settle(rig, head)
			testkit.EqualSlices(t, headlineFacts(rig, head), want, "buffer %d: the headline", number)
		}
	}
	testkit.That(t, late == 2 && usual >= 8, "%d late ones of %d", late, usual)
}

// buffers are the spans of a way whose begin and end are known, in order of time.
func (p *part) buffers(way model.TrackID) (out []span) {
	for _, x := range p.spans[way] {
		if x.Flags&(model.SpanOpenBegin|model.SpanOpenEnd|model.SpanUncertain) == 0 {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Lane, b.Ref.Lane))
	})
	return out
}

// lateOf are the figures of the late buffers of a row's cause, on each of the ways: a row does not say
// of which it is.
func (p *part) lateOf(v *view.View, r *record) (out figuresOf) {
	for id := range model.TrackID(p.s.NumTracks()) {
		t := p.s.Track(id)
		if t.Def.Kind != model.TrackStream {
			continue
		}
		o := report.WhyOptions{Thread: t.Title()}
		if v.ChoseRange() {
			o.Range = place.TimeRange{Times: true, A: v.RangeA(), B: v.RangeB(), HasA: true, HasB: true}
		}
		for _, want := range p.causeOf(r, o, func(number int64) (begin int64) {
			for _, x := range p.spans[id] {
				if p.numberOf(&x) == number {
					begin = x.Begin
				}
			}
			return begin
		}) {
			if want["hitches"] > 0 {
				out = append(out, want)
			}
		}
	}
	return out
}

// numberOf is the number of a span among those of its track by when they began.
func (p *part) numberOf(of *span) int64 {
	n := int64(1)
	for _, x := range p.spans[of.Ref.Track] {
		if x.Begin < of.Begin {
			n++
		}
	}
	return n
}

// lateTip are the figures of a late buffer: over typical is how much longer it took than the median of
// the 15 at each side.
func (p *part) lateTip(of *span) map[string]float64 {
	all := p.buffers(of.Ref.Track)
	k := slices.IndexFunc(all, func(x span) bool { return x.Ref == of.Ref })
	if k < 0 {
		return nil
	}
	var lengths []int64
	for _, x := range all[max(k-15, 0):min(k+16, len(all))] {
		lengths = append(lengths, x.End-x.Begin)
	}
	slices.Sort(lengths)
	took := of.End - of.Begin
	return map[string]float64{
		"duration": float64(took), "frame": float64(p.numberOf(of)), "over_typical": float64(took - lengths[(len(lengths)-1)/2]),
	}
}

// The list of spikes of a pipeline says of each cause of late buffers what the command why says: how
// many, the worst, how often, whether they grow; and below it, open, each buffer. Keys go through all of
// them, and through those of one cause.
func TestLateBuffersByCause(t *testing.T) {
	causes := 0
	for _, name := range []string{"latency-tee-queues.log.gz", "all-audio-chain.log.gz", "latency-two-sources.log.gz", "latency-pipeline-only.log"} {
		s := open(t, filepath.Join(recordings.Root(t), "testdata", "gsttrace", name)).s
		var told []whyCause
		explain(t, s, report.WhyOptions{ByCause: true}, &told)
		slices.SortStableFunc(told, func(a, b whyCause) int { return cmp.Compare(b.Excess, a.Excess) })
		rig := whyRig(s)
		v := rig.Env.View
		v.ClearSelection()
		list := tables.NewSpikePanel()
		rig.R = draw.Rect{X1: 700, Y1: 900}
		settle(rig, list)
		rows := records(list.Facts(rig.Env, nil))
		testkit.MustThat(t, len(rows) == len(told) && len(rows) != 0,
			"%s: %d causes, why says %d", name, len(rows), len(told))
		all := 0
		for i := range told {
			w, r := &told[i], &rows[i]
			causes, all = causes+1, all+len(w.Frames)
			got, want := r.values(), w.figures()
			testkit.That(t, maps.Equal(got, want), "%s, %s: the list says %v, why says %v", name, r.name, got, want)
		}
		v.GoFirst()
		v.SetPlayhead(0)
		walked := map[spans.Ref]bool{}
		for v.StepSpike(1) {
			walked[v.Span().Ref] = true
		}
		testkit.That(t, len(walked) == all, "%s: keys go to %d late buffers of %d", name, len(walked), all)
		testkit.That(t, panel.WalkCause(rig.Env) && v.Cause() != (view.New(s).Cause()),
			"%s: the cause of the last late buffer is not known", name)
		for walked = map[spans.Ref]bool{v.Span().Ref: true}; v.StepSpike(-1); {
			walked[v.Span().Ref] = true
		}
		testkit.That(t, slices.ContainsFunc(told, func(w whyCause) bool { return len(w.Frames) == len(walked) }),
			"%s: keys go to %d late buffers of one cause", name, len(walked))
	}
	testkit.That(t, causes >= 7, "%d causes", causes)
}

// whyPart is what the command why says of a part of a frame.
type whyPart struct {
	Collector    string
	Self         float64 `json:"self_ns"`
	Typical      float64 `json:"typical_self_ns"`
	Starts       float64
	TypStarts    float64 `json:"typical_starts"`
	Seen, Around float64
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
	explain(t, s, report.WhyOptions{Baseline: before, Every: true, Parts: true}, &told)
	main := s.MainTrack()
	p := newPinnedWhy(s, compare.All(before))
	said := compared(t, name, [2]*subject{}, [2]compare.Side{compare.All(before), compare.All(s)}).said
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
		testkit.EqualSlices(t, headlineFacts(p.rig, p.head), want, "%s: frame %d: the headline", name, w.Frame)
		p.parts(t, name, said, w.Parts)
	}
	testkit.That(t, slower >= least, "%s: %d frames are slower than the baseline", name, slower)
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
		testkit.MustThat(t, i >= 0, "%s: why knows no part %q", name, title)
		x := &want[i]
		is := map[string]float64{
			"self": x.Self, "typical_self": x.Typical, "over_typical": x.Self - x.Typical, "starts": x.Starts,
			"typical_starts": x.TypStarts, "seen": x.Seen, "around": x.Around,
		}
		v, ok := is[f.Measure]
		testkit.That(t, !ok || v == f.Value, "%s: %s of %q is %g, why has %g", name, f.Measure, title, f.Value, v)
		if f.Measure != "typical_self" || title == "" {
			continue
		}
		rows++
		for _, r := range said.rows("collectors") {
			if r.text("collector") != title || r.text("thread") != thread {
				continue
			}
			m := of(r.object("self").object("usual_a"), "median_ns")
			testkit.That(t, math.Abs(m-f.Value) <= 1, "%s: %q takes %g ns typically, diff has %g", name, title, f.Value, m)
		}
	}
	testkit.That(t, rows != 0, "%s: no part of a frame is told", name)
	words := panel.Title(p.rig.Env) + panel.Mode(p.rig.Env)
	testkit.That(t, strings.Contains(words, "baseline of "), "%s: %q does not say what is typical", name, words)
}
