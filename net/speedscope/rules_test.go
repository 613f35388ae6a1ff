package speedscope

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
)

func opened(t testing.TB, text string) (*tracetest.Sink, error) {
	t.Helper()
	return tracetest.Text(t, Source{}, "x.speedscope.json", text)
}

// TestCases reads profiles as they should be, and others.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "x.speedscope.json") }

// TestTogetherTooMuch: of stacks whose weights can't be added up any more, those that come then are left out.
func TestTogetherTooMuch(t *testing.T) {
	text := `{"profiles":[{"type":"sampled","unit":"bytes","samples":[[1]` + strings.Repeat(",[0]", 600) + `,[2]],"weights":[3` +
		strings.Repeat(",9007199254740992", 600) + `,4]}],"shared":{"frames":[{"name":"a"},{"name":"b"},{"name":"c"}]}}`
	k := testkit.Must(opened(t, text))(t)
	got := k.Weights(0, tracetest.Same)
	testkit.Equal(t, fmt.Sprint(got), "map[a:{4602678819172646912 4602678819172646912} b:{3 3} c:{4 4}]", "weights")
	testkit.Equal(t, tracetest.Faults(k.Session), "89 large-weight at byte 13", "faults")
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
	for _, text := range feedtest.CaseTexts(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := opened(t, string(data))
		testkit.That(t, err != nil || k.Ended != "", "it did not end")
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
		testkit.That(t, w.Type != "sampled" || len(k.Samples[id]) == w.Samples,
			"%d samples, want %d", len(k.Samples[id]), w.Samples)
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
