package client

// slot is the place of a thread in the numbering of the wire.
type slot struct {
	name     string
	number   uint32 // frame number with which a successor goes on
	dead     bool
	reusable bool // dead, and its end has been announced
}

// maxThreads is the limit of the wire; officialThreads is that of official viewers (section 9).
const (
	maxThreads      = 1 << 16
	officialThreads = 1000
)

// MainThread returns thread 0, "Main", which has the program's frames.
func (c *Client) MainThread() *Thread { return c.main }

// Thread returns a new thread. Names need not be unique. The caller closes it when the goroutine
// ends. "Main" returns the main thread.
func (c *Client) Thread(name string) *Thread {
	if name == "Main" {
		return c.main
	}
	return c.newThread(name)
}

func (c *Client) newThread(name string) *Thread {
	if name == "" {
		name = "Unnamed" // an empty name would say that there is no thread
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &Thread{c: c, ticks: c.opt.Clock == nil && Steady}
	index := c.reusableSlot(name)
	switch {
	case index >= 0:
	case len(c.slots) < maxThreads:
		index = len(c.slots)
		c.slots = append(c.slots, slot{})
	default:
		t.closed = true // there is no number left: record nothing
		return t
	}
	was := c.slots[index]
	c.slots[index] = slot{name: name, number: was.number}
	t.index, t.number = uint16(index), was.number
	if s := c.current; s != nil {
		// Before 3.2, viewers did not learn that the old thread ended, so they need not get its name
		// again.
		if s.version.HasExpire() || was.name != name {
			s.newThreads = append(s.newThreads, threadName{t.index, name})
			s.poke()
		}
	}
	if s := c.session.Load(); s != nil {
		t.attach(s)
	}
	return t
}

// reusableSlot returns the slot of a dead thread that a new one of this name may take, or -1. c.mu
// is held.
func (c *Client) reusableSlot(name string) int {
	free := func(s *slot) bool { return s.dead && (s.reusable || c.current == nil) }
	reuse := c.opt.ReuseThreads || c.current != nil && !c.current.version.HasExpire()
	if reuse {
		for i := range c.slots {
			if free(&c.slots[i]) && c.slots[i].name == name {
				return i
			}
		}
	}
	if len(c.slots) >= officialThreads {
		for i := range c.slots {
			if free(&c.slots[i]) {
				return i
			}
		}
	}
	return -1
}

// endThread frees the slot of a thread and announces its end.
func (c *Client) endThread(t *Thread) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := &c.slots[t.index]
	slot.dead, slot.number = true, t.number
	s := c.current
	if s == nil {
		return
	}
	e := endedThread{index: t.index}
	if t.sess == s {
		e.thread = t
	}
	s.ended = append(s.ended, e)
	s.poke()
}
