package server

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/net/pstats"
)

func TestMain(m *testing.M) { os.Exit(testkit.SideBySide(m)) }

// patience is how long tests wait for what must come, before they fail.
const patience = 20 * time.Second

// A recording is a handler that keeps everything, and lets tests wait for it.
type recording struct {
	info SessionInfo

	mu      sync.Mutex
	changed sync.Cond
	gone    bool // the wait is over
	hellos  []pstats.ClientHello
	defs    []pstats.CollectorDef
	threads map[int]string
	expired []int
	frames  []pstats.Frame
	bytes   int
	lost    [model.NumLossReasons]int64
	details []string
	reports int // calls of Lost
	calls   int // all calls but Lost and Close
	closed  []string
}

func newRecording(info SessionInfo) *recording {
	r := &recording{info: info, threads: make(map[int]string)}
	r.changed.L = &r.mu
	return r
}

func (r *recording) do(call int, f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	r.calls += call
	r.changed.Broadcast()
}

func (r *recording) Hello(h pstats.ClientHello) {
	r.do(1, func() { r.hellos = append(r.hellos, h) })
}

func (r *recording) Collectors(defs []pstats.CollectorDef) {
	r.do(1, func() { r.defs = append(r.defs, defs...) })
}

func (r *recording) Threads(first int, names []string) {
	r.do(1, func() {
		for i, name := range names {
			r.threads[first+i] = name
		}
	})
}

func (r *recording) Expire(thread int) { r.do(1, func() { r.expired = append(r.expired, thread) }) }

func (r *recording) Frame(f *pstats.Frame, bytes int) {
	r.do(1, func() {
		r.frames = append(r.frames, pstats.Frame{Thread: f.Thread, Number: f.Number, Events: slices.Clone(f.Events), Levels: slices.Clone(f.Levels)})
		r.bytes += bytes
	})
}

func (r *recording) Lost(l model.Loss) {
	r.do(0, func() {
		r.lost[l.Reason] += l.N
		r.reports++
		r.details = append(r.details, l.Detail)
	})
}

func (r *recording) Close(reason string) { r.do(0, func() { r.closed = append(r.closed, reason) }) }

// waitFor waits until ok, which is called with the lock held.
func (r *recording) waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	timer := time.AfterFunc(patience, func() { r.do(0, func() { r.gone = true }) })
	defer timer.Stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !ok() {
		if r.gone {
			t.Fatalf("waited in vain for %s: %d calls, %d frames, lost %v, details %q, closed %q", what, r.calls, len(r.frames), r.lost, r.details, r.closed)
		}
		r.changed.Wait()
	}
}

func (r *recording) waitFrames(t testing.TB, n int) {
	t.Helper()
	r.waitFor(t, fmt.Sprintf("%d frames", n), func() bool { return len(r.frames) >= n })
}

func (r *recording) waitLost(t testing.TB, reason model.LossReason, n int64) {
	t.Helper()
	r.waitFor(t, fmt.Sprintf("loss %d of %d", reason, n), func() bool { return r.lost[reason] >= n })
}

// waitClosed waits for the end and returns the reason.
func (r *recording) waitClosed(t testing.TB) string {
	t.Helper()
	r.waitFor(t, "the end", func() bool { return len(r.closed) > 0 })
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed[0]
}

// numbers are the frame numbers in the order of arrival.
func (r *recording) numbers() []uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var numbers []uint32
	for _, f := range r.frames {
		numbers = append(numbers, f.Number)
	}
	return numbers
}

// A testServer serves recordings.
type testServer struct {
	*Server
	sessions chan *recording
	joined   sync.Map // recordings of clients that have no session yet, by address
	mu       sync.Mutex
	lines    []string
}

