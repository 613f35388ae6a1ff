package chartstest

import (
	"framescope/model"
	"framescope/model/store"
)

// Threads of TickSession.
const (
	TickMain = model.TrackID(iota)
	TickCull
	TickLoader
	TickGPU
)

// TickSession returns a session of a program with a tick that ends the frames of Main and, a little
// later, those of Cull; Cull lacks one frame, and its last is slower. Loader has a rate of its own
// and a count of its own, the GPU draws each frame of Main two frames later.
func TickSession() *store.Session {
	const (
		frames = 60
		each   = 10_000_000
		later  = 250_000
	)
	w := NewWriter(5)
	w.Track(TickMain, "Main", model.TrackThread)
	w.Track(TickCull, "Cull", model.TrackThread)
	w.Track(TickLoader, "Loader", model.TrackThread)
	w.Track(TickGPU, "GPU", model.TrackGPU)
	for i := range int64(frames) {
		begin := 1_000_000_000 + i*each
		end := begin + each
		w.pipeline(TickMain, i, begin, end, []model.CollectorID{CApp, CWait})
		switch i {
		case 30:
		case frames - 1:
			w.pipeline(TickCull, i, begin+later, end+each, []model.CollectorID{CCull})
		default:
			w.pipeline(TickCull, i, begin+later, end+later, []model.CollectorID{CCull, CWait})
		}
		for k := range int64(3) {
			from := begin + k*each/3
			w.pipeline(TickLoader, 3*i+k, from, from+each/3, []model.CollectorID{27, 28})
		}
		w.pipeline(TickGPU, i, begin+2*each, begin+3*each-1_000_000, []model.CollectorID{23, 24})
	}
	return w.S
}
