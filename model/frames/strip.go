package frames

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// StripMode is the way frames become the columns of a strip chart.
type StripMode uint8

const (
	// StripHold shows in each column the newest frame that began by then (VIEWER.md section
	// 9.2).
	StripHold StripMode = iota
	// StripMax shows in each column the frame with the greatest net value of those that begin in
	// it, so that no spike hides.
	StripMax
	// StripSmooth shows the time-weighted mean of the last SmoothNs (VIEWER.md section 9.3,
	// intended).
	StripSmooth
)

// defaultSmoothNs is pstats-average-time.
const defaultSmoothNs = 3e9

// StripQuery is a query of the bands of a strip chart.
type StripQuery struct {
	Track model.TrackID
	Focus model.CollectorID
	// Open is a collector below the focus: in place of it, and of those between it and the focus, stand
	// their children and what is their own. Else nothing is opened.
	Open     model.CollectorID
	Levels   bool // counter values instead of times
	T0, T1   int64
	Folds    *model.Folds // if there are any, T0 and T1 are places on their axis
	Columns  int
	Mode     StripMode
	SmoothNs int64 // 0 means 3 s
}

// Strip is the answer: Columns × len(Bands) values. The buffers are reused from call to call, and
// with them the net values of frames once read.
type Strip struct {
	// Bands are stacked from the bottom: the children of the focus in descending sort, then the
	// focus itself (its own self time). Only those with a value somewhere in the columns are
	// there.
	Bands   []model.CollectorID
	Values  []float32 // [column*len(Bands)+band]: seconds, or the levels' unit
	Columns []StripColumn
	Max     float64 // greatest column net

	reader bandReader
	nets   netCache
	cells  []stripCell
	spans  []cellSpan // of each column: its cells
	slot   []int32    // of each of the reader's bands: its place in Bands, -1 if it is not used
	loose  []looseCursor

	sums   frameSums
	smooth smoothRoom
}

// StripColumn describes a column.
type StripColumn struct {
	Frame  int32 // index of the frame shown, -1 none; in a gap, the one before it
	Frames int32 // frames that begin in this column
	Net    float32
	State  ColumnState
	// Least and Mean are of the levels of the frames that begin in this column, for StripMax; Net is the greatest.
	Least, Mean float32
}

// ColumnState is whether a column shows received data.
type ColumnState uint8

const (
	ColumnEmpty   ColumnState = iota // before the first frame, after the end of the last, or nothing received at all
	ColumnData                       // received
	ColumnMissing                    // inside a gap: values are interpolated between the neighbours
	ColumnStopped                    // inside a stop: times have no values there
)

// stripCell is a value of a band of the reader in a column.
type stripCell struct {
	band int32
	v    float64
}

type cellSpan struct{ from, to int32 }

const (
	maxStripColumns = 1 << 16
	// maxStripBands bounds the bands of an answer: further values go to the focus's own band.
	maxStripBands = 1024
)

// Strip answers q into out. A column shows [T0 + (T1-T0)·x/Columns, the begin of the next); its
// time is its left edge. Levels of tracks without frames are held from value to value, in every
// mode. Cost: O(columns · (bands + log frames)), for StripMax and StripSmooth plus the rows of the
// frames in view on the first query.
func (x *Table) Strip(q StripQuery, out *Strip) {
	out.Bands, out.Values, out.Columns, out.Max = out.Bands[:0], out.Values[:0], out.Columns[:0], 0
	t := x.track(q.Track)
	q.Columns = min(max(q.Columns, 0), maxStripColumns)
	q.T0, q.T1 = model.ClampTime(q.T0), model.ClampTime(q.T1)
	if q.SmoothNs <= 0 {
		q.SmoothNs = defaultSmoothNs
	}
	q.SmoothNs = min(q.SmoothNs, model.MaxTime)
	out.Columns = slices.Grow(out.Columns, q.Columns)[:q.Columns]
	for x := range out.Columns {
		out.Columns[x] = StripColumn{Frame: -1}
	}
	if t == nil || q.T1 <= q.T0 || q.Columns == 0 {
		return
	}
	out.reader.aim(x.host.Collectors.Tree(), q.Focus, q.Open, q.Levels)
	if len(out.reader.bands) == 0 {
		return
	}
	out.reader.frames = 0
	out.cells = out.cells[:0]
	out.spans = slices.Grow(out.spans[:0], q.Columns)[:q.Columns]
	clear(out.spans)
	switch {
	case t.frames.n() > 0:
		out.fillFrames(t, &q)
	case q.Levels:
		out.fillLoose(t, &q)
	}
	x.visited = int64(len(out.cells)) + out.reader.frames
	out.finish(q.Levels)
}

