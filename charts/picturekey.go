package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
)

// share returns where t is between a and b, 0…1.
func share(t, a, b int64) float32 {
	if b <= a {
		return 0
	}
	return float32(min(max(float64(t-a)/float64(b-a), 0), 1))
}

// pictureKey is what every chart's picture depends on: while it stays the same (and what else the chart adds), the list is left as it is.
type pictureKey struct {
	view  uint64
	rect  draw.Rect
	scale float32
	theme assets.Theme
}

func pictureKeyOf(env *Env, r draw.Rect) pictureKey {
	return pictureKey{env.View.Stamp(), r, env.Scale, *env.Theme}
}
