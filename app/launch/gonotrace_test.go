package launch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// A server whose answers are no traces is told of once, and asked again after a while only.
func TestGoProgramWithoutTraces(t *testing.T) {
	for _, answer := range []string{"<html>hi", "x", ""} {
		asked, waited := 0, 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked++
			io.WriteString(w, answer)
		}))
		defer s.Close()
		ctx, stop := context.WithCancel(t.Context())
		var said []string
		p := &GoProgram{Polled: Polled{Addr: strings.TrimPrefix(s.URL, "http://"), Log: func(line string) { said = append(said, line) }}}
		p.wait = func(ctx context.Context, _ time.Duration) error {
			if waited++; waited == 5 {
				stop()
			}
			return ctx.Err()
		}
		Collect(ctx, p, nil)
		testkit.That(t, asked == 5 && waited == 5 && len(said) == 1 && strings.Contains(said[0], "is no trace"),
			"%q: asked %d times, waited %d, said %q", answer, asked, waited, said)
	}
}
