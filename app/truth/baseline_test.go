package truth

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/app/report"
	"framescope/charts/calls"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/strip"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/pstats/decode"
)

// baselineTips are the lines of tooltips on what is measured by a baseline.
var baselineTips = reading(`in the baseline\t{median}`, `usual there\t{low} – {high}`, `vs baseline\t{delta}, (faster|as usual|slower)`)

// What bars say of a baseline is what diff writes of it, and of what is measured: the frame that is shown,
// or the call.
func TestBaseline(t *testing.T) {
	seen := map[string]int{}
	for _, frame := range []int{123, 147} {
		measuredFrame(t, frame, seen)
	}
	demand(t, seen, "flame slower", "timeline slower", "flame as usual", "timeline as usual", "timeline faster")
}

// measuredFrame looks at a frame of the second of two sessions, by all of the first.
func measuredFrame(t *testing.T, frame int, seen map[string]int) {
	a, b, _ := chartstest.NewCompared()
	before, after := subjectOf("before", a), subjectOf("after", b)
	main := b.MainTrack()
	sides := [2]compare.Side{compare.All(a), compare.FramesOf(b, main, frame, frame)}
	p := compared(t, "baseline", [2]*subject{before, after}, sides)
	rig := p.window()
	rig.Env.Comparing = new(view.Comparing)
	rig.Env.Comparing.Pin(view.Mark{Side: sides[0], Name: "before", What: "all"})
	for rig.Env.Comparing.Baseline(b) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
	rig.Env.View.SelectFrames(frame, frame)
	f := b.Track(main).Frame(frame)
	rig.Env.View.Steer().PlaceTime(f.Begin, f.End)
	for id, c := range map[string]panel.Panel{"flame": flame.New(model.NoCollector), "timeline": &timeline.Timeline{}} {
		settle(rig, c)
		p.eachMeasured(rig, c, func(h panel.Hit) {
			got, side := p.readMeasured(t, id, h.Lines)
			if got == nil {
				return
			}
			title := b.Collector(h.Collector).Title()
			thread := b.Track(h.Track).Title()
			row := p.said.rows("paths")[slices.IndexFunc(p.said.rows("paths"), func(r row) bool {
				return r.text("collector") == title && r.text("thread") == thread
			})]
			usual, value := row.object("total").object("usual_a"), of(row.object("total"), "b_ns")
			if id == "timeline" {
				usual, value = row.object("call_a"), float64(h.Bar.End-h.Bar.Begin)
			}
			want := map[string]float64{"median": of(usual, "median_ns"), "low": of(usual, "p5_ns"), "high": of(usual, "p95_ns")}
			want["delta"] = value - want["median"]
			for name, v := range want {
				w := got[name]
				testkit.That(t, w.says(v), "%s: %s: %s is %v, diff has %v", id, title, name, w.value, v)
			}
			is := "as usual"
			switch {
			case value > want["high"]:
				is = "slower"
			case value < want["low"]:
				is = "faster"
			}
			testkit.That(t, side == is, "%s: %s is %s, not %s", id, title, is, side)
			seen[id+" "+is]++
		})
	}
}

// eachMeasured points at a panel all over.
func (p *pair) eachMeasured(rig *chartstest.Rig, c panel.Panel, do func(panel.Hit)) {
	told := map[draw.Rect]bool{}
	for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 6 {
		for x := rig.R.X0 + 1; x < rig.R.X1; x += 4 {
			h := c.HitTest(rig.Env, x, y)
			if (h.Kind == panel.HitSpan || h.Kind == panel.HitNode) && !told[h.Rect] {
				told[h.Rect] = true
				do(h)
			}
		}
	}
}

// readMeasured reads what a tooltip says of the baseline; nil where it says that something is new.
func (p *pair) readMeasured(t *testing.T, id string, lines []string) (got map[string]written, side string) {
	got = map[string]written{}
	for _, line := range lines {
		if strings.HasPrefix(line, "new: ") {
			return nil, ""
		}
		for _, pattern := range baselineTips {
			if m := pattern.line.FindStringSubmatch(line); m != nil {
				for k, name := range pattern.names {
					w, ok := read(m[k+1], 1)
					testkit.That(t, ok, "%s: %q can't be read", id, line)
					got[strings.Trim(name, "{}")] = w
				}
				_, side, _ = strings.Cut(line, ", ")
			}
		}
	}
	if len(got) != 4 {
		t.Errorf("%s: %v in %q", id, fmt.Sprint(got), lines)
		return nil, ""
	}
	return got, side
}

