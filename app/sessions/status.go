package sessions

import (
	"time"

	"framescope/model/store"
	"framescope/widgets"
)

// Status is how the shown session fares.
type Status struct {
	// Live reports whether it still receives something, Loading whether its file is still being read.
	Live, Loading bool
	// Problem is why it could not be read, AtEnd the progress of one that is readable only at its end;
	// else they are empty.
	Problem, AtEnd string
	// Silence is how long it has received nothing, Lag how far the shown data is behind the program.
	Silence widgets.Silence
	Lag     time.Duration
	// Recording reports that it is being written to a file, Recordable that it can be.
	Recording, Recordable bool
	// Record is the progress of that, RecordTip the target or the error; Unrecorded reports that part
	// of it cannot be written to disk now.
	Record, RecordTip string
	Unrecorded        bool
	// Keeps reports that there is a place on disk for sessions, Awaits that clients are awaited.
	Keeps, Awaits bool
	Listening     widgets.Listening
}

// Status returns how the shown session fares.
func (ss *Sessions) Status() Status {
	s := ss.active
	own := ss.ownerOf(s)
	st := Status{
		Live: ss.Live(), Loading: ss.loading(s), Problem: own.problem(), AtEnd: ss.atEnd(s),
		Keeps: ss.keepsSessions(), Awaits: ss.opt.Listen != "", Listening: ss.Listening(),
	}
	_, st.Recording = ss.recording(s)
	st.Recordable = st.Live || own.recorder() != nil
	st.Record, st.RecordTip, st.Unrecorded = ss.recordChip()
	if e, ok := ss.hub.EntryOf(s); ok {
		st.Silence = ss.silenceOf(e)
		if st.Live && !ss.opt.Deterministic {
			st.Lag = e.Feed.Stats().Lag
		}
	}
	return st
}

// Title names the shown session for people, empty if there is none.
func (ss *Sessions) Title() string { return ss.TitleOf(ss.active) }

// Contents returns the contents of the shown session.
func (ss *Sessions) Contents() store.Contents { return ss.has.now(ss.active) }

// Kind is the key for the user's choice of workspace for the shown session, empty without a session.
func (ss *Sessions) Kind() string {
	if ss.active == nil {
		return ""
	}
	return ss.Contents().Kind(ss.active.Info().Source)
}

// ListsSome reports whether the list of sessions has something to say.
func (ss *Sessions) ListsSome() bool {
	return len(ss.hub.Entries()) > 0 || ss.Silent() != widgets.Silent{}
}

// Memory returns the memory of the program by user.
func (ss *Sessions) Memory() *widgets.MemoryUse { return &ss.memory.use }

// Took returns how long the last tick needed for new data.
func (ss *Sessions) Took() time.Duration { return ss.lastPoll.Took }

// Costs fills in the costs of sessions.
func (ss *Sessions) Costs(c *widgets.Costs) {
	c.Decode, c.Batches, c.Spans = ss.lastPoll.Took, ss.lastPoll.Batches, ss.lastPoll.Spans
	c.Memory, c.Sessions = ss.memory.use, ss.store.Memory()
	st := ss.hub.Stats()
	c.Waiting, c.Lag, c.Dropped = st.Waiting, st.Lag, st.Dropped
}
