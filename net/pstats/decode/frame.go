package decode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"framescope/model"
	"framescope/net/pstats"
)

// thread is the decoder's state of one thread index.
type thread struct {
	index   int
	name    string
	track   model.TrackID // valid if shown
	shown   bool
	expired bool
	clock   *gpuClock   // of a GPU on a clock of its own, else nil
	begins  frameBegins // of the main thread

	frames           int64
	earliestNs       int64 // of all frames with events
	newest           int64 // greatest frame number
	last             int64 // number of the frame that came last
	newestTimed      int64 // greatest number of a frame with events, and its end
	newestTimedEndNs int64
	state            nestState // behind the newest frame
	window           frameWindow
	old              *thread // that had the index before, nil if none

	direct     bool // see directFrame
	disordered bool
	again      bool // the first frame takes back the thread's published frames

	// dirty is the number of the first frame of the window that waits to be published (again),
	// noneDirty if none; credit is how many frames may be published again.
	dirty  int64
	credit int
}

const (
	noneDirty = math.MaxInt64

	leastStepNs = 1e6  // smaller steps are not the clock's: programs date events back, see convert
	maxSkewNs   = 1e18 // all steps together
	// A late frame makes all later ones be published again. At 25,000 frames a second, TCP that lags
	// 40 ms behind UDP would multiply the work; so each frame in order earns a few repetitions, and
	// late frames wait in the window until there are enough. A game's ordinary rate never gets there.
	creditPerFrame = 4
	maxCredit      = 2 * pstats.WindowFrames
)

// gpu reports whether the thread's clock is that of a GPU.
func (th *thread) gpu() bool { return th.name == "GPU" || th.clock != nil }

func newThread(index int) *thread {
	th := &thread{
		index: index, newest: model.NoFrame, newestTimed: model.NoFrame, earliestNs: math.MaxInt64, dirty: noneDirty,
		credit: maxCredit,
	}
	th.state.number = model.NoFrame
	th.window.base = model.NoFrame
	return th
}

// descends reports whether a frame with a number below the greatest, though it begins after all
// others, still belongs to the same thread: its number is new and continues numbers that count down,
// or is nearer to the greatest than to the beginning, where a new thread counts from.
func (th *thread) descends(number int64) bool {
	_, known := th.window.search(number)
	return !known && (number == th.last-1 || number > th.newest/2)
}

// Frame implements Handler.
func (d *Decoder) Frame(f *pstats.Frame, bytes int) {
	if d.cancelled {
		return
	}
	th := d.thread(int(f.Thread))
	if th.direct {
		d.directFrame(th, f, bytes)
		return
	}
	number := int64(f.Number)
	if startNs, ok := pstats.FirstTime(f.Events); ok && th.newestTimed != model.NoFrame && !f.Continues {
		switch {
		case number <= th.newestTimed && startNs > th.newestTimedEndNs && !th.descends(number):
			// Clients before 3.2 give the index of a dead thread to a new one, which counts from the
			// beginning and starts after the last frame of the old one ended.
			th = d.replaceThread(int(f.Thread))
		case th.old != nil && startNs < th.earliestNs:
			th = th.old // a late one of the thread before
		}
	}
	th.last = number
	if !th.shown {
		d.show(th)
	}
	if th.frames == 0 || number > th.newest {
		th.newest = number
		rec := d.window.insert(th, number, f)
		rec.bytes, rec.published = int32(bytes), true
		d.publish(th, &rawFrame{number, bytes, f.Events, f.Levels}, true, th.again)
		th.again = false
		th.credit = min(th.credit+creditPerFrame, maxCredit)
		d.publishLate(th, false)
		d.window.trim(th)
		return
	}
	d.lateFrame(th, f, bytes)
}

// directFrame takes a frame of a thread with frames in order, without a copy in the window. The first
// frame out of order sets disordered; neither it nor later ones are taken.
func (d *Decoder) directFrame(th *thread, f *pstats.Frame, bytes int) {
	number := int64(f.Number)
	if th.disordered || th.frames > 0 && number <= th.newest {
		th.disordered = true
		return
	}
	th.newest, th.window.base = number, number
	d.publish(th, &rawFrame{number, bytes, f.Events, f.Levels}, true, false)
}

