package feed

import "sync/atomic"

// memory is the program's memory limit, in bytes; 0: none.
var memory atomic.Int64

// SetMemory sets the program's memory limit, in bytes, for Room; 0: none. There is one limit, as there
// is one resident memory.
func SetMemory(bytes int64) { memory.Store(bytes) }

// leastRoom is how much may be in memory at once under any limit.
const leastRoom = 4 << 20

// Room returns the limit for short-lived data of a recording outside the accounts of sinks, in bytes:
// a message, the window of unpacking. It is most, or a fraction of the memory limit (1/parts), if that
// is less.
func Room(most, parts int64) int64 {
	if limit := memory.Load(); limit > 0 {
		return min(most, max(limit/parts, leastRoom))
	}
	return most
}
