package subject

// SourceKind is the state of a flame graph's content.
type SourceKind uint8

const (
	SourceEmpty   SourceKind = iota // nothing was received yet
	SourceShown                     // one frame or several
	SourceMissing                   // the chosen instant lies in a gap
)
