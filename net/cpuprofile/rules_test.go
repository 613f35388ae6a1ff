package cpuprofile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
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
		told := len(k.Warnings) > 0
		testkit.That(t, told == (name == "backward"), "%s: %q", name, k.Warnings)
	}
}

var someplace = regexp.MustCompile(` at byte \d+`)

// TestDamage reads profiles of which one thing is not as it should be: the runs, and the diagnostics.
func TestDamage(t *testing.T) {
	const good = `{"nodes":[` + callees + `],"startTime":0,"endTime":30,"samples":[2,3,2],"timeDeltas":[0,10,10]}`
	const runs = "a 0-30, a;(anonymous):7 10-20"
	for _, c := range []struct{ from, to, runs, faults string }{
		{`[2,3,2]`, `[2,77,2]`, "a 0-10, (unknown) 10-20, a 20-30", "1 bad-reference"},
		{`[2,3,2]`, `[2,,2]`, "a 0-10, (unknown) 10-20, a 20-30", "1 bad-reference, 1 control-bytes"},
		{`[2,3,2]`, `[2,3,2,2]`, runs, "1 bad-time"},
		{`"children":[3]`, `"children":[3,2]`, runs, "1 bad-reference"},
		{`"children":[3]`, `"children":[3,-1]`, runs, "1 bad-reference"},
		{`"children":[3]`, `"children":[3,"x"]`, runs, "1 bad-reference"},
		{`"children":[2,5]`, `"children":[2,5,3]`, "a 0-10, (anonymous):7 10-20, a 20-30", "1 bad-reference"},
		{`"lineNumber":6}`, `"lineNumber":6},"children":[2]`, "a 0-30, a;(anonymous):7 10-20", "1 bad-reference"},
		{`"id":5,`, `"id":3,`, runs, "2 bad-reference"},
		{`"id":5,`, `"id":-3,`, runs, "1 bad-number, 1 bad-reference"},
		{`"lineNumber":6`, `"lineNumber":1e15`, "a 0-30, a;(anonymous) 10-20", "1 bad-number"},
		{`"functionName":"a"`, `"functionName":7`, "", "1 bad-name"},
		{`"startTime":0`, `"startTime":"x"`, runs, "1 bad-header"},
		{`[0,10,10]`, `[0,1000000000000000000,20]`, "a 0-30, a;(anonymous):7 0-20", "1 bad-time"},
		{`"endTime":30`, `"endTime":5`, "a 0-20, a;(anonymous):7 10-20", ""},
		{`"functionName":"a"`, `"functionName":null`, "", ""},
		{`,"timeDeltas":[0,10,10]}`, ``, "", "1 unread"},
		{`{"id":3,"callFrame":{`, `{"id":3,?`, "a 0-30, a;(anonymous) 10-20", "1 gap"},
	} {
		k, err := opened(t, "x.cpuprofile", strings.Replace(good, c.from, c.to, 1))
		if err != nil || c.runs != "" && spansOf(k) != c.runs {
			t.Errorf("%s: %s, %v; want %s", c.to, spansOf(k), err, c.runs)
		}
		got := someplace.ReplaceAllString(tracetest.Faults(k.Session), "")
		testkit.That(t, got == c.faults, "%s: %s, want %s", c.to, got, c.faults)
	}
}

