package flare

import (
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
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
		n := lost(s, model.LossLeftover)
		testkit.That(t, end-begin == 1e9 && n == 3, "%s: %d ns, %d left out", name, end-begin, n)
		ledger := s.Ledger()
		for _, l := range ledger.Lines(nil) {
			testkit.That(t, l.Key != "leftovers" || l.N == 3, "%s: the account says %+v", name, l)
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
	s := taken(t, now...)
	testkit.That(t, s.Contents().Spans, "nothing came")
}

// TestWhoseLossItIs: what another client took is not what we dropped.
func TestWhoseLossItIs(t *testing.T) {
	s := taken(t, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), sampleAt(1300, 90, 10))
	testkit.That(t, lost(s, model.LossSource) == 1 && lost(s, model.LossTaken) == 0 && lost(s, model.LossRing) == 0,
		"a queue that overflowed: %+v", s.Ledger())
	s = taken(t, Event{}, sampleAt(1000, 10, 10), sampleAt(1100, 20, 10), Event{}, sampleAt(1300, 90, 10))
	testkit.That(t, lost(s, model.LossSource) == 0 && lost(s, model.LossTaken) == 1 && lost(s, model.LossRing) == 0,
		"another client: %+v", s.Ledger())
	ledger := s.Ledger()
	for _, l := range ledger.Lines(nil) {
		testkit.That(t, (l.Key != "dropped_by_viewer" || l.N == 0) && (l.Key != "taken_by_others" || l.N == 1),
			"the account says %+v", l)
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
		if rec.IntervalMs != c.interval || rec.SampleStartMs != c.start || total(&th.CPU) != 78_000 {
			t.Errorf("%s: interval %d, start %d, CPU time %d µs", name, rec.IntervalMs, rec.SampleStartMs, total(&th.CPU))
		}
		testkit.That(t, len(th.Records) == 40 && th.Records[len(th.Records)-1].CPUNs-th.Records[0].CPUNs == 78e6,
			"%s: %d records", name, len(th.Records))
	}
}

// A live sample whose time is damaged is left out, and told, wherever it comes; a program that stood
// still, or whose clock was set, goes on.
func TestLiveSamplesThatLeap(t *testing.T) {
	const day = 86_400_000
	for name, x := range map[string]struct {
		times []int64
		ms    int64 // length of the session
		left  int64
	}{
		"none":                {[]int64{1000, 1020, 1040}, 40, 0},
		"one sample":          {[]int64{1000}, 0, 0},
		"ahead":               {[]int64{1000, 1020, 300 * day, 1040}, 40, 1},
		"ahead, at the end":   {[]int64{1000, 1020, 300 * day}, 20, 1},
		"back":                {[]int64{50 * day, 50*day + 20, 1000, 50*day + 40}, 40, 1},
		"the first, back":     {[]int64{1000, 50 * day, 50*day + 20}, 20, 1},
		"the first, ahead":    {[]int64{50 * day, 1000, 1020}, 20, 1},
		"two":                 {[]int64{1000, 1020, 300 * day, 7 * day, 1040}, 40, 2},
		"two apart":           {[]int64{1000, 1020, 300 * day, 1040, 7 * day, 1060}, 60, 2},
		"stood still":         {[]int64{1000, 1020, day, day + 20}, day - 980, 0},
		"stood, then damaged": {[]int64{1000, 1020, 300 * day, day, day + 20}, day - 980, 1},
	} {
		var events []Event
		for i, ms := range x.times {
			events = append(events, sampleAt(ms, int64(i), 1))
		}
		s := taken(t, events...)
		begin, end, _ := s.Bounds()
		if n := lost(s, model.LossMalformed); end-begin != x.ms*1e6 || n != x.left {
			t.Errorf("%s: %d ms, want %d; %d left out, want %d", name, (end-begin)/1e6, x.ms, n, x.left)
		}
	}
	// What the agent says of itself tells at once which the first one is.
	s := taken(t, Event{Info: &InfoEvent{StartMs: 40 * day, IntervalMs: 20}}, sampleAt(300*day, 1, 1), sampleAt(40*day, 2, 1))
	if begin, end, _ := s.Bounds(); begin != end || lost(s, model.LossMalformed) != 1 {
		t.Errorf("from %d to %d, %d left out", begin, end, lost(s, model.LossMalformed))
	}
}

