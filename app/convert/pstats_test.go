package convert_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/place"
	"framescope/model/store"
)

// again writes a part and opens it.
func again(t *testing.T, p *convert.Part) *store.Session {
	t.Helper()
	s, _ := reopened(t, &convert.PStatsFormat, p)
	if n, lines := s.Losses(); n[model.LossMalformed]+n[model.LossImplausible]+n[model.LossLimit]+n[model.LossLate] > 0 {
		t.Errorf("losses: %v", lines)
	}
	return s
}

// Recordings of every kind that has frames, with ranges in them.
var pstatsRecordings = map[string][]string{
	"pstats/nested.pstats": {"", "10:20"}, "pstats/gaps.pstats": {""}, "pstats/late.pstats": {""},
	"pstats/levels.pstats": {"", "-5:"}, "pstats/recursion.pstats": {""}, "pstats/fragmented.pstats": {""},
	"chrometrace/engine-object.json.gz": {"", "10:20"}, "gotrace/game-122.trace.gz": {""}, "puffin/pfd2.puffin": {"", "10:20"},
	"spall/game-v3.spall": {""}, "perfetto/frametimeline.pftrace.gz": {""},
}

// What is written comes back with the same frames, and the same net and own times and levels of each
// collector, by name, as reports have them, within the step of the format's clock.
func TestPstatsRoundTrip(t *testing.T) {
	for name, ranges := range pstatsRecordings {
		for _, text := range ranges {
			t.Run(name+" "+text, func(t *testing.T) {
				p := part(t, name, text)
				got := again(t, p)
				index, compared := 0, 0
				for _, id := range p.Tracks {
					a := p.Session.Track(id)
					first, end := p.Frames(id)
					if !a.Def.Kind.Calls() || first == end && a.NumSpans() == 0 {
						continue
					}
					b, err := place.FindTrack(got, a.Title())
					if err != nil {
						t.Error(err)
						continue
					}
					index++
					if first == end {
						compareCut(t, p, id, got, b)
						continue
					}
					compareFrames(t, p, id, got, b)
					compared++
				}
				testkit.That(t, compared != 0, "nothing to compare")
				if want := p.Session.Track(p.Session.MainTrack()).Title(); got.MainTrack() != 0 || got.Track(0).Title() != want {
					t.Errorf("thread 0 is %s, the main one %d, instead of %s", got.Track(0).Title(), got.MainTrack(), want)
				}
			})
		}
	}
}

var clock = model.Clock{Float32Seconds: true}

// tester is a test of any kind.
type tester interface {
	complainer
	Fatalf(format string, args ...any)
}

// frameOf is a frame of a thread as it has to come back: where numbers leave some out they are counted.
func frameOf(t *store.Track, i int) frames.Frame {
	f := t.Frame(i)
	if t.Def.Skips {
		f.Number = int64(i)
	}
	return f
}

// compareFrames compares a thread with frames of its own.
func compareFrames(t tester, p *convert.Part, id model.TrackID, got *store.Session, b model.TrackID) {
	t.Helper()
	first, end := p.Frames(id)
	track, other := p.Session.Track(id), got.Track(b)
	if overlaps(track) {
		compareRows(t, p, id, got)
		return
	}
	testkit.MustEqual(t, other.NumFrames(), end-first, "%s: frames", track.Title())
	exact := p.Session.Info().Clock.Float32Seconds
	shift, step := int64(0), int64(0)
	if !exact {
		shift = track.Frame(first).Begin - other.Frame(0).Begin
		step = clock.Step(other.Frame(other.NumFrames() - 1).End)
	}
	spans := map[model.CollectorID]int64{} // how many ends of spans each has
	for k := range end - first {
		w, g := frameOf(track, first+k), other.Frame(k)
		testkit.That(t, g.Number == w.Number && abs(g.Begin+shift-w.Begin) <= step && abs(g.End+shift-w.End) <= step,
			"%s: frame %+v instead of %+v", track.Title(), g, w)
	}
	p.Spans(id, func(s *convert.Span) error {
		for _, at := p.Session.Path(s.Path); ; at = p.Session.Collector(at).Parent {
			if spans[at]++; at == 0 {
				return nil
			}
		}
	})
	for _, figure := range []frames.Figure{frames.FigureNet, frames.FigureSelf, frames.FigureLevel} {
		want := map[string]frames.Stats{}
		ends := map[string]int64{}
		for _, st := range p.Session.Frames().ExactStats(id, figure, first, end-1, nil) {
			title := p.Session.Collector(st.Collector).Title()
			want[title], ends[title] = st, 4*spans[st.Collector]+4
		}
		have := map[string]frames.Stats{}
		for _, st := range got.Frames().ExactStats(b, figure, 0, other.NumFrames()-1, nil) {
			have[got.Collector(st.Collector).Title()] = st
		}
		for title, w := range want {
			g := have[title]
			off := math.Abs(g.Sum - w.Sum)
			if figure == frames.FigureLevel && off > 1e-6*math.Abs(w.Sum) || figure != frames.FigureLevel && off > float64(ends[title]*step)/1e9+1e-9 {
				if p.Session.Collector(w.Collector).ID == 0 && !exact {
					continue // the frame itself: here it has the time of all that is not in spans
				}
				t.Errorf("%s: figure %d of %s is %v instead of %v, with a step of %d ns", track.Title(), figure, title, g.Sum, w.Sum, step)
			}
		}
	}
}

