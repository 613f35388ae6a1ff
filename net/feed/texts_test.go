package feed

import (
	"strings"
	"testing"

	"framescope/internal/testkit"

	"framescope/model"
)

// TestTextsCount checks that texts of messages count for the bound of a live feed, and do not stay
// with batches that wait for their next use.
func TestTextsCount(t *testing.T) {
	f := alone(Options{Live: true, Bytes: 1 << 20})
	text := strings.Repeat("x", 32<<10)
	for range 100 {
		b := f.Begin()
		b.Messages = append(b.Messages, model.Message{Text: text, Category: "c", Object: "o"})
		f.Publish(b)
		st := f.Stats()
		testkit.MustThat(t, st.WaitingBytes <= 1<<20, "%d bytes wait", st.WaitingBytes)
	}
	st := f.Stats()
	testkit.That(t, st.Waiting <= 32 && st.Dropped >= 68, "%d batches wait, %d were dropped", st.Waiting, st.Dropped)
	for _, b := range f.pool.free {
		testkit.MustThat(t, len(b.Messages) <= 0 && b.Messages[:1][0].Text == "",
			"a batch that waits for its next use keeps a text")
	}
	testkit.That(t, len(f.pool.free) != 0, "no batch is used again")
}
