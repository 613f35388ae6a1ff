package why_test

import (
	"slices"
	"testing"

	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// inStep adds 300 frames of three threads that begin their frames together. calls says what each of
// them does meanwhile, in order of their tracks, and behind how much less the numbers of its frames are.
func (g *game) inStep(behind [3]int64, calls func(i int64) [3][]call) {
	for i := int64(1); i <= 300; i++ {
		for track, list := range calls(i) {
			g.frame(model.TrackID(track), i-behind[track], list...)
		}
	}
}

func explained(t *testing.T, name string, g *game, chain ...want) {
	t.Helper()
	var a why.Answer
	testkit.MustThat(t, why.NewEngine(g.s).Frame(tMain, 149, &a) && a.Hitch, "%s: %+v", name, a)
	check(t, name, a.Chain, chain)
}

// A thread that waits until the one is ready that another waits for, too, is no link between these: it
// goes on later, or at once.
func TestWhoWaitsForTheSameIsNoLink(t *testing.T) {
	for name, behind := range map[string]int64{"at once": 0, "later": 700} {
		g := newGame()
		g.inStep([3]int64{}, func(i int64) [3][]call {
			drawn, j := []call{{cDraw, 9000 + jitter(i, 1)}}, jitter(i, 2)
			if i == 150 {
				drawn = []call{{cDraw, 4500}, {cCompile, 40000}, {cDraw, 4500}}
			}
			ready := int64(0)
			for _, c := range drawn {
				ready += c.us
			}
			return [3][]call{
				{{cPhysics, 6000 + j}, {cSync, ready - 6000 - j}, {cAI, 2000}},
				append(drawn, call{cLock, 2000}),
				{{cLock, ready + behind}, {cDecode, 2000 - behind}},
			}
		})
		explained(t, name, g, want{tMain, cSync, why.Waiting}, want{tDraw, cCompile, why.New})
	}
}

// What a GPU with a clock of its own did is told by the number of the frame in which its thread waited,
// which may be frames behind.
func TestGPUOfTheFrameThatWaited(t *testing.T) {
	g := newGame()
	g.s.Apply(model.TrackDef{ID: tLoader, Name: "GPU", Kind: model.TrackGPU, OwnClock: true})
	const behind = 2
	g.inStep([3]int64{0, behind, 0}, func(i int64) [3][]call {
		length, gpu := int64(10000), 8000+jitter(i, 3)
		if i == 150 {
			length = 40000
		}
		if i == 150-behind-2 {
			gpu = 38000
		}
		work := 6000 + jitter(i, 1)
		return [3][]call{
			{{cPhysics, work}, {cSync, length - work - 500}, {cAI, 500}},
			{{cDraw, 4000}, {cLock, length - 4000 - 600}, {cDraw, 600}},
			{{cDecode, gpu}, {0, 1000}},
		}
	})
	explained(t, "GPU", g, want{tMain, cSync, why.Waiting}, want{tDraw, cLock, why.Waiting}, want{tLoader, cDecode, why.Longer})
}

// When a GPU with a clock of its own was done is not known: it explains a wait of a kind that no other
// frame has as well.
func TestGPUExplainsANewKindOfWait(t *testing.T) {
	for name, aheadNs := range map[string]int64{"ahead": 977e9, "behind": -977e9, "none": 0} {
		g := newGame()
		g.s.Apply(model.TrackDef{ID: tLoader, Name: "GPU", Kind: model.TrackGPU, OwnClock: true})
		g.at[tMain], g.at[tDraw], g.at[tLoader] = 1000e9, 1000e9, 1000e9+aheadNs
		g.inStep([3]int64{}, func(i int64) [3][]call {
			work, gpu := 6000+jitter(i, 1), 5000+jitter(i, 3)
			main := []call{{cPhysics, work}, {0, 10000 - work}}
			if i == 150 {
				main = []call{{cPhysics, work}, {cLock, 40000 - work}}
			}
			if i == 149 {
				gpu = 38000
			}
			return [3][]call{main, {{cDraw, 5000}, {cSync, 5000}}, {{cDecode, gpu}, {0, 1000}}}
		})
		explained(t, name, g, want{tMain, cLock, why.Waiting}, want{tLoader, cDecode, why.Longer})
	}
}

// A thread that is called again and again, as long as a frame takes, did not end a wait in it: it idled
// when that ended, or goes on after it.
func TestWhoOnlyHasMoreTime(t *testing.T) {
	for name, c := range map[string]struct {
		wait  model.CollectorID
		idles int64 // at the end of the long frame
		after int64 // the wait, until that
	}{
		"idle before the end of a wait that is new": {cLock, 3000, 400},
		"goes on after a wait as ever":              {cSync, 0, 4500},
	} {
		g := newGame()
		g.inStep([3]int64{}, func(i int64) [3][]call {
			work, length, other, idle := 4000+jitter(i, 1), int64(9000), c.wait, int64(4000)
			if other == cLock {
				other = cAnim
			}
			main := []call{{cPhysics, work}, {other, 3500}, {cAI, 5500 - work}}
			if i == 150 {
				length, idle = 40000, c.idles
				main = []call{{cPhysics, 4000}, {c.wait, 36000 - c.after}, {cAI, c.after}}
			}
			var jobs []call
			for us := int64(0); us < length-idle; us += 1000 {
				jobs = append(jobs, call{cDecode, 1000})
			}
			return [3][]call{main, append(jobs, call{cSync, idle}), {{cAI, 1000}, {0, 8000}}}
		})
		explained(t, name, g, want{tMain, c.wait, why.Unknown})
	}
}

// Of a frame of which nothing was received that is said, not that no collector covers it.
func TestNothingReceived(t *testing.T) {
	for name, calls := range map[string][]call{"nothing": {{0, 30000}}, "a gap": {{cPhysics, 3000}, {0, 25000}, {cAI, 2000}}} {
		g := newGame()
		g.inStep([3]int64{}, func(i int64) [3][]call {
			main := []call{{cPhysics, 3000 + jitter(i, 1)}, {cAI, 2000 + jitter(i, 2)}}
			if i == 150 {
				main = calls
			}
			return [3][]call{main, {{cDraw, 5000}}, {{cDecode, 5000}}}
		})
		var a why.Answer
		why.NewEngine(g.s).Frame(tMain, 149, &a)
		check(t, name, a.Chain, []want{{tMain, 0, why.NotMeasured}})
		if len(a.Chain) > 0 {
			testkit.Equal(t, a.Chain[0].Nothing, name == "nothing", "%s: nothing was received", name)
		}
	}
}

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
	const says = "Wait:Mutex block inside GC (nothing recorded says why; is what it waits for, a thread or the GPU, not recorded?)."
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
		b.Self = append(b.Self, model.CollectorTime{Collector: c.c, Ns: end - b.End, Count: 1})
		b.End = end
	}
	end := b.End + us*1000
	b.Spans = append(b.Spans,
		model.Span{Begin: b.End, End: end + 1000, Path: model.PathID(in + 1)}, model.Span{Begin: b.End, End: end, Path: path, Lane: 1})
	b.Self = append(b.Self,
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
	ns := a.Chain[0].ExcessNs - a.ExcessNs()
	testkit.That(t, ns >= 2_000_000 && a.LessNs() == ns && ok && in.Collector == cSync,
		"%d less: %v, %v; %+v", a.LessNs(), in, ok, a)
	want := "The rest of the frame took "
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
	in, _ := a.LessIn()
	testkit.That(t, a.ExcessNs() < a.Chain[0].ExcessNs && a.LessNs() == 26_000_000-a.ExcessNs() && in.ExcessNs() < 0,
		"%d less, most of it %+v; %+v", a.LessNs(), in, a)
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
		groups := e.Groups(tMain, nil)
		testkit.That(t, len(groups) == 1 && groups[0].Collector == cAnim && len(groups[0].Hitches) == 10,
			"%d groups: %+v", len(groups), groups)
	}
}

