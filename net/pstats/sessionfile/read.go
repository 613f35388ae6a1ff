package sessionfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/trace"
)

// Limits of a session file.
const (
	lookAhead      = 1 << 20  // bytes of frames by which the variant is recognised
	maxFileTail    = 16 << 20 // bytes of colors and graphs
	maxLevelWords  = 2048     // words of a collector's level bits: 65,536 threads
	progressEvery  = 1 << 20
	maxFrameLevels = 1 << 17
	leastNULs      = 64 // that only damage leaves behind each other, bits of levels and the tail apart
)

// buffers are of readers that are done: a file that is small takes longer to make one than to read.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, lookAhead) }}

// Read reads a session file (PROTOCOL.md section 12), plain, gzip or zlib, in any of the variants
// found in the wild, and hands its content to h: Hello, Collectors, then for each thread Threads
// and its frames. Frames reach h while the rest is still being read. name and size (0 if unknown)
// are for messages and progress, which is called now and then with bytes of the (compressed) file;
// it may be nil. h.Close is left to the caller.
//
// An error is a *Error, or that of the reader. Everything before it was delivered; h.Lost reports a
// file that ends too early. A handler with a method Cancelled() bool ends the reading by returning
// true: no error then.
func Read(r io.Reader, name string, size int64, h pstats.Handler, progress func(done, total int64)) (Info, error) {
	counted := &feed.CountingReader{R: r}
	plain, err := feed.Uncompressed(counted)
	if err != nil {
		return Info{}, &Error{
			Name: name, Reason: "not a whole compressed file: " + err.Error(),
			Truncated: errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF),
		}
	}
	fr := &reader{
		br: buffers.Get().(*bufio.Reader), name: name, h: h, counted: counted, size: size,
		progress: progress, defined: new([1 << 15]bool), nuls: trace.NULs{Least: leastNULs},
	}
	defer buffers.Put(fr.br)
	fr.br.Reset(plain)
	if c, ok := h.(interface{ Cancelled() bool }); ok {
		fr.cancelled = c.Cancelled
	}
	fr.read()
	return fr.finish()
}

// ReadFile is Read of a file on disk.
func ReadFile(path string, h pstats.Handler, progress func(done, total int64)) (Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	var size int64
	if st, err := f.Stat(); err == nil {
		size = st.Size()
	}
	return Read(f, path, size, h, progress)
}

// finish reports the end of the reading to the handler and the progress function.
func (r *reader) finish() (Info, error) {
	if r.err == errStopped {
		return r.info, nil
	}
	r.nuls.Report(func(c model.Change) { r.h.Lost(c.(model.Loss)) })
	if fe := (*Error)(nil); errors.As(r.err, &fe) && fe.Truncated {
		r.h.Lost(model.Loss{Reason: model.LossTruncated, N: 1, Detail: feed.PlainText(fe.Error())})
	}
	if r.progress != nil && r.err == nil {
		r.progress(r.counted.N, max(r.size, r.counted.N))
	}
	return r.info, r.err
}

// errStopped ends the reading when the handler wants no more.
var errStopped = errors.New("stopped")

// reader reads fields. The first error sticks; every field after it reads as zero.
type reader struct {
	br        *bufio.Reader
	name      string
	h         pstats.Handler
	counted   *feed.CountingReader
	size      int64
	progress  func(done, total int64)
	reported  int64
	cancelled func() bool

	off  int64 // in the uncompressed file
	end  int64 // where the datagram ends by its length
	err  error
	info Info
	nuls trace.NULs

	defined *[1 << 15]bool // collectors
	frame   pstats.Frame
	visitor Visitor // takes the content of threads, instead of h; usually nil
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Name: r.name, Offset: r.off, Reason: fmt.Sprintf(format, args...)}
	}
}

// next returns the next n bytes, at most lookAhead; they are valid until the next call.
func (r *reader) next(n int, what string) []byte {
	b := r.nextAny(n, what)
	r.nuls.Write(b)
	return b
}

