package flare

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// taken returns the session of events that come by one connection, or by a new one where an event
// is empty.
func taken(t *testing.T, events ...Event) *store.Session {
	t.Helper()
	k := &sink{s: store.NewSession()}
	c := Config{Sink: k, Addr: "localhost:3333"}
	s := newSession(c, c.info())
	for _, e := range events {
		if e == (Event{}) {
			s.intake.connected()
			s.round++
			continue
		}
		s.take(e)
	}
	s.intake.end()
	s.mapper.Close("over")
	return k.s
}

func sampleAt(ms, cpuMs, deltaMs int64) Event {
	return Event{Sample: &SampleEvent{Thread: 1, Name: "main", Record: Record{TimeMs: ms, CPUNs: cpuMs * 1e6, CPUDeltaNs: deltaMs * 1e6, Stack: []MethodID{7}}}}
}

func lost(s *store.Session, reason model.LossReason) int64 {
	n, _ := s.Losses()
	return n[reason]
}

// TestLeftoversAreLeftOut: an agent that was started anew still has samples of before, and a
// session of a second must not become one of a minute.
func TestLeftoversAreLeftOut(t *testing.T) {
	info := Event{Info: &InfoEvent{StartMs: 60_000, IntervalMs: 5, LastSampleMs: 60_100}}
	old := []Event{sampleAt(1000, 1, 1), sampleAt(1005, 2, 1), sampleAt(1010, 3, 1)}
	now := []Event{sampleAt(60_000, 10, 7), sampleAt(60_500, 11, 1), sampleAt(61_000, 12, 1)}
	for name, events := range map[string][]Event{
		"it says so first": slices.Concat([]Event{info}, old, now),
		"it says so late":  slices.Concat(old, now[:1], []Event{info}, now[1:]),
		"a second client":  slices.Concat([]Event{info}, now[:2], []Event{{}}, old, []Event{info}, now[2:]),
	} {
		s := taken(t, events...)
		begin, end, _ := s.Bounds()
		if n := lost(s, model.LossLeftover); end-begin != 1e9 || n != 3 {
			t.Errorf("%s: %d ns, %d left out", name, end-begin, n)
		}
		ledger := s.Ledger()
		for _, l := range ledger.Lines(nil) {
			if l.Key == "leftovers" && l.N != 3 {
				t.Errorf("%s: the account says %+v", name, l)
			}
		}
	}
	// What is said of a later time than every sample has is of a clock that was set back: an agent's
	// queue does not hold so much.
	var many []Event
	for i := range int64(queueEvents + 100) {
		many = append(many, sampleAt(1000+i, i, 1))
	}
	if s := taken(t, slices.Concat([]Event{info}, many)...); s.Contents().Spans == false || lost(s, model.LossLeftover) != queueEvents {
		t.Errorf("a clock that was set back: %d left out", lost(s, model.LossLeftover))
	}
	// An agent that says nothing: nothing is held back for ever.
	if s := taken(t, now...); !s.Contents().Spans {
		t.Error("nothing came")
	}
}

// TestWhoseLossItIs: what another client took is not what we dropped.
func TestWhoseLossItIs(t *testing.T) {
	s := taken(t, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), sampleAt(1300, 90, 10))
	if lost(s, model.LossSource) != 1 || lost(s, model.LossTaken) != 0 || lost(s, model.LossRing) != 0 {
		t.Errorf("a queue that overflowed: %+v", s.Ledger())
	}
	s = taken(t, Event{}, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), Event{}, sampleAt(1300, 90, 10))
	if lost(s, model.LossSource) != 0 || lost(s, model.LossTaken) != 1 || lost(s, model.LossRing) != 0 {
		t.Errorf("another client: %+v", s.Ledger())
	}
	ledger := s.Ledger()
	for _, l := range ledger.Lines(nil) {
		if l.Key == "dropped_by_viewer" && l.N != 0 || l.Key == "taken_by_others" && l.N != 1 {
			t.Errorf("the account says %+v", l)
		}
	}
}

// TestFoldersTellIntervalAndStart, also where the agent tells them late or not at all.
func TestFoldersTellIntervalAndStart(t *testing.T) {
	info := Event{Info: &InfoEvent{StartMs: 900, IntervalMs: 5, LastSampleMs: 1000}}
	var samples []Event
	for i := range int64(40) { // every 4 ms; the clock grows by 2 ms a sample
		samples = append(samples, sampleAt(1000+4*i, 100+2*i, min(i, 1)*2))
	}
	for name, c := range map[string]struct {
		events          []Event
		interval, start int64
	}{
		"first": {slices.Concat([]Event{info}, samples), 5, 900},
		"late":  {slices.Concat(samples[:30], []Event{info}, samples[30:]), 5, 900},
		"never": {samples, 4, 1000},
	} {
		w := NewFolderWriter(t.TempDir(), "localhost:3333", nil)
		for _, e := range c.events {
			testkit.OK(t, WriteEvent(w, e))
		}
		testkit.OK(t, w.Close())
		rec := testkit.Must(ReadFolder(t.Context(), w.Dirs()[0], nil))(t)
		th := rec.Threads[0]
		if rec.IntervalMs != c.interval || rec.SampleStartMs != c.start || th.CPU.Total() != 78_000 {
			t.Errorf("%s: interval %d, start %d, CPU time %d µs", name, rec.IntervalMs, rec.SampleStartMs, th.CPU.Total())
		}
		if n := len(th.Records); n != 40 || th.Records[n-1].CPUNs-th.Records[0].CPUNs != 78e6 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}
