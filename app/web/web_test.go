package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"framescope/app"
	"framescope/app/web/build"
	"framescope/app/workspace"
	"framescope/internal/testkit"
)

// observes makes the page keep what the viewer says of each tick.
const observes = `Object.defineProperty(globalThis, "framescopePage", { configurable: true, set(page) {
	page.observe = (text) => { globalThis.seen = text; };
	Object.defineProperty(globalThis, "framescopePage", { value: page });
} });`

const (
	folder    = "../../testdata/"
	recording = "pstats/late.pstats"
	shown     = `globalThis.seen !== undefined && JSON.parse(seen).FrameA >= 0`
	started   = `globalThis.framescopePage?.started === true`
)

// open starts a browser, and a server of the viewer's page and of recordings.
func open(t *testing.T) (b *chromium, address string) {
	t.Helper()
	b = launch(t)
	dir := t.TempDir()
	testkit.NoErr(t, build.Page(t.Context(), dir))
	files := http.NewServeMux()
	files.Handle("/testdata/", http.StripPrefix("/testdata/", http.FileServer(http.Dir(folder))))
	files.Handle("/", http.FileServer(http.Dir(dir)))
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	b.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": observes}, nil)
	return b, server.URL
}

// see returns what the viewer shows after some ticks.
func (b *chromium) see() (seen app.Observed) {
	b.t.Helper()
	b.frames(10)
	testkit.NoErr(b.t, json.Unmarshal([]byte(b.eval("seen").(string)), &seen))
	return seen
}

// panel returns the place of a panel in sight.
func (b *chromium) panel(id string) (p app.ObservedPanel) {
	b.t.Helper()
	for _, p := range b.see().Panels {
		if p.ID == id {
			return p
		}
	}
	b.t.Fatalf("the panel %s is not in sight", id)
	return p
}

// drop drops a file on the page.
func (b *chromium) drop(path string) {
	b.t.Helper()
	path = testkit.Must(filepath.Abs(path))(b.t)
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		b.call("Input.dispatchDragEvent", map[string]any{"type": kind, "x": 600, "y": 400,
			"data": map[string]any{"items": []any{}, "files": []string{path}, "dragOperationsMask": 1}}, nil)
	}
}

// TestPage goes through what a user does with a recording, in a browser.
func TestPage(t *testing.T) {
	b, address := open(t)
	downloads := t.TempDir()
	b.call("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads}, nil)

	b.visit(address)
	b.await(started)
	b.shoot("empty")
	for _, c := range b.see().Controls {
		testkit.That(t, c.Label != "On disk…" && c.Label != "● Record", "the page offers %s", c.Label)
	}
	b.drop(folder + recording)
	b.await(shown)
	testkit.That(t, b.see().Thread == "Main", "the thread is %s", b.see().Thread)

	b.visit(address + "/?url=testdata/" + recording + "#frame=100")
	b.await(shown)
	b.await("JSON.parse(seen).FrameA === 100")
	b.shoot("url")

	line := b.panel("timeline").Rect
	before := b.see()
	b.click(int(line.X0+line.X1)/2+200, int(line.Y0)+85)
	clicked := b.see()
	testkit.That(t, clicked.HasSpan && clicked.Span != before.Span, "a click selects no span: %+v", clicked.Span)
	b.key("ArrowRight", "ArrowRight")
	testkit.That(t, b.see().FrameA != clicked.FrameA, "an arrow goes to no other frame")
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": 500, "y": int(line.Y0) + 85, "deltaX": 0, "deltaY": -240}, nil)
	zoomed := b.see()
	testkit.That(t, zoomed.End-zoomed.Begin < clicked.End-clicked.Begin, "the wheel zooms nothing")

	b.key("Slash", "/")
	for _, c := range "leaf" {
		b.key(fmt.Sprintf("Key%c", c-32), string(c))
	}
	b.shoot("search")
	b.key("Enter", "Enter")
	b.key("Escape", "Escape")

	save := slices.IndexFunc(before.Controls, func(c workspace.Control) bool { return c.Label == "Save…" })
	testkit.MustThat(t, save >= 0, "the page offers no Save")
	at := before.Controls[save].Rect
	b.click(int(at.X0+at.X1)/2, int(at.Y0+at.Y1)/2)
	saved := ""
	b.until("a file is saved", func() bool {
		list, _ := filepath.Glob(filepath.Join(downloads, "*.pstats"))
		if len(list) > 0 {
			saved = list[0]
		}
		return saved != ""
	})
	b.frames(30)
	b.shoot("saved")
	was, is := testkit.Must(os.ReadFile(folder+recording))(t), testkit.Must(os.ReadFile(saved))(t)
	testkit.That(t, string(was) == string(is), "%d bytes were saved of %d", len(is), len(was))

	b.visit(address) // it remembers
	b.await(started)
	b.frames(60)
	b.shoot("recent")
	testkit.That(t, len(b.said()) == 0, "the console: %q", b.said())
}
