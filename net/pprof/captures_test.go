package pprof_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
	rtpprof "runtime/pprof"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
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
				testkit.That(t, err != nil && strings.Contains(err.Error(), "the data end too early") &&
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

// TestRuntime opens the profiles that this very test writes of itself.
func TestRuntime(t *testing.T) {
	for _, p := range rtpprof.Profiles() {
		var out bytes.Buffer
		testkit.OK(t, p.WriteTo(&out, 0))
		want := testkit.Must(profile.ParseData(out.Bytes()))(t)
		path := feedtest.File(t, p.Name(), out.Bytes())
		testkit.That(t, pprof.Source{}.Sniff(feedtest.Head(t, path), path), "%s is not recognised", p.Name())
		s := testkit.Must(open(t, path, ""))(t, p.Name())
		for k, of := range want.SampleType {
			sum := int64(0)
			for _, x := range want.Sample {
				sum += x.Value[k]
			}
			if sum == 0 {
				continue // as a mutex profile is while nobody waits
			}
			m, _ := measureOf(t, s, of.Type)
			tree := feedtest.Tree(s, m)
			testkit.That(t, tree.Total == sum, "%s, %s: %d, want %d", p.Name(), of.Type, tree.Total, sum)
		}
	}
}

// TestTextForms opens what is for people: the error says what to do.
func TestTextForms(t *testing.T) {
	texts := map[string]string{ // of gperftools
		"heapz": "heap profile:  1: 8 [ 1: 8] @ growthz\n", "threadz": "--- threadz 1 ---\n\n",
		"contentionz": "--- contentionz 1 ---\ncycles/second = 32\n", "java": "--- heapz 1 ---\nformat = java\n",
	}
	for _, p := range rtpprof.Profiles() {
		var out strings.Builder
		testkit.OK(t, p.WriteTo(&out, 1))
		texts[p.Name()] = out.String()
	}
	for name, text := range texts {
		path := feedtest.File(t, name, text)
		testkit.That(t, (pprof.Source{}).Sniff([]byte(text), path), "%s is not recognised: %.40q", name, text)
		_, err := open(t, path, "")
		testkit.That(t, err != nil && strings.Contains(err.Error(), "`go tool pprof -proto"), "%s: %v", name, err)
	}
}

// TestSniff checks what is no profile.
func TestSniff(t *testing.T) {
	whole := plain(t, "game-heap.pprof")
	for _, c := range []struct {
		name string
		head []byte
		want bool
	}{
		{"a profile", whole, true},
		{"nothing", nil, false},
		{"text", []byte("main;a 1\nmain;b 2\n"), false},
		{"other messages in field 1", []byte("\x0a\x03\x40\x01\x50\x0a\x04\x08\x01\x10\x02"), false},
		{"a unit alone", []byte("\x0a\x04\x08\x01\x10\x02"), false},
		{"a field of another shape", []byte("\x0a\x04\x08\x01\x10\x02\x12\x00\x30\x00"), false},
		{"a damaged field, behind many", append(bytes.Clone(whole), 0x30, 0), true},
		{"a field that there is not yet", append(bytes.Clone(whole), 0x82, 0x01, 0), true},
		{"cut in the middle", whole[:len(whole)/2], true},
	} {
		testkit.Equal(t, (pprof.Source{}).Sniff(c.head, ""), c.want, "%s", c.name)
	}
}

// plain returns a capture without compression.
func plain(t testing.TB, name string) []byte {
	t.Helper()
	data := testkit.Must(os.ReadFile(recordings.File(t, recordings.PProf, name)))(t)
	if r, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		data, err = io.ReadAll(r)
		testkit.OK(t, err)
	}
	return data
}

