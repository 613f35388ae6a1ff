package flare

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"framescope/internal/testkit"
	"framescope/net/flare/flaretest"
)

// FuzzFolder reads folders in memory whose files hold anything at all: damage is a problem that is
// listed, never a panic, and samples stay in order of time.
func FuzzFolder(f *testing.F) {
	small := flaretest.Find(f, flaretest.Captures(f), "constructed-60s/127*")
	read := func(name string) []byte {
		data := testkit.Must(os.ReadFile(filepath.Join(small, name)))(f)
		return data
	}
	f.Add(read("thread_25_cpu_time.fts"), read("thread_25_stack.fidx"), read("thread_25_stack.fdata"), read("method_info.fidx"), read("method_info.fdata"), read(SummaryFile))
	f.Add([]byte("TSHS\x00\x1a\x03\x02"), []byte("TIHS\x00\x00\x00TIDS"), []byte("TEHS\x00\x00TEDS\x00\x02{}"), []byte("TIHS"), []byte("TEHS"), []byte("{}"))
	f.Fuzz(func(t *testing.T, series, index, data, methodIndex, methodData, summary []byte) {
		fsys := fstest.MapFS{}
		for name, b := range map[string][]byte{"thread_1_cpu_time.fts": series, "thread_1_stack.fidx": index, "thread_1_stack.fdata": data,
			"method_info.fidx": methodIndex, "method_info.fdata": methodData, SummaryFile: summary} {
			fsys[name] = &fstest.MapFile{Data: b, Mode: 0o600}
		}
		rec, err := ReadFolderFS(t.Context(), fsys, "x", nil)
		if err != nil {
			t.Fatal(err) // the files are there, so each damage is a problem, not an error
		}
		for _, th := range rec.Threads {
			for i := 1; i < len(th.Records); i++ {
				if th.Records[i-1].TimeMs > th.Records[i].TimeMs {
					t.Fatal("samples out of order")
				}
			}
		}
	})
}
