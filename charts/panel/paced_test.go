package panel

import (
	"testing"

	"framescope/charts/view"
)

// Numbers that change with every tick are shown four times a second while live, else at once.
func TestPaced(t *testing.T) {
	env := &Env{View: view.New(nil), Paced: true}
	var p Paced[int]
	changes := func(live bool) (n int) {
		env.View.Follow(live)
		last := p.Of(env, -1)
		for tick := range 60 {
			env.NowNs += 16_666_667
			if v := p.Of(env, tick); v != last {
				last, n = v, n+1
			}
		}
		return n
	}
	if n := changes(true); n < 3 || n > 5 {
		t.Errorf("%d numbers in a second", n)
	}
	if n := changes(false); n != 60 {
		t.Errorf("%d of 60 numbers while nothing is followed", n)
	}
	env.Paced = false
	if n := changes(true); n != 60 {
		t.Errorf("%d of 60 numbers in pictures", n)
	}
}

// What is paced in several places of the window is of the same moment in all of them, whenever each
// began and whatever it showed when nothing was followed.
func TestPacedTogether(t *testing.T) {
	env := &Env{View: view.New(nil), Paced: true, NowNs: 1e9}
	var list [5]Paced[int]
	for tick := range 200 {
		env.NowNs += 16_666_667
		env.View.Follow(tick%70 > 10)
		began := tick / 7
		for i := range list[:min(began, len(list))] {
			list[i].Of(env, tick)
		}
		if !env.View.Live() || tick < 70 || tick%70 < 30 {
			continue
		}
		for i := range list {
			if got, want := list[i].Of(env, tick), list[0].Of(env, tick); got != want {
				t.Fatalf("tick %d: place %d shows what was in tick %d, another what was in %d", tick, i, got, want)
			}
		}
	}
}

// Figures of live data are made anew in the same ticks in all tables, whenever each was opened.
func TestRefreshersTogether(t *testing.T) {
	env := &Env{View: view.New(nil), Paced: true, NowNs: 1e9}
	var tables [5]Refresher
	refreshed := 0
	for tick := range 200 {
		env.NowNs += 16_666_667
		key := RangeKey{Revision: uint64(tick), Live: true}
		due := 0
		for i := range tables[:min(tick/7, len(tables))] {
			opened := !tables[i].Done
			if tables[i].Due(env, key) && !opened {
				due++
			}
		}
		if due > 0 {
			refreshed++
		}
		if due > 0 && tick > 60 && due < len(tables) {
			t.Errorf("tick %d: %d of %d tables show new figures", tick, due, len(tables))
		}
	}
	if refreshed < 12 || refreshed > 14 {
		t.Errorf("figures changed in %d ticks of 3.3 s, want four a second", refreshed)
	}
}
