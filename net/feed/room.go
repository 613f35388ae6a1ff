package feed

import "sync/atomic"

// memory is what the program may hold, in bytes; 0: nobody bounds it.
var memory atomic.Int64

// SetMemory says what the program may hold, in bytes, for Room; 0: nobody bounds it. There is one limit
// of it, as there is one of resident memory.
func SetMemory(bytes int64) { memory.Store(bytes) }

// leastRoom is how much may be in memory at once under any limit.
const leastRoom = 4 << 20

// Room returns how much of a recording may be in memory at once, in bytes, that the accounts of sinks do
// not know of since it is soon let go: a message, what unpacking looks back on. It is most, or where
// memory is bounded one of so many parts of it.
func Room(most, parts int64) int64 {
	if limit := memory.Load(); limit > 0 {
		return min(most, max(limit/parts, leastRoom))
	}
	return most
}
