package trace_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/trace"
	"framescope/net/trace/tracetest"
)

// TestRuns compares the runs of made samples with those of a plain model: a sample lasts to the next
// or to a stop, and at each depth a run goes on as long as the stack up to there is the same.
// Whether somebody looks meanwhile makes no difference.
func TestRuns(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k := tracetest.New(t)
		table := trace.New(k, nil, "All")
		w := trace.NewStackRuns(k, nil)
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
		testkit.MustThat(t, w.Close() && w.Refused == 0 && len(k.Samples[track]) == samples,
			"%v %v %v", w.Refused, len(k.Samples[track]), samples)
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
	table := trace.New(k, nil, "All")
	w := trace.NewStackRuns(k, nil)
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
	testkit.That(t, w.Refused == 1 && n >= 64 && n <= trace.MaxDepth, "%d refused, %d rows", w.Refused, n)
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
	testkit.That(t, calls.Enter(30, a) && !calls.Enter(30, a) && calls.Enter(30, b),
		"a call that counts for its caller is a call")
	calls.Leave(35, false)
	calls.Leave(40, false)
	testkit.That(t, w.Close() && stack[1] == a && stack[4] == b, "%v", stack)
	got := k.Times(track, func(s string) string { return s })
	if len(k.Spans[track]) != 4 || got["a"].Inclusive != 30 || got["a"].Self != 5 || got["b"].Inclusive != 25 {
		t.Errorf("%+v, %+v", got, k.Spans[track])
	}
}
