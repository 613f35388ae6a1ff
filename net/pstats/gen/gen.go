// Package gen makes sessions of any size with the structure of a game's: threads at 60 to 240
// frames a second, 20 to 400 nested spans a frame in an order that hardly changes from frame to
// frame, hitches, missing frames, levels. Equal options make equal sessions, to the byte. Memory
// does not grow with the session.
//
// A session goes into a .pstats file (Write), through any feed.Sink (Feed), or can be taken frame
// by frame as a client would send it (Stream).
package gen

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Limits of Options.
const (
	MaxSpans  = 1 << 36 // 68 thousand million
	MaxTracks = 4096
	MaxDepth  = 500
)

// Options describes the session to make. The zero value is one of a million spans.
type Options struct {
	// Spans is the exact number of spans; 0 means a million.
	Spans int64
	// Tracks is the number of threads; 0 means 4. Track 0 is the main thread and the only one with
	// levels.
	Tracks int
	// Depth is the maximum nesting of spans, the frame included; 0 means 8.
	Depth int
	// Seed selects one of the sessions with otherwise equal options.
	Seed uint64

	// Hz is the frame rate; 0 lets the seed choose 60 to 240.
	Hz float64
	// FrameSpans is the mean number of spans per frame; 0 lets the seed choose 20 to 400 for each track.
	FrameSpans int
	// HitchEvery is the number of frames of a track from hitch to hitch, a frame that takes three to
	// eight times as long; 0 means 400, below 0 no hitches.
	HitchEvery int
	// GapEvery is the number of frames of a track from gap to gap; 0 means 1,000, below 0 no gaps.
	GapEvery int
	// GapFrames is the number of missing frames in a gap; 0 means 3.
	GapFrames int
	// Levels is the number of counters that the main thread sends with each frame, at most 64; 0 means 6,
	// below 0 none.
	Levels int
}

// withDefaults replaces zero values by defaults.
func (o Options) withDefaults() (Options, error) {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	o.Spans = cmp.Or(o.Spans, 1e6)
	set(&o.Tracks, 4)
	set(&o.Depth, 8)
	set(&o.HitchEvery, 400)
	set(&o.GapEvery, 1000)
	set(&o.GapFrames, 3)
	set(&o.Levels, 6)
	o.Levels = max(o.Levels, 0)
	switch {
	case o.Spans < 1 || o.Spans > MaxSpans:
		return o, fmt.Errorf("%d spans: give 1 to %d", o.Spans, int64(MaxSpans))
	case o.Tracks < 1 || o.Tracks > MaxTracks:
		return o, fmt.Errorf("%d tracks: give 1 to %d", o.Tracks, MaxTracks)
	case o.Depth < 1 || o.Depth > MaxDepth:
		return o, fmt.Errorf("depth %d: give 1 to %d", o.Depth, MaxDepth)
	case !(o.Hz == 0 || o.Hz >= 1 && o.Hz <= 10000):
		return o, fmt.Errorf("%v frames a second: give 1 to 10,000", o.Hz)
	case o.FrameSpans < 0 || o.FrameSpans > 1e6:
		return o, fmt.Errorf("%d spans a frame: give 1 to a million", o.FrameSpans)
	case o.GapFrames < 1 || o.GapFrames > 1e6:
		return o, fmt.Errorf("gaps of %d frames: give 1 to a million", o.GapFrames)
	case o.Levels > 64:
		return o, fmt.Errorf("%d levels: give at most 64", o.Levels)
	}
	return o, nil
}

// Session can make the session any number of times.
type Session struct {
	opt    Options
	shape  shape
	tracks []trackPlan
}

// New plans a session; an error names the option that is out of bounds.
func New(o Options) (*Session, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Session{opt: o, shape: newShape(o)}
	s.plan()
	return s, nil
}

// Spans returns the number of spans in all tracks.
func (s *Session) Spans() int64 { return s.opt.Spans }

// Tracks returns the number of tracks; those with an index below have the same index as a thread in
// a file.
func (s *Session) Tracks() int { return len(s.tracks) }

// Hello returns the hello of the session's client.
func (s *Session) Hello() pstats.ClientHello {
	return pstats.ClientHello{
		Host: "localhost", Program: fmt.Sprintf("generated game, seed %d", s.opt.Seed), Version: pstats.Newest(),
		PID: 4711,
	}
}

// Collectors returns the definitions of all collectors, ascending by index.
func (s *Session) Collectors() []pstats.CollectorDef { return s.shape.collectors }

// ThreadNames returns the names of all threads by index.
func (s *Session) ThreadNames() []string {
	names := make([]string, len(s.tracks))
	for i := range names {
		names[i] = s.tracks[i].name
	}
	return names
}

// Write writes the session as a .pstats file. progress is called now and then with the spans
// written and their total; it may be nil. An error is that of w or ctx.
func (s *Session) Write(ctx context.Context, w io.Writer, progress func(done, total int64)) error {
	c := sessionfile.Content{
		Hello: s.Hello(), Collectors: s.Collectors(), Threads: s.ThreadNames(), LevelThreads: map[int][]int{},
	}
	for _, l := range s.shape.levels {
		c.LevelThreads[int(l)] = []int{0}
	}
	return sessionfile.Write(w, c, &fileFrames{s: s, ctx: ctx, progress: progress})
}