func serve(t testing.TB, change func(*Config)) *testServer {
	t.Helper()
	s := &testServer{sessions: make(chan *recording, 2000)}
	cfg := Config{
		Addr: "127.0.0.1:0", Name: "viewer", Program: "test", pause: lossPause / 20,
		NewSession: func(info SessionInfo) pstats.Handler {
			if r, ok := s.joined.LoadAndDelete(info.Peer); ok {
				r := r.(*recording)
				r.do(0, func() { r.info = info })
				return r
			}
			r := newRecording(info)
			s.sessions <- r
			return r
		},
		Log: func(line string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.lines = append(s.lines, line)
		},
	}
	if change != nil {
		change(&cfg)
	}
	server := testkit.Must(Listen(context.Background(), cfg))(t)
	s.Server = server
	t.Cleanup(func() { server.Close() })
	return s
}

// session waits for the next session.
func (s *testServer) session(t testing.TB) *recording {
	t.Helper()
	select {
	case r := <-s.sessions:
		return r
	case <-time.After(patience):
		t.Fatalf("no session came; log: %q", s.log())
		return nil
	}
}

func (s *testServer) noSession(t testing.TB) {
	t.Helper()
	testkit.That(t, len(s.sessions) == 0, "%d sessions were opened, want none", len(s.sessions))
}

// sorted returns the connections in the order in which they were made.
func (s *Server) sorted() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.conns), func(a, b *conn) int { return int(a.id) - int(b.id) })
}

// waitClients waits until the list of clients is as wanted.
func (s *testServer) waitClients(t testing.TB, what string, ok func([]*conn) bool) {
	t.Helper()
	testkit.WaitUntil(t, what, func() bool { return ok(s.sorted()) },
		func() any { return len(s.sorted()) }, func() any { return s.Messages() }, func() any { return s.log() })
}

