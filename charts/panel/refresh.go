package panel

import (
	"framescope/model"
	"framescope/model/store"
)

// refresher decides when the numbers of a table are made anew: when what they depend on changed,
// but not too often while live.
type Refresher struct {
	Key  RangeKey
	atNs int64
	Done bool
}

// due tells whether the numbers must be made anew, and notes that they are.
func (r *Refresher) Due(env *Env, key RangeKey) bool {
	if r.Done && key == r.Key {
		return false
	}
	same := r.Key
	same.Revision, same.First, same.Last, same.T0, same.T1 = key.Revision, key.First, key.Last, key.T0, key.T1
	if r.Done && key.Live && env.Animate && same == key && env.NowNs-r.atNs < TableLiveNs {
		return false
	}
	r.Key, r.atNs, r.Done = key, env.NowNs, true
	return true
}

// RangeKey is what the numbers of a table depend on.
type RangeKey struct {
	Session     *store.Session
	Revision    uint64
	Track       model.TrackID
	First, Last int
	Live        bool
	Extra       uint64
	T0, T1      int64 // of calls, where there are no frames
	Calls       bool
}

// FrameRange returns the indices of the frames that a table's numbers are about: the newest while
// live, else the selected ones (one or several), else all. ok is false when there are
// none.
func FrameRange(env *Env) (track *store.Track, first, last int, ok bool) {
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

// TableLiveNs is how often the numbers of a table change while live: faster cannot be read.
const TableLiveNs = 250_000_000

// LiveValuesNs is how often the numbers of a live chart change: faster cannot be read.
const LiveValuesNs = 250_000_000

// StripMeanNs is the time over which a live chart's labels average (pstats-viewer section 9.7).
const StripMeanNs = 3_000_000_000

// liveFrames is the number of newest frames that tables take the mean of while live.
const liveFrames = 120
