package panel

import "framescope/charts/draw"

// ListFor makes a chart's list, or switches it to the atlas of the present scale. anew means that
// it is empty: all must be drawn.
func ListFor(list **draw.List, env *Env) (anew bool) {
	switch {
	case *list == nil:
		*list = draw.NewList(env.Atlas)
	case (*list).Atlas() != env.Atlas:
		(*list).SetAtlas(env.Atlas)
	default:
		return false
	}
	return true
}
