package subject

// SourceKind says whether a flame graph has anything to show.
type SourceKind uint8

const (
	SourceEmpty   SourceKind = iota // nothing was received yet
	SourceShown                     // one frame or several
	SourceMissing                   // the chosen instant lies in a gap
)
