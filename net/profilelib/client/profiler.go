package client

import (
	"cmp"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// RecordSize is the length of a record in bytes.
const RecordSize = 64

// DefaultWait is the pause between two flushes.
const DefaultWait = 100 * time.Millisecond

// sysinfoEvery is after how many flushes that had something to write the tick rate is written.
const sysinfoEvery = 12

// Options say how a profiler works. The zero value is good.
type Options struct {
	// Output gets each record, RecordSize bytes, on the output goroutine; the slice is valid during
	// the call only. It may also be set later, by SetOutput.
	Output func(record []byte)
	// Flushed is called on the output goroutine after each batch of records: the place to flush a
	// buffered writer. May be nil.
	Flushed func()
	// Wait is the pause between flushes, at least 1 ms; 0 means DefaultWait.
	Wait time.Duration
	// Processor returns the processor on which the caller runs. nil: every record says 0, and blocks
	// are never split.
	Processor func() uint32
	// ThreadID is the first number given to a thread; 0 means 1. Each further Thread counts up.
	ThreadID uint32
}

// Profiler collects blocks and messages of any number of threads and writes them on a goroutine of
// its own.
type Profiler struct {
	pool
	clock
	sequence atomic.Uint32 // the number given last
	enabled  atomic.Bool
	dropped  atomic.Int64
	threads  atomic.Uint32

	processor func() uint32
	flushed   atomic.Pointer[flusher]
	output    atomic.Pointer[func([]byte)]
	wait      atomic.Int64 // ns

	mu      sync.Mutex    // of Enable and Close
	stop    chan struct{} // closed to end the output goroutine; nil while there is none
	done    chan struct{} // closed when it has ended
	flushes int           // that had something to write, of the output goroutine
	buf     [RecordSize]byte
	stack   []uint16
	io      *Thread
}

// flusher is called at the end of a batch; call may be nil.
type flusher struct{ call func() }

// New makes a profiler with no memory but the given slots; the first one stays unused. Time zero is
// now, and nothing is written before Enable.
func New(slots []Slot, o Options) (*Profiler, error) {
	if len(slots) < 2 {
		return nil, errors.New("profilelib/client: two slots are the least that a profiler needs")
	}
	p := &Profiler{clock: clock{time.Now()}, processor: o.Processor}
	p.flushed.Store(&flusher{o.Flushed})
	p.init(slots)
	p.sequence.Store(firstBlock - 1)
	p.threads.Store(max(o.ThreadID, 1) - 1)
	p.SetOutput(o.Output)
	p.SetOutputWait(o.Wait)
	p.stack = make([]uint16, 0, len(p.slots))
	p.io = p.Thread()
	return p, nil
}

// Thread returns a handle for one more thread of the program.
func (p *Profiler) Thread() *Thread { return &Thread{p: p, id: p.threads.Add(1)} }

// SetOutput sets the receiver of the records from the next flush on. nil discards them.
func (p *Profiler) SetOutput(output func(record []byte)) {
	if output == nil {
		output = func([]byte) {}
	}
	p.output.Store(&output)
}

// SetOutputWait sets the pause between flushes: at least 1 ms; 0 means DefaultWait.
func (p *Profiler) SetOutputWait(d time.Duration) {
	d = cmp.Or(d, DefaultWait)
	p.wait.Store(int64(max(d, time.Millisecond)))
}

// Dropped returns how many blocks and messages found no free slot and were not written.
func (p *Profiler) Dropped() int64 { return p.dropped.Load() }

// Enable starts or stops the profiling. Stopping waits until all finished records are written, and an
// end-of-stream record after them. While stopped, calls do nothing, but open blocks stay open.
func (p *Profiler) Enable(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if on == p.enabled.Load() {
		return
	}
	if on {
		p.stop, p.done = make(chan struct{}), make(chan struct{})
		p.enabled.Store(true)
		go p.run(p.stop, p.done)
		return
	}
	p.enabled.Store(false)
	close(p.stop)
	<-p.done
	p.stop = nil
}

// Close stops the profiling and writes the records finished after the last end of stream.
func (p *Profiler) Close() {
	p.Enable(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writeTrees(p.roots.Swap(0))
	p.afterBatch()
}

// number returns the next number of a block or message. After four thousand million of them it
// begins again above the reserved ones.
func (p *Profiler) number() uint32 {
	for {
		if n := p.sequence.Add(1); n >= firstBlock {
			return n
		}
	}
}

func (p *Profiler) onProcessor() uint32 {
	if p.processor == nil {
		return 0
	}
	return p.processor()
}

// run is the output goroutine.
func (p *Profiler) run(stop, done chan struct{}) {
	defer close(done)
	p.flushes = 0
	wait := time.NewTimer(time.Duration(p.wait.Load()))
	defer wait.Stop()
	for {
		select {
		case <-stop:
			p.flush()
			p.encode(&Slot{})
			p.afterBatch()
			return
		case <-wait.C:
			p.flush()
			wait.Reset(time.Duration(p.wait.Load()))
		}
	}
}

// flush writes all finished trees, the newest first. It times itself: the block "profile_io"
// appears one flush later.
func (p *Profiler) flush() {
	roots := p.roots.Swap(0)
	if roots == 0 {
		return
	}
	if root := &p.slots[roots]; root.thread == p.io.id && root.next.Load() == 0 {
		// Only the times of the last flush: to time their writing would never end.
		p.writeTrees(roots)
		p.afterBatch()
		return
	}
	p.io.BeginBlock("profile_io")
	p.io.BeginBlock("process")
	p.writeTrees(roots)
	p.io.EndBlock()
	if p.flushes++; p.flushes%sysinfoEvery == 0 {
		info := Slot{id: kindSystemInfo, start: int64(time.Second)}
		info.length = uint8(copy(info.name[:], "sysinfo"))
		p.encode(&info)
	}
	p.io.EndBlock()
	p.afterBatch()
}

func (p *Profiler) afterBatch() {
	if f := p.flushed.Load(); f.call != nil {
		f.call()
	}
}

// writeTrees writes a list of finished trees and gives their slots back.
func (p *Profiler) writeTrees(roots uint32) {
	for roots != 0 {
		root := uint16(roots)
		roots = p.slots[root].next.Load()
		// Depth first, a node before its children, the newest child first. Slots are written before their
		// links are used for the list of free ones.
		p.stack = append(p.stack[:0], root)
		for len(p.stack) > 0 {
			i := p.stack[len(p.stack)-1]
			p.stack = p.stack[:len(p.stack)-1]
			s := &p.slots[i]
			p.encode(s)
			if s.older != 0 {
				p.stack = append(p.stack, s.older)
			}
			if s.child != 0 {
				p.stack = append(p.stack, s.child)
			}
			p.give(i, i)
		}
	}
}

// encode hands one record to the output (FORMAT.md, "The record").
func (p *Profiler) encode(s *Slot) {
	b := p.buf[:]
	le := binary.LittleEndian
	le.PutUint32(b[0:], s.id)
	le.PutUint32(b[4:], s.parent)
	le.PutUint32(b[8:], s.processor)
	le.PutUint32(b[12:], s.thread)
	le.PutUint64(b[16:], uint64(s.start))
	le.PutUint64(b[24:], uint64(s.end))
	n := copy(b[32:57], s.name[:s.length])
	clear(b[32+n : 58])
	le.PutUint16(b[58:], s.prev)
	le.PutUint16(b[60:], s.older)
	le.PutUint16(b[62:], s.child)
	(*p.output.Load())(b)
}
