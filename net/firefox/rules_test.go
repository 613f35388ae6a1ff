package firefox

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

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
