package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// TestOutsideOfFrames: what came and lies in no frame is in the report, so that it has all that is
// in the stream, as another program counted it.
func TestOutsideOfFrames(t *testing.T) {
	var expected map[string]struct {
		Names   map[string][2]int64 // count, ticks
		Missing int64
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "profilelib", "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &expected)
	}
	testkit.OK(t, err)
	for _, capture := range []string{"small-clean", "restarts", "exhausted", "locks-waits-logs", "game-600f", "truncated"} {
		t.Run(capture, func(t *testing.T) {
			s := opened(t, recordings.File(t, recordings.ProfileLib, capture+".prof"))
			sum := summaryOf(t, s, Options{Stats: true})
			calls, self := map[string]int64{}, map[string]int64{}
			outside := int64(0)
			for _, th := range sum.Threads {
				for _, l := range th.Times {
					if calls[l.Collector] += l.Starts; l.Self != nil {
						self[l.Collector] += int64(l.Self.Sum + 0.5)
					}
				}
				for _, l := range th.Outside {
					calls[l.Collector] += l.Calls
					self[l.Collector] += l.Self
					outside += l.Calls
				}
			}
			testkit.MustThat(t, len(expected[capture+".prof"].Names) != 0, "nothing is expected")
			for name, want := range expected[capture+".prof"].Names {
				testkit.That(t, calls[name] == want[0], "%s: %d calls, %d were sent", name, calls[name], want[0])
				leaf := slices.Contains([]string{"process", "Voice", "Reverb", "Read", "Upload", "Input", "Present"}, name)
				// A block that was open when the profiler was switched off lasts to the end of restarts, and those
				// that came later lie in it: their time is not its own.
				if leaf = leaf && !(capture == "restarts" && name == "Read"); leaf && self[name] != want[1] {
					t.Errorf("%s: %d ns, %d were sent", name, self[name], want[1])
				}
			}
			ledger := map[string]int64{}
			parts := int64(0)
			for _, l := range sum.Ledger {
				ledger[l.Key] = l.Count
				if l.Sum && l.Key != "in_all" {
					parts += l.Count
				}
			}
			if outside == 0 || ledger["outside_frames"] != outside || ledger["never_came"] != expected[capture+".prof"].Missing || ledger["malformed"] != 0 {
				t.Errorf("%d calls are outside of frames; %v, of which %d are missing", outside, ledger, expected[capture+".prof"].Missing)
			}
			testkit.That(t, parts == ledger["in_all"],
				"%d frames in all, their parts are %d: %v", ledger["in_all"], parts, ledger)
			testkit.Contains(t, textOf(t, s, Options{Stats: true}),
				"\nOutside of the frames received, and in none of the figures above: ")
		})
	}
}

// recursion is f in f in f, of 100, 60 and 20 µs, with g of 30 µs beside the innermost, and f again.
const recursion = `[{"ph":"X","name":"f","ts":0,"dur":100,"pid":1,"tid":1},{"ph":"X","name":"f","ts":10,"dur":60,"pid":1,"tid":1},
{"ph":"X","name":"f","ts":10,"dur":20,"pid":1,"tid":1},{"ph":"X","name":"g","ts":40,"dur":30,"pid":1,"tid":1},
{"ph":"X","name":"f","ts":200,"dur":5,"pid":1,"tid":1}]`

func recordingOf(t *testing.T, name, content string) *store.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.WriteFile(path, []byte(content), 0o600))
	return testkit.Must(load.File(t.Context(), path, load.Options{}))(t).Session
}

// found is what the report says of an expression, with its sums.
func found(t *testing.T, s *store.Session, text string) (sum foundSummary) {
	t.Helper()
	e := testkit.Must(find.Parse(text))(t)
	out := textOf(t, s, Options{JSON: true, Stats: true, Where: e})
	testkit.OK(t, json.Unmarshal([]byte(out), &sum))
	return sum
}

// Time in calls inside others that are found counts once, as in the other tables, whatever picks them.
func TestFoundRecursionCountsOnce(t *testing.T) {
	s := recordingOf(t, "trace.json", recursion)
	for text, want := range map[string][3]int64{ // in all, of f, of g
		"f": {105_000, 105_000, 0}, "*": {105_000, 105_000, 30_000}, "f <90us": {65_000, 65_000, 0}, "f self>15us": {100_000, 100_000, 0},
		"f -self<25us": {100_000, 100_000, 0}, "g": {30_000, 0, 30_000}, "<50us": {55_000, 25_000, 30_000},
	} {
		sum, of := found(t, s, text), map[string]int64{}
		for _, c := range sum.Collectors {
			of[c.Collector] = c.Total
		}
		if got := [3]int64{sum.Total, of["f"], of["g"]}; got != want || sum.Threads[0].Total != want[0] {
			t.Errorf("%s: %v, on the thread %d; want %v", text, got, sum.Threads[0].Total, want)
		}
	}
	lines := new(CallWork).Lines(s, []model.TrackID{0}, 0, 1<<40)
	testkit.That(t, lines[0].Collector == "f" && *lines[0].Total == 105_000 && *lines[0].Mean == 185_000./4,
		"statistics say %+v", lines[0])
	sum := found(t, s, "f")
	testkit.That(t, *sum.Calls == 4 && sum.Collectors[0].Mean == 185_000./4, "%+v", sum)
}

