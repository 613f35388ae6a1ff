package flare

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/journal"
	"framescope/net/journal/journaltest"
)

// plainSink hands everything to a session at once.
type plainSink struct {
	s *store.Session
	b model.Batch
}

func (p *plainSink) Define(c model.Change) { p.s.Apply(c) }
func (p *plainSink) Begin() *model.Batch {
	p.b.Reset()
	return &p.b
}
func (p *plainSink) Publish(b *model.Batch) bool {
	p.s.Append(b)
	return true
}
func (p *plainSink) Progress(int64, int64) {}

// TestReplayIsTheSession keeps events in a journal and demands them back, and the session that was.
func TestReplayIsTheSession(t *testing.T) {
	fsys := journaltest.NewMemory()
	root := journal.OpenRoot("/j", journal.RootOptions{FS: fsys})
	defer root.Close()
	w := root.Create(journal.Meta{Source: "flare", Peer: "localhost:3333", Program: "game"}, journal.Options{SegmentBytes: 1000})
	enc := NewEncoder(w, nil)
	keep := func(e Event) { enc.Event(e) }
	live := &plainSink{s: store.NewSession()}
	config := Config{Sink: live, Event: keep, Addr: "localhost:3333", Program: "game"}
	direct := newSession(config, config.info())
	var events []Event
	take := func(e Event) {
		events = append(events, e)
		direct.take(e)
	}
	take(Event{Info: &InfoEvent{1000, 20, 5000}})
	for i := range 300 {
		if i%50 == 0 {
			take(Event{Method: &MethodEvent{MethodID(-i), fmt.Sprintf("a.B.m%d\r\n", i)}})
		}
		take(Event{Sample: &SampleEvent{Thread: int64(i % 3), Name: "main", Record: Record{
			TimeMs: 5000 + int64(i)*20, CPUNs: int64(i) * 1e6, CPUDeltaNs: 1e6, Stack: []MethodID{MethodID(-i / 50 * 50), 7}}}})
	}
	take(Event{Sample: &SampleEvent{Thread: 9, Record: Record{TimeMs: 12000}}})
	direct.mapper.Close("bye")
	w.Close("bye")
	testkit.OK(t, w.Wait(time.Minute))
	r := testkit.Must(root.Open(w.Path()))(t)
	defer r.Close()
	replayed := &plainSink{s: store.NewSession()}
	stream := NewJournalStream(replayed, r.Meta())
	var reader EventReader
	var got []Event
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Kind == journal.KindEnd {
			break
		}
		e := testkit.Must(reader.Event(&rec))(t)
		got = append(got, e)
		testkit.OK(t, stream.Take(&rec))
	}
	stream.Close("bye")
	if !reflect.DeepEqual(got, events) {
		t.Errorf("%d events came back of %d", len(got), len(events))
	}
	for i := range live.s.NumTracks() {
		a, b := live.s.Track(model.TrackID(i)), replayed.s.Track(model.TrackID(i))
		if b == nil || a.Def != b.Def || a.NumSpans() != b.NumSpans() || a.NumSpans() == 0 && i < 3 {
			t.Errorf("track %+v is not as it was", a.Def)
		}
	}
	a, linesA := live.s.Losses()
	b, linesB := replayed.s.Losses()
	if a != b || !reflect.DeepEqual(linesA, linesB) {
		t.Errorf("losses %v %v, there were %v %v", b, linesB, a, linesA)
	}
}
