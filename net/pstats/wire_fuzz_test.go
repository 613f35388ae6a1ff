package pstats

import (
	"bytes"
	"testing"
)

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
		if len(defs)*30 > len(payload) {
			t.Errorf("%d definitions from %d bytes", len(defs), len(payload))
		}
		if len(defs) > 0 {
			again := reader{data: AppendCollectorDef(nil, &defs[0])}
			if d, err := again.def(), again.error(); err != nil || d.Name != defs[0].Name {
				t.Errorf("definition %+v does not decode again: %v", defs[0], err)
			}
		}
		first, names, err := DecodeThreads(payload)
		if int(first)+len(names) > 1<<16 || len(names)*2 > len(payload) {
			t.Errorf("%d names from thread %d on, of %d bytes, error %v", len(names), first, len(payload), err)
		}
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
			if len(frame.Events)+len(frame.Levels) != 0 {
				t.Errorf("%d events and %d levels with error %v", len(frame.Events), len(frame.Levels), err)
			}
			return
		}
		if FrameSize(v, len(frame.Events), len(frame.Levels)) > len(payload) {
			t.Fatalf("%d events and %d levels from %d bytes", len(frame.Events), len(frame.Levels), len(payload))
		}
		var again Frame
		encoded := AppendFrame(nil, v, &frame)
		if err := DecodeFrame(encoded, v, &again); err != nil || len(again.Events) != len(frame.Events) || len(again.Levels) != len(frame.Levels) {
			t.Errorf("the frame does not decode again: %v", err)
		}
		if !bytes.Equal(encoded, AppendFrame(nil, v, &again)) {
			t.Error("encoding differs the second time")
		}
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
		if len(got) != len(want) {
			t.Fatalf("%d messages in chunks of %d, %d at once", len(got), size, len(want))
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("message %d differs", i)
			}
		}
		if len(parts.buf) > 2*len(stream)+2*minBuffer {
			t.Errorf("buffer of %d for %d bytes", len(parts.buf), len(stream))
		}
	})
}
