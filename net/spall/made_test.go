package spall

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// made is a file in the making.
type made struct{ b []byte }

func header(version uint64, unit float64) *made {
	o := binary.LittleEndian
	b := o.AppendUint64(nil, magicManual)
	b = o.AppendUint64(b, version)
	b = o.AppendUint64(b, math.Float64bits(unit))
	return &made{o.AppendUint64(b, 0)}
}

// buffer appends a buffer of version 3 with some events.
func (m *made) buffer(pid, tid uint32, events ...[]byte) *made {
	all := bytes.Join(events, nil)
	o := binary.LittleEndian
	m.b = o.AppendUint32(m.b, uint32(len(all)))
	m.b = o.AppendUint32(m.b, tid)
	m.b = o.AppendUint32(m.b, pid)
	m.b = append(o.AppendUint64(m.b, 0), all...)
	return m
}

func begin3(when uint64, name string) []byte {
	b := binary.LittleEndian.AppendUint64([]byte{byte(begin)}, when)
	return append(append(b, byte(len(name)), 0), name...)
}

func said3(when uint64, name, args string) []byte {
	b := begin3(when, name)
	b[10] = byte(len(args))
	return append(b, args...)
}

func end3(when uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{byte(end)}, when) }

func named(k kind, name string) []byte { return append([]byte{byte(k), byte(len(name))}, name...) }

func skipped(n int) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{byte(skip)}, uint32(n)), make([]byte, n)...)
}

func (m *made) begin1(pid, tid uint32, when float64, name string) *made {
	o := binary.LittleEndian
	b := o.AppendUint32(append(m.b, byte(begin), 0), pid)
	b = o.AppendUint64(o.AppendUint32(b, tid), math.Float64bits(when))
	m.b = append(append(b, byte(len(name)), 0), name...)
	return m
}

func (m *made) end1(pid, tid uint32, when float64) *made {
	o := binary.LittleEndian
	b := o.AppendUint32(append(m.b, byte(end)), pid)
	m.b = o.AppendUint64(o.AppendUint32(b, tid), math.Float64bits(when))
	return m
}

// open reads the file into a session.
func (m *made) open(t testing.TB) *store.Session {
	t.Helper()
	return feedtest.Made(t, Source{}, "made.spall", m.b)
}

// words returns the spans of a track, lane by lane: name, begin and end, with * where it has none.
func words(s *store.Session, id model.TrackID) string {
	var out []string
	for lane := range s.Track(id).Lanes() {
		for _, b := range feedtest.Bars(s, id, lane) {
			w := fmt.Sprintf("%d:%s %d-%d", lane, s.Collector(b.Collector).Name, b.Begin, b.End)
			if b.Flags&model.SpanOpenEnd != 0 {
				w += "*"
			}
			out = append(out, w)
		}
	}
	return strings.Join(out, ", ")
}

