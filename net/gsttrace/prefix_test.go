package gsttrace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/store"
)

// TestPrefixes: a log whose lines have a prefix of another program gives what it gives without.
func TestPrefixes(t *testing.T) {
	path := recordings.File(t, recordings.GStreamer, "field-docker-compose-prefix.log")
	d := &direct{session: store.NewSession()}
	testkit.OK(t, Source{}.OpenFile(t.Context(), path, d))
	x := seriesNamed(t, d.session, "latency", "filesrc0.src → appsink.sink")
	testkit.Equal(t, fmt.Sprint(values(x)), "[1.024721082e+09 1.057383023e+09]", "latencies")

	programs := map[string]func(i int) string{
		"docker compose":             func(int) string { return "player  | " },
		"docker compose, in colours": func(int) string { return "\x1b[36mplayer-1  |\x1b[0m " },
		"docker logs":                func(i int) string { return fmt.Sprintf("2026-11-28T22:10:%02d.%09dZ ", i%60, i) },
		"journald":                   func(i int) string { return fmt.Sprintf("Nov 28 22:10:%02d board player[4711]: ", i%60) },
	}
	for _, name := range []string{"latency-pipeline-only", "leaks-refs-traces", "color-leaks-debug"} {
		plain := string(captureText(t, name))
		want := read(plain)
		for program, prefix := range programs {
			var b strings.Builder
			for i, line := range strings.SplitAfter(plain, "\n") {
				if line != "" {
					b.WriteString(prefix(i) + line)
				}
			}
			testkit.That(t, SniffLog([]byte(b.String()[:min(b.Len(), 64<<10)])), "%s of %s is not recognised", name, program)
			testkit.That(t, read(b.String()) == want, "%s of %s gives something else", name, program)
		}
	}
	got := read("web  | GET /\nplayer  | " + record(1000, "a, n=(uint)1") + "web  | GET /\nplayer  | " + record(2000, "a, n=(uint)2"))
	testkit.Equal(t, strings.Count(got, `foreign "web  | GET /"`), 2, "lines of another service: %s", got)
}

// read writes all that is in a log, which comes in parts.
func read(text string) string {
	s, _ := tableOf(text, 1000)
	return s.text.String()
}
