package panel

import "framescope/charts/view"

// Causes returns why frames of the view's session are slow, with its hitches found and explained a
// little further: as far as a small part of a tick reaches, in pictures all of them.
func Causes(env *Env) *view.Causes {
	env.View.PrepareCauses(!env.Paced)
	return env.View.Causes()
}

// WalkCause limits key navigation to hitches with the cause of the selected frame or buffer, or
// removes that limit; false: the selection is no hitch.
func WalkCause(env *Env) bool {
	v, t := env.View, env.View.Lead()
	if v.Cause() != (view.Cause{}) {
		v.ChooseCause(view.Cause{})
		return true
	}
	if all := v.Causes(); v.HasSpan() && all.OfWays(v.Track()) {
		g := Causes(env).LateThing(v.Span())
		if g != nil {
			v.ChooseCause(view.By(g))
		}
		return g != nil
	}
	if t == nil || v.LeadA() < 0 || v.LeadA() >= t.NumFrames() {
		return false
	}
	g := Causes(env).Group(t.Frame(v.LeadA()).Number)
	if g != nil {
		v.ChooseCause(view.By(g))
	}
	return g != nil
}
