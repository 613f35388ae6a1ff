package pstats

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
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
		f.Add(AppendShortTCP(nil, s), uint16(1))
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
