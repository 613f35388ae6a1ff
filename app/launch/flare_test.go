package launch

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/flare/flaretest"
	"framescope/net/follow"
)

// fakeAgent listens as a Flare agent does and sends each client that subscribes what a real agent
// sent once. A new client takes it from the one before.
type fakeAgent struct {
	l    net.Listener
	data []byte

	mu      sync.Mutex
	current net.Conn
	clients int
}

func newFakeAgent(t *testing.T, addr string) *fakeAgent {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(flaretest.Captures(t), "agent-wire", "recorded-60s.agent-to-client.resp"))
	testkit.NoErr(t, err)
	f := &fakeAgent{data: data}
	f.l = accepting(t, addr, func(c net.Conn) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.current != nil {
			f.current.Close()
		}
		f.current = c
		f.clients++
		go func() {
			got := make([]byte, len(flare.Request))
			if _, err := io.ReadFull(c, got); err == nil && string(got) == flare.Request {
				c.Write(f.data)
			}
		}()
	})
	t.Cleanup(f.stop)
	return f
}

// stop closes the port and the connection, as the end of the program does.
func (f *fakeAgent) stop() {
	f.l.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil {
		f.current.Close()
	}
}

// hangUp closes the connection only.
func (f *fakeAgent) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current.Close()
}

// samplesOf counts what came of threads' stacks.
func samplesOf(s *store.Session) (n int64) {
	for _, id := range s.Series().ByRole(model.RoleStack) {
		n += s.Series().ByID(id).Len()
	}
	return n
}

// recordedSamples are in the transcript of a real agent.
const recordedSamples = 2630

func TestAgent(t *testing.T) {
	t.Parallel()
	f := newFakeAgent(t, "127.0.0.1:0")
	var lines []string
	a := &Agent{Addr: f.l.Addr().String(), Log: func(l string) { lines = append(lines, l) }}
	v := view(t, a)
	v.until(t, "all samples", func() bool { _, s := v.entry(0); return samplesOf(s) == recordedSamples })
	r, s := v.entry(0)
	if state, _ := r.State(); state != follow.Following || r.Name != a.Addr || s.NumTracks() < 5 {
		t.Errorf("%v, %q, %d threads", state, r.Name, s.NumTracks())
	}
	// A lost connection is made again, and both are one session.
	f.hangUp()
	v.until(t, "waiting for the agent", func() bool { state, why := r.State(); return state == follow.Waiting && strings.Contains(why, "lost") })
	v.until(t, "the connection again", func() bool {
		state, _ := r.State()
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.clients == 2 && state == follow.Following
	})
	r.Stop()
	testkit.NoErr(t, v.result(t))
	testkit.Equal(t, v.over(t, 0), "disconnected", "ended because")
	if data, ended := kept(r); !ended || strings.Count(data, "+thread\r\n") < recordedSamples {
		t.Errorf("kept %d bytes, ended %v", len(data), ended)
	}
	if k := r.Tape().(*tape); k.info != (TapeInfo{Source: "flare", Program: "JVM at " + a.Addr, Peer: a.Addr}) {
		t.Errorf("kept as %+v", k.info)
	}
	said := strings.Join(lines, "\n")
	testkit.That(t, strings.Count(said, "connected to the agent at") == 2, "said %s", said)
}

func TestAgentThatIsNotThere(t *testing.T) {
	t.Parallel()
	addr, err := flare.FreeAddress()
	testkit.NoErr(t, err)
	c, err := Collect(t.Context(), &Agent{Addr: addr}, nil)
	if err == nil || !strings.Contains(err.Error(), "no agent at "+addr) || !strings.Contains(err.Error(), "framescope attach") || len(c.Sessions) != 0 {
		t.Errorf("%d sessions, %v", len(c.Sessions), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Collect(ctx, &Agent{Addr: addr}, nil)
	testkit.That(t, err == nil, "called off: %v", err)
}

func TestServerAddress(t *testing.T) {
	flare, ok := ServerOf("flare")
	_, other := ServerOf("nonsense")
	testkit.MustThat(t, ok && !other, "a kind is not found, or one that is none")
	for text, want := range map[string]string{
		"": "localhost:3333", " box ": "box:3333", "box:1": "box:1", ":4444": "localhost:4444", "4444": "localhost:4444", "[::1]:3333": "[::1]:3333", "10.0.0.7:3333": "10.0.0.7:3333",
		"box:0": "", "box:65536": "", "box:http": "", "a b:3333": "", "a:b:c": "", "box:": "", "::1": "", strings.Repeat("x", 300): "",
	} {
		got, err := flare.Complete(text)
		testkit.That(t, got == want && (err == nil) == (want != ""), "%q: %q, %v; want %q", text, got, err, want)
	}
}
