package subject

import "framescope/model/store"

// CallWords are the names of the spans of a session: calls, or runs for sampled stacks, since
// sampling cannot separate one call from the next.
type CallWords struct {
	One, Many string
	Who       string // the thing that is called, or runs: a collector, or a method
	BottomUp  string // the effect of turning a call tree bottom up
	Longest   string // the title of a list of the longest
	// Warning explains runs; empty for calls.
	Warning string
}

var callWords = [...]CallWords{
	{
		One: "call", Many: "calls", Who: "collector", BottomUp: "Every collector with its callers below it",
		Longest: "Slowest calls",
	},
	{
		One: "run", Many: "runs", Who: "method", BottomUp: "Every method with its callers below it",
		Longest: "Longest runs",
		Warning: "Sampled: a run may be of one call or of many",
	},
}

// CallWordsOf returns the words for spans that are runs, or calls.
func CallWordsOf(runs bool) *CallWords {
	if runs {
		return &callWords[1]
	}
	return &callWords[0]
}

// CallWordsIn returns the words for the spans of a session.
func CallWordsIn(s *store.Session) *CallWords { return CallWordsOf(s.Spans().AnySampled()) }
