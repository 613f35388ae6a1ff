package subject

import "framescope/charts/view"

// GestureHint describes in a line the main mouse gestures and keys for a session.
func GestureHint(v *view.View) string {
	if v.Session().Info().Sampling.Timeless {
		return "a click selects, a double click focuses, the wheel zooms into the flame graph, F1 shows all keys"
	}
	return gestureHints.Of(v)
}

var gestureHints = view.PerUnit[string]{
	Frames: "wheel zooms at the mouse, drag pans, ← → step through frames, F1 shows all keys",
	Spans: "wheel zooms at the mouse, drag pans, a drag in the overview selects, ← → step over spans, " +
		"F1 shows all keys",
}
