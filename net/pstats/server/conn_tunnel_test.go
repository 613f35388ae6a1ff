package server

import (
	"io"
	"math"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/model"
	"framescope/net/pstats"
)

// TestNoDatagrams sends frames as a client does (PROTOCOL.md section 6), with its rule for what goes by TCP, on ways that
// pass datagrams or don't: where none ever comes frames are lost on the way, and the session says what helps. What a
// client holds back for its rate stays held back.
func TestNoDatagrams(t *testing.T) {
	for name, c := range map[string]struct {
		ratio  float64
		every  int // the rate holds back all others
		passes func(n int) bool
		held   bool // what is missing was held back
		told   bool
	}{
		"a tunnel":                          {0.01, 1, func(int) bool { return false }, false, true},
		"a tunnel, of a few more by TCP":    {0.05, 1, func(int) bool { return false }, false, true},
		"a tunnel, all by TCP":              {1, 1, func(int) bool { return false }, true, false},
		"a tunnel, all by TCP, half a rate": {1, 2, func(int) bool { return false }, true, false},
		"this machine":                      {0.01, 1, func(int) bool { return true }, true, false},
		"this machine, half a rate":         {0.01, 2, func(int) bool { return true }, true, false},
		"datagrams that come later":         {0.01, 1, func(n int) bool { return n > 300 }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGoodClient(t)
			g.c.udpPort.Store(5185)
			u, byTCP, first, got := 1.0, 1.0, -1, int64(0)
			const frames = 640
			for n := 0; n < frames; n += c.every {
				g.c.server.started = g.c.server.started.Add(-16 * time.Millisecond) // as long as a frame takes
				came := true
				if c.ratio < 1 && u*math.Sin(c.ratio*math.Pi/2) < byTCP*math.Cos(c.ratio*math.Pi/2) {
					if u++; c.passes(n) {
						g.c.datagram(pstats.AppendUDP(nil, frameAt(n)), g.port)
					} else {
						came = false
					}
				} else {
					byTCP++
					g.tcp(frameAt(n))
					g.c.mu.Lock()
					g.c.flushLosses() // as a pause between two does
					g.c.mu.Unlock()
				}
				if came {
					if got++; first < 0 {
						first = n
					}
				}
			}
			l := g.end()
			if l.Received != got || l.Missing == 0 && name == "a tunnel" {
				t.Errorf("%d received, want %d; %d missing", l.Received, got, l.Missing)
			}
			if c.held != (l.Way == 0) || !c.held && l.Way+l.HeldBack != l.Missing || c.passes(0) != c.passes(frames) && l.Way == l.Missing && l.HeldBack > 0 {
				t.Errorf("%d missing: %d lost on the way, %d held back", l.Missing, l.Way, l.HeldBack)
			}
			if name == "a tunnel" && (l.HeldBack != 0 || l.Sent != l.Received+l.Missing) {
				t.Errorf("a client that holds nothing back: %+v", l)
			}
			_, lines := g.out.Session.Losses()
			told := strings.Join(append(lines, g.out.Session.Warnings()...), "\n")
			if n := strings.Count(told, "pstats-tcp-ratio 1"); c.told != (n >= 2) || !c.told && n > 0 {
				t.Errorf("told of the way %d times: %q", n, told)
			}
		})
	}
}

// tunnel passes TCP alone, from an address on which nobody takes datagrams, and returns its port.
func tunnel(t *testing.T, host string, to string) (port int) {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Skipf("there is no second address of loopback: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			on, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				return
			}
			pass := func(a, b net.Conn) { io.Copy(a, b); a.(*net.TCPConn).CloseWrite() }
			go pass(on, from)
			go pass(from, on)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// TestPanda3DThroughTunnel runs a real client at the other end of a tunnel.
func TestPanda3DThroughTunnel(t *testing.T) {
	python := pandaPython(t)
	for _, ratio := range []string{"0.01", "1"} {
		t.Run(ratio, func(t *testing.T) {
			s := serve(t, nil)
			port := tunnel(t, "127.0.0.2", s.Addr().String())
			r, _ := playScene(t, python, s, strconv.Itoa(port), "200",
				"pstats-host 127.0.0.2", "pstats-tcp-ratio "+ratio, "clock-mode limited", "clock-frame-rate 100")
			lost, told := r.lost[model.LossWay], strings.Contains(strings.Join(r.details, "\n"), "pstats-tcp-ratio 1")
			if all := ratio == "1"; all != (lost == 0) || all == told || all != (len(r.frames) > 200) {
				t.Errorf("%d frames, %d lost on the way, told: %v %q", len(r.frames), lost, told, r.details)
			}
			t.Logf("%d frames, %d lost on the way", len(r.frames), lost)
		})
	}
}
