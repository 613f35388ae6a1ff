package registry

import (
	"cmp"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/measure"
	ran "framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/gsttrace"
	"framescope/net/pstats/decode"
)

// titled is a panel with columns that have titles.
type titled interface{ Titles() []string }

// Every header of every panel, on sessions of every kind, is in the vocabulary.
func TestHeadersAreInTheVocabulary(t *testing.T) {
	seen := map[string]int{}
	for name, s := range kinds(t) {
		for _, d := range All() {
			rig := chartstest.NewRig(s, 1, 1400, 400)
			p := d.New()
			rig.Ticks(p, 2)
			x, ok := p.(titled)
			_, table := p.(panel.Exporter)
			testkit.Equal(t, table, ok, "%s: %T has headers that are known: %v, rows that are exported", d.ID, p, ok)
			if !ok {
				continue
			}
			for _, title := range x.Titles() {
				seen[d.ID]++
				_, ok := measure.Of(title)
				testkit.That(t, ok, "%s, %s: %q is not in the vocabulary", name, d.ID, title)
			}
		}
	}
	atLeast(t, 1, seen, "statistics", "collectors", "calltree", "calls", "messages", "leaks",
		"spikes", "threads", "elements")
}

// The times of a column are all in the unit that its header names, however far apart they are: a
// number is never beside one of another unit. Where there is no header, each has its unit with it.
func TestTimesOfAColumnHaveOneUnit(t *testing.T) {
	sessions := kinds(t)
	delete(sessions, "none")
	maps.Copy(sessions, recorded(t))
	units := map[string]bool{"ns": true, "µs": true, "ms": true, "s": true}
	seen := map[string]int{}
	for name, s := range sessions {
		for _, d := range having(s) {
			rig := chartstest.NewRig(s, 1, 1400, 400)
			rig.Env.View.Look().SetMeasure(ran.MeasureCPU) // where there is one
			p := d.New()
			teller, ok := p.(panel.Teller)
			if !ok {
				continue
			}
			rig.Ticks(p, 3)
			facts := teller.Facts(rig.Env, nil)
			for _, f := range facts {
				if !units[last(f.Header)] {
					continue
				}
				if lead := totals[f.Header[:strings.LastIndex(f.Header, " ")]]; lead != "" {
					for _, g := range facts {
						testkit.That(t, !strings.HasPrefix(g.Header, lead+" ") || last(g.Header) == last(f.Header),
							"%s, %s: %q stands beside %q", name, d.ID, f.Header, g.Header)
					}
				}
				if seen[d.ID]++; units[last(f.Text)] != headless(p) && f.Text != "–" {
					t.Errorf("%s, %s: %q stands below %q", name, d.ID, f.Text, f.Header)
				}
			}
		}
	}
	atLeast(t, 2, seen, "collectors", "statistics", "threads", "calltree", "elements")
}

// totals are what columns are compared with at a glance, so that both have one unit.
var totals = map[string]string{"self": "total", "self CPU time": "CPU time"}

// last returns the last word of a text.
func last(text string) string { return text[strings.LastIndex(text, " ")+1:] }

// headless tells whether a table shows no header.
func headless(p panel.Panel) bool {
	switch p := p.(type) {
	case *table.Table:
		return p.NoHeader
	case *tables.ThreadPanel:
		return p.NoHeader
	}
	return false
}

// percentages are shares of something. What several threads or a whole process take of one processor
// may be more than all of it.
var percentages = regexp.MustCompile(`([0-9\x{202f}]+(?:\.[0-9]+)?) ?%`)

// No share is more than all of what it is of, and none is less than nothing: not of a caller, a
// frame, a range or a way, whatever overlaps, recurs, or crosses the borders of frames.
func TestNoShareIsMoreThanAll(t *testing.T) {
	shares := 0
	sessions := recorded(t)
	maps.Copy(sessions, map[string]*store.Session{
		"pipeline": chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "all-audio-chain.log.gz"), "recursion": chartstest.Load(t, decode.Source{}, recordings.PStats, "recursion.pstats"),
		"late": chartstest.Load(t, decode.Source{}, recordings.PStats, "late.pstats"), "holes": chartstest.HolesSession(),
	})
	for name, s := range sessions {
		begin, end, _ := s.Bounds()
		everyText(s, map[string]func(v *view.View){
			"nothing": func(*view.View) {},
			"a range": func(v *view.View) { v.SelectRange(begin+(end-begin)/3, begin+(end-begin)/2) },
			"a span":  func(v *view.View) { selectLongest(v, s) },
		}, func(d *panel.Def, where, text string) {
			for _, m := range percentages.FindAllStringSubmatchIndex(text, -1) {
				shares++
				share, err := strconv.ParseFloat(strings.ReplaceAll(text[m[2]:m[3]], "\u202f", ""), 64)
				below := strings.HasSuffix(text[:m[2]], "−")
				if d.ID == "timeline" && m[0] == 0 && m[1] == len(text) { // the value of a counter, such as the load of a processor
					continue
				}
				testkit.That(t, err == nil && !below && (share <= 100 || strings.Contains(text, "CPU")),
					"%s, %s, %s: %q", name, d.ID, where, text)
			}
		})
	}
	testkit.That(t, shares >= 1000, "only %d shares were read", shares)
}

