package frametimes

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

const (
	fewRows  = 32      // rows of a stream among which late ones are put in order while a table is written,
	manyRows = 1 << 12 // and in a file,
	mostRows = 1 << 16 // and where some are in no order
	never    = math.MinInt64
)

// stream holds the frames of one swap chain, or those among them that the driver made.
type stream struct {
	d         *decoder
	name      string
	generated bool
	track     model.TrackID
	def       model.TrackDef
	own       lane             // besides frames
	gpu       *lane            // nil: none
	series    []model.SeriesID // of the layout's values
	states    []states
	shown     model.SeriesID // of frames that were not shown
	window    int            // rows that wait for earlier ones
	held      []*row
	sum       int64 // of lengths
	from      int64 // time of the newest row that was released
	number    int64
	rows      int
	unshown   int
	spanEnd   int64
	present   int64 // how long the Present took that began when the newest frame ended, see frameEnd
	frameEnd  int64
	rowEnd    int64 // end of the newest row
	paths     [len(spanNames)]model.PathID
}

// undefined and refused stand for series.
const (
	undefined = model.NoSeries
	refused   = model.NoSeries - 1
)

// stream returns the stream of a row, nil where there are too many.
func (d *decoder) stream(cells [][]byte) *stream {
	m := d.met.streamOf(cells)
	if m == nil {
		return nil
	}
	byDriver := 0
	if d.l.generated(cells) {
		byDriver = 1
	}
	if m.made[byDriver] == nil {
		m.made[byDriver] = d.newStream(m, byDriver == 1)
	}
	return m.made[byDriver]
}

func (d *decoder) newStream(m *met, generated bool) *stream {
	l := d.l
	s := &stream{
		d: d, generated: generated, track: model.NoTrack, shown: undefined, from: never, spanEnd: never, frameEnd: never,
	}
	def := model.TrackDef{Index: len(d.order) + 1, Object: model.NoObject, Peer: model.NoObject}
	app := "Frames"
	if l.application >= 0 {
		def.Main = m == d.main && !generated
		def.Process, app = d.titles(m)
		s.window = fewRows
		if d.info.File {
			s.window = manyRows
		}
	}
	s.name = app
	key := m.key()
	if generated {
		s.name += " generated"
		key += "g"
		def.Kind = model.TrackAsync
	}
	if l.frames || l.application >= 0 {
		def.Name = s.name
		id, ok := d.names.Track(key, def)
		if !ok {
			return nil
		}
		s.track, def.ID = id, id
		s.def = def
	}
	s.own = lane{d: d, track: s.track, end: never}
	s.series = slices.Repeat([]model.SeriesID{undefined}, len(l.values))
	s.states = make([]states, len(l.states))
	for i := range s.states {
		s.states[i] = states{id: undefined, now: -1, of: map[string]int32{}}
	}
	if l.gpuFrom >= 0 && l.frames && !generated {
		gpu := model.TrackDef{
			Name: app + " GPU", Kind: model.TrackGPU, Index: def.Index, Process: def.Process,
			Object: model.NoObject, Peer: model.NoObject,
		}
		if id, ok := d.names.Track(key+"gpu", gpu); ok {
			s.gpu = &lane{d: d, track: id, end: never}
		}
	}
	d.order = append(d.order, s)
	return s
}

// titles returns what the process of a stream is called, empty where there is one, and its swap chain.
func (d *decoder) titles(m *met) (process, chain string) {
	processes, alike, chains := false, false, false // others
	for _, x := range d.met.list {
		processes = processes || x.app != m.app || x.pid != m.pid
		alike = alike || x.app == m.app && x.pid != m.pid
		chains = chains || x.app == m.app && x.pid == m.pid && x.chain != m.chain
	}
	chain = m.app
	if alike {
		chain += " " + m.pid
	}
	if processes {
		process = trace.Shown(m.app + " " + m.pid)
	}
	if chains {
		chain += " 0x" + cmp.Or(strings.TrimLeft(strings.TrimPrefix(m.chain, "0x"), "0"), "0")
	}
	return process, trace.Shown(chain)
}

// addRow adds a row with its place.
func (s *stream) addRow(r *row) {
	s.defineNew(r)
	switch {
	case s.d.l.steps:
		s.step(r)
	case s.window == 0:
		s.let(r)
	default:
		if s.held = append(s.held, r); len(s.held) >= 2*s.window {
			s.release(s.window)
		}
	}
}

