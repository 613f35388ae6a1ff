package details

import (
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/gsttrace"
	"framescope/net/profilelib"
	"framescope/net/pstats/decode"
)

// legible are the sources of the recordings in which texts have to be legible.
var legible = feed.Registry{decode.Source{}, gsttrace.Source{}, profilelib.Source{}, flare.Source{}}

// waitingSession has two threads in step, Main which waits for Draw: frames of 10 ms, but in frame 40
// Draw compiles a shader for 20 ms more, and Main waits for it.
func waitingSession() *store.Session {
	const app, wait, drawing, shader, ms = 1, 2, 3, 4, 1_000_000
	s, at := chartstest.Named("Frame", "App", "Wait", "Draw", "Compile shader"), int64(0)
	s.Apply(model.TrackDef{ID: 1, Name: "Draw"})
	for i := range int64(120) {
		work, more := 4*ms+i%7*10_000, int64(0)
		calls := []model.CollectorTime{chartstest.Took(drawing, 10*ms)}
		if i == 40 {
			more = 20 * ms
			calls = append(calls, chartstest.Took(shader, more))
		}
		chartstest.AppendCalls(s, 1, 100+i, at, calls...)
		at = chartstest.AppendCalls(s, 0, 100+i, at, chartstest.Took(app, work), chartstest.Took(wait, 10*ms-work+more))
	}
	s.Apply(model.End{})
	return s
}

// While the cause of a hitch is selected, the hitch is what is compared, and where links and an opened session lead.
func TestHitchIsThePlace(t *testing.T) {
	v := testEnv(waitingSession()).View
	for _, again := range []bool{false, true} {
		track, i, ok := v.Hitch()
		testkit.MustThat(t, ok && track == 0 && i == 40 && v.Track() == 1, "again %v: hitch %d of %d, selected %d", again, i, track, v.Track())
		m, _ := view.MarkSelected(v, "")
		testkit.That(t, m.Side.Track == 0 && m.What == "frame 140 of Main", "compared is %+v", m)
		p, _ := v.Here()
		f, err := p.Find(v.Session())
		testkit.That(t, err == nil && p.String() == "frame=140&thread=Main", "the place is %q, %v", p, err)
		v.SelectFrames(3, 3)
		v.GoTo(p.Kind, f)
	}
	v.ChooseCause(view.By(&why.Group{Cause: why.Cause{Role: 1, Collector: 4}}))
	track, i, ok := v.Hitch()
	testkit.MustThat(t, ok && track == 0 && i == 40, "with a chosen cause frame %d of thread %d leads, %v", i, track, ok)
	v.ChooseCause(view.Cause{})
	hitch, _ := view.MarkSelected(v, "")
	v.StepFrame(1)
	next, _ := view.MarkSelected(v, "")
	testkit.That(t, v.Track() == 0 && next.What == "frame 141 of Main", "the frame after it is %q", next.What)
	v.SetTrack(1)
	v.SelectFrames(30, 30)
	drawn, _ := view.MarkSelected(v, "")
	like := drawn.FrameLike(&hitch)
	testkit.That(t, drawn.What == "frame 130 of Draw" && like.What == "frame 130 of Main" && like.Side.Track == 0,
		"%q beside %q is %q", drawn.What, hitch.What, like.What)
	v.SelectFrames(30, 31)
	two, _ := view.MarkSelected(v, "")
	testkit.Equal(t, two.FrameLike(&hitch).What, two.What, "two frames beside one")
}

// whyRig is the headline with the details that it is about.
type whyRig struct {
	env  *panel.Env
	why  *Why
	pane *Panel
}

func newWhyRig(s *store.Session) *whyRig {
	r := &whyRig{env: testEnv(s), why: &Why{}, pane: &Panel{}}
	r.env.View.TakeLead() // it opens on the cause
	r.why.Meet(func(string) panel.Panel { return r.pane })
	return r
}

