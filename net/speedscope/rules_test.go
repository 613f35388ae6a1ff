package speedscope

import (
	"encoding/json"
	"fmt"
	"math"
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

// shown writes the runs or calls of the first track by their begins, in ns, or its weights where there are no times.
func shown(k *tracetest.Sink) string {
	if !k.Info.Sampling.Timeless {
		return k.Runs(0, 1)
	}
	var out []string
	got := k.Weights(0, tracetest.Same)
	for _, name := range []string{"a", "b", "c", "frame 0?"} {
		if x, ok := got[name]; ok {
			out = append(out, fmt.Sprintf("%s %d %d", name, x.Inclusive, x.Self))
		}
	}
	return strings.Join(out, ", ")
}

// TestRules reads profiles as they should be, and others, with their diagnostics.
func TestRules(t *testing.T) {
	const ns = "nanoseconds"
	many := strings.Repeat(",[0]", 600)
	for _, c := range []struct{ name, text, shown, faults string }{
		{"calls that follow at once are not one", file(evented(ns, events("O0 0", "O1 1", "C1 4", "O1 4", "C1 4", "C0 9"))),
			"a 0-9, a;b 1-4, a;b 4-4", ""},
		{"a call that goes on", file(evented(ns, events("O0 0", "O1 1", "C1 4"))), "a 0-100+, a;b 1-4", "1 no-end"},
		{"time goes back", file(evented(ns, events("O0 5", "O1 3", "C1 9", "C0 9"))), "a 5-9, a;b 5-9", "1 late-event"},
		{"not on top", file(evented(ns, events("O0 0", "O1 1", "C0 4", "C1 5"))), "a 0-4, a;b 1-4+", "1 unmatched-end, 1 missing-end"},
		{"frame without a name", file(evented(ns, events("O7 0", "C7 2"))), "frame 7? 0-2", "1 bad-reference"},
		{"an event that can't be read", file(evented(ns, events("O0 1", "O1 2")+`,{"type":?,"at":`+","+events("C1 3", "C0 4"))), "a 1-4, a;b 2-3", "1 gap"},
		{"half an event", file(evented(ns, `{"type":"O","at":3},`+events("O0 3", "C0 4"))), "a 3-4", "1 bad-event"},
		{"times that can't be", file(evented("seconds", events("O0 1e-9", "O1 1e300", "C0 4e-9"))), "a 1-4", "1 bad-event"},
		{"samples", file(sampled(ns, "[0,1],[0,1],[],[0,1],[0]", "1,2,1,1.5,0.5")), "a 0-3, a;b 0-3, a 4-6, a;b 4-6", ""},
		{"fewer weights", file(sampled(ns, "[0],[0],[0]", "2,2")), "a 0-4", "1 bad-weight"},
		{"negative weight", file(sampled(ns, "[0],[0],[0]", "2,-2,3")), "a 0-5", "1 bad-weight"},
		{"microseconds", file(sampled("microseconds", "[0]", "0.25")), "a 0-250", ""},
		{"a begin that can't be", strings.Replace(file(sampled(ns, "[0]", "1")), "5", "1e99", 1), "a 0-1", "1 bad-time"},
		{"a name that is none", strings.Replace(file(sampled(ns, "[0]", "1")), `"a"`, "7", 1), "(unnamed) 0-1", "1 bad-name"},
		{"a comma too much", file(sampled(ns, "[0,,1]", "1")), "a 0-1, a;frame -1? 0-1, a;frame -1?;b 0-1", "1 bad-reference, 1 control-bytes"},
		{"two files in one", file(sampled("seconds", "[2]", "7")) + file(), "c 0-7000000000", "1 unread"},
		{"bytes", file(sampled("bytes", "[0],[0,1],[0,1]", "100,5000000000,1"), sampled("none", "[2]", "7")),
			"a 5000000101 100, b 5000000001 5000000001", ""},
		{"times before bytes", file(sampled("bytes", "[0]", "3"), sampled("seconds", "[2]", "7")), "c 0-7000000000", ""},
		{"samples without a stack", file(sampled("none", "[0,1],[],[0]", "1,5,1")), "a 2 1, b 1 1", ""},
		{"fractions", file(sampled("none", "[0],[1],[2]", "0.25,0.5,40")), "a 3 3, b 5 5, c 400 400", ""},
		{"whole sums", file(sampled("none", "[0],[0],[0],[1]", "0.5,0.25,0.25,7")), "a 1 1, b 7 7", ""},
		{"few", file(sampled("none", "[0],[1]", "0.0004,0.0003")), "a 4 4, b 3 3", ""},
		{"calls without times", file(evented("none", events("O0 0.1", "O1 0.3", "C1 0.6", "C0 0.7"))), "a 6 3, b 3 3", ""},
		{"too much", file(sampled("bytes", "[0],[1],[2]", "3,9007199254740994,4")), "a 3 3, c 4 4", "1 large-weight"},
		{"more than a number", file(sampled("bytes", "[0],[1],[2]", "3,1e400,4")), "a 3 3, b 0 0, c 4 4", "1 bad-weight"},
		{"together too much", file(sampled("bytes", "[1]"+many+",[2]", "3"+strings.Repeat(",9007199254740992", 600)+",4")),
			"a 4602678819172646912 4602678819172646912, b 3 3, c 4 4", "89 large-weight"},
		{"cut before weights", strings.SplitAfter(file(sampled(ns, "[0],[0,1],[2],[2]", "")), "weights")[0],
			"frame 0? 0-2, frame 0?;frame 1? 1-2, frame 2? 2-4", "5 bad-reference, 1 unread"},
		{"a place in weights", file(sampled(ns, "[0],[1],[2],[1]", "1,\x00\x00\x00\x00,1")), "a 0-1, b 1-2, c 2-3, b 3-4", "5 control-bytes"},
		{"a place in samples", file(sampled(ns, "[0],[0,\x00\x00\x002],[1]", "1,1,1,1")),
			"a 0-1, (unknown) 1-3, b 3-4", "3 control-bytes"},
	} {
		k, err := opened(t, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var faults []string
		for _, l := range k.Losses {
			faults = append(faults, fmt.Sprintf("%d %s", l.N, l.Kind))
		}
		got := strings.Join(faults, ", ")
		testkit.That(t, shown(k) == c.shown && got == c.faults, "%s: %s; %s, want %s; %s", c.name, shown(k), got, c.shown, c.faults)
		for _, s := range k.Spans[0] {
			testkit.That(t, (s.Flags&model.SpanUncertain != 0) == strings.Contains(c.text, "sampled"), "%s: flags %b", c.name, s.Flags)
		}
	}
}

// TestRefused reads what has nothing to show.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"$schema":"https://www.speedscope.app/file-format-schema.json"}`: "has no profiles",
		`{"shared":{"frames":[{"name":"a"},{"na`:                           "has no profiles: byte 35: the file ends inside a value",
		file(`{"type":"other","name":"x"}`):                                "no profile that can be shown",
	} {
		if _, err := opened(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	k, err := opened(t, file())
	testkit.That(t, err == nil && len(k.Losses) == 0, "an empty list of profiles: %v", err)
}

// TestClocks: profiles have one clock, whose 0 is the begin of the earliest, whatever their units and digits.
func TestClocks(t *testing.T) {
	k, err := opened(t, file(
		strings.Replace(sampled("seconds", "[0]", "0.5"), `:5,`, `:1763931600.250000125,`, 1),
		strings.Replace(sampled("milliseconds", "[1]", "250"), `:5,`, `:1763931600000,`, 1)))
	if err != nil || k.Runs(0, 1) != "a 250000125-750000125" || k.Runs(1, 1) != "b 0-250000000" {
		t.Errorf("%s; %s; %v", k.Runs(0, 1), k.Runs(1, 1), err)
	}
	testkit.That(t, strings.Contains(k.Info.Detail, "0 is 1763931600000000000 ns"), "%s", k.Info.Detail)
}

// TestThreads tells threads by the names that py-spy gives profiles.
func TestThreads(t *testing.T) {
	for name, want := range map[string]string{
		`Thread 27889 \"MainThread\"`: "MainThread|27889|", `Process 27951 Thread 27952 \"\"`: "thread 27952|27952|process 27951",
		`Thread 3 \"audio; \"quoted\"\"`: `audio; "quoted"|3|`, `Thread 0x104D2C580 \"Main\"`: "Main|4375889280|", "": "profile 1|0|", "worker": "worker|0|",
	} {
		k := testkit.Must(opened(t, file(strings.Replace(sampled("seconds", "[0]", "1"), `"s"`, `"`+name+`"`, 1))))(t)
		d := k.Tracks[0]
		got := fmt.Sprintf("%s|%d|%s", d.Name, d.Index, d.Process)
		testkit.That(t, got == want, "%s: %s, want %s", name, got, want)
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
			if err != nil || k.Info.Sampling.Timeless {
				continue // it ends before what samples weigh
			}
			testkit.MustThat(t, at >= len(data)-1 || strings.Contains(tracetest.Faults(k.Session), "1 unread"), "%s cut at %d: %v", name, at, k.Losses)
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

// truth is what another program finds in a capture, in the units of the profiles.
type truth struct {
	Active   *int `json:"activeProfileIndex"`
	Exporter string
	Profiles []struct {
		Type, Name, Unit string
		Samples, Spans   int
		Empty            int64           `json:"empty_samples"`
		Sum              float64         `json:"weights_sum"`
		Depth            int             `json:"max_depth"`
		ByName           json.RawMessage `json:"by_name"`
		Errors           []string
		Open             int `json:"open_at_end"`
		First            []struct {
			Name       string
			Begin, End float64
			Depth      int
		} `json:"first_spans"`
	}
}

type sum struct {
	Name            string
	Spans           int
	Self, Inclusive float64
}

// sums are the figures by name, of both forms.
func sumsOf(t *testing.T, raw json.RawMessage) map[string]sum {
	out := map[string]sum{}
	if raw[0] == '{' {
		testkit.OK(t, json.Unmarshal(raw, &out))
		return out
	}
	var list []sum
	testkit.OK(t, json.Unmarshal(raw, &list))
	for _, s := range list {
		out[s.Name] = s
	}
	return out
}

// TestCaptures compares each capture with its truth.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game-threads", "game-nothreads", "game-evented", "simple-evented-0.0.1", "two-sampled-0.6.0", "broken-out-of-order",
	} {
		t.Run(name, func(t *testing.T) {
			want := recordings.JSON[truth](t, recordings.Speedscope, name+".truth.json")
			head := recordings.Read(t, recordings.Speedscope, name+".speedscope.json")
			testkit.That(t, (Source{}).Sniff(head, name), "it is not recognised")
			k := testkit.Must(tracetest.Open(t, Source{}, recordings.File(t, recordings.Speedscope, name+".speedscope.json")))(t)
			compare(t, k, want)
		})
	}
}

func compare(t *testing.T, k *tracetest.Sink, want *truth) {
	if len(k.Tracks) != len(want.Profiles) || want.Exporter != "" && !strings.Contains(k.Info.Detail, want.Exporter) {
		t.Fatalf("%d threads, want %d; %s", len(k.Tracks), len(want.Profiles), k.Info.Detail)
	}
	errors := 0
	for i, w := range want.Profiles {
		id := model.TrackID(i)
		if name := k.Tracks[i].Name; !strings.Contains(w.Name, name) && (name != "main" || len(k.Tracks) > 1) || k.Tracks[i].Main != (want.Active != nil && *want.Active == i) {
			t.Errorf("%+v, want %s", k.Tracks[i], w.Name)
		}
		errors += len(w.Errors)
		got, scale := k.Times(id, tracetest.Same), 1e9
		if w.Unit != "seconds" {
			scale = 1
			testkit.That(t, k.Info.Sampling.Timeless, "it has times")
			got = k.Weights(id, tracetest.Same)
		}
		sums := sumsOf(t, w.ByName)
		testkit.That(t, len(got) == len(sums), "%d names, want %d", len(got), len(sums))
		spans := 0
		for name, x := range sums {
			spans += x.Spans
			if w.Unit == "none" && len(w.Errors) > 0 {
				continue // an end of another call ends the innermost there, here the call of its name
			}
			if d := math.Abs(float64(got[name].Self) - x.Self*scale); d > scale/1e7 {
				t.Errorf("%s, %s: %+v, want %+v", w.Name, name, got[name], x)
			}
			if d := math.Abs(float64(got[name].Inclusive) - x.Inclusive*scale); d > scale/1e7 {
				t.Errorf("%s, %s: %+v, want %+v", w.Name, name, got[name], x)
			}
		}
		if w.Type == "sampled" && len(k.Samples[id]) != w.Samples {
			t.Errorf("%d samples, want %d", len(k.Samples[id]), w.Samples)
		}
		if w.Type == "evented" && w.Unit == "seconds" {
			testkit.That(t, len(k.Spans[id]) == spans && k.Session.Track(id).Lanes() == w.Depth,
				"%d calls, want %d", len(k.Spans[id]), spans)
			for n, f := range w.First {
				s := k.Spans[id][n]
				if k.Name(s.Path) != f.Name || int(s.Lane) != f.Depth || s.Begin != int64(math.Round(f.Begin*1e9)) ||
					s.End != int64(math.Round(f.End*1e9)) || s.Flags != 0 {
					t.Errorf("call %d: %+v, want %+v", n, s, f)
				}
			}
		}
	}
	n := int64(0)
	for _, l := range k.Losses {
		n += l.N
	}
	testkit.That(t, n == int64(errors), "%d errors, want %d: %v", n, errors, k.Losses)
}
