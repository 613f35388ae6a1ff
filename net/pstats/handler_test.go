package pstats

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
)

// heard is a handler that writes down what it is called with.
type heard []string

func (c *heard) Hello(h ClientHello)            { *c = append(*c, fmt.Sprint("hello ", h.PID)) }
func (c *heard) Collectors(defs []CollectorDef) { *c = append(*c, "collectors "+defs[0].Name) }
func (c *heard) Threads(first int, names []string) {
	*c = append(*c, fmt.Sprint("threads ", first, names))
}
func (c *heard) Expire(thread int)         { *c = append(*c, fmt.Sprint("expire ", thread)) }
func (c *heard) Frame(f *Frame, bytes int) { *c = append(*c, fmt.Sprint("frame ", f.Number, bytes)) }
func (c *heard) Lost(l model.Loss)         { *c = append(*c, fmt.Sprint("lost ", l.N, " ", l.Detail)) }
func (c *heard) Close(reason string)       { *c = append(*c, "close "+reason) }

func TestTee(t *testing.T) {
	a, b := new(heard), new(heard)
	h := Tee(a, nil, b)
	h.Hello(ClientHello{PID: 1})
	h.Collectors([]CollectorDef{{Name: "Frame"}})
	h.Threads(3, []string{"x"})
	h.Expire(3)
	h.Frame(&Frame{Number: 9}, 15)
	h.Lost(model.Loss{Reason: 1, N: 2, Detail: "d"})
	h.Close("end")
	want := &heard{"hello 1", "collectors Frame", "threads 3 [x]", "expire 3", "frame 9 15", "lost 2 d", "close end"}
	for _, got := range []*heard{a, b} {
		testkit.That(t, reflect.DeepEqual(got, want), "got %q, want %q", *got, *want)
	}
	testkit.That(t, Tee(a, nil) == Handler(a), "a tee of one is not the one")
}

// What ran before a frame is started before it, unless all of it stops in the frame: then the stops tell.
func TestInherit(t *testing.T) {
	const stop = StopBit
	words := func(w ...uint16) (events []Event) {
		for _, x := range w {
			events = append(events, Event{Word: x, Time: 2})
		}
		return events
	}
	for name, x := range map[string]struct{ frame, running, want []uint16 }{
		"nothing ran":           {[]uint16{0, 1, 1 | stop, stop}, nil, []uint16{0, 1, 1 | stop, stop}},
		"one runs on":           {[]uint16{0, 1, 1 | stop, stop}, []uint16{5, 6}, []uint16{5, 6, 0, 1, 1 | stop, stop}},
		"one of them stops":     {[]uint16{0, 6 | stop, stop}, []uint16{5, 6}, []uint16{5, 6, 0, 6 | stop, stop}},
		"one stops, and starts": {[]uint16{0, 6 | stop, 6, stop}, []uint16{6}, []uint16{0, 6 | stop, 6, stop}},
		"one of two stops":      {[]uint16{0, 6 | stop, stop}, []uint16{6, 6}, []uint16{6, 6, 0, 6 | stop, stop}},
		"no start of a frame":   {[]uint16{1, 0, 1 | stop, stop}, []uint16{5}, []uint16{1, 0, 1 | stop, stop}},
	} {
		f := Frame{Events: words(x.frame...)}
		got := Inherit(&f, x.running)
		testkit.That(t, slices.Equal(got, words(x.want...)), "%s: %v", name, got)
		f.Events = got
		again := Inherit(&f, x.running)
		testkit.That(t, len(got) == len(x.frame) || slices.Equal(again, got), "%s: written twice %v", name, again)
	}
}

// drain returns copies of all payloads that s holds.
func drain(t testing.TB, s *Scanner) (payloads [][]byte) {
	t.Helper()
	for {
		p, ok, err := s.Next()
		testkit.OK(t, err)
		if !ok {
			return payloads
		}
		payloads = append(payloads, bytes.Clone(p))
	}
}

// inChunks returns copies of the payloads of a stream that comes in chunks of a size.
func inChunks(t testing.TB, s *Scanner, stream []byte, size int) (payloads [][]byte) {
	t.Helper()
	for chunk := range slices.Chunk(stream, size) {
		s.Write(chunk)
		payloads = append(payloads, drain(t, s)...)
	}
	return payloads
}

func TestScannerInAnyChunking(t *testing.T) {
	hello := AppendClientHello(nil, ClientHello{"pc", "demo", Version{3, 2}, 1})
	want := [][]byte{hello}
	for i := range 100 {
		want = append(want, AppendFrame(nil, Newest(), &Frame{Number: uint32(i), Events: make([]Event, i)}))
	}
	want = append(want, []byte{}, AppendExpire(nil, 1))
	for _, frame := range []func(dst, payload []byte) []byte{AppendTCP, AppendShortTCP} {
		var stream []byte
		for _, p := range want {
			stream = frame(stream, p)
		}
		for _, chunk := range []int{1, 2, 3, 7, 1460, len(stream)} {
			var s Scanner
			if got := inChunks(t, &s, stream, chunk); !slices.EqualFunc(want, got, bytes.Equal) {
				t.Fatalf("chunks of %d (-want +got)\n%s", chunk, cmp.Diff(want, got))
			}
			testkit.That(t, s.Pending() == 0, "chunks of %d: %d bytes left over", chunk, s.Pending())
		}
	}
}

