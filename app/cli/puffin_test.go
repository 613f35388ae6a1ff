package cli

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/recordings"
)

// A Rust program is connected to, recorded, and reported on when it is gone. What was recorded are the
// bytes as they came, and gives the same report.
func TestConnectToPuffin(t *testing.T) {
	data := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		l.Close() // the program ends after that
		c.Write(data)
		c.Close()
	}()
	into := filepath.Join(t.TempDir(), "game.puffinstream")
	var out, errs bytes.Buffer
	if code := Execute([]string{"connect", "puffin", l.Addr().String(), "--record", into, "--report"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	for _, want := range []string{"connected to the program at " + l.Addr().String(), "Recording to " + into} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, &errs)
		}
	}
	if got, err := os.ReadFile(into); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes of %d were recorded: %v", len(got), len(data), err)
	}
	var again bytes.Buffer
	if code := Execute([]string{"report", "--stats", into}, &again, &errs); code != exitOK {
		t.Fatalf("exit code %d, %s", code, &errs)
	}
	threads := func(report string) (lines []string) {
		for line := range strings.Lines(report) {
			if strings.HasPrefix(line, "Thread main") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if a, b := threads(out.String()), threads(again.String()); len(a) != 1 || len(b) != 1 || !strings.Contains(a[0], "90 received, 0 missing") {
		t.Errorf("live %q, recorded %q", a, b)
	}
	for _, wrong := range [][]string{{"connect"}, {"connect", "cobol"}, {"connect", "puffin", "x:y"}, {"connect", "puffin", ":1", ":2"},
		{"connect", "flare", ":1", "--record", into, "--force"}, {"connect", "puffin", "--force"}} {
		if code := Execute(wrong, &out, &errs); code != exitUsage {
			t.Errorf("%q: exit code %d", wrong, code)
		}
	}
}
