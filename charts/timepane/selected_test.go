package timepane

import (
	"testing"

	"framescope/charts/chartstest"
)

// TestSelectedTime checks what steps back: all that is not in the selected time, wherever one looks,
// but nothing where that time is hardly wide enough to be seen, and nothing while live data move on.
// One frame is where one is: what is far from it does not step back.
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
		{"a sliver of it in view", a - 50_000_000, a + 1_000_000, true},
		{"a sliver of what is shown", a - 3_000_000_000, b + 3_000_000_000, false},
		{"none of it in view", b + 10_000_000, b + 90_000_000, true},
		{"far from it", b + 1_000_000_000, b + 2_000_000_000, true},
		{"far from what would be a sliver", b + 1_000_000_000, b + 4_000_000_000, false},
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
	for last := 10; last <= 11; last++ { // one frame, then two
		v.SelectFrames(10, last)
		a, b := v.RangeA(), v.RangeB()
		for _, away := range []int64{0, 100_000_000} {
			v.Steer().PlaceTime(a-10_000_000+away, b+10_000_000+away)
			if s := SelectedTime(env); s.Leaves(b+away, b+away+10) != (last > 10 || away == 0) {
				t.Errorf("frames 10 to %d, %d ns from them: what is outside steps back: %v", last, away, s.on)
			}
		}
	}
	v.SelectRange(a, b)
	v.Steer().PlaceTime(a-50_000_000, b+50_000_000)
	v.Follow(true)
	if s := SelectedTime(env); s.Leaves(b, b+10) {
		t.Error("something steps back while the view follows live data")
	}
}