// pinned makes a window measure by a side.
func pinned(rig *chartstest.Rig, side compare.Side) {
	rig.Env.Comparing = new(view.Comparing)
	rig.Env.Comparing.Pin(view.Mark{Side: side, Name: "before", What: "all"})
	for rig.Env.Comparing.Baseline(rig.Env.View.Session()) == nil {
		rig.Env.Comparing.Tick(1000)
	}
	rig.Env.View.Look().MeasuredBy(rig.Env.Comparing.BaselineRevision())
}

// measuredRows hands the tooltip of each row of a table to do, and what the row is of.
func measuredRows(rig *chartstest.Rig, c panel.Panel, do func(h panel.Hit)) {
	told := map[string]bool{}
	for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 4 {
		h := c.HitTest(rig.Env, rig.R.X0+60, y)
		if key := strings.Join(h.Lines, "\n"); strings.Contains(key, "aseline") && !told[key] {
			told[key] = true
			do(h)
		}
	}
}

// What the call tree and the longest calls say of a baseline is what diff writes of it: of the frame that is
// shown, and of single calls.
func TestBaselineOfCalls(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	const frame = 123
	main := b.MainTrack()
	sides := [2]compare.Side{compare.All(a), compare.FramesOf(b, main, frame, frame)}
	p := compared(t, "baseline", [2]*subject{subjectOf("before", a), subjectOf("after", b)}, sides)
	rig := p.window()
	pinned(rig, sides[0])
	rig.Env.View.SelectFrames(frame, frame)
	thread := b.Track(main).Title()
	path := func(collector string) row {
		all := p.said.rows("paths")
		return all[slices.IndexFunc(all, func(r row) bool { return r.text("collector") == collector && r.text("thread") == thread })]
	}
	says := func(what, title string, got map[string]written, usual row, value float64) {
		want := map[string]float64{"median": of(usual, "median_ns"), "low": of(usual, "p5_ns"), "high": of(usual, "p95_ns")}
		want["delta"] = value - want["median"]
		for name, v := range want {
			w := got[name]
			testkit.That(t, w.says(v), "%s: %s: %s is %v, diff has %v", what, title, name, w.value, v)
		}
	}
	seen := map[string]int{}
	tree := calls.NewTree()
	tree.AllTracks = false
	settle(rig, tree)
	measuredRows(rig, tree, func(h panel.Hit) {
		title := b.Collector(h.Collector).Title()
		if got, _ := p.readMeasured(t, "calltree", h.Lines); got != nil {
			seen["calltree"]++
			r := path(title).object("total")
			says("calltree", title, got, r.object("usual_a"), of(r, "b_ns"))
		}
	})
	slow := calls.NewSlow()
	slow.Flat, slow.InRange = true, true
	rig.Env.View.SelectCollectorOf(main, collectorOf(b.Collectors().Len(), func(c model.CollectorID) bool { return b.Collector(c).Name == "Physics" }))
	for range 5 {
		settle(rig, slow)
	}
	measuredRows(rig, slow, func(h panel.Hit) {
		if got, _ := p.readMeasured(t, "calls", h.Lines); got != nil {
			seen["calls"]++
			says("calls", "Physics", got, path(b.Collector(h.Collector).Title()).object("call_a"), float64(h.Bar.End-h.Bar.Begin))
		}
	})
	testkit.That(t, seen["calltree"] >= 4 && seen["calls"] >= 1, "%v rows were compared", seen)
}

func collectorOf(n int, is func(model.CollectorID) bool) model.CollectorID {
	for c := range model.CollectorID(n) {
		if is(c) {
			return c
		}
	}
	return model.NoCollector
}

