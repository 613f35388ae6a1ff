// Package sessions owns everything that the program has received or opened: the sources of sessions,
// their data in memory and on disk, the choice of the shown one, and the related messages and
// questions. It depends on the prompt, the settings and the library, and on no chart panel.
package sessions

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"framescope/app/library"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/widgets"
)

// Sessions is everything that the program has received or opened: its sources, the stored data, and the
// shown session. Only the goroutine of the game loop calls its methods; other goroutines go through the
// hub and the inbox.
type Sessions struct {
	// Budgets opens a budget file that was dropped on the window, or chosen to be opened.
	Budgets func(path string)
	// Attached returns what a saved session has besides its data and bookmarks: see framescope.Options.
	Attached func() map[string][]byte
	// Named are the files of the options, as they were named.
	Named []Opening

	opt      *Options
	settings *settings.Settings
	ask      *workspace.Prompt

	store     *store.Store
	hub       *feed.Hub
	sources   sources
	library   *library.Library
	target    *library.Target // of Options.Record, nil: none
	disk      diskList
	kept      keptLook
	recent    recentLook
	liveClips LiveClips
	reread    reread
	memory    memoryWindow
	views     map[*store.Session]*view.View
	books     library.Keeper
	asked     Asked                   // places that are gone to when they are there
	paced     map[*store.Session]int  // the number of its frames that offerRate has judged, divided by 300
	torn      map[*store.Session]bool // the limit was reported as too low for its threads
	nobody    *view.View              // shown while there is no session
	active    *store.Session
	tracked   struct { // the session with its program's tracks applied, and their last saved revision
		session *store.Session
		rev     uint64
	}
	// CompareWith asks for a recording that the shown session is compared with.
	CompareWith func()

	chosen   bool   // the user chose the session, so that a new one does not take its place
	showNext bool   // show the next session that begins: the user just opened it
	showLive string // show the live session of this name when it begins; empty: none
	dialog   bool   // a file dialog is open
	lastPoll feed.PollStats
	ended    []*store.Session             // of the last tick
	before   *store.Session               // that was shown before the one that came last
	heirs    []*store.Session             // that began when the shown one had ended; they may take its place
	endedAt  map[*store.Session]time.Time // of live sessions
	rows     []widgets.SessionRow
	has      contents               // of the shown session
	warned   map[*store.Session]int // number of its warnings shown so far
}

// New makes a place for sessions; Start brings them in.
func New(opt *Options, settings *settings.Settings, ask *workspace.Prompt) *Sessions {
	ss := &Sessions{
		opt: opt, settings: settings, ask: ask,
		store: store.New(0), hub: feed.NewHub(), views: map[*store.Session]*view.View{},
		asked: Asked{}, paced: map[*store.Session]int{}, endedAt: map[*store.Session]time.Time{},
		torn: map[*store.Session]bool{}, warned: map[*store.Session]int{}, nobody: view.New(nil),
	}
	ss.memory = memoryWindow{store: ss.store, hub: ss.hub}
	ask.Later = ss.sources.later
	ss.books = library.Keeper{Do: ss.do, Later: ss.sources.later, Report: ask.Notify, Warn: ask.Warn, Home: library.Home,
		State: library.StateDir(), Still: opt.Deterministic}
	return ss
}

// View returns the view of all panels.
func (ss *Sessions) View() *view.View {
	if ss.active == nil {
		return ss.nobody
	}
	return ss.views[ss.active]
}

// ViewOf returns the view of a session, in the colors of the settings; nil where it is gone.
func (ss *Sessions) ViewOf(s *store.Session) *view.View { return ss.views[s] }

// Tick takes in new data, and changes by others on disk.
func (ss *Sessions) Tick() {
	ss.hub.EndLetIn()
	ss.poll()
	ss.lookAtKept()
	ss.followSettings()
}

