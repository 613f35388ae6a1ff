package profilelib

import (
	"fmt"
	"testing"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// storm sends so many blocks, of which each has another of so many names. With frames, every
// hundredth ends one.
func storm(d *Decoder, n, names int, frames bool) {
	send := func(r Record) { d.Write(Current.Encode(&r, nil)) }
	send(Record{ID: uint32(SysInfo), Start: 1e9})
	for i := range n {
		at := int64(1000 * (i + 1))
		send(Record{
			ID: uint32(FirstBlock + i), Processor: 1, Thread: 7, Start: at, End: at + 500,
			Name: fmt.Appendf(nil, "N%020d", i%names),
		})
		if frames && i%100 == 99 {
			send(Record{ID: uint32(Frame), Thread: 7, Start: at + 600, End: int64(i / 100)})
		}
	}
	d.Close("end")
}

// TestNamesThatNeverRepeat sends 300,000 blocks, once with two names, once with names that never
// repeat: that must not cost more memory than is allowed, and every block is there.
func TestNamesThatNeverRepeat(t *testing.T) {
	const blocks = 300_000
	for _, frames := range []bool{false, true} {
		for _, names := range []int{2, blocks} {
			v := feedtest.New(t, 16<<20)
			s := v.Run(func(sink feed.Sink) { storm(NewDecoder(sink, Options{}), blocks, names, frames) })
			t.Logf("%d names, frames %v: accounts %d KiB, heap %d KiB", names, frames, v.Account>>10, v.Heap>>10)
			v.Check(t)
			lost, lines := s.Losses()
			if s.Track(0).NumSpans() == 0 {
				t.Error("no blocks")
			}
			if names == 2 {
				if lost[model.LossLimit]+lost[model.LossMalformed] != 0 || s.Collectors().Len() != 5 {
					t.Errorf("%v lost, %d collectors: %q", lost, s.Collectors().Len(), lines)
				}
				continue
			}
			v.CheckMore(t, s)
			if shown := int64(s.Collectors().Len()) - 3; shown < 1000 || shown+lost[model.LossLimit] != blocks {
				t.Errorf("%d names and %d beyond the limit, of %d", shown, lost[model.LossLimit], blocks)
			}
		}
	}
}

// A page of numbers that were all seen takes nothing, so a long run keeps room for names.
func TestWholePagesTakeNothing(t *testing.T) {
	h := feed.NewHub()
	h.SetLimit(4 << 20)
	s := numbers{room: feed.NamesOf(h.NewFeed(feed.Options{}))}
	const n = 50 << 16
	for i := range uint32(n) {
		if s.add(i) {
			t.Fatalf("%d was not seen before", i)
		}
	}
	if s.partial != 0 || h.Stats().HeldBytes != 0 || s.missing() != 0 || s.n != n {
		t.Errorf("%d partial pages, %d bytes held, %d missing of %d", s.partial, h.Stats().HeldBytes, s.missing(), s.n)
	}
	if !s.add(7) || !s.has(n-1) || s.has(n) {
		t.Error("numbers that were seen are forgotten")
	}
	// Numbers far apart: most can't be noted, and then nobody can say what is missing.
	for i := range uint32(10_000) {
		s.add(n + i<<16)
	}
	if held := h.Stats().HeldBytes; held > s.room.Share()/2 || s.missing() != 0 {
		t.Errorf("%d bytes held of %d, %d missing", held, s.room.Share(), s.missing())
	}
}
