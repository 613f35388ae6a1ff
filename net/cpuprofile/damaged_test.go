package cpuprofile

import (
	"maps"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/trace/tracetest"
)

// TestCommas tells of an entry of a list that is not there, with the byte; those behind it keep their times.
func TestCommas(t *testing.T) {
	text := `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,,3],"timeDeltas":[0,10,10]}`
	k, err := opened(t, "x.cpuprofile", text)
	if err != nil || k.Lost("the text is not JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
		t.Errorf("%v, %v", err, k.Losses)
	}
	if want := "a 0-10, (unknown) 10-20, a 20-30, a;(anonymous):7 20-30"; spansOf(k) != want {
		t.Errorf("%s; want %s", spansOf(k), want)
	}
}

// TestDamagedTree tells of what a tree of calls says that can't be, with the byte of the first.
func TestDamagedTree(t *testing.T) {
	const (
		ids   = "ids of calls are not numbers"
		edges = "are not in the tree"
		place = "names, files or lines of functions can't be read"
		times = "the start of the profile (startTime)"
	)
	good := `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,3,2],"timeDeltas":[0,10,10]}`
	open := func(text string) (*tracetest.Sink, error) { return opened(t, "x.cpuprofile", text) }
	list := []tracetest.Spoil{
		{From: `"children":[3]`, To: `"children":[-1]`, Told: edges, At: 12},
		{From: `"children":[3]`, To: `"children":[3,"x"]`, Told: edges, At: 14},
		{From: `"children":[3]`, To: `"children":[99999999999999999999999]`, Told: edges, At: 12},
		{From: `{"id":3,`, To: `{"id":3,"parent":77,`, Told: edges, At: 17},
		{From: `"id":3,`, To: `"id":5,`, Told: ids},
		{From: `"id":3,`, To: `"id":-3,`, Told: ids, At: 5},
		{From: `"id":3,`, To: `"id":99999999999999999999999,`, Told: ids, At: 5},
		{From: `"lineNumber":6`, To: `"lineNumber":99999999999999999999999`, Told: place, At: 13},
		{From: `"lineNumber":6`, To: `"lineNumber":1e15`, Told: place, At: 13},
		{From: `"lineNumber":6`, To: `"lineNumber":"x"`, Told: place, At: 13},
		{From: `"functionName":"a"`, To: `"functionName":7`, Told: place, At: 15},
		{From: `"startTime":0`, To: `"startTime":"x"`, Told: times, At: 12},
	}
	const known = `"functionName":"","url":"file:///x/a.js","lineNumber":6}`
	for _, null := range []string{`"lineNumber":null`, `"functionName":null`, `"parent":null`} {
		list = append(list, tracetest.Spoil{From: known, To: `"url":"file:///x/a.js"},` + null})
	}
	tracetest.Spoils(t, open, good, list)
}

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

func shows(k *tracetest.Sink) bool {
	return len(k.Spans[0]) > 0 || k.Info.Sampling.Timeless && len(k.Weights(0, plain)) > 0
}
