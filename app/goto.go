package app

import (
	"framescope/app/sessions"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model/measure"
	"framescope/widgets"
)

// askFrame asks for a frame number or a time, or a range of these.
func (n *navigator) askFrame() {
	p := &widgets.Palette{Name: "Go to frame, time or range", Does: "Go", Answer: n.gotoFrame}
	p.Field.Hint = "a frame (12407), a time (3.5 s, 1:02.5), a range (100-900, 12.5s-14s)"
	n.ask.Ask(p, 440)
}

// gotoFrame goes to a frame by its number ("12407", "#12407"), to a time ("3.5s", "1:02.5"), or to a range
// of either ("100-900", "12.5s-14s"), which it selects.
func (n *navigator) gotoFrame(text string) (complaint string) {
	v := n.ss.View()
	if v.None() {
		return "No session is open"
	}
	plain := sessions.PlainNumber(text)
	if a, b, ok := sessions.CutRange(plain); ok {
		found, kind, complaint := sessions.RangeOf(v, text, a, b)
		if complaint == "" {
			v.GoTo(kind, found)
		}
		return complaint
	}
	if done, complaint := byNumber.Of(v)(n, v, plain); done {
		return complaint
	}
	seconds, err := sessions.ParseTime(plain)
	if err != nil {
		return sessions.None(text)
	}
	at := int64(seconds * 1e9)
	if b, e, ok := v.Session().Bounds(); ok && (at < b || at > e) {
		n.ask.TellNow("The session goes from ", "%s to %s", format.AppendClock(nil, b, 1e6), format.AppendClock(nil, e, 1e6))
	}
	v.SetPlayhead(at)
	return ""
}

// byNumber goes to the frame with a number, and reports whether that settles the text. Spans have no
// numbers.
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
	number, err := measure.ParseCount(text)
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
