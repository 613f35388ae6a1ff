package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/demo"
	"framescope/app/workspace"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/widgets"
)

// While a game runs clips of its hitches are filed and told of; they are listed, opened beside the rest,
// and deleted after a question. Who wants none gets none.
func TestCamera(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	run := func() {
		over := make(chan error, 1)
		sessions := len(g.ss.store.Sessions())
		go func() {
			over <- demo.Run(t.Context(), g.ss.sources.server.Addr().String(), demo.Options{Seed: 1, Frames: 700, Fast: true})
		}()
		testkit.WaitUntil(t, "the game is over", func() bool {
			g.tick()
			all := g.ss.store.Sessions()
			if len(all) == sessions {
				return false
			}
			_, ended := all[len(all)-1].Ended()
			return ended
		})
		testkit.NoErr(t, <-over)
	}
	var rows []widgets.Row
	until := func(what string, ok func() bool) {
		testkit.WaitUntil(t, what, func() bool {
			g.tick()
			rows, _ = g.ss.camera.Clips()
			return ok()
		}, func() any { return []any{g.ask.Notices.Shown(), len(rows)} })
	}
	causes := func() (all []string) {
		for _, r := range rows {
			all = append(all, r.Cause)
		}
		return all
	}
	run()
	until("the clips are there", func() bool { return slices.Contains(causes(), "Texture on Draw") })
	for _, want := range []string{"Compile shader on Draw", "Disk in Autosave on Main", "Mark on Main", "Upload on Loader"} {
		i := slices.Index(causes(), want)
		if i < 0 {
			t.Fatalf("no clip of %s: %q", want, causes())
		}
		if r := rows[i]; r.Program != "Solar Chase" || r.Took <= 0 || r.Length <= r.Took || r.Mark == "" || r.Color.A == 0 {
			t.Errorf("%+v", r)
		}
	}
	if !slices.ContainsFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool {
		return strings.HasPrefix(n.Text, "Clips: ") && strings.HasSuffix(n.Text, "Ctrl+Shift+C lists them")
	}) {
		t.Errorf("told %+v", g.ask.Notices.Shown())
	}

	// One is opened beside the rest, and stays while it is open.
	at := slices.IndexFunc(rows, func(r widgets.Row) bool { return r.Cause == "Upload on Loader" })
	n, path, filed := len(rows), rows[at].Path, rows[at].At
	// At its hitch: the number of the frame is that of the game.
	hitch := place.Place{Kind: place.Frames, Thread: rows[at].Thread, First: rows[at].Frame, Last: rows[at].Frame}
	g.ss.camera.DoClip(widgets.Open, path)
	until("it is opened", func() bool {
		all := g.ss.store.Sessions()
		return len(all) == 2 && all[1].NumTracks() > 0 && g.ss.active == all[1]
	})
	until("its hitch is there", func() bool {
		f, err := hitch.Find(g.ss.active)
		return err == nil && g.ss.active.Track(f.Track).Frame(f.First).Number == hitch.First
	})
	testkit.Equal(t, g.ss.asked[g.ss.active], hitch, "it is opened at")
	g.settings.Clips = 1
	g.tick()
	run()
	until("the others have left", func() bool { return len(rows) < n })
	// By when it was filed, too: a clip of the second game may take its name.
	listed := func() bool {
		return slices.ContainsFunc(rows, func(r widgets.Row) bool { return r.Path == path && r.At.Equal(filed) })
	}
	testkit.That(t, listed(), "the clip that is open has left")

	// Deleting asks.
	g.ss.camera.DoClip(widgets.Delete, path)
	until("the question", func() bool { return g.ask.Menu() != nil })
	g.ask.Menu().Items[0].Run()
	until("it is deleted", func() bool { return !listed() })

	home := t.TempDir()
	if err := g.ss.Close(); err != nil { // it looks after its folder until then
		t.Error(err)
	}
	g = keptViewer(t, home)
	g.settings.NoClips = true
	g.tick()
	run()
	for range 100 {
		g.tick()
	}
	g.ss.Close()
	entries, _ := os.ReadDir(filepath.Join(home, "framescope", "clips"))
	testkit.That(t, len(entries) == 0, "%d files though nobody wants clips", len(entries))
}
