//go:build !js

package flare

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"framescope/internal/testkit"
)

// samples lays captures out as a samples folder, and says where.
func samples(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "flare-samples")
	for _, minute := range minutes {
		path := find(t, minute)
		testkit.OK(t, os.CopyFS(filepath.Join(dir, filepath.Base(path)), os.DirFS(path)))
	}
	return dir
}

// The sample folders of samples, as clients call them.
const (
	constructed = "flare-samples/127.0.0.1_3340-20261120T194756"
	recorded    = "flare-samples/127.0.0.1_13334-20261120T194534"
)

// start starts a server on a free loopback port; it ends with the test.
func start(t testing.TB, opt ServerOptions) *Server {
	t.Helper()
	if opt.Addr == "" {
		opt.Addr = "127.0.0.1:0"
	}
	s := testkit.Must(Listen(context.Background(), opt))(t)
	t.Cleanup(s.Close)
	return s
}

// peer is a client of a server under test.
type peer struct {
	t    testing.TB
	conn *websocket.Conn
}

func dial(t testing.TB, s *Server) *peer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), "ws://"+s.Addr().String()+"/any/path", &websocket.DialOptions{Subprotocols: []string{protocol}})
	testkit.OK(t, err)
	conn.SetReadLimit(maxReply)
	t.Cleanup(func() { conn.CloseNow() })
	return &peer{t, conn}
}

func (p *peer) send(text string) {
	p.t.Helper()
	testkit.OK(p.t, p.conn.Write(p.t.Context(), websocket.MessageText, []byte(text)))
}

// receive reads one reply. Its deadline only ends a test that would hang.
func (p *peer) receive() string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	kind, data, err := p.conn.Read(ctx)
	testkit.OK(p.t, err)
	testkit.MustThat(p.t, kind == websocket.MessageText && json.Valid(data), "a reply of kind %v: %.200q", kind, data)
	return string(data)
}

// answer is a reply that was read.
type answer struct {
	Result string         `json:"result"`
	Cmd    string         `json:"cmd"`
	Data   map[string]any `json:"data"`
}

func decode(t testing.TB, text string) (a answer) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&a)
	testkit.MustThat(t, err == nil, "%v in %.300s", err, text)
	testkit.MustThat(t, (a.Result == "success" || a.Result == "failure") && a.Data != nil, "no reply: %.300s", text)
	return a
}

// ask sends a request and returns its (first) reply.
func (p *peer) ask(text string) answer {
	p.t.Helper()
	p.send(text)
	return decode(p.t, p.receive())
}

// must is ask for a request that succeeds.
func (p *peer) must(text string) map[string]any {
	p.t.Helper()
	a := p.ask(text)
	testkit.MustThat(p.t, a.Result == "success", "%s: %v", text, a.Data["message"])
	return a.Data
}

// refused asks something that must fail, and returns the words.
func (p *peer) refused(text string) string {
	p.t.Helper()
	a := p.ask(text)
	testkit.That(p.t, a.Result == "failure", "%.200s was answered: %.300v", text, a.Data)
	m, _ := a.Data["message"].(string)
	return m
}

func TestHandshake(t *testing.T) {
	s := start(t, ServerOptions{Samples: samples(t), Origins: []string{"https://tools.example.com"}})
	connect := func(subprotocol string, origin ...string) int {
		h := http.Header{}
		for _, o := range origin {
			h.Add("Origin", o)
		}
		opt := &websocket.DialOptions{HTTPHeader: h}
		if subprotocol != "" {
			opt.Subprotocols = strings.Split(subprotocol, ",")
		}
		conn, resp, err := websocket.Dial(t.Context(), "ws://"+s.Addr().String(), opt)
		if err == nil {
			testkit.That(t, conn.Subprotocol() == protocol, "subprotocol %q", conn.Subprotocol())
			conn.CloseNow()
		}
		testkit.MustThat(t, resp != nil, "%v", err)
		return resp.StatusCode
	}
	const yes, no, bad = http.StatusSwitchingProtocols, http.StatusForbidden, http.StatusBadRequest
	for _, c := range []struct {
		subprotocol, origin string
		want                int
	}{
		{"", "", bad},
		{"chat", "", bad},
		{"flare-profiler", "", yes},
		{"chat,flare-profiler", "", yes},
		{protocol, "http://localhost:3890", yes},
		{protocol, "http://127.0.0.1", yes},
		{protocol, "https://127.8.9.10:1", yes},
		{protocol, "http://[::1]:3890", yes},
		{protocol, "https://tools.example.com", yes},
		{protocol, "https://tools.example.com:443", yes},
		{protocol, "http://tools.example.com", no},
		{protocol, "https://tools.example.com.evil.org", no},
		{protocol, "https://tools.example.com:444", no},
		{protocol, "http://evil.org", no},
		{protocol, "http://localhost.evil.org", no},
		{protocol, "http://localhost@evil.org", no},
		{protocol, "http://192.168.1.1", no},
		{protocol, "null", no},
		{protocol, "file://", no},
		{protocol, "http://", no},
		{protocol, "%%%", no},
		{protocol, "http://localhost http://evil.org", no}, // two of them
	} {
		got := connect(c.subprotocol, strings.Fields(c.origin)...)
		testkit.That(t, got == c.want, "subprotocol %q, origin %q: %d, want %d", c.subprotocol, c.origin, got, c.want)
	}
	// No WebSocket at all.
	req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Addr().String(), nil))(t)
	resp := testkit.Must(http.DefaultClient.Do(req))(t)
	resp.Body.Close()
	testkit.That(t, resp.StatusCode == bad, "a plain request: %d", resp.StatusCode)
}

