package store

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
)

// maxLevel bounds levels either way, so that no sum or mean of them overflows.
const maxLevel = 1e250

// Append takes one batch; b is not kept. Cost: amortised O(spans in b). Out-of-bounds data is
// clamped or ignored and counted as LossLimit; a frame with a number not greater than that of the
// last is refused and counted as LossLate, unless the batch requests a rewind.
func (s *Session) Append(b *model.Batch) {
	s.AppendPart(b, math.MaxInt)
}

// AppendPart is Append in steps, for batches that would take too long at once: each call takes at
// most so many of the batch's spans, and the last one returns true. Until then nothing else may be
// applied or appended; the session may be read meanwhile, and its oldest data may leave.
func (s *Session) AppendPart(b *model.Batch, spans int) (done bool) {
	return s.own.AppendPart(b, spans)
}

// Appender appends batches for one of several goroutines, each with tracks of its own.
type Appender struct {
	session *Session
	mu      sync.Locker
	part    pending
	work    *spans.Work
}

// noLock is the lock for appends by one goroutine.
type noLock struct{}

func (noLock) Lock()   {}
func (noLock) Unlock() {}

// Appender returns an appender for one goroutine while others append batches of other tracks and no one
// reads the session. Hold mu to apply changes meanwhile.
func (s *Session) Appender(mu sync.Locker) *Appender { return newAppender(s, mu, new(spans.Work)) }

func newAppender(s *Session, mu sync.Locker, w *spans.Work) *Appender {
	return &Appender{session: s, mu: mu, work: w}
}

// AppendPart is Session.AppendPart. Several goroutines add the long part, a batch's spans, at once.
func (a *Appender) AppendPart(b *model.Batch, spans int) (done bool) {
	p := &a.part
	a.mu.Lock()
	defer a.mu.Unlock()
	a.session.rev++
	if p.track == nil && !a.session.beginAppend(b, p) {
		return true
	}
	a.mu.Unlock()
	all := p.spans(spans, a.work)
	a.mu.Lock()
	a.session.rev++ // an answer that was kept meanwhile is out of date
	if !all {
		p.track.cover(p.got.Lo, p.got.Hi)
		p.track.count()
		p.parts = true
		return false
	}
	a.session.endAppend(p)
	return true
}

// pending is a batch on its way into a session, see beginAppend.
type pending struct {
	track   *Track // nil: none
	batch   *model.Batch
	follows bool // the batch goes on where the track's last one ended
	known   int  // call paths that were defined by then
	taken   int  // spans
	parts   bool // it is appended in several
	got     spans.Appended
	args    argued
}

// beginAppend is the first of the three steps that Append takes. Of several goroutines one at a time may
// begin and end, and apply changes; spans, most of the work, they may do at once. A track has one batch at
// a time on its way. It returns false where the whole batch was taken, or refused.
func (s *Session) beginAppend(b *model.Batch, p *pending) (more bool) {
	s.appends++
	s.clock.appends++
	s.newest = s.clock.appends
	s.appendSamples(b)
	if b.Track == model.NoTrack && !b.HasFrame && !b.Open &&
		b.NumSpans()+len(b.Levels)+len(b.Messages)+len(b.Locks)+len(b.Flows) == 0 {
		return false
	}
	t := s.ensureTrack(b.Track)
	if t == nil {
		s.limit(model.NoTrack, 1, "batch of a track out of bounds")
		return false
	}
	t.makeRoom()
	begin, number := model.ClampTime(b.Begin), clampNumber(b.Number)
	follows := true
	if b.HasFrame {
		if b.Rewind {
			t.rewind(number)
		}
		last, lastEnd, some := t.frames.Newest()
		if some && number <= last {
			s.lose(model.Loss{Reason: model.LossLate, Track: b.Track, N: 1, Frames: 1, Begin: begin, End: model.ClampTime(b.End),
				Detail: "a frame came after a later one of its track"})
			return false
		}
		follows = !some || number == last+1 // nothing is missing before the first
		t.comesBack(number)
		if model.ClampTime(b.End) < begin {
			s.limit(b.Track, 1, "a frame ended before it began")
		}
		t.spans.BeginFrame(t.frames.End(), some && begin < lastEnd)
	} else if b.Rewind {
		t.rewind(number)
	}
	if b.Open && !b.HasFrame {
		end := max(begin, model.ClampTime(b.End))
		t.frames.SetOpen(frames.Open{Number: number, Begin: begin, End: end})
		t.cover(begin, end)
	}
	s.mark(t, b, begin)
	s.markAsync(t, b)
	if len(b.Spans)+len(b.Rows) > 0 {
		t.spans.Enter()
	}
	t.filled = true
	*p = pending{track: t, batch: b, follows: follows, known: s.paths.Len(), got: spans.Nothing(),
		args: argued{at: p.args.at[:0]}}
	return true
}