func overlaps(t *store.Track) bool {
	for i := 1; i < t.NumFrames(); i++ {
		if t.Frame(i).Begin < t.Frame(i-1).End {
			return true
		}
	}
	return false
}

// compareRows compares a thread whose frames overlap: they are there, each once, in threads in which none
// do.
func compareRows(t tester, p *convert.Part, id model.TrackID, got *store.Session) {
	t.Helper()
	track, found, rows := p.Session.Track(id), map[int64]frames.Frame{}, 0
	for b := range model.TrackID(got.NumTracks()) {
		other := got.Track(b)
		if !strings.HasPrefix(other.Title(), track.Title()) {
			continue
		}
		rows++
		testkit.That(t, !overlaps(other), "frames of %s overlap", other.Title())
		for i := range other.NumFrames() {
			found[other.Frame(i).Number] = other.Frame(i)
		}
	}
	shift := track.Frame(0).Begin - found[frameOf(track, 0).Number].Begin
	for i := range track.NumFrames() {
		w := frameOf(track, i)
		g, ok := found[w.Number]
		if step := clock.Step(g.End); !ok || abs(g.Begin+shift-w.Begin) > step || abs(g.End+shift-w.End) > step {
			t.Errorf("%s: frame %+v instead of %+v", track.Title(), g, w)
		}
	}
	testkit.That(t, len(found) == track.NumFrames() && rows >= 2,
		"%s: %d frames in %d rows", track.Title(), len(found), rows)
}

// compareCut compares a thread that has been cut by the frames of the main one: what it did in them.
func compareCut(t *testing.T, p *convert.Part, id model.TrackID, got *store.Session, b model.TrackID) {
	t.Helper()
	main := p.Session.Track(p.Session.MainTrack())
	want, ends := map[string]int64{}, map[string]int64{}
	p.Spans(id, func(s *convert.Span) error {
		title := p.Session.Collector(s.Collector).Title()
		for i := range main.NumFrames() {
			f := main.Frame(i)
			if i+1 < main.NumFrames() && main.Frame(i+1).Missing == 0 {
				f.End = main.Frame(i + 1).Begin
			}
			if begin, end := max(f.Begin, s.Begin), min(f.End, s.End); begin < end {
				want[title] += end - begin
				ends[title] += 2
			}
		}
		return nil
	})
	var total int64
	have := map[string]int64{}
	again := testPart(t, got, "")
	again.Spans(b, func(s *convert.Span) error {
		have[got.Collector(s.Collector).Title()] += s.End - s.Begin
		total = max(total, s.End)
		return nil
	})
	for title, w := range want {
		testkit.That(t, w <= 0 || abs(have[title]-w) <= ends[title]*clock.Step(total),
			"%s: %s %d ns instead of %d", p.Session.Track(id).Title(), title, have[title], w)
	}
}

func abs(n int64) int64 { return max(n, -n) }

// Series that are numbers come back as counters, with what was in force when a frame ended.
func TestSeries(t *testing.T) {
	p := part(t, "chrometrace/engine-object.json.gz", "10:40")
	got := again(t, p)
	main := p.Session.MainTrack()
	b := testkit.Must(place.FindTrack(got, p.Session.Track(main).Title()))(t)
	compared := 0
	first, end := p.Frames(main)
	for i := range end - first {
		have := map[string]float64{}
		for _, l := range got.Frames().Levels(b, i, nil) {
			have[got.Collector(l.Collector).Name] = l.Value
		}
		for _, x := range p.Series() {
			f := p.Session.Track(main).Frame(first + i)
			v, ok := x.At(f.End - 1)
			if g, there := have[x.Def.Group+" "+x.Def.Name]; ok && !math.IsNaN(v.Value) && (!there || g != float64(float32(v.Value))) {
				t.Errorf("frame %d: %s is %v instead of %v", f.Number, x.Def.Name, g, v.Value)
			}
			compared++
		}
	}
	for _, x := range p.Series() {
		c, ok := named(got, x.Def.Group+" "+x.Def.Name)
		testkit.That(t, ok && got.Collector(c).Unit == x.Def.Unit, "%s: no collector with unit %q", x.Def.Name, x.Def.Unit)
	}
	testkit.That(t, compared != 0, "nothing to compare")
}