// ColumnTime returns the left edge of column x.
func (q *StripQuery) ColumnTime(x int) int64 {
	width, columns := q.T1-q.T0, int64(q.Columns)
	at := q.T0 + width/columns*int64(x) + width%columns*int64(x)/columns
	if q.Folds == nil {
		return at
	}
	return int64(q.Folds.Long(float64(at)))
}

// advance returns f.at(timeNs) given that it is at least p. It is quick where the answer is near
// p+step.
func (f *list) advance(p, timeNs, step int64) int64 {
	return columns.SearchNear(p+1, f.number.End(), p+1+step, func(i int64) bool { return f.latest.At(i) > timeNs }) - 1
}

// fillFrames finds the frames of each column, and its cells.
func (out *Strip) fillFrames(t *Thread, q *StripQuery) {
	f := &t.frames
	last := f.number.End() - 1
	if q.Mode == StripMax {
		out.nets.want(out, t, q)
	}
	var smooth smoother
	if q.Mode == StripSmooth {
		smooth.start(out, t, q)
	}
	before := f.at(q.ColumnTime(0) - 1) // the last frame that began before the column
	step := int64(1)                    // from column to column, about
	shown := int64(-1)                  // source of the whole cells of the column before
	for x := range out.Columns {
		begin, end := q.ColumnTime(x), q.ColumnTime(x+1)
		p := f.advance(before, begin, 1)
		next := f.advance(p, end-1, step)
		step = next - p
		col := &out.Columns[x]
		col.Frames = int32(min(max(next-before, 0), math.MaxInt32))
		if end == begin {
			next, col.Frames = before, 0
		}
		gap := false
		if q.Mode == StripMax && col.Frames > 0 {
			p = out.nets.worst(before+1, next+1)
			if q.Levels {
				col.Least, col.Mean = out.nets.spread(before+1, next+1)
			}
		} else if p >= f.first {
			if p == last && begin > f.end.At(p) {
				p = f.first - 1 // nothing was received of this time
			} else {
				gap = p < last && begin >= f.end.At(p) && f.gapBefore(p+1) > 0
			}
		}
		before = next
		if p < f.first {
			shown = -1
			continue
		}
		col.Frame, col.State = int32(p-f.first), ColumnData
		if !q.Levels && f.stoppedAt(p, begin) {
			col.State, shown = ColumnStopped, -1
			continue
		}
		if gap {
			col.State = ColumnMissing
		}
		switch {
		case q.Mode == StripSmooth:
			out.spans[x] = smooth.column(x, begin)
		case gap:
			share := 0.0
			if from, to := f.end.At(p), f.begin.At(p+1); to > from {
				share = float64(begin-from) / float64(to-from)
			}
			out.reader.read(t, p, 1-share)
			out.reader.read(t, p+1, share)
			out.spans[x] = out.takeCells()
			shown = -1
		case p == shown:
			out.spans[x] = out.spans[x-1]
		default:
			out.reader.read(t, p, 1)
			out.spans[x] = out.takeCells()
			shown = p
		}
	}
}

// takeCells moves the reader's sums to cells.
func (out *Strip) takeCells() cellSpan {
	r := &out.reader
	from := int32(len(out.cells))
	for _, k := range r.used {
		if r.shows(k) {
			out.cells = append(out.cells, stripCell{k, r.val[k]})
		}
	}
	r.clear()
	return cellSpan{from, int32(len(out.cells))}
}

// finish makes bands and values from the cells.
func (out *Strip) finish(levels bool) {
	bands := out.reader.bands
	out.slot = slices.Grow(out.slot[:0], len(bands))[:len(bands)]
	for k := range out.slot {
		out.slot[k] = -1
	}
	for i := range out.cells {
		out.slot[out.cells[i].band] = 0
	}
	own := len(bands) - 1
	for k, c := range bands {
		if out.slot[k] < 0 {
			continue
		}
		if len(out.Bands) == maxStripBands-1 && k < own {
			out.slot[k] = int32(len(out.Bands)) // the focus's, which comes next
			out.slot[own] = 0
			continue
		}
		out.slot[k] = int32(len(out.Bands))
		out.Bands = append(out.Bands, c)
	}
	n := len(out.Bands)
	out.Values = slices.Grow(out.Values, n*len(out.Columns))[:n*len(out.Columns)]
	clear(out.Values)
	scale := 1e-9
	if levels {
		scale = 1
	}
	for x := range out.Columns {
		row := out.Values[x*n : (x+1)*n]
		net := 0.0
		for _, cell := range out.cells[out.spans[x].from:out.spans[x].to] {
			v := cell.v * scale
			row[out.slot[cell.band]] += float32(v)
			net += v
		}
		out.Columns[x].Net = float32(net)
		out.Max = max(out.Max, net)
	}
}
