package panel

import "framescope/charts/draw"

// ListFor makes a chart's list, or makes it use the atlas of the scale that there is now. anew
// tells that it is empty: all must be drawn.
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