func (s *testServer) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// logged counts the lines of the log with some text in it.
func (s *testServer) logged(text string) (n int) {
	for _, line := range s.log() {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// A testClient talks to a server byte by byte.
type testClient struct {
	t     testing.TB
	tcp   *net.TCPConn
	udp   *net.UDPConn
	hello pstats.ServerHello
	short bool // 16-bit lengths
}

// dial connects and reads the server's hello, before anything was sent.
func dial(t testing.TB, to netip.AddrPort) *testClient {
	t.Helper()
	conn := testkit.Must(net.Dial("tcp", to.String()))(t)
	c := &testClient{t: t, tcp: conn.(*net.TCPConn)}
	t.Cleanup(func() { c.tcp.Close() })
	c.tcp.SetReadDeadline(time.Now().Add(patience))
	var scan pstats.Scanner
	for {
		n, err := c.tcp.Read(scan.Space())
		scan.Advance(n)
		if payload, ok, _ := scan.Next(); ok {
			c.hello = testkit.Must(pstats.DecodeServerHello(payload))(t)
			break
		}
		testkit.MustThat(t, err == nil, "no hello from the server: %v", err)
	}
	if c.hello.UDPPort != 0 {
		udp := net.UDPAddrFromAddrPort(netip.AddrPortFrom(to.Addr(), c.hello.UDPPort))
		c.udp = testkit.Must(net.DialUDP("udp", nil, udp))(t)
		t.Cleanup(func() { c.udp.Close() })
	}
	return c
}

// write sends bytes by TCP.
func (c *testClient) write(b []byte) {
	c.t.Helper()
	testkit.Must(c.tcp.Write(b))(c.t)
}

// appendShortTCP appends a payload with the 16-bit length of versions before 3.0 (PROTOCOL.md, section 1.1).
func appendShortTCP(dst, payload []byte) []byte {
	return append(binary.LittleEndian.AppendUint16(dst, uint16(len(payload))), payload...)
}

// send sends one message by TCP.
func (c *testClient) send(payload []byte) {
	c.t.Helper()
	if c.short {
		c.write(appendShortTCP(nil, payload))
	} else {
		c.write(pstats.AppendTCP(nil, payload))
	}
}

// sendUDP sends one datagram as it is.
func (c *testClient) sendUDP(datagram []byte) {
	c.t.Helper()
	testkit.Must(c.udp.Write(datagram))(c.t)
}

func (c *testClient) sayHello(v pstats.Version, pid int64) {
	c.t.Helper()
	c.send(helloPayload(v, pid))
}

func helloPayload(v pstats.Version, pid int64) []byte {
	return pstats.AppendClientHello(nil, pstats.ClientHello{Host: "pc", Program: "demo", Version: v, PID: pid})
}

// framePayload is a frame with the given number and events.
func framePayload(v pstats.Version, number, events int) []byte {
	f := pstats.Frame{Number: uint32(number), Levels: []pstats.Level{{Collector: 2, Value: 2.5}}}
	for i := range events {
		f.Events = append(f.Events, pstats.Event{Word: uint16(i/2) | uint16(i%2)*pstats.StopBit, Time: float32(number) + float32(i)/1000})
	}
	return pstats.AppendFrame(nil, v, &f)
}

// join dials and says hello as a 3.2 client. The recording is that of its session, which begins
// with its first frame.
func join(t testing.TB, s *testServer) (*testClient, *recording) {
	t.Helper()
	c := dial(t, s.Addr())
	r := newRecording(SessionInfo{})
	s.joined.Store(addrOf(c.tcp.LocalAddr()), r)
	c.sayHello(pstats.Version{Major: 3, Minor: 2}, 1234)
	return c, r
}

// joined is a client of a server of its own.
func joined(t testing.TB) (*testServer, *testClient, *recording) {
	t.Helper()
	s := serve(t, hasty)
	c, r := join(t, s)
	return s, c, r
}

// hasty lets a first frame wait for a second one for a moment only, where nobody else sends.
func hasty(cfg *Config) { cfg.alone = unconfirmedWaitNs / 20 }

// frameAt is a frame of a game at 60 Hz.
func frameAt(number int) []byte {
	at := float32(number) / 60
	return pstats.AppendFrame(nil, v32, &pstats.Frame{Number: uint32(number), Events: []pstats.Event{{Time: at}, {Word: pstats.StopBit, Time: at + 1.0/60}}})
}

// A counter is a handler that only counts, and wakes whoever waits for a number of frames.
type counter struct {
	pstatstest.Nothing
	frames, events atomic.Int64
	target         atomic.Int64
	reached        chan struct{}
	lost           atomic.Int64
}

func (c *counter) Lost(l model.Loss) { c.lost.Add(l.N) }

func (c *counter) Frame(f *pstats.Frame, _ int) {
	c.events.Add(int64(len(f.Events)))
	if c.frames.Add(1) == c.target.Load() {
		c.reached <- struct{}{}
	}
}

// benchServer serves one client whose frames are counted.
func benchServer(b *testing.B) (*testClient, *counter) {
	c := &counter{reached: make(chan struct{}, 1)}
	s := serve(b, func(cfg *Config) { cfg.NewSession = func(SessionInfo) pstats.Handler { return c } })
	client := dial(b, s.Addr())
	client.sayHello(v32, 1)
	return client, c
}

// BenchmarkServerTCP sends frames over loopback by TCP as fast as they are taken.
func BenchmarkServerTCP(b *testing.B) {
	for events, frames := range map[int]int{24: 300, 2000: 8} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			client, c := benchServer(b)
			message := pstats.AppendTCP(nil, framePayload(v32, 1, events))
			batch := bytes.Repeat(message, frames)
			b.ReportAllocs()
			b.ResetTimer()
			c.target.Store(int64(b.N))
			for left := b.N; left > 0; left -= frames {
				client.write(batch[:min(left, frames)*len(message)])
			}
			<-c.reached
			b.ReportMetric(float64(c.frames.Load())/b.Elapsed().Seconds(), "frames/s")
			b.ReportMetric(float64(c.events.Load())/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkServerUDP sends frames over loopback by UDP, never more than a window ahead of what was
// taken, since UDP has no flow control of its own, and wants all of them.
func BenchmarkServerUDP(b *testing.B) {
	client, c := benchServer(b)
	payload := framePayload(v32, 1, 24)
	var datagram []byte
	const window = 128
	b.ReportAllocs()
	b.ResetTimer()
	for sent := 0; sent < b.N; {
		n := min(window, b.N-sent)
		c.target.Store(int64(sent + n))
		for i := range n {
			binary.LittleEndian.PutUint32(payload[3:], uint32(sent+i))
			datagram = pstats.AppendUDP(datagram[:0], payload)
			client.sendUDP(datagram)
		}
		sent += n
		<-c.reached
	}
	b.ReportMetric(float64(c.frames.Load())/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric(float64(c.events.Load())/b.Elapsed().Seconds(), "events/s")
}

// A capture that is sent over real sockets gives the handler what its messages, one by one, give: those
// are held against the official server in the tests of the decoder.
func TestReplayCaptures(t *testing.T) {
	for _, name := range pstatstest.Captures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !testkit.Long && (name == "longrun" || name == "render_gl_gpu") {
				t.Skip("the largest; the others have all kinds of messages")
			}
			s := serve(t, nil)
			pstatstest.OverSockets(t, name, s.Addr().String(), func(messages int64) {
				s.waitClients(t, fmt.Sprintf("%d messages", messages), func([]*conn) bool { return s.Messages() == messages })
			})
			got, want := s.session(t), newRecording(SessionInfo{})
			got.waitClosed(t)
			s.Close()
			pstatstest.Replay(t, pstatstest.Bytes(t, name+".pscap"), want)
			equal(t, "hellos", got.hellos, want.hellos)
			equal(t, "definitions", got.defs, want.defs)
			equal(t, "threads", got.threads, want.threads)
			equal(t, "expired", got.expired, want.expired)
			equal(t, "frames", len(got.frames), len(want.frames))
			for _, r := range []*recording{got, want} { // the first datagrams wait for the next
				slices.SortStableFunc(r.frames, func(a, b pstats.Frame) int {
					return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Number, b.Number))
				})
			}
			for i := range want.frames {
				equal(t, "frame", got.frames[i], want.frames[i])
			}
			equal(t, "losses", got.lost, [model.NumLossReasons]int64{})
		})
	}
}