// TestSpacingIsMeasured: how far apart samples are is measured, whatever was asked for, live and
// from a folder alike.
func TestSpacingIsMeasured(t *testing.T) {
	rec := &Recording{Info: Info{IntervalMs: 5}, Methods: map[MethodID]string{7: "a.B.c()"}}
	live := store.NewSession()
	m := NewMapper(&sink{s: live}, model.Info{}, 0)
	m.Info(5)
	ms := int64(1000)
	for i := range int64(1001) { // 105 to 124 ms apart, once 6 s and once 3 s; two threads take turns
		switch {
		case i == 500:
			ms += 6000
		case i == 700:
			ms += 3000
		case i > 0:
			ms += 105 + i%20
		}
		x := Record{TimeMs: ms, Stack: []MethodID{7}}
		rec.EnsureThread(i%2+1).Add(x, "worker")
		m.Sample(i%2+1, "worker", x)
		if i%10 == 0 {
			m.Flush()
		}
	}
	m.Close("over")
	file := store.NewSession()
	Play(rec, "a folder", &sink{s: file})
	want := model.Sampling{AskedNs: 5e6, Distances: 1000, MedianNs: 115e6, P5Ns: 106e6, P95Ns: 124e6, LongestNs: 6e9, Gaps: 2, GapNs: 9e9}
	for name, s := range map[string]*store.Session{"live": live, "file": file} {
		got := s.Info()
		testkit.That(t, got.Sampling == want, "%s: %+v, want %+v", name, got.Sampling, want)
		testkit.That(t, got.Clock.Step(0) == 115e6, "%s: ends are known to %d ns", name, got.Clock.Step(0))
	}
}

// TestSpacingOfTheRecording: asked for every 20 ms, a real agent took samples every 32.
func TestSpacingOfTheRecording(t *testing.T) {
	got := openDir(t, find(t, "recorded-60s/127*")).Info().Sampling
	if got.AskedNs != 20e6 || got.MedianNs != 32e6 || got.P5Ns < 20e6 || got.P95Ns <= got.MedianNs || got.LongestNs != 177e6 || got.Gaps != 0 {
		t.Errorf("%+v", got)
	}
}

// TestStatesOfThreads: what a thread did is told by what is innermost, of what is parked by what
// parked it, and of code by the clock.
func TestStatesOfThreads(t *testing.T) {
	const park, lockPark = "jdk.internal.misc.Unsafe.park(boolean, long)", "java.util.concurrent.locks.LockSupport.park(Object)"
	const sync = "java.util.concurrent.locks.AbstractQueuedSynchronizer"
	stacks := []struct {
		want  spans.State
		stack []string // the innermost first
	}{
		{spans.StateReady, []string{"shop.Order.price()", "java.lang.Thread.run()"}},
		{spans.StateBlocked, []string{park, lockPark, sync + ".acquire(int)", "java.util.concurrent.locks.ReentrantLock$Sync.lock()", "shop.Stock.take()"}},
		{spans.StateWaiting, []string{park, lockPark, sync + "$ConditionObject.await()", "java.util.concurrent.ArrayBlockingQueue.take()"}},
		{spans.StateWaiting, []string{park, lockPark, sync + ".acquire(int)", "java.util.concurrent.CountDownLatch.await()"}},
		{spans.StateIO, []string{"sun.nio.ch.SocketDispatcher.read0(FileDescriptor, long, int)", "sun.nio.ch.NioSocketImpl.read()"}},
		{spans.StateIO, []string{"java.io.FileInputStream.readBytes(byte[], int, int)"}},
		{spans.StateWaiting, []string{"sun.nio.ch.EPoll.wait(int, long, int, int)"}},
		{spans.StateWaiting, []string{park}},
		{spans.StateUnknown, nil},
	}
	const each = 1000 // ms
	s := store.NewSession()
	m := NewMapper(&sink{s: s}, model.Info{}, 0)
	ids := map[string]MethodID{}
	for i, x := range stacks {
		r := Record{TimeMs: 1000 + int64(i)*each, CPUNs: min(int64(i), 1) * 400e6}
		for _, name := range x.stack {
			if ids[name] == 0 {
				ids[name] = MethodID(len(ids) + 1)
				m.Method(ids[name], name)
			}
			r.Stack = append(r.Stack, ids[name])
		}
		m.Sample(7, "worker", r)
	}
	m.Sample(7, "", Record{TimeMs: 1000 + int64(len(stacks))*each, CPUNs: 400e6})
	m.Close("over")
	a, ok := s.Spans().Activity(0, 0, model.MaxTime)
	testkit.MustThat(t, ok, "nothing is known of the thread")
	var want [spans.NumStates]int64
	for _, x := range stacks {
		want[x.want] += each * 1e6
	}
	want[spans.StateRunning], want[spans.StateReady] = 400e6, want[spans.StateReady]-400e6
	testkit.That(t, a.Ns == want && a.HasCPU && a.LivedNs == int64(len(stacks))*each*1e6,
		"states %v of %d ns, want %v", a.Ns, a.LivedNs, want)
	testkit.That(t, a.Samples == int64(len(stacks))+1 && a.Able == 1, "%d samples, %d of code", a.Samples, a.Able)
	h, ok := s.Spans().Hottest(spans.MeasureSamples, []model.TrackID{0}, model.NoCollector, 0, model.MaxTime, nil)
	if !ok || s.Collector(h.Collector).Title() != "shop:Order.price()" || h.Own != 1 || h.Of != 1 || len(h.Way) != 2 {
		t.Errorf("%+v burns most", h)
	}
	testkit.That(t, h.Within() >= 0.5, "one sample of one is known to ± %v", h.Within())
}
