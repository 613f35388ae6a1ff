package trace

import (
	"bytes"
	"strconv"
)

const (
	// Flows is what the text is called that lists the names of flows, an array of JSON: the highest bits of their
	// numbers, from FlowShift on, say which is theirs, 1 the first.
	Flows     = "flow_names"
	FlowShift = 48
	// Row is the argument of an end of a flow that says in which row of its track the span is that it is of, where
	// that is not the innermost.
	Row = "span_row"
	// FlowTimes is the argument of a span that says where in it the flows are that go through it, in formats in which they
	// have no times of their own: ns after its begin, "1500 0 20", of those that go on first, then of those that end
	// in it. Flows without a time are at its begin.
	FlowTimes = "flow_times"
)

const mostFlows = 1<<16 - 1

// ReadFlows reads the names of flows as they stand in the text.
func ReadFlows(text []byte, take func(name []byte)) {
	n := 0
	EachJSON(text, func(_, value []byte, _ byte) {
		if n++; n <= mostFlows {
			take(value)
		}
	})
}

// ReadFlowTimes appends the times that a text says, ns of at least 0, to dst, as far as it can be read.
func ReadFlowTimes(dst []int64, text []byte) []int64 {
	for word := range bytes.FieldsSeq(text) {
		ns, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil || ns < 0 || len(dst) >= mostFlows {
			break
		}
		dst = append(dst, ns)
	}
	return dst
}
