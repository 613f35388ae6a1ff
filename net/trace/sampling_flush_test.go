package trace_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

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
	table := trace.New(k, nil, "All")
	w := trace.NewStackRuns(table, bad)
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
