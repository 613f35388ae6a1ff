package workspace

import (
	"encoding/json"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

// kept reads what a file of settings says.
func kept(t *testing.T, text string) Kept {
	t.Helper()
	var k Kept
	testkit.NoErr(t, json.Unmarshal([]byte(text), &k))
	k.Sanitize()
	return k
}

// What was changed in a workspace comes back, of each alone.
func TestWorkspacesComeBack(t *testing.T) {
	r := newRig(t)
	got := r.d.Keep(nil)
	testkit.MustThat(t, got == nil, "of a first start %v is kept", got)
	r.d.Show("calls")
	main := r.rect(paneMain)
	r.drag(main.X0-1, 400, main.X0+59, 400)
	r.d.Use("Samples")
	r.tick()
	x := r.rect(paneLeft)
	r.doubleClick(x.X1-60, x.Y0+10)
	data, err := json.Marshal(Kept{Workspaces: r.d.Keep(nil)})
	testkit.NoErr(t, err)
	k := kept(t, string(data))
	testkit.Equal(t, len(k.Workspaces), 2, "kept are … workspaces: %s", data)
	again := newRig(t)
	again.d.Load(k)
	again.tick()
	if f := again.d.pane(paneRight).front().ID; f != "calls" || again.rect(paneRail).W() != 296 {
		t.Errorf("in front is %s, the lists are %v px wide", f, again.rect(paneRail).W())
	}
	again.d.Use("Samples")
	testkit.That(t, again.d.pane(paneLeft).folded, "a folded pane is open")
	again.d.Use("Pipeline")
	testkit.That(t, !again.d.spaces[1].changed, "a workspace that nobody touched is a changed one")
	again.d.Use("Game")
	again.d.Reset()
	again.d.Use("Samples")
	again.d.Reset()
	got = again.d.Keep(k.Workspaces)
	testkit.That(t, got != nil && len(got) == 0, "reset, %v is kept", got)
}

// A workspace goes through a file and becomes one of the user's own.
func TestWorkspaceFiles(t *testing.T) {
	r := newRig(t)
	r.d.Show("statistics")
	data, err := r.d.Export()
	testkit.NoErr(t, err)
	other := newRig(t)
	testkit.NoErr(t, other.d.Import("Mine", data))
	other.tick()
	if other.d.Workspace() != "Mine" || other.d.pane(paneRight).front().ID != "statistics" {
		t.Errorf("shown is %s with %s", other.d.Workspace(), other.d.pane(paneRight).front().ID)
	}
	err = other.d.Import("Game", data)
	testkit.That(t, err == nil && other.d.Workspace() != "Game", "a preset was replaced: %v", err)
	good := string(data)
	for name, text := range map[string]string{
		"nothing": "", "no JSON": "{", "another format": `{"format": "x"}`, "no layout": `{"format": "framescope workspace 1"}`,
		"a panel twice": strings.Replace(good, `"threads"`, `"sessions"`, 1), "a pane twice": strings.Replace(good, `"rail"`, `"main"`, 1),
		"too long": good + strings.Repeat(" ", MaxFile), "two left sides": strings.Replace(good, `"right"`, `"left"`, 1),
		"an unknown side": strings.Replace(good, `"right"`, `"below"`, 1),
		"only sides":      `{"format": "framescope workspace 1", "layout": {"pane": "a", "tabs": ["x"], "side": "left"}}`,
	} {
		before := len(other.d.Workspaces())
		err := other.d.Import("Bad", []byte(text))
		testkit.That(t, err != nil && len(other.d.Workspaces()) == before, "%s: taken over, %v", name, err)
	}
	if err := other.d.Import("Strange", []byte(`{"format": "framescope workspace 1", "layout": {"pane": "a", "tabs": ["from later", "flame"]}}`)); err != nil {
		t.Fatal(err)
	}
	other.tick()
	n := 0
	for _, p := range other.d.docked() {
		n += len(p.tabs)
	}
	testkit.Equal(t, n, len(other.d.tabs), "of %d panels %d have a place", len(other.d.tabs), n)
}

// A wrong layout in a file of settings costs its own workspace alone.
func TestWrongWorkspacesFallBack(t *testing.T) {
	for _, layout := range []string{
		`null`, `{}`, `{"pane": "a"}`, `{"children": [null, {}]}`, `{"pane": "a", "tabs": ["flame"], "side": "left"}`,
		`{"children": [{"pane": "a", "tabs": ["flame"]}, {"pane": "a", "tabs": ["strip"]}]}`,
		`{"children": [{"pane": "a", "tabs": ["flame"]}, {"pane": "b", "tabs": ["flame"]}]}`,
		`{"weights": [-1], "children": [{"pane": "a", "tabs": ["flame"]}]}`,
		`{"pane": "a", "tabs": ["flame"], "size": 1e9}`, strings.Repeat(`{"children": [`, 20) + `{"pane": "a", "tabs": ["flame"]}` + strings.Repeat(`]}`, 20),
	} {
		k := kept(t, `{"Workspaces": {"Game": {"layout": `+layout+`}, "Java": {"layout": {"pane": "all", "tabs": ["flame", "timeline"]}}}}`)
		_, ok := k.Workspaces["Game"]
		testkit.That(t, !ok && len(k.Workspaces) == 1, "%.60s is used", layout)
	}
	k := kept(t, `{"Workspaces": {"Game": {"layout": {"pane": "a", "tabs": ["flame"]}, "floating": [{"Pane": "a", "X": 1e9}]}}}`)
	a := k.Workspaces["Game"]
	testkit.That(t, a.Layout != nil && a.Floating == nil, "a place out of reach: %+v", a)
}