const (
	cMutex, cDisk = 20, 21
	tAudio        = 3
)

// locked plays what threads did with two locks, at times in microseconds.
type lockedAt struct {
	track model.TrackID
	us    int64
	kind  model.LockKind
	lock  model.CollectorID
}

func locked(events ...lockedAt) *store.Session {
	s := newGame().s
	s.Apply(model.TrackDef{ID: tAudio, Name: "Audio"})
	s.Apply(model.CollectorDef{ID: cMutex, Name: "mutex"})
	s.Apply(model.CollectorDef{ID: cDisk, Name: "disk"})
	for _, track := range []model.TrackID{tMain, tDraw, tLoader, tAudio} {
		b := model.Batch{Track: track}
		for _, e := range events {
			if e.track == track {
				b.Locks = append(b.Locks, model.LockEvent{Time: e.us * 1000, Lock: e.lock, Kind: e.kind})
			}
		}
		if track == tLoader {
			b.Spans = []model.Span{{Begin: 100_000, End: 2_900_000, Path: cDecode + 1}}
		}
		s.Append(&b)
	}
	return s
}

// steps returns the kinds, threads and names of a chain.
func steps(chain []why.Step) (out [][3]int64) {
	for _, x := range chain {
		out = append(out, [3]int64{int64(x.Kind), int64(x.Track), int64(x.Collector)})
	}
	return out
}

