//go:build integration

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/internal/testkit/pstatstest"
)

// The monkey plays with the viewer at random: it finds what no user would do on purpose, and some
// do by accident. The viewer looks at its own state after each tick (checker) and ends
// when that makes no sense; a panic ends it, too.
const (
	monkeySeedsEnv   = "FRAMESCOPE_MONKEY_SEEDS"   // "12" or "100-180": these seeds instead of the usual ones
	monkeyActionsEnv = "FRAMESCOPE_MONKEY_ACTIONS" // how many actions each
)

const (
	monkeyActions = 160
	monkeyTells   = 40 // actions that are told when something breaks
)

// monkeySeeds are the seeds of a test, and how much is done for each.
func monkeySeeds(t *testing.T, usual ...uint64) (seeds []uint64, actions int) {
	actions = monkeyActions
	if n, err := strconv.Atoi(os.Getenv(monkeyActionsEnv)); err == nil {
		actions = n
	}
	s := os.Getenv(monkeySeedsEnv)
	if s == "" {
		return usual, actions
	}
	from, to, many := strings.Cut(s, "-")
	if !many {
		to = from
	}
	a := testkit.Must(strconv.ParseUint(from, 10, 32))(t)
	b := testkit.Must(strconv.ParseUint(to, 10, 32))(t)
	for ; a <= b; a++ {
		seeds = append(seeds, a)
	}
	return seeds, actions
}

// TestMonkey plays with recordings of every kind, opened together.
func TestMonkey(t *testing.T) {
	if noHost != "" {
		t.Skip(noHost)
	}
	dir := flaretest.Captures(t)
	files := []string{
		recording("late"), small("gsttrace/all-audio-chain.log.gz"), small("profilelib/exhausted.prof"), flaretest.Find(t, dir, "constructed-60s/127*"),
		small("gsttrace/leaks-refs.log"), recording("gaps"), small("profilelib/small-clean.prof"),
		small("gsttrace/stats-bins-ghostpads.log.gz"), small("gsttrace/odd-names.log"), small("gsttrace/truncated.log.gz"),
	}
	seeds, actions := monkeySeeds(t, []uint64{3, 2, 1}[:testkit.Rounds(1, 3)]...)
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			m := newMonkey(t, seed, files)
			for range actions {
				m.act()
			}
			m.v.picture()
		})
	}
}

// TestMonkeyLive plays while sessions grow, begin and end.
func TestMonkeyLive(t *testing.T) {
	if noHost != "" {
		t.Skip(noHost)
	}
	seeds, actions := monkeySeeds(t, 4)
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			var streams []*stream
			for _, path := range []string{small("gsttrace/all-audio-chain.log.gz"), small("gsttrace/leaks-refs.log"), small("profilelib/small-clean.prof")} {
				streams = append(streams, newStream(t, path))
			}
			m := newMonkey(t, seed, []string{streams[0].path, streams[1].path, streams[2].path})
			streams = append(streams, newClient(t, m.address, "fragmented"), newClient(t, m.address, "killed"))
			for i := range actions {
				for _, s := range streams {
					if m.rand.IntN(3) == 0 {
						s.feed(actions - i)
					}
				}
				m.act()
			}
			m.v.picture()
			for _, s := range streams {
				s.end()
			}
			m.v.ticks(5)
		})
	}
}

// monkey is a viewer that is played with.
type monkey struct {
	v       *viewer
	rand    *rand.Rand
	address string // that games connect to
	did     []string
}

func newMonkey(t *testing.T, seed uint64, files []string) *monkey {
	said := &beginning{}
	m := &monkey{rand: rand.New(rand.NewPCG(seed, 1)), address: freePort(t)}
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		t.Logf("seed %d; the last actions:\n  %s\nthe viewer said:\n%s", seed, strings.Join(m.did, "\n  "), said)
	})
	scale := []float64{1, 1, 1, 1.5, 2}[m.rand.IntN(5)]
	m.v = startViewer(t, start{w: 1280, h: 720, scale: scale, files: files, listen: m.address, checked: true, said: said})
	return m
}

// does notes an action.
func (m *monkey) does(format string, args ...any) {
	if len(m.did) >= monkeyTells {
		m.did = slices.Delete(m.did, 0, 1)
	}
	m.did = append(m.did, fmt.Sprintf(format, args...))
}

