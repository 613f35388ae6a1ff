package gsttrace

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
)

// file reads a file of a recording, unzipped. Tests of larger ones are skipped where those are
// absent.
func file(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name)
}

func compatText(t testing.TB, log []byte) string {
	t.Helper()
	s := testkit.Must(Read(bytes.NewReader(log), nil))(t)
	var out strings.Builder
	testkit.OK(t, s.WriteText(&out, true))
	return out.String()
}

func sortedLines(text string) []string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return lines
}

func TestEqualsTheOfficialProgram(t *testing.T) {
	for _, log := range truths {
		name := log.name
		if name == "odd-names.log" || name == "two-instances.log.gz" {
			continue // the program gets these wrong: see the tests of their own
		}
		t.Run(name, func(t *testing.T) {
			got := sortedLines(compatText(t, file(t, name)))
			want := sortedLines(string(file(t, captureOf(name)+".stats.txt")))
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
