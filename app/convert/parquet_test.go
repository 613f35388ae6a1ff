package convert

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"framescope/internal/testkit"

	"framescope/model/spans"
)

// What is read back is what the tables have, in row groups of so many rows.
func TestReadsBack(t *testing.T) {
	defer func(n int) { groupRows = n }(groupRows)
	groupRows = 500
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz", "pprof/game-heap.pprof",
		"gsttrace/rusage-threads.log.gz",
	} {
		p, dir := part(t, name, ""), t.TempDir()
		testkit.OK(t, ParquetFormat.Folder(t.Context(), p, dir))
		for _, table := range AllTables {
			data, err := os.ReadFile(filepath.Join(dir, table.ID+".parquet"))
			testkit.That(t, (err == nil) == table.Has(p), "%s: %s: %v", name, table.ID, err)
			if err == nil {
				readsAs(t, p, table, data)
			}
		}
	}
}

func readsAs(t *testing.T, p *Part, table *Table, data []byte) {
	t.Helper()
	f := testkit.Must(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))(t)
	for k, column := range f.Schema().Columns() {
		testkit.Equal(t, column[0], table.Columns[k].Name, "%s: column", table.ID)
	}
	for k, g := range f.RowGroups() {
		if n := int(g.NumRows()); n > groupRows || n < groupRows && k < len(f.RowGroups())-1 {
			t.Errorf("%s: %d rows in a group", table.ID, n)
		}
		s := g.SortingColumns()
		testkit.That(t, table.Sorted == "" || len(s) == 1 && s[0].Path()[0] == table.Sorted, "%s: sorted by %v", table.ID, s)
	}
	in := parquet.NewReader(f)
	defer in.Close()
	buf := make([]parquet.Row, 1)
	row := 0
	err := table.Rows(t.Context(), p, func(want []Cell) error {
		if n, err := in.ReadRows(buf); n != 1 {
			return fmt.Errorf("row %d: %w", row, err)
		}
		for k, v := range buf[0] {
			var got Cell
			switch c := &table.Columns[k]; {
			case v.IsNull():
				got.Null = true
			case c.Kind == Int:
				got.Int = v.Int64()
			case c.Kind == Float:
				got.Float = v.Double()
			default:
				got.Text = string(v.ByteArray())
			}
			if w := want[k]; got.Null != w.Null || !w.Null && got != w {
				t.Errorf("%s row %d: %s is %+v instead of %+v", table.ID, row, table.Columns[k].Name, got, w)
			}
		}
		row++
		return nil
	})
	testkit.That(t, err == nil && int64(row) == f.NumRows(),
		"%s: %d rows instead of %d, %v", table.ID, f.NumRows(), row, err)
}

// Row groups of spans are stretches of time: by their least and greatest begin a reader knows which of
// them it need not read.
func TestStretches(t *testing.T) {
	defer func(n int) { groupRows = n }(groupRows)
	groupRows = 100
	p := part(t, "chrometrace/engine-object.json.gz", "")
	var out bytes.Buffer
	testkit.OK(t, ParquetFormat.Write(t.Context(), p, &out))
	f := testkit.Must(parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	at, last := -1, int64(0)
	for k, c := range Spans.Columns {
		if c.Name == Spans.Sorted {
			at = k
		}
	}
	testkit.MustThat(t, len(f.RowGroups()) >= 5, "%d row groups", len(f.RowGroups()))
	for k, g := range f.RowGroups() {
		least, most, ok := g.ColumnChunks()[at].(*parquet.FileColumnChunk).Bounds()
		testkit.That(t, ok && least.Int64() >= last && most.Int64() >= least.Int64(),
			"group %d: %v to %v behind %d, %v", k, least, most, last, ok)
		last = most.Int64()
	}
}

// DuckDB reads the files, and adds up what the call trees of reports have.
func TestDuckDB(t *testing.T) {
	python := testkit.Python(t, "duckdb", "duckdb")
	p := part(t, "pstats/nested.pstats", "")
	dir := t.TempDir()
	testkit.OK(t, ParquetFormat.Folder(t.Context(), p, dir))
	var tree spans.Tree
	p.Tree(spans.MeasureDuration, p.Tracks[0], &tree)
	var want strings.Builder
	for k := range tree.Nodes {
		n := &tree.Nodes[k]
		fmt.Fprintf(&want, "%s %d %d %d\n", p.Session.Collector(n.Collector).Title(), n.Count, n.Total, n.Self)
	}
	script := `import duckdb
for r in duckdb.sql("""select name, count(*), sum(duration_ns)::bigint, sum(self_ns)::bigint
	from 'spans.parquet' group by name, path order by path""").fetchall(): print(*r)
for r in duckdb.sql("select count(*) from 'frames.parquet' f join 'spans.parquet' s using (thread_id, frame)").fetchall(): print(*r)
`
	cmd := exec.Command(python, "-c", script)
	cmd.Dir = dir
	got, err := cmd.CombinedOutput()
	testkit.MustThat(t, err == nil, "%v: %s", err, got)
	lines := strings.Split(strings.TrimSpace(string(got)), "\n")
	for _, line := range strings.Split(strings.TrimSpace(want.String()), "\n") {
		testkit.That(t, strings.Contains("\n"+string(got), "\n"+line+"\n"), "no %q in %s", line, got)
	}
	n := len(tree.Nodes) + 1
	testkit.That(t, len(lines) == n, "%d lines instead of %d", len(lines), n)
	if want := fmt.Sprint(p.Session.Track(p.Tracks[0]).NumSpans()); lines[len(lines)-1] != want {
		t.Errorf("%s spans in frames instead of %s", lines[len(lines)-1], want)
	}
}