// TestCounts reads profiles without times, or of which these are cut off: what is counted.
func TestCounts(t *testing.T) {
	const tree = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},` +
		`{"id":2,"hitCount":4,"callFrame":{"functionName":"a"},"children":[3]},{"id":3,"hitCount":12,"callFrame":{"functionName":"b"}}`
	const bare = `{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},{"id":2,"callFrame":{"functionName":"b"}}]`
	for text, want := range map[string]string{
		tree + `]}`: "a 4, b 12",
		strings.Replace(tree, "4,", "-4,", 1) + `]}`:               "b 12; 1 bad-number at byte 91",
		strings.Replace(tree, "4,", "9007199254740994,", 1) + `]}`: "b 12; 1 large-weight",
		tree:                           "a 4, b 12; 1 unread",
		tree + `,{"id":4,"hitCount":7`: "a 4, b 12; 1 unread",
		tree[:len(tree)-len(`},"callFrame":{"functionName":"b"}`)]: "a 4; 1 unread",
		bare + `,"samples":[2,2,1,2,`:                              "a 1, b 3; 1 unread",
		bare + `,"samples":[2,1],"timeDeltas":[`:                   "a 1, b 1; 1 unread",
	} {
		k, err := opened(t, "x.cpuprofile", text)
		var list []string
		for name, sum := range k.Weights(0, plain) {
			if sum.Self > 0 {
				list = append(list, fmt.Sprint(name, " ", sum.Self))
			}
		}
		slices.Sort(list)
		got := strings.Join(list, ", ")
		if faults := tracetest.Faults(k.Session); faults != "" {
			got += "; " + faults
		}
		testkit.That(t, err == nil && k.Info.Sampling.Timeless && got == want, "%s: %s, want %s; %v", text, got, want, err)
	}
}

// TestRefused reads what has nothing to show.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}`: "heap profile",
		`{"nodes":[{"id":1,"callFrame":{"functionName":"p"}},{"id":2,`:                "no whole tree",
		`{"startTime":4}`: "no tree of calls",
	} {
		_, err := opened(t, "x.cpuprofile", text)
		testkit.That(t, err != nil && strings.Contains(err.Error(), want), "%s: %v", text, err)
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

// TestCut cuts a profile anywhere: it is refused, or shows no more than there is, at its times as far as these are there.
func TestCut(t *testing.T) {
	data := recordings.Read(t, recordings.CPUProfile, "main.cpuprofile")
	whole := testkit.Must(opened(t, "x.cpuprofile", string(data)))(t)
	shown := 0
	for at := 0; at < len(data); at += 97 {
		k, err := opened(t, "x.cpuprofile", string(data[:at]))
		if err != nil {
			continue
		}
		testkit.MustThat(t, tracetest.Faults(k.Session) == "1 unread", "cut at %d: %+v", at, k.Losses)
		if n := len(k.Samples[0]); n > 0 && !k.Info.Sampling.Timeless {
			shown++
			_, deltas, _ := strings.Cut(string(data[:at]), `"timeDeltas":[`)
			known := strings.Count(deltas, ",")
			testkit.Equal(t, n, len(whole.Samples[0]), "cut at %d: samples", at)
			for i, s := range k.Samples[0] {
				w := whole.Samples[0][i]
				testkit.MustThat(t, s.Value == w.Value && (i >= known || s.Time == w.Time) && s.Time <= whole.Samples[0][n-1].Time+1e6,
					"cut at %d: sample %d is %+v, want %+v", at, i, s, w)
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

// truth is what another program finds in a capture; times in µs.
type truth struct {
	Samples int   `json:"samples"`
	Start   int64 `json:"startTime_us"`
	First   int64 `json:"first_sample_us"`
	Last    int64 `json:"last_sample_us"`
	Back    int   `json:"negative_deltas"`
	Total   int64
	Depth   int `json:"max_depth"`
	ByName  []struct {
		Name            string
		Self, Inclusive int64
	} `json:"by_name"`
	Hits map[string]int64 `json:"hits_by_name"`
}

var place = regexp.MustCompile(`:\d+$`)

// plain is the name of a function as the file has it.
func plain(name string) string { return place.ReplaceAllString(name, "") }

// TestCaptures compares each capture with its truth: samples and times by name, and what was idle.
func TestCaptures(t *testing.T) {
	for _, name := range []string{"main", "fine", "worker-main", "worker-thread"} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.CPUProfile, name+".cpuprofile")
			want := recordings.JSON[truth](t, recordings.CPUProfile, name+".truth.json")
			k, err := tracetest.Open(t, Source{}, path)
			if err != nil || len(k.Losses) > 0 {
				t.Fatal(err, k.Losses)
			}
			compare(t, k, want)
		})
	}
}

func compare(t *testing.T, k *tracetest.Sink, want *truth) {
	samples := k.Samples[0]
	if len(samples) != want.Samples || samples[0].Time != (want.First-want.Start)*1000 ||
		samples[len(samples)-1].Time != (want.Last-want.Start)*1000 {
		t.Errorf("%d samples from %d to %d ns", len(samples), samples[0].Time, samples[len(samples)-1].Time)
	}
	n := k.Session.Track(0).Lanes()
	testkit.That(t, n == want.Depth-1, "%d rows, want %d below (root)", n, want.Depth-1)
	times, counts := k.Times(0, plain), k.Counts(0, plain)
	idle, idleSamples, named := int64(0), int64(0), 0
	for _, w := range want.ByName {
		switch w.Name {
		case "(root)":
			continue
		case "(idle)":
			idle = w.Self
			continue
		}
		named++
		testkit.That(t, times[w.Name].Self == w.Self*1000 && times[w.Name].Inclusive == w.Inclusive*1000,
			"%s: %+v ns, want %+v µs", w.Name, times[w.Name], w)
		hits := want.Hits[w.Name]
		if w.Name == "(program)" {
			hits++ // V8 writes one sample more than it counts
		}
		testkit.That(t, counts[w.Name].Self == hits, "%s: %d samples, want %d", w.Name, counts[w.Name].Self, hits)
	}
	testkit.That(t, named == len(times), "%d names, want %d", len(times), named)
	for _, s := range samples {
		if model.PathID(s.Value) == model.PathRoot {
			idleSamples++
		}
	}
	testkit.That(t, idleSamples == want.Hits["(idle)"],
		"%d samples found it idle, want %d", idleSamples, want.Hits["(idle)"])
	told := strings.Contains(k.Info.Detail, "found it idle")
	testkit.That(t, told == (idle > 0), "idle for %d µs: %s", idle, k.Info.Detail)
}
