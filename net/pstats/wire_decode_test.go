package pstats

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
)

func TestFrameCountsAreCheckedBeforeAllocating(t *testing.T) {
	for _, tt := range []struct {
		v            Version
		dump, reason string
	}{
		{Version{3, 2}, `00 0000 05000000 ffffffff`, "4294967295 events announced, but 0 bytes hold 0 at most"},
		{Version{3, 2}, `00 0000 05000000 00000000 abaaaa2a 010000000000`, "715827883 levels announced, but 6 bytes hold 1 at most"}, // ·6 wraps in 32 bits
		{Version{3, 0}, `00 0000 05000000 ffff 0000 00000000`, "65535 events announced, but 6 bytes hold 1 at most"},
		{Version{3, 0}, `00 0000 05000000 0000`, "the number of levels needs 2 bytes, 0 remain"},
		{Version{3, 0}, `00 0000 050000`, "thread and frame number need 6 bytes, 5 remain"},
		{Version{3, 0}, ``, "empty"},
		{Version{3, 0}, `07 0000 05000000 0000 0000`, "message type is 7, not 0"},
	} {
		payload := bytesOf(t, tt.dump)
		f := Frame{Events: make([]Event, 3), Levels: make([]Level, 3)}
		var err error
		n := testing.AllocsPerRun(1, func() { err = DecodeFrame(payload, tt.v, &f) })
		testkit.That(t, n <= 20, "%s: %v allocations", tt.dump, n)
		testkit.That(t, err != nil && strings.Contains(err.Error(), tt.reason),
			"%s: error %v, want one with %q", tt.dump, err, tt.reason)
		testkit.That(t, len(f.Events)+len(f.Levels) == 0 && cap(f.Events) <= 8 && cap(f.Levels) <= 8,
			"%s: frame holds %d events, %d levels", tt.dump, cap(f.Events), cap(f.Levels))
	}
}

func TestFrameTrailingBytesAndNaN(t *testing.T) {
	want := Frame{Thread: 65535, Number: 1<<32 - 1, Events: []Event{{StopBit, float32(math.Inf(-1))}}, Levels: []Level{{65535, -0}}}
	payload := AppendFrame(nil, Newest(), &want)
	var got Frame
	err := DecodeFrame(append(payload, 1, 2, 3), Newest(), &got)
	check(t, got, want, err)

	nan := Frame{Events: []Event{{1, float32(math.NaN())}}}
	if err := DecodeFrame(AppendFrame(nil, Newest(), &nan), Newest(), &got); err != nil || !math.IsNaN(float64(got.Events[0].Time)) {
		t.Errorf("NaN: %v, %v", got, err)
	}
}

func TestDecodeFrameReusesSlices(t *testing.T) {
	payload := AppendFrame(nil, Newest(), dumpedFrame())
	var f Frame
	testkit.OK(t, DecodeFrame(payload, Newest(), &f))
	testkit.Equal(t, testing.AllocsPerRun(100, func() { DecodeFrame(payload, Newest(), &f) }), 0, "allocations a frame")
}

func TestStrings(t *testing.T) {
	for in, want := range map[string]string{
		"Wörk":             "Wörk",
		"W\xf6rk \xa9":     "Wörk ©", // Latin-1
		"a\x00b\n\x1b[31m": "a\x00b\n\x1b[31m",
		"":                 "",
	} {
		payload := AppendThreads(nil, 7, []string{in})
		first, names, err := DecodeThreads(payload)
		check(t, names, []string{want}, err)
		check(t, first, 7, nil)
	}
	// A string that is too long is cut where a character begins.
	got := AppendString(nil, strings.Repeat("a", 65534)+"é")
	check(t, len(got), 2+65534, nil)
	check(t, len(AppendString(nil, strings.Repeat("a", 65535))), 2+65535, nil)
}

