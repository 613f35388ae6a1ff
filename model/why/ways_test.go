package why_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// The tracks of a small pipeline: one thread pushes buffers through the source's elements into a
// queue, another takes them from there to the sink.
const (
	tWay, tConvert, tQueue, tScale, tLate = 0, 1, 2, 3, 4
	cWay, cConvert, cQueue, cScale, cLate = 1, 2, 3, 4, 5
)

// plan is how long each part of the pipeline takes for a buffer, in microseconds; late is an element
// that others do not go through, gap is time in no element at all.
type plan struct{ convert, scale, sink, late, gap int64 }

// take replaces what is given of it.
func (p *plan) take(o plan) {
	*p = plan{
		cmp.Or(o.convert, p.convert), cmp.Or(o.scale, p.scale), cmp.Or(o.sink, p.sink), cmp.Or(o.late, p.late), cmp.Or(o.gap, p.gap),
	}
}

// pipeline plays 300 buffers, one every 10 ms; number 150 and what comes after it as change says.
func pipeline(change func(i int, p *plan)) *store.Session { return pipelineOf(300, change) }

// definePipeline tells a session what the pipeline consists of.
func definePipeline(s *store.Session) {
	s.Apply(model.ObjectDef{ID: 1, Kind: model.ObjectElement, Name: "sink"})
	for i, name := range []string{"src → sink", "convert", "queue0", "scale", "late"} {
		d := model.TrackDef{ID: model.TrackID(i), Name: name, Kind: model.TrackElement, Object: model.NoObject, Peer: model.NoObject}
		if i == tWay {
			d.Kind, d.Peer = model.TrackStream, 1
		}
		s.Apply(d)
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
}

// pipelineOf is pipeline with another number of buffers.
func pipelineOf(buffers int, change func(i int, p *plan)) *store.Session {
	s := store.NewSession()
	definePipeline(s)
	lanes := [5][]int64{}
	spans := [5][]model.Span{}
	add := func(track int, begin, end int64) {
		if end <= begin {
			return
		}
		k := slices.IndexFunc(lanes[track], func(until int64) bool { return until <= begin })
		if k < 0 {
			k = len(lanes[track])
			lanes[track] = append(lanes[track], 0)
		}
		lanes[track][k] = end
		spans[track] = append(spans[track], model.Span{Begin: begin, End: end, Path: model.PathID(track + 1), Lane: uint16(k)})
	}
	first, second := int64(0), int64(0) // when the threads are free
	for i := range buffers {
		n := int64(i)
		p := plan{convert: 2000 + jitter(n, 1), scale: 3000 + jitter(n, 2), sink: 500 + jitter(n, 3)}
		if change != nil {
			change(i, &p)
		}
		begin := max(n*10e6, first)
		first = begin + p.convert*1e3
		add(tConvert, begin, first)
		taken := max(first+50e3+jitter(n, 4), second)
		add(tQueue, first, taken)
		at := taken + p.scale*1e3
		add(tScale, taken, at)
		add(tLate, at, at+p.late*1e3)
		end := at + (p.late+p.gap)*1e3
		add(tWay, begin, end)
		second = end + p.sink*1e3
	}
	for track := range spans {
		slices.SortStableFunc(spans[track], func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		s.Append(&model.Batch{Track: model.TrackID(track), Spans: spans[track]})
	}
	return s
}

// A late buffer is explained by who had it longer, and whom it waited behind.
func TestLateBuffers(t *testing.T) {
	for name, c := range map[string]struct {
		at            int
		takes         plan // what is not 0 in it
		chain, others []want
	}{
		"an element keeps it":                       {149, plan{convert: 9000}, []want{{tConvert, cConvert, why.Longer}}, nil},
		"two elements keep it":                      {149, plan{convert: 7000, scale: 9000}, []want{{tScale, cScale, why.Longer}}, []want{{tConvert, cConvert, why.Longer}}},
		"it goes through another one":               {149, plan{late: 6000}, []want{{tLate, cLate, why.New}}, nil},
		"nobody is known to have had it":            {149, plan{gap: 6000}, []want{{tWay, cWay, why.NotMeasured}}, nil},
		"it waits behind one that an element keeps": {148, plan{scale: 28000}, []want{{tQueue, cQueue, why.Waiting}, {tScale, cScale, why.Longer}}, nil},
		"it waits behind one that the sink keeps":   {148, plan{sink: 28000}, []want{{tQueue, cQueue, why.Waiting}, {tWay, cWay, why.NotMeasured}}, nil},
	} {
		var a why.Answer
		e := why.NewEngine(pipeline(func(i int, p *plan) {
			if i == c.at {
				p.take(c.takes)
			}
		}))
		late := e.Late(tWay, nil)
		if len(late) == 0 || len(late) > 4 || !slices.Contains(late, 149) {
			t.Errorf("%s: late are %d", name, late)
			continue
		}
		if !e.Thing(tWay, 149, &a) || !a.Hitch || a.Number != 150 {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		check(t, name, a.Chain, c.chain)
		check(t, name+", others", a.Others, c.others)
		testkit.That(t, a.UnexplainedNs*5 <= a.ExcessNs(),
			"%s: %d of %d ns are not explained", name, a.UnexplainedNs, a.ExcessNs())
		for _, i := range []int{0, 100, 299} {
			e.Thing(tWay, i, &a)
			testkit.That(t, !a.Hitch, "%s: buffer %d is late", name, a.Number)
		}
	}
	late := why.NewEngine(pipeline(nil)).Late(tWay, nil)
	testkit.That(t, len(late) == 0, "nothing happens: late are %d", late)
}

// Late buffers have groups by their causes as hitches have.
func TestGroupsOfLateBuffers(t *testing.T) {
	e := why.NewEngine(pipeline(func(i int, p *plan) {
		if i%50 == 25 {
			p.convert = 6000 + int64(i)
		}
	}))
	prepare(e, tWay, 1)
	g := e.Groups(tWay, nil)
	if len(g) != 1 || g[0].Of != tWay || g[0].Track != tConvert || len(g[0].Hitches) != 6 || g[0].Worst.Number != 276 || !g[0].Regular {
		t.Errorf("%+v", g)
	}
}

// stream feeds the buffers of a pipeline to a session in pieces, those of all tracks that ended by then,
// as they come from a program that runs.
func stream(from *store.Session, to *store.Session, untilNs int64, read map[[2]int]int64) {
	for id := range model.TrackID(from.NumTracks()) {
		var b model.Batch
		b.Track = id
		for lane := range from.Track(id).Lanes() {
			k := [2]int{int(id), lane}
			_, end := from.Spans().Kept(id, lane)
			for ; read[k] < end; read[k]++ {
				bar, _ := from.Spans().ByRef(spans.Ref{Track: id, Lane: uint16(lane), Index: read[k]})
				if bar.End > untilNs {
					break
				}
				b.Spans = append(b.Spans, model.Span{Begin: bar.Begin, End: bar.End, Path: bar.Path, Lane: uint16(lane), Flags: bar.Flags})
			}
		}
		slices.SortStableFunc(b.Spans, func(a, b model.Span) int { return int(a.Begin - b.Begin) })
		if len(b.Spans) > 0 {
			to.Append(&b)
		}
	}
}

// Of a pipeline that runs only what is new is read, whatever came before; in the end the late buffers
// are those that one finds who sees all of it at once.
func TestLateBuffersAsTheyCome(t *testing.T) {
	const buffers = 2500
	whole := pipelineOf(buffers, func(i int, p *plan) {
		switch {
		case i%97 == 50:
			p.scale = 28000 // those behind wait, and several are on their way at once
		case i%400 == 20:
			p.gap = 45000
		}
	})
	live := store.NewSession()
	definePipeline(live)
	e, read := why.NewEngine(live), map[[2]int]int64{}
	_, end, _ := whole.Bounds()
	for at := int64(0); at <= end; at += 50e6 { // five buffers
		stream(whole, live, at, read)
		was := e.Looked(tWay)
		prepare(e, tWay, 1)
		n := e.Looked(tWay) - was
		testkit.MustThat(t, n <= 3000, "at %d ms: %d things were looked at for five new ones", at/1e6, n)
	}
	stream(whole, live, model.MaxTime, read)
	for _, s := range []*store.Session{live, whole} {
		s.Apply(model.End{})
	}
	prepare(e, tWay, 1)
	n := e.Looked(tWay)
	testkit.That(t, n <= 600*buffers, "%d things were looked at for %d", n, buffers)
	fresh := why.NewEngine(whole)
	prepare(fresh, tWay, 1)
	got, want := e.Hitches(tWay), fresh.Hitches(tWay)
	testkit.MustThat(t, len(want) >= 25 && len(got) == len(want) && e.Things(tWay) == buffers,
		"%d late ones of %d, want %d", len(got), e.Things(tWay), len(want))
	for i := range want {
		a, b := got[i], want[i]
		if a.Of != b.Of || a.Number != b.Number || a.BeginNs != b.BeginNs || a.ExcessNs != b.ExcessNs || a.Root.Track != b.Root.Track || a.Root.How != b.Root.How {
			t.Errorf("late one %d: %+v, want %+v", i, a, b)
		}
	}
}

// What is long on its way arrives after many that set out later: it comes among these, and late ones
// are found as if it had been there before.
func TestBufferThatArrivesLate(t *testing.T) {
	s, e := store.NewSession(), (*why.Engine)(nil)
	definePipeline(s)
	e = why.NewEngine(s)
	add := func(begin, end int64, lane uint16) {
		s.Append(&model.Batch{Track: tWay, Spans: []model.Span{{Begin: begin, End: end, Path: tWay + 1, Lane: lane}}})
		prepare(e, tWay, 1)
	}
	for i := range int64(1000) {
		if i != 400 {
			add(i*10e6, i*10e6+5e6, 0)
		}
	}
	add(400*10e6, 1000*10e6, 1)
	late := e.Hitches(tWay)
	testkit.That(t, len(late) == 1 && late[0].Number == 401 && late[0].BeginNs == 400*10e6 && e.Things(tWay) == 1000,
		"%d late ones: %+v", len(late), late)
}

// What is kept of buffers on their way is part of what the session keeps, as long as they are there.
func TestBuffersAreUnderTheLimit(t *testing.T) {
	all := store.New(0)
	s := all.NewSession()
	definePipeline(s)
	e := why.NewEngine(s)
	add := func(from, to int64) {
		b := model.Batch{Track: tWay}
		for i := from; i < to; i++ {
			b.Spans = append(b.Spans, model.Span{Begin: i * 10e6, End: i*10e6 + 5e6, Path: tWay + 1})
		}
		s.Append(&b)
	}
	const buffers, bytes = 50_000, 24
	for i := int64(0); i < buffers; i += 1000 {
		add(i, i+1000)
	}
	was := s.Memory().Other
	testkit.MustEqual(t, e.Things(tWay), buffers, "buffers")
	if d := s.Memory().Other - was; d < buffers*bytes || d > buffers*bytes*5/4 || all.Memory().Other < d {
		t.Errorf("%d bytes more are counted for %d buffers", d, buffers)
	}
	all.MemoryLimit = 1
	for all.EnforceLimit(time.Time{}) {
	}
	n := int64(e.Things(tWay))
	if d := s.Memory().Other - was; n == 0 || n > buffers/10 || d > n*bytes*5/2 { // lists shrink lazily
		t.Errorf("%d bytes are counted for %d buffers", d, n)
	}
	all.Remove(s)
	m := s.Memory().Total()
	testkit.That(t, !e.Prepare(tWay, 1) && m <= 1<<16, "a session that was removed has %d bytes", m)
}

// hitchesAt returns hitches that begin at times, in ms, and take so many ms over the typical.
func hitchesAt(beginMs, excessMs []int64) why.Group {
	g := why.Group{}
	for i, ms := range beginMs {
		g.Hitches = append(g.Hitches, why.Hitch{
			Number: ms, BeginNs: ms * 1e6, ExcessNs: excessMs[i] * 1e6, DurationNs: (excessMs[i] + 10) * 1e6,
		})
	}
	why.Finish(&g)
	return g
}

// What comes in turn is told as such, and neither a burst of slow frames nor two times that happen to be
// alike.
func TestOnlyWhatComesInTurnIsRegular(t *testing.T) {
	same := []int64{20, 20, 20, 20, 20, 20}
	for _, c := range []struct {
		begin   []int64
		regular bool
	}{
		{[]int64{0, 1000, 2010, 2990, 4000}, true}, {[]int64{0, 1000, 2000}, false},
		{[]int64{0, 30, 60, 90, 120, 150}, false}, {[]int64{0, 100, 1000, 1700, 9000, 9100}, false},
		{[]int64{0, 100, 200, 2000}, false},
	} {
		g := hitchesAt(c.begin, same)
		testkit.That(t, g.Regular == c.regular, "%v: regular %v, every %d ns", c.begin, g.Regular, g.PeriodNs)
	}
}

// Hitches that get worse are told, and of those that do not at most one in twenty is said to.
func TestTrendIsNotChance(t *testing.T) {
	begin := make([]int64, 40)
	for i := range begin {
		begin[i] = int64(i) * 1000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 7, 12, 40} {
		const trials = 2000
		said := 0
		for range trials {
			excess := make([]int64, n)
			for i := range excess {
				excess[i] = 5 + random.Int64N(50)
			}
			if hitchesAt(begin[:n], excess).Trend != 0 {
				said++
			}
		}
		testkit.That(t, said <= trials*6/100,
			"of %d hitches that are alike a trend was said %d of %d times", n, said, trials)
	}
	excess := []int64{10, 11, 10, 12, 20, 24, 22, 23}
	g := hitchesAt(begin[:8], excess)
	testkit.That(t, g.Trend >= 1 && g.Trend <= 1.4, "%v: %v", excess, g.Trend)
	g = hitchesAt(begin[:4], []int64{10, 11, 50, 60})
	testkit.That(t, g.Trend == 0, "two against two tell nothing: %v", g.Trend)
}

// The parts of a frame are what a plain look at the frames around gives.
func TestParts(t *testing.T) {
	s := play([]call{{cPhysics, 2000}, {cAI, 900}, {cGC, 9000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}, nil)
	e := why.NewEngine(s)
	for _, at := range []int{0, 3, 100, 149, 150, 299} {
		parts, around := e.Parts(tMain, at, nil)
		refs := neighbours(s, at)
		testkit.MustEqual(t, around, len(refs), "frame %d: compared with … frames", at)
		is, seen := selfOf(s, at), map[model.CollectorID]bool{}
		last := int64(1 << 60)
		for k, p := range parts {
			var of []int64
			n := 0
			for _, r := range refs {
				self := selfOf(s, r)
				if of = append(of, self[p.Collector]); self[p.Collector] > 0 {
					n++
				}
			}
			slices.Sort(of)
			want := of[(len(of)-1)/2]
			testkit.That(t, p.SelfNs == is[p.Collector] && p.TypicalNs == want && p.Seen == n,
				"frame %d: %+v, want %d, typical %d, in %d", at, p, is[p.Collector], want, n)
			testkit.Equal(t, p.Waits, p.Collector == cSync, "%+v waits", p)
			seen[p.Collector] = true
			if works := !p.Waits && p.ExcessNs() > 0; works && k == 0 { // the cause leads
				continue
			} else if works && parts[0].Waits {
				testkit.That(t, 2*p.ExcessNs() < parts[0].ExcessNs(), "frame %d: %+v does not lead", at, p)
			}
			far := max(p.ExcessNs(), -p.ExcessNs())
			testkit.That(t, far <= last, "frame %d: %+v comes too late", at, p)
			last = far
		}
		for c, ns := range is {
			testkit.That(t, ns <= 0 || seen[c], "frame %d: %d is no part", at, c)
		}
		if at == 149 && (parts[0].Collector != cGC || parts[0].Seen != 0 || parts[0].Calls != 1 || parts[0].TypicalCalls != 0) {
			t.Errorf("first is %+v", parts[0])
		}
	}
	list, n := e.Parts(tMain, 300, nil)
	testkit.That(t, n == 0 && len(list) == 0, "of no frame: %v", list)
}

// neighbours are the frames that one is compared with.
func neighbours(s *store.Session, at int) (out []int) {
	typical := func(i int) bool { return !s.Frames().Hitch(tMain, i) }
	for i := at - 1; i >= 0 && len(out) < 64; i-- {
		if typical(i) {
			out = append(out, i)
		}
	}
	before := len(out)
	for i := at + 1; i < s.Track(tMain).NumFrames() && len(out)-before < 64; i++ {
		if typical(i) {
			out = append(out, i)
		}
	}
	return out
}

// selfOf is what each collector took in a frame; NoCollector the time that none covers.
func selfOf(s *store.Session, at int) map[model.CollectorID]int64 {
	f := s.Track(tMain).Frame(at)
	out := map[model.CollectorID]int64{}
	rest := f.End - f.Begin
	for _, a := range s.Frames().Self(tMain, at, nil) {
		c := a.Collector
		if rest -= a.Ns; c == 0 {
			c = model.NoCollector
		}
		out[c] += a.Ns
	}
	out[model.NoCollector] += max(rest, 0)
	return out
}

// sampled returns a session of two threads whose stacks were sampled every 20 ms for 60 s: each is in
// Physics, AI or Animation, all below App, for some samples in a row; in [20 s, 25 s) rule is asked
// what it is in instead.
func sampled(seed uint64, rule func(r *rand.Rand, was model.CollectorID) model.CollectorID) *store.Session {
	return sampledWith(15, seed, rule)
}

// sampledWith is sampled with the call path of an id first.
func sampledWith(first model.PathID, seed uint64, rule func(r *rand.Rand, was model.CollectorID) model.CollectorID) *store.Session {
	s := newGame().s
	s.Apply(model.PathDef{ID: first, Collector: cApp})
	path := map[model.CollectorID]model.PathID{}
	for k, c := range []model.CollectorID{cPhysics, cAI, cAnim, cSolve} {
		path[c] = first + 1 + model.PathID(k)
		s.Apply(model.PathDef{ID: path[c], Parent: first, Collector: c})
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for track := range model.TrackID(2) {
		id := model.SeriesID(track)
		s.Apply(model.SeriesDef{
			ID: id, Name: "stacks", Kind: model.SeriesEvent, Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject,
		})
		b := model.Batch{Track: model.NoTrack}
		in := model.CollectorID(cPhysics)
		for i := range int64(3000) {
			if r.IntN(4) == 0 {
				in = [...]model.CollectorID{cPhysics, cPhysics, cAI, cAnim}[r.IntN(4)]
			}
			c := in
			if track == 0 && i >= 1000 && i < 1250 && rule != nil {
				c = rule(r, in)
			}
			b.Samples = append(b.Samples, model.Sample{Series: id, Time: i * 20e6, Value: float64(path[c])})
		}
		s.Append(&b)
	}
	return s
}

var (
	there  = why.Stretch{BeginNs: 20e9, EndNs: 25e9}
	always = why.Stretch{BeginNs: model.MinTime, EndNs: model.MaxTime}
)

// In sessions in which nothing changes no more than one in twenty says that something did.
func TestNoSamplesBeyondChance(t *testing.T) {
	sessions := testkit.Rounds(100, 200)
	wrong := 0
	for seed := range uint64(sessions) {
		found := why.Samples(sampled(seed, nil), []model.TrackID{0, 1}, there, always)
		testkit.MustThat(t, found.Tests == 6 && found.Threads == 2 && found.OfThere == 500 && found.OfElsewhere == 5500,
			"%+v", found)
		if len(found.List) > 0 {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, sessions)
	testkit.That(t, wrong <= sessions/20, "%d of %d", wrong, sessions)
	found := why.Samples(sampled(1, nil), []model.TrackID{0}, why.Stretch{BeginNs: 90e9, EndNs: 95e9}, always)
	testkit.That(t, found.Threads == 0, "where nothing was sampled: %+v", found)
}

// Against a stretch of another session a range is told as against the same one of its own; methods are
// those of the same names, whatever their call paths are called there.
func TestSamplesOverAnotherSession(t *testing.T) {
	rule := func(r *rand.Rand, was model.CollectorID) model.CollectorID {
		if was == cPhysics && r.IntN(10) < 7 {
			return cAnim
		}
		return was
	}
	tracks, elsewhere := []model.TrackID{0, 1}, why.Stretch{BeginNs: 30e9, EndNs: 50e9}
	s, other := sampled(3, rule), sampledWith(40, 3, rule)
	want := why.Samples(s, tracks, there, elsewhere)
	for name, before := range map[string]*store.Session{"itself": s, "another": other} {
		got := why.SamplesOver(s, tracks, there, before, elsewhere)
		for i := range got.List {
			testkit.That(t, got.List[i].Baseline, "%s: %+v is not told to be over a baseline", name, got.List[i])
			got.List[i].Baseline = false
		}
		testkit.That(t, len(want.List) != 0 && slices.Equal(got.List, want.List) && got.Tests == want.Tests &&
			got.OfElsewhere == want.OfElsewhere, "%s: %+v, within the session %+v", name, got, want)
	}
}

// What takes longer from a frame on is named, on the thread that does it, and dated to the frame.
func TestLasting(t *testing.T) {
	const at, frames = 333, 600
	for name, c := range map[string]struct {
		main, draw map[model.CollectorID]int64 // more microseconds from then on
		chain      []want
	}{
		"own work":        {map[model.CollectorID]int64{cPhysics: 800}, nil, []want{{tMain, cPhysics, why.Longer}}},
		"drifts":          {map[model.CollectorID]int64{cPhysics: 3000}, nil, []want{{tMain, cPhysics, why.Longer}}},
		"a newcomer":      {map[model.CollectorID]int64{cGC: 900}, nil, []want{{tMain, cGC, why.New}}},
		"another thread":  {nil, map[model.CollectorID]int64{cDraw: 2600}, []want{{tMain, cSync, why.Waiting}, {tDraw, cDraw, why.Longer}}},
		"what is no step": {map[model.CollectorID]int64{cPhysics: 100}, nil, nil},
	} {
		g, rng := newGame(), rand.New(rand.NewPCG(1, 2))
		us := func(c model.CollectorID, usual int64, more map[model.CollectorID]int64, frame int) call {
			ns := int64(float64(usual) * (1 + 0.02*rng.NormFloat64()))
			if name == "drifts" {
				ns += more[c] * int64(frame) / frames
			} else if frame >= at {
				ns += more[c]
			}
			return call{c, ns}
		}
		for i := range frames {
			physics, ai, draw := us(cPhysics, 4000, c.main, i), us(cAI, 8000, c.main, i), us(cDraw, 11_000, c.draw, i)
			list := []call{physics, ai}
			if gc := us(cGC, 0, c.main, i); gc.us > 0 {
				list = append(list, gc)
			}
			worked := int64(0)
			for _, x := range list {
				worked += x.us
			}
			length := max(worked, draw.us) + 50
			g.frame(tMain, int64(i), append(list, call{cSync, length - worked})...)
			g.frame(tDraw, int64(i), draw, call{cSync, length - draw.us})
		}
		all := why.NewEngine(g.s).Lasting(tMain, 0, frames-1)
		testkit.Equal(t, len(all), min(len(c.chain), 1), "%s: steps", name)
		for _, l := range all {
			testkit.That(t, l.Drifts == (name == "drifts") && (l.Drifts || l.Number == at), "%s: from frame %d", name, l.Number)
			check(t, name, l.Chain, c.chain)
		}
	}
}