// fileFrames lets the frames of each thread be made while the file is written.
type fileFrames struct {
	s        *Session
	ctx      context.Context
	progress func(done, total int64)
	done     int64
	sizes    map[int]int64
}

// FrameBytes implements sessionfile.Frames. It plans the frames without making them.
func (f *fileFrames) FrameBytes(thread int) int64 {
	if n, ok := f.sizes[thread]; ok {
		return n
	}
	var n int64
	for p := f.s.tracks[thread].start(); p.next(); {
		n += int64(12 + 12*p.spans + 6*p.levels)
	}
	model.Put(&f.sizes, thread, n)
	return n
}

// EachFrame implements sessionfile.Frames.
func (f *fileFrames) EachFrame(thread int, fn func(*pstats.Frame) error) error {
	t := f.s.newTrack(thread)
	var frame pstats.Frame
	for frames := 0; t.next(); frames++ {
		if err := fn(t.wire(&frame)); err != nil {
			return err
		}
		f.done += int64(t.at.spans)
		if frames&255 == 0 {
			if err := f.ctx.Err(); err != nil {
				return err
			}
			if f.progress != nil {
				f.progress(f.done, f.s.opt.Spans)
			}
		}
	}
	if f.progress != nil {
		f.progress(f.done, f.s.opt.Spans)
	}
	return nil
}

// Stream calls fn with the frames of all threads in order of time, as a client would send them,
// until fn returns false. The frame is only valid during the call.
func (s *Session) Stream(fn func(f *pstats.Frame) bool) {
	var frame pstats.Frame
	s.merge(func(t *track) bool { return fn(t.wire(&frame)) })
}

// Feed puts the session into a sink in order of time, without the way through the protocol: times are
// exact to the nanosecond whatever the session's length. It stops early, with an error, when ctx is
// done or the sink refuses a batch. The sink gets a model.End in any case.
func (s *Session) Feed(ctx context.Context, sink feed.Sink) (err error) {
	hello := s.Hello()
	sink.Define(model.Info{
		Source: "generator", Program: hello.Program, Host: hello.Host, PID: hello.PID, Version: "generated",
	})
	for i := range s.shape.collectors {
		c := &s.shape.collectors[i]
		sink.Define(model.CollectorDef{
			ID: model.CollectorID(c.Index), Name: c.Name, Parent: model.CollectorID(c.Parent), Sort: int(c.Sort),
			Unit: c.Units, Scale: float64(c.Scale),
		})
	}
	for i := range s.tracks {
		def := model.TrackDef{ID: model.TrackID(i), Name: s.tracks[i].name, Index: i}
		if def.Name == "GPU" {
			def.Kind = model.TrackGPU
		}
		sink.Define(def)
	}
	s.shape.paths(func(d model.PathDef) { sink.Define(d) })
	frames := 0
	s.merge(func(t *track) bool {
		b := sink.Begin()
		t.batch(b)
		if !sink.Publish(b) {
			err = context.Canceled
			return false
		}
		if frames++; frames&255 == 0 {
			err = ctx.Err()
		}
		return err == nil
	})
	reason := "end of the generated session"
	if err != nil {
		reason = err.Error()
	}
	sink.Define(model.End{Reason: reason})
	return err
}

// Fill puts the session into a store's session.
func (s *Session) Fill(to *store.Session) { s.Feed(context.Background(), &Into{To: to}) }

// Into is a sink that appends each batch to a session at once.
type Into struct {
	To *store.Session // nil: nothing is kept
	b  model.Batch
}

// Define implements feed.Sink.
func (d *Into) Define(c model.Change) {
	if d.To != nil {
		d.To.Apply(c)
	}
}

// Begin implements feed.Sink.
func (d *Into) Begin() *model.Batch { d.b.Reset(); return &d.b }

// Publish implements feed.Sink.
func (d *Into) Publish(b *model.Batch) bool {
	if d.To != nil {
		d.To.Append(b)
	}
	return true
}

// Progress implements feed.Sink.
func (d *Into) Progress(done, total int64) {}

// merge makes the frames of all tracks in order of their begin.
func (s *Session) merge(fn func(t *track) bool) {
	var tracks []*track
	for i := range s.tracks {
		if t := s.newTrack(i); t.next() {
			tracks = append(tracks, t)
		}
	}
	for len(tracks) > 0 {
		first := 0
		for i, t := range tracks {
			if t.at.beginNs < tracks[first].at.beginNs {
				first = i
			}
		}
		if !fn(tracks[first]) {
			return
		}
		if !tracks[first].next() {
			tracks = append(tracks[:first], tracks[first+1:]...)
		}
	}
}

// random is a small generator (SplitMix64). Its numbers never change, so that equal options make equal
// sessions.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n).
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// unit returns a number in [0, 1).
func (r *random) unit() float64 { return float64(r.next()>>11) / (1 << 53) }
