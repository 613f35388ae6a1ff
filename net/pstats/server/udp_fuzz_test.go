package server

import (
	"net/netip"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats"
)

// fuzzConn is a connection without sockets.
func fuzzConn(handler *recording) *conn {
	s := &Server{cfg: Config{
		Log:        func(string) {},
		NewSession: func(SessionInfo) pstats.Handler { return handler },
	}}
	s.started, s.seats.Max, s.silent.log = time.Now(), 1, s.cfg.Log
	c := newConn(s, 1, nil, netip.MustParseAddrPort("127.0.0.1:4000"))
	c.seat = s.seats.Take(func(string) {})
	return c
}

// end is the end of a connection without sockets.
func (c *conn) end() { c.finish("end") }

// sound fails when a handler was given something that no handler may be given.
func sound(t *testing.T, r *recording, received int) {
	t.Helper()
	points := 0
	for _, f := range r.frames {
		points += len(f.Events) + len(f.Levels)
	}
	testkit.That(t, points*6 <= received && len(r.defs)*30 <= received && len(r.frames)*8 <= received,
		"%d points, %d definitions and %d frames from %d bytes", points, len(r.defs), len(r.frames), received)
	for thread := range r.threads {
		testkit.That(t, thread >= 0 && thread <= 65535, "thread %d", thread)
	}
}

// FuzzUDP gives a connection the same datagram from the client before and after the hello, from the
// client with the right checksum, and from a stranger. Each one is a frame, or counted as lost, or
// empty.
func FuzzUDP(f *testing.F) {
	versions := []pstats.Version{{Major: 1}, {Major: 2, Minor: 1}, {Major: 3}, {Major: 3, Minor: 2}, {Major: 3, Minor: 7}}
	for i, v := range versions {
		f.Add(pstats.AppendUDP(nil, framePayload(v, 5, 4)), uint8(i))
		f.Add(pstats.AppendUDP(nil, framePayload(v, 5, 400)), uint8(i))
		f.Add(pstats.AppendUDP(nil, helloPayload(v, 1)), uint8(i))
		f.Add([]byte{0, 0}, uint8(i))
		f.Add([]byte{9}, uint8(i))
		f.Add([]byte{}, uint8(i))
		f.Add([]byte{0xfc, 0x03, 0, 0, 0, 5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, uint8(i))
	}
	client, stranger := netip.MustParseAddrPort("[::ffff:127.0.0.1]:5000"), netip.MustParseAddrPort("10.0.0.1:5000")
	f.Fuzz(func(t *testing.T, datagram []byte, version uint8) {
		if len(datagram) > maxDatagram {
			return
		}
		r := newRecording(SessionInfo{})
		c := fuzzConn(r)
		repaired := datagram
		if len(datagram) >= 2 {
			repaired = pstats.AppendUDP(nil, datagram[2:])
		}
		c.datagram(datagram, client)
		v := versions[int(version)%len(versions)]
		if known, err := c.takeTCP(helloPayload(v, 1)); !known || err != nil {
			t.Fatal(known, err)
		}
		c.datagram(datagram, client)
		c.datagram(repaired, client)
		c.datagram(datagram, stranger)
		c.end()

		want := int64(4)
		if len(datagram) == 0 {
			want = 1 // only the stranger's is counted
		}
		if info := c.info(); info.Frames()+info.Lost != want || info.Frames() != int64(len(r.frames)) {
			t.Errorf("%d frames and %d lost, want %d together: %q", len(r.frames), info.Lost, want, r.details)
		}
		testkit.That(t, c.losses.total.Lost[model.LossStranger] == 1,
			"%d datagrams from strangers, want 1", c.losses.total.Lost[model.LossStranger])
		sound(t, r, 4*len(datagram))
	})
}

// FuzzSession gives a connection any stream, beginning with a hello or not.
func FuzzSession(f *testing.F) {
	hello := pstats.AppendTCP(nil, helloPayload(v32, 1))
	stream := pstats.AppendTCP(hello, pstats.AppendCollectors(nil, []pstats.CollectorDef{{Name: "Frame"}, {Index: 1, Name: "App"}}))
	stream = pstats.AppendTCP(stream, pstats.AppendThreads(nil, 0, []string{"Main", "GPU"}))
	stream = pstats.AppendTCP(stream, framePayload(v32, 5, 4))
	stream = pstats.AppendTCP(stream, pstats.AppendExpire(nil, 1))
	f.Add(stream)
	f.Add(pstats.AppendTCP(stream, helloPayload(pstats.Version{Major: 3}, -1)))
	f.Add(pstats.AppendTCP(stream[len(hello):], helloPayload(v32, -1)))
	short := pstats.AppendShortTCP(nil, helloPayload(pstats.Version{Major: 2, Minor: 1}, -1))
	f.Add(pstats.AppendShortTCP(short, framePayload(pstats.Version{Major: 2, Minor: 1}, 5, 4)))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := newRecording(SessionInfo{})
		c := fuzzConn(r)
		scan := pstats.Scanner{MaxMessage: 1 << 20}
		scan.Write(stream)
		if err := checkFirst(&scan); err != nil {
			c.end()
			return
		}
		for {
			payload, ok, err := scan.Next()
			if err != nil || !ok {
				break
			}
			if _, err := c.takeTCP(payload); err != nil {
				testkit.That(t, len(r.hellos) == 0, "a client that is known is disconnected: %v", err)
				break
			}
		}
		c.end()
		testkit.That(t, len(r.hellos) != 0 || r.calls <= 0, "calls without a hello")
		sound(t, r, len(stream))
	})
}
