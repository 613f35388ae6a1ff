// Package store holds the sessions that Framescope shows, and the store that bounds their memory:
// appended data goes to the packages that hold it (frames, spans, messages, locks, args, which know no
// sessions), and the oldest leaves. It answers queries that need several of them. It knows the model but no source
// and no screen.
//
// The store changes only inside Session.Apply, Session.Append and Store.EnforceLimit. One goroutine at a time
// does all of it, queries included (the game loop, that of feed.Hub.LetIn between its ticks, or that of a
// report): nothing here is locked, and the sessions of a store share their working memory. Only the spans of different tracks may be
// appended by several goroutines at once (Appender), with no queries meanwhile.
package store

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/args"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/locks"
	"framescope/model/messages"
	"framescope/model/spans"
)

// maxTracks bounds the track table. A track without data takes some 2.5 KB.
const maxTracks = 1 << 16

// maxTrackHole is how many ids may be missing before one: ids are dense, a hole this large is not a
// few lost definitions.
const maxTrackHole = 256

// Session is one connected program or one opened file.
type Session struct {
	rev         uint64
	trackRev    uint64
	info        model.Info
	ended       bool
	removed     bool // from its store
	held        bool // see Hold
	endReason   string
	collectors  model.CollectorKeeper
	paths       spans.PathKeeper
	tracks      []*Track
	cutBy       model.TrackID // one more than the track with frames that cut all others (TrackDef.Main)
	empty       *trackData    // of tracks that hold nothing
	parts       parts         // that may leave memory
	losses      [model.NumLossReasons]int64
	lossLines   []string        // the newest
	stops       []frames.Stop   // scratch
	stretches   []model.Stretch // scratch
	gaps        gapLine         // their line on gaps
	limits      []LimitCount
	diagnostics []model.Loss
	warnings    []string
	ledger      ledgerBook
	series      spans.SeriesKeeper
	samples     marks // of the samples of all series
	topology    TopologyKeeper
	locks       locks.Keeper
	spans       spans.Keeper
	frames      frames.Keeper
	messages    messages.Keeper
	flows       spans.FlowKeeper
	args        args.Keeper
	clock       *storeClock // the store's
	mem         memory
	booked      columns.Booked // definitions and scratch memory
	beside      []*Beside
	levels      []model.Level // of the frame being appended, sorted
	selfTimes   []model.CollectorTime
	appends     uint64
	began       int64 // the first time of tracks on its clock
	begun       bool
	newest      uint64    // the store's count of appends at the last one
	own         *Appender // of whoever appends alone
	main        answer[model.TrackID]
	framed      answer[bool]
	contents    answer[Contents]
	bounds      answer[bounds]
	missing     answer[int64]
	counts      answer[model.Ledger]
	looked      model.TrackID // the viewed track, plus 1; 0: none
	torn        int64
	framesOn    map[[2]model.TrackID]*framesOn // adders of a track in the frames of one
}

// NewSession returns an empty session outside any Store.
func NewSession() *Session {
	return newSession(new(storeClock), columns.Heap(), new(columns.Sum))
}

func newSession(clock *storeClock, pool *columns.Pool, total *columns.Sum) *Session {
	s := &Session{clock: clock}
	s.mem.init(pool, total)
	s.paths.Init()
	s.series.Init(s.mem.account(kindSeries), s.mem.account(kindOther))
	s.samples.acc = s.mem.account(kindSeries)
	s.topology.Init(s.mem.account(kindOther))
	s.collectors.Init(s.mem.account(kindOther))
	s.spans.Init(spans.Host{
		Collectors: s.Collectors(), Paths: s.Paths(), Series: s.Series(), Revision: &s.rev, Kind: s.kindOf,
		Timeless: func() bool { return s.info.Sampling.Timeless },
		Idle:     func() bool { return s.info.Sampling.Idle },
		Stops:    s.stopsIn,
		Work:     &clock.work.spans,
		Spans:    s.mem.account(kindSpans), Pyramids: s.mem.account(kindPyramids), Other: s.mem.account(kindOther),
	})
	s.own = newAppender(s, noLock{}, s.spans.Lanes().Work())
	s.frames.Init(frames.Host{
		Collectors: s.Collectors(), Latest: s.latestOf, Tiles: func() frames.Tiles { return s.spans.Tiles() },
		Work: &clock.work.frames, Frames: s.mem.account(kindFrames), Totals: s.mem.account(kindTotals),
		Levels: s.mem.account(kindLevels), Other: s.mem.account(kindOther),
	})
	s.locks.Init(lockTimes{s}, s.mem.account(kindOther))
	s.messages.Init(s.mem.account(kindOther))
	s.flows.Init(s.mem.account(kindOther))
	s.args.Init(s.mem.account(kindOther))
	s.info.PID = -1
	s.empty = newTrackData(s, model.NoTrack)
	s.account()
	return s
}

