package spall

import (
	"sort"
)

// advance publishes the frames of a thread that are over when its next event comes. A span that begins
// at the end of a frame is not in it, one that ends there is.
func (d *decoder) advance(th *thread, ns int64, begins bool) {
	for th.seg < len(d.frames) && !d.cancelled {
		f := d.frames[th.seg]
		if !th.inFrame {
			if ns < f.begin || ns == f.begin && !begins {
				return
			}
			d.loose(th, f.begin)
			th.inFrame = true
		}
		if ns < f.end || ns == f.end && !begins {
			return
		}
		if len(th.spans) == th.fresh {
			if d.credit--; d.credit < 0 {
				d.pass(th, ns)
				continue
			}
		}
		d.frame(th, f.end)
	}
}

// pass goes on to the frame of a time. Those before it, in which the thread began nothing, are left
// out: a file of few bytes can make more threads and frames than anybody can show.
func (d *decoder) pass(th *thread, ns int64) {
	rest := d.frames[th.seg:]
	n := max(sort.Search(len(rest), func(i int) bool { return rest[i].end > ns }), 1)
	d.loss.empty += int64(n)
	th.seg, th.inFrame = th.seg+n, false
}

// frame publishes the frame of a thread that goes on, up to a time.
func (d *decoder) frame(th *thread, upTo int64) {
	f := d.frames[th.seg]
	b := d.sink.Begin()
	b.HasFrame, b.Open, b.Number, b.Begin, b.End = !f.open, f.open, int64(th.seg), f.begin, f.end
	for _, c := range th.open {
		th.spans[c.depth].End = min(upTo, f.end)
	}
	b.Self = d.alone.Whole(b.Self, th.spans, f.begin, f.end, d.names.Of)
	d.fill(b, th, min(upTo, f.end))
	d.publish(b)
	th.seg, th.inFrame = th.seg+1, false
}
