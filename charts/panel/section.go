package panel

// Sized is a panel that knows the height of its content; others fill their place.
type Sized interface {
	// Extent returns how high all that it shows is at a width, as of the last Update, in physical
	// pixels.
	Extent(env *Env, pxWidth float32) float32
}

// Modest is a panel that can't use more than a height; the panels beside it get the rest.
type Modest interface {
	// Useful returns that height as of the last Update, in physical pixels, 0: any. It must not change with the
	// selection, the window of time or the panel's own size, as borders between panels follow it.
	Useful(env *Env) float32
}

// Section is a panel that may be one of several in a pane that scrolls as one. Update then gets its
// visible part, and Shift, called before, the height above that.
type Section interface {
	Panel
	Sized
	// Shift sets how much of the panel lies above the rectangle of Update, in physical pixels; below 0:
	// it is no section, and scrolls by itself.
	Shift(px float32)
	// Reveal returns the range to scroll into view since the last call, from the panel's upper edge in
	// physical pixels; false: none.
	Reveal() (y0, y1 float32, ok bool)
}

// Roomy is a section that shows less in a small pane: Room sets the visible height of all sections of
// its pane together, in physical pixels, before Extent is called.
type Roomy interface{ Room(px float32) }
