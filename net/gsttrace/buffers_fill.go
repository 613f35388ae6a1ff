// File buffers_fill.go holds what follows from the buffers that pass a place: how full a queue is, and
// whether a sink keeps pace with the clock. It knows no log and no session.

package gsttrace

// Fill is what is between a sink pad and a source pad of a queue; the zero value is empty.
//
// How full a queue is follows from what went into it and what came out: no record tells it. A queue
// gives away what it took, in that order, or drops it (when it leaks, or is flushed): what leaves
// is known by its time and size, so what was before it in the queue was dropped. Where buffers have
// no time, dropped ones can't be told from others, and seem to be inside. What was in it before the
// log began is not known, and not counted.
type Fill struct {
	inside []Buffer // oldest first
	Bytes  uint64   // of all of them
	Lost   bool     // it held more than is looked after, so nothing is known of it any more
}

// Buffer is what a record tells of a buffer.
type Buffer struct {
	PTS, Duration uint64 // in ns; Unknown where it has none
	Size          uint64 // in bytes
}

// Unknown is a time that a buffer does not have.
const Unknown = ^uint64(0)

// Count is the number of buffers inside.
func (f *Fill) Count() int { return len(f.inside) }

// Put puts a buffer in.
func (f *Fill) Put(x Buffer) {
	if len(f.inside) >= MaxQueued {
		f.inside, f.Bytes, f.Lost = nil, 0, true
	}
	f.inside = append(f.inside, x)
	f.Bytes += x.Size
}

// Take takes a buffer out, known by its time and size, and with it what was before it. One that
// never went in changes nothing.
func (f *Fill) Take(x Buffer) {
	at := -1
	for i := range f.inside {
		if f.inside[i].Size == x.Size && f.inside[i].PTS == x.PTS {
			at = i
			break
		}
	}
	if at < 0 {
		return
	}
	for i := range at + 1 {
		f.Bytes -= f.inside[i].Size
	}
	f.inside = append(f.inside[:0], f.inside[at+1:]...)
}

// Span is how long what is inside lasts in ns, by its own clock; false where its buffers tell no
// time.
func (f *Fill) Span() (ns uint64, ok bool) {
	if len(f.inside) == 0 {
		return 0, true
	}
	first, last := f.inside[0], f.inside[len(f.inside)-1]
	if first.PTS == Unknown || last.PTS == Unknown || last.PTS < first.PTS {
		return 0, false
	}
	ns = last.PTS - first.PTS
	if last.Duration != Unknown && last.Duration < MaxTime {
		ns += last.Duration
	}
	return ns, ns < MaxTime
}
