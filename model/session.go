package model

// Store holds all sessions of one viewer and bounds their memory.
type Store struct {
	// MemoryLimit bounds the bytes that all sessions together keep; the oldest chunks leave first. 0 means 2 GiB.
	MemoryLimit int64
	sessions    []*Session
}

// NewSession adds an empty session.
func (st *Store) NewSession() *Session {
	s := NewSession()
	st.sessions = append(st.sessions, s)
	return s
}

// Sessions returns the sessions in the order of their arrival. The slice is the store's own.
func (st *Store) Sessions() []*Session { return st.sessions }

// Remove forgets a session.
func (st *Store) Remove(s *Session) {
	for i, o := range st.sessions {
		if o == s {
			st.sessions = append(st.sessions[:i], st.sessions[i+1:]...)
			return
		}
	}
}

// Session is one connected program or one opened file.
type Session struct{}

// NewSession returns an empty session outside any Store.
func NewSession() *Session { return &Session{} }

// Apply takes a definition or a fact. It never fails: what is out of bounds is clamped or ignored and counted as LossLimit.
func (s *Session) Apply(c Change) {}

// Append takes one batch; b is not kept. Cost: amortised O(spans in b).
func (s *Session) Append(b *Batch) {}

// Revision changes whenever Apply or Append changed anything; charts reuse what they drew while it stays the same.
func (s *Session) Revision() uint64 { return 0 }

// DefsRevision changes whenever a definition changed (collectors, tracks, paths): for menus and label lists.
func (s *Session) DefsRevision() uint64 { return 0 }

// Info returns what is known of the program.
func (s *Session) Info() Info { return Info{} }

// Ended tells whether the session receives nothing more, and why.
func (s *Session) Ended() (reason string, ended bool) { return "", false }

// Bounds returns the time from the earliest to the latest stored time of all tracks (those with OwnClock excepted unless there is no other). ok is false while nothing is stored.
func (s *Session) Bounds() (begin, end int64, ok bool) { return }

// Memory returns the bytes that the session keeps, by kind.
func (s *Session) Memory() Memory { return Memory{} }

// Memory is resident memory in bytes by kind.
type Memory struct{ Spans, Pyramids, Frames, Totals, Levels, Other int64 }

// Total is the sum of all kinds.
func (m Memory) Total() int64 {
	return m.Spans + m.Pyramids + m.Frames + m.Totals + m.Levels + m.Other
}

// Losses returns how much is missing for each reason, over all tracks, with the newest details (at most 64) as lines.
func (s *Session) Losses() (n [NumLossReasons]int64, lines []string) { return }

// Collector returns the collector of an id. Undefined ids give a placeholder named "#id".
func (s *Session) Collector(id CollectorID) *Collector { return nil }

// NumCollectors returns one more than the greatest collector id ever defined or used.
func (s *Session) NumCollectors() int { return 0 }

// Children returns the children of a collector in the static hierarchy, in descending sort, ties by descending id (pstats-viewer section 4.2).
// The root (0) is never its own child. The slice is the session's own.
func (s *Session) Children(id CollectorID) []CollectorID { return nil }

// IsDescendant tells whether c is a or lies below a in the static hierarchy. Everything lies below 0.
func (s *Session) IsDescendant(c, a CollectorID) bool { return false }

// Path returns parent path and collector of a call path.
func (s *Session) Path(id PathID) (parent PathID, c CollectorID) { return }

// Collector is what is measured.
type Collector struct {
	ID       CollectorID
	Name     string
	FullName string // names from the root joined with ':', without the root's own ("Frame"); placeholders included
	Parent   CollectorID
	Color    RGB
	Sort     int
	Unit     string
	Scale    float64
	Factor   float64
	Defined  bool
	HasTime  bool // time was ever charged to it or to something below it
	HasLevel bool // a level was ever received for it or for something below it
}

// NumTracks returns the number of tracks.
func (s *Session) NumTracks() int { return 0 }

// Track returns a track; nil when there is none of that id.
func (s *Session) Track(id TrackID) *Track { return nil }

// Track is one thread or other line of execution of a session.
type Track struct {
	Def   TrackDef
	Alive bool
}

// Title returns the track's name, or a placeholder made of its index.
func (t *Track) Title() string { return "" }

// NumFrames returns the number of frames stored.
func (t *Track) NumFrames() int { return 0 }

// Frame returns the i-th stored frame, 0 the oldest. Frames are in ascending order of number.
func (t *Track) Frame(i int) Frame { return Frame{} }

// FrameByNumber returns the index of the frame with that number; ok is false when it is not stored (the index is then where it would be).
func (t *Track) FrameByNumber(number int64) (i int, ok bool) { return }

// FrameAt returns the index of the newest frame whose Begin <= timeNs, -1 before the first (pstats-viewer section 2, intended answers).
func (t *Track) FrameAt(timeNs int64) int { return -1 }

// FrameRate returns frames per second over the last windowNs, dropped numbers counted (pstats-viewer section 2).
func (t *Track) FrameRate(windowNs int64) float64 { return 0 }

// Missing returns how many frame numbers between the first and the last stored frame were never received.
func (t *Track) Missing() int64 { return 0 }

// Gaps appends to out the gaps that touch [t0, t1].
func (t *Track) Gaps(t0, t1 int64, out []Gap) []Gap { return out }

// Evicted returns how many frames left because of the memory bound.
func (t *Track) Evicted() int64 { return 0 }

// Lanes returns the number of rows that spans occupy.
func (t *Track) Lanes() int { return 0 }

// Bounds returns the earliest and latest stored time of the track.
func (t *Track) Bounds() (begin, end int64, ok bool) { return }

// NumSpans returns the number of spans stored.
func (t *Track) NumSpans() int64 { return 0 }

// Frame is one received frame of one track.
type Frame struct {
	Number     int64
	Begin, End int64
	Spans      int32 // spans that began in it
	Levels     int32
	Missing    int64 // frame numbers missing directly before it
}

// Gap is a missing run of frames.
type Gap struct {
	FirstNumber, LastNumber int64
	Begin, End              int64 // end of the frame before, begin of the frame after
}

// Count is the number of frames missing.
func (g Gap) Count() int64 { return g.LastNumber - g.FirstNumber + 1 }