func TestScannerRecognisesShortFraming(t *testing.T) {
	for _, tt := range []struct {
		stream []byte
		short  bool
	}{
		{AppendShortTCP(nil, AppendClientHello(nil, ClientHello{Version: Version{2, 1}, PID: -1})), true},
		{AppendShortTCP(nil, AppendClientHello(nil, ClientHello{Host: "h", Program: "p", Version: Version{1, 0}})), true},
		{AppendTCP(nil, AppendClientHello(nil, ClientHello{Version: Version{3, 0}, PID: -1})), false},
		{AppendTCP(nil, AppendThreads(nil, 0, []string{"Main"})), false},
	} {
		var s Scanner
		s.Write(tt.stream)
		if got := len(drain(t, &s)); got != 1 || s.Short() != tt.short {
			t.Errorf("% x: %d messages, short %v; want 1, %v", tt.stream, got, s.Short(), tt.short)
		}
	}
}

func TestScannerMemoryFollowsReceivedBytes(t *testing.T) {
	var s Scanner
	s.Write([]byte{0, 0, 0, 0x0f, 2}) // announces 240 MiB
	n, typ, ok := s.Peek()
	testkit.That(t, n == 0x0f000000 && typ == 2 && ok, "Peek: %d bytes of type %d, %v", n, typ, ok)
	chunk := make([]byte, 100<<10)
	for received := 5; received < 20<<20; received += len(chunk) {
		_, ok, err := s.Next()
		testkit.MustThat(t, !ok && err == nil, "%v %v", ok, err)
		have, limit := len(s.buf), 2*received+2*minBuffer
		testkit.MustThat(t, have <= limit, "%d bytes received, buffer of %d", received, have)
		s.Write(chunk)
	}
}

func TestScannerRefusesTooLongForEver(t *testing.T) {
	s := Scanner{MaxMessage: 10}
	s.Write(AppendTCP(nil, make([]byte, 10)))
	got := drain(t, &s)
	testkit.MustThat(t, len(got) == 1, "a message of just the allowed length: %d", len(got))
	s.Write(AppendTCP(AppendTCP(nil, make([]byte, 11)), nil))
	for range 2 {
		_, ok, err := s.Next()
		testkit.MustThat(t, !ok && err != nil, "a message beyond the allowed length: ok %v, error %v", ok, err)
	}
}

// What is too long is left out, in any chunking, without room being made for it.
func TestScannerSkips(t *testing.T) {
	var stream []byte
	var want [][]byte
	for i, n := range []int{5, 1001, 0, 3000, 1000, 1 << 18, 7, 2000} {
		p := bytes.Repeat([]byte{byte(i)}, n)
		if stream = AppendTCP(stream, p); n <= 1000 {
			want = append(want, p)
		}
	}
	for _, chunk := range []int{1, 2, 3, 7, 1460, len(stream)} {
		var skipped []int64
		s := Scanner{MaxMessage: 1000, Skipped: func(n int64, typ byte) { skipped = append(skipped, n, int64(typ)) }}
		if got := inChunks(t, &s, stream, chunk); !slices.EqualFunc(want, got, bytes.Equal) {
			t.Errorf("chunks of %d (-want +got)\n%s", chunk, cmp.Diff(want, got))
		}
		testkit.EqualSlices(t, skipped, []int64{1001, 1, 3000, 3, 1 << 18, 5, 2000, 7}, "chunks of %d: skipped", chunk)
		testkit.That(t, s.Pending() == 0 && (chunk >= 2000 || s.Size() <= minBuffer),
			"chunks of %d: %d bytes left over, %d kept", chunk, s.Pending(), s.Size())
	}
	n := 0
	s := Scanner{Skipped: func(int64, byte) { n++ }}
	s.Write([]byte{0, 0, 0x20, 0, TypeFrame}) // 2 MiB
	s.Write(make([]byte, 1<<20-4))
	s.Advance(copy(s.Space(), make([]byte, 4)))
	s.busy = true // the last read filled the room
	testkit.That(t, s.Partial() && s.Drop() && !s.Partial() && !s.Drop() && s.Size() == 0, "it is not dropped")
	testkit.MustThat(t, len(s.Space()) >= minSpace, "there is no room to read into")
	s.Write(AppendTCP(make([]byte, 1<<20-1), []byte("next")))
	got := drain(t, &s)
	testkit.That(t, len(got) == 1 && string(got[0]) == "next" && n == 1, "%q, %d left out", got, n)
}

func TestScannerGivesMemoryBack(t *testing.T) {
	var s Scanner
	big := AppendTCP(nil, make([]byte, 8<<20))
	s.Write(big)
	testkit.MustThat(t, len(drain(t, &s)) == 1 && len(s.buf) >= len(big), "the large message did not come")
	small := AppendTCP(nil, make([]byte, 100))
	for range 2 * shrinkAfter {
		s.Write(small)
		testkit.MustThat(t, len(drain(t, &s)) == 1, "a small message did not come")
	}
	testkit.That(t, len(s.buf) == minBuffer,
		"buffer of %d bytes after many small messages, want %d", len(s.buf), minBuffer)
	testkit.Equal(t, testing.AllocsPerRun(1000, func() { s.Write(small); s.Next() }), 0, "allocations a message")
}
