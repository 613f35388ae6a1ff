package profilelib

import "slices"

// sureIdles is how many idle moments in a row prove the end of a flush.
const sureIdles = 4

// Idle notes that nothing came for longer than it takes to write a flush. The decoder then shows all
// records up to the last known frame, though more of the same flush, or long blocks, might still
// change it: when the stream goes on, those frames are taken back and published again. So calling Idle
// too often costs work but changes nothing in the end.
func (d *Decoder) Idle() {
	if d.closed || d.cancelled || d.err != nil {
		return
	}
	if d.frm == nil {
		d.idles++
		if d.idles >= holdIdles && len(d.hold) > 0 && (d.survey != nil || d.detect(false)) {
			if d.survey == nil {
				d.survey = newSurvey(d.layout)
				d.survey.frm.write(d.hold, false)
			}
			d.release()
		}
		if d.frm == nil {
			return
		}
	}
	if d.opt.File {
		return
	}
	d.jumps.Settle()
	if !d.frames.expected {
		// Without frames nothing can be taken back, so the silence must be long enough to be sure that
		// the flush is over.
		if d.idles++; d.idles == sureIdles && d.walk.whole() && d.ends == 0 && !d.holding {
			d.finishMessage()
			d.commitAll()
		}
		return
	}
	if d.main == nil || len(d.threads) > specThreads {
		return
	}
	total := 0
	for _, th := range d.threads {
		total += th.st.pending() + len(th.st.group.nodes)
	}
	if total > specPending {
		return
	}
	d.showEarly()
}

// showEarly publishes the present data from a copy of the threads' state, and restores that state.
func (d *Decoder) showEarly() {
	saved := make([]threadState, len(d.threads))
	for i, th := range d.threads {
		saved[i] = th.st
		th.st = saved[i].clone()
	}
	frames, queue, inQueue := d.frames, d.queue, d.inQueue
	d.frames.borders = slices.Clone(frames.borders)
	d.frames.pauses = slices.Clone(frames.pauses)
	d.queue = slices.Clone(queue)
	await := d.await
	d.await = nil
	d.spec = true
	// The main thread first: its frames cut the others.
	for _, th := range d.queue {
		d.commit(th)
		th.dirty = false
	}
	d.queue, d.dirty = nil, d.dirty[:0]
	for _, th := range d.threads {
		if th.shown && !th.touched && th.shownTo >= min(d.frames.total(), th.st.seg+specFrames) {
			continue // shown already
		}
		d.takeBack(th)
		d.publishNow(th)
		th.shownTo = th.st.seg
		th.touched = false
	}
	d.spec = false
	d.await, d.queue, d.inQueue = await, queue, inQueue
	d.frames = frames
	for i, th := range d.threads {
		th.st = saved[i]
	}
}
