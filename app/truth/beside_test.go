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
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/flame"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/strip"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
)

// Wherever a frame of a thread is shown beside another thread it is that of the same tick: below the
// names in the timeline, in panels that stay with a thread, in the report on frames of one thread, and
// when one goes to another thread.
func TestFramesOfOneTick(t *testing.T) {
	for name, open := range map[string]func(testing.TB) *store.Session{
		"ticks":         func(testing.TB) *store.Session { return chartstest.TickSession() },
		"game":          chartstest.NewSession,
		"threads":       func(t testing.TB) *store.Session { return chartstest.LoadCapture(t, "threads") },
		"render_gl_gpu": func(t testing.TB) *store.Session { return chartstest.LoadCapture(t, "render_gl_gpu") },
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
			if seen < 40 {
				t.Errorf("only %d frames were looked at", seen)
			}
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
			head = "#" + string(format.AppendDuration(append(format.AppendCount(nil, f.Number), ' '), f.End-f.Begin))
		}
		differs := func(what, got string) {
			seen++
			if got != number {
				t.Errorf("%s: %s has frame %s of %s, it is %s", p, what, got, name, number)
			}
		}
		_, took, _ := strings.Cut(head, " ") // there is not always room for the number
		if got := heads[name]; got != head && (got != took || got == "") {
			t.Errorf("%s: below %s stands %q; want %q", p, name, got, head)
		}
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
			if v.FrameA() != p.first {
				t.Errorf("%s: the way from %s and back leads to frame %d", p, name, p.s.Track(p.track).Frame(v.FrameA()).Number)
			}
		}
	}
	return seen
}

// Of threads that count for themselves, too, the list of threads states what the report on the selected
// frame does: the mean of the frames that begin in it.
func TestThreadTimesAreThoseOfTheReport(t *testing.T) {
	x, several := subjectOf("threads", chartstest.LoadCapture(t, "threads")), 0
	main := x.s.MainTrack()
	for _, i := range []int{20, 120, 150, 190} {
		p := &part{subject: x, track: main, first: i, last: i, selected: true}
		p.t0, p.t1 = x.times(main, i, i)
		var r row
		n := p.s.Track(main).Frame(i).Number
		testkit.OK(t, asJSON(&r, func(w io.Writer) error { return report.Write(w, p.s, framesOnly(n, n)) }))
		rig := p.rig()
		d, _ := registry.Find("threads")
		c := d.New()
		settle(rig, c)
		stated := map[string]float64{}
		for _, line := range records(c.(panel.Teller).Facts(rig.Env, nil)) {
			if f := line.cells["duration"]; f != nil {
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
	if several == 0 {
		t.Error("no thread began several frames in one")
	}
}

var headOfThread = regexp.MustCompile(`^(#[0-9\x{202f}]+ )?(≈ )?[0-9.]+ (ns|µs|ms|s)$`)

// heads returns what stands below the names of threads in the timeline, by the names.
func (p *part) heads() map[string]string {
	rig := p.rig()
	rig.R = draw.Rect{X1: 900, Y1: 1400}
	rig.Env.Atlas = draw.NewAtlas(1)
	rig.Env.View.Look().SetDepthLimit(2) // makes the gutter wide
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
