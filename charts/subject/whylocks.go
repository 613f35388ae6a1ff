package subject

import (
	"framescope/charts/format"
	"framescope/internal/escape"
	"framescope/model"
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
