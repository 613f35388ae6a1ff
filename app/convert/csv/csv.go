// Package csv writes tables of a session as CSV (RFC 4180, UTF-8): a table into a file, or all of them
// into a folder.
package csv

import (
	"bufio"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"framescope/app/convert"
	"framescope/app/convert/tables"
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
		line = append(line, t.Columns[k].Name...)
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
	return appendText(line, c.Text)
}

// appendText quotes a text where that is needed.
func appendText(line []byte, s string) []byte {
	if !quoted(s) {
		return append(line, s...)
	}
	line = append(line, '"')
	for s != "" {
		at := strings.IndexByte(s, '"')
		if at < 0 {
			line = append(line, s...)
			break
		}
		line = append(append(line, s[:at+1]...), '"')
		s = s[at+1:]
	}
	return append(line, '"')
}

// quoted tells whether a text stands in quotes: one that would end the cell, or that readers would trim.
func quoted(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case ',', '"', '\r', '\n':
			return true
		}
	}
	return s != "" && (s[0] == ' ' || s[0] == '\t' || s[len(s)-1] == ' ')
}