// The text beside the name of a call stays with it, whatever order spans are put into, and where the
// call goes on in the next batch.
func TestArgs(t *testing.T) {
	m := header(3, 1)
	m.buffer(0, 1, begin3(10, "a"), said3(10, "none", "x=1"), end3(10), said3(10, "b", "größe"), end3(12), said3(13, "c", "cut\xc3"))
	var events [][]byte
	for i := range uint64(3 * flushSpans) {
		events = append(events, said3(20+i, "d", fmt.Sprint(i)), end3(21+i))
	}
	s := m.buffer(0, 1, events...).open(t)
	var got []string
	for lane := range s.Track(0).Lanes() {
		for _, b := range feedtest.Bars(s, 0, lane) {
			list := s.Args().Of(0, lane, b.Ref.Index, nil)
			name := s.Collector(b.Collector).Name
			if name == "d" {
				testkit.MustThat(t, len(list) == 1 && list[0].Value.String() == fmt.Sprint(b.Begin-10),
					"d at %d: %v", b.Begin, list)
				continue
			}
			for _, a := range list {
				got = append(got, name+" "+a.Key+" "+a.Value.String())
			}
		}
	}
	if want := []string{"none args x=1", "b args größe", "c args cut\uFFFD"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := s.Args().Stored(); n != 3+3*flushSpans || len(s.Warnings()) > 0 {
		t.Errorf("%d calls have arguments, warnings %q", n, s.Warnings())
	}
}

func TestMade(t *testing.T) {
	loss := func(r model.LossReason, n int64) map[model.LossReason]int64 { return map[model.LossReason]int64{r: n} }
	deep := header(3, 1)
	for i := range 5000 {
		deep.buffer(0, 1, begin3(uint64(i), "f"))
	}
	for i := range 5000 {
		deep.buffer(0, 1, end3(uint64(5000+i)))
	}
	for _, c := range []struct {
		name  string
		file  *made
		want  string // of track 0; empty: not looked at
		lost  map[model.LossReason]int64
		words string // in a line about losses
	}{
		{
			"nested, of no length, unnamed",
			header(3, 1).buffer(0, 1, begin3(10, "a"), begin3(10, ""), end3(10), begin3(10, "b"), end3(12), end3(15)),
			"0:a 0-5, 1:(unnamed) 0-0, 1:b 0-2", nil, "",
		},
		{
			"ends without begins, open ends",
			header(3, 1).buffer(0, 1, end3(5), begin3(7, "a"), begin3(8, "b"), end3(9)),
			"0:a 2-4*, 1:b 3-4", loss(model.LossUnseen, 1), "Thread 1: ends of calls without a begin, the first at byte 52",
		},
		{
			"time that goes back",
			header(3, 1).buffer(0, 1, begin3(100, "a"), end3(90), begin3(95, "b"), end3(110)),
			"0:a 0-0, 0:b 0-10", loss(model.LossMalformed, 2), "times that go back",
		},
		{
			"skipped, names, empty buffers",
			header(3, 1).buffer(3, 9).buffer(3, 1, named(nameThread, "main"), skipped(7), begin3(1, "a"), skipped(0), end3(2)).buffer(3, 9, named(nameProcess, "p")),
			"", nil, "",
		},
		{
			"an event across the end of its buffer",
			header(3, 1).buffer(0, 1, begin3(1, "a"), end3(2)[:5]).buffer(0, 1, end3(4)),
			"0:a 0-3", loss(model.LossMalformed, 1), "byte 64: an event extends beyond the end of its buffer: the last 5 bytes of its buffer are left out",
		},
		{
			"a skip across the end of its buffer",
			header(3, 1).buffer(0, 1, begin3(1, "a"), []byte{byte(skip), 1, 0, 0, 0}).buffer(0, 1, end3(4)),
			"0:a 0-3", loss(model.LossMalformed, 1), "byte 64: a skip extends beyond",
		},
		{
			"an unknown type ends its buffer",
			header(3, 1).buffer(0, 1, begin3(1, "a"), []byte{5, 1, 2, 3}).buffer(0, 1, end3(4)),
			"0:a 0-3", loss(model.LossMalformed, 1), "unknown type 5: the last 4 bytes",
		},
		{
			"an unknown type in a buffer that goes on behind the end of the file",
			&made{header(3, 1).buffer(0, 1, begin3(1, "a"), end3(4), []byte{5, 1, 2, 3}, make([]byte, 500)).b[:32+20+12+9+7]},
			"0:a 0-3", map[model.LossReason]int64{model.LossMalformed: 1, model.LossTruncated: 1}, "byte 73: an event of the unknown type 5: the last 7 bytes",
		},
		{
			"a skip that goes on behind the end of the file",
			&made{header(3, 1).buffer(0, 1, begin3(1, "a"), end3(4), skipped(500)).b[:32+20+12+9+7]},
			"0:a 0-3", loss(model.LossTruncated, 1), "byte 80: the file ends within the buffer at byte 32: 28 of its 526 bytes are there",
		},
		{
			"a cut header of a buffer",
			&made{header(3, 1).buffer(0, 1, begin3(1, "a"), end3(4)).buffer(0, 1).b[:32+20+12+9+11]},
			"0:a 0-3", loss(model.LossTruncated, 1), "byte 73: the file ends within an event or the header of a buffer: its last 11 bytes",
		},
		{
			"ticks of a third of a nanosecond, far from 0",
			header(3, 1.0/3).buffer(0, 1, begin3(1<<63+9, "a"), begin3(1<<63+12, "b"), end3(1<<63+15), end3(1<<63+3e9+9)),
			"0:a 0-1000000000, 1:b 1-2", nil, "",
		},
		{
			"version 1, threads mixed, an unknown type",
			&made{append(header(1, 1).begin1(1, 1, 100.5, "a").begin1(1, 2, 100, "x").end1(1, 1, 101).end1(1, 2, 103).b, 6, 0, 3)},
			"0:a 500-1000", loss(model.LossMalformed, 1), "byte 108: an event of the unknown type 6: nothing after it can be read",
		},
		{
			"version 1, a time that is none",
			header(1, 1).begin1(1, 1, 1, "a").end1(1, 1, math.NaN()).begin1(1, 1, 2, "b").end1(1, 1, math.Inf(1)),
			"0:a 0-0, 0:b 1000-1000", loss(model.LossMalformed, 2), "times that are not numbers",
		},
		{
			"version 1, a time beyond all that can be",
			header(1, 1).begin1(1, 1, 1, "a").end1(1, 1, 2).begin1(1, 1, 3, "b").end1(1, 1, 3e16),
			"0:a 0-1000, 0:b 2000-2000", loss(model.LossMalformed, 1), "times that are not numbers",
		},
		{"deep", deep, "", loss(model.LossLimit, 5000-maxDepth), "calls more than 4096 deep are left out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.file.open(t)
			if got := words(s, 0); c.want != "" && got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			n, lines := s.Losses()
			for r := range n {
				if n[r] != c.lost[model.LossReason(r)] {
					t.Errorf("%d lost for reason %d, want %d: %q", n[r], r, c.lost[model.LossReason(r)], lines)
				}
			}
			testkit.That(t, !strings.Contains(strings.Join(lines, "\n"), "last 0 of them"), "%q", lines)
			if c.words != "" && !strings.Contains(strings.Join(lines, "\n"), c.words) {
				t.Errorf("%q, want %q in it", lines, c.words)
			}
		})
	}
	s := deep.open(t)
	if n := s.Track(0).Lanes(); n != maxDepth {
		t.Errorf("%d lanes", n)
	}
}

