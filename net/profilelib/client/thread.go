package client

// Kinds of records below the numbers of blocks (FORMAT.md, "Record types").
const (
	kindEndOfStream = 0
	kindSystemInfo  = 1
	kindLog         = 2
	kindFrame       = 4
	kindTryLock     = 5
	kindLock        = 7
	kindUnlock      = 9
	kindWait        = 11
	kindSignal      = 12
	firstBlock      = 129
)

// Thread is one line of execution of the program. Its methods take tens of nanoseconds, never block
// and never allocate. One goroutine at a time may use it.
type Thread struct {
	p       *Profiler
	id      uint32
	current uint16 // innermost open block
	skipped int    // blocks begun inside it that got no slot, and are still open
}

// ID is the number under which the thread appears in the stream.
func (t *Thread) ID() uint32 { return t.id }

// BeginBlock begins a timing block inside the open one. Of the name, 25 bytes are kept.
func (t *Thread) BeginBlock(name string) {
	p := t.p
	if t.skipped > 0 || !p.enabled.Load() {
		t.skipped++
		return
	}
	i := p.acquire()
	if i == 0 {
		p.dropped.Add(1)
		t.skipped++
		return
	}
	var kept [nameBytes]byte
	t.open(i, kept[:copy(kept[:], name)])
}

// open makes slot i the innermost open block.
func (t *Thread) open(i uint16, name []byte) {
	p := t.p
	s := &p.slots[i]
	s.id = p.number()
	s.parent, s.prev, s.older, s.child = 0, 0, 0, 0
	s.thread, s.processor = t.id, p.onProcessor()
	s.length = uint8(copy(s.name[:], name))
	if t.current != 0 {
		s.parent = p.slots[t.current].id
		t.link(i)
	}
	t.current = i
	s.start = p.now()
}

// link makes slot i the newest child of the innermost open block.
func (t *Thread) link(i uint16) {
	s, above := &t.p.slots[i], &t.p.slots[t.current]
	s.prev, s.older = t.current, above.child
	if above.child != 0 {
		t.p.slots[above.child].prev = i
	}
	above.child = i
}

// above returns the block around an open one: its first child names it, others name their newer
// sibling, and an open block has none that is newer.
func (t *Thread) above(i uint16) uint16 { return t.p.slots[i].prev }

// EndBlock ends the block begun last. Without an open block it does nothing.
func (t *Thread) EndBlock() {
	if t.skipped > 0 {
		t.skipped--
		return
	}
	i := t.current
	if i == 0 {
		return
	}
	p := t.p
	s := &p.slots[i]
	s.end = p.now()
	t.current = t.above(i)
	if t.current == 0 {
		p.finish(i)
		return
	}
	if p.processor != nil {
		t.moved()
	}
}

// UpdateBlock checks whether the thread has moved to another processor: if so, the open blocks are
// split there (FORMAT.md, "Blocks split by migration"). It does nothing without Options.Processor.
func (t *Thread) UpdateBlock() {
	if t.current != 0 && t.skipped == 0 && t.p.processor != nil {
		t.moved()
	}
}

// moved splits the open blocks that began on another processor than the thread runs on now: from
// the innermost out to the first that began here.
func (t *Thread) moved() {
	p := t.p
	here := p.onProcessor()
	var old [maxSplit]uint16 // the innermost last
	k := maxSplit
	i := t.current
	for ; i != 0 && p.slots[i].processor != here; i = t.above(i) {
		if k == 0 {
			return
		}
		k--
		old[k] = i
	}
	if k == maxSplit {
		return
	}
	// All the slots that the second halves need, or no split at all.
	var fresh [maxSplit]uint16
	for n := k; n < maxSplit; n++ {
		if fresh[n] = p.acquire(); fresh[n] == 0 {
			for _, f := range fresh[k:n] {
				p.give(f, f)
			}
			return
		}
	}
	now := p.now()
	for _, o := range old[k:] {
		p.slots[o].end = now
	}
	t.current = i
	for n := k; n < maxSplit; n++ {
		o := &p.slots[old[n]]
		t.open(fresh[n], o.name[:o.length])
		p.slots[fresh[n]].start = now // no gap, so that a reader sees what belongs together
	}
	if i == 0 {
		p.finish(old[k])
	}
}

// maxSplit is the deepest nesting that is split.
const maxSplit = 64

// EndFrame marks the end of a frame: the blocks that ended on the thread since the last one belong to
// frame counter.
func (t *Thread) EndFrame(counter uint64) { t.note(kindFrame, "", int64(counter)) }

// Log writes a line of any length.
func (t *Thread) Log(text string) { t.note(kindLog, text, 0) }

// TryLock records that the thread is about to take a lock.
func (t *Thread) TryLock(name string) { t.note(kindTryLock, name, 0) }

// Lock records that the thread has got the lock.
func (t *Thread) Lock(name string) { t.note(kindLock, name, 0) }

// Unlock records that the thread has given the lock back.
func (t *Thread) Unlock(name string) { t.note(kindUnlock, name, 0) }

// Wait records that the thread is about to wait for a condition.
func (t *Thread) Wait(name string) { t.note(kindWait, name, 0) }

// Signal records that the thread is about to signal a condition.
func (t *Thread) Signal(name string) { t.note(kindSignal, name, 0) }

// note writes a message of any kind, in as many pieces as its text needs; or, if there are not
// enough slots, nothing.
func (t *Thread) note(kind uint32, text string, counter int64) {
	p := t.p
	if !p.enabled.Load() {
		return
	}
	now := p.now()
	processor := p.onProcessor()
	var first, last uint16
	for at := 0; first == 0 || at < len(text); at += nameBytes {
		i := p.acquire()
		if i == 0 {
			p.giveTree(first)
			p.dropped.Add(1)
			return
		}
		s := &p.slots[i]
		s.id, s.parent, s.prev, s.older, s.child = kind, 0, last, 0, 0
		s.thread, s.processor, s.start, s.end = t.id, processor, now, counter
		s.length = uint8(copy(s.name[:], text[min(at, len(text)):]))
		if first == 0 {
			first = i
		} else {
			s.id = kind + 1
			p.slots[last].child = i // a piece hangs below the one before
		}
		last = i
	}
	// Numbers are taken when all pieces have room, so that none is missing.
	if kind != kindFrame {
		for i, before := first, uint32(0); i != 0; i = p.slots[i].child {
			s := &p.slots[i]
			n := p.number()
			s.parent, s.end = before, int64(n)
			before = n
		}
	}
	if t.current == 0 {
		p.finish(first)
		return
	}
	t.link(first)
}

// giveTree puts back a chain of slots that are linked by child.
func (p *Profiler) giveTree(first uint16) {
	for first != 0 {
		next := p.slots[first].child
		p.give(first, first)
		first = next
	}
}
