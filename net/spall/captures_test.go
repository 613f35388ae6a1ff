package spall

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
)

// truth is what another program reads in a capture, which knows the format alone.
type truth struct {
	Error    *string
	Version  int
	Trailing int64 `json:"trailing_bytes_dropped"`
	Warnings []string
	Threads  []truthThread
	Frames   []struct {
		Begin float64 `json:"begin_ns"`
		End   float64 `json:"end_ns"`
	} `json:"frames_called_frame"`
	Stops []struct {
		Frame    int64
		Between  bool
		Begin    float64 `json:"begin_ns"`
		Duration float64 `json:"duration_ns"`
	}
	First     *float64 `json:"first_ns"`
	Last      float64  `json:"last_ns"`
	Processes map[string]string
}

type truthThread struct {
	PID, TID   int64
	Name       string
	Spans      int
	Depth      int   `json:"max_depth"`
	Orphans    int64 `json:"orphan_ends"`
	Open       int   `json:"open_ends"`
	Totals     map[string]truthTotal
	FirstSpans []struct {
		Name  string
		Args  string
		Begin float64 `json:"begin_ns"`
		End   float64 `json:"end_ns"`
		Depth int
	} `json:"first_spans"`
}

type truthTotal struct {
	N         int64
	Inclusive float64 `json:"inclusive_ns"`
	Self      float64 `json:"self_ns"`
	Min       float64 `json:"min_ns"`
	Max       float64 `json:"max_ns"`
}

// TestCaptures compares each capture with its truth: threads with their spans, sums and depths, the
// frames, what is open, and what is damaged.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game-v3", "plain-v3", "game-v1", "broken-cut-v3", "broken-event-type", "header-only", "stops-v1",
		"broken-header", "broken-version2", "broken-native-magic",
	} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Spall, name+".spall")
			want := recordings.JSON[truth](t, recordings.Spall, name+".truth.json")
			s, err := feedtest.Load(t, Source{}, path)
			if want.Error != nil {
				testkit.Fails(t, err, path+": byte ")
				return
			}
			testkit.OK(t, err)
			compare(t, s, want)
		})
	}
}

func compare(t *testing.T, s *store.Session, want *truth) {
	zero := 0.0
	if want.First != nil {
		zero = *want.First
	}
	same := func(what string, got int64, ns float64) {
		t.Helper()
		testkit.That(t, got == int64(math.Round(ns)), "%s: %d, want %.0f", what, got, ns)
	}
	testkit.MustThat(t, s.NumTracks() == len(want.Threads), "%d threads, want %d", s.NumTracks(), len(want.Threads))
	orphans := int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		i := slices.IndexFunc(want.Threads, func(w truthThread) bool { return w.TID == int64(s.Track(id).Def.Index) })
		testkit.MustThat(t, i >= 0, "no thread %d in the truth", s.Track(id).Def.Index)
		orphans += want.Threads[i].Orphans
		if n := s.Track(id).NumSpans(); n > 0 && want.Threads[i].Spans == 0 { // the truth skips the buffer of an unknown event
			testkit.Equal(t, n, 30, "calls behind the unknown event")
			continue
		}
		compareThread(t, s, id, &want.Threads[i], zero, same)
	}
	wrong := map[string]int64{}
	for _, d := range s.Diagnostics() {
		wrong[d.Kind] = d.N
	}
	testkit.Equal(t, wrong["unmatched-end"], orphans, "ends without a begin")
	damage := wrong["gap"] + wrong["cut"] + wrong["unread"]
	testkit.Equal(t, damage, int64(len(want.Warnings)), "places that are damaged: %v", wrong)
	main := s.Track(s.MainTrack())
	if main == nil {
		return
	}
	whole := want.Frames
	if o, open := main.OpenFrame(); open && len(whole) > 0 {
		w := whole[len(whole)-1]
		same("begin of the open frame", o.Begin, w.Begin-zero)
		same("end of what is known of it", o.End, w.End-zero)
		whole = whole[:len(whole)-1]
	}
	testkit.MustThat(t, main.NumFrames() == len(whole), "%d frames, want %d", main.NumFrames(), len(whole))
	for i, w := range whole {
		f := main.Frame(i)
		same("begin of a frame", f.Begin, w.Begin-zero)
		same("end of a frame", f.End, w.End-zero)
	}
	stops := main.Stops(0, main.NumFrames()-1, nil)
	testkit.MustEqual(t, len(stops), len(want.Stops), "stops")
	for i, w := range want.Stops {
		testkit.That(t, stops[i].Number == w.Frame && stops[i].Between == w.Between, "%+v, want %+v", stops[i], w)
		same("begin of a stop", stops[i].Begin, w.Begin-zero)
		same("length of a stop", stops[i].End-stops[i].Begin, w.Duration)
	}
}

