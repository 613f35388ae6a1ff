package trace_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/trace"
)

// TestRuns compares the runs of made samples with those of a plain model: a sample lasts to the next
// or to a stop, and at each depth a run goes on as long as the stack up to there is the same.
// Whether somebody looks meanwhile makes no difference.
func TestRuns(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k := tracetest.New(t)
		table := trace.NewTable(k, nil, "All")
		w := trace.NewStackWriter(table, &trace.Diagnostics{})
		track, _ := table.Track("", model.TrackDef{Name: "main"})
		th := w.Thread(track, "main")
		lasted, runs, samples := map[string]int64{}, int64(0), 0
		var stack, before []string
		now := int64(0)
		for range 400 {
			stack = slices.Clone(stack[:rng.IntN(len(stack)+1)])
			for n := rng.IntN(6); len(stack) < n; {
				stack = append(stack, strconv.Itoa(rng.IntN(3)))
			}
			var paths []model.PathID
			p, same := model.PathRoot, true
			ns := 1 + rng.Int64N(1000)
			for d, name := range stack {
				p = table.Path(p, table.Collector([]byte(name)))
				paths = append(paths, p)
				if same = same && d < len(before) && before[d] == name; !same {
					runs++
				}
				lasted[strings.Join(stack[:d+1], ";")] += ns
			}
			th.Sample(now, paths)
			samples++
			now += ns
			before = stack
			switch rng.IntN(5) {
			case 0:
				th.Stop(now)
				before = nil
				now += rng.Int64N(50)
			case 1:
				w.Flush()
			}
		}
		th.Stop(now)
		testkit.MustThat(t, w.Close() && len(k.Samples[track]) == samples, "%v %v", len(k.Samples[track]), samples)
		got := map[string]int64{}
		for _, s := range k.Spans[track] {
			stack := k.Stack(s.Path)
			got[stack] += s.End - s.Begin
			testkit.MustThat(t, int(s.Lane) == strings.Count(stack, ";") && s.Flags&model.SpanUncertain != 0,
				"%s in row %d with %b", stack, s.Lane, s.Flags)
		}
		for stack, ns := range lasted {
			testkit.MustThat(t, ns == got[stack], "seed %d: %s was on for %d ns, want %d", seed, stack, got[stack], ns)
		}
		if n := k.Session.Track(track).NumSpans(); n != runs || len(got) != len(lasted) {
			t.Fatalf("seed %d: %d runs of %d stacks, want %d of %d", seed, n, len(got), runs, len(lasted))
		}
		_, lines := k.Session.Losses()
		testkit.MustThat(t, len(lines) <= 0, "%v", lines)
	}
}

// TestDeep shows stacks that are too deep without what is innermost, and counts them.
func TestDeep(t *testing.T) {
	k := tracetest.New(t)
	table := trace.NewTable(k, nil, "All")
	bad := &trace.Diagnostics{}
	w := trace.NewStackWriter(table, bad)
	track, _ := table.Track("", model.TrackDef{})
	th := w.Thread(track, "")
	var paths []model.PathID
	p := model.PathRoot
	for range trace.MaxDepth + 10 {
		p = table.Path(p, table.Collector([]byte("f")))
		paths = append(paths, p)
	}
	th.Sample(0, paths[:trace.MaxDepth])
	th.Sample(10, paths)
	th.Stop(20)
	w.Close()
	n := k.Session.Track(track).Lanes()
	testkit.That(t, bad.Count(trace.DeepStack) == 1 && n >= 64 && n <= trace.MaxDepth, "%+v, %d rows", bad, n)
}

