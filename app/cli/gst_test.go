package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// fakeGStreamer stands in for a GStreamer program: it writes the trace log that its second argument
// names to where it is told to, and ends with the status of the first.
func fakeGStreamer() {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
	}
	in, err := os.Open(os.Args[2])
	fail(err)
	log, err := feed.Uncompressed(in)
	fail(err)
	trace, err := os.OpenFile(os.Getenv("GST_DEBUG_FILE"), os.O_WRONLY|os.O_CREATE, 0o600)
	fail(err)
	_, err = io.Copy(trace, log)
	fail(err)
	fail(trace.Close())
	typed, err := io.ReadAll(os.Stdin)
	fail(err)
	fmt.Printf("typed: %s", typed)
	fmt.Fprintf(os.Stderr, "tracers: %s\ndebug: %s\ncolor: %s\n", os.Getenv("GST_TRACERS"), os.Getenv("GST_DEBUG"), os.Getenv("GST_DEBUG_NO_COLOR"))
	status, _ := strconv.Atoi(os.Args[1])
	os.Exit(status)
}

// A real pipeline is followed to its end.
func TestRealPipeline(t *testing.T) {
	if _, err := exec.LookPath("gst-launch-1.0"); err != nil {
		t.Skip("there is no gst-launch-1.0 on this machine")
	}
	kept := filepath.Join(t.TempDir(), "kept.log")
	out, _ := executed(t, exitOK, "gst", "--report", "--keep", kept, "--", "gst-launch-1.0", "videotestsrc", "num-buffers=30", "!", "videoconvert", "!", "fakesink")
	for _, want := range []string{`Got EOS from element`, `(?m)^Number of Elements: 3$`, `(?m)^Number of Buffers passed: 60$`, `(?m)^Latency Statistics:$`, `videotestsrc0\.src\|.*fakesink0\.sink: mean=`,
		`(?m)^Number of unreadable Entries: 0$`} {
		testkit.That(t, regexp.MustCompile(want).MatchString(out), "no %q in\n%s", want, out)
	}
	// The summary of what was kept is that of the official program.
	if _, err := exec.LookPath("gst-stats-1.0"); err == nil {
		official := testkit.Must(exec.Command("gst-stats-1.0", kept).Output())(t)
		compat, _ := executed(t, exitOK, "report", "--compat", kept)
		// The order of threads, elements and pads is that of a hash table there.
		lines := func(s string) []string {
			all := strings.Split(strings.TrimSpace(s), "\n")
			slices.Sort(all)
			return all
		}
		testkit.That(t, slices.Equal(lines(compat), lines(string(official))), "got\n%s\nwant\n%s", compat, official)
	} else {
		t.Log("there is no gst-stats-1.0 to compare with")
	}
	// One that fails ends with its status.
	_, errs := executed(t, 1, "gst", "--report", "--", "gst-launch-1.0", "no-such-element")
	testkit.That(t, !strings.Contains(errs, "exit status") && strings.Contains(errs, "no-such-element"), "%s", errs)
}

// A program without GStreamer in it ends with its own exit status, and it is said that there is
// nothing to show.
func TestProgramsWithoutATrace(t *testing.T) {
	for _, c := range []struct {
		script string
		status int
	}{{"echo hi", 0}, {"exit 3", 3}} {
		if _, err := exec.LookPath("sh"); err != nil {
			t.Skip("there is no sh on this machine")
		}
		var out, errs bytes.Buffer
		code := Execute([]string{"gst", "--report", "--", "sh", "-c", c.script}, &out, &errs)
		testkit.That(t, code == c.status, "%s: exit status %d, want %d; %s", c.script, code, c.status, &errs)
		testkit.That(t, strings.Contains(errs.String(), "the program wrote no trace"), "%s: said %q", c.script, &errs)
		testkit.That(t, c.status != 0 || out.String() == "hi\n", "printed %q", &out)
	}
}
