package speedscope

import (
	"framescope/model"
	"framescope/net/trace"
)

// maxStack bounds how many calls are open at once; the innermost are left out.
const maxStack = 1 << 16

// calls goes through the events of a profile.
type calls struct {
	d     *decoder
	p     *profile
	out   *trace.StackThread // nil where there are no times
	stack []call
	over  int64 // calls that are open beyond maxStack
	last  trace.Instant
	any   bool
}

// call is one that has not ended.
type call struct {
	frame int64
	path  model.PathID
	shown bool
}

// event reads an event.
func (c *calls) event(r *trace.Reader) {
	c.d.place = r.At()
	kind, frame, hasFrame := byte(0), int64(0), false
	var at trace.Instant
	hasTime, told := false, false
	whole := r.Object(func(key []byte) {
		switch string(key) {
		case "type":
			if b := r.String(); len(b) == 1 {
				kind = b[0]
			}
		case "at":
			at, hasTime = trace.ParseTime(r.Plain(), c.p.unit.scale)
			told = true
		case "frame":
			frame, hasFrame = r.Int()
		}
	})
	if r.Err() != nil {
		return
	}
	if told && !hasTime {
		c.d.problem(badTime, 1)
		return
	}
	if !whole || !hasTime || !hasFrame || kind != 'O' && kind != 'C' {
		c.d.problem(badEvent, 1)
		return
	}
	if !c.any && !c.p.started {
		c.last = at
	}
	c.any = true
	if at.Minus(c.last).Float() < 0 {
		c.d.problem(backward, 1)
		at = c.last
	}
	c.pass(at)
	if kind == 'O' {
		c.open(frame)
	} else {
		c.end(frame)
	}
}

// now is the time of the newest event in the session.
func (c *calls) now() int64 { return bounded(c.last.Minus(c.d.zero)) }

// pass advances to a time; in a profile without times the innermost frame gets the difference as
// weight.
func (c *calls) pass(at trace.Instant) {
	if n := at.Minus(c.last).Float(); c.out == nil && n > 0 && len(c.stack) > 0 {
		c.d.count(c.p.track, c.stack[len(c.stack)-1].path, n)
	}
	c.last = at
}

func (c *calls) open(frame int64) {
	if len(c.stack) >= maxStack {
		c.over++
		c.d.out.Refused++
		return
	}
	up := model.PathRoot
	if n := len(c.stack); n > 0 {
		up = c.stack[n-1].path
	}
	x := call{frame: frame, path: c.d.names.Path(up, c.d.collector(frame))}
	if c.out != nil {
		x.shown = c.out.Enter(c.now(), x.path)
	}
	c.stack = append(c.stack, x)
}

// end ends the innermost call of a frame, and all inside it.
func (c *calls) end(frame int64) {
	if c.over > 0 {
		c.over--
		return
	}
	i := len(c.stack) - 1
	for i >= 0 && c.stack[i].frame != frame {
		i--
	}
	if i < 0 {
		c.d.problem(unopened, 1)
		return
	}
	c.d.problem(notOnTop, int64(len(c.stack)-1-i))
	for k := len(c.stack) - 1; k >= i; k-- {
		c.leave(k, k > i)
	}
}

func (c *calls) leave(k int, cut bool) {
	if c.stack[k].shown {
		c.out.Leave(c.now(), cut)
	}
	c.stack = c.stack[:k]
}

// close ends the profile and its open calls.
func (c *calls) close() {
	if len(c.stack) == 0 {
		return
	}
	if !c.d.broken {
		c.d.problem(unclosed, int64(len(c.stack)))
	}
	if c.p.end.Minus(c.last).Float() > 0 {
		c.pass(c.p.end)
	}
	for k := len(c.stack) - 1; k >= 0; k-- {
		c.leave(k, true)
	}
}
