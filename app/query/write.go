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
	rows, right := make([][]string, 1+len(r.Rows)), make([]bool, len(r.Columns))
	for k, name := range r.Columns {
		rows[0], right[k] = append(rows[0], escape.Line(name)), len(r.Rows) > 0
		for i, row := range r.Rows {
			rows[i+1] = append(rows[i+1], Shown(row[k]))
			switch row[k].(type) {
			case string, []byte:
				right[k] = false
			}
		}
	}
	return WriteColumns(w, rows, Widths(rows), right)
}

// Widths returns how wide the columns of a table are.
func Widths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, text := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(text))
		}
	}
	return widths
}

// WriteColumns writes a table with columns of some widths, the text of some at their right. A wider text is cut.
func WriteColumns(w io.Writer, rows [][]string, widths []int, right []bool) error {
	out := bufio.NewWriter(w)
	for _, row := range rows {
		var b strings.Builder
		for k, text := range row {
			if letters := []rune(text); len(letters) > widths[k] {
				text = string(letters[:max(widths[k]-1, 0)]) + "…"
			}
			width := widths[k]
			if !right[k] {
				width = -width
			}
			fmt.Fprintf(&b, "%*s  ", width, text)
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
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
