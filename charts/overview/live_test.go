package overview

import (
	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/model"
)

// feedFrames appends n empty frames of 10 ms to track 0, from a number and a time on.
func feedFrames(w *chartstest.Writer, number, at int64, n int) (nextNumber, nextAt int64) {
	for range n {
		w.Begin(0, number, at, at+10_000_000)
		w.Span(0, 0, 0, 0, at, at+10_000_000)
		w.End()
		number++
		at += 10_000_000
	}
	return number, at
}

func liveView() (*chartstest.Writer, *view.View, int64, int64) {
	w := chartstest.NewWriter(2)
	w.S.Apply(model.Info{Source: "pstats", Program: "game"})
	w.Track(0, "Main", model.TrackThread)
	v := view.New(w.S)
	v.Tick(1, false)
	number, at := feedFrames(w, 1, 1_000_000_000, 50)
	v.Tick(2, false)
	return w, v, number, at
}
