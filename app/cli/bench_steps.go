package cli

// Units of figures.
const (
	nsSpan  = "ns/span"
	nsEvent = "ns/event"
)

// wireName is the figure that others are a share of: the bytes of frames, read and checked.
const wireName = "wire"

// steps returns all measurements, in the order of the table. Those of other processes come first, while
// this one is small: Linux counts some of its memory as theirs.
func steps() []step {
	return []step{
		opening(), copying(), reading(), wireSpeed(),
		toStore("decode", 100, false, ""), toStore("decode to store", 100, true, "≥ 0.30 × wire"),
		sparse(),
		liveTimeline(), brushing(), wideFlame(), smoothStrip(), liveLocks(), textSearch(), search(), clientPair(), windowTicks(),
	}
}
