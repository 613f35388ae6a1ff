package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats"
)

// pandaPython returns a Python that has Panda3D, or skips the test. The variable FRAMESCOPE_PYTHON
// names one that is not in the path, for example of a virtual environment.
func pandaPython(t *testing.T) string {
	t.Helper()
	python := testkit.Program(t, cmp.Or(os.Getenv("FRAMESCOPE_PYTHON"), "python3"))
	if out, err := exec.Command(python, "-c", "import panda3d.core, direct").CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("%s has no Panda3D (pip install panda3d): %s", python, lines[len(lines)-1])
	}
	return python
}

// TestRealPanda3D runs a scene in a real client, Panda3D as it comes from PyPI, and compares what
// arrived with what the scene did: once as most games do, and once with the Python profiler on,
// which makes the client announce 3.1 and start collectors that are running already.
func TestRealPanda3D(t *testing.T) {
	python := pandaPython(t)
	if testkit.Long { // what is plain is in the other
		t.Run("plain", func(t *testing.T) { runPanda(t, python, pstats.Version{Major: 3, Minor: 0}) })
	}
	t.Run("profiler", func(t *testing.T) {
		runPanda(t, python, pstats.Version{Major: 3, Minor: 1}, "pstats-python-profiler true")
	})
}

// playScene runs the scene in a real client and returns its session and what it prints.
func playScene(t *testing.T, python string, s *testServer, args ...string) (*recording, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	scene := exec.CommandContext(ctx, python, append([]string{"../../../testdata/pstats/panda_scene.py"}, args...)...)
	var out, errs bytes.Buffer
	scene.Stdout, scene.Stderr = &out, &errs
	input := testkit.Must(scene.StdinPipe())(t)
	testkit.OK(t, scene.Start())
	r := s.session(t)
	input.Close()
	err := scene.Wait()
	testkit.MustThat(t, err == nil, "the scene failed: %v\n%s", err, errs.Bytes())
	r.waitClosed(t)
	return r, out.Bytes()
}

