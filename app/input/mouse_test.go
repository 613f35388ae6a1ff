package input

import (
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// Whatever a tick tells, every press that it tells of is given to somebody, each in a tick of its own
// and followed by its release.
func TestPressesAreCounted(t *testing.T) {
	type tick struct{ down, pressed, released bool }
	var (
		none  = tick{}
		held  = tick{down: true}
		press = tick{true, true, false}
		let   = tick{false, false, true}
		both  = tick{true, true, true}
	)
	for what, c := range map[string]struct {
		ticks []tick
		want  string // P a press, R a release
	}{
		"a click":                             {[]tick{press, held, let, none}, "PR"},
		"a click within a tick":               {[]tick{both, none, none}, "PR"},
		"two presses within a tick":           {[]tick{both, held, let, none, none}, "PRPR"},
		"two presses, the second let go":      {[]tick{both, let, none, none, none}, "PRPR"},
		"let go and pressed within a tick":    {[]tick{press, both, held, let, none}, "PRPR"},
		"let go and clicked within a tick":    {[]tick{press, both, none, none, none}, "PRPR"},
		"a click within a tick after another": {[]tick{press, let, both, none, none}, "PRPR"},
		"clicks in each of three ticks":       {[]tick{both, both, both, none, none, none}, "PRPRPR"},
	} {
		var e edges
		var got strings.Builder
		was := false
		for _, k := range c.ticks {
			e.take(k.down, k.pressed, k.released)
			down, pressed, released := e.next()
			if pressed && (released || !down || was) || released && (down || !was) || !pressed && !released && down != was {
				t.Errorf("%s: down %v, pressed %v, released %v after %v", what, down, pressed, released, was)
			}
			if was = down; pressed {
				got.WriteByte('P')
			} else if released {
				got.WriteByte('R')
			}
		}
		testkit.Equal(t, got.String(), c.want, "%s", what)
	}
}

// A key that is held repeats after a while. Where the machine does not keep up, so that many ticks see
// one state, a key that was struck once is struck once.
func TestHeldKeysRepeat(t *testing.T) {
	count := func(times ...int64) (n int) {
		var h held
		var c seenClock
		for i, now := range times {
			c.tick(now)
			if h.strikes(i == 0, false, c.stepNs) {
				n++
			}
		}
		return n
	}
	const ms = 1_000_000
	var smooth []int64
	for i := range int64(61) {
		smooth = append(smooth, 1e9+i*1000*ms/60)
	}
	testkit.Equal(t, count(smooth...), 1+13, "a key that is held for a second is struck … times")
	stalled := slices.Repeat([]int64{2e9}, 40) // all of one look, after a second without one
	stalled[0] = 1e9
	testkit.Equal(t, count(stalled...), 1, "a key that was held over one look is struck … times")
}
