package subject

import (
	"strconv"

	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/locks"
	"framescope/model/store"
	"framescope/model/why"
)

// AppendWait appends why a thread waited for a lock, in whole sentences: how long, the holder, its
// work meanwhile, and the reason of its own wait.
func AppendWait(dst []byte, s *store.Session, w *why.Wait) []byte {
	name := func(id model.CollectorID) []byte { return append(dst, escape.Name(s.Collector(id).Name)...) }
	for i := range w.Chain {
		x := &w.Chain[i]
		switch {
		case i == 0:
			verb, to := " waited ", " for "
			if w.Unheld() {
				verb, to = " took ", " to get "
			}
			dst = append(append(dst, ThreadName(s, x.Track)...), verb...)
			dst = append(format.AppendDuration(dst, x.Ns), to...)
			dst = append(name(x.Collector), " at "...)
			dst = format.AppendClock(dst, x.BeginNs, s.Info().Clock.Step(x.BeginNs))
			dst = format.AppendDuration(append(dst, ", typical "...), w.TypicalNs)
			dst = append(dst, '.')
			if w.OpenEnd {
				dst = append(dst, " It still did at the end of the recording."...)
			}
		case x.Kind == why.StepHeld:
			dst = append(append(append(dst, ' '), ThreadName(s, x.Track)...), " held "...)
			dst = append(name(x.Collector), " for "...)
			dst = append(format.AppendDuration(dst, x.Ns), " of that"...)
		case x.Kind == why.StepRan:
			dst = format.AppendDuration(append(dst, ", "...), x.Ns)
			dst = append(dst, " of it in "...)
			dst = name(x.Collector)
		case x.Kind == why.StepWaited:
			dst = format.AppendDuration(append(dst, ", and waited "...), x.Ns)
			dst = append(dst, " of it itself for "...)
			dst = name(x.Collector)
		case x.Kind == why.StepSignalled:
			dst = append(append(dst, ", which "...), ThreadName(s, x.Track)...)
			dst = append(dst, " signalled"...)
		}
		if i > 0 && (i+1 == len(w.Chain) || w.Chain[i+1].Kind == why.StepHeld) {
			dst = append(dst, '.')
		}
	}
	for i := range w.Others {
		x := &w.Others[i]
		dst = append(append(append(dst, ' '), ThreadName(s, x.Track)...), " held it for "...)
		dst = append(format.AppendDuration(dst, x.Ns), '.')
	}
	switch {
	case w.Unheld():
		dst = append(dst, " No holder is known, so it is not counted as a wait."...)
	case w.UnexplainedNs*10 >= w.Ns():
		dst = format.AppendDuration(append(dst, ' '), w.UnexplainedNs)
		dst = append(dst, " of it had no known holder."...)
	}
	return dst
}

// AppendWaited appends the number and total time of waits for a lock, and the number of tries that
// are none, without a known holder: the sums shown in the inspector.
func AppendWaited(dst []byte, s *store.Session, st *locks.Stats) []byte {
	dst = append(append(dst, escape.Name(s.Collector(st.Lock).Name)...), ": "...)
	if dst = append(format.AppendCount(dst, st.Waits), " wait"...); st.Waits != 1 {
		dst = append(dst, 's')
	}
	if st.Waits > 0 {
		dst = append(format.AppendDuration(append(dst, ", "...), st.WaitNs), " in all"...)
	}
	if st.Unheld > 0 {
		dst = append(format.AppendCount(append(dst, "; taken "...), st.Unheld), "× while no holder is known, "...)
		dst = format.AppendDuration(dst, st.UnheldNs)
	}
	return append(dst, '.')
}

// AppendSurpluses appends which methods have more samples in a stretch of time than chance allows, a
// line each; where there is none, that there is none.
func AppendSurpluses(dst []byte, s *store.Session, found *why.Surpluses) []byte {
	for i := range found.List {
		dst = append(AppendSurplus(dst, s, &found.List[i]), '\n')
	}
	if len(found.List) > 0 {
		return dst
	}
	if found.Threads == 0 {
		return append(dst, "No thread has samples in the range and in what it is compared with.\n"...)
	}
	dst = append(dst, "No method has more samples there than chance allows, of "...)
	dst = format.AppendPlural(dst, int64(found.Tests), "that was tested", "that were tested")
	dst = format.AppendPlural(append(dst, " in "...), found.OfThere, "sample", "samples")
	dst = format.AppendCount(append(dst, " there and "...), found.OfElsewhere)
	dst = append(dst, " elsewhere.\n"...)
	if there, elsewhere := found.Best.Share(); there > elsewhere {
		dst = append(AppendSurplus(append(dst, "Most over the rest, which may be chance: "...), s, &found.Best), '\n')
	}
	return dst
}

