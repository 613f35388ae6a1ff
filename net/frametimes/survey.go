package frametimes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/internal/escape"
	"framescope/net/trace"
)

// Limits of a survey.
const (
	surveyRows = 4096 // that are looked at closely
	mostStates = 32   // texts of a column that are states
	maxState   = 200  // bytes of one
	maxKey     = 1024 // bytes of the names of a stream
)

// survey derives the columns of a table from its rows.
type survey struct {
	l    *layout
	rows int64
	cols []tally

	times, lengths, rates []float64 // of the first rows; NaN is missing
	ticks, tickLengths    []float64 // steps of the counter within a stream, and the lengths of the rows

	streams map[string]*met
	list    []*met
	key     []byte
}

// tally is of a column.
type tally struct {
	numbers, texts int64
	nonzero        bool
	states         map[string]bool
}

// met is a stream of frames that was met.
type met struct {
	app, pid, chain string
	rows            int64
	tick            float64
	length          float64
	order           disorder
}

func newSurvey(l *layout) *survey {
	return &survey{l: l, cols: make([]tally, len(l.head.names)), streams: map[string]*met{}}
}

func cell(cells [][]byte, at int) []byte {
	if at < 0 {
		return nil
	}
	return cells[at]
}

// app returns which program a row is of, in what Framescope exported which thread.
func (l *layout) app(cells [][]byte) string {
	name := string(cell(cells, l.application))
	if l.head.kind == exported {
		return escape.Cell(name)
	}
	return name
}

// appendKey appends the key of a row's stream.
func (l *layout) appendKey(key []byte, cells [][]byte) []byte {
	if l.application < 0 {
		return key
	}
	for _, at := range [...]int{l.application, l.process, l.chain} {
		key = append(append(key, cell(cells, at)...), 0)
	}
	return key
}

func (s *survey) take(cells [][]byte) {
	s.rows++
	s.key = s.l.appendKey(s.key[:0], cells)
	m := s.streams[string(s.key)]
	if m == nil {
		if len(s.list) == 1<<12 || len(s.key) > maxKey {
			return
		}
		m = &met{
			app: s.l.app(cells), pid: string(cell(cells, s.l.process)),
			chain: string(cell(cells, s.l.chain)), tick: math.NaN(),
		}
		s.streams[string(s.key)] = m
		s.list = append(s.list, m)
	}
	if !s.l.generated(cells) {
		m.rows++
	}
	if s.l.application >= 0 {
		m.order.take(s.l.value(cells, s.l.time.at))
	}
	closely := s.rows <= surveyRows
	for i, c := range cells[:len(s.cols)] {
		t := &s.cols[i]
		if !closely && (t.nonzero || t.numbers == 0) || missing(c) {
			continue
		}
		x, ok := parseNumber(c, s.l.head.comma)
		if !ok {
			t.texts++
			if t.states == nil {
				t.states = map[string]bool{}
			}
			if len(t.states) <= mostStates && len(c) <= maxState {
				t.states[string(c)] = true
			}
			continue
		}
		t.numbers++
		t.nonzero = t.nonzero || x.odd || x.mant != 0
	}
	if closely {
		s.clocks(cells, m)
	}
}

// clocks takes times and lengths.
func (s *survey) clocks(cells [][]byte, m *met) {
	l := s.l
	value := func(at int) float64 { return l.value(cells, at) }
	t, n := value(l.time.at), value(l.length)
	if l.time.at >= 0 {
		if x, ok := parseNumber(cells[l.time.at], l.head.comma); ok {
			l.time.places = max(l.time.places, x.exp)
		}
	}
	if l.time.at >= 0 && l.time.ns == 0 && !l.time.ticks {
		if _, ok := parseDate(cells[l.time.at]); ok {
			l.time.date, l.time.ns = true, 1
		}
	}
	s.times, s.lengths = append(s.times, t), append(s.lengths, n)
	if l.head.kind == mangoHud {
		s.rates = append(s.rates, value(l.head.column("fps")))
	}
	if l.time.ticks {
		of := m.length
		if l.time.end {
			of = n
		}
		if d := t - m.tick; d > 0 && of > 0 {
			s.ticks, s.tickLengths = append(s.ticks, d), append(s.tickLengths, of)
		}
		m.tick, m.length = t, n
	}
}

