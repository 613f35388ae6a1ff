package view

import (
	"testing"

	"framescope/model"
	"framescope/model/budget"
	"framescope/model/store"
)

func session(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	add(s, 0, n)
	return s
}

func add(s *store.Session, from, n int) {
	for i := from; i < from+n; i++ {
		begin := int64(i) * 10e6
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: int64(i), Begin: begin, End: begin + 10e6,
			Alone: []model.CollectorTime{{Collector: 1, Ns: int64(i+1) * 1e4, Count: 1}}})
	}
}

// A tick does no more than was asked for, however long the session is, and what it comes to in the end is
// what check says; a session that grows is gone over anew at a readable pace.
func TestFollow(t *testing.T) {
	s := session(2000)
	var x State
	x.Set("b.toml", []budget.Budget{
		{Measure: budget.Duration, At: budget.Max, Limit: 9e6}, {Collector: "Draw", Measure: budget.Net, At: budget.Max, Limit: 21e6},
	})
	ticks, now := 0, int64(0)
	for !x.Follow(s, now, 300) {
		if x.Ready() {
			t.Fatal("ready before it is")
		}
		if ticks++; ticks > 1000 {
			t.Fatal("it does not end")
		}
		now += 16e6
	}
	if ticks < 10 {
		t.Errorf("all in %d ticks", ticks)
	}
	want, err := budget.Check(s, x.Budgets(), budget.All(s))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range x.All() {
		if r.Value != want[i].Value || r.Verdict != want[i].Verdict || r.Worst != want[i].Worst {
			t.Errorf("%+v, want %+v", r.Result, want[i])
		}
	}
	if f := x.Frames(0); len(f) != 1 || !Broken(f) || len(f[0].OverAt) != 2000 || Broken(x.Of(0, 1)) || len(x.Of(0, 0)) != 1 {
		t.Errorf("%+v", f)
	}
	rev := x.Revision()
	for range 100 {
		now += 16e6
		if x.Follow(s, now, 300) {
			t.Error("gone over again, though nothing came")
		}
	}
	add(s, 2000, 200)
	again := 0
	for range 400 {
		now += 16e6
		if x.Follow(s, now, 300) {
			again++
		}
	}
	if again != 1 || x.Revision() == rev || !Broken(x.Of(0, 1)) {
		t.Errorf("%d times, %+v", again, x.All()[1].Result)
	}
}

// Another session and another file begin anew; what is wrong with a file leaves what it said.
func TestOthers(t *testing.T) {
	var x State
	var none *State
	if none.Revision() != 0 || none.Frames(0) != nil || none.Trouble() != "" || none.Ready() {
		t.Error("nil has something")
	}
	a, b := session(10), session(20)
	x.Set("b.toml", []budget.Budget{{Measure: budget.Duration, At: budget.Max, Limit: 9e6}})
	x.Follow(a, 0, 1<<40)
	if x.All()[0].Frames != 10 {
		t.Error(x.All()[0])
	}
	x.Follow(b, 0, 1)
	if len(x.All()) != 0 {
		t.Error("verdicts of another session")
	}
	x.Follow(b, 0, 1<<40)
	x.Fail("b.toml: line 3: no")
	if x.Trouble() == "" || x.All()[0].Frames != 20 {
		t.Error(x.Trouble())
	}
	if x.Set("b.toml", nil); x.Trouble() != "" || len(x.All()) != 0 {
		t.Error("after it was right again")
	}
}
