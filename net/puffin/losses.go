package puffin

import (
	"fmt"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// losses counts the missing parts of a recording.
type losses struct {
	sink      feed.Sink
	strangers int64       // scopes of threads beyond the limit
	astray    trace.Tally // scopes with impossible times
	steps     int64       // of the program's clock, back
	back      int64       // by how much in all, ns
	late      trace.Tally // scopes that began before the one before had ended
	deep      int64
	empty     int64 // frames without scopes that were left out
	restarted int64 // frames with a number no greater than the one before
}

// frame reports a frame that is unreadable or incomplete.
func (l *losses) frame(rec *record, err error, some bool) {
	x := model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 1}
	x.Detail = fmt.Sprintf("byte %d: a frame: %v", rec.at, err)
	if !some {
		x.Frames = 1
	}
	l.sink.Define(x)
}

// cut reports a stream with an unreadable rest.
func (l *losses) cut(th *thread, at, scopes int64) {
	l.sink.Define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: scopes, Detail: fmt.Sprintf(
		"byte %d: %s: scopes of a frame, from a damaged or unended one on", at, th.name)})
}

// truncated reports bytes that are no whole frame.
func (l *losses) truncated(at int64, n int, text string) {
	l.sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1,
		Detail: fmt.Sprintf("byte %d: %s: %d bytes are left over", at, text, n)})
}

// damaged reports why reading stopped.
func (l *losses) damaged(err error) {
	l.sink.Define(model.Loss{Reason: model.LossMalformed, Track: model.NoTrack, N: 1,
		Detail: fmt.Sprintf("%v; nothing is read from there on", err)})
}

// tell reports all counted losses.
func (l *losses) tell() {
	one := func(reason model.LossReason, n int64, text string) {
		if n > 0 {
			l.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: text})
		}
	}
	one(model.LossLimit, l.strangers, "scopes of threads for which there is no room")
	within := func(reason model.LossReason, t trace.Tally, text string) { one(reason, t.N, t.Within(text)) }
	within(model.LossMalformed, l.astray, "scopes with times years away from the others are left out, with their callees")
	within(model.LossLate, l.late, "scopes that began before the one before had ended are left out")
	one(model.LossLimit, l.deep, "scopes that nest too deeply are left out, with what they called")
	one(model.LossLimit, l.empty, emptyLost)
	if l.steps > 0 {
		l.sink.Define(model.Warning{Text: fmt.Sprintf("The program's clock was set back (%d×, by %v in all): what came after is "+
			"shown right after what came before.", l.steps, time.Duration(l.back).Round(time.Millisecond))})
	}
	if l.restarted > 0 {
		l.sink.Define(model.Warning{Text: fmt.Sprintf("Frame numbers start again %d times, as when a program is started "+
			"again; frames are numbered on.", l.restarted)})
	}
}
