package decode_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

func write(t *testing.T, o gen.Options) (path string, s *gen.Session) {
	t.Helper()
	s = testkit.Must(gen.New(o))(t)
	path = filepath.Join(t.TempDir(), "made.pstats")
	f := testkit.Must(os.Create(path))(t)
	last := int64(0)
	if err := s.Write(context.Background(), f, func(done, total int64) {
		testkit.That(t, done >= last && total == s.Spans(), "progress %d of %d after %d", done, total, last)
		last = done
	}); err != nil {
		t.Fatal(err)
	}
	testkit.OK(t, f.Close())
	testkit.That(t, last == s.Spans(), "progress ended at %d of %d", last, s.Spans())
	return path, s
}

// check compares what a store holds with what was promised.
func check(t *testing.T, o gen.Options, s *store.Session) {
	t.Helper()
	testkit.MustThat(t, s.NumTracks() == o.Tracks, "%d tracks, want %d", s.NumTracks(), o.Tracks)
	var spans int64
	deepest := 0
	for i := range o.Tracks {
		track := s.Track(model.TrackID(i))
		spans += track.NumSpans()
		deepest = max(deepest, track.Lanes())
		frames, gaps := track.NumFrames(), 0
		for k := 1; k < frames; k++ {
			switch missing := track.Frame(k).Missing; {
			case k%o.GapEvery == 0 && missing == int64(o.GapFrames):
				gaps++
			case missing != 0 || k%o.GapEvery == 0:
				t.Fatalf("track %d: %d numbers are missing before frame %d", i, missing, k)
			}
		}
		testkit.That(t, gaps == (frames-1)/o.GapEvery && gaps != 0,
			"track %d: %d gaps in %d frames, want one every %d", i, gaps, frames, o.GapEvery)
		want := 0
		if i == 0 {
			want = o.Levels
		}
		testkit.Equal(t, int(track.Frame(frames-1).Levels), want, "track %d: levels", i)
	}
	testkit.That(t, spans == o.Spans, "%d spans, want %d", spans, o.Spans)
	testkit.That(t, deepest == o.Depth, "spans are nested %d deep, want %d", deepest, o.Depth)
	if n, lines := s.Losses(); n[model.LossMalformed]+n[model.LossLimit]+n[model.LossLate]+n[model.LossTruncated] != 0 {
		t.Errorf("losses: %q", lines)
	}
}

// some is what gen makes; the decoder reads it.
var some = gen.Options{
	Spans: 60_001, Tracks: 5, Depth: 6, Seed: 3, GapEvery: 25, GapFrames: 4, HitchEvery: 10, Levels: 3,
}

func TestFileHoldsWhatWasAskedFor(t *testing.T) {
	path, _ := write(t, some)
	check(t, some, feedtest.Open(t, decode.Source{}, path))
}

func TestFillHoldsTheSame(t *testing.T) {
	made := testkit.Must(gen.New(some))(t)
	s := store.NewSession()
	made.Fill(s)
	check(t, some, s)

	// The decoder finds in the events what was put into the store directly: frame by frame the same
	// counts, and exclusive times but for the rounding to 32-bit floats.
	path, _ := write(t, some)
	read := feedtest.Open(t, decode.Source{}, path)
	for i := range some.Tracks {
		id := model.TrackID(i)
		for k := range s.Track(id).NumFrames() {
			a, b := s.Frames().Self(id, k, nil), read.Frames().Self(id, k, nil)
			testkit.MustEqual(t, len(a), len(b), "track %d frame %d: collectors, %d from the file", i, k, len(b))
			for j := range a {
				off := a[j].Ns - b[j].Ns
				same := a[j].Collector == b[j].Collector && a[j].Count == b[j].Count && off <= 1e5 && off >= -1e5
				testkit.MustThat(t, same, "track %d frame %d: %v, from the file %v", i, k, a[j], b[j])
			}
		}
	}
}

