package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"framescope/internal/recordings"
)

// A Go program is asked for its CPU profiles, recorded, and reported on when it is gone. What was
// recorded are the profiles as they came, one behind the other, and gives the same report.
func TestConnectToProfiles(t *testing.T) {
	data := recordings.Read(t, recordings.PProf, "game-cpu.pprof")
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/debug/pprof/profile" || n.Add(1) > 2 {
			panic(http.ErrAbortHandler) // it has gone
		}
		w.Write(data) //nolint:errcheck // the report tells
	}))
	defer s.Close()
	addr := strings.TrimPrefix(s.URL, "http://")
	into := filepath.Join(t.TempDir(), "game.pprof")
	var out, errs bytes.Buffer
	if code := Execute([]string{"connect", "pprof", addr, "--record", into, "--report"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	if got, err := os.ReadFile(into); err != nil || !bytes.Equal(got, bytes.Repeat(data, 2)) {
		t.Fatalf("%d bytes were recorded: %v", len(got), err)
	}
	var again bytes.Buffer
	if code := Execute([]string{"report", into}, &again, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	stacks := func(report string) string {
		from := strings.Index(report, "all stacks")
		if from < 0 {
			t.Fatalf("no stacks in\n%s", report)
		}
		text, _, _ := strings.Cut(report[from:], "\n\nReceived")
		text, _, _ = strings.Cut(text, "\n\nNotes")
		return text
	}
	if a, b := stacks(out.String()), stacks(again.String()); a != b || len(b) < 500 {
		t.Errorf("live:\n%s\nrecorded:\n%s", a, b)
	}
	if code := Execute([]string{"connect", "pprof", addr + "/trace"}, &out, &errs); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}
