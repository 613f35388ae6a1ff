//go:build !js

package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// TestRequests: each mistake is answered with words, and nothing else suffers.
func TestRequests(t *testing.T) {
	p := dial(t, start(t, ServerOptions{Samples: samples(t), NoRecording: true}))
	p.must(fmt.Sprintf(`{"cmd":"open_sample","options":{"sample_data_dir":%q}}`, constructed))
	session := fmt.Sprintf(`"session_id":%q`, constructed)
	testkit.Lines(t, "testdata/requests.txt", func(request string) string {
		var said []string
		for _, a := range p.replay(strings.ReplaceAll(request, "$ID", session)) {
			message, _ := a.Data["message"].(string)
			said = append(said, cmp.Or(message, a.Result))
		}
		return strings.Join(said, "; ")
	})
	// Deep JSON is refused by the parser, which counts; deeper than it is ours.
	for _, request := range []string{strings.Repeat("[", 100_000), `{"cmd":"cpu_time","options":{` + session + `,"thread_ids":[` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `]}}`} {
		m := p.refused(request)
		testkit.That(t, m != "" && len(m) <= 1000, "deep JSON: %q", m)
	}
}

// TestLinksOutOfTheFolder: a link in the samples folder does not lead a client to other folders,
// nor do links to files.
func TestLinksOutOfTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on this system")
	}
	captures := flaretest.Captures(t)
	other := flaretest.Find(t, captures, "constructed-60s/127*")
	dir := t.TempDir()
	testkit.OK(t, os.Symlink(other, filepath.Join(dir, "link-20260101T000000")))
	half := filepath.Join(dir, "half-20260101T000001")
	testkit.OK(t, os.Mkdir(half, 0o700))
	testkit.OK(t, os.WriteFile(filepath.Join(half, flare.SummaryFile), []byte("{}"), 0o600))
	for _, f := range []string{"thread_21_stack.fdata", "thread_21_stack.fidx"} {
		testkit.OK(t, os.Symlink(filepath.Join(other, f), filepath.Join(half, f)))
	}
	p := dial(t, start(t, ServerOptions{Samples: dir}))
	m := p.refused(`{"cmd":"open_sample","options":{"sample_data_dir":"flare-samples/link-20260101T000000"}}`)
	testkit.That(t, m == "sample data dir not found", "a link to a folder: %q", m)
	p.must(`{"cmd":"open_sample","options":{"sample_data_dir":"flare-samples/half-20260101T000001"}}`)
	d := p.must(`{"cmd":"dashboard","options":{"session_id":"flare-samples/half-20260101T000001"}}`)
	testkit.That(t, len(d["threads"].([]any)) == 0, "links to files were followed: %.300v", d)
	list := p.must(`{"cmd":"history_samples"}`)["history_samples"].([]any)
	testkit.That(t, len(list) == 1, "history %v", list)
}

// made opens sessions that a test made up instead of folders.
func made(rec *flare.Recording) func(context.Context, string, string) (*recording, error) {
	return func(context.Context, string, string) (*recording, error) {
		return &recording{rec: rec, name: "flare-samples/made"}, nil
	}
}

// TestDeepStacks: a reply nests as deep as the stacks do, 2,000 frames and more.
func TestDeepStacks(t *testing.T) {
	testkit.OneGoroutine(t)
	const frames = 6000
	rec := &flare.Recording{Methods: map[flare.MethodID]string{}}
	th := rec.EnsureThread(7)
	for i := range 3 {
		x := flare.Record{TimeMs: int64(1000 + 20*i)}
		for k := range frames {
			x.Stack = append(x.Stack, flare.MethodID(k+1))
		}
		th.Add(x, "deep")
	}
	th.CPU = flare.Series{BeginMs: 1000, StepMs: 20, Values: make([]int64, 3)}
	for _, compat := range []bool{false, true} {
		p := dial(t, start(t, ServerOptions{Compat: compat, read: made(rec)}))
		p.must(`{"cmd":"open_sample","options":{"sample_data_dir":"made"}}`)
		for _, request := range []string{
			`{"cmd":"sequenced_call_tree","options":{"session_id":"made","thread_id":7,"start_time":-1,"end_time":2000}}`,
			`{"cmd":"call_tree","options":{"session_id":"made","thread_ids":[7],"start_time":-1,"end_time":2000}}`,
		} {
			p.send(request)
			_, data, err := p.conn.Read(t.Context())
			testkit.OK(t, err)
			// The reader of JSON here gives up at 10,000 levels, so the levels are counted.
			deepest, now := 0, 0
			for _, c := range data {
				switch c {
				case '{', '[':
					now++
				case '}', ']':
					now--
				}
				deepest = max(deepest, now)
			}
			testkit.That(t, now == 0 && deepest >= 2*frames && strings.HasPrefix(string(data), `{"result":"success"`),
				"%d levels, %d open, %.100s", deepest, now, data)
		}
		p.must(`{"cmd":"flame_graph","options":{"session_id":"made","thread_id":7,"start_time":-1,"end_time":2000}}`)
	}
}