// tick updates both, the headline with an input.
func (r *whyRig) tick(in *panel.Input) {
	for range 2 {
		r.env.View.Tick(0, false)
		r.pane.Update(r.env, panelRect, &panel.Input{})
		r.why.Update(r.env, draw.Rect{X1: 300, Y1: 400}, in)
		in = &panel.Input{}
	}
}

// hows are in what ways the links of the chain took longer.
func (r *whyRig) hows() (out []string) {
	for _, f := range r.why.Facts(r.env, nil) {
		if f.Measure == "excess" {
			l := &r.why.chain.rows[f.Row].link
			out = append(out, l.How.String())
		}
	}
	return out
}

// Of a hitch the headline tells the chain of causes. A click on a link selects its span on its thread,
// and the frame with its chain stays; what is no hitch is as usual.
func TestTheHeadlineTellsWhy(t *testing.T) {
	r := newWhyRig(waitingSession())
	r.env.View.SelectFrames(40, 40)
	r.tick(&panel.Input{})
	head := r.why.head
	if got := r.hows(); !slices.Equal(got, []string{"waiting", "new"}) || head.usual || head.usualNs != 10_000_000 {
		t.Fatalf("%v of %+v", got, head)
	}
	h := r.why.Extent(r.env, 300)
	testkit.That(t, h >= whyHeight+whyUsual+2*chainName && h <= 200, "%v px high", h)
	row := &r.why.chain.rows[1]
	at := click(40, r.why.rect.Y0+(row.y0+row.y1)/2)
	hit := r.why.HitTest(r.env, at.X, at.Y)
	testkit.That(t, hit.Collector == 4 && hit.Track == 1 && len(hit.Lines) == 2 && hit.Among == r.why.rect,
		"under the mouse is %+v", hit)
	r.tick(at)
	v := r.env.View
	testkit.That(t, v.HasSpan() && v.Span().Collector == 4 && v.Track() == 1 &&
		v.Span().End-v.Span().Begin == 20_000_000, "the click selected %+v of thread %d", v.Span(), v.Track())
	if got := r.hows(); len(got) != 2 || r.why.head.name != head.name || r.why.Title(r.env) != "Compile shader" {
		t.Errorf("then the headline is %q, the chain %v, the title %q", r.why.head.name, got, r.why.Title(r.env))
	}
	r.tick(click(40, r.why.rect.Y0+r.why.chain.rows[0].y0+4))
	testkit.That(t, v.Span().Collector == 2 && v.Track() == 0, "the click on the wait selected %+v", v.Span())
	v.SelectFrames(60, 60)
	v.ClearThing()
	r.tick(&panel.Input{})
	if got := r.hows(); got != nil || !r.why.head.usual || r.why.head.usualNs != 10_000_000 {
		t.Errorf("of a usual frame it tells %v, %+v", got, r.why.head)
	}
}

// Among many threads whose names say nothing the chain takes several ticks; then the cause is selected, and told.
func TestTheReasonIsWorkedOutInPieces(t *testing.T) {
	const ms, threads = 1_000_000, 40
	s, at := chartstest.Named("Frame", "a1", "b7", "c3", "d9"), int64(0)
	for id := range model.TrackID(threads + 1) {
		s.Apply(model.TrackDef{ID: id + 1, Name: "T" + string(format.AppendCount(nil, int64(id)))})
	}
	for i := range int64(120) {
		work, us := 3*ms+i%7*200_000, int64(10*ms)
		if i == 40 {
			us = 30 * ms
		}
		for id := range model.TrackID(threads) {
			chartstest.AppendCalls(s, id+1, 100+i, at, chartstest.Took(4, (i*int64(id)%9+1)*ms))
		}
		chartstest.AppendCalls(s, threads+1, 100+i, at, chartstest.Took(3, us))
		at = chartstest.AppendCalls(s, 0, 100+i, at, chartstest.Took(1, work), chartstest.Took(2, us-work))
	}
	s.Apply(model.End{})
	r := newWhyRig(s)
	v := r.env.View
	s.Treat(model.Treat{Work: []string{"a1"}}) // then all is learned anew
	v.Causes().Pace()
	v.GoToHitch(40)
	pieces := 0
	for ; v.CausesPending() && pieces < 1000; pieces++ {
		v.Causes().Pace()
		if r.tick(&panel.Input{}); v.CausesPending() {
			rows := r.why.chain.rows
			testkit.MustThat(t, len(rows) == 1 && rows[0].words == "Working out what took longer.", "rows %+v", rows)
		}
	}
	track, i, ok := v.Hitch()
	testkit.That(t, pieces > 1 && ok && track == 0 && i == 40 && len(r.hows()) == 2, "after %d pieces hitch %d of %d, chain %v",
		pieces, i, track, r.hows())
}