func compareThread(
	t *testing.T, s *store.Session, id model.TrackID, w *truthThread, zero float64, same func(string, int64, float64),
) {
	tr := s.Track(id)
	name, _, _ := strings.Cut(tr.Def.Name, " (")
	testkit.Equal(t, name, w.Name, "name of a thread")
	testkit.Equal(t, tr.NumSpans(), int64(w.Spans), "%q: spans", name)
	testkit.Equal(t, tr.Lanes(), w.Depth, "%q: lanes", name)
	open, inclusive := 0, map[string]int64{}
	for lane := range tr.Lanes() {
		for _, b := range feedtest.Bars(s, id, lane) {
			if b.Flags&model.SpanOpenEnd != 0 {
				open++
			}
			testkit.That(t, b.Flags&(model.SpanOpenBegin|model.SpanUncertain) == 0 && b.Count == 1,
				"a span of %d with flags %b", b.Count, b.Flags)
			inclusive[s.Collector(b.Collector).Name] += b.End - b.Begin
		}
	}
	testkit.That(t, open == w.Open, "%q: %d open, want %d", w.Name, open, w.Open)
	for _, f := range w.FirstSpans {
		b, ok := s.Spans().At(id, f.Depth, int64(math.Round(f.Begin-zero)), 0)
		if !ok || s.Collector(b.Collector).Name != f.Name {
			t.Errorf("%s: no %s at %.0f", w.Name, f.Name, f.Begin-zero)
			continue
		}
		same(f.Name+" begins", b.Begin, f.Begin-zero)
		same(f.Name+" ends", b.End, f.End-zero)
		said := ""
		for _, a := range s.Args().Of(id, f.Depth, b.Ref.Index, nil) {
			said += a.Key + " " + a.Value.String()
		}
		if f.Args != "" {
			f.Args = "args " + f.Args
		}
		testkit.That(t, said == f.Args, "%s at %d has %q, want %q", f.Name, b.Begin, said, f.Args)
	}
	stats := s.Spans().Stats([]model.TrackID{id}, model.MinTime, model.MaxTime, nil)
	testkit.That(t, len(stats) == len(w.Totals), "%d names, want %d", len(stats), len(w.Totals))
	for _, st := range stats {
		name := s.Collector(st.Collector).Name
		x := w.Totals[name]
		testkit.That(t, st.Calls == x.N, "%s: %d calls, want %d", name, st.Calls, x.N)
		same(name+" inclusive", inclusive[name], x.Inclusive)
		same(name+" self", st.SelfNs, x.Self)
		same(name+" shortest", st.MinNs, x.Min)
		same(name+" longest", st.MaxNs, x.Max)
	}
}

// made is a file in the making.
type made struct{ b []byte }

func header(version uint64, unit float64) *made {
	b := order.AppendUint64(order.AppendUint64(nil, magicManual), version)
	return &made{order.AppendUint64(order.AppendUint64(b, math.Float64bits(unit)), 0)}
}

// buffer appends a buffer of version 3 with some events.
func (m *made) buffer(pid, tid uint32, events ...[]byte) *made {
	all := bytes.Join(events, nil)
	for _, x := range []uint32{uint32(len(all)), tid, pid, 0, 0} {
		m.b = order.AppendUint32(m.b, x)
	}
	m.b = append(m.b, all...)
	return m
}