// selectLongest selects the longest span of all tracks.
func selectLongest(v *view.View, s *store.Session) {
	longest := int64(-1)
	for id := range model.TrackID(s.NumTracks()) {
		begin, end, _ := s.Track(id).Bounds()
		for lane := range s.Track(id).Lanes() {
			for _, b := range s.Spans().Visible(id, lane, begin, end, 0, nil) {
				if b.End-b.Begin > longest {
					longest = b.End - b.Begin
					v.SelectSpan(b)
				}
			}
		}
	}
}

// callWords are words for spans that sampling can't tell apart.
var callWords = regexp.MustCompile(`\bcalls?\b`)

// allowedCalls takes out of a text where it says what runs are: of calls.
var allowedCalls = strings.NewReplacer("of one call or of many", "", "call tree", "")

// Where stacks are sampled no panel says calls: not drawn, not beside its title, not in a tooltip,
// whatever is selected. What the header of a column means is said for sessions of all kinds.
func TestRunsAreNotCalledCalls(t *testing.T) {
	s := chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s"))
	begin, end, _ := s.Bounds()
	said := map[string]bool{}
	everyText(s, map[string]func(v *view.View){
		"nothing": func(*view.View) {},
		"a range": func(v *view.View) { v.SelectRange(begin+(end-begin)/3, begin+(end-begin)/2) },
		"a run":   func(v *view.View) { selectRun(t, v, s) },
	}, func(d *panel.Def, where, text string) {
		said[text] = true
		testkit.That(t, !callWords.MatchString(allowedCalls.Replace(strings.ToLower(text))),
			"%s, %s: %q", d.ID, where, text)
	})
	for _, d := range All() {
		tab := d.Title
		if d.Called != nil {
			tab = cmp.Or(d.Called(s.Contents()), tab)
		}
		testkit.That(t, !callWords.MatchString(allowedCalls.Replace(strings.ToLower(tab))),
			"%s: its tab is called %q", d.ID, tab)
	}
	w := subject.CallWordsOf(true).Warning
	testkit.That(t, said[w], "nothing says %q", w)
	testkit.That(t, len(said) >= 200, "only %d texts were read", len(said))
}

// selectRun selects a run of a session that has some.
func selectRun(t *testing.T, v *view.View, s *store.Session) {
	for id := range model.TrackID(s.NumTracks()) {
		begin, end, _ := s.Track(id).Bounds()
		for lane := range s.Track(id).Lanes() {
			if bars := s.Spans().Visible(id, lane, begin, end, 0, nil); len(bars) > 2 {
				v.SelectSpan(bars[1])
				return
			}
		}
	}
	t.Fatal("no runs")
}

// everyText calls visit once for each thing that panels say of a session, with the panel and the place: what is
// drawn, what stands in and beside the title, and the tooltips of what lies in it, but those of
// headers, which are the same for sessions of all kinds. Selections are made before, by their names.
func everyText(s *store.Session, selections map[string]func(v *view.View), visit func(d *panel.Def, where, text string)) {
	var g chartstest.Legibility
	for _, d := range having(s) {
		for name, selected := range selections {
			rig := g.Rig(s, 1, 1100, 460)
			selected(rig.Env.View)
			seen := map[string]bool{}
			say := func(where, text string) {
				if !seen[where+text] {
					seen[where+text] = true
					visit(&d, where+", with "+name+" selected", strings.Clone(text)) // tooltips use their memory again
				}
			}
			p := d.New()
			rig.Ticks(p, 4)
			if l := p.List(); l != nil {
				for _, x := range l.Texts() {
					say("drawn", x.Text)
				}
			}
			say("its title", p.Title(rig.Env))
			say("beside its title", p.Mode(rig.Env))
			for y := rig.R.Y0 + 2; y < rig.R.Y1; y += 12 {
				for x := rig.R.X0 + 5; x < rig.R.X1; x += 47 {
					h := p.HitTest(rig.Env, x, y)
					if _, table := p.(titled); table && h.Kind == panel.HitNothing {
						continue
					}
					for _, line := range h.Lines {
						say("a tooltip", line)
					}
				}
			}
		}
	}
}

