package library

import (
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/thousands"
	"framescope/net/journal"
)

// Lines about recordings are right for one and for many, say a place that users know, and are short
// whatever a program calls itself.
func TestWordsOfRecordings(t *testing.T) {
	for _, c := range []struct {
		source string
		s      RecordingState
		want   string
	}{
		{sourceProfileLib, RecordingState{Path: "x", Refused: 1}, "good: x; it lacks 1 piece of data that could not be written"},
		{sourcePStats, RecordingState{Path: "x", Refused: 12}, "good: x; it lacks 12 frames that could not be written"},
		{sourcePStats, RecordingState{Path: "x", Deleted: 1}, "good: x; it lacks 1 frame that another program has deleted"},
		{sourceProfileLib, RecordingState{Path: "x", Err: errTest, Record: 3, Since: 4 * time.Second},
			"bad since 4.0 s after the start: no room: x"},
		{sourcePStats, RecordingState{Path: "x", Err: errTest, Record: 3, Since: 4 * time.Second},
			"bad since frame 4 (4.0 s after the start): no room: x"},
	} {
		told := &notices{}
		(&Library{opt: Options{Tell: told.tell}}).tellState("bad", "good", c.source, c.s)
		testkit.Equal(t, strings.ReplaceAll(told.all(), thousands.Space, " "), c.want, "all")
	}
	n := len(title(&journal.Meta{Program: strings.Repeat("ä", 65535)}))
	testkit.That(t, n <= 100, "a title of %d bytes", n)
}

type testError string

func (e testError) Error() string { return string(e) }

const errTest = testError("no room")
