package decode

import (
	"slices"

	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

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
