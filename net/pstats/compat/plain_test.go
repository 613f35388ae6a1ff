package compat

import (
	"fmt"
	"slices"
	"strings"

	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// This file computes exclusive times and call paths as they are meant, in the plainest way, with no care for speed: references for the decoder.

// plainAlone returns the exclusive seconds of each collector (pstats-viewer section 4.1, intended): at every moment the one that was started last among
// those that run. lost tells that the official viewer loses a run in this frame, because a collector that stopped while another was running inside it stays paused.
func plainAlone(events []wire.Event) (alone map[int]float64, lost bool) {
	alone = map[int]float64{}
	if len(events) == 0 {
		return alone, false
	}
	depth := map[int]int{}
	var order []int // running, in order of their start
	paused := map[int]bool{}
	charged, since := -1, 0.0
	charge := func(now float64) {
		if charged >= 0 {
			alone[charged] += now - since
		}
	}
	start := func(c int, now float64) {
		depth[c]++
		if depth[c] > 1 {
			return
		}
		lost = lost || paused[c]
		charge(now)
		order = append(order, c)
		charged, since = c, now
	}
	for _, e := range events {
		c, now := int(e.Word&^wire.StopBit), float64(e.Time)
		if e.Word&wire.StopBit == 0 {
			start(c, now)
			continue
		}
		if depth[c] == 0 {
			start(c, float64(events[0].Time))
		}
		if depth[c]--; depth[c] > 0 {
			continue
		}
		order = slices.DeleteFunc(order, func(o int) bool { return o == c })
		if charged != c {
			paused[c] = true
			continue
		}
		charge(now)
		charged, since = -1, now
		if len(order) > 0 {
			charged = order[len(order)-1]
		}
	}
	charge(float64(events[len(events)-1].Time))
	return alone, lost
}

// plainSpan is a running span of plainFlames.
type plainSpan struct {
	collector int
	path      string
	begin     float64
	before    bool
	closed    bool // for the flame graph
}

// plainFlames returns for each frame of a thread the seconds that each call path took in it, knowing what was running before. Paths are collectors joined by '/'.
func plainFlames(s *sessionfile.Raw, thread int) map[int32]map[string]float64 {
	out := map[int32]map[string]float64{}
	var stack []plainSpan
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
		begin, end := float64(f.Events[0].Time), float64(f.Events[len(f.Events)-1].Time)
		for i := range stack {
			stack[i].begin, stack[i].before = begin, true
		}
		stack = append(stack, orphansOf(f, stack, begin)...)
		for i, e := range f.Events {
			c, now := int(e.Word&^wire.StopBit), float64(e.Time)
			if e.Word&wire.StopBit == 0 {
				if c == 0 && len(stack) > 0 && stack[len(stack)-1].before {
					stack = slices.Insert(stack, 0, plainSpan{collector: 0, path: "0", begin: now})
					continue
				}
				path := fmt.Sprint(c)
				for _, o := range slices.Backward(stack) {
					if !o.closed {
						path = o.path + "/" + path
						break
					}
				}
				stack = append(stack, plainSpan{collector: c, path: path, begin: now})
				continue
			}
			find := func(open bool) int {
				for k, o := range slices.Backward(stack) {
					if o.collector == c && !(open && o.closed) {
						return k
					}
				}
				return -1
			}
			at, flameAt := find(false), find(true)
			if at < 0 {
				continue
			}
			if flameAt >= 0 {
				for k := range stack[flameAt:] {
					o := &stack[flameAt+k]
					if !o.closed && (flameAt+k == at || !(c == 0 && i == len(f.Events)-1)) {
						sum[o.path] += max(0, now-o.begin)
						o.closed = true
					}
				}
			}
			stack = slices.Delete(stack, at, at+1)
		}
		for _, o := range stack {
			if !o.closed {
				sum[o.path] += max(0, end-o.begin)
			}
		}
	}
	return out
}

// orphansOf returns the spans of which only the stop is in this frame and nothing before it.
func orphansOf(f *wire.Frame, carried []plainSpan, begin float64) (out []plainSpan) {
	depth, known := map[int]int{}, map[int]int{}
	for _, o := range carried {
		known[o.collector]++
	}
	var stops []int
	for _, e := range f.Events {
		c := int(e.Word &^ wire.StopBit)
		switch {
		case e.Word&wire.StopBit == 0:
			depth[c]++
		case depth[c] > 0:
			depth[c]--
		case known[c] > 0:
			known[c]--
		default:
			stops = append(stops, c)
		}
	}
	path := ""
	for _, o := range carried {
		if !o.closed {
			path = o.path + "/"
		}
	}
	if len(carried) == 0 && f.Events[0].Word == 0 {
		path = "0/"
	}
	for _, c := range slices.Backward(stops) {
		path += fmt.Sprint(c) + "/"
		out = append(out, plainSpan{collector: c, path: strings.TrimSuffix(path, "/"), begin: begin, before: true})
	}
	return out
}
