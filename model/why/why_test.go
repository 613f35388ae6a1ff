package why_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"framescope/internal/planted"
	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
	"framescope/net/feed"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// Kinds of tracks and collectors of a small game.
const (
	cApp, cPhysics, cAI, cAnim, cWait, cSync, cDraw, cCompile, cGC, cLock, cDecode, cSolve, cIsland = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
	tMain, tDraw, tLoader                                                                           = 0, 1, 2
)

var names = [...]struct {
	name   string
	parent model.CollectorID
}{
	{"Frame", 0}, {"App", 0}, {"Physics", cApp}, {"AI", cApp}, {"Animation", cApp}, {"Wait", 0}, {"Thread sync", cWait}, {"Draw", 0},
	{"Compile shader", cDraw}, {"GC", 0}, {"Mutex block", cWait}, {"Decode", 0}, {"Solve", cPhysics}, {"Island", cPhysics},
}

// call is a collector that runs for some time, in microseconds.
type call struct {
	c  model.CollectorID
	us int64
}

// game fills a session with frames of the threads of a small game.
type game struct {
	s  *store.Session
	at map[model.TrackID]int64
}

func newGame() *game {
	g := &game{s: store.NewSession(), at: map[model.TrackID]int64{}}
	for i, n := range names {
		g.s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: n.name, Parent: n.parent})
		g.s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i)})
	}
	for i, name := range []string{"Main", "Draw", "Loader"} {
		g.s.Apply(model.TrackDef{ID: model.TrackID(i), Name: name})
	}
	return g
}

// frame appends a frame of a track that consists of calls; a call of collector 0 is time that no
// collector covers.
func (g *game) frame(track model.TrackID, number int64, calls ...call) {
	begin := g.at[track]
	b := model.Batch{Track: track, HasFrame: true, Number: number, Begin: begin}
	at := begin
	alone := map[model.CollectorID]*model.CollectorTime{}
	for _, c := range calls {
		end := at + c.us*1000
		a := alone[c.c]
		if a == nil {
			a = &model.CollectorTime{Collector: c.c}
			alone[c.c] = a
		}
		a.Ns += end - at
		if c.c > 0 {
			a.Count++
			b.Spans = append(b.Spans, model.Span{Begin: at, End: end, Path: model.PathID(c.c + 1)})
		}
		at = end
	}
	for c := range model.CollectorID(len(names)) {
		if a := alone[c]; a != nil {
			b.Self = append(b.Self, *a)
		}
	}
	b.End = at
	g.s.Append(&b)
	g.at[track] = at
}

// jitter is noise of up to a tenth, the same in every run.
func jitter(i, k int64) int64 { return (i*7919 + k*104729) % 1000 / 10 }

// play plays 300 frames of 10 ms: Main works 6 ms and waits for Draw, which works 9. In frame 150 main
// and draw do what is given instead.
func play(main, draw []call, loader ...call) *store.Session {
	g := newGame()
	for i := int64(1); i <= 300; i++ {
		j := func(k int64) int64 { return jitter(i, k) }
		work := []call{{cPhysics, 2000 + j(1)}, {cAI, 2000 + j(2)}, {cAnim, 2000 + j(3)}, {cSync, 3500 - j(1)}, {0, 500 - j(2)}}
		drawn := []call{{cDraw, 9000 + j(4)}, {cSync, 1000}}
		if i == 150 {
			if main != nil {
				work = main
			}
			if draw != nil {
				drawn = draw
			}
		}
		g.frame(tMain, i, work...)
		left := (g.at[tMain] - g.at[tDraw]) / 1000
		for _, c := range drawn[:len(drawn)-1] {
			left -= c.us
		}
		drawn[len(drawn)-1].us = max(left, 0)
		g.frame(tDraw, i, drawn...)
		if len(loader) > 0 {
			left := (g.at[tMain] - g.at[tLoader]) / 1000
			for k := int64(0); left > 0; k++ { // always busy, at a pace of its own
				us := min(1700+3*j(k), left)
				g.frame(tLoader, i*100+k, call{loader[0].c, us})
				left -= us
			}
		}
	}
	return g.s
}

