package view

import (
	"errors"

	"framescope/model"
	"framescope/model/place"
)

// Here returns the place of the selection: the hitch whose cause is selected, the span, else the range, else the
// frames, else the playhead. ok is false while nothing is stored.
func (v *View) Here() (p place.Place, ok bool) {
	if track, i, hitch := v.Hitch(); hitch && v.hitch.given {
		return place.OfFrames(v.session, track, i, i)
	}
	if v.hasSpan {
		if p, ok = place.OfSpan(v.session, v.span); ok {
			return p, true
		}
	}
	if v.HasRange() && v.ranged && !v.RangeIsFrames() {
		return place.Place{Kind: place.Range, BeginNs: v.rangeA, EndNs: v.rangeB}.Of(v.session, v.track), true
	}
	if p, ok = place.OfFrames(v.session, v.track, v.frameA, v.frameB); ok {
		return p, true
	}
	if v.HasRange() {
		return place.Place{Kind: place.Range, BeginNs: v.rangeA, EndNs: v.rangeB}.Of(v.session, v.track), true
	}
	return v.Moment(v.playhead)
}

// Moment returns the place of a time.
func (v *View) Moment(timeNs int64) (p place.Place, ok bool) {
	if b, e, some := v.session.Bounds(); !some || timeNs < b || timeNs > e {
		return p, false
	}
	return place.Place{Kind: place.Moment, BeginNs: timeNs, EndNs: timeNs}.Of(v.session, v.track), true
}

// GoTo selects a place that was found in the session, with its thread, which is shown, and brings it
// into view; of a hitch its cause. It ends Live; Back returns.
func (v *View) GoTo(kind place.Kind, f place.Found) {
	v.jumps()
	if f.Track != model.NoTrack {
		v.look.SetTrackHidden(f.Track, false)
		v.SetTrack(f.Track)
	}
	switch kind {
	case place.Frames:
		if v.SelectFrames(f.First, f.Last); f.First == f.Last {
			v.followCause(f.First)
		}
	case place.Range:
		v.dropSpan()
		v.SelectRange(f.BeginNs, f.EndNs)
		v.playhead = v.within(f.BeginNs)
	case place.Span:
		v.SelectSpan(f.Span)
	case place.Moment:
		v.SetPlayhead(f.BeginNs)
	default:
		return
	}
	v.window.axis.Show(f.BeginNs, f.EndNs, v.window.animate, v.window.nowNs)
	v.window.bring(f.BeginNs, f.EndNs)
}

// Marks returns the bookmarks of the session.
func (v *View) Marks() *place.MarkList { return v.marks.list }

// SetMarks gives the session bookmarks that it shares with whoever keeps them.
func (v *View) SetMarks(l *place.MarkList) { v.marks.list, v.marks.placed.list = l, nil }

// Placed is a bookmark as it lies in the session now.
type Placed struct {
	place.Mark
	// Found is its place, Err the missing data: it left memory, or was not received. Then the place
	// is the recorded one.
	Found place.Found
	Err   error
}

// viewMarks are the bookmarks, and where they lie.
type viewMarks struct {
	list   *place.MarkList
	placed placedMarks
}

// placedMarks are the bookmarks looked up: their threads when definitions come, the rest with any
// data.
type placedMarks struct {
	list       *place.MarkList
	rev        uint64 // of the list
	data, defs uint64
	of         []Placed
	threadErr  []error
	known      bool
}

// Bookmarks returns the bookmarks by time, with where they lie. They are the view's, until the next
// call.
func (v *View) Bookmarks() []Placed {
	m, list := &v.marks.placed, v.marks.list
	if list.Len() == 0 {
		return nil
	}
	same := m.known && m.list == list && m.rev == list.Revision()
	data, defs := v.session.Revision(), v.session.DefsRevision()
	if same && m.data == data && m.defs == defs {
		return m.of
	}
	if !same || m.defs != defs {
		m.of, m.threadErr = m.of[:0], m.threadErr[:0]
		for _, x := range list.All() {
			id, err := x.Place.ThreadIn(v.session)
			m.of = append(m.of, Placed{Mark: x, Found: place.Found{Track: id}})
			m.threadErr = append(m.threadErr, err)
		}
	}
	m.list, m.rev, m.data, m.defs, m.known = list, list.Revision(), data, defs, true
	for i := range m.of {
		m.of[i].look(v, m.threadErr[i])
	}
	return m.of
}

// look looks a bookmark up. A span is not looked for: that takes all lanes of its thread.
func (p *Placed) look(v *View, threadErr error) {
	track := p.Found.Track
	p.Found, p.Err = place.Found{Track: track, First: -1, Last: -1, BeginNs: p.BeginNs, EndNs: p.EndNs}, threadErr
	if threadErr != nil || p.Place.Kind == place.Span {
		return
	}
	if f, err := p.Place.FindOn(v.session, track); err != nil {
		p.Err = err
	} else {
		p.Found = f
	}
}

// GoToMark is GoTo of a bookmark. The error names the missing data.
func (v *View) GoToMark(id uint64) error {
	m, ok := v.marks.list.ByID(id)
	if !ok {
		return errGone
	}
	f, err := m.Place.Find(v.session)
	if err == nil {
		v.GoTo(m.Place.Kind, f)
	}
	return err
}

var errGone = errors.New("there is no such bookmark")
