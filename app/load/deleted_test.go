package load

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/app/report"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/records"
)

// What others delete of a session while it is live is told in one way wherever it is told of: it
// was deleted, not lost when it was recorded, and no place can't be read for it. The session is as
// long as what is left.
func TestDeletedOfALiveSession(t *testing.T) {
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{})
	defer root.Close()
	var now atomic.Int64
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	meta := journal.Meta{Source: records.Source, Program: "game", Peer: "127.0.0.1:3", Start: start}
	w := root.Create(meta, journal.Options{
		Flush: time.Microsecond, Retry: time.Millisecond,
		Now: func() time.Time { return start.Add(time.Duration(now.Load())) },
	})
	enc := records.NewEncoder(w)
	enc.Hello(pstats.ClientHello{Program: "game"})
	enc.Threads(0, []string{"Main"})
	send := func(from, to int) {
		for n := from; n < to; n++ {
			now.Add(int64(time.Second))
			at := float32(n)
			enc.Frame(&pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Word: 0, Time: at}, {Word: pstats.StopBit, Time: at + 0.5}}}, 10)
		}
		testkit.WaitUntil(t, "writing to be resumed", func() bool { now.Add(1); return w.Flush() == nil })
	}
	send(0, 60)
	path := w.Path()
	testkit.NoErr(t, os.RemoveAll(path))
	testkit.WaitUntil(t, "somebody to notice", func() bool {
		now.Add(int64(10 * time.Millisecond))
		return w.Stats().Trouble != nil
	})
	send(60, 101)
	length := func(when string) {
		t.Helper()
		info, err := root.Info(path)
		if err != nil || info.Deleted != 60 || info.Refused > 0 || info.Length.Round(time.Millisecond) != 40*time.Second || !info.Headless {
			t.Errorf("%s: %+v, %v", when, info, err)
		}
	}
	length("live")
	enc.Close("done")
	<-w.Done()
	length("ended")

	rec, err := File(t.Context(), path, Options{})
	testkit.NoErr(t, err)
	l := rec.Session.Ledger()
	if l.Sent != 101 || l.Received != 41 || l.Erased != 60 || l.Lost() != 60 || l.Truncated+l.Unrecorded != 0 {
		t.Errorf("%+v", l)
	}
	n, _ := rec.Session.Losses()
	testkit.That(t, n[model.LossDeleted] == 60, "losses %v", n)
	var text, js strings.Builder
	testkit.NoErr(t, report.Write(&text, rec.Session, report.Options{Stats: true}))
	report.Write(&js, rec.Session, report.Options{Stats: true, JSON: true})
	for _, want := range []string{
		"frames in all: 101, 41 received, 60 missing (60 deleted from the disk afterwards)\n",
		"60 frames were deleted from the disk by another program",
	} {
		testkit.That(t, strings.Contains(text.String(), want), "the report lacks %q:\n%s", want, text.String())
	}
	words := strings.Join(strings.Fields(js.String()), " ")
	for _, want := range []string{`"reason": "frames in all", "count": 101`, `"key": "deleted_afterwards", "reason": "deleted from the disk afterwards", "count": 60`} {
		testkit.That(t, strings.Contains(words, want), "the JSON lacks %s: %s", want, js.String())
	}
}