// TestUnits opens a profile with values in other units, of several files with the same name.
func TestUnits(t *testing.T) {
	f := []*profile.Function{{ID: 1, Name: "main", Filename: "a.go"}, {ID: 2, Name: "main", Filename: "b.go"}}
	l := []*profile.Location{{ID: 1, Line: []profile.Line{{Function: f[0]}}}, {ID: 2, Line: []profile.Line{{Function: f[1]}}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "wait", Unit: "microseconds"}, {Type: "textures", Unit: "kilobytes"}, {Type: "draws", Unit: "calls"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{l[1], l[0]}, Value: []int64{3, 2, 9}}},
		Location:   l, Function: f,
	}
	var out bytes.Buffer
	testkit.OK(t, p.Write(&out))
	s := feedtest.Open(t, pprof.Source{}, feedtest.File(t, "x.pb.gz", out.Bytes()))
	want := map[spans.Weight]int64{{Name: "wait", Unit: "ns"}: 3000, {Name: "textures", Unit: "B"}: 2048, {Name: "draws", Unit: "calls"}: 9}
	got := s.Spans().Weights()
	testkit.That(t, len(got) == 3 && got[0].Name == "draws", "%v: the last comes first", got)
	for k, w := range s.Spans().Weights() {
		tree := feedtest.Tree(s, spans.MeasureWeight+spans.Measure(k))
		if tree.Total != want[w] || len(tree.Nodes) != 2 || tree.Nodes[0].Collector == tree.Nodes[1].Collector {
			t.Errorf("%v: %d, want %d; %+v", w, tree.Total, want[w], tree.Nodes)
		}
	}
}

