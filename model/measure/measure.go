// Package measure is the vocabulary: the name, meaning, computation, unit and sources of each shown
// figure. Headers, their tooltips, fields of JSON, columns of CSV and docs/measures.md read it, so
// that one thing has one name. It also groups the digits of whole numbers. It knows nothing else.
package measure

import "strings"

// Unit is the unit that the values of a measure are kept and exported in.
type Unit string

// The units. Windows and text show times and sizes in a greater unit, named in the header.
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
	// ID is its name in JSON and in the IDs of columns: a unit may follow, as in total_ns.
	ID string
	// Title is its name in headers and tooltips.
	Title string
	Unit  Unit
	// What is its meaning and computation, On the sources that have it; empty: all.
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
	{"total", "total", Ns, "time with callees; of recursive calls, the outermost counts. Over frames: the mean of a frame",
		spans},
	{"uncertainty", "±", Ns, "standard deviation of the total, from its n of N samples: total · √((1 − n/N) / n)",
		sampled},
	{"self", "self", Ns, "time without callees, of calls and runs. Over frames: the mean of a frame", spans},
	{"vs_baseline", "vs baseline", Ns,
		"total (without frames: the mean call; of stack samples: the part of the time) minus the baseline's median over " +
			"its frames, calls or 32 parts of its time", spans},
	{"net", "net", Ns, "self time of a collector and all collectors named below it (App and App:AI), whatever calls " +
		"them; strip charts show it. Over frames: the mean of a frame", framed},
	{"cpu_time", "CPU time", Ns, "time on a processor. Of a thread: the growth of its CPU clock. Of a method, an " +
		"estimate (≈): the growth between two readings, divided among the samples of code between them, or among all " +
		"samples if only waits were sampled", "sources with CPU times of threads"},
	{"self_cpu_time", "self CPU time", Ns, "CPU time without callees; an estimate (≈)", sampled},
	{"took", "took", Ns, "wall time from begin to end, with waits; ≥ if an end is unknown", ""},
	{"duration", "duration", Ns, "wall time from begin to end, with waits", ""},
	{"length", "length", Ns, "time from the first to the last received data", ""},
	{"shortest", "shortest", Ns, "shortest wall time of one call or run, not cut to the range", spans},
	{"longest", "longest", Ns, "longest wall time of one call, run, wait or hold", ""},
	{"waited", "waited", Ns, "sum over threads of the time to get the lock while another thread is known to hold it, " +
		"with tries that have not got it yet", locks},
	{"held", "held", Ns, "sum over threads of the time that they held the lock", locks},
	{"meanwhile_held", "meanwhile held", Ns, "time within the longest wait in which the thread “held by” held the lock",
		locks},
	{"condition_wait", "condition wait", Ns, "sum over threads of the time that they waited for the condition variable",
		locks},
	{"running", "running", Ns, "time on a processor by the thread's CPU clock, at most the time with code innermost; " +
		"empty without a CPU clock", sampled},
	{"ready", "ready or at a monitor", Ns,
		"time with code innermost while the CPU clock stood still: ready to run, or at a monitor. Without a CPU clock, " +
			"this includes running", sampled},
	{"io", "socket or file", Ns, "time in which the innermost method reads, writes, connects or accepts a socket or " +
		"a file", sampled},
	{"blocked", "blocked", Ns, "time in which the thread was parked in the queue of a lock of java.util.concurrent.locks",
		sampled},
	{"waiting", "waiting", Ns, "time in which the thread was parked elsewhere, asleep, in Object.wait, or at a selector",
		sampled},
	{"unknown", "unknown", Ns, "time with an empty stack or without samples", sampled},
	{"latency", "latency", Ns, "time from a buffer's departure at a source to its arrival", pipelines},
	{"begin", "begin", Ns, "begin, from the beginning of the session", ""},
	{"end", "end", Ns, "end, from the beginning of the session", ""},
	{"at", "at", Ns, "time, from the beginning of the session", ""},
	{"time", "time", Ns, "time, from the beginning of the session", ""},
	{"last_data", "last data", Ns,
		"time of its newest data: now, how long ago, or until when; “to the end”: within the last second of the recording",
		""},
	{"clock_shift", "clock moved by", Ns,
		"shift of the thread's own clock: the median difference over frames of the same number. The natural delay of a " +
			"GPU is unknown", "GPUs of old PStats clients"},
	{"clock_spread", "clock spread", Ns, "range that contains nine tenths of these differences",
		"GPUs of old PStats clients"},
	{"clock_step", "time step", Ns, "resolution of the sender's clock", ""},

	// How many.
	{"calls", "calls", Count, "number of calls, with recursive ones and those that began before the range; starts " +
		"counts those that began in it", "sources that record each call"},
	{"runs", "runs", Count, "stretches of neighboring samples with it on the stack; calls between two samples are " +
		"not distinguished", sampled},
	{"starts", "starts", Count, "number of begins, over all frames of the range; a call that continues from the " +
		"frame before adds to calls only", framed},
	{"samples", "samples", Count, "values, or stacks, sampled in the range (begin included, end excluded)",
		"sources that sample"},
	{"self_samples", "self samples", Count, "stacks with it innermost", sampled},
	{"weight", "weight", Count, "sum of the sample weights in the source's unit: bytes, time, events. Reports use " +
		"the source's name for it", sampled},
	{"of_samples", "samples of code", Count,
		"stacks with an innermost method that neither waits nor reads or writes sockets and files", sampled},
	{"spans", "spans", Count, "number of stored spans", spans},
	{"frames", "frames", Count, "number of received frames, each counted once for all threads", framed},
	{"all_frames", "all frames", Count, "frames of all threads that send frames of their own, in the whole recording",
		framed},
	{"frames_with", "frames with", Count, "frames in which it, or a collector named below it, has self time", framed},
	{"missing_frames", "missing frames", Count, "frame numbers that never arrived, between those that did", framed},
	{"evicted_frames", "left memory", Count, "received frames that are no longer in memory", framed},
	{"waits", "waits", Count, "number of times that a thread waited for the lock: another thread is known to hold " +
		"it, or the thread has not got it yet. Getting a free lock is no wait", locks},
	{"holds", "holds", Count, "number of times that a thread got the lock", locks},
	{"unheld", "unheld", Count, "number of times that a thread got the lock while no other is known to hold it; " +
		"these are no waits", locks},
	{"unheld_time", "unheld time", Ns, "time to get the lock while no other thread is known to hold it", locks},
	{"failed", "failed", Count, "number of times that a thread tried and did not get the lock", locks},
	{"conditions", "conditions", Count, "number of waits for the condition variable", locks},
	{"signals", "signals", Count, "number of signals of the condition variable", locks},
	{"threads", "threads", Count, "number of threads that used it", ""},
	{"count", "count", Count, "number of items", ""},
	{"gaps", "gaps", Count, "places without a value for a while; of samplings: distances of more than ten times the " +
		"median", series},
	{"distances", "distances", Count, "number of distances between successive sampling times", sampled},
	{"asked", "requested", Ns, "the interval that was set for the sampler; sampling itself takes time, too", sampled},
	{"gap", "gap", Ns, "time without samples, all gaps together", sampled},
	{"p5", "p5", Derived, "5 of 100 values are less", sampled},
	{"refs", "refs", Count, "number of references to the object", pipelines},
	{"leaked", "leaked", Count, "objects alive at the end", pipelines},
	{"alive", "alive", Count, "objects alive when they were listed", pipelines},
	{"added", "added", Count, "objects created since the last checkpoint", pipelines},
	{"removed", "removed", Count, "objects freed since the last checkpoint", pipelines},

	// Statistics of these.
	{"mean", "mean", Derived, "sum divided by number; over frames, those without it count as 0; of calls, the mean " +
		"length of one, not cut. Values that hold until the next one (loads, levels, gauges, reference counts) weigh by " +
		"the time that they held in the range, from the one in force at its begin to the newest", ""},
	{"mean_by_time", "mean by time", Word, "whether the values weigh by time", "sources with series"},
	{"median", "median", Derived, "half of the values are less (of an even number of frames, the mean of the middle " +
		"two, else nearest rank). Values that hold until the next one weigh by time, here and in percentiles", ""},
	{"p90", "p90", Derived, "90 of 100 values are at most this (nearest rank); of values that hold, 90 % of the time", ""},
	{"p95", "p95", Derived, "95 of 100 values are at most this (nearest rank); of values that hold, 95 % of the time", ""},
	{"p99", "p99", Derived, "99 of 100 values are at most this (nearest rank); of values that hold, 99 % of the time", ""},
	{"min", "min", Derived, "least value; of values that hold, with the one in force at the begin of the range", ""},
	{"max", "max", Derived, "greatest value; of values that hold, with the one in force at the begin of the range", ""},
	{"sum", "sum", Derived, "sum of all values", ""},
	{"std_dev", "standard deviation", Derived, "spread of the values about their mean; values that hold weigh by time",
		""},
	{"first", "first", Derived, "first value in the range", ""},
	{"last", "last", Derived, "last value in the range", ""},
	{"max_frame", "max in frame", Number, "first frame with the greatest value", framed},

	// Frames that are much longer than those around them.
	{"cause", "cause", Word, "root of the chain of spans and waits that took longer than typical: it made the frames long",
		framed},
	{"hitches", "hitches", Count, "frames that are much longer than those around them; of a cause, those that it " +
		"made long", framed},
	{"period", "every", Ns, "median time from one hitch to the next, if half of the times are within a quarter of it (≈)",
		framed},
	{"trend", "trend", Share, "how much more the newer half of hitches exceeds the typical time than the older half",
		framed},

	{"typical_self", "typical self", Ns,
		"median self time in the surrounding frames that are no hitches (the lower of two middle ones)", framed},
	{"over_typical", "over typical", Ns, "self time minus typical self time; negative: less than typical", framed},

	// Comparisons.
	{"a", "A", Derived, "typical mean of side A, of a frame or a second: outliers are cut", ""},
	{"b", "B", Derived, "typical mean of side B, of a frame or a second: outliers are cut", ""},
	{"delta", "B − A", Derived, "typical mean of B minus that of A", ""},
	{"interval", "± 95 %", Derived,
		"half of the 95 % interval of B − A, over blocks of frames as long as neighbors resemble each other", ""},
	{"p", "p", Derived, "probability of such ranks of the frames if nothing changed, corrected for the number of " +
		"tests (Holm)", ""},
	{"verdict", "verdict", Word, "slower, faster, new, gone, mixed; noise, or not tested. Of a budget: kept, broken, " +
		"or not recorded", ""},
	{"limit", "limit", Derived, "greatest value that a budget allows", ""},
	{"measured", "measured", Derived, "the value that a budget limits, over all received frames", ""},

	// Parts and rates.
	{"share", "share", Share, "total divided by the length of the range; in call trees, by the total of all", ""},
	{"busy_time", "busy time", Ns, "time of a thread in its spans, without those in which it waited, idled or was parked",
		framed},
	{"not_measured", "not measured", Ns, "time of frames that no span within them covers", framed},
	{"busy", "busy", Share, "part of the time in which spans cover the thread", spans},
	{"cpu_load", "CPU", Share, "CPU time divided by the thread's lifetime in the range, from its first to its last " +
		"data; 100 % is one processor", "sources with loads of threads"},
	{"states", "states", Share, "parts of the thread's lifetime: running (by its CPU clock); ready or at a monitor; " +
		"socket or file; blocked in the queue of a lock; waiting. The innermost method decides until the next sample; " +
		"the rest is unknown", sampled},
	{"own_share", "own", Share, "self samples of the method divided by all samples of code", sampled},
	{"share_error_95", "± (95 %)", Share,
		"the farther end of Wilson's 95 % interval of a share of samples, from the share", sampled},
	{"rate", "rate", PerSec, "growth of a counter, or sum of events, divided by time", series},
	{"low_1", "1 % low", PerSec, "frame rate of the slowest hundredth of the frames, at least one: their number " +
		"divided by their time", framed},
	{"low_01", "0.1 % low", PerSec, "frame rate of the slowest thousandth of the frames, at least one", framed},
	{"over", "over budget", Share, "part of the frames that took longer than the budget", framed},
	{"frames_per_second", "frame rate", PerSec, "frames from the first to the last, with missing ones, divided by time",
		framed},

	// Numbers of the program's own.
	{"frame", "frame", Number, "the program's own number of the frame", framed},
	{"first_frame", "first frame", Number, "number of the first frame of the range", framed},
	{"last_frame", "last frame", Number, "number of the last frame of the range", framed},
	{"size", "size", Bytes, "bytes on disk", ""},
	{"value", "value", Own, "value as the program sent it; over frames, with the collectors named below it", ""},

	// Names.
	{"collector", "collector", Word, "full name of the measured collector", ""},
	{"budget", "budget", Word, "name of a budget in its file, or its pattern", ""},
	{"measure", "measure", Word, "figure that a budget limits, and which value of it over all frames", ""},
	{"method", "method", Word, "a method on the stack", ""},
	{"hottest", "top method by own samples", Word, "the method with most self samples of code", sampled},
	{"line", "CPU over time", Word, "curve of the load", ""},
	{"sampling", "sampling", Word, "distances of the samples", sampled},
	{"run", "run", Word, "neighboring samples with the same method on the stack and the same callers, of one call or " +
		"of several", sampled},
	{"call", "call", Word, "one call of a collector, from begin to end", ""},
	{"element", "element", Word, "an element of a pipeline", ""},
	{"thread", "thread", Word, "a thread of the program, or another track", ""},
	{"series", "series", Word, "values over time", ""},
	{"group", "group", Word, "series that belong together", ""},
	{"track_kind", "track kind", Word, "kind of a track: a thread, an element of a pipeline, a path through it, output",
		""},
	{"kind", "kind", Word, "kind of the values of a series", ""},
	{"unit", "unit", Word, "unit of the values in this row", ""},
	{"span", "span", Word, "a stretch of time with a name", ""},
	{"lock", "lock", Word, "a lock or condition variable", ""},
	{"by", "by", Word, "the thread that did it", ""},
	{"held_by", "held by", Word, "the thread that held the lock for the longest part of the longest wait", ""},
	{"type", "type", Word, "class of an object", pipelines},
	{"reference_history", "reference history", Word, "references taken and given back, in order", pipelines},
	{"level", "level", Word, "severity of a message", ""},
	{"category", "category", Word, "the part of the program that sent the message", ""},
	{"object", "object", Word, "the object of the message", ""},
	{"message", "message", Word, "text of the message", ""},
	{"name", "name", Word, "name", ""},
	{"began", "began", Word, "calendar time of its begin", ""},
	{"source", "source", Word, "format of the data", ""},
	{"program", "program", Word, "the measured program", ""},
	{"state", "state", Word, "the current state", ""},
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
