package spall

import (
	"fmt"

	"framescope/model"
	"framescope/net/feed"
)

// account counts the faults of a thread's events.
type account struct {
	orphans, back, noTime, deep noted
}

// noted is how many of a kind there are, and at which byte of the file the first one lies.
type noted struct{ n, first int64 }

func (x *noted) note(at int64) {
	if x.n == 0 {
		x.first = at
	}
	x.n++
}

// losses are those of the whole file.
type losses struct {
	sink      feed.Sink
	strangers noted // events of threads beyond the limit
	unframed  int64 // calls in no frame
	crowded   int64 // calls in a frame of too many
	empty     int64 // frames without calls that were left out
}

// damaged reports an unreadable place of the file.
func (l *losses) damaged(reason model.LossReason, at int64, text string) {
	l.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: 1, Detail: fmt.Sprintf("byte %d: %s", at, text)})
}

// tell reports all counted faults.
func (l *losses) tell(threads []*thread) {
	one := func(reason model.LossReason, track model.TrackID, n int64, text string) {
		if n > 0 {
			l.sink.Define(model.Loss{Reason: reason, Track: track, N: n, Detail: text})
		}
	}
	for _, th := range threads {
		of := func(reason model.LossReason, x noted, text string) {
			one(reason, th.def.ID, x.n, fmt.Sprintf("%s: %s, the first at byte %d", th.label, text, x.first))
		}
		damage := func(x noted, text string) { // of the file, whichever thread it is
			one(model.LossMalformed, model.NoTrack, x.n, fmt.Sprintf("%s: %s, the first at byte %d", th.label, text, x.first))
		}
		of(model.LossUnseen, th.orphans, "ends of calls without a begin")
		damage(th.back, "times that go back: they count as the time of the event before")
		damage(th.noTime, "times that are not numbers: they count as the time of the event before")
		of(model.LossLimit, th.deep, fmt.Sprintf("calls more than %d deep are left out", th.room))
	}
	one(model.LossUnframed, model.NoTrack, l.unframed, "calls began in no frame: they are shown, and are in call "+
		"trees by time, but not in figures of frames")
	one(model.LossLimit, model.NoTrack, l.crowded, fmt.Sprintf(
		"more than %d calls in one frame: they are shown, but do not count in the frame", maxWaiting))
	one(model.LossLimit, model.NoTrack, l.empty, "too many threads for so few events: empty frames of some are left out")
	one(model.LossLimit, model.NoTrack, l.strangers.n, fmt.Sprintf(
		"events of threads beyond the %dth are left out, the first at byte %d", len(threads), l.strangers.first))
}