// nextAny is next for data with any number of NULs.
func (r *reader) nextAny(n int, what string) []byte {
	if r.err != nil {
		return nil
	}
	if r.off+int64(n) > r.end {
		r.fail("%s needs %d bytes, but the session ends %d bytes on", what, n, r.end-r.off)
		return nil
	}
	b, err := r.br.Peek(n)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			r.err = &Error{Name: r.name, Offset: r.off + int64(len(b)), Truncated: true,
				Reason: fmt.Sprintf("the file is cut off in %s; what came before was read", what)}
		} else {
			r.fail("%s: %v", what, err)
		}
		return nil
	}
	r.br.Discard(n)
	r.off += int64(n)
	return b
}

func (r *reader) u8(what string) uint8 {
	if b := r.next(1, what); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16(what string) uint16 {
	if b := r.next(2, what); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32(what string) uint32 {
	if b := r.next(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) f32(what string) float32 { return math.Float32frombits(r.u32(what)) }

func (r *reader) str(what string) string { return pstats.Text(r.next(int(r.u16(what)), what)) }

func (r *reader) read() {
	r.end = 20
	if magic := r.next(8, "the magic number"); magic == nil || !Sniff(magic) {
		if r.err == nil {
			r.fail("not a PStats session: it begins with % x", magic)
		}
		return
	}
	length := uint64(r.u32("the length"))
	if length == math.MaxUint32 {
		if b := r.next(8, "the long length"); b != nil {
			length = binary.LittleEndian.Uint64(b)
		}
	}
	r.end = r.off + int64(min(length, math.MaxInt64/2))
	r.identity()
	r.collectors()
	for r.err == nil {
		index := r.u16("a thread's index")
		if r.err != nil || index == 0xffff {
			break
		}
		r.thread(int(index))
	}
	r.tail()
}

// tail passes over fields 11 to 21: colors and graphs of the official viewer.
func (r *reader) tail() {
	for left := min(r.end-r.off, maxFileTail); r.err == nil && left > 0; left -= 4096 {
		r.nextAny(int(min(left, 4096)), "colors and graphs")
	}
	if r.err != nil || r.off < r.end {
		return
	}
	switch _, err := r.br.Peek(1); {
	case err == nil:
		r.fail("the session ends here, but the file goes on; the rest was not read")
	case !errors.Is(err, io.EOF): // such as of a checksum
		r.fail("behind the session: %v", err)
	}
}

func (r *reader) identity() {
	major, minor := r.u16("the file's version"), r.u16("the file's version")
	if r.err == nil && major != 1 {
		r.fail("session file version %d.%d is not known, only 1.x", major, minor)
		return
	}
	r.u8("the client's identity")
	host, program := r.str("the client's host"), r.str("the client's program")
	pid := int32(r.u32("the client's process id"))
	if r.err == nil {
		r.h.Hello(pstats.ClientHello{Host: host, Program: program, PID: int64(pid)})
	}
}

// collectors reads the definitions (section 12.3) and hands them over in runs.
func (r *reader) collectors() {
	var defs []pstats.CollectorDef
	for r.err == nil {
		index := int16(r.u16("a collector's index"))
		if r.err != nil || index == -1 {
			break
		}
		d := pstats.CollectorDef{Index: index, Name: r.str("a collector's name"),
			Parent: int16(r.u16("a collector's parent"))}
		d.R, d.G, d.B = r.f32("a collector's color"), r.f32("a collector's color"), r.f32("a collector's color")
		d.Sort, d.Units = int16(r.u16("a collector's sort")), r.str("a collector's units")
		d.Scale, d.Factor = r.f32("a collector's scale"), r.f32("a collector's factor")
		words := r.u32("a collector's level bits")
		if words > maxLevelWords {
			r.fail("collector %d %q: %d words of level bits, %d at most", index, d.Name, words, maxLevelWords)
		}
		r.nuls.Skip(len(r.nextAny(4*int(words), "a collector's level bits"))) // the frames say it, too
		r.u8("a collector's level bits")
		if r.err != nil {
			break
		}
		if index >= 0 {
			r.defined[index] = true
		}
		if defs = append(defs, d); len(defs) == 700 {
			r.h.Collectors(defs)
			defs = defs[:0]
		}
	}
	if len(defs) > 0 {
		r.h.Collectors(defs)
	}
}

// thread reads a thread and its frames (section 12.4).
func (r *reader) thread(index int) {
	name := r.str("a thread's name")
	if r.err != nil {
		return
	}
	r.frame.Thread = uint16(index)
	if r.visitor != nil {
		r.visitor.Begin(index, name, r.off)
		r.frames()
		if r.err != errStopped {
			r.visitor.End(r.off, r.err == nil)
		}
		return
	}
	r.h.Threads(index, []string{name})
	r.frames()
}

// frames reads the frames of a thread and the number that ends them.
func (r *reader) frames() {
	t := threadJudge{r: r}
	defer t.end()
	for first := true; r.err == nil; first = false {
		if r.info.Frames == 0 {
			r.chooseVariant()
		}
		at := r.off
		number := int32(r.u32("a frame's number"))
		if r.err != nil || number == -1 {
			return
		}
		r.frame.Number = uint32(number)
		r.events()
		r.levels()
		if r.err != nil {
			return
		}
		if !first && number == 0 && len(r.frame.Events)+len(r.frame.Levels) == 0 {
			continue // NULs, which no client sends twice
		}
		if r.visitor != nil {
			r.visitor.Frame(r.off)
		} else {
			t.judge(at)
		}
		r.info.Frames++
		if r.cancelled != nil && r.cancelled() {
			r.err = errStopped
		}
		if r.progress != nil && r.counted.N-r.reported >= progressEvery {
			r.reported = r.counted.N
			r.progress(r.counted.N, max(r.size, r.counted.N))
		}
	}
}

func (r *reader) count(what string) int64 {
	var n int64
	if r.info.NarrowCounts {
		n = int64(r.u16(what))
	} else {
		n = int64(r.u32(what))
	}
	if r.err == nil && n > (r.end-r.off)/6 {
		r.fail(
			"frame %d of thread %d: %d %s, but %d bytes remain", int32(r.frame.Number), r.frame.Thread, n, what,
			r.end-r.off,
		)
	}
	return n
}

// points reads n points and calls add with the first keep of them, a run at a time: memory grows with
// the file's content, not with the announced number.
func (r *reader) points(n, keep int64, what string, add func(points []byte)) {
	const run = 4096
	for done := int64(0); done < n && r.err == nil; {
		k := min(n-done, run)
		b := r.next(int(6*k), what)
		if b == nil {
			return
		}
		if done < keep && r.visitor == nil {
			add(b[:6*min(k, keep-done)])
		}
		done += k
	}
	if n > keep && r.err == nil && r.visitor == nil {
		r.h.Lost(model.Loss{Reason: model.LossLimit, N: n - keep, Detail: fmt.Sprintf(
			"frame %d of thread %d has %d %s; those after the first %d were dropped",
			int32(r.frame.Number), r.frame.Thread, n, what, keep)})
	}
}

// events reads the events of a frame.
func (r *reader) events() {
	r.frame.Events = r.frame.Events[:0]
	r.points(r.count("events"), pstats.MaxFrameEvents, "events", func(b []byte) {
		n := len(r.frame.Events)
		r.frame.Events = slices.Grow(r.frame.Events, len(b)/6)[:n+len(b)/6]
		for i := range r.frame.Events[n:] {
			p := b[6*i : 6*i+6 : 6*i+6]
			r.frame.Events[n+i] = pstats.Event{
				Word: binary.LittleEndian.Uint16(p), Time: math.Float32frombits(binary.LittleEndian.Uint32(p[2:])),
			}
		}
	})
}

func (r *reader) levels() {
	r.frame.Levels = r.frame.Levels[:0]
	r.points(r.count("levels"), maxFrameLevels, "levels", func(b []byte) {
		for ; len(b) >= 6; b = b[6:] {
			r.frame.Levels = append(r.frame.Levels, pstats.Level{
				Collector: binary.LittleEndian.Uint16(b), Value: math.Float32frombits(binary.LittleEndian.Uint32(b[2:])),
			})
		}
	})
}