func TestDecodeThreadsHostile(t *testing.T) {
	if _, names, err := DecodeThreads(bytesOf(t, `03 0000 ffff 0000`)); err == nil || names != nil {
		t.Errorf("65535 names in two bytes: %d names, error %v", len(names), err)
	}
	if _, _, err := DecodeThreads(bytesOf(t, `03 ffff 0200 0000 0000`)); err == nil {
		t.Error("threads 65535 and 65536: no error")
	}
	first, names, err := DecodeThreads(bytesOf(t, `03 ffff 0100 0100 61`))
	check(t, names, []string{"a"}, err)
	check(t, first, 65535, nil)
	_, names, err = DecodeThreads(bytesOf(t, `03 0000 0200 0100 61 0500 62`))
	testkit.That(t, err != nil && cmp.Diff([]string{"a"}, names) == "", "a cut name: names %q, error %v", names, err)
}

func TestErrorsNameMessageOffsetReason(t *testing.T) {
	_, err := DecodeClientHello(bytesOf(t, `01 0200 7063 ff00 64`))
	check(t, err.Error(), "pstats: client hello: offset 5: cut off: program name is 255 bytes long, 1 remain", nil)
	_, err = DecodeExpire(bytesOf(t, `04 01`))
	check(t, err.Error(), "pstats: expire thread: offset 1: cut off: thread index needs 2 bytes, 1 remain", nil)
	_, err = DecodeServerHello(bytesOf(t, `02`))
	check(t, err.Error(), "pstats: server hello: offset 0: message type is 2, not 1", nil)
}

// Whatever is encoded decodes to itself.
func TestRoundTrip(t *testing.T) {
	version := rapid.SampledFrom([]Version{{2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}, {3, 7}})
	text := rapid.StringN(0, 40, -1)
	f32 := rapid.Float32()
	rapid.Check(t, func(t *rapid.T) {
		hello := ClientHello{text.Draw(t, "host"), text.Draw(t, "program"), version.Draw(t, "version"), rapid.Int64Range(-1, 1<<32-1).Draw(t, "pid")}
		if got, err := DecodeClientHello(AppendClientHello(nil, hello)); err != nil || got != hello {
			t.Fatalf("hello %v came back as %v, %v", hello, got, err)
		}
		defs := rapid.SliceOf(rapid.Custom(func(t *rapid.T) CollectorDef {
			return CollectorDef{
				Index: rapid.Int16().Draw(t, "index"), Name: text.Draw(t, "name"), Parent: rapid.Int16().Draw(t, "parent"),
				R: f32.Draw(t, "r"), G: f32.Draw(t, "g"), B: f32.Draw(t, "b"), Sort: rapid.Int16().Draw(t, "sort"),
				Units: text.Draw(t, "units"), Scale: f32.Draw(t, "scale"), Factor: f32.Draw(t, "factor"),
			}
		})).Draw(t, "defs")
		var got []CollectorDef
		err := DecodeCollectors(AppendCollectors(nil, defs), func(d CollectorDef) { got = append(got, d) })
		d := cmp.Diff(defs[:len(defs):len(defs)], append([]CollectorDef{}, got...))
		testkit.MustThat(t, err == nil && d == "", "collectors: %v\n%s", err, d)
		f := Frame{
			Thread: rapid.Uint16().Draw(t, "thread"), Number: rapid.Uint32().Draw(t, "number"),
			Events: rapid.SliceOf(rapid.Custom(func(t *rapid.T) Event { return Event{rapid.Uint16().Draw(t, "word"), f32.Draw(t, "time")} })).Draw(t, "events"),
			Levels: rapid.SliceOf(rapid.Custom(func(t *rapid.T) Level { return Level{rapid.Uint16().Draw(t, "collector"), f32.Draw(t, "value")} })).Draw(t, "levels"),
		}
		v := version.Draw(t, "version")
		back := Frame{Events: []Event{}, Levels: []Level{}}
		err = DecodeFrame(AppendFrame(nil, v, &f), v, &back)
		d = cmp.Diff(f, back)
		testkit.MustThat(t, err == nil && d == "", "frame of %v: %v\n%s", v, err, d)
	})
}

