package subject

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/spans"
)

// States of sampled threads, drawn alike in every panel.

// StateColor returns the color of a state of a thread, none for an unknown one.
func StateColor(t *assets.Theme, s spans.State) draw.Color {
	switch s {
	case spans.StateRunning:
		return draw.Color(t.Live)
	case spans.StateReady:
		return draw.Color(t.Live).WithAlpha(100)
	case spans.StateIO:
		return draw.Color(t.Faster)
	case spans.StateBlocked:
		return draw.Color(t.Bad)
	case spans.StateWaiting:
		return draw.Color(t.TextDim).WithAlpha(120)
	}
	return draw.Color{}
}

// StateWord is a short name of a state.
func StateWord(s spans.State) string {
	if s == spans.StateReady {
		return "ready"
	}
	return s.String()
}

// StateTips adds the states of a thread, those that it was in, each with its share and its time.
func StateTips(l *panel.TipLines, a *spans.Activity) {
	for s := range spans.NumStates {
		name := s.String()
		if s == spans.StateReady && !a.HasCPU {
			name = "running, ready or at a monitor"
		}
		l.If(a.Ns[s] > 0).Text(name + "\t").Percent(a.Share(s)).Text(" · ").Duration(a.Ns[s]).End()
	}
}