// account books definitions and scratch memory.
func (s *Session) account() {
	s.series.Settle()
	s.topology.Settle()
	n := columns.SizeOf[Session]() + columns.SizeOf[trackData]() + s.collectors.Size() + s.spans.Size() + s.paths.Size() +
		s.args.Size()
	n += int64(cap(s.tracks)) * 8
	n += int64(cap(s.levels))*columns.SizeOf[model.Level]() + int64(cap(s.selfTimes))*columns.SizeOf[model.CollectorTime]()
	s.booked.Set(s.mem.account(kindOther), n)
}

// clear frees all data and definitions. The session's name and losses stay.
func (s *Session) clear() {
	s.rev++
	s.trackRev++
	for _, t := range s.tracks {
		t.clear()
	}
	s.tracks, s.parts.oldest, s.parts.wholes, s.parts.hollow = nil, nil, nil, nil
	s.parts.account(&s.mem)
	s.locks.Clear()
	s.spans.Clear()
	s.frames.Clear()
	s.series.Clear()
	s.samples.clear()
	s.topology.Clear()
	s.messages.Clear()
	s.flows.Clear()
	s.args.Clear()
	s.collectors.Clear()
	s.paths.Clear()
	s.levels, s.selfTimes = nil, nil
	for _, b := range s.beside {
		b.Set(0)
	}
	s.own.part = pending{}
	s.clock.work = scratch{}
	s.account()
}

// Apply takes a definition or a fact. It never fails: out-of-bounds data is clamped or ignored and
// counted as LossLimit.
func (s *Session) Apply(c model.Change) {
	s.rev++
	defer s.account()
	switch c := c.(type) {
	case model.Info:
		if c.ZeroAt.UnixNs == 0 {
			c.ZeroAt = s.info.ZeroAt
		}
		s.info = c
	case model.CollectorDef:
		if math.IsNaN(c.Scale) || math.IsInf(c.Scale, 0) {
			c.Scale = 0
		}
		if math.IsNaN(c.Factor) || math.IsInf(c.Factor, 0) {
			c.Factor = 0
		}
		s.demand(s.collectors.Define(c), "collector definition out of bounds")
	case model.TrackDef:
		t := s.ensureTrack(c.ID)
		if t == nil {
			s.limit(model.NoTrack, 1, "track definition out of bounds")
			return
		}
		if !t.defined || t.Def != c {
			s.mem.account(kindOther).Add(int64(len(c.Name) - len(t.Def.Name)))
			if t.Def, t.defined = c, true; t.holds() {
				t.frames.Skip(c.Skips)
			}
			if c.Main {
				s.cutBy = c.ID + 1
			} else if s.cutBy == c.ID+1 {
				s.cutBy = 0
			}
			s.trackRev++
		}
	case model.TrackEnd:
		if t := s.Track(c.ID); t != nil && t.Alive {
			t.Alive = false
			s.trackRev++
		}
	case model.PathDef:
		if !s.collectors.EnsureTimed(c.Collector) {
			s.limit(model.NoTrack, 1, "call path of a collector out of bounds")
			c.Collector = 0
			s.collectors.EnsureTimed(0)
		}
		s.demand(s.paths.Define(c), "call path out of bounds, with a wrong parent, or defined twice")
	case model.SeriesDef:
		s.demand(s.series.Define(c), "series definition out of bounds")
	case model.ObjectDef:
		s.demand(s.topology.DefineObject(c), "object definition out of bounds")
	case model.LinkDef:
		s.demand(s.topology.DefineLink(c), "link definition out of bounds")
	case model.ResourceDef:
		s.demand(s.topology.DefineResource(c), "listed object out of bounds")
	case model.RefEvent:
		s.demand(s.topology.AddRef(c), "reference event out of bounds")
	case model.FlowDef:
		s.demand(s.flows.Define(c), "name of flows out of bounds")
	case model.Warning:
		if len(s.warnings) < maxWarnings && !slices.Contains(s.warnings, c.Text) {
			s.warnings = append(s.warnings, c.Text)
		}
	case model.Loss:
		s.lose(c)
	case model.End:
		if !s.ended {
			s.clock.ended = append(s.clock.ended, s)
			s.collectors.Settle()
		}
		s.ended, s.endReason = true, c.Reason
	}
}

