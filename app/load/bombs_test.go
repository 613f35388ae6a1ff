package load

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Small compressed files that hold much more than the memory that a recording may take. Of each as much is
// kept as there is room for, and what is missing is an error or a limit that names --memory.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 300 MB of text")
	}
	const (
		limit = 64 << 20
		most  = 400 << 20 // of the heap: readers gather 128 MiB at least, and lists that grow are there twice
	)
	for _, c := range []struct{ name, begin, repeated, end string }{
		{"children.cpuprofile",
			`{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[`, "1,", `1]}],"startTime":0,"endTime":9,"samples":[1],"timeDeltas":[1]}`},
		{"samples.cpuprofile",
			`{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"startTime":0,"endTime":9,"samples":[`, "1,", `1],"timeDeltas":[1]}`},
		{"samples.speedscope.json",
			`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[{` +
				`"type":"sampled","name":"a","unit":"nanoseconds","startValue":0,"endValue":9,"samples":[`, "[],", `[0]],"weights":[1]}]}`},
		{"times.firefox.json",
			`{"meta":{"version":29,"interval":1,"preprocessedProfileVersion":48,"product":"x"},"libs":[],"threads":[{"name":"a","samples":{"length":1,` +
				`"stack":[null],"time":[`, "1,", `1]}}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name+".gz")
			writeBomb(t, path, c.begin, c.repeated, c.end)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			rec, err := File(t.Context(), path, Options{Limit: limit, Store: store.New(0)})
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapSys-after.HeapReleased) - int64(before.HeapInuse); grown > most {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			if rec != nil {
				losses, lines := rec.Session.Losses()
				if losses[model.LossLimit] > 0 {
					said += strings.Join(lines, "\n")
				}
			}
			if !strings.Contains(said, "--memory") {
				t.Errorf("it says %.500q", said)
			}
		})
	}
}

// writeBomb writes a compressed text with one piece repeated over and over, 30 million times.
func writeBomb(t *testing.T, path, begin, repeated, end string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
	w := bufio.NewWriterSize(z, 1<<20)
	io.WriteString(w, begin)
	piece := strings.Repeat(repeated, 10_000)
	for range 3_000 {
		io.WriteString(w, piece)
	}
	io.WriteString(w, end)
	w.Flush()
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
