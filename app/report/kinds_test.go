package report

import (
	"bytes"
	"strings"
	"testing"

	"framescope/internal/recordings"
)

// A report on a pipeline tells its threads, its elements and the ways through it apart.
func TestKindsOfTracks(t *testing.T) {
	s := opened(t, recordings.File(t, recordings.GStreamer, "all-audio-chain.log.gz"))
	var b bytes.Buffer
	if err := Write(&b, s, Options{Stats: true}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"\nAll 2 threads, 4 elements, 1 path\n", "\nThread main: ", "\nElement volume0: ", "\nPath audiotestsrc0.src → fakesink0.sink: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
