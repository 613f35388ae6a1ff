package convert_test

import (
	"bytes"
	encoding "encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/internal/escape/escapetest"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// readsAs reads what was written with another reader and compares it, cell by cell, with the table.
func readsAs(t *testing.T, p *convert.Part, table *convert.Table, data []byte) (rows int) {
	t.Helper()
	in := encoding.NewReader(bytes.NewReader(data))
	head, err := in.Read()
	testkit.OK(t, err)
	for k, c := range table.Columns {
		if head[k] != c.Name {
			t.Errorf("column %q instead of %q", head[k], c.Name)
		}
	}
	err = table.Rows(t.Context(), p, func(row []convert.Cell) error {
		got, err := in.Read()
		if err != nil {
			return err
		}
		for k := range row {
			want := row[k].Text
			switch {
			case row[k].Null:
				want = ""
			case table.Columns[k].Kind == convert.Int:
				want = strconv.FormatInt(row[k].Int, 10)
			case table.Columns[k].Kind == convert.Float:
				if v, err := strconv.ParseFloat(got[k], 64); err == nil && v == row[k].Float {
					continue
				}
				want = strconv.FormatFloat(row[k].Float, 'g', -1, 64)
			}
			switch {
			case want != "" && got[k] == "'"+want: // what formulas are, package escape tests
				if !strings.ContainsRune("=+-@\t\r\n＝ ", []rune(want)[0]) {
					t.Errorf("row %d: an apostrophe before %q", rows, want)
				}
			case got[k] != want:
				t.Errorf("row %d: %s is %q instead of %q", rows, head[k], got[k], want)
			}
		}
		rows++
		return nil
	})
	testkit.OK(t, err)
	if more, err := in.Read(); err == nil {
		t.Errorf("one more row: %q", more)
	}
	return rows
}

func TestCells(t *testing.T) {
	for _, name := range []string{"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz"} {
		p := part(t, name, "")
		dir := t.TempDir()
		testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
		for _, table := range convert.AllTables {
			path := filepath.Join(dir, table.ID+".csv")
			if !table.Has(p) {
				if _, err := os.Stat(path); err == nil {
					t.Errorf("%s: there is a file of %s, of which there are none", name, table.ID)
				}
				continue
			}
			data := testkit.Must(os.ReadFile(path))(t)
			if n := readsAs(t, p, table, data); n == 0 {
				t.Errorf("%s: %s has no rows", name, table.ID)
			}
			p.Table = table.ID
			var one bytes.Buffer
			if err := convert.CSVFormat.Write(t.Context(), p, &one); err != nil || !bytes.Equal(one.Bytes(), data) {
				t.Errorf("%s: %s as a file is another: %v", name, table.ID, err)
			}
		}
	}
}

// Nothing is a formula of a spreadsheet, whatever threads, collectors and texts are called.
func TestNoFormulas(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "root", Parent: model.NoCollector})
	for i, name := range escapetest.Names {
		id := model.TrackID(i)
		s.Apply(model.TrackDef{ID: id, Name: name})
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
		s.Append(&model.Batch{Track: id, HasFrame: true, Number: 1, Begin: 0, End: 10,
			Spans:    []model.Span{{Begin: 0, End: 5, Path: model.PathID(i + 1)}},
			Messages: []model.Message{{Time: int64(i), Text: name, Category: name}}})
	}
	p := converttest.Part(t, s, "")
	dir := t.TempDir()
	testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
	formulas := 0
	for _, table := range convert.AllTables {
		data, err := os.ReadFile(filepath.Join(dir, table.ID+".csv"))
		if err != nil {
			continue
		}
		rows := testkit.Must(encoding.NewReader(bytes.NewReader(data)).ReadAll())(t, table.ID)
		for _, row := range rows {
			for k, cell := range row {
				if strings.HasPrefix(cell, "'=") {
					formulas++
				}
				first := strings.TrimLeft(cell, " ")
				if _, err := strconv.ParseFloat(cell, 64); first == "" || err == nil || first == "+1.5 ms" {
					continue
				}
				if strings.ContainsRune("=+-@\t\r\n＝", []rune(first)[0]) {
					t.Errorf("%s: %s is %q", table.ID, rows[0][k], cell)
				}
			}
		}
	}
	if formulas < 5 {
		t.Errorf("only %d cells with an apostrophe", formulas)
	}
}

// Texts come back whatever is in them.
func TestQuotes(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: `a "b", c`})
	var list []model.Message
	for k, text := range []string{"", "plain", "a,b", `"`, `""`, "two\nlines", "two\r lines", " begins", "ends ", "größer", "=1+2", "-1", `\.`} {
		list = append(list, model.Message{Time: int64(k), Text: text, Category: text})
	}
	s.Append(&model.Batch{Messages: list})
	p := converttest.Part(t, s, "")
	var out bytes.Buffer
	testkit.OK(t, convert.CSVFormat.Write(t.Context(), p, &out))
	if n := readsAs(t, p, &convert.Messages, out.Bytes()); n != len(list) {
		t.Errorf("%d rows", n)
	}
}
