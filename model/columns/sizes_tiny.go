//go:build tiny

package columns

const (
	ColumnShift  = 4
	ChunkShift   = 4
	ChunksAtOnce = 2
	BlockShift   = 2
	NearShift    = 2

	FlameMinBlock = 8
	FlameMaxBlock = 32

	StatShift = 3
	StatExact = 16

	SeriesLeaf  = 3
	SeriesUp    = 2
	HistShift   = 4
	HistUp      = 2
	SeriesExact = 1 << 7

	MeasureShift   = 3
	LockCheckShift = 2

	UndoFrames = 64
	UndoLanes  = 1 << 14

	SampleWindow  = 32
	MessageWindow = 16
	LockWindow    = 16

	MarkBytes = 1 << 10
)
