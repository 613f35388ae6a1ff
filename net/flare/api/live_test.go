//go:build !js

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
)

// apiFakeAgent is an agent that has something to say, once: who subscribes gets it, and the connection
// stays open. A new connection shuts the one before down.
type apiFakeAgent struct {
	t      testing.TB
	l      net.Listener
	stream []byte

	mu       sync.Mutex
	current  net.Conn
	requests []string
	stopped  chan struct{} // closed when it was told to stop
}

func newFakeAgent(t testing.TB, addr string, stream []byte) *apiFakeAgent {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", addr))(t)
	a := &apiFakeAgent{t: t, l: l, stream: stream, stopped: make(chan struct{})}
	t.Cleanup(a.die)
	go a.serve()
	return a
}

func (a *apiFakeAgent) serve() {
	for {
		conn, err := a.l.Accept()
		if err != nil {
			return
		}
		a.mu.Lock()
		if a.current != nil {
			a.current.Close()
		}
		a.current = conn
		a.mu.Unlock()
		go a.talk(conn)
	}
}

func (a *apiFakeAgent) talk(conn net.Conn) {
	buf := make([]byte, 1024)
	n, err := conn.Read(buf) // one request is one read
	if err != nil {
		return
	}
	a.mu.Lock()
	a.requests = append(a.requests, string(buf[:n]))
	stream := a.stream
	a.stream = nil
	a.mu.Unlock()
	switch string(buf[:n]) {
	case flare.Request:
		conn.Write(stream)
	case stopRequest:
		close(a.stopped)
		a.die()
	}
}

// die is what the end of the JVM looks like.
func (a *apiFakeAgent) die() {
	a.l.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.current != nil {
		a.current.Close()
	}
}

func (a *apiFakeAgent) addr() string { return a.l.Addr().String() }

// arrived waits until a live session has so many samples.
func (p *peer) arrived(id string, want int64) {
	p.t.Helper()
	n := int64(0)
	testkit.WaitUntil(p.t, fmt.Sprintf("%d samples", want), func() bool {
		n = 0
		for _, v := range p.must(fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, id))["threads"].([]any) {
			n += num(v.(map[string]any)["sample_count"])
		}
		return n >= want
	}, func() any { return n })
	testkit.MustThat(p.t, n <= want, "%d samples came of %d", n, want)
}

// TestLiveEqualsItsFolder: a live session answers everything as the folder does that the original
// recorded of it, and so does the folder that is recorded here.
func TestLiveEqualsItsFolder(t *testing.T) {
	for _, compat := range []bool{false, true} {
		dir := samples(t)
		s := start(t, ServerOptions{Samples: dir, Compat: compat})
		p := dial(t, s)
		a := newFakeAgent(t, "127.0.0.1:0", flaretest.Stream(t))
		id := a.addr()
		d := p.must(fmt.Sprintf(`{"cmd":"connect_agent","options":{"agent_addr":%q}}`, id))
		testkit.That(t, d["session_id"] == id && d["type"] == "attach", "connected: %v", d)
		p.arrived(id, 2630)
		p.must(fmt.Sprintf(`{"cmd":"open_sample","options":{"sample_data_dir":%q}}`, recorded))
		checkSame(t, p, id, recorded, compat)
		// Connecting again is the same session.
		d = p.must(fmt.Sprintf(`{"cmd":"connect_agent","options":{"agent_addr":%q}}`, id))
		testkit.That(t, d["session_id"] == id, "connected again: %v", d)
		testkit.Equal(t, len(p.must(`{"cmd":"list_sessions"}`)["sample_sessions"].([]any)), 2, "sessions")
		own := fmt.Sprint(p.must(fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, id))["sample_info"].(map[string]any)["sample_data_dir"])
		p.must(fmt.Sprintf(`{"cmd":"close_session","options":{"session_id":%q}}`, id))
		m := p.refused(fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, id))
		testkit.That(t, m == "sample session not found", "a closed session: %q", m)
		// What was recorded is complete when the session is closed.
		if rec, err := flare.ReadFolder(t.Context(), filepath.Join(dir, filepath.Base(own)), nil); err != nil || rec.NumRecords() != 2630 || len(rec.Problems) > 0 {
			t.Fatalf("recorded %s: %v", own, err)
		}
		p.must(fmt.Sprintf(`{"cmd":"open_sample","options":{"sample_data_dir":%q}}`, own))
		checkSame(t, p, own, recorded, compat)
	}
}

