package speedscope

import (
	"strings"
	"testing"

	"framescope/net/trace/tracetest"
)

// TestCutBeforeProfiles says of a file that is cut off before its profiles where that is.
func TestCutBeforeProfiles(t *testing.T) {
	_, err := opened(t, `{"shared":{"frames":[{"name":"a"},{"na`)
	if err == nil || !strings.Contains(err.Error(), "has no profiles: byte 35: the file ends inside a value") {
		t.Error(err)
	}
}

// TestDamagedValues tells of entries of lists that are not there (of samples, of events, and of frames, which only the
// first reading reads), and of begins, ends and names that can't be, with the byte; null is none of these.
func TestDamagedValues(t *testing.T) {
	const (
		times = "starts or ends of profiles are impossible"
		names = "names or files of frames are not texts"
	)
	open := func(text string) (*tracetest.Sink, error) { return opened(t, text) }
	tracetest.Spoils(t, open, file(sampled("seconds", "[0,1],[0]", "1,2")), []tracetest.Spoil{
		{From: "[0,1]", To: "[0,,1]", Told: tracetest.NoJSON}, {From: "[0,1]", To: "[,0,1]", Told: tracetest.NoJSON},
		{From: "[0,1]", To: "[0 1]", Told: tracetest.NoJSON}, {From: `,{"name":"b"`, To: `,,{"name":"b"`, Told: tracetest.NoJSON},
		{From: `"startValue":5`, To: `"startValue":"x"`, Told: times, At: 13},
		{From: `"startValue":5`, To: `"startValue":99999999999999999999`, Told: times, At: 13},
		{From: `"endValue":9`, To: `"endValue":-1e99`, Told: times, At: 11},
		{From: `"name":"a"`, To: `"name":7`, Told: names, At: 7}, {From: `"file":null`, To: `"file":[]`, Told: names, At: 7},
		{From: `"startValue":5`, To: `"startValue":null`}, {From: `"name":"a"`, To: `"name":null`},
	})
}
