package together

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
)

// Planted offsets and drifts are found within the stated spread in 95 of 100 pairs, and the spread is not idle: it goes
// with the noise of the moments.
func TestFitFindsPlantedClocks(t *testing.T) {
	const pairs = 400
	const hour = 3600e9
	within, wide := 0, 0
	for seed := range uint64(pairs) {
		r := rand.New(rand.NewPCG(seed, 1))
		offset := int64(math.Exp(r.Float64()*math.Log(hour/1e3)) * 1e3) // 1 µs to 1 h
		if r.IntN(2) == 0 {
			offset = -offset
		}
		oneMachine, drift := r.IntN(3) == 0, 0.0
		if !oneMachine {
			drift = (r.Float64() - 0.5) * mostDrift
		}
		length := math.Exp(r.Float64()*math.Log(600)) * 1e9 // 1 s to 10 min
		noise := math.Exp(r.Float64()*math.Log(2e3)) * 1e3  // 1 µs to 2 ms
		at := func(b float64) float64 { return drift * b }
		var marks []Mark
		for range 2 + r.IntN(30) {
			b := r.Float64() * length
			marks = append(marks, Mark{A: int64(b+at(b)+r.NormFloat64()*noise) + offset, B: int64(b)})
		}
		if len(marks) <= 3 { // nothing checks them: it is said how exact they are
			for i := range marks {
				marks[i].SpreadNs = int64(2 * noise)
			}
		}
		got := Fit(marks, 0, int64(length), oneMachine)
		worst := 0.0
		for _, b := range []float64{0, length / 2, length} {
			worst = max(worst, math.Abs(float64(got.At(int64(b))-offset)-b-at(b)))
		}
		if worst <= float64(got.SpreadNs) {
			within++
		}
		if float64(got.SpreadNs) > 20*noise+mostDrift*length {
			wide++
		}
	}
	testkit.That(t, within >= pairs*95/100, "%d of %d within what is stated", within, pairs)
	testkit.That(t, wide <= pairs/100, "%d of %d are stated much too wide", wide, pairs)
}

// Moments that are the same by chance do not move the line.
func TestFitLeavesOutChance(t *testing.T) {
	var marks []Mark
	for i := range int64(20) {
		marks = append(marks, Mark{A: i*1e9 + 5e9 + i%3*1000, B: i * 1e9})
	}
	marks = append(marks, Mark{A: 90e9, B: 1e9}, Mark{A: 1e9, B: 15e9})
	got := Fit(marks, 0, 20e9, false)
	testkit.That(t, distance(got.OffsetNs, 5e9) < 5000 && got.SpreadNs < 10_000, "%+v", got)
}

func TestAlignAsks(t *testing.T) {
	day := func(ns, step int64, by model.DayTimeBy) model.DayTime {
		return model.DayTime{UnixNs: ns, StepNs: step, By: by}
	}
	const y2026 = 1_767_225_600e9
	var said Collector
	said.Publish(&model.Batch{Messages: []model.Message{
		{Text: "begin", Time: 1e9}, {Text: "end", Time: 9e9}, {Text: "tick", Time: 2}, {Text: "tick", Time: 3},
	}})
	marks := said.Found().Marks
	for _, c := range []struct {
		name   string
		a, b   Evidence
		named  []Mark
		offset int64
		spread int64 // at most
		by     string
	}{
		{"nothing", Evidence{Begin: 7}, Evidence{Begin: 3}, nil, 4, Unknown, "do not say"},
		{"monotonic", Evidence{Info: model.Info{Monotonic: 10e9}}, Evidence{Info: model.Info{Monotonic: 12e9}}, nil, 2e9, 1000, "monotonic"},
		{"another machine", Evidence{Info: model.Info{Host: "a", Monotonic: 10e9}}, Evidence{Info: model.Info{Host: "b", Monotonic: 12e9}},
			nil, 0, Unknown, "do not say"},
		{"another boot", Evidence{Info: model.Info{Boottime: 10e9, ZeroAt: day(y2026, 0, 0)}},
			Evidence{Info: model.Info{Boottime: 12e9, ZeroAt: day(y2026+500e9, 0, 0)}}, nil, 500e9, 1e5, "time of day"},
		{"arrival", Evidence{Info: model.Info{ZeroAt: day(y2026, 1e6, model.ByArrival)}}, Evidence{Info: model.Info{ZeroAt: day(y2026+5, 0, 0)}},
			nil, 5, 1_100_000, "arrived"},
		{"two machines", Evidence{Info: model.Info{Host: "a", ZeroAt: day(y2026, 0, 0)}},
			Evidence{Info: model.Info{Host: "b", ZeroAt: day(y2026+5, 0, 0)}}, nil, 5, 100_100_000, "two machines"},
		{"local and UTC", Evidence{Info: model.Info{ZeroAt: day(y2026, 0, model.ByLocal)}}, Evidence{Info: model.Info{ZeroAt: day(y2026, 0, 0)}},
			nil, 0, Unknown, "do not say"},
		{"messages beat a coarse day", Evidence{Info: model.Info{Host: "a", ZeroAt: day(y2026, 1e9, 0)}, Marks: marks},
			Evidence{Info: model.Info{Host: "a", ZeroAt: day(y2026+3e9, 1e9, 0)}, End: 10e9, Marks: map[string]int64{"begin": 3e9, "end": 11e9, "tick": 4}},
			nil, -2e9, 2e6, "same texts"},
		{"named", Evidence{Info: model.Info{Monotonic: 10e9}}, Evidence{Info: model.Info{Monotonic: 12e9}, End: 1e9},
			[]Mark{{A: 3e9, B: 1e9}}, 2e9, 2e6, "named"},
	} {
		got := Align(&c.a, &c.b, c.named)
		testkit.That(t, got.OffsetNs == c.offset && got.SpreadNs <= c.spread && strings.Contains(got.By, c.by), "%s: %+v", c.name, got)
	}
}

