package charts

// TimeAxis is a visible range of time with animated jumps. The zero value shows nothing until Fit.
type TimeAxis struct {
	BeginNs, EndNs float64 // visible now
	// target of a running animation; equal to Begin/End when at rest
	targetBegin, targetEnd float64
	fromBegin, fromEnd     float64
	startNs                int64
	animating              bool
}
