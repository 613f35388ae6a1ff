// Begins and ends of a track of a Perfetto trace are paired to nested spans. This part knows nothing of the
// format.

package perfetto

import (
	"math"

	"framescope/net/trace"
)

// Row is the begin or the end of a span, while its line is put in order, or a state.
type Row struct {
	Time  int64
	Text  uint32
	ord   uint32 // isEnd, or of a begin that was paired the position of its end
	Event uint32 // number of its data elsewhere, 0: none
}

// Kinds of rows. Positions are less.
const (
	nestingIsEnd = 1 << 31
	ordMask      = 1<<30 - 1
	noEnd        = ordMask

	// NestingMost is how many rows a line may have.
	NestingMost = ordMask - 1
	// RowBytes and WholeBytes are the memory of a row and of a whole span.
	RowBytes, WholeBytes = 24, 32

	wholeMicros = 1000 // ns: in these are lengths

	never = math.MaxInt64 // when a span ends that has no end
)

// End is the end of a span at a time.
func End(time int64, event uint32) Row { return Row{Time: time, ord: nestingIsEnd, Event: event} }

// Ends reports whether a row is the end of a span.
func (r *Row) Ends() bool { return r.ord&nestingIsEnd != 0 }

// Open reports whether a begin, of rows that were paired, has no end.
func (r *Row) Open() bool { return r.ord == noEnd }

// Last is where a begin, of rows that were paired, has its end: the position, or one behind all.
func (r *Row) Last() uint32 { return r.ord }

// Whole is a span with a length in its begin.
type Whole struct {
	Begin, End  int64
	Text, Event uint32
	ended       uint32 // event that ended it, 0: no other one
}

// Fold appends to spans that came whole those of rows, which are in order, so that all of a line can be unfolded
// together. It returns how many ends have no begin; open is memory that it may use.
func Fold(rows []Row, spans []Whole, open []int32) (all []Whole, unpaired int64, used []int32) {
	_, unpaired, used = Pair(rows, open)
	for i := range rows {
		r := &rows[i]
		if r.Ends() {
			continue
		}
		s := Whole{Begin: r.Time, End: never, Text: r.Text, Event: r.Event}
		if !r.Open() {
			s.End, s.ended = rows[r.ord].Time, rows[r.ord].Event
		}
		spans = append(spans, s)
	}
	return spans, unpaired, used
}

// Unfold appends the begins and ends of spans that came whole: of those that begin together the longer is
// the outer one. One that overlaps another ends with it, which is counted where no rounding explains it.
func Unfold(out []Row, spans []Whole) (rows []Row, overlapping int64) {
	trace.SortRuns(spans, func(a, b Whole) int {
		return trace.SortRunPairs(a.Begin, b.Begin, b.End, a.End, int64(a.Event), int64(b.Event))
	})
	trace.EvenRows(spans, wholeMicros, func(s *Whole) (int64, *int64) { return s.Begin, &s.End })
	var open []Whole
	end := func(before int64) {
		for n := len(open) - 1; n >= 0 && open[n].End <= before; n-- {
			out = append(out, End(open[n].End, open[n].ended))
			open = open[:n]
		}
	}
	for _, s := range spans {
		end(s.Begin)
		if n := len(open) - 1; n >= 0 && s.End > open[n].End {
			overlapping++
			s.End = open[n].End
		}
		out = append(out, Row{Time: s.Begin, Text: s.Text, Event: s.Event})
		open = append(open, s)
	}
	end(Most)
	return out, overlapping
}

// Pair finds the end of each begin, and returns how deep they nest, and how many ends have no begin. open
// is memory that it may use.
func Pair(rows []Row, open []int32) (depth int, unpaired int64, used []int32) {
	open = open[:0]
	for i := range rows {
		r := &rows[i]
		if !r.Ends() {
			r.ord = noEnd
			open = append(open, int32(i))
			depth = max(depth, len(open))
			continue
		}
		n := len(open) - 1
		if n < 0 {
			unpaired++
			continue
		}
		rows[open[n]].ord = uint32(i)
		open = open[:n]
	}
	return depth, unpaired, open
}
