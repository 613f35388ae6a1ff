package flare

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/journal"
)

// What was kept of an agent is the session that was live, and the folder that a recorder would have
// written.
func TestJournalIsTheSession(t *testing.T) {
	data := capture(t, "agent-wire/recorded-60s.agent-to-client.resp")
	root := journal.OpenRoot(filepath.Join(t.TempDir(), "sessions"), journal.RootOptions{})
	w := root.Create(journal.Meta{Source: JournalSource, Program: "App", Peer: "127.0.0.1:13334", PID: 7}, journal.Options{})
	e := NewEncoder(w, nil)
	live := store.NewSession()
	err := Run(t.Context(), Config{Addr: "127.0.0.1:13334", Program: "App", PID: 7, Sink: &agentSink{s: live}, dial: fakeAgent(t, data), Wait: noWait, now: at(),
		Event: func(x Event) {
			if !e.Event(x) {
				t.Error("refused")
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	w.Close("bye")
	e.Forget()
	<-w.Done()
	defer root.Close()

	r := testkit.Must(journal.Open(w.Path()))(t)
	defer r.Close()
	again := store.NewSession()
	stream := NewJournalStream(&agentSink{s: again}, r.Meta())
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		stream.Take(&rec)
	}
	stream.Close("bye")
	if a, b := describe(live), describe(again); a != b {
		t.Errorf("live\n%s\nfrom disk\n%s", a, b)
	}
	if info := again.Info(); info.Program != "App" || info.PID != 7 || info.Peer != "127.0.0.1:13334" || info.Source != "flare" || !info.File {
		t.Errorf("%+v", info)
	}
	if reason, ended := again.Ended(); !ended || reason != "bye" {
		t.Errorf("ended %v %q", ended, reason)
	}

	r2 := testkit.Must(journal.Open(w.Path()))(t)
	defer r2.Close()
	dirs, err := ExportJournal(t.Context(), r2, t.TempDir())
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	rec, err := ReadFolder(t.Context(), dirs[0], nil)
	if err != nil || len(rec.Problems) > 0 || rec.NumRecords() != 2630 || len(rec.Methods) != 47 || rec.IntervalMs != 20 {
		t.Errorf("exported: %v %v, %d samples, %d names", err, rec.Problems, rec.NumRecords(), len(rec.Methods))
	}
}

// Every event comes back from its message.
func TestMessages(t *testing.T) {
	d := NewDecoder(bytes.NewReader(capture(t, "agent-wire/recorded-60s.agent-to-client.resp")))
	n := 0
	var events EventReader
	for ; ; n++ {
		x, err := d.Next()
		if err != nil {
			break
		}
		var b []byte
		switch {
		case x.Info != nil:
			b = appendInfo(nil, x.Info)
		case x.Method != nil:
			b = appendMethod(nil, x.Method)
		default:
			b = appendSample(nil, x.Sample)
		}
		got, err := events.Event(&journal.Record{Payload: b})
		if err != nil || !sameEvent(got, x) {
			t.Fatalf("%+v came back as %+v, %v", x, got, err)
		}
	}
	if n < 2600 {
		t.Errorf("only %d events", n)
	}
}

func sameEvent(a, b Event) bool {
	switch {
	case a.Info != nil && b.Info != nil:
		return *a.Info == *b.Info
	case a.Method != nil && b.Method != nil:
		return *a.Method == *b.Method
	case a.Sample != nil && b.Sample != nil:
		return cmp.Equal(a.Sample, b.Sample, cmpopts.EquateEmpty())
	}
	return false
}
