package flare

import (
	"context"
	"sort"
)

// HasSeries reports whether a thread has the CPU time series that compat mode needs.
func HasSeries(t *Thread) bool { return t.CPU.StepMs > 0 }

// stepOf is the step of a time in a series; times before its beginning are step 0.
func stepOf(s *Series, ms int64) int64 { return max(0, ms-s.BeginMs) / s.StepMs }

// compatRecords returns the records that the original server takes for a range: from the first step
// at or after the start up to and including the first at or after the end. A thread without a
// series has none.
func compatRecords(t *Thread, startMs, endMs int64) (from, behind int) {
	n := len(t.Records)
	if n == 0 || !HasSeries(t) {
		return 0, 0
	}
	// first is the first record at or after a step, find the last one of that record's step.
	first := func(step int64) int {
		return sort.Search(n, func(i int) bool { return stepOf(&t.CPU, t.Records[i].TimeMs) >= step })
	}
	find := func(ms int64) int {
		i := min(first(stepOf(&t.CPU, ms)), n-1)
		return first(stepOf(&t.CPU, t.Records[i].TimeMs)+1) - 1
	}
	from = find(startMs)
	return from, max(find(endMs)+1, from)
}

// compatPieces is Pieces by the original's rules: the record in force at the start is lost, the last one is
// discarded, durations are not cut, and there is no CPU time.
func compatPieces(t *Thread, startMs, endMs int64) (out []Piece) {
	from, behind := compatRecords(t, startMs, endMs)
	for i := from; i+1 < behind; i++ {
		out = append(out, Piece{t.Records[i].TimeMs, t.Records[i+1].TimeMs, 0, i})
	}
	return out
}

// CompatMerged is Merged by the original's rules: durations go to the later record of each pair,
// whatever thread the earlier one is of, and the root has zeros.
func CompatMerged(ctx context.Context, rec *Recording, threads []*Thread, startMs, endMs int64) (*Node, error) {
	m := newMerger(ctx, rec)
	var lastMs, lastCPU int64
	any := false
	for _, t := range threads {
		from, behind := compatRecords(t, startMs, endMs)
		records := t.Records[from:behind]
		clocks := spread(records)
		for i := range records {
			if err := m.step(); err != nil {
				return m.root, err
			}
			var ms, cpu int64
			if any {
				ms, cpu = records[i].TimeMs-lastMs, clocks[i]-lastCPU
			}
			m.add(records[i].Stack, ms, cpu)
			lastMs, lastCPU, any = records[i].TimeMs, clocks[i], true
		}
	}
	return m.root, nil
}

// spread gives runs of equal clocks a slope: a run of n records at a before a change to b becomes a
// + k·⌊(b−a)/n⌋.
func spread(records []Record) []int64 {
	out := make([]int64, len(records))
	for i := 0; i < len(records); {
		k := i
		for k < len(records) && records[k].CPUNs == records[i].CPUNs {
			out[k] = records[k].CPUNs
			k++
		}
		if k < len(records) {
			share := (records[k].CPUNs - records[i].CPUNs) / int64(k-i)
			for j := i; j < k; j++ {
				out[j] += int64(j-i+1) * share
			}
		}
		i = k
	}
	return out
}
