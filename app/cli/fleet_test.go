package cli

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// The queries of docs/fleet.md on a folder that many recordings share say in DuckDB what sql says of the recordings.
func TestFleet(t *testing.T) {
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
	for _, wrong := range []string{"../x=1", "build", "build=a/b", "Build=1"} {
		var out, said bytes.Buffer
		code := Execute([]string{"export", "../../testdata/pstats/nested.pstats", "--to", "parquet", "-o", fleet, "--partition", wrong}, &out, &said)
		testkit.That(t, code == exitUsage && strings.Contains(said.String(), wrong), "%s: %d %s", wrong, code, &said)
	}
}
