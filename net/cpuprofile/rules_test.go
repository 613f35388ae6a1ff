package cpuprofile

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

// opened reads a text as a file of a name.
func opened(t testing.TB, name, text string) (*tracetest.Sink, error) {
	t.Helper()
	return tracetest.Text(t, Source{}, name, text)
}

// spansOf writes the runs of the only thread.
func spansOf(k *tracetest.Sink) string { return k.Runs(0, 1000) }

const callees = `{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,5]},
 {"id":2,"callFrame":{"functionName":"a","url":"file:///x/a.js","lineNumber":0},"children":[3]},
 {"id":3,"callFrame":{"functionName":"","url":"file:///x/a.js","lineNumber":6}},
 {"id":5,"callFrame":{"functionName":"(idle)"}}`

// TestForms reads the forms in which the same profile can be written.
func TestForms(t *testing.T) {
	const want = "a 10-20, a 30-60, a;(anonymous):7 30-40"
	for name, text := range map[string]string{
		"today":    `{"nodes":[` + callees + `],"startTime":1000,"endTime":1060,"samples":[2,5,3,2],"timeDeltas":[10,10,10,10]}`,
		"order":    `{"timeDeltas":[10,10,10,10],"samples":[2,5,3,2],"endTime":1060,"nodes":[` + callees + `],"startTime":1000}`,
		"backward": `{"nodes":[` + callees + `],"startTime":1000,"endTime":1060,"samples":[2,3,5,2],"timeDeltas":[10,20,-10,20]}`,
		"parents": `{"nodes":[{"id":3,"parent":2,"callFrame":{"functionName":"","url":"file:///x/a.js","lineNumber":6}},` +
			`{"id":2,"parent":1,"callFrame":{"functionName":"a","url":"file:///x/a.js","lineNumber":0}},{"id":1,"callFrame":{"functionName":"(root)"}},` +
			`{"id":5,"parent":1,"callFrame":{"functionName":"(idle)"}}],"startTime":1000,"endTime":1060,"samples":[2,5,3,2],"timeDeltas":[10,10,10,10]}`,
		"old": `{"typeId":"CPU","head":{"functionName":"(root)","id":1,"hitCount":0,"children":[{"functionName":"a","url":"file:///x/a.js",` +
			`"lineNumber":1,"id":2,"children":[{"functionName":"","url":"file:///x/a.js","lineNumber":7,"id":3,"children":[]}]},` +
			`{"functionName":"(idle)","id":5}]},"startTime":0.001,"endTime":0.00106,"samples":[2,5,3,2],"timestamps":[1010,1020,1030,1040]}`,
	} {
		k, err := opened(t, "x.cpuprofile", text)
		if err != nil || len(k.Losses) > 0 || spansOf(k) != want {
			t.Errorf("%s: %s, %v, %v; want %s", name, spansOf(k), err, k.Losses, want)
		}
		testkit.That(t, strings.Contains(k.Info.Detail, "1 of 4 samples, 10 µs, found it idle"),
			"%s: %s", name, k.Info.Detail)
		testkit.That(t, (Source{}).Sniff([]byte(text), "x"), "%s is not recognised", name)
		if told := len(k.Warnings) > 0; told != (name == "backward") {
			t.Errorf("%s: %q", name, k.Warnings)
		}
	}
}

