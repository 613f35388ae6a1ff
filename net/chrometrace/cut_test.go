package chrometrace

import (
	"strings"
	"testing"
)

// TestCutBeforeEvents says of a trace that is cut off before it has an event with a time where that is.
func TestCutBeforeEvents(t *testing.T) {
	const meta = `{"traceEvents":[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"x"}},`
	for text, want := range map[string]string{
		meta + `{"ph":"M","pi`:                   "the file ends inside the event at byte 85",
		meta:                                     "the file ends at byte 85, before the object does in which the events are",
		strings.TrimRight(meta, ",") + `]`:       "the file ends at byte 85, before",
		strings.TrimRight(meta, ",") + `],"a":"`: "the file ends inside",
	} {
		if _, err := read(text, whole1); err == nil || !strings.Contains(err.Error(), "no events: ") || !strings.Contains(err.Error(), "; "+want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := read(strings.TrimRight(meta, ",")+`]}`, whole1); err == nil || strings.Contains(err.Error(), "the file ends") {
		t.Error(err)
	}
}