// Revision changes whenever Apply or Append changed anything; charts reuse their drawings while it
// stays the same.
func (s *Session) Revision() uint64 { return s.rev }

// DefsRevision changes whenever a definition changed (collectors, tracks, paths): for menus and
// label lists.
func (s *Session) DefsRevision() uint64 {
	return s.collectors.Tree().Rev + s.paths.Revision() + s.trackRev + s.series.Revision() + s.topology.Revision()
}

// Info returns the known facts about the program.
func (s *Session) Info() model.Info { return s.info }

// Hold sets whether the session is viewed, so that its data leaves memory in the order of its age,
// as that of live sessions, though it may have ended.
func (s *Session) Hold(on bool) {
	if s.held && !on && s.ended {
		s.clock.ended = append(s.clock.ended, s)
	}
	s.held = on
}

// LookAt sets the viewed track: some of it stays in memory whatever the limit, as long as the
// session goes on or is held.
func (s *Session) LookAt(track model.TrackID) { s.looked = max(track, model.NoTrack) + 1 }

// Torn is how often a track that had to leave memory wholly got more. Where that is not 0 the limit
// is too low for so many tracks that send.
func (s *Session) Torn() int64 { return s.torn }

// BrokeOff reports whether the session ended because its program or the connection broke, also one that was read again
// from disk.
func (s *Session) BrokeOff() bool { return strings.HasPrefix(s.endReason, model.BrokeOff) }

// Ended reports whether the session receives nothing more, and why.
func (s *Session) Ended() (reason string, ended bool) { return s.endReason, s.ended }

// Bounds returns the time from the earliest to the latest stored time of all tracks (those with
// OwnClock excepted unless there is nothing else) and of all samples. ok is false while nothing is
// stored.
func (s *Session) Bounds() (begin, end int64, ok bool) {
	b := s.bounds.of(s, (*Session).findBounds)
	return b.begin, b.end, b.ok
}

type bounds struct {
	begin, end int64
	ok         bool
}

func (s *Session) findBounds() bounds {
	begin, end, ok := s.series.Bounds()
	for _, own := range [...]bool{false, true} {
		for _, t := range s.tracks {
			if t.Def.OwnClock != own {
				continue
			}
			b, e, some := t.Bounds()
			if !some {
				continue
			}
			if !ok {
				begin, end, ok = b, e, true
				continue
			}
			begin, end = min(begin, b), max(end, e)
		}
		if ok {
			return bounds{begin, end, true}
		}
	}
	return bounds{}
}

// NumTracks returns the number of tracks.
func (s *Session) NumTracks() int { return len(s.tracks) }

// Track returns a track; nil when there is none of that id.
func (s *Session) Track(id model.TrackID) *Track {
	if uint(id) >= uint(len(s.tracks)) {
		return nil
	}
	return s.tracks[id]
}

