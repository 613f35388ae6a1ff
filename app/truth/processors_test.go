package truth

import (
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
)

// processors is how many processors the machine of the recordings of testdata/gsttrace had: README.md there
// says so. Nobody knows it of the others.
const processors = 2

// All threads together take no more than all processors have: over the whole recording, and, but for
// what one reading of a clock may have in it from before, over parts of it.
func TestProcessorsTogether(t *testing.T) {
	checked := 0
	eachSubject(t, func(t *testing.T, x *subject) {
		begin, end, ok := x.s.Bounds()
		if !strings.Contains(x.name, ".log") || strings.HasPrefix(x.name, "constructed") || !ok || end <= begin {
			return
		}
		for _, r := range [][2]int64{{begin, end + 1}, {begin, begin + (end-begin)/2}, {begin + (end-begin)/3, end + 1}} {
			if x.checkTogether(t, processors, r[0], r[1]) {
				checked++
			}
		}
	})
	if checked < testkit.Rounds(3, 6) {
		t.Errorf("only %d ranges were checked", checked)
	}
}

// checkTogether returns false where no thread tells what it took.
func (x *subject) checkTogether(t complainer, n, t0, t1 int64) bool {
	var all []model.TrackID
	cpu, load, before, some := 0.0, 0.0, 0.0, false
	for id := range model.TrackID(x.s.NumTracks()) {
		if x.s.Track(id) == nil {
			continue
		}
		all = append(all, id)
		if ns, ok := x.s.Spans().CPUTime(id, t0, t1); ok {
			cpu, some = cpu+ns, true
			before += x.readingsApart(id)
		}
		if share, ok := x.s.Spans().CPULoad(id, t0, t1); ok {
			if begin, end, lived := x.life(id, t0, t1); lived { // it is of its life
				load += share * float64(end-begin) / float64(t1-t0)
			}
		}
	}
	if !some {
		return false
	}
	if begin, _, _ := x.s.Bounds(); t0 <= begin {
		before = 0
	}
	most := float64(n)*float64(t1-t0)*1.001 + before
	if cpu > most {
		t.Errorf("%s: all threads took %v ns of %d processors in %d ns", x.name, cpu, n, t1-t0)
	}
	if load*float64(t1-t0) > most {
		t.Errorf("%s: all threads take %v of %d processors", x.name, load, n)
	}
	var tree spans.Tree
	for _, m := range x.s.Spans().Measures(all, nil) {
		if x.s.Spans().TreeOf(m, all, t0, t1, &tree); m == spans.MeasureCPU && float64(tree.Total) > most {
			t.Errorf("%s: CPU time of methods %d of %d processors in %d ns", x.name, tree.Total, n, t1-t0)
		}
	}
	return true
}

// readingsApart is the longest time between two readings of a thread's clock.
func (x *subject) readingsApart(id model.TrackID) (most float64) {
	for _, k := range x.s.Series().ByTrack(id) {
		if y := x.s.Series().ByID(k); y.Def.Role == model.RoleCPUTime {
			last := int64(math.MaxInt64) // nothing is between the first one and that
			for _, v := range y.Samples(math.MinInt64/2, math.MaxInt64/2, int(y.Len()), nil) {
				most, last = max(most, float64(v.Time-last)), v.Time
			}
		}
	}
	return most
}