// want is what the chain must say.
type want struct {
	track model.TrackID
	c     model.CollectorID
	how   why.How
}

func TestChains(t *testing.T) {
	for name, c := range map[string]struct {
		s             *store.Session
		chain, others []want
	}{
		"own work longer": {
			s:     play([]call{{cPhysics, 12000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}, nil),
			chain: []want{{tMain, cPhysics, why.Longer}},
		},
		"more calls": {
			s:     play(slices.Concat(slices.Repeat([]call{{cPhysics, 2050}}, 6), []call{{cAI, 2000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}), nil),
			chain: []want{{tMain, cPhysics, why.MoreCalls}},
		},
		"newcomer": {
			s:     play([]call{{cPhysics, 2000}, {cAI, 2000}, {cGC, 9000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}, nil),
			chain: []want{{tMain, cGC, why.New}},
		},
		"no collector covers it": {
			s:     play([]call{{cPhysics, 2000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 500}, {0, 9500}}, nil),
			chain: []want{{tMain, 0, why.NotMeasured}},
		},
		"a limiter makes a late frame later still": {
			s: play([]call{{cPhysics, 6000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 9500}, {0, 500}},
				[]call{{cDraw, 9000}, {cSync, 1000}}),
			chain: []want{{tMain, cPhysics, why.Longer}},
		},
		"two causes": {
			s:      play([]call{{cPhysics, 12000}, {cAI, 2000}, {cGC, 7000}, {cAnim, 2000}, {cSync, 500}, {0, 500}}, nil),
			chain:  []want{{tMain, cPhysics, why.Longer}},
			others: []want{{tMain, cGC, why.New}},
		},
		"a rest in one thing": {
			s:      play([]call{{cPhysics, 12000}, {cAI, 2000}, {cGC, 1700}, {cAnim, 2000}, {cSync, 3500}, {0, 500}}, nil),
			chain:  []want{{tMain, cPhysics, why.Longer}},
			others: []want{{tMain, cGC, why.New}},
		},
		"another thread": {
			s: play([]call{{cPhysics, 2000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 43500}, {0, 500}},
				[]call{{cDraw, 4500}, {cCompile, 40000}, {cDraw, 5000}, {cSync, 0}}),
			chain: []want{{tMain, cSync, why.Waiting}, {tDraw, cCompile, why.New}},
		},
		"another thread beside one that is always busy": {
			s: play([]call{{cPhysics, 2000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 43500}, {0, 500}},
				[]call{{cDraw, 49400}, {cSync, 0}}, call{cDecode, 1}),
			chain: []want{{tMain, cSync, why.Waiting}, {tDraw, cDraw, why.Longer}},
		},
		"a wait that nothing explains, beside one that is always busy": {
			s: play([]call{{cPhysics, 2000}, {cLock, 30000}, {cAI, 2000}, {cAnim, 2000}, {cSync, 500}, {0, 500}},
				nil, call{cDecode, 1}),
			chain: []want{{tMain, cLock, why.Unknown}},
		},
	} {
		var a why.Answer
		e := why.NewEngine(c.s)
		if !e.Frame(tMain, 149, &a) || !a.Hitch || a.Number != 150 {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		check(t, name, a.Chain, c.chain)
		check(t, name+", others", a.Others, c.others)
		for _, i := range []int{0, 100, 148, 150, 299} {
			e.Frame(tMain, i, &a)
			testkit.That(t, !a.Hitch, "%s: frame %d is a hitch", name, a.Number)
		}
	}
}

func check(t *testing.T, name string, got []why.Link, chain []want) {
	t.Helper()
	var have []want
	for _, l := range got {
		have = append(have, want{l.Track, l.Collector, l.How})
	}
	testkit.EqualSlices(t, have, chain, "%s: %+v", name, got)
}

// A lock's holder is found where its frames last seconds and its work ends a little before the wait does, as clocks,
// schedulers and interpreters let the other thread go on later; one that ended much earlier is not, nor one that was
// as near but is beside a nearer one.
func TestHolderWithLongFrames(t *testing.T) {
	for _, c := range []struct {
		loader, gc int64 // how long before the end of the wait the work of each ended, us; 0: it has none
		track      model.TrackID
		work       model.CollectorID // none: no holder is found
	}{
		{91, 0, tLoader, cDecode}, {3300, 0, tLoader, cDecode}, {9000, 0, 0, 0}, {2200, 300, tDraw, cGC}, {300, 2200, tLoader, cDecode},
	} {
		g, end := newGame(), int64(0) // us
		for i := range int64(300) {
			calls := []call{{cPhysics, 6000 + jitter(i, 1)}, {cAI, 4000}}
			if i == 150 {
				calls[1], calls[0] = calls[0], call{cLock, 117_000}
				end = g.at[tMain]/1000 + 117_000
			}
			g.frame(tMain, i, calls...)
		}
		for work, before := range map[model.CollectorID]int64{cDecode: c.loader, cGC: c.gc} {
			track := map[model.CollectorID]model.TrackID{cDecode: tLoader, cGC: tDraw}[work]
			if before > 0 { // two frames that last seconds, idle but for the end of the first
				g.frame(track, 0, call{0, end - before - 121_000}, call{work, 121_000})
				g.frame(track, 1, call{0, (g.at[tMain] - g.at[track]) / 1000})
			}
		}
		chain := []want{{tMain, cLock, why.Waiting}, {c.track, c.work, why.New}}
		if c.work == 0 {
			chain = []want{{tMain, cLock, why.Unknown}}
		}
		var a why.Answer
		testkit.That(t, why.NewEngine(g.s).Frame(tMain, 150, &a) && a.Hitch, "%+v: %+v", c, a)
		check(t, fmt.Sprint(c.loader, " us before"), a.Chain, chain)
	}
}

// While frames come, the hitches are kept up: each costs a few answers, however long the session is, and
// when it has ended they are those that one finds who looks at all of it then.
func TestPreparedWhileFramesCome(t *testing.T) {
	g := newGame()
	e := why.NewEngine(g.s)
	const frames, every = 1600, 40
	var groups []why.Group
	for i := int64(1); i <= frames; i++ {
		calls := []call{{cPhysics, 3000 + jitter(i, 1)}, {cAI, 3000 + jitter(i, 2)}, {cAnim, 3000 + jitter(i, 3)}}
		switch {
		case i%every == 20:
			calls = append(calls, call{cGC, 9000 + i})
		case i%every == 3:
			calls[1].us = 15000
		}
		g.frame(tMain, i, calls...)
		e.Prepare(tMain, 3)
		if i%50 == 0 {
			groups = e.Groups(tMain, groups[:0])
		}
	}
	g.s.Apply(model.End{})
	prepare(e, tMain, 1)
	fresh := why.NewEngine(g.s)
	for last, more := int64(0), true; more; { // it says how far it is
		more = fresh.Prepare(tMain, 7)
		n, of := fresh.Prepared(tMain)
		testkit.MustThat(t, n >= last && of == frames && (n == of) == !more, "%d of %d looked at after %d, more %v", n, of, last, more)
		last = n
	}
	hitches := len(fresh.Hitches(tMain))
	testkit.MustEqual(t, hitches, 2*frames/every, "hitches")
	groups = e.Groups(tMain, groups[:0])
	again := fresh.Groups(tMain, nil)
	testkit.MustEqual(t, len(again), 2, "groups")
	sameGroups(t, groups, again)
	testkit.That(t, e.Explained(tMain) <= 5*hitches, "%d answers on %d hitches", e.Explained(tMain), hitches)
	testkit.Equal(t, fresh.Explained(tMain), hitches, "answers on the hitches of a session that has ended")
	testkit.Equal(t, testing.AllocsPerRun(20, func() { groups = e.Groups(tMain, groups[:0]) }), 0,
		"grouping them again allocates … times")
}

// sameGroups demands the causes that one finds who looks at the end.
func sameGroups(t *testing.T, got, want []why.Group) {
	t.Helper()
	testkit.MustEqual(t, len(got), len(want), "groups")
	for k := range want {
		a, b := &got[k], &want[k]
		same := a.Track == b.Track && a.Collector == b.Collector && a.PeriodNs == b.PeriodNs && a.Trend == b.Trend
		testkit.That(t, same && a.Worst.Number == b.Worst.Number && a.ExcessNs() == b.ExcessNs() && len(a.Hitches) == len(b.Hitches),
			"%+v, and of one who looks at the end %+v", a, b)
	}
}

// prepare makes ready all that is known, so many answers at a time.
func prepare(e *why.Engine, track model.TrackID, most int) {
	for e.Prepare(track, most) {
	}
}

// growing is a sink whose hitches are looked for after each batch.
type growing struct {
	pstatstest.Sink
	e *why.Engine
}

func (g *growing) Publish(b *model.Batch) bool {
	g.Sink.Publish(b)
	prepare(g.e, g.Session.MainTrack(), 100)
	return true
}

// A file has all frames of a thread, then those of the next: what was told of hitches when only some of
// the threads were read is told anew when all are.
func TestHitchesWhileAFileIsRead(t *testing.T) {
	s := store.NewSession()
	sink := &growing{pstatstest.Sink{Session: s}, why.NewEngine(s)}
	sendPlanted(t, sink, planted.Options{Seed: 12, Game: planted.Jobs, Frames: testkit.Rounds(400, 1000)})
	s.Apply(model.End{Reason: "end of file"})
	fresh := why.NewEngine(s)
	track := s.MainTrack()
	prepare(sink.e, track, 100)
	prepare(fresh, track, 100)
	got, want := sink.e.Groups(track, nil), fresh.Groups(track, nil)
	testkit.MustThat(t, len(want) >= 8, "%d causes", len(want))
	sameGroups(t, got, want)
	n := sink.e.Explained(track)
	testkit.That(t, n <= 8*len(sink.e.Hitches(track)), "%d answers on %d hitches", n, len(sink.e.Hitches(track)))
}

// sendPlanted returns a session with hitches whose causes are known.
func plantedSession(t testing.TB, o planted.Options) (*store.Session, *planted.Truth) {
	t.Helper()
	sink := &pstatstest.Sink{Session: store.NewSession()}
	return sink.Session, sendPlanted(t, sink, o)
}

// sendPlanted lets a sink have a file with hitches whose causes are known.
func sendPlanted(t testing.TB, sink feed.Sink, o planted.Options) *planted.Truth {
	t.Helper()
	p, err := planted.New(o)
	testkit.NoErr(t, err)
	var b bytes.Buffer
	testkit.NoErr(t, p.Write(&b))
	_, err = sessionfile.Read(&b, "planted", 0, decode.New(sink, decode.Options{File: true}), nil)
	testkit.NoErr(t, err)
	return p.Truth()
}

// An answer takes no memory but what it hands out.
func TestAnswersTakeNoMemory(t *testing.T) {
	s, truth := plantedSession(t, planted.Options{Seed: 3, Frames: 300})
	e, track := why.NewEngine(s), s.MainTrack()
	var a why.Answer
	n := 0
	all := func() {
		for _, f := range truth.Frames {
			if i, ok := s.Track(track).FrameByNumber(f.Frame); ok {
				e.Frame(track, i, &a)
				n++
			}
		}
	}
	all()
	n = 0
	got := testing.AllocsPerRun(3, all) / float64(max(n/4, 1))
	testkit.That(t, got == 0, "%.1f allocations an answer", got)
}

// What no link names is told besides a wait that nothing tells more of, not in its place.
func TestRest(t *testing.T) {
	wait, unknown, work := why.Link{How: why.Waiting, ExcessNs: 22}, why.Link{How: why.Unknown, ExcessNs: 20}, why.Link{ExcessNs: 5}
	for _, c := range []struct {
		a    why.Answer
		want int64
	}{
		{why.Answer{UnexplainedNs: 17}, 17},
		{why.Answer{UnexplainedNs: 17, Chain: []why.Link{work}}, 17},
		{why.Answer{UnexplainedNs: 17, Chain: []why.Link{unknown}}, 0},
		{why.Answer{UnexplainedNs: 40, Chain: []why.Link{wait, wait, unknown}}, 18},
		{why.Answer{UnexplainedNs: 50, Chain: []why.Link{wait, work}, Others: []why.Link{work, wait, unknown}}, 28},
	} {
		testkit.Equal(t, c.a.RestNs(), c.want, "%+v", c.a)
	}
}
