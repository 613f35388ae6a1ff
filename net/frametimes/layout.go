package frametimes

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/model"
)

// column is a column with values, states or marks to show.
type column struct {
	at          int
	name, group string
	measure
	kind     model.SeriesKind // a value, a state, or an event: a mark of frames that were not shown
	hidden   bool             // all values were 0 so far
	zeroless bool             // a 0 stands for none
}

// clock says what the column of times has.
type clock struct {
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

// role is the use of a column for the place of a row, its frame or its GPU work.
type role int

const (
	timeOf role = iota // when its frame began or ended
	length
	number // of the frame, where the table has the session's own
	gap    // how many frames are missing before it, likewise
	application
	process
	chain
	frameType
	// Of the processors' times, in ms: when the GPU began, after the frame's begin (or, of PresentMon 1, its end), and for
	// how long, or until when, it worked.
	busy
	wait
	inPresent
	gpuFrom
	gpuFor
	gpuTill
	dropped   // by a 1, and
	displayed // by no value: the frame was not shown
	numRoles
)

// names are what columns of roles are called, the best first.
type names map[role]string

// roles are the columns of each program; those of PresentMon may have ms before or behind their names.
var roles = [...]names{
	presentMon: {
		application: "application", process: "processid", chain: "swapchainaddress", frameType: "frametype",
		dropped: "dropped", displayed: "displayedtime untildisplayed",
	},
	exported: {timeOf: "begin_ns", length: "duration_ns", application: "thread", number: "frame", gap: "missing"},
	mangoHud: {timeOf: "elapsed", length: "frametime"},
	monitor:  {timeOf: "time", length: "frametime"},
	generic:  {},
}

// ofBegins and ofEnds are more columns of PresentMon, by what its times are of.
var (
	ofBegins = names{
		length: "msbetweenappstart frametime betweenpresents", busy: "cpubusy", wait: "cpuwait", gpuFrom: "gpulatency",
		gpuFor: "gputime",
	}
	ofEnds = names{
		length: "betweenpresents msbetweenappstart frametime", inPresent: "inpresentapi", gpuFrom: "untilrenderstart",
		gpuTill: "untilrendercomplete",
	}
)

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

// layout says what the columns of a table are.
type layout struct {
	head    *header
	version string
	at      [numRoles]int // -1: there is none
	time    clock
	scale   int // of the unit of lengths, or unknown
	gpuName string

	frames bool  // rows are frames
	steps  bool  // frames go from one time to the next
	gapNs  int64 // of steps, as long is a gap

	values []column
	notes  []string // for the user, about how the table is read
}

const (
	maxNs     = 1 << 60     // bounds times of a session, either way: their sums overflow nowhere
	longestNs = 24 * 3600e9 // how long a frame may be; those that were exported are what they were
)

// has reports whether there is a column of a role.
func (l *layout) has(r role) bool { return l.at[r] >= 0 }

// cell is that of a role, empty where there is none.
func (l *layout) cell(cells [][]byte, r role) []byte {
	if l.at[r] < 0 {
		return nil
	}
	return cells[l.at[r]]
}

// possible reports whether a frame can be so long, in ns.
func (l *layout) possible(ns int64) bool {
	return ns >= 0 && (ns <= longestNs || l.head.kind == exported && ns <= maxNs)
}

// least returns how many cells a row has at least: those that have a role. Cells behind them may be missing: OCAT
// writes those of the system into the first row only.
func (l *layout) least() int { return 1 + slices.Max(l.at[:]) }

// value returns the number of a cell, or its date in ns since 1970; NaN where it has none.
func (l *layout) value(cell []byte) float64 {
	if v, ok := parseNumber(cell, l.head.comma); ok {
		return v
	}
	if ns, ok := parseDate(cell); ok {
		return float64(ns)
	}
	return math.NaN()
}

// instant returns the time of a cell in ns, of a number of units of 10^scale ns.
func (l *layout) instant(cells [][]byte, r role, scale int) (ns int64, ok bool) {
	return instant(l.cell(cells, r), scale, l.head.comma)
}

// ms returns a time of a processor in ns.
func (l *layout) ms(cells [][]byte, r role) (ns int64, ok bool) {
	ns, ok = l.instant(cells, r, 6)
	return ns, ok && ns < longestNs && ns > -longestNs
}

// generated reports whether a row is a frame that the program did not make, by its type.
func (l *layout) generated(cells [][]byte) bool {
	c := l.cell(cells, frameType)
	return !missing(c) && string(c) != "Application"
}

// find gives roles their columns.
func (l *layout) find(of names) {
	for r, list := range of {
		for _, name := range strings.Fields(list) {
			at := l.head.column(name)
			if l.head.kind == presentMon {
				at = l.head.column(name, "ms"+name, name+"ms")
			}
			if at >= 0 {
				l.at[r] = at
				break
			}
		}
	}
}

// ofHeader returns the layout that the names of the columns give. Its error names the options that the user has to
// set.
func ofHeader(h *header, o *Source) (*layout, error) {
	l := &layout{head: h, frames: true, scale: unknown}
	for r := range l.at {
		l.at[r] = -1
	}
	l.find(roles[h.kind])
	switch h.kind {
	case presentMon:
		l.presentMon()
	case exported:
		l.version, l.scale = "frames that Framescope exported", 0
	case mangoHud:
		l.version, l.time.end = "MangoHud log", true
	case monitor:
		l.version, l.scale, l.time.date = "MSI Afterburner log", 6, true
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
	if !l.has(timeOf) && !l.has(length) {
		return nil, fmt.Errorf("no known column of times or frame times: name one with "+
			"--time COLUMN or --frame-time COLUMN; the columns are: %s", h.list())
	}
	l.steps = !l.has(length)
	return l, nil
}

func (l *layout) presentMon() {
	h := l.head
	for _, c := range presentMonTimes {
		if at := h.column(c.name); at >= 0 && !l.has(timeOf) {
			l.at[timeOf], l.time = at, c.clock
		}
	}
	l.scale = 6
	switch {
	case h.column("msbetweenappstart") >= 0:
		l.version = "PresentMon 2.4 or later"
	case h.column("frametime") >= 0:
		l.version = "PresentMon 2.0 to 2.3"
	case l.has(timeOf) && !l.time.end:
		l.version = "PresentMon 2.4 or later" // without its column of lengths
	default:
		l.version = "PresentMon 1"
	}
	if l.time.end {
		l.find(ofEnds)
		l.gpuName = "GPU, render start to complete"
	} else {
		l.find(ofBegins)
		l.gpuName = "GPU time"
	}
	if !l.has(gpuFor) && !l.has(gpuTill) {
		l.at[gpuFrom] = -1
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
			if lengths = append(lengths, n); len(lengths) == 1 {
				l.at[length] = i
			}
		}
	}
	if len(lengths) > 1 {
		l.notes = append(l.notes, fmt.Sprintf("Several columns may be frame times (%s): %q is used; --frame-time selects "+
			"another one.", strings.Join(lengths, ", "), lengths[0]))
	}
	for _, want := range timeNames {
		for i, n := range l.head.names {
			if base, _ := unitOf(n); norm(base) == want && i != l.at[length] && !l.has(timeOf) {
				l.at[timeOf] = i
			}
		}
	}
	l.time.scale, l.scale = l.named(timeOf), l.named(length)
}

// named returns the scale of the unit in the name of a column, or unknown.
func (l *layout) named(r role) int {
	if !l.has(r) {
		return unknown
	}
	_, unit := unitOf(l.head.names[l.at[r]])
	return timeUnit(unit)
}

// asked takes the columns that the user named in options.
func (l *layout) asked(o *Source) (err error) {
	if o.Time != "" {
		if l.at[timeOf], err = l.head.named("--time", o.Time); err != nil {
			return err
		}
		l.time = clock{scale: l.named(timeOf)}
	}
	if o.FrameTime != "" {
		if l.at[length], err = l.head.named("--frame-time", o.FrameTime); err != nil {
			return err
		}
		if l.scale = l.named(length); l.head.kind == presentMon {
			l.scale = 6
		}
		if o.Time == "" && l.head.kind == generic && l.at[timeOf] == l.at[length] {
			l.at[timeOf] = -1
		}
	}
	if l.has(timeOf) && l.at[timeOf] == l.at[length] {
		return fmt.Errorf("--time and --frame-time name the same column, %q", l.head.names[l.at[length]])
	}
	return nil
}
