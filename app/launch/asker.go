//go:build !page

package launch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// asker asks a Go program that serves net/http/pprof.
type asker struct {
	client http.Client
	addr   string
	none   error // if the server there does not offer the requested data
	// reached is called, by any goroutine, when the connection of a request has been accepted.
	reached func()
}

// newAsker makes one, without a proxy and without redirects: the user gave the program's address.
func newAsker(addr string, none error) *asker {
	client := http.Client{
		Transport:     &http.Transport{ResponseHeaderTimeout: askAnswer, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &asker{client: client, addr: addr, none: none}
}

// early says that an answer ended long before the time that it should cover. Without it, a server that
// answers at once would be asked without a pause.
func early(began time.Time, lasts time.Duration) string {
	if time.Since(began) < lasts/2 {
		return fmt.Sprintf("its answer ended too early for %v (trying every second)", lasts)
	}
	return ""
}

func (a *asker) close() { a.client.CloseIdleConnections() }

// ask requests something below /debug/pprof. The caller closes the answer; refused is why the program
// has none now. awayError: nobody answered.
func (a *asker) ask(ctx context.Context, what string) (body io.ReadCloser, refused string, err error) {
	var accepted atomic.Bool
	reached := a.reached
	ctx = watched(ctx, func() {
		accepted.Store(true)
		if reached != nil {
			reached()
		}
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.addr+goPath+what, nil)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", a.none, err)
	}
	res, err := a.client.Do(req)
	if err != nil {
		return nil, "", &awayError{err, accepted.Load()}
	}
	if res.StatusCode == http.StatusOK {
		return res.Body, "", nil
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if res.StatusCode == http.StatusInternalServerError && res.Header.Get("X-Go-Pprof") != "" {
		return nil, strings.ToValidUTF8(line, "\uFFFD") + " (by another tool? trying every second)", nil
	}
	return nil, "", fmt.Errorf("%w (it answered %s)", a.none, res.Status)
}

// watched returns a context that reports the accepted connection of a request.
func watched(ctx context.Context, accepted func()) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { accepted() }})
}
