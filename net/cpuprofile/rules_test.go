package cpuprofile

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/net/feed"
)

// opened reads a text as a file of a name.
func opened(t testing.TB, name, text string) (*tracetest.Sink, error) {
	t.Helper()
	return tracetest.Text(t, Source{}, name, text)
}

// TestCases reads profiles in the forms in which they are written, and damaged ones. An option is the name of a file.
func TestCases(t *testing.T) {
	feedtest.Cases(t, func(file string) (feed.Source, string) { return Source{}, cmp.Or(file, "x.cpuprofile") })
}

// TestSniff: nodes may be far behind samples, and what has other nodes is no profile.
func TestSniff(t *testing.T) {
	const times = `"startTime":1000,"endTime":1060,`
	far := `{` + times + `"timeDeltas":[` + strings.Repeat("1000,", 50_000)
	testkit.That(t, (Source{}).Sniff([]byte(far), "x"), "samples before nodes are not recognised")
	for _, text := range []string{`{"nodes":[{"id":"a"}],` + times + `"samples":[1]}`, `{"nodes":[],"samples":[]}`, `{"startTime":"x","samples":[]}`, `{"samples":[1,2]}`} {
		testkit.That(t, !(Source{}).Sniff([]byte(text), "x"), "%s is recognised", text)
	}
}

// TestCut cuts a profile anywhere: it is refused, or shows no more than there is, at its times as far as these are there.
func TestCut(t *testing.T) {
	data := recordings.Read(t, recordings.CPUProfile, "main.cpuprofile")
	whole := testkit.Must(opened(t, "x.cpuprofile", string(data)))(t)
	shown := 0
	for at := 0; at < len(data); at += 97 {
		k, err := opened(t, "x.cpuprofile", string(data[:at]))
		if err != nil {
			continue
		}
		testkit.MustThat(t, tracetest.Faults(k.Session) == "1 unread", "cut at %d: %+v", at, k.Losses)
		if n := len(k.Samples[0]); n > 0 && !k.Info.Sampling.Timeless {
			shown++
			_, deltas, _ := strings.Cut(string(data[:at]), `"timeDeltas":[`)
			known := strings.Count(deltas, ",")
			testkit.Equal(t, n, len(whole.Samples[0]), "cut at %d: samples", at)
			for i, s := range k.Samples[0] {
				w := whole.Samples[0][i]
				testkit.MustThat(t, s.Value == w.Value && (i >= known || s.Time == w.Time) && s.Time <= whole.Samples[0][n-1].Time+1e6,
					"cut at %d: sample %d is %+v, want %+v", at, i, s, w)
			}
		}
	}
	testkit.That(t, shown != 0, "no part has samples")
}

// FuzzSource reads anything: nothing breaks, and the store refuses nothing.
func FuzzSource(f *testing.F) {
	data := recordings.Read(f, recordings.CPUProfile, "worker-thread.cpuprofile")
	f.Add(data)
	for _, text := range feedtest.CaseTexts(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, _ := opened(t, "x.cpuprofile", string(data))
		feedtest.Unrefused(t, k.Session)
	})
}

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
			testkit.MustThat(t, err == nil && len(k.Losses) == 0, "%v %v", err, k.Losses)
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
