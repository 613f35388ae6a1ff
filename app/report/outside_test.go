package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
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
			if len(expected[capture+".prof"].Names) == 0 {
				t.Fatal("nothing is expected")
			}
			for name, want := range expected[capture+".prof"].Names {
				if calls[name] != want[0] {
					t.Errorf("%s: %d calls, %d were sent", name, calls[name], want[0])
				}
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
			if parts != ledger["in_all"] {
				t.Errorf("%d frames in all, their parts are %d: %v", ledger["in_all"], parts, ledger)
			}
			testkit.Contains(t, textOf(t, s, Options{Stats: true}),
				"\nOutside of the frames received, and in none of the figures above: ")
		})
	}
}