// noteArrival takes the time of day of live sessions that do not know theirs from when their first data came.
func noteArrival(st *store.Store, now time.Time) {
	for _, s := range st.Sessions() {
		info := s.Info()
		if info.File || info.ZeroAt.UnixNs != 0 {
			continue
		}
		if _, end, ok := s.Bounds(); ok {
			info.ZeroAt = model.DayTime{UnixNs: now.UnixNano() - end, By: model.ByArrival}
			s.Apply(info)
		}
	}
}

// poll takes data from the decoders and makes a view for each new session.
func (ss *Sessions) poll() {
	budget := pollBudget
	if ss.sources.loading() || ss.lastPoll.More {
		budget = loadBudget
	}
	if ss.opt.Deterministic {
		budget = time.Minute
	}
	// When a game goes, its last frame stays chosen and can be stepped from. The charts have
	// followed to the end in the tick before.
	for _, s := range ss.ended {
		if v := ss.views[s]; v != nil {
			v.Follow(false)
		}
	}
	ss.ended = ss.ended[:0]
	if !ss.opt.Deterministic {
		ss.memory.Tick()
	}
	ss.takeIn(budget)
	for loading := true; ss.opt.Deterministic && (loading || ss.lastPoll.More); ss.takeIn(budget) {
		if loading = ss.sources.loading(); loading {
			time.Sleep(time.Millisecond)
		}
	}
	ss.tick()
	ss.liveClips.Tick()
	ss.tickBookmarks()
	ss.lookAtShown()
	ss.showWarnings()
	ss.rememberTracks()
	if len(ss.ended) > 0 {
		ss.reportParts(ss.ended)
		ss.forgetOldest()
	}
}

// prepareStats makes the statistics of long recordings ready a piece at a time, so that the first question does not
// stop the window.
func (ss *Sessions) prepareStats() {
	if v := ss.View(); !v.None() && !ss.Behind() {
		v.Session().Frames().PrepareStats(v.Track(), false, statsAhead)
		v.Session().Frames().PrepareStats(v.Track(), true, statsAhead)
		v.Session().Spans().PrepareStats(v.Track(), spansAhead)
	}
}

// showWarnings shows the warnings of the shown session, once.
func (ss *Sessions) showWarnings() {
	if ss.active == nil {
		return
	}
	all := ss.active.Warnings()
	for n := ss.warned[ss.active]; n < len(all); n++ {
		ss.ask.Warn(errors.New(all[n]))
		ss.warned[ss.active] = n + 1
	}
}

// takeIn polls the hub once.
func (ss *Sessions) takeIn(budget time.Duration) {
	began := time.Now()
	ss.lastPoll = ss.hub.Poll(ss.store, budget)
	if !ss.opt.Deterministic {
		noteArrival(ss.store, began)
	}
	for _, e := range ss.lastPoll.New {
		s := e.Session
		v := view.New(s)
		v.Look().SetFrameBudget(int64(cmp.Or(ss.settings.FrameMs[s.Info().Program], ss.settings.BudgetMs) * 1e6))
		v.Follow(e.Feed.Live())
		ss.color(v)
		ss.views[s] = v
		own := ownerOf(e.Feed)
		if own.live != nil {
			ss.liveClips.Watch(s, own.live.rec)
		}
		if own.file != nil && own.file.at.Kind != place.None {
			ss.asked[s] = own.file.at
			ss.showNext = true
		}
		if ss.active == nil || !v.Live() && (ss.showNext || ss.over() && !ss.chosen) ||
			ss.showLive != "" && e.Feed.Name() == ss.showLive {
			ss.before = ss.active
			ss.activate(s)
			ss.showNext, ss.showLive = false, ""
		} else if v.Live() && ss.over() {
			ss.heirs = append(ss.heirs, s)
		} else if v.Live() {
			ss.ask.NotifyUntilSeen(ss.NameApart(s), " is connected, too; a click in Sessions shows it")
		}
		ss.replace(own.file)
	}
	ss.succeed()
	if ss.lastPoll.Rests && !ss.opt.Deterministic {
		go debug.FreeOSMemory() // memory for opening a recording, besides the recording
	}
	for _, e := range ss.lastPoll.Ended {
		ss.ended = append(ss.ended, e.Session)
		ss.noteEnd(e.Session)
		ss.leaveUnread(e.Session)
	}
	for _, f := range ss.lastPoll.Nothing {
		ss.release(ownerOf(f))
	}
}

