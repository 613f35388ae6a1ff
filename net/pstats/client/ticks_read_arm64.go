package client

// ReadTicks returns the virtual counter, which all cores share.
func ReadTicks() int64

// Steady tells that ticks are of equal length on all cores, whatever these do. Where it is false,
// they are no measure of time.
const Steady = true
