package overview

import (
	"math"
	"math/bits"
	"slices"

	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/spans"
	"framescope/model/store"
)

// overviewData is the activity of a whole session against time, in columns of 2^k ns that are fixed
// in time: while the session grows, only the newest columns of the tracks with new data are queried
// again, and when there are too many columns, each two become one. So an update costs the new data,
// not the stored; and it keeps data that left memory.
type overviewData struct {
	session          *store.Session
	kind             overviewKind
	base             int64 // number of the first column: it begins at base << shift ns
	shift            uint
	n                int   // columns in use
	begin            int64 // earliest time ever seen
	end              int64
	from             int64 // earliest time in memory
	rows             []overviewRow
	at               map[overviewOf]int // the indices of the rows
	left             int                // tracks that have no row, as there are too many
	bars             []spans.Bar
	bins             []spans.SeriesBin
	next             int // row that is looked at first in the next turn
	revSeen, mapSeen uint64
	pending          bool // some rows were not looked at yet
	changes          uint64
}

// overviewKind is the figure of the columns.
type overviewKind uint8

const (
	overviewSpans    overviewKind = iota // the share of time in which the outermost row was busy
	overviewLoad                         // processor load, where threads have it: a span that waits is no activity
	overviewPassages                     // spans of things passing through elements: several at a time
	overviewEvents                       // how much came in, where there is none of these
)

// overviewOf is what a row shows: a track, messagesRow or samplesRow, and a series of its load.
type overviewOf struct {
	track  model.TrackID
	series model.SeriesID
}

// overviewRow is a track, or all samples or messages of a session.
type overviewRow struct {
	overviewOf
	seen   overviewSeen // state at the last query
	doneNs int64        // up to here its columns are complete
	weight []float64    // by column: ns busy, or number of events
	total  float64
	keep   bool
}

type overviewSeen struct{ n, end int64 }

const (
	overviewColumns = 2048 // at most; half of them at least are in use
	overviewRows    = 32   // looked at in one tick
	overviewRowsMax = 512  // tracks at most; further ones are left out
	overviewLiveNs  = 100_000_000
)

// messagesRow and samplesRow stand for all messages and all samples.
const (
	messagesRow model.TrackID = -2
	samplesRow  model.TrackID = -3
)

func (d *overviewData) columnNs() int64      { return 1 << d.shift }
func (d *overviewData) columnAt(t int64) int { return int(t>>d.shift - d.base) }
func (d *overviewData) timeOf(col int) int64 { return (d.base + int64(col)) << d.shift }

// update brings the columns up to the session's state. With a bound, it looks at overviewRows rows
// and goes on in the next tick.
func (d *overviewData) update(v *view.View, bounded bool) {
	s := v.Session()
	if s != d.session {
		*d = overviewData{session: s, rows: d.rows[:0], at: d.at, bars: d.bars, bins: d.bins, changes: d.changes + 1,
			revSeen: math.MaxUint64}
	}
	if s.Revision() == d.revSeen && v.Look().ShownStamp() == d.mapSeen && !d.pending {
		return
	}
	begin, end, ok := s.Bounds()
	if !ok {
		return
	}
	if s.Revision() != d.revSeen || v.Look().ShownStamp() != d.mapSeen {
		d.revSeen, d.mapSeen = s.Revision(), v.Look().ShownStamp()
		d.stretch(begin, end)
		d.choose(v)
	}
	d.fill(bounded)
	d.changes++
}

// stretch makes the columns cover [begin, end].
func (d *overviewData) stretch(begin, end int64) {
	d.from = begin
	if d.n == 0 || begin < d.begin {
		d.begin, d.end = begin, end
		d.rows = d.rows[:0]
		d.shift = uint(bits.Len64(uint64((end - begin) / (overviewColumns - 2))))
		d.base = begin >> d.shift
		d.n = d.columnAt(end) + 1
		return
	}
	d.end = max(d.end, end)
	for d.columnAt(d.end) >= overviewColumns {
		odd := int(d.base & 1)
		for i := range d.rows {
			d.rows[i].halve(odd)
		}
		d.shift++
		d.base >>= 1
	}
	d.n = d.columnAt(d.end) + 1
}

// halve makes one column of two; the first stands alone if odd is 1.
func (r *overviewRow) halve(odd int) {
	w := r.weight
	if len(w) == 0 {
		return // not looked at yet
	}
	for i := 0; i < len(w); i++ {
		j := (i + odd) / 2
		x := w[i]
		if i > 0 && (i+odd)%2 == 1 {
			w[j] += x
		} else {
			w[j] = x
		}
	}
	n := (len(w) + odd + 1) / 2
	clear(w[n:])
	r.weight = w[:n]
}

// choose chooses the figure of the columns, and their rows.
func (d *overviewData) choose(v *view.View) {
	s := d.session
	loads, spans := false, false
	for _, id := range s.Series().ByRole(model.RoleCPULoad) {
		loads = loads || s.Series().ByID(id).Def.Track != model.NoTrack
	}
	visible := v.Look().VisibleTracks()
	threads := false
	for _, id := range visible {
		if t := s.Track(id); t.NumSpans() > 0 {
			spans = true
			threads = threads || t.Def.Kind.Calls()
		}
	}
	kind := overviewEvents
	switch {
	case loads:
		kind = overviewLoad
	case threads:
		kind = overviewSpans
	case spans:
		kind = overviewPassages
	}
	if kind != d.kind {
		d.kind, d.rows = kind, d.rows[:0]
	}
	if d.at == nil {
		d.at = map[overviewOf]int{}
	}
	clear(d.at)
	for i := range d.rows {
		d.rows[i].keep = false
		d.at[d.rows[i].overviewOf] = i
	}
	d.left = 0
	switch kind {
	case overviewEvents:
		d.row(messagesRow, model.NoSeries)
		d.row(samplesRow, model.NoSeries)
	case overviewSpans, overviewPassages:
		for _, id := range visible {
			if t := s.Track(id); t.NumSpans() > 0 && t.Def.Kind.Calls() == threads {
				d.row(id, model.NoSeries)
			}
		}
	case overviewLoad:
		for _, id := range visible {
			if load := subject.LoadSeries(s, id); load != model.NoSeries {
				d.row(id, load)
			}
		}
	}
	d.rows = slices.DeleteFunc(d.rows, func(r overviewRow) bool { return !r.keep })
}