func begin3(when uint64, name string) []byte { return said3(when, name, "") }

func said3(when uint64, name, args string) []byte {
	b := order.AppendUint64([]byte{byte(begin)}, when)
	return append(append(b, byte(len(name)), byte(len(args))), name+args...)
}

func end3(when uint64) []byte { return order.AppendUint64([]byte{byte(end)}, when) }

func named(k kind, name string) []byte { return append([]byte{byte(k), byte(len(name))}, name...) }

func skipped(n int) []byte {
	return append(order.AppendUint32([]byte{byte(skip)}, uint32(n)), make([]byte, n)...)
}

func (m *made) begin1(pid, tid uint32, when float64, name string) *made {
	b := order.AppendUint32(append(m.b, byte(begin), 0), pid)
	b = order.AppendUint64(order.AppendUint32(b, tid), math.Float64bits(when))
	m.b = append(append(b, byte(len(name)), 0), name...)
	return m
}

func (m *made) end1(pid, tid uint32, when float64) *made {
	b := order.AppendUint32(append(m.b, byte(end)), pid)
	m.b = order.AppendUint64(order.AppendUint32(b, tid), math.Float64bits(when))
	return m
}

// no appends NULs, and what stands behind them.
func (m *made) no(nuls int, rest ...byte) *made {
	return &made{append(append(m.b[:len(m.b):len(m.b)], make([]byte, nuls)...), rest...)}
}

// read reads a file.
func read(t testing.TB, data []byte) *feedtest.Kept {
	t.Helper()
	k := &feedtest.Kept{}
	testkit.OK(t, Source{}.OpenFile(t.Context(), feedtest.File(t, "made.spall", data), k))
	return k
}

