package server

import (
	"strconv"

	"framescope/model"
	"framescope/net/pstats"
)

// What a connection may hold without being counted, in bytes, and from which part of what all may
// hold on it is to blame that there is too much.
const (
	heldFree   = 128 << 10
	heldPart   = 16
	giantFrame = 512 << 10 // bytes of a frame that takes so much room to decode that one at a time is enough
)

// holding is a connection's part of Config.Held.
type holding struct{ message, frame, threads int64 }

// holdMessage counts the bytes of messages that have not come whole. When there are too many of all
// clients, and this one has sent many of them, its message is left out.
func (c *conn) holdMessage(scan *pstats.Scanner) {
	count := func() int64 {
		now := max(0, int64(scan.Size())-heldFree)
		c.server.cfg.Held.Add(now - c.held.message)
		c.held.message = now
		return now
	}
	held := c.server.cfg.Held
	if now := count(); now > 0 && held.Over() && now > held.Limit()/heldPart {
		if scan.Partial() && scan.Drop() {
			count()
		}
	}
}

// skipped counts a message that is left out because it is too long.
func (c *conn) skipped(length int64, typ byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hello.Load() == nil {
		c.tooEarly = true
		return
	}
	n := int64(0)
	if typ == pstats.TypeFrame {
		n = 1
	}
	mib := strconv.FormatFloat(float64(length)/(1<<20), 'f', 1, 64)
	c.loseAll(model.Loss{Reason: model.LossLimit, N: 1, Frames: n},
		"a %s of %s MiB is larger than the limit of memory allows: it is left out", pstats.TypeName(typ), mib)
}

// holdFrame counts the buffers for decoding frames, or gives them up. c.mu is held.
func (c *conn) holdFrame() {
	held := c.server.cfg.Held
	now := max(0, int64(8*cap(c.frame.Events)+8*cap(c.frame.Levels))-heldFree)
	if now > 0 && held.Over() {
		c.frame, now = pstats.Frame{}, 0
	}
	held.Add(now - c.held.frame)
	c.held.frame = now
}

// holdNothing ends the counting, at the end of the connection. c.mu is held.
func (c *conn) holdNothing() {
	c.frame = pstats.Frame{}
	c.server.cfg.Held.Add(-c.held.message - c.held.frame - c.held.threads)
	c.held = holding{}
}