// lateFrame puts a frame in its place among those that are still in the window, and publishes the
// later ones again.
func (d *Decoder) lateFrame(th *thread, f *pstats.Frame, bytes int) {
	number := int64(f.Number)
	if number <= th.window.base {
		ns, _ := pstats.FirstTime(f.Events)
		d.lose(model.Loss{Reason: model.LossLate, Track: th.track, N: 1, Frames: 1, Begin: ns, End: ns}, func() string {
			return fmt.Sprintf(
				"frame %d of thread %d came after frame %d: too late to be put in its place", number, th.index, th.newest,
			)
		})
		return
	}
	at, known := th.window.search(number)
	if known && th.window.recs[at].same(f) {
		return // the same datagram twice
	}
	if known && !f.Continues {
		d.lose(model.Loss{Reason: model.LossMalformed, Track: th.track, N: 0}, func() string {
			return fmt.Sprintf("frame %d of thread %d came twice with different content: the later one counts", number, th.index)
		})
	}
	if known {
		d.window.replace(th, at, f)
	} else {
		d.window.insert(th, number, f)
	}
	th.window.recs[at].bytes = int32(bytes)
	th.dirty = min(th.dirty, number)
	d.publishLate(th, false)
	d.window.trim(th)
}

// publishLate publishes the late frames that wait, and all after them again, if the thread has the
// credit for it or must.
func (d *Decoder) publishLate(th *thread, must bool) {
	if th.dirty == noneDirty || d.cancelled {
		return
	}
	at, _ := th.window.search(th.dirty)
	cost := len(th.window.recs) - at
	if !must && cost > th.credit {
		return
	}
	th.credit = max(0, th.credit-cost)
	th.dirty = noneDirty
	th.window.recs[at].state(&th.state)
	for i := at; i < len(th.window.recs) && !d.cancelled; i++ {
		rec := &th.window.recs[i]
		d.window.precede(&th.window, rec, &th.state)
		fresh, raw := !rec.published, rec.raw()
		rec.published = true
		d.publish(th, &raw, fresh, i == at)
	}
}

// publish decodes one frame and sends it to the sink; th.state goes from before the frame to behind
// it. fresh marks a frame not published before.
func (d *Decoder) publish(th *thread, rec *rawFrame, fresh, rewind bool) {
	b := d.sink.Begin()
	b.Track, b.HasFrame, b.Number, b.Rewind = th.track, true, rec.number, rewind
	if ns, ok := pstats.FirstTime(rec.events); ok && th.clock != nil {
		d.align(th, rec.number, ns, fresh)
	} else if ok && th.index == 0 {
		th.begins.add(rec.number, ns)
	}
	skewNs, timed := th.state.skewNs, true
	if !d.nest.runFast(&th.state, rec.number, rec.events, d.ignore, b) {
		d.runPasses(th, rec, fresh, b)
		timed = len(d.events) > 0
	}
	if timed { // as it was sent
		if th.newestTimed <= rec.number {
			th.newestTimed, th.newestTimedEndNs = rec.number, b.End-th.state.skewNs
		}
		th.earliestNs = min(th.earliestNs, b.Begin-skewNs)
	}
	if fresh {
		b.Bytes = rec.bytes
		th.frames++
	}
	var bad int64
	b.Levels, bad = d.levels.run(rec.levels, b.Begin, b.Levels)
	if bad > 0 && fresh {
		d.lose(model.Loss{Reason: model.LossMalformed, Track: th.track, N: bad}, func() string {
			return fmt.Sprintf("frame %d of thread %d: %d levels that are no number, impossible or of no collector were dropped",
				rec.number, th.index, bad)
		})
	}
	if d.nest.limited > 0 && fresh {
		d.lose(model.Loss{Reason: model.LossLimit, Track: th.track, N: d.nest.limited}, func() string {
			return fmt.Sprintf(
				"frame %d of thread %d: more than %d spans run at the same time; the innermost were dropped", rec.number,
				th.index, pstats.MaxDepth,
			)
		})
	}
	if d.nest.noPaths && fresh {
		d.lose(model.Loss{Reason: model.LossLimit, Track: th.track, N: 0}, func() string {
			return fmt.Sprintf("more than %d call paths: further ones count for their callers", maxPaths)
		})
	}
	if !d.sink.Publish(b) {
		d.cancelled = true
	}
}

// runPasses decodes a frame by the full rules (see runFast for the short way).
func (d *Decoder) runPasses(th *thread, rec *rawFrame, fresh bool, b *model.Batch) {
	b.Messages = d.convert(th, rec, fresh, b.Messages)
	b.Begin = th.state.endNs
	b.End = b.Begin
	if n := len(d.events); n > 0 {
		b.Begin, b.End = d.events[0].timeNs, d.events[n-1].timeNs
	}
	d.nest.run(&th.state, rec.number, d.events, d.ignore, b)
}

