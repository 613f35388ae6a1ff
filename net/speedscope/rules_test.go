package speedscope

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

func opened(t testing.TB, text string) (*tracetest.Sink, error) {
	t.Helper()
	return tracetest.Text(t, Source{}, "x.speedscope.json", text)
}

// spansOf writes the runs or calls of a track, by their begins.
func spansOf(k *tracetest.Sink, track model.TrackID) string { return k.Runs(track, 1) }

func file(profiles ...string) string {
	return `{"profiles":[` + strings.Join(profiles, ",") + `],"shared":{"frames":[{"name":"a"},{"name":"b","file":"/x/b.py","line":3},{"name":"c","file":null}]}}`
}

func evented(unit, events string) string {
	return `{"type":"evented","name":"e","unit":"` + unit + `","startValue":0,"endValue":100,"events":[` + events + `]}`
}

func sampled(unit, samples, weights string) string {
	return `{"type":"sampled","name":"s","unit":"` + unit + `","startValue":5,"endValue":9,"samples":[` + samples + `],"weights":[` + weights + `]}`
}

// events writes O and C with their times and frames: "O0 1".
func events(list ...string) string {
	var out []string
	for _, e := range list {
		frame, at, _ := strings.Cut(e[1:], " ")
		out = append(out, fmt.Sprintf(`{"type":%q,"at":%s,"frame":%s}`, e[:1], at, frame))
	}
	return strings.Join(out, ",")
}

// TestRules reads profiles as they should be, and others.
func TestRules(t *testing.T) {
	for _, c := range []struct{ name, text, spans, lost string }{
		{"calls that follow at once are not one", file(evented("nanoseconds", events("O0 0", "O1 1", "C1 4", "O1 4", "C1 4", "C0 9"))),
			"a 0-9, a;b 1-4, a;b 4-4", ""},
		{"a call that goes on", file(evented("nanoseconds", events("O0 0", "O1 1", "C1 4"))), "a 0-100+, a;b 1-4", "calls have no end"},
		{"time goes back", file(evented("nanoseconds", events("O0 5", "O1 3", "C1 9", "C0 9"))), "a 5-9, a;b 5-9", "back in time"},
		{"not on top", file(evented("nanoseconds", events("O0 0", "O1 1", "C0 4", "C1 5"))), "a 0-4, a;b 1-4+", "ends of calls are missing"},
		{"never began", file(evented("nanoseconds", events("O0 0", "C1 2", "C0 4"))), "a 0-4", "never began"},
		{"frame without a name", file(evented("nanoseconds", events("O7 0", "C7 2"))), "frame 7? 0-2", "not in the list"},
		{"half an event", file(evented("nanoseconds", `{"type":"O","at":3},`+events("O0 3", "C0 4"))), "a 3-4", "lack a type, a time or a frame: they are left out; the first is in what begins at byte 103"},
		{"times that can't be", file(evented("seconds", events("O0 1e-9", "O1 1e300", "C1 99999999999999999999", "C0 4e-9"))), "a 1-4",
			"events without a valid time are left out"},
		{"samples", file(sampled("nanoseconds", "[0,1],[0,1],[],[0,1],[0]", "1,2,1,1.5,0.5")), "a 0-3, a;b 0-3, a 4-6, a;b 4-6", ""},
		{"fewer weights", file(sampled("nanoseconds", "[0],[0],[0]", "2,2")), "a 0-4", "no weight"},
		{"negative weight", file(sampled("nanoseconds", "[0],[0],[0]", "2,-2,3")), "a 0-5", "weights are negative or not numbers: they count as 0; the first is in what begins at byte 13"},
		{"microseconds", file(sampled("microseconds", "[0]", "0.25")), "a 0-250", ""},
	} {
		k, err := opened(t, c.text)
		if err != nil || spansOf(k, 0) != c.spans {
			t.Errorf("%s: %s, %v; want %s", c.name, spansOf(k, 0), err, c.spans)
			continue
		}
		if (c.lost == "") != (len(k.Losses) == 0) || c.lost != "" && k.Lost(c.lost) == 0 {
			t.Errorf("%s: %v", c.name, k.Losses)
		}
		for _, s := range k.Spans[0] {
			testkit.That(t, (s.Flags&model.SpanUncertain != 0) == strings.Contains(c.text, "sampled"),
				"%s: flags %b", c.name, s.Flags)
		}
	}
}

