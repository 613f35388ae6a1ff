// Texts about frames of Android's frame timeline: when they were shown, and why late.

package perfetto

import (
	"fmt"
	"strings"
)

// Frame is how a frame went, by the numbers of the frame timeline: Present is its PresentType, Janks are the
// bits of its JankType.
type Frame struct {
	Expected bool // it is the expected frame, not the actual one
	Present  uint8
	Janks    uint32
}

// reasons are those for which a frame was late, by their bits.
var reasons = []struct {
	bit   uint32
	words string
}{
	{2 | 4 | 8, "display"}, {16 | 32, "compositor"}, {64, "missed its deadline"}, {128, "buffers stuffed"}, {256, "unknown"},
	{512, "display"}, {1024, "dropped"},
}

// Called returns the name of a frame: its outcome.
func (f Frame) Called() string {
	if f.Expected {
		return "expected frame"
	}
	name := "frame"
	switch f.Present {
	case 1:
		name = "frame on time"
	case 2:
		name = "frame late"
	case 3:
		name = "frame early"
	case 4:
		name = "frame dropped"
	}
	for _, j := range reasons {
		if f.Janks&j.bit != 0 && (j.bit != 1024 || f.Present != 4) {
			return name + ": " + j.words
		}
	}
	return name
}

// Detail describes a frame that was not on time, "" for others. token is its number; end is its end in ns, and
// deadline the expected one, 0 if unknown.
func (f Frame) Detail(token, end, deadline int64) string {
	if f.Janks&^1 == 0 && f.Present < 2 {
		return ""
	}
	how := strings.TrimLeft(strings.TrimPrefix(f.Called(), "frame"), ": ")
	if how == "" {
		how = "not as it should be"
	}
	s := fmt.Sprintf("frame %d: %s", token, how)
	if deadline != 0 && end > deadline {
		s += fmt.Sprintf(", %.3f ms after its deadline", float64(end-deadline)/1e6)
	}
	return s
}
