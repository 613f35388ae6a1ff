package pstats

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"framescope/model"
	"framescope/net/feed"
)

// A session file holds one thread after another, and threads are decoded independently of each other. So one goroutine walks over the file, which is cheap because every frame tells
// its length, and finds where threads begin and end and what is wrong with the file; workers decode the threads, each with a nesting state of its own. What they
// share is the sink, the call paths, and nothing else.
//
// The result does not depend on the number of workers, except for the ids of call paths: tracks get their ids in the order of the file, losses are gathered for each thread. Workers expect
// the frames of a thread in order, which saves the window of recent frames; a thread in which they are not is read again, afterwards and by the decoder that can place late frames,
// as are further pieces of a thread that the file holds in several.

const (
	parallelSize = 4 << 20 // bytes of a file from which on workers are worth their while
	sectionEarly = 1 << 20 // bytes of a thread after which a worker begins with it before its end was found
	maxWorkers   = 8
)

// section is a thread in a file.
type section struct {
	th     *thread
	number int        // of the section in the file
	start  int64      // offset of the first frame in the file
	size   int64      // bytes, 0 if the end is not known
	main   mainThread // as far as it came before
	again  bool       // a further piece of a thread
}

// parallelReader reads one file.
type parallelReader struct {
	file    io.ReaderAt
	size    int64
	d       *Decoder // defines everything; its sink is sink
	sink    *sharedSink
	scanner *fileReader
	jobs    chan section
	stopped atomic.Bool

	mu       sync.Mutex
	later    []section // what is read again in the end
	done     int64     // bytes
	progress func(done, total int64)
}

// readParallel reads a session file that is not compressed, as ReadSession does with a Decoder, by several workers. sink is that of d.
func readParallel(file io.ReaderAt, name string, size int64, d *Decoder, sink *sharedSink, progress func(done, total int64), workers int) error {
	p := &parallelReader{file: file, size: size, d: d, sink: sink, jobs: make(chan section, 4*workers), progress: progress}
	p.scanner = p.reader(0, size, d)
	p.scanner.name, p.scanner.defined = name, new([1 << 15]bool)
	scan := &sectionScan{p: p, seen: map[int]bool{}}
	p.scanner.scan = scan
	p.scanner.cancelled = p.stopped.Load
	var wg sync.WaitGroup
	scan.start = sync.OnceFunc(func() { // when the collectors are known
		for range workers {
			w := p.worker()
			wg.Go(func() {
				for s := range p.jobs {
					w.run(s)
				}
			})
		}
	})
	p.scanner.read()
	close(p.jobs)
	wg.Wait()
	d.cancelled = p.stopped.Load()
	if !d.cancelled {
		p.readLater()
	}
	if d.cancelled {
		return nil
	}
	if p.scanner.err == nil {
		p.scanner.progress, p.scanner.counted.N = progress, size
	}
	_, err := p.scanner.finish()
	return err
}

// reader returns a reader of a piece of the file.
func (p *parallelReader) reader(start, size int64, h Handler) *fileReader {
	counted := &feed.CountingReader{R: io.NewSectionReader(p.file, start, size)}
	return &fileReader{br: bufio.NewReaderSize(counted, lookAhead), h: h, counted: counted, size: p.size}
}

// advance counts bytes as done.
func (p *parallelReader) advance(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += bytes
	if p.progress != nil {
		p.progress(min(p.done, p.size), p.size)
	}
}

// readLater reads what no worker could, in the order of the file.
func (p *parallelReader) readLater() {
	slices.SortFunc(p.later, func(a, b section) int { return a.number - b.number })
	d := p.d
	d.flushLosses() // those of the definitions are no thread's
	for _, s := range p.later {
		th := s.th
		if s.again {
			d.Threads(th.index, []string{th.name})
		} else {
			again := newThread(th.index)
			again.name, again.track, again.shown, again.again = th.name, th.track, th.shown, true
			d.setThread(again)
		}
		d.main = &s.main
		r := p.reader(s.start, s.sizeIn(p), d)
		r.continues(p.scanner, s)
		r.cancelled = d.Cancelled
		r.frames()
		d.flushLosses()
	}
}

// sizeIn returns how many bytes the section has at most.
func (s *section) sizeIn(p *parallelReader) int64 {
	if s.size > 0 {
		return s.size
	}
	return p.size - s.start
}

// continues makes r go on in a section, with what the scanner knows at its begin.
func (r *fileReader) continues(scanner *fileReader, s section) {
	r.name, r.defined, r.end, r.off = scanner.name, scanner.defined, scanner.end, s.start
	r.info.NarrowCounts, r.info.Frames = scanner.info.NarrowCounts, 1 // the variant was chosen
	r.err, r.reported = nil, 0
	r.frame.Thread = uint16(s.th.index)
}

// sectionWorker decodes sections, one after another.
type sectionWorker struct {
	p     *parallelReader
	d     *Decoder
	r     *fileReader
	known fileReader // what the scanner knew when the workers started
	sink  workerSink
}

func (p *parallelReader) worker() *sectionWorker {
	w := &sectionWorker{p: p}
	w.sink.shared = p.sink
	w.d = NewDecoder(&w.sink, p.d.opt)
	w.d.ignore, w.d.nest.intern = p.d.ignore, p.d.nest.intern
	w.r = p.reader(0, 0, w.d)
	w.known = fileReader{name: p.scanner.name, defined: p.scanner.defined, end: p.scanner.end, info: FileInfo{NarrowCounts: p.scanner.info.NarrowCounts}}
	return w
}

