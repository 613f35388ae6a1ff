package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"framescope/app/convert"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/memory"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

// The queries of docs/fleet.md on a folder that many recordings share say in DuckDB what sql says of the recordings.
func TestRealFleetInDuckDB(t *testing.T) {
	python := testkit.Python(t, "duckdb", "duckdb")
	fleet := filepath.Join(t.TempDir(), "fleet")
	run := func(args ...string) string {
		var out, said bytes.Buffer
		testkit.MustThat(t, Execute(args, &out, &said) == exitOK, "%v: %s", args, &said)
		return out.String()
	}
	var want []string
	for i, name := range []string{"nested", "levels", "recursion"} {
		file, build := "../../testdata/pstats/"+name+".pstats", fmt.Sprintf("1.%d", i)
		export := []string{"export", file, "--to", "parquet", "-o", fleet, "--table", "frames,totals,hitches",
			"--partition", "build=" + build, "--partition", "machine=box"}
		run(export...)
		run(export...) // replaces what it wrote
		for _, query := range []string{"select count(*), sum(duration_ns) from frames", "select count(*), sum(self_ns) from totals"} {
			lines := strings.Split(strings.TrimSpace(run("sql", file, query, "--csv")), "\n")
			want = append(want, build+" "+strings.ReplaceAll(lines[len(lines)-1], ",", " "))
		}
	}
	script := `import duckdb, sys
for table, ns in (("frames", "duration_ns"), ("totals", "self_ns")):
    for r in duckdb.sql(f"""select build, count(*), sum({ns})::bigint from
        read_parquet('{sys.argv[1]}/{table}/*/*/*/*.parquet', hive_partitioning=true, hive_types={{'build': varchar}})
        where machine = 'box' group by build""").fetchall(): print(*r)
for query in open('../../docs/fleet.md').read().split("` + "```sql" + `")[1:]:
    query = query.split("` + "```" + `")[0].replace("/mnt/fleet", sys.argv[1])
    if not duckdb.sql(query).fetchall(): print("nothing of", query)`
	out, err := exec.Command(python, "-c", script, fleet).CombinedOutput()
	testkit.MustThat(t, err == nil, "%s", out)
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(got)
	slices.Sort(want)
	testkit.Equal(t, strings.Join(got, "\n"), strings.Join(want, "\n"), "by build")
	sameInSpark(t, fleet)
	for _, wrong := range []string{"../x=1", "build", "build=a/b", "Build=1"} {
		var out, said bytes.Buffer
		code := Execute([]string{"export", "../../testdata/pstats/nested.pstats", "--to", "parquet", "-o", fleet, "--partition", wrong}, &out, &said)
		testkit.That(t, code == exitUsage && strings.Contains(said.String(), wrong), "%s: %d %s", wrong, code, &said)
	}
}

// rowsOf returns the rows of a table as lines, in order.
func rowsOf(each func(fn func(row []convert.Cell) error) error) (out []string) {
	each(func(row []convert.Cell) error {
		line := ""
		for _, c := range row {
			if c.Null {
				c = convert.Cell{}
			}
			line += fmt.Sprint(c.Int, c.Float, c.Text, " ")
		}
		out = append(out, line)
		return nil
	})
	slices.Sort(out)
	return out
}

// parquetRows calls fn for the rows of Parquet files of a table.
func parquetRows(t *testing.T, table *convert.Table, paths []string) func(fn func(row []convert.Cell) error) error {
	return func(fn func(row []convert.Cell) error) error {
		for _, path := range paths {
			in := parquet.NewReader(testkit.Must(os.Open(path))(t))
			for buf := make([]parquet.Row, 1); ; {
				if n, _ := in.ReadRows(buf); n == 0 {
					break
				}
				row := make([]convert.Cell, len(table.Columns))
				for k, v := range buf[0] {
					switch {
					case v.IsNull():
					case v.Kind() == parquet.Int64:
						row[k].Int = v.Int64()
					default:
						row[k].Text = string(v.ByteArray())
					}
				}
				fn(row)
			}
		}
		return nil
	}
}