// median of the numbers in list; NaN if there are none.
func median(list []float64) float64 {
	list = slices.DeleteFunc(slices.Clone(list), math.IsNaN)
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// steps are the differences of neighbouring times that go up.
func (s *survey) steps() (d []float64) {
	for i := 1; i < len(s.times); i++ {
		if x := s.times[i] - s.times[i-1]; x > 0 {
			d = append(d, x)
		}
	}
	return d
}

// unitBySize guesses a unit from how long a frame takes in it.
func unitBySize(step float64) (ns uint64, word string) {
	switch {
	case !(step >= 1):
		return 1e9, "s"
	case step < 500:
		return 1e6, "ms"
	case step < 500_000:
		return 1e3, "µs"
	}
	return 1, "ns"
}

func (s *survey) tell(format string, args ...any) {
	s.l.told = append(s.l.told, fmt.Sprintf(format, args...))
}

// decide completes the layout.
func (s *survey) decide(frames bool) {
	l := s.l
	s.units()
	switch {
	case !frames:
		l.frames = false
	case l.head.kind != presentMon && l.head.kind != exported && l.time.at >= 0 && l.length >= 0:
		s.areFrames()
	}
	if l.steps && l.time.ns > 0 {
		if d := median(s.steps()) * float64(l.time.ns); d > 0 {
			l.gapNs = int64(min(10*d, maxNs))
		}
	}
	s.values()
}

// units determines the units that the names of columns do not give.
func (s *survey) units() {
	l := s.l
	name := func(at int) string { return trace.Shown(l.head.names[at]) }
	if l.time.ticks {
		s.tickRate()
	}
	if l.time.at >= 0 && l.time.ns == 0 {
		var word string
		l.time.ns, word = unitBySize(median(s.steps()))
		s.tell("The file does not name the unit of %q: its steps suggest %s.", name(l.time.at), word)
	}
	if l.length >= 0 && l.lengthNs == 0 {
		var word string
		m := median(s.lengths)
		if l.head.kind == mangoHud && l.length == l.head.column("frametime") {
			if l.lengthNs = 1e6; m*median(s.rates) > 3e4 {
				l.lengthNs = 1e3
			}
			return
		}
		l.lengthNs, word = unitBySize(m)
		s.tell("The file does not name the unit of %q: its values suggest %s.", name(l.length), word)
	}
}

// tickRate determines the rate of the tick counter: on Windows 10 and 11 ten million per second, unless the
// lengths of the rows say otherwise.
func (s *survey) tickRate() {
	l := s.l
	column := trace.Shown(l.head.names[l.time.at])
	var rates []float64
	for i, d := range s.ticks {
		rates = append(rates, d/s.tickLengths[i]*1e9/float64(l.lengthNs))
	}
	hz := median(rates)
	l.time.ns = 1e9
	if len(rates) == 0 {
		l.time.hz = tickRates[0]
		s.tell("Times are ticks of %s; 10 million per second are assumed, as on Windows 10 and 11: there are too few rows to measure it.",
			column)
		return
	}
	for _, known := range tickRates {
		if math.Abs(hz/float64(known)-1) < 0.005 {
			l.time.hz = known
			break
		}
	}
	if l.time.hz == 0 {
		l.time.hz = max(uint64(math.Round(hz)), 1)
	}
	if l.time.hz != tickRates[0] {
		s.tell("Times are ticks of %s: the frame times suggest %d per second.", column, l.time.hz)
	}
}

// tickRates are those of counters, the usual one first.
var tickRates = []uint64{10_000_000, 3_579_545, 14_318_180, 19_200_000, 24_000_000, 1_000_000_000}

// areFrames finds out whether rows are frames: else they are samples, each of the newest frame. Of a
// table that does not say it finds out whether times are those of begins or of ends.
func (s *survey) areFrames() {
	l := s.l
	sum, byBegin, byEnd, n := 0.0, 0.0, 0.0, 0
	scale := float64(l.lengthNs) / float64(l.time.ns)
	span, pause, most := 0.0, unusual*median(s.steps()), unusual*median(s.lengths)
	for i := 1; i < len(s.times); i++ {
		step, len0, len1 := s.times[i]-s.times[i-1], s.lengths[i-1]*scale, s.lengths[i]*scale
		if step >= 0 && step <= pause && s.counts(i-1, most) && s.counts(i, most) {
			sum += len1
			span += step
			byBegin += math.Abs(step - len0)
			byEnd += math.Abs(step - len1)
			n++
		}
	}
	if n == 0 || span == 0 {
		return
	}
	if share := sum / span; share < 0.8 || share > 1.25 {
		l.frames = false
		s.tell("The rows are no frames but samples, one every %s: the lengths of the frames in them add up to %.0f %% of the time. "+
			"There are only series, and no figures of frames.", shownNs(median(s.steps())*float64(l.time.ns)), share*100)
		return
	}
	if l.head.kind == generic && byEnd < byBegin/2 {
		l.time.end = true
		s.tell("The times of %q are taken as the ends of frames: the frame times fit that better.",
			trace.Shown(l.head.names[l.time.at]))
	}
}

// unusual is how many times as long as usual a step or a length is that says nothing of what rows are: it is a pause,
// or damaged.
const unusual = 10

// counts reports whether a row has a length that can be, and not more than most.
func (s *survey) counts(i int, most float64) bool {
	ns := s.lengths[i] * float64(s.l.lengthNs)
	return s.lengths[i] <= most && ns < maxNs && s.l.possible(int64(ns))
}

// shownNs writes a time to two or three digits.
func shownNs(ns float64) string {
	for _, u := range []struct {
		ns   float64
		word string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.ns {
			return fmt.Sprintf("%.3g %s", ns/u.ns, u.word)
		}
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// plainStates are columns of PresentMon with enum numbers; silent ones add nothing to the others.
var (
	plainStates = map[string]bool{
		"syncinterval": true, "allowstearing": true, "presentmode": true, "presentruntime": true, "runtime": true,
	}
	silent = map[string]bool{
		"processid": true, "swapchainaddress": true, "application": true, "presentflags": true, "frametype": true,
		"dropped": true, "animationtime": true, "wasbatched": true,
	}
)

// zeroless are columns of PresentMon 1, without "ms", that have a 0 where there is nothing to measure: in
// frames that were not shown, or into which nobody typed.
var zeroless = map[string]bool{"untildisplayed": true, "betweendisplaychange": true, "sinceinput": true}

// values chooses the columns to show.
func (s *survey) values() {
	l := s.l
	var ignored []string
	for i, n := range l.head.names {
		t, key := &s.cols[i], l.head.norms[i]
		c := column{at: i}
		switch {
		case i == l.time.at || i == l.length && l.frames || n == "":
		case l.head.kind == presentMon && (silent[key] || strings.Contains(key, "qpc") || strings.HasSuffix(key, "datetime") ||
			strings.HasPrefix(key, "timein") || strings.HasPrefix(key, "cpustart")):
		case l.head.kind == presentMon && plainStates[key] || t.texts > 9*t.numbers && t.texts > 0:
			if len(t.states) > mostStates || len(t.states) > 3 && int64(len(t.states))*2 > t.texts+t.numbers {
				ignored = append(ignored, trace.Shown(n))
				continue
			}
			base, _ := unitOf(n)
			if c.group = base; l.head.kind == presentMon {
				c.group = splitWords(base)
			}
			c.name = c.group
			l.states = append(l.states, c)
		case t.texts > t.numbers:
			ignored = append(ignored, trace.Shown(n))
		default:
			c = shownColumn(l.head.kind, n)
			if c.at = i; i == l.length {
				c.name, c.group, c.unit, c.factor = "frame time", "Frame time", "ns", float64(l.lengthNs)
			}
			c.hidden = l.head.kind == mangoHud && !t.nonzero
			c.zeroless = l.dropped >= 0 && zeroless[strings.TrimPrefix(key, "ms")]
			l.values = append(l.values, c)
		}
	}
	if len(ignored) > 0 {
		s.tell("Columns of texts are not shown: %s.", strings.Join(ignored[:min(len(ignored), 8)], ", "))
	}
}

// generated reports whether a row is a frame that the program did not make, by its type.
func (l *layout) generated(cells [][]byte) bool {
	c := cell(cells, l.frameType)
	return len(c) > 0 && !missing(c) && string(c) != "Application"
}
