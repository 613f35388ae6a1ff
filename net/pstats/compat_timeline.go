package pstats

import (
	"cmp"
	"slices"

	"framescope/net/pstats/wire"
)

// CompatBar is a bar of the official timeline. Times are seconds, with the skew of the official viewer's clock correction.
type CompatBar struct {
	Thread, Row        int
	Begin, End         float64
	Collector          int
	OpenBegin, OpenEnd bool
	frame              int32
}

// compatOpen is an entry of the stack of running bars.
type compatOpen struct {
	collector int // -1 has ended, or the row is free
	begin     float64
	openBegin bool
	children  bool
}

// compatTimeline builds the rows of all threads (section 11).
type compatTimeline struct {
	ignore int
	rows   map[int][][]CompatBar // by thread
	last   map[int]int32
	skew   float64
}

// CompatTimeline returns the bars of the official timeline when it is opened on this session: thread by thread, row by row, by time.
func CompatTimeline(s *RawSession) []CompatBar {
	t := compatTimeline{ignore: ignored(s), rows: map[int][][]CompatBar{}, last: map[int]int32{}}
	var out []CompatBar
	for _, thread := range s.ThreadIndices() {
		for _, n := range s.Numbers(thread) {
			t.add(thread, s.FrameOf(thread, n))
		}
	}
	for _, thread := range s.ThreadIndices() {
		for _, row := range t.rows[thread] {
			slices.SortStableFunc(row, func(a, b CompatBar) int { return cmp.Compare(a.End, b.End) })
			out = append(out, row...)
		}
	}
	return out
}

// ignored returns the collector that the timeline leaves out, -1 if none (section 11.2).
func ignored(s *RawSession) int {
	for _, def := range s.CollectorDefs() {
		show, _ := s.Collector(int(def.Parent))
		app, _ := s.Collector(int(show.Parent))
		if def.Name == "General" && def.Parent != 0 && show.Name == "Show code" && show.Parent != 0 && app.Name == "App" {
			return int(def.Index)
		}
	}
	return -1
}

func (t *compatTimeline) put(thread, row int, bar CompatBar) {
	rows := t.rows[thread]
	for row >= len(rows) {
		rows = append(rows, nil)
	}
	bar.Thread, bar.Row = thread, row
	rows[row] = append(rows[row], bar)
	t.rows[thread] = rows
}

func (t *compatTimeline) add(thread int, f *wire.Frame) {
	number := int32(f.Number)
	var stack []compatOpen
	if last, ok := t.last[thread]; ok && last+1 == number {
		stack = t.reopen(thread, number-1)
	}
	t.last[thread] = number
	if len(f.Events) == 0 {
		return
	}
	frameBegin := float64(f.Events[0].Time) + t.skew
	previous := frameBegin
	for _, e := range f.Events {
		c, now := int(e.Word&^wire.StopBit), float64(e.Time)+t.skew
		if c == t.ignore {
			continue
		}
		if now < previous {
			t.skew += previous - now
			now = previous
		}
		previous = now
		if e.Word&wire.StopBit == 0 {
			stack = startCompat(stack, c, now)
			continue
		}
		stack = t.stop(thread, number, stack, c, frameBegin, now)
	}
	end := max(float64(f.Events[len(f.Events)-1].Time)+t.skew, frameBegin)
	for row, open := range stack {
		if open.collector >= 0 {
			t.put(thread, row, CompatBar{Begin: open.begin, End: end, Collector: open.collector, OpenBegin: open.openBegin, OpenEnd: true, frame: number})
		}
	}
}

// reopen takes the bars that were open at the end of the frame before back into the stack, at their rows.
func (t *compatTimeline) reopen(thread int, number int32) (stack []compatOpen) {
	for row, bars := range t.rows[thread] {
		k := len(bars) - 1
		if k < 0 || bars[k].frame != number || !bars[k].OpenEnd {
			continue
		}
		for len(stack) < row {
			stack = append(stack, compatOpen{collector: -1})
		}
		stack = append(stack, compatOpen{collector: bars[k].Collector, begin: bars[k].Begin, openBegin: bars[k].OpenBegin})
		t.rows[thread][row] = bars[:k]
	}
	return stack
}

func startCompat(stack []compatOpen, c int, now float64) []compatOpen {
	if c == 0 && len(stack) > 0 && stack[0].collector < 0 {
		stack[0] = compatOpen{collector: 0, begin: now, children: true}
		return stack
	}
	if len(stack) > 0 {
		stack[len(stack)-1].children = true
	}
	return append(stack, compatOpen{collector: c, begin: now})
}

func (t *compatTimeline) stop(thread int, number int32, stack []compatOpen, c int, frameBegin, now float64) []compatOpen {
	at := len(stack) - 1
	for at >= 0 && stack[at].collector != c {
		at--
	}
	if at < 0 { // it was running before the frame
		rows := t.rows[thread]
		for row := len(rows) - 1; row >= 1; row-- {
			k := len(rows[row])
			for k > 0 && rows[row][k-1].frame == number {
				k--
			}
			for _, bar := range slices.Clone(rows[row][k:]) {
				t.put(thread, row+1, bar)
			}
			t.rows[thread][row] = t.rows[thread][row][:k]
		}
		t.put(thread, 1, CompatBar{Begin: frameBegin, End: now, Collector: c, OpenBegin: true, frame: number})
		if len(stack) > 1 {
			stack = slices.Insert(stack, 1, compatOpen{collector: -1})
		}
		return stack
	}
	open := &stack[at]
	t.put(thread, at, CompatBar{Begin: open.begin, End: now, Collector: c, OpenBegin: open.openBegin, frame: number})
	open.collector = -1
	top := len(stack) - 1
	if at == top {
		for len(stack) > 0 && stack[len(stack)-1].collector < 0 {
			stack = stack[:len(stack)-1]
		}
		return stack
	}
	if !stack[top].children { // up, to avoid a staircase
		for row := range top {
			if stack[row].collector < 0 && t.room(thread, row, stack[top].begin) {
				stack[row] = stack[top]
				stack = stack[:top]
				for stack[len(stack)-1].collector < 0 {
					stack = stack[:len(stack)-1]
				}
				break
			}
		}
	}
	return stack
}

// room tells whether a row has nothing behind a time.
func (t *compatTimeline) room(thread, row int, begin float64) bool {
	rows := t.rows[thread]
	return row >= len(rows) || len(rows[row]) == 0 || rows[row][len(rows[row])-1].End <= begin
}
