package chartstest

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// LegibleSizes are the sizes of panels at scale 1: side bars, narrow and wide, the two rows below a
// timeline at three sizes of the window, and the timeline itself.
var LegibleSizes = [...][2]float32{{236, 260}, {308, 420}, {440, 300}, {521, 330}, {640, 180}, {1100, 460}}

// LegibleScales are the scales that legible panels are checked at.
var LegibleScales = []float32{1, 1.5, 2}

// A Sight is one of the ways in which a panel has to be legible.
type Sight struct {
	Scale, W, H float32
	Theme       *assets.Theme // nil: the dark one
	First       bool          // of its scale and theme
}

// Sights returns a sight of every size, at scale 1 and in dark colors. At the other scales and in the other
// themes, where little but the letters and the colors is another, it returns every third size, each time
// others; in the long form all of them.
func Sights(others ...*assets.Theme) (list []Sight) {
	add := func(theme *assets.Theme, scale float32, sizes int) {
		first := true
		for i, size := range LegibleSizes {
			if sizes == 0 || testkit.Long || i%3 == sizes%3 {
				list = append(list, Sight{Scale: scale, W: size[0], H: size[1], Theme: theme, First: first})
				first = false
			}
		}
	}
	for i, scale := range LegibleScales {
		add(nil, scale, i)
	}
	for i, theme := range others {
		add(theme, 1, i+1)
	}
	return list
}

// LegibleSessions are sessions that are made here, of every kind, and the recordings of the
// repository, which these sources read; without -tags soak a few of them.
func LegibleSessions(t testing.TB, sources feed.Registry) map[string]func() *store.Session {
	of := map[string]func() *store.Session{
		"frames":   func() *store.Session { return NewSession(t) },
		"calls":    func() *store.Session { return NewCallSession(true) },
		"locks":    func() *store.Session { return NewLockSession(t) },
		"pipeline": func() *store.Session { return NewTopoWriter().Session() },
		"messages": func() *store.Session { return MessageSession(200) },
		"latency":  func() *store.Session { return LatencySession(300) },
		"states":   func() *store.Session { return StateSession(100) },
		"leaks":    LeakSession,
	}
	open := func(path string) *store.Session {
		source, err := sources.Recognise(path)
		if err != nil {
			t.Fatal(err)
		}
		return Open(t, source, path)
	}
	for pattern, few := range map[string]string{
		"pstats/*.pstats": "gaps.pstats", "gsttrace/*.log*": "latency-tee-queues.log.gz", "profilelib/*.prof": "",
	} {
		found, err := filepath.Glob(filepath.Join(recordings.Root(t), "testdata", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no recordings, %v", pattern, err)
		}
		for _, path := range found {
			if everyRecording || filepath.Base(path) == few {
				of[filepath.Base(path)] = func() *store.Session { return open(path) }
			}
		}
	}
	of["recorded-60s"] = func() *store.Session { return open(flaretest.Recording(t, "recorded-60s")) }
	return of
}

// Legibility collects texts of panels that break a rule: text is never over text nor cut without a
// mark, and has contrast to its ground. Scrolling content may be cut at the top and the bottom.
type Legibility struct {
	// Theme is that of the rigs; nil: the dark one.
	Theme *assets.Theme
	// Sentences demands that none is cut, but in panels of texts that are not ours (Quotes).
	Sentences bool
	Quotes    []string

	canvas image.RGBA // that shapes beneath texts are drawn on

	found  map[string][]string
	quotes map[*store.Session][]string // of each session: the texts of its program
}

// Rig returns a rig as NewRig does, over the atlas of its scale.
func (g *Legibility) Rig(s *store.Session, scale, w, h float32) *Rig {
	rig := NewRig(s, scale, w, h)
	if g.Theme != nil {
		rig.Env.Theme = g.Theme
	}
	return rig
}

// Look checks the list that a panel of such a rig has drawn; where names the session and state. The
// contrast is checked at scale 1 only.
func (g *Legibility) Look(rig *Rig, l *draw.List, id, where string) {
	where = fmt.Sprintf("%s, %v by %v at %v: ", where, rig.R.X1, rig.R.Y1, rig.Env.Scale)
	complain := func(rule, what string) {
		if g.found == nil {
			g.found = map[string][]string{}
		}
		key := id + ": " + rule
		g.found[key] = append(g.found[key], where+what)
	}
	if l == nil || len(l.Texts()) == 0 {
		return
	}
	whole := func(string) bool { return false }
	if g.Sentences && !slices.Contains(g.Quotes, id) {
		whole = g.ours(rig.Env.View.Session())
	}
	checkTexts(l, whole, complain)
	if rig.Env.Scale == 1 {
		g.checkContrast(rig, l, func(what string) { complain("contrast", what) })
	}
}

// Report fails a test for every rule that a panel broke, with the first few places.
func (g *Legibility) Report(t testing.TB) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(g.found)) {
		list := g.found[key]
		t.Errorf("%s: %d times, as\n\t%s", key, len(list), strings.Join(list[:min(len(list), 3)], "\n\t"))
	}
}

