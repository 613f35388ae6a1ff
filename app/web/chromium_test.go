package web_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"

	"github.com/coder/websocket"
)

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
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no Chromium here")
	}
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
	b.conn, _, err = websocket.Dial(ctx, address, nil)
	testkit.NoErr(t, err)
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

// eval returns the value of an expression of the page, of a promise what it resolves to.
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
