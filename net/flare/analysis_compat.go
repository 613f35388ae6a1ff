package flare

import (
	"context"
	"slices"
)

// HasSeries reports whether a thread has the CPU time series that compat mode needs.
func HasSeries(t *Thread) bool { return t.CPU.StepMs > 0 }

// stepOf is the step of a time in a series; times before its beginning are step 0.
func stepOf(s *Series, ms int64) int64 { return max(0, ms-s.BeginMs) / s.StepMs }

// CompatRecords returns the records that the original server takes for a range: from the first step
// at or after the start up to and including the first at or after the end. A thread without a
// series has none.
func CompatRecords(t *Thread, startMs, endMs int64) []Record {
	n := len(t.Records)
	if n == 0 || !HasSeries(t) {
		return nil
	}
	find := func(ms int64) int {
		step := stepOf(&t.CPU, ms)
		// The last of several records of one step counts.
		i, _ := slices.BinarySearchFunc(
			t.Records, step+1,
			func(r Record, s int64) int { return int(min(max(stepOf(&t.CPU, r.TimeMs)-s, -1), 1)) },
		)
		if i > 0 && stepOf(&t.CPU, t.Records[i-1].TimeMs) == step {
			return i - 1
		}
		if i == n {
			return n - 1
		}
		// The next larger step, and again its last record.
		next := stepOf(&t.CPU, t.Records[i].TimeMs)
		for i+1 < n && stepOf(&t.CPU, t.Records[i+1].TimeMs) == next {
			i++
		}
		return i
	}
	a, b := find(startMs), find(endMs)
	if a > b {
		return nil
	}
	return t.Records[a : b+1]
}

// CompatSequenced is Sequenced by the original's rules: the record in force at the start is lost,
// the last one is discarded, and durations are not cut.
func CompatSequenced(ctx context.Context, rec *Recording, t *Thread, startMs, endMs int64) (Timeline, error) {
	out := Timeline{Root: &Node{Label: "root"}, BeginMs: startMs, EndMs: endMs}
	records := CompatRecords(t, startMs, endMs)
	if len(records) < 2 {
		return out, nil
	}
	b := builder{ctx: ctx, rec: rec}
	out.BeginMs, out.EndMs = records[0].TimeMs, records[len(records)-2].TimeMs
	for i := 0; i+1 < len(records); i++ {
		if err := b.step(); err != nil {
			return out, err
		}
		r := &records[i]
		b.sequence(out.Root, r.Stack, r.TimeMs-out.BeginMs, records[i+1].TimeMs-r.TimeMs, 0, true)
	}
	return out, nil
}

// CompatMerged is Merged by the original's rules: durations go to the later record of each pair,
// whatever thread the earlier one is of, and the root has zeros.
func CompatMerged(ctx context.Context, rec *Recording, threads []*Thread, startMs, endMs int64) (*Node, error) {
	m := newMerger(ctx, rec)
	var lastMs, lastCPU int64
	any := false
	for _, t := range threads {
		records := CompatRecords(t, startMs, endMs)
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