// checkSame asks two sessions the same and wants the same.
func checkSame(t *testing.T, p *peer, a, b string, compat bool) {
	t.Helper()
	const from, to = 1795203944096, 1795203954096
	for _, request := range []string{
		`{"cmd":"call_tree","options":{"session_id":%q,"thread_ids":[9,10,11],"start_time":0,"end_time":1795203990000}}`,
		fmt.Sprintf(`{"cmd":"sequenced_call_tree","options":{"session_id":%%q,"thread_id":9,"start_time":%d,"end_time":%d}}`, from, to),
		fmt.Sprintf(`{"cmd":"d3_flame_graph","options":{"session_id":%%q,"thread_id":10,"start_time":%d,"end_time":%d}}`, from, to),
		fmt.Sprintf(`{"cmd":"flame_graph","options":{"session_id":%%q,"thread_id":9,"start_time":%d,"end_time":%d}}`, from, to),
		`{"cmd":"flame_graph","options":{"session_id":%q,"thread_id":9,"merged":true,"collapsed":true,"stats_type":"samples","start_time":-1,"end_time":-1}}`,
		fmt.Sprintf(`{"cmd":"cpu_time","options":{"session_id":%%q,"thread_ids":[9,10,11],"start_time":%d,"end_time":%d,"unit_time_ms":200}}`, from, to),
		`{"cmd":"list_methods_by_filter","options":{"session_id":%q,"method_name_filter":"order"}}`,
		`{"cmd":"list_methods_by_filter","options":{"session_id":%q,"method_name_filter":"^shopapp.*run","regex":true}}`,
		fmt.Sprintf(`{"cmd":"search_slow_method_calls","options":{"session_id":%%q,"method_ids":[139969696080400],"start_time":%d,"end_time":%d}}`, from, to),
	} {
		var got [2][]answer
		for i, id := range []string{a, b} {
			got[i] = p.replay(fmt.Sprintf(request, id))
			for _, x := range got[i] {
				testkit.MustThat(t, x.Result == "success" && x.Data["session_id"] == id, "%s: %.300v", request, x)
				delete(x.Data, "session_id")
			}
		}
		if compat && strings.Contains(request, "search_slow") {
			continue // its range is the summary's, which is stale
		}
		testkit.Equal(t, difference(got[0], got[1]), "", "compat %v %s:\n", compat, request)
	}
}

