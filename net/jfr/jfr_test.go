package jfr

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
)

const game = "../../testdata/jfr/game.jfr.gz"

// truth is what the JDK's own jfr finds in a recording.
type truth struct {
	Samples             map[string]int   // by thread
	Innermost           map[string]int   // by method
	Waits               map[string]total // by thread and kind
	Collections, Pauses total
	Heap                struct {
		N        int
		Min, Max float64
	}
	Allocated map[string]float64 // bytes, by thread
}

type total struct{ N, Ns int64 }

func TestGame(t *testing.T) {
	var want truth
	data, err := os.ReadFile("../../testdata/jfr/game.truth.json")
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	testkit.OK(t, err)
	k, err := tracetest.Open(t, Source{}, game)
	testkit.MustThat(t, err == nil && len(k.Losses) <= 0, "%v %v", err, k.Losses)
	samples, innermost := map[string]int{}, map[string]int{}
	waits := map[string]total{}
	for _, track := range k.Tracks {
		if n := len(k.Samples[track.ID]) - k.Others[track.ID]; n > 0 && track.Name != "Allocations" {
			samples[track.Name] = n
			for name, sum := range k.Counts(track.ID, tracetest.Same) {
				if sum.Self > 0 {
					innermost[name] += int(sum.Self)
				}
			}
		}
		for _, s := range k.Spans[track.ID] {
			if track.Kind != model.TrackAsync {
				continue
			}
			key := track.Name
			if of, ok := strings.CutPrefix(key, "Waits of "); ok {
				key = of + ": " + kindOf(k.Name(s.Path))
			}
			sum := waits[key]
			waits[key] = total{sum.N + 1, sum.Ns + s.End - s.Begin}
		}
	}
	want.Waits["Garbage collections"], want.Waits["Pauses of all threads"] = want.Collections, want.Pauses
	testkit.That(t, maps.Equal(samples, want.Samples) && maps.Equal(innermost, want.Innermost),
		"samples %v, innermost %v; want %v, %v", samples, innermost, want.Samples, want.Innermost)
	for key, sum := range want.Waits {
		if got := waits[key]; got.N != sum.N || got.Ns-sum.Ns > 2*sum.N || sum.Ns-got.Ns > 2*sum.N { // rounded to ns each
			t.Errorf("%s: %v, want %v", key, got, sum)
		}
	}
	checkCounters(t, &want)
}

// kindOf returns what a span of waits is, without what was waited for.
func kindOf(name string) string {
	for _, w := range waits {
		if strings.HasPrefix(name, w.name) && (w.field != "" || name == w.name) {
			return w.name
		}
	}
	return name
}

func checkCounters(t *testing.T, want *truth) {
	t.Helper()
	s := feedtest.Open(t, Source{}, game)
	found := 0
	for id := range s.Series().Len() {
		series := s.Series().ByID(model.SeriesID(id))
		stats := series.ExactStats(math.MinInt64, math.MaxInt64)
		switch name := series.Def.Name; series.Def.Group {
		case "heap used":
			testkit.That(t, int(stats.N) == want.Heap.N && stats.Min == want.Heap.Min && stats.Max == want.Heap.Max,
				"heap: %+v, want %+v", stats, want.Heap)
			found++
		case "allocated":
			testkit.That(t, stats.Last == want.Allocated[name],
				"%s allocated %v, want %v", name, stats.Last, want.Allocated[name])
			found++
		}
		if series.Def.Role == model.RoleWeight && series.Def.Name == "allocated" {
			sum := 0.0
			for _, bytes := range want.Allocated {
				sum += bytes
			}
			testkit.That(t, stats.Sum == sum, "%v bytes by their stacks, want %v", stats.Sum, sum)
			found++
		}
	}
	testkit.That(t, found == 2+len(want.Allocated), "%d counters", found)
}

// unpacked returns the bytes of the recording.
func unpacked(t testing.TB) []byte {
	data := testkit.Must(os.ReadFile(game))(t)
	z := testkit.Must(gzip.NewReader(bytes.NewReader(data)))(t)
	return testkit.Must(io.ReadAll(z))(t)
}

func TestDamage(t *testing.T) {
	data := unpacked(t)
	for _, c := range []struct {
		name, kind string
		change     func(b []byte) []byte
	}{
		{"cut within the chunk", "cut", func(b []byte) []byte { return b[:len(b)/2] }},
		{"cut near its end", "cut", func(b []byte) []byte { return b[:len(b)-200] }},
		{"something behind it", "unread", func(b []byte) []byte { return append(b, make([]byte, 100)...) }},
		{"an event without a length", "gap", func(b []byte) []byte { b[headerBytes] = 0; return b }},
	} {
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.jfr", c.change(bytes.Clone(data))))
		kinds := ""
		for _, d := range s.Diagnostics() {
			kinds += d.Kind + " "
		}
		testkit.That(t, strings.Contains(kinds, c.kind), "%s: %q, %v", c.name, kinds, err)
	}
	undescribed := bytes.Clone(data)
	clear(undescribed[24:32]) // where the description of the events is
	_, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.jfr", undescribed))
	testkit.Fails(t, err, "no events that can be shown: byte 0: a chunk without the description of its events")
}

// Overwritten events cost no others.
func TestHole(t *testing.T) {
	samples := func(data []byte, damaged int) (n int) {
		k, err := tracetest.Open(t, Source{}, feedtest.File(t, "x.jfr", data))
		testkit.OK(t, err)
		testkit.Equal(t, len(k.Losses), damaged, "losses")
		for _, list := range k.Samples {
			n += len(list)
		}
		return n
	}
	data := unpacked(t)
	whole := samples(data, 0)
	clear(data[len(data)/2:][:4096])
	got := samples(data, 1)
	testkit.That(t, got > whole*9/10 && got <= whole, "%d of %d samples", got, whole)
}

// FuzzOpen reads anything: nothing breaks, and what the store gets keeps to its rules.
func FuzzOpen(f *testing.F) {
	data := unpacked(f)
	f.Add(data[:min(len(data), 60_000)])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		k := feedtest.NewRuled(t)
		_ = Source{}.OpenFile(t.Context(), feedtest.File(t, "x.jfr", data), k)
		feedtest.Unrefused(t, k.Session)
	})
}
