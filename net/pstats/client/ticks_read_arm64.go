package client

// ReadTicks returns the virtual counter, which all cores share.
func ReadTicks() int64

// Steady reports whether ticks have equal length on all cores in all states. Otherwise they do not
// measure time.
const Steady = true