// TestAgentThatGoes: the session is listed until it is touched, and gone then.
func TestAgentThatGoes(t *testing.T) {
	for _, compat := range []bool{false, true} {
		s := start(t, ServerOptions{Samples: t.TempDir(), Compat: compat,
			wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
		p := dial(t, s)
		a := newFakeAgent(t, "127.0.0.1:0", flaretest.Stream(t))
		connect := fmt.Sprintf(`{"cmd":"connect_agent","options":{"agent_addr":%q}}`, a.addr())
		p.must(connect)
		p.arrived(a.addr(), 2630)
		a.die()
		<-s.sessions.get(a.addr()).live.done
		testkit.Equal(t, len(p.must(`{"cmd":"list_sessions"}`)["sample_sessions"].([]any)), 1, "sessions")
		if compat {
			// The original gives the session that has ended; here it can only be made anew, which fails.
			p.must(connect)
		} else if m := p.refused(connect); !strings.Contains(m, "refused") {
			t.Errorf("connecting again: %q", m)
		}
		dashboard := fmt.Sprintf(`{"cmd":"dashboard","options":{"session_id":%q}}`, a.addr())
		want := "sample session not found"
		if compat {
			want = "sample session is disconnected"
		}
		testkit.Equal(t, p.refused(dashboard), want, "compat %v", compat)
		testkit.Equal(t, p.refused(dashboard), "sample session not found", "compat %v, again", compat)
	}
}

func TestStopSample(t *testing.T) {
	p := dial(t, start(t, ServerOptions{Samples: t.TempDir()}))
	a := newFakeAgent(t, "127.0.0.1:0", flaretest.Stream(t))
	p.must(fmt.Sprintf(`{"cmd":"connect_agent","options":{"agent_addr":%q}}`, a.addr()))
	p.arrived(a.addr(), 2630)
	stop := fmt.Sprintf(`{"cmd":"stop_sample","options":{"session_id":%q}}`, a.addr())
	d := p.must(stop)
	testkit.That(t, d["session_id"] == a.addr() &&
		strings.HasPrefix(fmt.Sprint(d["sample_data_dir"]), "flare-samples/127.0.0.1_"), "stopped: %v", d)
	<-a.stopped
	a.mu.Lock()
	testkit.That(t, fmt.Sprintf("%q", a.requests) == fmt.Sprintf("%q", []string{flare.Request, stopRequest}),
		"requests %q", a.requests)
	a.mu.Unlock()
	testkit.Equal(t, p.refused(stop), "sample session not found", "stopped twice")
}

// jvm stands for the programs of this machine: it runs a fake agent when it is told to load one.
type jvm struct {
	t       testing.TB
	mu      sync.Mutex
	options []string
	agents  map[string]*apiFakeAgent
	refuse  error
	off     chan struct{}
}

func (j *jvm) load(_ context.Context, pid int, library, options string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if pid != 4321 {
		return errors.New("no such process")
	}
	if j.refuse != nil {
		return j.refuse
	}
	j.options = append(j.options, options)
	if options == "trace=off" {
		j.off <- struct{}{}
		return nil
	}
	_, addr, _ := strings.Cut(options, "address=")
	j.agents[addr] = newFakeAgent(j.t, addr, flaretest.Stream(j.t))
	return nil
}

func TestAttachJVM(t *testing.T) {
	j := &jvm{t: t, agents: map[string]*apiFakeAgent{}, off: make(chan struct{}, 10)}
	library := libraryFile(t, "libflareagent.so")
	over := make(chan struct{})
	opt := ServerOptions{Samples: t.TempDir(), Library: library, load: j.load, wait: func(ctx context.Context, d time.Duration) error {
		if d != 7*time.Second {
			return flare.Pause(ctx, d)
		}
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	s := start(t, opt)
	p := dial(t, s)
	attach := func(duration int) string {
		t.Helper()
		d := p.must(fmt.Sprintf(`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":10,"sample_duration_sec":%d}}`, duration))
		id := fmt.Sprint(d["session_id"])
		testkit.MustThat(t, d["type"] == "attach" && j.agents[id] != nil, "attached: %v", d)
		p.arrived(id, 2630)
		return id
	}
	// Its time ends it.
	id := attach(7)
	live := s.sessions.get(id).live
	close(over)
	<-live.done
	<-j.off
	testkit.WaitUntil(t, "the session to go", func() bool { return s.sessions.get(id) == nil })
	want := []string{"trace=on,interval=10,address=" + id, "trace=off"}
	testkit.That(t, cmp.Equal(j.options, want), "options %q, want %q", j.options, want)
	// A request to stop ends it.
	id = attach(0)
	p.must(fmt.Sprintf(`{"cmd":"stop_sample","options":{"session_id":%q}}`, id))
	<-j.off
	j.agents[id].mu.Lock()
	testkit.That(t, len(j.agents[id].requests) == 1, "the agent got %d requests", len(j.agents[id].requests))
	j.agents[id].mu.Unlock()
	// So does closing the session, and the end of the server.
	id = attach(0)
	p.must(`{"cmd":"close_all_session"}`)
	<-j.off
	attach(0)
	s.Close()
	<-j.off

	s = start(t, opt)
	p = dial(t, s)
	for request, want := range map[string]string{
		`{"cmd":"attach_jvm","options":{"target_pid":1,"sample_interval_ms":20,"sample_duration_sec":0}}`:     "no such process",
		`{"cmd":"attach_jvm","options":{"sample_interval_ms":20,"sample_duration_sec":0}}`:                    "missing option 'target_pid'",
		`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_duration_sec":0}}`:                          "missing option 'sample_interval_ms'",
		`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":20}}`:                          "missing option 'sample_duration_sec'",
		`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":0,"sample_duration_sec":0}}`:   "invalid option 'sample_interval_ms'",
		`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":20,"sample_duration_sec":-1}}`: "invalid option 'sample_duration_sec'",
		`{"cmd":"attach_jvm","options":{"target_pid":-7,"sample_interval_ms":20,"sample_duration_sec":0}}`:    "missing option 'target_pid'",
	} {
		m := p.refused(request)
		testkit.That(t, strings.Contains(m, want), "%s: %q", request, m)
	}
	j.mu.Lock()
	j.refuse = errors.New("the Java VM refused to load the library")
	j.mu.Unlock()
	m := p.refused(`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":20,"sample_duration_sec":0}}`)
	testkit.That(t, strings.Contains(m, "refused to load"), "refused: %q", m)
	m = dial(t, start(t, ServerOptions{Samples: t.TempDir()})).refused(`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":20,"sample_duration_sec":0}}`)
	testkit.That(t, strings.Contains(m, "without an agent library"), "without a library: %q", m)
}

// TestAgentThatNeverListens: the agent is told to stop, and the client is told why.
func TestAgentThatNeverListens(t *testing.T) {
	library := libraryFile(t, "libflareagent.so")
	loads := make(chan string, 2)
	s := start(t, ServerOptions{Samples: t.TempDir(), Library: library,
		load: func(_ context.Context, _ int, _, options string) error { loads <- options; return nil },
		dial: func(context.Context, string) (net.Conn, error) { return nil, errors.New("connection refused") },
		wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	m := dial(t, s).refused(`{"cmd":"attach_jvm","options":{"target_pid":4321,"sample_interval_ms":20,"sample_duration_sec":0}}`)
	testkit.That(t, strings.Contains(m, "does not listen"), "%q", m)
	a, b := <-loads, <-loads
	testkit.That(t, strings.HasPrefix(a, "trace=on") && b == "trace=off", "loaded with %q, %q", a, b)
}

// TestGrowingSession: while the agent sends, several clients ask; each answer is of one moment.
func TestGrowingSession(t *testing.T) {
	s := start(t, ServerOptions{Samples: t.TempDir(), NoRecording: true})
	data := flaretest.Stream(t)
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.ReadFull(conn, make([]byte, len(flare.Request)))
		for len(data) > 0 { // in pieces that end anywhere
			n := min(len(data), 7001)
			conn.Write(data[:n])
			data = data[n:]
			time.Sleep(time.Millisecond) // the pace of a program, so that questions are asked meanwhile
		}
		io.Copy(io.Discard, conn) // until the session is closed
	}()
	id := l.Addr().String()
	dial(t, s).must(fmt.Sprintf(`{"cmd":"connect_agent","options":{"agent_addr":%q}}`, id))
	var wait sync.WaitGroup
	for range 3 {
		p := dial(t, s)
		wait.Add(1)
		go func() {
			defer wait.Done()
			for newest := int64(0); newest < 1100; {
				p.send(fmt.Sprintf(`{"cmd":"sequenced_call_tree","options":{"session_id":%q,"thread_id":9,"start_time":-1,"end_time":-1}}`, id))
				p.send(fmt.Sprintf(`{"cmd":"cpu_time","options":{"session_id":%q,"thread_ids":[],"unit_time_ms":1000}}`, id))
				p.send(fmt.Sprintf(`{"cmd":"search_slow_method_calls","options":{"session_id":%q,"method_ids":[139969696080400]}}`, id))
				_, data, err := p.conn.Read(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				var a answer
				d := json.NewDecoder(bytes.NewReader(data))
				d.UseNumber()
				if err := d.Decode(&a); err != nil || a.Cmd != "sequenced_call_tree" {
					t.Errorf("%v %.100s", err, data)
					return
				}
				if a.Result == "success" { // before its first sample there is no such thread
					root := a.Data["sequenced_call_tree_data"].(map[string]any)
					n := num(root["calls"])
					if n < newest || num(a.Data["end_time"])-num(a.Data["start_time"]) != num(root["duration"]) {
						t.Errorf("%d samples after %d, %v", n, newest, root["duration"])
						return
					}
					newest = n
				}
				for last := false; !last; {
					_, data, err := p.conn.Read(context.Background())
					if err != nil {
						t.Error(err)
						return
					}
					last = bytes.Contains(data, []byte(`"search_error"`))
				}
			}
		}()
	}
	wait.Wait()
}

// libraryFile is a file with the name of a library.
func libraryFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.WriteFile(path, []byte("nothing"), 0o600))
	return path
}

// noDial finds no agent anywhere.
func noDial(context.Context, string) (net.Conn, error) { return nil, errors.New("connection refused") }