// TestUnits: profiles of another unit than time have none, and do not mix.
func TestUnits(t *testing.T) {
	k, err := opened(t, file(sampled("bytes", "[0],[0,1],[0,1]", "100,5000000000,1"), sampled("none", "[2]", "7")))
	if err != nil || !k.Info.Sampling.Timeless || len(k.Tracks) != 1 || len(k.Warnings) != 1 {
		t.Fatal(err, k.Info, k.Warnings)
	}
	got := k.Weights(0, tracetest.Same)
	if got["a"] != (tracetest.Sum{Self: 100, Inclusive: 5000000101}) || got["b"] != (tracetest.Sum{Self: 5000000001, Inclusive: 5000000001}) {
		t.Errorf("%+v", got)
	}
	k, err = opened(t, file(sampled("bytes", "[0]", "3"), sampled("seconds", "[2]", "7")))
	if err != nil || k.Info.Sampling.Timeless || spansOf(k, 0) != "c 0-7000000000" || len(k.Warnings) != 1 {
		t.Errorf("%v, %s, %q", err, spansOf(k, 0), k.Warnings)
	}
	for text, want := range map[string]string{
		`{"$schema":"https://www.speedscope.app/file-format-schema.json"}`: "has no profiles",
		file(`{"type":"other","name":"x"}`):                                "no profile that can be shown",
	} {
		if _, err := opened(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if k, err := opened(t, file(sampled("seconds", "[2]", "7"))+file(sampled("seconds", "[1]", "7"))); err != nil || spansOf(k, 0) != "c 0-7000000000" ||
		len(k.Losses) != 1 || !strings.Contains(k.Losses[0].Detail, "data after the end") {
		t.Errorf("two profiles, one behind the other: %v, %+v", err, k.Losses)
	}
	if k, err := opened(t, file()); err != nil || len(k.Losses) > 0 {
		t.Errorf("an empty list of profiles: %v", err)
	}
}

// TestClocks: profiles have one clock, whose 0 is the begin of the earliest, whatever their units and digits.
func TestClocks(t *testing.T) {
	k, err := opened(t, file(
		strings.Replace(sampled("seconds", "[0]", "0.5"), `:5,`, `:1763931600.250000125,`, 1),
		strings.Replace(sampled("milliseconds", "[1]", "250"), `:5,`, `:1763931600000,`, 1)))
	if err != nil || spansOf(k, 0) != "a 250000125-750000125" || spansOf(k, 1) != "b 0-250000000" {
		t.Errorf("%s; %s; %v", spansOf(k, 0), spansOf(k, 1), err)
	}
	if !strings.Contains(k.Info.Detail, "0 is 1763931600000000000 ns") {
		t.Error(k.Info.Detail)
	}
}

// TestThreads tells threads by the names that py-spy gives profiles.
func TestThreads(t *testing.T) {
	for name, want := range map[string]string{
		`Thread 27889 \"MainThread\"`: "MainThread|27889|", `Process 27951 Thread 27952 \"\"`: "thread 27952|27952|process 27951",
		`Thread 3 \"audio; \"quoted\"\"`: `audio; "quoted"|3|`, `Thread 0x104D2C580 \"Main\"`: "Main|4375889280|", "": "profile 1|0|", "worker": "worker|0|",
	} {
		k := testkit.Must(opened(t, file(strings.Replace(sampled("seconds", "[0]", "1"), `"s"`, `"`+name+`"`, 1))))(t)
		d := k.Tracks[0]
		if got := fmt.Sprintf("%s|%d|%s", d.Name, d.Index, d.Process); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestSums warns of samples that seem to be in no order of time.
func TestSums(t *testing.T) {
	k, _ := opened(t, file(sampled("milliseconds", "[0],[0,1],[0,2]", "100,7,3000")))
	testkit.That(t, len(k.Warnings) == 1 && strings.Contains(k.Warnings[0], "no order of time"), "%q", k.Warnings)
	k, _ = opened(t, file(sampled("milliseconds", "[0],[0,1],[0]", "100,7,3000")))
	testkit.That(t, len(k.Warnings) == 0, "%q", k.Warnings)
}

// Samples without a stack are samples, with a weight or without one.
func TestEmptyStacks(t *testing.T) {
	for weights, want := range map[string]int64{"1,5,1": 7, "1,1,1": 3} {
		s := feedtest.Made(t, Source{}, "a.speedscope.json", file(sampled("none", "[0,1],[],[0]", weights)))
		begin, end, _ := s.Bounds()
		n, ok := s.Spans().NumSamples(0, begin, end+1)
		testkit.That(t, ok && n == want, "weights %s: %d samples, %t", weights, n, ok)
	}
}

// TestCut cuts files anywhere: what came before is as it was.
func TestCut(t *testing.T) {
	for _, name := range []string{"game-threads", "game-evented"} {
		data := recordings.Read(t, recordings.Speedscope, name+".speedscope.json")
		want := testkit.Must(opened(t, string(data)))(t)
		most := 0
		for at := 0; at < len(data); at += 61 {
			k, err := opened(t, string(data[:at]))
			if err != nil {
				continue
			}
			if k.Lost("rest is left out") != 1 && at < len(data)-1 {
				t.Fatalf("%s cut at %d: %v", name, at, k.Losses)
			}
			if k.Info.Sampling.Timeless {
				continue // it ends before what samples weigh
			}
			for id, list := range k.Samples {
				most = max(most, len(list))
				for i, s := range list {
					testkit.MustThat(t, s.Time == want.Samples[id][i].Time,
						"%s cut at %d: %+v, want %+v", name, at, s, want.Samples[id][i])
				}
			}
			if name == "game-threads" {
				continue // its frames come last: what is called alike is not known to be before
			}
			for id, list := range k.Spans {
				most = max(most, len(list))
				for i, s := range list {
					w := want.Spans[id][i]
					if s.Begin != w.Begin || s.Lane != w.Lane || s.End != w.End && s.Flags&(model.SpanOpenEnd|model.SpanUncertain) == 0 {
						t.Fatalf("%s cut at %d: %+v, want %+v", name, at, s, w)
					}
				}
			}
		}
		testkit.That(t, most != 0, "%s: no part has spans", name)
	}
}

// TestCutBeforeWeights reads a profile that ends before it says what its samples weigh: each counts as one,
// in no time, and that the rest is missing is told.
func TestCutBeforeWeights(t *testing.T) {
	const whole = `{"shared":{"frames":[{"name":"a"},{"name":"b"},{"name":"c"}]},"profiles":[{"type":"sampled","name":"s",` +
		`"unit":"milliseconds","startValue":5,"endValue":9,"samples":[[0],[0,1],[2],[2],[0`
	for _, text := range []string{whole, whole[:len(whole)-3] + `],"weights":`, whole[:len(whole)-3] + `],"wei`} {
		k, err := opened(t, text)
		got := k.Weights(0, tracetest.Same)
		if err != nil || k.Lost("rest is left out: byte ") != 1 || !k.Info.Sampling.Timeless || got["c"].Self != 2 || got["b"].Self != 1 {
			t.Errorf("%s: %v, %v, %+v", text, err, got, k.Losses)
		}
	}
}

// TestFractions keeps weights below 1: they add up, and are counted in parts of the unit where they would
// vanish else.
func TestFractions(t *testing.T) {
	for text, want := range map[string]map[string]int64{
		sampled("none", "[0],[1],[2]", "0.25,0.5,40"):                   {"a": 3, "b": 5, "c": 400},
		sampled("none", "[0],[0],[0],[1]", "0.5,0.25,0.25,7"):           {"a": 1, "b": 7},
		sampled("none", "[0],[1]", "0.0004,0.0003"):                     {"a": 4, "b": 3},
		evented("none", events("O0 0.1", "O1 0.3", "C1 0.6", "C0 0.7")): {"a": 3, "b": 3},
	} {
		k, err := opened(t, file(text))
		got := k.Weights(0, tracetest.Same)
		for name, n := range want {
			testkit.That(t, err == nil && got[name].Self == n, "%s: %v, %+v, want %v", text, err, got, want)
		}
		if len(k.Losses) > 0 || strings.Contains(fmt.Sprint(k.Warnings), "in parts of 1/") != (want["c"] > 0 || want["b"] < 7) {
			t.Errorf("%s: %q %+v", text, k.Warnings, k.Losses)
		}
	}
}

// TestTooMuch checks that a weight that can't be costs its own sample, and that so do those with which
// all would be more than can be summed up.
func TestTooMuch(t *testing.T) {
	for _, huge := range []string{"1e30", "1e400", "9007199254740994"} {
		k, err := opened(t, file(sampled("bytes", "[0],[1],[2]", "3,"+huge+",4")))
		got := k.Weights(0, tracetest.Same)
		if err != nil || got["a"].Self != 3 || got["c"].Self != 4 || len(got) != 2 || k.Lost("more than 2^53") != 1 {
			t.Errorf("%s: %+v, %v, %v", huge, got, k.Losses, err)
		}
	}
	k, err := opened(t, file(sampled("bytes", "[1]"+strings.Repeat(",[0]", 600)+",[2]", "3"+strings.Repeat(",9007199254740992", 600)+",4")))
	got := k.Weights(0, tracetest.Same)
	testkit.That(t, err == nil && len(got) == 2 && got["c"].Self == 4 && k.Lost("more than 2^62") == 1,
		"%+v, %v, %v", got, k.Losses, err)
}

// FuzzSource reads anything: nothing breaks, and the store refuses nothing. What it begins with is small:
// whatever is new in a change of a large one is made smaller for a minute, and hardly anything else is
// tried.
func FuzzSource(f *testing.F) {
	for _, name := range []string{"broken-out-of-order", "two-sampled-0.6.0"} {
		f.Add(recordings.Read(f, recordings.Speedscope, name+".speedscope.json"))
	}
	f.Add([]byte(file(sampled("none", "[0,1],[],[0,7]", "2,1e30,-1"), evented("bytes", events("O0 0", "C1 4", "O9 2", "C0 99")))))
	f.Add([]byte(file(evented("seconds", events("O0 0", "O1 1", "C0 4", "C1 5")), sampled("bytes", "[0],[1]", "1,2"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := opened(t, string(data))
		if err == nil && k.Ended == "" {
			t.Error("it did not end")
		}
		feedtest.Unrefused(t, k.Session)
		Source{}.Sniff(data, "x")
	})
}