// A wait for a lock is explained by who held it, what that did, and what it waited for itself.
func TestWhoHeldTheLock(t *testing.T) {
	const try, got, gave = model.LockTry, model.LockAcquired, model.LockReleased
	s := locked(
		lockedAt{tMain, 10, try, cMutex}, lockedAt{tMain, 11, got, cMutex}, lockedAt{tMain, 12, gave, cMutex}, // as ever
		lockedAt{tLoader, 100, try, cMutex}, lockedAt{tLoader, 101, got, cMutex}, lockedAt{tLoader, 3000, gave, cMutex},
		lockedAt{tMain, 1000, try, cMutex}, lockedAt{tMain, 3001, got, cMutex}, lockedAt{tMain, 3010, gave, cMutex},
		lockedAt{tMain, 20000, try, cMutex}, lockedAt{tMain, 21000, got, cMutex}, lockedAt{tMain, 21001, gave, cMutex},
	)
	e := why.NewEngine(s)
	waits := e.Waits(model.NoTrack, model.MinTime, model.MaxTime, 2)
	want := [][3]int64{
		{int64(why.StepWaited), tMain, cMutex}, {int64(why.StepHeld), tLoader, cMutex}, {int64(why.StepRan), tLoader, cDecode},
	}
	testkit.MustThat(t, len(waits) == 2 && waits[0].Ns() == 2_001_000 && waits[0].UnexplainedNs == 1000 &&
		waits[0].TypicalNs == 1000 && waits[0].Of == 4 && slices.Equal(steps(waits[0].Chain), want), "%+v", waits)
	testkit.That(t, waits[1].UnexplainedNs == 1_000_000 && len(waits[1].Chain) == 1, "nobody has it: %+v", waits[1])
	w := e.Waits(tMain, 0, 5_000_000, 9)
	testkit.That(t, len(w) == 2 && w[0].Ns() == 2_001_000, "of Main, to 5 ms: %+v", w)
}

// Two threads that wait for each other for ever are told, and no more than once.
func TestADeadlock(t *testing.T) {
	const try, got = model.LockTry, model.LockAcquired
	s := locked(
		lockedAt{tMain, 10, try, cMutex}, lockedAt{tMain, 11, got, cMutex}, lockedAt{tDraw, 10, try, cDisk}, lockedAt{tDraw, 11, got, cDisk},
		lockedAt{tMain, 100, try, cDisk}, lockedAt{tDraw, 100, try, cMutex}, lockedAt{tLoader, 9000, try, cMutex},
	)
	w := why.NewEngine(s).Waits(tMain, model.MinTime, model.MaxTime, 1)
	const waited, held = int64(why.StepWaited), int64(why.StepHeld)
	want := [][3]int64{{waited, tMain, cDisk}, {held, tDraw, cDisk}, {waited, tDraw, cMutex}, {held, tMain, cMutex}}
	testkit.That(t, len(w) == 1 && w[0].OpenEnd && slices.Equal(steps(w[0].Chain), want), "%+v", w)
}

