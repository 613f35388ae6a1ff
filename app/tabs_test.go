package app

import (
	"encoding/json"
	"strings"
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

// Settings keep tabs by their names; earlier ones kept their places.
func TestTabsOfSettings(t *testing.T) {
	var s settings
	if err := json.Unmarshal([]byte(`{"Tabs":{"flame":2,"strip/gsttrace":"messages","strip":99}}`), &s); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]tabName{"flame": "calltree", "strip/gsttrace": "messages", "strip": "99"} {
		pane, _, _ := strings.Cut(key, "/")
		if got := s.Tabs[key].of(pane); got != want {
			t.Errorf("%s: tab %q, want %q", key, got, want)
		}
	}
}
