package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is mistaken on a command line is told with what is meant, and nothing is done.
func TestMistakes(t *testing.T) {
	nested := "../../testdata/pstats/nested.pstats"
	dir := t.TempDir()
	for _, c := range []struct {
		args, want string
	}{
		{"raport x", "Is `framescope report x` meant?"},
		{"sessions lst", "Is `framescope sessions list` meant?"},
		{"export " + nested + " -o " + dir + "/a.json -o " + dir + "/b.json", "--output: it is given twice"},
		{"export " + nested + " --to csv --to chrome -o -", `--to: it is given twice, as "csv" and as "chrome"`},
		{"report " + nested + " --memory 1GiB --memory 2GiB", "--memory: it is given twice"},
		{"report " + nested + " --json --json=false", "--json: it is given twice"},
		{"export " + nested + " --to perfetto -o " + dir + "/a.json", "the name a.json is one of Chrome trace JSON"},
		{"sessions export last --force=x", "give true or false"},
	} {
		var out, err bytes.Buffer
		if code := Execute(strings.Fields(c.args), &out, &err); code != exitUsage || !strings.Contains(err.String(), c.want) {
			t.Errorf("%s: %d, %q, want %q", c.args, code, err.String(), c.want)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("written all the same: %v", list)
	}
	for _, args := range []string{
		"export " + nested + " --to chrome -o " + filepath.Join(dir, "a.json"),
		"export " + nested + " --to speedscope -o " + filepath.Join(dir, "b.json") + " --thread 0 --thread 0",
		"report " + nested + " --stats --stats",
	} {
		var out, err bytes.Buffer
		if code := Execute(strings.Fields(args), &out, &err); code != exitOK {
			t.Errorf("%s: %d, %q", args, code, err.String())
		}
	}
}