// AppendSurplus appends how many samples a method has in a stretch of time, and elsewhere.
func AppendSurplus(dst []byte, s *store.Session, x *why.Surplus) []byte {
	there, elsewhere := x.Share()
	dst = append(append(dst, ThreadName(s, x.Track)...), ": "...)
	dst = append(dst, escape.Name(s.Collector(x.Collector).Title())...)
	if x.Self {
		dst = append(dst, " is innermost in "...)
	} else {
		dst = append(dst, " is on the stack in "...)
	}
	dst = appendShare(dst, there, x.Error)
	dst = format.AppendPlural(append(dst, " of "...), x.OfThere, "sample", "samples")
	where := format.Pick(x.Baseline, ", in the baseline in ", ", elsewhere in ")
	dst = appendShare(append(dst, where...), elsewhere, x.ErrorElsewhere)
	dst = format.AppendCount(append(dst, " of "...), x.OfElsewhere)
	return append(appendChance(dst, x.P), '.')
}

// appendShare appends a share and its standard deviation: "47.6 ± 4.2 %".
func appendShare(dst []byte, share, deviation float64) []byte {
	const percent = 100
	dst = strconv.AppendFloat(dst, share*percent, 'f', 1, 64)
	dst = strconv.AppendFloat(append(dst, " ± "...), deviation*percent, 'f', 1, 64)
	return append(dst, " %"...)
}

// appendChance appends how likely something is by chance.
func appendChance(dst []byte, p float64) []byte {
	const least = 0.001
	if p < least {
		return append(dst, " (p < 0.001)"...)
	}
	return append(strconv.AppendFloat(append(dst, " (p = "...), p, 'f', 3, 64), ')')
}

// AppendSurplusFigures appends the figures of AppendSurplus without their words.
func AppendSurplusFigures(dst []byte, x *why.Surplus) []byte {
	there, elsewhere := x.Share()
	dst = appendShare(dst, there, x.Error)
	dst = appendShare(append(dst, ", elsewhere "...), elsewhere, x.ErrorElsewhere)
	return appendChance(dst, x.P)
}

// onWay reports whether an answer or a link is about a thing on its way through a program.
func onWay(s *store.Session, id model.TrackID) bool {
	k := s.Track(id).Def.Kind
	return k == model.TrackStream || k == model.TrackElement
}

// appendWayLink appends the element that had a thing longer than typical; first means the late thing
// itself, else those before it.
func appendWayLink(dst []byte, s *store.Session, l *why.Link, first bool) []byte {
	t := s.Track(l.Track)
	switch {
	case t.Def.Kind == model.TrackStream && l.How == why.Spread:
		dst = append(dst, "Many elements kept it a little longer each"...)
	case t.Def.Kind == model.TrackStream && first:
		dst = append(dst, "It was "...)
		dst = format.AppendDuration(dst, l.ExcessNs)
		dst = append(dst, " longer where no element was traced"...)
	case t.Def.Kind == model.TrackStream:
		dst = appendPathEnd(dst, s, t)
		dst = format.AppendDuration(append(dst, " held up the buffer before it "...), l.ExcessNs)
		dst = append(dst, " longer"...)
	case !first:
		dst = append(append(dst, ThreadName(s, l.Track)...), " kept "...)
		if l.Calls == 1 {
			dst = append(dst, "the buffer"...)
		} else {
			dst = append(format.AppendCount(append(dst, "the "...), l.Calls), " buffers"...)
		}
		dst = format.AppendDuration(append(dst, " before it "...), l.ExcessNs)
		dst = append(dst, " longer"...)
	case l.How == why.New:
		dst = format.AppendDuration(append(append(dst, ThreadName(s, l.Track)...), " kept it "...), l.SelfNs)
		dst = append(dst, ", and had "...)
		if l.Seen == 0 {
			dst = append(dst, "none"...)
		} else {
			dst = format.AppendCount(dst, int64(l.Seen))
		}
		dst = append(format.AppendCount(append(dst, " of the "...), int64(l.Around)), " around"...)
	default:
		dst = append(append(dst, ThreadName(s, l.Track)...), " kept it "...)
		dst = append(format.AppendDuration(dst, l.ExcessNs), " longer ("...)
		dst = append(format.AppendDuration(dst, l.SelfNs), " instead of "...)
		dst = append(format.AppendDuration(dst, l.SelfNs-l.ExcessNs), ')')
	}
	return dst
}

// appendPathEnd appends the name of the element that a path ends at.
func appendPathEnd(dst []byte, s *store.Session, t *store.Track) []byte {
	o, ok := s.Topology().Object(t.Def.Peer)
	if up, above := s.Topology().Object(o.Parent); above && o.Kind != model.ObjectElement {
		o = up
	}
	if !ok {
		return append(dst, "the end of the path"...)
	}
	return append(dst, escape.Name(o.Name)...)
}

