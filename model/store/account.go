package store

import "framescope/model"

// account is a track's record of frames that it does not hold: it outlives them.
type account struct {
	losses         [model.NumLossReasons]int64
	evicted        int64 // frames
	evictedMissing int64 // frame numbers that were missing between evicted frames
	leftNumber     int64 // the newest frame that left when all did, NoFrame if there is none

	// The newest frame received is in memory or was. Those known to be lost before the first one or
	// behind the newest are missing between no numbers.
	some                 bool
	lastBegin, lastEnd   int64
	lostBefore           int64
	lostBehind, behindAt int64 // frames, and the begin of the earliest
}

func newAccount() account { return account{leftNumber: model.NoFrame} }

// came notes a frame that was received.
func (a *account) came(beginNs, endNs int64) {
	a.some, a.lastBegin, a.lastEnd = true, beginNs, endNs
	if a.behindAt < beginNs {
		a.lostBehind = 0 // there are numbers on either side now
	}
}

// lost notes n lost frames of the track; the first began at a time.
func (a *account) lost(n, beginNs int64) {
	switch {
	case !a.some:
		a.lostBefore = model.AddSat(a.lostBefore, n)
	case beginNs > a.lastBegin:
		if a.lostBehind == 0 || beginNs < a.behindAt {
			a.behindAt = beginNs
		}
		a.lostBehind = model.AddSat(a.lostBehind, n)
	}
}

// outside returns how many frames are known to be lost that are missing between no numbers.
func (a *account) outside() int64 { return model.AddSat(a.lostBefore, a.lostBehind) }

// allLeave notes that all frames leave memory, and returns how many these are.
func (t *Track) allLeave() (n int64) {
	if n = int64(t.NumFrames()); n > 0 {
		t.evicted += n
		t.evictedMissing = model.AddSat(t.evictedMissing, t.Missing())
		t.leftNumber, _, _ = t.frames.Newest()
	}
	return n
}

// comesBack keeps the account for a frame that comes after all before it left together: one that is
// not newer was taken back and is published again.
func (t *Track) comesBack(number int64) {
	switch left := t.leftNumber; {
	case left == model.NoFrame:
	case number <= left:
		t.evicted = max(t.evicted-1, 0)
	default:
		if t.NumFrames() == 0 && !t.Def.Skips {
			t.evictedMissing = model.AddSat(t.evictedMissing, number-left-1)
		}
		if t.crowded {
			t.s.torn++
		}
		t.leftNumber, t.crowded = model.NoFrame, false
	}
}
