package panel

// Sized is a panel that knows how high all that it shows is; others fill what they are given.
type Sized interface {
	// Extent returns how high all that it shows is at a width, as of the last Update, in physical
	// pixels.
	Extent(env *Env, pxWidth float32) float32
}

// Section is a panel that may be one of several in a pane that scrolls as one. Update is then given
// the part of it that is in sight, and Shift told before how much lies above that.
type Section interface {
	Panel
	Sized
	// Shift says how much of the panel lies above what Update is given, in physical pixels; below 0: it
	// is no section, and scrolls by itself.
	Shift(px float32)
	// Reveal returns what should come into sight since it was asked last, from the panel's upper edge in
	// physical pixels; false: nothing.
	Reveal() (y0, y1 float32, ok bool)
}

// Roomy is a section that shows less where there is little room: Room is told how high all sections of
// its pane are in sight together, in physical pixels, before Extent is asked.
type Roomy interface{ Room(px float32) }
