package decode

import (
	"testing"

	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// What all decoders of a hub hold back is bounded, however many there are; frames in order come
// through all the same, and a decoder that is closed holds nothing.
func TestDecodersHoldBackTogether(t *testing.T) {
	const clients, frames = 20, 400
	hub := feed.NewHub()
	hub.SetLimit(1 << 20)
	var st store.Store
	var decoders []*Decoder
	for range clients {
		d := New(hub.NewFeed(feed.Options{Live: true}), Options{Peer: "test"})
		d.Hello(pstats.ClientHello{Version: pstats.Newest()})
		decoders = append(decoders, d)
	}
	for n := range frames {
		for _, d := range decoders {
			f := pstats.Frame{Thread: 0, Number: uint32(n)}
			at := float32(n)
			for i := range 50 {
				f.Events = append(f.Events, pstats.Event{Word: uint16(i + 1), Time: at + float32(i)/100})
				f.Events = append(f.Events, pstats.Event{Word: uint16(i+1) | 0x8000, Time: at + float32(i)/100})
			}
			d.Frame(&f, 100)
		}
		for hub.Poll(&st, 1e9).More {
		}
		if held := hub.Stats().HeldBytes; held > 1<<19+clients*(windowLeast+8<<10) {
			t.Fatalf("after %d frames %d bytes are held back", n, held)
		}
	}
	for _, e := range hub.Entries() {
		if n := e.Session.Track(0).NumFrames(); n != frames {
			t.Fatalf("%d frames of %d", n, frames)
		}
	}
	for _, d := range decoders {
		d.Close("gone")
	}
	if held := hub.Stats().HeldBytes; held != 0 {
		t.Errorf("%d bytes are held back by decoders that are closed", held)
	}
}
