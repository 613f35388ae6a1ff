package panel

import (
	"framescope/assets"
	"framescope/charts/draw"
)

// share returns where t is between a and b, 0…1.
func Share(t, a, b int64) float32 {
	if b <= a {
		return 0
	}
	return float32(min(max(float64(t-a)/float64(b-a), 0), 1))
}

// PictureKey is what every chart's picture depends on: while it stays the same (and what else the chart adds), the list is left as it is.
type PictureKey struct {
	view  uint64
	Rect  draw.Rect
	Scale float32
	Theme assets.Theme
}

func PictureKeyOf(env *Env, r draw.Rect) PictureKey {
	return PictureKey{env.View.Stamp(), r, env.Scale, *env.Theme}
}
