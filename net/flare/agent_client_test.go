package flare

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
)

// agentSink hands everything to a session at once.
type agentSink struct {
	mu sync.Mutex
	s  *store.Session
	b  model.Batch
}

func (k *agentSink) Define(c model.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Apply(c)
}
func (k *agentSink) Begin() *model.Batch { k.b.Reset(); return &k.b }
func (k *agentSink) Publish(b *model.Batch) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.s.Append(b)
	return true
}
func (k *agentSink) Progress(done, total int64) {}

// fakeAgent answers each connection with the next stream and closes it. Connections beyond the
// streams are refused.
func fakeAgent(t *testing.T, streams ...[]byte) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		if len(streams) == 0 {
			return nil, errors.New("connection refused")
		}
		data := streams[0]
		streams = streams[1:]
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			r := bufio.NewReader(theirs)
			got := make([]byte, len(Request))
			if _, err := io.ReadFull(r, got); err != nil || string(got) != Request {
				t.Errorf("the request was %q, %v", got, err)
				return
			}
			theirs.Write(data)
		}()
		return ours, nil
	}
}

func at(times ...time.Duration) func() time.Time {
	now := time.Unix(1767260400, 0)
	return func() time.Time {
		if len(times) > 0 {
			now = now.Add(times[0])
			times = times[1:]
		}
		return now
	}
}

func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// describe lists the call trees of a session's threads.
func describe(s *store.Session) string {
	var out strings.Builder
	for i := range s.NumTracks() {
		tr := s.Track(model.TrackID(i))
		var tree paths.Tree
		s.Spans().Tree([]model.TrackID{tr.Def.ID}, math.MinInt64/4, math.MaxInt64/4, &tree)
		lines := map[string]int64{}
		for _, n := range tree.Nodes {
			path := ""
			for k := &n; ; k = &tree.Nodes[k.Parent] {
				path = s.Collector(k.Collector).Name + ";" + path
				if k.Parent < 0 {
					break
				}
			}
			lines[path] += n.Total
		}
		out.WriteString(tr.Title() + "\n")
		for _, k := range slices.Sorted(maps.Keys(lines)) {
			out.WriteString("  " + k + " " + time.Duration(lines[k]).String() + "\n")
		}
	}
	return out.String()
}

// TestTranscriptGivesTheSessionOfItsFolder replays what a real agent sent, records it, and compares
// with the original's folder.
func TestTranscriptGivesTheSessionOfItsFolder(t *testing.T) {
	data := capture(t, "agent-wire/recorded-60s.agent-to-client.resp")
	parent := t.TempDir()
	live := store.NewSession()
	var dirs, lines []string
	err := Run(t.Context(), Config{Addr: "127.0.0.1:13334", Sink: &agentSink{s: live}, Record: parent, Log: func(l string) { lines = append(lines, l) },
		Recorded: func(d string) { dirs = append(dirs, d) }, dial: fakeAgent(t, data), Wait: noWait, now: at()})
	if err != nil {
		t.Fatal(err)
	}
	if reason, ended := live.Ended(); !ended || !strings.Contains(reason, "closed") {
		t.Errorf("ended %v %q", ended, reason)
	}
	dir := flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*")
	file := store.NewSession()
	testkit.OK(t, (Source{}).OpenFile(t.Context(), dir, &agentSink{s: file}))
	// Threads come in another order: compare them by name.
	if a, b := byThread(describe(live)), byThread(describe(file)); len(a) != len(b) {
		t.Errorf("%d threads live, %d in the folder", len(a), len(b))
	} else {
		for name, tree := range b {
			if a[name] != tree {
				t.Errorf("%s: live\n%s\nfolder\n%s", name, a[name], tree)
			}
		}
	}
	if len(dirs) != 1 {
		t.Fatalf("recorded into %v", dirs)
	}
	rec, err := ReadFolder(t.Context(), dirs[0], nil)
	if err != nil || len(rec.Problems) > 0 || rec.NumRecords() != 2630 || len(rec.Methods) != 47 || rec.IntervalMs != 20 {
		t.Errorf("recorded: %v %v, %d samples, %d names", err, rec.Problems, rec.NumRecords(), len(rec.Methods))
	}
	if len(lines) == 0 || !strings.Contains(lines[0], "connected") {
		t.Errorf("log %q", lines)
	}
}

func byThread(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for _, l := range strings.Split(text, "\n") {
		if !strings.HasPrefix(l, "  ") {
			name = l
			continue
		}
		out[name] += l + "\n"
	}
	return out
}

func TestAgentThatIsTakenAgainAndAgain(t *testing.T) {
	one := []byte("*15\r\n+thread\r\n+time\r\n:1000\r\n+id\r\n:7\r\n+name\r\n+w\r\n+cpu_time\r\n:1\r\n+cpu_time_delta\r\n:0\r\n+state\r\n+\r\n+stacktrace\r\n*0\r\n")
	s := store.NewSession()
	err := Run(t.Context(), Config{Addr: "a:1", Sink: &agentSink{s: s}, dial: fakeAgent(t, one, one, one, one), Wait: noWait, now: at()})
	if !errors.Is(err, ErrStolen) {
		t.Errorf("error %v", err)
	}
	if reason, ended := s.Ended(); !ended || !strings.Contains(reason, "another client") {
		t.Errorf("ended %v %q", ended, reason)
	}
}

func TestNoAgent(t *testing.T) {
	s := store.NewSession()
	err := Run(t.Context(), Config{Addr: "a:1", Sink: &agentSink{s: s}, dial: fakeAgent(t), Wait: noWait})
	if err == nil || !strings.Contains(err.Error(), "no agent at a:1") {
		t.Errorf("error %v", err)
	}
	if _, ended := s.Ended(); !ended {
		t.Error("the session has not ended")
	}
}

func TestDamagedStreamKeepsWhatCame(t *testing.T) {
	data := capture(t, "agent-wire/recorded-60s.agent-to-client.resp")
	cut := append(append([]byte{}, data[:len(data)/2]...), "\r\n\r\n$99999999999\r\n"...)
	s := store.NewSession()
	err := Run(t.Context(), Config{Addr: "a:1", Sink: &agentSink{s: s}, dial: fakeAgent(t, cut), Wait: noWait, now: at()})
	if err == nil || !Damaged(err) {
		t.Errorf("error %v", err)
	}
	if s.NumTracks() < 5 || s.Track(0).NumSpans() == 0 {
		t.Errorf("%d threads", s.NumTracks())
	}
}
