package app

import (
	"fmt"
	"strconv"

	"framescope/app/places"
	"framescope/charts/format"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model/place"
	"framescope/widgets"
)

// askFrame asks for a frame number or a time, or a range of these.
func (n *navigator) askFrame() {
	p := &widgets.Palette{Name: "Go to frame, time or range", Answer: n.gotoFrame}
	p.Field.Hint = "a frame (12407), a time (3.5 s, 1:02.5), a range (100-900, 12.5s-14s)"
	n.ask.Ask(p, 440, 98)
}

// gotoFrame goes to a frame by its number ("12407", "#12407"), to a time ("3.5s", "1:02.5"), or to a range
// of either ("100-900", "12.5s-14s"), which it selects.
func (n *navigator) gotoFrame(text string) (complaint string) {
	v := n.ss.View()
	if v.Session() == nil {
		return "There is no session"
	}
	plain := places.PlainNumber(text)
	if a, b, ok := places.CutRange(plain); ok {
		return n.gotoRange(v, text, a, b)
	}
	if done, complaint := byNumber.Of(v)(n, v, plain); done {
		return complaint
	}
	seconds, err := places.ParseTime(plain)
	if err != nil {
		return noPlace(text)
	}
	at := int64(seconds * 1e9)
	if b, e, ok := v.Session().Bounds(); ok && (at < b || at > e) {
		n.ask.TellNow("The session goes from ", "%s to %s", format.AppendClock(nil, b, 1e6), format.AppendClock(nil, e, 1e6))
	}
	v.SetPlayhead(at)
	return ""
}

// noPlace says of a text, as it was typed, that it is no place.
func noPlace(text string) string {
	return fmt.Sprintf("%q is no frame number (12407), no time (3.5 s) and no range of these (100-900, 12.5s-14s)", text)
}

// byNumber goes to what has a number, and tells whether the text is settled by that. Spans have
// none.
var byNumber = view.PerUnit[func(n *navigator, v *view.View, text string) (done bool, complaint string)]{
	Frames: (*navigator).gotoNumber,
	Spans:  func(*navigator, *view.View, string) (bool, string) { return false, "" },
}

// gotoNumber goes to a frame by its number.
func (n *navigator) gotoNumber(v *view.View, text string) (done bool, complaint string) {
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return true, "This thread has no frames"
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false, ""
	}
	i, ok := t.FrameByNumber(number)
	i = min(i, t.NumFrames()-1)
	v.GoToFrame(i)
	if !ok {
		n.ask.Tell("Frame %d was not received; this is the next one", number)
	}
	return true, ""
}

// gotoRange selects a range of frames or of time by its ends, as far as there is something of it.
func (n *navigator) gotoRange(v *view.View, text, a, b string) (complaint string) {
	found, kind, ok := rangeOf(v, a, b)
	switch {
	case !ok:
		return noPlace(text)
	case kind == place.Frames:
		t := v.Shown()
		if t.NumFrames() == 0 {
			return "This thread has no frames"
		}
		if found.First > found.Last {
			return fmt.Sprintf("No frame of %q was received: there are %d to %d", text, t.Frame(0).Number, t.Frame(t.NumFrames()-1).Number)
		}
		found.BeginNs, found.EndNs, _ = t.FrameTimes(found.First, found.Last)
	default:
		if begin, end, ok := v.Session().Bounds(); ok && (found.EndNs <= begin || found.BeginNs >= end) {
			return fmt.Sprintf("Nothing was recorded in %q: the session goes from %s to %s", text,
				format.AppendClock(nil, begin, 1e6), format.AppendClock(nil, end, 1e6))
		}
	}
	v.GoTo(kind, found)
	return ""
}

// rangeOf returns the range with two ends: of frames where both are whole numbers, and the thread has
// some, else of time; First is over Last where no frame was received in it.
func rangeOf(v *view.View, a, b string) (found place.Found, kind place.Kind, ok bool) {
	found.Track = v.Track()
	if t := v.Shown(); t != nil && t.NumFrames() > 0 {
		first, errA := strconv.ParseInt(a, 10, 64)
		last, errB := strconv.ParseInt(b, 10, 64)
		if errA == nil && errB == nil {
			first, last = min(first, last), max(first, last)
			found.First, _ = t.FrameByNumber(first)
			if found.Last, ok = t.FrameByNumber(last); !ok {
				found.Last--
			}
			return found, place.Frames, true
		}
	}
	from, errA := places.ParseTime(a)
	to, errB := places.ParseTime(b)
	if errA != nil || errB != nil || from == to {
		return found, place.Range, false
	}
	found.BeginNs, found.EndNs = int64(min(from, to)*1e9), int64(max(from, to)*1e9)
	return found, place.Range, true
}

// rangeName returns what the range with two ends is called; false where it is none, or nothing is in it.
func rangeName(v *view.View, a, b string) (name string, ok bool) {
	f, kind, ok := rangeOf(v, a, b)
	if !ok || kind == place.Frames && f.First > f.Last {
		return "", false
	}
	p := place.Place{Kind: kind, BeginNs: f.BeginNs, EndNs: f.EndNs}
	if t := v.Shown(); kind == place.Frames {
		p.First, p.Last = t.Frame(f.First).Number, t.Frame(f.Last).Number
	}
	return string(subject.AppendPlace(nil, p)), true
}