// Of several frames the headline tells how many of them are hitches, and why; a click goes to the worst
// of a cause.
func TestTheHeadlineOfARange(t *testing.T) {
	r := newWhyRig(waitingSession())
	v := r.env.View
	v.SelectFrames(20, 60)
	r.tick(&panel.Input{})
	facts := r.why.Facts(r.env, nil)
	if len(facts) != 3 || facts[0].Text != "1 hitch among them, over typical by 20.0 ms" || facts[1].Value != 1 ||
		facts[2].Value != 30_000_000 || facts[1].Of.Collector != 4 {
		t.Fatalf("%+v", facts)
	}
	row := &r.why.chain.rows[1]
	r.tick(click(40, r.why.rect.Y0+(row.y0+row.y1)/2))
	testkit.That(t, v.FrameA() == 40 && v.FrameB() == 40 && len(r.hows()) == 2,
		"the click went to frames %d to %d, whose chain is %v", v.FrameA(), v.FrameB(), r.hows())
	v.SelectFrames(60, 90)
	r.tick(&panel.Input{})
	if facts := r.why.Facts(r.env, nil); len(facts) != 1 || facts[0].Value == facts[0].Value {
		t.Errorf("of usual ones it tells %+v", facts)
	}
}

// A span that is in no chain has a headline of its own.
func TestTheHeadlineOfAnotherSpan(t *testing.T) {
	r := newWhyRig(waitingSession())
	r.env.View.SelectFrames(40, 40)
	r.tick(&panel.Input{})
	r.env.View.SelectCause(&why.Link{Track: 0, Collector: 1, BeginNs: 400_000_000, EndNs: 404_000_000})
	r.tick(&panel.Input{})
	testkit.That(t, r.why.head.name == "App" && r.hows() == nil,
		"the headline is %q, the chain %v", r.why.head.name, r.hows())
}

// A frame that is no hitch is as usual only where it took about what is typical: one far over that is
// none because others are, too, and a short one is none, either.
func TestWhatIsUsual(t *testing.T) {
	for ns, want := range map[int64]string{
		44_400_000: "no hitch: that takes 50.0 ms here", 16_300_000: "as usual here", 18_000_000: "as usual here",
		15_000_000: "as usual here", 5_000_000: "less than usual here",
	} {
		h := headline{ns: ns, usualNs: 16_300_000, leastNs: 18_400_000, noHitch: "that takes 50.0 ms here", of: "typical", usual: true}
		testkit.Equal(t, h.usually(), want, "%d ns", ns)
		h.usual = false
		testkit.That(t, h.usually() == "", "%d ns: a hitch is %q", ns, h.usually())
	}
	h := (headline{ns: 2, usualNs: 1, of: "median", usual: true})
	testkit.That(t, h.usually() == "", "what is compared with something else than frames around is usual")
}

