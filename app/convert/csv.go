// This file writes tables of a session as CSV (RFC 4180, UTF-8): a table into a file, or all of them
// into a folder. An apostrophe protects texts that a spreadsheet would read as formulas.

package convert

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"

	"framescope/internal/escape"
)

// CSVFormat is the format of tables as CSV.
var CSVFormat = tableFormat(Format{
	ID: "csv", Name: "CSV", Ext: ".csv",
	Help: "one table, or a folder with all tables: spreadsheets, pandas, R, DuckDB",
}, csvWrite)

// csvWrite writes a table with its header. A missing value is an empty cell.
func csvWrite(ctx context.Context, p *Part, t *Table, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := out.AvailableBuffer()
	for k := range t.Columns {
		if k > 0 {
			line = append(line, ',')
		}
		line = escape.AppendCell(line, t.Columns[k].Name, ',')
	}
	out.Write(append(line, '\n'))
	err := t.Rows(ctx, p, func(row []Cell) error {
		line := out.AvailableBuffer()
		for k := range row {
			if k > 0 {
				line = append(line, ',')
			}
			line = appendCell(line, &row[k], t.Columns[k].Kind)
		}
		_, err := out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

func appendCell(line []byte, c *Cell, kind Kind) []byte {
	switch {
	case c.Null:
		return line
	case kind == Int:
		return strconv.AppendInt(line, c.Int, 10)
	case kind == Float && c.Float == math.Trunc(c.Float) && math.Abs(c.Float) < 1<<53:
		return strconv.AppendInt(line, int64(c.Float), 10)
	case kind == Float:
		return strconv.AppendFloat(line, c.Float, 'g', -1, 64)
	}
	return escape.AppendCell(line, c.Text, ',')
}
