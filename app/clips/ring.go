package clips

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// A Ring keeps the newest frames of a live session in memory, as they were sent, and all definitions. A
// clip can so be made from it alone, without the session's copy on disk and its earlier hours. It is a
// handler beside the decoder. Frames lie in chunks, so that a frame costs a copy and no allocation;
// data older than the ring's reach leaves a chunk at a time. A clip being written keeps its chunks.
type Ring struct {
	now  func() time.Duration // since any moment
	held *feed.Held           // accounts for the ring's memory

	mu     sync.Mutex
	defs   sessionfile.Definitions
	chunks []*chunk // the oldest first
	spare  *chunk   // to be filled again
	bytes  int64    // in chunks
	reach  time.Duration
	closed bool
}

// chunk is some frames one after the other.
type chunk struct {
	data   []byte // their messages
	frames []kept
	newest time.Duration // when the last of them came
	pins   int           // clips that read it
}

// kept is a frame in a chunk.
type kept struct {
	thread int // in a file
	number uint32
	end    int // of its message
}

// Bounds of the data in rings.
const (
	chunkBytes = 256 << 10
	maxBytes   = 64 << 20 // of a ring
	heldShare  = 4        // a ring has at most this part of the decoders' limit for held-back data
	// slack is the time to keep frames beyond a clip's needs: for late data, a long frame, and the
	// detection and explanation of a hitch.
	slack = 10 * time.Second
)

// NewRing returns a ring that has nothing to keep until Reach says how far back. held may be nil.
func NewRing(held *feed.Held) *Ring {
	began := time.Now()
	return &Ring{
		now: func() time.Duration { return time.Since(began) }, held: held, defs: sessionfile.NewDefinitions(),
	}
}

// Reach sets the time to keep before and after a hitch; 0: the ring keeps no frames.
func (r *Ring) Reach(before, after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reach = 0; before+after > 0 {
		r.reach = before + after + slack
	}
	r.trim()
}

// Hello implements pstats.Handler.
func (r *Ring) Hello(h pstats.ClientHello) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defs.Hello(h)
}

// Collectors implements pstats.Handler.
func (r *Ring) Collectors(defs []pstats.CollectorDef) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defs.Collectors(defs)
}

// Threads implements pstats.Handler.
func (r *Ring) Threads(first int, names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defs.Threads(first, names)
}

// Expire implements pstats.Handler.
func (r *Ring) Expire(thread int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.defs.Expire(thread)
}

// Lost implements pstats.Handler: the frame numbers already show losses.
func (r *Ring) Lost(model.Loss) {}

// Close implements pstats.Handler. The frames stay until Drop.
func (r *Ring) Close(string) {}

// Drop frees everything, for good.
func (r *Ring) Drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.reach = true, 0
	r.trim()
	r.spare = nil
}

// Bytes returns how much memory the frames take.
func (r *Ring) Bytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}

// Frame implements pstats.Handler.
func (r *Ring) Frame(f *pstats.Frame, _ int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	thread := int(r.defs.Find(f)) // of all frames: a thread may take another's place
	if r.closed || r.reach == 0 || int32(f.Number) == -1 {
		return
	}
	size := messageHead + int(sessionfile.FrameSize(f))
	c := r.last(size)
	c.data = pstats.AppendFrame(c.data, sessionfile.FrameVersion, f)
	c.frames = append(c.frames, kept{thread, f.Number, len(c.data)})
	c.newest = r.now()
	r.trim()
}

// messageHead is the size of a message beyond the frame in a file: its type and its thread.
const messageHead = 3

// last returns the chunk that has room for a message.
func (r *Ring) last(size int) *chunk {
	if n := len(r.chunks); n > 0 {
		if c := r.chunks[n-1]; cap(c.data)-len(c.data) >= size {
			return c
		}
	}
	c := r.spare
	if r.spare = nil; c == nil || cap(c.data) < size {
		c = &chunk{data: make([]byte, 0, max(chunkBytes, size))}
	}
	r.chunks = append(r.chunks, c)
	r.bytes += int64(cap(c.data))
	r.held.Add(int64(cap(c.data)))
	return c
}

// trim drops the oldest chunks that are not needed, or have no room.
func (r *Ring) trim() {
	most := min(maxBytes, r.held.Limit()/heldShare)
	n := 0
	for n < len(r.chunks) && (r.reach == 0 || r.chunks[n].newest < r.now()-r.reach || r.bytes > most) {
		c := r.chunks[n]
		r.bytes -= int64(cap(c.data))
		r.held.Add(-int64(cap(c.data)))
		if n++; c.pins == 0 && cap(c.data) == chunkBytes {
			c.data, c.frames = c.data[:0], c.frames[:0]
			r.spare = c
		}
	}
	r.chunks = slices.Delete(r.chunks, 0, n)
}

