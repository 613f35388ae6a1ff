//go:build !amd64 && !arm64

package client

// ReadTicks returns nothing of use here.
func ReadTicks() int64 { return 0 }

// Steady tells that ticks are of equal length on all cores, whatever these do. Where it is false,
// they are no measure of time.
const Steady = false