// bytesOf turns a dump into bytes. Everything from a '|' to the end of the line is a remark.
func bytesOf(t testing.TB, dump string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(dump) {
		line, _, _ = strings.Cut(line, "|")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return testkit.Must(hex.DecodeString(digits.String()))(t)
}

// The constructed dumps of PROTOCOL.md, sections 3.2 to 3.7.
const (
	dumpServerHello = `
		14 00 00 00                      | length 20
		01                               | type hello
		06 00 76 69 65 77 65 72          | "viewer"
		07 00 47 6f 53 74 61 74 73       | "GoStats"
		42 14                            | 5186`
	dumpHello32    = `13 00 00 00  01  02 00 70 63  04 00 64 65 6d 6f  03 00 02 00  d2 04 00 00`
	dumpHello30    = `0f 00 00 00  01  02 00 70 63  04 00 64 65 6d 6f  03 00 00 00`
	dumpCollectors = `
		6a 00 00 00                                   | length 106
		02 03 00                                      | type 2, 3 definitions
		00 00 05 00 46 72 61 6d 65 00 00              | index 0 "Frame" parent 0
		   00 00 00 3f 00 00 00 3f 00 00 00 3f        | .5 .5 .5
		   00 00 00 00 00 00 00 00 00 00 80 3f        | sort 0, units "", scale 0, factor 1
		01 00 03 00 41 70 70 00 00                    | index 1 "App" parent 0
		   00 00 00 00 00 00 80 3e 00 00 40 3f        | 0 .25 .75
		   0a 00 00 00 00 00 00 3d 00 00 80 3f        | sort 10, units "", scale .03125, factor 1
		02 00 04 00 54 72 69 73 00 00                 | index 2 "Tris" parent 0
		   00 00 00 00 00 00 00 00 00 00 00 00        | black
		   ff ff 01 00 4b 00 00 20 41 6f 12 83 3a     | sort -1, units "K", scale 10, factor .001`
	dumpThreads = `10 00 00 00  03  00 00  02 00  04 00 4d 61 69 6e  03 00 47 50 55`
	dumpExpire  = `03 00 00 00 04 01 00`
	dumpFrame32 = `
		2d 00 00 00                        | length 45
		00  00 00  05 00 00 00             | type, thread 0, frame 5
		04 00 00 00                        | 4 events (u32)
		00 00  00 00 80 3f                 | start 0   1.0
		01 00  00 00 a0 3f                 | start 1   1.25
		01 80  00 00 c0 3f                 | stop  1   1.5
		00 80  00 00 00 40                 | stop  0   2.0
		01 00 00 00                        | 1 level (u32)
		02 00  00 00 20 40                 | level 2 = 2.5`
	dumpFrame30UDP = `
		4b 04  00 00 00 05 00 00 00  04 00  00 00 00 00 80 3f  01 00 00 00 a0 3f
		       01 80 00 00 c0 3f  00 80 00 00 00 40  01 00  02 00 00 00 20 40`
)

func dumpedFrame() *Frame {
	return &Frame{
		Thread: 0, Number: 5,
		Events: []Event{{0, 1}, {1, 1.25}, {1 | StopBit, 1.5}, {0 | StopBit, 2}},
		Levels: []Level{{2, 2.5}},
	}
}

// payloadOf takes the one message out of a TCP dump.
func payloadOf(t testing.TB, dump string) []byte {
	t.Helper()
	var s Scanner
	s.Write(bytesOf(t, dump))
	payload, ok, err := s.Next()
	testkit.MustThat(t, ok && err == nil && s.Pending() == 0,
		"the dump is not one message: ok %v, error %v, %d bytes left", ok, err, s.Pending())
	return payload
}

func check[T any](t *testing.T, got, want T, err error) {
	t.Helper()
	testkit.OK(t, err)
	testkit.NoDiff(t, cmp.Diff(want, got), "(-want +got)")
}

func checkDump(t *testing.T, payload []byte, dump string) {
	t.Helper()
	check(t, hex.EncodeToString(AppendTCP(nil, payload)), hex.EncodeToString(bytesOf(t, dump)), nil)
}

func TestServerHelloDump(t *testing.T) {
	want := ServerHello{"viewer", "GoStats", 5186}
	got, err := DecodeServerHello(payloadOf(t, dumpServerHello))
	check(t, got, want, err)
	checkDump(t, AppendServerHello(nil, want), dumpServerHello)
}

func TestClientHelloDumps(t *testing.T) {
	for dump, want := range map[string]ClientHello{
		dumpHello32: {"pc", "demo", Version{3, 2}, 1234},
		dumpHello30: {"pc", "demo", Version{3, 0}, -1},
		`0b 00 00 00  01  02 00 70 63  04 00 64 65 6d 6f`: {"pc", "demo", Version{1, 0}, -1},
	} {
		got, err := DecodeClientHello(payloadOf(t, dump))
		check(t, got, want, err)
		checkDump(t, AppendClientHello(nil, want), dump)
	}
	// Three bytes behind the version are no process id; what follows one is ignored.
	got, err := DecodeClientHello(append(payloadOf(t, dumpHello30), 1, 2, 3))
	check(t, got, ClientHello{"pc", "demo", Version{3, 0}, -1}, err)
	got, err = DecodeClientHello(append(payloadOf(t, dumpHello32), 9, 9))
	check(t, got, ClientHello{"pc", "demo", Version{3, 2}, 1234}, err)
}

func TestCollectorsDump(t *testing.T) {
	want := []CollectorDef{
		{Index: 0, Name: "Frame", R: .5, G: .5, B: .5, Factor: 1},
		{Index: 1, Name: "App", G: .25, B: .75, Sort: 10, Scale: .03125, Factor: 1},
		{Index: 2, Name: "Tris", Sort: -1, Units: "K", Scale: 10, Factor: .001},
	}
	payload := payloadOf(t, dumpCollectors)
	var got []CollectorDef
	err := DecodeCollectors(payload, func(d CollectorDef) { got = append(got, d) })
	check(t, got, want, err)
	checkDump(t, AppendCollectors(nil, want), dumpCollectors)

	// What came before a cut is kept, wherever the cut is.
	for cut := range payload {
		got = got[:0]
		err := DecodeCollectors(payload[:cut], func(d CollectorDef) { got = append(got, d) })
		testkit.MustThat(t, err != nil, "cut at %d: no error", cut)
		testkit.MustNoDiff(t, cmp.Diff(want[:len(got)], got), "cut at %d (-want +got)", cut)
	}
	testkit.That(t, len(got) == 2, "one byte short of three definitions: %d decoded, want 2", len(got))
}

func TestThreadsAndExpireDumps(t *testing.T) {
	first, names, err := DecodeThreads(payloadOf(t, dumpThreads))
	check(t, names, []string{"Main", "GPU"}, err)
	check(t, first, 0, nil)
	checkDump(t, AppendThreads(nil, 0, names), dumpThreads)

	thread, err := DecodeExpire(payloadOf(t, dumpExpire))
	check(t, thread, 1, err)
	checkDump(t, AppendExpire(nil, 1), dumpExpire)
}

func TestFrameDumps(t *testing.T) {
	want := dumpedFrame()
	var got Frame
	err := DecodeFrame(payloadOf(t, dumpFrame32), Version{3, 2}, &got)
	check(t, &got, want, err)
	payload32 := AppendFrame(nil, Version{3, 2}, want)
	checkDump(t, payload32, dumpFrame32)
	check(t, Checksum(payload32), 0x044b, nil)

	payload30, ok := CheckUDP(bytesOf(t, dumpFrame30UDP))
	testkit.MustThat(t, ok, "the checksum of the 3.0 datagram is refused")
	for _, v := range []Version{{3, 0}, {3, 1}, {2, 1}} {
		err = DecodeFrame(payload30, v, &got)
		check(t, &got, want, err)
	}
	datagram := AppendUDP(nil, AppendFrame(nil, Version{3, 0}, want))
	check(t, hex.EncodeToString(datagram), hex.EncodeToString(bytesOf(t, dumpFrame30UDP)), nil)

	// Before 2.1 there is no type byte.
	for _, v := range []Version{{1, 0}, {2, 0}} {
		err = DecodeFrame(payload30[1:], v, &got)
		check(t, &got, want, err)
		check(t, AppendFrame(nil, v, want), payload30[1:], nil)
	}
	for _, v := range []Version{{2, 0}, {3, 0}, {3, 2}} {
		check(t, FrameSize(v, 4, 1), len(AppendFrame(nil, v, want)), nil)
	}
}

func TestChecksum(t *testing.T) {
	ff := make([]byte, 300)
	for i := range ff {
		ff[i] = 0xff
	}
	check(t, Checksum(ff), 0x2ad4, nil) // wraps: 76500
	check(t, Checksum(nil), 0, nil)
	check(t, hex.EncodeToString(AppendUDP(nil, ff)[:2]), "d42a", nil)
	for _, tt := range []struct {
		datagram string
		ok       bool
	}{{"", false}, {"00", false}, {"0000", true}, {"0100", false}, {"010001", true}, {"020001", false}} {
		b, _ := hex.DecodeString(tt.datagram)
		if payload, ok := CheckUDP(b); ok != tt.ok || ok && len(payload) != len(b)-2 {
			t.Errorf("datagram %q: payload %x, ok %v; want ok %v", tt.datagram, payload, ok, tt.ok)
		}
	}
}

func seeds(t testing.TB) [][]byte {
	return [][]byte{
		payloadOf(t, dumpServerHello), payloadOf(t, dumpHello32), payloadOf(t, dumpHello30), payloadOf(t, dumpCollectors),
		payloadOf(t, dumpThreads), payloadOf(t, dumpExpire), payloadOf(t, dumpFrame32),
		AppendThreads(nil, 65535, []string{"\xff"}), {TypeCollectors, 0xff, 0xff}, {TypeThreads, 0, 0, 0xff, 0xff}, {},
	}
}

// FuzzControl decodes control messages; what decodes must encode and decode to the same again.
func FuzzControl(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if h, err := DecodeClientHello(payload); err == nil {
			if again, err := DecodeClientHello(AppendClientHello(nil, h)); len(h.Host) < 1<<15 && len(h.Program) < 1<<15 && h.Version.HasVersionInHello() && (err != nil || again != h) {
				t.Errorf("client hello %+v came back as %+v, %v", h, again, err)
			}
		}
		if h, err := DecodeServerHello(payload); err == nil {
			if again, err := DecodeServerHello(AppendServerHello(nil, h)); len(h.Host) < 1<<15 && len(h.Program) < 1<<15 && (err != nil || again != h) {
				t.Errorf("server hello %+v came back as %+v, %v", h, again, err)
			}
		}
		var defs []CollectorDef
		DecodeCollectors(payload, func(d CollectorDef) { defs = append(defs, d) })
		testkit.That(t, len(defs)*30 <= len(payload), "%d definitions from %d bytes", len(defs), len(payload))
		if len(defs) > 0 {
			again := reader{data: AppendCollectorDef(nil, &defs[0])}
			if d, err := again.def(), again.error(); err != nil || d.Name != defs[0].Name {
				t.Errorf("definition %+v does not decode again: %v", defs[0], err)
			}
		}
		first, names, err := DecodeThreads(payload)
		testkit.That(t, int(first)+len(names) <= 1<<16 && len(names)*2 <= len(payload),
			"%d names from thread %d on, of %d bytes, error %v", len(names), first, len(payload), err)
		if thread, err := DecodeExpire(payload); err == nil && !bytes.HasPrefix(payload, AppendExpire(nil, int(thread))) {
			t.Errorf("expire %d from % x", thread, payload)
		}
	})
}

