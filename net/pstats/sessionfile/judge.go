package sessionfile

import (
	"fmt"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// threadJudge accepts or rejects the frames of a thread of a file by the rule for live clients
// (pstats.Series): a frame with a jump in number or time waits for a neighbour that confirms it. The
// first frame of a thread is accepted, as by TCP.
//
// A file does not say when its frames arrived. Each counts as arrived at its own time, but at most
// half a minute after the one before: so a pause of up to a minute is no jump, which is as far as two
// clocks may be apart (pstats.HistoryNs). The writer of the file may have chosen another order of
// frames: a frame near earlier ones in number and time is no jump, whatever its order.
type threadJudge struct {
	r      *reader
	series pstats.Series
	within pstats.Point // from the earliest to the latest time of accepted frames
	nowNs  int64        // when the frame before arrived
	held   []waiting

	left   int64 // frames that are left out
	detail string
}

// waiting is a frame that waits for confirmation.
type waiting struct {
	pstats.Point
	frame pstats.Frame
	at    int64 // offset
	bytes int
}

const (
	longestWaitNs  = (pstats.HistoryNs - pstats.NearNs) / 2
	longestPauseNs = 3600e9 // at the end of a thread, where nothing says that it was none
)

// judge judges the reader's frame, which began at an offset.
func (t *threadJudge) judge(at int64) {
	r := t.r
	point := pstats.PointOf(&r.frame, t.nowNs)
	p := &point
	if p.Timed && t.series.Known && t.series.Ref.Timed {
		p.ArrivedNs = t.series.Ref.ArrivedNs + min(max(p.FirstNs-t.series.Ref.FirstNs, 0), longestWaitNs)
	}
	follows := t.series.Known && t.series.Follows(p)
	if !t.series.Known || follows || t.near(p) {
		t.giveUp() // after a real jump a client does not go on as before
		t.enter(p, follows, &r.frame, int(r.off-at))
		return
	}
	confirmed := false
	for i := 0; i < len(t.held); {
		if t.held[i].Confirms(p) {
			confirmed = true
			t.release(i)
			continue
		}
		i++
	}
	if confirmed {
		t.enter(p, t.series.Follows(p), &r.frame, int(r.off-at))
		return
	}
	if len(t.held) == pstats.MaxHeld {
		t.drop(0)
	}
	frame := pstats.Frame{
		Thread: r.frame.Thread, Number: r.frame.Number, Events: slices.Clone(r.frame.Events),
		Levels: slices.Clone(r.frame.Levels),
	}
	t.held = append(t.held, waiting{*p, frame, at, int(r.off - at)})
	for i := range t.held { // as many as may wait, each with a greater number, and nothing else: an odd clock
		if len(t.held) < pstats.MaxHeld || i > 0 && !t.held[i-1].Counts(&t.held[i].Point) {
			return
		}
	}
	t.series.Odd = true
	for len(t.held) > 0 {
		t.release(0)
	}
}

// near reports whether a frame is near those that entered: whoever writes a file may order frames by
// number, and then a time among theirs and a number that they could have come to is no jump.
func (t *threadJudge) near(p *pstats.Point) bool {
	dn, w := p.Number-t.series.Ref.Number, &t.within
	if !p.Timed || !w.Timed {
		return max(dn, -dn) <= pstats.NearNumbers
	}
	return max(dn, -dn) <= pstats.MostNumbers(w.LastNs-w.FirstNs) &&
		p.FirstNs >= w.FirstNs-pstats.NearNs && p.FirstNs <= w.LastNs+pstats.NearNs
}

// release lets one enter that waited.
func (t *threadJudge) release(i int) {
	w := t.held[i]
	t.held = slices.Delete(t.held, i, i+1)
	t.enter(&w.Point, t.series.Follows(&w.Point), &w.frame, w.bytes)
}

func (t *threadJudge) enter(p *pstats.Point, follows bool, f *pstats.Frame, bytes int) {
	t.series.Enter(p, follows)
	if w := &t.within; !w.Timed {
		*w = *p
	} else if p.Timed {
		w.FirstNs, w.LastNs = min(w.FirstNs, p.FirstNs), max(w.LastNs, p.LastNs)
	}
	t.nowNs = max(t.nowNs, p.ArrivedNs)
	t.r.h.Frame(f, bytes)
}

// drop leaves out one that waited.
func (t *threadJudge) drop(i int) {
	if w := &t.held[i]; t.left == 0 {
		t.detail = fmt.Sprintf("offset %d: frame %d of thread %d is left out: its number or time jumps from that of "+
			"frame %d, "+
			"and no neighbour confirms that", w.at, int32(w.frame.Number), w.frame.Thread, int32(t.series.Ref.Number))
	}
	t.left++
	t.held = slices.Delete(t.held, i, i+1)
}

func (t *threadJudge) giveUp() {
	for len(t.held) > 0 {
		t.drop(0)
	}
}

// countsOn reports whether those that wait do so for a pause alone, and nothing came after them: their
// numbers go on, and each begins within an hour of the one before.
func (t *threadJudge) countsOn() bool {
	before := &t.series.Ref
	for i := range t.held {
		p := &t.held[i].Point
		if dt := p.FirstNs - before.FirstNs; !before.Counts(p) || dt < 0 || dt > longestPauseNs {
			return false
		}
		before = p
	}
	return true
}

// end decides on the waiting frames and reports those left out of the thread.
func (t *threadJudge) end() {
	for t.countsOn() && len(t.held) > 0 {
		t.release(0)
	}
	t.giveUp()
	if t.left > 0 {
		t.r.h.Lost(model.Loss{Reason: model.LossImplausible, N: t.left, Detail: t.detail})
	}
}
