package perfscript

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

// streamed reads a text in pieces.
func streamed(t testing.TB, text []byte, size func(i int) int) *tracetest.Sink {
	k := tracetest.New(t)
	testkit.OK(t, feedtest.Stream(Source{}, k, text, size, false))
	if !k.Info.Sampling.Timeless {
		k.PartWeights()
	}
	return k
}

// TestLines reads headers of samples and frames of stacks in all their forms.
func TestLines(t *testing.T) {
	testkit.Lines(t, "testdata/lines.txt", func(text string) string {
		kind, line, _ := strings.Cut(text, " | ")
		var h header
		var f frame
		switch {
		case kind == "header" && h.parse([]byte(line)):
			return fmt.Sprintf("%s|%d|%d|%d|%d|%d|%s|%s", h.comm, h.pid, h.tid, h.cpu, h.ns, h.period, h.event, h.rest)
		case kind == "frame" && f.parse([]byte(line)):
			return fmt.Sprintf("%s|%s", f.symbol, f.dso)
		}
		return "none"
	})
	testkit.Equal(t, shownSymbol([]byte("alloc::vec::push::h0123456789abcdef")), "alloc::vec::push", "a symbol of Rust")
}

// TestCases reads texts of what perf script writes, damaged ones, and what is no such text.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "x.txt") }

// TestIdle shows what came when nothing more comes, though it might still be put in order.
func TestIdle(t *testing.T) {
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "pipe"})
	s.Write([]byte("g 7  10.000000: 1000000 cpu-clock: \n\t 1 f (x)\n\ng 7  10.001000: 1000000 cpu-clock: \n\t 1 f (x)\n\n"))
	for range quiet - 1 {
		s.Idle()
	}
	testkit.That(t, len(k.Samples[0]) == 0, "shown while it might be put in order")
	s.Idle()
	k.PartWeights()
	testkit.That(t, len(k.Samples[0]) == 2, "%d samples", len(k.Samples[0]))
	s.Close("gone")
	testkit.That(t, k.Ended == "gone", "%v", k.Ended)
}

// FuzzStream reads anything: nothing breaks, and pieces make no difference.
func FuzzStream(f *testing.F) {
	for _, name := range []string{"game-events", "game-flat", "simple-with-pid"} {
		data := recordings.Read(f, recordings.PerfScript, name+".txt")
		f.Add(uint8(5), data[:min(len(data), 4000)])
	}
	for i, text := range feedtest.CaseTexts(f) {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		want := streamed(t, data, feedtest.Steps(len(data)))
		got := streamed(t, data, feedtest.Steps(int(step)))
		testkit.MustThat(t, reflect.DeepEqual(got.Spans, want.Spans) &&
			(reflect.DeepEqual(got.Samples, want.Samples) || len(want.Others) != 0), "pieces make a difference")
		Source{}.Sniff(data, "x")
		feedtest.Unrefused(t, want.Session)
	})
}
