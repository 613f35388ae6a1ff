package pstats

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func compareRawFrames(t *testing.T, raw *RawSession, name string) string {
	c := tally{t: t, what: "frames"}
	var got []string
	for _, thread := range raw.ThreadIndices() {
		for _, n := range raw.Numbers(thread) {
			f := raw.FrameOf(thread, n)
			begin, end := float32(0), float32(0)
			if k := len(f.Events); k > 0 {
				begin, end = f.Events[0].Time, f.Events[k-1].Time
			}
			got = append(got, fmt.Sprint(thread, n, begin, end, len(f.Events), len(f.Levels)))
		}
	}
	for i, row := range rows(t, name+".frames.tsv") {
		want := fmt.Sprint(row[0], " ", row[1], " ", float32(atof(t, row[2])), float32(atof(t, row[3])), " ", row[4], " ", row[5])
		if i >= len(got) {
			c.check(false, "%s is missing", want)
			continue
		}
		c.check(strings.ReplaceAll(got[i], " ", "") == strings.ReplaceAll(want, " ", ""), "got %s, want %s", got[i], want)
	}
	c.check(len(got) == c.same+c.differ, "%d frames, want %d", len(got), c.same+c.differ)
	c.same--
	return c.String()
}

func compareRawDefs(t *testing.T, raw *RawSession, name string) string {
	c := tally{t: t, what: "definitions"}
	want := loadDefs(t, name)
	c.check(raw.Client().Host == want.Host && raw.Client().Program == want.Program && raw.Client().PID == want.PID, "client %+v", raw.Client())
	levels := raw.levelThreads()
	for _, w := range want.Collectors {
		got, ok := raw.Collector(w.Index)
		c.check(ok && got.Name == w.Name && int(got.Parent) == w.Parent && int(got.Sort) == w.Sort && got.Units == w.Units && near6(float64(got.Scale), w.Scale) && near6(float64(got.Factor), w.Factor) &&
			near6(float64(got.R), w.Color[0]) && near6(float64(got.G), w.Color[1]) && near6(float64(got.B), w.Color[2]), "collector %+v, want %+v", got, w)
		var threads []int
		for i := range levels[w.Index] {
			for b := range 32 {
				if levels[w.Index][i]&(1<<b) != 0 {
					threads = append(threads, 32*i+b)
				}
			}
		}
		c.check(slices.Equal(threads, w.LevelThreads), "level threads of %s: %v, want %v", w.Fullname, threads, w.LevelThreads)
	}
	for _, w := range want.Threads {
		c.check(raw.ThreadName(w.Index) == w.Name && len(raw.Numbers(w.Index)) == w.Frames, "thread %d: %q with %d frames, want %+v", w.Index, raw.ThreadName(w.Index), len(raw.Numbers(w.Index)), w)
	}
	return c.String()
}

// TestOracleRaw holds what is kept of a client, from its file and from its recorded connection,
// against what the official code kept.
func TestOracleRaw(t *testing.T) {
	for _, name := range captures {
		for _, from := range []string{"pstats", "pscap"} {
			t.Run(name+"/"+from, func(t *testing.T) {
				raw, _ := rawCapture(t, name, from == "pstats")
				t.Logf("%-14s %s: %s; %s", name, from, compareRawFrames(t, raw, name), compareRawDefs(t, raw, name))
			})
		}
	}
}
