package why

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/spans"
)

// stretch is a time in which a thread was blocked, by the states that the data have of it.
type stretch struct {
	beginNs, endNs int64
	state          string
	allNs          int64 // of all stretches of the range
}

// byState follows a link whose thread was blocked for much of the excess, as the data say, to the thread that woke it
// up and what that did meanwhile. ok is false if the data have no states of the thread, or it was not blocked.
func (e *Engine) byState(links []Link) (_ []Link, ok bool) {
	l := &links[len(links)-1]
	if l.How == Spread || l.EndNs <= l.BeginNs {
		return links, false
	}
	x, ok := e.blocked(l.Track, l.BeginNs, l.EndNs)
	if !ok || float64(x.allNs) < leastReach*float64(l.ExcessNs) {
		return links, false
	}
	l.How, l.State = Unknown, x.state
	if x.state == Runnable {
		e.rivals(l, x)
	}
	for len(links) < maxChain {
		by, woken := e.wokenBy(links[len(links)-1].Track, x.endNs)
		if !woken || inChain(links, by) {
			break
		}
		next, found := e.didMeanwhile(by, x, links[0].ExcessNs)
		if !found {
			break
		}
		links[len(links)-1].How = Waiting
		links = append(links, next)
		own, waited := e.blocked(by, x.beginNs, x.endNs)
		if !waited || 2*(own.endNs-own.beginNs) < x.endNs-x.beginNs {
			break
		}
		last := &links[len(links)-1]
		last.How, last.State, x = Unknown, own.state, own
	}
	return e.fromOutside(x, links), true
}

// fromOutside follows a blocked thread that no thread woke, as where the system did when data came, to the work that
// ended just then. Who was blocked meanwhile is followed in its turn.
func (e *Engine) fromOutside(x stretch, links []Link) []Link {
	n := len(links)
	l := &links[n-1]
	if l.How != Unknown || x.state == Runnable || strings.HasSuffix(x.state, "sleep") {
		return links
	}
	l.How = Waiting
	out := e.explain(wait{l.Track, l.Collector, x.beginNs, x.endNs, x.beginNs, x.endNs, min(l.ExcessNs, x.endNs-x.beginNs),
		true, true}, links)
	if len(out) > n {
		out, _ = e.byState(out)
	}
	if last := &out[len(out)-1]; last.How == Unknown {
		out = out[:n]
		out[n-1].How = Unknown
	}
	return out
}

// Runnable is the state of a thread that has no processor.
const Runnable = "runnable"

// statesOf returns the series that says what a thread does, nil if there is none.
func (e *Engine) statesOf(id model.TrackID) *spans.Series {
	for _, series := range e.s.Series().ByTrack(id) {
		y := e.s.Series().ByID(series)
		if y.Def.Kind == model.SeriesState && y.Def.Role == model.RoleNone && slices.Contains(y.Def.States, "running") {
			return y
		}
	}
	return nil
}

// blocked returns the longest time within [t0, t1) in which a thread was blocked.
func (e *Engine) blocked(id model.TrackID, t0, t1 int64) (longest stretch, ok bool) {
	const limit = 4096
	most := int64(0)
	y := e.statesOf(id)
	if y == nil {
		return longest, false
	}
	var list []model.Sample
	if before, ok := y.At(t0); ok {
		list = append(list, before)
	}
	list = y.Samples(t0+1, t1, limit, list)
	for i, sample := range list {
		begin, end := max(sample.Time, t0), t1
		if i+1 < len(list) {
			end = list[i+1].Time
		}
		state := y.Def.State(sample.Value)
		if !isBlocked(state) {
			continue
		}
		ok = true
		longest.allNs += end - begin
		weight := end - begin
		if state == Runnable { // after a wait a thread often is, and then the wait made it late
			weight /= 2
		}
		if weight > most {
			longest.beginNs, longest.endNs, longest.state, most = begin, end, state, weight
		}
	}
	return longest, ok
}

// isBlocked reports whether a thread in a state waits for something, or has no processor.
func isBlocked(state string) bool {
	return strings.HasPrefix(state, "waiting") || strings.HasSuffix(state, "blocked") || state == Runnable
}

// rivals finds what ran on the processors while a thread had none.
func (e *Engine) rivals(l *Link, x stretch) {
	e.beside = e.beside[:0]
	for id := range model.TrackID(e.s.NumTracks()) {
		if e.s.Track(id).Def.Kind != model.TrackProcessor {
			continue
		}
		e.bars = e.s.Spans().Visible(id, 0, x.beginNs, x.endNs, 0, e.bars[:0])
		for _, b := range e.bars {
			ns := min(b.End, x.endNs) - max(b.Begin, x.beginNs)
			at := slices.IndexFunc(e.beside, func(y spans.Stat) bool { return y.Collector == b.Collector })
			if at < 0 {
				at = len(e.beside)
				e.beside = append(e.beside, spans.Stat{Collector: b.Collector})
			}
			e.beside[at].TotalNs += ns
		}
	}
	slices.SortFunc(e.beside, func(x, y spans.Stat) int { return cmp.Compare(y.TotalNs, x.TotalNs) })
	for i := range l.Ran {
		if i < len(e.beside) && 10*e.beside[i].TotalNs > x.endNs-x.beginNs {
			l.Ran[i] = e.beside[i].Collector
		}
	}
}

// wokenBy returns the thread that woke another at a time.
func (e *Engine) wokenBy(id model.TrackID, ns int64) (by model.TrackID, ok bool) {
	const until = 100_000_000 // a woken thread runs again by then
	var room [16]spans.Arrow
	for _, a := range e.s.Flows().In(id, ns, ns+until, room[:0]) {
		if distance(a.From, ns) <= e.exactAt(ns) {
			return a.FromTrack, true
		}
	}
	return model.NoTrack, false
}

// didMeanwhile returns the work that a thread spent most of a stretch of time in, if that is a fifth of it or more.
func (e *Engine) didMeanwhile(id model.TrackID, x stretch, excessNs int64) (l Link, ok bool) {
	e.window(wait{track: id, fromNs: x.beginNs, endNs: x.endNs}, id)
	best := cause{how: Longer}
	for k := range e.rates.parts {
		if p := &e.rates.parts[k]; k > 0 && p.self.is > best.isNs {
			best.part, best.isNs = k, p.self.is
		}
	}
	if float64(best.isNs) < leastShare*float64(x.endNs-x.beginNs) {
		return l, false
	}
	best.excess = min(best.isNs, excessNs)
	if fresh(&e.rates.parts[best.part], &e.rates) {
		best.how = New
	}
	return e.link(&e.rates, &best, x.beginNs, x.endNs), true
}
