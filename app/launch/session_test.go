package launch

import (
	"testing"
	"time"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/follow"
	"framescope/net/journal"
)

// A session that another viewer writes is followed to its end.
func TestSessionFolderIsFollowed(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: "gsttrace", Peer: "pipe"}, journal.Options{Flush: time.Millisecond})
	line := "0:00:00.1 123 0x55 TRACE GST_TRACER :0:: proc-rusage, thread-id=(guint64)1, ts=(guint64)100, average-cpuload=(uint)5, current-cpuload=(uint)5, time=(guint64)1;\n"
	w.Data([]byte(line))
	testkit.NoErr(t, w.Flush())
	s := store.NewSession()
	var rec *Recording
	opened, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Session{Path: w.Path(), Source: load.Journals{}}.Run(t.Context(), func(r *Recording) feed.Sink {
			rec = r
			close(opened)
			return &feedtest.Into{Session: s}
		})
	}()
	<-opened
	state, _ := rec.State()
	testkit.That(t, state == follow.Following, "state %v", state)
	w.Data([]byte(line))
	w.Close("the pipeline ended")
	select {
	case err := <-done:
		testkit.NoErr(t, err)
	case <-time.After(30 * time.Second):
		t.Fatal("the end was not noticed")
	}
	reason, ended := s.Ended()
	testkit.That(t, ended && reason == "the pipeline ended", "ended %v: %q", ended, reason)
	state, _ = rec.State()
	testkit.That(t, state == follow.Ended, "state %v", state)
	if err := w.Wait(time.Minute); err != nil { // the end is read before the writer is done
		t.Error(err)
	}
}
