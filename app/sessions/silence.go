package sessions

import (
	"time"

	"framescope/app/launch"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/widgets"
)

const (
	// A session that was connected and got nothing for so long is worth a word, and after firstDue
	// something is wrong.
	firstDue = 5 * time.Second
	// A silence of silenceTold is shown even if it is usual.
	silenceTold = time.Second
	// usualUnknown is taken for the usual interval while it is not known.
	usualUnknown = time.Second
)

// silenceOf returns how long a live session has received nothing. Repeatable pictures do not show
// measured times.
func (ss *Sessions) silenceOf(e feed.Entry) widgets.Silence {
	if _, ended := e.Session.Ended(); ended || !e.Feed.Live() || e.Session.Info().File || ss.opt.Deterministic {
		return widgets.Silence{}
	}
	in := ownerOf(e.Feed).in
	if in != nil && in.Problem() != nil {
		return widgets.Silence{}
	}
	return silence(e.Feed.Pulse(), time.Duration(e.Session.Info().Clock.StepNs), waiting(in), time.Now())
}

// waiting reports whether a recording waits for something to begin: a file that is not there yet, a FIFO
// without a writer. Then nothing is silent.
func waiting(r *launch.Recording) bool {
	if r == nil {
		return false
	}
	state, _ := r.State()
	return state == follow.Waiting
}

// silence judges a pulse. step is the distance of samples, if the session consists of them; waiting
// reports that no program could send yet.
func silence(p feed.Pulse, step time.Duration, waiting bool, now time.Time) widgets.Silence {
	for_ := p.Silence(now)
	s := widgets.Silence{Ns: int64(for_), UsualNs: int64(p.Usual)}
	if p.LastAt.IsZero() {
		if s.Nothing, s.Overdue = true, for_ >= firstDue; waiting || for_ < silenceTold {
			return widgets.Silence{}
		}
		return s
	}
	usual := p.Usual
	if usual == 0 {
		usual = usualUnknown
	}
	s.Overdue = for_ > 2*max(usual, step)
	if !s.Overdue && for_ < silenceTold {
		return widgets.Silence{}
	}
	return s
}

// silenceAdvice suggests a reason for a silent session.
func silenceAdvice(o owner) string {
	if o.in != nil && o.in.Advice != "" {
		return o.in.Advice
	}
	return "Is the program stopped, in a debugger, or still loading? It is shown as soon as it sends."
}
