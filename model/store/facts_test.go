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

// factTrack is a track of a session made for a test: so many frames and so many spans outside of
// them.
type factTrack struct {
	def           model.TrackDef
	frames, spans int
}

func factSession(tracks ...factTrack) *Session {
	s := NewSession()
	define(s, model.CollectorDef{ID: 0, Name: "Frame"}, model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for i, t := range tracks {
		t.def.ID = model.TrackID(i)
		s.Apply(t.def)
		for k := range t.frames {
			frame(s, int64(k), int64(k)*10, int64(k)*10+10, model.Batch{Track: model.TrackID(i)})
		}
		b := model.Batch{Track: model.TrackID(i)}
		for k := range t.spans {
			b.Spans = append(b.Spans, model.Span{Begin: int64(k) * 10, End: int64(k)*10 + 5, Path: 1})
		}
		if t.spans > 0 {
			s.Append(&b)
		}
	}
	return s
}

func TestMainTrack(t *testing.T) {
	thread, gpu := model.TrackDef{Kind: model.TrackThread}, model.TrackDef{Kind: model.TrackGPU}
	own := model.TrackDef{Kind: model.TrackGPU, OwnClock: true}
	named := model.TrackDef{Kind: model.TrackThread, Main: true}
	for _, c := range []struct {
		what   string
		tracks []factTrack
		want   model.TrackID
	}{
		{"nothing", nil, model.NoTrack},
		{"tracks without data", []factTrack{{def: thread}, {def: named}}, model.NoTrack},
		{"the first thread with frames", []factTrack{{def: thread}, {thread, 2, 0}, {thread, 9, 0}}, 1},
		{"a thread before the GPU", []factTrack{{gpu, 9, 0}, {thread, 2, 0}}, 1},
		{"the GPU, where there is nothing else", []factTrack{{def: thread}, {gpu, 9, 0}}, 1},
		{"the session's clock before a clock of its own", []factTrack{{own, 9, 0}, {gpu, 2, 0}}, 1},
		{"a clock of its own, where there is nothing else", []factTrack{{def: thread}, {own, 9, 0}}, 1},
		{"the one that the source names", []factTrack{{thread, 9, 0}, {named, 2, 0}}, 1},
		{"not that one as long as it has nothing", []factTrack{{thread, 9, 0}, {def: named}}, 0},
		{"frames before the name", []factTrack{{named, 0, 9}, {thread, 2, 0}}, 1},
		{"most spans, where there are no frames", []factTrack{{thread, 0, 2}, {thread, 0, 9}, {thread, 0, 9}}, 1},
		{"a thread before what has more spans", []factTrack{{gpu, 0, 9}, {thread, 0, 2}}, 1},
		{"the name before more spans", []factTrack{{thread, 0, 9}, {named, 0, 2}}, 1},
	} {
		testkit.Equal(t, factSession(c.tracks...).MainTrack(), c.want, "%s: track", c.what)
	}
}

// What flows through a program is looked at before its threads, the slowest way first; frames, and what
// the source names, before that.
func TestFirstTrack(t *testing.T) {
	thread, way := model.TrackDef{Kind: model.TrackThread}, model.TrackDef{Kind: model.TrackStream}
	named := model.TrackDef{Kind: model.TrackThread, Main: true}
	slow := func(s *Session, id model.TrackID) {
		s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: 1000, End: 1900, Path: 1}}})
	}
	for _, c := range []struct {
		what       string
		tracks     []factTrack
		slow, want model.TrackID
	}{
		{"threads alone", []factTrack{{thread, 0, 2}, {thread, 0, 9}}, 0, 1},
		{"the slowest way", []factTrack{{thread, 0, 9}, {way, 0, 9}, {way, 0, 1}}, 2, 2},
		{"a way without anything", []factTrack{{thread, 0, 9}, {def: way}}, 0, 0},
		{"frames", []factTrack{{thread, 2, 0}, {way, 0, 9}}, 1, 0},
		{"what is named", []factTrack{{named, 0, 2}, {way, 0, 9}}, 1, 0},
	} {
		s := factSession(c.tracks...)
		slow(s, c.slow)
		testkit.Equal(t, s.FirstTrack(), c.want, "%s: track", c.what)
	}
}

// Frames that left memory still make a session one of frames.
func TestHasFramesAfterEviction(t *testing.T) {
	s := factSession(factTrack{frames: 1})
	s.tracks[0].evicted = 1
	s.tracks[0].frames.Clear()
	testkit.That(t, s.HasFrames() && !s.Contents().Frameless(), "a session whose frames left has none")
}

// Of what flows through a program, where rows say only what overlaps, the longest of all rows stand out.
func TestSpikesOfWhatOverlaps(t *testing.T) {
	for _, kind := range []model.TrackKind{model.TrackStream, model.TrackThread} {
		s := factSession(factTrack{model.TrackDef{Kind: kind}, 0, 10})
		s.Append(&model.Batch{Spans: []model.Span{
			{Begin: 1000, End: 1008, Path: 1}, {Begin: 1001, End: 1051, Path: 1, Lane: 1}, {Begin: 1010, End: 1015, Path: 1},
		}})
		next, _ := s.Spans().NextSpike(0, model.NoCollector, 0, 2000, 1000, 1)
		testkit.Equal(t, next.Begin == 1001, kind == model.TrackStream, "%v: the next one is %v", kind, next)
	}
}

// The main track is looked for once in a revision of the session, however often it is asked for.
func TestMainTrackIsLookedForOnce(t *testing.T) {
	s := factSession(factTrack{frames: 2}, factTrack{frames: 2})
	testkit.MustEqual(t, s.MainTrack(), 0, "MainTrack")
	s.tracks[1].Def.Main = true // behind the session's back: only a look at the tracks sees it
	testkit.Equal(t, s.MainTrack(), 0, "the tracks were looked at again, although nothing came")
	s.Apply(model.Info{})
	testkit.Equal(t, s.MainTrack(), 1, "after a change")
}

// Collectors of spans that are no calls are told apart from those of calls, whatever tracks are
// asked about.
func TestAsync(t *testing.T) {
	s := NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "main", Kind: model.TrackThread})
	s.Apply(model.TrackDef{ID: 1, Name: "queue", Kind: model.TrackElement})
	s.Apply(model.TrackDef{ID: 2, Name: "a to b", Kind: model.TrackStream})
	for c := range model.CollectorID(5) {
		s.Apply(model.CollectorDef{ID: c, Name: string(rune('a' + c))})
	}
	for p := model.PathID(1); p < 5; p++ {
		s.Apply(model.PathDef{ID: p, Collector: model.CollectorID(p)})
	}
	for track, paths := range map[model.TrackID][]model.PathID{0: {1, 4}, 1: {2, 2, 4}, 2: {3, 99}} {
		b := &model.Batch{Track: track}
		for i, path := range paths {
			b.Spans = append(b.Spans, model.Span{Begin: int64(10 * i), End: int64(10*i + 5), Path: path})
		}
		s.Append(b)
	}
	for c, want := range map[model.CollectorID]bool{0: false, 1: false, 2: true, 3: true, 4: true} {
		testkit.Equal(t, s.Collector(c).Async, want, "%s", s.Collector(c).Name)
	}
	testkit.That(t, !s.Collector(0).Async, "the root is none")
}

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
