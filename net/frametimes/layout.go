package frametimes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// column is a column with values to show.
type column struct {
	at          int
	name, group string
	unit        string
	factor      float64
	hidden      bool // all values were 0 so far
	zeroless    bool // a 0 stands for none
}

// clock is the column of times.
type clock struct {
	at     int   // -1: none
	scale  int   // of its unit, or unknown
	hz     int64 // ticks of a counter in a second; its rate is not in the file
	ticks  bool  // of a counter
	date   bool
	end    bool // a row's time is the end of its frame
	places int  // the most decimal places that one has
}

// step returns the resolution of the clock in ns.
func (c *clock) step() int64 {
	if c.ticks {
		return int64(1e9 / c.hz)
	}
	return int64(math.Pow10(c.scale - c.places))
}

// layout holds the columns of a table. Missing ones are -1.
type layout struct {
	head    *header
	version string

	application, process, chain, frameType int

	time   clock
	length int
	scale  int // of the unit of lengths, or unknown
	number int // of the frame, where the table has the session's own
	gap    int // how many frames are missing before it, likewise

	// Of the processors' times: when the GPU began, in ms after the frame's begin (or, of PresentMon 1,
	// its end), and for how long, or until when, it worked.
	busy, wait, inPresent    int
	gpuFrom, gpuFor, gpuTill int
	gpuName                  string
	dropped, displayed       int // mark frames that were not shown, by a 1 and by no value

	frames bool  // rows are frames
	steps  bool  // frames go from one time to the next
	gapNs  int64 // of steps, as long is a gap

	values, states []column
	told           []string // notes for the user about how the table is read
}

const (
	maxNs     = 1 << 60     // bounds times of a session, either way: their sums overflow nowhere
	longestNs = 24 * 3600e9 // how long a frame may be; those that were exported are what they were
)

// possible reports whether a frame can be so long, in ns.
func (l *layout) possible(ns int64) bool {
	return ns >= 0 && (ns <= longestNs || l.head.kind == exported && ns <= maxNs)
}

// least returns how many cells a row has at least: those that give it its place and its length. Cells behind them may
// be missing: OCAT writes those of the system into the first row only.
func (l *layout) least() int {
	return 1 + max(l.application, l.process, l.chain, l.frameType, l.time.at, l.length, l.dropped, l.displayed)
}

// value returns the number of a cell, or its date in ns since 1970; NaN where it has none.
func (l *layout) value(cells [][]byte, at int) float64 {
	if at < 0 {
		return math.NaN()
	}
	if v, ok := number(cells[at], l.head.comma); ok {
		return v
	}
	if ns, ok := parseDate(cells[at]); ok {
		return float64(ns)
	}
	return math.NaN()
}

// instant returns the time of a cell in ns, of a number of units of 10^scale ns.
func (l *layout) instant(cells [][]byte, at, scale int) (ns int64, ok bool) {
	if at < 0 {
		return 0, false
	}
	return instant(cells[at], scale, l.head.comma)
}

// ofHeader returns the layout that the names of the columns give. Its error names the options that the user has to
// set.
func ofHeader(h *header, o *Source) (*layout, error) {
	l := &layout{
		head: h, application: -1, process: -1, chain: -1, frameType: -1, time: clock{at: -1}, length: -1, number: -1, gap: -1,
		busy: -1, wait: -1, inPresent: -1, gpuFrom: -1, gpuFor: -1, gpuTill: -1, dropped: -1, displayed: -1, frames: true,
		scale: unknown,
	}
	switch h.kind {
	case presentMon:
		l.presentMon()
	case exported:
		l.version, l.application, l.number = "frames that Framescope exported", h.column("thread"), h.column("frame")
		l.gap = h.column("missing")
		l.time, l.length, l.scale = clock{at: h.column("begin_ns")}, h.column("duration_ns"), 0
	case mangoHud:
		l.version = "MangoHud log"
		l.time, l.length = clock{at: h.column("elapsed"), end: true}, h.column("frametime")
	case monitor:
		l.version = "MSI Afterburner log"
		l.time, l.length, l.scale = clock{at: 1, date: true}, h.column("frametime"), 6
	default:
		l.version = "table of frame times"
		l.generic()
	}
	if err := l.asked(o); err != nil {
		return nil, err
	}
	if h.kind == generic && h.column("thread_id") == 0 && !o.asked() {
		return nil, errors.New("a table that Framescope exported, without frames. " + forOthers)
	}
	if l.time.at < 0 && l.length < 0 {
		return nil, fmt.Errorf("no known column of times or frame times: name one with "+
			"--time COLUMN or --frame-time COLUMN; the columns are: %s", h.list())
	}
	l.steps = l.length < 0
	return l, nil
}

// pm returns the column of a metric of PresentMon, by its name without unit.
func (l *layout) pm(name string) int { return l.head.column(name, "ms"+name, name+"ms") }