// sentenceWords is the number of words from which on a text is a sentence. Half a sentence means
// nothing: it wraps, or has a shorter form that is whole. Names are cut.
const sentenceWords = 4

// ours returns a test whether the words of a cut sentence are the program's own: neither a name nor
// a message of a session.
func (g *Legibility) ours(s *store.Session) func(cut string) bool {
	if g.quotes == nil {
		g.quotes = map[*store.Session][]string{}
	}
	if _, known := g.quotes[s]; s != nil && !known {
		var of []string
		for id := range model.CollectorID(s.Collectors().Len()) {
			of = append(of, s.Collector(id).FullName, s.Collector(id).Name)
		}
		for id := range model.SeriesID(s.Series().Len()) {
			of = append(of, s.Series().ByID(id).Def.Name)
		}
		for id := range model.TrackID(s.NumTracks()) {
			for _, m := range s.Messages().Of(id, model.MinTime, model.MaxTime, nil) {
				of = append(of, m.Text)
			}
		}
		g.quotes[s] = of
	}
	return func(cut string) bool {
		begin := strings.TrimSuffix(cut, "…")
		return !slices.ContainsFunc(g.quotes[s], func(name string) bool { return strings.HasPrefix(name, begin) })
	}
}

// checkTexts reports the texts of a list that overlap others, those cut at a side, and sentences that
// must not be cut.
func checkTexts(l *draw.List, whole func(cut string) bool, complain func(rule, what string)) {
	texts := l.Texts()
	for i := range texts {
		x := &texts[i]
		seen := x.Box.Intersect(x.Clip)
		if seen.Empty() || x.Color.A == 0 {
			continue
		}
		if seen.X0 > x.Box.X0+1 || seen.X1 < x.Box.X1-1 {
			complain("cut", fmt.Sprintf("%q at %v is cut at %v", x.Text, x.Box, x.Clip))
		}
		if strings.HasSuffix(x.Text, "…") && strings.Count(x.Text, " ") >= sentenceWords && whole(x.Text) {
			complain("cut sentence", fmt.Sprintf("%q at %v", x.Text, x.Box))
		}
		for k := range texts[:i] {
			y := &texts[k]
			both := seen.Intersect(y.Box.Intersect(y.Clip))
			if both.W() <= 1 || both.H() <= 1 || y.Color.A == 0 || covered(l, y.At, x.At, both) {
				continue
			}
			complain("over", fmt.Sprintf("%q at %v lies over %q at %v", x.Text, x.Box, y.Text, y.Box))
		}
	}
}

// covered reports whether something opaque was filled over a place between two indices of a list.
func covered(l *draw.List, from, to int, r draw.Rect) bool {
	for i := from; i+6 <= to; i += 3 {
		a, b := &l.Vertices[l.Indices[i]], &l.Vertices[l.Indices[i+2]]
		if isFilled(a) && a.A >= 0.75 && a.X <= r.X0 && a.Y <= r.Y0 && b.X >= r.X1 && b.Y >= r.Y1 {
			return true
		}
	}
	return false
}

// isFilled reports whether a corner is one of a filled shape, not of a letter.
func isFilled(v *draw.Vertex) bool { return v.U == 2 && v.V == 2 }

// leastContrast is that of a text to most of its ground. The theme decides the contrast of the
// third color of text, for dispensable words. It is compared as it is written, with one digit.
const leastContrast = 4.45