// TestManyThreads: 50 threads come in one reply.
func TestManyThreads(t *testing.T) {
	rec := &flare.Recording{Methods: map[flare.MethodID]string{}, Info: flare.Info{IntervalMs: 20}}
	for i := range int64(120) {
		rec.EnsureThread(i+1).Add(flare.Record{TimeMs: 1000, CPUNs: 5000}, "t")
		rec.EnsureThread(i+1).Add(flare.Record{TimeMs: 2000, CPUNs: 5000 + 1000*i, CPUDeltaNs: 1000 * i}, "t")
	}
	p := dial(t, start(t, ServerOptions{read: made(rec)}))
	p.must(`{"cmd":"open_sample","options":{"sample_data_dir":"made"}}`)
	p.send(`{"cmd":"cpu_time","options":{"session_id":"made","thread_ids":[]}}`)
	next := int64(1)
	for _, want := range []int{50, 50, 20} {
		list := decode(t, p.receive()).Data["thread_cpu_times"].([]any)
		testkit.That(t, len(list) == want, "%d threads, want %d", len(list), want)
		for _, v := range list {
			x := v.(map[string]any)
			testkit.That(t, num(x["id"]) == next && num(x["total_cpu_time"]) == next-1, "%v, want thread %d", x, next)
			next++
		}
	}
	p.must(`{"cmd":"list_sessions"}`) // and no more replies before this one
}

// TestSlowOpeningBlocksNobody: while one client waits for a folder, another is answered; two who
// open the same folder read it once, also when the first of them leaves.
func TestSlowOpeningBlocksNobody(t *testing.T) {
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	s := start(t, ServerOptions{read: func(ctx context.Context, _, name string) (*recording, error) {
		begun <- struct{}{}
		select {
		case <-goOn:
			return &recording{rec: &flare.Recording{}, name: name}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}})
	const open = `{"cmd":"open_sample","options":{"sample_data_dir":"slow"}}`
	first, second, other := dial(t, s), dial(t, s), dial(t, s)
	first.send(open)
	<-begun
	second.send(open)
	n := len(other.must(`{"cmd":"list_sessions"}`)["sample_sessions"].([]any))
	testkit.That(t, n == 0, "%d sessions before one is open", n)
	m := other.refused(`{"cmd":"dashboard","options":{"session_id":"slow"}}`)
	testkit.That(t, m == "sample session not found", "a session that is not open yet: %q", m)
	first.conn.CloseNow()
	close(goOn)
	a := decode(t, second.receive())
	testkit.That(t, a.Result == "success", "second %v", a)
	other.must(open)
	select {
	case <-begun:
		t.Error("an open session is read again")
	default:
	}
}

// TestTwoClients ask at once, each for something else, and get their own replies in order.
func TestTwoClients(t *testing.T) {
	s := start(t, ServerOptions{Samples: samples(t)})
	var wait sync.WaitGroup
	for i, id := range []string{constructed, recorded} {
		p := dial(t, s)
		thread := []int{22, 9}[i]
		wait.Add(1)
		go func() {
			defer wait.Done()
			requests := []string{
				fmt.Sprintf(`{"cmd":"open_sample","options":{"sample_data_dir":%q}}`, id),
				fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, id),
				fmt.Sprintf(`{"cmd":"call_tree","options":{"session_id":%q,"thread_ids":[]}}`, id),
				fmt.Sprintf(`{"cmd":"flame_graph","options":{"session_id":%q,"thread_id":%d}}`, id, thread),
				fmt.Sprintf(`{"cmd":"cpu_time","options":{"session_id":%q,"thread_ids":[]}}`, id),
				`{"cmd":"history_samples"}`,
			}
			for range 5 {
				for _, r := range requests {
					if err := p.conn.Write(t.Context(), 1, []byte(r)); err != nil {
						t.Error(err)
						return
					}
				}
				for _, r := range requests {
					_, data, err := p.conn.Read(t.Context())
					var head struct{ Result, Cmd string }
					if err != nil || json.Unmarshal(data, &head) != nil || head.Result != "success" || !strings.Contains(r, head.Cmd) {
						t.Errorf("%s: %v %.100s", r, err, data)
						return
					}
					testkit.That(t, !strings.Contains(r, "session_id") || head.Cmd == "dashboard" ||
						strings.Contains(string(data), id), "%s is answered for another session", r)
				}
			}
		}()
	}
	wait.Wait()
}

