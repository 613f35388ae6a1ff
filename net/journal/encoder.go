package journal

import (
	"crypto/rand"
	"io"
	"time"
)

// Encoder writes a session that is one file to a writer, which it waits for: for recordings that are
// saved, where an error ends the work. After an error nothing more is written.
type Encoder struct {
	w   io.Writer
	buf []byte
	err error
}

// NewEncoder returns an encoder and writes the beginning of the file.
func NewEncoder(w io.Writer, m Meta) *Encoder {
	if m.Start.IsZero() {
		m.Start = time.Now()
	}
	var id ID
	rand.Read(id[:])
	e := &Encoder{w: w}
	e.write(appendMeta(appendHead(nil, id, 1, 0), m.clean()))
	return e
}

// Define writes a definition; the last one with a key holds.
func (e *Encoder) Define(key string, payload []byte) error {
	return e.record(KindDefinition, 0, key, payload)
}

// Data writes a record of data. timeNs is its time since the session's start.
func (e *Encoder) Data(timeNs int64, payload []byte) error {
	return e.record(KindData, timeNs, "", payload)
}

// Copy writes a record of another recording as it is, but for its description, which this one has already.
func (e *Encoder) Copy(r *Record) error {
	if r.Kind == KindMeta {
		return nil
	}
	return e.record(r.Kind, r.Time, string(r.Key), r.Payload)
}

// End writes why the session ended, as its last record.
func (e *Encoder) End(reason string) error {
	return e.write(appendJSON(e.buf[:0], KindEnd, 0, End{Reason: reason}))
}

func (e *Encoder) record(kind Kind, timeNs int64, key string, payload []byte) error {
	if len(key) > MaxKey || len(payload) > MaxPayload {
		return errLarge
	}
	e.buf = appendRecord(e.buf[:0], kind, timeNs, key, payload)
	return e.write(e.buf)
}

func (e *Encoder) write(b []byte) error {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
	return e.err
}
