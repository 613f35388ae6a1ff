//go:build !tiny

// File sizes.go has the sizes of the parts of the stores, in one place for all of them.

package columns

// How large the parts of the store are. The build tag tiny makes all of them so small that a few
// frames fill several chunks and several levels of every pyramid, and leave memory again: the tests
// that compare the store with a plain model run in both sizes.
const (
	// ColumnShift is the binary logarithm of a column chunk's length, ChunkShift that of a lane's
	// chunk in spans.
	ColumnShift = 10
	ChunkShift  = 11
	// ChunksAtOnce is from how many chunks on a lane or column makes new ones at their full size.
	ChunksAtOnce = 8
	// BlockShift is for the spans that share a base, and for the leaves of the level-of-detail
	// pyramid.
	BlockShift = 5
	// NearShift is for the values of a Near that share a base.
	NearShift = 5

	// A block of call paths has so many spans (lanes/pyramid.go).
	FlameMinBlock = 256
	FlameMaxBlock = 4096

	// StatShift is for the frames in a block of statistics; StatExact is the longest range, in
	// frames, for which values are gathered and percentiles are exact.
	StatShift = 10
	StatExact = 4096

	// SeriesLeaf is for the samples under a leaf, SeriesUp for the fan-out; HistShift and HistUp
	// are the same for histograms. SeriesExact is the most samples for which percentiles are exact.
	SeriesLeaf  = 5
	SeriesUp    = 3
	HistShift   = 14
	HistUp      = 4
	SeriesExact = 1 << 16

	// MeasureShift is for the samples of a stack in a block.
	MeasureShift = 10
	// LockCheckShift is for the lock events between two copies of the state.
	LockCheckShift = 9

	// UndoFrames is how many frames can be taken back exactly; UndoLanes bounds the log where
	// frames touch many lanes.
	UndoFrames = 256
	UndoLanes  = 1 << 16

	// How many of the newest values of a list may have to move to put a late one in its place in
	// time. Older ones are refused. The windows are as large as the work for one late value is
	// small: a source that is late all the time must not bring the viewer to a stop.
	SampleWindow  = 4096
	MessageWindow = 1024
	LockWindow    = 512

	// MarkBytes is about how much data of a track leaves memory together.
	MarkBytes = 64 << 10
)
