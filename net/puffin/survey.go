package puffin

import (
	"slices"
	"strings"

	"framescope/net/trace"
)

// maxSurveyed bounds the threads among which the main one is looked for.
const maxSurveyed = 1 << 12

// survey finds the main thread, and the order in which the threads began.
type survey struct {
	threads map[string]*surveyed
	order   []*surveyed
	key     []byte
	frames  int
	times   span // of all, up to where a clock was set back
	back    bool
	last    int64 // number of the frame before,
	begin   int64 // and when it began
}

// surveyed is what it finds of a thread.
type surveyed struct {
	name    string
	start   int64
	started bool
	newest  int64
	fits    int // frames in which it has something that does not reach over the frame before
}

func newSurvey() *survey { return &survey{threads: map[string]*surveyed{}} }

// appendKey appends the key of a thread.
func (s *stream) appendKey(to []byte) []byte {
	started := byte(0)
	if s.started {
		started = 1
	}
	to = append(to, started)
	for i := range 8 {
		to = append(to, byte(uint64(s.start)>>(8*i)))
	}
	return append(to, s.name[:min(len(s.name), maxThreadName)]...)
}

// maxThreadName is how much of a thread's name counts, in bytes.
const maxThreadName = 256

// take takes a frame.
func (s *survey) take(f *frame, numbered bool) {
	follows := s.frames > 0 && f.number == s.last+1
	for i := range f.threads {
		t := &f.threads[i]
		var one scope
		if !scopeAt(t.data, 0, len(t.data), numbered, &one) {
			continue
		}
		s.key = t.appendKey(s.key[:0])
		th := s.threads[string(s.key)]
		if th == nil {
			if len(s.order) >= maxSurveyed {
				continue
			}
			th = &surveyed{name: trace.Shown(string(s.key[9:])), start: t.start, started: t.started}
			s.threads[string(s.key)] = th
			s.order = append(s.order, th)
		}
		s.back = s.back || th.fits > 0 && one.begin < th.newest-leastStep && !far(one.begin, th.newest)
		if !s.back { // else times go on from there
			s.times.see(one.begin)
		}
		th.newest = one.begin
		if !follows || one.begin >= s.begin {
			th.fits++
		}
	}
	s.frames, s.last, s.begin = s.frames+1, f.number, f.begin
}

// main returns the key of the main thread, empty where nothing has scopes: the one that fits in most
// frames, or nearly so and is called main.
func (s *survey) main() (key string) {
	most := 0
	for _, th := range s.order {
		most = max(most, th.fits)
	}
	var best *surveyed
	for k, th := range s.threads {
		if best == nil || s.better(th, best, most) {
			key, best = k, th
		}
	}
	return key
}

func (s *survey) better(a, b *surveyed, most int) bool {
	calledMain := func(t *surveyed) bool {
		return strings.HasPrefix(strings.ToLower(t.name), "main") && 10*t.fits >= 9*most
	}
	if x, y := calledMain(a), calledMain(b); x != y {
		return x
	}
	own := func(t *surveyed) bool { return t.name == serverThread } // which has something in each frame
	if x, y := own(a), own(b); x != y {
		return y
	}
	if a.fits != b.fits {
		return a.fits > b.fits
	}
	return before(a, b) < 0
}

// serverThread is the one of puffin_http itself.
const serverThread = "puffin-server"

// before puts threads in the order in which they began.
func before(a, b *surveyed) int {
	switch {
	case a.started != b.started:
		if a.started {
			return -1
		}
		return 1
	case a.start != b.start:
		if a.start < b.start {
			return -1
		}
		return 1
	}
	return strings.Compare(a.name, b.name)
}

// keys returns those of all threads in the order in which they began.
func (s *survey) keys() (keys []string) {
	for k := range s.threads {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return before(s.threads[a], s.threads[b]) })
	return keys
}
