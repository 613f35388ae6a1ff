package pprof_test

import (
	"regexp"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/pprof"
)

// truth is what another program reads in a capture.
type truth struct {
	Error string
	Types []struct{ Type, Unit string } `json:"sample_types"`
	Total []int64
	// ByFunction has the values of each type, a recursive function once a sample.
	ByFunction []struct {
		Name            string
		Self, Inclusive []int64
	} `json:"by_function"`
	Stacks []struct {
		Stack  string
		Values []int64
	} `json:"stacks_root_first"`
	Labels map[string]struct {
		Samples int
		Total   []int64
	}
	Numeric map[string]int `json:"numeric_labels"`
}

func open(t testing.TB, path, label string) (*store.Session, error) {
	t.Helper()
	return feedtest.Load(t, pprof.Source{Label: label}, path)
}

// measureOf returns the measures of a sample type of the profile: of differences there are two.
func measureOf(t *testing.T, s *store.Session, name string) (more, less spans.Measure) {
	t.Helper()
	for i, w := range s.Spans().Weights() {
		switch m := spans.MeasureWeight + spans.Measure(i); w.Name {
		case name, name + ", more":
			more = m
		case name + ", less":
			less = m
		}
	}
	if more == 0 && name == model.WeightSamples {
		more = spans.MeasureSamples
	}
	testkit.MustThat(t, more != 0, "nothing is called %s: %v", name, s.Spans().Weights())
	return more, less
}

var unsaid = regexp.MustCompile(`( \(inline\)| \([^()]*\))$`) // what the truth does not say of a name

func plainName(name string) string {
	if strings.HasPrefix(name, "0x") {
		return unsaid.ReplaceAllString(name, "")
	}
	return strings.TrimPrefix(strings.TrimSuffix(name, " (inline)"), "(unnamed)")
}

// TestCaptures compares each capture with its truth: totals, values of each function alone and with
// what it called, and the greatest stacks.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game-cpu", "game-heap", "game-allocs", "game-mutex", "game-mutex-uncompressed", "game-block", "game-goroutine",
		"game-threadcreate", "http-cpu", "gotest-cpu", "byhand-edges", "broken-cut",
	} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.PProf, name+".pprof")
			want := recordings.JSON[truth](t, recordings.PProf, name+".truth.json")
			testkit.That(t, pprof.Source{}.Sniff(feedtest.Head(t, path), path), "not recognised")
			s, err := open(t, path, "")
			if want.Error != "" {
				testkit.That(t, err != nil && strings.Contains(err.Error(), "unexpected EOF") &&
					strings.HasPrefix(err.Error(), path+": "), "%v, want %s", err, want.Error)
				return
			}
			testkit.OK(t, err)
			for k, of := range want.Types {
				more, less := measureOf(t, s, of.Type)
				compare(t, s, want, k, more, less)
			}
		})
	}
}

// compare compares a sample type of a capture with the session.
func compare(t *testing.T, s *store.Session, want *truth, k int, more, less spans.Measure) {
	t.Helper()
	total := int64(0)
	type sums struct{ self, inclusive int64 }
	by, stacks := map[string]sums{}, map[string]int64{}
	add := func(m spans.Measure, sign int64) {
		tree := feedtest.Tree(s, m)
		total += sign * tree.Total
		for _, n := range tree.Nodes {
			name := plainName(s.Collector(n.Collector).Name)
			x := by[name]
			x.self += sign * n.Self
			outermost, names := true, []string{name}
			for p := n.Parent; p >= 0; p = tree.Nodes[p].Parent {
				up := plainName(s.Collector(tree.Nodes[p].Collector).Name)
				outermost = outermost && up != name
				names = append([]string{up}, names...)
			}
			if outermost {
				x.inclusive += sign * n.Total
			}
			by[name] = x
			stacks[strings.Join(names, ";")] += sign * n.Self
		}
	}
	if add(more, 1); less != 0 {
		add(less, -1)
	}
	testkit.That(t, total == want.Total[k], "%s: %d, want %d", want.Types[k].Type, total, want.Total[k])
	for _, f := range want.ByFunction {
		if got := by[f.Name]; got.self != f.Self[k] || got.inclusive != f.Inclusive[k] {
			t.Errorf("%s: %s has %d alone, %d, want %d, %d", want.Types[k].Type, f.Name, got.self, got.inclusive, f.Self[k], f.Inclusive[k])
		}
		delete(by, f.Name)
	}
	delete(by, "[empty stack]")
	testkit.That(t, len(by) == 0, "missing functions: %v", by)
	for _, x := range want.Stacks {
		if x.Stack == "" {
			x.Stack = "[empty stack]"
		}
		testkit.Equal(t, stacks[x.Stack], x.Values[k], "%s: %q", want.Types[k].Type, x.Stack)
	}
}

// TestLabels divides captures into threads by each of their labels.
func TestLabels(t *testing.T) {
	for _, name := range []string{"game-cpu", "game-goroutine", "byhand-edges"} {
		want := recordings.JSON[truth](t, recordings.PProf, name+".truth.json")
		last := len(want.Types) - 1
		for label, x := range want.Labels {
			key, value, _ := strings.Cut(label, "=")
			s := testkit.Must(open(t, recordings.File(t, recordings.PProf, name+".pprof"), key))(t)
			found := false
			for _, tr := range feedtest.Tracks(s) {
				if tr.Def.Name != value {
					continue
				}
				found = true
				more, less := measureOf(t, s, want.Types[last].Type)
				total := feedtest.TreeOf(s, more, tr.Def.ID).Total
				if less != 0 {
					total -= feedtest.TreeOf(s, less, tr.Def.ID).Total
				}
				testkit.That(t, total == x.Total[last], "%s, %s: %d, want %d", name, label, total, x.Total[last])
			}
			testkit.That(t, found, "%s: no thread %s", name, label)
		}
	}
}
