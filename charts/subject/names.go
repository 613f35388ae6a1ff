// Package subject has the looks and names of the things of a session, the same in every panel:
// names, colors, lines of tooltips, measures, budgets, loads. It draws nothing.
package subject

import (
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// UnitOf returns the unit of a counter: its own, or the nearest ancestor's ("inherit").
func UnitOf(s *store.Session, id model.CollectorID) string {
	if id <= 0 {
		return ""
	}
	return s.Collector(id).UnitHere
}

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

// AllThreads is the name of all shown threads.
func AllThreads(v *view.View) string {
	switch l := v.Look(); {
	case !l.HidesTracks():
		return "all threads"
	case l.NumHidden(view.HiddenByHand) == 0:
		return "threads that are not idle"
	}
	return "visible threads"
}

// Whole is the name of all of a session that figures can cover: none covers data that left memory.
func Whole(s *store.Session) string {
	if n, _ := s.Losses(); n[model.LossEvicted] > 0 {
		return "all in memory"
	}
	return "whole session"
}
