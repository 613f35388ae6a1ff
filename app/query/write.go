package query

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"framescope/internal/escape"
)

// text is a value for people and for CSV; a missing one is empty.
func text(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return v
	case []byte:
		return hex.EncodeToString(v)
	}
	return ""
}

// WriteCSV writes the result as CSV, as exports do.
func (r *Result) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	line := func(n int, cell func(k int) string) {
		b := out.AvailableBuffer()
		for k := range n {
			if k > 0 {
				b = append(b, ',')
			}
			b = escape.AppendCell(b, cell(k), ',')
		}
		out.Write(append(b, '\n'))
	}
	line(len(r.Columns), func(k int) string { return r.Columns[k] })
	for _, row := range r.Rows {
		line(len(row), func(k int) string { return text(row[k]) })
	}
	return out.Flush()
}

// WriteJSON writes the result as an array with an object for each row. Of columns with one name the later ones
// have a number behind it.
func (r *Result) WriteJSON(w io.Writer) error {
	names, taken := make([]string, len(r.Columns)), map[string]bool{}
	for k, name := range r.Columns {
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", r.Columns[k], n)
		}
		taken[name], names[k] = true, jsonOf(name)
	}
	out := bufio.NewWriter(w)
	out.WriteString("[")
	for i, row := range r.Rows {
		out.WriteString([...]string{"\n{", ",\n{"}[min(i, 1)])
		for k, v := range row {
			fmt.Fprintf(out, "%s%s: %s", [...]string{"", ", "}[min(k, 1)], names[k], jsonOf(v))
		}
		out.WriteString("}")
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// jsonOf is a value in JSON, without characters that a terminal would act on.
func jsonOf(v any) string {
	switch x := v.(type) {
	case float64:
		if math.IsInf(x, 0) {
			v = math.Copysign(math.MaxFloat64, x)
		}
	case []byte:
		v = text(x)
	}
	var b strings.Builder
	if err := escape.WriteJSON(&b, v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// WriteText writes the result as a table: numbers to the right, texts on one line.
func (r *Result) WriteText(w io.Writer) error {
	widths, numbers := make([]int, len(r.Columns)), make([]bool, len(r.Columns))
	for k, name := range r.Columns {
		widths[k], numbers[k] = utf8.RuneCountInString(escape.Line(name)), len(r.Rows) > 0
		for _, row := range r.Rows {
			widths[k] = max(widths[k], utf8.RuneCountInString(Shown(row[k])))
			switch row[k].(type) {
			case string, []byte:
				numbers[k] = false
			}
		}
	}
	out := bufio.NewWriter(w)
	line := func(cell func(k int) string) {
		var b strings.Builder
		for k := range r.Columns {
			space := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell(k)))
			if b.WriteString([...]string{"", "  "}[min(k, 1)]); numbers[k] {
				b.WriteString(space + cell(k))
			} else {
				b.WriteString(cell(k) + space)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
	line(func(k int) string { return escape.Line(r.Columns[k]) })
	for _, row := range r.Rows {
		line(func(k int) string { return Shown(row[k]) })
	}
	return out.Flush()
}

// Shown is a value in a table for people.
func Shown(v any) string {
	if x, ok := v.(float64); ok && x != math.Trunc(x) {
		return strconv.FormatFloat(x, 'g', 7, 64)
	}
	return escape.Line(text(v))
}
