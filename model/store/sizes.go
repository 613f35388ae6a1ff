//go:build !tiny

package store

// How large the parts of the store are. The build tag tiny makes all of them so small that a few
// frames fill several chunks and several levels of every pyramid, and leave memory again: the tests
// that compare the store with a plain model run in both sizes.
const (
	// columnShift is the binary logarithm of a column chunk's length, chunkShift that of a lane's
	// chunk in spans.
	columnShift = 10
	chunkShift  = 11
	// chunksAtOnce is from how many chunks on a lane or column makes new ones at their full size.
	chunksAtOnce = 8
	// blockShift is of the spans that share a base, and of the leaves of the level-of-detail
	// pyramid.
	blockShift = 5
	// nearShift is of the values of a nearColumn that share a base.
	nearShift = 5

	// A block of call paths has so many spans (flame.go).
	flameMinBlock = 256
	flameMaxBlock = 4096

	// statShift is of the frames in a block of statistics; statExact is the longest range, in
	// frames, for which values are gathered and percentiles are exact.
	statShift = 10
	statExact = 4096

	// seriesLeaf is of the samples under a leaf, seriesUp of the fan-out; histShift and histUp are
	// the same of histograms. seriesExact is the most samples for which percentiles are exact.
	seriesLeaf  = 5
	seriesUp    = 3
	histShift   = 14
	histUp      = 4
	seriesExact = 1 << 16

	// measureShift is of the samples of a stack in a block.
	measureShift = 10
	// lockCheckShift is of the lock events between two copies of the state.
	lockCheckShift = 9

	// undoFrames is how many frames can be taken back exactly; undoLanes bounds the log where
	// frames touch many lanes.
	undoFrames = 256
	undoLanes  = 1 << 16

	// How many of the newest values of a list may have to move so that a late one comes to its
	// place in time. What is older is refused. The windows are as large as the work for one late
	// value is small: a source that is late all the time must not bring the viewer to a stop.
	sampleWindow  = 4096
	messageWindow = 1024
	lockWindow    = 512

	// markBytes is about how much data of a track leaves memory together.
	markBytes = 64 << 10
)
