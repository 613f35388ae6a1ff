//go:build !amd64 && !arm64

package client

// ReadTicks returns nothing of use here.
func ReadTicks() int64 { return 0 }

// Steady reports whether ticks have equal length on all cores in all states. Otherwise they do not
// measure time.
const Steady = false
