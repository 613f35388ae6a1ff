package gsttrace_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/gsttrace"
)

// file reads a file of a recording, unzipped. Tests of larger ones are skipped where those are
// absent.
func file(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name)
}

// logs are all recordings. Two of them the program gets wrong: see the tests of their own.
var logs = []string{"all-audio-chain.log.gz", "latency-pipeline-only.log", "latency-tee-queues.log.gz", "latency-two-sources.log.gz", "stats-mux.log.gz", "stats-bins-ghostpads.log.gz", "stats-rusage-pull.log.gz",
	"rusage-threads.log.gz", "factories.log", "leaks-found.log", "leaks-refs.log", "leaks-refs-traces.log.gz", "leaks-traces-none.log", "leaks-filter.log", "leaks-no-leak.log", "leaks-signals.log",
	"log-tracer.log.gz", "mixed-debug.log.gz", "medium-av.log.gz", "stderr-and-stdout.log", "color-all.log.gz", "color-leaks-debug.log", "truncated.log.gz", "constructed-1.28-columns.log.gz",
	"constructed-windows.log.gz"}

func compatText(t testing.TB, log []byte) string {
	t.Helper()
	s := testkit.Must(gsttrace.Read(bytes.NewReader(log), nil))(t)
	var out strings.Builder
	testkit.OK(t, s.WriteText(&out, true))
	return out.String()
}

func sortedLines(text string) []string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return lines
}

func statsName(log string) string {
	return strings.TrimSuffix(strings.TrimSuffix(log, ".gz"), ".log") + ".stats.txt"
}

func TestEqualsTheOfficialProgram(t *testing.T) {
	for _, name := range logs {
		t.Run(name, func(t *testing.T) {
			got := sortedLines(compatText(t, file(t, name)))
			want := sortedLines(string(file(t, statsName(name))))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("lines, sorted (-official +ours):\n%s", diff)
			}
		})
	}
}

func TestEqualsTheInstalledProgram(t *testing.T) {
	program, err := exec.LookPath("gst-stats-1.0")
	if err != nil {
		t.Skip("gst-stats-1.0 is not installed")
	}
	for _, name := range []string{"all-audio-chain.log.gz", "stats-bins-ghostpads.log.gz", "color-all.log.gz", "truncated.log.gz", "factories.log"} {
		t.Run(name, func(t *testing.T) {
			log := file(t, name)
			path := filepath.Join(t.TempDir(), "trace.log")
			testkit.OK(t, os.WriteFile(path, log, 0o600))
			out := testkit.Must(exec.Command(program, path).Output())(t)
			if diff := cmp.Diff(sortedLines(string(out)), sortedLines(compatText(t, log))); diff != "" {
				t.Errorf("lines, sorted (-official +ours):\n%s", diff)
			}
		})
	}
}
