package firefox

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/net/feed"
)

// truth is what another program finds in a capture; times in ms.
type truth struct {
	Version      int
	Interval     float64 `json:"interval_ms"`
	Symbolicated bool
	Product      string
	Threads      []threadTruth
}

type threadTruth struct {
	Name, Process, PID, TID string
	Samples                 int
	Without                 int      `json:"without_stack"`
	Weights                 float64  `json:"weight_sum"`
	First                   *float64 `json:"first_ms"`
	Last                    *float64 `json:"last_ms"`
	Markers                 int
	CPU                     float64 `json:"cpu_delta_sum"`
	Total                   int64
	Depth                   int `json:"max_depth"`
	Distinct                int `json:"distinct_stacks"`
	ByName                  []struct {
		Name            string
		Self, Inclusive int64
	} `json:"by_name"`
	Top []struct {
		Stack  string
		Weight int
	} `json:"top_stacks"`
	MarkersBy map[string]int `json:"markers_by_name"`
}

// plainName is the name of a function as the file has it.
func plainName(name string) string {
	if at := strings.LastIndex(name, "+0x"); at >= 0 {
		return name[at+1:]
	}
	return name
}

// TestCaptures compares each capture with its truth.
func TestCaptures(t *testing.T) {
	for _, name := range []string{"game", "game-markers", "forks", "byhand-layout70"} {
		t.Run(name, func(t *testing.T) {
			want := recordings.JSON[truth](t, recordings.Firefox, name+".truth.json")
			head := recordings.Read(t, recordings.Firefox, name+".json")
			testkit.That(t, (Source{}).Sniff(head[:min(len(head), 64<<10)], name), "it is not recognised")
			k, err := tracetest.Open(t, Source{}, recordings.File(t, recordings.Firefox, name+".json"))
			testkit.MustThat(t, err == nil && len(k.Losses) <= 0, "%v %v", err, k.Losses)
			if asked := k.Info.Sampling.AskedNs; asked != int64(math.Round(want.Interval*1e6)) ||
				!strings.HasPrefix(want.Product, k.Info.Program) || !strings.HasSuffix(k.Info.Version, " "+itoa(want.Version)) {
				t.Errorf("%+v", k.Info)
			}
			id := model.TrackID(0)
			for i := range want.Threads {
				if w := &want.Threads[i]; w.Samples+w.Markers > 0 {
					compare(t, k, id, w)
					id++
				}
			}
			testkit.That(t, int(id) == len(k.Tracks), "%d tracks, want %d", len(k.Tracks), id)
		})
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func compare(t *testing.T, k *tracetest.Sink, id model.TrackID, w *threadTruth) {
	def := k.Tracks[id]
	if !strings.HasPrefix(def.Name, w.Name) || def.Process != "" && def.Process != w.Process+" "+w.PID || w.Name == "game" != def.Main && w.Process == "game" {
		t.Errorf("track %+v, want %s of %s %s", def, w.Name, w.Process, w.PID)
	}
	// Samples, the stacks that they name, and the CPU time at the newest.
	stacks, cpu := map[string]int{}, 0.0
	var times []int64
	for _, s := range k.Samples[id] {
		switch d := k.Session.Series().ByID(s.Series).Def; d.Role {
		case model.RoleStack:
			times = append(times, s.Time)
			var names []string
			for _, n := range strings.Split(k.Stack(model.PathID(s.Value)), ";") {
				names = append(names, plainName(n))
			}
			stacks[strings.Join(names, ";")]++
		case model.RoleCPUTime:
			cpu = s.Value
		case model.RoleWeight:
			t.Error("all samples weigh 1")
		}
	}
	if len(times) != w.Samples-w.Without || len(stacks) != w.Distinct || cpu != w.CPU*1000 || w.Weights != float64(len(times)) {
		t.Errorf("%s: %d samples, %d stacks, %v ns CPU time; want %+v", w.Name, len(times), len(stacks), cpu, w)
	}
	if len(times) > 0 && (times[0] != int64(math.Round(*w.First*1e6)) || times[len(times)-1] != int64(math.Round(*w.Last*1e6))) {
		t.Errorf("%s: samples from %d to %d ns", w.Name, times[0], times[len(times)-1])
	}
	testkit.Equal(t, k.Session.Track(id).Lanes(), w.Depth, "%s: rows", w.Name)
	for _, top := range w.Top {
		testkit.Equal(t, stacks[top.Stack], top.Weight, "%s: of %s", w.Name, top.Stack)
	}
	counts := k.Counts(id, plainName)
	for _, n := range w.ByName {
		testkit.That(t, counts[n.Name].Self == n.Self && counts[n.Name].Inclusive == n.Inclusive,
			"%s, %s: %+v, want %+v", w.Name, n.Name, counts[n.Name], n)
	}
	testkit.That(t, len(counts) == len(w.ByName), "%s: %d names, want %d", w.Name, len(counts), len(w.ByName))
	// Instants.
	by := map[string]int{}
	for _, m := range k.Notes[id] {
		name, _, _ := strings.Cut(m.Text, " ")
		by[name]++
	}
	for name, n := range w.MarkersBy {
		testkit.That(t, by[name] == n, "%s: %d messages of %s, want %d", w.Name, by[name], name, n)
	}
	if len(k.Notes[id]) != w.Markers || !slices.IsSortedFunc(k.Notes[id], func(a, b model.Message) int { return int(a.Time - b.Time) }) {
		t.Errorf("%s: %d messages, want %d", w.Name, len(k.Notes[id]), w.Markers)
	}
}

// TestCases reads profiles of all versions and damaged ones; an option is the name of the markers that are frames.
func TestCases(t *testing.T) {
	feedtest.Cases(t, func(frames string) (feed.Source, string) { return Source{Frames: feed.Frames(frames)}, "x.json" })
}

// FuzzSource reads anything: nothing breaks, and the store refuses nothing. It begins with small profiles
// that have all that there is: recordings of real programs take a minute each to be made smaller whenever
// a change of one is new, and hardly anything else is tried.
func FuzzSource(f *testing.F) {
	for _, text := range feedtest.CaseTexts(f) {
		f.Add([]byte(text), "Tick")
	}
	f.Fuzz(func(t *testing.T, data []byte, frames string) {
		k, err := tracetest.Text(t, Source{Frames: feed.Frames(frames)}, "x.json", string(data))
		testkit.That(t, err != nil || k.Ended != "", "it did not end")
		feedtest.Unrefused(t, k.Session)
		Source{}.Sniff(data, "x")
	})
}