func TestEqualOptionsMakeEqualFiles(t *testing.T) {
	var files [3][]byte
	for i, seed := range []uint64{7, 7, 8} {
		s := testkit.Must(gen.New(gen.Options{Spans: 5000, Seed: seed}))(t)
		var out bytes.Buffer
		testkit.OK(t, s.Write(context.Background(), &out, nil))
		files[i] = out.Bytes()
	}
	testkit.That(t, bytes.Equal(files[0], files[1]), "equal seeds made different files")
	testkit.That(t, !bytes.Equal(files[0], files[2]), "different seeds made equal files")
}

func TestStreamIsInOrderOfTime(t *testing.T) {
	s := testkit.Must(gen.New(gen.Options{Spans: 20_000, Tracks: 7}))(t)
	spans, lastSec := 0, float32(0)
	s.Stream(func(f *pstats.Frame) bool {
		spans += len(f.Events) / 2
		testkit.MustThat(t, f.Events[0].Time >= lastSec,
			"frame %d of thread %d begins at %v s, after one that begins at %v s", f.Number, f.Thread, f.Events[0].Time, lastSec)
		lastSec = f.Events[0].Time
		if !slices.IsSortedFunc(f.Events, func(a, b pstats.Event) int { return cmp.Compare(a.Time, b.Time) }) {
			t.Fatal("events are not in order")
		}
		return true
	})
	testkit.That(t, spans == 20_000, "%d spans", spans)
}

func TestHitchesAreLong(t *testing.T) {
	o := gen.Options{Spans: 30_000, Tracks: 1, Depth: 3, Hz: 100, FrameSpans: 50, HitchEvery: 20, GapEvery: -1}
	s := testkit.Must(gen.New(o))(t)
	to := store.NewSession()
	s.Fill(to)
	track := to.Track(0)
	for k := range track.NumFrames() - 1 {
		f := track.Frame(k)
		testkit.MustEqual(t, f.End-f.Begin > 25e6, ((k+1)%20 == 0), "frame %d takes %d ns", k, f.End-f.Begin)
	}
}

func TestDepthOneAndTinySessions(t *testing.T) {
	for _, o := range []gen.Options{
		{Spans: 1, Tracks: 1, Depth: 1}, {Spans: 3, Tracks: 64, Depth: 200}, {Spans: 1000, Tracks: 2, Depth: 1},
	} {
		s := testkit.Must(gen.New(o))(t)
		to := store.NewSession()
		s.Fill(to)
		var spans int64
		for i := range o.Tracks {
			spans += to.Track(model.TrackID(i)).NumSpans()
		}
		testkit.That(t, spans == o.Spans, "%+v: %d spans", o, spans)
	}
}

func TestOptionsOfMadeFiles(t *testing.T) {
	for _, o := range []gen.Options{
		{Spans: -1}, {Spans: gen.MaxSpans + 1}, {Tracks: gen.MaxTracks + 1}, {Tracks: -1}, {Depth: gen.MaxDepth + 1},
		{Hz: -1}, {FrameSpans: -1}, {GapFrames: -1}, {Levels: 65},
	} {
		_, err := gen.New(o)
		testkit.That(t, err != nil, "%+v was taken", o)
	}
}

