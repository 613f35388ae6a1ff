package why_test

import (
	"cmp"
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
		at     int
		takes  plan // what is not 0 in it
		chain  []want
		others []want
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