// Who holds a lock and waits for a condition meanwhile waits for the one who signals it.
func TestAHolderThatWaitsForACondition(t *testing.T) {
	s := locked(
		lockedAt{tDraw, 10, model.LockTry, cMutex}, lockedAt{tDraw, 11, model.LockAcquired, cMutex},
		lockedAt{tDraw, 100, model.LockWait, cDisk}, lockedAt{tAudio, 5000, model.LockSignal, cDisk},
		lockedAt{tDraw, 5010, model.LockWoken, cDisk}, lockedAt{tDraw, 5020, model.LockReleased, cMutex},
		lockedAt{tMain, 50, model.LockTry, cMutex}, lockedAt{tMain, 5021, model.LockAcquired, cMutex},
		lockedAt{tMain, 5030, model.LockReleased, cMutex},
	)
	w := why.NewEngine(s).Waits(tMain, model.MinTime, model.MaxTime, 1)
	want := [][3]int64{
		{int64(why.StepWaited), tMain, cMutex}, {int64(why.StepHeld), tDraw, cMutex}, {int64(why.StepWaited), tDraw, cDisk},
		{int64(why.StepSignalled), tAudio, cDisk},
	}
	testkit.That(t, len(w) == 1 && slices.Equal(steps(w[0].Chain), want), "%+v", w)
}

// unnamed plays 300 frames in which Main works and then is in Decode, a name that says nothing, until Draw is done. In
// frame 150 Draw does something new.
func unnamed() *store.Session {
	g := newGame()
	for i := int64(1); i <= 300; i++ {
		unnamedFrame(g, i)
	}
	return g.s
}

func unnamedFrame(g *game, i int64) {
	drawn, us := []call{{cDraw, 9000 + jitter(i, 4)}}, int64(0)
	if i == 150 {
		us = 20_000
		drawn = append(drawn, call{cCompile, us})
	}
	worked := 3000 + 30*jitter(i, 1)
	g.frame(tMain, i, call{cPhysics, worked}, call{cDecode, drawn[0].us + us - worked})
	g.frame(tDraw, i, drawn...)
}

// chainOf returns the chain of frame 150 of Main.
func chainOf(t *testing.T, s *store.Session) []why.Link {
	t.Helper()
	var a why.Answer
	at, ok := s.Track(tMain).FrameByNumber(150)
	testkit.MustThat(t, ok && why.NewEngine(s).Frame(tMain, at, &a), "no frame 150")
	return a.Chain
}

// A call whose name says nothing, and that ends with another thread's work however late it begins, is a wait, unless
// the user says that it is work.
func TestLearnsWhatWaits(t *testing.T) {
	s := unnamed()
	chain := chainOf(t, s)
	testkit.MustThat(t, len(chain) == 2, "chain %+v", chain)
	wait, root := chain[0], chain[1]
	testkit.Equal(t, [...]any{wait.Collector, wait.How, root.Track, root.Collector, root.How},
		[...]any{model.CollectorID(cDecode), why.Waiting, model.TrackID(tDraw), model.CollectorID(cCompile), why.New}, "chain")
	k := wait.Taken
	testkit.That(t, k.Waits && k.Of >= 16 && 2*k.Seen > k.Of, "taken %+v", k)

	s.Treat(model.Treat{Work: []string{"dec*"}})
	chain = chainOf(t, s)
	testkit.That(t, len(chain) == 1 && chain[0].How == why.Longer && !chain[0].Taken.Waits, "treated as work: %+v", chain)

	s.Treat(model.Treat{Wait: []string{"Decode"}})
	chain = chainOf(t, s)
	testkit.That(t, len(chain) == 2 && !chain[0].Taken.Waits, "treated as a wait: %+v", chain)
}

