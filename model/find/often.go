package find

import (
	"math"
	"sync"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// oftenCalled finds the collectors that were called as often as an expression wants, in single frames
// of a thread. It caches as many frames as there is room for, because the lanes of a thread are
// searched one after another. The zero value is empty.
type oftenCalled struct {
	track  model.TrackID
	known  []int64  // the number of the frame that is kept in each place
	bits   []uint64 // of each place, by collector
	words  int      // of bits that a place has
	row    []uint64 // the place that is looked at
	number int64    // and its frame

	counts []int64
	used   []model.CollectorID
	tree   spans.Tree
	alone  *sync.Mutex // for the tree, which only one of several makes at a time
}

const (
	// allFrames stands for all that a thread without frames did.
	allFrames = math.MaxInt64

	noFrame = math.MinInt64

	// oftenWords bounds the cache: 1 MiB.
	oftenWords = 1 << 17
)

// look goes to a frame, and returns how much work that was, in spans.
func (o *oftenCalled) look(e *Expr, s *store.Session, track model.TrackID, number int64) (work int64) {
	if o.row == nil || o.track != track || len(o.counts) != s.Collectors().Len() {
		o.begin(s, track)
	}
	if o.number == number {
		return 0
	}
	at := int(uint64(number) % uint64(len(o.known)))
	o.number, o.row = number, o.bits[at*o.words:(at+1)*o.words]
	if o.known[at] == number {
		return 1
	}
	o.known[at] = number
	clear(o.row)
	work = o.count(s, number)
	for _, c := range o.used {
		if e.lets(byCalls, o.counts[c]) {
			o.row[c>>6] |= 1 << (c & 63)
		}
		o.counts[c] = 0
	}
	return work
}

// begin makes room for the frames of a thread.
func (o *oftenCalled) begin(s *store.Session, track model.TrackID) {
	n := s.Collectors().Len()
	o.track, o.number, o.words = track, noFrame, n>>6+1
	places := min(max(s.Track(track).NumFrames(), 1), max(oftenWords/o.words, 1))
	o.known = append(o.known[:0], make([]int64, places)...)
	for i := range o.known {
		o.known[i] = noFrame
	}
	o.bits = append(o.bits[:0], make([]uint64, places*o.words)...)
	o.counts = append(o.counts[:0], make([]int64, n)...)
	o.row = o.bits[:o.words]
}

// count counts the calls of each collector in a frame.
func (o *oftenCalled) count(s *store.Session, number int64) (work int64) {
	o.used = o.used[:0]
	if number != allFrames {
		frame, ok := s.Track(o.track).FrameByNumber(number)
		if !ok {
			return 1
		}
		o.used = s.Frames().CallCounts(o.track, frame, o.counts, o.used)
		return int64(len(o.used))
	}
	one := [1]model.TrackID{o.track}
	o.alone.Lock()
	s.Spans().Tree(one[:], model.MinTime, model.MaxTime, &o.tree)
	o.alone.Unlock()
	for i := range o.tree.Nodes {
		c, n := o.tree.Nodes[i].Collector, o.tree.Nodes[i].Count
		if n <= 0 || c < 0 || int(c) >= len(o.counts) {
			continue
		}
		if o.counts[c] == 0 {
			o.used = append(o.used, c)
		}
		o.counts[c] += n
	}
	return o.tree.Visited
}

// has reports whether a collector is among them.
func (o *oftenCalled) has(c model.CollectorID) bool { return bit(o.row, c) != 0 }

// bit returns 1 if a collector is in a row, else 0.
func bit(row []uint64, c model.CollectorID) int {
	if k := uint(c >> 6); k < uint(len(row)) {
		return int(row[k] >> (c & 63) & 1)
	}
	return 0
}
