package chrometrace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

type feedSink = feed.Sink

// pySpySum is what the truth of a trace by py-spy says of a name.
type pySpySum struct {
	N         int64 `json:"n"`
	Inclusive int64 `json:"inclusive_us"`
	Self      int64 `json:"self_us"`
}

// pySpyTruth returns the sums of each name, by thread.
func pySpyTruth(t *testing.T, dir string) map[int]map[string]pySpySum {
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "game-threads.truth.json")))(t)
	var truth struct {
		Threads []struct {
			Tid    int
			Totals map[string]pySpySum
		}
	}
	testkit.OK(t, json.Unmarshal(text, &truth))
	out := map[int]map[string]pySpySum{}
	for _, th := range truth.Threads {
		out[th.Tid] = th.Totals
	}
	return out
}
