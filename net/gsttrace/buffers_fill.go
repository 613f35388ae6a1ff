// Models of the buffers at one place: the level of a queue, and whether a sink keeps pace with the clock. They
// know no log and no session.

package gsttrace

// Fill holds the buffers between a sink pad and a source pad of a queue; the zero value is empty.
//
// The level of a queue follows from its input and output, because no record contains it. A queue outputs buffers
// in their order of input, or drops them (when it leaks, or is flushed): time and size identify an output buffer,
// so earlier ones still inside were dropped. Without times, dropped buffers look like ones inside. Buffers from
// before the log began are unknown, and not counted.
type Fill struct {
	inside []Buffer // oldest first
	Bytes  uint64   // of all of them
	Lost   bool     // it held more than the limit, so its level is unknown
}

// Buffer holds a record's data of a buffer.
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

// Take takes a buffer out, identified by its time and size, and all before it. An unknown buffer changes nothing.
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

// Span returns the duration of the buffers inside in ns, by their own times; false if they have none.
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
