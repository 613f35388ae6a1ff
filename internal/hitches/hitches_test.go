package main

import (
	"io"
	"testing"

	"framescope/internal/planted"
	"framescope/internal/testkit"
)

// The command explains what is planted; more seeds: go run ./internal/hitches.
func TestHitchesAreExplainedRightly(t *testing.T) {
	var out io.Writer = t.Output()
	seeds := testkit.Rounds(1, 3)
	formats := []planted.Format{planted.PStats, planted.Puffin}
	total, err := run(out, options{seeds: seeds, first: 4, verbose: true, styles: planted.Styles[:1], formats: formats})
	testkit.NoErr(t, err)
	if !total.good() || total.all.planted < 20*seeds || total.frames < 333*seeds {
		t.Errorf("%d of %d explained rightly, %d false ones in %d frames", total.all.right, total.all.planted, total.wrongly, total.frames)
	}
}

// The judge counts what is right, and nothing else.
func TestJudge(t *testing.T) {
	wait := planted.Link{Thread: "Main", Collector: "Wait", How: "waiting"}
	truth := &planted.Truth{Received: 500, Also: []int64{14}, Frames: []planted.Frame{
		{Frame: 10, Chain: []planted.Link{wait, {Thread: "Draw", Collector: "Draw:Sort", How: "new", Or: []string{"more_calls"}}}},
		{Frame: 13, Chain: []planted.Link{{Thread: "Main", How: "not_measured"}},
			Others: []planted.Link{{Thread: "Main", Collector: "App", How: "longer"}}},
	}}
	chain := func(l ...link) []link { return l }
	root := link{"Draw", "Draw:Sort", "new"}
	gap, app := link{"Main", "Frame", "not_measured"}, link{"Main", "App", "longer"}
	for _, c := range []struct {
		name    string
		answers []answer
		want    tally
		beside  int
	}{
		{"nothing said", nil, tally{2, 0, 0, 2}, 0},
		{"all", []answer{{Frame: 10, Hitch: true, Chain: chain(root)}, {Frame: 13, Hitch: true, Chain: chain(gap), Others: chain(app)}},
			tally{2, 2, 2, 0}, 0},
		{"in other words", []answer{{Frame: 10, Hitch: true, Chain: chain(link{"Draw", "Draw:Sort", "more_calls"})}}, tally{2, 1, 1, 1}, 0},
		{"no hitch", []answer{{Frame: 10, Chain: chain(root)}}, tally{2, 0, 0, 2}, 0},
		{"another end", []answer{{Frame: 10, Hitch: true, Chain: chain(root, app)}}, tally{2, 1, 0, 1}, 0},
		{"another thread", []answer{{Frame: 10, Hitch: true, Chain: chain(link{"Cull", "Draw:Sort", "new"})}}, tally{2, 1, 0, 1}, 0},
		{"another way", []answer{{Frame: 10, Hitch: true, Chain: chain(link{"Draw", "Draw:Sort", "longer"})}}, tally{2, 1, 0, 1}, 0},
		{"no chain", []answer{{Frame: 10, Hitch: true}}, tally{2, 1, 0, 2}, 0},
		{"one of two causes", []answer{{Frame: 13, Hitch: true, Chain: chain(gap)}}, tally{2, 1, 0, 1}, 0},
		{"false ones", []answer{{Frame: 14, Hitch: true}, {Frame: 15, Hitch: true}, {Frame: 16}}, tally{2, 0, 0, 2}, 1},
	} {
		got := judge(truth, c.answers)
		testkit.That(t, got.all == c.want && got.beside == c.beside,
			"%s: %+v, %d false ones, want %+v, %d", c.name, got.all, got.beside, c.want, c.beside)
	}
	got := judge(&planted.Truth{None: true, Received: 100}, []answer{{Frame: 3, Hitch: true}, {Frame: 4, Hitch: true}})
	testkit.That(t, !got.good(), "two false ones in 100 frames are good")
}