// ensureTrack returns the track of an id, a new one if need be; nil if it is out of bounds.
func (s *Session) ensureTrack(id model.TrackID) *Track {
	if id < 0 || id >= maxTracks || int(id)-len(s.tracks) > maxTrackHole {
		return nil
	}
	for int(id) >= len(s.tracks) {
		n := len(s.tracks)
		t := newTrack(s, model.TrackID(n))
		s.tracks = append(s.tracks, t)
		s.trackRev++
	}
	return s.tracks[id]
}

// latestOf returns the latest time of a track.
func (s *Session) latestOf(id model.TrackID) int64 { return s.tracks[id].hi }

// kindOf returns the kind of a track.
func (s *Session) kindOf(id model.TrackID) model.TrackKind { return s.tracks[id].Def.Kind }

// maxLossLines bounds the lines kept of losses.
const maxLossLines = 64

// lose counts a loss. Its line is written only once while the newest line is the same.
func (s *Session) lose(l model.Loss) {
	if l.Reason >= model.NumLossReasons {
		return
	}
	s.ledger.enter(&l, s)
	if l.N <= 0 {
		return
	}
	s.losses[l.Reason] = model.AddSat(s.losses[l.Reason], l.N)
	if t := s.Track(l.Track); t != nil {
		t.losses[l.Reason] = model.AddSat(t.losses[l.Reason], l.N)
	}
	s.beyond(&l)
	s.diagnose(&l)
	if l.Detail == "" {
		return
	}
	line := l.Line()
	if l.Reason == model.LossBetween {
		s.lossLines, line = s.gaps.replace(s.lossLines, &l)
	}
	if slices.Contains(s.lossLines, line) {
		return // hostile input, or very many tracks, must not push out the rest
	}
	if len(s.lossLines) == maxLossLines {
		s.lossLines = s.lossLines[:copy(s.lossLines, s.lossLines[1:])]
	}
	s.lossLines = append(s.lossLines, line)
}

// demand counts a definition that was not taken.
func (s *Session) demand(taken bool, what string) {
	if !taken {
		s.limit(model.NoTrack, 1, what)
	}
}

// limit counts n things beyond a limit.
func (s *Session) limit(track model.TrackID, n int64, what string) {
	s.lose(model.Loss{Reason: model.LossLimit, Track: track, N: n, Limit: what, Detail: what})
}

// WithoutFrames returns the error of a session that lacks frames, with what its source said that may be some.
func (s *Session) WithoutFrames(err error) error {
	for _, w := range s.warnings {
		if strings.Contains(w, "--frames") {
			return fmt.Errorf("%w. %s", err, strings.TrimSuffix(w, "."))
		}
	}
	return err
}

// maxWarnings bounds the warnings of a session.
const maxWarnings = 8

// Warnings returns the warnings on the session's data, oldest first. The slice only grows.
func (s *Session) Warnings() []string { return s.warnings }

// LimitCount is how much was beyond one limit.
type LimitCount struct {
	What string // the excess data, and the missing results
	N    int64
}

// maxLimits bounds the limits that are counted apart.
const maxLimits = 64

// beyond counts the losses of each limit separately.
func (s *Session) beyond(l *model.Loss) {
	if l.Reason != model.LossLimit || l.Limit == "" {
		return
	}
	for i := range s.limits {
		if x := &s.limits[i]; x.What == l.Limit {
			x.N = model.AddSat(x.N, l.N)
			return
		}
	}
	if len(s.limits) < maxLimits {
		s.limits = append(s.limits, LimitCount{l.Limit, l.N})
	}
}

// Limits returns the excess over each limit, in the order in which they were reached, as far as
// sources report it. The slice is the session's own and valid until it changes.
func (s *Session) Limits() []LimitCount { return s.limits }

