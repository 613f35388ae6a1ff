package gotrace

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/trace"
	"slices"
	"strings"
	"testing"
	"time"

	exp "golang.org/x/exp/trace"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

// truth is what another program reads in a capture.
type truth struct {
	Error      string
	ErrorAt    string           `json:"error_at"`
	Events     map[string]int64 `json:"events_by_kind"`
	First      int64            `json:"first_ns"`
	Last       int64            `json:"last_ns"`
	Goroutines []struct {
		ID      int64
		Name    string
		States  map[string]int64 `json:"states_ns"`
		Reasons map[string]int64 `json:"waiting_ns_by_reason"`
	}
	Procs   map[string]map[string]int64 `json:"procs_states_ns"`
	Regions []struct {
		Type      string
		G         int64
		Begin     int64 `json:"begin_ns"`
		End       int64 `json:"end_ns"`
		Depth     int
		OpenBegin bool `json:"open_begin"`
		OpenEnd   bool `json:"open_end"`
	}
	RegionTotals map[string]truthTotal `json:"region_totals"`
	TaskTotals   map[string]truthTotal `json:"task_totals"`
	RangeTotals  map[string]truthTotal `json:"range_totals"`
	Logs         []struct {
		Category, Message string
		G                 int64
		Time              int64 `json:"t_ns"`
	}
	LogCount int64 `json:"log_count"`
	Metrics  map[string]struct {
		N                     int64
		First, Last, Max, Min float64
	}
	Samples struct{ N int64 } `json:"stack_samples"`
	Wakeups int64             `json:"wakeups_by_goroutines"`
	Frames  []struct {
		Begin int64 `json:"begin_ns"`
		End   int64 `json:"end_ns"`
		G     int64
	}
}

type truthTotal struct {
	N         int64
	Total     int64 `json:"total_ns"`
	Self      int64 `json:"self_ns"`
	Min       int64 `json:"min_ns"`
	Max       int64 `json:"max_ns"`
	OpenBegin int64 `json:"open_begin"`
	OpenEnd   int64 `json:"open_end"`
}

// Captures are all there are.
var captures = []string{
	"game-126", "game-126-tasks", "game-125", "game-123", "game-122", "game-121", "game-119", "game-118", "flight-126",
	"late-126", "http-126", "gotest-126", "samples-126", "broken-cut", "broken-cut-second-generation", "broken-cut-v1",
	"broken-middle", "broken-header-only", "broken-short-header", "broken-future", "broken-empty",
}

// sessions holds what loaded has read without an error.
var sessions = map[string]*store.Session{}

// loaded returns the session of a file, read once for all tests: they only ask it.
func loaded(t *testing.T, path string) (*store.Session, error) {
	t.Helper()
	if s := sessions[path]; s != nil {
		return s, nil
	}
	s, err := feedtest.Load(t, Source{}, path)
	if err == nil {
		sessions[path] = s
	}
	return s, err
}

// TestCaptures compares each capture with its truth: goroutines and how long they were in which state,
// regions, tasks and what the runtime did by name, logs, metrics, frames, and how it ends.
func TestCaptures(t *testing.T) {
	testkit.OneGoroutine(t)
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.GoTrace, name+".trace")
			want := recordings.JSON[truth](t, recordings.GoTrace, name+".truth.json")
			s, err := loaded(t, path)
			if want.ErrorAt == "open" || len(want.Goroutines) == 0 {
				testkit.MustThat(t, err != nil && strings.HasPrefix(err.Error(), path+": "),
					"%v, where the truth is %q", err, want.Error)
				return
			}
			testkit.OK(t, err)
			losses, lines := s.Losses()
			cut := int64(0)
			if want.Error != "" {
				cut = 1
			}
			testkit.That(t, losses[model.LossTruncated] == cut,
				"cut: %d, want %d: %q", losses[model.LossTruncated], cut, lines)
			if losses[model.LossLimit]+losses[model.LossMalformed]+losses[model.LossUnseen]+losses[model.LossLate] > 0 {
				t.Errorf("lost: %q", lines)
			}
			compareRegions(t, s, want)
			compareStates(t, s, want)
			compareRest(t, s, want)
			compareFlows(t, s, path, want)
		})
	}
}

