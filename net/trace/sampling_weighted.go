// Stacks builds a session from stacks with weights and no times, such as allocated bytes. It sums the
// weights by stack and publishes them.

package trace

import (
	"cmp"
	"errors"
	"maps"
	"math/bits"
	"slices"

	"framescope/model"
	"framescope/net/feed"
)

// Most is the maximum sum of the weights of a kind over all stacks.
const Most = 1 << 62

// MostOne is the maximum of one weight; greater values are damage.
const MostOne = 1 << 53

const (
	// MaxStacks bounds the distinct stacks of a session, each with its weights.
	MaxStacks = 1 << 22
	// StackBytes is what one takes until all are published, besides its weights.
	StackBytes = 112
)

// ErrTooMuch is the error for weights that add up to more than Most, or too many stacks.
var ErrTooMuch = errors.New("its weights add up to more than 2^62, it has more than 4,194,304 different stacks, " +
	"or its stacks do not fit into memory (--memory)")

// Stacks sums up the stacks of a session.
type Stacks struct {
	room     *feed.Names
	kinds    []WeightKind
	sums     map[key]*[]int64
	total    []int64
	rounded  int64 // values, of those that were published last, that series can't hold as they are
	reported int64 // of these already reported
	// The first series of each thread that is defined in the session.
	seriesOf map[model.TrackID]model.SeriesID
}

// WeightKind is a kind of weight, such as allocated bytes or time. Name is model.WeightSamples for the
// number of samples.
type WeightKind struct{ Name, Unit string }

// Allocated is the weight of allocations: their samples take no time.
var Allocated = WeightKind{Name: "allocated", Unit: "B"}

type key struct {
	track model.TrackID
	path  model.PathID
}

// NewWeighted returns no stacks, which are to have so many weights each, and take room.
func NewWeighted(room *feed.Names, kinds ...WeightKind) *Stacks {
	return &Stacks{room: room, kinds: kinds, sums: map[key]*[]int64{}, total: make([]int64, len(kinds))}
}

// Add adds a stack of a thread, named by the call path of its innermost call. weights has one for each
// kind. ErrTooMuch: nothing was added.
func (s *Stacks) Add(track model.TrackID, path model.PathID, weights ...int64) error {
	for k, w := range weights {
		if w > Most-s.total[k] {
			return ErrTooMuch
		}
	}
	at := key{track, path}
	sum := s.sums[at]
	if sum == nil {
		if len(s.sums) >= MaxStacks || !s.room.TakeData(s.stackBytes()) {
			return ErrTooMuch
		}
		own := make([]int64, len(s.kinds))
		sum = &own
		s.sums[at] = sum
	}
	for k, w := range weights {
		(*sum)[k] += w
		s.total[k] += w
	}
	return nil
}

func (s *Stacks) stackBytes() int64 { return StackBytes + 8*int64(len(s.kinds)) }

// Clear forgets all stacks, but keeps their series.
func (s *Stacks) Clear() {
	s.room.GiveData(int64(len(s.sums)) * s.stackBytes())
	clear(s.sums)
	clear(s.total)
}

// Publish gives the session all of it, at time 0: when anything was nobody wrote down. Threads without
// stacks have none. The first kind is shown first. The session's Info says that it is timeless.
// It may be called again, and what it gives then takes the place of what it gave before; a sink that
// drops batches would mix the two.
func (s *Stacks) Publish(sink feed.Sink) error {
	order := slices.SortedFunc(maps.Keys(s.sums), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.track, b.track), cmp.Compare(a.path, b.path))
	})
	before := maps.Clone(s.seriesOf)
	s.rounded = 0
	for len(order) > 0 {
		track := order[0].track
		n := 1
		for n < len(order) && order[n].track == track {
			n++
		}
		_, again := before[track]
		if delete(before, track); !s.publish(sink, again, order[:n]) {
			return feed.ErrCancelled
		}
		order = order[n:]
	}
	for track := range before { // that has none any more
		b := sink.Begin()
		b.Track, b.Anew = track, true
		if !sink.Publish(b) {
			return feed.ErrCancelled
		}
	}
	if more := s.rounded - s.reported; more > 0 {
		Lose(sink, model.LossLimit, more, Rounded)
		s.reported = s.rounded
	}
	return nil
}

