package sessionfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
)

func compareRawFrames(t *testing.T, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "frames"}
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
	for i, row := range pstatstest.Rows(t, name+".frames.tsv") {
		want := fmt.Sprint(row[0], " ", row[1], " ", float32(pstatstest.Atof(t, row[2])), float32(pstatstest.Atof(t, row[3])), " ", row[4], " ", row[5])
		if i >= len(got) {
			c.Check(false, "%s is missing", want)
			continue
		}
		c.Check(strings.ReplaceAll(got[i], " ", "") == strings.ReplaceAll(want, " ", ""), "got %s, want %s", got[i], want)
	}
	c.Check(len(got) == c.Same+c.Differ, "%d frames, want %d", len(got), c.Same+c.Differ)
	c.Same--
	return c.String()
}

func compareRawDefs(t *testing.T, raw *sessionfile.Raw, name string) string {
	c := pstatstest.Tally{T: t, What: "definitions"}
	want := pstatstest.LoadDefs(t, name)
	c.Check(raw.Client().Host == want.Host && raw.Client().Program == want.Program && raw.Client().PID == want.PID, "client %+v", raw.Client())
	levels := raw.AllLevelThreads()
	for _, w := range want.Collectors {
		got, ok := raw.Collector(w.Index)
		c.Check(ok && got.Name == w.Name && int(got.Parent) == w.Parent && int(got.Sort) == w.Sort && got.Units == w.Units && pstatstest.Near6(float64(got.Scale), w.Scale) && pstatstest.Near6(float64(got.Factor), w.Factor) &&
			pstatstest.Near6(float64(got.R), w.Color[0]) && pstatstest.Near6(float64(got.G), w.Color[1]) && pstatstest.Near6(float64(got.B), w.Color[2]), "collector %+v, want %+v", got, w)
		var threads []int
		for i := range levels[w.Index] {
			for b := range 32 {
				if levels[w.Index][i]&(1<<b) != 0 {
					threads = append(threads, 32*i+b)
				}
			}
		}
		c.Check(slices.Equal(threads, w.LevelThreads), "level threads of %s: %v, want %v", w.Fullname, threads, w.LevelThreads)
	}
	for _, w := range want.Threads {
		c.Check(raw.ThreadName(w.Index) == w.Name && len(raw.Numbers(w.Index)) == w.Frames, "thread %d: %q with %d frames, want %+v", w.Index, raw.ThreadName(w.Index), len(raw.Numbers(w.Index)), w)
	}
	return c.String()
}

// TestOracleRaw holds what is kept of a client, from its file and from its recorded connection,
// against what the official code kept.
func TestOracleRaw(t *testing.T) {
	for _, name := range pstatstest.Captures {
		for _, from := range []string{"pstats", "pscap"} {
			t.Run(name+"/"+from, func(t *testing.T) {
				raw, _ := pstatstest.Raw(t, name, from == "pstats")
				t.Logf("%-14s %s: %s; %s", name, from, compareRawFrames(t, raw, name), compareRawDefs(t, raw, name))
			})
		}
	}
}
