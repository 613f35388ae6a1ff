package draw

// Atlas holds the glyphs of all faces at one scale.
type Atlas struct{}