// spans adds so many spans at most and reports whether these were all.
func (p *pending) spans(most int, w *spans.Work) (all bool) {
	to := len(p.batch.Spans)
	if most < to-p.taken {
		to = p.taken + most
	}
	if len(p.batch.Args) > 0 {
		p.noteArgs(to, w)
	}
	p.append(to, w)
	if to < len(p.batch.Spans) {
		return false
	}
	if rows := p.batch.Rows; len(rows) > 0 {
		p.track.spans.AppendRows(rows, p.batch.HasFrame, p.known, w, &p.got)
	}
	return true
}

// append adds the spans up to one.
func (p *pending) append(to int, w *spans.Work) {
	p.track.spans.Append(p.batch.Spans[p.taken:to], p.batch.HasFrame, p.follows, p.known, w, &p.got)
	p.taken = to
}

// endAppend adds the rest of the batch after its spans. p is empty then.
func (s *Session) endAppend(p *pending) {
	t, b, number := p.track, p.batch, clampNumber(p.batch.Number)
	t.cover(p.got.Lo, p.got.Hi)
	t.lanes = uint16(t.spans.Lanes())
	if t.numSpans += int64(p.got.Began); p.parts {
		t.count()
	}
	s.limitSpans(b.Track, &p.got)
	if b.HasFrame {
		begin := model.ClampTime(b.Begin)
		end := max(begin, model.ClampTime(b.End))
		s.appendSelf(t, b.Self)
		s.appendLevels(t, b)
		t.frames.Push(number, begin, end, p.got.Began)
		t.numFrames++
		t.came(begin, end)
		t.cover(begin, end)
	} else {
		s.appendLoose(t, b)
	}
	s.appendNotes(t, b, number)
	s.appendFlows(t, b, number)
	if len(b.Args) > 0 {
		s.appendArgs(p)
	}
	t.filled = false
	*p = pending{args: argued{at: p.args.at[:0]}}
}

func clampNumber(n int64) int64 { return min(max(n, -frames.MaxNumber), frames.MaxNumber) }

// limitSpans reports spans that were out of bounds.
func (s *Session) limitSpans(track model.TrackID, r *spans.Appended) {
	if r.BadLanes|r.BadPaths|r.BadTimes|r.Overlaps == 0 {
		return
	}
	if unread := s.losses[model.LossDamaged] + s.losses[model.LossTruncated]; unread > 0 && r.BadPaths > 0 {
		s.lose(model.Loss{Reason: model.LossMalformed, Track: track, N: r.BadPaths,
			Detail: "spans of call paths that were defined in a damaged place"})
		r.BadPaths = 0
	}
	for _, bad := range []struct {
		n    int64
		what string
	}{
		{r.BadLanes, "spans nested deeper than 4096 were dropped"},
		{r.BadPaths, "spans of undefined call paths"},
		{r.BadTimes, "spans that ended before they began"},
		{r.Overlaps, "spans that overlapped in a lane were cut"},
	} {
		if bad.n > 0 {
			s.limit(track, bad.n, bad.what)
		}
	}
}