// What elements say of a baseline is what diff writes of the latencies of their pads.
func TestBaselineOfElements(t *testing.T) {
	seen := map[string]int{}
	eachSubject(t, func(t *testing.T, x *subject) {
		main := x.s.MainTrack()
		if !x.s.Contents().Objects || main == model.NoTrack {
			return
		}
		begin, end, _ := x.s.Bounds()
		mid := begin + (end-begin)/2
		sides := [2]compare.Side{compare.TimeOf(x.s, begin, mid), compare.TimeOf(x.s, mid, end+1)}
		p := compared(t, x.name, [2]*subject{x, x}, sides)
		rig := p.window()
		pinned(rig, sides[0])
		rig.Env.View.Follow(false)
		rig.Env.View.SelectRange(mid, end+1)
		for _, id := range []string{"elements", "topology"} {
			d, _ := registry.Find(id)
			c := d.New()
			settle(rig, c)
			told := map[string]bool{}
			for y := rig.R.Y0 + 3; y < rig.R.Y1; y += 5 {
				for px := rig.R.X0 + 5; px < rig.R.X1; px += 25 {
					h := c.HitTest(rig.Env, px, y)
					key := strings.Join(h.Lines, "\n")
					if h.Kind != panel.HitObject || told[key] || !strings.Contains(key, "vs baseline") {
						continue
					}
					told[key] = true
					got, _ := p.readMeasured(t, id, h.Lines)
					best := math.Inf(1)
					for _, r := range p.said.rows("collectors") {
						if usual := r.object("call_a"); usual != nil && strings.HasPrefix(r.text("collector"), "element-latency:") {
							if w := got["median"]; w.says(of(usual, "median_ns")) {
								best = min(best, 0)
							}
						}
					}
					testkit.That(t, best == 0, "%s: %s: nothing in diff has the median of %q", x.name, id, h.Lines)
					seen[id]++
				}
			}
		}
	})
	testkit.That(t, seen["elements"] != 0 && seen["topology"] != 0, "nothing was compared: %v", seen)
}

// sideFrames is how many frames on each side one is compared with at most, sideAway how far they are
// away at most (docs/why.md).
const sideFrames, sideAway = 64, 300

// aroundFrame returns the frames that one is compared with: those around it that are no hitches, on
// both sides or, where what the program does changes near the frame, on one.
func (p *part) aroundFrame(at int) (refs [][]int) {
	typical := func(i int) bool { return !p.s.Frames().Hitch(p.track, i) }
	var before, after []int
	for i := at - 1; i >= max(0, at-sideAway) && len(before) < sideFrames; i-- {
		if typical(i) {
			before = append(before, i)
		}
	}
	for i := at + 1; i <= min(p.s.Track(p.track).NumFrames()-1, at+sideAway) && len(after) < sideFrames; i++ {
		if typical(i) {
			after = append(after, i)
		}
	}
	return [][]int{slices.Concat(before, after), before, after}
}

// againstRow is what a collector took in the selected frame, beside the middle of the frames around.
func againstRow(p *part, v *view.View, r *record) (out figuresOf) {
	c := model.NoCollector
	if r.of.Kind == panel.HitCollector {
		c = r.of.Collector
	}
	return p.against(v.FrameA(), c)
}

func (p *part) against(at int, c model.CollectorID) (out figuresOf) {
	for _, refs := range p.aroundFrame(at) {
		var self, starts []int64
		seen := 0
		for _, i := range refs {
			ns, n := p.ownIn(i, c)
			if self, starts = append(self, ns), append(starts, n); p.below(i, c) {
				seen++
			}
		}
		if slices.Sort(self); len(self) == 0 {
			continue
		}
		slices.Sort(starts)
		ns, n := p.ownIn(at, c)
		middle := (len(self) - 1) / 2
		out = append(out, map[string]float64{
			"self": float64(ns), "typical_self": float64(self[middle]), "over_typical": float64(ns - self[middle]),
			"starts": float64(n), "typical_starts": float64(starts[middle]), "seen": float64(seen), "around": float64(len(refs)),
		})
	}
	return out
}

// ownIn is what a collector took itself in a frame, and how often it began; NoCollector: what none did.
func (p *part) ownIn(frame int, c model.CollectorID) (ns, starts int64) {
	f := p.s.Track(p.track).Frame(frame)
	rest := f.End - f.Begin
	root := p.s.Collectors().Tree().All[0].ID
	for _, a := range p.s.Frames().Self(p.track, frame, nil) {
		if rest -= a.Ns; a.Collector == c || c == model.NoCollector && a.Collector == root {
			ns, starts = ns+a.Ns, starts+int64(a.Count)
		}
	}
	if c == model.NoCollector {
		ns += max(rest, 0)
	}
	return ns, starts
}

