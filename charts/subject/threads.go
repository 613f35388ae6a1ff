package subject

import "framescope/charts/view"

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
