//go:build integration

package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/format"
	"framescope/charts/registry"
	"framescope/internal/testkit"
	"framescope/model"
)

// says tells of each panel what it must say of what is selected; a complaint, or nothing.
var says = map[string]func(o *app.Observed, p *app.ObservedPanel) string{
	"timeline": func(o *app.Observed, p *app.ObservedPanel) string {
		if complaint := screen(o, p); complaint != "" || o.FrameA < 0 || o.FrameB != o.FrameA {
			return complaint
		}
		var a, b int64
		plain := strings.ReplaceAll(p.Mode, "\u00a0", "")
		if n, _ := fmt.Sscanf(plain, "frames %d – %d ", &a, &b); n == 0 {
			if fmt.Sscanf(plain, "frame %d ", &a); true {
				b = a
			}
		} else if n == 1 {
			b = a
		}
		if at := float64(o.Playhead); at >= o.Begin && at <= o.End && (o.FrameA < a || o.FrameA > b) {
			return fmt.Sprintf("frame %d is selected and in view", o.FrameA)
		}
		return ""
	},
	"why": func(o *app.Observed, p *app.ObservedPanel) string {
		if d, ok := panelOf(o, "details"); ok && d.Title != p.Title {
			return "details are of " + d.Title
		}
		return ""
	},
	"locks":      screen,
	"processors": screen,
	"series":     screen,
	"flame":      ofFrame,
	"piano":      ofFrame,
	"strip": func(o *app.Observed, p *app.ObservedPanel) string {
		if o.FrameA < 0 || o.FrameA != o.FrameB || strings.HasSuffix(p.Mode, fmt.Sprintf("frame %d", o.FrameA)) {
			return ""
		}
		return fmt.Sprintf("frame %d is selected", o.FrameA)
	},
	"collectors": collectorRows,
	"statistics": collectorRows,
	"calltree": func(o *app.Observed, p *app.ObservedPanel) string {
		if o.RangeB > o.RangeA && !strings.Contains(" · "+p.Mode, " · range of "+duration(o.RangeB-o.RangeA)+" ") {
			return "selected are " + duration(o.RangeB-o.RangeA)
		}
		return only(p, collectorWords(o))
	},
	"threads": func(o *app.Observed, p *app.ObservedPanel) string {
		if _, elements := panelOf(o, "elements"); elements {
			return only(p, threadWords(o)) // what runs in an element is in the list of these
		}
		return exactly(p, threadWords(o))
	},
	"elements": func(o *app.Observed, p *app.ObservedPanel) string {
		return only(p, o.Thing) // a bin is an element, too, and may have no row
	},
	"against": func(o *app.Observed, p *app.ObservedPanel) string {
		if strings.HasSuffix(p.Mode, " frames") && (o.FrameA < 0 || o.FrameA != o.FrameB) {
			return "no single frame is selected"
		}
		return only(p, collectorWords(o))
	},
	"waterfall": func(o *app.Observed, p *app.ObservedPanel) string {
		if strings.HasPrefix(p.Mode, "the selected buffer") && !o.HasSpan {
			return "no buffer is selected"
		}
		return ""
	},
	"calls":    func(o *app.Observed, p *app.ObservedPanel) string { return only(p, spanWords(o)) },
	"messages": func(o *app.Observed, p *app.ObservedPanel) string { return only(p, o.Thing) },
	"spikes": func(o *app.Observed, p *app.ObservedPanel) string {
		if o.FrameA < 0 {
			return only(p, spanWords(o))
		}
		if want := "of " + strings.Fields(o.Bar)[0] + " frames"; o.FrameA != o.FrameB && !strings.HasPrefix(p.Mode, o.Thread+" · "+want) {
			return "it must be " + want
		}
		for _, m := range p.Marked {
			var n int64
			var track model.TrackID
			if k, _ := fmt.Sscanf(m, "frame %d of thread %d", &n, &track); k == 0 {
				continue // a cause that is walked through
			}
			if n < o.FrameA || n > o.FrameB || track != o.Track {
				return fmt.Sprintf("selected are frames %d to %d of thread %d", o.FrameA, o.FrameB, o.Track)
			}
		}
		return ""
	},
	"topology": func(o *app.Observed, p *app.ObservedPanel) string {
		if o.RangeB > o.RangeA && !strings.Contains(" · "+p.Mode, " · range of "+duration(o.RangeB-o.RangeA)+" ") {
			return "selected are " + duration(o.RangeB-o.RangeA)
		}
		return ""
	},
	"frames": func(o *app.Observed, p *app.ObservedPanel) string {
		if o.FrameA >= 0 && p.Title != o.Thread {
			return "the thread is " + o.Thread
		}
		return ""
	},
	"details": func(o *app.Observed, p *app.ObservedPanel) string {
		kind, _, _ := strings.Cut(o.Thing, " ")
		if modes := modesOf[kind]; len(modes) > 0 && !slices.Contains(modes, p.Mode) {
			return "selected is a " + kind
		}
		switch {
		case strings.HasPrefix(o.Thing, "message "):
			return equal(p.Title, "Message")
		case o.Thing != "" && o.Name == "":
			if p.Title == "" || strings.HasPrefix(p.Title, "Frame") {
				return o.Thing + " is selected"
			}
		case o.Name != "":
			return equal(p.Title, o.Name)
		case o.FrameA >= 0 && o.FrameA == o.FrameB:
			return equal(p.Title, fmt.Sprintf("Frame %d", o.FrameA))
		case o.FrameA >= 0:
			return equal(p.Title, fmt.Sprintf("Frames %d – %d", o.FrameA, o.FrameB))
		case o.RangeB > o.RangeA:
			return equal(p.Title, "Selected range")
		}
		return ""
	},
}

