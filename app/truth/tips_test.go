package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
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
	text  string
	line  *regexp.Regexp
	names []string // of its groups
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
		out = append(out, p)
	}
	return out
}

// take reads a line; false: it is another one.
func (p *linePattern) take(x *tip, line string, names map[string]bool) bool {
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
	for y := rig.R.Y0 + 2 + float32(nth%5); y < rig.R.Y1; y += 9 {
		for x := rig.R.X0 + 3 + float32(nth*7%19); x < rig.R.X1; x += 19 {
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

// What tooltips say, and with them the status line, is what the definitions give.
func TestTooltips(t *testing.T) {
	seen, nth := map[string]int{}, 0
	eachPart(t, func(t *testing.T, p *part) {
		nth++
		p.compareTips(t, nth, seen)
	})
	demandEach(t, seen, tipRules)
}

func (p *part) compareTips(t testkit.T, nth int, seen map[string]int) {
	names := p.names()
	for _, d := range registry.All() {
		rule := tipRules[d.ID]
		if rule == nil || d.Has != nil && !d.Has(p.s.Contents()) {
			continue
		}
		rig, c := p.rig(), d.New()
		rig.Env.View.Look().ChooseCounters(view.CountersAll)
		if d.ID == "calls" && p.track >= 0 {
			rig.Env.View.SelectCollector(p.dearest())
		}
		settle(rig, c)
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
		if read, why := tipRules[d.ID] != nil, silentTips[d.ID]; read == (why != "") {
			t.Errorf("%s: nothing reads its tooltips, or it is listed as silent although something does", d.ID)
		}
	}
}

// ruled gives rules their patterns, from tips.txt: by panel, those of titles (of tooltips, or of panels) and of lines.
func ruled(title string, rules map[string]*tipRule) map[string]*tipRule {
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

// tipRules are how the tooltips of panels are read, and what should stand in them.
var tipRules = ruled("title", map[string]*tipRule{
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
	"dashboard":  {want: threadsTip},
	"threads":    {want: threadsTip},
	"calltree":   {want: callTreeTip},
	"statistics": {want: tableTip},
	"collectors": {want: tableTip},
	"counters":   {want: tableTip},
	"leaks":      {want: tableTip},
	"spikes":     {want: spikeTip},
	"against":    {want: func(x *tip) figuresOf { return x.against(x.rig.Env.View.FrameA(), x.hit.Collector) }},
	"calls":      {want: callsTip},
	"contention": {want: contentionTip},
	"elements":   {want: elementsTip},
	"packages":   {want: packagesTip},
	"waterfall":  {want: waterfallTip},
	"series":     {want: seriesTip},
	"locks":      {want: locksTip},
})

// unruledTips are numbers in tooltips that are not compared, with the reason.
var unruledTips = testkit.Words("testdata/reasons.txt", "unruledTips")

// silentTips are the panels whose tooltips are not compared, with the reason.
var silentTips = testkit.Words("testdata/reasons.txt", "silentTips")
