package profilelib

import (
	"fmt"

	"framescope/net/trace"
)

// Limits of the search for records in a damaged stream.
const (
	badInRow    = 8  // records that must fail one after another before the phase is doubted
	searchLook  = 32 // records by which a phase is judged
	searchReady = 24 // records that must be there for it
	searchGood  = 0.75
)

// framer cuts a stream into records and hands each to take in the current layout. A record that
// take refuses is skipped alone; only when everything fails from there on is another phase looked
// for (FORMAT.md section 6). It keeps a remainder of less than one record, and while records fail,
// those.
type framer struct {
	layout Layout
	stride int
	// take judges and uses a record; at is its place in the stream.
	take func(rec []byte, at int64) Fault
	// lost is called with skipped bytes. records is the number of whole records in them.
	lost func(kind trace.Kind, at int64, records int, why string)

	buf   []byte
	at    int64 // place in the stream of buf[0], or of the next byte
	bad   int   // records at the beginning of buf that take refused
	fault Fault
	cur   [RecordSize]byte
}

func newFramer(
	l Layout, take func([]byte, int64) Fault, lost func(kind trace.Kind, at int64, records int, why string),
) *framer {
	return &framer{layout: l, stride: l.Stride(), take: take, lost: lost}
}

// write takes the next bytes of the stream.
func (f *framer) write(p []byte, last bool) {
	data := p
	if len(f.buf) > 0 {
		f.buf = append(f.buf, p...)
		data = f.buf
	}
	from := 0 // the first byte that is not settled
	i := f.bad * f.stride
	for {
		if f.bad >= badInRow {
			if len(data)-from < searchReady*f.stride && !last {
				break
			}
			from = f.search(data, from)
			i = from
			continue
		}
		if i+f.stride > len(data) {
			break
		}
		rec := data[i : i+f.stride]
		if f.layout != Current {
			f.layout.ToCurrent(rec, &f.cur)
			rec = f.cur[:]
		}
		fault := f.take(rec, f.at+int64(i))
		i += f.stride
		switch {
		case fault != NoFault:
			if f.bad == 0 {
				f.fault = fault
			}
			f.bad++
		default:
			if f.bad > 0 {
				f.skipped(from)
			}
			from = i
		}
	}
	if last {
		if f.bad > 0 {
			n := f.bad * f.stride
			f.skipped(from)
			from += n
		}
		if n := len(data) - from; n > 0 {
			f.lost(trace.Cut, f.at+int64(from), 0, fmt.Sprintf("%d bytes left over", n))
		}
		from = len(data)
	}
	f.at += int64(from)
	// At most the failed records and a part of one remain.
	f.buf = append(f.buf[:0], data[from:]...)
}

// skipped reports the failed records from a place in the data on.
func (f *framer) skipped(from int) {
	f.lost(trace.BadEvent, f.at+int64(from), f.bad, string(f.fault))
	f.bad = 0
}

// search looks for a phase in which the records after from are plausible, and returns where to go
// on.
func (f *framer) search(data []byte, from int) int {
	look := data[from:min(len(data), from+(searchLook+1)*f.stride)]
	found := best(look, f.layout)
	at := found.Phase
	if at == 0 || float64(found.records) < searchGood*float64(found.records+found.bad) { // these records alone are bad
		n := f.bad * f.stride
		f.skipped(from)
		return from + n
	}
	f.bad = 0
	f.lost(trace.BadEvent, f.at+int64(from), 0, fmt.Sprintf("%d bytes belong to no record", at))
	return from + at
}
