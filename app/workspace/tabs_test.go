package workspace

import (
	"encoding/json"
	"strings"
	"testing"

	"framescope/model/store"
)

func TestSettleChoosesTheTab(t *testing.T) {
	sampled := func(c store.Contents) bool { return c.Series }
	p := &pane{id: "strip", tabs: []*Tab{{ID: "strip"}, {ID: "series", Shows: sampled, Rank: func(c store.Contents) int {
		if c.Frameless() {
			return 1
		}
		return -1
	}}}}
	game, pipeline := store.Contents{Frames: true}, store.Contents{Series: true}
	want := func(kind string, has store.Contents, id string, hidden bool) {
		t.Helper()
		p.settle(kind, has)
		if p.front().ID != id || p.left(1) != hidden {
			t.Errorf("in front: %s, hidden %v; want %s, %v", p.front().ID, p.left(1), id, hidden)
		}
	}
	want("", store.Contents{}, "strip", true)
	want("", game, "strip", true)
	want("gsttrace", pipeline, "series", false)
	p.choose(0)
	want("gsttrace", pipeline, "strip", false)
	want("", game, "strip", true)
	p.choose(1) // of what this session does not have
	want("", game, "strip", true)
	want("gsttrace", pipeline, "strip", false)
	for kind, key := range map[string]string{"": "strip", "gsttrace": "strip/gsttrace"} {
		if got := tabKey("strip", kind); got != key {
			t.Errorf("key %q, want %q", got, key)
		}
	}
}

// Settings keep tabs by their names; earlier ones kept their places.
func TestTabsOfSettings(t *testing.T) {
	var a Arrangement
	if err := json.Unmarshal([]byte(`{"Tabs":{"flame":2,"strip/gsttrace":"messages","strip":99}}`), &a); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]TabName{"flame": "calltree", "strip/gsttrace": "messages", "strip": "99"} {
		pane, _, _ := strings.Cut(key, "/")
		if got := a.Tabs[key].of(pane); got != want {
			t.Errorf("%s: tab %q, want %q", key, got, want)
		}
	}
}
