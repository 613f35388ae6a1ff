// The compat files compute as the official viewer does, straight from the raw frames, including its
// bugs: for users who compare numbers, and for the tests that hold both computations against
// recordings of the official one. They know the frames of a sessionfile.Raw, and nothing of the model.
// Sections are those of VIEWER.md.

package decode

import (
	"cmp"
	"slices"

	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// View is the official viewer's view of one thread: the exclusive and net values of every collector
// in the frame that was last given to Update (sections 4 and 5). Collectors without a definition
// are skipped.
type View struct {
	s      *sessionfile.Raw
	levels bool

	self []float64
	kids map[int][]int

	// scratch of one update
	samples []sample
	started []int
}

type sample struct {
	depth   int
	paused  bool
	net     float64
	touched bool
}

// NewView returns a view of times, in seconds, or of levels. Definitions that come later are not
// seen by it.
func NewView(s *sessionfile.Raw, levels bool) *View {
	v := &View{s: s, levels: levels, kids: map[int][]int{}}
	size := 1
	sorts := map[int]int16{}
	for _, def := range s.CollectorDefs() {
		c := int(def.Index)
		size = max(size, c+1)
		sorts[c] = def.Sort
		if parent := parentOf(s, c); parent != c {
			v.kids[parent] = append(v.kids[parent], c)
		}
	}
	for _, kids := range v.kids {
		slices.SortFunc(kids, func(a, b int) int { return cmp.Or(cmp.Compare(sorts[b], sorts[a]), cmp.Compare(b, a)) })
	}
	v.self, v.samples = make([]float64, size), make([]sample, size)
	return v
}

// parentOf returns the parent of a defined collector; rings and undefined parents are taken for
// children of collector 0.
func parentOf(s *sessionfile.Raw, c int) int {
	def, _ := s.Collector(c)
	p := int(def.Parent)
	if _, ok := s.Collector(p); !ok || p == c || c == 0 {
		return 0
	}
	at := p
	for range pstats.MaxDepth {
		if at == 0 {
			return p
		}
		if at == c {
			return 0
		}
		def, _ := s.Collector(at)
		at = int(def.Parent)
		if _, ok := s.Collector(at); !ok {
			return p
		}
	}
	return 0
}

// Update shows a frame. It returns false when the official viewer gives the update up and goes on
// showing the frame before (section 4.1: a collector that was started twice and not stopped).
func (v *View) Update(f *pstats.Frame) bool {
	if v.levels {
		v.updateLevels(f)
		return true
	}
	return v.updateTimes(f)
}

// Self returns the self time of a collector.
func (v *View) Self(c int) float64 {
	if c < 0 || c >= len(v.self) {
		return 0
	}
	return v.self[c]
}

// Children returns the children of a collector in the order in which they are stacked: descending
// sort, ties by descending index.
func (v *View) Children(c int) []int { return v.kids[c] }

// Net returns the value of a collector and all below it in the hierarchy of names. The official
// viewer adds those of equal sort in the order in which they were first seen, which is mostly that
// of their definition: it shows where one value is so huge that others lose their digits beside it.
func (v *View) Net(c int) float64 {
	net := v.Self(c)
	for _, kid := range slices.Backward(v.kids[c]) {
		net += v.Net(kid)
	}
	return net
}

func (v *View) defined(c int) bool {
	_, ok := v.s.Collector(c)
	return ok
}

func (v *View) updateTimes(f *pstats.Frame) bool {
	clear(v.samples)
	v.started = v.started[:0]
	if len(f.Events) > 0 {
		first, last := float64(f.Events[0].Time), float64(f.Events[len(f.Events)-1].Time)
		for _, e := range f.Events {
			c := int(e.Word &^ pstats.StopBit)
			if !v.defined(c) {
				continue
			}
			s := &v.samples[c]
			s.touched = true
			if e.Word&pstats.StopBit == 0 {
				v.point(c, float64(e.Time), true)
				continue
			}
			if s.depth == 0 {
				v.point(c, first, true)
			}
			v.point(c, float64(e.Time), false)
		}
		for c := range v.samples {
			if v.samples[c].depth > 0 {
				v.point(c, last, false)
			}
		}
	}
	if len(v.started) > 0 {
		return false
	}
	for c := range v.samples {
		v.self[c] = v.samples[c].net
	}
	return true
}

// point is a start or stop. A collector that stopped while it was paused stays paused: its next run
// in the frame is lost.
func (v *View) point(c int, t float64, start bool) {
	s := &v.samples[c]
	if start {
		s.depth++
		if s.depth > 1 || s.paused {
			return
		}
		for _, o := range v.started {
			if other := &v.samples[o]; !other.paused {
				other.paused = true
				other.net += t
			}
		}
		s.net -= t
		v.started = append(v.started, c)
		return
	}
	s.depth--
	if s.depth > 0 {
		return
	}
	at := slices.Index(v.started, c)
	if at < 0 {
		return
	}
	v.started = slices.Delete(v.started, at, at+1)
	if s.paused {
		return
	}
	s.net += t
	for _, o := range slices.Backward(v.started) {
		if other := &v.samples[o]; other.paused {
			other.paused = false
			other.net -= t
			return
		}
	}
}

func (v *View) updateLevels(f *pstats.Frame) {
	clear(v.samples)
	clear(v.self)
	for _, l := range f.Levels {
		c := int(l.Collector)
		if !v.defined(c) {
			continue
		}
		v.samples[c].touched = true
		v.samples[c].net = float64(l.Value)
	}
	for c := range v.samples {
		if !v.samples[c].touched {
			continue
		}
		value := v.samples[c].net
		v.self[c] += value
		for at := c; at != 0; {
			at = parentOf(v.s, at)
			if v.samples[at].touched {
				v.self[at] -= value
				break
			}
		}
	}
}

// Window is pstats-average-time, over which the official viewer averages: 3 seconds.
const Window = 3.0

// spanOf returns begin and end of a frame in seconds, 0 when it has no events.
func spanOf(f *pstats.Frame) (begin, end float64) {
	if k := len(f.Events); k > 0 {
		return float64(f.Events[0].Time), float64(f.Events[k-1].Time)
	}
	return 0, 0
}

// windowOf returns the places of the first and last frame of the window that ends with the frame of
// a number, among the thread's numbers (section 2).
func windowOf(s *sessionfile.Raw, thread int, numbers []int32, number int32) (first, last int) {
	last, exact := slices.BinarySearch(numbers, number)
	if !exact {
		last--
	}
	if last < 0 {
		return 0, -1
	}
	_, end := spanOf(s.FrameOf(thread, numbers[last]))
	first = last
	for first > 0 {
		if begin, _ := spanOf(s.FrameOf(thread, numbers[first-1])); begin <= end-Window {
			break
		}
		first--
	}
	return first, last
}

// FrameRate returns the frame rate of a thread, in Hz, as the official viewer shows it when the
// frame of that number is its newest: dropped numbers count (section 2). A frame without events
// ends at 0, so that its rate is below zero.
func FrameRate(s *sessionfile.Raw, thread int, number int32) float64 {
	numbers := s.Numbers(thread)
	first, last := windowOf(s, thread, numbers, number)
	if last < 0 {
		return 0
	}
	begin, _ := spanOf(s.FrameOf(thread, numbers[first]))
	_, end := spanOf(s.FrameOf(thread, numbers[last]))
	return (float64(numbers[last]) - float64(numbers[first]) + 1) / (end - begin)
}
