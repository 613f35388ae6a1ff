package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
)

// damaged takes an unreadable place between two records.
func (p *player) damaged(d journal.Damage) {
	p.flush()
	p.spoilt.stopWaiting(p.h)
	l := p.places.Loss(d)
	l.Begin = p.newestNs
	p.h.Lost(l)
	p.spoilt.place(d, p.newestNs)
}

// Places reports unreadable places of a journal. The zero value is ready.
type Places struct{ told int }

// maxPlaces bounds the places that are reported one by one.
const maxPlaces = 100

// Loss puts a place into the model's words.
func (p *Places) Loss(d journal.Damage) model.Loss {
	l := model.Loss{Reason: model.LossDamaged, Track: model.NoTrack, N: 1}
	if d.Cut {
		l.Reason = model.LossTruncated
	}
	if p.told++; p.told <= maxPlaces {
		l.Detail = d.Error()
	} else {
		l.Detail = "more places that cannot be read"
	}
	return l
}

// spoilt finds the frames lost at a damaged place of a journal: the missing numbers between the frames
// of a thread before and behind it, but no more than the place may have held.
type spoilt struct {
	threads map[uint16]*spoiltThread
	places  int             // so far
	records int64           // that may have been in the last one, and no frame stands for yet
	sinceNs int64           // end of the latest frame before it
	open    []*spoiltThread // those that have had frames since
}

// spoiltThread is a thread on either side of a damaged place.
type spoiltThread struct {
	index   uint16
	place   int   // the last place with frames behind it
	newest  int32 // number
	before  int32 // newest number before the place
	least   int32 // number behind it
	waits   int   // frames, for one that comes late
	beginNs int64 // of the first one behind it
}

// lateFrames is how many frames of a thread are waited for before the first number behind a damaged
// place is believed: datagrams overtake each other.
const lateFrames = 16

// place begins an unreadable place.
func (s *spoilt) place(d journal.Damage, sinceNs int64) {
	if d.Records == 0 || d.Cut {
		return
	}
	s.places++
	s.sinceNs = sinceNs
	if s.records = d.Records; s.records < 0 {
		s.records = math.MaxInt64
	}
}

// frame takes a frame of a thread.
func (s *spoilt) frame(h pstats.Handler, thread uint16, number int32, beginNs int64) {
	t := s.threads[thread]
	if t == nil {
		model.Put(&s.threads, thread, &spoiltThread{index: thread, place: s.places, newest: number})
		return
	}
	if t.place != s.places {
		t.place, t.before, t.least, t.waits, t.beginNs = s.places, t.newest, math.MaxInt32, lateFrames, beginNs
		s.open = append(s.open, t)
	}
	if t.waits > 0 {
		if number > t.before {
			t.least = min(t.least, number)
		}
		if t.waits--; t.waits == 0 {
			s.reportMissing(h, t)
		}
	}
	t.newest = max(t.newest, number)
}

// stopWaiting waits for no more frames of any thread.
func (s *spoilt) stopWaiting(h pstats.Handler) {
	for _, t := range s.open {
		if t.waits > 0 {
			t.waits = 0
			s.reportMissing(h, t)
		}
	}
	s.open = s.open[:0]
}

// reportMissing reports the frames of a thread missing across the place.
func (s *spoilt) reportMissing(h pstats.Handler, t *spoiltThread) {
	if t.least == math.MaxInt32 {
		return
	}
	n := min(int64(t.least)-int64(t.before)-1, s.records)
	if n <= 0 {
		return
	}
	if s.records < math.MaxInt64 {
		s.records -= n
	}
	h.Lost(model.Loss{
		Reason: model.LossDamaged, Track: model.NoTrack, N: n, Frames: n, Begin: s.sinceNs, End: max(t.beginNs, s.sinceNs),
		Detail: fmt.Sprintf("%d frames of thread %d behind frame %d were in the damaged place", n, t.index, t.before),
	})
}

// gone counts the numbers before the first frames of threads: those of frames that are not on disk any more, and of
// frames that were never received.
type gone struct {
	threads map[uint16]*goneThread
	frames  int64 // that were received
	begun   bool
}

// goneThread is what is known of a thread's numbers at its first frame on disk.
type goneThread struct {
	numbers
	begun, anew bool  // a frame came, and later the thread began to count anew
	least       int64 // number that came since begun
}

// records takes records that are missing.
func (g *gone) records(n int64) {
	if !g.begun {
		g.frames = model.AddSat(g.frames, n)
	}
}

// define takes the numbers of a thread.
func (g *gone) define(word string, text []byte) error {
	var n numbers
	thread, err := strconv.ParseUint(word, 10, 16)
	if err := errors.Join(err, json.Unmarshal(text, &n)); err != nil {
		return err
	}
	if n.Before < 0 {
		return errors.New("a negative number of frames")
	}
	t := g.threads[uint16(thread)]
	switch {
	case t == nil || !t.begun:
		model.Put(&g.threads, uint16(thread), &goneThread{numbers: n})
	case n.Before != t.Before:
		t.anew = true
	}
	return nil
}

// frame takes a frame.
func (g *gone) frame(thread uint16, number uint32) {
	g.begun = true
	if t := g.threads[thread]; t != nil && !t.anew && (!t.begun || int64(number) < t.least) {
		t.begun, t.least = true, int64(number)
	}
}

// report reports numbers that never came.
func (g *gone) report(h pstats.Handler) {
	n := -g.frames
	for _, t := range g.threads {
		if t.begun {
			n = model.AddSat(n, t.Before+max(0, t.least-int64(t.First)))
		}
	}
	if n > 0 && g.frames > 0 {
		h.Lost(model.Loss{
			Reason: model.LossNumbers, Track: model.NoTrack, N: n,
			Detail: fmt.Sprintf("%d frames before the oldest on disk were never received", n),
		})
	}
}
