package decode

import (
	"cmp"
	"slices"

	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Bar is a bar of the official timeline. Times are seconds, with the skew of the official viewer's
// clock correction.
type Bar struct {
	Thread, Row        int
	Begin, End         float64
	Collector          int
	OpenBegin, OpenEnd bool
	frame              int32
}

// compatRunning is an entry of the stack of running bars.
type compatRunning struct {
	collector int // -1 has ended, or the row is free
	begin     float64
	openBegin bool
}

// builder builds the rows of all threads (section 11).
type builder struct {
	ignore int
	rows   map[int][][]Bar // by thread
	last   map[int]int32
	skew   float64

	// moved are the frames of each thread, and those that go on from there, in which was done what the
	// decoder leaves out: a span that is shown since an earlier frame came to another row, or a callee
	// above its caller.
	moved map[threadFrame]bool
}

type threadFrame struct {
	thread int
	number int32
}

// Timeline returns the bars of the official timeline when it is opened on this session: thread by
// thread, row by row, by time.
func Timeline(s *sessionfile.Raw) []Bar {
	bars, _ := timeline(s)
	return bars
}

// timeline returns also how the bars came about.
func timeline(s *sessionfile.Raw) ([]Bar, *builder) {
	t := &builder{ignore: ignored(s), rows: map[int][][]Bar{}, last: map[int]int32{}, moved: map[threadFrame]bool{}}
	var out []Bar
	for _, thread := range s.ThreadIndices() {
		for _, n := range s.Numbers(thread) {
			t.add(thread, s.FrameOf(thread, n))
		}
	}
	for _, thread := range s.ThreadIndices() {
		for _, row := range t.rows[thread] {
			slices.SortStableFunc(row, func(a, b Bar) int { return cmp.Compare(a.End, b.End) })
			out = append(out, row...)
		}
	}
	return out, t
}

// ignored returns the collector that the timeline leaves out, -1 if none (section 11.2).
func ignored(s *sessionfile.Raw) int {
	for _, def := range s.CollectorDefs() {
		show, _ := s.Collector(int(def.Parent))
		app, _ := s.Collector(int(show.Parent))
		if def.Name == "General" && def.Parent != 0 && show.Name == "Show code" && show.Parent != 0 && app.Name == "App" {
			return int(def.Index)
		}
	}
	return -1
}

func (t *builder) put(thread, row int, bar Bar) {
	rows := t.rows[thread]
	for row >= len(rows) {
		rows = append(rows, nil)
	}
	bar.Thread, bar.Row = thread, row
	rows[row] = append(rows[row], bar)
	t.rows[thread] = rows
}

func (t *builder) add(thread int, f *pstats.Frame) {
	number := int32(f.Number)
	var stack []compatRunning
	if last, ok := t.last[thread]; ok && last+1 == number {
		stack = t.reopen(thread, number-1)
		t.note(thread, number, len(stack) > 0 && t.moved[threadFrame{thread, number - 1}])
	}
	t.last[thread] = number
	if len(f.Events) == 0 {
		return
	}
	frameBegin := float64(f.Events[0].Time) + t.skew
	previous := frameBegin
	children := false
	for _, e := range f.Events {
		c, now := int(e.Word&^pstats.StopBit), float64(e.Time)+t.skew
		if c == t.ignore {
			continue
		}
		if now < previous {
			t.skew += previous - now
			now = previous
		}
		previous = now
		if e.Word&pstats.StopBit == 0 {
			stack = start(stack, c, now, &children)
			continue
		}
		stack = t.stop(thread, number, stack, c, frameBegin, now, &children)
	}
	end := max(float64(f.Events[len(f.Events)-1].Time)+t.skew, frameBegin)
	for row, open := range stack {
		if open.collector >= 0 {
			t.put(thread, row, Bar{
				Begin: open.begin, End: end, Collector: open.collector, OpenBegin: open.openBegin, OpenEnd: true,
				frame: number,
			})
		}
	}
}

// reopen takes the bars that were open at the end of the frame before back into the stack, at their
// rows.
func (t *builder) reopen(thread int, number int32) (stack []compatRunning) {
	for row, bars := range t.rows[thread] {
		k := len(bars) - 1
		if k < 0 || bars[k].frame != number || !bars[k].OpenEnd {
			continue
		}
		for len(stack) < row {
			stack = append(stack, compatRunning{collector: -1})
		}
		stack = append(stack, compatRunning{collector: bars[k].Collector, begin: bars[k].Begin, openBegin: bars[k].OpenBegin})
		t.rows[thread][row] = bars[:k]
	}
	return stack
}

// start puts a collector on the stack; the frame goes to row 0 and replaces its content. children
// reports whether the last started span had children: one flag for all, cleared by starts and set by
// the stop of the top span.
func start(stack []compatRunning, c int, now float64, children *bool) []compatRunning {
	if c == 0 && len(stack) > 0 {
		stack[0] = compatRunning{collector: 0, begin: now}
		return stack
	}
	*children = false
	return append(stack, compatRunning{collector: c, begin: now})
}

func (t *builder) stop(thread int, number int32, stack []compatRunning, c int, frameBegin, now float64, children *bool) []compatRunning {
	at := len(stack) - 1
	for at >= 0 && stack[at].collector != c {
		at--
	}
	if at < 0 && len(stack) == 0 {
		return stack
	}
	if at < 0 { // it was running before the frame
		rows := t.rows[thread]
		for row := len(rows) - 1; row >= 1; row-- {
			k := len(rows[row])
			for k > 0 && rows[row][k-1].frame == number {
				k--
			}
			for _, bar := range slices.Clone(rows[row][k:]) {
				t.note(thread, number, bar.Begin < frameBegin)
				t.put(thread, row+1, bar)
			}
			t.rows[thread][row] = t.rows[thread][row][:k]
		}
		t.put(thread, 1, Bar{Begin: frameBegin, End: now, Collector: c, OpenBegin: true, frame: number})
		for _, open := range stack[1:] {
			t.note(thread, number, open.collector >= 0 && open.begin < frameBegin)
		}
		return slices.Insert(stack, 1, compatRunning{collector: -1})
	}
	open := &stack[at]
	t.put(thread, at, Bar{Begin: open.begin, End: now, Collector: c, OpenBegin: open.openBegin, frame: number})
	open.collector = -1
	top := len(stack) - 1
	if at == top {
		for len(stack) > 0 && stack[len(stack)-1].collector < 0 {
			stack = stack[:len(stack)-1]
		}
		*children = true
		return stack
	}
	if !*children { // up, to avoid a staircase: not to the row right above, and not to row 0
		for row := top - 2; row > 0 && stack[row].collector < 0; row-- {
			if t.room(thread, row, stack[top].begin) {
				t.note(thread, number, stack[top-1].collector >= 0 || stack[top].begin < frameBegin)
				stack[row] = stack[top]
				stack = stack[:top]
				for len(stack) > 0 && stack[len(stack)-1].collector < 0 {
					stack = stack[:len(stack)-1]
				}
				break
			}
		}
	}
	return stack
}

// note notes that what the decoder leaves out was done, if it was.
func (t *builder) note(thread int, number int32, was bool) {
	if was {
		t.moved[threadFrame{thread, number}] = true
	}
}

// room reports whether a row has nothing behind a time.
func (t *builder) room(thread, row int, begin float64) bool {
	rows := t.rows[thread]
	return row >= len(rows) || len(rows[row]) == 0 || rows[row][len(rows[row])-1].End < begin
}
