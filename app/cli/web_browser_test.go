//go:build integration

package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"framescope/app"
	"framescope/app/library"
	"framescope/app/load"
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
func TestRealBrowser(t *testing.T) {
	b, address := open(t)
	b.visit(address + "/?url=testdata/" + recording + "#frame=100")
	b.await(shown)
	b.await("JSON.parse(seen).FrameA === 100")
	b.isSilent()
}

// long skips a test that takes longer than the gate may.
func long(t *testing.T) {
	t.Helper()
	if !testkit.Long {
		t.Skip("a long trial: FRAMESCOPE_LONG=1")
	}
}

// Another page hands a recording over as Perfetto's page takes it.
func TestRealMessages(t *testing.T) {
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
func TestRealPage(t *testing.T) {
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
	b.isSilent()
}

// TestOneFile opens the recording that a report carries with the viewer.
func TestRealOneFile(t *testing.T) {
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
	b.isSilent()
}

// TestFollowsLive watches a session that goes on.
func TestRealFollowing(t *testing.T) {
	long(t)
	b, dir := openAlone(t)
	data := testkit.Must(os.ReadFile(folder + live))(t)
	root := journal.OpenRoot(t.TempDir(), journal.RootOptions{Limit: 1 << 30})
	w := root.Create(journal.Meta{Source: "puffin", Program: "game"}, journal.Options{})
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
	b.isSilent()
}

// chromium is a running browser with one page, driven by the protocol of its developer tools.
type chromium struct {
	t       *testing.T
	conn    *websocket.Conn
	session string

	mu       sync.Mutex
	next     int
	waits    map[int]chan answer
	problems []string // errors and warnings of the console, and uncaught exceptions
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// launch starts the browser, or skips the test where there is none.
func launch(t *testing.T) *chromium {
	t.Helper()
	path := testkit.Program(t, "chromium")
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
		"--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--window-size=1280,800",
		"--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), "about:blank")
	said := testkit.Must(cmd.StderrPipe())(t)
	testkit.NoErr(t, cmd.Start())
	b := &chromium{t: t, waits: map[int]chan answer{}}
	silent := make(chan struct{}) // when the last process of the browser has ended: each writes into its folder until then
	t.Cleanup(func() {
		if b.conn != nil {
			b.try("Browser.close", nil)
			b.conn.CloseNow()
			select {
			case <-silent:
			case <-time.After(10 * time.Second):
			}
		}
		stop()
		cmd.Wait()
	})
	address := ""
	for lines := bufio.NewScanner(said); address == "" && lines.Scan(); {
		_, address, _ = strings.Cut(lines.Text(), "DevTools listening on ")
	}
	go func() {
		io.Copy(io.Discard, said)
		close(silent)
	}()
	conn, _, err := websocket.Dial(ctx, address, nil)
	testkit.NoErr(t, err)
	b.conn = conn
	b.conn.SetReadLimit(-1)
	go b.listen(ctx)
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	return b
}

// listen takes what the browser says.
func (b *chromium) listen(ctx context.Context) {
	for {
		_, text, err := b.conn.Read(ctx)
		if err != nil {
			return
		}
		var said struct {
			ID     int
			Method string
			Params struct {
				Type  string
				Args  []struct{ Value, Description any }
				Entry struct{ Level, Text, URL string }

				ExceptionDetails struct {
					Text      string
					Exception struct{ Description string }
				}
			}
			answer
		}
		if json.Unmarshal(text, &said) != nil {
			continue
		}
		b.mu.Lock()
		p := &said.Params
		switch said.Method {
		case "":
			b.waits[said.ID] <- said.answer
			delete(b.waits, said.ID)
		case "Runtime.consoleAPICalled":
			if p.Type == "error" || p.Type == "warning" {
				b.problems = append(b.problems, fmt.Sprint(p.Type, ": ", p.Args))
			}
		case "Runtime.exceptionThrown":
			b.problems = append(b.problems, p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description)
		case "Log.entryAdded":
			if p.Entry.Level == "error" {
				b.problems = append(b.problems, p.Entry.Text+" "+p.Entry.URL)
			}
		}
		b.mu.Unlock()
	}
}

// try does something in the browser.
func (b *chromium) try(method string, params any) (json.RawMessage, error) {
	wait := make(chan answer, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.waits[id] = wait
	b.mu.Unlock()
	asked := map[string]any{"id": id, "method": method}
	if params != nil {
		asked["params"] = params
	}
	if b.session != "" && !strings.HasPrefix(method, "Browser.") {
		asked["sessionId"] = b.session
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	if err := b.conn.Write(context.Background(), websocket.MessageText, text); err != nil {
		return nil, err
	}
	select {
	case a := <-wait:
		if a.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		return a.Result, nil
	case <-time.After(time.Minute):
		return nil, errors.New(method + ": no answer in a minute")
	}
}

func (b *chromium) call(method string, params, result any) {
	b.t.Helper()
	text, err := b.try(method, params)
	testkit.NoErr(b.t, err)
	if result != nil {
		testkit.NoErr(b.t, json.Unmarshal(text, result))
	}
}

// eval returns the value of an expression in the page. It awaits promises.
func (b *chromium) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

// await waits until an expression is true.
func (b *chromium) await(expression string) {
	b.t.Helper()
	b.until(expression, func() bool { return b.eval(expression) == true })
}

// until waits for something.
func (b *chromium) until(what string, is func() bool) {
	b.t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.shoot("until")
			b.t.Fatalf("%s: not in 30 s; the console: %q", what, b.said())
		}
	}
}

func (b *chromium) said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.problems
}

// isSilent demands an empty console.
func (b *chromium) isSilent() {
	b.t.Helper()
	testkit.That(b.t, len(b.said()) == 0, "the console: %q", b.said())
}

func (b *chromium) visit(url string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": url}, nil)
}

func (b *chromium) click(x, y int) {
	b.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
		b.frames(3)
	}
}

