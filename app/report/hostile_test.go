package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"framescope/internal/escape"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/place"
	"framescope/model/store"
)

// evil is a name that would write into a terminal, and over the lines around it.
const evil = "a\x1b]0;title\x07\x1b[2J\x00\r\nThread Main frame 9\t\u202egnp.exe\u009b"

// hostile is a session in which everything that has a name is called so.
func hostile() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "test", Program: evil, Host: evil, PID: 42, Version: evil, Peer: evil})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: evil})
	s.Apply(model.CollectorDef{ID: 2, Name: strings.Repeat("x", 1000) + "end", Parent: 1})
	s.Apply(model.CollectorDef{ID: 3, Name: evil + "2", Unit: evil})
	s.Apply(model.TrackDef{ID: 0, Name: evil})
	s.Apply(model.TrackDef{ID: 1, Name: evil + "other"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	s.Apply(model.SeriesDef{ID: 0, Name: evil, Group: evil, Unit: evil})
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 1, Begin: 0, End: ms(10),
		Spans: []model.Span{{Begin: 0, End: ms(10), Path: 1}, {Begin: 0, End: ms(5), Path: 2, Lane: 1}, {Begin: 0, End: ms(2), Path: 3, Lane: 2}},
		Self: []model.CollectorTime{
			{Collector: 0, Ns: ms(5), Count: 1}, {Collector: 1, Ns: ms(3), Count: 1}, {Collector: 2, Ns: ms(2), Count: 1},
		},
		Levels: []model.Level{{Collector: 3, Value: 7}},
	})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: 0, End: ms(5), Path: 2}}})
	return s
}

// Names stay on their lines, and are of a length that can be read; JSON has them whole.
func TestHostileNames(t *testing.T) {
	for _, o := range []Options{{}, {Stats: true}} {
		out := textOf(t, hostile(), o)
		testkit.Contains(t, out, "a\uFFFD]0;title")
		for _, line := range strings.Split(out, "\n") {
			got := escape.Line(line)
			testkit.That(t, got == line && !strings.HasPrefix(line, "Thread Main frame 9"), "%+v: %q", o, line)
			n := utf8.RuneCountInString(line)
			testkit.That(t, n <= 3*escape.MaxName, "%+v: a line of %d characters", o, n)
		}
	}
	out := textOf(t, hostile(), Options{Stats: true, JSON: true})
	var got struct {
		Session struct{ Program string }
		Threads []struct {
			Name  string
			Times []struct{ Collector string }
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(out), &got))
	long := false
	for _, l := range got.Threads[0].Times {
		long = long || strings.HasSuffix(l.Collector, strings.Repeat("x", 1000)+"end")
	}
	testkit.That(t, got.Session.Program == evil && got.Threads[0].Name == evil && long, "JSON: %+v", got)
}

// In a comparison as markdown names are code, whatever they are: of recordings, programs, threads, collectors and
// units, and what is searched for.
func TestHostileNamesInMarkdown(t *testing.T) {
	for _, name := range testkit.HostileNames {
		side := func(faster int64) *store.Session {
			s := store.NewSession()
			s.Apply(model.Info{Source: "test", Program: name})
			s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
			s.Apply(model.CollectorDef{ID: 1, Name: name})
			s.Apply(model.CollectorDef{ID: 2, Name: name + "2", Parent: 1})
			s.Apply(model.TrackDef{ID: 0, Name: name})
			s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 1})
			s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 2})
			s.Apply(model.PathDef{ID: 3, Parent: model.PathRoot, Collector: 2})
			for i := range int64(40) {
				at := 20e6 * i
				s.Append(&model.Batch{
					Track: 0, HasFrame: true, Number: i, Begin: at, End: at + ms(10) - i%3,
					Spans: []model.Span{
						{Begin: at, End: at + ms(5) - faster - i%5, Path: 1}, {Begin: at, End: at + ms(2), Path: 2, Lane: 1},
						{Begin: at + ms(6), End: at + ms(7), Path: 3},
					},
				})
			}
			return s
		}
		sums := func(weight float64) *store.Session {
			s := store.NewSession()
			s.Apply(model.Info{Source: "pprof", Program: name, Sampling: model.Sampling{Timeless: true}})
			s.Apply(model.TrackDef{ID: 0, Name: name})
			s.Apply(model.CollectorDef{ID: 0, Name: "All"})
			s.Apply(model.CollectorDef{ID: 1, Name: name})
			s.Apply(model.PathDef{ID: 1, Collector: 1})
			def := model.SeriesDef{Kind: model.SeriesEvent, Role: model.RoleStack, Object: model.NoObject, Peer: model.NoObject}
			s.Apply(def)
			def.ID, def.Role, def.Name, def.Unit = 1, model.RoleWeight, name, name
			s.Apply(def)
			s.Append(&model.Batch{Samples: []model.Sample{{Series: 0, Value: 1}, {Series: 1, Value: weight}}})
			return s
		}
		o := DiffOptions{Files: [2]string{name, name}, Markdown: true, All: true}
		var b bytes.Buffer
		var sides [2]compare.Side
		for _, both := range [][2]*store.Session{{sums(1), sums(2)}, {side(0), side(ms(1))}} {
			for i, s := range both {
				sides[i] = testkit.Must(place.Side(s, place.TimeRange{}, nil))(t)
			}
			testkit.OK(t, WriteDiff(&b, compare.Of(sides[0], sides[1], compare.Options{}), sides, o))
		}
		testkit.MustThat(t, strings.Contains(b.String(), "These are sums of recordings") && strings.Contains(b.String(), "Frame time"),
			"%v", b.String())
		testkit.OK(t, WriteFoundDiff(&b, sides, find.Plain(name), o), name)
		cells, rows := 0, 0
		for line := range strings.SplitSeq(b.String(), "\n") {
			testkit.NoDiff(t, testkit.MarkdownFault(line), "%q: %q", name, line)
			n := max(0, testkit.MarkdownCells(line))
			if !strings.HasPrefix(line, "|") {
				n = 0
			} else if rows++; cells > 0 && n != cells {
				t.Errorf("%q: %q has %d cells, not %d", name, line, n, cells)
			}
			cells = n
		}
		testkit.That(t, rows >= 10, "%q: %s", name, b.String())
	}
}