// byName returns what the spans of some tracks are by name, with the time in which they were innermost.
func byName(s *store.Session, of func(*store.Track) bool) map[string]truthTotal {
	out := map[string]truthTotal{}
	for id := range model.TrackID(s.NumTracks()) {
		if !of(s.Track(id)) {
			continue
		}
		for _, b := range barsOf(s, id) {
			name := s.Collector(b.Collector).Name
			x, ok := out[name]
			n := b.End - b.Begin
			if !ok {
				x.Min = math.MaxInt64
			}
			x.N++
			x.Total += n
			x.Min, x.Max = min(x.Min, n), max(x.Max, n)
			if b.Flags&model.SpanOpenBegin != 0 {
				x.OpenBegin++
			}
			if b.Flags&model.SpanOpenEnd != 0 {
				x.OpenEnd++
			}
			out[name] = x
		}
	}
	return out
}

func barsOf(s *store.Session, id model.TrackID) (out []spans.Bar) {
	for lane := range s.Track(id).Lanes() {
		out = append(out, feedtest.Bars(s, id, lane)...)
	}
	return out
}

func same(t *testing.T, what string, got, want map[string]truthTotal) {
	t.Helper()
	for name, w := range want {
		g := got[name]
		g.Self = w.Self
		testkit.That(t, g == w, "%s %q: %+v, want %+v", what, name, g, w)
		delete(got, name)
	}
	testkit.That(t, len(got) == 0, "%s that are not there: %v", what, got)
}

func goroutines(tr *store.Track) bool { return tr.Def.Process == groupGoroutines }

func trackOf(t *testing.T, s *store.Session, id int64) *store.Track {
	t.Helper()
	for i := range model.TrackID(s.NumTracks()) {
		if tr := s.Track(i); goroutines(tr) && int64(tr.Def.Index) == id {
			return tr
		}
	}
	t.Fatalf("no goroutine %d", id)
	return nil
}

func compareRegions(t *testing.T, s *store.Session, want *truth) {
	got := byName(s, goroutines)
	assist, w := got[assistName], want.RangeTotals[assistName+" @goroutine"]
	testkit.That(t, assist == w, "assists: %+v, want %+v", assist, w)
	delete(got, assistName)
	same(t, "regions", got, want.RegionTotals)
	var all []model.TrackID
	for i := range model.TrackID(s.NumTracks()) {
		if goroutines(s.Track(i)) {
			all = append(all, i)
		}
	}
	self := int64(0) // time that is the regions' own in the truth, and here that of assists within
	for _, st := range s.Spans().Stats(all, model.MinTime, model.MaxTime, nil) {
		name := s.Collector(st.Collector).Name
		if x, ok := want.RegionTotals[name]; ok {
			testkit.That(t, st.SelfNs <= x.Self, "%s: %d ns of its own, the truth has %d", name, st.SelfNs, x.Self)
			self += x.Self - st.SelfNs
		}
	}
	testkit.That(t, self <= w.Total, "%d ns of regions belong to assists, of which there are %d ns", self, w.Total)
	for _, r := range want.Regions {
		at, depth := r.Begin-want.First, r.Depth
		b, ok := s.Spans().At(trackOf(t, s, r.G).Def.ID, depth, at, 0)
		testkit.That(t, ok && s.Collector(b.Collector).Name == r.Type && b.Begin == at && b.End == r.End-want.First,
			"no %s from %d to %d, but %+v", r.Type, at, r.End-want.First, b)
	}
}

