package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/escape"
	"framescope/model/budget"
	"framescope/widgets"
)

// limitQuestion asks for a limit: measure × statistic, and how the values of the frames lie around it.
type limitQuestion struct {
	*widgets.Palette
	put  func(line int, x budget.Budget) error
	all  []budget.Budget
	now  []*budget.Result // present values of all
	at   int              // the chosen one
	bars []int64
}

// newLimitQuestion asks for a limit of the first possible budget of a subject; the user can choose another one. put
// writes a budget to its file, in place of that in a line (0: it adds one).
func newLimitQuestion(
	subject string, all []budget.Budget, now []*budget.Result, put func(line int, x budget.Budget) error,
) *widgets.Palette {
	q := &limitQuestion{put: put, all: all, now: now, Palette: &widgets.Palette{Name: "Budget for " + subject,
		Does: "Set"}}
	q.Choices, q.Answer = q.choices, q.answer
	if slices.ContainsFunc(now, func(r *budget.Result) bool { return r != nil && r.UpTo != nil }) {
		q.Plot = q.plot
	}
	q.choose(0)
	return q.Palette
}

// choose asks for the limit of another budget.
func (q *limitQuestion) choose(at int) {
	q.at = at
	x, now := &q.all[at], q.now[at]
	switch {
	case x.HasShare:
		q.Field.Hint = "the greatest value, and which part of the frames may be over it"
	case now != nil:
		q.Field.Hint = "the greatest value allowed; it is " + q.value(now.Value) + " now"
	default:
		q.Field.Hint = "the greatest value allowed"
	}
	q.Field.Offer(written(x))
}

// measureNames are the labels of measures.
var measureNames = map[budget.Measure]string{
	budget.Duration: "Frame time", budget.Total: "Total", budget.Self: "Self", budget.Net: "Net",
	budget.Calls: "Calls", budget.Longest: "Longest call", budget.Level: "Level", budget.Value: "Value",
}

// choices returns what can be limited.
func (q *limitQuestion) choices() []widgets.Setting {
	x := &q.all[q.at]
	measures, statistics := widgets.Setting{Name: "Measure", Key: "Tab"}, widgets.Setting{Name: "Statistic", Key: "↑ ↓"}
	for i := range q.all {
		y := &q.all[i]
		first := slices.IndexFunc(q.all, func(z budget.Budget) bool { return z.Measure == y.Measure }) == i
		if first {
			measures.Values = append(measures.Values, widgets.SettingValue{
				Label: measureNames[y.Measure], On: y.Measure == x.Measure, Run: func() { q.choose(q.likely(y.Measure, x)) },
			})
		}
		if y.Measure == x.Measure {
			label := statisticName(y)
			statistics.Values = append(statistics.Values, widgets.SettingValue{Label: label, On: i == q.at,
				Run: func() { q.choose(i) }})
		}
	}
	if len(measures.Values) == 1 {
		return []widgets.Setting{statistics}
	}
	return []widgets.Setting{measures, statistics}
}

