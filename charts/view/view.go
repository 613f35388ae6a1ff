// Package view holds the state that all panels of a session share: the window of time, the thread,
// the selection, the mouse position, hidden things and colors. Methods read it and only verbs
// change it, so that one rule decides the effects of a choice: a span selected anywhere brings its
// thread, its frame, its time and its collector with it, in every panel.
//
// causes.go finds hitches and their causes step by step, comparing.go holds the two sides of a
// comparison and the baseline. It knows the model but no panels.
package view

import (
	"math"

	"framescope/charts/format"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

// DefaultBudgetNs is the frame budget of a new view: 60 frames per second.
const DefaultBudgetNs = frames.DefaultBudgetNs

// View is the state shared by all panels of one session: the selection, the window of time
// (Steering), how the session is shown (Look), and the mouse position (Pointer). Its own methods
// concern several of these. A selected span always lies on the view's thread and in the selected
// time.
type View struct {
	*selection
	none    bool // there is no session
	window  Steering
	look    *Look
	pointer Pointer

	sessionRev uint64
	picked     picked
	unitOf     unitKey
	unit       unit
	stamps     stamps
	causes     *Causes
	marks      *viewMarks
}

// Pointer returns the item under the mouse.
func (v *View) Pointer() *Pointer { return &v.pointer }

// New returns a view of a session: live unless it is a file, nothing selected, a budget of 60 frames
// per second. The view of none (nil) has an empty one.
func New(s *store.Session) *View {
	none := s == nil
	if none {
		s = store.NewSession()
	}
	_, ended := s.Ended()
	v := &View{
		none: none,
		selection: &selection{
			session: s, selected: selected{frameA: -1, frameB: -1, chosen: model.NoCollector},
		},
		look:    &Look{session: s, lookState: lookState{budgetNs: DefaultBudgetNs, interpolated: true}},
		pointer: Nothing(), sessionRev: math.MaxUint64, causes: &Causes{},
		marks: &viewMarks{list: &place.MarkList{}},
	}
	v.window.view, v.look.view, v.look.sized = v, v, model.NoTrack
	v.window.live = !none && !s.Info().File && !ended
	return v
}

// Session returns the session, an empty one where there is none.
func (v *View) Session() *store.Session { return v.session }

// None reports whether there is no session.
func (v *View) None() bool { return v.none }

// Time returns the visible window of time.
func (v *View) Time() format.Window { return v.window.axis.Window }

// Live reports whether the view follows the newest data. Navigation into the past ends it; the
// recording goes on.
func (v *View) Live() bool { return v.window.live }

// LagNs returns how far the playhead is behind the newest data.
func (v *View) LagNs() int64 {
	_, end, ok := v.session.Bounds()
	if !ok {
		return 0
	}
	return max(0, end-v.playhead)
}

// Tick brings the view up to the session's present state, once a tick before any chart's Update: it
// picks a track with frames if the present one has none, keeps the selected frames selected when
// others left or came, follows the newest data while Live, and moves a running jump on. It returns
// true while the visible time moves.
func (v *View) Tick(nowNs int64, animate bool) bool {
	v.window.nowNs, v.window.animate = nowNs, animate
	v.pace.tick++
	v.pointer.Tick()
	if rev := v.session.Revision(); rev != v.sessionRev {
		v.sessionRev = rev
		v.pickTrack()
		v.resyncFrames()
		v.limit()
		if b, e, ok := v.session.Bounds(); ok {
			if !v.window.placed {
				v.window.placed = true
				v.units().open(v, b, e)
			} else {
				v.units().grow(v, b, e)
			}
		}
	}
	v.Causes().Tick(nowNs)
	v.followLater()
	_, ended := v.session.Ended()
	v.window.axis.StopAtAll(ended && v.pace.tick-v.window.beside > 1)
	v.window.axis.AnchorEnd(v.window.live)
	v.followLive()
	return v.window.axis.Step(nowNs)
}

// followLive selects the newest frame and moves the axis, keeping its width, to the newest time,
// while the view is Live. When the session has ended and its other threads went on for so long that
// the newest frame would be out of sight, or nearly, the axis stays at that.
func (v *View) followLive() {
	if _, end, ok := v.session.Bounds(); ok && v.window.live {
		v.playhead = v.units().follow(v, end)
		v.keepSpan()
		if _, over := v.session.Ended(); over && float64(end-v.playhead) > v.Time().Width()/2 {
			end = v.playhead
		}
		v.window.follow(end)
	}
	v.window.wasLive = v.window.live
}

// Follow makes the view follow the newest data, or stop: then it stays where it is, whatever is
// received.
func (v *View) Follow(live bool) { v.window.live = live }

// Times at which the first track of a session is chosen, ns of the monotonic clock.
const (
	pickEveryNs = 250_000_000   // a better one is looked for no more often than that while data come in
	pickStopNs  = 1_000_000_000 // after that long a live session keeps its chosen track

	pickFramedNs = 10_000_000_000 // and after that long one with frames
)

// picked is how a view chose its track.
type picked struct {
	byUser  bool // the user chose the track: it stays
	settled bool // the choice is final
	any     bool
	defs    uint64 // when a main track was looked for last
	lookNs  int64
	firstNs int64 // when that was for the first time, among tracks without frames
	// track is the one that was chosen last, framesNs when the first with frames was.
	track    model.TrackID
	framesNs int64
}

// pickTrack makes the session's first track the view's. The user's choice stays, and so does where a cause has led.
// Once the session is complete or has run for a while a choice is final, unless the source names another main track:
// the first frame of the main thread may come long after those of others, as it takes what loading takes.
func (v *View) pickTrack() {
	p := &v.picked
	t, defs := v.Shown(), v.session.DefsRevision()
	_, ended := v.session.Ended()
	hasFrames := p.any && t != nil && t.NumFrames() > 0
	framed := hasFrames && (v.track != p.track || p.settled)
	soon := v.window.nowNs-p.lookNs < pickEveryNs && !ended && !(framed && p.defs != defs)
	settled := p.settled && (framed || !v.session.HasFrames())
	if p.byUser || settled && (p.defs == defs || t != nil && t.Def.Main) || p.any && soon {
		return
	}
	main := v.session.FirstTrack()
	t = v.session.Track(main)
	p.lookNs, p.defs = v.window.nowNs, defs
	if t == nil || (framed || settled) && !t.Def.Main {
		return
	}
	if !p.any {
		p.firstNs = v.window.nowNs
	}
	if !hasFrames && t.NumFrames() > 0 {
		p.framesNs = v.window.nowNs
	}
	p.any, p.track = true, main
	since, stop := p.firstNs, int64(pickStopNs)
	if t.HasFrames() {
		since, stop = p.framesNs, pickFramedNs
	}
	p.settled = t.Def.Main || ended || !v.session.Info().File && v.window.nowNs-since >= stop
	if main != v.track {
		v.track, v.frameA, v.frameB, v.window.placed = main, -1, -1, v.window.placed && !v.window.asFitted()
	}
}

// Twin returns a second view of the same session: it shares the selection, the look, the causes and
// the bookmarks with v, but has its own window of time and mouse position. It shows two places of one
// session side by side. Call TickTwin after Tick of v.
func (v *View) Twin() *View {
	t := &View{
		selection: v.selection, look: v.look, pointer: Nothing(),
		causes: v.causes, marks: v.marks,
	}
	t.window.view = t
	t.window.axis.Place(v.window.axis.Window)
	return t
}

// IsTwin reports whether both views have one selection.
func (v *View) IsTwin(o *View) bool { return v.selection == o.selection }

// TickTwin is Tick for the parts that a twin has for itself.
func (v *View) TickTwin(nowNs int64, animate bool) {
	v.window.nowNs, v.window.animate = nowNs, animate
	v.pointer.Tick()
	v.limit()
}

// Match shows a window of time at once and as it is, also where it reaches beyond the session: for two
// that lie on one scale. One that moves ends Live, and a running jump.
func (s *Steering) Match(w format.Window) {
	if s.axis.Window != w || s.axis.Animating() {
		s.live = false
		s.axis.Place(w)
	}
}

// Beside marks, once a tick, that the window shares its scale with that of another session, which may
// be longer: zooming out does not stop at the limits of this one.
func (s *Steering) Beside() { s.beside = s.view.pace.tick }

// Pointer is the item under the mouse, in whichever panel it is: a collector, a time.
type Pointer struct {
	collector model.CollectorID
	timeNs    int64
	hasTime   bool
	owner     any  // the chart that has the mouse
	seen      bool // Set was called since the last tick
}

// Nothing returns a pointer at nothing.
func Nothing() Pointer { return Pointer{collector: model.NoCollector} }

// Set publishes the position of the mouse to all panels: a collector (or NoCollector) and, if
// hasTime, a time. owner is the chart that has the mouse.
func (p *Pointer) Set(owner any, c model.CollectorID, timeNs int64, hasTime bool) {
	p.owner, p.seen = owner, true
	p.collector, p.timeNs, p.hasTime = c, timeNs, hasTime
	if !hasTime {
		p.timeNs = 0
	}
}

// Clear takes Set back, unless another chart has the mouse by now.
func (p *Pointer) Clear(owner any) {
	if p.owner == owner {
		*p = Pointer{collector: model.NoCollector, seen: p.seen}
	}
}

// Collector returns the collector under the mouse in any panel.
func (p *Pointer) Collector() model.CollectorID { return p.collector }

// Time returns the time under the mouse in any panel, if HasTime.
func (p *Pointer) Time() int64 { return p.timeNs }

// HasTime reports whether the mouse is at a time.
func (p *Pointer) HasTime() bool { return p.hasTime }

// Tick clears the item of a chart that was closed meanwhile: a chart with the mouse calls Set in
// every Update.
func (p *Pointer) Tick() {
	if p.owner != nil && !p.seen {
		p.Clear(p.owner)
	}
	p.seen = false
}

// stamp is a number that changes whenever its key does.
type stamp[K comparable] struct {
	key K
	n   uint64
}

func (s *stamp[K]) of(key K) uint64 {
	if s.n == 0 || s.key != key {
		s.key = key
		s.n++
	}
	return s.n
}

// stamps are those of a view.
type stamps struct {
	ground stamp[ground]
	base   stamp[base]
	cursor stamp[cursors]
	looks  stamp[looked]
	marks  stamp[marked]
}

// ground is the inputs of GroundStamp, base those of Stamp.
type ground struct {
	look                      lookState
	live                      bool
	session                   *store.Session
	data, defs, found, causes uint64
	asOf                      uint64
	marked                    marked
}

type base struct {
	ground   uint64
	selected selected
	hover    model.CollectorID
}

// looked is the inputs of the look's stamp.
type looked struct {
	selected selected
	look     lookState
	live     bool
	hover    model.CollectorID
	session  *store.Session
	defs     uint64
	marked   marked
}

// marked is a state of the bookmarks.
type marked struct {
	list *place.MarkList
	rev  uint64
}

func (v *View) marked() marked { return marked{v.marks.list, v.marks.list.Revision()} }

// cursors are the inputs of the top layers of panels only.
type cursors struct {
	base                uint64
	playhead, hoverTime int64
	hasHover            bool
}

// Stamp changes whenever anything changed that a picture can depend on, except the window of time
// (Time) and the cursors (CursorStamp): the session's data, the causes of its hitches, bookmarks,
// the selection, the collector under the mouse, colors and visibility.
func (v *View) Stamp() uint64 {
	return v.stamps.base.of(base{v.GroundStamp(), v.selected, v.pointer.Collector()})
}

// GroundStamp is Stamp without the selection and the collector under the mouse: for panels that
// draw these above the rest.
func (v *View) GroundStamp() uint64 {
	s := v.session
	return v.stamps.ground.of(ground{
		look: v.look.lookState, live: v.window.live, session: s, data: s.Revision(), defs: s.DefsRevision(),
		found: s.Messages().FoundStamp(), causes: v.causes.Revision(), asOf: v.causes.AsOf(), marked: v.marked(),
	})
}

// LookStamp is Stamp that does not change with the data that come while the view is live, nor with
// the frame that it follows.
func (v *View) LookStamp() uint64 {
	now := looked{selected: v.selected, look: v.look.lookState, live: v.window.live, hover: v.pointer.Collector(),
		session: v.session, defs: v.session.DefsRevision(), marked: v.marked()}
	if now.live {
		now.selected.frameA, now.selected.frameB, now.selected.rangeA, now.selected.rangeB = -1, -1, 0, 0
	}
	return v.stamps.looks.of(now)
}

// CursorStamp is Stamp that changes with the playhead and the time under the mouse, too.
func (v *View) CursorStamp() uint64 {
	return v.stamps.cursor.of(cursors{v.Stamp(), v.playhead, v.pointer.Time(), v.pointer.HasTime()})
}

// MarksStamp changes with the bookmarks, and nothing else.
func (v *View) MarksStamp() uint64 { return v.stamps.marks.of(v.marked()) }
