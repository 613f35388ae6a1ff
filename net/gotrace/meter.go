package gotrace

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"framescope/net/feed"
)

// What the reader of traces keeps, in bytes. It has a generation as a whole, about a second of the
// program, before it hands out its first event; of the form before Go 1.22 it has all of the trace.
const (
	batchCost   = 512 // of a batch, besides its data; half of this is garbage of growing lists
	dataFactor  = 2   // of its data, likewise
	tableFactor = 8   // of tables: a string or a stack of three bytes is an entry of a map
	eventFactor = 12  // of the older form, with events that become structures
	firstParted = 22  // first version with traces in generations
)

// Types of events that say how batches go on (golang.org/x/exp/trace, internal/tracev2).
const (
	evEventBatch        = 1
	evStacks            = 2
	evStrings           = 4
	evExperimentalBatch = 49
	evEndOfGeneration   = 52
)

var errLargeGeneration = errors.New("a generation of the trace does not fit into memory: raise --memory")

// meter is a reader that weighs what the reader of traces keeps of what goes through, and ends with an
// error where that is more than there is room for.
type meter struct {
	r       io.Reader
	room    *feed.Names
	version int
	held    int64
	err     error

	head   []byte // what came of the header of a batch
	left   uint64 // bytes of the batch that are to come
	first  uint64 // generation of the first batch
	gen    uint64 // of the batches that are held
	recent []byte // all that came since its begin; nil: that is too much
	lost   bool   // no trace follows: its reader reports that
}

// mostRecent bounds what is kept of a generation, in bytes: its reader reads a batch of it before it looks at the one
// before, and a little ahead.
const mostRecent = 4 * mostBatch

// keep keeps the next bytes of the newest generation.
func (m *meter) keep(p []byte) {
	if m.recent == nil || len(m.recent)+len(p) > mostRecent {
		m.recent = nil
		return
	}
	m.recent = append(m.recent, p...)
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.r.Read(p)
	if m.version < firstParted {
		m.hold(int64(n) * eventFactor)
	} else {
		m.follow(p[:n])
	}
	if m.err != nil {
		return n, m.err
	}
	return n, err
}

// hold takes room.
func (m *meter) hold(bytes int64) {
	if m.err == nil && !m.room.TakeData(bytes) {
		m.err = errLargeGeneration
		return
	}
	m.held += bytes
}

// done gives all room back.
func (m *meter) done() {
	m.room.GiveData(m.held)
	m.held = 0
}

// follow goes through the headers of batches.
func (m *meter) follow(p []byte) {
	for len(p) > 0 && m.err == nil && !m.lost {
		if m.left > 0 {
			n := min(m.left, uint64(len(p)))
			m.keep(p[:n])
			p, m.left = p[n:], m.left-n
			continue
		}
		m.head = append(m.head, p[0])
		m.keep(p[:1])
		p = p[1:]
		m.lost = !m.header()
	}
	m.keep(p)
}

// header looks at the header of a batch, perhaps not whole, with the first byte of its data, which says what they are:
// its generation, thread, time and size, each a number of seven bits a byte. It returns false where it is none.
func (m *meter) header() bool {
	if m.head[0] == evEndOfGeneration {
		m.head = m.head[:0]
		return true
	}
	gen, size, rest, ok := batchHeader(m.head)
	if !ok || rest == nil || len(rest) < int(min(size, 1)) {
		return ok
	}
	if gen != m.gen {
		m.done()
		m.gen, m.recent = gen, append([]byte{}, m.head...)
		m.first = cmp.Or(m.first, gen)
	}
	m.head = m.head[:0]
	m.hold(batchCost)
	if size > 0 {
		m.batch(rest[0], size)
	}
	return true
}

// batchHeader reads the header of the batch with which b begins: rest is behind it, nil if it is not whole. ok is false
// where it is none.
func batchHeader(b []byte) (gen, size uint64, rest []byte, ok bool) {
	rest = b[1:]
	switch b[0] {
	case evExperimentalBatch:
		rest = rest[min(1, len(rest)):]
	case evEventBatch:
	default:
		return 0, 0, nil, false
	}
	var fields [4]uint64
	for i := range fields {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			return 0, 0, nil, n == 0
		}
		fields[i], rest = v, rest[n:]
	}
	return fields[0], fields[3], rest, true
}

// batch takes the size and the first byte of a batch's data.
func (m *meter) batch(kind byte, size uint64) {
	cost := dataFactor * int64(min(size, math.MaxInt32))
	if kind == evStacks || kind == evStrings {
		cost *= tableFactor
	}
	m.hold(cost)
	m.left = size - 1
}
