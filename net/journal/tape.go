package journal

// Tape takes what a live source receives, as a Writer does. Encoders of sources write to one, so
// that a session may be kept in several places at a time.
type Tape interface {
	// Define, Data, NeedsDefinitions and Close are as those of a Writer.
	Define(key string, payload []byte) bool
	Data(payload []byte) bool
	NeedsDefinitions() bool
	Close(reason string)
}

var _ Tape = (*Writer)(nil)