// modesOf are the kinds that details are of when a thing is selected, by the first of its words.
var modesOf = map[string][]string{"lock": {"lock"}, "use": {"lock"}, "element": {"element", "bin", "pad"}}

// mute are the panels that say nothing of what is selected, and why.
var mute = testkit.Words("testdata/reasons.txt", "mute")

func duration(ns int64) string { return string(format.AppendDuration(nil, ns)) }

func equal(got, want string) string {
	if got == want {
		return ""
	}
	return "selected is " + want
}

// only complains of rows that stand out besides one, exactly also when that one does not.
func only(p *app.ObservedPanel, want string) string {
	for _, m := range p.Marked {
		if m != want {
			return fmt.Sprintf("%q stands out, selected is %q", m, want)
		}
	}
	return ""
}

func exactly(p *app.ObservedPanel, want string) string {
	if !slices.Contains(p.Marked, want) {
		return fmt.Sprintf("%q does not stand out", want)
	}
	return only(p, want)
}

func threadWords(o *app.Observed) string    { return fmt.Sprintf("thread %d", o.Track) }
func collectorWords(o *app.Observed) string { return fmt.Sprintf("collector %d", o.Collector) }

func spanWords(o *app.Observed) string {
	if !o.HasSpan {
		return "nothing"
	}
	return fmt.Sprintf("span %+v", o.Span.Ref)
}

// screen checks that a panel along time shows as much of it as all do.
func screen(o *app.Observed, p *app.ObservedPanel) string {
	mode, _, _ := strings.Cut(p.Mode, " · time step ") // of samples, in a short time
	if want := duration(int64(o.End-o.Begin)) + " / screen"; !strings.HasSuffix(mode, want) {
		return "in view are " + want
	}
	return ""
}

// ofFrame checks a chart of the selected frames.
func ofFrame(o *app.Observed, p *app.ObservedPanel) string {
	want, mode := fmt.Sprintf("frame %d", o.FrameA), p.Mode
	if p.ID == "flame" { // the thread is first
		_, mode, _ = strings.Cut(mode, " · ")
	}
	switch {
	case o.FrameA < 0, o.FrameA != o.FrameB && p.ID == "piano": // it shows the frame that the range begins in
		return ""
	case o.FrameA != o.FrameB:
		n, _ := strconv.Atoi(strings.Fields(o.Bar)[0])
		if want = fmt.Sprintf("range of %d frames", n); !o.WholeFrames && !strings.HasPrefix(mode, want) {
			want = fmt.Sprintf("range of %d frames", n-1) // those that begin in it
		}
	case p.ID == "piano":
		want += " · " + took(o)
	case !o.WholeFrames:
		want = "range of " + duration(o.RangeB-o.RangeA)
	}
	if mode == want || strings.HasPrefix(mode, want+" ") {
		return ""
	}
	return "it must begin with " + want
}

