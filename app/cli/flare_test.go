package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/net/flare"
	"framescope/net/flare/api"
)

// lineBuffer collects what is printed and tells of the first line that matches.
type lineBuffer struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	want *regexp.Regexp
	hit  chan []string
}

func awaiting(want string) *lineBuffer {
	return &lineBuffer{want: regexp.MustCompile(want), hit: make(chan []string, 1)}
}

func (b *lineBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf.Write(p)
	if m := b.want.FindStringSubmatch(b.buf.String()); m != nil {
		select {
		case b.hit <- m:
		default:
		}
	}
	return len(p), nil
}

func (b *lineBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// A live agent is connected to, recorded, and reported on when it is gone.
func TestConnectToFlare(t *testing.T) {
	t.Parallel() // it mostly waits
	captures := flaretest.Captures(t)
	data := testkit.Must(os.ReadFile(filepath.Join(captures, "agent-wire", "recorded-60s.agent-to-client.resp")))(t)
	addr := sending(t, len(flare.Request), data)
	into := filepath.Join(t.TempDir(), "a", "samples")
	out, errs := executed(t, exitOK, "connect", "flare", addr, "--record", into, "--report")
	testkit.Contains(t, errs, "connected to the agent at "+addr, "Recording to "+into)
	// What was recorded gives the same report, but for its first lines.
	dirs, err := filepath.Glob(filepath.Join(into, "*", flare.SummaryFile))
	testkit.MustThat(t, err == nil && len(dirs) == 1, "%v %v", dirs, err)
	threads := func(report string) map[string]bool {
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^Thread (.*): .* ([0-9]+ samples, CPU time .*)$`).FindAllStringSubmatch(report, -1) {
			found[m[1]+" "+m[2]] = true
		}
		return found
	}
	// a sample folder, a folder of them, the summary in one
	for _, path := range []string{filepath.Dir(dirs[0]), into, dirs[0]} {
		again, _ := executed(t, exitOK, "report", path)
		live, recorded := threads(out), threads(again)
		testkit.MustThat(t, len(live) >= 5 && len(live) == len(recorded),
			"%d threads live, %d in %s", len(live), len(recorded), path)
		for th := range live {
			testkit.That(t, recorded[th], "%s: no %q in\n%s", path, th, again)
		}
	}
	if runtime.GOOS != "linux" {
		return // there is a display
	}
	for _, path := range []string{filepath.Dir(dirs[0]), into} {
		_, errs := executed(t, exitError, "open", path)
		testkit.Contains(t, errs, "no display")
	}
}

// The API is served until the program is interrupted.
func TestServeFlare(t *testing.T) {
	samples := filepath.Join(flaretest.Captures(t), "constructed-60s")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errs := awaiting(`Serving the Flare API on (ws://[0-9.:]+) `)
	s := &Streams{Out: NewOutput(io.Discard), Err: errs}
	done := make(chan error, 1)
	go func() {
		done <- s.serveFlare(ctx, api.ServerOptions{Addr: "127.0.0.1:0", Samples: samples, Compat: true})
	}()
	var url string
	select {
	case m := <-errs.hit:
		url = m[1]
	case err := <-done:
		t.Fatal(err)
	}
	c, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{"flare-profiler"}})
	testkit.OK(t, err)
	defer c.CloseNow()
	testkit.OK(t, c.Write(ctx, websocket.MessageText, []byte(`{"cmd":"history_samples"}`)))
	_, text, err := c.Read(ctx)
	testkit.OK(t, err)
	var reply struct {
		Result string
		Data   struct {
			History []struct{ Path string } `json:"history_samples"`
		}
	}
	if err := json.Unmarshal(text, &reply); err != nil || reply.Result != "success" || len(reply.Data.History) == 0 || !strings.HasPrefix(reply.Data.History[0].Path, "flare-samples/127.0.0.1_3340-") {
		t.Errorf("%s, %v", text, err)
	}
	// A second server is told what to do.
	err = s.serveFlare(ctx, api.ServerOptions{Addr: strings.TrimPrefix(url, "ws://"), Samples: samples})
	testkit.That(t, err != nil && strings.Contains(err.Error(), "is taken") &&
		strings.Contains(err.Error(), "--addr HOST:PORT"), "%v", err)
	cancel()
	testkit.OK(t, <-done, "interrupted")
	testkit.Contains(t, errs.String(), "sample folders are in "+samples,
		"the original server's numbers; attach_jvm is not available without --agent")
}

// Of a folder of several recordings the newest is opened, and the others are told of.
func TestFolderOfRecordings(t *testing.T) {
	captures := flaretest.Captures(t)
	dir := t.TempDir()
	for _, pattern := range []string{"constructed-60s/127*", "constructed-roll/*200654", "constructed-roll/*200657", "recorded-60s/127*"} {
		from := flaretest.Find(t, captures, pattern)
		testkit.OK(t, os.Rename(from, filepath.Join(dir, filepath.Base(from))))
	}
	var out, errs bytes.Buffer
	s := &Streams{Out: NewOutput(&out), Err: &errs}
	got := s.recordings([]string{dir, "other"}, false)
	testkit.That(t, len(got) == 2 && got[0] == dir && got[1] == "other", "opens %q", got)
	testkit.Contains(t, errs.String(), "holds 3 recordings; the newest opens, --all opens them all",
		"127.0.0.1_3340-", ", begun 20", ", in 2 folders")
	if strings.Contains(errs.String(), "127.0.0.1_13334-") { // the newest
		t.Errorf("the one that is opened is among the others:\n%s", &errs)
	}
	errs.Reset()
	got = s.recordings([]string{dir}, true)
	testkit.That(t, len(got) == 4 && errs.Len() <= 0, "opens %q, says %s", got, &errs)
	one := filepath.Join(dir, "127.0.0.1_3340-20261120T194756")
	got = s.recordings([]string{one}, true)
	testkit.That(t, len(got) == 1 && got[0] == one && errs.Len() <= 0, "opens %q, says %s", got, &errs)
	// The newest is what report takes.
	printed, _ := executed(t, exitOK, "report", dir)
	testkit.Contains(t, printed, " on 127.0.0.1:13334,")
}