// row keeps the row of a track, or adds it in its place: the order is that of the calls.
func (d *overviewData) row(id model.TrackID, series model.SeriesID) {
	of := overviewOf{id, series}
	if i, ok := d.at[of]; ok {
		d.rows[i].keep = true
		return
	}
	if len(d.rows) >= overviewRowsMax {
		d.left++
		return
	}
	r := overviewRow{overviewOf: of, keep: true, doneNs: d.timeOf(0), seen: overviewSeen{-1, 0},
		weight: make([]float64, 0, overviewColumns)}
	d.rows = append(d.rows, r)
}

// fill updates the newest columns of the rows with new data.
func (d *overviewData) fill(bounded bool) {
	asked := 0
	n := len(d.rows)
	d.pending = false
	for k := range n {
		i := (d.next + k) % n
		r := &d.rows[i]
		now := d.state(r)
		if now == r.seen {
			continue
		}
		if bounded && asked == overviewRows {
			d.next, d.pending = i, true
			return
		}
		asked++
		r.seen = now
		col := min(max(d.columnAt(r.doneNs), 0), d.n-1)
		for _, w := range r.weight[min(col, len(r.weight)):] {
			r.total -= w
		}
		r.weight = r.weight[:d.n]
		clear(r.weight[col:])
		switch {
		case r.track == messagesRow:
			d.fillMessages(r, col)
		case r.track == samplesRow:
			d.fillSamples(r, col)
		case r.series != model.NoSeries:
			d.fillLoad(r, col)
		default:
			d.fillSpans(r, col)
		}
		for _, w := range r.weight[col:] {
			r.total += w
		}
	}
}

// state returns the inputs of a row's columns.
func (d *overviewData) state(r *overviewRow) overviewSeen {
	s := d.session
	switch {
	case r.track == messagesRow, r.track == samplesRow:
		return overviewSeen{int64(d.revSeen), d.end}
	case r.series != model.NoSeries:
		x := s.Series().ByID(r.series)
		_, end, _ := x.Bounds()
		return overviewSeen{x.Len(), end}
	}
	t := s.Track(r.track)
	_, end, _ := t.Bounds()
	return overviewSeen{t.NumSpans(), end}
}

// fillSpans reads the outermost row of a track from a column on; if frames overlap, in each column
// the busiest row counts.
func (d *overviewData) fillSpans(r *overviewRow, col int) {
	t0, width := d.timeOf(col), d.columnNs()
	lanes := 1
	if d.session.Spans().Overlaps(r.track) {
		lanes = d.session.Track(r.track).Lanes()
	}
	for lane := range lanes {
		d.bars = d.session.Spans().Visible(r.track, lane, t0, d.end, width, d.bars[:0])
		at, weight := col, 0.0 // of the lane in a column
		for i := range d.bars {
			b := &d.bars[i]
			begin, end := max(b.Begin, t0), b.End
			r.doneNs = max(r.doneNs, end)
			for c := d.columnAt(begin); c < d.n && begin < end; c++ {
				if c > at {
					at, weight = c, 0
				}
				to := min(end, d.timeOf(c+1))
				weight = min(weight+float64(to-begin)*float64(b.Busy), float64(width))
				r.weight[c] = max(r.weight[c], weight)
				begin = to
			}
		}
	}
}

// fillLoad reads the load of a track from a column on: the mean of a column's samples, else the
// value in force.
func (d *overviewData) fillLoad(r *overviewRow, col int) {
	x := d.session.Series().ByID(r.series)
	d.bins = x.Bins(d.timeOf(col), d.timeOf(d.n), d.n-col, d.bins[:0])
	for i := range d.bins {
		v, _ := d.bins[i].Load(x)
		r.weight[col+i] = v * float64(d.columnNs())
	}
	if _, last, any := x.Bounds(); any {
		r.doneNs = max(r.doneNs, last)
	}
}

// fillSamples counts the samples of all series from a column on.
func (d *overviewData) fillSamples(r *overviewRow, col int) {
	s := d.session
	for id := range model.SeriesID(min(s.Series().Len(), overviewRowsMax)) {
		x := s.Series().ByID(id)
		if x == nil || x.Len() == 0 {
			continue
		}
		d.bins = x.Bins(d.timeOf(col), d.timeOf(d.n), d.n-col, d.bins[:0])
		for i := range d.bins {
			r.weight[col+i] += float64(d.bins[i].N)
		}
	}
	r.doneNs = d.end
}

// fillMessages counts the messages of all tracks from a column on.
func (d *overviewData) fillMessages(r *overviewRow, col int) {
	q := messages.Query{MinSeverity: model.SeverityTrace}
	before, share := d.session.Messages().IndexSoFar(q, d.timeOf(col))
	if share < 1 {
		r.seen, d.pending = overviewSeen{-1, 0}, true
		return // as soon as they are in order
	}
	for c := col; c < d.n; c++ {
		n, _ := d.session.Messages().IndexSoFar(q, d.timeOf(c+1))
		r.weight[c] = float64(n - before)
		before = n
	}
	r.doneNs = d.end
}