// statisticName is the label of a statistic.
func statisticName(x *budget.Budget) string {
	if x.HasShare {
		return "Part of frames"
	}
	if name := string(x.At); !strings.HasPrefix(name, "p") {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return string(x.At)
}

// likely returns the budget of a measure with the statistic of another one, or its first.
func (q *limitQuestion) likely(m budget.Measure, as *budget.Budget) int {
	like := func(x budget.Budget) bool { return x.Measure == m && x.At == as.At && x.HasShare == as.HasShare }
	if i := slices.IndexFunc(q.all, like); i >= 0 {
		return i
	}
	return slices.IndexFunc(q.all, func(x budget.Budget) bool { return x.Measure == m })
}

// answer sets the budget.
func (q *limitQuestion) answer(text string) (complaint string) {
	x := q.all[q.at]
	err := parse(&x, text)
	if err == nil {
		err = q.put(x.Line, x)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// limit returns the typed limit, or the suggestion while the text is none.
func (q *limitQuestion) limit() float64 {
	x := q.all[q.at]
	if parse(&x, q.Field.Text()) != nil {
		return q.all[q.at].Limit
	}
	return x.Limit
}

// value is a value of the chosen measure, in the one unit of the question.
func (q *limitQuestion) value(v float64) string {
	x := &q.all[q.at]
	if !x.Measure.Times() {
		unit := ""
		if now := q.now[q.at]; now != nil {
			unit = escape.Name(now.Unit)
		}
		return string(format.AppendValue(nil, v, unit))
	}
	unit := format.TimeUnitOf(cmp.Or(x.Limit, v), format.TimeUnit{})
	if v == 0 {
		return "0 " + unit.Name
	}
	return string(unit.Append(nil, v)) + " " + unit.Name
}

// limitBars is how many bars there are.
const limitBars = 60

// plot paints the histogram of the frames, with a line at the limit.
func (q *limitQuestion) plot(l *draw.List, env *panel.Env, r draw.Rect) {
	now, t := q.now[q.at], env.Theme
	if now == nil || now.UpTo == nil {
		return
	}
	r = draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(4), X1: r.X1, Y1: r.Y1 - env.Px(6)}
	words, axis := r, r
	words.Y1, axis.Y0 = r.Y0+env.Px(20), r.Y1-env.Px(16)
	plot := draw.Rect{X0: r.X0, Y0: words.Y1 + env.Px(4), X1: r.X1, Y1: axis.Y0}
	limit := q.limit()
	low, high := q.span(now, limit)
	most := q.count(now, low, high)
	l.Rect(plot, draw.Color(t.Well))
	width := plot.W() / limitBars
	for i, n := range q.bars {
		if n == 0 {
			continue
		}
		color := format.Pick(low+(high-low)*float64(i)/limitBars >= limit, t.Over, t.FrameBar)
		x := panel.Snap(plot.X0 + float32(i)*width)
		h := max(env.Px(1), plot.H()*0.92*format.LogShare(n, most))
		l.Rect(draw.Rect{X0: x, Y0: plot.Y1 - h, X1: panel.Snap(plot.X0+float32(i+1)*width) - 1, Y1: plot.Y1},
			draw.Color(color))
	}
	at := func(v float64) float32 { return panel.Snap(plot.X0 + plot.W()*float32((v-low)/(high-low))) }
	l.VLine(at(limit), plot.Y0, plot.Y1, env.Px(2), draw.Color(t.Accent))
	dim := draw.Color(t.TextDim)
	l.TextIn(draw.Small, axis, draw.Left, q.value(low), dim)
	end := q.value(high)
	if now.UpTo(high) < now.Frames {
		end = "≥ " + end
	}
	l.TextIn(draw.Small, axis, draw.Right, end, dim)
	l.TextIn(draw.Small, axis, draw.Center, "frames, log", dim)
	l.TextIn(draw.Regular, words, draw.Left, q.over(now, limit), draw.Color(t.Text2))
}

// over says how many frames are over a limit.
func (q *limitQuestion) over(now *budget.Result, limit float64) string {
	over := now.Frames - now.UpTo(limit)
	text := string(format.AppendCount(nil, over)) + " of " +
		string(format.AppendPlural(nil, now.Frames, "frame", "frames")) + " over " + q.value(limit)
	if over > 0 {
		text += ", " + string(format.AppendPercent(nil, float64(over)/float64(now.Frames)))
	}
	return text
}

// span is the range of the plot: all values but a few far ones, and the limit.
func (q *limitQuestion) span(now *budget.Result, limit float64) (low, high float64) {
	high = max(limit*1.25, 1e-9)
	few := now.Frames / 200
	for now.Frames-now.UpTo(high) > few {
		high *= 1.25
	}
	return 0, high
}

// count counts the frames of each bar, those beyond in the last one, and returns the most of one.
func (q *limitQuestion) count(now *budget.Result, low, high float64) (most int64) {
	q.bars = q.bars[:0]
	before := int64(0)
	for i := range limitBars {
		upTo := now.Frames
		if i < limitBars-1 {
			upTo = now.UpTo(low + (high-low)*float64(i+1)/limitBars)
		}
		q.bars = append(q.bars, upTo-before)
		most, before = max(most, upTo-before), upTo
	}
	return most
}

// written is a limit as it is typed: "4 ms", with a share "4 ms, 1 %".
func written(x *budget.Budget) string {
	text := budget.Time(x.Limit)
	if !x.Measure.Times() {
		if text = x.Most(); x.Unit == "" {
			text = strings.TrimSuffix(fmt.Sprintf("%.3f", x.Limit), ".000")
		}
	}
	if x.HasShare {
		text += fmt.Sprintf(", %g %%", x.Share*100)
	}
	return text
}

// parse parses a typed limit.
func parse(x *budget.Budget, text string) (err error) {
	number, part, has := strings.Cut(text, ",")
	if has && !x.HasShare {
		return fmt.Errorf("give one limit, such as %q", written(x))
	}
	limit, unit, err := budget.ParseLimit(number, x.Measure)
	if err != nil {
		return err
	}
	if has {
		if x.Share, err = budget.ParsePart(strings.TrimSpace(part)); err != nil {
			return err
		}
		if x.Share > 1 {
			return fmt.Errorf("%s: a share of the frames is at most 100 %%", strings.TrimSpace(part))
		}
	}
	x.Limit, x.Unit = limit, unit
	return nil
}
