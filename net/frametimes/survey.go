package frametimes

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/internal/escape"
	"framescope/model"
	"framescope/net/trace"
)

// Limits of a survey.
const (
	mostStates = 32   // texts of a column that are states
	maxState   = 200  // bytes of one
	maxKey     = 1024 // bytes of the names of a stream
	maxStreams = 1 << 12
)

// survey derives the columns of a table from its rows.
type survey struct {
	l       *layout
	cols    []tally
	looks   []look
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

// look holds the values of a row; NaN is missing.
type look struct {
	time, length, fps float64
	of                *met
}

// met is a stream of frames that was met.
type met struct {
	app, pid, chain string
	key             string
	rows            int64      // that the program made
	made            [2]*stream // of the program, and of the driver
}

func newSurvey(l *layout) *survey {
	return &survey{l: l, cols: make([]tally, len(l.head.names)), streams: map[string]*met{}}
}

// streamOf returns the stream of a row, nil where there are too many.
func (s *survey) streamOf(cells [][]byte) *met {
	app, pid, chain := s.l.cell(cells, application), s.l.cell(cells, process), s.l.cell(cells, chain)
	s.key = append(append(append(append(append(s.key[:0], app...), 0), pid...), 0), chain...)
	m := s.streams[string(s.key)]
	if m != nil || len(s.list) == maxStreams || len(s.key) > maxKey {
		return m
	}
	m = &met{app: string(app), pid: string(pid), chain: string(chain), key: string(s.key)}
	if s.l.head.kind == exported {
		m.app = escape.Cell(m.app)
	}
	s.streams[m.key] = m
	s.list = append(s.list, m)
	return m
}

// addRow adds a row.
func (s *survey) addRow(cells [][]byte, _ int64) {
	m, l := s.streamOf(cells), s.l
	if m == nil {
		return
	}
	if !l.generated(cells) {
		m.rows++
	}
	x := look{l.value(l.cell(cells, timeOf)), l.value(l.cell(cells, length)), math.NaN(), m}
	if at := l.head.column("fps"); at >= 0 {
		x.fps = l.value(cells[at])
	}
	s.looks = append(s.looks, x)
	for i := range s.cols {
		s.cols[i].addCell(cells[i], l.head.comma)
	}
	if l.has(timeOf) {
		s.time(l.cell(cells, timeOf))
	}
}

// addCell adds a cell of a column.
func (t *tally) addCell(c []byte, comma bool) {
	if missing(c) {
		return
	}
	if v, ok := parseNumber(c, comma); ok {
		t.numbers++
		t.nonzero = t.nonzero || v != 0
		return
	}
	t.texts++
	if len(t.states) <= mostStates && len(c) <= maxState {
		model.Put(&t.states, string(c), true)
	}
}

// time finds out whether times are dates, and how many decimal places they have.
func (s *survey) time(c []byte) {
	x := &s.l.time
	if point := bytes.IndexAny(c, ".,"); point >= 0 {
		x.places = max(x.places, len(c)-1-point)
	}
	if x.scale == unknown && !x.ticks {
		if _, ok := parseDate(c); ok {
			x.date, x.scale = true, 0
		}
	}
}

// medianOf is the median of something of the rows; NaN without any.
func (s *survey) medianOf(of func(*look) float64) float64 {
	list := []float64{}
	for i := range s.looks {
		if v := of(&s.looks[i]); v == v {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func (s *survey) medianLength() float64 { return s.medianOf(func(x *look) float64 { return x.length }) }

// medianStep is the median of the differences of neighbouring times that go up.
func (s *survey) medianStep() float64 {
	before := math.NaN()
	return s.medianOf(func(x *look) float64 {
		step := x.time - before
		if before = x.time; step > 0 {
			return step
		}
		return math.NaN()
	})
}

func (s *survey) addNotice(format string, args ...any) {
	s.l.notes = append(s.l.notes, fmt.Sprintf(format, args...))
}

// decide completes the layout.
func (s *survey) decide(frames bool) {
	l := s.l
	s.units()
	l.frames = frames && (l.head.kind != monitor || l.has(length))
	if l.frames && l.head.kind != presentMon && l.head.kind != exported && l.has(timeOf) && l.has(length) {
		s.areFrames()
	}
	if gap := unusual * s.medianStep() * math.Pow10(l.time.scale); l.steps && gap > 0 {
		l.gapNs = int64(min(gap, maxNs))
	}
	s.values()
}

// units determines the units that the names of columns do not give.
func (s *survey) units() {
	l := s.l
	if l.time.ticks {
		s.tickRate()
	}
	if l.has(timeOf) && l.time.scale == unknown {
		l.time.scale = s.unitBySize(timeOf, s.medianStep())
	}
	switch {
	case !l.has(length) || l.scale != unknown:
	case l.head.kind == mangoHud: // of older versions in µs, of newer ones in ms
		l.scale = 6
		if s.medianLength()*s.medianOf(func(x *look) float64 { return x.fps }) > 3e4 {
			l.scale = 3
		}
	default:
		l.scale = s.unitBySize(length, s.medianLength())
	}
}

// unitBySize guesses the unit of a column from how long a frame takes in it.
func (s *survey) unitBySize(of role, step float64) int {
	scale, word := 0, "ns"
	switch {
	case !(step >= 1):
		scale, word = 9, "s"
	case step < 500:
		scale, word = 6, "ms"
	case step < 500_000:
		scale, word = 3, "µs"
	}
	s.addNotice("The file does not name the unit of %q: its values suggest %s.", trace.Shown(s.l.head.names[s.l.at[of]]),
		word)
	return scale
}

// usualRate is that of tick counters on Windows 10 and 11, per second.
const usualRate = 10_000_000

// tickRate determines the rate of the tick counter: the usual one, unless the lengths of the rows say otherwise.
func (s *survey) tickRate() {
	l := s.l
	before := map[*met]look{}
	hz := s.medianOf(func(x *look) float64 {
		last := before[x.of]
		before[x.of] = *x
		length := last.length
		if l.time.end && length > 0 {
			length = x.length
		}
		if step := x.time - last.time; step > 0 && length > 0 {
			return step / length * math.Pow10(9-l.scale)
		}
		return math.NaN()
	})
	l.time.hz = usualRate
	if math.Abs(hz/usualRate-1) > 0.005 {
		l.time.hz = int64(min(max(math.Round(hz), 1), 1e9))
		s.addNotice("Times are ticks of %s: the frame times suggest %d per second.", trace.Shown(l.head.names[l.at[timeOf]]),
			l.time.hz)
	}
}

// unusual is how many times as long as usual a step or a length is that says nothing of what rows are: it is a pause,
// or damaged.
const unusual = 10

// areFrames finds out whether rows are frames: else they are samples, each of the newest frame. Of a
// table that does not say it finds out whether times are those of begins or of ends.
func (s *survey) areFrames() {
	l := s.l
	sum, byBegin, byEnd, span := 0.0, 0.0, 0.0, 0.0
	scale := math.Pow10(l.scale - l.time.scale)
	step := s.medianStep()
	most, longest := unusual*s.medianLength()*scale, longestNs/math.Pow10(l.time.scale)
	usual := func(length float64) bool { return length >= 0 && length <= most && length <= longest }
	for i := 1; i < len(s.looks); i++ {
		d := s.looks[i].time - s.looks[i-1].time
		before, length := s.looks[i-1].length*scale, s.looks[i].length*scale
		if d >= 0 && d <= unusual*step && usual(before) && usual(length) {
			sum += length
			span += d
			byBegin += math.Abs(d - before)
			byEnd += math.Abs(d - length)
		}
	}
	switch share := sum / span; {
	case span == 0:
	case share < 0.8 || share > 1.25:
		l.frames = false
		s.addNotice("The rows are no frames but samples, one every %.0f ms: the lengths of the frames in them add up to "+
			"%.0f %% of the time. There are only series, and no figures of frames.", step*math.Pow10(l.time.scale-6), share*100)
	case l.head.kind == generic && byEnd < byBegin/2:
		l.time.end = true
		s.addNotice("The times of %q are taken as the ends of frames: the frame times fit that better.",
			trace.Shown(l.head.names[l.at[timeOf]]))
	}
}

// Columns of PresentMon: plainStates are those with enum numbers, silent ones add nothing to the others, and zeroless
// ones, of PresentMon 1, have a 0 where there is nothing to measure: in frames that were not shown, or into which
// nobody typed.
var (
	plainStates = set("syncinterval allowstearing presentmode presentruntime runtime")
	silent      = set("processid swapchainaddress application presentflags frametype dropped animationtime wasbatched")
	silentTimes = []string{"timein", "cpustart", "qpctime"}
	zeroless    = set("msuntildisplayed msbetweendisplaychange mssinceinput untildisplayed betweendisplaychange " +
		"sinceinput")
)

// isSilent reports whether a column of PresentMon is none to show.
func isSilent(key string) bool {
	return silent[key] || slices.ContainsFunc(silentTimes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// values chooses the columns to show.
func (s *survey) values() {
	l := s.l
	var states []column
	var ignored []string
	for i, n := range l.head.names {
		t, key, c := &s.cols[i], l.head.norms[i], shownColumn(l.head.kind, n)
		c.at = i
		pm := l.head.kind == presentMon
		isState := pm && plainStates[key] || t.texts > 9*t.numbers
		switch {
		case i == l.at[timeOf] || i == l.at[length] && l.frames || n == "" || pm && isSilent(key):
		case isState && t.fewStates():
			c.kind, c.measure = model.SeriesState, measure{}
			if base, _ := unitOf(n); !pm {
				c.group = base
			}
			states = append(states, c)
		case isState || t.texts > t.numbers:
			ignored = append(ignored, trace.Shown(n))
		default:
			if i == l.at[length] {
				c.name, c.group, c.measure = "frame time", "Frame time", measure{"ns", math.Pow10(l.scale)}
			}
			c.hidden = l.head.kind == mangoHud && !t.nonzero
			c.zeroless = l.has(dropped) && zeroless[key]
			l.values = append(l.values, c)
		}
	}
	l.values = append(states, l.values...)
	if by := cmp.Or(1+l.at[dropped], 1+l.at[displayed]); by > 0 {
		l.values = append(l.values, column{at: by - 1, group: "Frames not shown", kind: model.SeriesEvent})
	}
	if len(ignored) > 0 {
		s.addNotice("Columns of texts are not shown: %s.", strings.Join(ignored[:min(len(ignored), 8)], ", "))
	}
}

// fewStates reports whether the texts of a column are so few, and come again, that they are states.
func (t *tally) fewStates() bool {
	n := int64(len(t.states))
	return n <= mostStates && (n <= 3 || 2*n <= t.texts+t.numbers)
}