// diagnose adds a loss to the diagnostic of its kind.
func (s *Session) diagnose(l *model.Loss) {
	if l.Kind == "" {
		return
	}
	i := slices.IndexFunc(s.diagnostics, func(d model.Loss) bool { return d.Kind == l.Kind })
	if i >= 0 {
		s.diagnostics[i].N = model.AddSat(s.diagnostics[i].N, l.N)
	} else if len(s.diagnostics) < maxLimits {
		s.diagnostics = append(s.diagnostics, *l)
	}
}

// Diagnostics returns the losses that are diagnostics of the recording, one for each kind, with the place of the
// first. The slice is the session's own and valid until it changes.
func (s *Session) Diagnostics() []model.Loss { return s.diagnostics }

// Losses returns how much is missing for each reason, over all tracks, with the newest details (at
// most 64) as lines, the oldest first. LossNumbers is the sum of the gaps in the frame numbers,
// including those that left memory. lines is the session's own and valid until it changes.
func (s *Session) Losses() (n [model.NumLossReasons]int64, lines []string) {
	n = s.losses
	n[model.LossNumbers] = model.AddSat(n[model.LossNumbers], s.missing.of(s, (*Session).sumMissing))
	return n, s.lossLines
}

// sumMissing returns the sum of the gaps in the frame numbers of all tracks.
func (s *Session) sumMissing() (n int64) {
	for _, t := range s.tracks {
		n = model.AddSat(n, model.AddSat(t.evictedMissing, t.Missing()))
	}
	return n
}

// Memory returns the bytes that the session keeps, by kind: data, derived data, definitions, and
// cached answers. It costs nothing.
func (s *Session) Memory() Memory { return s.mem.sum() }

// Collectors returns the targets that time and levels are charged to.
func (s *Session) Collectors() *model.Collectors { return &s.collectors.Collectors }

// Treat takes what the user says of the program: which collectors wait, and which work, whatever they are called, and
// what is a hitch.
func (s *Session) Treat(as model.Treat) {
	s.collectors.Treat(as)
	s.frames.SetHitches(as.HitchLimit)
}

// Paths returns the call paths.
func (s *Session) Paths() *spans.PathTable { return &s.paths.PathTable }

// Locks returns the use of locks by threads.
func (s *Session) Locks() *locks.Table { return &s.locks.Table }

// Messages returns the log messages.
func (s *Session) Messages() *messages.Table { return &s.messages.Table }

// Flows returns the arrows from span to span.
func (s *Session) Flows() *spans.FlowTable { return &s.flows.FlowTable }

// Args returns the arguments of calls.
func (s *Session) Args() *args.Table { return &s.args.Table }

// Frames returns the frames of threads, with their content.
func (s *Session) Frames() *frames.Table { return &s.frames.Table }

// Spans returns the spans of threads.
func (s *Session) Spans() *spans.Table { return &s.spans.Table }

// Some reports whether anything was measured.
func (s *Session) Some() bool { return s.NumTracks() > 0 || s.Series().Len() > 0 }

// Series returns the measurements over time.
func (s *Session) Series() *spans.SeriesTable { return &s.series.SeriesTable }

// Topology returns the parts of the program, and the listings of leak tracers.
func (s *Session) Topology() *TopologyTable { return &s.topology.TopologyTable }

// lockTimes gives the locks the session's present time.
type lockTimes struct{ s *Session }

// Now returns the latest time of the session's tracks.
func (x lockTimes) Now() int64 {
	_, end, ok := x.s.Bounds()
	if !ok {
		return model.MinTime
	}
	return end
}

// End returns where an open use of a track ends: with the session, or with the track if it is no
// longer alive.
func (x lockTimes) End(track model.TrackID, now int64) int64 {
	t := x.s.tracks[track]
	if t.Alive && !t.Def.OwnClock {
		return max(t.hi, now)
	}
	return t.hi
}

// Collector is Collectors().ByID: nearly every query needs the name of its result.
func (s *Session) Collector(id model.CollectorID) *model.Collector { return s.collectors.ByID(id) }

// Path is Paths().ByID.
func (s *Session) Path(id model.PathID) (parent model.PathID, c model.CollectorID) {
	return s.paths.ByID(id)
}
