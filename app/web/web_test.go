package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"framescope/app"
	"framescope/app/library"
	"framescope/app/web"
	"framescope/app/web/build"
	"framescope/internal/testkit"
	"framescope/net/journal"
)

// observes makes the page keep what the viewer says of each tick.
const observes = `Object.defineProperty(globalThis, "framescopePage", { configurable: true, set(page) {
	page.observe = (text) => { globalThis.seen = text; };
	Object.defineProperty(globalThis, "framescopePage", { value: page });
} });`

const (
	folder    = "../../testdata/"
	recording = "pstats/late.pstats"
	live      = "puffin/http_join_late.puffinstream"
	shown     = `globalThis.seen !== undefined && JSON.parse(seen).FrameA >= 0`
	started   = `globalThis.framescopePage?.started === true`
)

// openAlone starts a browser, and builds the page.
func openAlone(t *testing.T) (b *chromium, dir string) {
	t.Helper()
	b, dir = launch(t), t.TempDir()
	testkit.NoErr(t, build.Page(t.Context(), dir))
	b.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": observes}, nil)
	return b, dir
}

// open starts a browser, and a server of the viewer's page and of recordings.
func open(t *testing.T) (b *chromium, address string) {
	t.Helper()
	b, dir := openAlone(t)
	files := http.NewServeMux()
	files.Handle("/testdata/", http.StripPrefix("/testdata/", http.FileServer(http.Dir(folder))))
	files.Handle("/", http.FileServer(http.Dir(dir)))
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
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

// The page opens a recording at an address, at a place in it, and complains of nothing.
func TestOpensAddress(t *testing.T) {
	b, address := open(t)
	b.visit(address + "/?url=testdata/" + recording + "#frame=100")
	b.await(shown)
	b.await("JSON.parse(seen).FrameA === 100")
	testkit.That(t, len(b.said()) == 0, "the console: %q", b.said())
}

// long skips a test that takes longer than the gate may.
func long(t *testing.T) {
	t.Helper()
	if !testkit.Long {
		t.Skip("a long trial: FRAMESCOPE_LONG=1")
	}
}

// Another page hands a recording over as Perfetto's page takes it.
func TestTakesMessages(t *testing.T) {
	long(t)
	b, address := open(t)
	b.visit(address + "/testdata/")
	b.await("document.readyState === 'complete'")
	b.eval(`(async () => {
		const bytes = await (await fetch("` + recording + `")).arrayBuffer();
		const frame = document.createElement("iframe");
		frame.src = "/";
		frame.style = "position: fixed; inset: 0; width: 100%; height: 100%";
		document.body.append(frame);
		const ping = setInterval(() => frame.contentWindow.postMessage("PING", "*"), 50);
		addEventListener("message", (e) => {
			if (e.data === "PONG") {
				clearInterval(ping);
				frame.contentWindow.postMessage({ perfetto: { buffer: bytes, title: "a title", fileName: "sent.pstats" } }, "*");
			}
		});
	})()`)
	b.await("frames[0]?.seen !== undefined && JSON.parse(frames[0].seen).Thread === 'Main'")
	b.shoot("message")
}

// saveKey presses Ctrl+S.
func (b *chromium) saveKey() {
	b.t.Helper()
	for _, k := range []map[string]any{
		{"type": "rawKeyDown", "code": "ControlLeft", "key": "Control", "modifiers": 2},
		{"type": "rawKeyDown", "code": "KeyS", "key": "s", "modifiers": 2},
		{"type": "keyUp", "code": "KeyS", "key": "s", "modifiers": 2},
		{"type": "keyUp", "code": "ControlLeft", "key": "Control"},
	} {
		b.call("Input.dispatchKeyEvent", k, nil)
		b.frames(3)
	}
}

// TestPage goes through what a user does with a recording, in a browser.
func TestPage(t *testing.T) {
	long(t)
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

	b.saveKey()
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

// TestOneFile opens the recording that a report carries with the viewer.
func TestOneFile(t *testing.T) {
	long(t)
	b, dir := openAlone(t)
	var page bytes.Buffer
	page.WriteString("<!doctype html><body><h1>Report</h1>")
	testkit.NoErr(t, web.WriteViewer(&page, os.DirFS(dir), "late <1>.pstats", testkit.Must(os.Open(folder+recording))(t)))
	path := filepath.Join(t.TempDir(), "report.html")
	testkit.NoErr(t, os.WriteFile(path, page.Bytes(), 0o644))
	b.visit("file://" + path)
	b.await("!!document.getElementById('framescope-open')?.onclick")
	b.eval("document.getElementById('framescope-open').click()")
	b.await(shown)
	b.frames(10)
	b.shoot("onefile")
	testkit.That(t, len(b.said()) == 0, "the console: %q", b.said())
}

// TestFollowsLive watches a session that goes on.
func TestFollowsLive(t *testing.T) {
	long(t)
	b, dir := openAlone(t)
	data := testkit.Must(os.ReadFile(folder + live))(t)
	w := journal.OpenRoot(t.TempDir(), journal.RootOptions{Limit: 1 << 30}).Create(journal.Meta{Source: "puffin", Program: "game"}, journal.Options{})
	w.Data(data[:len(data)/2])
	testkit.NoErr(t, w.Flush())
	list := func() []library.Session {
		return []library.Session{{ID: "1", Path: w.Path(), State: library.Live, Began: time.Now()}}
	}
	server := testkit.Must(web.Listen(web.ServeOptions{Addr: "127.0.0.1:0", Page: os.DirFS(dir), Sessions: list}))(t)
	defer server.Close()
	b.visit(server.URL())
	b.await("globalThis.seen !== undefined && JSON.parse(seen).Thread !== ''")
	b.frames(10)
	b.shoot("live")
	before := b.see()
	w.Data(data[len(data)/2:])
	w.Close("the game has ended")
	b.until("more is shown", func() bool { return b.see().FrameA != before.FrameA || b.see().End != before.End })
	testkit.That(t, len(b.said()) == 0, "the console: %q", b.said())
}