// A call in a session in which no name says what waits, unusual in its frame, is followed to what it ended with: where
// the frames end, to a thread that rests from then on, and to a GPU with its own clock.
func TestFollowsWhatEndsTogether(t *testing.T) {
	for _, c := range []struct {
		name         string
		main, drawn  []call // of frame 150
		loads, draws int64  // from where in the frame a call of Loader is as long as it lasts; what GPU frames take there
		root         want
	}{
		{"new at the frame's end", []call{{cPhysics, 5000}, {cDecode, 30_000}}, []call{{cDraw, 4000}, {cCompile, 31_000}}, 0, 0,
			want{tDraw, cCompile, why.New}},
		{"work that else ends sooner", []call{{cPhysics, 5000}, {cDecode, 30_000}}, []call{{cDraw, 35_000}}, 0, 0,
			want{tDraw, cDraw, why.Longer}},
		{"then it rests", []call{{cPhysics, 5000}, {cDecode, 30_000}, {cAI, 4000}}, []call{{cDraw, 9000}, {cCompile, 26_000}}, 0, 0,
			want{tDraw, cCompile, why.New}},
		{"a thread at its own pace", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 4000, 0, want{tLoader, cSolve, why.New}},
		{"soon after the call", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 8000, 0, want{tLoader, cSolve, why.New}},
		{"later than the call", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 25_000, 0, want{tMain, cDecode, why.New}},
		{"a GPU", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 0, 33_000, want{tLoader, cDraw, why.Longer}},
		{"a GPU, not as long", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 0, 12_000, want{tMain, cDecode, why.New}},
	} {
		g := newGame()
		for _, named := range []model.CollectorID{cWait, cSync, cLock} {
			g.s.Apply(model.CollectorDef{ID: named, Name: "Stage"})
		}
		g.s.Apply(model.TrackDef{ID: tLoader, Name: "Other", OwnClock: c.draws > 0})
		for i := int64(1); i <= 300; i++ {
			main, drawn := []call{{cPhysics, 5000 + jitter(i, 1)}, {cAI, 4000 + jitter(i, 2)}}, []call{{cDraw, 4000 + jitter(i, 3)}}
			if i == 150 {
				main = c.main
				if c.drawn != nil {
					drawn = c.drawn
				}
			}
			begin := g.at[tMain]
			g.frame(tMain, i, main...)
			g.at[tDraw] = begin
			g.frame(tDraw, i, drawn...)
			g.other(i, begin, c.loads, c.draws)
		}
		chain := chainOf(t, g.s)
		testkit.MustThat(t, len(chain) > 0, "%s: no chain", c.name)
		root := chain[len(chain)-1]
		testkit.That(t, want{root.Track, root.Collector, root.How} == c.root, "%s: chain %+v", c.name, chain)
	}
}

// other adds what the third thread does in a frame: as a GPU, or as one that loads something in frame 150.
func (g *game) other(i, begin, loads, draws int64) {
	switch {
	case draws > 0 && i == 150:
		g.frame(tLoader, i, call{cDraw, draws})
	case draws > 0:
		g.frame(tLoader, i, call{cDraw, 3000 + jitter(i, 5)})
	case loads > 0 && i == 150:
		g.at[tLoader] = begin + loads*1000
		g.frame(tLoader, 7*i, call{cSolve, (g.at[tMain] - g.at[tLoader]) / 1000}, call{cIsland, 700})
	case loads > 0 && i%7 == 0:
		g.at[tLoader] = max(g.at[tLoader], begin)
		g.frame(tLoader, 7*i, call{cIsland, 6000 + 30*jitter(i, 5)})
	}
}

// Work is none, be its length that of the frame.
func TestLearnsNoWaitOfWork(t *testing.T) {
	g := newGame()
	for i := int64(1); i <= 300; i++ {
		decoded := 5000 + 20*jitter(i, 2)
		if i == 150 {
			decoded = 40_000
		}
		worked := 1000 + 20*jitter(i, 1)
		g.frame(tMain, i, call{cPhysics, worked}, call{cDecode, decoded})
		g.frame(tDraw, i, call{cDraw, 1000 + jitter(i, 3)}, call{cSync, worked + decoded - 1000 - jitter(i, 3)})
	}
	chain := chainOf(t, g.s)
	testkit.That(t, len(chain) == 1 && chain[0].Collector == cDecode && chain[0].How == why.Longer, "chain %+v", chain)
}

