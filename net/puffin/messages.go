package puffin

// Messages cuts what puffin_http sends into messages, from one connection to the next, and finds out
// when it is another run of the program that sends. The zero value is ready for the first connection.
type Messages struct {
	cut     cutter
	reader  frameReader
	threads map[string]bool // of the run
	key     []byte
	last    int64 // number of the frame before
	any     bool
	fresh   bool // nothing came on this connection yet
}

// Connected begins a connection and forgets an incomplete message.
func (m *Messages) Connected() { m.cut, m.fresh = cutter{messages: true, strict: true}, true }

// Left returns how many bytes have come of a message that is not whole.
func (m *Messages) Left() int {
	n, _ := m.cut.left()
	return n
}

// Write takes the next bytes and passes each whole message to take; it is valid until take returns. another is set
// for the first message of another run: its frames are numbered from the beginning, or it has none of the earlier
// threads. An error is take's, or describes bytes that are no message.
func (m *Messages) Write(p []byte, take func(message []byte, another bool) error) error {
	return m.cut.write(p, func(rec *record) error {
		another := m.another(rec)
		return take(rec.raw, another)
	})
}

// another looks at a message, and reports whether another run begins with it.
func (m *Messages) another(rec *record) bool {
	f, _ := m.reader.read(rec)
	if f == nil { // damaged: the decoder reports it
		return false
	}
	known := 0
	for i := range f.threads {
		if m.key = f.threads[i].appendKey(m.key[:0]); m.threads[string(m.key)] {
			known++
		}
	}
	another := m.any && (f.number <= m.last || m.fresh && known == 0 && len(f.threads) > 0)
	if another || m.threads == nil {
		m.threads = map[string]bool{}
	}
	for i := range f.threads {
		if m.key = f.threads[i].appendKey(m.key[:0]); len(m.threads) < maxSurveyed && !m.threads[string(m.key)] {
			m.threads[string(m.key)] = true
		}
	}
	m.any, m.last, m.fresh = true, f.number, false
	return another
}
