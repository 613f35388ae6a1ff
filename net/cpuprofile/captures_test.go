package cpuprofile

import (
	"regexp"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/trace/tracetest"
)

// truth is what another program finds in a capture; times in µs.
type truth struct {
	Samples int   `json:"samples"`
	Start   int64 `json:"startTime_us"`
	First   int64 `json:"first_sample_us"`
	Last    int64 `json:"last_sample_us"`
	Back    int   `json:"negative_deltas"`
	Total   int64
	Depth   int `json:"max_depth"`
	ByName  []struct {
		Name            string
		Self, Inclusive int64
	} `json:"by_name"`
	Hits map[string]int64 `json:"hits_by_name"`
}

var place = regexp.MustCompile(`:\d+$`)

// plain is the name of a function as the file has it.
func plain(name string) string { return place.ReplaceAllString(name, "") }

// TestCaptures compares each capture with its truth: samples and times by name, and what was idle.
func TestCaptures(t *testing.T) {
	for _, name := range []string{"main", "fine", "worker-main", "worker-thread"} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.CPUProfile, name+".cpuprofile")
			want := recordings.JSON[truth](t, recordings.CPUProfile, name+".truth.json")
			k, err := tracetest.Open(t, Source{}, path)
			if err != nil || len(k.Losses) > 0 {
				t.Fatal(err, k.Losses)
			}
			compare(t, k, want)
		})
	}
}

func compare(t *testing.T, k *tracetest.Sink, want *truth) {
	samples := k.Samples[0]
	if len(samples) != want.Samples || samples[0].Time != (want.First-want.Start)*1000 ||
		samples[len(samples)-1].Time != (want.Last-want.Start)*1000 {
		t.Errorf("%d samples from %d to %d ns", len(samples), samples[0].Time, samples[len(samples)-1].Time)
	}
	n := k.Session.Track(0).Lanes()
	testkit.That(t, n == want.Depth-1, "%d rows, want %d below (root)", n, want.Depth-1)
	times, counts := k.Times(0, plain), k.Counts(0, plain)
	idle, idleSamples, named := int64(0), int64(0), 0
	for _, w := range want.ByName {
		switch w.Name {
		case "(root)":
			continue
		case "(idle)":
			idle = w.Self
			continue
		}
		named++
		testkit.That(t, times[w.Name].Self == w.Self*1000 && times[w.Name].Inclusive == w.Inclusive*1000,
			"%s: %+v ns, want %+v µs", w.Name, times[w.Name], w)
		hits := want.Hits[w.Name]
		if w.Name == "(program)" {
			hits++ // V8 writes one sample more than it counts
		}
		testkit.That(t, counts[w.Name].Self == hits, "%s: %d samples, want %d", w.Name, counts[w.Name].Self, hits)
	}
	testkit.That(t, named == len(times), "%d names, want %d", len(times), named)
	for _, s := range samples {
		if model.PathID(s.Value) == model.PathRoot {
			idleSamples++
		}
	}
	testkit.That(t, idleSamples == want.Hits["(idle)"],
		"%d samples found it idle, want %d", idleSamples, want.Hits["(idle)"])
	told := strings.Contains(k.Info.Detail, "found it idle")
	testkit.That(t, told == (idle > 0), "idle for %d µs: %s", idle, k.Info.Detail)
}
