package spans_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

const tracks = 4

// plain is what a session should hold: all arrows, as they came.
type plain []plainArrow

type plainArrow struct {
	spans.Arrow
	frame int64
}

func byEnd(a, b plainArrow) int { return cmp.Compare(a.To, b.To) }

func (p plain) in(id model.TrackID, t0, t1 int64) (out []spans.Arrow) {
	list := slices.Clone(p)
	slices.SortStableFunc(list, byEnd)
	for _, a := range list {
		if a.ToTrack == id && a.To >= t0 && a.To <= t1 {
			out = append(out, a.Arrow)
		}
	}
	return out
}

// like puts arrows in an order that does not depend on how they came.
func like(list []spans.Arrow) []spans.Arrow {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b spans.Arrow) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return list
}

func draw(t *rapid.T, now int64) model.Flow {
	to := now + rapid.Int64Range(-20, 20).Draw(t, "to")
	return model.Flow{
		From: to - rapid.Int64Range(-3, 60).Draw(t, "delay"), To: to, Name: model.FlowID(rapid.IntRange(0, 1).Draw(t, "name")),
		FromTrack: model.TrackID(rapid.IntRange(0, tracks-1).Draw(t, "from")), Chain: uint32(rapid.IntRange(0, 2).Draw(t, "chain")),
		FromLane: model.NoLane, ToLane: model.NoLane,
	}
}

// Whatever is appended, taken back and leaves memory: what is left is found from both ends.
func TestFlowsLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		st := &store.Store{}
		s := st.NewSession()
		for i := range 2 {
			s.Apply(model.FlowDef{ID: model.FlowID(i), Name: fmt.Sprint("name ", i)})
		}
		var p plain
		var number, now [tracks]int64
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := model.TrackID(rapid.IntRange(0, tracks-1).Draw(t, "track"))
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			default:
				b := &model.Batch{Track: id, HasFrame: id < 2, Number: number[id], Begin: now[id], End: now[id] + 30}
				frame := model.NoFrame
				if b.HasFrame {
					frame = number[id]
					number[id]++
				}
				for range rapid.IntRange(0, 12).Draw(t, "n") {
					f := draw(t, now[id]+15)
					b.Flows = append(b.Flows, f)
					p = append(p, plainArrow{spans.Arrow{Flow: f, ToTrack: id}, frame})
				}
				now[id] += 30
				s.Append(b)
			case 7:
				back := max(number[id]-rapid.Int64Range(0, 3).Draw(t, "back"), 0)
				if id < 2 && number[id] > 0 && s.Track(id).NumFrames() > 0 {
					back = max(back, s.Track(id).Frame(0).Number)
					s.Append(&model.Batch{Track: id, Rewind: true, Number: back})
					p = slices.DeleteFunc(p, func(a plainArrow) bool { return a.ToTrack == id && a.frame >= back })
					now[id] -= 30 * (number[id] - back)
					number[id] = back
				}
			case 8:
				st.MemoryLimit = max(st.Memory().Total()-rapid.Int64Range(0, 4000).Draw(t, "bytes"), 1)
				st.EnforceLimit(time.Time{})
				for id := range model.TrackID(tracks) { // the oldest of a track leave
					kept := s.Flows().In(id, model.MinTime, model.MaxTime, nil)
					old := p.in(id, model.MinTime, model.MaxTime)
					old = old[:len(old)-len(kept)]
					p = slices.DeleteFunc(p, func(a plainArrow) bool {
						return a.ToTrack == id && len(old) > 0 && a.To <= old[len(old)-1].To && !slices.Contains(kept, a.Arrow)
					})
				}
			case 9:
				check(t, s, p)
			}
		}
		check(t, s, p)
	})
}

func check(t *rapid.T, s *store.Session, p plain) {
	x := s.Flows()
	t0 := rapid.Int64Range(-60, 900).Draw(t, "t0")
	for _, r := range [][2]int64{{model.MinTime, model.MaxTime}, {t0, t0 + rapid.Int64Range(0, 300).Draw(t, "width")}} {
		for id := range model.TrackID(tracks) {
			want := p.in(id, r[0], r[1])
			testkit.MustNoDiff(t, gocmp.Diff(want, x.In(id, r[0], r[1], nil)), "into track %d in %v", id, r)
			var out, touching []spans.Arrow
			for _, a := range p {
				if a.FromTrack == id && a.From >= r[0] && a.From <= r[1] {
					out = append(out, a.Arrow)
				}
				if a.ToTrack == id && a.To >= r[0] && min(a.From, a.To) <= r[1] {
					touching = append(touching, a.Arrow)
				}
			}
			got := x.Out(id, r[0], r[1], nil)
			if !slices.IsSortedFunc(got, func(a, b spans.Arrow) int { return cmp.Compare(a.From, b.From) }) {
				t.Fatalf("out of track %d: not in order: %v", id, got)
			}
			testkit.MustNoDiff(t, gocmp.Diff(like(out), like(got)), "out of track %d in %v", id, r)
			got, more := x.Touching(id, r[0], r[1], len(touching), nil)
			diff := gocmp.Diff(like(touching), like(got))
			testkit.MustThat(t, diff == "" && !more, "touching track %d in %v, more %v: %s", id, r, more, diff)
			if len(touching) > 0 {
				got, more = x.Touching(id, r[0], r[1], len(touching)-1, nil)
				testkit.MustThat(t, len(got) == len(touching)-1 && more, "%d of %d, more %v", len(got), len(touching), more)
			}
		}
	}
	testkit.MustThat(t, x.Stored() == int64(len(p)) && x.Any() == (len(p) > 0),
		"%d stored, want %d", x.Stored(), len(p))
}

