package cpuprofile

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/net/stackruns/runstest"
)

// TestCommas tells of an entry of a list that is not there, with the byte; those behind it keep their times.
func TestCommas(t *testing.T) {
	text := `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,,3],"timeDeltas":[0,10,10]}`
	k, err := opened(t, "x.cpuprofile", text)
	if err != nil || k.Lost("the text is no JSON: commas, or the values between them, are missing; the first is at byte ") != 1 {
		t.Errorf("%v, %v", err, k.Losses)
	}
	if want := "a 0-10, (unknown) 10-20, a 20-30, a;(anonymous):7 20-30"; spansOf(k) != want {
		t.Errorf("%s; want %s", spansOf(k), want)
	}
}

// TestDamagedTree tells of what a tree of calls says that can't be, with the byte of the first.
func TestDamagedTree(t *testing.T) {
	good := `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,3,2],"timeDeltas":[0,10,10]}`
	if k, err := opened(t, "x.cpuprofile", good); err != nil || len(k.Losses) > 0 {
		t.Errorf("%v, %v", err, k.Losses)
	}
	const (
		ids   = "ids of calls are no numbers"
		edges = "are not in the tree"
		place = "names, files or lines of functions can't be read"
		times = "the begin of the profile (startTime)"
	)
	for _, c := range []struct {
		from, to, told string
		at             int // behind where from is
	}{
		{`"children":[3]`, `"children":[-1]`, edges, 12}, {`"children":[3]`, `"children":[3,"x"]`, edges, 14},
		{`"children":[3]`, `"children":[99999999999999999999999]`, edges, 12}, {`{"id":3,`, `{"id":3,"parent":77,`, edges, 17},
		{`"id":3,`, `"id":5,`, ids, -1}, {`"id":3,`, `"id":-3,`, ids, 5}, {`"id":3,`, `"id":99999999999999999999999,`, ids, 5},
		{`"lineNumber":6`, `"lineNumber":99999999999999999999999`, place, 13}, {`"lineNumber":6`, `"lineNumber":1e15`, place, 13},
		{`"lineNumber":6`, `"lineNumber":"x"`, place, 13}, {`"functionName":"a"`, `"functionName":7`, place, 15},
		{`"startTime":0`, `"startTime":"x"`, times, 12},
	} {
		text := strings.Replace(good, c.from, c.to, 1)
		k, err := opened(t, "x.cpuprofile", text)
		if err != nil || k.Lost(c.told) != 1 {
			t.Errorf("%s: %v, %v", c.to, err, k.Losses)
			continue
		}
		if at := fmt.Sprintf("; the first is at byte %d", strings.Index(good, c.from)+c.at); c.at > 0 && k.Lost(at) != 1 {
			t.Errorf("%s: %v; want %s", c.to, k.Losses, at)
		}
	}
	for _, null := range []string{`"lineNumber":null`, `"functionName":null`, `"parent":null`} {
		text := strings.Replace(good, `"functionName":"","url":"file:///x/a.js","lineNumber":6}`, `"url":"file:///x/a.js"},`+null, 1)
		if k, err := opened(t, "x.cpuprofile", text); err != nil || len(k.Losses) > 0 {
			t.Errorf("%s: %v, %v", null, err, k.Losses)
		}
	}
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

func shows(k *runstest.Sink) bool {
	return len(k.Spans[0]) > 0 || k.Info.Sampling.Timeless && len(k.Weights(0, plain)) > 0
}
