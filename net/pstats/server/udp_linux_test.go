package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
)

// A blockedHandler takes nothing until it is released.
type blockedHandler struct {
	pstats.Handler
	release chan struct{}
}

func (b blockedHandler) Frame(f *pstats.Frame, bytes int) {
	<-b.release
	b.Handler.Frame(f, bytes)
}

// blockedSession is one whose handler takes nothing until it is released.
func blockedSession(t *testing.T, drain time.Duration) (
	*testServer, *testClient, *recording, *pstatstest.Sink, chan struct{},
) {
	r, out := newRecording(SessionInfo{}), &pstatstest.Sink{Session: store.NewSession()}
	blocked := blockedHandler{nil, make(chan struct{})}
	s := serve(t, func(cfg *Config) {
		cfg.drain = drain
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			blocked.Handler = pstats.Tee(decode.New(out, decode.Options{Peer: info.Peer.String()}), r)
			return blocked
		}
	})
	c := dial(t, s.Addr())
	c.sayHello(v32, -1)
	c.send(frameAt(0))
	s.waitClients(t, "the session", func(c []*conn) bool { return c[0].frames.Load() == 1 })
	return s, c, r, out, blocked.release
}

// Datagrams that the system drops because its buffer is full are counted, although nothing comes
// after them.
func TestDroppedByTheSystem(t *testing.T) {
	s, c, r, out, release := blockedSession(t, 0)
	testkit.OK(t, s.sorted()[0].udp.SetReadBuffer(4096))
	const sent = 1000
	for i := range sent {
		c.sendUDP(pstats.AppendUDP(nil, frameAt(i+1)))
	}
	close(release)
	c.tcp.Close()
	r.waitClosed(t)
	ledger := out.Session.Ledger()
	testkit.That(t, ledger.Sent == sent+1 && ledger.HeldBack == 0 && ledger.System >= sent/2 &&
		ledger.Received+ledger.System == sent+1, "%d frames were sent: %+v", sent+1, ledger)
	equal(t, "received", ledger.Received, int64(len(r.numbers())))
	equal(t, "log lines", s.logged("receive buffer"), 1)
	last := fmt.Sprintf("%d dropped by the system", ledger.System)
	testkit.WaitUntil(t, "the last line, which comes after the session's end", func() bool { return s.logged(last) == 1 })
	n := testing.AllocsPerRun(100, func() { droppedBefore(make([]byte, 24)) })
	testkit.That(t, n == 0, "%v allocations", n)
}

// stoppedViewer is set in a process of this test that serves one session and writes its ledger.
const stoppedViewer = "FRAMESCOPE_STOPPED_VIEWER"

// TestStoppedViewer serves one session when it runs in a process of its own.
func TestStoppedViewer(t *testing.T) {
	if os.Getenv(stoppedViewer) == "" {
		t.Skip("part of TestLedgerOfAStoppedViewer")
	}
	session := store.NewSession()
	closed := make(chan struct{})
	s := serve(t, func(cfg *Config) {
		cfg.NewSession = func(info SessionInfo) pstats.Handler {
			d := decode.New(&pstatstest.Sink{Session: session}, decode.Options{Peer: info.Peer.String()})
			return pstats.Tee(d, closing{newRecording(info), closed})
		}
	})
	fmt.Println("address", s.Addr())
	<-closed
	out := testkit.Must(json.Marshal(session.Ledger()))(t)
	fmt.Println("ledger", string(out))
}

// drained waits until nothing waits in the receive buffer of a UDP port of this machine.
func drained(t *testing.T, port uint16) {
	t.Helper()
	testkit.WaitUntil(t, "an empty receive buffer", func() bool {
		table := testkit.Must(os.ReadFile("/proc/net/udp"))(t)
		row := regexp.MustCompile(fmt.Sprintf(`:%04X \S+ \S+ [0-9A-F]+:([0-9A-F]+)`, port)).FindSubmatch(table)
		return row != nil && string(row[1]) == "00000000" // the kernel may skip a row while others come and go
	})
}

// closing is a handler that tells of the end.
type closing struct {
	*recording
	done chan struct{}
}

func (c closing) Close(string) { close(c.done) }

// A viewer that is stopped for a while misses frames. Its ledger says how many, and what became of
// them, whether anything comes afterwards or not.
func TestLedgerOfAStoppedViewer(t *testing.T) {
	t.Parallel()
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprintf("later=%v", later), func(t *testing.T) {
			t.Parallel()
			viewer := exec.Command(os.Args[0], "-test.run=^TestStoppedViewer$", "-test.timeout=60s")
			viewer.Env = append(os.Environ(), stoppedViewer+"=1")
			viewer.Stderr = os.Stderr
			out := testkit.Must(viewer.StdoutPipe())(t)
			testkit.OK(t, viewer.Start())
			t.Cleanup(func() {
				viewer.Process.Kill()
				viewer.Wait()
			})
			lines := bufio.NewScanner(out)
			line := func(name string) string {
				for lines.Scan() {
					if rest, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
						return rest
					}
				}
				t.Fatalf("the viewer ended without its %s", name)
				return ""
			}
			c := dial(t, netip.MustParseAddrPort(line("address")))
			c.sayHello(v32, -1)
			sent, held, number := int64(0), int64(0), 0
			send := func(n int) {
				for range n {
					if number++; number%100 == 50 {
						held++
						continue
					}
					sent++
					if number%64 == 1 {
						c.send(frameAt(number))
					} else {
						c.sendUDP(pstats.AppendUDP(nil, frameAt(number)))
					}
					if number%32 == 0 && n <= 1000 {
						drained(t, c.hello.UDPPort) // it is not stopped, and gets them all
					}
				}
			}
			send(200)
			testkit.OK(t, viewer.Process.Signal(syscall.SIGSTOP))
			send(24_000)
			if later {
				viewer.Process.Signal(syscall.SIGCONT)
				drained(t, c.hello.UDPPort)
				send(1000)
				drained(t, c.hello.UDPPort)
			}
			c.tcp.Close()
			viewer.Process.Signal(syscall.SIGCONT)
			var ledger model.Ledger
			testkit.OK(t, json.Unmarshal([]byte(line("ledger")), &ledger))
			testkit.That(t, ledger.Sent-ledger.HeldBack == sent,
				"the ledger knows of %d frames that were sent, the client sent %d", ledger.Sent-ledger.HeldBack, sent)
			// Where the last datagrams were dropped, nobody knows which numbers behind the last
			// frame by TCP, one in 64, were sent.
			testkit.That(t, ledger.System != 0 && ledger.Implausible == 0 && ledger.HeldBack <= held &&
				ledger.HeldBack >= held-64, "%d were held back: %+v", held, ledger)
		})
	}
}

// What waits in the socket when the time for draining is over is read, too: a viewer that did not
// get to run for a while loses nothing that the system kept for it.
func TestWhatWaitsIsReadAtTheEnd(t *testing.T) {
	_, c, r, out, release := blockedSession(t, 1)
	const sent = 100
	for i := range sent {
		c.sendUDP(pstats.AppendUDP(nil, frameAt(i+1)))
	}
	c.tcp.Close()
	close(release)
	r.waitClosed(t)
	ledger := out.Session.Ledger()
	testkit.That(t, ledger.Received == sent+1 && ledger.HeldBack == 0, "%d frames were sent: %+v", sent+1, ledger)
}