// presentMonTimes are PresentMon's columns of times, the best first.
var presentMonTimes = []struct {
	name string
	clock
}{
	{"cpustarttime", clock{scale: 6}}, {"cpustarttimeinms", clock{scale: 6}}, {"cpustartqpctime", clock{scale: 6}},
	{"cpustartqpc", clock{ticks: true}}, {"cpustartdatetime", clock{date: true}},
	{"timeinseconds", clock{scale: 9, end: true}}, {"timeinms", clock{scale: 6, end: true}},
	{"timeinqpc", clock{ticks: true, end: true}}, {"qpctime", clock{ticks: true, end: true}},
	{"timeindatetime", clock{date: true, end: true}},
}

func (l *layout) presentMon() {
	h := l.head
	l.application, l.process = h.column("application"), h.column("processid")
	l.chain, l.frameType = h.column("swapchainaddress"), h.column("frametype")
	for _, c := range presentMonTimes {
		if at := h.column(c.name); at >= 0 && l.time.at < 0 {
			l.time = c.clock
			l.time.at = at
		}
	}
	presents := l.pm("betweenpresents")
	l.scale, l.length = 6, presents
	switch appStart, frameTime := h.column("msbetweenappstart"), h.column("frametime"); {
	case appStart >= 0:
		l.version, l.length = "PresentMon 2.4 or later", appStart
	case frameTime >= 0:
		l.version, l.length = "PresentMon 2.0 to 2.3", frameTime
	case l.time.at >= 0 && !l.time.end:
		l.version = "PresentMon 2.4 or later" // without its column of lengths
	default:
		l.version = "PresentMon 1"
	}
	if l.time.end && presents >= 0 { // ends are those of presents
		l.length = presents
	}
	l.processors()
	if l.dropped = h.column("dropped"); l.dropped < 0 {
		if l.displayed = l.pm("displayedtime"); l.displayed < 0 {
			l.displayed = l.pm("untildisplayed")
		}
	}
}

// processors finds the columns of what CPU and GPU do in a frame.
func (l *layout) processors() {
	if l.time.end {
		l.inPresent, l.gpuFrom, l.gpuTill = l.pm("inpresentapi"), l.pm("untilrenderstart"), l.pm("untilrendercomplete")
		l.gpuName = "GPU, render start to complete"
	} else {
		l.busy, l.wait = l.pm("cpubusy"), l.pm("cpuwait")
		l.gpuFrom, l.gpuFor, l.gpuName = l.pm("gpulatency"), l.pm("gputime"), "GPU time"
	}
	if l.gpuFor < 0 && l.gpuTill < 0 {
		l.gpuFrom = -1
	}
}

// timeNames are what columns of times are called, the likeliest first, and lengthNames those of
// lengths of frames.
var (
	timeNames   = []string{"time", "timestamp", "t", "elapsed", "elapsedtime", "datetime", "date"}
	lengthNames = []string{"ft", "dt", "delta", "deltatime", "delta_time"}
)

// isLength reports whether a column has lengths of frames.
func isLength(n string) bool {
	base, _ := unitOf(n)
	n = norm(n)
	return slices.Contains(lengthNames, norm(base)) || strings.HasPrefix(n, "msbetween") || strings.Contains(n, "frame") &&
		(strings.Contains(n, "time") || strings.Contains(n, "ms") || strings.Contains(n, "duration"))
}

func (l *layout) generic() {
	var lengths []string
	for i, n := range l.head.names {
		if isLength(n) {
			if lengths = append(lengths, n); l.length < 0 {
				l.length = i
			}
		}
	}
	if len(lengths) > 1 {
		l.told = append(l.told, fmt.Sprintf("Several columns may be frame times (%s): %q is used; --frame-time selects "+
			"another one.", strings.Join(lengths, ", "), lengths[0]))
	}
	for _, want := range timeNames {
		for i, n := range l.head.names {
			if base, _ := unitOf(n); norm(base) == want && i != l.length && l.time.at < 0 {
				l.time = clock{at: i, scale: l.named(i)}
			}
		}
	}
	l.scale = l.named(l.length)
}

// named returns the scale of the unit in the name of a column, or unknown.
func (l *layout) named(at int) int {
	if at < 0 {
		return unknown
	}
	_, unit := unitOf(l.head.names[at])
	return timeUnit(unit)
}

// asked takes the columns that the user named in options.
func (l *layout) asked(o *Source) (err error) {
	if o.Time != "" {
		if l.time.at, err = l.head.named("--time", o.Time); err != nil {
			return err
		}
		l.time = clock{at: l.time.at, scale: l.named(l.time.at)}
	}
	if o.FrameTime != "" {
		if l.length, err = l.head.named("--frame-time", o.FrameTime); err != nil {
			return err
		}
		if l.scale = l.named(l.length); l.head.kind == presentMon {
			l.scale = 6
		}
		if o.Time == "" && l.head.kind == generic && l.time.at == l.length {
			l.time = clock{at: -1}
		}
	}
	if l.time.at >= 0 && l.time.at == l.length {
		return fmt.Errorf("--time and --frame-time name the same column, %q", l.head.names[l.length])
	}
	return nil
}

// generated reports whether a row is a frame that the program did not make, by its type.
func (l *layout) generated(cells [][]byte) bool {
	c := cell(cells, l.frameType)
	return !missing(c) && string(c) != "Application"
}

func cell(cells [][]byte, at int) []byte {
	if at < 0 {
		return nil
	}
	return cells[at]
}
