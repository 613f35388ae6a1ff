package decode

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/sessionfile"
)

// A session file holds one thread after another, and threads are decoded independently of each other.
// So one goroutine walks over the file, which is cheap because every frame has its length, and finds
// the borders of threads and the faults of the file; workers decode the threads, each with a nesting
// state of its own. They share only the sink and the call paths.
//
// The result does not depend on the number of workers, except for the ids of call paths: tracks get
// their ids in the order of the file, losses are gathered for each thread. Workers expect the
// frames of a thread in order, which saves the window of recent frames; a thread in which they are
// not is read again, afterwards and by the decoder that can place late frames, as are further
// pieces of a thread that the file holds in several.

const (
	parallelSize = 4 << 20 // bytes of a file from which on workers are worth their while
	sectionEarly = 1 << 20 // bytes of a thread after which a worker begins with it before its end was found
	maxWorkers   = 8

	advanceEvery = 1 << 20 // bytes of a thread after which a worker reports its progress
)

// section is a thread in a file.
type section struct {
	th     *thread
	number int   // of the section in the file
	start  int64 // offset of the first frame in the file
	size   int64 // bytes, 0 if the end is not known
	again  bool  // a further piece of a thread
}

// parallelReader reads one file.
type parallelReader struct {
	size    int64
	d       *Decoder // defines everything; its sink is sink
	sink    *sharedSink
	walk    *sessionfile.Walk
	jobs    chan section
	stopped atomic.Bool

	mu       sync.Mutex
	later    []section // sections to read again in the end
	done     int64     // bytes
	progress func(done, total int64)
}

// readParallel reads a session file that is not compressed, as Read does with a Decoder, by several
// workers. sink is that of d.
func readParallel(
	file io.ReaderAt, name string, size int64, d *Decoder, sink *sharedSink, progress func(done, total int64), workers int,
) error {
	p := &parallelReader{size: size, d: d, sink: sink, jobs: make(chan section, 4*workers), progress: progress}
	scan := &sectionScan{p: p, seen: map[int]bool{}}
	p.walk = sessionfile.NewWalk(file, name, size, d, scan, p.stopped.Load)
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
	p.walk.Run()
	close(p.jobs)
	wg.Wait()
	d.cancelled = p.stopped.Load()
	if !d.cancelled {
		p.readLater()
	}
	if d.cancelled {
		return nil
	}
	_, err := p.walk.Finish(progress)
	return err
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

// readLater reads the parts that no worker could, in the order of the file.
func (p *parallelReader) readLater() {
	slices.SortFunc(p.later, func(a, b section) int { return a.number - b.number })
	d := p.d
	d.flushLosses() // those of the definitions are no thread's
	sections := p.walk.Sections(d)
	for _, s := range p.later {
		th := s.th
		if s.again {
			d.Threads(th.index, []string{th.name})
		} else {
			again := newThread(th.index)
			again.setName(th.name)
			again.track, again.shown, again.again = th.track, th.shown, true
			d.setThread(again)
		}
		sections.Read(th.index, s.start, s.size, func(int64) bool { return d.Cancelled() })
		d.flushLosses()
	}
}

// sectionWorker decodes sections, one after another.
type sectionWorker struct {
	p        *parallelReader
	d        *Decoder
	sections *sessionfile.Sections
	sink     workerSink
}

func (p *parallelReader) worker() *sectionWorker {
	w := &sectionWorker{p: p}
	w.sink.shared = p.sink
	if to := p.sink.divided; to != nil {
		w.sink.publish = to.Divide(&p.sink.mu)
	}
	w.d = New(&w.sink, p.d.opt)
	w.d.ignore = p.d.ignore
	w.d.nest.setIntern(p.d.nest.intern, false)
	w.sections = p.walk.Sections(w.d)
	return w
}

func (w *sectionWorker) run(s section) {
	if w.p.stopped.Load() {
		return
	}
	d, th := w.d, s.th
	th.direct = true
	d.setThread(th)
	reported := s.start
	end := w.sections.Read(th.index, s.start, s.size, func(offset int64) bool { // the walk reports faults
		if offset-reported >= advanceEvery {
			w.p.advance(offset - reported)
			reported = offset
		}
		return d.cancelled || th.disordered
	})
	w.p.advance(end - reported)
	d.threads[th.index] = nil
	d.cancelled = !w.sink.flush() || d.cancelled
	if d.cancelled {
		w.p.stopped.Store(true)
		return
	}
	th.direct = false
	if th.disordered {
		d.dropLosses()
		w.sink.held = w.sink.held[:0]
		w.p.readLast(s)
		return
	}
	d.flushLosses()
	w.sink.flushLosses()
	w.p.keep(th)
}

// keep lets the file's decoder know a thread that was read.
func (p *parallelReader) keep(th *thread) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.d.setThread(th)
}