// below tells whether a collector, or one that is named below it, ran in a frame, it by itself also for
// no time; what waits is not in what is above it.
func (p *part) below(frame int, c model.CollectorID) bool {
	for _, a := range p.s.Frames().Self(p.track, frame, nil) {
		if a.Ns == 0 && (a.Count == 0 || a.Collector != c) {
			continue
		}
		for id := a.Collector; id >= 0; id = p.s.Collector(id).Parent {
			if id == c {
				return true
			}
			if p.s.Collector(id).Waits {
				break
			}
		}
	}
	return false
}

// Wherever a frame of a thread is shown beside another thread it is that of the same tick: below the
// names in the timeline, in panels that stay with a thread, in the report on frames of one thread, and
// when one goes to another thread.
func TestFramesOfOneTick(t *testing.T) {
	for name, open := range map[string]func(testing.TB) *store.Session{
		"ticks": func(testing.TB) *store.Session { return chartstest.TickSession() },
		"game":  chartstest.NewSession,
		"threads": func(t testing.TB) *store.Session {
			return chartstest.Load(t, decode.Source{}, recordings.PStats, "threads.pstats")
		},
		"render_gl_gpu": func(t testing.TB) *store.Session {
			return chartstest.Load(t, decode.Source{}, recordings.PStats, "render_gl_gpu.pstats")
		},
	} {
		t.Run(name, func(t *testing.T) {
			x, seen := subjectOf(name, open(t)), 0
			main := x.s.MainTrack()
			n := x.s.Track(main).NumFrames()
			for _, i := range []int{0, n / 3, n / 2, n - 2, n - 1} {
				p := &part{subject: x, track: main, first: i, last: i, selected: true}
				p.t0, p.t1 = x.times(main, i, i)
				seen += p.compareBesides(t)
			}
			testkit.That(t, seen >= 40, "only %d frames were looked at", seen)
		})
	}
}

func (p *part) compareBesides(t *testing.T) (seen int) {
	heads, reports := p.heads(), p.reportFrames(t)
	for id := range model.TrackID(p.s.NumTracks()) {
		th := p.s.Track(id)
		if th.NumFrames() == 0 || !p.inStep(id) {
			continue
		}
		first, last := p.framesOf(nil, id)
		name, number, head := th.Title(), "none", ""
		if first <= last {
			f := th.Frame(first)
			number = fmt.Sprint(f.Number)
			busy := int64(p.shownWork(p.rig().Env.View, id)["busy"] + 0.5)
			head = "#" + string(format.AppendDuration(append(format.AppendCount(nil, f.Number), ' '), busy))
		}
		differs := func(what, got string) {
			seen++
			testkit.That(t, got == number, "%s: %s has frame %s of %s, it is %s", p, what, got, name, number)
		}
		_, took, _ := strings.Cut(head, " ") // there is not always room for the number
		got := heads[name]
		testkit.That(t, got == head || got == took && got != "", "%s: below %s stands %q; want %q", p, name, got, head)
		differs("the report", reports[name])
		rig := p.rig()
		v := rig.Env.View
		for _, c := range []panel.Panel{flame.New(model.NoCollector), strip.NewPiano(id), strip.New(id, 0, false)} {
			if g, ok := c.(*flame.Graph); ok {
				g.Track = id
			}
			settle(rig, c)
			said := c.Mode(rig.Env)
			_, after, _ := strings.Cut(said, "frame ")
			of, _, _ := strings.Cut(after, " · ")
			of = strings.ReplaceAll(of, "\u202f", "")
			if _, err := strconv.Atoi(of); err != nil {
				of = "none"
			}
			if first <= last || !strings.Contains(said, "missing") {
				differs(fmt.Sprintf("%T (%q)", c, said), of)
			}
		}
		if v.SetTrack(id); first <= last {
			differs("the selection", fmt.Sprint(th.Frame(v.FrameA()).Number))
			v.SetTrack(p.track)
			testkit.That(t, v.FrameA() == p.first,
				"%s: the way from %s and back leads to frame %d", p, name, p.s.Track(p.track).Frame(v.FrameA()).Number)
		}
	}
	return seen
}

