// This file writes sessions with frames as session files of PStats, from any source: the frames of each
// thread, with their spans as starts and stops of collectors, and counter values. Recordings of PStats
// are better saved as they were sent (framescope save).

package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// PStatsFormat is the format of session files of PStats.
var PStatsFormat = Format{
	ID: "pstats", Name: "PStats session", Ext: ".pstats",
	Help:  "frames of each thread with collectors and counters, times as 32-bit seconds: Panda3D's viewers",
	Why:   pstatsWhy,
	Write: pstatsWrite,
}

func pstatsWhy(p *Part) error {
	switch {
	case framed(p) != model.NoTrack:
		return nil
	case p.Session.Contents().Timeless:
		return errTimeless
	}
	return errors.New("it has no frames, and a PStats session is made of frames; --frames NAME makes frames of spans")
}

// framed returns the thread that gives frames to threads without their own: the main one, or the first
// of the part.
func framed(p *Part) model.TrackID {
	found := model.NoTrack
	for _, id := range p.Tracks {
		t := p.Session.Track(id)
		if first, end := p.Frames(id); first < end && t.Def.Kind.Calls() && (found == model.NoTrack || id == p.Session.MainTrack()) {
			found = id
		}
	}
	return found
}

// The limits of the format: collectors, threads.
const (
	most        = 1 << 15
	mostThreads = math.MaxUint16
	mostRows    = 64 // of frames of a thread that overlap
)

// pstatsWrite makes all frames before it writes any: a session file says first how long it is.
func pstatsWrite(ctx context.Context, p *Part, w io.Writer) error {
	x := &pstatsWriter{
		ctx: ctx, p: p, main: framed(p), collectors: newCollectors(p), levels: map[int]map[int]bool{}, frames: newSpool(),
	}
	defer x.frames.remove()
	if info := p.Session.Info(); !info.Clock.Float32Seconds {
		x.shift = x.earliest()
	}
	x.findThreads()
	x.findSeries()
	for k := range x.threads {
		x.frames.begin()
		if err := x.each(k); err != nil {
			return err
		}
	}
	x.leave()
	x.frames.each = func(n int64) error { return p.Done(ctx, n) }
	return sessionfile.Write(w, x.content(), x.frames)
}

// pstatsWriter makes the frames of a part.
type pstatsWriter struct {
	ctx        context.Context
	p          *Part
	main       model.TrackID
	shift      int64 // subtracted from times on the session's clock
	collectors *pstatsCollectors
	threads    []thread
	series     map[model.TrackID][]*numbers // by the thread with frames for them
	levels     map[int]map[int]bool         // by collector of the file: the threads that have levels of it

	frames *spool
	left   struct{ beside, outside, short, cut, collectors, levels, frames, counted, threads, series, samples int64 }
}

// thread is one that is written.
type thread struct {
	*store.Track
	id       model.TrackID
	by       *store.Track // the thread that gives its frames: itself or the main one
	own      bool
	rooted   bool // its frames are spans, as in PStats
	from, to int  // its frames, by their positions: indices that go on when the oldest leave memory
	// row is the row of frames to write: PStats threads have no overlapping frames, so each row becomes
	// a thread. rows holds the row of each frame, starting at from.
	row  uint8
	rows []uint8
}

// left is how many frames have left memory, the position of the first that has not.
func (t *thread) left() int { return int(t.by.Evicted()) }

// at returns the frame at a position.
func (t *thread) at(position int) frames.Frame { return t.by.Frame(position - t.left()) }

