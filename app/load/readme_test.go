package load

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/flare/flaretest"
)

var update = testkit.Update

const readme = "../../README.md"

// had is what the recordings of a source have.
type had struct {
	of                    store.Contents
	calls, samples, times bool
}

// add adds what a session has.
func (h *had) add(c store.Contents) {
	h.of = h.of.Or(c)
	h.calls = h.calls || c.Spans && !c.Sampled && !c.Timeless
	h.samples = h.samples || c.Sampled && !c.Timeless
	h.times = h.times || !c.Timeless
}

// words says it for the table.
func (h *had) words() string {
	var list []string
	for _, w := range []struct {
		has  bool
		word string
	}{
		{h.of.Frames, "frames"},
		{h.calls, "calls"},
		{h.samples, "samples"},
		{h.of.Timeless, "sums"},
		{h.of.Series || h.of.Levels, "counters"},
		{h.of.Messages, "messages"},
		{h.of.Flows, "flows"},
		{h.of.Locks, "locks"},
		{h.of.Processors, "processors"},
		{h.of.Objects, "elements"},
		{h.of.Resources, "leaks"},
	} {
		if w.has {
			list = append(list, w.word)
		}
	}
	return cmp.Or(strings.Join(list, ", "), "what came")
}

// contents opens every recording that is here, and returns by name of the source what these have.
func contents(t *testing.T, reg feed.Registry) map[string]*had {
	t.Helper()
	all := map[string]*had{}
	for _, src := range reg {
		all[src.Name()] = &had{}
	}
	paths := recordings.All(t, reg)
	flare := flaretest.Captures(t)
	for _, folder := range []string{"recorded-60s", "constructed-60s"} {
		paths = append(paths, filepath.Join(flare, folder))
	}
	for _, path := range paths {
		src, err := reg.Recognise(path)
		testkit.NoErr(t, err)
		if rec, _ := File(t.Context(), path, Options{}); rec != nil {
			all[src.Name()].add(rec.Session.Contents())
		}
		checkEnd(t, src, path)
	}
	return all
}

// checkEnd demands that the recordings that are here are called as is said to be usual.
func checkEnd(t *testing.T, src feed.Source, path string) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	usual := slices.ContainsFunc(src.About().Ends, func(end string) bool { return strings.HasSuffix(name, end) })
	testkit.That(t, usual || feed.Folders(src),
		"%s: the names of a %s usually end with %q", path, src.Name(), src.About().Ends)
}

// pages returns where each page of docs/sources is, from README, by its title.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../docs/sources/*.md")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
		list[title] = "docs/sources/" + filepath.Base(f)
	}
	return list
}

// table is README's table of formats: what their sources say of themselves, what these implement, and
// what is in the recordings that are here.
func table(t *testing.T, reg feed.Registry, text string) string {
	t.Helper()
	has := contents(t, reg)
	at := func(src feed.Source) int { return strings.Index(text, "["+src.About().Title+"](") }
	page := pages(t)
	rows := slices.Clone(reg) // in the order in which README has them
	slices.SortStableFunc(rows, func(a, b feed.Source) int { return cmp.Compare(at(a), at(b)) })
	var b strings.Builder
	b.WriteString("| format | written by | names usually end with | has | while it grows | live: `framescope …` |\n|---|---|---|---|---|---|\n")
	for _, src := range rows {
		a := src.About()
		testkit.That(t, page[a.Title] != "", "docs/sources has no page %q", a.Title)
		ends, grows, live := "", "", ""
		if feed.Folders(src) {
			ends = "(a folder)"
		}
		for _, end := range a.Ends {
			ends += " `" + end + "`"
		}
		if feed.Growing(src) {
			grows = "`--follow`"
		}
		if a.Live != "" {
			live = "`" + a.Live + "`"
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s | %s | %s | %s |\n",
			a.Title, page[a.Title], a.Writers, strings.TrimSpace(ends), has[src.Name()].words(), grows, live)
	}
	return b.String()
}

// TestTableOfFormats holds README's table of formats against the registry.
func TestTableOfFormats(t *testing.T) {
	reg, err := Sources{}.Registry()
	testkit.NoErr(t, err)
	data, err := os.ReadFile(readme)
	testkit.NoErr(t, err)
	const begin, end = "<!-- the formats -->\n", "<!-- end of the formats -->\n"
	before, rest, ok := strings.Cut(string(data), begin)
	was, after, closed := strings.Cut(rest, end)
	testkit.MustThat(t, ok && closed, "README.md has no place for the formats, between %q and %q", begin, end)
	want := table(t, reg, string(data))
	if *update && was != want {
		testkit.NoErr(t, os.WriteFile(readme, []byte(before+begin+want+end+after), 0o644))
	} else if was != want {
		t.Errorf("README.md does not have the formats as they are: go test ./app/load -update\n%s", want)
	}
}
