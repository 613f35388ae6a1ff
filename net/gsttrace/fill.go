package gsttrace

// How full a queue is follows from what went into it and what came out: no record tells it. A queue gives away what it
// took, in that order, or drops it (when it leaks, or is flushed): what leaves is known by its time and size, so what
// was before it in the queue was dropped. Where buffers have no time, dropped ones can't be told from others, and seem to
// be inside. What was in it before the log began is not known, and not counted.

// fill is what is between a sink pad and a source pad of a queue.
type fill struct {
	inside []buffer // oldest first
	bytes  uint64
	lost   bool // it held more than is looked after, so nothing is known of it any more
}

// buffer is what a record tells of a buffer.
type buffer struct {
	pts, duration uint64 // in ns; unknownTime where it has none
	size          uint64 // in bytes
}

// unknownTime is a time that a buffer does not have.
const unknownTime = ^uint64(0)

// count is the number of buffers inside.
func (f *fill) count() int { return len(f.inside) }

// put puts a buffer in.
func (f *fill) put(x buffer) {
	if len(f.inside) >= maxQueued {
		f.inside, f.bytes, f.lost = nil, 0, true
	}
	f.inside = append(f.inside, x)
	f.bytes += x.size
}

// take takes a buffer out, and with it what was before it. One that never went in changes nothing.
func (f *fill) take(x buffer) {
	at := -1
	for i := range f.inside {
		if f.inside[i].size == x.size && f.inside[i].pts == x.pts {
			at = i
			break
		}
	}
	if at < 0 {
		return
	}
	for i := range at + 1 {
		f.bytes -= f.inside[i].size
	}
	f.inside = append(f.inside[:0], f.inside[at+1:]...)
}

// span is how long what is inside lasts, by its own clock; false where its buffers tell no time.
func (f *fill) span() (ns uint64, ok bool) {
	if len(f.inside) == 0 {
		return 0, true
	}
	first, last := f.inside[0], f.inside[len(f.inside)-1]
	if first.pts == unknownTime || last.pts == unknownTime || last.pts < first.pts {
		return 0, false
	}
	ns = last.pts - first.pts
	if last.duration != unknownTime && last.duration < maxTimeNs {
		ns += last.duration
	}
	return ns, ns < maxTimeNs
}
