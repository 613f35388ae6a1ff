package view

import (
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// Causes are why frames of a session are slow. There is one for all panels of a session, so that
// none asks the model again for what another has found out.
type Causes struct {
	engine *why.Engine
	answer why.Answer
	of     answered
	known  bool
	made   uint64
}

// answered is what an answer was given for.
type answered struct {
	track    model.TrackID
	number   int64
	beginNs  int64
	revision uint64
}

// Causes returns why frames of the view's session are slow, nil without a session.
func (v *View) Causes() *Causes {
	if v.session == nil {
		return nil
	}
	if c := &v.causes; c.engine == nil || c.engine.Session() != v.session {
		*c = Causes{engine: why.NewEngine(v.session)}
	}
	return &v.causes
}

// Session returns the session that they are of.
func (c *Causes) Session() *store.Session { return c.engine.Session() }

// Frame returns why the frame with an index took as long as it did, as of a revision of the session:
// the last answer is given again for the same one. It is valid until another is asked for; nil where
// there is no such frame. made is another number for each answer.
func (c *Causes) Frame(track model.TrackID, index int, revision uint64) (a *why.Answer, made uint64) {
	t := c.Session().Track(track)
	if t == nil || index < 0 || index >= t.NumFrames() {
		return nil, 0
	}
	f := t.Frame(index)
	if of := (answered{track, f.Number, f.Begin, revision}); of != c.of || !c.known {
		c.of, c.known = of, c.engine.Frame(track, index, &c.answer)
		c.made++
	}
	return &c.answer, c.made
}

// SelectCause selects what a link of a chain is about: its longest span; where it has none the time
// that it tells of, or its thread and its collector.
func (v *View) SelectCause(l *why.Link) {
	if v.session == nil {
		return
	}
	if b, ok := v.causeSpan(l); ok {
		v.SelectSpan(b)
		return
	}
	v.SelectCollectorOf(l.Track, l.Collector)
	if l.EndNs > l.BeginNs {
		v.ClearThing()
		v.SelectRange(l.BeginNs, l.EndNs)
		v.window.axis.Show(l.BeginNs, l.EndNs, v.window.animate, v.window.nowNs)
	}
}

// ChoseCause tells whether what is selected is what SelectCause selects.
func (v *View) ChoseCause(l *why.Link) bool {
	if v.track != l.Track {
		return false
	}
	if v.hasSpan {
		return v.span.Collector == l.Collector && v.span.Begin == l.BeginNs && v.span.End == l.EndNs
	}
	if l.EndNs > l.BeginNs && v.rangeA == l.BeginNs && v.rangeB == l.EndNs {
		return true
	}
	return l.EndNs == l.BeginNs && v.chosen == l.Collector && v.Collector() != model.NoCollector
}

// causeSpan returns the longest span of a link.
func (v *View) causeSpan(l *why.Link) (b spans.Bar, ok bool) {
	var one [1]spans.Bar
	for _, b := range v.session.Spans().Longest(l.Track, l.Collector, -1, l.BeginNs, l.EndNs, 1, one[:0]) {
		return b, l.How != why.NotMeasured
	}
	return spans.Bar{}, false
}