// FuzzParse reads anything: nothing breaks, and what is a profile has the totals of its samples.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"game-cpu.pprof", "game-heap.pprof", "byhand-edges.pprof", "game-goroutine.pprof"} {
		f.Add(plain(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := pprof.Parse(data)
		if err != nil || len(data) > 1<<20 {
			return
		}
		k := &feedtest.Into{Session: store.NewSession()}
		k.Define(model.Info{Sampling: model.Sampling{Timeless: true}})
		testkit.OK(t, pprof.Publish(p, "", k))
		if n, _ := k.Session.Losses(); n[model.LossLimit] > 0 {
			return
		}
		for i, w := range k.Session.Spans().Weights() {
			tree := feedtest.Tree(k.Session, spans.MeasureWeight+spans.Measure(i))
			for _, n := range tree.Nodes {
				testkit.MustThat(t, n.Self >= 0 && n.Total >= n.Self && n.Total <= tree.Total,
					"%v: %+v of %d", w, n, tree.Total)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	feedtest.BenchOpen(b, pprof.Source{}, "game-allocs.pprof", plain(b, "game-allocs.pprof"))
}

// gperf is a CPU profile of gperftools: three samples of two stacks, and where the program is in memory.
func gperf(order binary.AppendByteOrder, version uint64, wide bool) []byte {
	var out []byte
	for _, w := range []uint64{0, 3, version, 10_000, 0, 2, 2, 0x401000, 0x402001, 1, 1, 0x403000, 0, 1, 0} {
		if wide {
			out = order.AppendUint64(out, w)
		} else {
			out = order.AppendUint32(out, uint32(w))
		}
	}
	return append(out, "00400000-00500000 r-xp 00000000 08:02 1 /usr/bin/game\n"...)
}

// TestLegacy opens profiles of gperftools, in words of either size and order: samples and time by address.
func TestLegacy(t *testing.T) {
	for name, data := range map[string][]byte{
		"little": gperf(binary.LittleEndian, 0, true), "big": gperf(binary.BigEndian, 0, true),
		"little, 32": gperf(binary.LittleEndian, 0, false), "big, 32": gperf(binary.BigEndian, 0, false),
	} {
		if !(pprof.Source{}).Sniff(data, "x") || (pprof.Source{}).Sniff(bytes.Replace(data, []byte{3}, []byte{4}, 1), "x") {
			t.Errorf("%s: not recognised, or what is no profile", name)
		}
		s := testkit.Must(open(t, feedtest.File(t, "x.prof", data), ""))(t, name)
		for kind, total := range map[string]int64{"samples": 3, "cpu": 30_000_000} {
			m, _ := measureOf(t, s, kind)
			tree := feedtest.Tree(s, m)
			got := ""
			for _, x := range tree.Inside(nil) {
				got += fmt.Sprint(s.Collector(x.Collector).Name, " ", x.Total*3/total, " ")
			}
			if tree.Total != total || !strings.Contains(got, "0x401000 2 ") || !strings.Contains(got, "0x402000 2 ") || !strings.Contains(got, "0x403000 1 ") {
				t.Errorf("%s, %s: %d, %s", name, kind, tree.Total, got)
			}
		}
		_, lines := s.Losses()
		testkit.That(t, len(lines) <= 0 && s.Info().Program == "game", "%s: %q of %q", name, lines, s.Info().Program)
		for path, at := feedtest.File(t, "x.prof", ""), 0; at < len(data); at++ {
			testkit.OK(t, os.WriteFile(path, data[:at], 0o600))
			_, _ = open(t, path, "")
		}
	}
}

// TestJavaLegacy opens a CPU profile of Java in the form of gperftools: names stand behind its samples.
func TestJavaLegacy(t *testing.T) {
	data, _, _ := bytes.Cut(gperf(binary.LittleEndian, 1, true), []byte("00400000"))
	data = append(data, "0x402001 com.example.Game.tick (Game.java:7)\n"...)
	s := testkit.Must(open(t, feedtest.File(t, "x.prof", data), ""))(t)
	m, _ := measureOf(t, s, "samples")
	tree := feedtest.Tree(s, m)
	got := ""
	for _, x := range tree.Inside(nil) {
		got += fmt.Sprint(s.Collector(x.Collector).Name, " ", x.Total, " ")
	}
	testkit.That(t, tree.Total == 3 && strings.Contains(got, "com.example.Game.tick 2 "), "%d: %s", tree.Total, got)
}

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
		for _, n := range feedtest.Tree(s, spans.MeasureWeight+spans.Measure(k)).Nodes {
			if n.Self > 0 {
				if out[w.Name] == nil {
					out[w.Name] = map[string]int64{}
				}
				out[w.Name][s.Collector(n.Collector).Name] += n.Self
			}
		}
	}
	return out
}

func TestRounds(t *testing.T) {
	heap := []string{"alloc_space", "inuse_space"}
	var told [][2]string
	for _, c := range []struct {
		name     string
		profiles [][]byte
	}{
		{"CPU adds up",
			[][]byte{
				packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}, stack{"b", []int64{7}}),
				packed(t, 2e9, []string{"cpu"}, stack{"c", []int64{1}}, stack{"a", []int64{4}}),
			},
		},
		{"heap stands",
			[][]byte{
				packed(t, 0, heap, stack{"a", []int64{100, 50}}, stack{"b", []int64{10, 10}}),
				packed(t, 0, heap, stack{"a", []int64{130, 20}}, stack{"c", []int64{30, 5}}, stack{"b", []int64{10, 0}}),
			},
		},
		{"started again",
			[][]byte{
				packed(t, 0, heap, stack{"a", []int64{100, 50}}), packed(t, 0, heap, stack{"a", []int64{7, 5}}),
				packed(t, 0, heap, stack{"a", []int64{9, 5}}),
			},
		},
		{"nothing is left",
			[][]byte{packed(t, 0, []string{"goroutine"}, stack{"a", []int64{3}}), packed(t, 0, []string{"goroutine"})},
		},
		{"others are lost",
			[][]byte{packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}), packed(t, 0, heap, stack{"a", []int64{9, 9}}),
				packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{-5}}), packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{2}})},
		},
		{"damaged",
			[][]byte{packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{5}}), packed(t, 1e9, []string{"cpu"}, stack{"a", []int64{9}})[:40]},
		},
	} {
		data := bytes.Join(c.profiles, nil)
		file := testkit.Must(open(t, feedtest.File(t, "x.pprof", data), ""))(t, c.name)
		said := ""
		for _, s := range []*store.Session{file, streamed(data, 1), streamed(data, len(data))} {
			detail, _, _ := strings.Cut(s.Info().Detail, ", of ") // when, in the time of the machine
			got := fmt.Sprintf("%v\n%s\n%s", weights(s), detail, feedtest.Losses(s))
			testkit.That(t, said == "" || got == said, "%s: in pieces\n%s\nthe file\n%s", c.name, got, said)
			said = got
		}
		told = append(told, [2]string{c.name, said})
	}
	testkit.Named(t, "testdata/rounds.txt", "What the profiles that TestRounds makes are together.", told)
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
