package store

import (
	"cmp"
	"fmt"
	"sort"

	"framescope/model"
	"framescope/model/args"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/locks"
	"framescope/model/messages"
	"framescope/model/spans"
)

// Track is one thread or other line of execution of a session.
type Track struct {
	numFrames int
	numSpans  int64
	Def       model.TrackDef
	Alive     bool

	defined bool
	noted   bool // it has messages
	waits   bool // the store knows that all of it may leave
	filled  bool // a batch is on its way into it
	crowded bool // all of it left because there were too many tracks
	lanes   uint16
	s       *Session
	*trackData
	account

	lo, hi int64  // earliest and latest stored time, lo > hi while nothing is stored
	newest uint64 // the store's count of appends at the last one
	began  int64  // the first time
}

// trackData is the data of a track. Empty tracks, possibly very many in a session, share one that
// is empty and never written.
type trackData struct {
	*frames.Thread // the queries on frames
	spans          spans.LaneTrack
	frames         frames.Track
	messages       messages.Track
	locks          locks.Track
	flows          *spans.FlowTrack // nil: no arrow ends on it
	args           args.Track
	marks          marks
}

func newTrack(s *Session, id model.TrackID) *Track {
	t := &Track{
		Def: model.TrackDef{ID: id, Index: int(id)}, Alive: true, s: s, trackData: s.empty,
		account: newAccount(), lo: model.MaxTime, hi: model.MinTime,
	}
	s.mem.account(kindOther).Add(columns.SizeOf[Track]())
	return t
}

// holds reports whether the track has allocated memory for data.
func (t *Track) holds() bool { return t.trackData != t.s.empty }

// makeRoom gives the track memory for data.
func (t *Track) makeRoom() {
	if !t.holds() {
		t.trackData = newTrackData(t.s, t.Def.ID)
		t.frames.Skip(t.Def.Skips)
		t.s.mem.account(kindOther).Add(columns.SizeOf[trackData]())
	}
}

// newTrackData returns empty data. It is not on the account.
func newTrackData(s *Session, id model.TrackID) *trackData {
	t := new(trackData)
	t.Thread = &t.frames.Thread
	other := s.mem.account(kindOther)
	t.frames.Init(&s.frames, id)
	t.messages.Init(&s.messages, id, other)
	t.locks.Init(&s.locks, id, other)
	t.spans.Init(s.spans.Lanes(), id)
	t.args.Init(&s.args, id)
	t.marks.acc = other
	return t
}

// clear frees everything.
func (t *Track) clear() {
	t.clearData()
	t.s.mem.account(kindOther).Add(-columns.SizeOf[Track]() - int64(len(t.Def.Name)))
}

// clearData frees all data.
func (t *Track) clearData() {
	if !t.holds() {
		return
	}
	t.spans.Clear()
	t.frames.Clear()
	t.messages.Clear()
	t.locks.Clear()
	t.flows.Clear()
	t.args.Clear()
	t.marks.clear()
	t.s.mem.account(kindOther).Add(-columns.SizeOf[trackData]())
	t.trackData = t.s.empty
	t.count()
}

// count counts what is stored. Loops over all tracks ask for that, and would miss the cache for each.
func (t *Track) count() {
	t.numFrames, t.numSpans, t.noted = t.Thread.NumFrames(), t.spans.Stored(), !t.messages.Empty()
	t.lanes = uint16(t.spans.Lanes())
}

// Title returns the track's name, or a placeholder made of its kind and index.
func (t *Track) Title() string {
	if t.Def.Name != "" {
		return t.Def.Name
	}
	switch t.Def.Kind {
	case model.TrackGPU:
		return fmt.Sprintf("GPU %d", t.Def.Index)
	case model.TrackStream:
		return fmt.Sprintf("Stream %d", t.Def.Index)
	case model.TrackElement:
		return fmt.Sprintf("Element %d", t.Def.Index)
	case model.TrackOutput:
		return "Output"
	case model.TrackAsync:
		return fmt.Sprintf("Task %d", t.Def.Index)
	case model.TrackProcessor:
		return fmt.Sprintf("CPU %d", t.Def.Index)
	}
	return fmt.Sprintf("Thread %d", t.Def.Index)
}

// Kin is the title without the number that a run gave the thread, by which it is found in another run; of
// several there are as many as alike threads.
func (t *Track) Kin() string { return cmp.Or(t.Def.Kin, t.Title()) }

// Lanes returns the number of rows that spans occupy.
func (t *Track) Lanes() int { return int(t.lanes) }

// Bounds returns the earliest and latest stored time of the track.
func (t *Track) Bounds() (begin, end int64, ok bool) {
	if t.lo > t.hi {
		return 0, 0, false
	}
	return t.lo, t.hi, true
}

