package app

import (
	"testing"

	"framescope/model"
)

func TestSettleChoosesTheTab(t *testing.T) {
	hasSeries := func(s *model.Session) bool { return s != nil && s.NumSeries() > 0 }
	p := newPane("strip", &page{id: "strip"}, &page{id: "series", shows: hasSeries, rank: func(s *model.Session) int {
		if s.Info().Source == "gsttrace" {
			return 1
		}
		return 0
	}})
	game, pipeline := model.NewSession(), model.NewSession()
	game.Apply(model.Info{Source: "pstats"})
	pipeline.Apply(model.Info{Source: "gsttrace"})
	pipeline.Apply(model.SeriesDef{ID: 0})
	want := func(s *model.Session, id string, hidden bool) {
		t.Helper()
		p.settle(s)
		if p.front().id != id || p.hiddenTabs[1] != hidden {
			t.Errorf("in front: %s, hidden %v; want %s, %v", p.front().id, p.hiddenTabs[1], id, hidden)
		}
	}
	want(nil, "strip", true)
	want(game, "strip", true)
	want(pipeline, "series", false)
	p.choose(0)
	want(pipeline, "strip", false)
	want(game, "strip", true)
	p.choose(1) // of what this session does not have
	want(game, "strip", true)
	want(pipeline, "strip", false)
	for kind, key := range map[string]string{"": "strip", "gsttrace": "strip/gsttrace"} {
		if got := tabKey("strip", kind); got != key {
			t.Errorf("key %q, want %q", got, key)
		}
	}
}
