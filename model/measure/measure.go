// Package measure is the vocabulary: for each shown figure its name, its meaning, how it is
// computed, its unit, and the sources that have it. Headers, their tooltips, fields of JSON,
// columns of CSV and docs/measures.md read it, so that one thing has one name. It knows nothing
// else.
package measure

import "strings"

// Unit is the unit that the values of a measure are kept and exported in.
type Unit string

// The units. Windows and text show times and sizes in a greater one, which the header names.
const (
	Word    Unit = ""          // a name, not a number
	Ns      Unit = "ns"        // nanoseconds
	Bytes   Unit = "B"         // bytes
	Count   Unit = "count"     // how many
	Number  Unit = "number"    // the program's own number of something
	Share   Unit = "share"     // a part of 1; shown as %
	PerSec  Unit = "1/s"       // how often a second
	Own     Unit = "its own"   // that of the measured value
	Derived Unit = "of figure" // that of the figure it is a statistic of
)

// Measure is one entry.
type Measure struct {
	// ID is how JSON and the IDs of columns name it: a unit may follow, as in total_ns.
	ID string
	// Title is how headers and tooltips name it.
	Title string
	Unit  Unit
	// What explains it and how it is computed, On where it is known; empty: everywhere.
	What, On string
}

const (
	framed    = "sources with frames"
	spans     = "sources with spans"
	sampled   = "sources of stack samples"
	series    = "sources with series"
	locks     = "sources with locks"
	pipelines = "GStreamer"
)

