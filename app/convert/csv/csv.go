// Package csv writes tables of a session as CSV (RFC 4180, UTF-8): a table into a file, or all of them
// into a folder. What a spreadsheet would take for a formula has an apostrophe before it.
package csv

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"

	"framescope/app/convert"
	"framescope/app/convert/tables"
	"framescope/internal/escape"
)

// Format is that of tables as CSV.
var Format = convert.Format{
	ID: "csv", Name: "CSV", Ext: ".csv",
	Help:   "one table, or a folder with all tables: spreadsheets, pandas, R, DuckDB",
	Why:    tables.Why,
	Tables: tables.IDs(),
	Write: func(ctx context.Context, p *convert.Part, w io.Writer) error {
		t, err := tables.Of(p)
		if err != nil {
			return err
		}
		if err := write(ctx, p, t, w); err != nil {
			return err
		}
		tables.Leave(ctx, p, t)
		return nil
	},
	Folder: func(ctx context.Context, p *convert.Part, dir string) error {
		return tables.EachFile(p, dir, ".csv", func(t *tables.Table, w io.Writer) error { return write(ctx, p, t, w) })
	},
}

// write writes a table with its header. What has no value is an empty cell.
func write(ctx context.Context, p *convert.Part, t *tables.Table, w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := out.AvailableBuffer()
	for k := range t.Columns {
		if k > 0 {
			line = append(line, ',')
		}
		line = escape.AppendCell(line, t.Columns[k].Name, ',')
	}
	out.Write(append(line, '\n'))
	err := t.Rows(ctx, p, func(row []tables.Cell) error {
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

func appendCell(line []byte, c *tables.Cell, kind tables.Kind) []byte {
	switch {
	case c.Null:
		return line
	case kind == tables.Int:
		return strconv.AppendInt(line, c.Int, 10)
	case kind == tables.Float && c.Float == math.Trunc(c.Float) && math.Abs(c.Float) < 1<<53:
		return strconv.AppendInt(line, int64(c.Float), 10)
	case kind == tables.Float:
		return strconv.AppendFloat(line, c.Float, 'g', -1, 64)
	}
	return escape.AppendCell(line, c.Text, ',')
}
