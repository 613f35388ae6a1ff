package model

// LockUse is one stretch of time that a thread spent on a lock: waiting for it, holding it, or waiting for a condition of that name.
type LockUse struct {
	Lock       CollectorID
	Track      TrackID
	Kind       LockUseKind
	Begin, End int64
	Depth      int // of a hold: how often the thread held the lock already, 0 for the outermost
	// OpenBegin and OpenEnd tell that the beginning or the end was not received: Begin or End is then that of what the track holds.
	OpenBegin, OpenEnd bool
}

// LockUseKind is what a thread did with a lock.
type LockUseKind uint8

// The kinds of lock uses.
const (
	LockWaiting   LockUseKind = iota // from the try to getting it
	LockHolding                      // from getting it to giving it back
	LockFailed                       // a try that did not get it: Begin and End are the time of the try and of what followed
	LockCondition                    // waiting for a condition, until the thread was seen again
)

// LockStats summarises the uses of a lock in a range. Times in ns, cut to the range.
type LockStats struct {
	Lock                     CollectorID
	Waits, Holds, Failed     int64 // uses that touch the range
	Conditions, Signals      int64
	WaitNs, HoldNs           int64
	ConditionNs              int64
	LongestWait, LongestHold LockUse // uncut; the zero LockUse with End 0 when there is none
	Threads                  int     // that used it
}

// SignalArrow joins a signal to the wait that it ended.
type SignalArrow struct {
	Lock               CollectorID
	FromTrack, ToTrack TrackID
	FromTime, ToTime   int64 // of the signal and of the waiter's wake-up
	WaitBegin          int64
}
