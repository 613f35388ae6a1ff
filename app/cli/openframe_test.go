package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every form of a report and every export names a frame whose end was not received.
func TestOpenFrameIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "marks.json")
	trace := `[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Main"}}`
	for i := range 4 {
		trace += fmt.Sprintf(`,{"ph":"i","s":"t","name":"frame","pid":1,"tid":1,"ts":%d},`+
			`{"ph":"X","name":"Update","pid":1,"tid":1,"ts":%d,"dur":9000}`, i*10000, i*10000+100)
	}
	if err := os.WriteFile(path, []byte(trace+"]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"report", path}, {"report", path, "--stats"}, {"report", path, "--html"},
		{"export", path, "--to", "chrome", "-o", filepath.Join(dir, "c.json")},
		{"export", path, "--to", "csv", "--table", "frames", "-o", filepath.Join(dir, "f.csv")},
	} {
		var out, errs bytes.Buffer
		if code := Execute(args, &out, &errs); code != 0 {
			t.Fatalf("%v: %d %s", args, code, errs.String())
		}
		want := "frame 3 is open: at least 9.1"
		if args[0] == "export" {
			want = "1 open frame"
		}
		if all := out.String() + errs.String(); strings.Count(all, want) != 1 {
			t.Errorf("%v does not say %q once: %s", args, want, all)
		}
	}
}