// point is somewhere in the window, often where things are to be hit: in the lists at the left, in
// the titles, at the edges.
func (m *monkey) point() (x, y float64) {
	w, h := float64(m.v.w), float64(m.v.h)
	x, y = m.rand.Float64()*w, m.rand.Float64()*h
	switch m.rand.IntN(12) {
	case 0:
		x = m.rand.Float64() * min(w, 230)
	case 1: // sessions
		x, y = 20+m.rand.Float64()*min(w, 160), 120+m.rand.Float64()*140
	case 2, 3: // titles of the two panes below the timeline
		y = h * (0.56 + m.rand.Float64()*0.02)
	case 4:
		y = m.rand.Float64() * 100
	case 5:
		x = []float64{0, 1, w - 1, w, -5, w + 5}[m.rand.IntN(6)]
	}
	return float64(int(x)), float64(int(y))
}

var monkeyKeys = func() (keys []ebiten.Key) {
	for k := ebiten.KeyA; k <= ebiten.KeyZ; k++ {
		keys = append(keys, k)
	}
	for k := ebiten.KeyDigit0; k <= ebiten.KeyDigit9; k++ {
		keys = append(keys, k, k)
	}
	return append(keys, ebiten.KeyArrowLeft, ebiten.KeyArrowRight, ebiten.KeyArrowUp, ebiten.KeyArrowDown, ebiten.KeyHome, ebiten.KeyEnd, ebiten.KeyPageUp, ebiten.KeyPageDown,
		ebiten.KeySpace, ebiten.KeyEnter, ebiten.KeyBackspace, ebiten.KeyEscape, ebiten.KeyTab, ebiten.KeyDelete, ebiten.KeyF1, ebiten.KeyF11, ebiten.KeyEqual, ebiten.KeyMinus,
		ebiten.KeyComma, ebiten.KeyPeriod, ebiten.KeySlash, ebiten.KeyArrowLeft, ebiten.KeyArrowRight)
}()

var monkeyTexts = []string{
	"a", "e", "App", "queue", "src", "zzz", "é€", "(", "\\", "*", " ", "12", "3.5 s", "-5", "1e99", "99999999999999999999999", "1:02.5", "0", "leak", "lock", "Main",
	"Call tree", "Slowest", "Leaks", "costs", "layout", "Strip chart of", "Flame graph of", "counters", "Settings", "Unfold",
}

// modifiers are held at random.
func (m *monkey) modifiers() (keys []ebiten.Key) {
	for _, k := range []ebiten.Key{ebiten.KeyControlLeft, ebiten.KeyShiftLeft, ebiten.KeyAltLeft} {
		if m.rand.IntN(5) == 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

// act does something.
func (m *monkey) act() {
	v := m.v
	x, y := m.point()
	with := m.modifiers()
	hold := func() {
		for _, k := range with {
			v.guest.PressKey(k)
		}
	}
	release := func() {
		for _, k := range with {
			v.guest.ReleaseKey(k)
		}
	}
	switch n := m.rand.IntN(100); {
	case n < 12:
		m.does("move %v %v", x, y)
		v.move(x, y)
	case n < 30:
		m.does("click %v %v with %v", x, y, with)
		hold()
		v.click(x, y)
		release()
	case n < 36:
		m.does("double click %v %v", x, y)
		v.doubleClick(x, y)
	case n < 42:
		m.does("right click %v %v", x, y)
		v.rightClick(x, y)
		if m.rand.IntN(2) == 0 { // into the menu
			x, y = x+10+m.rand.Float64()*60, y+10+m.rand.Float64()*150
			m.does("click %v %v", x, y)
			v.click(x, y)
		}
	case n < 54:
		x1, y1 := m.point()
		m.does("drag %v %v to %v %v with %v", x, y, x1, y1, with)
		hold()
		if m.rand.IntN(4) == 0 {
			v.move(x, y)
			v.guest.PressMouseButton(ebiten.MouseButtonRight)
			v.ticks(1)
			v.move((x+x1)/2, (y+y1)/2)
			v.move(x1, y1)
			v.guest.ReleaseMouseButton(ebiten.MouseButtonRight)
			v.ticks(1)
		} else {
			v.drag(x, y, x1, y1)
		}
		release()
	case n < 66:
		notches := m.rand.IntN(13) - 6
		m.does("wheel %v %v by %d with %v", x, y, notches, with)
		hold()
		v.wheel(x, y, notches)
		release()
	case n < 88:
		k := monkeyKeys[m.rand.IntN(len(monkeyKeys))]
		m.does("press %v with %v", k, with)
		v.press(k, with...)
	case n < 90:
		k := []ebiten.Key{ebiten.KeyW, ebiten.KeyA, ebiten.KeyS, ebiten.KeyD}[m.rand.IntN(4)]
		m.does("hold %v", k)
		v.guest.PressKey(k)
		v.ticks(12)
		v.guest.ReleaseKey(k)
		v.ticks(1)
	case n < 95:
		m.write()
	case n < 97:
		m.resize()
	default:
		m.does("look")
		v.picture()
	}
}

// write calls up a text field and writes into it.
func (m *monkey) write() {
	v := m.v
	switch m.rand.IntN(3) {
	case 0:
		m.does("find")
		v.press(ebiten.KeyF, ebiten.KeyControlLeft)
	case 1:
		m.does("palette")
		v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	case 2:
		m.does("go to")
		v.press(ebiten.KeyG)
	}
	v.ticks(2)
	if v.input != nil && !v.input.IsClosed() {
		text := monkeyTexts[m.rand.IntN(len(monkeyTexts))]
		m.does("write %q", text)
		v.input.Commit(text)
		v.ticks(2)
	}
	for _, k := range []ebiten.Key{ebiten.KeyArrowDown, ebiten.KeyEnter, ebiten.KeyEscape}[m.rand.IntN(3):] {
		if m.rand.IntN(4) > 0 {
			m.does("press %v", k)
			v.press(k)
		}
	}
}

// resize gives the window another size.
func (m *monkey) resize() {
	sizes := [][2]int{{1280, 720}, {1280, 720}, {900, 600}, {640, 400}, {1920, 1080}, {2560, 1440}, {320, 1200}, {1600, 300}, {64, 64}}
	s := sizes[m.rand.IntN(len(sizes))]
	m.does("window of %d × %d", s[0], s[1])
	v := m.v
	v.ticks(1)
	v.w, v.h = s[0], s[1]
	var err error
	in(func() {
		v.screen = ebiten.NewImage(v.w, v.h)
		err = v.guest.SetOutsideScreen(v.screen)
	})
	testkit.OK(v.t, err)
	v.ticks(2)
}

// beginning keeps the begin of what is written to it.
type beginning struct {
	mu  sync.Mutex
	all []byte
}

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := 1<<16 - len(b.all); room > 0 {
		b.all = append(b.all, p[:min(len(p), room)]...)
	}
	return len(p), nil
}

// String returns what was written first: of a panic the goroutine that it happened in.
func (b *beginning) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.all[:min(len(b.all), 6000)])
}

