package truth

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/app/cli"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/budget"
	"framescope/model/place"
	"framescope/model/spans"
)

// A tooltip is what a panel says of what is under the mouse; the status line says the same in one
// line. Its lines are read by patterns, which name the numbers in them, and compared with what
// these should be. A line with a number in it that no pattern reads fails: a new line needs a
// pattern, and a figure of its own.

// tip is a tooltip, and what stands in it.
type tip struct {
	*part
	rig   *chartstest.Rig
	panel string
	hit   panel.Hit
	words []string          // its lines
	said  map[string]string // numbers, by their names in the patterns; what a line is about follows a space
	named map[string]string // words in patterns
}

// tipRule says how a panel's tooltips are to be read, and what should be in them.
type tipRule struct {
	titles, lines []*linePattern
	// want returns what the numbers should be, in base units. Of several possibilities one must hold
	// as a whole.
	want func(x *tip) figuresOf
	// words tells what is wrong with what stands there in words, if it is about more than numbers.
	words func(x *tip) string
}

// linePattern reads a line.
type linePattern struct {
	text   string
	line   *regexp.Regexp
	prefix string   // with which all such lines begin
	names  []string // of its groups
}

// numberForm is a number with its unit, as panels write it.
const numberForm = `[≈≥<±+#−-]*\s?(?:[0-9][0-9\x{202f}]*:)*[0-9][0-9\x{202f}]*(?:\.[0-9\x{202f}]+)?(?:e[-+]?[0-9]+)?` +
	`(?:\s?(?:min [0-9]+ s|h [0-9]+ min|(?:ns|µs|ms|s|%|B|KiB|MiB|GiB|TiB|k|M|G|T|Hz|kHz|MHz|GHz)\b|%))?(?:\s?/s)?`

// unitForm is a unit of the program's own, which stands for ~ in patterns.
const unitForm = `( [^ ·()/,]+)?`

// reading compiles patterns. In them {x} is a number called x, «x» words that are called x, and @
// the name of something in the session.
func reading(patterns ...string) (out []*linePattern) {
	groups := regexp.MustCompile(`(^|[^\\])\(`)
	parts := regexp.MustCompile(`\{[a-z_0-9]+\}|«[a-z]+»|@`)
	for _, text := range patterns {
		p := &linePattern{text: text}
		form := parts.ReplaceAllStringFunc(groups.ReplaceAllString(strings.ReplaceAll(text, "~", unitForm), "$1(?:"), func(m string) string {
			p.names = append(p.names, m)
			if m[0] == '{' {
				return "(" + numberForm + ")"
			}
			return "(.+?)"
		})
		p.line = regexp.MustCompile(`^` + form + `$`)
		p.prefix, _ = regexp.MustCompile(form).LiteralPrefix()
		out = append(out, p)
	}
	return out
}

// take reads a line; false: it is another one.
func (p *linePattern) take(x *tip, line string, names map[string]bool) bool {
	if !strings.HasPrefix(line, p.prefix) { // most are told apart by that
		return false
	}
	m := p.line.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	about := ""
	for i, name := range p.names {
		switch {
		case name == "@" && m[i+1] != "" && !names[m[i+1]]:
			return false
		case strings.HasPrefix(name, "«"):
			about += " " + m[i+1]
		}
	}
	for i, name := range p.names {
		switch name[0] {
		case '{':
			if m[i+1] == "" {
				continue // of a part that is not there
			}
			for name = name[1:len(name)-1] + about; x.said[name] != ""; name += "'" { // said once more
			}
			x.said[name] = m[i+1]
		case '@':
			x.named["@"] = m[i+1]
		default:
			x.named[strings.Trim(name, "«»")] = m[i+1]
		}
	}
	return true
}

// inWords are kinds of things that have words of their own: messages, heads of tables.
var inWords = []panel.HitKind{panel.HitMessage, panel.HitNothing}

var digit = regexp.MustCompile(`[0-9]`)

