package series

// loadMost bounds what is taken for a load: more processors than any machine has.
const loadMost = 1 << 16

// Load returns the load that a bin of a RoleCPULoad series says: the mean of its samples, else the
// value in force.
func (b *Bin) Load(x *Series) (share float64, ok bool) {
	_, last, any := x.Bounds()
	switch {
	case b.N > 0:
		share = b.Sum / float64(b.N)
	case b.HasBefore && b.Gaps == 0 && any && b.Begin <= last:
		share = b.Before
	default:
		return 0, false
	}
	switch x.Def.Unit {
	case "%":
		share /= 100
	case "‰":
		share /= 1000
	}
	if !(share > 0) { // what is no number is nothing
		return 0, true
	}
	return min(share, loadMost), true
}