func (w *sectionWorker) run(s section) {
	if w.p.stopped.Load() {
		return
	}
	d, th := w.d, s.th
	th.direct = true
	d.setThread(th)
	d.main = &s.main
	w.r.counted.R = io.NewSectionReader(w.p.file, s.start, s.sizeIn(w.p))
	w.r.br.Reset(w.r.counted)
	w.r.continues(&w.known, s)
	reported := s.start
	w.r.cancelled = func() bool {
		if w.r.off-reported >= progressEvery {
			w.p.advance(w.r.off - reported)
			reported = w.r.off
		}
		return d.cancelled || th.disordered
	}
	w.r.frames() // the scanner tells what is wrong
	w.p.advance(w.r.off - reported)
	d.threads[th.index] = nil
	if d.cancelled {
		w.p.stopped.Store(true)
		return
	}
	th.direct = false
	if th.disordered {
		d.dropLosses()
		w.sink.held = w.sink.held[:0]
		w.p.mu.Lock()
		w.p.later = append(w.p.later, s)
		w.p.mu.Unlock()
		return
	}
	d.flushLosses()
	w.sink.flush()
	w.p.keep(th)
}

// keep lets the file's decoder know a thread that was read.
func (p *parallelReader) keep(th *thread) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.d.setThread(th)
}

// sectionScan finds the sections of a file. Its methods are called by the reader that walks over it.
type sectionScan struct {
	p     *parallelReader
	start func() // starts the workers
	seen  map[int]bool

	current section
	frames  int64
	sent    bool

	// of the main thread
	main            mainThread
	beginNs, lastNs int64 // of the present frame
	timed           bool
}

func (c *sectionScan) begin(r *fileReader, index int, name string) {
	c.current = section{th: newThread(index), number: c.current.number + 1, start: r.off, main: c.main, again: c.seen[index]}
	c.current.th.name = short(name)
	c.seen[index] = true
	c.frames, c.sent, c.timed = 0, false, false
	if name != "" && !c.current.again {
		c.p.d.show(c.current.th)
	}
}

// events looks at the next events of a frame: of the main thread, the times are needed by all others (see checkClock).
func (c *sectionScan) events(b []byte) {
	if c.current.th.index != 0 {
		return
	}
	at := func(i int) (int64, bool) { return toNs(math.Float32frombits(binary.LittleEndian.Uint32(b[i+2:]))) }
	for i := 0; i+6 <= len(b) && !c.timed; i += 6 {
		c.beginNs, c.timed = at(i)
		c.lastNs = c.beginNs
	}
	for i := len(b) - 6; i >= 0; i -= 6 {
		if ns, ok := at(i); ok {
			c.lastNs = ns
			break
		}
	}
}

func (c *sectionScan) frame(r *fileReader) {
	c.frames++
	if c.current.th.index == 0 {
		c.main.frames++
		if c.timed {
			c.main.add(c.beginNs, max(c.beginNs, c.lastNs))
			c.timed = false
		}
	}
	if !c.sent && r.off-c.current.start >= sectionEarly {
		c.send()
	}
}

func (c *sectionScan) end(r *fileReader) {
	if r.err == nil {
		c.current.size = r.off - c.current.start
	}
	switch {
	case c.sent || r.err == errStopped:
	case c.frames > 0 || c.current.again: // a piece without frames may still name the thread
		c.send()
	default:
		c.p.keep(c.current.th)
	}
}

func (c *sectionScan) send() {
	c.sent = true
	if c.current.again {
		c.p.mu.Lock()
		c.p.later = append(c.p.later, c.current)
		c.p.mu.Unlock()
		return
	}
	if !c.current.th.shown {
		c.p.d.show(c.current.th)
	}
	c.start()
	c.p.jobs <- c.current
}

// sharedSink lets several goroutines use a sink.
type sharedSink struct {
	mu      sync.Mutex
	sink    feed.Sink
	refused bool // the sink wants no more of any worker
}

var _ feed.Sink = (*sharedSink)(nil)

// Define implements feed.Sink.
func (s *sharedSink) Define(c model.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Define(c)
}

// Begin implements feed.Sink. The batch is for the goroutine that reads alone; workers have their own.
func (s *sharedSink) Begin() *model.Batch { return s.sink.Begin() }

// Publish implements feed.Sink.
func (s *sharedSink) Publish(b *model.Batch) bool { return s.sink.Publish(b) }

// Progress implements feed.Sink.
func (s *sharedSink) Progress(done, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Progress(done, total)
}

// workerSink is a worker's way to the sink. A sink gives out one batch at a time, so each worker fills one of its own and trades its content in. Losses are held
// back until the thread is read, since they are void if it must be read again.
type workerSink struct {
	shared *sharedSink
	batch  model.Batch
	held   []model.Change
}

var _ feed.Sink = (*workerSink)(nil)

// Define implements feed.Sink.
func (s *workerSink) Define(c model.Change) {
	if _, ok := c.(model.Loss); ok {
		s.held = append(s.held, c)
		return
	}
	s.shared.Define(c)
}

func (s *workerSink) flush() {
	for _, c := range s.held {
		s.shared.Define(c)
	}
	clear(s.held)
	s.held = s.held[:0]
}

// Begin implements feed.Sink.
func (s *workerSink) Begin() *model.Batch {
	s.batch.Reset()
	return &s.batch
}

// Publish implements feed.Sink.
func (s *workerSink) Publish(*model.Batch) bool {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	if s.shared.refused {
		return false
	}
	b := s.shared.sink.Begin()
	*b, s.batch = s.batch, *b
	s.shared.refused = !s.shared.sink.Publish(b)
	return !s.shared.refused
}

// Progress implements feed.Sink.
func (s *workerSink) Progress(int64, int64) {}