// The scan sees what panels say.
func TestEveryTextIsSeen(t *testing.T) {
	places := map[string]int{}
	everyText(chartstest.NewSession(t), map[string]func(*view.View){"nothing": func(*view.View) {}}, func(_ *panel.Def, where, text string) {
		if text != "" {
			places[where]++
		}
	})
	for _, where := range []string{"drawn", "its title", "beside its title", "a tooltip"} {
		testkit.That(t, places[where+", with nothing selected"] >= 10,
			"%s: %d texts", where, places[where+", with nothing selected"])
	}
}

// frameNumbers are how panels name frames.
var frameNumbers = regexp.MustCompile(`(?:#|\b[Ff]rames? )([0-9\x{202f}]+)`)

// A frame has the number that the program gave it, in every panel: none says how manieth of those
// received it is.
func TestFramesHaveTheirNumbers(t *testing.T) {
	s := chartstest.NewSession(t)
	tr := s.Track(s.MainTrack())
	n := tr.NumFrames()
	first, last := tr.Frame(0).Number, tr.Frame(n-1).Number
	testkit.MustThat(t, first > int64(n), "frames %d to %d can't be told from their places", first, last)
	named := map[string]int{}
	everyText(s, map[string]func(v *view.View){
		"nothing":        func(*view.View) {},
		"a frame":        func(v *view.View) { v.SelectFrames(150, 150) },
		"several frames": func(v *view.View) { v.SelectFrames(100, 119) },
	}, func(d *panel.Def, where, text string) {
		for _, m := range frameNumbers.FindAllStringSubmatch(text, -1) {
			number, err := strconv.ParseInt(strings.ReplaceAll(m[1], "\u202f", ""), 10, 64)
			if named[d.ID]++; err != nil || number < first || number > last {
				t.Errorf("%s, %s: %q: frames are numbered %d to %d", d.ID, where, text, first, last)
			}
		}
	})
	atLeast(t, 1, named, "timeline", "flame", "piano", "strip", "frames", "spikes", "statistics")
}

// TestSearchesEmptyNothingInSilence: a search that a panel has nothing for leaves it as it is, or says
// so in its place, where a click ends the search.
func TestSearchesEmptyNothingInSilence(t *testing.T) {
	const nothing = "no such thing"
	said := map[string]int{}
	var g chartstest.Legibility
	for name, load := range chartstest.LegibleSessions(t, legible) {
		s := load()
		for _, d := range having(s) {
			rig, p := g.Rig(s, 1, 900, 500), d.New()
			f, ok := p.(panel.Filterer)
			if !ok {
				continue
			}
			texts := func(filter string) (out []draw.WatchedText) {
				f.SetFilter(filter)
				rig.Ticks(p, 8)
				return p.List().Texts()
			}
			before := words(texts(""))
			after := texts(nothing)
			if words(after) == before || d.ID == "messages" {
				continue
			}
			told := false
			for _, x := range after {
				if !strings.HasPrefix(x.Text, "Nothing matches “"+nothing+"”") {
					continue
				}
				told = true
				said[d.ID]++
				a := rig.Click(p, (x.Box.X0+x.Box.X1)/2, x.Box.Y0)
				testkit.That(t, a.Kind == panel.ActionClearSearch,
					"%s, %s: a click on the words does not end the search", name, d.ID)
			}
			testkit.That(t, told, "%s, %s: the search leaves %q of %q", name, d.ID, words(after), before)
		}
	}
	atLeast(t, 1, said, "statistics", "collectors", "calltree", "series", "elements")
}

func words(texts []draw.WatchedText) string {
	var b strings.Builder
	for _, x := range texts {
		b.WriteString(x.Text + "\n")
	}
	return b.String()
}

// importsOf returns what the code of a folder imports of charts, tests left out.
func importsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	testkit.MustThat(t, err == nil && len(files) != 0, "%s: no code, %v", dir, err)
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := testkit.Must(parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly))(t)
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if of, ok := strings.CutPrefix(path, "framescope/charts/"); ok {
				found[of] = true
			}
		}
	}
	return found
}

// No panel knows another one: what they share lies below them, and what they tell each other goes
// by the view.
func TestNoPanelKnowsAnother(t *testing.T) {
	panels := importsOf(t, ".")
	for _, below := range []string{"panel", "view", "subject"} {
		delete(panels, below)
	}
	testkit.MustThat(t, len(panels) >= 10, "only %d packages of panels", len(panels))
	for p := range panels {
		for of := range importsOf(t, filepath.Join("..", p)) {
			testkit.That(t, !panels[of] && of != "registry", "charts/%s imports charts/%s", p, of)
		}
	}
}

// TestLeaksShowAHistory chooses the object whose references were followed most.
func TestLeaksShowAHistory(t *testing.T) {
	s := chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "leaks-refs.log")
	best := longestHistory(s)
	n := len(s.Topology().RefEvents(best))
	testkit.That(t, n == 116 && s.Topology().Resources()[best].Type == "GstIdentity",
		"%s with %d steps, want the GstIdentity with 116", s.Topology().Resources()[best].Type, n)
}
