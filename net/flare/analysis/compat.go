package analysis

import (
	"slices"

	"framescope/net/flare/sample"
)

// stepOf is the step of a time in a series; times before its beginning are step 0.
func stepOf(s *sample.Series, ms int64) int64 { return max(0, (ms-s.BeginMs)/s.StepMs) }

// CompatRecords returns the records that the original server takes for a range: from the first step at or after the start up to and including the first at or after the end.
// The thread must have a series.
func CompatRecords(t *sample.Thread, startMs, endMs int64) []sample.Record {
	n := len(t.Records)
	if n == 0 {
		return nil
	}
	find := func(ms int64) int {
		step := stepOf(&t.CPU, ms)
		// The last of several records of one step counts.
		i, _ := slices.BinarySearchFunc(t.Records, step+1, func(r sample.Record, s int64) int { return int(min(max(stepOf(&t.CPU, r.TimeMs)-s, -1), 1)) })
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

// CompatSequenced is Sequenced by the original's rules: the record in force at the start is lost, the last one is discarded, and durations are not cut.
func CompatSequenced(rec *sample.Recording, records []sample.Record, startMs, endMs int64) (root *Node, beginMs, lastMs int64) {
	root = &Node{Label: "root"}
	if len(records) < 2 {
		return root, startMs, endMs
	}
	beginMs = records[0].TimeMs
	for i := 0; i+1 < len(records); i++ {
		r := &records[i]
		addSequenced(rec, root, r.Stack, r.TimeMs-beginMs, records[i+1].TimeMs-r.TimeMs, 0)
		lastMs = r.TimeMs
	}
	return root, beginMs, lastMs
}

// CompatMerged is Merged by the original's rules: durations go to the later record of each pair, whatever thread the earlier one is of, and the root has zeros.
func CompatMerged(rec *sample.Recording, threads [][]sample.Record) *Node {
	m := newMerger(rec)
	var lastMs, lastCPU int64
	any := false
	for _, records := range threads {
		clocks := spread(records)
		for i := range records {
			var ms, cpu int64
			if any {
				ms, cpu = records[i].TimeMs-lastMs, clocks[i]-lastCPU
			}
			m.add(records[i].Stack, ms, cpu)
			lastMs, lastCPU, any = records[i].TimeMs, clocks[i], true
		}
	}
	return m.root
}

// spread gives runs of equal clocks a slope: a run of n records at a before a change to b becomes a + k·⌊(b−a)/n⌋.
func spread(records []sample.Record) []int64 {
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
