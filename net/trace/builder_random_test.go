package trace

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
)

// event is a begin (B), an end (E) or a whole span (X).
type event struct {
	kind    byte
	at, end int64
	name    string
}

// known is a span as it must come out, with the path of the spans around it.
type known struct {
	begin, end int64
	path       string
	open, out  bool // it has no end, it sticks out
}

// plainly pairs and nests events of different times in the plainest way, and counts what is wrong.
func plainly(events []event, last int64, wrong map[string]int64) (list []known) {
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var open []int
	for _, e := range events {
		switch e.kind {
		case 'X':
			list = append(list, known{e.at, e.end, e.name, false, false})
		case 'B':
			open = append(open, len(list))
			list = append(list, known{e.at, last, e.name, true, false})
		case 'E':
			at := len(open) - 1
			for at >= 0 && e.name != "" && list[open[at]].path != e.name {
				at--
			}
			if at < 0 {
				wrong["unmatched-end"]++
				continue
			}
			wrong["missing-end"] += int64(len(open) - at - 1)
			for _, i := range open[at:] {
				list[i].end, list[i].open = e.at, false
			}
			open = open[:at]
		}
	}
	for i := range list {
		s := &list[i]
		name, around := s.path, s.end
		for _, o := range list[:i] {
			if !o.out && o.end > s.begin {
				s.path, around = o.path+";"+name, o.end
			}
		}
		if s.out = s.end > around; s.out {
			s.path = name
		}
	}
	return list
}

// TestRandom makes random recordings and compares them with the plainest way: each span has its begin, its end and the
// path of the spans around it, no two of a row overlap, and each frame has the self times of its names.
func TestRandom(t *testing.T) {
	const last = 400
	for seed := range uint64(testkit.Rounds(500, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		var want [3][]string // by track
		wrong, k := map[string]int64{}, &feedtest.Kept{}
		b := NewBuilder(k, nil, Options{Slack: 1})
		for i, track := range []string{"at 1 1", "at 1 2", "line", "async 1 jobs"} {
			var events []event
			script, kinds := "at 1 2;"+track, []string{"X", "BE", "BBE", "XXBE"}[r.IntN(4)]
			for _, at := range r.Perm(last / 10)[:1+r.IntN(30)] {
				e := event{kinds[r.IntN(len(kinds))], int64(10 * at), 0, string(rune('a' + r.IntN(4)))}
				e.end = min(e.at+5+10*r.Int64N(1+r.Int64N(30)), last)
				if e.kind == 'E' && r.IntN(3) > 0 {
					e.name = ""
				}
				events = append(events, e)
				if e.kind == 'X' {
					script += fmt.Sprintf("; X %d %d %s", e.at, e.end, e.name)
				} else {
					script += fmt.Sprintf("; %c %d %s", e.kind, e.at, e.name)
				}
			}
			play(b, script)
			for _, x := range plainly(events, last, wrong) {
				want[i-i/2] = append(want[i-i/2], fmt.Sprint(x.path, x.begin, x.end, x.open))
			}
		}
		var frames []Border
		for at := r.Int64N(50); at < last; at += r.Int64N(40) {
			f := Border{Number: int64(len(frames)), Begin: at, End: min(at+1+r.Int64N(60), last)}
			at = f.End
			f.Open = at == last && r.IntN(2) == 0
			frames = append(frames, f)
		}
		main := b.Thread([]byte("1"), []byte("1"))
		main.See(0)
		main.See(last)
		main.Process().Frames(&main.Track, frames)
		testkit.OK(t, b.Close(nil))

		var got [3][]string
		var spans [3][]model.Span
		ends := map[string]int64{}
		for tr, s := range k.Spans() {
			row := fmt.Sprint(tr.ID, ".", s.Lane)
			testkit.That(t, s.Begin >= ends[row], "a span at %d in row %s, which is taken up to %d", s.Begin, row, ends[row])
			ends[row], spans[tr.ID] = s.End, append(spans[tr.ID], *s)
			got[tr.ID] = append(got[tr.ID], fmt.Sprint(k.Stack(s.Path), s.Begin, s.End, s.Flags&model.SpanOpenEnd != 0))
		}
		for i := range got {
			slices.Sort(got[i])
			slices.Sort(want[i])
		}
		testkit.Same(t, got, want, "spans by track")
		for id := range 2 {
			wrong["outside-frames"] += compareFrames(t, k, model.TrackID(id), spans[id], frames)
		}
		for _, l := range k.Losses {
			wrong[l.Kind] -= l.N
		}
		for kind, n := range wrong {
			testkit.That(t, n == 0, "%s: %d are not counted", kind, n)
		}
		testkit.MustThat(t, !t.Failed(), "seed  %v", seed)
	}
}

// compareFrames gives each ns of the frames to the span that began last of those that run then, and each span to the
// frame in which it begins. It returns how many begin in none.
func compareFrames(
	t *testing.T, k *feedtest.Kept, id model.TrackID, spans []model.Span, frames []Border,
) (outside int64) {
	outside = int64(len(spans))
	type sum struct{ ns, starts int64 }
	for _, f := range frames {
		got, want := map[string]sum{}, map[string]sum{}
		for _, s := range spans {
			if s.Begin >= f.Begin && s.Begin < f.End {
				outside--
				x := want[k.Name(s.Path)]
				want[k.Name(s.Path)] = sum{x.ns, x.starts + 1}
			}
		}
		for at := f.Begin; at < f.End; at++ {
			for _, s := range slices.Backward(spans) {
				if s.Begin <= at && at < s.End {
					x := want[k.Name(s.Path)]
					want[k.Name(s.Path)] = sum{x.ns + 1, x.starts}
					break
				}
			}
		}
		found := false
		for _, b := range k.Batches {
			if b.Track == id && (b.HasFrame || b.Open) && b.Number == f.Number {
				found = b.Begin == f.Begin && b.End == f.End && b.Open == f.Open
				for _, x := range b.Self {
					got[k.Names[x.Collector]] = sum{x.Ns, int64(x.Count)}
				}
			}
		}
		testkit.That(t, maps.Equal(got, want) && (found || id > 0), "track %d, frame %+v: %v, want %v", id, f, got, want)
	}
	return outside
}
