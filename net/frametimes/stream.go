package frametimes

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// Rows of a stream among which late ones are put in order while a table is written, and in a file.
const (
	fewRows  = 32
	manyRows = 1 << 12
)

// stream holds the frames of one swap chain, or those among them that the driver made.
type stream struct {
	d         *decoder
	name      string
	generated bool
	def       model.TrackDef
	out       *trace.StackThread
	gpu       *trace.StackThread // nil: none
	series    []series           // of the layout's columns
	window    int                // rows that wait for earlier ones
	held      []*row
	sum       int64 // of lengths
	from      int64 // time of the newest row that was released
	number    int64
	rows      int
	unshown   int
	present   int64 // how long the Present took that began when the newest frame ended, see frameEnd
	frameEnd  int64
	rowEnd    int64 // end of the newest row
	paths     map[string]model.PathID
}

// series is what a stream has of a column.
type series struct {
	def     model.SeriesDef // States grows
	defined int             // states, or 1
	refused bool
	now     float64        // the state
	states  map[string]int // by text
}

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
		d: d, name: "Frames", generated: generated, from: never, frameEnd: never, paths: map[string]model.PathID{},
		series: make([]series, len(l.values)),
	}
	s.def = model.TrackDef{ID: model.NoTrack, Index: len(d.order) + 1, Object: model.NoObject, Peer: model.NoObject}
	if l.has(application) {
		s.def.Main = m == d.main && !generated
		s.def.Process, s.name = d.titles(m)
		s.window = fewRows
		if d.info.File {
			s.window = manyRows
		}
	}
	gpu := s.def
	gpu.Name, gpu.Kind, gpu.Main = s.name+" GPU", model.TrackGPU, false
	key := m.key
	if generated {
		s.name += " generated"
		key += "g"
		s.def.Kind = model.TrackAsync
	}
	if l.frames || l.has(application) {
		s.def.Name = s.name
		id, ok := d.names.Track(key, s.def)
		if !ok {
			return nil
		}
		s.def.ID = id
	}
	s.out = d.out.Calls(s.def.ID)
	if l.has(gpuFrom) && l.frames && !generated {
		if id, ok := d.names.Track(key+"gpu", gpu); ok {
			s.gpu = d.out.Calls(id)
		}
	}
	for i, c := range l.values {
		x := &s.series[i]
		x.now, x.states = -1, map[string]int{}
		x.def = model.SeriesDef{
			Name: s.name, Group: trace.Shown(c.group), Unit: trace.Shown(c.unit), Kind: c.kind, Track: s.def.ID,
			Object: model.NoObject, Peer: model.NoObject,
		}
		switch {
		case c.kind == model.SeriesEvent:
			x.def.Description = "frames that were made, but never came to the screen"
		case c.kind == model.SeriesValue && !l.has(application):
			x.def.Name = trace.Shown(c.name)
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

// measure reads all that was measured in a row.
func (s *stream) measure(r *row, cells [][]byte) {
	d, l := s.d, s.d.l
	for i := range l.values {
		c, cell, v := &l.values[i], cells[l.values[i].at], math.NaN()
		switch c.kind {
		case model.SeriesState:
			v = s.series[i].state(cell, c.name)
		case model.SeriesEvent:
			if string(cell) == "1" && l.has(dropped) || missing(cell) && !l.has(dropped) {
				v = 1
			}
		default:
			n, ok := parseNumber(cell, l.head.comma)
			switch {
			case ok && (n != 0 || !c.zeroless):
				v = n * c.factor
			case !ok && !missing(cell):
				d.bad.Bad(trace.BadNumber, r.line)
			}
		}
		r.values = append(r.values, v)
	}
	r.busy, _ = l.ms(cells, busy)
	r.wait, _ = l.ms(cells, wait)
	r.present, _ = l.ms(cells, inPresent)
	r.busy, r.wait, r.present = max(r.busy, 0), max(r.wait, 0), max(r.present, 0)
	if from, ok := l.ms(cells, gpuFrom); ok {
		r.gpu, r.gpuEnd = from, from
		if till, ok := l.ms(cells, gpuTill); ok {
			r.gpuEnd = till
		} else if n, ok := l.ms(cells, gpuFor); ok {
			r.gpuEnd = from + n
		}
	}
	if s.generated {
		r.kind = s.path(model.PathRoot, string(l.cell(cells, frameType)))
	}
}

// state returns the number of a state by its text, NaN without one. PresentMon has numbers where others have words.
func (x *series) state(text []byte, column string) float64 {
	if missing(text) || len(text) > maxState {
		return math.NaN()
	}
	if n, ok := x.states[string(text)]; ok {
		return float64(n)
	}
	n := len(x.def.States)
	if n >= mostStates {
		return float64(n - 1)
	}
	name := trace.Shown(string(bytes.TrimSpace(text)))
	switch {
	case column == "Sync interval":
		name = "interval " + strings.Replace(name, "-", "\u2212", 1)
	case column == "Allows tearing" && (name == "0" || name == "1"):
		name = map[string]string{"0": "no", "1": "yes"}[name]
	}
	if n == mostStates-1 {
		name = "(others)"
	}
	x.states[string(text)] = n
	x.def.States = append(slices.Clone(x.def.States), name)
	return float64(n)
}

// define defines the series of the values that a row is the first to have, in the order in which rows come, whatever
// the order is in which they are let go. A zero is none where a column has had nothing else.
func (s *stream) define(r *row) {
	d := s.d
	for i, v := range r.values {
		c, x := &d.l.values[i], &s.series[i]
		switch {
		case v != v || x.refused:
			continue
		case v == 0 && c.hidden:
			r.values[i] = math.NaN()
			continue
		case x.defined > 0 && x.defined >= len(x.def.States):
			continue
		case x.defined > 0:
			d.sink.Define(x.def)
		case d.series >= maxSeries || !d.room.Admit(x.def):
			x.refused = true
			d.bad.Bad(trace.ManyCounters, trace.Unknown)
		default:
			x.def.ID = d.out.Series(x.def)
			d.series++
		}
		c.hidden = false
		x.defined = max(len(x.def.States), 1)
	}
}

// addRow adds a row with its place.
func (s *stream) addRow(r *row) {
	s.define(r)
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

// release lets rows go, but for so many. The last of rows that end where the next begins stays.
func (s *stream) release(most int) {
	if !s.d.l.steps {
		s.letAll(max(len(s.held)-most, 0))
	}
}

// letAll lets the first n rows go, in order of time.
func (s *stream) letAll(n int) {
	trace.SortRuns(s.held, func(a, b *row) int { return cmp.Compare(a.at, b.at) })
	for _, r := range s.held[:n] {
		s.let(r)
	}
	s.held = slices.Delete(s.held, 0, n)
}

// end ends a recording. The last of rows that end where the next begins is no frame.
func (s *stream) end() {
	s.letAll(len(s.held))
	for i := range s.series { // the current states hold until here; the next ones are unknown
		if x := &s.series[i]; x.now >= 0 {
			x.now = -1
			s.out.Value(model.Sample{Series: x.def.ID, Time: s.rowEnd, Value: math.NaN()})
		}
	}
	s.out.Flush(never)
	if s.gpu != nil {
		s.gpu.Flush(never)
	}
	s.from, s.frameEnd = never, never
}

// let publishes a row.
func (s *stream) let(r *row) {
	d := s.d
	d.free = append(d.free, r)
	if r.at < s.from && d.l.has(application) {
		d.bad.Bad(trace.BadTime, r.line)
		return
	}
	s.from = r.at
	s.rows++
	isFrame := r.frame && !s.generated
	follows := isFrame && s.fit(r)
	s.rowEnd = max(r.begin, r.end)
	if s.gpu != nil && r.gpuEnd > r.gpu {
		if r.gpu < s.gpu.Last() {
			d.notes[gpuOverlaps]++
		}
		call(s.gpu, s.path(model.PathRoot, d.l.gpuName), r.gpu, r.gpuEnd)
	}
	if s.generated {
		d.notes[generated]++
		call(s.out, r.kind, r.begin, r.end)
	}
	if isFrame {
		s.out.Flush(never)
	}
	s.sample(r)
	if isFrame {
		s.frame(r, follows)
	}
}

// sample takes the values of a row, at the begin of its frame.
func (s *stream) sample(r *row) {
	for i, v := range r.values {
		x, kind := &s.series[i], s.d.l.values[i].kind
		switch {
		case v != v || kind == model.SeriesState && v == x.now:
			continue
		case kind == model.SeriesState:
			x.now = v
		case kind == model.SeriesEvent:
			s.unshown++
		}
		if !x.refused {
			s.out.Value(model.Sample{Series: x.def.ID, Time: r.begin, Value: v})
		}
	}
}

// call takes a span of a lane. One that begins before the end of the one before is cut.
func call(t *trace.StackThread, path model.PathID, from, to int64) {
	if from = max(from, t.Last()); to > from {
		t.Enter(from, path, 0)
		t.Leave(to, false)
	}
}

// path returns the call path of a span.
func (s *stream) path(parent model.PathID, name string) model.PathID {
	p, ok := s.paths[name]
	if !ok {
		p = s.d.names.Path(parent, s.d.names.Collector([]byte(name)))
		s.paths[name] = p
	}
	return p
}

// frame publishes a frame, with the processor's spans in it. One that follows another at once begins in the other's
// call of Present.
func (s *stream) frame(r *row, follows bool) {
	d := s.d
	if d.l.has(number) { // missing numbers were never received, unless the file says that none is missing
		if skips := r.follows && r.number > s.number && s.number > 0; skips && !s.def.Skips {
			s.def.Skips = true
			d.sink.Define(s.def)
		}
		s.number = max(s.number, r.number)
	}
	at, present := max(r.begin, s.out.Last()), s.present
	s.present = r.present
	if r.end > at {
		whole := s.path(model.PathRoot, "Frame")
		part := func(name string, from, ns int64) {
			if ns > 0 {
				call(s.out, s.path(whole, name), from, min(from+ns, r.end))
			}
		}
		s.out.Enter(at, whole, 0)
		if follows {
			part("In Present", at, present)
		}
		part("CPU busy", r.begin, r.busy)
		part("CPU wait", r.begin+r.busy, r.wait)
		s.out.Leave(r.end, false)
	}
	s.out.Frame(trace.StackFrame{Number: s.number, Begin: r.begin, End: r.end})
	s.number++
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