// TestSpacing compares with a sorted list.
func TestSpacing(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var s trace.Spacing
		var list []int64
		for range 1 + rng.IntN(3000) {
			d := int64(1_000_000 + rng.IntN(100_000))
			if rng.IntN(40) == 0 {
				d *= int64(2 + rng.IntN(50))
			}
			s.Add(d)
			list = append(list, d)
		}
		s.Add(0)
		s.Add(-5)
		slices.Sort(list)
		n := int64(len(list))
		var m model.Sampling
		s.Measured(&m)
		near := func(what string, got, want int64) {
			testkit.That(t, got >= want-want/100 && got <= want+want/100,
				"seed %d: %s %d, want %d", seed, what, got, want)
		}
		near("median", m.MedianNs, list[n/2])
		near("5 %", m.P5Ns, list[n/20])
		near("95 %", m.P95Ns, list[n-1-n/20])
		gaps, ns := int64(0), int64(0)
		for _, d := range list {
			if d > 11*list[n/2] {
				gaps++
				ns += d
			}
		}
		testkit.That(t, m.Distances == n && m.LongestNs == list[n-1] && m.Gaps >= gaps && m.GapNs >= ns,
			"%+v, want %d gaps of %d", m, gaps, ns)
	}
}

// A call that counts for its caller, as there is no room for its own call path, has no run of its own: the
// caller's time would count twice. The stack that was given stays as it is.
func TestCallsThatCountForTheirCallers(t *testing.T) {
	k := tracetest.New(t)
	table := trace.NewTable(k, nil, "All")
	w := trace.NewStackWriter(table, &trace.Diagnostics{})
	track, _ := table.Track("", model.TrackDef{Name: "main"})
	a := table.Path(model.PathRoot, table.Collector([]byte("a")))
	b := table.Path(a, table.Collector([]byte("b")))
	stack := []model.PathID{a, a, a, b, b}
	th := w.Thread(track, "main")
	th.Sample(0, stack)
	th.Sample(10, stack)
	th.Stop(20)
	calls := w.Calls(track)
	for _, path := range []model.PathID{a, a, b} {
		calls.Enter(30, path, 0)
	}
	for _, at := range []int64{35, 37, 40} {
		calls.Leave(at, false)
	}
	testkit.That(t, w.Close() && stack[1] == a && stack[4] == b, "%v", stack)
	got := k.Times(track, func(s string) string { return s })
	if len(k.Spans[track]) != 4 || got["a"].Inclusive != 30 || got["a"].Self != 5 || got["b"].Inclusive != 25 {
		t.Errorf("%+v, %+v", got, k.Spans[track])
	}
}

// TestTooMuch adds what can't be added up: it is refused as a whole.
func TestTooMuch(t *testing.T) {
	s := trace.NewWeighted(nil, trace.WeightKind{Name: "space"}, trace.WeightKind{Name: "n"})
	for _, w := range [][2]int64{{trace.Most + 1, 0}, {0, trace.Most + 1}} {
		err := s.Add(0, 1, w[:]...)
		testkit.That(t, errors.Is(err, trace.ErrTooMuch), "%v: %v", w, err)
	}
	err := s.Add(0, 1, trace.Most, 1)
	testkit.That(t, err == nil, "%v", err)
	err = s.Add(0, 2, 1, 1)
	testkit.That(t, errors.Is(err, trace.ErrTooMuch), "%v", err)
}

// TestRounded tells of sums that values of series can't hold as they are, once.
func TestRounded(t *testing.T) {
	k := &feedtest.Into{Session: store.NewSession()}
	k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
	n := trace.NewTable(k, nil, "All")
	main, _ := n.Track("main", model.TrackDef{Name: "main"})
	s := trace.NewWeighted(nil, trace.WeightKind{Name: "space", Unit: "B"})
	for i, w := range []int64{1 << 53, 1, 1<<60 + 1, 1 << 61} {
		name := []byte{"aabc"[i]}
		testkit.OK(t, s.Add(main, n.Path(model.PathRoot, n.Collector(name)), w))
	}
	for range 2 {
		testkit.OK(t, s.Publish(k))
		lost, lines := k.Session.Losses()
		if lost[model.LossLimit] != 2 || !strings.Contains(strings.Join(lines, "\n"), "more than 2^53 are shown without their last digits") {
			t.Errorf("%v %q", lost, lines)
		}
	}
}

// sink keeps what is defined, and may bound what is.
type sink struct {
	feed.Sink
	defined []model.Change
	held    *feed.Held
}

