package flare

import (
	"testing"

	"framescope/model"
)

// A live sample whose time is damaged is left out, and told, wherever it comes; a program that stood
// still, or whose clock was set, goes on.
func TestLiveSamplesThatLeap(t *testing.T) {
	const day = 86_400_000
	for name, x := range map[string]struct {
		times []int64
		ms    int64 // length of the session
		left  int64
	}{
		"none":                {[]int64{1000, 1020, 1040}, 40, 0},
		"one sample":          {[]int64{1000}, 0, 0},
		"ahead":               {[]int64{1000, 1020, 300 * day, 1040}, 40, 1},
		"ahead, at the end":   {[]int64{1000, 1020, 300 * day}, 20, 1},
		"back":                {[]int64{50 * day, 50*day + 20, 1000, 50*day + 40}, 40, 1},
		"the first, back":     {[]int64{1000, 50 * day, 50*day + 20}, 20, 1},
		"the first, ahead":    {[]int64{50 * day, 1000, 1020}, 20, 1},
		"two":                 {[]int64{1000, 1020, 300 * day, 7 * day, 1040}, 40, 2},
		"two apart":           {[]int64{1000, 1020, 300 * day, 1040, 7 * day, 1060}, 60, 2},
		"stood still":         {[]int64{1000, 1020, day, day + 20}, day - 980, 0},
		"stood, then damaged": {[]int64{1000, 1020, 300 * day, day, day + 20}, day - 980, 1},
	} {
		var events []Event
		for i, ms := range x.times {
			events = append(events, sampleAt(ms, int64(i), 1))
		}
		s := taken(t, events...)
		begin, end, _ := s.Bounds()
		if n := lost(s, model.LossMalformed); end-begin != x.ms*1e6 || n != x.left {
			t.Errorf("%s: %d ms, want %d; %d left out, want %d", name, (end-begin)/1e6, x.ms, n, x.left)
		}
	}
	// What the agent says of itself tells at once which the first one is.
	s := taken(t, Event{Info: &InfoEvent{StartMs: 40 * day, IntervalMs: 20}}, sampleAt(300*day, 1, 1), sampleAt(40*day, 2, 1))
	if begin, end, _ := s.Bounds(); begin != end || lost(s, model.LossMalformed) != 1 {
		t.Errorf("from %d to %d, %d left out", begin, end, lost(s, model.LossMalformed))
	}
}
