package pstats

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
)

// bytesOf turns a dump into bytes. Everything from a '|' to the end of the line is a remark.
func bytesOf(t testing.TB, dump string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(dump) {
		line, _, _ = strings.Cut(line, "|")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b := testkit.Must(hex.DecodeString(digits.String()))(t)
	return b
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
	if !ok || err != nil || s.Pending() != 0 {
		t.Fatalf("the dump is not one message: ok %v, error %v, %d bytes left", ok, err, s.Pending())
	}
	return payload
}

func check[T any](t *testing.T, got, want T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
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
		if err == nil {
			t.Fatalf("cut at %d: no error", cut)
		}
		if d := cmp.Diff(want[:len(got)], got); d != "" {
			t.Fatalf("cut at %d (-want +got)\n%s", cut, d)
		}
	}
	if len(got) != 2 {
		t.Errorf("one byte short of three definitions: %d decoded, want 2", len(got))
	}
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
	if !ok {
		t.Fatal("the checksum of the 3.0 datagram is refused")
	}
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