func TestMakingEnds(t *testing.T) {
	s := testkit.Must(gen.New(gen.Options{Spans: 1e6}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := s.Write(ctx, &bytes.Buffer{}, nil)
	testkit.That(t, errors.Is(err, context.Canceled), "Write: %v", err)
	to := store.NewSession()
	err = s.Feed(ctx, &feedtest.Into{Session: to})
	testkit.That(t, errors.Is(err, context.Canceled), "Feed: %v", err)
	_, ended := to.Ended()
	testkit.That(t, ended, "the session goes on")
}

// payloads returns the frames of a generated session as a client sends them.
func payloads(tb testing.TB, o gen.Options) (s *gen.Session, frames [][]byte, bytes int64) {
	tb.Helper()
	s = testkit.Must(gen.New(o))(tb)
	s.Stream(func(f *pstats.Frame) bool {
		p := pstats.AppendFrame(nil, pstats.Newest(), f)
		frames, bytes = append(frames, p), bytes+int64(len(p))
		return true
	})
	return s, frames, bytes
}

// carry lets two spans of each frame go on into the next, as Panda3D's task loop does: it begins
// frames while it renders.
func carry(tb testing.TB, frames [][]byte) (spans int64) {
	const outer, inner = 900, 901
	var f, g pstats.Frame
	begun := map[uint16]bool{}
	for i, p := range frames {
		testkit.OK(tb, pstats.DecodeFrame(p, pstats.Newest(), &f))
		n := len(f.Events)
		first, last := f.Events[0], f.Events[n-1]
		g.Thread, g.Number, g.Levels = f.Thread, f.Number, f.Levels
		g.Events = append(g.Events[:0], first)
		if begun[f.Thread] {
			g.Events = append(g.Events, pstats.Event{Word: inner | pstats.StopBit, Time: first.Time}, pstats.Event{Word: outer | pstats.StopBit, Time: first.Time})
		}
		g.Events = append(g.Events, f.Events[1:n-1]...)
		g.Events = append(g.Events, pstats.Event{Word: outer, Time: last.Time}, pstats.Event{Word: inner, Time: last.Time}, last)
		begun[f.Thread] = true
		frames[i] = pstats.AppendFrame(nil, pstats.Newest(), &g)
		spans += int64(n/2 + 2)
	}
	return spans
}

// BenchmarkFrames takes frames from the bytes of a client to spans that can be queried: one core's
// work (run it with -cpu 1).
func BenchmarkFrames(b *testing.B) { benchFrames(b, 0, "wire", "decoder", "store", "carry") }

// BenchmarkSparseFrames is BenchmarkFrames with 22 events in a frame.
func BenchmarkSparseFrames(b *testing.B) { benchFrames(b, 11, "wire", "decoder", "store") }

func benchFrames(b *testing.B, frameSpans int, steps ...string) {
	const spans = 1_000_000
	s, frames, size := payloads(b, gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: frameSpans})
	for _, to := range steps {
		b.Run(to, func(b *testing.B) {
			if to == "carry" {
				carry(b, frames)
			}
			b.ReportAllocs()
			b.SetBytes(size)
			for b.Loop() {
				sink := &pstatstest.Sink{}
				if to == "store" {
					sink.Session = store.NewSession()
				}
				d := decode.New(sink, decode.Options{})
				d.Hello(s.Hello())
				d.Collectors(s.Collectors())
				d.Threads(0, s.ThreadNames())
				var f pstats.Frame
				for _, p := range frames {
					testkit.OK(b, pstats.DecodeFrame(p, pstats.Newest(), &f))
					if to != "wire" {
						d.Frame(&f, len(p))
					}
				}
				d.Close("done")
				testkit.MustThat(b, to == "wire" || sink.Count == len(frames),
					"%d of %d frames", sink.Count, len(frames))
			}
			b.ReportMetric(float64(b.N)*spans/b.Elapsed().Seconds(), "spans/s")
			b.ReportMetric(float64(b.N)*2*spans/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// Once the window of recent frames is full, a frame in order allocates nothing.
func TestFramesInOrderAllocateNothing(t *testing.T) {
	sink := &pstatstest.Sink{}
	d := decode.New(sink, decode.Options{})
	f := pstatstest.Frame(20)
	next := func() {
		f.Number++
		for i := range f.Events {
			f.Events[i].Time = (float32(f.Number) + float32(i)/float32(len(f.Events)-1)) / 64
		}
		d.Frame(f, 0)
	}
	for range pstats.WindowFrames + 10 {
		next()
	}
	testkit.Equal(t, testing.AllocsPerRun(2*pstats.WindowFrames, next), 0, "allocations a frame")
	want := 3*pstats.WindowFrames + 11
	testkit.That(t, sink.Count == want, "%d frames, want %d", sink.Count, want)
}
