package cli

import (
	"bytes"
	"fmt"
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
	"framescope/internal/testkit"
)

// executed runs a command, which has to end with a status, and returns what it printed and what it said.
func executed(t *testing.T, want int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := Execute(args, &o, &e); code != want {
		t.Fatalf("%q: exit code %d, want %d\n%s", args, code, want, &e)
	}
	return o.String(), e.String()
}

// sending is the address of a program that takes a request of so many bytes, sends, and ends.
func sending(t *testing.T, request int, data []byte) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		l.Close() // the program ends after that
		io.ReadFull(c, make([]byte, request))
		c.Write(data)
		c.Close()
	}()
	return l.Addr().String()
}

// answering is the address of a Go program that answers requests of a path, one after another, and ends.
func answering(t *testing.T, path string, answers ...[]byte) string {
	t.Helper()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		if !strings.HasPrefix(r.URL.String(), path) || i >= len(answers) {
			panic(http.ErrAbortHandler) // it has gone
		}
		io.Copy(w, bytes.NewReader(answers[i])) //nolint:errcheck // the report tells
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// A program is connected to, recorded, and reported on when it is gone. What was recorded are the bytes as they
// came, one answer behind the other, and gives the same report.
func TestConnect(t *testing.T) {
	rust := recordings.Read(t, recordings.Puffin, "http_join_late.puffinstream")
	game := recordings.Read(t, recordings.GoTrace, "game-122.trace")
	flight := recordings.Read(t, recordings.GoTrace, "flight-126.trace")
	profile := recordings.Read(t, recordings.PProf, "game-cpu.pprof")
	line := func(start string) func(report string) string {
		return func(report string) string {
			_, rest, _ := strings.Cut("\n"+report, "\n"+start)
			rest, _, _ = strings.Cut(rest, "\n")
			return rest
		}
	}
	stacks := func(report string) string {
		_, text, _ := strings.Cut(report, "all stacks")
		text, _, _ = strings.Cut(text, "\n\nReceived")
		text, _, _ = strings.Cut(text, "\n\nNotes")
		return text
	}
	for _, c := range []struct {
		kind, addr string
		sent       []byte
		part       func(report string) string // which both reports have
		has        string
		least      int
	}{
		{"puffin", sending(t, 0, rust), rust, line("Thread main"), "90 received, 0 missing", 1},
		{"go", answering(t, "/debug/pprof/trace?seconds=1", game, flight), append(game, flight...), line("Thread main.main 1:"),
			"55 received, 0 missing", 1},
		{"pprof", answering(t, "/debug/pprof/profile", profile, profile), bytes.Repeat(profile, 2), stacks, "", 500},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel() // it mostly waits
			into := filepath.Join(t.TempDir(), "game."+map[string]string{"puffin": "puffinstream", "go": "trace", "pprof": "pprof"}[c.kind])
			live, said := executed(t, exitOK, "connect", c.kind, c.addr, "--record", into, "--report")
			if c.kind == "puffin" { // to which there is a connection for as long as it runs
				testkit.Contains(t, said, "connected to the program at "+c.addr, "Recording to "+into)
			}
			if got, err := os.ReadFile(into); err != nil || !bytes.Equal(got, c.sent) {
				t.Fatalf("%d bytes of %d were recorded: %v", len(got), len(c.sent), err)
			}
			recorded, _ := executed(t, exitOK, "report", "--stats", into)
			if a, b := c.part(live), c.part(recorded); a != b || len(b) < c.least || !strings.Contains(b, c.has) {
				t.Errorf("live:\n%s\nrecorded:\n%s", a, b)
			}
		})
	}
}

// What can't be connected to is refused, and nothing is printed.
func TestConnectRefuses(t *testing.T) {
	into := filepath.Join(t.TempDir(), "game")
	for _, wrong := range []string{
		"", "cobol", "puffin x:y", "puffin :1 :2", "flare :1 --record " + into + " --force", "puffin --force", "pprof 127.0.0.1:1/trace",
	} {
		executed(t, exitUsage, append([]string{"connect"}, strings.Fields(wrong)...)...)
	}
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	l.Close()
	out, errs := executed(t, exitError, "connect", "go", l.Addr().String(), "--report")
	testkit.Contains(t, errs, `import _ "net/http/pprof"`)
	if n := strings.Count(errs, fmt.Sprint("no program at ", l.Addr())); n != 1 || out != "" {
		t.Errorf("printed %q, said %q", out, errs)
	}
}
