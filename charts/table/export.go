package table

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/internal/escape"
)

// Export writes all rows, in the order of display, below a line of titles, with those columns that
// have words or numbers, also where the table is too narrow for them. Numbers are exact, in the
// unit that the title names, where the column has numbers; other cells are as they are shown. Rows
// of a tree begin with two spaces for each level.
func (t *Table) Export(env *panel.Env, w io.Writer, f panel.Format) error {
	t.prepare(env)
	var line []string
	for _, h := range t.rows.heads() {
		if h.exported() {
			line = append(line, h.exportTitle())
		}
	}
	if f == panel.JSON {
		return t.exportJSON(env, w, line)
	}
	separator := byte(',')
	if f == panel.TSV {
		separator = '\t'
	}
	out := bufio.NewWriter(w)
	out.Write(appendLine(out.AvailableBuffer(), line, separator))
	for row := range t.n {
		line = t.texts(env, row, true, line[:0])
		if _, err := out.Write(appendLine(out.AvailableBuffer(), line, separator)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// exportJSON writes the rows as a list of objects with the titles as fields, in their order, and the
// level of nested ones. Unknown values are null.
func (t *Table) exportJSON(env *panel.Env, w io.Writer, titles []string) error {
	out := bufio.NewWriter(w)
	var cells []string
	for row := range t.n {
		start := format.Pick(row == 0, "[\n  {", ",\n  {")
		out.WriteString(start)
		at := 0
		cells = t.texts(env, row, true, cells[:0])
		for col, h := range t.rows.heads() {
			if !h.exported() {
				continue
			}
			if at > 0 {
				out.WriteString(", ")
			}
			text := cells[at]
			if level := t.fetch(env, row, col).Depth; col == 0 && level > 0 {
				text = strings.TrimLeft(text, " ")
				out.WriteString(`"level": ` + strconv.Itoa(level) + ", ")
			}
			out.Write(jsonOf(titles[at]))
			out.WriteString(": ")
			out.Write(t.jsonCell(env, row, col, &h, text))
			at++
		}
		out.WriteString("}")
	}
	if t.n == 0 {
		out.WriteString("[")
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// jsonCell returns a cell as JSON, given its text.
func (t *Table) jsonCell(env *panel.Env, row, col int, h *head, text string) []byte {
	if v, ok := t.number(env, row, col, h); ok {
		return appendExact(nil, v)
	}
	if text == "" {
		return []byte("null")
	}
	return jsonOf(text)
}

// number returns the number of a cell of a column that has some; ok is false where there is none.
func (t *Table) number(env *panel.Env, row, col int, h *head) (v float64, ok bool) {
	if !h.valued || h.unit == "" && h.kind != Number {
		return 0, false
	}
	v = t.rows.value(env, row, col)
	return v, v == v && !math.IsInf(v, 0)
}

// jsonOf returns a text as JSON; invalid UTF-8 is replaced.
func jsonOf(text string) []byte {
	out, err := json.Marshal(text)
	if err != nil {
		panic("table: a string that is no JSON: " + err.Error()) // strings always are
	}
	return out
}

// Copy returns the row under the mouse, else the one that the keys are at, as text: its cells as
// they are shown, with tabs between them. ok is false where there is none.
func (t *Table) Copy(env *panel.Env) (text string, ok bool) {
	t.prepare(env)
	row := t.hoverRow
	if row < 0 {
		row = t.cursorRow()
	}
	if row < 0 {
		return "", false
	}
	return t.rowText(env, row), true
}

// rowText returns a row as text: its cells as they are shown, with tabs between them.
func (t *Table) rowText(env *panel.Env, row int) string {
	return string(appendLine(nil, t.texts(env, row, false, nil), '\t'))
}

// mostIndent bounds the indentation of deep trees in exports, in levels.
const mostIndent = 64

// appendLine appends a row with such a character between its cells.
func appendLine(dst []byte, cells []string, separator byte) []byte {
	for i, c := range cells {
		if i > 0 {
			dst = append(dst, separator)
		}
		dst = escape.AppendCell(dst, c, separator)
	}
	return append(dst, '\n')
}

// texts appends the cells of a row: as they are shown, or with exact numbers.
func (t *Table) texts(env *panel.Env, row int, exact bool, line []string) []string {
	for col, h := range t.rows.heads() {
		if !h.exported() {
			continue
		}
		if v, ok := t.number(env, row, col, &h); exact && ok {
			line = append(line, string(appendExact(nil, v)))
			continue
		}
		c, depth := t.fetch(env, row, col), 0
		if col == 0 {
			depth = min(c.Depth, mostIndent)
		}
		text := strings.Repeat("  ", depth) + strings.Clone(c.text()) // the next cell reuses its memory
		if exact && text == "–" {
			text = ""
		} else if h.time && c.inUnit() && !t.NoHeader {
			text += " " + c.Unit.Name
		}
		line = append(line, text)
	}
	return line
}

// appendExact appends a number to its precision: without rounding errors behind its last digits, as in
// 2001433.9999999998.
func appendExact(dst []byte, v float64) []byte {
	if v != math.Trunc(v) {
		var buf [32]byte
		v, _ = strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], v, 'g', 15, 64)), 64)
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

func (h *head) exported() bool { return !h.kind.drawn() }

// exportTitle returns the title with the unit: "mean [ns]".
func (h *head) exportTitle() string {
	title := strings.TrimSpace(h.title)
	if title == "" {
		title = h.id
	}
	if h.unit != "" {
		title += " [" + h.unit + "]"
	}
	return title
}

// Facts implements panel.Teller: every number of every row, also of columns that do not fit. An
// empty cell states nothing, nor does the dash of an unknown value; a dash in the place of a number
// means next to nothing.
func (t *Table) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	t.prepare(env)
	for row := range t.n {
		of, name, depth := t.rows.info(env, row).Hit, "", 0
		for col, h := range t.rows.heads() {
			if !h.exported() {
				continue
			}
			c := t.fetch(env, row, col)
			if h.kind == Words && name == "" {
				name, depth = strings.Clone(c.text()), c.Depth
			}
			if h.kind != Number || c.text() == "" {
				continue
			}
			value := math.NaN()
			if h.valued {
				value = t.rows.value(env, row, col)
			}
			if c.text() == unknown && !h.little(value) {
				continue
			}
			title := format.Pick(h.long != "", h.long, h.title)
			f := panel.Fact{
				Measure: h.id, Header: title, Row: row, Of: of, Name: name, Depth: depth,
				Value: value, Unit: h.unit, Text: strings.Clone(c.text()),
			}
			out = append(out, f)
		}
	}
	return t.footFacts(out)
}

// little reports whether a number of the column is written as a dash because it is next to nothing.
func (h *head) little(v float64) bool {
	switch {
	case v != v:
		return false
	case h.time:
		return string(h.as.Append(nil, v)) == unknown
	}
	return h.share && string(format.AppendBare(nil, v*100)) == unknown
}

// Marked implements panel.Marker.
func (t *Table) Marked(env *panel.Env, out []panel.Hit) []panel.Hit {
	t.prepare(env)
	for row := range t.n {
		if info := t.rows.info(env, row); info.Selected {
			info.Hit.Lines = nil
			out = append(out, info.Hit)
		}
	}
	return out
}
