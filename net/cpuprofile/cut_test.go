package cpuprofile

import (
	"maps"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/stackruns/runstest"
)

// TestCutInTheTree reads profiles that end in their tree of calls, or before the times of their samples:
// what was counted before is shown, and that the rest is missing is told.
func TestCutInTheTree(t *testing.T) {
	const tree = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},` +
		`{"id":2,"hitCount":4,"callFrame":{"functionName":"a"},"children":[3]},{"id":3,"hitCount":12,"callFrame":{"functionName":"b"}}`
	const bare = `{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},{"id":2,"callFrame":{"functionName":"b"}}]`
	for text, want := range map[string]map[string]int64{
		tree:                           {"a": 4, "b": 12},
		tree + `,{"id":4,"hitCount":7`: {"a": 4, "b": 12},
		tree + `,{"id":4,"hitCount":7,"callFrame":{"functionName":"c`: {"a": 4, "b": 12},
		tree[:len(tree)-len(`},"callFrame":{"functionName":"b"}`)]:    {"a": 4},
		bare + `,"samples":[2,2,1,2,`:                                 {"a": 1, "b": 3},
		bare + `,"samples":[2,1],"timeDeltas":[`:                      {"a": 1, "b": 1},
	} {
		k, err := opened(t, "x.cpuprofile", text)
		if err != nil || k.Lost("the rest is left out: byte ") != 1 || len(k.Losses) != 1 {
			t.Errorf("%s: %v, %+v", text, err, k.Losses)
			continue
		}
		got := map[string]int64{}
		for name, sum := range k.Weights(0, plain) {
			got[name] = sum.Self
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestCutShows cuts a profile of V8 in its tree: most of what comes before shows something.
func TestCutShows(t *testing.T) {
	data := recordings.Read(t, recordings.CPUProfile, "main.cpuprofile")
	shown, all := 0, 0
	for at := len(data) / 20; at < len(data); at += len(data) / 20 {
		k, err := opened(t, "x.cpuprofile", string(data[:at]))
		if all++; err == nil && shows(k) {
			shown++
		}
	}
	if shown < all-1 {
		t.Errorf("%d of %d show something", shown, all)
	}
}

func shows(k *runstest.Sink) bool {
	return len(k.Spans[0]) > 0 || k.Info.Sampling.Timeless && len(k.Weights(0, plain)) > 0
}
