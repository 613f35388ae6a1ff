package server

import (
	"cmp"
	"fmt"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// A client may have 65,536 threads, and each costs memory for as long as it is connected, whether
// it sends anything or not. So a client may always have leastThreads threads, and further ones as
// long as all threads of a client take no more than half of what decoders may hold (Config.Held),
// and there is room: 8,192 threads at a limit of memory of 128 MiB, all that there can be from 1 GiB
// on. What belongs to others is left out and counted. Threads below firstThreads, the main one among
// them, are always taken.
const (
	leastThreads = 1024
	firstThreads = 64
	threadBytes  = 512 // that guard and decoder need for a thread, besides its name and its frames
)

// threadSet is the set of accepted threads of a client.
type threadSet struct {
	known *[1 << 16 / 64]uint64 // nil if none
	n     int
	bytes int64 // that they take
}

func (s *threadSet) has(thread uint16) bool {
	return s.known != nil && s.known[thread/64]&(1<<(thread%64)) != 0
}

// add takes a thread, with a name of so many bytes.
func (s *threadSet) add(thread uint16, name int) {
	if s.has(thread) {
		return
	}
	if s.known == nil {
		s.known = new([1 << 16 / 64]uint64)
	}
	s.known[thread/64] |= 1 << (thread % 64)
	s.n++
	s.bytes += threadBytes + 2*int64(min(name, pstats.MaxName)) // the journal needs the name, too
}

// mayTake reports whether a thread was taken, or may be.
func (c *conn) mayTake(thread uint16) bool {
	s, held := &c.threads, c.server.cfg.Held
	return thread < firstThreads || s.n < leastThreads || s.has(thread) || s.bytes < held.Limit()/2 && !held.Over()
}

// tooManyThreads counts things of threads that are not taken. frames of them are frames.
func (c *conn) tooManyThreads(n, frames int64) {
	c.loseAll(model.Loss{Reason: model.LossLimit, N: n, Frames: frames},
		"more than %d threads do not fit into the limit of memory: what belongs to further ones is left out", c.threads.n)
}

// takeThreads takes the names of threads.
func (c *conn) takeThreads(first int, names []string) {
	refused := int64(0)
	for begin := 0; begin < len(names); {
		end := begin
		for ; end < len(names); end++ {
			if t := first + end; t <= 0xffff {
				if !c.mayTake(uint16(t)) {
					break
				}
				if names[end] != "" {
					c.threads.add(uint16(t), len(names[end]))
				}
			}
		}
		if end > begin {
			c.nameThreads(first+begin, names[begin:end])
			c.handler.Threads(first+begin, names[begin:end])
		}
		if begin = end; begin < len(names) {
			refused++
			begin++
		}
	}
	c.holdThreads()
	if refused > 0 {
		c.tooManyThreads(refused, 0)
	}
}

// holdThreads counts the memory of a client's threads after its session began; before, the waiting
// room does.
func (c *conn) holdThreads() {
	if c.begun {
		c.server.cfg.Held.Add(c.threads.bytes - c.held.threads)
		c.held.threads = c.threads.bytes
	}
}

// firstHello takes the hello, which defines how to read frames, and then the frames that came before
// it (PROTOCOL.md sections 3.3 and 4.3).
func (c *conn) firstHello(payload []byte) error {
	h, err := pstats.DecodeClientHello(payload)
	if err != nil {
		return errGarbage{err.Error()}
	}
	c.hello.Store(&h)
	if why := unsupported(h.Version); why != "" {
		c.logf("%s is turned away: %s", c.name(), why)
		c.refused = true
		return errRefused
	}
	c.version = h.Version
	c.handler.Hello(h)
	early := c.waiting.early
	c.waiting.early = nil
	for _, f := range early {
		if c.handle(f.payload, f.from); c.refused {
			return errRefused
		}
	}
	return nil
}

// begin makes a session of the connection, for its first frame is here. It returns false if the
// session is not wanted.
func (c *conn) begin() bool {
	h := c.hello.Load()
	handler := c.server.cfg.NewSession(SessionInfo{Peer: c.peer, Hello: *h, dropped: &c.dropped})
	if handler == nil {
		c.logf("%s is turned away", c.name())
		c.refused = true
		c.disconnect("refused")
		return false
	}
	c.handler, c.begun = handler, true
	c.seat.Used()
	c.logBegin()
	c.warnNewer()
	c.waiting.replay(handler)
	c.waiting = nil
	if c.udp != nil {
		enlarge(c.udp, udpBuffer)
		if _, ok := dropsOf(c.udp); !ok {
			c.losses.total.SystemUnknown = true
			handler.Lost(model.Loss{Reason: model.LossSystem, Track: model.NoTrack, Uncounted: true})
		}
	}
	c.flushLosses()
	return true
}

// helloAgain takes a further hello: it overwrites the identity, nothing else (PROTOCOL.md section
// 4.3).
func (c *conn) helloAgain(payload []byte) {
	h, err := pstats.DecodeClientHello(payload)
	if err != nil {
		c.malformed(err)
		return
	}
	if why := unsupported(h.Version); why != "" {
		c.lose(model.LossMalformed, 1, "a second hello is ignored: %s", why)
		return
	}
	c.hello.Store(&h)
	if c.version != h.Version {
		c.version = h.Version
		c.warnNewer()
	}
	c.handler.Hello(h)
}

// unsupported returns why a version is not supported; empty: it is.
func unsupported(v pstats.Version) string {
	if v.Major >= 1 && v.Major <= pstats.Newest().Major {
		return ""
	}
	return fmt.Sprintf("it speaks PStats %v, and versions 1.0 to %v are understood", v, pstats.Newest())
}

func (c *conn) warnNewer() {
	if newest := pstats.Newest(); c.version != newest && c.version.AtLeast(newest.Major, newest.Minor) {
		c.logf("%s speaks PStats %v, newer than this Framescope knows: it is read as %v", c.name(), c.version, newest)
	}
}

// A thread's numbers are remembered in pages, so that those of a thread that sends one frame in
// hundred by TCP reach as far as what its datagrams may be late by. A client that floods its threads
// with numbers takes no more than so many pages for all of them, and two for each.
const (
	pageNumbers = 256
	mostPages   = 512  // of a thread
	sharedPages = 8192 // of the threads of a client, at 40 bytes
)

// numberPage is the set of received numbers in a page of pageNumbers.
type numberPage struct {
	index int64 // the first number is so many pages from 0
	bits  [pageNumbers / 64]uint64
}

// numberSet is the set of the newest numbers of a thread that came by TCP, or in datagrams. Its zero
// value is empty.
type numberSet struct {
	any      bool
	greatest int64        // the greatest
	pages    []numberPage // in order
	forgot   bool         // some before the first page came
}

// pagesPerThread returns how many pages each of n threads may have.
func pagesPerThread(threads int) int { return min(max(sharedPages/max(threads, 1), 2), mostPages) }

func (s *numberSet) find(n int64) (i int, found bool) {
	at := n / pageNumbers
	if last := len(s.pages) - 1; last >= 0 && s.pages[last].index <= at {
		if s.pages[last].index == at {
			return last, true
		}
		return last + 1, false
	}
	return slices.BinarySearchFunc(s.pages, at, func(p numberPage, at int64) int { return cmp.Compare(p.index, at) })
}

func numberBit(n int64) (word int, mask uint64) { return int(n%pageNumbers) / 64, 1 << (n % 64) }

// remembers reports whether the set still knows about a number.
func (s *numberSet) remembers(n int64) bool {
	return s.any && (!s.forgot || n/pageNumbers >= s.pages[0].index)
}

func (s *numberSet) has(n int64) bool {
	i, ok := s.find(n)
	word, mask := numberBit(n)
	return ok && s.pages[i].bits[word]&mask != 0
}

// add notes a number, which is not below 0, and forgets the least if there are more pages than so
// many.
func (s *numberSet) add(n int64, most int) {
	i, ok := s.find(n)
	if !ok {
		if over := len(s.pages) + 1 - most; over > 0 {
			s.forgot = true
			if i < over {
				return
			}
			s.pages, i = slices.Delete(s.pages, 0, over), i-over
		}
		s.pages = slices.Insert(s.pages, i, numberPage{index: n / pageNumbers})
	}
	word, mask := numberBit(n)
	s.pages[i].bits[word] |= mask
	if !s.any || n > s.greatest {
		s.any, s.greatest = true, n
	}
}

func (s *numberSet) remove(n int64) {
	if i, ok := s.find(n); ok {
		word, mask := numberBit(n)
		s.pages[i].bits[word] &^= mask
	}
}