// All is the vocabulary.
var All = []Measure{
	// Time.
	{"total", "total", Ns, "time inside, with callees; of recursive calls the outermost counts. Over frames: the mean of a frame", spans},
	{"uncertainty", "±", Ns, "how uncertain the total is because of its number of samples n, of N in all: total · √((1 − n/N) / n), a standard deviation", sampled},
	{"self", "self", Ns, "time inside, without callees; of calls and runs. Over frames: the mean of a frame", spans},
	{"vs_baseline", "vs baseline", Ns, "total (where there are no frames: the mean call; of sampled stacks the part of the time) less what is typical of the baseline: the median of its frames, calls or 32 parts of its time", spans},
	{"net", "net", Ns, "self time of a collector and of all collectors named below it (App and App:AI), whoever called them; the measure of strip charts. Over frames: the mean of a frame", framed},
	{"cpu_time", "CPU time", Ns, "time on a processor. Of a thread: what its clock grew by; of a method an estimate (≈), the growth between two readings by the time of the samples of code meanwhile; where nothing but waits was sampled it is spread over them", "sources with CPU times of threads"},
	{"self_cpu_time", "self CPU time", Ns, "CPU time without callees; an estimate (≈)", sampled},
	{"took", "took", Ns, "wall time from begin to end, waiting included; ≥ where an end is not known", ""},
	{"duration", "duration", Ns, "wall time from begin to end, waiting included", ""},
	{"length", "length", Ns, "time from the first to the last that was received", ""},
	{"shortest", "shortest", Ns, "the least wall time of one call or run, not cut to the range", spans},
	{"longest", "longest", Ns, "the greatest wall time of one call, run, wait or hold", ""},
	{"waited", "waited", Ns, "time that threads waited for the lock, all together: tries to get it while another thread held it, as far as is known, or that have not got it yet", locks},
	{"held", "held", Ns, "time that threads held the lock, all together", locks},
	{"meanwhile_held", "meanwhile held", Ns, "for how long of the longest wait one thread held the lock, the one that did longest", locks},
	{"condition_wait", "condition wait", Ns, "time that threads waited for the condition variable", locks},
	{"running", "running", Ns, "time on a processor, by the thread's CPU clock, at most as long as code was innermost; left out where it has no clock", sampled},
	{"ready", "ready or at a monitor", Ns, "time in which code was innermost and the clock stood still: ready to run, or at a monitor. Without a clock the thread may have run, too", sampled},
	{"io", "socket or file", Ns, "time in which what is innermost reads, writes, connects or accepts a socket or a file", sampled},
	{"blocked", "blocked", Ns, "time in which the thread was parked in line for a lock of java.util.concurrent.locks", sampled},
	{"waiting", "waiting", Ns, "time in which the thread was parked otherwise, asleep, in a monitor until it is told, or at a selector", sampled},
	{"unknown", "unknown", Ns, "time in which the stack was empty, or nothing was sampled", sampled},
	{"latency", "latency", Ns, "time from a buffer's leaving a source to its arrival", pipelines},
	{"begin", "begin", Ns, "when it began, from the beginning of the session", ""},
	{"end", "end", Ns, "when it ended, from the beginning of the session", ""},
	{"at", "at", Ns, "when, from the beginning of the session", ""},
	{"time", "time", Ns, "when, from the beginning of the session", ""},
	{"last_data", "last data", Ns, "when the newest data of it came: now, how long ago, or until when; to the end: within a second of the end of the recording", ""},
	{"clock_shift", "clock moved by", Ns, "what a thread's own clock was moved by: the median over frames of the same number; how far it is behind by nature is not known", "GPUs of old PStats clients"},
	{"clock_spread", "clock spread", Ns, "within which nine tenths of these frames differ", "GPUs of old PStats clients"},
	{"clock_step", "time step", Ns, "distance of two neighbouring times of the sender's clock: no time is known better", ""},

	// How many.
	{"calls", "calls", Count, "how many ran, recursive ones and those that began before the range included; starts are those that began in it", "sources that record each call"},
	{"runs", "runs", Count, "stretches of neighbouring samples with it on the stack; calls between two samples can't be told apart", sampled},
	{"starts", "starts", Count, "how often it began, over all frames of the range; one that goes on from the frame before is one more of the calls", framed},
	{"samples", "samples", Count, "values, or stacks, that were sampled at a time in the range, its begin included and its end not", "sources that sample"},
	{"self_samples", "self samples", Count, "stacks with it innermost", sampled},
	{"weight", "weight", Count, "what samples stand for besides themselves, in the unit that the source names: bytes, time, events. Reports call it what the source does", sampled},
	{"of_samples", "samples of code", Count, "stacks in which what is innermost neither waits nor reads or writes sockets and files", sampled},
	{"spans", "spans", Count, "stretches of time that are stored of it", spans},
	{"frames", "frames", Count, "frames received, each once, however many threads have a part of it", framed},
	{"all_frames", "all frames", Count, "frames of all threads that send frames of their own, in the whole recording", framed},
	{"frames_with", "frames with", Count, "frames in which it, or a collector named below it, has self time", framed},
	{"missing_frames", "missing frames", Count, "numbers of frames that never came, between those that did", framed},
	{"evicted_frames", "left memory", Count, "frames that were received and are no longer in memory", framed},
	{"waits", "waits", Count, "how often a thread waited for the lock: another held it meanwhile, as far as is known, or it has not got it yet; getting a free lock is no wait", locks},
	{"holds", "holds", Count, "how often a thread got the lock", locks},
	{"unheld", "unheld", Count, "how often a thread got the lock while no other is known to have held it: no waits", locks},
	{"unheld_time", "unheld time", Ns, "time that it took to get the lock while no other is known to have held it", locks},
	{"failed", "failed", Count, "how often a thread tried and did not get the lock", locks},
	{"conditions", "conditions", Count, "how often a thread waited for the condition variable", locks},
	{"signals", "signals", Count, "how often the condition variable was signalled", locks},
	{"threads", "threads", Count, "how many threads used it", ""},
	{"count", "count", Count, "how many", ""},
	{"gaps", "gaps", Count, "places where the series has no value for a while; of the sampling: where the next samples are more than ten times as far as in the middle", series},
	{"distances", "distances", Count, "how many times follow each other at which anything was sampled", sampled},
	{"asked", "asked for", Ns, "the interval that the sampler was told; sampling itself takes time, too", sampled},
	{"gap", "gap", Ns, "time in which nothing was sampled, all gaps together", sampled},
	{"p5", "p5", Derived, "5 of a hundred values are less", sampled},
	{"refs", "refs", Count, "references to the object", pipelines},
	{"leaked", "leaked", Count, "objects that were alive at the end", pipelines},
	{"alive", "alive", Count, "objects that were alive when they were listed", pipelines},
	{"added", "added", Count, "objects that came since the last checkpoint", pipelines},
	{"removed", "removed", Count, "objects that went since the last checkpoint", pipelines},

	// Statistics of these.
	{"mean", "mean", Derived, "sum by number; over frames those without it count as 0; of calls the mean length of one, not cut. Of what holds until the next value (loads, levels, gauges, counts of references: mean by time) each value counts for as long as it was in force in the range, from the one in force at its begin to the newest", ""},
	{"mean_by_time", "mean by time", Word, "whether the mean is one by time", "sources with series"},
	{"median", "median", Derived, "half of the values are less (of an even number of frames the mean of the middle two, else nearest rank); of what holds until the next value this and the percentiles are by time, as the mean is", ""},
	{"p90", "p90", Derived, "nine of ten values are at most that (nearest rank); of what holds: nine tenths of the time", ""},
	{"p95", "p95", Derived, "95 of a hundred values are at most that (nearest rank); of what holds: 95 hundredths of the time", ""},
	{"p99", "p99", Derived, "99 of a hundred values are at most that (nearest rank); of what holds: 99 hundredths of the time", ""},
	{"min", "min", Derived, "the least value; of what holds until the next also the one in force at the begin of the range", ""},
	{"max", "max", Derived, "the greatest value; of what holds until the next also the one in force at the begin of the range", ""},
	{"sum", "sum", Derived, "all values added up", ""},
	{"std_dev", "standard deviation", Derived, "spread of the values about their mean; of what holds by time, as the mean is", ""},
	{"first", "first", Derived, "the first value of the range", ""},
	{"last", "last", Derived, "the last value of the range", ""},
	{"max_frame", "max in frame", Number, "the first frame with the greatest value", framed},

	// Frames that are much longer than those around them.
	{"cause", "cause", Word, "what made frames so long: the root of the chain of what took longer than is typical", framed},
	{"hitches", "hitches", Count, "frames that are much longer than those around them; of a cause those that it made so", framed},
	{"period", "every", Ns, "the middle of the times from one hitch to the next, where half of these are within a quarter of it (≈)", framed},
	{"trend", "trend", Share, "by how much more over the typical the newer half of hitches is than the older half", framed},

	{"typical_self", "typical self", Ns, "median self time in the frames around that are no hitches (the lower of two middle ones)", framed},
	{"over_typical", "over typical", Ns, "self time minus typical self time; negative: less than typical", framed},

	// Comparisons.
	{"a", "A", Derived, "typical mean of the first side, of a frame or a second: what stands far out is cut", ""},
	{"b", "B", Derived, "typical mean of the second side, of a frame or a second: what stands far out is cut", ""},
	{"delta", "B − A", Derived, "by how much the typical mean of B is more than that of A", ""},
	{"interval", "± 95 %", Derived, "half of the 95 % interval of B − A, by blocks of frames as long as these resemble each other", ""},
	{"p", "p", Derived, "chance of such ranks of the frames if nothing changed, corrected for the number of tests (Holm)", ""},
	{"verdict", "verdict", Word, "what became of it: slower, faster, new, gone, mixed; or noise, or not tested. Of a budget: kept, broken, or nothing of its name was recorded", ""},
	{"limit", "limit", Derived, "the greatest value that a budget allows", ""},
	{"measured", "measured", Derived, "what a budget is on, over all frames that were received", ""},

	// Parts and rates.
	{"share", "share", Share, "total by the length of the range; in call trees by the total of all", ""},
	{"busy_time", "busy time", Ns, "time of a thread in its spans, less its waits: those in which it waited, idled or was parked", framed},
	{"not_measured", "not measured", Ns, "time of frames that no span within them covers", framed},
	{"busy", "busy", Share, "part of the time in which spans cover the thread", spans},
	{"cpu_load", "CPU", Share, "CPU time by the time that the thread lived in the range, from the first to the last that was received of it; 100 % is one processor", "sources with loads of threads"},
	{"states", "states", Share, "parts of the time that the thread lived in which it ran, by its CPU clock; was ready or at a monitor; read or wrote a socket or a file; was blocked in line for a lock; waited. Told by what is innermost on the stack until the next sample; of the rest nothing is known", sampled},
	{"own_share", "own", Share, "self samples of the method by all samples of code, which neither wait nor read or write sockets and files", sampled},
	{"share_error_95", "± (95 %)", Share, "how far a share of samples is at most from that of all the time, with a probability of 95 %: the farther end of Wilson's interval", sampled},
	{"rate", "rate", PerSec, "growth of a counter, or sum of what happened, by time", series},
	{"low_1", "1 % low", PerSec, "rate of the slowest hundredth of the frames, at least of one: how many these are by their time", framed},
	{"low_01", "0.1 % low", PerSec, "rate of the slowest thousandth of the frames, at least of one", framed},
	{"over", "over budget", Share, "frames that took longer than the budget, by all", framed},
	{"frames_per_second", "frame rate", PerSec, "frames from the first to the last, missing ones included, by time", framed},

	// Numbers of the program's own.
	{"frame", "frame", Number, "the program's own number of the frame", framed},
	{"first_frame", "first frame", Number, "the number of the first frame of the range", framed},
	{"last_frame", "last frame", Number, "the number of the last frame of the range", framed},
	{"size", "size", Bytes, "bytes on disk", ""},
	{"value", "value", Own, "as the program sent it; over frames with the parts that are named below it", ""},

	// Names.
	{"collector", "collector", Word, "what is measured, with its full name", ""},
	{"budget", "budget", Word, "the name of a budget in its file, or the pattern that says what it is on", ""},
	{"measure", "measure", Word, "which figure a budget limits, and which value of it over all frames", ""},
	{"method", "method", Word, "what was on the stack", ""},
	{"hottest", "top method by own samples", Word, "the method with most self samples of code, which neither wait nor read or write sockets and files", sampled},
	{"line", "CPU over time", Word, "the course of the load", ""},
	{"sampling", "sampling", Word, "how far apart the samples are", sampled},
	{"run", "run", Word, "neighbouring samples with the same method on the stack, under the same callers: of one call or of many", sampled},
	{"call", "call", Word, "one run of a collector from begin to end", ""},
	{"element", "element", Word, "an element of a pipeline", ""},
	{"thread", "thread", Word, "a thread of the program, or what stands for one", ""},
	{"series", "series", Word, "values of one thing in the order of time", ""},
	{"group", "group", Word, "series that belong together", ""},
	{"track_kind", "track kind", Word, "what spans are of: a thread, an element of a pipeline, a path through it, output", ""},
	{"kind", "kind", Word, "what the values of a series are", ""},
	{"unit", "unit", Word, "unit of the values in this row", ""},
	{"span", "span", Word, "a stretch of time in which something ran", ""},
	{"lock", "lock", Word, "a lock or condition variable", ""},
	{"by", "by", Word, "the thread that did", ""},
	{"held_by", "held by", Word, "the thread that held the lock for the longest part of the longest wait", ""},
	{"type", "type", Word, "class of an object", pipelines},
	{"reference_history", "reference history", Word, "who took and gave references, in order", pipelines},
	{"level", "level", Word, "how grave a message is", ""},
	{"category", "category", Word, "what part of the program says it", ""},
	{"object", "object", Word, "the thing that it is about", ""},
	{"message", "message", Word, "what was said", ""},
	{"name", "name", Word, "what it is called", ""},
	{"began", "began", Word, "when it began, by the calendar", ""},
	{"source", "source", Word, "what kind of data it is", ""},
	{"program", "program", Word, "what was measured", ""},
	{"state", "state", Word, "what becomes of it", ""},
}

// Of returns the entry of a title; a title may have more words after a comma.
func Of(title string) (Measure, bool) {
	title, _, _ = strings.Cut(strings.TrimSpace(title), ",")
	for i := range All {
		if All[i].Title == title {
			return All[i], true
		}
	}
	return Measure{}, false
}

// Title returns the title of an ID. It panics where there is none: titles are part of the program.
func Title(id string) string {
	for i := range All {
		if All[i].ID == id {
			return All[i].Title
		}
	}
	panic("measure: no " + id)
}
