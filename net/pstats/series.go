package pstats

import (
	"math"
)

// Only its neighbours distinguish a frame from noise: one with a number of 2^31 makes two thousand
// million missing frames of a session; one that is far ahead in time makes an empty year. So each
// frame is compared with the newest one of its thread. One that follows from it enters; one that jumps
// enters with another that follows from it; an unconfirmed one is left out, and is counted as
// LossImplausible. That holds of live clients and of files.
//
// Bounds are wide, because a frame that is held for nothing only waits for the next one.
const (
	NearNumbers = 64      // numbers that a frame may be ahead or behind at any time
	NearNs      = 2e9     // a time may be so far ahead of where it should be
	MaxHeld     = 4       // frames of a thread that wait for one that confirms them
	mostPerSec  = 100_000 // frames a second of a thread with an unknown rate
	rateMargin  = 8       // a thread may be so many times faster than it was
	jitterNs    = 250e6   // a time may be so far behind where it should be
	rateEveryNs = 1e9     // a rate is measured over so much of the client's time
)

// Point is where a frame is in the series of its thread.
type Point struct {
	Number    int64
	Timed     bool  // FirstNs and LastNs are known
	FirstNs   int64 // first and last possible time
	LastNs    int64
	ArrivedNs int64 // on our clock
}

// PointOf describes a frame that arrived at a time.
func PointOf(f *Frame, arrivedNs int64) Point {
	p := Point{Number: int64(f.Number), ArrivedNs: arrivedNs}
	if p.FirstNs, p.Timed = FirstTime(f.Events); p.Timed {
		p.LastNs = p.FirstNs
		for i := len(f.Events) - 1; i >= 0; i-- {
			if ns, ok := Nanoseconds(f.Events[i].Time); ok {
				p.LastNs = max(ns, p.FirstNs)
				break
			}
		}
	}
	return p
}

// Series is the state of a thread's accepted frames. The zero value has none.
type Series struct {
	Known   bool
	Odd     bool // implausible times: only its numbers count
	Ref     Point
	aheadNs int64   // how far the client's clock was ahead of ours at most: what came quickest
	rate    float64 // frames a second, 0 not known
	baseNo  int64   // where measuring it began
	baseNs  int64
}

// Follows reports whether a frame can come after, or a little before, the newest one.
func (s *Series) Follows(a *Point) bool { return s.ComesAfter(&s.Ref, a) }

// ComesAfter reports whether a frame of the series can come after, or a little before, ref.
func (s *Series) ComesAfter(ref, a *Point) bool {
	dn := a.Number - ref.Number
	waitedNs := a.ArrivedNs - ref.ArrivedNs
	if s.Odd && ref.Counts(a) {
		return true
	}
	if !a.Timed || !ref.Timed {
		return dn >= -WindowFrames && s.inReach(dn, waitedNs)
	}
	aheadNs, backNs := a.FirstNs-ref.LastNs, ref.FirstNs-a.FirstNs
	if dn <= 0 {
		// A late one. One that begins after the newest ended counts anew.
		return aheadNs <= 0 && s.inReach(-dn, backNs) && float64(backNs) <= NearNs+rateMargin*s.lasting(-dn)
	}
	if aheadNs > NearNs+2*waitedNs && a.FirstNs-a.ArrivedNs > s.aheadNs+NearNs {
		return false
	}
	return backNs <= jitterNs && s.inReach(dn, max(aheadNs, waitedNs))
}

// inReach reports whether a thread can have sent so many frames in a time.
func (s *Series) inReach(n, ns int64) bool {
	rate := s.rate * rateMargin
	if s.rate == 0 {
		rate = mostPerSec
	}
	return float64(n) <= NearNumbers+rate*max(float64(ns), 0)/1e9
}

// MostNumbers returns by how many numbers a thread can have gone on in a time.
func MostNumbers(ns int64) int64 { return NearNumbers + ns/1e9*mostPerSec + ns%1e9*mostPerSec/1e9 }

// lasting returns how long so many frames take, in ns.
func (s *Series) lasting(n int64) float64 {
	if s.rate == 0 {
		return NearNs
	}
	return float64(n) * 1e9 / s.rate
}

// Enter takes a frame as the newest one, unless it is late. follows reports whether it followed.
func (s *Series) Enter(a *Point, follows bool) (late bool) {
	late = follows && a.Number <= s.Ref.Number
	if a.Timed {
		aheadNs := a.FirstNs - a.ArrivedNs
		if !follows {
			if !s.goesOn(a) {
				s.rate = 0
			}
			s.aheadNs, s.baseNo, s.baseNs = aheadNs, a.Number, a.FirstNs
		}
		s.aheadNs = max(s.aheadNs, aheadNs)
		// How fast the thread counts.
		if dt := a.FirstNs - s.baseNs; !late && dt >= rateEveryNs {
			s.rate = float64(a.Number-s.baseNo) * 1e9 / float64(dt)
			s.baseNo, s.baseNs = a.Number, a.FirstNs
		}
	}
	if !late {
		s.Ref, s.Known = *a, true
	}
	return late
}

// goesOn reports whether a frame that jumps ahead does so in number and time at the thread's rate: the
// frames in between were sent, and may still come by another way.
func (s *Series) goesOn(a *Point) bool {
	dn, dt := a.Number-s.Ref.Number, a.FirstNs-s.Ref.FirstNs
	if s.rate == 0 || !s.Ref.Timed || dn <= 0 || dt <= 0 {
		return false
	}
	rate := float64(dn) * 1e9 / float64(dt)
	return rate <= s.rate*rateMargin && s.rate <= rate*rateMargin
}

// Confirms reports whether a frame follows from, or precedes, one that is held: both are near each
// other in number and time. The same frame once more confirms nothing.
func (h *Point) Confirms(a *Point) bool {
	dn, waitedNs := a.Number-h.Number, a.ArrivedNs-h.ArrivedNs
	if dn == 0 {
		return false
	}
	dt, passedNs := int64(0), waitedNs
	if a.Timed && h.Timed {
		dt = a.FirstNs - h.FirstNs
		passedNs = max(waitedNs, min(max(dt, -dt), NearNs))
	}
	if dt != 0 && (dt > 0) != (dn > 0) {
		return false
	}
	near := math.Abs(float64(dt)) <= NearNs+2*float64(waitedNs)+float64(h.LastNs-h.FirstNs)
	return near && math.Abs(float64(dn)) <= NearNumbers+mostPerSec*float64(passedNs)/1e9
}

// Counts reports whether a frame has a number a little greater than the one before.
func (p *Point) Counts(next *Point) bool {
	dn := next.Number - p.Number
	return dn > 0 && dn <= NearNumbers
}
