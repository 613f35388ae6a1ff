package panel

// Stands reports whether live figures made at a time must not change yet, so that they stay readable.
// All figures of the window are made anew in the same tick, so that they show the same state.
func Stands(env *Env, atNs int64) bool {
	return env.Paced && env.NowNs/LiveValuesNs == atNs/LiveValuesNs
}

// Paced limits values that change with every frame of live data to four updates a second, so that
// they can be read: all in the same ticks, so that values in different places of the window belong
// to the same moment. Without live data it shows them at once. The zero value is ready.
type Paced[T comparable] struct {
	shown T
	atNs  int64
}

// Of returns the value to show, given the current one.
func (p *Paced[T]) Of(env *Env, now T) T {
	if now == p.shown {
		return now
	}
	if p.atNs != 0 && env.View.Live() && Stands(env, p.atNs) {
		return p.shown
	}
	p.shown, p.atNs = now, env.NowNs
	return now
}
