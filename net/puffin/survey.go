package puffin

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// serverThread is the one of puffin_http itself.
const serverThread = "puffin-server"

// survey finds the main thread, the order in which the threads began, and when the recording did.
type survey struct {
	threads map[string]int // by key: frames in which one has something that does not reach over the frame before
	frames  int
	last    int64 // number of the frame before,
	begin   int64 // and when it began
	times   times
}

func newSurvey() *survey { return &survey{threads: map[string]int{}} }

// take takes a frame.
func (s *survey) take(f *frame, numbered bool) {
	follows := s.frames > 0 && f.number == s.last+1
	for i := range f.threads {
		t := &f.threads[i]
		var one scope
		if _, ok := one.read(t.data, numbered); !ok {
			continue
		}
		fits, known := s.threads[t.key]
		if !known && len(s.threads) >= maxSurveyed {
			continue
		}
		s.times.see(one.begin)
		if !follows || one.begin >= s.begin {
			fits++
		}
		s.threads[t.key] = fits
	}
	s.frames, s.last, s.begin = s.frames+1, f.number, f.begin
}

// keys returns those of all threads in the order in which they began.
func (s *survey) keys() []string { return slices.Sorted(maps.Keys(s.threads)) }

// main returns the key of the main thread, empty where nothing has scopes: the one that fits in most frames, or nearly
// so and is called main. That of the server has something in each frame, and is the last that counts.
func (s *survey) main() (main string) {
	most, best := 0, 0
	for _, fits := range s.threads {
		most = max(most, fits)
	}
	for _, k := range s.keys() {
		rank := s.threads[k] + 1
		switch name := nameIn(k); {
		case strings.HasPrefix(strings.ToLower(name), "main") && 10*(rank-1) >= 9*most:
			rank += 2 * (most + 1)
		case name != serverThread:
			rank += most + 1
		}
		if rank > best {
			main, best = k, rank
		}
	}
	return main
}

// farthest is how far from most others a time may be before it is taken for garbage, in ns: no recording is as long.
const farthest = 10 * 365 * int64(24*time.Hour)

// isFar reports whether two times are not of one recording.
func isFar(a, b int64) bool { return uint64(max(a, b))-uint64(min(a, b)) > uint64(farthest) }

// times finds the begin of the recording, by the majority of its times.
type times struct {
	first  int64 // the earliest one of those that count
	weight int   // of those that count, less the others
	other  int64 // the newest one of those that do not
	any    bool
}

// see takes a time.
func (s *times) see(t int64) {
	switch {
	case s.any && !isFar(t, s.first):
		s.first, s.weight = min(s.first, t), s.weight+1
	case s.weight > 0:
		s.other, s.weight = t, s.weight-1
	default:
		if s.first = t; s.any && !isFar(s.other, t) {
			s.first = min(s.other, t)
		}
		s.weight, s.any = 1, true
	}
}
