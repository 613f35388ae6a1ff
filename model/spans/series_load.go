package spans

// loadMost bounds a load: more processors than any machine has.
const loadMost = 1 << 16

// Load returns the load in a bin of a RoleCPULoad series, its mean by time; ok is false if none is
// known.
func (b *SeriesBin) Load(x *Series) (share float64, ok bool) {
	if b.N == 0 && b.HeldNs == 0 {
		return 0, false
	}
	share = b.Mean
	switch x.Def.Unit {
	case "%":
		share /= 100
	case "‰":
		share /= 1000
	}
	if !(share > 0) { // NaN counts as nothing
		return 0, true
	}
	return min(share, loadMost), true
}