// stream is a recording that comes in piece by piece.
type stream struct {
	path string // of the FIFO
	data []byte
	rest chan []byte
	done chan struct{}
}

// newStream makes a FIFO and feeds a recording into it.
func newStream(t *testing.T, from string) *stream {
	t.Helper()
	data := testkit.Must(os.ReadFile(from))(t)
	name := strings.TrimSuffix(filepath.Base(from), ".gz")
	if name != filepath.Base(from) {
		z := testkit.Must(gzip.NewReader(bytes.NewReader(data)))(t)
		data = testkit.Must(io.ReadAll(z))(t)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := makeFIFO(path); err != nil {
		t.Skip(err)
	}
	return startStream(t, path, data, func() (io.WriteCloser, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
}

// newClient is a game that connects to the viewer and sends what one sent before.
func newClient(t *testing.T, address, name string) *stream {
	t.Helper()
	capture := testkit.Must(pstatstest.Open(filepath.Join("..", "..", "testdata", "pstats", name+".pscap")))(t)
	var data []byte
	for _, r := range capture.Records {
		if r.Channel == pstatstest.ClientTCP {
			data = append(data, r.Data...)
		}
	}
	return startStream(t, "", data, func() (io.WriteCloser, error) { return net.DialTimeout("tcp", address, 10*time.Second) })
}

func startStream(t *testing.T, path string, data []byte, open func() (io.WriteCloser, error)) *stream {
	s := &stream{path: path, data: data, rest: make(chan []byte, 1<<12), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		w, err := open()
		if err != nil {
			return
		}
		defer w.Close()
		for piece := range s.rest {
			if _, err := w.Write(piece); err != nil { // the viewer closed the session
				return
			}
		}
	}()
	return s
}

// feed sends the next piece, so that all has been sent after so many more turns.
func (s *stream) feed(turns int) {
	n := min(len(s.data), len(s.data)*4/max(turns, 1)+1)
	if n == 0 {
		return
	}
	select {
	case s.rest <- s.data[:n]:
		s.data = s.data[n:]
	default:
	}
}

// end ends the stream; what was not sent is left out. It does not wait for a reader that never
// came.
func (s *stream) end() {
	close(s.rest)
	select {
	case <-s.done:
	case <-time.After(time.Second):
	}
}