// stopsIn appends the stops of the main track in a range of time, cut at its edges; none where they fill it.
func (s *Session) stopsIn(t0, t1 int64, out []model.Stretch) []model.Stretch {
	t := s.Track(s.MainTrack())
	if t == nil || !t.HasFrames() {
		return out
	}
	left := t1 - t0
	s.stops = t.StopsTouching(t0, t1, s.stops[:0])
	for _, x := range s.stops {
		begin, end := max(x.Begin, t0), min(x.End, t1)
		if n := len(out); n > 0 {
			begin = max(begin, out[n-1].End)
		}
		if begin < end {
			out = append(out, model.Stretch{Begin: begin, End: end})
			left -= end - begin
		}
	}
	if left <= 0 {
		return out[:0]
	}
	return out
}

// StoppedNs returns how long the program stood still in a range of time, 0 where it did in all of it.
func (s *Session) StoppedNs(t0, t1 int64) (ns int64) {
	s.stretches = s.stopsIn(t0, t1, s.stretches[:0])
	for _, x := range s.stretches {
		ns += x.End - x.Begin
	}
	return ns
}

// FramesIn returns the indices of the frames of a range of time [t0, t1): those that begin in it, as
// reports count them, and where none does those that run in it; last < first where there are none.
// Where a clock went back and there are several runs of them it is that which runs longest in it, the
// newest of equals.
func (t *Track) FramesIn(t0, t1 int64) (first, last int) {
	var few [4]frames.Run
	best := frames.Run{First: 0, Last: -1}
	for _, r := range t.FramesTouching(t0, max(t1, t0+1), few[:0]) {
		if r.Last-r.First >= best.Last-best.First {
			best = r
		}
	}
	begun := best.First + sort.Search(best.Last-best.First+1,
		func(i int) bool { return t.Frame(best.First+i).Begin >= t0 })
	if begun <= best.Last {
		return begun, best.Last
	}
	return best.First, best.Last
}

// FrameOf returns the index of the frame that owns a span of the track at a time: FrameCovering, if
// frames do not overlap. It is -1 in a gap.
func (t *Track) FrameOf(r spans.Ref, timeNs int64) int {
	from, to := t.s.spans.FramesOf(r, timeNs)
	return t.frames.CoveringOf(from, to, timeNs)
}

// FrameNear is FrameOf given the index of a frame nearby. For spans of the track's lane the answer
// is the same from t0 to before t1; that is no time if frames overlap.
func (t *Track) FrameNear(r spans.Ref, timeNs int64, near int) (frame int, t0, t1 int64) {
	if t.spans.Overlaps() {
		return t.FrameOf(r, timeNs), timeNs, timeNs
	}
	return t.frames.CoveringNear(timeNs, near)
}

// NumSpans returns the number of spans stored.
func (t *Track) NumSpans() int64 { return t.numSpans }

// NumFrames returns the number of frames stored.
func (t *Track) NumFrames() int { return t.numFrames }

// Missing returns how many frame numbers are missing between the frames stored.
func (t *Track) Missing() int64 {
	if t.numFrames == 0 {
		return 0
	}
	return t.Thread.Missing()
}

// NumMessages returns the number of messages stored.
func (t *Track) NumMessages() int64 {
	if !t.noted {
		return 0
	}
	return t.messages.Stored()
}

// Evicted returns how many frames left because of the memory bound.
func (t *Track) Evicted() int64 { return t.evicted }

// Losses returns the reported losses of this track alone, by reason; LossNumbers is Missing plus
// the part of it that left memory.
func (t *Track) Losses() [model.NumLossReasons]int64 {
	n := t.losses
	n[model.LossNumbers] = model.AddSat(n[model.LossNumbers], model.AddSat(t.evictedMissing, t.Missing()))
	return n
}

// cover makes the bounds hold [begin, end].
func (t *Track) cover(begin, end int64) {
	t.lo, t.hi = min(t.lo, begin), max(t.hi, end)
}

// coverPart extends the bounds to those of a part of the track.
func (t *Track) coverPart(part interface {
	Bounds() (begin, end int64, ok bool)
}) {
	if begin, end, ok := part.Bounds(); ok {
		t.cover(begin, end)
	}
}

// recover finds the bounds again after data left at either end.
func (t *Track) recover() {
	t.lo, t.hi = model.MaxTime, model.MinTime
	t.coverPart(&t.frames)
	t.coverPart(&t.spans)
	t.coverPart(&t.messages)
	t.coverPart(&t.locks)
	t.coverPart(t.flows)
	t.count()
}
