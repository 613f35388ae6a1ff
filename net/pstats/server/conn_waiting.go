package server

import (
	"slices"
	"sync/atomic"

	"framescope/model"
	"framescope/net/pstats"
)

// Limits of a client's data before its first frame, in bytes. Real clients send tables of definitions
// then: 32,768 collectors are some 2 MB. All waiting clients together share a part.
const (
	waitingFree   = 128 << 10 // for each, at any time
	waitingOne    = 8 << 20   // for each, at most
	waitingShared = 32 << 20  // for all together, beyond the free room
)

// waitingRoom keeps what a client sends before its first frame, as a client that sends none becomes no
// session, and frames before its hello, which says how to read them.
type waitingRoom struct {
	shared *atomic.Int64 // bytes that all waiting rooms have taken of waitingShared

	messages []message
	frames   int   // of these
	bytes    int64 // that are kept
	taken    int64 // of them from shared

	refused, refusedFrames int64 // messages that did not fit
}

// message is a message or datagram.
type message struct {
	payload []byte
	from    origin
}

// isFrame reports whether it has a frame, or nothing. All datagrams do.
func (m *message) isFrame() bool {
	return m.from.udp || len(m.payload) == 0 || m.payload[0] == pstats.TypeFrame
}

// room takes room for n bytes and reports whether there is any.
func (w *waitingRoom) room(n int) bool {
	bytes := w.bytes + int64(n)
	if bytes > waitingOne {
		return false
	}
	if more := bytes - waitingFree - w.taken; more > 0 {
		if w.shared.Add(more) > waitingShared {
			w.shared.Add(-more)
			return false
		}
		w.taken += more
	}
	w.bytes = bytes
	return true
}

// leave frees everything, and returns the messages.
func (w *waitingRoom) leave() []message {
	messages := w.messages
	w.shared.Add(-w.taken)
	*w = waitingRoom{shared: w.shared, refused: w.refused, refusedFrames: w.refusedFrames}
	return messages
}

// add keeps a message.
func (w *waitingRoom) add(m message) {
	const size = 64
	frame := m.isFrame()
	switch {
	case frame && w.frames == maxEarlyNum || !w.room(len(m.payload)+size):
		w.refused++
		if frame {
			w.refusedFrames++
		}
		return
	case frame:
		w.frames++
	}
	m.payload = slices.Clone(m.payload)
	w.messages = append(w.messages, m)
}

// take takes a message, at once if it is known what it means and whether the client sends frames.
func (c *conn) take(m message) {
	if c.hello.Load() == nil || !c.begun && !m.isFrame() {
		c.waiting.add(m)
		return
	}
	c.handle(m.payload, m.from)
}

// takeWaiting takes the messages that have waited. Some may wait again.
func (c *conn) takeWaiting() {
	for _, m := range c.waiting.leave() {
		if c.take(m); c.refused {
			return
		}
	}
	w := c.waiting
	if c.begun && w.refused > 0 {
		c.loseAll(model.Loss{Reason: model.LossLimit, N: w.refused, Frames: w.refusedFrames},
			"messages before the first frame, beyond the limit for those")
		w.refused, w.refusedFrames = 0, 0
	}
}