func TestReadCapture(t *testing.T) {
	var file bytes.Buffer
	file.WriteString("PSCAP1 {\"note\":\"two records\",\"tcp_port\":1}\n")
	head := file.Len()
	file.Write([]byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'})
	file.Write([]byte{2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	zip.Write(file.Bytes())
	zip.Close()

	want := &pstatstest.Capture{Note: "two records", Records: []pstatstest.Record{
		{Channel: pstatstest.ClientTCP, Time: 1, Data: []byte("abc")},
		{Channel: pstatstest.ClientUDP, Time: 256, Data: []byte{}},
	}}
	for _, data := range [][]byte{file.Bytes(), zipped.Bytes()} {
		got := testkit.Must(pstatstest.Read(bytes.NewReader(data)))(t)
		testkit.That(t, reflect.DeepEqual(got, want), "got %+v, want %+v", got, want)
	}
	for cut := range file.Len() {
		got, err := pstatstest.Read(bytes.NewReader(file.Bytes()[:cut]))
		switch {
		case cut < head:
			testkit.MustThat(t, err != nil && got == nil, "cut at %d: %v, %v", cut, got, err)
		case cut == head || cut == head+16:
			testkit.MustThat(t, err == nil, "cut at %d, between records: %v", cut, err)
		default:
			testkit.MustThat(t, err != nil && len(got.Records) == (cut-head)/16,
				"cut at %d: %d records, error %v", cut, len(got.Records), err)
		}
	}
	for text, reason := range map[string]string{
		"PSCAP1 {\n": "first line", "nothing\n": "does not begin", "PSCAP1 {}\n\x07            ": "channel 7",
		"PSCAP1 {}\n\x00        \xff\xff\xff\xffabc": "record of 4294967295 bytes cut off after 3",
	} {
		testkit.Refused(pstatstest.Read(strings.NewReader(text)))(t, reason)
	}
}