// batchStacks is how many stacks are in a batch.
const batchStacks = 1 << 12

// publish gives the session the stacks of one thread, perhaps not for the first time.
func (s *Stacks) publish(sink feed.Sink, anew bool, of []key) bool {
	id := s.define(sink, of[0].track)
	for len(of) > 0 {
		n := min(len(of), batchStacks)
		b := sink.Begin()
		b.Track, b.Anew = of[0].track, anew
		anew = false
		for _, at := range of[:n] {
			b.Samples = append(b.Samples, model.Sample{Series: id, Value: float64(at.path)})
			for k, w := range *s.sums[at] {
				if !Exact(w) {
					s.rounded++
				}
				b.Samples = append(b.Samples, model.Sample{Series: id + 1 + model.SeriesID(k), Value: float64(w)})
			}
		}
		if !sink.Publish(b) {
			return false
		}
		of = of[n:]
	}
	return true
}

// define defines the series of a thread, unless they are known, and returns the first.
func (s *Stacks) define(sink feed.Sink, track model.TrackID) (id model.SeriesID) {
	if id, ok := s.seriesOf[track]; ok {
		return id
	}
	id = model.SeriesID(len(s.seriesOf) * (1 + len(s.kinds)))
	model.Put(&s.seriesOf, track, id)
	def := model.SeriesDef{
		ID: id, Name: "stacks", Group: "samples", Description: "stacks of the thread, without times",
		Kind: model.SeriesEvent, Role: model.RoleStack, Track: track, Object: model.NoObject, Peer: model.NoObject,
	}
	sink.Define(def)
	def.Role, def.Description = model.RoleWeight, "what stacks of the thread stand for"
	for k, kind := range s.kinds {
		def.ID, def.Name, def.Unit = id+1+model.SeriesID(k), kind.Name, kind.Unit
		sink.Define(def)
	}
	return id
}

// Spacing measures how far apart samples are.
type Spacing struct {
	buckets map[int]*bucket // few: distances of one recording are alike
	n       int64
	most    int64
}

// bucket is of distances that are alike to less than a percent.
type bucket struct{ n, sum int64 }

// longest bounds distances and sums of them.
const longest = 1 << 61

// Add adds the distance between two neighbouring samples, in ns. It ignores distances of 0 or less.
func (s *Spacing) Add(d int64) {
	if d <= 0 {
		return
	}
	d = min(d, longest)
	b := s.buckets[bucketOf(d)]
	if b == nil {
		b = &bucket{}
		model.Put(&s.buckets, bucketOf(d), b)
	}
	b.n++
	b.sum = min(b.sum, longest-d) + d
	s.n++
	s.most = max(s.most, d)
}

// bucketOf goes up with the distance: 128 buckets for each power of two.
func bucketOf(d int64) int {
	shift := max(bits.Len64(uint64(d))-8, 0)
	return shift<<8 + int(d>>shift)
}

const numBuckets = 64 << 8

// N is how many distances there are.
func (s *Spacing) N() int64 { return s.n }

// Median returns the median distance, 0 without any.
func (s *Spacing) Median() int64 {
	var m model.Sampling
	s.Measured(&m)
	return m.MedianNs
}

// Measured sets the measured distances in out. Figures other than the
// longest distance are exact to less than a percent, and altogether where distances are alike.
func (s *Spacing) Measured(out *model.Sampling) {
	out.Distances, out.LongestNs = s.n, s.most
	out.P5Ns, out.MedianNs, out.P95Ns, out.Gaps, out.GapNs = 0, 0, 0, 0, 0
	ranks := [3]int64{s.n / 20, s.n / 2, s.n - 1 - s.n/20}
	into := [3]*int64{&out.P5Ns, &out.MedianNs, &out.P95Ns}
	k, below := 0, int64(0)
	for i := 0; i < numBuckets; i++ {
		b := s.buckets[i]
		if b == nil {
			continue
		}
		below += b.n
		mean := b.sum / b.n
		for ; k < len(ranks) && ranks[k] < below; k++ {
			*into[k] = mean
		}
		if k > 1 && mean/model.GapFactor > out.MedianNs {
			out.Gaps += b.n
			out.GapNs = min(out.GapNs, longest-b.sum) + b.sum
		}
	}
}
