package frametimes

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

const (
	sortedRows = 32  // rows of a swap chain among which late ones are put in order
	looseSpans = 512 // that one batch has
	looseRows  = 1024
)

// row is a row that waits for those before it.
type row struct {
	at          int64 // its time: that of its begin or of its end
	begin, end  int64
	number      int64
	follows     bool // no frame is missing before it, though numbers may be left out
	frame       bool
	unshown     bool
	busy, wait  int64
	present     int64 // how long the call of Present took with which the frame ended
	gpu, gpuEnd int64
	values      []float64 // NaN is missing
	states      []int32   // −1 is missing
	kind        model.PathID
	hasGPU      bool
}

// mostValue is the bound of measured values.
const mostValue = 1e100

// mostNumber is the bound of frame numbers.
const mostNumber = 1 << 53

// stream holds the frames of one swap chain, or those among them that the driver made.
type stream struct {
	d         *decoder
	name      string
	generated bool
	track     model.TrackID
	def       model.TrackDef
	gpu       *lane
	series    []model.SeriesID // of the layout's values; NoSeries: not defined yet
	refused   []bool
	states    []states
	shown     model.SeriesID // of frames that were not shown
	held      []row
	unordered bool // rows wait until all came
	free      []row
	sum       int64 // of lengths
	from      int64 // begin of the newest row that was released
	number    int64
	rows      int64
	unshown   int64
	spanEnd   int64
	present   int64 // how long the Present took that began when the newest frame ended, see frameEnd
	frameEnd  int64
	rowEnd    int64 // end of the newest row
	loose     []model.Sample
	spans     []model.Span // of generated frames
	paths     [len(spanNames)]model.PathID
	alone     []model.CollectorTime
}

// lane is a track of spans that follow each other.
type lane struct {
	track model.TrackID
	end   int64
	spans []model.Span
}

// states is a column of states.
type states struct {
	def model.SeriesDef
	now int32
	of  map[string]int32
}

// The names of spans.
const (
	wholeFrame = iota
	cpuBusy
	cpuWait
	inPresent
	gpuWork
)

// spanNames are their names; the layout names the GPU's spans.
var spanNames = [...]string{"Frame", "CPU busy", "CPU wait", "In Present", ""}

// path returns the call path of one of the spans.
func (s *stream) path(k int) model.PathID {
	if s.paths[k] == 0 {
		parent, name := model.PathRoot, spanNames[k]
		switch k {
		case wholeFrame:
		case gpuWork:
			name = s.d.l.gpuName
		default:
			parent = s.path(wholeFrame)
		}
		s.paths[k] = s.d.names.Path(parent, s.d.names.Collector([]byte(name)))
	}
	return s.paths[k]
}

// stream returns the stream of a row, nil where there are too many.
func (d *decoder) stream(cells [][]byte) *stream {
	l := d.l
	d.key = l.appendKey(d.key[:0], cells)
	generated := l.generated(cells)
	if generated {
		d.key = append(d.key, 'g')
	}
	if s := d.streams[string(d.key)]; s != nil || len(d.key) > maxKey {
		return s
	}
	s := &stream{d: d, generated: generated, shown: model.NoSeries, from: math.MinInt64, spanEnd: math.MinInt64, frameEnd: math.MinInt64}
	def := model.TrackDef{Index: len(d.streams) + 1, Object: model.NoObject, Peer: model.NoObject}
	app := trace.Shown(l.app(cells))
	base := strings.TrimSuffix(string(d.key), "g")
	if l.application < 0 {
		app = "Frames"
	} else {
		def.Main = base == d.main && !generated
		def.Process, app = d.titles(cells, app)
		m := d.met.streams[base]
		s.unordered = !l.steps && m != nil && m.order.late
	}
	s.name = app
	if generated {
		s.name += " generated"
		def.Kind = model.TrackAsync
	}
	if s.shown = model.NoSeries; !l.frames && l.application < 0 {
		s.track = model.NoTrack
	} else {
		def.Name = s.name
		id, ok := d.names.Track(string(d.key), def)
		if !ok {
			return nil
		}
		s.track, def.ID = id, id
		s.def = def
	}
	s.series, s.refused = make([]model.SeriesID, len(l.values)), make([]bool, len(l.values))
	for i := range s.series {
		s.series[i] = model.NoSeries
	}
	s.states = make([]states, len(l.states))
	for i := range s.states {
		s.states[i] = states{now: -1, of: map[string]int32{}}
		s.states[i].def.ID = model.NoSeries
	}
	if l.gpuFrom >= 0 && l.frames && !generated {
		s.gpu = d.lane(string(d.key), model.TrackDef{
			Name: app + " GPU", Kind: model.TrackGPU, Index: def.Index, Process: def.Process, Object: model.NoObject,
			Peer: model.NoObject,
		})
	}
	d.streams[string(d.key)] = s
	d.order = append(d.order, s)
	return s
}