// sectionScan finds the sections of a file: it is the Visitor of the walk.
type sectionScan struct {
	p     *parallelReader
	start func() // starts the workers
	seen  map[int]bool

	current section
	frames  int64
	sent    bool
}

func (c *sectionScan) Begin(index int, name string, offset int64) {
	c.current = section{
		th: newThread(index), number: c.current.number + 1, start: offset, again: c.seen[index],
	}
	c.current.th.setName(short(name))
	c.seen[index] = true
	c.frames, c.sent = 0, false
	if name != "" && !c.current.again {
		c.p.d.show(c.current.th)
	}
}

func (c *sectionScan) Frame(offset int64) {
	c.frames++
	if !c.sent && offset-c.current.start >= sectionEarly {
		c.send()
	}
}

func (c *sectionScan) End(offset int64, whole bool) {
	if whole {
		c.current.size = offset - c.current.start
	}
	switch {
	case c.sent:
	case c.frames > 0 || c.current.again: // a piece without frames may still name the thread
		c.send()
	default:
		c.p.keep(c.current.th)
	}
}

func (c *sectionScan) send() {
	c.sent = true
	s := c.current
	if !s.again && !s.th.shown {
		c.p.d.show(s.th)
	}
	if s.again || s.th.clock != nil { // it needs the main thread's frames
		c.p.readLast(s)
		return
	}
	c.start()
	c.p.jobs <- s
}

// readLast leaves a section to be read when all others were.
func (p *parallelReader) readLast(s section) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.later = append(p.later, s)
}

// sharedSink lets several goroutines use a sink.
type sharedSink struct {
	mu      sync.Mutex
	sink    feed.Sink
	divided feed.Divided // the same sink, nil if it cannot be divided
	refused bool         // the sink wants no more of any worker
}

// Define implements feed.Sink.
func (s *sharedSink) Define(c model.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Define(c)
}

// Begin implements feed.Sink. The batch is for the goroutine that reads alone; workers have their
// own.
func (s *sharedSink) Begin() *model.Batch { return s.sink.Begin() }

// Publish implements feed.Sink.
func (s *sharedSink) Publish(b *model.Batch) bool { return s.sink.Publish(b) }

// Progress implements feed.Sink.
func (s *sharedSink) Progress(done, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sink.Progress(done, total)
}

// workerSink is a worker's way to the sink. A sink gives out one batch at a time, so each worker fills
// some of its own and trades their content in: several at once, so that workers seldom wait for each
// other, and the store gets several frames of one thread after another, while their data are in the
// processor's cache. Losses are held back until the thread is read, since they are void if it must be
// read again.
type workerSink struct {
	shared  *sharedSink
	publish func([]model.Batch) bool // where the sink is a divided one
	batches [workerBatches]model.Batch
	n       int // batches that are filled
	spans   int // in these
	held    []model.Change
}

const (
	workerBatches = 16
	workerSpans   = 1 << 12 // after which no more batches are gathered
)

// Define implements feed.Sink.
func (s *workerSink) Define(c model.Change) {
	if _, ok := c.(model.Loss); ok {
		s.held = append(s.held, c)
		return
	}
	s.shared.Define(c)
}

// flushLosses hands on the losses that were held back.
func (s *workerSink) flushLosses() {
	for _, c := range s.held {
		s.shared.Define(c)
	}
	clear(s.held)
	s.held = s.held[:0]
}

// Begin implements feed.Sink.
func (s *workerSink) Begin() *model.Batch {
	b := &s.batches[s.n]
	b.Reset()
	return b
}

// Publish implements feed.Sink.
func (s *workerSink) Publish(b *model.Batch) bool {
	s.n++
	s.spans += len(b.Spans)
	return s.n < workerBatches && s.spans < workerSpans || s.flush()
}

// flush publishes the filled batches.
func (s *workerSink) flush() bool {
	if s.publish != nil {
		ok := s.publish(s.batches[:s.n])
		s.n, s.spans = 0, 0
		return ok
	}
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	for i := range s.batches[:s.n] {
		if s.shared.refused {
			break
		}
		b := s.shared.sink.Begin()
		*b, s.batches[i] = s.batches[i], *b
		s.shared.refused = !s.shared.sink.Publish(b)
	}
	s.n, s.spans = 0, 0
	return !s.shared.refused
}

// Progress implements feed.Sink.
func (s *workerSink) Progress(int64, int64) {}