// queueSession is a pipeline of a queue and an element behind it: a buffer every 10 ms, which scale has
// for 3 ms. It keeps the 50th for 28 ms, and the next one waits behind it.
func queueSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.ObjectDef{ID: 0, Parent: model.NoObject, Kind: model.ObjectElement, Name: "sink"})
	for i, name := range []string{"src → sink", "queue0", "videoscale0"} {
		d := model.TrackDef{ID: model.TrackID(i), Name: name, Kind: model.TrackElement, Object: model.NoObject, Peer: model.NoObject}
		if i == 0 {
			d.Kind, d.Peer = model.TrackStream, 0
		}
		s.Apply(d)
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	var list [3][]model.Span
	add := func(track int, lane uint16, begin, end int64) {
		list[track] = append(list[track], model.Span{Begin: begin, End: end, Path: model.PathID(track + 1), Lane: lane})
	}
	free := int64(0)
	for i := range int64(120) {
		begin, keeps := i*10e6, int64(3e6)+i%5*20_000
		if i == 49 {
			keeps = 28e6
		}
		taken := max(begin+100_000, free)
		free = taken + keeps
		add(0, uint16(i%4), begin, free)
		add(1, uint16(i%4), begin, taken)
		add(2, 0, taken, free)
	}
	for track := range list {
		s.Append(&model.Batch{Track: model.TrackID(track), Spans: list[track]})
	}
	s.Apply(model.End{})
	return s
}

// Of a late buffer the headline tells who kept it, and behind whom it waited; a click on who that was
// leaves it, and a buffer that is not late is as usual.
func TestTheHeadlineOfABuffer(t *testing.T) {
	r := newWhyRig(queueSession())
	buffer := func(i int64) {
		b, ok := r.env.View.Session().Spans().ByRef(spans.Ref{Track: 0, Lane: uint16(i % 4), Index: i / 4})
		testkit.MustThat(t, ok && b.Begin == i*10e6, "buffer %d is %+v", i, b)
		r.env.View.SelectSpan(b)
		r.tick(&panel.Input{})
	}
	buffer(50)
	head := r.why.head
	if got := r.hows(); !slices.Equal(got, []string{"waiting", "longer"}) || head.name != "Buffer 51" || head.what != "src → sink" || head.usual {
		t.Fatalf("%v of %+v", got, head)
	}
	row := &r.why.chain.rows[1]
	testkit.That(t, row.told == "videoscale0 kept the buffer before it 18.1 ms longer.", "it says %q", row.told)
	rect := draw.Rect{X1: 300, Y1: r.why.Extent(r.env, 300)}
	golden.Check(t, "testdata/golden/whybuffer.png", &draw.Picture{Seen: rect, Ground: draw.Color(r.env.Theme.Panel), Lists: []*draw.List{r.why.List()}})
	r.tick(click(40, r.why.rect.Y0+(row.y0+row.y1)/2))
	v := r.env.View
	testkit.That(t, v.Track() == 2 && v.HasSpan() && v.Span().End-v.Span().Begin == 28e6,
		"the click selected %+v of track %d", v.Span(), v.Track())
	if got := r.hows(); len(got) != 2 || r.why.head.name != "Buffer 51" {
		t.Errorf("then the headline is %q, the chain %v", r.why.head.name, got)
	}
	buffer(20)
	if got := r.hows(); got != nil || !r.why.head.usual || r.why.head.name != "Buffer 21" {
		t.Errorf("of a usual buffer it tells %v, %+v", got, r.why.head)
	}
}

// A chosen wait says who held the lock meanwhile and for how long, as the longest waits of a session are
// explained.
func TestWaitSaysWhoHeldTheLock(t *testing.T) {
	s := chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "exhausted.prof")
	env := testEnv(s)
	begin, end, _ := s.Bounds()
	p, seen := &Panel{}, 0
	for _, w := range why.NewEngine(s).Waits(model.NoTrack, begin, end, 20) {
		env.View.ClearSelection()
		env.View.Select(view.Use(w.Use))
		p.Update(env, draw.Rect{X1: 250, Y1: 600}, &panel.Input{})
		var want, got []string
		for _, step := range append(slices.Clip(w.Chain[1:min(len(w.Chain), 2)]), w.Others...) {
			want = append(want, s.Track(step.Track).Title()+" · "+string(format.AppendDuration(nil, step.Ns)))
		}
		for _, f := range p.Facts(env, nil) {
			if f.Measure == "held by" && f.Header == "this use" {
				got = append(got, f.Text)
			}
		}
		testkit.That(t, slices.Equal(got, want[:min(len(want), mostHolders)]),
			"a wait of %d ns is held by %q, not %q", w.Ns(), got, want)
		seen += len(got)
	}
	testkit.That(t, seen != 0, "nobody held a lock that was waited for")
}

