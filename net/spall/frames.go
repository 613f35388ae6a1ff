package spall

import (
	"slices"
	"sort"

	"framescope/model"
)

// advance publishes the frames of a thread that are over when its next event comes. What begins at
// the end of a frame is not in it, what ends there is.
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
	b.HasFrame, b.Number, b.Begin, b.End = true, int64(th.seg), f.begin, f.end
	for _, c := range th.open {
		th.spans[c.depth].End = min(upTo, f.end)
	}
	b.Alone = d.charge(b.Alone, th.spans, f)
	d.fill(b, th, min(upTo, f.end))
	d.publish(b)
	th.seg, th.inFrame = th.seg+1, false
}

// charge appends the time of each collector alone within a frame, each moment that of the innermost
// call, and how many calls began. spans are in order of their begin, callers first.
func (d *decoder) charge(out []model.CollectorTime, spans []model.Span, f border) []model.CollectorTime {
	a := &d.alone
	a.open = a.open[:0]
	at := f.begin
	for i := range spans {
		sp := &spans[i]
		at = d.upTo(at, min(sp.Begin, f.end))
		c := d.names.Of(sp.Path)
		if sp.Flags&model.SpanContinues == 0 {
			a.add(c, 0, 1)
		}
		a.open = append(a.open, running{c, sp.End})
	}
	d.upTo(at, f.end)
	slices.Sort(a.touched)
	for _, c := range a.touched {
		out = append(out, model.CollectorTime{Collector: c, Ns: a.sums[c].ns, Count: a.sums[c].count})
		a.sums[c] = sum{}
	}
	a.touched = a.touched[:0]
	return out
}

// upTo gives the time between two moments to the calls that go on then, and returns where it came
// to.
func (d *decoder) upTo(from, to int64) int64 {
	a := &d.alone
	for n := len(a.open) - 1; n >= 0; n-- {
		r := a.open[n]
		if to := min(r.end, to); to > from {
			a.add(r.collector, to-from, 0)
			from = to
		}
		if r.end > to {
			break
		}
		a.open = a.open[:n]
	}
	return max(from, to)
}

// alone sums times and starts by collector within one frame.
type alone struct {
	open    []running // the outermost first
	sums    []sum     // by collector
	touched []model.CollectorID
}

type running struct {
	collector model.CollectorID
	end       int64
}

type sum struct {
	ns    int64
	count int32
	used  bool
}

func (a *alone) add(c model.CollectorID, ns int64, starts int32) {
	if int(c) >= len(a.sums) {
		a.sums = append(a.sums, make([]sum, int(c)+64-len(a.sums))...)
	}
	s := &a.sums[c]
	if !s.used {
		s.used = true
		a.touched = append(a.touched, c)
	}
	s.ns += ns
	s.count += starts
}
