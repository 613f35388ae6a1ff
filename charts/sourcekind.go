package charts

// flameKind says whether a flame graph has anything to show.
type flameKind uint8

const (
	flameEmpty   flameKind = iota // nothing was received yet
	flameShown                    // one frame or several
	flameMissing                  // the chosen instant lies in a gap
)
