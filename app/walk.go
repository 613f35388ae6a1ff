package app

import (
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/widgets"
)

// follow updates the words for the selection.
func (f *finder) follow() {
	v := f.ss.View()
	if f.nothing() && v.Choice() == f.lastHit && f.lastHit != (view.Choice{}) {
		f.lastHit = view.Choice{}
		v.Unselect()
	}
	now := walkOf{choice: v.Choice()}
	if !v.None() {
		if now.n, now.of = f.hit(v); now.n == 0 {
			now.spike, now.spikes = spikeAt(v)
		}
	}
	if now == f.walk.of {
		return
	}
	f.walk = hitWalk{of: now}
	if now.n > 0 {
		f.walk.words = widgets.CountOf(now.n, now.of)
		if all, told := f.calls.Count(); !told && f.expr.OfCalls() && all > now.of {
			f.walk.words += " longest"
		}
		f.walk.all = "Hit " + f.walk.words
	}
	if now.spike > 0 {
		f.walk.all = "Spike " + widgets.CountOf(int64(now.spike), int64(now.spikes))
	}
}

// nothing reports whether a search has no result.
func (f *finder) nothing() bool {
	n, _ := f.calls.Count()
	return f.expr != nil && !f.expr.Empty() && f.calls.Done() && n == 0 && len(f.found) == 0
}

// walked says at the left of the status line which hit or spike is selected, empty: none is.
func (f *finder) walked() string { return f.walk.all }

// hit returns the position of the selected hit, from 1 on, and the number of hits; 0: none is selected.
// For names without calls it is a name.
func (f *finder) hit(v *view.View) (n, of int64) {
	if f.expr == nil || f.expr.Empty() {
		return 0, 0
	}
	if v.HasSpan() {
		b := v.Span()
		n, of, _ = f.calls.Place(&b)
		return n, of
	}
	if all, _ := f.calls.Count(); all == 0 && f.calls.Done() {
		return int64(slices.Index(f.found, v.Chosen())) + 1, int64(len(f.found))
	}
	return 0, 0
}

// spikeAt returns the position of the selected frame or late thing among the spikes of the view's
// thread, or of the chosen cause, from 1 on, and their number; 0: it is not one.
func spikeAt(v *view.View) (n, of int) {
	if v.Live() || !v.HasSpan() && (v.FrameA() < 0 || v.FrameA() != v.FrameB()) {
		return 0, 0
	}
	number := v.Choice().Frame
	if _, i, ok := v.Hitch(); ok {
		number = v.Lead().Frame(i).Number
	}
	return v.Causes().Place(v.LeadTrack(), number, v.Span(), v.HasSpan(), v.Cause())
}

// step goes to the next or previous found call; false: there is none, or not all are listed.
func (f *finder) step(back bool) bool {
	_, all := f.calls.Count()
	calls := f.expr != nil && f.expr.OfCalls()
	if f.expr == nil || !calls && (!all || !f.calls.Done() || len(f.found) == 0) {
		return false
	}
	b, ok := f.hitFrom(&f.calls, back, calls || f.calls.Fresh()) // else there may be calls that came since
	if ok {
		f.ss.View().SelectSpan(b)
	}
	return ok || calls
}

// hitFrom returns the hit after or before the selected span; around: behind the last one the first.
func (f *finder) hitFrom(h *find.Hits, back, around bool) (spans.Bar, bool) {
	v := f.ss.View()
	dir, timeNs, from := 1, v.Playhead(), int64(math.MinInt64)
	if back {
		dir, from = -1, math.MaxInt64
	}
	var at *spans.Bar
	if v.HasSpan() {
		b := v.Span()
		at, timeNs = &b, b.Begin
	}
	b, ok := h.Next(at, timeNs, dir)
	if !ok && around {
		b, ok = h.Next(nil, from, dir)
	}
	return b, ok
}

// next goes to the next or previous found span, first of calls to the longest, as they are listed. For names without
// spans it goes to the next name.
func (f *finder) next(back bool) {
	f.ss.View().ChooseCause(view.Cause{}) // what is walked through are hits now
	f.goNext(back)
	f.lastHit = f.ss.View().Choice()
}

func (f *finder) goNext(back bool) {
	v, dir := f.ss.View(), format.Pick(back, -1, 1)
	if n, _ := f.hit(v); n == 0 && !back && f.expr != nil && f.expr.OfCalls() {
		for _, c := range f.calls.Longest(1) {
			if b, ok := v.Session().Spans().ByRef(c.Ref); ok { // else it left memory
				v.SelectSpan(b)
				return
			}
		}
	}
	if f.step(back) || len(f.found) == 0 {
		return
	}
	if v.StepFound(f.found, dir) {
		return
	}
	at := slices.Index(f.found, v.Chosen())
	if at < 0 && back {
		at = 0
	}
	v.SelectCollector(f.found[(at+dir+len(f.found))%len(f.found)])
}

// occurrence goes to the next hit if the selection is a hit or empty; false: it is something else, with
// its own occurrences.
func (f *finder) occurrence(back bool) bool {
	if f.given != nil {
		b, ok := f.hitFrom(f.given, back, true)
		if ok {
			f.ss.View().SelectSpan(b)
		}
		return ok
	}
	if f.expr == nil || f.expr.Empty() || len(f.found) == 0 {
		return false
	}
	if c := f.ss.View().Collector(); !f.expr.OfCalls() && c != model.NoCollector && !slices.Contains(f.found, c) {
		return false
	}
	f.next(back)
	return true
}