// read reads all lines, and tells which can't be read.
func (x *tip) read(rule *tipRule, names map[string]bool) string {
	for i, line := range x.words {
		patterns := rule.lines
		if i == 0 {
			patterns = rule.titles
		}
		known := slices.ContainsFunc(patterns, func(p *linePattern) bool { return p.take(x, line, names) })
		if !known && digit.MatchString(line) && !slices.Contains(inWords, x.hit.Kind) {
			return fmt.Sprintf("nothing reads %q", line)
		}
	}
	return ""
}

// names are those of all that a session has in it.
func (x *subject) names() map[string]bool {
	if x.called != nil {
		return x.called
	}
	out := map[string]bool{}
	x.called = out
	for id := range x.s.Collectors().Len() {
		if c := x.collector(id); c != nil {
			out[c.Name], out[c.Title()] = true, true
		}
	}
	for id := range x.s.NumTracks() {
		if t := x.track(id); t != nil {
			out[t.Title()], out[view.TrackName(t)], out[view.ProcessOf(x.s, t)] = true, true, true
		}
	}
	for id := range x.s.Series().Len() {
		d := &x.series(id).Def
		out[d.Name], out[d.Group], out[d.Description] = true, true, true
	}
	out["#-1"] = true // a path that was never defined
	for _, o := range x.s.Topology().Objects() {
		out[o.Name] = true
	}
	return out
}

// sweep calls f with every tooltip of a panel that is met on a grid. It moves from part to part.
func (p *part) sweep(rig *chartstest.Rig, c panel.Panel, nth int, f func(h panel.Hit)) {
	seen := map[string]bool{}
	var last panel.Hit
	dx, dy := float32(38), float32(18)
	if testkit.Long {
		dx, dy = 19, 9
	}
	for y := rig.R.Y0 + 2 + float32(nth%9); y < rig.R.Y1; y += dy {
		for x := rig.R.X0 + 3 + float32(nth*7%19); x < rig.R.X1; x += dx {
			if len(seen) >= mostTips && !testkit.Long {
				return
			}
			h := c.HitTest(rig.Env, x, y)
			if len(h.Lines) == 0 || h.Kind == last.Kind && slices.Equal(h.Lines, last.Lines) {
				continue
			}
			key := fmt.Sprint(h.Kind, strings.Join(h.Lines, "\n"))
			if seen[key] {
				continue
			}
			seen[key] = true
			words := make([]string, len(h.Lines))
			for i, line := range h.Lines {
				words[i] = strings.Clone(line) // the panel's buffer
			}
			h.Lines = words
			last = h
			f(h)
		}
	}
}

// mostTips is how many tooltips of a panel are compared in the short form.
const mostTips = 10

// check compares what a tooltip says.
func (x *tip) check(rule *tipRule, seen map[string]int) string {
	if len(x.said) == 0 || x.hit.Kind == panel.HitNothing { // the head of a table
		return ""
	}
	first := ""
	for _, want := range rule.want(x) {
		wrong := ""
		for name, text := range x.said {
			measure, _, _ := strings.Cut(strings.TrimRight(name, "'"), " ")
			v, ruled := want[name]
			if unruledTips[x.panel+"."+measure] != "" {
				continue
			}
			if !ruled {
				wrong = fmt.Sprintf("it says %s %q, and nothing says what it should be", name, text)
				break
			}
			seen[x.panel+"."+measure]++
			if w, ok := read(text, 1); !ok || !w.says(v) {
				wrong = fmt.Sprintf("it says %s %q, it is %v", name, text, v)
				break
			}
		}
		if wrong == "" {
			return ""
		}
		if first == "" {
			first = wrong
		}
	}
	if first == "" {
		for name, text := range x.said {
			measure, _, _ := strings.Cut(strings.TrimRight(name, "'"), " ")
			if unruledTips[x.panel+"."+measure] == "" {
				first = fmt.Sprintf("it says %s %q, of which nothing is known", name, text)
			}
		}
	}
	return first
}

