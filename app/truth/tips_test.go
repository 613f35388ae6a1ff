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
	for y := rig.R.Y0 + 2 + float32(nth%5); y < rig.R.Y1; y += 9 {
		for x := rig.R.X0 + 3 + float32(nth*7%19); x < rig.R.X1; x += 19 {
			if len(seen) >= mostTips && !testkit.Long {
				return
			}
			h := c.HitTest(rig.Env, x, y)
			if len(h.Lines) == 0 {
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

// tipRules are how the tooltips of panels are read, and what should stand in them.
var tipRules = map[string]*tipRule{
	"timeline": {
		titles: slices.Concat(spanTitles, coreTitles, reading(`sample\t{at}`)), want: timelineTip,
		lines: slices.Concat(spanTips, coreTips, reading(`@`, `state\t.*`, `process\t.*`, `tracks\t.*`, `innermost\t@`, `after the one before\t{after}`,
			`and {more} more`, `load\t{load}`, `others\t{others}`, `least in view\t{least}`, `time\t{time}`, `of\t{of}`, `from\t{from}`, `«part»\t{part}~`)),
	},
	"processors": {
		titles: append(spanTitles, coreTitles...), want: timelineTip,
		lines: slices.Concat(spanTips, coreTips, reading(`«thread»\t≈ {busy}`)),
	},
	"flame": {
		titles: reading(`@`, `{n} collectors, each under a pixel \({together} together\)`, `frames? {missed_first}( – {missed_last})? w.* not received`,
			`Frame {frame}, nearest to the typical {typical}`),
		lines: append(reading(
			`total\t{total}~`, `self\t{self}~ · {self_share} of it`, `of the (mean of {mean_of} frames|frame)\t{share}`, `of the (time|CPU time|samples) of [^\t]*\t{share}`, `of all threads\t{share}`, `of «caller»\t{of_caller}`,
			`(calls|runs)\t{calls}`, `in {frames} frames\t{sum} · {sum_calls} (calls?|runs?)`, `in «callers»`,
		), frameTips...),
		want: flameTip,
	},
	"piano": {
		titles: reading(`@ \((at least )?{took}\)`, `@`),
		lines: reading(
			`run {first} of {runs}`, `run {first} of {runs} · {all} in all`, `runs {first} to {last} of {runs} · {all} in all`,
			`from {from} to {to} in the frame`, `times are exact to {step}`, `{all} in {runs} runs? · {share} of the frame`,
			`{all} in {runs} runs?`, // of a frame that took no time
		),
		want: pianoTip,
	},
	"strip":  {titles: append(stripTitles, gapTitles...), lines: stripTips, want: stripTip},
	"levels": {titles: append(stripTitles, gapTitles...), lines: stripTips, want: stripTip},
	"frames": {titles: append(reading(`Frame {frame}`), gapTitles...), lines: append(reading(
		`thread\t@`, `the worst of\t{of}`, `their median\t{median}`, `their median, of some\t{some}`, `missing among them\t{inside}`), frameTips...), want: frameTip},
	"topology": {titles: reading(`«from» → «to»`, `«thing»`), want: topologyTip, lines: reading(
		`state\t\w+( since {state_since})?`, `state\t\w+, the highest`, `latency, median\t{latency_median}`, `latency, p99\t{latency_p99}`, `latency, mean\t{latency}`, `latency, greatest\t{latency_most}`,
		`measured\t{measured} times?`, `until «peer»\t{through}, at most {through_most}`, `latency that it reports\t{reported}`,
		`came in\t{in} buffers?, {in_bytes}`, `went out\t{out} buffers?, {out_bytes}`, `events, queries, messages\t{events}`, `pads\t{pads}`,
		`made at\t{made}(, later than this)?`, `gone at\t{gone}`,
		`first seen at\t{since}(, later than this)?`, `taken apart at\t{until}`,
		`(to|from) «peer»\t{per_second} · {bytes_per_second}`, `(to|from) @`, `(to|from) .*`, `buffers\t{n} · {per_second}`,
		`bytes\t{bytes} · {bytes_per_second}`, `mean size\t{size}`, `last buffer\tat {last_at}`, `last buffer\t{before} before`,
		`interval, mean\t{interval}, at most {interval_most}`, `jitter \(std. deviation\)\t{jitter}`, `(caps)?\t.*`,
		`(type|in|inside)\t.*`, `«level»\t{fill}~, at most {fill_most}~`)},
	"messages": {want: messagesTip, words: messageWords, lines: reading(
		`level\t«level»`, `category\t«category»`, `object\t«object»`, `thread\t«thread»`, `time\t{time}`)},
	"received": {titles: reading(`«note»`), want: func(*tip) figuresOf { return nil }, words: receivedWords},
	"overview": {titles: reading(`{at}`), want: overviewTip, lines: reading(
		`threads busy\t{busy}`, `at a time, mean\t{under_way}`, `CPU load of all threads\t{load}`, `samples\t{samples}`, `messages\t{messages}`, `«thread»\t{of}`)},
	"dashboard": {titles: reading(`@`), lines: threadTips, want: threadsTip},
	"threads":   {titles: reading(`@`), lines: threadTips, want: threadsTip},
	"calltree": {titles: reading(`@`), want: callTreeTip, lines: reading(
		`total\t{total}~`, `self\t{self}~`, `mean (call|run)\t{mean}`, `(calls|runs), begun before included\t{count}`, `{of_caller} of «caller»`)},
	"statistics": {titles: reading(`@`), lines: figureTips, want: tableTip},
	"collectors": {titles: reading(`@`), lines: figureTips, want: tableTip},
	"counters": {titles: reading(`@`), want: tableTip, lines: reading(
		`p50\t{p50}~`, `p90\t{p90}~`, `p95\t{p95}~`, `p99\t{p99}~`, `standard deviation\t{std_dev}~`, `@`)},
	"leaks": {titles: reading(`«object» «address»`, `@`), want: tableTip, lines: reading(
		`leaked: alive at the end\t{leaked}`, `alive when asked for\t{alive}`, `added since the checkpoint before\t{added}`,
		`removed since the checkpoint before\t{removed}`)},
	"spikes": {titles: reading(`frame {frame}`, `buffer {frame}`, `@`, `.*`), want: spikeTip, lines: reading(
		`hitches\t{hitches}`, `late buffers\t{hitches}`, `worst\t{took} · #{worst_frame}`, `every\t{period}`, `over typical, newer half\t{trend}`, `cause\t.*`,
		`{duration} · {rate}`, `took\t{duration}`, `runs\t{runs}, this is the longest`, `begins\t{at}`, `ends known to\t± {step}`, `over typical\t{over_typical}`)},
	"against": {titles: reading(`@`), lines: reading(
		`self\t{self}`, `typical self\t{typical_self}`, `starts\t{starts}`, `typical starts\t{typical_starts}`, `in frames around\t{seen} of {around}`),
		want: func(x *tip) figuresOf { return x.against(x.rig.Env.View.FrameA(), x.hit.Collector) }},
	"calls": {titles: reading(`@`, `@ ×{times}`), want: callsTip, lines: append(reading(
		`@`, `@ ×{times}`, `thread\t@`, `Click: next · wheel: steps of {wheel}`), spanTips...)},
	"contention": {titles: reading(`@`), want: contentionTip, lines: reading(
		`waited for\t{waits} × · {waited}`, `held\t{holds} × · {held}`, `conditions\t{conditions} × · {condition_wait}`,
		`  longest\t{longest_condition} by .*`, `signals\t{signals}`, `  in the mean\t{mean}`, `  of the time\t{share}`, `meanwhile held by\t.* · {meanwhile}`)},
	"elements": {titles: reading(`«element»`), want: elementsTip, lines: reading(
		`type\t.*`, `buffers\t{n}`, `median\t{median}`, `p99\t{p99}`, `mean\t{mean}`, `max\t{max}`)},
	"packages": {titles: reading(`@`), want: packagesTip, lines: reading(
		`self, of all visible threads\t{share}`, `CPU time, estimated\t{time}`, `time\t{time}`, `samples\t{samples}`, `self\t{time}`)},
	"waterfall": {titles: reading(`@`), want: waterfallTip, lines: reading(
		`duration\t{duration}`, `begins\t\+{begin_in}`, `of the way\t{share}`, `number\t{number} of {of}`, `nearest to the median of\t{buffers} buffers`,
		`median in it\t{median} of {n}`, `p99 in it\t{p99}`)},
	"series": {titles: reading(`@`, `{at}`), want: seriesTip, lines: reading(
		`n\t{n}`, `rate\t{per_second}`, `sum\t{sum}~`, `per second\t{sum_per_second}~`, `min\t{min}~`, `mean\t{mean_by_number}~`, `mean by time\t{mean_by_time}~`, `p50\t{p50}~`, `p90\t{p90}~`,
		`p99\t{p99}~`, `max\t{max}~`, `last\t{last}~`, `growth\t{growth}~`, `mean rate\t{mean_rate}~`, `changes\t{n}`,
		`changes\t{n} in {width}`, `time\t{time}`, `from\t{from}`, `samples\t{n} in {width}`, `events\t{n} in {width}`, `value\t{value}~`,
		`total\t{total}~`, `since\t{since}`, `for\t{for}`, `last value\t{last_value}~`, `at\t{last_at}`, `@`, `and {more} more`, `state\t«state»`, `.*\t–`, `(«series»)?\t{curve}~`)},
	"locks": {titles: reading(`@ (holds|waits for the condition|waits for|tries|signals) @( in vain)?`, `@ is held {joined} ×`,
		`@: {joined} (holds?|waits?|tries in vain|signals|waits for a condition)`, `Frame {frame} of @`, `@`), want: locksTip, lines: append(reading(
		`held already\t{depth} ×`, `at least\t{duration}`, `waited before\t{before}`, `kept waiting\t«kept» · {kept}`, `held by\t«held» · {held}`,
		`woken by\t.*`, `wakes\t.*`, `by\t.*`, `after( its signal)?\t{after}`, `within\t{joined}`, `in all\t{joined}`, `«thread»\t{joined} × · {joined}`,
		`held\t{holds} × · {held}`, `waited for\t{waits} × · {waited}`, `longest\t{longest} by @`, `signals\t{signals}`, `threads\t{threads}`,
		`tries in vain\t{failed}`, `conditions\t{conditions} × · {condition_wait}`), frameTips...)},
}

// unruledTips are numbers in tooltips that are not compared, with the reason.
var unruledTips = map[string]string{
	"processors.on":    "of the piece under the mouse: where a span is cut is the picture's",
	"processors.core":  "of the piece under the mouse: where a span is cut is the picture's",
	"calls.times":      "how often it stands in the stack",
	"calls.wheel":      "what the wheel does",
	"series.curve":     "the height of a curve, as it is drawn",
	"series.at":        "where the mouse is",
	"series.more":      "how many curves have no line of their own",
	"series.rate":      "of a counter: the height of its curve",
	"locks.after":      "which signal woke whom is worked out: see model/locks",
	"locks.joined":     "what is joined in a bar is the picture's",
	"timeline.ended":   "which threads one row stands for: see charts/timeline",
	"processors.ended": "which threads one row stands for: see charts/timeline",
	"frames.some":      "which of the frames are looked at is the model's",
	"frames.of":        "how many frames are a column is the picture's",
	"frames.inside":    "how many frames are a column is the picture's",
	"strip.of":         "how many frames are a column is the picture's",
	"levels.of":        "how many frames are a column is the picture's",
	"strip.peak":       "of the columns in view, as they are drawn",
	"levels.peak":      "of the columns in view, as they are drawn",
	"flame.n":          "which call paths are joined in a bar is the picture's",
	"flame.together":   "which call paths are joined in a bar is the picture's",
}

// silentTips are the panels whose tooltips are not compared, with the reason.
var silentTips = map[string]string{"rates": "it has none: its figures are columns, compared as such"}

var (
	threadTips = reading(
		`process\t.*`,
		`mean of {of} frames`, `in frame {first}`, `in {of} frames`, `in {of} frames, mean of {share} of the selected thread`,
		`busy\t{busy}`, `waits, idle\t{waits}`, `not measured\t{bare}`, `begin to end\t{wall}`,
		`{frames} frames( · {missed} missing)?( · {rate} in the last 3 s)?`, `spans\t{spans}`, `(CPU|covered)\t{load}`, `samples here\t{samples}`,
		`CPU time here\t{time}`, `last data at\t{heard}`, `in\t{width}`, `own clock, moved by\t{moved}`,
		`known to\t± {spread}, by {by} frames`,
		`running\t{running_share} · {running}`, `(running, )?ready or at a monitor\t{ready_share} · {ready}`,
		`socket or file\t{io_share} · {io}`, `waiting\t{waiting_share} · {waiting}`, `unknown\t{unknown_share} · {unknown}`,
		`burns most\t@`, `its own\t{own} ± {within} \(95 %\) of {code} samples of code`,
	)
	figureTips = reading(
		`total, with callees\t{total}`, `self, without callees\t{self}`, `net, by name\t{net}`, `calls\t{calls}`, `runs\t{runs}`, `samples\t{samples}`,
		`total\t{total}`, `± by the number of samples\t{uncertainty}`, `self\t{self}`, `mean\t{mean}`, `shortest\t{min}`, `longest\t{max}`,
		`share\t{share}`, `net, by name: self times of all below\t{net}`, `in {present} of {frames} frames`, `max in frame {frame}; .*`,
		`{mean}~ in (this frame|the mean of {frames} frames)`, `of the mean of {frames} frames`,
	)
	frameTips = reading(
		`duration\t{duration}`, `rate\t{rate}`, `at\t{at}`, `over budget by\t{over}`,
		`number\t{missed_first}`, `(numbers|between)\t{missed_first} – {missed_last}`, `time without data\t{without}`,
	)
	gapTitles  = reading(`{missed} frames? missing in {gaps} gaps`, `{missed} frames? missing`, `{missed} frames? missing: {missed_first}`, `{missed} frames? missing: {missed_first} – {missed_last}`)
	spanTitles = append(reading(`Frame {frame}`, `Frame {frame} of @`, `{n} spans? too short to draw`, `(more than )?{n} messages within {within}`, `@`), gapTitles...)
	spanTips   = append(reading(
		`(thread|path|element|task)\t.*`, `duration\t{duration}( ± {step})?`, `duration\t{duration}`, `at least\t{duration}( ± {step})?`, `at least\t{duration}`, `self\t{self}`,
		`frame\t{frame}`, `of the frame\t{share}`, `begins\t\+{begin_in}`, `begins\t{begin}`, `source\t«source»`, `mostly\t«mostly»`, `within\t{within}`, `covered\t{covered}`,
		`The clock's step here is {step}: nothing finer is known.`, `time\t{time}`, `frames\t{frames}`, `missing\t{missed}`, `spans\t{spans}`, `rate\t{rate} in the last 3 s`, `in frame {first}`, `mean of {of} frames`, `in {of} frames`,
		`busy\t{busy}`, `waits, idle\t{waits}`, `not measured\t{bare}`, `begin to end\t{wall}`,
		`value\t{value}~`, `greatest in view\t{most}~`,
	), frameTips...)
	coreTitles = reading(`CPU {core}`, `{changes} changes? of processor in {width}`, `CPU {core} in view`, `{ended} ended threads`,
		`{ended} threads? that ended, or did little and nothing here`)
	coreTips = reading(`since\t{since}`, `for\t{for}`, `CPU {core}\t{core_share}`, `migrations in view\t{migrations}`, `thread\t.*`, `on CPU {core}\t{on}`)

	stripTitles = reading(`@(, self)? \({value}~( / {starts}x)?\)`, `@, self`, `@ \({value}~\)`, `frame {frame} · {net}~ in total`, `frame {frame} · {net}~ in total · longest of {of}`, `@`, `mean of the 3 s before`)
	stripTips   = append(reading(
		`frame {frame} · {net}~ in total`, `frame {frame} · {net}~ in total · (longest|newest) of {of}`, `times are exact to {step}`,
		`mean of {frames} frames: {mean}~`, `{mean}~ · mean of {frames} frames`, `{mean}~ / {starts_mean}x · mean of {frames} frames`,
		`{here}~ · frame {selected}`, `{here}~ / {starts_here}x · frame {selected}`, `greatest in view {peak}~`,
	), gapTitles...)
)