func (d *decoder) lane(key string, def model.TrackDef) *lane {
	if id, ok := d.names.Track(key+"gpu", def); ok {
		return &lane{track: id, end: math.MinInt64}
	}
	return nil
}

// titles returns what the process of a row is called, empty where there is one, and its swap chain.
func (d *decoder) titles(cells [][]byte, app string) (process, chain string) {
	l := d.l
	pid, address := string(cell(cells, l.process)), string(cell(cells, l.chain))
	processes, alike, chains := map[string]bool{}, map[string]bool{pid: true}, map[string]bool{address: true}
	for _, m := range d.met.list {
		processes[m.app+"\x00"+m.pid] = true
		if m.app == app {
			alike[m.pid] = true
			if m.pid == pid {
				chains[m.chain] = true
			}
		}
	}
	chain = app
	if len(alike) > 1 {
		chain += " " + trace.Shown(pid)
	}
	if len(processes) > 1 {
		process = app + " " + trace.Shown(pid)
	}
	if len(chains) > 1 {
		digits := strings.TrimLeft(strings.TrimPrefix(address, "0x"), "0")
		if digits == "" {
			digits = "0"
		}
		chain += " 0x" + trace.Shown(digits)
	}
	return process, chain
}

// take takes the row of a stream; its begin, end and whether it is a frame are known.
func (s *stream) take(r *row, cells [][]byte, line int64) {
	d, l := s.d, s.d.l
	if n := len(s.free); n > 0 {
		r.values, r.states = s.free[n-1].values[:0], s.free[n-1].states[:0]
		s.free = s.free[:n-1]
	}
	ns := func(at int) (int64, bool) {
		if at < 0 {
			return 0, false
		}
		x, ok := parseNumber(cells[at], l.head.comma)
		if !ok {
			return 0, false
		}
		return x.times(1e6)
	}
	for i := range l.values {
		v := math.NaN()
		if x, ok := parseNumber(cells[l.values[i].at], l.head.comma); ok {
			if v = x.float() * l.values[i].factor; v == 0 && l.values[i].zeroless {
				v = math.NaN()
			}
			if math.Abs(v) > mostValue {
				d.count.great.add(line)
				v = math.NaN()
			}
		} else if !missing(cells[l.values[i].at]) {
			d.count.noValue.add(line)
		}
		r.values = append(r.values, v)
	}
	for i := range l.states {
		r.states = append(r.states, s.state(i, cells[l.states[i].at]))
	}
	busy, ok := ns(l.busy)
	if ok && busy >= 0 {
		r.busy = busy
	}
	if wait, ok := ns(l.wait); ok && wait >= 0 {
		r.wait = wait
	}
	if p, ok := ns(l.inPresent); ok && p >= 0 {
		r.present = p
	}
	if from, ok := ns(l.gpuFrom); ok && s.gpu != nil {
		base := r.begin
		if l.gpuTill >= 0 {
			base = r.end
		}
		r.gpu = base + from
		if till, ok := ns(l.gpuTill); ok {
			r.gpuEnd = base + till
		} else if n, ok := ns(l.gpuFor); ok {
			r.gpuEnd = r.gpu + n
		}
		r.hasGPU = r.gpuEnd > r.gpu
	}
	switch {
	case l.dropped >= 0:
		r.unshown = string(cells[l.dropped]) == "1"
	case l.displayed >= 0:
		r.unshown = missing(cells[l.displayed])
	}
	if s.generated {
		r.kind = d.names.Path(model.PathRoot, d.names.Collector(cells[l.frameType]))
	}
	d.begun = true
	if l.steps {
		s.step(r)
		return
	}
	if l.application < 0 {
		s.let(r)
		return
	}
	if s.unordered {
		s.hold(r)
		return
	}
	at := len(s.held)
	for at > 0 && s.held[at-1].at > r.at {
		at--
	}
	s.held = slices.Insert(s.held, at, *r)
	s.release(sortedRows)
}

// step takes a row that ends where the next begins.
func (s *stream) step(r *row) {
	for i := range s.held {
		h := &s.held[i]
		if h.end = r.begin; h.end-h.begin > s.d.l.gapNs && s.d.l.gapNs > 0 {
			s.d.count.gaps++
		} else {
			h.frame = s.d.l.frames && h.end >= h.begin
		}
		s.let(h)
	}
	s.held = append(s.held[:0], *r)
}

// release lets rows go, but for so many.
func (s *stream) release(most int) {
	if !s.d.l.steps && !s.unordered {
		s.letFirst(max(len(s.held)-most, 0))
	}
}