// The headline of a lock says for how long threads waited for it: where a range is selected in that, else in
// all of the recording, and how long the longest of these waits was.
func TestHeadlineOfALock(t *testing.T) {
	s := chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "exhausted.prof")
	r, waited := newWhyRig(s), 0
	begin, end, _ := s.Bounds()
	said := func(want locks.Stats, where string) {
		t.Helper()
		r.tick(&panel.Input{})
		h, words := r.why.head, r.why.chain.rows[0].words
		testkit.That(t, h.value == string(format.AppendDuration(nil, want.WaitNs)) && h.what == "waited for, "+where &&
			h.name == s.Collector(want.Lock).Name, "%+v, want %+v %s", h, want, where)
		longest := string(format.AppendDuration([]byte(", the longest "), want.LongestWait.End-want.LongestWait.Begin))
		if want.Waits == 0 && words != "No thread waited for it there." || want.Waits > 0 && !strings.Contains(words, longest) {
			t.Errorf("%q of %+v", words, want)
		}
		waited += int(want.Waits)
	}
	for _, x := range s.Locks().Stats(begin, end+1, nil) {
		r.env.View.ClearSelection()
		r.env.View.SelectCollector(x.Lock)
		said(x, "in all of the recording")
		r.env.View.SelectRange(begin, (begin+end)/2)
		here := locks.Stats{Lock: x.Lock}
		for _, y := range s.Locks().Stats(begin, (begin+end)/2, nil) {
			if y.Lock == x.Lock {
				here = y
			}
		}
		said(here, "in the selected range")
	}
	testkit.That(t, waited != 0, "no lock was waited for")
}