func (s *sink) Define(c model.Change) { s.defined = append(s.defined, c) }
func (s *sink) NamesHeld() *feed.Held { return s.held }

// TestNames asks for the same things twice: each is defined once, parents before children.
func TestNames(t *testing.T) {
	s := &sink{}
	n := trace.NewTable(s, nil, "All")
	a, b := n.Collector([]byte("a\x00b")), n.Collector([]byte(""))
	c := n.Keyed([]byte("a\x00file"), func() model.CollectorDef { return model.CollectorDef{Name: "a", Unit: "ms"} })
	p := n.Path(n.Path(model.PathRoot, a), b)
	track, ok := n.Track("7", model.TrackDef{Name: "wor\nker"})
	before := len(s.defined)
	if a2, p2 := n.Collector([]byte("a\x00b")), n.Path(n.Path(model.PathRoot, a), b); a2 != a || p2 != p || c == a || n.Of(p) != b || !ok || track != 0 {
		t.Error(a, a2, p, p2, c, track, ok)
	}
	n.Track("7", model.TrackDef{})
	testkit.That(t, len(s.defined) == before && before == 2+3+2+1, "%d definitions, then %d", before, len(s.defined))
	got := s.defined[2].(model.CollectorDef).Name + s.defined[3].(model.CollectorDef).Name + s.defined[7].(model.TrackDef).Name
	testkit.That(t, got == "a\x00b(unnamed)wor\nker", "shown as %q", got)
	n.Report()
	testkit.That(t, n.Refused == 0 && len(s.defined) == before, "something was refused")
}

// TestNoRoom makes up names without end: what there is no room for is of the other names, or its
// caller's, and counted.
func TestNoRoom(t *testing.T) {
	s := &sink{held: &feed.Held{}}
	s.held.SetLimit(1 << 20)
	room := feed.NamesOf(s)
	defer room.Close()
	n := trace.NewTable(s, room, "All")
	refused := 0
	for i := range 1000 {
		c := n.Collector(fmt.Append(nil, "name ", i))
		p := n.Path(model.PathRoot, c)
		testkit.MustThat(t, n.Of(p) == c || n.Of(p) == trace.Other, "a call path of another name")
		if c == trace.Other {
			refused++
		}
	}
	tracks := 0
	for i := range 1000 {
		if _, ok := n.Track(fmt.Sprint(i), model.TrackDef{Name: "thread"}); ok {
			tracks++
		}
	}
	testkit.That(t, refused != 0 && refused != 1000 && tracks >= feed.SureThreads && tracks != 1000 &&
		n.Refused >= int64(refused+1000-tracks), "%d names refused, %d tracks, %d counted", refused, tracks, n.Refused)
	n.Report()
	l, ok := s.defined[len(s.defined)-1].(model.Loss)
	testkit.That(t, ok && l.N == n.Refused && l.Reason == model.LossLimit, "told %+v", s.defined[len(s.defined)-1])
}

// What functions stand in has keys of its own, also while a function of such a key is described.
func TestGroup(t *testing.T) {
	k := tracetest.New(t) // collectors come one after the other
	n := trace.NewTable(k, nil, "All")
	var in model.CollectorID
	group := func() model.CollectorID { return n.Group([]byte("\x00file"), func() string { return "file" }) }
	c := n.Keyed([]byte("\x00file"), func() model.CollectorDef {
		in = group()
		return model.CollectorDef{Name: "f", Parent: in}
	})
	if again := n.Keyed([]byte("\x00file"), nil); c == in || again != c || group() != in || n.NumNames() != 2 {
		t.Errorf("%d in %d, then %d in %d of %d", c, in, again, group(), n.NumNames())
	}
	testkit.Equal(t, n.Collector([]byte("g")), trace.Other+3, "the next")
}

// step is a thing that happens to one of two threads after some time.
type step struct {
	thread int
	ns     int64
	what   rune // b and a: begins, a with an argument, e and c: ends, c cut, f: somebody flushes
	name   string
}

