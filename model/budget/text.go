package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"framescope/internal/escape"
)

// Title is the name of a result: that of the budget if it has one, and its subject.
func (r *Result) Title() string {
	var b strings.Builder
	if r.Budget.Name != "" {
		b.WriteString(escape.Name(r.Budget.Name) + ": ")
	}
	switch what := escape.Name(r.What); {
	case what != "":
		b.WriteString(what)
	default:
		b.WriteString("frame")
	}
	if r.Thread != "" {
		b.WriteString(" on " + escape.Name(r.Thread))
	}
	return b.String()
}

// Measured names the value held against the limit: "total, p99", "frames over 4 ms".
func (b *Budget) Measured() string {
	if b.HasShare {
		return "frames with " + string(b.Measure) + " over " + b.amount(b.Limit, "")
	}
	if b.Measure == Longest {
		return "longest call"
	}
	return string(b.Measure) + ", " + string(b.At)
}

// Allowed is the limit as text.
func (r *Result) Allowed() string {
	if r.Budget.HasShare {
		return percent(r.Budget.Share)
	}
	return r.Budget.amount(r.Budget.Limit, r.Unit)
}

// Found is the value as text.
func (r *Result) Found() string {
	switch {
	case r.Verdict == Nothing:
		return "-"
	case r.Budget.HasShare:
		return percent(r.Value)
	}
	return r.Budget.amount(r.Value, r.Unit)
}

// amount is a value with its unit: of times one that is read well.
func (b *Budget) amount(v float64, unit string) string {
	if b.Measure.Times() || b.Measure == Value && unit == "ns" {
		if math.Abs(v) >= 1<<62 {
			return "for ever"
		}
		return timeText(time.Duration(math.Round(v)), 3)
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if a := math.Abs(v); a >= 1e15 || a > 0 && a < 1e-4 {
		text = strconv.FormatFloat(v, 'g', 6, 64)
	} else if i := strings.IndexByte(text, '.'); i >= 0 && len(text) > i+4 {
		text = strconv.FormatFloat(v, 'f', 3, 64)
	}
	if unit = escape.Name(unit); unit != "" {
		text += " " + unit
	}
	return text
}

// timeText is a duration in one unit, with so many digits behind the point, -1 for those that it has: "16.7 ms".
func timeText(d time.Duration, digits int) string {
	a := d.Abs()
	for _, u := range [...]struct {
		of   time.Duration
		name string
	}{{time.Second, " s"}, {time.Millisecond, " ms"}, {time.Microsecond, " µs"}} {
		if a >= u.of {
			return strconv.FormatFloat(float64(d)/float64(u.of), 'f', digits, 64) + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + " ns"
}

func percent(share float64) string {
	if share > 0 && share < 0.00005 {
		return "<0.01 %"
	}
	return strconv.FormatFloat(share*100, 'f', 2, 64) + " %"
}

// Lacks names the missing data, if the verdict is Nothing.
func (r *Result) Lacks() string {
	if r.Budget.Unit != "" {
		return "nothing with this name and unit was recorded: " + r.Budget.inUnit()
	}
	return "nothing with this name was recorded"
}

// Why explains a breach in a sentence.
func (r *Result) Why() string {
	if r.Verdict == Nothing {
		return r.Title() + ": " + r.Lacks()
	}
	text := fmt.Sprintf("%s: %s: %s, allowed %s", r.Title(), r.Budget.Measured(), r.Found(), r.Allowed())
	if r.HasWorst && r.Verdict == Broken {
		text += fmt.Sprintf(", worst in frame %d", r.Worst)
	}
	return text
}

// Summary is the last line: "2 of 7 limits broken".
func Summary(all []Result) string {
	broken, kept := Breaches(all), 0
	for i := range all {
		if all[i].Verdict == Kept {
			kept++
		}
	}
	text := fmt.Sprintf("%d of %d limits broken", broken, len(all))
	if broken == 0 {
		text = fmt.Sprintf("no limit broken, %d kept", kept)
	}
	if n := len(all) - broken - kept; n > 0 {
		text += fmt.Sprintf(", %d optional not recorded", n)
	}
	return text
}