// Of an element its details tell how long buffers took, with a histogram, which threads push them, and
// its newest messages: a click goes to the longest stop, to the next one as long as a bar says, or to a
// message.
func TestDetailsOfAnElement(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz")
	queue := model.NoObject
	for _, o := range s.Topology().Objects() {
		if o.Kind == model.ObjectElement && o.Name == "q1" {
			queue = o.ID
		}
	}
	rect := draw.Rect{X1: 320, Y1: 560}
	env := testEnv(s)
	v := env.View
	v.Select(view.Element(queue))
	pane := shown(env, rect)
	x := &pane.element
	testkit.MustThat(t, x.took.N != 0 && len(pane.counts) != 0 && x.worst.Count != 0 && len(pane.links) != 0,
		"%d buffers, %d bars, %d links", x.took.N, len(pane.counts), len(pane.links))
	n := int64(0)
	for _, k := range pane.counts {
		n += int64(k)
	}
	testkit.That(t, n == x.took.N && pane.all == n, "the bars have %d buffers of %d", n, x.took.N)
	golden.Check(t, "testdata/golden/details_element.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	worst, bins, bin := pane.links[0], pane.bins, histogramBins-1
	h := pane.HitTest(env, 100, worst.rect.Y0+2)
	testkit.That(t, h.Bar == x.worst && len(h.Lines) != 0, "the longest leads to %+v", h)
	low, high := pane.lo+(pane.hi-pane.lo)*float64(bin)/histogramBins, pane.stats.Max
	pane.Update(env, rect, click(bins.X0+bins.W()*(float32(bin)+0.5)/histogramBins, bins.Y1-1))
	if took := float64(v.Span().End-v.Span().Begin) / 1e9; !v.HasSpan() || took < low*0.999 || took > high*1.001 {
		t.Errorf("a bar of %v to %v s leads to a stop of %v s", low, high, took)
	}
	env = testEnv(s)
	v = env.View
	v.Select(view.Element(queue))
	pane.Update(env, rect, &panel.Input{})
	pane.Update(env, rect, click(100, worst.rect.Y0+2))
	testkit.That(t, v.HasSpan() && v.Span().Ref == x.worst.Ref, "a click on the longest goes to %+v", v.Span())
}

// A thing on its way has details of its own: the way, who had it, and how long; a
// click goes to any of them. No figure of a call is asked for.
func TestDetailsOfAPassage(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz")
	way, ok := s.Spans().At(chartstest.ThreadCalled(t, s, "videotestsrc0.src → synced.sink"), 0, 1_000_000_000, 30e6)
	testkit.MustThat(t, ok, "no span")
	rect := draw.Rect{X1: 320, Y1: 500}
	env := testEnv(s)
	env.View.SelectSpan(way)
	pane := shown(env, rect)
	x := &pane.passage
	testkit.MustThat(t, x.known && x.of.Way == way && x.of.Whole && len(x.of.Stops) == 6, "%+v", x)
	testkit.That(t, !pane.calls.called && pane.calls.self < 0, "it has a caller, or a time of its own: %+v", pane.calls)
	testkit.MustThat(t, len(pane.links) == 6, "%d links", len(pane.links))
	check := func(name string) {
		t.Helper()
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	}
	check("details_passage")
	// A click on the queue goes to the span in it, whose way is the same.
	q := pane.links[2]
	pane.Update(env, rect, click(100, (q.rect.Y0+q.rect.Y1)/2))
	v := env.View
	testkit.MustThat(t, s.Track(v.Span().Ref.Track).Title() == "q2", "the click went to %+v", v.Span())
	pane.Update(env, rect, &panel.Input{})
	testkit.That(t, x.of.Way == way, "way %+v, want %+v", x.of.Way, way)
	check("details_passage_stop")
}

// selections are what can be selected in a session: one thing of each kind that it has, and of
// collectors the dearest and the rarest of each thread.
func selections(s *store.Session) map[string]func(v *view.View) {
	of := map[string]func(v *view.View){"nothing": func(*view.View) {}}
	begin, end, _ := s.Bounds()
	third := (end - begin) / 3
	of["range"] = func(v *view.View) { v.SelectRange(begin+third, end-third) }
	for id := range min(model.TrackID(s.NumTracks()), 4) {
		t := s.Track(id)
		if t == nil {
			continue
		}
		if n := t.NumFrames(); n > 0 {
			of["frame of "+t.Title()] = func(v *view.View) { v.SetTrack(id); v.SelectFrames(n/2, n/2) }
			of["frames of "+t.Title()] = func(v *view.View) { v.SetTrack(id); v.SelectFrames(n/3, n/2) }
		}
		last := -1
		for c := range model.CollectorID(s.Collectors().Len()) {
			b, ok := s.Spans().Next(id, c, -1<<60, 1)
			if !ok || last >= 0 && int(c) < 2*last {
				continue
			}
			last = max(int(c), 1)
			name := s.Collector(c).Name + " of " + t.Title()
			of[name] = func(v *view.View) { v.SelectCollectorOf(id, c) }
			of["span of "+name] = func(v *view.View) { v.SelectSpan(b) }
		}
		if m := s.Messages().Of(id, begin, end+1, nil); len(m) > 0 {
			of["message of "+t.Title()] = func(v *view.View) { v.Select(view.Message(id, m[0])) }
		}
	}
	if n := len(s.Topology().Resources()); n > 0 {
		of["resource"] = func(v *view.View) { v.Select(view.Resource(model.ResourceID(n - 1))) }
	}
	types := map[string]bool{}
	for _, o := range s.Topology().Objects() {
		if !types[o.Type] {
			types[o.Type] = true
			of["element "+o.Name] = func(v *view.View) { v.Select(view.Element(o.ID)) }
		}
	}
	for _, kind := range []model.SeriesKind{model.SeriesCounter, model.SeriesEvent, model.SeriesGauge, model.SeriesState} {
		for id := range model.SeriesID(s.Series().Len()) {
			if x := s.Series().ByID(id); x != nil && x.Def.Kind == kind {
				of["series "+x.Def.Name] = func(v *view.View) { v.Select(view.Series(id)) }
				break
			}
		}
	}
	for _, x := range s.Locks().Stats(begin, end+1, nil) {
		of["lock"] = func(v *view.View) { v.Select(view.Lock(x.Lock)) }
	}
	return of
}

// What the details and the headline say is legible, whatever is selected.
func TestDetailsAreLegible(t *testing.T) {
	light := assets.Light()
	g := chartstest.Legibility{Sentences: true}
	for name, load := range chartstest.LegibleSessions(t, legible) {
		s := load()
		for what, choose := range selections(s) {
			for _, sight := range chartstest.Sights(&light) {
				g.Theme = sight.Theme
				rig := g.Rig(s, sight.Scale, sight.W, sight.H)
				choose(rig.Env.View)
				p, why := &Panel{}, &Why{}
				why.details = p
				rig.Ticks(p, 2)
				g.Look(rig, p.List(), "details", name+", "+what)
				p.Shift(0)
				rig.Tick(p)
				g.Look(rig, p.List(), "details among others", name+", "+what)
				rig.Tick(why)
				g.Look(rig, why.List(), "why", name+", "+what)
			}
		}
	}
	g.Report(t)
}

// Whatever is selected, a tick in which nothing changes draws nothing anew and takes no memory; another
// selection is drawn.
func TestDetailsAreStill(t *testing.T) {
	for name, load := range chartstest.LegibleSessions(t, legible) {
		s := load()
		for what, choose := range selections(s) {
			rig := chartstest.NewRig(s, 1, 320, 400)
			p, why := &Panel{}, &Why{}
			why.details = p
			tick := func() { rig.Tick(p); rig.Tick(why) }
			revisions := func() [2]uint64 { return [2]uint64{p.List().Revision(), why.List().Revision()} }
			tick()
			opened, stamp := revisions(), rig.Env.View.Stamp()
			choose(rig.Env.View)
			for range 4 {
				tick()
			}
			before := revisions()
			testkit.That(t, rig.Env.View.Stamp() == stamp || before != opened,
				"%s, %s: nothing of it is drawn", name, what)
			if n := testing.AllocsPerRun(5, tick); n != 0 || revisions() != before {
				t.Errorf("%s, %s: %v allocations a tick, %v became %v", name, what, n, before, revisions())
			}
		}
	}
}

// While data come, the headline and the rows below it show figures of the same frame in every tick, and four
// times a second those of the newest.
func TestTheHeadlineIsOfTheNewestFrame(t *testing.T) {
	const app, ms, ticks = 1, 1_000_000, 120
	s, at := chartstest.Named("Frame", "App"), int64(0)
	r := &whyRig{env: testEnv(s), why: &Why{}, pane: &Panel{}}
	r.why.Meet(func(string) panel.Panel { return r.pane })
	r.env.Paced = true
	v := r.env.View
	seen := map[string]bool{}
	for i := range int64(ticks) {
		at = chartstest.AppendCalls(s, 0, i, at, chartstest.Took(app, (1+i)*ms))
		r.env.NowNs += 16 * ms
		v.Tick(r.env.NowNs, false)
		if i == 3 {
			v.Follow(true)
			v.SelectCollector(app)
		}
		r.why.Update(r.env, draw.Rect{X1: 300, Y1: 400}, &panel.Input{})
		r.pane.Update(r.env, panelRect, &panel.Input{})
		if i < 5 {
			continue
		}
		for _, f := range r.pane.Facts(r.env, nil) {
			if f.Measure == "net" && strings.HasPrefix(f.Header, "newest frame") {
				testkit.MustEqual(t, f.Text, r.why.head.value, "tick %d: net in the details, and in the headline", i)
				seen[f.Text] = true
			}
		}
	}
	testkit.That(t, v.Live() && r.why.head.what == "net, newest frame" && len(seen) >= 6 && len(seen) <= 10,
		"live %v, of %q it shows %v in %d ticks of 16 ms", v.Live(), r.why.head.what, seen, ticks)
}
