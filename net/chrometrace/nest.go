package chrometrace

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// mostRows bounds the nesting of spans; the store has room for 4,096 rows of a track.
const mostRows = 4000

// isSpilled marks a span, while a thread is put in order, that does not lie inside the one it begins
// in: it has a row of its own, below all others.
const isSpilled model.SpanFlags = 1 << 7

// pair makes spans of begins and ends, in order of time, and appends them to list. An end closes the
// innermost span, or the innermost one of its name with all inside.
func (d *decoder) pair(list []span, marks []mark) []span {
	trace.SortRuns(marks, func(a, b mark) int { return cmp.Compare(a.time, b.time) })
	open := d.open[:0]
	for _, m := range marks {
		if m.seq&isEnd == 0 {
			open = append(open, len(list))
			list = append(list, span{begin: m.time, end: d.last, text: m.text, seq: m.seq, flags: model.SpanOpenEnd})
			continue
		}
		at := len(open) - 1
		for m.text != noText && at >= 0 && list[open[at]].text != m.text && at >= len(open)-mostRows {
			at--
		}
		if at < 0 || m.text != noText && list[open[at]].text != m.text {
			d.count(unmatched, trace.Unknown)
			continue
		}
		if d.args.Any() {
			d.joinArgs(list[open[at]].seq, m.seq&^isEnd)
		}
		for i := at; i < len(open); i++ {
			list[open[i]].end, list[open[i]].flags = m.time, 0
		}
		for range len(open) - at - 1 {
			d.count(closedAround, trace.Unknown)
		}
		open = open[:at]
	}
	d.open = open[:0]
	return list
}

// order sorts spans: callers before their callees.
func order(list []span) {
	trace.SortRuns(list, func(a, b span) int {
		if a.begin != b.begin {
			return cmp.Compare(a.begin, b.begin)
		}
		return trace.SortRunPairs(b.end, a.end, int64(a.seq), int64(b.seq))
	})
}

// nest gives the spans of a thread, which are in order, their paths and rows, and returns them
// without those that there are no rows for, and how many rows there are. A span that ends after the
// one it begins in gets a row below all others, the first where it fits.
func (d *decoder) nest(list []span) (kept []span, rows int) {
	open, depth := d.open[:0], 0
	d.spilled = d.spilled[:0]
	kept = list[:0]
	for i := range list {
		s := list[i]
		for len(open) > 0 && kept[open[len(open)-1]].end <= s.begin {
			open = open[:len(open)-1]
		}
		parent := model.PathRoot
		switch top := len(open) - 1; {
		case top >= 0 && s.end > kept[open[top]].end:
			row := slices.IndexFunc(d.spilled, func(end int64) bool { return end <= s.begin })
			if row < 0 {
				row = len(d.spilled)
				d.spilled = append(d.spilled, 0)
			}
			d.spilled[row] = s.end
			s.lane, s.flags = uint16(min(row, mostRows)), s.flags|isSpilled
			if row >= mostRows {
				d.spilled = d.spilled[:mostRows]
			}
		default:
			s.lane = uint16(min(len(open), mostRows))
			if top >= 0 {
				parent = kept[open[top]].path
			}
		}
		if s.lane == mostRows {
			d.count(noRows, trace.Unknown)
			continue
		}
		s.path = d.texts.path(parent, s.text)
		if s.flags&isSpilled == 0 {
			open = append(open, len(kept))
			depth = max(depth, len(open))
		}
		kept = append(kept, s)
	}
	d.open = open[:0]
	return kept, depth
}

// settle gives spilled spans their rows below the others.
func (d *decoder) settle(list []span, rows int) []span {
	if len(d.spilled) == 0 {
		return list
	}
	for i := range list {
		s := &list[i]
		if s.flags&isSpilled != 0 {
			s.lane, s.flags = uint16(min(int(s.lane)+rows, mostRows)), s.flags&^isSpilled
		}
	}
	return slices.DeleteFunc(list, func(s span) bool {
		if s.lane == mostRows {
			d.count(noRows, trace.Unknown)
		}
		return s.lane == mostRows
	})
}