func (p *part) compareTips(t testkit.T, d *panel.Def, rig *chartstest.Rig, c panel.Panel, nth int, seen map[string]int) {
	rule, names := tipRules[d.ID], p.names()
	p.sweep(rig, c, nth, func(h panel.Hit) {
		x := &tip{p, rig, d.ID, h, h.Lines, map[string]string{}, map[string]string{}}
		if strings.HasSuffix(h.Lines[0], " (open)") {
			x.checkOpen(t)
			seen["open"]++
			return
		}
		wrong := x.takeArgs(seen)
		if wrong == "" {
			wrong = x.takeFlows(seen)
		}
		if wrong == "" {
			wrong = x.read(rule, names)
		}
		if wrong == "" {
			wrong = x.check(rule, seen)
		}
		if wrong == "" && rule.words != nil {
			seen[d.ID+".words"]++
			wrong = rule.words(x)
		}
		testkit.That(t, wrong == "", "%s: %s: %s, in %q", p, d.ID, wrong, strings.Join(x.words, " | "))
	})
}

// checkOpen compares the tooltip of a frame that had not ended.
func (x *tip) checkOpen(t testkit.T) {
	for id := range model.TrackID(x.s.NumTracks()) {
		o, ok := x.s.Track(id).OpenFrame()
		want := []string{
			fmt.Sprintf("Frame %s of %s (open)", format.AppendCount(nil, o.Number), x.s.Track(id).Title()),
			"at least\t" + string(format.AppendDuration(nil, o.End-o.Begin)),
			"at\t" + string(format.AppendClock(nil, o.Begin, 1e3)),
			"Its end was not received, so no figure counts it.",
		}
		if ok && slices.Equal(x.hit.Lines, want) {
			return
		}
	}
	t.Errorf("%s: %s: no frame is open as in %q", x.part, x.panel, strings.Join(x.hit.Lines, " | "))
}

// Every panel of the registry has its tooltips read.
func TestEveryTooltipIsRead(t *testing.T) {
	for _, d := range registry.All() {
		testkit.That(t, tipRules[d.ID] != nil, "%s: testdata/tips.txt has no patterns of its tooltips", d.ID)
	}
}

// ruled gives rules their patterns, from tips.txt: by panel, those of titles (of tooltips, or of panels) and of lines. A
// panel that has patterns and no rule of its own has the usual one.
func ruled(title string, usual func(*tip) figuresOf, rules map[string]*tipRule) map[string]*tipRule {
	for _, row := range tipRows {
		if row[1] == title && row[0] != "shared" && rules[row[0]] == nil {
			rules[row[0]] = &tipRule{want: usual}
		}
	}
	for panel, rule := range rules {
		rule.titles, rule.lines = patternsOf(panel, title), patternsOf(panel, "line")
	}
	return rules
}

var tipRows = testkit.Rows("testdata/tips.txt")

// patternsOf are the patterns of a part of a panel, with those that it shares.
func patternsOf(panel, part string) (out []*linePattern) {
	for _, row := range tipRows {
		if shared, is := strings.CutPrefix(row[2], "= "); row[0] != panel || row[1] != part {
			continue
		} else if is {
			out = append(out, patternsOf("shared", shared)...)
		} else {
			out = append(out, reading(row[2])...)
		}
	}
	return out
}

// tipRules say what should stand in the tooltips of panels that have patterns of titles in testdata/tips.txt: what the
// row of the table states, where nothing else stands here.
var tipRules = ruled("title", tableTip, map[string]*tipRule{
	"timeline":   {want: timelineTip},
	"processors": {want: timelineTip},
	"flame":      {want: flameTip},
	"piano":      {want: pianoTip},
	"strip":      {want: stripTip},
	"levels":     {want: stripTip},
	"frames":     {want: frameTip},
	"topology":   {want: topologyTip},
	"messages":   {want: messagesTip, words: messageWords},
	"received":   {want: func(*tip) figuresOf { return nil }, words: receivedWords},
	"overview":   {want: overviewTip},
	"threads":    {want: threadsTip},
	"calltree":   {want: callTreeTip},
	"spikes":     {want: spikeTip},
	"against":    {want: func(x *tip) figuresOf { return x.against(x.rig.Env.View.FrameA(), x.hit.Collector) }},
	"calls":      {want: callsTip},
	"elements":   {want: elementsTip},
	"waterfall":  {want: waterfallTip},
	"series":     {want: seriesTip},
	"locks":      {want: locksTip},
})

