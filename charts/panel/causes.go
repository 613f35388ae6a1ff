package panel

import "framescope/charts/view"

// Causes returns why frames of the view's session are slow, with its hitches found and explained a
// little further: as far as a small part of a tick reaches, in pictures all of them.
func Causes(env *Env) *view.Causes {
	c := env.View.Causes()
	if c != nil {
		c.Prepare(env.View, !env.Paced)
	}
	return c
}
