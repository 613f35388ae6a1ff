package timepane

import (
	"fmt"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// A tooltip tells the first arguments of a span, and how many there are more.
func TestTipTellsArguments(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "LoadTexture"})
	s.Apply(model.TrackDef{ID: 0, Name: "Streaming"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	b := model.Batch{Spans: []model.Span{{Begin: 0, End: 100, Path: 1}, {Begin: 200, End: 300, Path: 1}, {Begin: 400, End: 500, Path: 1}}}
	for i := range 6 {
		b.Args = append(b.Args, model.Arg{Span: 1, Key: fmt.Sprint("key ", i), Value: model.IntArg(int64(-i) * 1000)})
	}
	b.Args = append(b.Args, model.Arg{Span: 2, Key: "url", Value: model.TextArg(strings.Repeat("https://assets.example/", 30))})
	s.Append(&b)
	env := chartstest.NewEnv(s, 1)
	var tips SpanTips
	for i, want := range []string{
		"", "key 0 =\t0|key 1 =\t−1000|key 2 =\t−2000|key 3 =\t−3000|2 arguments more", "url =\thttps://assets.example/",
	} {
		var tip panel.TipLines
		bar, _ := s.Spans().ByRef(spans.Ref{Index: int64(i)})
		tip.Begin()
		tips.Span(env, &tip, 0, &bar, 0)
		lines := tip.All()
		_, got, _ := strings.Cut(strings.Join(lines, "|"), "begins\t")
		_, got, _ = strings.Cut(got, "|")
		if !strings.HasPrefix(got, want) || want == "" && got != "" || len(got) > 700 {
			t.Errorf("span %d: %q", i, lines)
		}
		rect := draw.Rect{X1: 420, Y1: 240}
		l := draw.NewList(env.Atlas)
		l.Reset(rect)
		l.Rect(rect, draw.Color(env.Theme.Panel))
		hit := panel.Hit{Kind: panel.HitSpan, Collector: 1, Bar: bar, Lines: lines}
		panel.DrawTooltip(l, env, &hit, 20, 20, rect)
		golden.Check(t, fmt.Sprintf("testdata/golden/tip_%d.png", i), chartstest.Picture(420, 240, l))
	}
}