// findThreads chooses the threads with calls, the main one first, as thread 0 is main for viewers.
func (x *pstatsWriter) findThreads() {
	tracks := slices.Clone(x.p.Tracks)
	slices.SortStableFunc(tracks, func(a, b model.TrackID) int {
		switch x.main {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	for _, id := range tracks {
		t := thread{Track: x.p.Session.Track(id), id: id}
		switch {
		case !t.Def.Kind.Calls():
			x.left.beside += t.NumSpans()
			continue
		case len(x.threads) == mostThreads:
			x.left.threads++
			continue
		case t.HasFrames():
			t.by, t.own = t.Track, true
			t.from, t.to = x.p.Frames(id)
		case t.NumSpans() > 0:
			t.by = x.p.Session.Track(x.main)
			t.from, t.to = x.life(&t)
		}
		if t.from == t.to {
			continue
		}
		t.from, t.to = t.from+t.left(), t.to+t.left()
		t.rooted = x.isRooted(id)
		rows := 1
		if t.own && !x.p.Session.Info().Clock.Float32Seconds {
			rows = t.overlap()
		}
		for k := range min(rows, mostThreads-len(x.threads)) {
			t.row = uint8(k)
			x.threads = append(x.threads, t)
		}
	}
}

// overlap puts frames that overlap into rows, and returns how many these are.
func (t *thread) overlap() (rows int) {
	var ends []int64
	list := make([]uint8, t.to-t.from)
	for k := range list {
		f := t.at(t.from + k)
		row := slices.IndexFunc(ends, func(end int64) bool { return end <= f.Begin })
		if row < 0 {
			if len(ends) == mostRows { // the last row takes the rest, even if it overlaps
				ends = ends[:mostRows-1]
			}
			row, ends = len(ends), append(ends, 0)
		}
		ends[row] = f.End
		list[k] = uint8(row)
	}
	if len(ends) > 1 {
		t.rows = list
	}
	return len(ends)
}

// title is the title of a thread: for overlapping frames with the number of its row.
func (t *thread) title() string {
	if t.row == 0 {
		return t.Title()
	}
	return fmt.Sprintf("%s (%d)", t.Title(), t.row+1)
}

// life returns the range of main-thread frames that covers the content of another thread.
func (x *pstatsWriter) life(t *thread) (from, to int) {
	from, to = x.p.Frames(x.main)
	begin, end, ok := t.Bounds()
	if !ok {
		return 0, 0
	}
	first, last := t.by.FramesIn(begin, end+1)
	return max(from, t.by.FrameAt(begin), 0), min(to, max(last, first, t.by.FrameAt(end))+1)
}

// isRooted reports whether the frames of a track are spans of collector 0, by the first ones.
func (x *pstatsWriter) isRooted(id model.TrackID) (rooted bool) {
	left := 100
	x.p.Spans(id, func(s *Span) error {
		if rooted = s.Collector == 0; rooted || left == 0 {
			return io.EOF
		}
		left--
		return nil
	})
	return rooted
}

// earliest returns when the first frame of the part begins.
func (x *pstatsWriter) earliest() int64 {
	ns := int64(math.MaxInt64)
	for _, id := range x.p.Tracks {
		if first, end := x.p.Frames(id); first < end {
			ns = min(ns, x.p.Session.Track(id).Frame(first).Begin)
		}
	}
	return ns
}

// seconds converts a time of the session to the protocol.
func (x *pstatsWriter) seconds(ns int64) float32 { return float32(float64(ns-x.shift) / 1e9) }

// number returns the number in the file of a frame at a position; false where it has no room for it. Numbers that
// leave some out would be missing frames there.
func (t *thread) number(f *frames.Frame, position int) (n uint32, ok bool) {
	number := f.Number
	if t.by.Def.Skips {
		number = int64(position)
	}
	return uint32(int32(number)), number >= math.MinInt32 && number <= math.MaxInt32 && number != -1
}

// content is the file's content besides frames.
func (x *pstatsWriter) content() sessionfile.Content {
	info := x.p.Session.Info()
	c := sessionfile.Content{
		Hello: pstats.ClientHello{
			Host: info.Host, Program: info.Program, PID: max(info.PID, -1), Version: sessionfile.FrameVersion,
		},
		Collectors: x.collectors.defs, LevelThreads: map[int][]int{},
	}
	for k := range x.threads {
		c.Threads = append(c.Threads, x.threads[k].title())
	}
	for collector, threads := range x.levels {
		for t := range threads {
			c.LevelThreads[collector] = append(c.LevelThreads[collector], t)
		}
	}
	return c
}

// leave reports the data that is not in the file.
func (x *pstatsWriter) leave() {
	p, n := x.p, &x.left
	p.Leave(n.threads, "thread", "threads", fmt.Sprintf("a session has %d", mostThreads))
	p.Leave(n.frames, "frame", "frames", "their numbers have more than 31 bits")
	p.Leave(n.counted, "number of a frame", "numbers of frames", "they leave some out, which would be missing frames: these are counted")
	p.Leave(n.collectors, "span", "spans", fmt.Sprintf("a session has %d collectors", most))
	p.Leave(n.levels, "value of a counter", "values of counters", fmt.Sprintf("a session has %d collectors", most))
	p.Leave(n.beside, "span beside threads", "spans beside threads", "they have no callers")
	p.Leave(n.outside, "span", "spans", "they lie between frames")
	p.Leave(n.cut, "place", "places", "where a span goes on in the next frame: it is cut there and starts anew")
	p.Leave(n.short, "length of a span", "lengths of spans", "they are less than a step of the format's clock there, 32-bit seconds")
	p.leaveRows(&Messages, "")
	x.leaveRoot()
	p.Leave(n.series, "series", "series", "they are states or events, and not numbers")
	levels := int64(0)
	for _, list := range x.series {
		levels += int64(len(list))
	}
	p.Leave(levels, "series along time", "series along time", "they become counters with a value in each frame")
	for _, list := range x.series {
		for _, s := range list {
			n.samples -= s.written
		}
	}
	p.Leave(n.samples, "sample of a series", "samples of series", "a frame has one value of each, that at its end")
	p.leaveRows(&Locks, "")
	p.leaveRows(&Flows, "")
	p.LeaveArgs()
}

// leaveRoot reports the added collector of the whole frame, if the session has none.
func (x *pstatsWriter) leaveRoot() {
	root := x.p.Session.Collector(0)
	unrooted := func(t thread) bool { return !t.rooted }
	if root == nil || root.Name == x.collectors.defs[0].Name || !slices.ContainsFunc(x.threads, unrooted) {
		return
	}
	x.p.Leave(1, "name", "names", fmt.Sprintf("%s is called %s, a collector that the format has of each frame, with its whole time",
		root.Title(), x.collectors.defs[0].Name))
}
