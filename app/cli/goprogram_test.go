package cli

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"framescope/internal/recordings"
)

// A Go program is connected to, recorded, and reported on when it is gone. What was recorded are the
// traces as they came, one behind the other, and gives the same report.
func TestConnectToGo(t *testing.T) {
	traces := [][]byte{
		recordings.Read(t, recordings.GoTrace, "game-122.trace"), recordings.Read(t, recordings.GoTrace, "flight-126.trace"),
	}
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		if r.URL.Path != "/debug/pprof/trace" || r.URL.Query().Get("seconds") != "1" || i >= len(traces) {
			panic(http.ErrAbortHandler) // it has gone
		}
		io.Copy(w, bytes.NewReader(traces[i])) //nolint:errcheck // the report tells
	}))
	defer s.Close()
	addr := strings.TrimPrefix(s.URL, "http://")
	into := filepath.Join(t.TempDir(), "game.trace")
	var out, errs bytes.Buffer
	if code := Execute([]string{"connect", "go", addr, "--record", into, "--report"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	if got, err := os.ReadFile(into); err != nil || !bytes.Equal(got, bytes.Join(traces, nil)) {
		t.Fatalf("%d bytes were recorded: %v", len(got), err)
	}
	var again bytes.Buffer
	if code := Execute([]string{"report", "--stats", into}, &again, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	threads := func(report string) (lines []string) {
		for line := range strings.Lines(report) {
			if strings.HasPrefix(line, "Thread main.main 1:") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if a, b := threads(out.String()), threads(again.String()); len(a) != 1 || len(b) != 1 || a[0] != b[0] || !strings.Contains(a[0], "55 received, 0 missing") {
		t.Errorf("live %q, recorded %q", a, b)
	}
}

// Where no Go program listens the report ends with an error that says what to do, and prints nothing.
func TestConnectToNobody(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var out, errs bytes.Buffer
	code := Execute([]string{"connect", "go", l.Addr().String(), "--report"}, &out, &errs)
	if code != exitError || out.Len() > 0 || !strings.Contains(errs.String(), `import _ "net/http/pprof"`) ||
		strings.Count(errs.String(), "no program at "+l.Addr().String()) != 1 {
		t.Errorf("exit code %d, %q, %q", code, &out, &errs)
	}
}