// TestThreads checks what threads and processes are called.
func TestThreads(t *testing.T) {
	s := header(3, 1).
		buffer(7, 1, named(nameProcess, "game"), named(nameThread, "worker"), begin3(1, "a"), end3(2)).
		buffer(7, 2, named(nameThread, "worker")).buffer(7, 3).buffer(8, 3, named(nameThread, "io\n\xff")).open(t)
	want := []string{"worker (1)/game", "worker (2)/game", "Thread 3/game", "io\uFFFD\uFFFD/process 8"}
	for i, w := range want {
		if tr := s.Track(model.TrackID(i)); tr.Title()+"/"+tr.Def.Process != w {
			t.Errorf("%q of %q, want %q", tr.Title(), tr.Def.Process, w)
		}
	}
	s = header(3, 1).buffer(7, 1, begin3(1, "a"), named(nameProcess, "game"), end3(2)).open(t)
	if info := s.Info(); info.Program != "game" || info.PID != 7 || s.Track(0).Def.Process != "" {
		t.Errorf("%+v, %+v", info, s.Track(0).Def)
	}
}

// TestFrames checks which calls are frames, and that each frame has what happened in it: calls of all
// threads by when they began, and the time of each name alone, to the nanosecond.
func TestFrames(t *testing.T) {
	main := func(m *made, name string) *made {
		return m.buffer(0, 1, begin3(0, "run"), begin3(10, name), begin3(12, name), end3(14), end3(20), begin3(20, name), end3(30),
			begin3(35, name), begin3(36, "x"), end3(40), end3(45), end3(50))
	}
	worker := [][]byte{begin3(5, "w"), begin3(15, "v"), end3(25), begin3(32, "v"), end3(34), end3(47)}
	if s := main(header(3, 1), "step").buffer(0, 2, worker...).open(t); s.HasFrames() {
		t.Error("frames without a name that means frames")
	}
	if s := header(3, 1).buffer(0, 1, begin3(0, "frame"), end3(2)).open(t); s.HasFrames() {
		t.Error("one call is no frames")
	}
	for _, name := range frameNames {
		s := main(header(3, 1).buffer(0, 2, worker...), name).open(t)
		tr := s.Track(s.MainTrack())
		testkit.MustThat(t, tr.NumFrames() == 3 && tr.Def.Index == 1,
			"%d frames of thread %d", tr.NumFrames(), tr.Def.Index)
		if got, want := words(s, tr.Def.ID), "0:run 0-50, 1:N 10-20, 1:N 20-30, 1:N 35-45, 2:N 12-14, 2:x 36-40"; got != strings.ReplaceAll(want, "N", name) {
			t.Error(got)
		}
		if got, want := words(s, 0), "0:w 5-47, 1:v 15-25, 1:v 32-34"; got != want {
			t.Error(got)
		}
		if n, _ := s.Losses(); n[model.LossUnframed] != 3 || n[model.LossNumbers] != 0 {
			t.Errorf("%d calls in no frame, %d frames missing", n[model.LossUnframed], n[model.LossNumbers])
		}
	}
	k := &feedtest.Kept{}
	file := feedtest.File(t, "x.spall", main(header(3, 1).buffer(0, 2, worker...), "tick").b)
	testkit.OK(t, (Source{}).OpenFile(t.Context(), file, k))
	// w and v are collectors 2 and 3, run, tick and x are 4 to 6.
	want := map[string]string{
		"0/0": "[{2 5 0} {3 5 1}]", "0/1": "[{2 5 0} {3 5 0}]", "0/2": "[{2 10 0}]",
		"1/0": "[{4 0 0} {5 10 2}]", "1/1": "[{5 10 1}]", "1/2": "[{5 6 1} {6 4 1}]",
	}
	got := map[string]string{}
	for _, b := range k.Batches {
		if b.HasFrame {
			got[fmt.Sprintf("%d/%d", b.Track, b.Number)] = fmt.Sprint(b.Self)
		}
	}
	for key, w := range want {
		if g := strings.ReplaceAll(strings.ReplaceAll(got[key], "{4 0 0} ", ""), " {4 0 0}", ""); g != strings.ReplaceAll(w, "{4 0 0} ", "") {
			t.Errorf("alone in track/frame %s: %s, want %s", key, got[key], w)
		}
	}
}