// took returns how long the selected frame took, as the tool bar says it.
func took(o *app.Observed) string {
	_, took, _ := strings.Cut(o.Bar, "   ") // behind the frame's name
	before, _, _ := strings.Cut(took, "   ")
	return before
}

// collectorRows checks a table of collectors: of which frames or range it is, and which row stands
// out.
func collectorRows(o *app.Observed, p *app.ObservedPanel) string {
	want := "whole session"
	_, mode, _ := strings.Cut(p.Mode, " · ") // the thread is first
	switch {
	case o.Framed && o.FrameA < 0:
		want = "mean of all"
	case o.FrameA >= 0 && o.FrameA == o.FrameB:
		want = "this frame"
	case o.FrameA >= 0:
		want = "mean of " + strings.Fields(o.Bar)[0] + " frames"
	case o.RangeB > o.RangeA:
		want = "in " + duration(o.RangeB-o.RangeA)
	}
	if mode != want {
		return "it must be " + want
	}
	return only(p, collectorWords(o))
}

// tour is a viewer whose panels are asked after each way of selecting.
type tour struct {
	*viewer
	rounds [][]string      // panels that come to the front together
	asked  map[string]bool // panels that were in sight and had to say something
	stood  map[string]bool // those in which a row stood out
	used   map[string]bool // panels in which something was selected
}

// show brings a panel to the front, unless it is in sight, and tells whether it came.
func (v *viewer) show(id string) bool {
	o := v.observe()
	if _, ok := panelOf(&o, id); ok {
		return true
	}
	v.bring(id)
	v.ticks(2)
	o = v.observe()
	_, ok := panelOf(&o, id)
	return ok
}

// bring asks for a panel that is not in sight: by its key, else by the list of all commands.
func (v *viewer) bring(id string) {
	d, _ := registry.Find(id)
	if d.Key != "" {
		v.press(ebiten.KeyDigit0 + ebiten.Key(d.Key[0]-'0'))
		return
	}
	name := d.Command
	if name == "" {
		name = d.Title
	}
	if name == "" { // it is one that needs the program
		name = strings.ToUpper(id[:1]) + id[1:]
	}
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText(name)
	v.press(ebiten.KeyEnter)
}

// newTour starts a viewer and finds out which panels it has for a file.
func newTour(t *testing.T, of *tour, file string) *tour {
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{file}})
	v.rest()
	to := &tour{viewer: v, asked: of.asked, stood: of.stood, used: of.used}
	homes := map[string]int{}
	for _, d := range registry.All() {
		if d.Home == "" {
			continue
		}
		if !v.show(d.ID) {
			v.press(ebiten.KeyEscape) // it is told that there is nothing for it
			continue
		}
		n := homes[d.Home]
		homes[d.Home]++
		if n == len(to.rounds) {
			to.rounds = append(to.rounds, nil)
		}
		to.rounds[n] = append(to.rounds[n], d.ID)
	}
	return to
}

// core is what all panels share.
func core(o *app.Observed) string {
	return fmt.Sprintf(
		"thread %d, span %v %+v, collector %d, thing %q, frames %d to %d, range %d to %d, playhead %d, live %v", o.Track, o.HasSpan, o.Span.Ref, o.Collector, o.Thing, o.FrameA, o.FrameB, o.RangeA, o.RangeB, o.Playhead, o.Live)
}