// snapshot is the content of a ring at a moment, until it is released, and then the frames of a clip.
type snapshot struct {
	sessionfile.Definitions
	ring   *Ring
	cut    decode.Cut
	chunks []pinned
	frames []snap // in the order of a file
	bytes  map[int]int64
	wanted map[int]decode.Run // of the cut, by thread in the file
	// BeginNs and EndNs are the first and the last time in the frames, on the client's clock.
	BeginNs, EndNs int64
}

// pinned is the content of a chunk.
type pinned struct {
	of     *chunk
	data   []byte
	frames []kept
}

// snap is a frame of a snapshot.
type snap struct {
	thread  int
	number  int32
	message []byte
}

// hold keeps the data that a cut may need. It costs a look at each chunk.
func (r *Ring) hold(cut decode.Cut) *snapshot {
	s := &snapshot{ring: r, cut: cut, bytes: map[int]int64{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.chunks {
		c.pins++
		s.chunks = append(s.chunks, pinned{c, c.data, c.frames})
	}
	return s
}

// gather takes the frames of the cut, and the definitions.
func (s *snapshot) gather() {
	s.wanted = map[int]decode.Run{}
	s.ring.mu.Lock()
	s.Definitions = s.ring.defs.Clone()
	for _, thread := range s.ThreadIndices() {
		if run, ok := s.cut[s.ring.defs.Origin(thread)]; ok {
			s.wanted[thread] = run
		}
	}
	s.ring.mu.Unlock()
	for _, c := range s.chunks {
		begin := 0
		for _, k := range c.frames {
			if run, ok := s.wanted[k.thread]; ok && run.First <= int64(k.number) && int64(k.number) <= run.Last {
				s.frames = append(s.frames, snap{k.thread, int32(k.number), c.data[begin:k.end:k.end]})
			}
			begin = k.end
		}
	}
	s.order()
}

// order puts the frames in file order, keeping the last one of each number, and notes their contents.
func (s *snapshot) order() {
	slices.SortStableFunc(s.frames, func(a, b snap) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.number, b.number))
	})
	n := 0
	for i, x := range s.frames {
		if i+1 < len(s.frames) && s.frames[i+1].thread == x.thread && s.frames[i+1].number == x.number {
			continue
		}
		s.frames[n] = x
		n++
	}
	s.frames = s.frames[:n]
	var f pstats.Frame
	for i := range s.frames {
		x := &s.frames[i]
		if pstats.DecodeFrame(x.message, sessionfile.FrameVersion, &f) != nil {
			continue // we have encoded it
		}
		f.Events = s.wanted[x.thread].Events(&f)
		s.Note(x.thread, &f)
		s.bytes[x.thread] += sessionfile.FrameSize(&f)
		if begin, ok := pstats.FirstTime(f.Events); ok {
			if s.EndNs == 0 || begin < s.BeginNs {
				s.BeginNs = begin
			}
			s.EndNs = max(s.EndNs, begin)
			if end, ok := pstats.Nanoseconds(f.Events[len(f.Events)-1].Time); ok {
				s.EndNs = max(s.EndNs, end)
			}
		}
	}
	s.Keep(func(thread int) bool { return s.bytes[thread] > 0 })
}

// release frees the chunks.
func (s *snapshot) release() {
	s.ring.mu.Lock()
	defer s.ring.mu.Unlock()
	for _, c := range s.chunks {
		c.of.pins--
	}
	s.chunks, s.frames = nil, nil
}

// size is about how many bytes the file will have.
func (s *snapshot) size() (n int64) {
	for _, b := range s.bytes {
		n += b
	}
	return n
}

// write writes the file.
func (s *snapshot) write(w io.Writer) error { return sessionfile.WriteLive(w, &s.Definitions, s) }

// FrameBytes implements sessionfile.Frames.
func (s *snapshot) FrameBytes(thread int) int64 { return s.bytes[thread] }

// EachFrame implements sessionfile.Frames.
func (s *snapshot) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	at, _ := slices.BinarySearchFunc(s.frames, thread, func(x snap, thread int) int { return cmp.Compare(x.thread, thread) })
	var f pstats.Frame
	for ; at < len(s.frames) && s.frames[at].thread == thread; at++ {
		if err := pstats.DecodeFrame(s.frames[at].message, sessionfile.FrameVersion, &f); err != nil {
			return err
		}
		f.Thread, f.Events = uint16(thread), s.wanted[thread].Events(&f)
		if err := fn(&f); err != nil {
			return err
		}
	}
	return nil
}