// TestMade says what becomes of records, and of damage.
func TestMade(t *testing.T) {
	v3 := func(events ...[]byte) *made { return header(3, 1).buffer(0, 1, events...) }
	a, a1 := begin3(1, "a"), header(1, 1).begin1(1, 1, 1, "a")
	const cutAt = headerBytes + bufferBytes + 12 + 9
	var told [][2]string
	for _, c := range []struct {
		what string
		file []byte
	}{
		{"nested, of no length, unnamed, with texts",
			v3(a, begin3(1, ""), end3(1), said3(1, "b", "größe"), end3(3), said3(4, "c", "\xc3"), end3(6), end3(6)).b},
		{"ends without begins, open ends", v3(end3(5), begin3(7, "a"), end3(9)).buffer(0, 2, begin3(20, "c"), end3(30)).
			buffer(0, 1, begin3(10, "b"), end3(11), end3(12), end3(13), begin3(14, "d"), begin3(15, "e"), end3(16)).b},
		{"time that goes back", v3(begin3(9, "a"), end3(8), begin3(8, "b"), end3(10)).buffer(0, 2, begin3(2, "c"), end3(3)).b},
		{"skips", v3(skipped(7), a, skipped(0), end3(2)).b},
		{"an event across the end of its buffer", v3(a, end3(2)[:5]).buffer(0, 1, end3(4)).b},
		{"a skip across it", v3(a, skipped(1)[:5]).buffer(0, 1, end3(4)).b},
		{"an unknown type ends its buffer", v3(a, []byte{5, 1, 2}).buffer(0, 1, end3(4)).b},
		{"an unknown type in a buffer that is cut", v3(a, end3(4), []byte{5}, make([]byte, 500)).b[:cutAt+7]},
		{"a skip in a buffer that is cut", v3(a, end3(4), skipped(500)).b[:cutAt+7]},
		{"a cut header of a buffer", v3(a, end3(4)).buffer(0, 1).b[:cutAt+11]},
		{"NULs in place of buffers", append(v3(a, end3(4)).b, make([]byte, 50)...)},
		{"an open frame ends with its thread",
			v3(begin3(0, "tick"), end3(2), begin3(3, "tick"), begin3(4, "a"), end3(5)).buffer(0, 2, begin3(4, "b"), end3(9)).
				buffer(0, 2, begin3(9, "c"), end3(10)).b},
		{"ticks of a third of a nanosecond, far from 0",
			header(3, 1.0/3).buffer(0, 1, begin3(1<<63+9, "a"), begin3(1<<63+12, "b"), end3(1<<63+15), end3(1<<63+3e9+9)).b},
		{"a time that can't be", v3(a, end3(1<<63+1)).b},
		{"version 1, threads mixed, an unknown type",
			append(header(1, 1).begin1(1, 1, 2.5, "a").begin1(1, 2, 2, "x").end1(1, 1, 3).end1(1, 2, 5).b, 6, 0, 3)},
		{"version 1, times that are none, or can't be",
			a1.end1(1, 1, math.NaN()).begin1(1, 1, 2, "b").end1(1, 1, math.Inf(1)).begin1(1, 1, 3, "c").end1(1, 1, 3e16).b},
		{"version 1, behind what is no event", header(1, 1).begin1(1, 1, 1, "a").no(40).begin1(1, 2, 3, "b").end1(1, 2, 4).begin1(1, 1, 5, "c").end1(1, 1, 6).end1(1, 1, 7).b},
		{"NULs across a header", v3(a, end3(2)).no(40).buffer(0, 1, begin3(3, "b"), end3(4)).b},
		{"the rest of a buffer without a header", v3(a, end3(2)).no(7, 1, 2, 3, 4).no(20, 9, 9, 9, 9).buffer(0, 1, begin3(3, "b"), end3(4)).b},
		{"a whole chain in a buffer", v3(a, []byte{99, 3, 0}, end3(2), begin3(3, "b"), end3(4), begin3(5, "c"), end3(6), begin3(7, "d"), end3(8),
			begin3(9, "e"), end3(10)).b},
		{"frames", v3(a, begin3(2, "tick"), end3(4), begin3(4, "tick"), end3(6), end3(9)).b},
		{"one call is no frames", v3(begin3(0, "frame"), end3(2)).b},
	} {
		told = append(told, [2]string{c.what, read(t, c.file).Words()})
	}
	testkit.Named(t, "testdata/made.txt", "What becomes of the files that TestMade makes, in feedtest.Words.", told)
}

// TestThreads checks what threads and processes are called, also those without events.
func TestThreads(t *testing.T) {
	k := read(t, header(3, 1).
		buffer(7, 1, named(nameProcess, "game"), named(nameThread, "worker"), begin3(1, "a"), end3(2)).
		buffer(7, 2, named(nameThread, "worker")).buffer(7, 3).buffer(8, 3, named(nameThread, "io\n\xff")).b)
	testkit.Equal(t, k.Titles(), "worker (1)/game, worker (2)/game, /game, io\uFFFD\uFFFD/process 8", "titles")
	k = read(t, header(3, 1).buffer(7, 1, begin3(1, "a"), named(nameProcess, "game"), end3(2)).b)
	testkit.Equal(t, fmt.Sprint(k.Titles(), k.Info.Program, k.Info.PID), "/game7", "title and program")
}

// pieces reads a file in pieces.
func pieces(data []byte, size func(i int) int) (*feedtest.Kept, error) {
	k := &feedtest.Kept{}
	d := newDecoder(k, nil, "x", "")
	p := parser{d: d}
	err := feedtest.Pieces(data, size, p.write)
	if err == nil {
		err = p.close()
	}
	if p.version != 0 {
		_ = d.b.Close(nil)
	}
	return k, err
}