// What is learned for an answer takes so many looks at threads, be there a thousand of them that all end something
// all the time, and is right. Paced it takes few in a piece, and comes to the same.
func TestLearningIsBounded(t *testing.T) {
	const one = 1024 + 32*48*4
	const most = 64*one + 10_000
	for _, threads := range []int{3, 60, testkit.Rounds(300, 1000)} {
		g := newGame()
		for id := range model.TrackID(threads) {
			g.s.Apply(model.TrackDef{ID: tLoader + id, Name: "Job"})
		}
		for i := int64(1); i <= 300; i++ {
			unnamedFrame(g, i)
			for id := model.TrackID(tLoader); i > 100 && i < 200 && int(id) < tLoader+threads; id++ {
				for left := (g.at[tMain] - g.at[id]) / 1000; left > 100; left = (g.at[tMain] - g.at[id]) / 1000 {
					g.frame(id, g.at[id], call{cAI, min(100+50*jitter(i, int64(id)), left)}, call{0, 50})
				}
			}
		}
		e := why.NewEngine(g.s)
		var a, typical why.Answer
		at, _ := g.s.Track(tMain).FrameByNumber(150)
		ok := e.TypicalOver(nil, tMain, at, &typical)
		testkit.That(t, ok && e.Learned() == 0 && len(typical.Chain) == 0, "without causes: %d looks", e.Learned())
		e.Frame(tMain, at, &a)
		testkit.That(t, typical.Stands && typical.ExcessNs() == a.ExcessNs() && typical.HitchNs == a.HitchNs, "%+v", typical)
		root, _ := a.Root()
		testkit.That(t, root.Track == tDraw && root.Collector == cCompile, "%d threads: chain %+v", threads, a.Chain)
		testkit.That(t, e.Learned() > 0 && e.Learned() < most, "%d threads: %d looks", threads, e.Learned())
		paced, pieces, b := why.NewEngine(g.s), 0, why.Answer{Pending: true}
		for ; b.Pending; pieces++ {
			was := paced.Learned()
			paced.Pace(1)
			paced.Frame(tMain, at, &b)
			testkit.MustThat(t, paced.Learned()-was < 2*one && (!b.Pending || len(b.Chain) == 0 && b.Stands && pieces < most),
				"%d threads: %d looks in a piece, chain %+v", threads, paced.Learned()-was, b.Chain)
		}
		testkit.That(t, pieces > 2 && slices.Equal(b.Chain, a.Chain), "%d threads: after %d pieces %+v", threads, pieces, b.Chain)
		for paced = why.NewEngine(g.s); paced.Prepare(tMain, 1); {
			paced.Pace(1)
		}
		hitches := paced.Hitches(tMain)
		testkit.That(t, len(hitches) == 1 && hitches[0].Root == root, "%d threads: %+v", threads, hitches)
	}
}

// Where the data say that a thread was blocked, and who woke it, that is the chain; else what ended just then, unless it
// slept.
func TestStatesComeFirst(t *testing.T) {
	const tCPU = tLoader + 1
	for _, c := range []struct {
		state string
		woken bool
		links int
		how   why.How
		ran   [2]model.CollectorID
	}{
		{"waiting: sync", true, 2, why.Waiting, [2]model.CollectorID{}}, {"waiting: sleep", false, 1, why.Unknown, [2]model.CollectorID{}},
		{"waiting: network", false, 2, why.Waiting, [2]model.CollectorID{}},
		{"runnable", false, 1, why.Unknown, [2]model.CollectorID{cAI, cDecode}},
	} {
		g := newGame()
		g.s.Apply(model.TrackDef{ID: tCPU, Kind: model.TrackProcessor})
		g.s.Apply(model.FlowDef{Name: "wake-up"})
		g.s.Apply(model.SeriesDef{
			ID: 0, Group: "goroutine state", Track: tMain, Object: model.NoObject, Peer: model.NoObject, Kind: model.SeriesState,
			States: []string{"running", c.state},
		})
		for i := int64(1); i <= 300; i++ {
			us, load := int64(3000), []call{{cSolve, 0}}
			if i == 150 {
				if us = 40_000; !c.woken {
					load = []call{{cAI, 2000}, {cGC, 34_900}, {cSolve, 0}}
				}
				at := g.at[tMain] + 2e6
				g.at[tCPU] = at
				g.frame(tCPU, i, call{cDecode, 12_000}, call{cAI, 20_000}, call{cAnim, 1000}, call{cDecode, 50_000})
				b := model.Batch{Track: tMain, Samples: []model.Sample{{Time: 0}, {Time: at, Value: 1}, {Time: at + 35e6}}}
				if c.woken {
					b.Flows = []model.Flow{{
						From: at + 35e6, To: at + 35e6, FromTrack: tLoader, FromLane: model.NoLane, ToLane: model.NoLane,
					}}
				}
				g.s.Append(&b)
			}
			g.frame(tMain, i, call{cPhysics, us + jitter(i, 1)})
			load[len(load)-1].us = (g.at[tMain]-g.at[tLoader])/1000 - 36_900*int64(len(load)/2)
			g.frame(tLoader, i, load...)
		}
		chain := chainOf(t, g.s)
		testkit.MustThat(t, len(chain) == c.links, "%s: chain %+v", c.state, chain)
		testkit.Equal(t, [...]any{chain[0].How, chain[0].State, chain[0].Ran}, [...]any{c.how, c.state, c.ran}, "%s", c.state)
		if c.links == 2 {
			root, by := chain[1], map[bool]model.CollectorID{true: cSolve, false: cGC}[c.woken]
			testkit.That(t, root.Track == tLoader && root.Collector == by, "%s: ended by %+v", c.state, root)
		}
	}
}