// checkContrast reports texts with too little contrast to the ground beneath them, a panel's ground
// if the list fills nothing.
func (g *Legibility) checkContrast(rig *Rig, l *draw.List, complain func(what string)) {
	drawn := 0
	shapes := draw.NewList(l.Atlas())
	img := &g.canvas
	img.Rect = image.Rect(0, 0, int(rig.R.X1), int(rig.R.Y1))
	img.Stride = 4 * img.Rect.Dx()
	img.Pix = slices.Grow(img.Pix[:0], img.Stride*img.Rect.Dy())[:img.Stride*img.Rect.Dy()]
	shapes.Reset(rig.R)
	shapes.Rect(rig.R, draw.Color(rig.Env.Theme.Panel))
	draw.Render(img, shapes)
	shapes.Vertices = l.Vertices
	texts := l.Texts()
	for i := range texts {
		x := &texts[i]
		for shapes.Indices = shapes.Indices[:0]; drawn < x.At; drawn += 3 {
			if isFilled(&l.Vertices[l.Indices[drawn]]) {
				shapes.Indices = append(shapes.Indices, l.Indices[drawn:drawn+3]...)
			}
		}
		draw.Render(img, shapes)
		seen := x.Box.Intersect(x.Clip)
		if seen.Empty() || x.Color.A == 0 || x.Color.WithAlpha(255) == draw.Color(rig.Env.Theme.TextDim) {
			continue
		}
		below, share := mostOf(img, seen)
		if share < 0.5 {
			continue // over lines and hatching: no one color lies beneath
		}
		ground := draw.RGB(below.R, below.G, below.B)
		text := draw.Mix(ground, x.Color.WithAlpha(255), x.Color.A)
		if c := assets.Contrast(assets.Color(text), assets.Color(ground)); c < leastContrast {
			complain(fmt.Sprintf("%q at %v: %.1f, %v on %v", x.Text, x.Box, c, text, ground))
		}
	}
}

// mostOf returns the color that most pixels of a place have, and their share.
func mostOf(img *image.RGBA, r draw.Rect) (most color.RGBA, share float64) {
	n, all := map[color.RGBA]int{}, 0
	for y := int(r.Y0); y < int(r.Y1); y++ {
		var last color.RGBA
		run := 0
		for x := int(r.X0); x < int(r.X1); x++ {
			if c := img.RGBAAt(x, y); c != last {
				n[last] += run
				last, run = c, 0
			}
			run++
		}
		n[last] += run
		all += max(int(r.X1)-int(r.X0), 0)
	}
	for c, k := range n {
		if k > n[most] {
			most = c
		}
	}
	return most, float64(n[most]) / float64(max(all, 1))
}

// LegibleThemes are the themes that everything has to be legible in, by name.
func LegibleThemes() map[string]assets.Theme {
	return map[string]assets.Theme{
		"dark": assets.Dark(), "light": assets.Light(), "high contrast": assets.HighContrast(),
	}
}

// Everywhere looks at panels, by name, in all themes, sizes and scales, also with the mouse over them.
func (g *Legibility) Everywhere(s *store.Session, of map[string]func() panel.Panel) {
	light, highContrast := assets.Light(), assets.HighContrast()
	for _, sight := range Sights(&light, &highContrast) {
		if g.Theme = sight.Theme; g.Theme == nil {
			dark := assets.Dark()
			g.Theme = &dark
		}
		for id, make := range of {
			where := fmt.Sprintf("in theme %d", g.Theme.Kind)
			g.OfSize(s, id, where, *g.Theme, sight.Scale, sight.W, sight.H, make())
		}
	}
	g.Theme = nil
}

// OfSize looks at a panel of a size, without the mouse and with it over several places.
func (g *Legibility) OfSize(
	s *store.Session, id, where string, theme assets.Theme, scale, w, h float32, p panel.Panel,
) {
	rig := g.Rig(s, scale, w, h)
	rig.Env.Theme = &theme
	rig.Tick(p)
	rig.Tick(p)
	g.Look(rig, p.List(), id, where)
	for _, y := range []float32{0.05, 0.15, 0.55, 0.95} {
		if scale != 1 {
			break // the mouse changes colors, not places
		}
		rig.Move(p, rig.R.X1/3, rig.R.Y1*y)
		rig.Tick(p)
		g.Look(rig, p.List(), id+", mouse", where)
	}
}
