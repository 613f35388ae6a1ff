package panel

// Paced lets what changes with every frame of live data be shown four times a second, so that it can
// be read: all of it in the same ticks, so that what stands in one place of the window is of the same
// moment as what stands in another. Where nothing is followed it is shown at once. The zero value is
// ready.
type Paced[T comparable] struct {
	shown T
	atNs  int64
}

// Of returns what is to be shown, given what would be right.
func (p *Paced[T]) Of(env *Env, now T) T {
	if now == p.shown {
		return now
	}
	soon := p.atNs != 0 && env.NowNs/LiveValuesNs == p.atNs/LiveValuesNs
	if soon && env.Paced && env.View.Live() {
		return p.shown
	}
	p.shown, p.atNs = now, env.NowNs
	return now
}