func runPanda(t *testing.T, python string, version pstats.Version, prc ...string) {
	const steps = 100
	s := serve(t, nil)
	r, out := playScene(t, python, s, append([]string{strconv.Itoa(int(s.Addr().Port())), strconv.Itoa(steps)}, prc...)...)
	// The client may print notes of its own before.
	var truth struct {
		Panda     string
		Connected bool
		Steps     []struct {
			Step, Parts int
			Half        float32
		}
		Collectors map[string]uint16
		Threads    []string
	}
	err := json.Unmarshal(out[max(0, bytes.Index(out, []byte(`{"panda"`))):], &truth)
	testkit.MustThat(t, err == nil, "what the scene did: %v\n%s", err, out)
	equal(t, "connected", truth.Connected, true)
	equal(t, "steps", len(truth.Steps), steps)

	s.Close()
	events := 0
	for _, f := range r.frames {
		events += len(f.Events)
	}

	equal(t, "program", r.hellos[0].Program, "panda scene")
	if strings.HasPrefix(truth.Panda, "1.10.") {
		equal(t, "version", r.hellos[0].Version, version)
		equal(t, "process id", r.hellos[0].PID, -1)
	}
	equal(t, "losses", r.lost, [model.NumLossReasons]int64{})

	// Names, by which the scene knows its collectors.
	defs := make(map[uint16]pstats.CollectorDef)
	for _, d := range r.defs {
		defs[uint16(d.Index)] = d
	}
	fullName := func(index uint16) (name string) {
		for range len(defs) {
			if index == 0 {
				break
			}
			d := defs[index]
			name = strings.TrimSuffix(d.Name+":"+name, ":")
			index = uint16(d.Parent)
		}
		return name
	}
	equal(t, "root collector", defs[0].Name, "Frame")
	for name, index := range truth.Collectors {
		equal(t, "collector", fullName(index), name)
	}
	for i, name := range truth.Threads {
		equal(t, "thread", r.threads[i], name)
	}

	// Each frame tells by its level which step it is. UDP and TCP overtake each other, so they are put
	// in order first.
	byStep := make(map[int]pstats.Frame)
	inOrder := slices.SortedStableFunc(slices.Values(r.frames), func(a, b pstats.Frame) int { return cmp.Compare(a.Number, b.Number) })
	for _, f := range inOrder {
		for _, l := range f.Levels {
			if f.Thread == 0 && l.Collector == truth.Collectors["Scene:Step"] && l.Value > 0 {
				if _, twice := byStep[int(l.Value)]; !twice { // later frames repeat the last value
					byStep[int(l.Value)] = f
				}
			}
		}
	}
	equal(t, "steps that arrived", len(byStep), steps)
	for _, want := range truth.Steps {
		f, ok := byStep[want.Step]
		if !ok {
			t.Errorf("step %d did not arrive", want.Step)
			continue
		}
		testkit.That(t, len(f.Events) >= 2 && f.Events[0].Word == 0 && f.Events[len(f.Events)-1].Word == pstats.StopBit,
			"step %d: the frame does not begin and end with the collector Frame: %v", want.Step, f.Events)
		for _, name := range []string{"App:Scene work", "App:Scene work:Part", "App:Scene work:Twice"} {
			starts, stops := 0, 0
			for _, e := range f.Events {
				switch e.Word {
				case truth.Collectors[name]:
					starts++
				case truth.Collectors[name] | pstats.StopBit:
					stops++
				}
			}
			testkit.That(t, starts == want.Parts && stops == want.Parts,
				"step %d: %s started %d and stopped %d times, want %d", want.Step, name, starts, stops, want.Parts)
		}
		for _, l := range f.Levels {
			testkit.That(t, l.Collector != truth.Collectors["Scene:Half"] || l.Value == want.Half,
				"step %d: level Scene:Half is %v, want %v", want.Step, l.Value, want.Half)
		}
	}
}

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
			testkit.That(t, l.Received == got && (l.Missing != 0 || name != "a tunnel"),
				"%d received, want %d; %d missing", l.Received, got, l.Missing)
			if c.held != (l.Way == 0) || !c.held && l.Way+l.HeldBack != l.Missing || c.passes(0) != c.passes(frames) && l.Way == l.Missing && l.HeldBack > 0 {
				t.Errorf("%d missing: %d lost on the way, %d held back", l.Missing, l.Way, l.HeldBack)
			}
			testkit.That(t, name != "a tunnel" || l.HeldBack == 0 && l.Sent == l.Received+l.Missing,
				"a client that holds nothing back: %+v", l)
			_, lines := g.out.Session.Losses()
			told := strings.Join(append(lines, g.out.Session.Warnings()...), "\n")
			n := strings.Count(told, "pstats-tcp-ratio 1")
			testkit.That(t, c.told == (n >= 2) && (c.told || n <= 0), "told of the way %d times: %q", n, told)
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

// TestRealPanda3DThroughTunnel runs a real client at the other end of a tunnel.
func TestRealPanda3DThroughTunnel(t *testing.T) {
	python := pandaPython(t)
	const steps = 500 // one in a hundred goes by TCP
	for _, ratio := range []string{"0.01", "1"}[:testkit.Rounds(1, 2)] {
		t.Run(ratio, func(t *testing.T) {
			s := serve(t, nil)
			port := tunnel(t, "127.0.0.2", s.Addr().String())
			r, _ := playScene(t, python, s, strconv.Itoa(port), strconv.Itoa(steps),
				"pstats-host 127.0.0.2", "pstats-tcp-ratio "+ratio, "clock-mode limited", "clock-frame-rate 500")
			lost, told := r.lost[model.LossWay], strings.Contains(strings.Join(r.details, "\n"), "pstats-tcp-ratio 1")
			if all := ratio == "1"; all != (lost == 0) || all == told || all != (len(r.frames) > steps) {
				t.Errorf("%d frames, %d lost on the way, told: %v %q", len(r.frames), lost, told, r.details)
			}
		})
	}
}
