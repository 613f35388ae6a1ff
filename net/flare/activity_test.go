package flare

import (
	"testing"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

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
	if !ok {
		t.Fatal("nothing is known of the thread")
	}
	var want [spans.NumStates]int64
	for _, x := range stacks {
		want[x.want] += each * 1e6
	}
	want[spans.StateRunning], want[spans.StateReady] = 400e6, want[spans.StateReady]-400e6
	if a.Ns != want || !a.HasCPU || a.LivedNs != int64(len(stacks))*each*1e6 {
		t.Errorf("states %v of %d ns, want %v", a.Ns, a.LivedNs, want)
	}
	if a.Samples != int64(len(stacks))+1 || a.Able != 1 {
		t.Errorf("%d samples, %d of code", a.Samples, a.Able)
	}
	h, ok := s.Spans().Hottest(spans.MeasureSamples, []model.TrackID{0}, model.NoCollector, 0, model.MaxTime, nil)
	if !ok || s.Collector(h.Collector).Title() != "shop:Order.price()" || h.Own != 1 || h.Of != 1 || len(h.Way) != 2 {
		t.Errorf("%+v burns most", h)
	}
	if h.Within() < 0.5 {
		t.Errorf("one sample of one is known to ± %v", h.Within())
	}
}