// pieces reads a file in pieces.
func pieces(data []byte, size func(i int) int) (*feedtest.Kept, error) {
	k := &feedtest.Kept{}
	each := func(p *parser) error {
		if err := feedtest.Pieces(data, size, p.write); err != nil {
			return err
		}
		return p.close()
	}
	s := newSurvey(nil, "")
	p := parser{header: s.clock.begin, take: s.take, damaged: func(model.LossReason, int64, string) {}}
	if err := each(&p); err != nil {
		return k, err
	}
	s.finish()
	d := newDecoder(s, k, "x")
	p = parser{header: func(uint64, float64) {}, take: d.take, damaged: d.loss.damaged}
	err := each(&p)
	d.close()
	return k, err
}

// TestPieces reads each capture cut in two at many bytes, all in the long form, and byte by byte: it is the same.
func TestPieces(t *testing.T) {
	for _, name := range []string{"game-v3", "game-v1", "broken-event-type", "header-only", "broken-header"} {
		data := recordings.Read(t, recordings.Spall, name+".spall")
		data = data[:min(len(data), 12_000)]
		want, wantErr := pieces(data, feedtest.Steps(len(data)))
		same := func(cut int, size func(int) int) {
			if got, err := pieces(data, size); !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s cut at %d: %v, want %v", name, cut, err, wantErr)
			}
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
	s := feedtest.Open(t, Source{}, path)
	all := s.Track(s.MainTrack()).NumSpans()
	path = feedtest.File(t, "x.spall.gz", zipped[:len(zipped)/2])
	s, err := feedtest.Load(t, Source{}, path)
	n, lines := s.Losses()
	if some := s.Track(0).NumSpans(); err == nil || !strings.HasPrefix(err.Error(), path) || n[model.LossTruncated] == 0 || some == 0 || some >= all {
		t.Errorf("%v, %d of %d spans, %q", err, some, all, lines)
	}
}
