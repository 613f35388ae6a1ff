package trace

import (
	"strconv"

	"framescope/model"
)

const (
	// Zero is what the text is called that says which time of the file is 0 in the session, in ns: others
	// count from the first thing that happened.
	Zero = "session_zero"
	// Ns is its member, where it is one of JSON.
	Ns = "ns"
)

// ReadZero reads which time is 0. ok is false where the text says none that times can be counted from.
func ReadZero(text []byte) (ns int64, ok bool) {
	ns, err := strconv.ParseInt(string(text), 10, 64)
	return ns, err == nil && ns >= model.MinTime && ns <= model.MaxTime
}
