package trace

import (
	"bytes"
	"errors"
)

// ErrLong is why a record is none that reaches over the next.
var ErrLong = errors.New("a record is longer than the place that it has before the next")

// Records cuts a recording, which comes in pieces of any size, into its records. Behind bytes that are none it goes on
// with the next that surely begins a record. It holds what may become one.
type Records struct {
	// Cut returns how long the record is with which b begins, which may be longer than b; 0: b is too short to say. It
	// is asked again once there are more bytes, where whole is false. An error says why none begins there. ends means
	// that nothing follows b.
	Cut func(b []byte, ends bool) (size int, whole bool, err error)
	// Take takes a record of a byte of the recording. It is valid until Take returns.
	Take func(record []byte, at int64) error
	// Sure reports whether a record surely begins with b; short: b is too short to say.
	Sure func(b []byte, ends bool) (sure, short bool)
	// Mark stands in each record, so many bytes behind its begin.
	Mark   []byte
	Before int
	// Lost takes a place without records, and why there are none: ErrCut, ErrLong, or an error of Cut.
	Lost func(at int64, why error)

	buf   []byte
	at    int64 // of the byte with which buf begins
	from  int   // buf is read up to it
	gap   error // why no record begins at gapAt; nil: reading is in no gap
	gapAt int64
}

// Write implements io.Writer. An error is that of Take.
func (r *Records) Write(p []byte) (int, error) {
	if r.from > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[r.from:])]
		r.at, r.from = r.Place(), 0
	}
	r.buf = append(r.buf, p...)
	return len(p), r.read(false)
}

// End reads the rest of what came.
func (r *Records) End() error {
	err := r.read(true)
	if r.gap != nil {
		r.Lost(r.gapAt, r.gap)
	}
	r.buf, r.gap = nil, nil
	return err
}

// Place is the byte up to which the recording is read.
func (r *Records) Place() int64 { return r.at + int64(r.from) }

func (r *Records) read(ends bool) error {
	for r.from < len(r.buf) && (r.gap == nil || r.resume(ends)) {
		b := r.buf[r.from:]
		size, whole, err := r.Cut(b, ends)
		switch whole = whole && size <= len(b); {
		case err == nil && !whole && !ends:
			return nil
		case err != nil || !whole:
			if r.gap, r.gapAt = err, r.Place(); err == nil {
				r.gap = ErrCut
			}
			r.from++
		default:
			r.from += size
			if err := r.Take(b[:size:size], r.Place()-int64(size)); err != nil {
				return err
			}
		}
	}
	return nil
}

// resume goes on behind a gap. It returns false where no record is sure in what came.
func (r *Records) resume(ends bool) bool {
	i, sure := r.Find(r.buf, r.from, len(r.buf), ends)
	if r.from = i; sure {
		if r.gap == ErrCut {
			r.gap = ErrLong
		}
		r.Lost(r.gapAt, r.gap)
		r.gap = nil
	}
	return sure
}

// Find looks for a record that begins in b[from:to]. It returns where one does, or else from where on one may.
func (r *Records) Find(b []byte, from, to int, ends bool) (at int, sure bool) {
	for at = from; at < to; at++ {
		if k := bytes.Index(b[min(at+r.Before, len(b)):], r.Mark); k >= 0 {
			at += k
		} else {
			at = max(at, len(b)-r.Before-len(r.Mark)+1) // a record may begin in the rest
		}
		if at >= to {
			break
		}
		sure, short := r.Sure(b[at:], ends)
		if sure || short && !ends {
			return at, sure
		}
	}
	return to, false
}
