package spall

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/feed/feedtest"
)

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
	for _, c := range []struct {
		what string
		file []byte
		want string
	}{
		{"nested, of no length, unnamed, with texts",
			v3(a, begin3(1, ""), end3(1), said3(1, "b", "größe"), end3(3), said3(4, "c", "\xc3"), end3(6), end3(6)).b,
			"0.0 a 0-5, 0.1 a;(unnamed) 0-0, 0.1 a;b 0-2(args=größe), 0.1 a;c 3-5(args=\uFFFD)"},
		{"ends without begins, open ends", v3(end3(5), begin3(7, "a"), end3(9)).buffer(0, 2, begin3(20, "c"), end3(30)).
			buffer(0, 1, begin3(10, "b"), end3(11), end3(12), end3(13), begin3(14, "d"), begin3(15, "e"), end3(16)).b,
			"0.0 a 2-4, 0.0 b 5-6, 0.0 d 9-11+, 0.1 d;e 10-11, 1.0 c 15-25, unmatched-end×3"},
		{"time that goes back", v3(begin3(9, "a"), end3(8), begin3(8, "b"), end3(10)).buffer(0, 2, begin3(2, "c"), end3(3)).b,
			"0.0 a 7-7, 0.0 b 7-8, 1.0 c 0-1, late-event×2@64"},
		{"skips", v3(skipped(7), a, skipped(0), end3(2)).b, "0.0 a 0-1"},
		{"an event across the end of its buffer", v3(a, end3(2)[:5]).buffer(0, 1, end3(4)).b, "0.0 a 0-3, gap×1@64"},
		{"a skip across it", v3(a, skipped(1)[:5]).buffer(0, 1, end3(4)).b, "0.0 a 0-3, gap×1@64"},
		{"an unknown type ends its buffer", v3(a, []byte{5, 1, 2}).buffer(0, 1, end3(4)).b, "0.0 a 0-3, gap×1@64"},
		{"an unknown type in a buffer that is cut", v3(a, end3(4), []byte{5}, make([]byte, 500)).b[:cutAt+7],
			"0.0 a 0-3, gap×1@73, cut×1@80"},
		{"a skip in a buffer that is cut", v3(a, end3(4), skipped(500)).b[:cutAt+7], "0.0 a 0-3, cut×1@80"},
		{"a cut header of a buffer", v3(a, end3(4)).buffer(0, 1).b[:cutAt+11], "0.0 a 0-3, cut×1@73"},
		{"NULs in place of buffers", append(v3(a, end3(4)).b, make([]byte, 50)...), "0.0 a 0-3, cut×1@113, nul-bytes×2@73"},
		{"an open frame ends with its thread",
			v3(begin3(0, "tick"), end3(2), begin3(3, "tick"), begin3(4, "a"), end3(5)).buffer(0, 2, begin3(4, "b"), end3(9)).
				buffer(0, 2, begin3(9, "c"), end3(10)).b,
			"0#0 0-2 tick=2/1, 0.0 tick 0-2, 0#1 3-5+ tick=1/1 a=1/1, 0.0 tick 3-5+, 0.1 tick;a 4-5, " +
				"1#1 3-5+ b=1/1, 1.0 b 4-9, 1.0 c 9-10, outside-frames×1"},
		{"ticks of a third of a nanosecond, far from 0",
			header(3, 1.0/3).buffer(0, 1, begin3(1<<63+9, "a"), begin3(1<<63+12, "b"), end3(1<<63+15), end3(1<<63+3e9+9)).b,
			"0.0 a 0-1000000000, 0.1 a;b 1-2"},
		{"a time that can't be", v3(a, end3(1<<63+1)).b, "0.0 a 0-0, bad-time×1@64"},
		{"version 1, threads mixed, an unknown type",
			append(header(1, 1).begin1(1, 1, 2.5, "a").begin1(1, 2, 2, "x").end1(1, 1, 3).end1(1, 2, 5).b, 6, 0, 3),
			"0.0 a 500-1000, 1.0 x 0-3000, unread×1@108"},
		{"version 1, times that are none, or can't be",
			a1.end1(1, 1, math.NaN()).begin1(1, 1, 2, "b").end1(1, 1, math.Inf(1)).begin1(1, 1, 3, "c").end1(1, 1, 3e16).b,
			"0.0 a 0-0, 0.0 b 1000-1000, 0.0 c 2000-2000, bad-time×3@53"},
		{"version 1, behind what is no event", header(1, 1).begin1(1, 1, 1, "a").no(40).begin1(1, 2, 3, "b").end1(1, 2, 4).begin1(1, 1, 5, "c").end1(1, 1, 6).end1(1, 1, 7).b,
			"0.0 a 0-6000, 0.1 a;c 4000-5000, 1.0 b 2000-3000, gap×1@53"},
		{"NULs across a header", v3(a, end3(2)).no(40).buffer(0, 1, begin3(3, "b"), end3(4)).b,
			"0.0 a 0-1, 0.0 b 2-3, nul-bytes×2@73"},
		{"the rest of a buffer without a header", v3(a, end3(2)).no(7, 1, 2, 3, 4).no(20, 9, 9, 9, 9).buffer(0, 1, begin3(3, "b"), end3(4)).b,
			"0.0 a 0-1, 0.0 b 2-3, gap×1@73"},
		{"a whole chain in a buffer", v3(a, []byte{99, 3, 0}, end3(2), begin3(3, "b"), end3(4), begin3(5, "c"), end3(6), begin3(7, "d"), end3(8),
			begin3(9, "e"), end3(10)).b,
			"0.0 a 0-1, 0.0 b 2-3, 0.0 c 4-5, 0.0 d 6-7, 0.0 e 8-9, gap×1@64"},
		{"frames", v3(a, begin3(2, "tick"), end3(4), begin3(4, "tick"), end3(6), end3(9)).b,
			"0.0 a 0-8, 0#0 1-3 tick=2/1, 0.1 a;tick 1-3, 0#1 3-5 tick=2/1, 0.1 a;tick 3-5, outside-frames×1"},
		{"one call is no frames", v3(begin3(0, "frame"), end3(2)).b, "0.0 frame 0-2"},
	} {
		testkit.Equal(t, read(t, c.file).Words(), c.want, "%s", c.what)
	}
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
