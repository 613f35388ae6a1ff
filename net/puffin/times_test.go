package puffin

import (
	"math"
	"strings"
	"testing"
	"time"

	"framescope/model"
	"framescope/net/feed/feedtest"
)

// framesAt returns frames of a scope of 5 ms each, which begin at times.
func framesAt(times []int64) (out [][]byte) {
	for i, at := range times {
		f := madeFrame{number: uint64(i), threads: []madeThread{{start: -1, name: "main", scopes: []made{one(1, at, at+5e6)}}}}
		out = append(out, f.record('4', packedNot))
	}
	return out
}

// One time that is garbage, wherever it stands, costs its own frame alone.
func TestGarbageTimes(t *testing.T) {
	const n, epoch, ms = 20, int64(1_790_000_000e9), int64(1e6)
	for _, base := range []int64{0, epoch} {
		for _, garbage := range []int64{math.MinInt64 + 10, math.MaxInt64 - 10*ms, base + 1<<62, base - 1<<62} {
			for _, at := range []int{0, 1, 10, n - 1} {
				times := make([]int64, n)
				for i := range times {
					times[i] = base + int64(i)*10*ms
				}
				times[at] = garbage
				s := feedtest.Made(t, Source{}, "made.puffin", file(framesAt(times)...))
				main := s.Track(s.MainTrack())
				lost, lines := s.Losses()
				begin, end, _ := main.FrameTimes(0, main.NumFrames()-1)
				if main.NumSpans() != n-1 || lost[model.LossMalformed] != 1 || lost[model.LossLate] != 0 {
					t.Errorf("%d at %d: %d scopes, %q", garbage, at, main.NumSpans(), lines)
				}
				if begin < 0 || end > n*10*ms {
					t.Errorf("%d at %d: the frames are from %d to %d", garbage, at, begin, end)
				}
			}
		}
	}
}

// A clock that is set back costs nothing, and is told.
func TestClockSetBack(t *testing.T) {
	times := make([]int64, 20)
	for i := range times {
		if times[i] = int64(1_790_000_000e9) + int64(i)*1e7; i >= 10 {
			times[i] -= int64(time.Hour)
		}
	}
	s := feedtest.Made(t, Source{}, "made.puffin", file(framesAt(times)...))
	main := s.Track(s.MainTrack())
	warnings := strings.Join(s.Warnings(), "\n")
	if _, end, _ := s.Bounds(); main.NumSpans() != 20 || end < 19*1e7 || end > 20*1e7 {
		t.Errorf("%d scopes up to %d", main.NumSpans(), end)
	}
	if lost, lines := s.Losses(); lost[model.LossLate] != 0 || !strings.Contains(warnings, "set back (1×, by 59m59.995s in all") {
		t.Errorf("%q, %q", lines, warnings)
	}
}
