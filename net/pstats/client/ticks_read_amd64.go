package client

// ReadTicks returns the time-stamp counter.
func ReadTicks() int64

// cpuid returns the features of the processor.
func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)

// Steady reports whether ticks have equal length on all cores in all states. Otherwise they do not
// measure time.
var Steady = invariant()

// invariant looks for the invariant TSC (AMD64 Architecture Programmer's Manual, volume 3, CPUID
// function 8000_0007).
func invariant() bool {
	const power, invariantBit = 0x80000007, 1 << 8
	if most, _, _, _ := cpuid(0x80000000); most < power {
		return false
	}
	_, _, _, edx := cpuid(power)
	return edx&invariantBit != 0
}
