package speedscope

import (
	"framescope/model"
	"framescope/net/trace"
)

// maxStack bounds how many calls are open at once; the innermost are left out.
const maxStack = 1 << 16

// calls are those of a profile that have not ended.
type calls struct {
	d     *decoder
	p     *profile
	out   *trace.StackThread // nil where there are no times
	stack []call
	last  trace.Instant // of the newest event
	begun bool
}

type call struct {
	frame int64
	path  model.PathID
}

// event reads an event.
func (c *calls) event(r *trace.Reader) {
	var kind byte
	var at trace.Instant
	var frame int64
	hasTime, hasFrame := false, false
	c.d.place = r.At()
	r.Object(func(key []byte) {
		switch string(key) {
		case "type":
			if b := r.String(); len(b) == 1 {
				kind = b[0]
			}
		case "at":
			at, hasTime = trace.ParseTime(r.Plain(), c.p.scale)
		case "frame":
			frame, hasFrame = r.Int()
		}
	})
	switch whole := hasTime && hasFrame; {
	case r.Err() != nil:
	case whole && kind == 'O':
		c.pass(at)
		c.begin(frame)
	case whole && kind == 'C':
		c.pass(at)
		c.end(frame)
	default:
		c.d.Bad.Bad(trace.BadEvent, c.d.place)
	}
}

// pass goes on to a time. In a profile without times the innermost call gets the difference as weight.
func (c *calls) pass(at trace.Instant) {
	if !c.begun && !c.p.started {
		c.last = at
	}
	c.begun = true
	passed := at.Minus(c.last).Float()
	if passed < 0 {
		c.d.Bad.Bad(trace.LateEvent, c.d.place)
		return
	}
	if n := len(c.stack); c.out == nil && passed > 0 && n > 0 {
		c.d.Weigh(c.p.track, c.stack[n-1].path, passed, c.d.place)
	}
	c.last = at
}

// now is the time of the newest event in the session.
func (c *calls) now() int64 { return bounded(c.last.Minus(c.d.zero)) }

func (c *calls) begin(frame int64) {
	n, up := len(c.stack), model.PathRoot
	if n == maxStack {
		c.d.Bad.Bad(trace.DeepStack, c.d.place)
		return
	}
	if n > 0 {
		up = c.stack[n-1].path
	}
	path := c.d.Names.Path(up, c.d.collector(frame))
	if c.out != nil {
		c.out.Enter(c.now(), path, 0)
	}
	c.stack = append(c.stack, call{frame, path})
}

// end ends the innermost call of a frame, and all inside it.
func (c *calls) end(frame int64) {
	i := len(c.stack) - 1
	for i >= 0 && c.stack[i].frame != frame {
		i--
	}
	if i < 0 {
		c.d.Bad.Bad(trace.UnmatchedEnd, c.d.place)
		return
	}
	c.d.Bad.BadN(trace.MissingEnd, int64(len(c.stack)-1-i), c.d.place)
	c.leave(i+1, true)
	c.leave(i, false)
}

// leave ends the calls from a depth on.
func (c *calls) leave(depth int, cut bool) {
	for i := len(c.stack) - 1; i >= depth; i-- {
		if c.out != nil {
			c.out.Leave(c.now(), cut)
		}
	}
	c.stack = c.stack[:depth]
}

// close ends the profile and its open calls. whole reports whether it was read to its end.
func (c *calls) close(whole bool) {
	if len(c.stack) > 0 && c.p.end.Minus(c.last).Float() > 0 {
		c.pass(c.p.end)
	}
	if whole {
		c.d.Bad.BadN(trace.NoEnd, int64(len(c.stack)), c.d.place)
	}
	c.leave(0, true)
}
