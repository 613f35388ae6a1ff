package chrometrace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"framescope/model"
	"framescope/net/feed"
)

// counting is a sink that looks at nothing but how much comes.
type counting struct {
	spans, batches int
	now            model.Batch
}

func (c *counting) Define(model.Change) {}

func (c *counting) Begin() *model.Batch { c.now.Reset(); return &c.now }

func (c *counting) Publish(b *model.Batch) bool {
	c.batches++
	c.spans += len(b.Spans)
	return true
}

func (c *counting) Progress(int64, int64) {}

type feedSink = feed.Sink

// pySpySum is what the truth of a trace by py-spy says of a name.
type pySpySum struct {
	N         int64 `json:"n"`
	Inclusive int64 `json:"inclusive_us"`
	Self      int64 `json:"self_us"`
}

// pySpyTruth returns the sums of each name, by thread.
func pySpyTruth(t *testing.T, dir string) map[int]map[string]pySpySum {
	text, err := os.ReadFile(filepath.Join(dir, "game-threads.truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Threads []struct {
			Tid    int
			Totals map[string]pySpySum
		}
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	out := map[int]map[string]pySpySum{}
	for _, th := range truth.Threads {
		out[th.Tid] = th.Totals
	}
	return out
}
