package sessionfile

import (
	"bufio"
	"io"

	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/trace"
)

// A Visitor gets the places of a session file's threads from a Walk. Offsets are those in the file.
type Visitor interface {
	// Begin says that a thread begins, or a further piece of it: its first frame is at offset.
	Begin(thread int, name string, offset int64)
	// Frame says that a frame ended at offset.
	Frame(offset int64)
	// End says that the thread ends at offset; whole is false when something is wrong there.
	End(offset int64, whole bool)
}

// A Walk goes over an uncompressed session file, which is cheap, because every frame has its length.
// It passes the places of threads to a Visitor, which may read them at the same time by Sections; it
// reads all else as Read does.
type Walk struct {
	file io.ReaderAt
	r    *reader
}

// NewWalk returns a walk over a file of so many bytes. It calls stopped after each frame and ends
// early when that returns true. name is for messages.
func NewWalk(file io.ReaderAt, name string, size int64, h pstats.Handler, v Visitor, stopped func() bool) *Walk {
	w := &Walk{file: file, r: newReader(file, size, h)}
	w.r.name, w.r.visitor, w.r.cancelled, w.r.defined = name, v, stopped, new([1 << 15]bool)
	return w
}

// newReader returns a reader of a file that is not compressed.
func newReader(file io.ReaderAt, size int64, h pstats.Handler) *reader {
	counted := &feed.CountingReader{R: io.NewSectionReader(file, 0, size)}
	br := bufio.NewReaderSize(counted, int(min(lookAhead, size)))
	return &reader{br: br, h: h, counted: counted, size: size, nuls: trace.NULs{Least: leastNULs}}
}

// Run walks to the end of the file, or to where it cannot be read any further.
func (w *Walk) Run() { w.r.read() }

// Finish reports the end of the walk to the handler and to progress, which may be nil, and returns the
// results of Read. Call it after the sections have been read, too.
func (w *Walk) Finish(progress func(done, total int64)) (Info, error) {
	if w.r.err == nil {
		w.r.progress, w.r.counted.N = progress, w.r.size
	}
	return w.r.finish()
}

// Sections returns a reader of single threads, for one goroutine at a time. Call it on the walking
// goroutine after the first frame passed to the Visitor, or when the walk is over.
func (w *Walk) Sections(h pstats.Handler) *Sections {
	s := &Sections{file: w.file, size: w.r.size, r: newReader(w.file, w.r.size, h)}
	s.r.name, s.r.defined, s.r.end = w.r.name, w.r.defined, w.r.end
	s.r.info.NarrowCounts = w.r.info.NarrowCounts
	return s
}

// Sections reads threads of a session file, one after another.
type Sections struct {
	file io.ReaderAt
	size int64
	r    *reader
}

// Read sends the frames of a thread, which begin at an offset, to the handler, and returns where it
// ended. length is that of the thread in bytes, 0 if not known. It returns no error: the walk reports
// those. It calls stopped after each frame and ends when that returns true.
func (s *Sections) Read(thread int, offset, length int64, stopped func(offset int64) bool) int64 {
	if length <= 0 {
		length = s.size - offset
	}
	r := s.r
	r.counted.R = io.NewSectionReader(s.file, offset, length)
	r.br.Reset(r.counted)
	r.off, r.err, r.info.Frames = offset, nil, 1 // the variant was chosen
	r.frame.Thread = uint16(thread)
	r.cancelled = func() bool { return stopped(r.off) }
	r.frames()
	return r.off
}
