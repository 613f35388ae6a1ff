package gotrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// maxReasons is the limit of distinct reasons to wait.
const maxReasons = 200

// words are the names of states that a trace uses.
type words struct {
	states  []string // by state
	reasons map[string]state
}

func newWords() words {
	return words{
		states:  []string{"", "running", "runnable", "in a system call", "in a system call, blocked", "waiting"},
		reasons: map[string]state{"": waiting, "unspecified": waiting},
	}
}

// waiting returns the state of waiting for a reason.
func (w *words) waiting(reason string) state {
	s, ok := w.reasons[reason]
	if ok || len(w.states) >= maxReasons {
		return max(s, waiting)
	}
	s = state(len(w.states))
	w.reasons[reason] = s
	w.states = append(w.states, "waiting: "+trace.Shown(cutText(reason)))
	return s
}

// collector returns the collector of a name.
func (d *decoder) collector(name string) model.CollectorID {
	return d.names.Collector([]byte(cutText(name)))
}