// states returns how long a goroutine was in each state.
func states(t *testing.T, s *store.Session, tr *store.Track) (out map[string]int64, onProc map[int]int64) {
	out, onProc = map[string]int64{}, map[int]int64{}
	for _, id := range s.Series().ByTrack(tr.Def.ID) {
		x := s.Series().ByID(id)
		list := x.Samples(model.MinTime, model.MaxTime, 1<<22, nil)
		testkit.That(t, len(list) != 0 && math.IsNaN(list[len(list)-1].Value),
			"%s: %s does not end", tr.Title(), x.Def.Group)
		for i := 0; i+1 < len(list); i++ {
			ns, v := list[i+1].Time-list[i].Time, list[i].Value
			switch {
			case ns < 0:
				t.Errorf("%s: %s goes back", tr.Title(), x.Def.Group)
			case math.IsNaN(v):
			case x.Def.Kind == model.SeriesState && x.Def.Role == model.RoleNone:
				out[x.Def.States[int(v)]] += ns
			case x.Def.Role == model.RoleProcessor:
				onProc[int(v)] += ns
			case x.Def.Role == model.RoleCPULoad:
				out["load"] += int64(v) * ns / 100
			}
		}
	}
	return out, onProc
}

func compareStates(t *testing.T, s *store.Session, want *truth) {
	ran, held := map[int]int64{}, int64(0) // on each P, and in system calls with one
	for _, w := range want.Goroutines {
		tr := trackOf(t, s, w.ID)
		title := fmt.Sprintf("%s %d", w.Name, w.ID)
		if w.Name == "" {
			title = fmt.Sprintf("goroutine %d", w.ID)
		}
		testkit.That(t, tr.Title() == title, "%q, want %q", tr.Title(), title)
		got, onProc := states(t, s, tr)
		for p, ns := range onProc {
			ran[p] += ns
		}
		held += got["in a system call"]
		waited := int64(0)
		for name, ns := range got {
			if reason, ok := strings.CutPrefix(name, "waiting"); ok {
				waited += ns
				reason = strings.TrimPrefix(reason, ": ")
				w := w.Reasons[reason] + w.Reasons["unspecified"]*int64(1-min(len(reason), 1))
				testkit.That(t, w == ns, "%s: %d ns %q, want %d", title, ns, name, w)
			}
		}
		for _, x := range []struct {
			name string
			got  int64
		}{
			{"Running", got["running"]}, {"Running", got["load"]}, {"Runnable", got["runnable"]},
			{"Syscall", got["in a system call"] + got["in a system call, blocked"]}, {"Waiting", waited},
		} {
			testkit.That(t, x.got == w.States[x.name], "%s: %d ns %s, want %d", title, x.got, x.name, w.States[x.name])
		}
	}
	runs := byName(s, func(tr *store.Track) bool { return tr.Def.Process == groupProcs })
	total, by := int64(0), int64(0)
	for _, x := range runs {
		total += x.Total
	}
	for p, ns := range ran {
		if by += ns; ns > want.Procs[fmt.Sprint(p)]["Running"] {
			t.Errorf("goroutines ran for %d ns on P %d, which ran for %d", ns, p, want.Procs[fmt.Sprint(p)]["Running"])
		}
	}
	if total < by || total > by+held || total == 0 || total == by && held > 0 { // some are in system calls at first: nobody knows where
		t.Errorf("goroutines have procs for %d ns, run for %d, and have them in system calls for %d", total, by, held)
	}
}