// appendSelf adds the self times of a frame.
func (s *Session) appendSelf(t *Track, self []model.CollectorTime) {
	for i := 1; i < len(self); i++ {
		if self[i-1].Collector >= self[i].Collector {
			self = s.sortedSelf(self)
			break
		}
	}
	var bad int64
	for _, a := range self {
		if !s.collectors.EnsureTimed(a.Collector) {
			bad++
			continue
		}
		a.Ns, a.Count = model.ClampTime(a.Ns), max(a.Count, 0)
		t.frames.PushSelf(a)
	}
	if bad > 0 {
		s.limit(t.Def.ID, bad, "times of collectors out of bounds")
	}
}

// sortedSelf returns the times in ascending order of collector, those of the same collector
// summed.
func (s *Session) sortedSelf(self []model.CollectorTime) []model.CollectorTime {
	list := append(s.selfTimes[:0], self...)
	slices.SortFunc(list, func(a, b model.CollectorTime) int { return cmp.Compare(a.Collector, b.Collector) })
	k := 0
	for _, a := range list {
		if k > 0 && list[k-1].Collector == a.Collector {
			list[k-1].Ns = model.ClampTime(model.ClampTime(list[k-1].Ns) + model.ClampTime(a.Ns))
			list[k-1].Count = int32(min(int64(list[k-1].Count)+int64(a.Count), math.MaxInt32))
			continue
		}
		list[k] = a
		k++
	}
	s.selfTimes = list
	return list[:k]
}

// appendLevels adds the levels of a frame: ascending by collector, the last of each.
func (s *Session) appendLevels(t *Track, b *model.Batch) {
	list := s.validLevels(b)
	for i := 1; i < len(list); i++ {
		if list[i-1].Collector >= list[i].Collector {
			slices.SortStableFunc(list, func(a, b model.Level) int { return cmp.Compare(a.Collector, b.Collector) })
			break
		}
	}
	for i, v := range list {
		if i+1 < len(list) && list[i+1].Collector == v.Collector {
			continue
		}
		t.frames.PushLevel(v)
	}
}

// appendLoose adds levels that belong to no frame.
func (s *Session) appendLoose(t *Track, b *model.Batch) {
	for _, v := range s.validLevels(b) {
		t.frames.PushLoose(v)
		t.cover(v.Time, v.Time)
	}
}

// validLevels returns the levels with a number for a value and a possible collector, in s.levels.
func (s *Session) validLevels(b *model.Batch) []model.Level {
	s.levels = s.levels[:0]
	for _, v := range b.Levels {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || !s.collectors.Ensure(v.Collector) {
			s.limit(b.Track, 1, "levels that are no number or of collectors out of bounds")
			continue
		}
		s.collectors.MarkLevel(v.Collector)
		v.Time, v.Value = model.ClampTime(v.Time), min(max(v.Value, -maxLevel), maxLevel)
		s.levels = append(s.levels, v)
	}
	return s.levels
}

// appendNotes adds messages and lock events.
func (s *Session) appendNotes(t *Track, b *model.Batch, number int64) {
	if !b.HasFrame {
		number = model.NoFrame
	}
	for _, m := range b.Messages {
		m.Time = model.ClampTime(m.Time)
		if len(m.Text) > messages.MaxText {
			m.Text = m.Text[:messages.MaxText]
			s.limit(b.Track, 1, "messages longer than 64 KiB were cut")
		}
		t.messages.Queue(&m, number)
	}
	if len(b.Messages) > 0 {
		if late := t.messages.Take(); late > 0 {
			s.lose(model.Loss{
				Reason: model.LossLate, Track: b.Track, N: int64(late),
				Detail: "messages came too late to be put in their place",
			})
		}
		t.coverPart(&t.messages)
		t.noted = true
	}
	for _, e := range b.Locks {
		if !s.collectors.Ensure(e.Lock) {
			s.limit(b.Track, 1, "events of locks out of bounds")
			continue
		}
		e.Time = model.ClampTime(e.Time)
		t.locks.Queue(e, number)
	}
	if len(b.Locks) > 0 {
		if late := t.locks.Take(t.lo); late > 0 {
			s.lose(model.Loss{
				Reason: model.LossLate, Track: b.Track, N: int64(late),
				Detail: "lock events came too late to be put in their place",
			})
		}
		t.coverPart(&t.locks)
	}
}