// Of threads that count for themselves, too, the list of threads states what the report on the selected
// frame does: the mean of the frames that begin in it.
func TestThreadTimesAreThoseOfTheReport(t *testing.T) {
	x, several := subjectOf("threads", chartstest.Load(t, decode.Source{}, recordings.PStats, "threads.pstats")), 0
	main := x.s.MainTrack()
	for _, i := range []int{20, 120, 150, 190} {
		p := &part{subject: x, track: main, first: i, last: i, selected: true}
		p.t0, p.t1 = x.times(main, i, i)
		var r row
		n := p.s.Track(main).Frame(i).Number
		testkit.OK(t, asJSON(&r, func(w io.Writer) error { return report.Write(w, p.s, framesOnly(n, n)) }))
		rig := p.rig()
		rig.Env.View.Look().SetShowWall(true)
		d, _ := registry.Find("threads")
		c := d.New()
		settle(rig, c)
		stated := map[string]float64{}
		for _, line := range records(c.(panel.Teller).Facts(rig.Env, nil)) {
			if f := line.cells["busy_time"]; f != nil {
				stated[p.s.Track(line.of.Track).Title()] = f.Value
			}
		}
		for _, th := range r.rows("threads") {
			first, _ := th.number("first_frame")
			last, _ := th.number("last_frame")
			frames, _ := th.number("frames")
			id := testkit.Must(place.FindTrack(p.s, th.text("name")))(t)
			track, sum := p.s.Track(id), int64(0)
			for k := range track.NumFrames() {
				if f := track.Frame(k); f.Number >= int64(first) && f.Number <= int64(last) {
					sum += f.End - f.Begin
				}
			}
			if got := stated[track.Title()]; math.Abs(got-float64(sum)/frames) > 1 {
				t.Errorf("%s: %s took %v, in the report %v frames took %v", p, track.Title(), got, frames, sum)
			}
			if frames > 1 {
				several++
			}
		}
	}
	testkit.That(t, several != 0, "no thread began several frames in one")
}

var headOfThread = regexp.MustCompile(`^(#[0-9\x{202f}]+ )?(≈ )?[0-9.]+ (ns|µs|ms|s)$`)

// heads returns what stands below the names of threads in the timeline, by the names.
func (p *part) heads() map[string]string {
	rig := p.rig()
	rig.R = draw.Rect{X1: 900, Y1: 1400}
	rig.Env.Atlas = draw.NewAtlas(1)
	for id := range model.TrackID(p.s.NumTracks()) {
		rig.Env.View.Look().SetTrackLanes(id, 2) // makes the gutter wide
	}
	d, _ := registry.Find("timeline")
	c := d.New()
	settle(rig, c)
	names := p.names()
	out, above := map[string]string{}, ""
	texts := slices.Clone(c.List().Texts())
	slices.SortStableFunc(texts, func(a, b draw.WatchedText) int { return int(a.Box.Y0 - b.Box.Y0) })
	for _, x := range texts {
		switch {
		case x.Box.X0 > 60:
		case headOfThread.MatchString(x.Text):
			out[above] = strings.Replace(x.Text, "≈ ", "", 1)
		case names[x.Text]:
			above = x.Text
		}
	}
	return out
}

// reportFrames returns the number of the frame of each thread in the report on the selected one.
func (p *part) reportFrames(t *testing.T) map[string]string {
	n := p.s.Track(p.track).Frame(p.first).Number
	var r row
	testkit.OK(t, asJSON(&r, func(w io.Writer) error { return report.Write(w, p.s, framesOnly(n, n)) }))
	out := map[string]string{}
	for _, th := range r.rows("threads") {
		if frames, _ := th.number("frames"); frames == 1 {
			v, _ := th.number("first_frame")
			out[th.text("name")] = fmt.Sprint(int64(v))
		}
	}
	for id := range model.TrackID(p.s.NumTracks()) {
		if name := p.s.Track(id).Title(); out[name] == "" {
			out[name] = "none"
		}
	}
	return out
}
