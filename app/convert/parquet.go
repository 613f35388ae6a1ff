//go:build !page

// This file writes tables of a session as Parquet files: a table into a file, or all of them into a
// folder. Names use dictionaries, whole numbers deltas, and zstd compresses all.

package convert

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// ParquetFormat is the format of tables as Parquet files.
var ParquetFormat = tableFormat(Format{
	ID: "parquet", Name: "Parquet", Ext: ".parquet",
	Help: "one table, or a folder with all tables: DuckDB, Polars, pandas, Spark",
}, parquetWrite)

// groupRows is the number of rows in a row group. In tables in order of time, each group is a range of
// time with bounds in the file. Tests use fewer.
var groupRows = 1 << 20

// batchRows is how many values go to their columns at a time.
const batchRows = 1 << 12

// parquetWrite writes a table.
func parquetWrite(ctx context.Context, p *Part, t *Table, w io.Writer) error {
	out := newParquetWriter(t, w)
	if err := t.Rows(ctx, p, out.row); err != nil {
		return err
	}
	return out.end()
}

// ParquetRows is a Parquet file of a table whose rows come in several parts. It grows in memory.
type ParquetRows struct {
	Rows int // that it has
	to   *parquetWriter
	buf  bytes.Buffer
}

// NewParquetRows begins a file.
func NewParquetRows(t *Table) *ParquetRows {
	r := new(ParquetRows)
	r.to = newParquetWriter(t, &r.buf)
	return r
}

// Add adds a row.
func (r *ParquetRows) Add(row []Cell) error { r.Rows++; return r.to.row(row) }

// Close completes the file and returns its bytes.
func (r *ParquetRows) Close() ([]byte, error) { err := r.to.end(); return r.buf.Bytes(), err }

func newParquetWriter(t *Table, w io.Writer) *parquetWriter {
	options := []parquet.WriterOption{schema(t), parquet.CreatedBy("framescope", "", "")}
	if t.Sorted != "" {
		options = append(options, parquet.SortingWriterConfig(parquet.SortingColumns(parquet.Ascending(t.Sorted))))
	}
	return &parquetWriter{
		GenericWriter: parquet.NewGenericWriter[any](w, options...), t: t, values: make([][]parquet.Value, len(t.Columns)),
	}
}

// end completes the file.
func (w *parquetWriter) end() error {
	if err := w.give(); err != nil {
		return err
	}
	return w.Close()
}

// schema returns the columns of a table, in its order.
func schema(t *Table) *parquet.Schema {
	var fields []reflect.StructField
	for k, c := range t.Columns {
		tag, kind := ",dict", reflect.TypeFor[string]()
		switch c.Kind {
		case Int:
			tag, kind = ",delta", reflect.TypeFor[int64]()
		case Float:
			tag, kind = "", reflect.TypeFor[float64]()
		case Text:
			tag = ""
		}
		if c.Null {
			tag += ",optional"
		}
		fields = append(fields, reflect.StructField{
			Name: "C" + string(rune('A'+k)), Type: kind, Tag: reflect.StructTag(`parquet:"` + c.Name + tag + `,zstd"`),
		})
	}
	return parquet.NewSchema(t.ID, parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

// parquetWriter gathers values by column.
type parquetWriter struct {
	*parquet.GenericWriter[any]
	t      *Table
	values [][]parquet.Value
	rows   int // in the row group
}

func (w *parquetWriter) row(row []Cell) error {
	for k := range row {
		w.values[k] = append(w.values[k], valueOf(&row[k], &w.t.Columns[k], k))
	}
	if n := len(w.values[0]); n < batchRows && w.rows+n < groupRows {
		return nil
	}
	return w.give()
}

// give writes the gathered rows, and ends a full row group.
func (w *parquetWriter) give() error {
	w.rows += len(w.values[0])
	for k, column := range w.ColumnWriters() {
		if len(w.values[k]) > 0 {
			if _, err := column.WriteRowValues(w.values[k]); err != nil {
				return err
			}
			w.values[k] = w.values[k][:0]
		}
	}
	if w.rows < groupRows {
		return nil
	}
	w.rows = 0
	return w.Flush()
}

func valueOf(c *Cell, column *Column, k int) (v parquet.Value) {
	level := 0
	switch {
	case c.Null:
		return parquet.NullValue().Level(0, 0, k)
	case column.Kind == Int:
		v = parquet.Int64Value(c.Int)
	case column.Kind == Float:
		v = parquet.DoubleValue(c.Float)
	default: // the texts of cells stay as they are
		v = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(c.Text), len(c.Text)))
	}
	if column.Null {
		level = 1
	}
	return v.Level(0, level, k)
}