// truth checks that everything that the viewer says after a way of selecting is about the same span,
// thread, frame and time, whatever panel comes to the front.
func (to *tour) truth(way string, o app.Observed) {
	to.t.Helper()
	bad := func(words string, args ...any) {
		to.t.Helper()
		to.t.Errorf("%s: %s", way, fmt.Sprintf(words, args...))
	}
	if o.Live {
		bad("the view follows new data")
	}
	if b := &o.Span; o.HasSpan {
		switch {
		case b.Ref.Track != o.Track || b.Collector != o.Collector:
			bad("a span of thread %d and collector %d; shown are %d and %d", b.Ref.Track, b.Collector, o.Track, o.Collector)
		case (o.Playhead < b.Begin || o.Playhead > b.End) && (b.Begin < o.RangeA || b.End > o.RangeB):
			bad("the playhead is at %d, the span in [%d, %d]", o.Playhead, b.Begin, b.End)
		case float64(b.Begin) > o.End || float64(b.End) < o.Begin:
			bad("the span is out of view")
		}
	}
	switch {
	case o.FrameA >= 0 && (o.Playhead < o.RangeA || o.Playhead > o.RangeB):
		bad("the playhead is at %d, the selected frames in [%d, %d]", o.Playhead, o.RangeA, o.RangeB)
	case o.FrameA >= 0 && o.FrameA == o.FrameB && !strings.HasPrefix(o.Bar, fmt.Sprintf("Frame %d   ", o.FrameA)) &&
		!strings.HasPrefix(o.Bar, fmt.Sprintf("Frame %d of %s   ", o.FrameA, o.Thread)):
		bad("the tool bar says %q, frame %d is selected", o.Bar, o.FrameA)
	case o.FrameA < 0 && o.RangeB > o.RangeA && !strings.HasPrefix(o.Bar, duration(o.RangeB-o.RangeA)+" selected "):
		bad("the tool bar says %q, selected are %s", o.Bar, duration(o.RangeB-o.RangeA))
	}
	if thread, ok := threadOf(o.Thing); ok && o.Track != thread {
		bad("thread %d is shown, %s is selected", o.Track, o.Thing)
	}
	first, now := core(&o), o
	for _, round := range to.rounds {
		for _, id := range round {
			if _, ok := panelOf(&now, id); !ok {
				to.bring(id)
			}
		}
		to.ticks(2)
		now = to.observe()
		if got := core(&now); got != first {
			bad("when %v came to the front, selected was %s, before %s", round, got, first)
			return
		}
		for i := range now.Panels {
			p := &now.Panels[i]
			f := says[p.ID]
			if f == nil {
				if mute[p.ID] == "" {
					bad("nobody knows what the panel %s must say: list it", p.ID)
				}
				continue
			}
			to.asked[p.ID] = true
			to.stood[p.ID] = to.stood[p.ID] || len(p.Marked) > 0
			if complaint := f(&now, p); complaint != "" {
				bad("%s says %q, %q, %q: %s (%s, %q)", p.ID, p.Title, p.Mode, p.Marked, complaint, first, now.Bar)
			}
		}
	}
	slices.Reverse(to.rounds) // the panels in sight come first next time
}

// letGo checks that Esc lets go of the thing that is selected, and that Back brings it again, with its
// details.
func (to *tour) letGo(way string, before app.Observed) {
	to.t.Helper()
	for range 4 { // what was told goes first
		if to.observe().Thing != "" {
			to.press(ebiten.KeyEscape)
		}
	}
	for _, step := range []struct {
		what, thing, name string
		key               []ebiten.Key
	}{
		{"Esc", "", "", nil},
		{"Back", before.Thing, before.Name, []ebiten.Key{ebiten.KeyArrowLeft, ebiten.KeyAltLeft}},
		{"Forward", "", "", []ebiten.Key{ebiten.KeyArrowRight, ebiten.KeyAltLeft}},
		{"Back once more", before.Thing, before.Name, []ebiten.Key{ebiten.KeyArrowLeft, ebiten.KeyAltLeft}},
	} {
		if step.key != nil {
			to.press(step.key[0], step.key[1:]...)
			to.ticks(2)
		}
		now := to.observe()
		was, _ := panelOf(&before, "details")
		is, _ := panelOf(&now, "details")
		testkit.That(to.t, now.Thing == step.thing && now.Name == step.name && !now.HasSpan,
			"%s, %s: selected is %q, collector %q, not %q", way, step.what, now.Thing, now.Name, step.thing)
		testkit.That(to.t, (is.Title == was.Title && is.Mode == was.Mode) == (step.thing != ""),
			"%s, %s: details are of %q, %q; it was %q, %q", way, step.what, is.Title, is.Mode, was.Title, was.Mode)
	}
}
