package view

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

// Times at which the first track of a session without frames is chosen, ns of the monotonic clock.
const (
	pickEveryNs = 250_000_000   // a better one is looked for no more often than that while data come in
	pickStopNs  = 1_000_000_000 // after that long a live session keeps its chosen track
)

// picked is how a view chose its track.
type picked struct {
	byUser  bool // the user chose the track: it stays
	settled bool // the choice is final
	any     bool
	defs    uint64 // when a main track was looked for last
	lookNs  int64
	firstNs int64 // when that was for the first time, among tracks without frames
}

// pickTrack makes the session's first track the view's. The user's choice stays. So does a track with
// frames, and a track without frames once the session is complete or has run for a second, unless the
// source names another main track.
func (v *View) pickTrack() {
	p := &v.picked
	t, defs := v.Shown(), v.session.DefsRevision()
	framed := p.any && t != nil && t.NumFrames() > 0
	_, ended := v.session.Ended()
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
	p.any = true
	longEnough := ended || !v.session.Info().File && v.window.nowNs-p.firstNs >= pickStopNs
	p.settled = t.Def.Main || !t.HasFrames() && longEnough
	if main != v.track {
		v.track, v.frameA, v.frameB, v.window.placed = main, -1, -1, v.window.placed && !v.window.asFitted()
	}
}