// TestOdd reads profiles that are not as they should be.
func TestOdd(t *testing.T) {
	const times = `,"startTime":0,"endTime":30,"timeDeltas":[0,10,10]`
	for _, c := range []struct{ name, text, spans, lost string }{
		{"unknown node", `{"nodes":[` + callees + `],"samples":[2,77,2]` + times + `}`, "a 0-10, (unknown) 10-20, a 20-30", "samples refer to unknown nodes"},
		{"circle", `{"nodes":[{"id":1,"callFrame":{"functionName":"p"},"children":[2]},{"id":2,"callFrame":{"functionName":"q"},"children":[1]}],"samples":[1,2]` +
			times + `}`, "p 0-30, p;q 10-30", "in a circle: the first caller counts; the first is that with the id 1"},
		{"two callers", `{"nodes":[{"id":1,"callFrame":{"functionName":"p"},"children":[3]},{"id":2,"callFrame":{"functionName":"q"},"children":[3]},` +
			`{"id":3,"callFrame":{"functionName":"r"}}],"samples":[3,3,3]` + times + `}`, "p 0-30, p;r 0-30", "several callers"},
		{"fewer times", `{"nodes":[` + callees + `],"samples":[2,2,2,2,2]` + times + `}`, "a 0-30", "there are more samples than times"},
		{"end before the last", `{"nodes":[` + callees + `],"samples":[2,3,2],"startTime":0,"endTime":5,"timeDeltas":[0,10,10]}`,
			"a 0-20, a;(anonymous):7 10-20", ""},
		{"cut in samples", `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"timeDeltas":[0,10,10],"samples":[2,2`, "a 0-30", "rest is left out"},
	} {
		k, err := opened(t, "x.cpuprofile", c.text)
		if err != nil || spansOf(k) != c.spans {
			t.Errorf("%s: %s, %v; want %s", c.name, spansOf(k), err, c.spans)
		}
		if c.lost == "" && len(k.Losses) > 0 || c.lost != "" && k.Lost(c.lost) == 0 {
			t.Errorf("%s: %+v", c.name, k.Losses)
		}
	}
	k, err := opened(t, "x.cpuprofile", `{"nodes":[{"id":1,"hitCount":3,"callFrame":{"functionName":"p"}}],"startTime":0}`)
	testkit.That(t, err == nil && k.Info.Sampling.Timeless && k.Weights(0, plain)["p"].Self == 3,
		"counts alone: %+v, %v", k.Info, err)
	for _, huge := range []string{"9007199254740994", "99999999999999999999", "4611686018427387904", "1e30"} {
		node := func(id int, hits string) string {
			return fmt.Sprintf(`{"id":%d,"hitCount":%s,"callFrame":{"functionName":"f%d"}}`, id, hits, id)
		}
		k, err := opened(t, "x.cpuprofile", `{"nodes":[`+node(1, "3")+","+node(2, huge)+","+node(3, huge)+`],"startTime":0}`)
		testkit.That(t, err == nil && k.Weights(0, plain)["f1"].Self == 3 && k.Lost("more than 2^53") == 2,
			"%s: %v, %v", huge, k.Losses, err)
	}
	for text, want := range map[string]string{
		`{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}`: "heap profile",
		`{"nodes":[{"id":1,"callFrame":{"functionName":"p"}},{"id":2,`:                "no whole tree",
		`{"startTime":4}`: "no tree of calls",
	} {
		if _, err := opened(t, "x.cpuprofile", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestEmpty: a profile without calls is one, and nodes may be far behind samples. What has other nodes is none.
func TestEmpty(t *testing.T) {
	const times = `"startTime":1000,"endTime":1060,`
	for _, lists := range []string{`"samples":[],"timeDeltas":[]`, `"timeDeltas":[]`, `"samples":[]`} {
		for _, text := range []string{`{"nodes":[],` + times + lists + `}`, `{` + times + lists + `,"nodes":[]}`} {
			if k, err := opened(t, "x.cpuprofile", text); err != nil || len(k.Losses)+len(k.Samples[0]) > 0 || !(Source{}).Sniff([]byte(text), "x") {
				t.Errorf("%s: %v, %+v", text, err, k.Losses)
			}
		}
	}
	far := `{` + times + `"timeDeltas":[` + strings.Repeat("1000,", 50_000)
	testkit.That(t, (Source{}).Sniff([]byte(far), "x"), "samples before nodes are not recognised")
	for _, text := range []string{`{"nodes":[{"id":"a"}],` + times + `"samples":[1]}`, `{"nodes":[],"samples":[]}`, `{"startTime":"x","samples":[]}`, `{"samples":[1,2]}`} {
		testkit.That(t, !(Source{}).Sniff([]byte(text), "x"), "%s is recognised", text)
	}
}

// TestBlocked: a call may last long behind the last sample.
func TestBlocked(t *testing.T) {
	for rest, want := range map[string]string{
		`"samples":[2],"startTime":0,"endTime":50000000,"timeDeltas":[0]}`:                                   "a 0-50000000",
		`"samples":[2,3,2],"startTime":0,"endTime":1500000,"timeDeltas":[0,10,10]}`:                          "a 0-1500000, a;(anonymous):7 10-20",
		`"samples":[2,2,2,2],"startTime":0,"endTime":180000000,"timeDeltas":[0,30000000,30000000,30000000]}`: "a 0-180000000",
	} {
		if k, err := opened(t, "x.cpuprofile", `{"nodes":[`+callees+`],`+rest); err != nil || spansOf(k) != want || len(k.Losses) > 0 {
			t.Errorf("%s: %s, %v, %+v", rest, spansOf(k), err, k.Losses)
		}
	}
}

// TestThreads tells threads by the names of files.
func TestThreads(t *testing.T) {
	text := `{"nodes":[` + callees + `],"startTime":0,"endTime":9,"samples":[2],"timeDeltas":[1]}`
	for file, want := range map[string]string{
		"CPU.20261123.204900.4647.0.001.cpuprofile": "node 4647 4647 main",
		"CPU.20261123.204900.4647.3.002.cpuprofile": "node 4647 4647 thread 3",
		"game.cpuprofile": "game -1 main",
	} {
		k, err := opened(t, file, text)
		if got := fmt.Sprint(k.Info.Program, k.Info.PID, " ", k.Tracks[0].Name); err != nil || strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: %s, %v", file, got, err)
		}
	}
}

// TestTimesOutOfRange: a sample whose time can't be is told.
func TestTimesOutOfRange(t *testing.T) {
	k, err := opened(t, "x.cpuprofile", `{"nodes":[`+callees+`],"startTime":0,"endTime":1e18,"samples":[2,2,3],"timeDeltas":[1000,1000,1000000000000000000]}`)
	if err != nil || len(k.Losses) != 2 || k.Lost("the end of the profile (endTime)") != 1 || k.Losses[0].N != 1 || !strings.Contains(k.Losses[0].Detail, "invalid times of samples") || len(k.Warnings) > 0 {
		t.Errorf("%v, %+v, %q", err, k.Losses, k.Warnings)
	}
}

// Times that can't be do not make the profile longer, nor its idle time longer than it.
func TestDamagedTimes(t *testing.T) {
	const nodes = `{"nodes":[` + callees + `],"samples":[2,5,3,5],`
	for rest, want := range map[string]struct{ told, spans string }{
		`"startTime":1000,"endTime":1060,"timeDeltas":[10,10,10,10]}`:          {"", "a 10-20, a 30-40, a;(anonymous):7 30-40"},
		`"startTime":1000,"endTime":9000001060,"timeDeltas":[10,10,10,10]}`:    {"the end of the profile", "a 10-20, a 30-40, a;(anonymous):7 30-40"},
		`"startTime":1000,"endTime":"x","timeDeltas":[10,10,10,10]}`:           {"the end of the profile", "a 10-20, a 30-40, a;(anonymous):7 30-40"},
		`"startTime":1000,"endTime":1060,"timeDeltas":[10,10,90000000010,10]}`: {"the first is sample 3", "a 10-20, a 20-30, a;(anonymous):7 20-30"},
		`"startTime":1000,"endTime":1001,"timeDeltas":[10,10,10,10]}`:          {"", "a 10-20, a 30-40, a;(anonymous):7 30-40"},
		`"startTime":1000,"endTime":5001000,"timeDeltas":[10,10,1000000,10]}`:  {"", "a 10-20, a 1000020-1000030, a;(anonymous):7 1000020-1000030"},
	} {
		k, err := opened(t, "x.cpuprofile", nodes+rest)
		if err != nil || spansOf(k) != want.spans || (want.told == "") != (len(k.Losses) == 0) || want.told != "" && k.Lost(want.told) != 1 {
			t.Errorf("%s: %s, %+v, %v; want %s", rest, spansOf(k), k.Losses, err, want.spans)
		}
		a, _ := k.Session.Spans().Activity(0, 0, model.MaxTime)
		if !k.Info.Sampling.Idle || a.Ns[spans.StateUnknown] != 0 || a.Ns[spans.StateWaiting] == 0 && want.told != "the first is sample 3" || a.LivedNs > 6e9 {
			t.Errorf("%s: %+v", rest, a)
		}
	}
}

// TestCut cuts a profile anywhere: it is refused, or shows no more than there is.
func TestCut(t *testing.T) {
	data := recordings.Read(t, recordings.CPUProfile, "main.cpuprofile")
	whole := testkit.Must(opened(t, "x.cpuprofile", string(data)))(t)
	shown := 0
	for at := 0; at < len(data); at += 97 {
		k, err := opened(t, "x.cpuprofile", string(data[:at]))
		if err != nil {
			continue
		}
		testkit.MustThat(t, k.Lost("rest is left out") == 1, "cut at %d: %+v", at, k.Losses)
		if n := len(k.Samples[0]); n > 0 && !k.Info.Sampling.Timeless {
			shown++
			for i, s := range k.Samples[0] {
				testkit.MustThat(t, s.Time == whole.Samples[0][i].Time && k.Stack(0) == whole.Stack(0),
					"cut at %d: sample %d is %+v, want %+v", at, i, s, whole.Samples[0][i])
			}
		}
	}
	testkit.That(t, shown != 0, "no part has samples")
}

// FuzzSource reads anything: nothing breaks, and the store refuses nothing.
func FuzzSource(f *testing.F) {
	data := recordings.Read(f, recordings.CPUProfile, "worker-thread.cpuprofile")
	f.Add(data)
	f.Add([]byte(`{"nodes":[` + callees + `],"samples":[2,77,2],"startTime":0,"endTime":30,"timeDeltas":[0,10,-10]}`))
	f.Add([]byte(`{"nodes":[` + callees + `],"samples":[2,5,3],"startTime":0,"endTime":9e12,"timeDeltas":[0,10,99999999]}`))
	f.Add([]byte(`{"head":{"functionName":"x","id":2,"children":[{"id":1}]},"timestamps":[5,3],"samples":[1,2],"startTime":1e-3}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, _ := opened(t, "x.cpuprofile", string(data))
		feedtest.Unrefused(t, k.Session)
	})
}
