package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// The list of threads is of the frames that all panels are of: not of those before the range, and
// not of the one that begins where it ends.
func TestThreadsAreOfTheRange(t *testing.T) {
	s := chartstest.LoadProfile(t, "small-clean.prof")
	for _, r := range [][2]int{{0, 0}, {0, 4}, {2, 2}, {1, 3}} {
		rig := chartstest.NewRig(s, 1, 400, 300)
		v := rig.Env.View
		v.SelectFrames(r[0], r[1])
		src := &frameThreads{}
		n, _ := src.Rows(rig.Env)
		if n != s.NumTracks() || !src.main {
			t.Fatalf("%d threads of %d", n, s.NumTracks())
		}
		for i := range n {
			row := src.At(i)
			track, first, last := s.Track(row.id), -1, -2
			for k := range track.NumFrames() { // a thread has those in which it was heard of
				if f := track.Frame(k); f.Begin >= v.RangeA() && f.End <= v.RangeB() {
					if last = k; first < 0 {
						first = k
					}
				}
			}
			if first < 0 {
				if row.frames != 0 || row.meanNs != 0 {
					t.Errorf("frames %v: thread %d has none, and %v ns of %d", r, row.id, row.meanNs, row.frames)
				}
				continue
			}
			want := s.Frames().Stats(row.id, 0, false, first, last).Mean * 1e9
			if row.frames != int64(last-first+1) || math.Abs(row.meanNs-want) > 1e-3 {
				t.Errorf("frames %v: thread %d: %v ns of %d frames, want %v", r, row.id, row.meanNs, row.frames, want)
			}
			var l panel.TipLines
			src.Tip(rig.Env, row, &l)
			words := fmt.Sprintf("net, mean of %d frames\t", row.frames)
			if first == last {
				words = fmt.Sprintf("net in frame %d\t", track.Frame(first).Number)
			}
			words = string(format.AppendDuration([]byte(words), int64(want+0.5)))
			if !slices.Contains(l.All(), words) {
				t.Errorf("frames %v: %q is not in %q", r, words, l.All())
			}
		}
	}
}

// Where threads have frames of their own, the figure is the mean duration of those of the range.
func TestThreadsHaveTheirOwnFrames(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 400, 300)
	v := rig.Env.View
	track := s.Track(v.Track())
	for _, r := range [][2]int{{1, 1}, {3, 7}} {
		v.SelectFrames(r[0], r[1])
		src := &frameThreads{}
		n, _ := src.Rows(rig.Env)
		i := slices.IndexFunc(src.rows[:n], func(r threadRow) bool { return r.id == v.Track() })
		sum := int64(0)
		for k := r[0]; k <= r[1]; k++ {
			sum += track.Frame(k).End - track.Frame(k).Begin
		}
		frames := r[1] - r[0] + 1
		if row := src.At(i); src.main || row.frames != int64(frames) || math.Abs(row.meanNs-float64(sum)/float64(frames)) > 1e-3 {
			t.Errorf("frames %v: %v ns of %d frames", r, row.meanNs, row.frames)
		}
	}
}

// Threads of which nobody knows when they did anything have names alone: none was busy.
func TestThreadsWithoutTimes(t *testing.T) {
	s := chartstest.NewCallSession(false)
	timed := chartstest.NewRig(s, 1, 300, 200)
	src := NewThreads()
	if src.Rows(timed.Env); len(src.Columns()) < 3 || new(spanWords).inView(timed.Env.View) == "" {
		t.Errorf("%d columns, where there are times", len(src.Columns()))
	}
	info := s.Info()
	info.Sampling.Timeless = true
	s.Apply(info)
	rig := chartstest.NewRig(s, 1, 300, 200)
	src = NewThreads()
	if n, _ := src.Rows(rig.Env); n == 0 || len(src.Columns()) != 1 {
		t.Errorf("%d threads with %d columns, where there are no times", n, len(src.Columns()))
	}
	if words := new(spanWords).inView(rig.Env.View); words != "" {
		t.Errorf("they are %q", words)
	}
	if words := new(spanWords).shown(rig.Env, false); strings.ContainsRune(words, '·') || words == "" {
		t.Errorf("the head says %q", words)
	}
}
