package client

import (
	"fmt"
	"slices"

	"framescope/net/pstats"
)

// flushAt is how many bytes are gathered for one write while frames are waiting.
const flushAt = 64 << 10

// writer is the state of a session's writer goroutine.
type writer struct {
	s       *session
	out     []byte // messages for TCP that are not written yet
	packet  []byte // one datagram
	frame   pstats.Frame
	factors []float64 // of levels, by collector
	defs    []pstats.CollectorDef
	mix     mixer
}

// write sends frames, and definitions before the frames that use them, until the session is over.
func (s *session) write() {
	w := &writer{s: s, mix: newMixer(s.c.opt.TCPRatio), packet: make([]byte, 0, pstats.MaxUDP+2)}
	w.out = s.helloMessage(make([]byte, 0, 2*flushAt))
	s.fail(w.run())
	for { // drop the frames that will not be sent any more
		select {
		case f := <-s.queue:
			f.thread.pending.Add(-1)
			s.c.count.disconnected.Add(1)
			s.c.recycle(f)
		default:
			return
		}
	}
}

func (w *writer) run() error {
	s := w.s
	for {
		var f *frame
		select {
		case f = <-s.queue:
		default:
			// Nothing is waiting: flush the buffer, then sleep.
			w.control()
			if err := w.flush(); err != nil {
				return err
			}
			select {
			case f = <-s.queue:
			case <-s.wake:
				continue
			case <-s.done:
				return s.err
			case <-s.ending:
				select {
				case f = <-s.queue: // frames that were queued before the end
				default:
					return ErrClosed
				}
			}
		}
		w.control()
		err := w.send(f)
		f.thread.pending.Add(-1)
		s.c.recycle(f)
		if err != nil {
			return err
		}
	}
}

// send sends a frame by UDP, or appends it to the TCP buffer.
func (w *writer) send(f *frame) error {
	s := w.s
	w.frame.Thread, w.frame.Number, w.frame.Events = f.thread.index, f.number, f.wire(w.frame.Events[:0])
	w.frame.Levels = w.frame.Levels[:0]
	for _, l := range f.levels {
		value := l.value
		if int(l.collector) < len(w.factors) {
			value *= w.factors[l.collector]
		}
		w.frame.Levels = append(w.frame.Levels, pstats.Level{Collector: uint16(l.collector), Value: float32(value)})
	}
	if pstats.FrameSize(s.version, len(w.frame.Events), len(w.frame.Levels)) <= pstats.MaxUDP {
		udp := s.udp.Load()
		if udp != nil && w.mix.useUDP() {
			// Definitions that wait must not be overtaken by more than the network itself overtakes.
			if err := w.flush(); err != nil {
				return err
			}
			w.packet = pstats.AppendFrame(append(w.packet[:0], 0, 0), s.version, &w.frame)
			sum := pstats.Checksum(w.packet[2:])
			w.packet[0], w.packet[1] = byte(sum), byte(sum>>8)
			_, err := udp.Write(w.packet)
			if err == nil {
				w.mix.udp++
				s.c.count.udp.Add(1)
				s.c.count.bytes.Add(int64(len(w.packet)))
				return nil
			}
			// The port is closed: this frame and all others go by TCP.
			if s.udp.CompareAndSwap(udp, nil) {
				udp.Close()
				s.c.logf("pstats client: trouble sending by UDP: %v; switching to TCP only", err)
			}
		}
		w.mix.tcp++
	}
	at := len(w.out)
	w.out = pstats.AppendFrame(pstats.BeginTCP(w.out), s.version, &w.frame)
	pstats.EndTCP(w.out, at)
	s.c.count.tcp.Add(1)
	if len(w.out) >= flushAt {
		return w.flush()
	}
	return nil
}

// flush writes the buffer to TCP.
func (w *writer) flush() error {
	if len(w.out) == 0 {
		return nil
	}
	n, err := w.s.conn.Write(w.out)
	w.s.c.count.bytes.Add(int64(n))
	if cap(w.out) > 64*flushAt {
		w.out = make([]byte, 0, 2*flushAt) // a huge frame needs no huge buffer for ever
	}
	w.out = w.out[:0]
	if err != nil {
		return fmt.Errorf("pstats client: viewer at %s has gone: %w", w.s.c.opt.Addr, err)
	}
	return nil
}

// control appends the definitions made since the last call, and the ends of threads after their last
// frame.
func (w *writer) control() {
	s := w.s
	if !s.control.Load() {
		return
	}
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	s.control.Store(false)
	w.collectors()
	w.threads()
	s.ended = slices.DeleteFunc(s.ended, func(e endedThread) bool {
		if e.thread != nil && e.thread.pending.Load() > 0 {
			s.control.Store(true) // its last frames are still queued: look again behind them
			return false
		}
		if s.version.HasExpire() {
			w.message(func(dst []byte) []byte { return pstats.AppendExpire(dst, int(e.index)) })
		}
		c.slots[e.index].reusable = true
		return true
	})
}

func (w *writer) collectors() {
	s, c := w.s, w.s.c
	for len(s.newDefs) > 0 {
		n := min(len(s.newDefs), pstats.WireMaxCollectors)
		w.defs = w.defs[:0]
		for _, col := range s.newDefs[:n] {
			d := &c.defs[col]
			d.queued = false
			w.defs = append(w.defs, d.wire)
			for int(col) >= len(w.factors) {
				w.factors = append(w.factors, 1)
			}
			w.factors[col] = d.factor
		}
		w.message(func(dst []byte) []byte { return pstats.AppendCollectors(dst, w.defs) })
		s.newDefs = s.newDefs[n:]
	}
	s.newDefs = nil
}

func (w *writer) threads() {
	s := w.s
	for i := 0; i < len(s.newThreads); {
		first := s.newThreads[i].index
		var names []string
		for ; i < len(s.newThreads) && int(s.newThreads[i].index) == int(first)+len(names); i++ {
			names = append(names, s.newThreads[i].name)
		}
		w.message(func(dst []byte) []byte { return pstats.AppendThreads(dst, int(first), names) })
	}
	s.newThreads = nil
}

func (w *writer) message(payload func(dst []byte) []byte) {
	at := len(w.out)
	w.out = payload(pstats.BeginTCP(w.out))
	pstats.EndTCP(w.out, at)
}
