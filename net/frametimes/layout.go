package frametimes

import (
	"errors"
	"fmt"
	"math"
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
	at     int    // -1: none
	ns     uint64 // of one; 0: not known yet
	ticks  bool   // of a counter; its rate is not in the file
	hz     uint64 // of that
	date   bool
	end    bool // a row's time is the end of its frame
	places int  // the most decimal places that one has
}

// step returns the resolution of the clock in ns.
func (c *clock) step() int64 {
	if c.ticks && c.hz > 0 {
		return int64(1e9 / c.hz)
	}
	return int64(c.ns / pow10[c.places])
}

// layout holds the columns of a table. Missing ones are -1.
type layout struct {
	head    *header
	version string

	application, process, chain, frameType int

	time     clock
	length   int
	lengthNs uint64 // ns of one; 0: not known yet
	number   int    // of the frame, where the table has the session's own
	gap      int    // how many frames are missing before it, likewise

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

// longestNs is how long a frame may be. Those that were exported are what they were.
const longestNs = 24 * 3600e9

// possible reports whether a frame can be so long, in ns.
func (l *layout) possible(ns int64) bool {
	return ns >= 0 && (ns <= longestNs || l.head.kind == exported)
}

// value returns the number of a cell, or its date in ns since 1970; NaN where it has none.
func (l *layout) value(cells [][]byte, at int) float64 {
	if at < 0 {
		return math.NaN()
	}
	if x, ok := parseNumber(cells[at], l.head.comma); ok {
		return x.float()
	}
	if ns, ok := parseDate(cells[at]); ok {
		return float64(ns)
	}
	return math.NaN()
}

// ofHeader returns the layout that the names of the columns give. Its error names the options that the user has to
// set.
func ofHeader(h *header, o *Source) (*layout, error) {
	l := &layout{
		head: h, application: -1, process: -1, chain: -1, frameType: -1, time: clock{at: -1}, length: -1, number: -1, gap: -1, busy: -1,
		wait: -1, inPresent: -1, gpuFrom: -1, gpuFor: -1, gpuTill: -1, dropped: -1, displayed: -1, frames: true,
	}
	switch h.kind {
	case presentMon:
		l.presentMon()
	case exported:
		l.version, l.application, l.number = "frames that Framescope exported", h.column("thread"), h.column("frame")
		l.gap = h.column("missing")
		l.time, l.length, l.lengthNs = clock{at: h.column("begin_ns"), ns: 1}, h.column("duration_ns"), 1
	case mangoHud:
		l.version = "MangoHud log"
		l.time, l.length = clock{at: h.column("elapsed"), ns: 1, end: true}, h.column("frametime")
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
func (l *layout) pm(names ...string) int {
	for _, n := range names {
		if at := l.head.column(n, "ms"+n, n+"ms"); at >= 0 {
			return at
		}
	}
	return -1
}

func (l *layout) presentMon() {
	h := l.head
	l.application, l.process = h.column("application"), h.column("processid")
	l.chain, l.frameType = h.column("swapchainaddress"), h.column("frametype")
	l.lengthNs = 1e6
	switch {
	case h.column("msbetweenappstart") >= 0:
		l.version, l.length = "PresentMon 2.4 or later", h.column("msbetweenappstart")
	case h.column("frametime") >= 0:
		l.version, l.length = "PresentMon 2.0 to 2.3", h.column("frametime")
	default:
		l.version, l.length = "PresentMon 1", l.pm("betweenpresents")
	}
	for _, c := range []struct {
		name string
		clock
	}{
		{"cpustarttime", clock{ns: 1e6}}, {"cpustarttimeinms", clock{ns: 1e6}}, {"cpustartqpctime", clock{ns: 1e6}},
		{"cpustartqpc", clock{ticks: true}}, {"cpustartdatetime", clock{date: true, ns: 1}},
		{"timeinseconds", clock{ns: 1e9, end: true}}, {"timeinms", clock{ns: 1e6, end: true}},
		{"timeinqpc", clock{ticks: true, end: true}}, {"qpctime", clock{ticks: true, end: true}},
		{"timeindatetime", clock{date: true, ns: 1, end: true}},
	} {
		if at := h.column(c.name); at >= 0 && l.time.at < 0 {
			l.time = c.clock
			l.time.at = at
		}
	}
	if l.time.at >= 0 && !l.time.end && l.length == l.pm("betweenpresents") {
		l.version = "PresentMon 2.4 or later" // without its column of lengths
	}
	if at := l.pm("betweenpresents"); l.time.end && at >= 0 { // ends are those of presents
		l.length = at
	}
	if !l.time.end {
		l.busy, l.wait = l.pm("cpubusy"), l.pm("cpuwait")
		l.gpuFrom, l.gpuFor, l.gpuName = l.pm("gpulatency"), l.pm("gputime"), "GPU time"
	} else {
		l.inPresent, l.gpuFrom, l.gpuTill = l.pm("inpresentapi"), l.pm("untilrenderstart"), l.pm("untilrendercomplete")
		l.gpuName = "GPU, render start to complete"
	}
	if l.gpuFrom < 0 || l.gpuFor < 0 && l.gpuTill < 0 {
		l.gpuFrom, l.gpuFor, l.gpuTill = -1, -1, -1
	}
	if l.dropped = h.column("dropped"); l.dropped < 0 {
		if l.displayed = l.pm("displayedtime"); l.displayed < 0 {
			l.displayed = l.pm("untildisplayed")
		}
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
	for _, k := range lengthNames {
		if norm(base) == k {
			return true
		}
	}
	n = norm(n)
	return strings.HasPrefix(n, "msbetween") || strings.Contains(n, "frame") &&
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
				l.time.at = i
			}
		}
	}
	l.byName()
}

// byName takes units from the names of columns.
func (l *layout) byName() {
	if l.time.at >= 0 && l.time.ns == 0 {
		_, unit := unitOf(l.head.names[l.time.at])
		l.time.ns = timeUnit(unit)
	}
	if l.length >= 0 && l.lengthNs == 0 {
		_, unit := unitOf(l.head.names[l.length])
		l.lengthNs = timeUnit(unit)
	}
}

// asked takes the columns that the user named in options.
func (l *layout) asked(o *Source) (err error) {
	if o.Time != "" {
		l.time = clock{}
		if l.time.at, err = l.head.named("--time", o.Time); err != nil {
			return err
		}
	}
	if o.FrameTime != "" {
		if l.length, err = l.head.named("--frame-time", o.FrameTime); err != nil {
			return err
		}
		if l.lengthNs = 0; l.head.kind == presentMon {
			l.lengthNs = 1e6
		}
		if o.Time == "" && l.head.kind == generic && l.time.at == l.length {
			l.time = clock{at: -1}
		}
	}
	if l.time.at >= 0 && l.time.at == l.length {
		return fmt.Errorf("--time and --frame-time name the same column, %q", l.head.names[l.length])
	}
	l.byName()
	return nil
}
