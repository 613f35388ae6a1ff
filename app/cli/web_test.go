package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"

	"framescope/app/library"
	"framescope/app/web"
	"framescope/internal/testkit"
	"framescope/net/journal"
)

func listen(t *testing.T, sessions func() []library.Session) *web.Server {
	t.Helper()
	page := fstest.MapFS{"index.html": {Data: []byte("page")}, "a.wasm": {Data: []byte("whole")}, "a.wasm.br": {Data: []byte("packed")}}
	s := testkit.Must(web.Listen(web.ServeOptions{Addr: "127.0.0.1:0", Page: page, Sessions: sessions}))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// Only who knows the address sees something, and only to look at.
func TestWhoIsAnswered(t *testing.T) {
	url := strings.TrimSuffix(listen(t, nil).URL(), "?live")
	top := url[:strings.Index(url[8:], "/")+9]
	for _, c := range []struct {
		method, url, host string
		status            int
	}{
		{"GET", url, "", 200}, {"GET", url, "localhost:1", 200}, {"GET", url, "evil.example", 403},
		{"GET", top, "", 403}, {"GET", top + "wrong/", "", 403}, {"POST", url, "", 405},
		{"GET", url + "none", "", 404},
	} {
		r := testkit.Must(http.NewRequest(c.method, c.url, nil))(t)
		r.Host = c.host
		answer := testkit.Must(http.DefaultClient.Do(r))(t)
		answer.Body.Close()
		testkit.That(t, answer.StatusCode == c.status, "%s %s as %q: %d, not %d", c.method, c.url, c.host, answer.StatusCode, c.status)
	}
	first := testkit.Must(http.Get(url))(t)
	text := testkit.Must(io.ReadAll(first.Body))(t)
	first.Body.Close()
	testkit.That(t, string(text) == "page", "the page is %q", text)
	r := testkit.Must(http.NewRequest("GET", url+"a.wasm", nil))(t)
	r.Header.Set("Accept-Encoding", "gzip, br")
	answer := testkit.Must(http.DefaultClient.Do(r))(t)
	body := testkit.Must(io.ReadAll(answer.Body))(t)
	answer.Body.Close()
	testkit.That(t, string(body) == "packed" && answer.Header.Get("Content-Encoding") == "br", "the code is %q", body)
	_, err := web.Listen(web.ServeOptions{Addr: "0.0.0.0:0"})
	testkit.Fails(t, err, "--any-address")
}

// What a session receives arrives as it comes, and its end too; other sites' pages get nothing.
func TestFollows(t *testing.T) {
	dir := t.TempDir()
	w := journal.OpenRoot(dir, journal.RootOptions{Limit: 1 << 30}).Create(journal.Meta{Source: "puffin", Program: "game"}, journal.Options{})
	w.Define("name", []byte("definition"))
	w.Data([]byte("first"))
	testkit.NoErr(t, w.Flush())
	s := listen(t, func() []library.Session {
		return []library.Session{{ID: "1", Path: w.Path(), State: library.Live, Began: time.Now()}}
	})
	address := strings.Replace(strings.TrimSuffix(s.URL(), "?live"), "http", "ws", 1) + "follow"
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	_, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://evil.example"}}})
	testkit.That(t, err != nil, "a page of another site is answered")
	c, _, err := websocket.Dial(ctx, address, nil)
	testkit.NoErr(t, err)
	var got bytes.Buffer
	more := func(want string) {
		for !bytes.Contains(got.Bytes(), []byte(want)) {
			_, p, err := c.Read(ctx)
			testkit.NoErr(t, err)
			got.Write(p)
		}
	}
	more("first")
	w.Data([]byte("second"))
	more("second")
	w.Close("the game has ended")
	more("the game has ended")
	testkit.That(t, journal.Sniff(got.Bytes()), "it is no session file")
	_, _, err = c.Read(ctx)
	testkit.That(t, websocket.CloseStatus(err) == websocket.StatusNormalClosure, "it ends by %v", err)
}

// What is missing on disk is missing in a browser, with its reason.
func TestFollowsWhatIsMissing(t *testing.T) {
	var disk, page bytes.Buffer
	e := journal.NewEncoder(&disk, journal.Meta{Source: "puffin", Program: "game"})
	e.Data(1, []byte("first"))
	hole := []byte(`{"records":7,"bytes":70,"from_ns":2,"to_ns":3,"reason":"the disk is full"}`)
	e.Copy(&journal.Record{Kind: journal.KindHole, Time: 3, Payload: hole})
	e.Copy(&journal.Record{Kind: journal.KindEvicted, Time: 3, Payload: []byte(`{"records":2,"bytes":9,"to_ns":1}`)})
	testkit.NoErr(t, e.End("the game has ended"))
	path := filepath.Join(t.TempDir(), "session.framescope")
	testkit.NoErr(t, os.WriteFile(path, disk.Bytes(), 0o600))
	testkit.NoErr(t, web.Copy(t.Context(), path, &page))
	begin := bytes.Index(disk.Bytes(), []byte("first"))
	testkit.That(t, bytes.HasSuffix(page.Bytes(), disk.Bytes()[begin:]), "the page gets %q", page.Bytes())
}
