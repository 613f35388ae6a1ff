package subject

import "framescope/charts/view"

// AllThreads is how what is of all threads that are shown calls them.
func AllThreads(v *view.View) string {
	if v.Look().HidesTracks() {
		return "visible threads"
	}
	return "all threads"
}
