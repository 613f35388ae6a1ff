package flame

import (
	"slices"
	"strconv"

	"framescope/charts/panel"
	"framescope/model/store"
)

// The tools of the flame graph.
const (
	toolMean = iota
	toolMeasure
	toolTracks
	toolFlip
	toolLock
)

// means are the numbers of frames that a live graph may be the mean of, and how they are called.
var (
	means     = [...]int{1, panel.LiveFrames, 300}
	meanNames = []string{"Newest frame", "Mean of " + strconv.Itoa(panel.LiveFrames), "Mean of 300"}
)

// Tools implements panel.Tooled.
func (f *Graph) Tools(env *panel.Env) []panel.Tool {
	b := &f.tools
	b.Begin()
	if env.View.Live() {
		at := slices.IndexFunc(means[:], func(n int) bool { return f.MeanFrames <= n })
		b.Choice(toolMean, at, meanNames, "", "Range while the view follows the newest frames")
	}
	if len(f.measures.List) > 1 {
		b.Choice(toolMeasure, f.measures.At(f.measure), f.measures.Names(), "", "The measure of the widths (M)")
	}
	b.Toggle(toolTracks, f.all(env), "All threads", "Sum over all visible threads")
	b.Toggle(toolFlip, f.Flip, "Upwards", "Draw callees above their callers")
	b.Toggle(toolLock, f.Locked, "Lock scale", "Keep the scale from frame to frame (K)")
	return b.All()
}

// Use implements panel.Tooled.
func (f *Graph) Use(env *panel.Env, id, option int) {
	switch id {
	case toolMean:
		f.MeanFrames = means[option]
	case toolMeasure:
		env.View.Look().SetMeasure(f.measures.List[option])
	case toolTracks:
		f.AllTracks, f.chosen = !f.all(env), true
	case toolFlip:
		f.Flip, f.scrollY = !f.Flip, 0
	case toolLock:
		f.ToggleLock(env)
	}
}

// shownTrack returns the thread that is shown, nil where there is none.
func shownTrack(env *panel.Env, f *Graph) *store.Track {
	return env.View.Session().Track(f.track(env))
}
