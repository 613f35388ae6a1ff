package retold

import "framescope/net/jsonscan"

const (
	// Flows is what the text is called that lists the names of flows, an array of JSON: the highest bits of their
	// numbers, from FlowShift on, say which is theirs, 1 the first.
	Flows     = "flow_names"
	FlowShift = 48
	// Row is the argument of an end of a flow that says in which row of its track the span is that it is of, where
	// that is not the innermost.
	Row = "span_row"
)

const mostFlows = 1<<16 - 1

// ReadFlows reads the names of flows as they stand in the text.
func ReadFlows(text []byte, take func(name []byte)) {
	n := 0
	jsonscan.Each(text, func(_, value []byte, _ byte) {
		if n++; n <= mostFlows {
			take(value)
		}
	})
}
