package launch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/pprof"
)

// An answer that never ends is let go once it is more than there is memory for.
func TestEndlessProfile(t *testing.T) {
	feed.SetMemory(64 << 20)
	defer feed.SetMemory(0)
	var most atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		piece := make([]byte, 64<<10)
		for n := int64(0); ; n += int64(len(piece)) {
			if _, err := w.Write(piece); err != nil {
				return
			}
			if n > most.Load() {
				most.Store(n)
			}
			if n > 1<<30 {
				return
			}
		}
	}))
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var said []string
	in := pprofServer().New(strings.TrimPrefix(s.URL, "http://")+"/heap", func(line string) { said = append(said, line) }, true).(*Profiles)
	in.wait = func(ctx context.Context, _ time.Duration) error { stop(); return ctx.Err() }
	_, err := Collect(ctx, in, nil)
	text := strings.Join(said, "\n")
	testkit.That(t, strings.Contains(text, "a profile of more than 4 MiB is not taken"), "said %q, %v", said, err)
	// What the connection holds between the two comes on top.
	if got := most.Load(); pprof.MostPacked() != 4<<20 || got > 32<<20 || errors.Is(err, nil) && len(said) == 0 {
		t.Errorf("%d MiB were sent", got>>20)
	}
}
