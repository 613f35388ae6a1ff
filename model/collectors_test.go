package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model/columns"
)

func newKeeper() *CollectorKeeper {
	acc := new(columns.Account)
	acc.Init(columns.Heap(), new(columns.Sum))
	k := new(CollectorKeeper)
	k.Init(acc)
	return k
}

// Whatever parents are defined, each collector is below the root on one way, and the order agrees
// with it.
func TestHierarchyOfAnyParents(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for round := range 200 {
		k := newKeeper()
		n := 1 + rng.IntN(60)
		parents := map[CollectorID]CollectorID{}
		for range n {
			id, parent := CollectorID(rng.IntN(80)), CollectorID(rng.IntN(90)-1)
			parents[id] = parent
			k.Define(CollectorDef{ID: id, Name: "c", Parent: parent, Sort: rng.IntN(3)})
		}
		h := k.Tree()
		seen := map[CollectorID]bool{}
		for at, slot := range h.Order {
			c := h.All[slot].ID
			testkit.MustThat(t, h.Slot(c) == slot && !seen[c], "round %d: collector %d stands in slot %d", round, c, slot)
			seen[c] = true
			testkit.MustThat(t, int(h.Pre[slot]) == at,
				"round %d: collector %d is number %d, not %d", round, c, at, h.Pre[slot])
			for _, below := range h.Order[at:h.Post[slot]] {
				testkit.MustThat(t, k.IsDescendant(h.All[below].ID, c),
					"round %d: %d is not below %d", round, h.All[below].ID, c)
			}
			up := h.Parents[slot]
			testkit.MustThat(t, c == 0 || slices.Contains(h.Children[up], c),
				"round %d: %d is no child of slot %d", round, c, up)
			testkit.MustThat(t, slices.IsSortedFunc(h.Children[slot], h.CompareRank),
				"round %d: children of %d: %v", round, c, h.Children[slot])
		}
		for id, parent := range parents {
			testkit.MustThat(t, seen[id], "round %d: %d is not in the order", round, id)
			cycle := false // a way up that comes back is cut somewhere
			for up, steps := parent, 0; up > 0 && !cycle; steps++ {
				next, known := parents[up]
				if !known {
					break
				}
				up, cycle = next, up == id || steps > 100
			}
			if _, known := parents[parent]; known && id != 0 && !cycle && k.ByID(id).Parent != parent {
				t.Fatalf("round %d: %d lies in %d, want %d", round, id, k.ByID(id).Parent, parent)
			}
		}
	}
}

func TestNames(t *testing.T) {
	k := newKeeper()
	k.Define(CollectorDef{ID: 0, Name: "Frame", Parent: -1})
	k.Define(CollectorDef{ID: 2, Name: "Collide", Parent: 1})
	testkit.Equal(t, k.ByID(2).FullName, "#1:Collide", "below an undefined collector")
	before := k.ByID(2)
	k.Define(CollectorDef{ID: 1, Name: "App", Parent: 0})
	name := k.ByID(2).FullName
	testkit.That(t, name == "App:Collide" && before.FullName == "#1:Collide",
		"%q, and what was asked before %q", name, before.FullName)
	c := k.ByID(7)
	testkit.That(t, c.Name == "#7" && !c.Defined, "a collector that never was: %+v", c)
	testkit.That(t, !k.Ensure(-1) && !k.Ensure(maxCollectors) && !k.Define(CollectorDef{ID: maxCollectors}),
		"ids out of bounds")
	rev := k.Revision()
	k.EnsureTimed(2)
	testkit.That(t, k.ByID(2).HasTime && k.ByID(1).HasTime && !k.ByID(2).HasLevel && k.Revision() != rev,
		"time below it")
}

// TestTreeOfMany: the tree of a source that goes on defining is built anew seldom, and holds all
// once the source has ended.
func TestTreeOfMany(t *testing.T) {
	k := newKeeper()
	for id := range CollectorID(largeTree + 1) {
		k.Define(CollectorDef{ID: id, Name: "c", Parent: 0})
	}
	k.Tree()
	k.next = time.Now().Add(time.Hour) // as if building had taken minutes
	k.EnsureTimed(5)
	testkit.That(t, !k.ByID(5).HasTime, "built anew at once")
	k.Settle()
	testkit.That(t, k.ByID(5).HasTime, "the source has ended, and what it said last is not known")
}

// The root has no full name, and is called by its own.
func TestTitle(t *testing.T) {
	k := newKeeper()
	k.Define(CollectorDef{ID: 0, Name: "Frame"})
	k.Define(CollectorDef{ID: 1, Name: "App", Parent: 0})
	k.Define(CollectorDef{ID: 2, Name: "AI", Parent: 1})
	for id, want := range []string{"Frame", "App", "App:AI"} {
		testkit.Equal(t, k.ByID(CollectorID(id)).Title(), want, "collector %d is called", id)
	}
}

// TestWords: what waits is told by its name.
func TestWords(t *testing.T) {
	says := map[Voice]string{SaysNothing: "nothing", SaysWait: "waits", SaysWork: "works", MayWait: "may wait"}
	testkit.Lines(t, "testdata/words.txt", func(text string) string {
		group, name, _ := strings.Cut(text, " | ")
		return fmt.Sprintf("%s; %v; %v", says[voiceOf("", name)], voiceOf(group, name) == SaysWait, ofRuntime(group))
	})
}

// What a user says of collectors by their full names holds for these alone, and the last word counts.
func TestTreatByFullName(t *testing.T) {
	a, b := &Collector{Name: "Do*", FullName: `App:Do*[1]\x`}, &Collector{Name: "Done", FullName: `App:Done1\x`}
	as := Treat{Work: []string{"App:D*"}}.With(a.FullName, SaysWork).With(a.FullName, SaysWait)
	as.Work = nil
	testkit.That(t, as.Check() == nil && as.Voice(a) == SaysWait && as.Voice(b) == SaysNothing, "%+v", as)
	as = as.With(a.FullName, SaysNothing)
	testkit.That(t, as.None() && as.Voice(a) == SaysNothing, "%+v", as)
}