// TestPieces reads each capture cut in two at many bytes, all in the long form, and byte by byte: it is the same.
func TestPieces(t *testing.T) {
	for _, name := range []string{"game-v3", "game-v1", "broken-event-type", "header-only", "broken-header"} {
		data := recordings.Read(t, recordings.Spall, name+".spall")
		data = data[:min(len(data), 12_000)]
		want, wantErr := pieces(data, feedtest.Steps(len(data)))
		same := func(cut int, size func(int) int) {
			got, err := pieces(data, size)
			testkit.MustSame(t, got, want, "%s cut at %d", name, cut)
			testkit.MustEqual(t, fmt.Sprint(err), fmt.Sprint(wantErr), "%s cut at %d", name, cut)
		}
		for cut := range data {
			if cut <= 600 && (cut <= 100 || cut%5 == 0) || cut%97 == 0 || testkit.Long {
				same(cut, func(i int) int { return []int{cut, len(data)}[min(i, 1)] })
			}
		}
		same(1, feedtest.Steps(1))
	}
}

// TestCompressed opens a gzipped recording, and one whose compression is cut off.
func TestCompressed(t *testing.T) {
	zipped := feedtest.Gzip(recordings.Read(t, recordings.Spall, "game-v3.spall"))
	path := feedtest.File(t, "x.spall.gz", zipped)
	testkit.MustThat(t, Source{}.Sniff(feedtest.Head(t, path), path), "not recognised")
	all := feedtest.Open(t, Source{}, path).Track(0).NumSpans()
	path = feedtest.File(t, "x.spall.gz", zipped[:len(zipped)/2])
	s, err := feedtest.Load(t, Source{}, path)
	some, d := s.Track(0).NumSpans(), s.Diagnostics()
	testkit.Fails(t, err, path)
	testkit.That(t, some > 0 && some < all && d[0].Kind == "unread", "%d of %d spans, %+v", some, all, d)
}

// FuzzDecoder reads anything, in pieces: nothing breaks, what the store gets keeps to its rules, and
// the pieces make no difference.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"game-v3", "broken-event-type"} {
		data := recordings.Read(f, recordings.Spall, name+".spall")
		f.Add(uint8(0), data[:min(len(data), 3000)])
	}
	f.Add(uint8(3), header(1, 0.5).begin1(1, 1, 1, "frame").begin1(1, 2, 1, "x").end1(1, 1, 2).begin1(1, 1, 3, "frame").
		end1(1, 2, 9).end1(1, 1, 2.5).b)
	f.Add(uint8(6), header(3, 1).buffer(1, 1, begin3(5, "tick"), end3(9), begin3(9, "tick"), skipped(3), end3(12)).
		buffer(1, 2, named(nameThread, "w"), begin3(2, ""), begin3(7, "y"), end3(8), end3(30)).b)
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		whole, wholeErr := pieces(data, feedtest.Steps(len(data)))
		got, err := pieces(data, func(i int) int { return 1 + int(step)*i%97 })
		testkit.MustSame(t, got, whole, "pieces of %d", step)
		testkit.MustEqual(t, fmt.Sprint(err), fmt.Sprint(wholeErr), "pieces of %d", step)
		k := feedtest.NewRuled(t)
		for _, c := range whole.Changes {
			k.Define(c)
		}
		for i := range whole.Batches {
			k.Publish(&whole.Batches[i])
		}
		testkit.That(t, len(k.Session.Limits()) == 0 || len(data) >= 1<<16, "limits: %v", k.Session.Limits())
		feedtest.Unrefused(t, k.Session)
	})
}

// BenchmarkOpen reads a million calls of four threads, in buffers of many frames of some 60 calls.
func BenchmarkOpen(b *testing.B) {
	name := func(i int) string { return fmt.Sprintf("engine::system_%03d", i) }
	m := header(3, 1)
	for k := range 1 << 20 / 61 {
		at := uint64(1e12 + 22_000*k)
		events := [][]byte{begin3(at, "frame")}
		for i := range 20 {
			at += 1000
			events = append(events, begin3(at, name(i)), begin3(at+100, name(20+(k+i)%180)), begin3(at+200, name(i+60)),
				end3(at+300), end3(at+500), end3(at+900))
		}
		m.buffer(1, uint32(k/28%4), append(events, end3(at+1000))...)
	}
	feedtest.BenchOpen(b, Source{}, "big.spall", m.b)
}