// convert checks the times of a frame's events and puts them into d.events. Where the client's clock
// goes back (PStatClient::resume_after_pause sets it to the begin of the frame), the event is put at
// the previous one, and all later events of the thread are shifted by the same amount: durations stay,
// and nothing overlaps. Each such place is marked. An event less than a millisecond before the
// previous one was dated back by the program, not by its clock: it is put there, and nothing else is
// shifted. GPU times that go back between overlapping frames are no step of the clock.
func (d *Decoder) convert(th *thread, rec *rawFrame, fresh bool, marks []model.Message) []model.Message {
	raw := rec.events
	if len(raw) > pstats.MaxFrameEvents {
		if fresh {
			d.lose(model.Loss{Reason: model.LossLimit, Track: th.track, N: int64(len(raw) - pstats.MaxFrameEvents)},
				func() string {
					return fmt.Sprintf(
						"frame %d of thread %d has %d events; those after the first %d were dropped", rec.number, th.index,
						len(raw), pstats.MaxFrameEvents,
					)
				})
		}
		raw = raw[:pstats.MaxFrameEvents]
	}
	d.events = slices.Grow(d.events[:0], len(raw))
	st := &th.state
	skewNs, backNs := st.skewNs, int64(0)
	lastNs := int64(math.MinInt64)
	if st.number != model.NoFrame && !th.gpu() {
		lastNs = st.endNs
	}
	for _, e := range raw {
		ns, ok := pstats.Nanoseconds(e.Time)
		if !ok {
			continue
		}
		ns = max(0, ns+skewNs)
		if step := lastNs - ns; lastNs != math.MinInt64 && step > 0 {
			inside := len(d.events) > 0
			if inside || step < leastStepNs {
				ns = lastNs
			}
			if step >= leastStepNs && (inside || step <= pstats.HistoryNs) {
				ns = lastNs
				backNs += step
				if skewNs += step; skewNs > maxSkewNs {
					skewNs = maxSkewNs
				}
				marks = append(marks, model.Message{Time: ns, Severity: model.SeverityWarning, Category: "clock", Text: fmt.Sprintf(
					"The client's clock went back by %v in frame %d: what follows on this thread is shown that much later.",
					time.Duration(step), rec.number)})
			}
		}
		lastNs = ns
		d.events = append(d.events, event{ns, int32(e.Word &^ pstats.StopBit), e.Word&pstats.StopBit != 0})
	}
	if backNs <= pstats.HistoryNs {
		st.skewNs = skewNs // else the time was an outlier without effect on later frames
	}
	if bad := len(raw) - len(d.events); bad > 0 && fresh {
		d.lose(model.Loss{Reason: model.LossMalformed, Track: th.track, N: int64(bad)}, func() string {
			return fmt.Sprintf(
				"frame %d of thread %d: %d events with an impossible time were dropped", rec.number, th.index, bad,
			)
		})
	}
	return marks
}

// levelPass keeps the last level of each collector in a frame.
type levelPass struct {
	seen  []uint32 // by collector: epoch of the frame that had it
	at    []int32  // by collector: its place in the batch
	epoch uint32
}

// run appends the levels of a frame to out, ascending by collector; bad is the number of values that
// are NaN or implausible, or have an invalid collector.
func (p *levelPass) run(levels []pstats.Level, timeNs int64, out []model.Level) (_ []model.Level, bad int64) {
	p.epoch++
	if p.epoch == 0 {
		clear(p.seen)
		p.epoch = 1
	}
	first := len(out)
	sorted := true
	for _, l := range levels {
		v, c := float64(l.Value), int(l.Collector)
		if !(math.Abs(v) <= pstats.MaxLevel) || c >= pstats.MaxCollectors {
			bad++
			continue
		}
		if c >= len(p.seen) {
			p.seen = append(p.seen, make([]uint32, c+64-len(p.seen))...)
			p.at = append(p.at, make([]int32, c+64-len(p.at))...)
		}
		if p.seen[c] == p.epoch {
			out[p.at[c]].Value = v
			continue
		}
		p.seen[c], p.at[c] = p.epoch, int32(len(out))
		if k := len(out); k > first && out[k-1].Collector > model.CollectorID(c) {
			sorted = false
		}
		out = append(out, model.Level{Collector: model.CollectorID(c), Time: timeNs, Value: v})
	}
	if !sorted {
		slices.SortFunc(out[first:], func(a, b model.Level) int { return cmp.Compare(a.Collector, b.Collector) })
	}
	return out, bad
}
