package web

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"
	"time"

	"github.com/coder/websocket"

	"framescope/app/library"
	"framescope/net/journal"
)

// DefaultAddr is where pages are served.
const DefaultAddr = "127.0.0.1:5180"

// lookEvery is the interval between checks of a session for more.
const lookEvery = 200 * time.Millisecond

// ServeOptions say which pages and sessions a server shows, and where.
type ServeOptions struct {
	// Addr is HOST:PORT; AnyAddress allows one that other machines reach.
	Addr       string
	AnyAddress bool
	// Page has the files of the page, see package build.
	Page fs.FS
	// Sessions lists the sessions on disk.
	Sessions func() []library.Session
}

// Server serves until it is closed.
type Server struct {
	opt      ServeOptions
	token    string
	listener net.Listener
	http     http.Server
}

// Listen begins to serve. Only who knows the address of URL sees anything.
func Listen(o ServeOptions) (*Server, error) {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address: give HOST:PORT, such as %s", o.Addr, DefaultAddr)
	}
	if !o.AnyAddress && !isLoopback(host) {
		return nil, fmt.Errorf("%s can be reached from other machines: give --any-address if that is meant", o.Addr)
	}
	s := &Server{opt: o, token: rand.Text()}
	if s.listener, err = net.Listen("tcp", o.Addr); err != nil {
		return nil, err
	}
	s.http.Handler, s.http.ReadHeaderTimeout = s, 10*time.Second
	go s.http.Serve(s.listener)
	return s, nil
}

// Close ends serving.
func (s *Server) Close() error { return s.http.Close() }

// URL is the address of the page, with the token without which nothing is shown.
func (s *Server) URL() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/?live"
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// knows reports whether a request names this server as its URL does: by a number, not by a name that somebody else may
// have pointed at this machine.
func (s *Server) knows(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if isLoopback(name) {
		return true
	}
	_, err = netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && s.opt.AnyAddress
}

// policy is what the page may do: it loads nothing of others but recordings that its address names. Ebitengine's text
// input evaluates a script of its own.
const policy = "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; " +
	"connect-src 'self' http: https:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !s.knows(r.Host) || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 0 {
		http.Error(w, "framescope: open the address that `framescope serve web` printed", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "framescope: sessions are only looked at", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	if name == "follow" {
		s.follow(w, r)
		return
	}
	if packed := name + ".br"; path.Ext(name) == ".wasm" && strings.Contains(r.Header.Get("Accept-Encoding"), "br") &&
		s.has(packed) {
		h.Set("Content-Encoding", "br")
		h.Set("Content-Type", "application/wasm")
		name = packed
	}
	http.ServeFileFS(w, r, s.opt.Page, path.Clean(cmp.Or(name, "index.html")))
}

func (s *Server) has(name string) bool {
	_, err := fs.Stat(s.opt.Page, name)
	return err == nil
}

// follow sends the bytes of a session as they come. Pages of other sites are refused: their Origin is not this host.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	ctx := c.CloseRead(r.Context())
	from, err := s.await(ctx, r.FormValue("session"))
	if err == nil {
		err = Copy(ctx, from, websocket.NetConn(ctx, c, websocket.MessageBinary))
	}
	if err != nil {
		c.Close(websocket.StatusInternalError, err.Error()[:min(len(err.Error()), 120)])
		return
	}
	c.Close(websocket.StatusNormalClosure, "")
}

// await returns the folder of a session: of that with an ID, or of the newest that runs, once one does.
func (s *Server) await(ctx context.Context, id string) (string, error) {
	for {
		list := s.opt.Sessions()
		if id != "" {
			found, err := library.Find(list, id)
			return found.Path, err
		}
		newest := library.Session{}
		for i := range list {
			if list[i].IsLive() && list[i].Began.After(newest.Began) {
				newest = list[i]
			}
		}
		if newest.Path != "" {
			return newest.Path, nil
		}
		if err := pause(ctx); err != nil {
			return "", err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(lookEvery):
		return nil
	}
}

// Copy writes a session on disk as one file, to its end: while it runs, as it comes.
func Copy(ctx context.Context, from string, to io.Writer) error {
	r, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	out := bufio.NewWriterSize(to, 64<<10)
	e := journal.NewEncoder(out, r.Meta())
	for {
		running := true
		if info, err := journal.ReadInfo(from); err == nil {
			running = info.Running
		}
		if !running {
			r.Finish()
		}
		if err := copyRecords(r, e); err != nil {
			return err
		}
		if err := out.Flush(); err != nil || !running {
			return err
		}
		r.Unpin() // it may go on for days
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// copyRecords copies all that is there.
func copyRecords(r *journal.Reader, e *journal.Encoder) error {
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = e.Copy(&rec) // with the records of losses
		}
		if err != nil {
			return err
		}
	}
}
