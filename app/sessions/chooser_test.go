package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/widgets"
)

// The recordings of a folder are listed with kind and size, the newest first, and what is none is not;
// folders and typed paths lead on, and Enter opens.
func TestChooseARecording(t *testing.T) {
	home := t.TempDir()
	g := newViewer(t, Options{})
	data, err := os.ReadFile(captureFile(t, "late.pstats"))
	testkit.NoErr(t, err)
	put := func(name string, data []byte, age time.Duration) {
		path := filepath.Join(home, name)
		testkit.NoErr(t, os.MkdirAll(filepath.Dir(path), 0o777))
		testkit.NoErr(t, os.WriteFile(path, data, 0o666))
		testkit.NoErr(t, os.Chtimes(path, time.Time{}, time.Unix(1e9, 0).Add(-age)))
	}
	put("older.pstats", data, time.Hour)
	put("newer.pstats", data, 0)
	put("notes.txt", []byte("nothing"), 0)
	put(".hidden.pstats", data, 0)
	put("more/third.pstats", data, 0)

	var p *widgets.Palette
	list := func(what string, n int) {
		t.Helper()
		pollUntil(t, g, what, func([]widgets.SessionRow) bool {
			p = g.ask.Dialog()
			return p != nil && len(p.Items) == n
		})
	}
	g.ss.listRecordings(home)
	list("the list", 4)
	var names []string
	for _, it := range p.Items {
		names = append(names, it.Name)
	}
	sep := string(filepath.Separator)
	testkit.Equal(t, strings.Join(names, " "), "newer.pstats older.pstats .."+sep+" more"+sep, "lists")
	note := p.Items[0].Note
	testkit.That(t, strings.HasPrefix(note, "PStats session, "), "says of a recording %q", note)
	p.Text().SetText("more/")
	it := p.Chosen()
	testkit.That(t, it.Name == filepath.Join(home, "more"), "a path leads to %q", it.Name)
	typed := func(text string) (names []string) {
		for _, it := range g.ss.typedPath(home, text) {
			at, err := filepath.Rel(home, it.Name)
			testkit.That(t, err == nil && it.Run != nil, "%q leads to %q", text, it.Name)
			names = append(names, filepath.ToSlash(at))
		}
		return names
	}
	for text, want := range map[string]string{
		"./ne":                                   "newer.pstats",
		"./ER":                                   "newer.pstats older.pstats",
		"more/t":                                 "more/third.pstats",
		"more":                                   "",
		"./more":                                 "more more/third.pstats",
		"more/":                                  "more more/third.pstats",
		"./.h":                                   ".hidden.pstats",
		"./newer.pstats":                         "newer.pstats",
		"nowhere/x":                              "",
		"./newer.pstats#frame=120&thread=Main/1": "newer.pstats",
		"./gone.pstats#frame=120":                "",
		home + "/ol":                             "older.pstats",
	} {
		testkit.Equal(t, strings.Join(typed(text), " "), want, "%q stands for", text)
	}
	for text, want := range map[string]string{
		"./newer.pstats#frame=120": "frame 120", "./newer.pstats#frame=1x": "frame",
	} {
		items := g.ss.typedPath(home, text)
		testkit.That(t, len(items) == 1 && strings.Contains(items[0].Note, want), "%s: %+v", text, items)
	}
	p.Text().SetText("more/")
	p.Enter()
	list("the other folder", 2)
	p.Text().SetText(filepath.Join(home, "more", "third.pstats") + "#frame=120")
	p.Enter()
	pollUntil(t, g, "the recording", func(rows []widgets.SessionRow) bool { return len(rows) == 1 })
	testkit.That(t, g.ask.Dialog() == nil && len(g.settings.Recent) == 1 &&
		filepath.Base(g.settings.Recent[0]) == "third.pstats", "remembers %v", g.settings.Recent)
	_, at, _ := CutPlace("x#frame=120")
	testkit.That(t, g.ss.asked[g.ss.View().Session()].Place == at, "goes to %v, want %v", g.ss.asked, at)
	if at := g.ss.startFolder(); filepath.Base(at) != "more" {
		t.Errorf("looks in %s first", at)
	}
}
