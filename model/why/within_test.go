package why_test

import (
	"testing"

	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/why"
)

// A wait that nothing tells the reason of is told with the call in which it was, and hitches of the same
// wait in different calls have different causes.
func TestWaitsWithinCalls(t *testing.T) {
	const pSave, pLoad, pUsual = 101, 102, 103 // the wait in GC, in Decode, and in AI, which run in all frames or in one
	g := newGame()
	for p, c := range map[model.PathID]model.CollectorID{pSave: cGC, pLoad: cDecode, pUsual: cAI} {
		g.s.Apply(model.PathDef{ID: p, Parent: model.PathID(c + 1), Collector: cLock})
	}
	for i := int64(1); i <= 300; i++ {
		work := []call{{cPhysics, 3000 + jitter(i, 1)}, {cAI, 3000 + jitter(i, 2)}, {cAnim, 3000 + jitter(i, 3)}}
		switch i {
		case 100, 150:
			g.frameWithin(i, 20_000, cGC, pSave, work...)
		case 200:
			g.frameWithin(i, 21_000, cDecode, pLoad, work...)
		case 250:
			g.frameWithin(i, 22_000, cAI, pUsual, work[0], work[2])
		default:
			g.frame(tMain, i, work...)
		}
	}
	e := why.NewEngine(g.s)
	prepare(e, tMain, 100)
	want := map[model.CollectorID][]int64{cGC: {100, 150}, cDecode: {200}, cAI: {250}}
	groups := e.Groups(tMain, nil)
	testkit.MustEqual(t, len(groups), len(want), "%+v", groups)
	for i := range groups {
		x := &groups[i]
		if x.Collector != cLock || x.How != why.Unknown || len(x.Hitches) != len(want[x.Within]) ||
			x.Hitches[0].Number != want[x.Within][0] {
			t.Errorf("%+v", x)
		}
	}
	var a why.Answer
	e.Frame(tMain, 99, &a)
	const says = "Wait:Mutex block, in GC, and nothing that was received tells for what."
	got := string(subject.AppendWhy(nil, g.s, &a))
	testkit.That(t, len(got) >= len(says) && got[len(got)-len(says):] == says, "it says %q", got)
	testkit.Equal(t, string(subject.AppendCauseName(nil, g.s, &groups[0], true)), "Mutex block in GC on Main",
		"the cause is called")
}

// frameWithin appends a frame of the main thread that consists of calls, and of one more in which it
// waited all the time.
func (g *game) frameWithin(number, us int64, in model.CollectorID, path model.PathID, calls ...call) {
	begin := g.at[tMain]
	b := model.Batch{Track: tMain, HasFrame: true, Number: number, Begin: begin, End: begin}
	for _, c := range calls {
		end := b.End + c.us*1000
		b.Spans = append(b.Spans, model.Span{Begin: b.End, End: end, Path: model.PathID(c.c + 1)})
		b.Alone = append(b.Alone, model.CollectorTime{Collector: c.c, Ns: end - b.End, Count: 1})
		b.End = end
	}
	end := b.End + us*1000
	b.Spans = append(b.Spans,
		model.Span{Begin: b.End, End: end + 1000, Path: model.PathID(in + 1)}, model.Span{Begin: b.End, End: end, Path: path, Lane: 1})
	b.Alone = append(b.Alone,
		model.CollectorTime{Collector: in, Ns: 1000, Count: 1}, model.CollectorTime{Collector: cLock, Ns: us * 1000, Count: 1})
	b.End = end + 1000
	g.s.Append(&b)
	g.at[tMain] = b.End
}

// Where the causes of a frame are more than what it is over the typical, it is told what took less.
func TestLessElsewhere(t *testing.T) {
	s := play([]call{{cPhysics, 2000}, {cAI, 2000}, {cAnim, 2000}, {cGC, 9000}, {cSync, 500}, {0, 500}}, nil)
	var a why.Answer
	why.NewEngine(s).Frame(tMain, 149, &a)
	in, ok := a.LessIn()
	if ns := a.Chain[0].ExcessNs - a.ExcessNs(); ns < 2_000_000 || a.LessNs() != ns || !ok || in.Collector != cSync {
		t.Errorf("%d less: %v, %v; %+v", a.LessNs(), in, ok, a)
	}
	want := "All else took "
	got := subject.Less(s, &a)
	testkit.That(t, len(got) >= len(want) && got[:len(want)] == want, "%q", got)
	why.NewEngine(s).Frame(tMain, 20, &a)
	testkit.That(t, a.LessNs() == 0 && subject.Less(s, &a) == "", "a usual frame: %+v", a)
}

// What took much longer is told, too, where others made up for it: not among what took less.
func TestBesidesWhatIsMadeUpFor(t *testing.T) {
	s := play([]call{{cGC, 20000}, {cDecode, 6000}, {cAI, 300}}, nil)
	var a why.Answer
	why.NewEngine(s).Frame(tMain, 149, &a)
	check(t, "the chain", a.Chain, []want{{tMain, cGC, why.New}})
	check(t, "besides", a.Others, []want{{tMain, cDecode, why.New}})
	if in, _ := a.LessIn(); a.ExcessNs() >= a.Chain[0].ExcessNs || a.LessNs() != 26_000_000-a.ExcessNs() || in.ExcessNs() >= 0 {
		t.Errorf("%d less, most of it %+v; %+v", a.LessNs(), in, a)
	}
	s = play([]call{{cGC, 20000}, {cDecode, 3000}, {cAI, 300}}, nil)
	why.NewEngine(s).Frame(tMain, 149, &a)
	check(t, "a little", a.Others, nil)
}

// Two things that always take as long, to a rounding, are one cause however it is rounded.
func TestAsGreatIsOneCause(t *testing.T) {
	for _, c := range []model.CollectorID{cPhysics, 0} {
		g := newGame()
		for i := int64(1); i <= 600; i++ {
			a, b := 4000+jitter(i, 1), 4000+jitter(i, 1)
			if i%60 == 30 {
				a, b = 14000+i%7, 14000-i%7
				if i%120 == 30 {
					a, b = b, a
				}
			}
			g.frame(tMain, i, call{c, a}, call{cAnim, b})
		}
		e := why.NewEngine(g.s)
		prepare(e, tMain, 100)
		if groups := e.Groups(tMain, nil); len(groups) != 1 || groups[0].Collector != cAnim || len(groups[0].Hitches) != 10 {
			t.Errorf("%d groups: %+v", len(groups), groups)
		}
	}
}
