package format

// Pick returns a where something holds, else b: which of two words, colors or sizes.
func Pick[T any](holds bool, a, b T) T {
	if holds {
		return a
	}
	return b
}
