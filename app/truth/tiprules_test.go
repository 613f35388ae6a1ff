package truth

import "slices"

// tipRules are how the tooltips of panels are read, and what should stand in them.
var tipRules = map[string]*tipRule{
	"timeline": {
		titles: slices.Concat(spanTitles, coreTitles, reading(`sample\t{at}`)), want: timelineTip,
		lines: slices.Concat(spanTips, coreTips, reading(`@`, `state\t.*`, `innermost\t@`, `after the one before\t{after}`,
			`and {more} more`, `«part»\t{part}~`)),
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
		`hitches\t{hitches}`, `late buffers\t{hitches}`, `worst\t{took} · #{worst_frame}`, `every\t{period}`, `newer half\t{trend}`, `cause\t.*`,
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
var silentTips = map[string]string{
	"rates": "it has none: its figures are columns, compared as such",
}

var (
	threadTips = reading(
		`net, mean of {of} frames\t{net}`, `net in frame {first}\t{net}`,
		`duration, mean of {of} frames\t{duration}`, `duration in frame {first}\t{duration}`,
		`{frames} frames( · {missed} missing)?( · {rate} in the last 3 s)?`, `spans\t{spans}`, `(CPU|busy)\t{load}`, `samples here\t{samples}`,
		`CPU time here\t{time}`, `last data at\t{heard}`, `in\t{width}`, `own clock, moved by\t{moved}`,
		`known to\t± {spread}, by {by} frames`,
		`running\t{running_share} · {running}`, `(running, )?ready or at a monitor\t{ready_share} · {ready}`,
		`socket or file\t{io_share} · {io}`, `waiting\t{waiting_share} · {waiting}`, `unknown\t{unknown_share} · {unknown}`,
		`burns most\t@`, `its own\t{own} ± {within} \(95 %\) of {code} samples of code`,
	)
	figureTips = reading(
		`total, with callees\t{total}`, `self, without callees\t{self}`, `net, by name\t{net}`, `calls\t{calls}`, `runs\t{runs}`, `samples\t{samples}`,
		`total\t{total}`, `± by the number of samples\t{uncertainty}`, `self\t{self}`, `mean\t{mean}`, `shortest\t{min}`, `longest\t{max}`,
		`share\t{share}`, `net, by name: own times of all below\t{net}`, `in {present} of {frames} frames`, `max in frame {frame}; .*`,
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
		`frame\t{frame}`, `of the frame\t{share}`, `begins\t\+{begin_in}`, `begins\t{begin}`, `mostly\t«mostly»`, `within\t{within}`, `covered\t{covered}`,
		`The clock's step here is {step}: nothing finer is known.`, `time\t{time}`, `frames\t{frames}`, `missing\t{missed}`, `spans\t{spans}`, `rate\t{rate} in the last 3 s`, `frame {frame}\t(≈ )?{duration}`, `mean of {of} frames\t(≈ )?{duration}`,
		`value\t{value}~`, `greatest in view\t{most}~`,
	), frameTips...)
	coreTitles = reading(`CPU {core}`, `{changes} changes? of processor in {width}`, `CPU {core} in view`, `{ended} ended threads`,
		`{ended} threads? that ended, or did little and nothing here`)
	coreTips = reading(`since\t{since}`, `for\t{for}`, `CPU {core}\t{core_share}`, `migrations in view\t{migrations}`, `thread\t.*`, `on CPU {core}\t{on}`)

	stripTitles = reading(`@ \({value}~( / {starts}x)?\)`, `@ \({value}~\)`, `frame {frame} · {net}~ in total`, `frame {frame} · {net}~ in total · longest of {of}`, `@`, `mean of the 3 s before`)
	stripTips   = append(reading(
		`frame {frame} · {net}~ in total`, `frame {frame} · {net}~ in total · (longest|newest) of {of}`, `times are exact to {step}`,
		`mean of {frames} frames: {mean}~`, `{mean}~ · mean of {frames} frames`, `{mean}~ / {starts_mean}x · mean of {frames} frames`,
		`{here}~ · frame {selected}`, `{here}~ / {starts_here}x · frame {selected}`, `greatest in view {peak}~`,
	), gapTitles...)
)