func named(s *store.Session, name string) (model.CollectorID, bool) {
	for _, c := range s.Collectors().Tree().All {
		if c.Name == name && c.HasLevel {
			return c.ID, true
		}
	}
	return 0, false
}

// What PStats has no place for is told, and of what nothing goes by frames it is said why not.
func TestLeft(t *testing.T) {
	p := part(t, "gotrace/game-122.trace.gz", "")
	again(t, p)
	var said []string
	for _, l := range p.Left() {
		said = append(said, l.String())
	}
	for _, want := range []string{
		"message", "states or events", "become counters with a value in each frame", "spans beside threads",
		"is called Frame, a collector that the format has of each frame, with its whole time",
	} {
		testkit.That(t, slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, want) }),
			"no word of %s: %q", want, said)
	}
	p = part(t, "pstats/nested.pstats", "")
	again(t, p)
	testkit.That(t, !strings.Contains(fmt.Sprint(p.Left()), "called"), "its frames are spans: %q", p.Left())
	for name, want := range map[string]string{
		"pprof/game-heap.pprof": "sums without times", "cpuprofile/main.cpuprofile": "it has no frames",
	} {
		p = part(t, name, "")
		err := convert.PStatsFormat.Check(p)
		testkit.That(t, err != nil && strings.Contains(fmt.Sprint(err), want), "%s: %v", name, err)
	}
}

// While a live session is written, its oldest frames may leave memory and others come: what is still there
// is written, whole and in order.
func TestMeanwhile(t *testing.T) {
	st := store.New(0)
	defer st.Close()
	s := st.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	const frames, spans = 4000, 20
	add := func(n int64) {
		b := model.Batch{HasFrame: true, Number: n, Begin: n * 1000_000, End: (n + 1) * 1000_000}
		for k := range int64(spans) {
			b.Spans = append(b.Spans, model.Span{Begin: b.Begin + 50_000*k, End: b.Begin + 50_000*k + 40_000 + 7*n%1000, Path: 1})
		}
		s.Append(&b)
	}
	for n := range int64(frames) {
		add(n)
	}
	p := testkit.Must(convert.Of(s, place.TimeRange{}, nil))(t)
	p = convert.Between(s, p.Begin, p.End-1)
	calls := 0
	p.OnProgress(func(int64, int64) {
		if calls++; calls == 1 {
			for n := range int64(100) {
				add(frames + n)
			}
			st.MemoryLimit = st.Memory().Total() * 3 / 4
			for st.EnforceLimit(time.Time{}) {
			}
		}
	})
	got := again(t, p)
	track := got.Track(0)
	left := s.Track(0).Evicted()
	n := track.NumFrames()
	testkit.MustThat(t, calls != 0 && left != 0 && n >= frames-int(left) && n < frames,
		"%d frames of %d, %d left memory", n, frames, left)
	for i := range n {
		f := track.Frame(i)
		testkit.MustThat(t, f.Spans == spans+1 && (i <= n-int(frames-left) || f.Missing == 0), "frame %+v", f)
	}
	testkit.Equal(t, track.FrameNumber(n-1), frames-1, "the last one")
}

// Random sessions come back: each thread with its frames and figures of these, the main one as the first.
func TestPstatsRandomComesBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p, err := convert.Of(randomSession(t), place.TimeRange{}, nil)
		if err != nil || convert.PStatsFormat.Check(p) != nil {
			return // nothing goes by frames
		}
		got := through(t, dir, &convert.PStatsFormat, p)
		if want := p.Session.Track(p.Session.MainTrack()).Title(); got.Track(got.MainTrack()).Title() != want {
			t.Errorf("the main thread is %s, not %s", got.Track(got.MainTrack()).Title(), want)
		}
		for _, id := range p.Tracks {
			if first, end := p.Frames(id); first < end {
				b := testkit.Must(place.FindTrack(got, p.Session.Track(id).Title()))(t)
				compareFrames(t, p, id, got, b)
			}
		}
	})
}
