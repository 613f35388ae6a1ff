package api

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"framescope/net/feed"
)

// protocol is the WebSocket subprotocol that a client must offer.
const protocol = "flare-profiler"

// Limits of one client.
const (
	maxFrame     = 256 << 10 // bytes of a request
	maxWaiting   = 8         // requests that wait for the one that is answered
	writeTimeout = 30 * time.Second
)

// handshake accepts a client and answers it until it leaves.
func (s *Server) handshake(w http.ResponseWriter, r *http.Request) {
	if !offered(r.Header) {
		http.Error(w, "the subprotocol "+protocol+" must be offered", http.StatusBadRequest)
		return
	}
	page, ok := s.admit(r.Header.Values("Origin"))
	if !ok {
		http.Error(w, "pages of this origin may not connect", http.StatusForbidden)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	if !s.enter() {
		http.Error(w, "the server is about to end", http.StatusServiceUnavailable)
		return
	}
	defer s.clients.Done()
	place := s.places.Take(func(string) { cancel() })
	if place == nil {
		http.Error(w, "too many clients", http.StatusServiceUnavailable)
		return
	}
	defer place.Free()
	// The origin has been checked, more strictly than the library would.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol}, InsecureSkipVerify: true,
	})
	if err != nil {
		return // the library has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxFrame)
	c := &client{server: s, conn: conn, place: place, page: page}
	c.run(ctx, cancel)
}

// offered reports whether a handshake offers the subprotocol.
func offered(h http.Header) bool {
	for _, line := range h.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(name), protocol) {
				return true
			}
		}
	}
	return false
}

var usualPorts = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}

// parseOrigin reads the origin of a web page, as SCHEME://HOST with or without a port.
func parseOrigin(text string) (o url.URL, ok bool) {
	u, err := url.Parse(strings.ToLower(text))
	if err != nil || u.Scheme == "" || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" ||
		u.Fragment != "" {
		return o, false
	}
	port := cmp.Or(u.Port(), usualPorts[u.Scheme])
	return url.URL{Scheme: u.Scheme, Host: net.JoinHostPort(u.Hostname(), port)}, u.Hostname() != ""
}

// admit reports whether a handshake with these Origin headers is accepted: programs send none, web pages of this
// machine may connect from any port, and those that the options name. page means a web page that they do not name.
func (s *Server) admit(headers []string) (page, ok bool) {
	if len(headers) == 0 {
		return false, true
	}
	o, valid := parseOrigin(headers[0])
	switch {
	case !valid || len(headers) > 1:
		return true, false
	case s.isAllowed(o):
		return false, true
	}
	return true, (o.Scheme == "http" || o.Scheme == "https") && isLoopback(o.Hostname())
}

// isLoopback reports whether a host is this machine, whatever a name server says.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || host == "localhost"
}

// isAllowed reports whether the options name an origin.
func (s *Server) isAllowed(o url.URL) bool {
	return slices.ContainsFunc(s.opt.Origins, func(text string) bool {
		allowed, ok := parseOrigin(text)
		return ok && allowed == o
	})
}

// client is one connection.
type client struct {
	server *Server
	conn   *websocket.Conn
	place  *feed.ConnSlot
	page   bool // a web page that the options do not name: it reaches agents of this machine only
}

// frame is one message of a client.
type frame struct {
	kind websocket.MessageType
	data []byte
}

// run reads requests and answers them one after the other. A client that leaves while one is
// answered cancels it.
func (c *client) run(ctx context.Context, cancel context.CancelFunc) {
	frames := make(chan frame, maxWaiting)
	go func() {
		defer close(frames)
		defer cancel()
		for {
			kind, data, err := c.conn.Read(ctx)
			if err != nil {
				return
			}
			select {
			case frames <- frame{kind, data}:
			case <-ctx.Done():
				return
			}
		}
	}()
	// The reader ends when its connection does.
	defer func() {
		c.conn.CloseNow()
		for range frames {
		}
	}()
	for f := range frames {
		if ctx.Err() != nil {
			return
		}
		c.place.Heard()
		c.place.Used()
		if f.kind == websocket.MessageBinary {
			if c.send(ctx, f) != nil {
				return
			}
			continue
		}
		send := func(reply []byte) error { return c.send(ctx, frame{websocket.MessageText, reply}) }
		if c.server.answer(ctx, f.data, c.page, send) != nil {
			return
		}
	}
}

func (c *client) send(ctx context.Context, f frame) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return c.conn.Write(ctx, f.kind, f.data)
}