// unruledTips are numbers in tooltips that are not compared, with the reason.
var unruledTips = testkit.Words("testdata/reasons.txt", "unruledTips")

// What the panel of budgets states is what check writes, and that is what the frames say.
func TestBudgets(t *testing.T) {
	seen := map[string]int{}
	eachSubject(t, func(t *testing.T, x *subject) {
		if x.s.MainTrack() == model.NoTrack {
			return
		}
		file := map[bool]string{true: "testdata/framed.toml", false: "testdata/frameless.toml"}[x.s.HasFrames()]
		all := testkit.Must(budget.Parse(string(testkit.Must(os.ReadFile(file))(t))))(t)
		results := testkit.Must(cli.CheckBudgets(x.s, all, place.TimeRange{}))(t)
		x.compareBudgets(t, results, seen)
		x.comparePanelOfBudgets(t, all, results, seen)
	})
	demand(t, seen, "duration, p99", "duration share", "total, p99", "total, max", "total, mean", "total share", "limit", "measured",
		"frame", "broken", "kept", "nothing")
}

// compareBudgets compares the results on frames with what the plain definitions give.
func (x *subject) compareBudgets(t *testing.T, results []budget.Result, seen map[string]int) {
	main := x.s.MainTrack()
	n := x.s.Track(main).NumFrames()
	if !x.s.HasFrames() || n == 0 {
		return
	}
	inside := x.insideOf(main, 0, n-1)
	frames := x.newFramed(main, 0, n-1)
	for i := range n {
		f := x.s.Track(main).Frame(i)
		frames.values[i] = float64(f.End - f.Begin)
	}
	for i := range results {
		r := &results[i]
		of := frames
		switch {
		case r.Budget.Measure == budget.Total && r.Verdict != budget.Nothing:
			of = inside[r.Collector]
		case r.Budget.Measure != budget.Duration:
			continue
		}
		if of == nil {
			t.Errorf("%s: %s: nothing ran there", x.name, r.Title())
			continue
		}
		sorted, over, sum := slices.Sorted(slices.Values(of.values)), 0, 0.0
		for _, v := range of.values {
			if sum += v; v > r.Budget.Limit {
				over++
			}
		}
		what, want := string(r.Budget.Measure)+" share", float64(over)/float64(n)
		if !r.Budget.HasShare {
			what = r.Budget.Measured()
			want = map[budget.At]float64{
				budget.P99: sorted[int(math.Ceil(0.99*float64(n)))-1], budget.Max: sorted[n-1], budget.Mean: sum / float64(n),
			}[r.Budget.At]
		}
		seen[what]++
		allowed := r.Budget.Limit
		if r.Budget.HasShare {
			allowed = r.Budget.Share
		}
		testkit.That(t, math.Abs(r.Value-want) <= 1e-9*math.Max(1, want) && int(r.Over) == over && int(r.Frames) == n &&
			r.Worst == of.maxFrame() && (r.Verdict == budget.Broken) == (want > allowed),
			"%s: %s, %s: %+v, want %v, %d over, worst #%d", x.name, r.Title(), what, r, want, over, of.maxFrame())
	}
}

