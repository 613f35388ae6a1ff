//go:build tiny

package store

const (
	columnShift  = 4
	chunkShift   = 4
	chunksAtOnce = 2
	blockShift   = 2
	nearShift    = 2

	flameMinBlock = 8
	flameMaxBlock = 32

	statShift = 3
	statExact = 16

	seriesLeaf  = 3
	seriesUp    = 2
	histShift   = 4
	histUp      = 2
	seriesExact = 1 << 7

	measureShift   = 3
	lockCheckShift = 2

	undoFrames = 64
	undoLanes  = 1 << 14

	sampleWindow  = 32
	messageWindow = 16
	lockWindow    = 16

	markBytes = 1 << 10
)
