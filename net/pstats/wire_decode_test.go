package pstats

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
)

func TestFrameCountsAreCheckedBeforeAllocating(t *testing.T) {
	for _, tt := range []struct {
		v      Version
		dump   string
		reason string
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
		if n := testing.AllocsPerRun(1, func() { err = DecodeFrame(payload, tt.v, &f) }); n > 20 {
			t.Errorf("%s: %v allocations", tt.dump, n)
		}
		if err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s: error %v, want one with %q", tt.dump, err, tt.reason)
		}
		if len(f.Events)+len(f.Levels) != 0 || cap(f.Events) > 8 || cap(f.Levels) > 8 {
			t.Errorf("%s: frame holds %d events, %d levels", tt.dump, cap(f.Events), cap(f.Levels))
		}
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
	if n := testing.AllocsPerRun(100, func() { DecodeFrame(payload, Newest(), &f) }); n != 0 {
		t.Errorf("%v allocations a frame, want 0", n)
	}
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
	if err == nil || cmp.Diff([]string{"a"}, names) != "" {
		t.Errorf("a cut name: names %q, error %v", names, err)
	}
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
		if d := cmp.Diff(defs[:len(defs):len(defs)], append([]CollectorDef{}, got...)); err != nil || d != "" {
			t.Fatalf("collectors: %v\n%s", err, d)
		}
		f := Frame{
			Thread: rapid.Uint16().Draw(t, "thread"), Number: rapid.Uint32().Draw(t, "number"),
			Events: rapid.SliceOf(rapid.Custom(func(t *rapid.T) Event { return Event{rapid.Uint16().Draw(t, "word"), f32.Draw(t, "time")} })).Draw(t, "events"),
			Levels: rapid.SliceOf(rapid.Custom(func(t *rapid.T) Level { return Level{rapid.Uint16().Draw(t, "collector"), f32.Draw(t, "value")} })).Draw(t, "levels"),
		}
		v := version.Draw(t, "version")
		back := Frame{Events: []Event{}, Levels: []Level{}}
		err = DecodeFrame(AppendFrame(nil, v, &f), v, &back)
		if d := cmp.Diff(f, back); err != nil || d != "" {
			t.Fatalf("frame of %v: %v\n%s", v, err, d)
		}
	})
}