// played plays steps, with or without those who flush, and returns what becomes of them: each call whole, with its
// arguments, and each frame with its self times.
func played(t *rapid.T, steps []step, frames []trace.StackFrame, flush bool) map[string]int {
	k, bad := &feedtest.Kept{}, &trace.Diagnostics{}
	table := trace.NewTable(k, nil, "All")
	w := trace.NewStackWriter(table, bad)
	list := &trace.StackFrames{List: frames, Credit: 1 << 20}
	var threads [2]*trace.StackThread
	for i := range threads {
		id, _ := table.Track(fmt.Sprint(i), model.TrackDef{})
		threads[i] = w.Calls(id)
		threads[i].Frames(list)
	}
	threads[0].Lead(0)
	now := int64(0)
	for _, s := range steps {
		now += s.ns
		th := threads[s.thread]
		switch path := table.Path(th.Path(), table.Collector([]byte(s.name))); s.what {
		case 'b':
			th.Enter(now, path, 0)
		case 'a':
			th.Enter(now, path, model.SpanOpenBegin, model.Arg{Key: "at", Value: model.IntArg(now)})
		case 'e', 'c':
			th.Leave(now, s.what == 'c')
		case 'f':
			if flush {
				th.Flush(now)
			}
			now++
		}
	}
	for _, th := range threads {
		for th.Path() != model.PathRoot {
			th.Leave(now, true)
		}
	}
	testkit.That(t, w.Close(), "the sink takes no more")
	got := map[string]int{fmt.Sprint(bad.Count(trace.OutsideFrames), " outside of frames"): 1}
	calls := map[string]*model.Span{} // the newest of each row
	add := func(s *model.Span) { got[fmt.Sprint(k.Stack(s.Path), *s)]++ }
	for i := range k.Batches {
		b := &k.Batches[i]
		testkit.That(t, slices.IsSortedFunc(b.Spans, func(x, y model.Span) int {
			return trace.SortRunPairs(x.Begin, y.Begin, int64(x.Lane), int64(y.Lane))
		}), "not in order: %v", b.Spans)
		for i := range b.Spans {
			s, row := &b.Spans[i], fmt.Sprint(b.Track, ".", b.Spans[i].Lane)
			was := calls[row]
			if s.Flags&model.SpanContinues != 0 {
				testkit.That(t, was != nil && was.End == s.Begin && was.Path == s.Path && was.Flags&model.SpanOpenEnd != 0,
					"%v goes on with %v", was, s)
				was.End, was.Flags = s.End, was.Flags&^model.SpanOpenEnd|s.Flags&model.SpanOpenEnd
				continue
			}
			if was != nil {
				add(was)
			}
			calls[row] = s
		}
		for _, a := range b.Args {
			s := b.Spans[a.Span]
			got[fmt.Sprint("argument of ", b.Track, s.Lane, s.Begin, k.Stack(s.Path), a.Key, a.Value)]++
		}
		if b.HasFrame || b.Open {
			got[fmt.Sprint("frame of ", b.Track, b.Number, b.Begin, b.End, b.Open, b.Self)]++
		}
	}
	for _, s := range calls {
		add(s)
	}
	return got
}

// TestFlushes: whenever somebody flushes, the session is the same.
func TestFlushes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			return step{
				rapid.IntRange(0, 1).Draw(t, "thread"), rapid.Int64Range(0, 5).Draw(t, "ns"),
				rapid.SampledFrom([]rune("bbaeecff")).Draw(t, "what"), rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name"),
			}
		}), 0, 60).Draw(t, "steps")
		var frames []trace.StackFrame
		at := int64(0)
		for _, ns := range rapid.SliceOfN(rapid.Int64Range(0, 20), 0, 20).Draw(t, "frames") {
			begin := at + ns/2
			at = begin + 1 + ns
			frames = append(frames, trace.StackFrame{Number: int64(len(frames)), Begin: begin, End: at})
		}
		want, got := played(t, steps, frames, false), played(t, steps, frames, true)
		testkit.That(t, maps.Equal(got, want), "got  %v\nwant %v", got, want)
	})
}