// A question about a moment costs the same whatever the session has, and one for a few of many stops
// when it has them.
func TestFlowsWork(t *testing.T) {
	const n = 1 << 17
	s := store.NewSession()
	s.Apply(model.FlowDef{Name: "job"})
	b := &model.Batch{Track: 1}
	for i := range int64(n) {
		from := i*100 - 5000*(i%7)
		b.Flows = append(b.Flows, model.Flow{From: from, To: i * 100, FromLane: model.NoLane, ToLane: model.NoLane})
		if len(b.Flows) == 4096 {
			s.Append(b)
			b.Flows = b.Flows[:0]
		}
	}
	x := s.Flows()
	for _, ask := range []struct {
		name string
		most int64
		do   func() int
	}{
		{"into", 11, func() int { return len(x.In(1, n*50, n*50+1000, nil)) }},
		{"out of", 400, func() int { return len(x.Out(0, n*50, n*50+1000, nil)) }},
		{"touching", 2000, func() int { got, _ := x.Touching(1, n*50, n*50+1000, 1000, nil); return len(got) }},
		{"a hundred of all", 200, func() int { got, _ := x.Touching(1, 0, n*100, 100, nil); return len(got) }},
	} {
		before := x.Visited()
		testkit.That(t, ask.do() != 0, "%s: nothing", ask.name)
		work := x.Visited() - before
		testkit.That(t, work <= ask.most, "%s: %d looked at", ask.name, work)
	}
	want := 72 * int64(n)
	got := s.Memory().Other
	testkit.That(t, got <= want*3/2, "%d bytes for %d flows", got, n)
}

// Chains are followed both ways, and do not leave their number.
func TestChain(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.FlowDef{Name: "job"})
	flow := func(id model.TrackID, f model.Flow) {
		f.FromLane, f.ToLane = model.NoLane, model.NoLane
		s.Append(&model.Batch{Track: id, Flows: []model.Flow{f}})
	}
	flow(1, model.Flow{From: 10, To: 20, FromTrack: 0, Chain: 7})
	flow(2, model.Flow{From: 20, To: 30, FromTrack: 1, Chain: 7})
	flow(2, model.Flow{From: 20, To: 32, FromTrack: 1, Chain: 8})
	flow(0, model.Flow{From: 30, To: 40, FromTrack: 2, Chain: 7})
	x := s.Flows()
	for _, a := range x.In(2, 30, 30, nil) {
		var times []int64
		for _, c := range x.Chain(a, 16, nil) {
			times = append(times, c.From, c.To)
		}
		testkit.NoDiff(t, gocmp.Diff([]int64{10, 20, 20, 30, 30, 40}, times), "times")
	}
	list := x.Chain(x.In(2, 32, 32, nil)[0], 16, nil)
	testkit.That(t, len(list) == 1, "%v", list)
}

// nested is a thread with calls that begin and end together, one beside them in a row of its own, and
// a track of tasks that overlap.
func nested() *store.Session {
	s := store.NewSession()
	for c := range model.CollectorID(5) {
		s.Apply(model.CollectorDef{ID: c, Name: string(rune('a' + c))})
		s.Apply(model.PathDef{ID: model.PathID(c + 1), Collector: c})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "thread"})
	s.Apply(model.TrackDef{ID: 1, Name: "tasks", Kind: model.TrackAsync})
	s.Apply(model.FlowDef{Name: "job"})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{
		{Begin: 0, End: 50, Path: 1, Lane: 0}, {Begin: 0, End: 20, Path: 2, Lane: 1}, {Begin: 40, End: 50, Path: 3, Lane: 1},
		{Begin: 50, End: 80, Path: 4, Lane: 0}, {Begin: 60, End: 90, Path: 5, Lane: 2},
	}})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{
		{Begin: 0, End: 90, Path: 1, Lane: 0}, {Begin: 10, End: 60, Path: 2, Lane: 2}, {Begin: 20, End: 60, Path: 3, Lane: 1},
	}})
	return s
}

func TestEnds(t *testing.T) {
	s := nested()
	for _, x := range []struct {
		track model.TrackID
		lane  uint16
		at    int64
		want  string // "": no span
	}{
		{0, model.NoLane, 0, "b"}, {0, 0, 0, "a"}, {0, model.NoLane, 20, "a"}, {0, model.NoLane, 30, "a"},
		{0, model.NoLane, 40, "c"}, {0, model.NoLane, 50, "d"}, // not what ends there
		{0, model.NoLane, 85, "e"}, {0, model.NoLane, 90, "e"}, {0, model.NoLane, 91, ""}, {0, 1, 45, "c"}, {0, 1, 60, "e"},
		{1, model.NoLane, 5, "a"}, {1, model.NoLane, 15, "b"}, {1, model.NoLane, 30, "c"}, {1, model.NoLane, 20, "c"}, {1, model.NoLane, 70, "a"},
		{2, model.NoLane, 5, ""},
	} {
		a := spans.Arrow{Flow: model.Flow{To: x.at, ToLane: x.lane}, ToTrack: x.track}
		b, ok := a.End(s.Spans())
		got := s.Collector(b.Collector)
		testkit.That(t, ok == (x.want != "") && (!ok || got.Name == x.want),
			"track %d lane %d at %d: %v %q, want %q", x.track, x.lane, x.at, ok, got.Name, x.want)
	}
}
