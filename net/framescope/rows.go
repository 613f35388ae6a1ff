package framescope

import (
	"errors"
	"math"
	"slices"

	"framescope/model"
)

// The columns of rows: the spans of batches lane by lane.
const (
	rowGap   = iota // begin less the end of the one before it in its lane; of a lane's first: behind that of the batch
	rowNs           // length
	rowPath         // call path
	rowOrder        // the lanes of all spans of batches with rows, in their order
	numRowColumns
)

// mostRowLanes bounds the lanes with rows.
const mostRowLanes = 256

var errRows = errors.New("holds spans that do not fit their lane")

// rowCodec writes the spans of batches lane by lane, or reads them. Those of a lane are rows where they have no
// flags and no arguments. A store takes the rows as they are; for other sinks they are put in order again.
type rowCodec struct {
	kept    bool // the sink takes rows
	columns [numRowColumns][]uint32
	left    [numRowColumns][]uint32 // of the columns that are read
	plain   []model.Span            // of the batch, which are no rows
	mixed   bool                    // there are such spans
	used    []uint16                // lanes of the written batch that have rows; ascending

	unordered model.Batch // has the rows that are put in order

	lanes [mostRowLanes]rowLane
}

// rowLane is a lane of the batch that is written or read.
type rowLane struct {
	n    int   // spans; of a batch that is read, rows that are not in order yet
	bare bool  // they do not fit in rows
	end  int64 // of the last one
	at   int   // where the next one goes or comes from
}

// allSpans are the spans of a batch: those that are no rows, and the rows.
func (c *codec) allSpans(b *model.Batch) {
	r := c.rows
	switch {
	case c.reads:
		c.spans(b)
		c.readRows(b)
		return
	case len(b.Args) > 0 || len(b.Spans) > model.MostRows || !r.choose(b):
		c.spans(b)
		c.uint(0)
		return
	}
	plain := model.Batch{Begin: b.Begin, Spans: r.plain}
	c.spans(&plain)
	c.writeRows(b)
}

// choose finds the lanes of a batch that become rows, and the spans of the others. It returns false where there
// are no such lanes.
func (r *rowCodec) choose(b *model.Batch) (some bool) {
	for _, lane := range r.used {
		r.lanes[lane] = rowLane{}
	}
	r.used, r.plain, r.mixed = r.used[:0], r.plain[:0], false
	for i := range b.Spans {
		r.count(&b.Spans[i], b.Spans[0].Begin)
	}
	slices.Sort(r.used)
	if !r.mixed {
		return len(r.used) > 0
	}
	r.used = slices.DeleteFunc(r.used, func(lane uint16) bool {
		bare := r.lanes[lane].bare
		if bare {
			r.lanes[lane] = rowLane{}
		}
		return bare
	})
	for i := range b.Spans {
		if s := &b.Spans[i]; !r.isRow(s) {
			r.plain = append(r.plain, *s)
		}
	}
	return len(r.used) > 0
}

// count counts a span in its lane. base is when the first span of the batch begins.
func (r *rowCodec) count(s *model.Span, base int64) {
	if s.Lane >= mostRowLanes {
		r.mixed = true
		return
	}
	l := &r.lanes[s.Lane]
	if l.n == 0 {
		r.used = append(r.used, s.Lane)
		*l = rowLane{end: base}
	}
	if s.Flags != 0 || s.Begin < l.end || s.End < s.Begin || uint64(s.End-base) > math.MaxUint32 {
		l.bare, r.mixed = true, true
	}
	l.end = s.End
	l.n++
}

// isRow reports whether a span of the batch is a row.
func (r *rowCodec) isRow(s *model.Span) bool {
	return s.Lane < mostRowLanes && r.lanes[s.Lane].n > 0
}

// writeRows writes how many lanes have rows, when the first span of the batch begins, and of each lane the distance
// from the one before and how many rows it has; the rest is in columns.
func (c *codec) writeRows(b *model.Batch) {
	r, base, last := c.rows, b.Spans[0].Begin, uint16(0)
	c.uint(uint64(len(r.used)))
	c.int(base - b.Begin)
	rows := len(r.columns[rowGap])
	for _, lane := range r.used {
		l := &r.lanes[lane]
		c.uint(uint64(lane - last))
		c.uint(uint64(l.n))
		l.at, l.end = rows, base
		last, rows = lane, rows+l.n
	}
	for k := range rowOrder {
		r.columns[k] = slices.Grow(r.columns[k], rows-len(r.columns[k]))[:rows]
	}
	gaps, ns, paths := r.columns[rowGap], r.columns[rowNs], r.columns[rowPath]
	for i := range b.Spans {
		s := &b.Spans[i]
		r.columns[rowOrder] = append(r.columns[rowOrder], uint32(s.Lane))
		if r.mixed && !r.isRow(s) {
			continue
		}
		l := &r.lanes[s.Lane]
		gaps[l.at], ns[l.at], paths[l.at] = uint32(s.Begin-l.end), uint32(s.End-s.Begin), uint32(s.Path)
		l.end = s.End
		l.at++
	}
}

