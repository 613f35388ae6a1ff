package why_test

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

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
		{"work as ever at its end", []call{{cPhysics, 5000}, {cDecode, 30_000}}, []call{{cDraw, 35_000}}, 0, 0,
			want{tMain, cDecode, why.New}},
		{"then it rests", []call{{cPhysics, 5000}, {cDecode, 30_000}, {cAI, 4000}}, []call{{cDraw, 9000}, {cCompile, 26_000}}, 0, 0,
			want{tDraw, cCompile, why.New}},
		{"a thread at its own pace", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 4000, 0, want{tLoader, cSolve, why.New}},
		{"soon after the call", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 8000, 0, want{tLoader, cSolve, why.New}},
		{"later than the call", []call{{cPhysics, 5000}, {cDecode, 30_000}}, nil, 12_000, 0, want{tMain, cDecode, why.New}},
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
// all the time, and is right.
func TestLearningIsBounded(t *testing.T) {
	const most = 64*(1024+32*48*4) + 10_000
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
		var a why.Answer
		at, _ := g.s.Track(tMain).FrameByNumber(150)
		e.Frame(tMain, at, &a)
		root, _ := a.Root()
		testkit.That(t, root.Track == tDraw && root.Collector == cCompile, "%d threads: chain %+v", threads, a.Chain)
		testkit.That(t, e.Learned() > 0 && e.Learned() < most, "%d threads: %d looks", threads, e.Learned())
	}
}

// Where the data say that a thread was blocked, and who woke it, that is the chain.
func TestStatesComeFirst(t *testing.T) {
	for _, c := range []struct {
		state string
		woken bool
		links int
		how   why.How
	}{{"waiting: sync", true, 2, why.Waiting}, {"waiting: sleep", false, 1, why.Unknown}, {"runnable", false, 1, why.Unknown}} {
		g := newGame()
		g.s.Apply(model.FlowDef{Name: "wake-up"})
		g.s.Apply(model.SeriesDef{
			ID: 0, Group: "goroutine state", Track: tMain, Object: model.NoObject, Peer: model.NoObject, Kind: model.SeriesState,
			States: []string{"running", c.state},
		})
		for i := int64(1); i <= 300; i++ {
			us := int64(3000)
			if i == 150 {
				us = 40_000
				at := g.at[tMain] + 2e6
				b := model.Batch{Track: tMain, Samples: []model.Sample{{Time: 0}, {Time: at, Value: 1}, {Time: at + 35e6}}}
				if c.woken {
					b.Flows = []model.Flow{{
						From: at + 35e6, To: at + 35e6, FromTrack: tLoader, FromLane: model.NoLane, ToLane: model.NoLane,
					}}
				}
				g.s.Append(&b)
			}
			g.frame(tMain, i, call{cPhysics, us + jitter(i, 1)})
			g.frame(tLoader, i, call{cSolve, (g.at[tMain] - g.at[tLoader]) / 1000})
		}
		chain := chainOf(t, g.s)
		testkit.MustThat(t, len(chain) == c.links, "%s: chain %+v", c.state, chain)
		testkit.Equal(t, [...]any{chain[0].How, chain[0].State}, [...]any{c.how, c.state}, "%s", c.state)
		if c.woken {
			root := chain[1]
			testkit.That(t, root.Track == tLoader && root.Collector == cSolve, "woken by %+v", root)
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
		{"inside", 1e6, -100, 2},
		{"clocks apart", 20e6, -100, 1},
		{"only at the same time", 1e6, 5000, 1},
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