// appendWayFigures appends the figures of a link about an element, below its name.
func appendWayFigures(dst []byte, l *why.Link) []byte {
	switch l.How {
	case why.Waiting:
		return append(dst, " behind those before it"...)
	case why.Spread:
		return append(dst, " spread over many elements"...)
	case why.NotMeasured:
		return append(dst, " where no element was traced"...)
	case why.New:
		return append(dst, ", where others do not come"...)
	}
	switch {
	case l.Around == 0 && l.Calls == 1: // it is about those before it
		return append(dst, " for the buffer before it"...)
	case l.Around == 0:
		return append(format.AppendCount(append(dst, " for "...), l.Calls), " buffers before it"...)
	}
	return format.AppendDuration(append(dst, ", typical "...), l.SelfNs-l.ExcessNs)
}

// appendWayCause appends the name of the cause that kept the late things of a group; on request with the
// way.
func appendWayCause(dst []byte, s *store.Session, g *why.Group, way bool) []byte {
	switch g.How {
	case why.NotMeasured:
		dst = append(dst, "Not measured"...)
	case why.Spread:
		dst = append(dst, "Many elements"...)
	default:
		dst = append(dst, ThreadName(s, g.Track)...)
	}
	if way {
		dst = append(append(dst, " on "...), ThreadName(s, g.Of)...)
	}
	return dst
}

// FlowQuestion is the question behind an answer on the time of a way.
func FlowQuestion(a *flow.Answer) string {
	switch {
	case a.Dropped > 0:
		return "Why are buffers dropped?"
	case len(a.Chain) > 0 && a.Chain[0].How == flow.Waits:
		return "Where do buffers wait?"
	}
	return "Where does the time of buffers go?"
}

// ObjectName is the name of an object.
func ObjectName(s *store.Session, id model.ObjectID) string {
	o, ok := s.Topology().Object(id)
	if !ok {
		return "?"
	}
	return escape.Name(o.Name)
}

// AppendFlowFigures appends the figures of a link of such an answer, below its name.
func AppendFlowFigures(dst []byte, l *flow.Link) []byte {
	switch l.How {
	case flow.Unmeasured:
		dst = format.AppendPercent(append(dst, "what it did in "...), l.Share)
		return append(dst, " of the time between two buffers was not traced"...)
	case flow.Behind:
		dst = appendTook(dst, l)
		dst = format.AppendPercent(append(dst, ", has them "...), l.Share)
		return append(dst, " of the time between two buffers"...)
	}
	return appendFill(appendTook(dst, l), &l.Fill)
}

func appendTook(dst []byte, l *flow.Link) []byte {
	dst = format.AppendDuration(append(dst, "median "...), int64(l.Figures.MedianNs+0.5))
	dst = format.AppendDuration(append(dst, ", p99 "...), int64(l.Figures.P99Ns+0.5))
	return format.AppendPlural(append(dst, " of "...), l.Figures.N, "buffer", "buffers")
}

// appendFill appends how full a queue was.
func appendFill(dst []byte, f *flow.Fill) []byte {
	if !f.Known {
		return dst
	}
	return AppendFill(append(dst, "; it holds "...), f)
}

// AppendFill appends how many buffers were in a queue: "29 of 30", where it is known how many it takes,
// else "29, at most 31".
func AppendFill(dst []byte, f *flow.Fill) []byte {
	dst = format.AppendCount(dst, int64(f.Median+0.5))
	if f.Limit > 0 {
		return format.AppendCount(append(dst, " of "...), int64(f.Limit))
	}
	return format.AppendCount(append(dst, ", at most "...), int64(f.Most+0.5))
}

// AppendFlow appends where the time of a way goes, as a sentence.
func AppendFlow(dst []byte, s *store.Session, a *flow.Answer) []byte {
	dst = append(append(dst, escape.Name(s.Track(a.Way.Track).Title())...), ": "...)
	if a.Dropped > 0 {
		dst = append(append(dst, ObjectName(s, a.Dropper)...), " dropped "...)
		dst = format.AppendPlural(dst, int64(a.Dropped), "buffer", "buffers")
		if len(a.Chain) > 0 {
			dst = append(dst, "; "...)
		}
	}
	for i := range a.Chain {
		l := &a.Chain[i]
		name := ObjectName(s, l.Object)
		switch l.How {
		case flow.Waits, flow.Works:
			if l.How == flow.Waits {
				dst = append(append(dst, "buffers wait in "...), name...)
			} else {
				dst = append(append(dst, "the most time is spent in "...), name...)
			}
			dst = format.AppendPercent(append(dst, ", "...), l.Share)
			dst = append(dst, " of the way ("...)
		case flow.Behind:
			dst = append(append(dst, ", behind "...), name...)
			dst = append(dst, " ("...)
		case flow.Unmeasured:
			dst = append(append(dst, ", before "...), name...)
			dst = append(dst, " ("...)
		}
		dst = append(AppendFlowFigures(dst, l), ')')
	}
	return append(dst, '.')
}
