package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// This file computes exclusive times and call paths as they are meant, in the plainest way, with no
// care for speed: references for the decoder.

// plainSpan is a running span of plainFlames.
type plainSpan struct {
	collector int
	path      string
	before    bool
}

// plainFlames returns for each frame of a thread the seconds that each call path took in it by
// itself, knowing what was running before: at any moment the innermost running span is charged.
// Paths are collectors joined by '/'.
func plainFlames(s *sessionfile.Raw, thread int) map[int32]map[string]float64 {
	out := map[int32]map[string]float64{}
	ignore := ignored(s)
	var stack []plainSpan
	name := func(from int) { // the paths of those on the stack from a place on
		for k := from; k < len(stack); k++ {
			o := &stack[k]
			if o.path = fmt.Sprint(o.collector); k > 0 {
				o.path = stack[k-1].path + "/" + o.path
			}
		}
	}
	last := int32(-2)
	for _, number := range s.Numbers(thread) {
		f := s.FrameOf(thread, number)
		if number != last+1 {
			stack = nil
		}
		last = number
		sum := map[string]float64{}
		out[number] = sum
		if len(f.Events) == 0 {
			continue
		}
		since := float64(f.Events[0].Time)
		for i := range stack {
			stack[i].before = true
		}
		carried := len(stack)
		stack = append(stack, orphansOf(f, stack, ignore)...)
		name(carried)
		for i, e := range f.Events {
			c, now := int(e.Word&^pstats.StopBit), float64(e.Time)
			if c == ignore {
				continue
			}
			if k := len(stack) - 1; k >= 0 {
				sum[stack[k].path] += now - since
			}
			since = now
			if e.Word&pstats.StopBit == 0 {
				if k := len(stack) - 1; c == 0 && k >= 0 && stack[k].before {
					stack = slices.Insert(stack, 0, plainSpan{collector: 0})
					name(0)
				} else {
					stack = append(stack, plainSpan{collector: c})
					name(len(stack) - 1)
				}
				continue
			}
			for k, o := range slices.Backward(stack) {
				if o.collector == c {
					stack = slices.Delete(stack, k, k+1)
					if c != 0 || i < len(f.Events)-1 { // what goes on into the next frame stays below this one
						name(k)
					}
					break
				}
			}
		}
		if k := len(stack) - 1; k >= 0 {
			sum[stack[k].path] += float64(f.Events[len(f.Events)-1].Time) - since
		}
	}
	return out
}

// plainAlone returns the seconds that each collector took by itself.
func plainAlone(flame map[string]float64) map[int]float64 {
	alone := map[int]float64{}
	for path, sec := range flame {
		c, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
		alone[c] += sec
	}
	return alone
}

// plainTotals returns the seconds that each call path took with what it called.
func plainTotals(flame map[string]float64) map[string]float64 {
	total := map[string]float64{}
	for path, sec := range flame {
		for at := len(path); at > 0; at = strings.LastIndexByte(path[:at], '/') {
			total[path[:at]] += sec
		}
	}
	return total
}

// orphansOf returns the spans of which only the stop is in this frame and nothing before it.
func orphansOf(f *pstats.Frame, carried []plainSpan, ignore int) (out []plainSpan) {
	depth, known := map[int]int{}, map[int]int{}
	for _, o := range carried {
		known[o.collector]++
	}
	var stops []int
	for _, e := range f.Events {
		c := int(e.Word &^ pstats.StopBit)
		switch {
		case c == ignore:
		case e.Word&pstats.StopBit == 0:
			depth[c]++
		case depth[c] > 0:
			depth[c]--
		case known[c] > 0:
			known[c]--
		default:
			stops = append(stops, c)
		}
	}
	for _, c := range slices.Backward(stops) {
		out = append(out, plainSpan{collector: c, before: true})
	}
	return out
}
