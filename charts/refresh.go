package charts

import "framescope/model"

// refresher decides when the numbers of a table are made anew: when what they depend on changed, but not too often while live.
type refresher struct {
	key  rangeKey
	atNs int64
	done bool
}

// due tells whether the numbers must be made anew, and notes that they are.
func (r *refresher) due(env *Env, key rangeKey) bool {
	if r.done && key == r.key {
		return false
	}
	same := r.key
	same.revision, same.first, same.last, same.t0, same.t1 = key.revision, key.first, key.last, key.t0, key.t1
	if r.done && key.live && env.Animate && same == key && env.NowNs-r.atNs < tableLiveNs {
		return false
	}
	r.key, r.atNs, r.done = key, env.NowNs, true
	return true
}

// rangeKey is what the numbers of a table depend on.
type rangeKey struct {
	session     *model.Session
	revision    uint64
	track       model.TrackID
	first, last int
	live        bool
	extra       uint64
	t0, t1      int64 // of calls, where there are no frames
	calls       bool
}

// frameRange returns the indices of the frames that a table's numbers are about: the newest while live, else the selected ones (one or several), else all. ok is false when there are
// none.
func frameRange(env *Env) (track *model.Track, first, last int, ok bool) {
	v := env.View
	track = v.Shown()
	if track == nil || track.NumFrames() == 0 {
		return nil, 0, -1, false
	}
	n := track.NumFrames()
	switch {
	case v.Live():
		return track, max(0, n-liveFrames), n - 1, true
	case v.FrameA() >= 0 && v.FrameB() < n && v.FrameB() >= v.FrameA():
		return track, v.FrameA(), v.FrameB(), true
	}
	return track, 0, n - 1, true
}

// tableLiveNs is how often the numbers of a table change while live: faster cannot be read.
const tableLiveNs = 250_000_000

// liveValuesNs is how often the numbers of a live chart change: faster cannot be read.
const liveValuesNs = 250_000_000

// stripMeanNs is the time over which a live chart's labels average (pstats-viewer section 9.7).
const stripMeanNs = 3_000_000_000

// liveFrames is the number of newest frames that tables take the mean of while live.
const liveFrames = 120
