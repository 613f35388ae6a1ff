package report

import (
	"io"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// A report on a pipeline tells its threads, its elements and the ways through it apart.
func TestKindsOfTracks(t *testing.T) {
	s := opened(t, recordings.File(t, recordings.GStreamer, "all-audio-chain.log.gz"))
	text := textOf(t, s, Options{Stats: true})
	testkit.Contains(t, text,
		"\nAll 2 threads, 4 elements, 1 path\n", "\nThread main: ", "\nElement volume0: ", "\nPath audiotestsrc0.src → fakesink0.sink: ",
	)
}

// What is a state is said in words, with its share of the time, and no number stands for it; a time that
// rounds to 0 has no sign. A thread is named by a part of its name.
func TestStatesInWords(t *testing.T) {
	s := opened(t, recordings.File(t, recordings.FrameTimes, "presentmon-v1-case5.csv"))
	text := textOf(t, s, Options{Stats: true, Threads: []string{"*2CAC00"}})
	testkit.Contains(t, text, "Present mode: PresentBench.exe 0x2A70D2CAC00 = Composed: Flip\n",
		"Runtime: PresentBench.exe 0x2A70D2CAC00 = DXGI\n")
	if strings.Contains(text, "steamwebhelper") || strings.Contains(text, "-0.000") {
		t.Error(text)
	}
	if got := fromTo(-400_000, 1_500_000_000); got != "0.000 s to 1.500 s" {
		t.Error(got)
	}
	two := seriesSummary{States: []stateShare{{"playing", 9, 0.9}, {"idle", 1, 0.1}}}
	if got := two.inStates(); got != " = playing 90.0 %, idle 10.0 %" {
		t.Error(got)
	}
	err := Write(io.Discard, s, Options{Stats: true, Threads: []string{"PresentBench.exe"}})
	if err == nil || !strings.Contains(err.Error(), "PresentBench.exe 0x2A70D2CAC00 GPU") {
		t.Error(err)
	}
}
