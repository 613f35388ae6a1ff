//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/exp/vmhost"

	"framescope/app"
	"framescope/app/e2e/xvfb"
	"framescope/app/sessions"
	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
)

// The test binary plays three parts. Started by "go test" it finds or starts an X server and starts
// itself again; the second one is the host: it runs the tests and, for each, a guest: a third one
// that runs the viewer, whose picture the host draws and whose mouse and keyboard it plays
// (Ebitengine's exp/vmhost).
const (
	partEnv    = "FRAMESCOPE_E2E_PART"
	guestEnv   = "FRAMESCOPE_E2E_ENDPOINT"
	filesEnv   = "FRAMESCOPE_E2E_FILES"
	compareEnv = "FRAMESCOPE_E2E_COMPARE"
	listenEnv  = "FRAMESCOPE_E2E_LISTEN"
	scaleEnv   = "FRAMESCOPE_E2E_SCALE"
	checkedEnv = "FRAMESCOPE_E2E_CHECKED"
	keepEnv    = "FRAMESCOPE_E2E_KEEP"
	observeEnv = "FRAMESCOPE_E2E_OBSERVE" // a file for what the viewer says, a line for each tick
	skippedEnv = "FRAMESCOPE_E2E_SKIP"
	readyEnv   = "FRAMESCOPE_E2E_READY" // a file that the host makes when its game loop runs
)

// host is the game loop of the host part: it does, within its frame, what tests ask for.
type host struct {
	work  chan func()
	ready chan struct{} // closed when the loop runs
	runs  bool
}

func (h *host) Update() error {
	if !h.runs {
		h.runs = true
		close(h.ready)
	}
	for {
		select {
		case f := <-h.work:
			if f == nil {
				return ebiten.Termination
			}
			f()
		case <-time.After(50 * time.Millisecond):
			return nil
		}
	}
}

func (h *host) Draw(*ebiten.Image)          {}
func (h *host) Layout(w, ht int) (int, int) { return w, ht }

var (
	theHost *host
	noHost  string // why there is none
)

func TestMain(m *testing.M) {
	switch os.Getenv(partEnv) {
	case "guest":
		os.Exit(guest())
	case "host":
		theHost = &host{work: make(chan func()), ready: make(chan struct{})}
		noHost = os.Getenv(skippedEnv)
		if noHost != "" {
			os.Exit(m.Run())
		}
		code := make(chan int, 1)
		go func() {
			<-theHost.ready
			os.WriteFile(os.Getenv(readyEnv), nil, 0o644)
			code <- m.Run()
			theHost.work <- nil
		}()
		ebiten.SetWindowVisible(false)
		if err := ebiten.RunGame(theHost); err != nil {
			fmt.Fprintln(os.Stderr, "host:", err)
			os.Exit(1)
		}
		os.Exit(<-code)
	default:
		os.Exit(again())
	}
}

// again starts this program once more as the host, with a display. Where no host can run, for want
// of a display or of OpenGL, it starts it to skip the tests with a word.
func again() int {
	stop, display, why := xvfb.Start()
	defer stop()
	if why == "" {
		code, started, complaint := runHost("DISPLAY=" + display)
		if started {
			return code
		}
		why = "no window can be opened here: " + complaint
	}
	code, _, _ := runHost(skippedEnv + "=" + why)
	return code
}

// runHost runs the host part; started tells whether its game loop ever ran, complaint is what it
// said last if not.
func runHost(env string) (code int, started bool, complaint string) {
	dir, err := os.MkdirTemp("", "framescope-e2e-*")
	if err != nil {
		return 1, true, err.Error()
	}
	defer os.RemoveAll(dir)
	ready := filepath.Join(dir, "ready")
	var said strings.Builder
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), partEnv+"=host", readyEnv+"="+ready, env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, io.MultiWriter(os.Stderr, &said)
	err = cmd.Run()
	_, statErr := os.Stat(ready)
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, true, ""
	case errors.As(err, &exit):
		return exit.ExitCode(), statErr == nil, lines[0]
	}
	return 1, true, err.Error()
}

// guest runs the viewer itself, deterministically.
func guest() int {
	scale, _ := strconv.ParseFloat(os.Getenv(scaleEnv), 64)
	var files []string
	if f := os.Getenv(filesEnv); f != "" {
		files = filepath.SplitList(f)
	}
	o := app.Options{
		Options:    sessions.Options{Files: files, Listen: os.Getenv(listenEnv), Deterministic: true},
		VMEndpoint: os.Getenv(guestEnv), Scale: scale, SettingsPath: "-",
		Inside: os.Getenv(checkedEnv) != "", Compare: os.Getenv(compareEnv) != "",
	}
	if o.Inside {
		o.Check = new(checker).look
	}
	if os.Getenv(keepEnv) != "" {
		o.DiskLimit = new(int64)
		*o.DiskLimit = 1 << 30
	}
	if path := os.Getenv(observeEnv); path != "" {
		log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, "viewer:", err)
			return 1
		}
		defer log.Close()
		lines := json.NewEncoder(log)
		o.Observe = func(s app.Observed) {
			lines.Encode(s)
			if os.Remove(path+".layout") == nil { // the host wants it
				drawn, texts := golden.Layout(s.Picture())
				os.WriteFile(path+".txt", []byte(texts), 0o600)
				writePNG(path+".png", drawn)
			}
		}
	}
	err := app.Run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "viewer:", err)
		return 1
	}
	return 0
}

