package gotrace

import (
	"errors"
	"io"

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

	at     batchField
	gen    uint64 // of the batches that are held
	stacks bool   // they have stacks
	last   bool   // and strings behind these: that is how each generation ends
	number uint64 // that is being read
	shift  uint
	left   uint64 // bytes of the batch
}

// batchField is where in a batch the next byte is.
type batchField uint8

const (
	fieldType batchField = iota
	fieldExperiment
	fieldGeneration
	fieldThread
	fieldTime
	fieldSize
	fieldKind // the first byte of its data
	fieldData
	fieldLost // no trace follows: its reader reports that
)

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.r.Read(p)
	switch {
	case m.version < firstParted:
		m.hold(int64(n) * eventFactor)
	default:
		m.follow(p[:n])
	}
	if m.err != nil {
		return n, m.err
	}
	return n, err
}

// complete reports whether what came is whole generations, as far as can be known before another begins,
// where some bytes have come that have not been read.
func (m *meter) complete(unread int) bool {
	return m.last && (m.at == fieldType && unread == 0 || m.at == fieldData && m.left == uint64(unread))
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
	for len(p) > 0 && m.err == nil && m.at != fieldLost {
		if m.at == fieldData {
			n := min(m.left, uint64(len(p)))
			if p, m.left = p[n:], m.left-n; m.left == 0 {
				m.at = fieldType
			}
			continue
		}
		m.take(p[0])
		p = p[1:]
	}
}

// take takes a byte of a header, or the first byte of a batch's data.
func (m *meter) take(b byte) {
	switch m.at {
	case fieldType:
		switch b {
		case evEventBatch:
			m.at = fieldGeneration
		case evExperimentalBatch:
			m.at = fieldExperiment
		case evEndOfGeneration:
		default:
			m.at = fieldLost
		}
	case fieldExperiment:
		m.at = fieldGeneration
	case fieldKind:
		cost := dataFactor * int64(m.left)
		m.stacks = m.stacks || b == evStacks
		m.last = m.stacks && b == evStrings
		if b == evStacks || b == evStrings {
			cost *= tableFactor
		}
		m.hold(cost)
		if m.left--; m.left > 0 {
			m.at = fieldData
		} else {
			m.at = fieldType
		}
	default:
		m.digit(b)
	}
}

// digit takes a byte of a number: seven bits, the least first, and whether more follow.
func (m *meter) digit(b byte) {
	if m.shift > 63 {
		m.at = fieldLost
		return
	}
	m.number |= uint64(b&0x7f) << m.shift
	if m.shift += 7; b&0x80 != 0 {
		return
	}
	switch m.at {
	case fieldGeneration:
		if m.number != m.gen {
			m.done()
			m.gen, m.stacks, m.last = m.number, false, false
		}
	case fieldSize:
		m.hold(batchCost)
		m.left = m.number
	}
	m.at++
	if m.at == fieldKind && m.left == 0 {
		m.at = fieldType
	}
	m.number, m.shift = 0, 0
}