func TestTooManySessions(t *testing.T) {
	p := dial(t, start(t, ServerOptions{read: made(&flare.Recording{})}))
	for i := range maxSessions {
		p.must(fmt.Sprintf(`{"cmd":"open_sample","options":{"sample_data_dir":"s%d"}}`, i))
	}
	m := p.refused(`{"cmd":"open_sample","options":{"sample_data_dir":"more"}}`)
	testkit.That(t, strings.Contains(m, "too many sessions"), "%q", m)
	p.must(`{"cmd":"close_session","options":{"session_id":"s3"}}`)
	p.must(`{"cmd":"open_sample","options":{"sample_data_dir":"more"}}`)
}

func TestShownNames(t *testing.T) {
	for name, want := range map[string]string{
		"com.acme.shop.Cart.price()":                          "Cart.price()",
		"shopapp.Workload$$Lambda$1.0x00007f4cf8000a08.run()": "Workload$$Lambda$1.0x00007f4cf8000a08.run()",
		"Cart.price()":    "Cart.price()",
		"140335000099992": "140335000099992",
		"root":            "root",
		".x()":            ".x()",
		"":                "",
	} {
		testkit.Equal(t, (&query{}).shown(name), want, "%q", name)
		testkit.Equal(t, (&query{compat: true}).shown(name), name, "%q: in compat mode", name)
	}
}

// FuzzAPI: whatever a client sends, what it gets are whole replies, the last of which ends the
// request.
func FuzzAPI(f *testing.F) {
	for _, e := range transcript(f) {
		f.Add([]byte(e.request))
	}
	f.Add([]byte(`{"cmd":"flame_graph","options":{"session_id":"` + constructed + `","thread_id":22,"merged":true,"collapsed":true,"stats_type":"cpu_time"}}`))
	f.Add([]byte(`{"cmd":"list_methods_by_filter","options":{"session_id":"` + constructed + `","regex":true,"method_name_filter":"a.*b"}}`))
	rec, err := flare.ReadFolder(f.Context(), flaretest.Find(f, flaretest.Captures(f), "constructed-60s/127*"), nil)
	testkit.OK(f, err)
	for _, t := range rec.Threads {
		t.Records = t.Records[:min(len(t.Records), 200)]
	}
	var servers []*Server
	for _, compat := range []bool{false, true} {
		opt := ServerOptions{Samples: f.TempDir(), Compat: compat, NoRecording: true, read: made(rec), dial: noDial}
		s := testkit.Must(NewServer(context.Background(), opt))(f)
		f.Cleanup(s.Close)
		servers = append(servers, s)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range servers {
			_, err := s.openSession(t.Context(), constructed, func(_ context.Context, x *apiSession) error {
				x.file = &recording{rec: rec, name: constructed}
				return nil
			})
			testkit.MustThat(t, err == nil || err == error(errTooMany), "%v", err)
			replies := 0
			var lastReply []byte
			if err := s.answer(t.Context(), text, false, func(b []byte) error {
				replies++
				lastReply = b
				testkit.MustThat(t, json.Valid(b), "%q: the reply is no JSON: %.300s", text, b)
				return nil
			}); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			testkit.MustThat(t, replies != 0, "%q: no reply", text)
			var a answer
			if json.Unmarshal(lastReply, &a) != nil || a.Result != "success" && a.Result != "failure" || a.Data == nil {
				t.Fatalf("%q: %.300s", text, lastReply)
			}
			if len(s.sessions.list()) > maxSessions/2 {
				s.closeAll()
			}
		}
	})
}

// samples lays captures out as a samples folder, and says where.
func samples(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "flare-samples")
	for _, minute := range captured[:2] {
		path := flaretest.Find(t, flaretest.Captures(t), minute)
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
	testkit.Lines(t, "testdata/handshakes.txt", func(text string) string {
		subprotocol, origins, _ := strings.Cut(text, " | ")
		return http.StatusText(connect(subprotocol, strings.Fields(origins)...))
	})
	// No WebSocket at all.
	req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Addr().String(), nil))(t)
	resp := testkit.Must(http.DefaultClient.Do(req))(t)
	resp.Body.Close()
	testkit.That(t, resp.StatusCode == http.StatusBadRequest, "a plain request: %d", resp.StatusCode)
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

// When all places are taken, a newcomer gets the place of the client that has been silent longest.
func TestSilentClientLeavesItsPlace(t *testing.T) {
	var now atomic.Int64
	s := start(t, ServerOptions{Samples: t.TempDir(), now: func() time.Time { return time.Unix(now.Load(), 0) }})
	var clients []*peer
	for range maxClients {
		clients = append(clients, dial(t, s))
		clients[len(clients)-1].must(`{"cmd":"list_sessions"}`)
		now.Add(1)
	}
	now.Add(1)
	clients[0].must(`{"cmd":"list_sessions"}`)
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
