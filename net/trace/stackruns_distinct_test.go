package trace_test

import (
	"testing"

	"framescope/model"
	"framescope/net/stackruns/runstest"
	"framescope/net/trace"
)

// A call that counts for its caller, as there is no room for its own call path, has no run of its own: the
// caller's time would count twice. The stack that was given stays as it is.
func TestCallsThatCountForTheirCallers(t *testing.T) {
	k := runstest.New(t)
	table := trace.New(k, nil, "All")
	w := trace.NewStackRuns(k, nil)
	track, _ := table.Track("", model.TrackDef{Name: "main"})
	a := table.Path(model.PathRoot, table.Collector([]byte("a")))
	b := table.Path(a, table.Collector([]byte("b")))
	stack := []model.PathID{a, a, a, b, b}
	th := w.Thread(track, "main")
	th.Sample(0, stack)
	th.Sample(10, stack)
	th.Stop(20)
	calls := w.Calls(track)
	if !calls.Enter(30, a) || calls.Enter(30, a) || !calls.Enter(30, b) {
		t.Error("a call that counts for its caller is a call")
	}
	calls.Leave(35, false)
	calls.Leave(40, false)
	if !w.Close() || stack[1] != a || stack[4] != b {
		t.Error(stack)
	}
	got := k.Times(track, func(s string) string { return s })
	if len(k.Spans[track]) != 4 || got["a"].Inclusive != 30 || got["a"].Self != 5 || got["b"].Inclusive != 25 {
		t.Errorf("%+v, %+v", got, k.Spans[track])
	}
}