// The sums of found calls have self times, percentiles and numbers of arguments: here against the truth by hand.
func TestFoundSpread(t *testing.T) {
	s := recordingOf(t, "trace.json", `[
{"ph":"X","name":"load","ts":0,"dur":100,"pid":1,"tid":1,"args":{"bytes":10,"file":"a"}},
{"ph":"X","name":"read","ts":10,"dur":60,"pid":1,"tid":1},
{"ph":"X","name":"load","ts":200,"dur":20,"pid":1,"tid":1,"args":{"bytes":-2.5}},
{"ph":"X","name":"load","ts":300,"dur":30,"pid":1,"tid":1,"args":{"bytes":"none"}},
{"ph":"X","name":"load","ts":400,"dur":50,"pid":1,"tid":2,"args":{"bytes":4,"items":7}}]`)
	sum := found(t, s, "load")
	text := func(f foundSpread) string {
		return fmt.Sprintf("self %d, median %g, p95 %d, p99 %d, deviation %.0f", *f.Self, *f.Median, *f.P95, *f.P99, *f.StdDev)
	}
	const all = "self 140000, median 40000, p95 100000, p99 100000, deviation 30822"
	testkit.Equal(t, text(sum.foundSpread), all, "all")
	testkit.Equal(t, text(sum.Collectors[0].foundSpread), all, "the collector")
	testkit.Equal(t, text(sum.Threads[0].foundSpread), "self 90000, median 30000, p95 100000, p99 100000, deviation 35590", "the first thread")
	testkit.Equal(t, fmt.Sprint(sum.Arguments), "[{bytes 3 11.5 3.8333333333333335 -2.5 10} {items 1 7 7 7 7}]", "arguments")
	testkit.That(t, found(t, recordingOf(t, "async.json", `[{"ph":"b","cat":"c","id":"1","name":"load","ts":0,"pid":1,"tid":1},
{"ph":"e","cat":"c","id":"1","name":"load","ts":60,"pid":1,"tid":1}]`), "load").Self == nil, "asynchronous spans have a self time")
}

// What is under way at the same time is summed up whole, however it lies in rows: also what is inside others of
// its name.
func TestWhatIsUnderWayIsSummedUpWhole(t *testing.T) {
	s := recordingOf(t, "trace.json", `[{"ph":"b","cat":"c","id":"1","name":"load","ts":0,"pid":1,"tid":1},
{"ph":"b","cat":"c","id":"1","name":"load","ts":20,"pid":1,"tid":1},{"ph":"b","cat":"c","id":"2","name":"load","ts":50,"pid":1,"tid":1},
{"ph":"e","cat":"c","id":"1","name":"load","ts":60,"pid":1,"tid":1},{"ph":"e","cat":"c","id":"2","name":"load","ts":90,"pid":1,"tid":1},
{"ph":"e","cat":"c","id":"1","name":"load","ts":100,"pid":1,"tid":1}]`)
	lines := new(CallWork).Lines(s, []model.TrackID{0, 1, 2}, 0, 1<<40)
	testkit.That(t, len(lines) == 1 && *lines[0].Total == 180_000 && lines[0].Self == nil && *lines[0].Calls == 3,
		"%+v, total %d", lines, *lines[0].Total)
	if sum := found(t, s, "load"); sum.Total != 180_000 || sum.Threads[0].Total != 180_000 || sum.Collectors[0].Total != 180_000 {
		t.Errorf("%+v", sum)
	}
	var in []spans.Inside
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0, 1, 2}, 0, 1<<40, &tree)
	in = tree.Inside(in)
	testkit.That(t, len(in) == 1 && in[0].Total == 180_000, "%+v", in)
}

// A glob of threads is all that it names, a part of a name that several have is none of them; a recording without
// times has no ranges, of times or of numbers.
func TestThreadsAndRangesOfReports(t *testing.T) {
	s := recordingOf(t, "trace.json", `[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Worker 1"}},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"Worker 2"}},{"ph":"X","name":"f","ts":0,"dur":9,"pid":1,"tid":1},
{"ph":"X","name":"f","ts":0,"dur":5,"pid":1,"tid":2},{"ph":"X","name":"f","ts":0,"dur":5,"pid":1,"tid":3}]`)
	for text, want := range map[string]int{"Worker*": 2, "Worker 1": 1, "/2$/": 1, "Worker": -1, "Nobody*": -1} {
		ids, err := place.FindTracks(s, []string{text, text})
		testkit.That(t, want < 0 == (err != nil) && (err != nil || len(ids) == want), "%s: %v, %v", text, ids, err)
	}
	var out bytes.Buffer
	err := Write(&out, s, Options{Threads: []string{"Worker*"}})
	testkit.That(t, err == nil && strings.Contains(out.String(), "0.014"), "%v\n%s", err, out.String())
	timeless := recordingOf(t, "game.folded", "main;f 3\nmain;g 5\n")
	for _, text := range []string{"1s:2s", "3:4"} {
		err := Write(&out, timeless, Options{Range: rng(t, text)})
		testkit.That(t, errors.Is(err, place.ErrTimeless), "%s: %v", text, err)
	}
}
