// The data of a sampling profiler of a JVM, from an agent or a folder: threads, stacks, CPU clocks and the names
// of methods. Source: FORMAT.md of net/flare, sections "Sample folders" and "Agent protocol".

package flare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// MethodID is a method's number within one JVM. It means nothing in another JVM: recordings are
// merged by name.
type MethodID int64

// Record is one sample of one thread.
type Record struct {
	TimeMs int64 // wall clock of the agent, Unix epoch ms
	// CPUNs is the thread's CPU clock as last read by the agent (every 200 ms or more), ns since the
	// thread began; CPUDeltaNs is the increase since the record before, as the agent saw it.
	CPUNs, CPUDeltaNs int64
	// Count is the running number within a folder, 0 from an agent.
	Count int64
	// Stack has the innermost method first. It may be empty: a thread of the JVM itself.
	Stack []MethodID
}

// Thread is everything received of one thread.
type Thread struct {
	ID      int64
	Name    string // the newest
	Renamed []Rename
	Records []Record // in order of time, ties in order of arrival
	// CPU is the CPU time series of a folder's file, empty if there is none.
	CPU Series
}

// Rename is a name that a thread had from a time on.
type Rename struct {
	TimeMs int64
	Name   string
}

// Series is CPU time by steps of equal length, µs each; a step that nothing was written to is 0.
type Series struct {
	BeginMs, StepMs int64
	Values          []int64
}

// Info describes a recording besides its samples, as its summary does (FORMAT.md, "Summary"). 0 means unknown.
type Info struct {
	IntervalMs    int64  `json:"sample_interval"`   // of sampling as configured; the real spacing is longer
	SampleStartMs int64  `json:"sample_start_time"` // when the agent began to sample
	RecordStartMs int64  `json:"record_start_time"` // when the recording began; earlier samples may precede it
	LastRecordMs  int64  `json:"last_record_time"`  // newest sample by the summary, up to a second stale
	AgentAddr     string `json:"agent_addr"`
	Dir           string `json:"sample_data_dir"` // as the recorder calls the folder
}

// defaultStepMs is the sampling interval, and the length of a step of CPU time, where the agent did not send it.
const defaultStepMs = 20

// StepMs is the sampling interval in ms, the usual one where it is not known.
func (i *Info) StepMs() int64 {
	if i.IntervalMs > 0 {
		return i.IntervalMs
	}
	return defaultStepMs
}

// Recording is one session: a folder, several folders of one recording joined, or what an agent has
// sent.
type Recording struct {
	Info
	Methods  map[MethodID]string
	Threads  []*Thread // ascending by id
	Problems []Problem
	// Leftovers is how many samples of an earlier recording were left out (see DropLeftovers).
	Leftovers int64
}

// DropLeftovers leaves out the samples from before the agent began to sample: it still had them
// from an earlier recording when a client connected, which may be hours ago. Where all are from
// before, the clock was set back, and they stay.
func (r *Recording) DropLeftovers() {
	if _, last, ok := r.Bounds(); !ok || r.SampleStartMs <= 0 || last < r.SampleStartMs {
		return
	}
	for _, t := range r.Threads {
		n := after(t, r.SampleStartMs-1)
		t.Records = t.Records[n:]
		r.Leftovers += int64(n)
	}
}

// sampleLeapMs is how far a sample may be from all others.
const sampleLeapMs = 3_600_000

// DropLeaps leaves out samples that lie more than an hour before or behind all others, each a problem:
// their times are damaged, and would stretch the recording until nothing else is seen. Where a
// program stood still for so long, all threads are sampled when it goes on, or one several times.
func (r *Recording) DropLeaps() {
	for _, late := range []bool{true, false} {
		for r.NumRecords() > 2 && r.dropLeap(late) {
		}
	}
}

// dropLeap leaves out the newest sample, or the oldest one, where it lies far from all others.
func (r *Recording) dropLeap(late bool) bool {
	first, last, _ := r.Bounds()
	for _, t := range r.Threads {
		all, where := t.Records, "behind"
		switch n := len(all); {
		case n > 0 && late && all[n-1].TimeMs == last:
			t.Records = all[:n-1]
		case n > 0 && !late && all[0].TimeMs == first:
			t.Records, where = all[1:], "before"
		default:
			continue
		}
		from, to, _ := r.Bounds()
		far := from - first + last - to
		if far <= sampleLeapMs {
			t.Records = all
			return false
		}
		r.Problems = append(r.Problems, Problem{Offset: -1, Reason: fmt.Sprintf(
			"a sample of thread %d is %v %s all others: it was left out", t.ID, time.Duration(far)*time.Millisecond, where)})
		return true
	}
	return false
}

// Problem is something in a recording that could not be read; the rest was.
type Problem struct {
	File   string // empty for a connection
	Offset int64  // -1 when it does not apply
	Reason string
}

// Error implements error.
func (p Problem) Error() string {
	where := p.File
	if p.Offset >= 0 {
		where += " at byte " + strconv.FormatInt(p.Offset, 10)
	}
	if where == "" {
		return p.Reason
	}
	return where + ": " + p.Reason
}

// find returns where the thread of an id is among all, or would be.
func (r *Recording) find(id int64) (i int, ok bool) {
	return slices.BinarySearchFunc(r.Threads, id, func(t *Thread, id int64) int { return cmp.Compare(t.ID, id) })
}

// Thread returns the thread of an id, nil if there is none.
func (r *Recording) Thread(id int64) *Thread {
	if i, ok := r.find(id); ok {
		return r.Threads[i]
	}
	return nil
}

// EnsureThread returns the thread of an id, a new one if need be.
func (r *Recording) EnsureThread(id int64) *Thread {
	i, ok := r.find(id)
	if !ok {
		r.Threads = slices.Insert(r.Threads, i, &Thread{ID: id})
	}
	return r.Threads[i]
}

// Method returns a method's name, its number in decimal if the name never came.
func (r *Recording) Method(id MethodID) string {
	if name, ok := r.Methods[id]; ok {
		return name
	}
	return strconv.FormatInt(int64(id), 10)
}

// NumRecords returns the number of samples of all threads.
func (r *Recording) NumRecords() (n int) {
	for _, t := range r.Threads {
		n += len(t.Records)
	}
	return n
}

// Bounds returns the times of the earliest and the latest sample in ms; ok is false without one.
func (r *Recording) Bounds() (firstMs, lastMs int64, ok bool) {
	for _, t := range r.Threads {
		if len(t.Records) == 0 {
			continue
		}
		a, b := t.Records[0].TimeMs, t.Records[len(t.Records)-1].TimeMs
		if !ok {
			firstMs, lastMs, ok = a, b, true
		}
		firstMs, lastMs = min(firstMs, a), max(lastMs, b)
	}
	return firstMs, lastMs, ok
}

// Add takes one sample of a thread. Samples come in order of time but for small disorder, which is
// put right.
func (t *Thread) Add(x Record, name string) {
	if name != t.Name || len(t.Renamed) == 0 {
		t.Name = name
		t.Renamed = append(t.Renamed, Rename{x.TimeMs, name})
	}
	t.Records = append(t.Records, x)
	for i := len(t.Records) - 1; i > 0 && t.Records[i-1].TimeMs > t.Records[i].TimeMs; i-- {
		t.Records[i-1], t.Records[i] = t.Records[i], t.Records[i-1]
	}
}
