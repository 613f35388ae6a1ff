package feed

import (
	"strings"
	"testing"

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
		if st := f.Stats(); st.WaitingBytes > 1<<20 {
			t.Fatalf("%d bytes wait", st.WaitingBytes)
		}
	}
	if st := f.Stats(); st.Waiting > 32 || st.Dropped < 68 {
		t.Errorf("%d batches wait, %d were dropped", st.Waiting, st.Dropped)
	}
	for _, b := range f.pool.free {
		if len(b.Messages) > 0 || b.Messages[:1][0].Text != "" {
			t.Fatal("a batch that waits for its next use keeps a text")
		}
	}
	if len(f.pool.free) == 0 {
		t.Error("no batch is used again")
	}
}
