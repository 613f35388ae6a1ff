package pprof_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"framescope/internal/testkit"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/pprof"
)

// stack is a function and the values of the samples in it.
type stack struct {
	name   string
	values []int64
}

// packed makes a profile of stacks of one call each, compressed.
func packed(t *testing.T, lastedNs int64, types []string, stacks ...stack) []byte {
	t.Helper()
	p := &profile.Profile{DurationNanos: lastedNs, TimeNanos: 1e18}
	for _, name := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: "count"})
	}
	for i, s := range stacks {
		f := &profile.Function{ID: uint64(i + 1), Name: s.name}
		l := &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: f}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: s.values})
	}
	var out bytes.Buffer
	testkit.OK(t, p.Write(&out))
	return out.Bytes()
}

// streamed is what comes of bytes, in pieces of so many. What can't be read is told.
func streamed(data []byte, piece int) *store.Session {
	k := &feedtest.Into{Session: store.NewSession()}
	_ = feedtest.Stream(pprof.Rounds{}, k, data, feedtest.Steps(piece), false)
	return k.Session
}

// weights returns what each function has of each weight.
func weights(s *store.Session) map[string]map[string]int64 {
	out := map[string]map[string]int64{}
	for k, w := range s.Spans().Weights() {
		out[w.Name] = map[string]int64{}
		for _, n := range feedtest.Tree(s, spans.MeasureWeight+spans.Measure(k)).Nodes {
			if n.Self > 0 {
				out[w.Name][s.Collector(n.Collector).Name] += n.Self
			}
		}
	}
	return out
}

func TestRounds(t *testing.T) {
	heap := []string{"alloc_space", "inuse_space"}
	for name, c := range map[string]struct {
		profiles [][]byte
		want     map[string]map[string]int64
		detail   string
		lost     string
	}{
		"CPU adds up": {
			[][]byte{
				packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}, stack{"b", []int64{7}}),
				packed(t, 2e9, []string{"cpu"}, stack{"c", []int64{1}}, stack{"a", []int64{4}}),
			},
			map[string]map[string]int64{"cpu": {"a": 9, "b": 7, "c": 1}}, "2 profiles of 3s together", "",
		},
		"heap stands": {
			[][]byte{
				packed(t, 0, heap, stack{"a", []int64{100, 50}}, stack{"b", []int64{10, 10}}),
				packed(t, 0, heap, stack{"a", []int64{130, 20}}, stack{"c", []int64{30, 5}}, stack{"b", []int64{10, 0}}),
			},
			map[string]map[string]int64{"inuse_space": {"a": 20, "c": 5}, "alloc_space, since the first": {"a": 30, "c": 30}},
			"the newest of 2 profiles", "",
		},
		"started again": {
			[][]byte{
				packed(t, 0, heap, stack{"a", []int64{100, 50}}), packed(t, 0, heap, stack{"a", []int64{7, 5}}),
				packed(t, 0, heap, stack{"a", []int64{9, 5}}),
			},
			map[string]map[string]int64{"inuse_space": {"a": 5}, "alloc_space, since the first": {"a": 9}}, "3 profiles", "",
		},
		"nothing is left": {
			[][]byte{packed(t, 0, []string{"goroutine"}, stack{"a", []int64{3}}), packed(t, 0, []string{"goroutine"})},
			map[string]map[string]int64{"goroutine": {}}, "2 profiles", "",
		},
		"others are lost": {
			[][]byte{packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}), packed(t, 0, heap, stack{"a", []int64{9, 9}}),
				packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{-5}}), packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{2}})},
			map[string]map[string]int64{"cpu": {"a": 7}}, "2 profiles of 2s", "has other sample types than the profiles before",
		},
		"damaged": {
			[][]byte{packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}), packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{9}})[:40]},
			map[string]map[string]int64{"cpu": {"a": 5}}, "1 profile of 1s", "profile 2 can't be read, nor what comes after it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := bytes.Join(c.profiles, nil)
			sessions := map[string]*store.Session{"bytes": streamed(data, 1), "all": streamed(data, len(data))}
			var err error
			sessions["file"], err = open(t, feedtest.File(t, "x.pprof", data), "")
			testkit.OK(t, err)
			for how, s := range sessions {
				got := weights(s)
				for w, of := range c.want {
					testkit.That(t, len(got[w]) == len(of) && len(got) <= len(c.want),
						"%s: %v, want %v", how, got, c.want)
					for f, n := range of {
						testkit.That(t, got[w][f] == n, "%s: %s of %s: %d, want %d", how, w, f, got[w][f], n)
					}
				}
				d := s.Info().Detail
				testkit.That(t, strings.Contains(d, c.detail), "%s: %q", how, d)
				if text := feedtest.Losses(s); (c.lost == "") != (text == "") || !strings.Contains(text, c.lost) {
					t.Errorf("%s: lost %q", how, text)
				}
			}
		})
	}
}

// TestPacked packs a profile once, whatever it was before, and nothing else.
func TestPacked(t *testing.T) {
	data := packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}})
	if got, err := pprof.Packed(data); err != nil || !bytes.Equal(got, data) {
		t.Error(err)
	}
	p := testkit.Must(profile.ParseData(data))(t)
	var plain bytes.Buffer
	testkit.OK(t, p.WriteUncompressed(&plain))
	got := testkit.Must(pprof.Packed(plain.Bytes()))(t)
	s := streamed(append(got, data...), 7)
	testkit.That(t, weights(s)["cpu"]["a"] == 10, "%v", weights(s))
	for _, wrong := range []string{"", "<html>", "heap profile: 1: 2", "\x1f\x8b", string(data[:len(data)-3])} {
		_, err := pprof.Packed([]byte(wrong))
		testkit.That(t, err != nil, "%.9q is a profile", wrong)
	}
}