// FuzzFrame decodes frames of each layout; what decodes must encode to the same bytes again.
func FuzzFrame(f *testing.F) {
	for _, s := range seeds(f) {
		for minor := range byte(4) {
			f.Add(s, minor)
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte, kind byte) {
		v := []Version{{2, 0}, {2, 1}, {3, 0}, {3, 2}}[kind%4]
		var frame Frame
		if err := DecodeFrame(payload, v, &frame); err != nil {
			testkit.That(t, len(frame.Events)+len(frame.Levels) == 0,
				"%d events and %d levels with error %v", len(frame.Events), len(frame.Levels), err)
			return
		}
		testkit.MustThat(t, FrameSize(v, len(frame.Events), len(frame.Levels)) <= len(payload),
			"%d events and %d levels from %d bytes", len(frame.Events), len(frame.Levels), len(payload))
		var again Frame
		encoded := AppendFrame(nil, v, &frame)
		if err := DecodeFrame(encoded, v, &again); err != nil || len(again.Events) != len(frame.Events) || len(again.Levels) != len(frame.Levels) {
			t.Errorf("the frame does not decode again: %v", err)
		}
		testkit.That(t, bytes.Equal(encoded, AppendFrame(nil, v, &again)), "encoding differs the second time")
	})
}

// FuzzStream cuts a stream into messages in two different chunkings and wants the same messages.
func FuzzStream(f *testing.F) {
	var all []byte
	for _, s := range seeds(f) {
		f.Add(AppendTCP(nil, s), uint16(3))
		f.Add(appendShortTCP(nil, s), uint16(1))
		all = AppendTCP(all, s)
	}
	f.Add(all, uint16(7))
	f.Add(bytes.Repeat(all, 50), uint16(1460))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), uint16(2))
	f.Fuzz(func(t *testing.T, stream []byte, chunk uint16) {
		const limit = 1 << 20
		whole, parts := Scanner{MaxMessage: limit}, Scanner{MaxMessage: limit}
		whole.Write(stream)
		var want, got [][]byte
		take := func(s *Scanner, to *[][]byte) bool {
			for {
				p, ok, err := s.Next()
				if err != nil {
					return false
				}
				if !ok {
					return true
				}
				*to = append(*to, bytes.Clone(p))
			}
		}
		take(&whole, &want)
		size := int(chunk) + 1
		for at := 0; at < len(stream); at += size {
			parts.Write(stream[at:min(at+size, len(stream))])
			parts.Peek()
			if !take(&parts, &got) {
				break
			}
		}
		testkit.MustThat(t, len(got) == len(want), "%d messages in chunks of %d, %d at once", len(got), size, len(want))
		for i := range got {
			testkit.MustThat(t, bytes.Equal(got[i], want[i]), "message %d differs", i)
		}
		testkit.That(t, len(parts.buf) <= 2*len(stream)+2*minBuffer,
			"buffer of %d for %d bytes", len(parts.buf), len(stream))
	})
}

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
	for _, frame := range []func(dst, payload []byte) []byte{AppendTCP, appendShortTCP} {
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
		{appendShortTCP(nil, AppendClientHello(nil, ClientHello{Version: Version{2, 1}, PID: -1})), true},
		{appendShortTCP(nil, AppendClientHello(nil, ClientHello{Host: "h", Program: "p", Version: Version{1, 0}})), true},
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

// appendShortTCP appends a payload with the 16-bit length of versions before 3.0 (PROTOCOL.md, section 1.1).
func appendShortTCP(dst, payload []byte) []byte {
	return append(le.AppendUint16(dst, uint16(len(payload))), payload...)
}
