package panel

import (
	"framescope/assets"
	"framescope/charts/draw"
)

// Layers is the draw list of a chart, for it to embed: a base that is filled again only when its
// content changed (Base and the inputs of all pictures), and an overlay, which depends on Over. The
// zero value is ready.
type Layers[Base, Over comparable] struct {
	list  *draw.List
	mark  draw.Mark // end of the base
	base  layerKey[Base]
	over  Over
	drawn bool // the base, into this list
	stale bool // of the overlay
}

// layerKey is the inputs of a base.
type layerKey[Base comparable] struct {
	rect  draw.Rect
	scale float32
	theme assets.Theme
	// limits is the revision of the verdicts on budgets, which lie in many pictures.
	limits uint64
	of     Base
}

// List returns the picture of the last Update.
func (l *Layers[Base, Over]) List() *draw.List { return l.list }

// Ready makes the list, for a chart that may have nothing to draw.
func (l *Layers[Base, Over]) Ready(env *Env) {
	if ListFor(&l.list, env) {
		l.drawn = false
	}
}

// BeginBase reports whether the base must be drawn, and has begun it if so, with the ground of a
// panel.
func (l *Layers[Base, Over]) BeginBase(env *Env, rect draw.Rect, of Base) bool {
	key := layerKey[Base]{rect, env.Scale, *env.Theme, env.Limits.Revision(), of}
	l.Ready(env)
	if l.drawn && key == l.base {
		return false
	}
	l.base, l.drawn, l.stale = key, true, true
	l.list.Reset(rect)
	l.list.Rect(rect, draw.Color(env.Theme.Panel))
	return true
}

// BeginOver reports whether the overlay must be drawn, and has cut it off if so.
func (l *Layers[Base, Over]) BeginOver(of Over) bool {
	if !l.stale && of == l.over {
		return false
	}
	if l.stale {
		l.mark = l.list.Mark()
	}
	l.over, l.stale = of, false
	l.list.Cut(l.mark)
	return true
}

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