func (r *rowCodec) reset() {
	for k := range r.columns {
		r.columns[k] = r.columns[k][:0]
	}
}

// unpack unpacks the columns, and the order of spans where it is needed.
func (r *rowCodec) unpack(u *unpacker) {
	r.reset()
	for k := range r.columns {
		if k != rowOrder || !r.kept {
			r.columns[k] = unpackColumn(u, r.columns[k])
		}
	}
	r.left = r.columns
	clear(r.lanes[:])
}

// readRows reads the rows of a batch, after its other spans.
func (c *codec) readRows(b *model.Batch) {
	lanes := c.count(0, 2)
	if lanes == 0 {
		return
	}
	r := c.rows
	to := b
	if !r.kept {
		to = &r.unordered
		to.Rows = to.Rows[:0]
	}
	rows, ok := c.runs(to, lanes, b.Begin+c.int(0))
	for i := range to.Rows {
		ok = ok && r.takeRun(&to.Rows[i], &rows)
	}
	if !ok || !r.kept && !r.order(b, to.Rows) {
		c.fail(errRows)
	}
}

// runs reads which lanes have rows, and how many. They begin behind base. It returns the room for the rows; ok is
// false where they are more than may be.
func (c *codec) runs(b *model.Batch, lanes int, base int64) (rows []model.Row, ok bool) {
	total, lane := uint64(0), uint64(0)
	for i := range lanes {
		step, n := c.read(), c.read()
		lane += step
		if step >= mostRowLanes || lane >= mostRowLanes || i > 0 && step == 0 || n == 0 || n > model.MostRows {
			return nil, false
		}
		c.rows.lanes[lane].n = int(n)
		b.Rows = append(b.Rows, model.RowRun{Begin: base, Lane: uint16(lane)})
		total += n
	}
	if total > model.MostRows || total > uint64(len(c.rows.left[rowGap])) {
		return nil, false
	}
	return b.RoomForRows(int(total)), true
}

// takeRun gives a run the next of the room for rows, and fills it from the columns. It returns false where these are
// too short, or the spans too long.
func (r *rowCodec) takeRun(run *model.RowRun, room *[]model.Row) bool {
	n := r.lanes[run.Lane].n
	rows := (*room)[:n:n]
	run.Rows, *room = rows, (*room)[n:]
	for k := range rowOrder {
		if len(rows) > len(r.left[k]) {
			return false
		}
	}
	gaps, ns, paths := r.left[rowGap][:len(rows)], r.left[rowNs][:len(rows)], r.left[rowPath][:len(rows)]
	for k := range rowOrder {
		r.left[k] = r.left[k][len(rows):]
	}
	at, most := uint64(0), uint32(0)
	for i := range rows {
		at += uint64(gaps[i])
		rows[i] = model.Row{Begin: uint32(at), Ns: ns[i], Path: model.PathID(paths[i])}
		at += uint64(ns[i])
		most = max(most, paths[i])
	}
	run.Most = model.PathID(most)
	return at <= math.MaxUint32
}

// order puts the rows of a batch among its other spans. It returns false where these are not those of the order.
func (r *rowCodec) order(b *model.Batch, runs []model.RowRun) bool {
	r.plain = append(r.plain[:0], b.Spans...)
	n := len(r.plain)
	for i := range runs {
		rows := len(runs[i].Rows)
		r.lanes[runs[i].Lane] = rowLane{n: rows, at: i}
		n += rows
	}
	if n > len(r.left[rowOrder]) {
		return false
	}
	order := r.left[rowOrder][:n]
	r.left[rowOrder] = r.left[rowOrder][n:]
	b.Spans = slices.Grow(b.Spans[:0], n)
	plain := 0
	for _, lane := range order {
		if lane < mostRowLanes && r.lanes[lane].n > 0 {
			l := &r.lanes[lane]
			run := &runs[l.at]
			b.Spans = append(b.Spans, run.Span(len(run.Rows)-l.n))
			l.n--
			continue
		}
		if plain == len(r.plain) || uint32(r.plain[plain].Lane) != lane {
			return false
		}
		b.Spans = append(b.Spans, r.plain[plain])
		plain++
	}
	return true
}
