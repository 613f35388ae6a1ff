package gsttrace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rank is the value that a share of all is at most.
func rank(sorted []uint64, share float64) uint64 {
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
}

// Percentiles are exact as long as there is room for the values, and then within 1 %, which is
// said.
func TestPercentiles(t *testing.T) {
	for _, c := range []struct{ n, room int }{
		{1, 1000}, {2, 1000}, {99, 1000}, {100, 1000}, {20000, 1 << 20}, {20000, 5000}, {20000, 1}, {1, 0},
	} {
		r := rand.New(rand.NewPCG(1, uint64(c.n)))
		var d durations
		in, all := room{c.room}, make([]uint64, c.n)
		for i := range all {
			all[i] = uint64(math.Exp(r.Float64()*30)) + r.Uint64N(3)
			d.add(all[i])
			d.keep(all[i], &in)
		}
		slices.Sort(all)
		l := d.figures("", false)
		if l.Estimated != (c.n > c.room) {
			t.Errorf("%+v: estimated %v", c, l.Estimated)
		}
		for share, got := range map[float64]uint64{0.5: l.P50Ns, 0.9: l.P90Ns, 0.99: l.P99Ns} {
			want := rank(all, share)
			off := math.Abs(float64(got)-float64(want)) / math.Max(float64(want), 1)
			if off > 0.01 || !l.Estimated && got != want {
				t.Errorf("%+v: %v of all at most %d, want %d", c, share, got, want)
			}
		}
	}
}

// A way that needs more room than there is leaves the rest to the others.
func TestRoomIsShared(t *testing.T) {
	in := room{100}
	var small, great durations
	for i := range uint64(200) {
		great.add(i)
		great.keep(i, &in)
	}
	for i := range uint64(20) {
		small.add(i)
		small.keep(i, &in)
	}
	if great.octaves == nil || small.octaves != nil || in.left < 0 {
		t.Errorf("%d values in memory, room for %d", len(small.values), in.left)
	}
}

// The mean is to the nearest nanosecond, also where the total is too great for 64 bits; in the
// compatible figures it is what the official program prints.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		values       []uint64
		mean, compat uint64
	}{
		{[]uint64{1, 2}, 2, 1}, {[]uint64{1, 1, 2}, 1, 1}, {[]uint64{7}, 7, 7},
		{[]uint64{1 << 63, 1 << 63, 1 << 63}, 1 << 63, 1 << 63 / 3},
	} {
		var d durations
		for _, v := range c.values {
			d.add(v)
			d.keep(v, &room{100})
		}
		if own, compat := d.figures("", false).MeanNs, d.figures("", true).MeanNs; own != c.mean || compat != c.compat {
			t.Errorf("%v: %d and %d, want %d and %d", c.values, own, compat, c.mean, c.compat)
		}
	}
}

// The load of a process is known exactly as soon as one number of processors alone leads to what
// records tell.
func TestLoadOfAProcess(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128} {
		r := rand.New(rand.NewPCG(2, n))
		var p processors
		var cpuNs, ns, told uint64
		for range 2000 {
			step := 1e5 + r.Uint64N(1e6)
			ns += step
			cpuNs += uint64(float64(step) * float64(n) * (0.3 + 0.4*r.Float64()))
			told = cpuNs * 1000 / ns / n
			p.told(told, cpuNs, ns)
		}
		load, ok := p.load(told, cpuNs, ns)
		if want := float64(cpuNs) / float64(ns) / float64(n); !ok || math.Abs(load-want) > 1e-12 {
			t.Errorf("%d processors: %v, %v, want %v; between %+v", n, load, ok, want, p)
		}
	}
	var p processors
	p.told(3, 3_500_000, 1e9) // one processor, nearly idle
	p.told(1, 400e6, 1e9)     // a record of which the parts do not belong together
	p.told(400, 400_900_000, 1e9)
	if load, ok := p.load(400, 400_900_000, 1e9); !ok || load != 0.4009 {
		t.Errorf("after a record that contradicts the others: %v, %v", load, ok)
	}
	if load, ok := p.load(500, 400_900_000, 1e9); ok {
		t.Errorf("a record that contradicts itself: %v", load)
	}
	p = processors{}
	p.told(0, 1, 1e9)
	p.told(1000, 1<<63, 1e9)
	p.told(5, 1<<63, 0)
	p.told(5, math.MaxUint64, 1e9)
	if _, ok := p.load(1, 1, 1); ok {
		t.Error("nothing is known, and yet the load is")
	}
}
