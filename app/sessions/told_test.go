package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/workspace"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/widgets"
)

// Clients that send garbage make as many lines as they like; the log takes some and counts the
// rest.
func TestLogIsBounded(t *testing.T) {
	var out strings.Builder
	writeLog(&out, []string{"a", "b"}, 2)
	writeLog(&out, []string{"c"}, 1001)
	want := "framescope: a\nframescope: b\nframescope: c\nframescope: and 1000 lines more\n"
	testkit.Equal(t, out.String(), want, "the log says")
}

func TestSilence(t *testing.T) {
	const s = time.Second
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		since, usual, step time.Duration // since the last arrival; below 0: since the beginning, nothing came
		waiting            bool
		want               widgets.Silence
	}{
		"just came":                {since: s / 10, usual: s / 4},
		"between two frames":       {since: s / 2, usual: s / 4},
		"a stopped game":           {since: 3 * s / 4, usual: s / 4, want: widgets.Silence{Ns: int64(3 * s / 4), UsualNs: int64(s / 4), Overdue: true}},
		"a slow log":               {since: 3 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(2 * s)}},
		"a slow log that stopped":  {since: 5 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(5 * s), UsualNs: int64(2 * s), Overdue: true}},
		"one batch, then nothing":  {since: 2*s + 1, want: widgets.Silence{Ns: int64(2*s + 1), Overdue: true}},
		"slow samples":             {since: 3 * s, usual: s / 4, step: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(s / 4)}},
		"connected this moment":    {since: -s / 2},
		"connected":                {since: -2 * s, want: widgets.Silence{Ns: int64(2 * s), Nothing: true}},
		"connected for long":       {since: -25 * s, want: widgets.Silence{Ns: int64(25 * s), Nothing: true, Overdue: true}},
		"a file that is not there": {since: -25 * s, waiting: true},
		"a lost connection":        {since: 25 * s, usual: s / 4, waiting: true, want: widgets.Silence{Ns: int64(25 * s), UsualNs: int64(s / 4), Overdue: true}},
	} {
		p := feed.Pulse{Since: start, LastAt: start, Usual: c.usual}
		now := start.Add(c.since)
		if c.since < 0 {
			p.LastAt, now = time.Time{}, start.Add(-c.since)
		}
		testkit.Equal(t, silence(p, c.step, c.waiting, now), c.want, "%s", name)
	}
}

// What a source warns of is told in the window, once, for the session that is shown.
func TestWarningsAreTold(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	told := func() (n int) {
		for range slices.DeleteFunc(slices.Clone(g.ask.Notices.Shown()), func(n workspace.Notice) bool { return n.Text != "too slow" }) {
			n++
		}
		return n
	}
	g.ss.active.Apply(model.Warning{Text: "too slow"})
	for range 3 {
		g.ss.active.Apply(model.Warning{Text: "too slow"})
		settle(t, g)
	}
	n := told()
	testkit.That(t, n == 1, "told %d times: %+v", n, g.ask.Notices.Shown())
	g.ss.forget(g.ss.active)
	testkit.Equal(t, len(g.ss.warned), 0, "what was told is remembered of a session that is gone")
}

// Sessions that are called alike say by which file they are, and where the files are called alike, too, in
// which folder; what has a name of its own says nothing more. The menu of a row acts on that session.
func TestSessionsThatAreCalledAlike(t *testing.T) {
	bytes, err := os.ReadFile(captureFile(t, "nested.pstats"))
	testkit.NoErr(t, err)
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one/run.pstats", "two/run.pstats", "two/other.pstats"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		testkit.NoErr(t, os.WriteFile(path, bytes, 0o644))
		files = append(files, path)
	}
	g := newViewer(t, Options{Files: append(files, captureFile(t, "late.pstats"))})
	testkit.WaitUntil(t, "all recordings", func() bool {
		g.tick()
		rows, n := g.ss.Sessions(), 0
		for i := range rows {
			if _, ended := rows[i].Session.Ended(); ended {
				n++
			}
		}
		return n == 4
	})
	got := map[string]bool{}
	for _, r := range g.ss.Sessions() {
		got[filepath.ToSlash(r.Apart)] = true
	}
	alike := g.ss.Sessions()[0].Called() == g.ss.Sessions()[3].Called()
	testkit.That(t, got["one/run.pstats"] && got["two/run.pstats"] && got["other.pstats"] && got[""] != alike,
		"told apart by %v", got)
	other := g.ss.Sessions()[1].Session
	g.ss.Offer(other)
	testkit.WaitUntil(t, "the menu", func() bool { g.tick(); return g.ask.Menu() != nil })
	g.ask.Menu().Items[0].Run()
	testkit.Equal(t, g.ss.active, other, "the menu shows another session")
}