// over reports whether the shown session has ended.
func (ss *Sessions) over() (ended bool) {
	_, ended = ss.active.Ended()
	return ended
}

// succeed shows the first live session that began when the shown one had ended and is more than a stranger's.
func (ss *Sessions) succeed() {
	ss.heirs = slices.DeleteFunc(ss.heirs, func(s *store.Session) bool {
		_, ended := s.Ended()
		return ss.views[s] == nil || ended && ofStranger(s)
	})
	for _, s := range ss.heirs {
		if !ofStranger(s) {
			ss.before = ss.active
			ss.activate(s)
			return
		}
	}
}

// leaveUnread returns from an unreadable recording to the session shown before: a notice and its row
// explain the error.
func (ss *Sessions) leaveUnread(s *store.Session) {
	if was := ss.before; s == ss.active && !s.Some() && ss.ownerOf(s).problem() != "" && ss.views[was] != nil {
		ss.activate(was)
	}
}

// activate shows a session.
func (ss *Sessions) activate(s *store.Session) {
	if ss.active != nil {
		ss.active.Hold(false)
	}
	ss.ask.Notices.Drop(ss.NameApart(s)) // it is seen now
	s.Hold(true)                         // the shown session leaves memory last
	ss.active, ss.heirs = s, nil
	if v := ss.views[s]; v != nil {
		ss.color(v)
	}
}

// color gives a view the colors of the settings.
func (ss *Sessions) color(v *view.View) {
	v.Look().SetColors(ss.rememberedColors())
	v.Look().SetColorsAsSent(ss.settings.ColorsAsSent)
}

// ApplyColors gives all views the colors of the settings.
func (ss *Sessions) ApplyColors() {
	for _, v := range ss.views {
		ss.color(v)
	}
}

// rememberTracks restores the user's tracks for the program of a session once it is known, and saves
// changes of them from then on.
func (ss *Sessions) rememberTracks() {
	if ss.active == nil || ss.active.Info().Program == "" {
		return
	}
	program, look := ss.active.Info().Program, ss.View().Look()
	if ss.tracked.session != ss.active {
		if as, _ := ss.active.Collectors().Treated(); !as.Equal(ss.settings.Treated[program]) {
			ss.active.Treat(ss.settings.Treated[program])
		}
		now := look.Tracks()
		if t, ok := ss.settings.Tracks[program]; ok || !now.Plain() { // without saved tracks, the default
			look.SetTracks(t)
		}
	} else if look.TracksRev() != ss.tracked.rev {
		ss.settings.SetTracks(program, look.Tracks())
	}
	ss.tracked.session, ss.tracked.rev = ss.active, look.TracksRev()
}

func (ss *Sessions) rememberedColors() map[string]assets.Color {
	m := map[string]assets.Color{}
	for name, c := range ss.settings.Colors {
		m[name] = assets.RGB(c[0], c[1], c[2])
	}
	return m
}

// Views returns the views of all sessions.
func (ss *Sessions) Views() iter.Seq[*view.View] { return maps.Values(ss.views) }

// Live reports whether the shown session still receives something, and is no file that is being read.
func (ss *Sessions) Live() bool {
	if ss.active == nil {
		return false
	}
	_, ended := ss.active.Ended()
	return !ended && !ss.active.Info().File && !ss.loading(ss.active)
}

