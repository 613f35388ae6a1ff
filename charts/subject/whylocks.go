package subject

import (
	"framescope/charts/format"
	"framescope/internal/visible"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// AppendWait appends why a thread waited for a lock, in whole sentences: how long, who held it, what
// that did meanwhile, and what it waited for itself.
func AppendWait(dst []byte, s *store.Session, w *why.Wait) []byte {
	name := func(id model.CollectorID) []byte { return append(dst, visible.Name(s.Collector(id).Name)...) }
	for i := range w.Chain {
		x := &w.Chain[i]
		switch {
		case i == 0:
			dst = append(append(dst, ThreadName(s, x.Track)...), " waited "...)
			dst = append(format.AppendDuration(dst, x.Ns), " for "...)
			dst = append(name(x.Collector), " at "...)
			dst = format.AppendClock(dst, x.BeginNs, s.Info().Clock.Step(x.BeginNs))
			dst = format.AppendDuration(append(dst, ", typical "...), w.TypicalNs)
			dst = append(dst, '.')
			if w.OpenEnd {
				dst = append(dst, " It still did when what was received ends."...)
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
	if w.UnexplainedNs*10 >= w.Ns() {
		dst = format.AppendDuration(append(dst, ' '), w.UnexplainedNs)
		dst = append(dst, " of it nobody is known to have held it."...)
	}
	return dst
}
