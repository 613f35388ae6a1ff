package panel

import "framescope/charts/draw"

// NameLeast is how wide a name is shown, at scale 1, before a number beside it leaves.
const NameLeast = 96

// RoomBeside reports whether something that takes pxWidth, its gap included, may stand beside a name
// in pxRoom: the name comes first, and is whole or has NameLeast.
func RoomBeside(env *Env, f draw.Face, name string, pxRoom, pxWidth float32) bool {
	left := pxRoom - pxWidth
	return left >= env.Px(NameLeast) || left >= env.Atlas.Measure(f, name)
}