// viewer is a running viewer as a test handles it.
type viewer struct {
	t      *testing.T
	guest  *vmhost.GuestSession
	screen *ebiten.Image
	cmd    *exec.Cmd
	w, h   int
	input  *vmhost.GuestTextInput // of the text field that has the keyboard
	scale  float64
	tells  string // the file in which it says what it shows, a line for each tick, where it was asked to
	read   int64  // so much of it was read
	last   app.Observed
}

// in runs f within the host's frame.
func in(f func()) {
	done := make(chan struct{})
	theHost.work <- func() {
		defer close(done)
		f()
	}
	<-done
}

type start struct {
	w, h   int
	scale  float64
	files  []string
	listen string
	// home is the folder of a user, who keeps sessions and clips there; empty: nobody's, and none are kept.
	home string
	// compare compares both files.
	compare bool
	// checked makes the viewer end with an error as soon as its state makes no sense; what it says
	// then goes to said
	checked bool
	said    io.Writer
}

// startViewer starts the viewer with files on a screen of w × h pixels; it is closed when the test
// ends.
func startViewer(t *testing.T, s start) *viewer {
	t.Helper()
	if noHost != "" {
		t.Skip(noHost)
	}
	dir := t.TempDir()
	ln := testkit.Must(net.Listen("unix", filepath.Join(dir, "s")))(t)
	defer ln.Close()
	endpoint := testkit.Must(vmhost.EndpointURLFromAddr(ln.Addr()))(t)
	v := &viewer{t: t, w: s.w, h: s.h, scale: s.scale}
	v.cmd = exec.Command(os.Args[0])
	v.cmd.Env = append(os.Environ(), partEnv+"=guest", guestEnv+"="+endpoint, filesEnv+"="+strings.Join(s.files, string(filepath.ListSeparator)),
		listenEnv+"="+s.listen, scaleEnv+"="+strconv.FormatFloat(s.scale, 'f', -1, 64), "GOGC=400", "XCOMPOSEFILE=/dev/null") // it lives for a moment: no collection, no table of composed keys
	if s.compare {
		v.cmd.Env = append(v.cmd.Env, compareEnv+"=1")
	}
	if s.home != "" {
		v.cmd.Env = append(v.cmd.Env, keepEnv+"=1", "TZ=UTC", "HOME="+s.home, "XDG_STATE_HOME="+filepath.Join(s.home, "state"))
	}
	v.cmd.Stdout, v.cmd.Stderr = os.Stderr, os.Stderr
	if s.checked {
		v.cmd.Env = append(v.cmd.Env, checkedEnv+"=1")
	}
	if !s.checked {
		v.tells = filepath.Join(dir, "observed.json")
		v.cmd.Env = append(v.cmd.Env, observeEnv+"="+v.tells)
	}
	if s.said != nil {
		v.cmd.Stderr = s.said
	}
	testkit.OK(t, v.cmd.Start())
	t.Cleanup(v.close)
	ln.(*net.UnixListener).SetDeadline(time.Now().Add(30 * time.Second))
	conn, err := ln.Accept()
	testkit.OK(t, err, "the viewer did not connect")
	v.guest, err = vmhost.NewGuestSession(conn, &vmhost.NewGuestSessionOptions{
		IdleTimeout: 60 * time.Second, OnTextInput: func(ti *vmhost.GuestTextInput) { v.input = ti },
	})
	testkit.OK(t, err)
	in(func() {
		v.screen = ebiten.NewImage(s.w, s.h)
		err = v.guest.SetOutsideScreen(v.screen)
	})
	testkit.OK(t, err)
	v.ticks(3)
	return v
}

func (v *viewer) close() {
	if v.guest != nil {
		in(func() { v.guest.Close() })
		v.guest = nil
	}
	done := make(chan struct{})
	go func() {
		v.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		v.cmd.Process.Kill()
		<-done
		v.t.Error("the viewer did not end when its window was closed")
	}
}

// ticks runs n ticks of the viewer.
func (v *viewer) ticks(n int) {
	v.t.Helper()
	v.guest.AdvanceTicks(n)
	testkit.MustThat(v.t, v.guest.WaitTicks(), "the viewer is gone: %v", v.guest.Err())
}

// picture runs one more tick and returns what the window shows.
func (v *viewer) picture() *image.RGBA {
	v.t.Helper()
	v.guest.AdvanceTicks(1)
	v.guest.AdvanceFrame()
	img := image.NewRGBA(image.Rect(0, 0, v.w, v.h))
	var err error
	in(func() {
		if !v.guest.WaitFrame() || !v.guest.CompositeFrame() {
			err = fmt.Errorf("no frame: %v", v.guest.Err())
			return
		}
		v.screen.ReadPixels(img.Pix)
	})
	testkit.OK(v.t, err)
	return img
}