// keptGame returns the folder of a session that was kept on disk: three threads at 60 Hz, with hitches.
func keptGame(t *testing.T) string {
	game := testkit.Must(gen.New(gen.Options{Spans: 600_000, Tracks: 3, Depth: 4, Hz: 60, FrameSpans: 60, HitchEvery: 90, Seed: 1}))(t)
	var frames []pstats.Frame
	game.Stream(func(f *pstats.Frame) bool {
		frames = append(frames, *f)
		frames[len(frames)-1].Events = slices.Clone(f.Events)
		return true
	})
	slices.SortStableFunc(frames, func(a, b pstats.Frame) int { return cmp.Compare(a.Events[0].Time, b.Events[0].Time) })
	lib := library.Open(library.Options{Dir: t.TempDir(), Limit: 1 << 30})
	rec := lib.Record(decode.Meta(game.Hello(), "peer"), nil)
	to := decode.NewEncoder(rec)
	to.Hello(game.Hello())
	to.Collectors(game.Collectors())
	to.Threads(0, game.ThreadNames())
	for i := range frames {
		to.Frame(&frames[i], 1000)
		if i%200 == 0 {
			testkit.NoErr(t, rec.Flush())
		}
	}
	to.Close("")
	testkit.NoErr(t, lib.Close(time.Minute))
	return lib.Sessions()[0].Path
}

// What a recorder writes of a session while it grows in little memory is what an export writes of all of it; files
// that were written before it was killed are replaced.
func TestFleetWhileItGrows(t *testing.T) {
	testkit.OneGoroutine(t)
	dir := t.TempDir()
	file, old := keptGame(t), filepath.Join(dir, "old.parquet")
	testkit.NoErr(t, os.WriteFile(old, nil, 0o600))
	whole := testkit.Must(load.File(t.Context(), file, load.Options{}))(t)
	keeper := memory.Keep(8<<20, 0, 0)
	defer keeper.Stop()
	note := fleetNote{Dir: dir, Labels: []string{"build=1"}, Recording: file, Name: "game", Files: []string{old}}
	left := testkit.Must(note.write(t.Context(), keeper))(t)
	testkit.That(t, left > 1000, "all of it was in memory: only %d frames left", left)
	_, err := os.Stat(old)
	testkit.That(t, err != nil, "an old file stays")
	for _, table := range []*convert.Table{&convert.Frames, &convert.Hitches, &convert.Totals, &convert.Losses} {
		paths := testkit.Must(filepath.Glob(filepath.Join(dir, table.ID, "day=*", "build=1", "game-*.parquet")))(t)
		part := testkit.Must(convert.Of(whole.Session, place.TimeRange{}, nil))(t)
		want := rowsOf(func(fn func(row []convert.Cell) error) error { return table.Rows(t.Context(), part, fn) })
		testkit.EqualSlices(t, rowsOf(parquetRows(t, table, paths)), want, "%s", table.ID)
		testkit.That(t, len(want) > 10 || table == &convert.Losses, "only %d %s", len(want), table.ID)
	}
}

// sameInSpark asks the queries of docs/fleet.md in PySpark, too, in a long trial and where there is one.
func sameInSpark(t *testing.T, fleet string) {
	python := os.Getenv("FRAMESCOPE_SPARK_PYTHON")
	if os.Getenv("FRAMESCOPE_LONG") == "" || python == "" {
		return
	}
	script := `import duckdb, re, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false") \
    .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false").getOrCreate()
for table in ("frames", "totals", "hitches"): spark.read.parquet(f"{sys.argv[1]}/{table}").createOrReplaceTempView(table)
def words(rows): return sorted(tuple(str(x) if isinstance(x, str) else f"{x or 0:.9g}" for x in r) for r in rows)
for query in open('../../docs/fleet.md').read().split("` + "```sql" + `")[1:]:
    query = query.split("` + "```" + `")[0].replace("/mnt/fleet", sys.argv[1])
    other = re.sub(r"read_parquet\('[^']*/(\w+)/\*/[^)]*\)", r"\1", query).replace("quantile_cont(", "percentile(")
    a, b = words(duckdb.sql(query).fetchall()), words(spark.sql(other).collect())
    assert a == b and a, (query, a, b)`
	out, err := exec.Command(python, "-c", script, fleet).CombinedOutput()
	testkit.That(t, err == nil, "%s", out)
}
