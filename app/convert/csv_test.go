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
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

// readsAs reads what was written with another reader and compares it, cell by cell, with the table.
func readsAs(t *testing.T, p *convert.Part, table *convert.Table, data []byte) (rows int) {
	t.Helper()
	in := encoding.NewReader(bytes.NewReader(data))
	head := testkit.Must(in.Read())(t)
	for k, c := range table.Columns {
		testkit.That(t, head[k] == c.Name, "column %q instead of %q", head[k], c.Name)
	}
	err := table.Rows(t.Context(), p, func(row []convert.Cell) error {
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
				testkit.That(t, strings.ContainsRune("=+-@\t\r\n＝ ", []rune(want)[0]),
					"row %d: an apostrophe before %q", rows, want)
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
				_, err := os.Stat(path)
				testkit.That(t, err != nil, "%s: there is a file of %s, of which there are none", name, table.ID)
				continue
			}
			data := testkit.Must(os.ReadFile(path))(t)
			testkit.That(t, readsAs(t, p, table, data) != 0, "%s: %s has no rows", name, table.ID)
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
	for i, name := range testkit.HostileNames {
		id := model.TrackID(i)
		s.Apply(model.TrackDef{ID: id, Name: name})
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
		s.Append(&model.Batch{Track: id, HasFrame: true, Number: 1, Begin: 0, End: 10,
			Spans:    []model.Span{{Begin: 0, End: 5, Path: model.PathID(i + 1)}},
			Messages: []model.Message{{Time: int64(i), Text: name, Category: name}}})
	}
	p := testPart(t, s, "")
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
				testkit.That(t, !strings.ContainsRune("=+-@\t\r\n＝", []rune(first)[0]), "%s: %s is %q", table.ID, rows[0][k], cell)
			}
		}
	}
	testkit.That(t, formulas >= 5, "only %d cells with an apostrophe", formulas)
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
	p := testPart(t, s, "")
	var out bytes.Buffer
	testkit.OK(t, convert.CSVFormat.Write(t.Context(), p, &out))
	testkit.Equal(t, readsAs(t, p, &convert.Messages, out.Bytes()), len(list), "rows")
}

// A thread whose name is a formula of a spreadsheet has that name again when its table of frames is opened.
func TestNamesOfFramesOpen(t *testing.T) {
	s := store.NewSession()
	want := map[string]bool{"=1+1": true, "@SUM(A1)": true, "-cmd|x": true, "'=1": true, "'quoted'": true}
	for name := range want {
		id := model.TrackID(s.NumTracks())
		s.Apply(model.TrackDef{ID: id, Name: name})
		for i := range int64(4) {
			s.Append(&model.Batch{Track: id, HasFrame: true, Number: i, Begin: i * 1e7, End: i*1e7 + 9e6})
		}
	}
	p := testPart(t, s, "")
	p.Table = convert.Frames.ID
	again, path := reopened(t, &convert.CSVFormat, p)
	for id := range model.TrackID(again.NumTracks()) {
		delete(want, again.Track(id).Def.Name)
	}
	testkit.That(t, len(want) == 0, "no threads called %v in %s", want, path)
}
