package cli

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/model"
	"framescope/net/feed"
)

// noticing tells when a recording of an input has ended.
type noticing struct {
	launch.Input
	ended chan<- struct{}
}

// Run implements launch.Input.
func (n noticing) Run(ctx context.Context, open launch.Opener) error {
	return n.Input.Run(ctx, func(r *launch.Recording) feed.Sink { return noticingSink{open(r), n.ended} })
}

type noticingSink struct {
	feed.Sink
	ended chan<- struct{}
}

// Define implements feed.Sink.
func (s noticingSink) Define(c model.Change) {
	s.Sink.Define(c)
	if _, ok := c.(model.End); ok {
		s.ended <- struct{}{}
	}
}

// Streams that programs send are summed up when listening ends; each connection is a session.
func TestListenToProfileLib(t *testing.T) {
	data, err := os.ReadFile("../../testdata/profilelib/small-clean.prof")
	if err != nil {
		t.Fatal(err)
	}
	source, err := load.Sources{}.ProfileLib()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l, err := launch.Listen(ctx, "127.0.0.1:0", source)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	s := &streams{&Streams{Out: NewOutput(&out), Err: &errs, Memory: "1GiB"}}
	record := filepath.Join(t.TempDir(), "run.prof")
	done := make(chan error, 1)
	ended := make(chan struct{}, 3)
	go func() { done <- s.reportInput(ctx, noticing{l, ended}, RecordTo{Path: record}) }()
	nonsense := bytes.Repeat([]byte("no stream of a profiler\n"), 1000) // of which nothing is kept
	for _, data := range [][]byte{nonsense, data, data} {
		c, err := net.Dial("tcp", l.Addr())
		if err != nil {
			t.Fatal(err)
		}
		c.Write(data)
		c.Close()
		<-ended
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "Thread "); n < 2 {
		t.Errorf("%d sessions in\n%s%s", n, &out, &errs)
	}
	for _, path := range []string{record, filepath.Join(filepath.Dir(record), "run-2.prof")} {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v, %d bytes, %d were sent\n%s", path, err, len(got), len(data), &errs)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(record), "run-3.prof")); err == nil {
		t.Error("nonsense was recorded")
	}
}