// settle lets all go: nothing follows. The last of rows that end where the next begins is no frame.
func (s *stream) settle() {
	if s.unordered {
		s.sort()
	}
	s.letFirst(len(s.held))
	for i := range s.states { // the current states hold until here; the next ones are unknown
		if x := &s.states[i]; x.now >= 0 {
			x.now = -1
			s.loose = append(s.loose, model.Sample{Series: x.def.ID, Time: s.rowEnd, Value: math.NaN()})
		}
	}
	s.flush()
}

// let publishes a row.
func (s *stream) let(r *row) {
	d := s.d
	s.free = append(s.free, row{values: r.values, states: r.states})
	if r.at < s.from && d.l.application >= 0 {
		d.count.late++
		return
	}
	s.from = r.at
	s.rows++
	follows := r.frame && !s.generated && s.fit(r)
	s.rowEnd = max(r.begin, r.end)
	if s.generated {
		d.count.generated++
	}
	if r.hasGPU {
		s.gpuSpan(r)
	}
	if !r.frame || s.generated {
		s.loose = s.samples(s.loose, r)
		if s.generated && r.end > r.begin {
			s.spans = append(s.spans, model.Span{Begin: max(r.begin, s.spanEnd), End: max(r.end, s.spanEnd), Path: r.kind})
			s.spanEnd = max(r.end, s.spanEnd)
		}
		if len(s.loose) >= looseRows || len(s.spans) >= looseSpans {
			s.flush()
		}
		return
	}
	if len(s.loose) > 0 {
		s.flush()
	}
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
	b.Samples = s.samples(b.Samples, r)
	s.frameSpans(b, r, follows)
	d.publish(b)
}

// fit moves a frame behind the end of the one before and keeps its measured length: times are rounded or slightly
// off. It reports whether the frame follows at once, within that tolerance. A frame that begins further before
// that end is cut.
func (s *stream) fit(r *row) (follows bool) {
	before := s.frameEnd
	if before == math.MinInt64 {
		s.frameEnd = r.end
		return false
	}
	loose := max((r.end-r.begin)/2, s.d.l.time.step())
	if late := before - r.begin; late > loose {
		s.d.count.cut++
	} else if late > 0 {
		r.begin, r.end, r.gpu, r.gpuEnd = r.begin+late, r.end+late, r.gpu+late, r.gpuEnd+late
	}
	s.frameEnd = max(r.end, before)
	return r.begin-before <= loose
}

// frameSpans adds the frame and the processor's spans in it. A frame that follows another at once begins in the
// other's call of Present.
func (s *stream) frameSpans(b *model.Batch, r *row, follows bool) {
	at := max(r.begin, s.spanEnd)
	present := s.present
	s.present = r.present
	if r.end <= at {
		return
	}
	s.spanEnd = r.end
	b.Spans = append(b.Spans, model.Span{Begin: at, End: r.end, Path: s.path(wholeFrame)})
	s.alone = s.alone[:0]
	s.charge(wholeFrame, r.end-at)
	add := func(k int, from, to int64) {
		if from, to = max(from, at), min(to, r.end); to > from {
			b.Spans = append(b.Spans, model.Span{Begin: from, End: to, Path: s.path(k), Lane: 1})
			s.charge(wholeFrame, from-to)
			s.charge(k, to-from)
			at = to
		}
	}
	if follows {
		add(inPresent, at, at+present)
	}
	add(cpuBusy, r.begin, r.begin+r.busy)
	add(cpuWait, r.begin+r.busy, r.begin+r.busy+r.wait)
	slices.SortFunc(s.alone, func(a, b model.CollectorTime) int { return int(a.Collector) - int(b.Collector) })
	b.Self = append(b.Self, s.alone...)
}

// charge gives time of a frame to a name: a call, or less time of one.
func (s *stream) charge(k int, ns int64) {
	c, calls := s.d.names.Of(s.path(k)), int32(1)
	if ns < 0 {
		calls = 0
	}
	for i := range s.alone {
		if s.alone[i].Collector == c {
			s.alone[i].Ns, s.alone[i].Count = s.alone[i].Ns+ns, s.alone[i].Count+calls
			return
		}
	}
	s.alone = append(s.alone, model.CollectorTime{Collector: c, Ns: ns, Count: calls})
}

// gpuSpan takes the GPU's span of a frame. One lane has them all: a span that begins too early is cut.
func (s *stream) gpuSpan(r *row) {
	g := s.gpu
	from := max(r.gpu, g.end)
	if from > r.gpu {
		s.d.count.gpuOverlaps++
	}
	if r.gpuEnd <= from {
		return
	}
	g.spans = append(g.spans, model.Span{Begin: from, End: r.gpuEnd, Path: s.path(gpuWork)})
	if g.end = r.gpuEnd; len(g.spans) >= looseSpans {
		s.flushGPU()
	}
}