// comparePanelOfBudgets compares what the panel states with what check writes as JSON.
func (x *subject) comparePanelOfBudgets(t *testing.T, all []budget.Budget, results []budget.Result, seen map[string]int) {
	var files []row
	testkit.OK(t, asJSON(&files, func(w io.Writer) error {
		return cli.WriteBudgetJSON(w, []cli.BudgetFile{{Name: x.name, Results: results}})
	}))
	lines := map[string]int{}
	line := func(limit, measured, frame float64) string {
		return fmt.Sprintf("%.9g %.9g %.9g", limit, measured, frame)
	}
	broken := 0
	for _, r := range files[0].rows("results") {
		limit := of(r, "limit")
		if v := of(r, "share"); v == v {
			limit = v
		}
		lines[line(limit, of(r, "value"), of(r, "worst_frame"))]++
		seen[r.text("verdict")]++
		if r["breach"] == true {
			broken++
		}
	}
	rig := (&part{subject: x, track: model.NoTrack, last: -1, t0: 0, t1: 1}).rig()
	rig.R = draw.Rect{X1: 900, Y1: 500}
	state := new(view.State)
	state.Set("b.toml", all)
	for !state.Follow(x.s, 0, 1000) {
	}
	rig.Env.Limits = state
	c := tables.NewBudgets()
	settle(rig, c)
	for _, r := range records(c.Facts(rig.Env, nil)) {
		v := func(m string) float64 {
			f := r.cells[m]
			if f == nil {
				return math.NaN()
			}
			seen[m]++
			text, share := strings.CutSuffix(strings.TrimPrefix(f.Text, "#"), " %")
			w, ok := read(text, 1)
			if part, _ := read(text, 0.01); ok && !w.says(f.Value) && !(share && part.says(f.Value)) {
				t.Errorf("%s: %s of %s is written %q, it is %v", x.name, m, r.name, f.Text, f.Value)
			}
			return f.Value
		}
		key := line(v("limit"), v("measured"), v("frame"))
		lines[key]--
		testkit.That(t, lines[key] >= 0, "%s: check has no line of %s with %s", x.name, r.name, key)
	}
	for key, n := range lines {
		testkit.That(t, n <= 0, "%s: no row has %s", x.name, key)
	}
	words := fmt.Sprintf("b.toml · %d of %d broken", broken, len(results))
	testkit.Equal(t, strings.ReplaceAll(c.Mode(rig.Env), "\u202f", ""), words, "%s", x.name)
}

// What the list of bookmarks states is when the marked frames and spans were, and how long they took:
// found anew by their texts, as in a file, and compared with the frames and spans one by one.
func TestBookmarks(t *testing.T) {
	frames, marked := 0, 0
	eachSubject(t, func(t *testing.T, x *subject) {
		rig := chartstest.NewRig(x.s, 1, 800, 400)
		v := rig.Env.View
		v.Tick(1, false)
		want := map[string][2]int64{} // begin and end, by the text of the place
		add := func(p place.Place, begin, end int64) {
			again, err := place.Parse(p.String())
			testkit.MustThat(t, err == nil && again == p, "%s: %+v, want %+v: %v", p, again, p, err)
			if _, twice := want[p.String()]; twice {
				return
			}
			want[p.String()] = [2]int64{begin, end}
			if _, _, ok := v.Marks().Add(again, begin+1, end+2); !ok { // the session knows better
				t.Fatalf("%s was not added", p)
			}
		}
		for id := range x.s.NumTracks() {
			tr := x.s.Track(model.TrackID(id))
			if tr == nil || len(want) > 60 {
				continue
			}
			for i := 0; i < tr.NumFrames(); i += 1 + tr.NumFrames()/5 {
				if p, ok := place.OfFrames(x.s, tr.Def.ID, i, i); ok {
					f := tr.Frame(i)
					add(p, f.Begin, f.End)
					frames++
				}
			}
			for lane := range min(tr.Lanes(), 3) {
				first, end := x.s.Spans().Kept(tr.Def.ID, lane)
				b, ok := x.s.Spans().ByRef(spans.Ref{Track: tr.Def.ID, Lane: uint16(lane), Index: first + (end-first)/2})
				if !ok {
					continue
				}
				p, ok := place.OfSpan(x.s, b)
				if f, err := p.Find(x.s); !ok || err != nil || f.BeginNs != b.Begin || f.EndNs != b.End {
					t.Errorf("%s is %+v, %v, want %+v", p, f, err, b)
				}
				marked++
			}
		}
		p := tables.NewBookmarkPanel()
		p.Update(rig.Env, draw.Rect{X1: 800, Y1: 4000}, &panel.Input{})
		got := map[string]map[string]float64{}
		for _, f := range p.Facts(rig.Env, nil) {
			m, ok := v.Marks().ByID(f.Of.Mark)
			testkit.MustThat(t, ok && f.Of.Mark != 0, "a row is of no bookmark: %+v", f)
			text := m.Place.String()
			if got[text] == nil {
				got[text] = map[string]float64{}
			}
			got[text][f.Measure] = f.Value
		}
		for text, w := range want {
			if g := got[text]; g["at"] != float64(w[0]) || math.Abs(g["took"]-float64(w[1]-w[0])) > 0 {
				t.Errorf("%s: %v, want %d to %d", text, g, w[0], w[1])
			}
		}
		testkit.That(t, len(got) == len(want) && len(want) <= place.MaxMarks, "%d rows of %d bookmarks", len(got), len(want))
	})
	testkit.That(t, frames != 0 && marked != 0, "%d frames and %d spans were compared", frames, marked)
}