// setBudget sets the time that a frame may take, in ms, in all views.
func (ss *Sessions) setBudget(ms float64) {
	ss.settings.SetBudget(ms)
	for _, v := range ss.views {
		v.Look().SetFrameBudget(int64(ms*1e6 + 0.5))
	}
}

// offerRate offers to judge the frames of a session by the rate that it keeps, where that is lower than the one that
// they are judged by.
func (ss *Sessions) offerRate(s *store.Session) {
	const frames, slower, even = 300, 1.2, 2
	program, main := s.Info().Program, s.MainTrack()
	t := s.Track(main)
	if ss.opt.Deterministic || t == nil || t.NumFrames()/frames <= ss.paced[s] || ss.settings.FrameMs[program] > 0 {
		return
	}
	n := t.NumFrames()
	ss.paced[s] = n / frames
	pace, ok := s.Frames().Pace(main, n-frames, n-1, 0)
	if !ok || pace.Median < slower*ss.settings.BudgetMs*1e6 || pace.P95 > even*pace.Median {
		return
	}
	ss.paced[s] = math.MaxInt
	hz := math.Round(1e9 / pace.Median)
	ms := 1000 / hz
	ss.ask.Offer(func() {
		ss.settings.SetFrameOf(program, ms)
		for of, v := range ss.views {
			if of.Info().Program == program {
				v.Look().SetFrameBudget(int64(ms*1e6 + 0.5))
			}
		}
	}, "%s keeps %.0f Hz: judge its frames by %.1f ms, not %.1f ms? Click here", program, hz, ms, ss.settings.BudgetMs)
}

// SetColor gives a collector a color of the user's, in the shown session and from now on.
func (ss *Sessions) SetColor(fullName string, c draw.Color) {
	ss.View().Look().SetColor(fullName, assets.RGB(c.R, c.G, c.B))
	ss.settings.SetColor(fullName, settings.RGB{c.R, c.G, c.B})
}

// Treat takes what the user says of a collector's time, in the shown session and from now on in its program.
func (ss *Sessions) Treat(fullName string, v model.Voice) {
	as, _ := ss.active.Collectors().Treated()
	ss.treat(as.With(fullName, v))
}

// treat takes what the user says of the shown session and from now on of its program.
func (ss *Sessions) treat(as model.Treat) {
	ss.active.Treat(as)
	if program := ss.active.Info().Program; program != "" {
		ss.settings.SetTreated(program, as)
	}
}

// ResetColor gives a collector its own color again.
func (ss *Sessions) ResetColor(fullName string) {
	ss.View().Look().ResetColor(fullName)
	ss.settings.ResetColor(fullName)
}

// pollBudget is how much of a tick the store may take for new data, so that a burst cannot freeze
// the window.
const pollBudget = 6 * time.Millisecond

// spansAhead is how many spans' statistics a tick prepares.
const spansAhead = 100_000

// statsAhead is how many frames' statistics a tick prepares.
const statsAhead = 4096

const (
	// loadBudget is the same while a file is being read: the user waits for it.
	loadBudget = 12 * time.Millisecond
	// betweenTicks bounds reading between two ticks. The next one ends it.
	betweenTicks = time.Second
	// betweenPictures bounds it in a page, whose one processor draws nothing meanwhile.
	betweenPictures = 25 * time.Millisecond
)

// Ticked notes that a tick ends now. Until the next one, while the window draws, new data are taken in and
// statistics made ready: then nothing asks the store.
func (ss *Sessions) Ticked() {
	switch {
	case ss.opt.Deterministic:
	case ss.opt.Page:
		ss.hub.LetIn(betweenPictures, ss.prepareStats)
	default:
		ss.hub.LetIn(betweenTicks, ss.prepareStats)
	}
}

// HasMore reports whether the last tick left new data to the next.
func (ss *Sessions) HasMore() bool { return ss.lastPoll.More }

// Behind reports whether a recording is read faster than the store can take it in.
func (ss *Sessions) Behind() bool { return ss.lastPoll.More && ss.sources.loading() }
