package client

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

// TestDefinitionsLikeTheOfficialClient creates the collectors that the official client defined in
// captures, in the same order, and compares what it sent for them.
func TestDefinitionsLikeTheOfficialClient(t *testing.T) {
	var files []string
	for _, dir := range []string{"testdata/pstats", "../shared/captures/pstats"} {
		in, _ := filepath.Glob(filepath.Join(recordings.Root(t), dir, "*.defs.json.gz"))
		files = append(files, in...)
	}
	type def struct {
		FullName      string
		Color         [3]float64
		Sort          int
		Units         string
		Scale, Factor float64
	}
	compared := 0
	for _, file := range files {
		f := testkit.Must(os.Open(file))(t)
		zr := testkit.Must(gzip.NewReader(f))(t)
		var doc struct {
			Collectors []struct {
				def
				Index, Parent int
				Name          string
			}
		}
		testkit.OK(t, json.NewDecoder(zr).Decode(&doc))
		f.Close()
		c := New(Options{})
		round := func(x float64) float64 { // the file has six digits
			if x == 0 {
				return 0
			}
			e := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
			return math.Round(x*e) / e
		}
		for _, want := range doc.Collectors {
			if _, ok := presetOf(want.FullName); !ok {
				continue // set by the program that was recorded, or named with empty components
			}
			d := c.defs[c.Collector(want.FullName)].wire
			got := def{FullName: want.FullName, Color: [3]float64{round(float64(d.R)), round(float64(d.G)), round(float64(d.B))}, Sort: int(d.Sort), Units: d.Units,
				Scale: round(float64(d.Scale)), Factor: round(float64(d.Factor))}
			w := want.def
			w.Scale, w.Factor = round(w.Scale), round(w.Factor)
			diff := cmp.Diff(w, got)
			testkit.That(t, diff == "", "%s: %s", filepath.Base(file), diff)
			compared++
		}
	}
	t.Logf("%d definitions compared", compared)
	testkit.That(t, compared >= 700, "only %d definitions compared", compared)
}

func TestInheritance(t *testing.T) {
	c := New(Options{})
	d := c.defs[c.Collector("System memory:Heap:Single:Enemy")]
	testkit.That(t, d.wire.Units == "MB" && d.factor == mib && d.wire.Scale == 64 && d.wire.Sort == -1 && d.wire.R == 0,
		"%+v", d)
	if d := c.defs[c.Collector("PipelineCyclers:Dirty")].wire; d.Scale != 5000 {
		t.Errorf("%+v", d)
	}
}
