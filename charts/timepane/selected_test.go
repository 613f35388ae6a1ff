package timepane

import (
	"testing"

	"framescope/charts/chartstest"
)

// TestSelectedTime checks what steps back: all that is not in the selected time, but nothing where
// hardly any of that time is in view, and nothing while live data move on.
func TestSelectedTime(t *testing.T) {
	env := chartstest.NewEnv(chartstest.NewSession(t), 1)
	v := env.View
	v.Follow(false)
	begin, _, _ := v.Session().Bounds()
	a, b := begin+100_000_000, begin+200_000_000
	v.SelectRange(a, b)
	for _, c := range []struct {
		what     string
		from, to int64
		want     bool
	}{
		{"all of it in view", a - 50_000_000, b + 50_000_000, true},
		{"its begin in view", a - 50_000_000, a + 50_000_000, true},
		{"a part of it in view", a + 10_000_000, a + 20_000_000, true},
		{"a sliver in view", a - 50_000_000, a + 1_000_000, false},
		{"a sliver of what is shown", a - 3_000_000_000, b + 3_000_000_000, false},
		{"none of it in view", b + 10_000_000, b + 90_000_000, false},
	} {
		v.Steer().PlaceTime(c.from, c.to)
		s := SelectedTime(env)
		if s.Leaves(b, b+10) != c.want || s.Leaves(a-10, a) != c.want {
			t.Errorf("%s: what is outside steps back: %v", c.what, s.Leaves(b, b+10))
		}
		if s.Leaves(a-10, a+1) || s.Leaves(b-1, b+10) || s.Leaves(a-10, b+10) {
			t.Errorf("%s: what reaches into it steps back", c.what)
		}
	}
	v.Steer().PlaceTime(a-50_000_000, b+50_000_000)
	v.Follow(true)
	if s := SelectedTime(env); s.Leaves(b, b+10) {
		t.Error("something steps back while the view follows live data")
	}
}
