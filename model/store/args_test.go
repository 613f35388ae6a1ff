package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// argsOf are the arguments that tests give to the span that begins at a time.
func argsOf(begin int64) (list []model.Arg) {
	if begin%3 == 1 {
		return nil
	}
	list = append(list, model.Arg{Key: "begin", Value: model.IntArg(begin)})
	if begin%2 == 0 {
		list = append(list, model.Arg{Key: "name", Value: model.TextArg(fmt.Sprint("texture ", begin%17))})
	}
	if begin%5 == 0 {
		list = append(list, model.Arg{Key: "share", Value: model.FloatArg(float64(begin) / 7)})
	}
	if begin%11 == 0 {
		list = append(list, model.Arg{Key: fmt.Sprint("odd", begin%40), Value: model.TextArg(fmt.Sprint("only ", begin))})
	}
	return list
}

// checkArgs demands that each span that is kept has its own arguments.
func checkArgs(t *testing.T, s *Session) (with int) {
	t.Helper()
	var got []model.Arg
	for id := range model.TrackID(s.NumTracks()) {
		for n, l := range s.Track(id).spans.Stack() {
			if l == nil {
				continue
			}
			for i := l.First(); i < l.Behind(); i++ {
				got = s.Args().Of(id, n, i, got[:0])
				if want := argsOf(l.Begin(i)); !slices.Equal(got, want) {
					t.Fatalf("track %d lane %d span %d of [%d, %d): %v, want %v", id, n, i, l.First(), l.Behind(), got, want)
				}
				with += min(len(got), 1)
			}
			c := s.Args().Cursor(id, n)
			for at := int64(-1); c.Next(); at = c.Index() {
				testkit.MustThat(t, c.Index() > at && c.Index() >= l.First() && c.Index() < l.Behind(),
					"lane %d: arguments of span %d after %d of [%d, %d)", n, c.Index(), at, l.First(), l.Behind())
			}
			if l.Behind() > l.First() {
				from := l.First() + (l.Behind()-l.First())/2
				c.To(l.First())
				at := from
				for at < l.Behind() && argsOf(l.Begin(at)) == nil {
					at++
				}
				testkit.MustThat(t, c.To(from) == (at < l.Behind()) && (at >= l.Behind() || c.Index() == at),
					"lane %d: from %d on arguments at %d, want %d", n, from, c.Index(), at)
			}
		}
	}
	return with
}

// Whatever is appended, taken back and leaves memory, each span has the arguments that it came with.
func TestArgsStayWithTheirSpans(t *testing.T) {
	for seed := range uint64(testkit.Rounds(3, 6)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		st := &Store{}
		s := st.NewSession()
		s.Apply(model.CollectorDef{ID: 1, Name: "a"})
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		st.MemoryLimit = st.Memory().Total() + 80_000
		number, now, left, most := int64(0), int64(0), false, 0
		begins := []int64{} // of frames
		for range 400 {
			back := int64(0)
			if k := int64(len(begins)); rng.IntN(12) == 0 && k > 8 {
				back = 1 + rng.Int64N(8)
				number, now, begins = number-back, begins[k-back], begins[:k-back]
			}
			b := &model.Batch{HasFrame: true, Number: number, Begin: now, Rewind: back > 0}
			begins = append(begins, now)
			for i := range 1 + rng.IntN(60) {
				for lane := range uint16(1 + rng.IntN(3)) {
					b.Spans = append(b.Spans, model.Span{Begin: now, End: now + 3, Path: 1, Lane: lane})
					for _, a := range argsOf(now) {
						a.Span = int32(len(b.Spans) - 1)
						b.Args = append(b.Args, a)
					}
				}
				now += 3 + int64(i&3)
			}
			b.End = now
			number++
			if rng.IntN(3) == 0 {
				for !s.AppendPart(b, 7) {
				}
			} else {
				s.Append(b)
			}
			if rng.IntN(6) == 0 {
				st.EnforceLimit(time.Time{})
			}
			if rng.IntN(25) == 0 {
				most = max(most, checkArgs(t, s))
			}
			left = left || s.Track(0).NumFrames() > 0 && s.Track(0).Frame(0).Number > 0
		}
		checkArgs(t, s)
		testkit.That(t, left && most >= 500, "seed %d: frames left: %v; at most %d spans with arguments", seed, left, most)
		s.Apply(model.End{})
		st.MemoryLimit = 1
		st.EnforceLimit(time.Time{})
		testkit.That(t, !s.Args().Any() && s.Args().Texts() == 1,
			"of a session that left %d entries and %d texts stay", s.Args().Stored(), s.Args().Texts())
	}
}

// What goes on has one set of arguments, of which the last ones hold; what refers to no span is
// counted, and so is what is beyond a limit.
func TestArgsOfContinuations(t *testing.T) {
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "a"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	arg := func(span int32, key, text string) model.Arg {
		return model.Arg{Span: span, Key: key, Value: model.TextArg(text)}
	}
	s.Append(&model.Batch{
		Spans: []model.Span{{Begin: 0, End: 10, Path: 1}, {Begin: 20, End: 30, Path: 1}, {Begin: 30, End: 40, Path: 1, Lane: 5000}},
		Args:  []model.Arg{arg(-1, "x", "1"), arg(1, "k", "old"), arg(1, "stays", "yes"), arg(2, "deep", "1"), arg(9, "none", "1")},
	})
	s.Append(&model.Batch{
		Spans: []model.Span{{Begin: 30, End: 50, Path: 1, Flags: model.SpanContinues}, {Begin: 60, End: 70, Path: 1}},
		Args:  []model.Arg{arg(0, "k", "new"), arg(0, "more", "2"), arg(1, "long", strings.Repeat("ä", 4000))},
	})
	got := fmt.Sprint(s.Args().Of(0, 0, 0, nil), s.Args().Of(0, 0, 1, nil))
	testkit.Equal(t, got, "[] [{0 k new} {0 stays yes} {0 more 2}]", "got")
	if long := s.Args().Of(0, 0, 2, nil)[0].Value.Text; len(long) > model.MaxArgText || !strings.HasSuffix(long, "ä…") {
		t.Errorf("%d bytes, ends in %q", len(long), long[len(long)-8:])
	}
	many := &model.Batch{Spans: []model.Span{{Begin: 80, End: 90, Path: 1}}}
	for i := range 140 {
		many.Args = append(many.Args, model.Arg{Key: fmt.Sprint("k", i), Value: model.IntArg(int64(-i) << 40)})
	}
	s.Append(many)
	if got := s.Args().Of(0, 0, 3, nil); len(got) != model.MaxArgs || got[127].Value != model.IntArg(-127<<40) {
		t.Errorf("%d arguments: %v", len(got), got)
	}
	want := "[{spans nested deeper than 4096 were dropped 1} {arguments of spans that are not there 3} " +
		"{texts of arguments longer than 2 KiB were cut 1} {arguments beyond 128 of a span were dropped 12}]"
	testkit.Equal(t, fmt.Sprint(s.Limits()), want, "limits")
}