// step takes a row that ends where the next begins.
func (s *stream) step(r *row) {
	for _, h := range s.held {
		if h.end = r.begin; h.end-h.begin > s.d.l.gapNs && s.d.l.gapNs > 0 {
			s.d.notes[gaps]++
		} else {
			h.frame = s.d.l.frames && h.end >= h.begin
		}
		s.let(h)
	}
	s.held = append(s.held[:0], r)
}

// release lets rows go, but for so many. The last of rows that end where the next begins stays. Those of a
// file that are in no order wait for more.
func (s *stream) release(most int) {
	switch {
	case s.d.l.steps:
	case most >= manyRows && s.window < mostRows && !slices.IsSortedFunc(s.held, byTime):
		s.window = mostRows
	default:
		s.letAll(max(len(s.held)-most, 0))
	}
}

func byTime(a, b *row) int { return cmp.Compare(a.at, b.at) }

// letAll lets the first n rows go, in order of time.
func (s *stream) letAll(n int) {
	trace.SortRuns(s.held, byTime)
	for _, r := range s.held[:n] {
		s.let(r)
	}
	s.held = slices.Delete(s.held, 0, n)
}

// end ends a recording. The last of rows that end where the next begins is no frame.
func (s *stream) end() {
	s.letAll(len(s.held))
	for i := range s.states { // the current states hold until here; the next ones are unknown
		if x := &s.states[i]; x.now >= 0 {
			x.now = -1
			s.own.samples = append(s.own.samples, model.Sample{Series: x.id, Time: s.rowEnd, Value: math.NaN()})
		}
	}
	s.flush()
	s.from, s.frameEnd = never, never
}

// let publishes a row.
func (s *stream) let(r *row) {
	d := s.d
	d.free = append(d.free, r)
	if r.at < s.from && d.l.application >= 0 {
		d.bad.Bad(trace.BadTime, r.line)
		return
	}
	s.from = r.at
	s.rows++
	follows := r.frame && !s.generated && s.fit(r)
	s.rowEnd = max(r.begin, r.end)
	if s.gpu != nil && r.gpuEnd > r.gpu {
		if r.gpu < s.gpu.end {
			d.notes[gpuOverlaps]++
		}
		s.gpu.add(r.gpu, r.gpuEnd, s.path(gpuWork))
	}
	if s.generated {
		d.notes[generated]++
		s.own.add(r.begin, r.end, r.kind)
	}
	if !r.frame || s.generated {
		s.own.samples = s.measured(s.own.samples, r)
		s.own.flush(looseRows)
		return
	}
	s.own.flush(1)
	s.frame(r, follows)
}

// frame publishes a frame.
func (s *stream) frame(r *row, follows bool) {
	d := s.d
	if d.l.number >= 0 { // missing numbers were never received, unless the file says that none is missing
		if skips := r.follows && r.number > s.number && s.number > 0; skips && !s.def.Skips {
			s.def.Skips = true
			d.sink.Define(s.def)
		}
		s.number = max(s.number, r.number)
	}
	b := d.sink.Begin()
	b.Track, b.HasFrame, b.Number, b.Begin, b.End = s.track, true, s.number, r.begin, r.end
	s.number++
	b.Samples = s.measured(b.Samples, r)
	s.frameSpans(b, r, follows)
	d.publish(b)
}

// fit moves a frame behind the end of the one before and keeps its measured length: times are rounded or slightly
// off. It reports whether the frame follows at once, within that tolerance. A frame that begins further before
// that end is cut.
func (s *stream) fit(r *row) (follows bool) {
	before := s.frameEnd
	if before == never {
		s.frameEnd = r.end
		return false
	}
	loose := max((r.end-r.begin)/2, s.d.l.time.step())
	if late := before - r.begin; late > loose {
		s.d.notes[cut]++
	} else if late > 0 {
		r.begin, r.end, r.gpu, r.gpuEnd = r.begin+late, r.end+late, r.gpu+late, r.gpuEnd+late
	}
	s.frameEnd = max(r.end, before)
	return r.begin-before <= loose
}

// flush publishes everything outside of frames.
func (s *stream) flush() {
	if s.gpu != nil {
		s.gpu.flush(1)
	}
	s.own.flush(1)
}