// layout runs one more tick and returns the layout of what the window shows, as the viewer draws it.
func (v *viewer) layout() (shapes *image.Paletted, texts string) {
	v.t.Helper()
	testkit.OK(v.t, os.WriteFile(v.tells+".layout", nil, 0o600))
	v.ticks(1)
	text := testkit.Must(os.ReadFile(v.tells + ".txt"))(v.t)
	img := testkit.Must(readPNG(v.tells + ".png"))(v.t)
	return img.(*image.Paletted), string(text)
}

// observe runs one more tick and returns what the viewer says that it shows.
func (v *viewer) observe() app.Observed {
	v.t.Helper()
	v.ticks(1)
	return v.observed()
}

// observed returns what the viewer said after its last tick.
func (v *viewer) observed() app.Observed {
	v.t.Helper()
	v.ticks(0)
	if said := v.said(); len(said) > 0 {
		v.last = decode(v.t, said[len(said)-1])
	}
	return v.last
}

// said returns what the viewer said in each tick since it was last asked, as it wrote it.
func (v *viewer) said() [][]byte {
	v.t.Helper()
	f := testkit.Must(os.Open(v.tells))(v.t)
	defer f.Close()
	text := testkit.Must(io.ReadAll(io.NewSectionReader(f, v.read, 1<<40)))(v.t)
	v.read += int64(len(text))
	return slices.Collect(bytes.Lines(text))
}

// decode returns a line of what a viewer said.
func decode(t *testing.T, line []byte) (o app.Observed) {
	t.Helper()
	testkit.OK(t, json.Unmarshal(line, &o))
	return o
}

// move moves the mouse for a tick, whose end is not awaited.
func (v *viewer) move(x, y float64) {
	v.guest.MoveCursor(x, y)
	v.guest.AdvanceTicks(1)
}

// click presses and releases the left button.
func (v *viewer) click(x, y float64) { v.strike(x, y, ebiten.MouseButtonLeft) }

func (v *viewer) rightClick(x, y float64) { v.strike(x, y, ebiten.MouseButtonRight) }

func (v *viewer) strike(x, y float64, button ebiten.MouseButton) {
	v.move(x, y)
	v.guest.PressMouseButton(button)
	v.guest.AdvanceTicks(2)
	v.guest.ReleaseMouseButton(button)
	v.ticks(2)
}

func (v *viewer) doubleClick(x, y float64) {
	v.click(x, y)
	v.click(x, y)
}

// drag presses at one point, moves in steps to another, and releases.
func (v *viewer) drag(x0, y0, x1, y1 float64) {
	v.move(x0, y0)
	v.guest.PressMouseButton(ebiten.MouseButtonLeft)
	v.guest.AdvanceTicks(1)
	const steps = 8
	for i := 1; i <= steps; i++ {
		f := float64(i) / steps
		v.move(x0+(x1-x0)*f, y0+(y1-y0)*f)
	}
	v.guest.ReleaseMouseButton(ebiten.MouseButtonLeft)
	v.ticks(2)
}

// wheel turns the wheel by single notches.
func (v *viewer) wheel(x, y float64, notches int) {
	v.move(x, y)
	dir := 1.0
	if notches < 0 {
		dir, notches = -1, -notches
	}
	for range notches {
		v.guest.ScrollWheel(0, dir)
		v.guest.AdvanceTicks(1)
	}
	v.ticks(0)
}

// press strikes a key, with modifiers held, for a tick; the end of the next one is not awaited.
func (v *viewer) press(key ebiten.Key, with ...ebiten.Key) {
	for _, k := range with {
		v.guest.PressKey(k)
	}
	v.guest.PressKey(key)
	v.guest.AdvanceTicks(1)
	v.guest.ReleaseKey(key)
	for _, k := range with {
		v.guest.ReleaseKey(k)
	}
	v.guest.AdvanceTicks(1)
}

// typeText writes into the text field that has the keyboard.
func (v *viewer) typeText(s string) {
	v.t.Helper()
	v.ticks(2)
	for n := 0; n < 200 && (v.input == nil || v.input.IsClosed()); n++ { // of a busy machine
		v.ticks(1)
	}
	testkit.MustThat(v.t, v.input != nil && !v.input.IsClosed(), "no text field has the keyboard")
	v.input.Commit(s)
	v.ticks(2)
}

// written waits for a file that the viewer writes, which is there when it is whole.
func (v *viewer) written(path string) (data []byte) {
	v.t.Helper()
	testkit.WaitUntil(v.t, path, func() bool {
		v.ticks(1)
		var err error
		data, err = os.ReadFile(path)
		return err == nil
	})
	return data
}

func readPNG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func writePNG(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join((&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, img), f.Close())
}