func TestAddresses(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:0": true, "[::1]:0": true, "localhost:0": true, ":0": false, "0.0.0.0:0": false, "[::]:0": false, "192.0.2.1:0": false, "nonsense": false} {
		err := loopbackOnly(t.Context(), addr)
		testkit.That(t, (err == nil) == want, "%s: %v", addr, err)
	}
	s := start(t, ServerOptions{Addr: "0.0.0.0:0", AnyAddress: true, Samples: t.TempDir()})
	s.Close()
	err := s.Wait()
	testkit.That(t, err == nil, "%v", err)
	_, err = Listen(t.Context(), ServerOptions{Addr: "0.0.0.0:0"})
	testkit.That(t, err != nil, "it listens on every address")
	_, err = NewServer(t.Context(), ServerOptions{Origins: []string{"example.com"}})
	testkit.That(t, err != nil, "an origin without a scheme")
	_, err = NewServer(t.Context(), ServerOptions{Library: "/nowhere/lib.so"})
	testkit.That(t, err != nil, "a library that is not there")
}

func TestBinaryFramesAreEchoedInOrder(t *testing.T) {
	p := dial(t, start(t, ServerOptions{Samples: samples(t)}))
	p.send(`{"cmd":"list_sessions"}`)
	testkit.OK(t, p.conn.Write(t.Context(), websocket.MessageBinary, []byte{0, 1, 255}))
	p.send(`{"cmd":"history_samples"}`)
	a := decode(t, p.receive())
	testkit.That(t, a.Cmd == "list_sessions", "first %v", a)
	kind, data, err := p.conn.Read(t.Context())
	testkit.That(t, err == nil && kind == websocket.MessageBinary && string(data) == "\x00\x01\xff",
		"%v %q %v", kind, data, err)
	a = decode(t, p.receive())
	testkit.That(t, a.Cmd == "history_samples", "last %v", a)
}

func TestTooManyClients(t *testing.T) {
	s := start(t, ServerOptions{Samples: t.TempDir()})
	for range maxClients {
		dial(t, s).must(`{"cmd":"list_sessions"}`)
	}
	_, resp, err := websocket.Dial(t.Context(), "ws://"+s.Addr().String(), &websocket.DialOptions{Subprotocols: []string{protocol}})
	testkit.That(t, err != nil && resp != nil && resp.StatusCode == http.StatusServiceUnavailable,
		"one client more: %v", err)
}

// When all places are taken, a newcomer gets the place of the client that has been silent longest, after a
// minute of its silence.
func TestSilentClientLeavesItsPlace(t *testing.T) {
	var now atomic.Int64
	s := start(t, ServerOptions{Samples: t.TempDir(), now: func() time.Time { return time.Unix(now.Load(), 0) }})
	var clients []*peer
	for range maxClients {
		clients = append(clients, dial(t, s))
		now.Add(1)
	}
	clients[0].must(`{"cmd":"list_sessions"}`)
	now.Add(int64(clientQuiet / time.Second))
	dial(t, s).must(`{"cmd":"list_sessions"}`)
	_, _, err := clients[1].conn.Read(t.Context())
	testkit.That(t, err != nil, "the second client, silent longest, has stayed")
	clients[0].must(`{"cmd":"list_sessions"}`)
	clients[2].must(`{"cmd":"list_sessions"}`)
}

// A web page that the user did not name cannot reach other machines through connect_agent.
func TestPagesReachThisMachineOnly(t *testing.T) {
	var dialed []string
	s := start(t, ServerOptions{Samples: t.TempDir(), Origins: []string{"https://tools.example.com"},
		dial: func(_ context.Context, addr string) (net.Conn, error) {
			dialed = append(dialed, addr)
			return nil, errors.New("nobody")
		}})
	for _, c := range []struct{ origin, addr, want string }{
		{"http://localhost:8000", "10.0.0.1:80", "web pages may connect to agents of this machine only"},
		{"http://localhost:8000", "game.example.com:80", "web pages may connect to agents of this machine only"},
		{"http://localhost:8000", "127.0.0.1:3333", "nobody"},
		{"https://tools.example.com", "10.0.0.1:80", "nobody"},
		{"", "10.0.0.1:80", "nobody"},
	} {
		opt := &websocket.DialOptions{Subprotocols: []string{protocol}, HTTPHeader: http.Header{}}
		if c.origin != "" {
			opt.HTTPHeader.Set("Origin", c.origin)
		}
		conn, _, err := websocket.Dial(t.Context(), "ws://"+s.Addr().String(), opt)
		testkit.OK(t, err)
		got := (&peer{t, conn}).refused(`{"cmd":"connect_agent","options":{"agent_addr":"` + c.addr + `"}}`)
		testkit.Equal(t, got, c.want, c.origin+" to "+c.addr)
		conn.CloseNow()
	}
	testkit.Equal(t, strings.Join(dialed, " "), "127.0.0.1:3333 10.0.0.1:80 10.0.0.1:80", "dialed")
}

func TestLongFramesEndTheConnection(t *testing.T) {
	s := start(t, ServerOptions{Samples: t.TempDir()})
	p := dial(t, s)
	p.must(`{"cmd":"list_sessions"}`)
	if err := p.conn.Write(t.Context(), websocket.MessageText, []byte(`{"cmd":"`+strings.Repeat("x", maxFrame)+`"}`)); err != nil {
		t.Log(err)
	}
	_, _, err := p.conn.Read(t.Context())
	testkit.That(t, websocket.CloseStatus(err) == websocket.StatusMessageTooBig, "error %v", err)
	dial(t, s).must(`{"cmd":"list_sessions"}`)
}