// A call of another program that fills a wait explains it, unless the programs' clocks are not known well enough, or
// it only runs at the same time.
func TestAnswersOfAnotherProgram(t *testing.T) {
	for _, c := range []struct {
		name   string
		spread int64 // ns
		before int64 // by how much the call of the other begins before the wait, us
		links  int
	}{
		{"inside", 1e6, -100, 2}, {"clocks apart", 20e6, -100, 1}, {"only at the same time", 1e6, 5000, 1},
	} {
		g := newGame()
		g.s.Apply(model.TrackDef{ID: tMain, Name: "Main", Program: "client"})
		g.s.Apply(model.TrackDef{ID: tLoader, Name: "Serve", Program: "server", ProgramSpreadNs: c.spread})
		for i := int64(1); i <= 300; i++ {
			asked := 1200 + jitter(i, 2)
			if i == 150 {
				asked = 31_000
			}
			begun := g.at[tMain]/1000 + 8000
			g.frame(tMain, i, call{cPhysics, 8000}, call{cDecode, asked}, call{cAI, 2000})
			serve := begun - c.before
			g.frame(tLoader, i, call{0, serve - g.at[tLoader]/1000}, call{cSolve, begun + asked - 50 - serve})
		}
		chain := chainOf(t, g.s)
		testkit.MustThat(t, len(chain) == c.links, "%s: chain %+v", c.name, chain)
		if root := chain[len(chain)-1]; c.links == 2 {
			testkit.That(t, root.Track == tLoader && root.Collector == cSolve, "%s: root %+v", c.name, root)
		}
	}
}

// A call is longer because the program stood still, if nothing went on meanwhile but unusual work on one thread.
func TestStoodStill(t *testing.T) {
	for name, c := range map[string]struct {
		loads, rests int64 // how long the other threads' calls of frame 150 are
		root         want
	}{
		"all stood":   {33_000, 33_000, want{tLoader + 1, cGC, why.New}},
		"one went on": {33_000, 8000, want{tMain, cAI, why.Longer}},
	} {
		g := newGame()
		g.s.Apply(model.TrackDef{ID: tLoader + 1, Name: "Collector"})
		for i := int64(1); i <= 300; i++ {
			ai, draw, loads, collects := 4000+jitter(i, 1), 7000+jitter(i, 2), 6000+jitter(i, 3), int64(0)
			if i == 150 {
				ai, draw, loads, collects = 29_000, c.loads, c.rests, 25_000
			}
			g.frame(tMain, i, call{cPhysics, 5000 + jitter(i, 4)}, call{cAI, ai}, call{cAnim, 3000})
			for id, calls := range [][]call{tDraw: {{cDraw, draw}, {cCompile, 900}}, tLoader: {{cDecode, loads}, {cSolve, 900}}} {
				if id > 0 {
					left := (g.at[tMain]-g.at[model.TrackID(id)])/1000 - calls[0].us - 900
					g.frame(model.TrackID(id), i, append(calls, call{cLock, max(left, 0)})...)
				}
			}
			if collects > 0 {
				g.at[tLoader+1] = g.at[tMain] - (3000+ai-2000)*1000
				g.frame(tLoader+1, i, call{cGC, collects})
			}
		}
		chain := chainOf(t, g.s)
		root := chain[len(chain)-1]
		testkit.That(t, want{root.Track, root.Collector, root.How} == c.root, "%s: %+v", name, chain)
	}
}