func compareRest(t *testing.T, s *store.Session, want *truth) {
	got := byName(s, func(tr *store.Track) bool { return tr.Def.Process == groupRuntime })
	ranges := map[string]truthTotal{}
	for key, x := range want.RangeTotals {
		if name, _, _ := strings.Cut(key, " @"); name != assistName {
			ranges[name] = x
		}
	}
	same(t, "ranges", got, ranges)
	tasks := map[string]truthTotal{}
	for name, x := range byName(s, func(tr *store.Track) bool { return tr.Def.Process == groupTasks }) {
		if strings.HasPrefix(name, "task ") {
			name = ""
		}
		tasks[name] = x
	}
	same(t, "tasks", tasks, want.TaskTotals)
	n := int64(0)
	for _, k := range s.Messages().Severities() {
		n += k
	}
	testkit.That(t, n == want.LogCount, "%d logs, want %d", n, want.LogCount)
	for _, l := range want.Logs {
		tr := trackOf(t, s, l.G)
		at := l.Time - want.First
		m := s.Messages().Of(tr.Def.ID, at, at+1, nil)
		testkit.That(t, len(m) == 1 && m[0].Category == l.Category && m[0].Text == cutText(l.Message),
			"%d ns: %+v, want %q of %s", at, m, l.Message, l.Category)
	}
	compareMetrics(t, s, want)
	main := s.Track(s.MainTrack())
	whole := want.Frames
	if o, open := main.OpenFrame(); open && len(whole) > 0 {
		w := whole[len(whole)-1]
		testkit.That(t, o.Begin == w.Begin-want.First && o.End == w.End-want.First,
			"open frame %+v, want %d to %d", o, w.Begin-want.First, w.End-want.First)
		whole = whole[:len(whole)-1]
	}
	testkit.MustEqual(t, main.NumFrames(), len(whole), "frames of %s", main.Title())
	for i, w := range whole {
		if f := main.Frame(i); f.Begin != w.Begin-want.First || f.End != w.End-want.First {
			t.Errorf("frame %d: %+v, want %d to %d", i, f, w.Begin-want.First, w.End-want.First)
		}
	}
	warned := strings.Join(s.Warnings(), "\n")
	for what, n := range map[string]int64{
		"samples of stacks": want.Samples.N, "labels": want.Events["Label"],
	} {
		testkit.That(t, n <= 0 || strings.Contains(warned, fmt.Sprintf("%d %s", n, what)),
			"%d %s, told: %q", n, what, warned)
	}
}

func compareMetrics(t *testing.T, s *store.Session, want *truth) {
	for name, w := range want.Metrics {
		found := false
		for id := range model.SeriesID(s.Series().Len()) {
			x := s.Series().ByID(id)
			if !strings.Contains(x.Def.Description, name) {
				continue
			}
			found = true
			list := x.Samples(model.MinTime, model.MaxTime, 1<<22, nil)
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range list {
				low, high = min(low, v.Value), max(high, v.Value)
			}
			testkit.That(t, int64(len(list)) == w.N && list[0].Value == w.First && list[len(list)-1].Value == w.Last &&
				low == w.Min && high == w.Max, "%s: %d values from %g to %g, want %+v", name, len(list), low, high, w)
		}
		testkit.That(t, found, "no %s", name)
	}
}

// TestAgainstTheProgramsClock compares frames with what the program itself measured, on a clock of its
// own: after the two are shifted onto each other where the last frame ends, they differ by what the
// calls between the two readings take.
func TestAgainstTheProgramsClock(t *testing.T) {
	const most = 12_000 // ns
	for _, name := range []string{
		"game-126", "game-126-tasks", "game-125", "game-123", "game-122", "game-121", "game-119", "game-118", "flight-126",
		"late-126", "samples-126",
	} {
		var app struct {
			Frames []struct {
				Begin int64 `json:"begin_ns"`
				End   int64 `json:"end_ns"`
			}
		}
		path := recordings.File(t, recordings.GoTrace, name+".trace")
		testkit.OK(t, json.Unmarshal(recordings.Read(t, recordings.GoTrace, name+".app.json"), &app))
		s := testkit.Must(loaded(t, path))(t)
		main := s.Track(s.MainTrack())
		n, skipped := main.NumFrames(), len(app.Frames)-main.NumFrames()
		testkit.MustThat(t, n >= 25 && skipped >= 0, "%s: %d frames, the program made %d", name, n, len(app.Frames))
		shift := app.Frames[len(app.Frames)-1].End - main.Frame(n-1).End
		for i := range n {
			f, w := main.Frame(i), app.Frames[skipped+i]
			begun := f.Begin == 0 // before the trace
			if d := f.Begin + shift - w.Begin; !begun && (d < -most || d > most) {
				t.Errorf("%s: frame %d begins %d ns later than for the program", name, i, d)
			}
			d := f.End + shift - w.End
			testkit.That(t, d >= -most && d <= most, "%s: frame %d ends %d ns later than for the program", name, i, d)
		}
	}
}

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