// What several decoders say comes out once each, with ids that do not meet, at moved times.
func TestMergerKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := &said{}
		m := NewMerger(out, "both", false)
		n := rapid.IntRange(2, 4).Draw(t, "programs")
		var sinks []*member
		for i := range n {
			sinks = append(sinks, m.Add(string(rune('a'+i)), Shift{OffsetNs: int64(i) * 1000}).(*member))
		}
		names := []string{"Draw", "Update", "Wait"}
		type put struct {
			program, name string
			begin         int64
		}
		var want []put
		paths := make([]map[int]model.PathID, n)
		for range rapid.IntRange(1, 60).Draw(t, "spans") {
			i := rapid.IntRange(0, n-1).Draw(t, "program")
			x, name := sinks[i], rapid.IntRange(0, len(names)-1).Draw(t, "name")
			if paths[i] == nil {
				paths[i] = map[int]model.PathID{}
				x.Define(model.TrackDef{ID: 5, Name: "main", Object: model.NoObject, Peer: model.NoObject})
			}
			if paths[i][name] == 0 {
				c := model.CollectorID(10*(n-i) + name)
				paths[i][name] = model.PathID(len(paths[i]) + 1)
				x.Define(model.CollectorDef{ID: c, Name: names[name]})
				x.Define(model.PathDef{ID: paths[i][name], Collector: c})
			}
			begin := int64(len(want)) * 10
			b := x.Begin()
			b.Track, b.Spans = 5, append(b.Spans, model.Span{Begin: begin, End: begin + 5, Path: paths[i][name]})
			x.Publish(b)
			want = append(want, put{x.name, names[name], begin + int64(i)*1000})
		}
		for _, x := range sinks {
			x.Define(model.End{Reason: ""})
		}
		collectors, ends := map[model.CollectorID]string{}, map[model.PathID]model.CollectorID{}
		tracks, ended := map[model.TrackID]string{}, 0
		var got []put
		for _, c := range out.changes {
			switch c := c.(type) {
			case model.CollectorDef:
				testkit.That(t, collectors[c.ID] == "", "collector %d twice", c.ID)
				collectors[c.ID] = c.Name
			case model.PathDef:
				testkit.That(t, ends[c.ID] == 0 && int(c.ID) == len(ends)+1, "path %d", c.ID)
				ends[c.ID] = c.Collector
			case model.TrackDef:
				testkit.That(t, tracks[c.ID] == "" && c.Process == c.Program, "track %+v", c)
				tracks[c.ID] = c.Program
			case model.End:
				ended++
			}
		}
		for _, b := range out.batches {
			for _, s := range b.Spans {
				got = append(got, put{tracks[b.Track], collectors[ends[s.Path]], s.Begin})
			}
		}
		testkit.That(t, slices.Equal(got, want), "got %v, want %v", got, want)
		testkit.That(t, ended == 1, "%d ends", ended)
		testkit.That(t, len(collectors) <= len(names), "%d collectors of %d names", len(collectors), len(names))
	})
}

// said keeps all that a sink is told.
type said struct {
	changes []model.Change
	batches []model.Batch
}

func (s *said) Define(c model.Change) { s.changes = append(s.changes, c) }
func (s *said) Begin() *model.Batch   { return &model.Batch{} }
func (s *said) Progress(_, _ int64)   {}
func (s *said) Publish(b *model.Batch) bool {
	s.batches = append(s.batches, *b)
	return true
}

func TestPlanComesBack(t *testing.T) {
	dir := t.TempDir()
	in, elsewhere := filepath.Join(dir, "a.pstats"), filepath.Join(t.TempDir(), "b.trace")
	plan := Plan{Members: []Member{{Path: in, Name: "a"}, {Path: elsewhere, Name: "b", Shift: Shift{OffsetNs: -5, Drift: 1e-5, SpreadNs: Unknown, By: "x"}}}}
	text := testkit.Must(plan.Encode(dir))(t)
	testkit.That(t, strings.Contains(string(text), `"a.pstats"`) && Sniff(text), "%s", text)
	path := filepath.Join(dir, "both.framescope")
	testkit.NoErr(t, os.WriteFile(path, text, 0o600))
	got := testkit.Must(Read(path))(t)
	testkit.That(t, slices.Equal(got.Members, plan.Members), "%+v", got)
}

func FuzzPlan(f *testing.F) {
	f.Add([]byte(`{"framescope": "together", "version": 1, "members": [{"path": "a", "name": "a"}, {"path": "b", "name": "b"}]}`))
	f.Add([]byte(`{"framescope": "together", "version": 2}`))
	f.Add([]byte(`{"framescope":"together","version":1,"members":[{}]}`))
	path := filepath.Join(f.TempDir(), "plan")
	f.Fuzz(func(t *testing.T, text []byte) {
		testkit.NoErr(t, os.WriteFile(path, text, 0o600))
		Sniff(text)
		if p, err := Read(path); err == nil {
			_, err = p.Encode("")
			testkit.NoErr(t, err)
		} else {
			testkit.That(t, strings.Contains(err.Error(), "plan"), "error without the path: %v", err)
		}
	})
}