// frames waits for some pictures, so that the game loop sees each state of the mouse and of keys.
func (b *chromium) frames(n int) {
	b.t.Helper()
	b.eval(fmt.Sprintf("new Promise((use) => { let n = %d; const f = () => --n < 0 ? use(true) : requestAnimationFrame(f); f(); })", n))
}

// key presses a key of the given code, such as KeyF.
func (b *chromium) key(code, key string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		p := map[string]any{"type": kind, "code": code, "key": key}
		if kind == "keyDown" && len(key) == 1 {
			p["text"] = key
		}
		b.call("Input.dispatchKeyEvent", p, nil)
		b.frames(3)
	}
}

// shoot keeps a picture of the page where FRAMESCOPE_SHOTS names a folder.
func (b *chromium) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("FRAMESCOPE_SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data := testkit.Must(base64.StdEncoding.DecodeString(shot.Data))(b.t)
	testkit.NoErr(b.t, os.WriteFile(dir+"/"+name+".png", data, 0o644))
}

// TestSpeed prints how long it takes to the first picture, and to read a recording that FRAMESCOPE_RECORDING names, up to
// its last frame FRAMESCOPE_LAST.
func TestRealSpeed(t *testing.T) {
	path, last := os.Getenv("FRAMESCOPE_RECORDING"), os.Getenv("FRAMESCOPE_LAST")
	if path == "" || last == "" {
		t.Skip("FRAMESCOPE_RECORDING names no recording, or FRAMESCOPE_LAST not its last frame")
	}
	path = testkit.Must(filepath.Abs(path))(t)
	b, address := open(t)
	b.visit(address)
	b.await(started)
	t.Logf("first picture after %.0f ms", b.eval("performance.now()"))
	b.eval("globalThis.worst = 0; globalThis.last = performance.now(); " +
		"(function f() { const n = performance.now(); worst = Math.max(worst, n - last); last = n; requestAnimationFrame(f); })()")
	b.eval("globalThis.began = performance.now()")
	b.drop(path)
	b.until("its last frame is selected", func() bool {
		b.key("End", "End")
		return b.eval("seen.includes('\"FrameA\":"+last+",')") == true
	})
	took := b.eval("performance.now() - began").(float64)
	st := testkit.Must(os.Stat(path))(t)
	t.Logf("%.1f MB in %.0f ms; the longest pause between two pictures %.0f ms", float64(st.Size())/1e6, took, b.eval("worst"))
	began := time.Now()
	_, err := load.File(t.Context(), path, load.Options{})
	testkit.NoErr(t, err)
	t.Logf("without a browser and a window: %.0f ms", time.Since(began).Seconds()*1e3)
}