// stopped is how the names of recordings begin in which the program stood still.
const stopped = "stops-"

// TestStops: call trees of frames and of time are the sums of what ran in all frames but the stops, and where only a stop
// is selected, of this.
func TestStops(t *testing.T) {
	x := open(t, filepath.Join(recordings.Root(t), "testdata", "spall", stopped+"v1.spall"))
	main := x.s.MainTrack()
	one, tr := []model.TrackID{main}, x.s.Track(main)
	last := tr.NumFrames() - 1
	stops := tr.Stops(0, last, nil)
	testkit.MustThat(t, len(stops) == 2 && !stops[0].Between && stops[1].Between, "%+v", stops)
	sum := func(of []int) (want *sums) {
		want = &sums{nodes: map[model.PathID]*node{}}
		for _, i := range of {
			f := tr.Frame(i)
			in := x.sums(one, f.Begin, f.End)
			want.total += in.total
			for p, n := range in.nodes {
				if want.nodes[p] == nil {
					want.nodes[p] = &node{}
				}
				want.nodes[p].total, want.nodes[p].calls = want.nodes[p].total+n.total, want.nodes[p].calls+n.calls
			}
		}
		return want
	}
	same := func(what string, tree *spans.Tree, want *sums) {
		t.Helper()
		testkit.Equal(t, tree.Total, want.total, "%s: total", what)
		testkit.Equal(t, len(tree.Nodes), len(want.nodes), "%s: calls", what)
		for _, n := range tree.Nodes {
			w := want.nodes[n.Path]
			testkit.That(t, w != nil && n.Total == w.total && n.Count == w.calls, "%s: %+v, want %+v", what, n, w)
		}
	}
	var frames []int
	for i := range last + 1 {
		if i != stops[0].Frame {
			frames = append(frames, i)
		}
	}
	var tree spans.Tree
	x.s.FrameTree(one, main, 0, last, &tree)
	same("frames", &tree, sum(frames))
	begin, end, _ := tr.FrameTimes(0, last)
	x.s.Spans().TreeOf(spans.MeasureDuration, one, begin, end, &tree)
	same("time", &tree, sum(frames))
	testkit.Equal(t, x.s.StoppedNs(begin, end), stops[0].End-stops[0].Begin+stops[1].End-stops[1].Begin, "stopped")
	x.s.FrameTree(one, main, stops[0].Frame, stops[0].Frame, &tree)
	same("a stop", &tree, sum([]int{stops[0].Frame}))
	x.s.Spans().TreeOf(spans.MeasureDuration, one, stops[0].Begin, stops[0].End, &tree)
	same("the time of a stop", &tree, sum([]int{stops[0].Frame}))
	testkit.That(t, len(x.s.OutsideFrames(main, &tree, nil)) == 0 && !slices.Contains(frames, stops[0].Frame), "calls lie outside of frames")
}