func (s *stream) flushGPU() {
	if s.gpu == nil || len(s.gpu.spans) == 0 {
		return
	}
	b := s.d.sink.Begin()
	b.Track, b.Spans = s.gpu.track, append(b.Spans, s.gpu.spans...)
	s.gpu.spans = s.gpu.spans[:0]
	s.d.publish(b)
}

// flush publishes everything outside of frames.
func (s *stream) flush() {
	s.flushGPU()
	if len(s.loose)+len(s.spans) == 0 {
		return
	}
	b := s.d.sink.Begin()
	b.Track = s.track
	b.Samples, b.Spans = append(b.Samples, s.loose...), append(b.Spans, s.spans...)
	s.loose, s.spans = s.loose[:0], s.spans[:0]
	s.d.publish(b)
}

// state returns the number of a state by its text.
func (s *stream) state(i int, text []byte) int32 {
	if missing(text) || len(text) > maxState {
		return -1
	}
	x := &s.states[i]
	if n, ok := x.of[string(text)]; ok {
		return n
	}
	n := int32(len(x.def.States))
	if n >= mostStates || x.of == nil {
		if x.of == nil {
			return -1
		}
		return n - 1
	}
	name := trace.Shown(string(bytes.TrimSpace(text)))
	switch column := s.d.l.head.norms[s.d.l.states[i].at]; {
	case s.d.l.head.kind != presentMon:
	case column == "syncinterval":
		name = "interval " + strings.Replace(name, "-", "\u2212", 1)
	case column == "allowstearing" && name == "0":
		name = "no"
	case column == "allowstearing" && name == "1":
		name = "yes"
	}
	if n == mostStates-1 {
		name = "(others)"
	}
	if x.def.ID == model.NoSeries {
		c := &s.d.l.states[i]
		x.def = model.SeriesDef{
			Name: s.name, Group: c.group, Kind: model.SeriesState, Track: s.track, Object: model.NoObject, Peer: model.NoObject,
		}
		if x.def.ID = s.d.series(&x.def); x.def.ID == model.NoSeries {
			x.of = nil
			return -1
		}
	}
	x.of[string(text)] = n
	x.def.States = append(slices.Clip(x.def.States), name)
	s.d.sink.Define(x.def)
	return n
}

// series asks for room for a series, and returns its id or NoSeries.
func (d *decoder) series(def *model.SeriesDef) model.SeriesID {
	if d.next >= maxSeries || !d.room.Admit(*def) {
		return model.NoSeries
	}
	d.next++
	return d.next - 1
}

// samples appends the values of a row, at the begin of its frame.
func (s *stream) samples(out []model.Sample, r *row) []model.Sample {
	l := s.d.l
	for i, v := range r.values {
		if v != v || v == 0 && l.values[i].hidden || s.refused[i] {
			continue
		}
		id := s.series[i]
		if id == model.NoSeries {
			if id = s.define(i); id == model.NoSeries {
				continue
			}
		}
		out = append(out, model.Sample{Series: id, Time: r.begin, Value: v})
	}
	for i, n := range r.states {
		if x := &s.states[i]; n >= 0 && n != x.now {
			x.now = n
			out = append(out, model.Sample{Series: x.def.ID, Time: r.begin, Value: float64(n)})
		}
	}
	if r.unshown {
		s.unshown++
		if s.shown == model.NoSeries {
			def := model.SeriesDef{
				Name: s.name, Group: "Frames not shown", Kind: model.SeriesEvent, Track: s.track, Object: model.NoObject,
				Peer: model.NoObject, Description: "frames that were made, but never came to the screen",
			}
			if s.shown = s.d.series(&def); s.shown != model.NoSeries {
				def.ID = s.shown
				s.d.sink.Define(def)
			}
		}
		if s.shown != model.NoSeries {
			out = append(out, model.Sample{Series: s.shown, Time: r.begin, Value: 1})
		}
	}
	return out
}

// define defines the series of a column of values.
func (s *stream) define(i int) model.SeriesID {
	c := &s.d.l.values[i]
	c.hidden = false
	def := model.SeriesDef{
		Name: trace.Shown(c.name), Group: trace.Shown(c.group), Unit: trace.Shown(c.unit), Kind: model.SeriesValue,
		Track: s.track, Object: model.NoObject, Peer: model.NoObject,
	}
	if s.d.l.application >= 0 {
		def.Name = s.name
	}
	if s.series[i] = s.d.series(&def); s.series[i] == model.NoSeries {
		s.refused[i] = true
		s.d.names.Refused++
		return model.NoSeries
	}
	def.ID = s.series[i]
	s.d.sink.Define(def)
	return def.ID
}
