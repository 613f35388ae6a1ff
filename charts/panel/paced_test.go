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
