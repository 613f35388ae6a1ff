package gotrace

import (
	"context"
	"fmt"
	"os"
	"runtime/trace"
	"slices"
	"strings"
	"testing"
	"time"

	exp "golang.org/x/exp/trace"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// arrowsOf returns all flows of a session, as goroutines and times.
func arrowsOf(s *store.Session) (out []string) {
	for id := range model.TrackID(s.NumTracks()) {
		for _, a := range s.Flows().In(id, model.MinTime, model.MaxTime, nil) {
			out = append(out, arrowWords(s, &a))
		}
	}
	slices.Sort(out)
	return out
}

func arrowWords(s *store.Session, a *spans.Arrow) string {
	name := s.Flows().Name(a.Name)
	name, _, _ = strings.Cut(name, ":")
	return fmt.Sprint(name, " ", s.Track(a.FromTrack).Def.Index, " at ", a.From, " to ", s.Track(a.ToTrack).Def.Index, " at ", a.To)
}

// compareFlows reads the trace a second time, and demands a flow from each goroutine that woke or made
// another one to where that ran.
func compareFlows(t *testing.T, s *store.Session, path string, want *truth) {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	plain := testkit.Must(feed.Uncompressed(f))(t)
	r := testkit.Must(exp.NewReader(plain))(t)
	var expected []string
	ready, wakes := map[exp.GoID]string{}, int64(0)
	for {
		ev, err := r.ReadEvent()
		if err != nil {
			break
		}
		if ev.Kind() != exp.EventStateTransition {
			continue
		}
		st := ev.StateTransition()
		if st.Resource.Kind != exp.ResourceGoroutine {
			continue
		}
		from, to := st.Goroutine()
		id, at := st.Resource.Goroutine(), int64(ev.Time())-want.First
		switch {
		case from == to:
		case to == exp.GoRunnable && ev.Goroutine() != exp.NoGoroutine && (from == exp.GoWaiting || from == exp.GoNotExist):
			name := created
			if from == exp.GoWaiting {
				name = "wake-up"
				wakes++
			}
			ready[id] = fmt.Sprint(name, " ", ev.Goroutine(), " at ", at)
		default:
			if by, ok := ready[id]; ok && to == exp.GoRunning {
				expected = append(expected, fmt.Sprint(by, " to ", id, " at ", at))
			}
			delete(ready, id)
		}
	}
	slices.Sort(expected)
	if got := arrowsOf(s); !slices.Equal(got, expected) {
		t.Errorf("%d flows, want %d: %q\nwant %q", len(got), len(expected), got[:min(3, len(got))], expected[:min(3, len(expected))])
	}
	testkit.That(t, wakes == want.Wakeups, "%d wake-ups, the truth has %d", wakes, want.Wakeups)
}

// TestTasks: regions and tasks say of which task they are, logs speak of it, and a goroutine that is
// woken is led to from who woke it, by why it waited.
func TestTasks(t *testing.T) {
	s := read(t, Options{}, traced(t, func(ctx context.Context) {
		outer, all := trace.NewTask(ctx, "session")
		c, done := make(chan int), make(chan bool)
		go func() {
			inner, task := trace.NewTask(outer, "load")
			for n := range c {
				trace.WithRegion(inner, "work", func() {
					trace.WithRegion(context.Background(), "bare", func() { trace.Logf(inner, "n", "%d", n) })
				})
			}
			task.End()
			close(done)
		}()
		for i := range 3 {
			time.Sleep(time.Millisecond)
			c <- i
		}
		close(c)
		<-done
		all.End()
	}))
	said := map[string]int{}
	for id := range model.TrackID(s.NumTracks()) {
		for lane := range s.Track(id).Lanes() {
			for _, b := range s.Spans().Visible(id, lane, model.MinTime, model.MaxTime, 0, nil) {
				name := s.Collector(b.Collector).Name
				if strings.HasPrefix(name, "GC ") {
					continue // a collection came by
				}
				for _, a := range s.Args().Of(id, lane, b.Ref.Index, nil) {
					word, _, _ := strings.Cut(a.Value.String(), " ")
					_, number, _ := strings.Cut(a.Value.String(), " ")
					testkit.That(t, number != "" && name != "bare", "%s has %s=%v", name, a.Key, a.Value)
					name += " " + a.Key + " " + word
				}
				said[name]++
			}
		}
	}
	for name, n := range map[string]int{"work task load": 3, "bare": 3, "load task load parent session": 1, "session task session": 1} {
		testkit.That(t, said[name] == n, "%d times %q, want %d: %v", said[name], name, n, said)
	}
	woken := int64(0)
	for _, sum := range s.Flows().Sums(s.Spans(), model.MinTime, model.MaxTime) {
		if s.Flows().Name(sum.Name) == "wake-up: chan receive" {
			woken = sum.N
		}
	}
	testkit.That(t, woken >= 3, "%d wake-ups of who received: %v", woken, arrowsOf(s))
	w := strings.Join(s.Warnings(), " ")
	testkit.That(t, !strings.Contains(w, "tasks of regions") && !strings.Contains(w, "wake-ups"), "told: %q", w)
}
