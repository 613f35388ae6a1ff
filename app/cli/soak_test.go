package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"framescope/app/e2e/xvfb"
	"framescope/app/load"
	"framescope/app/soak"
	"framescope/internal/testkit"
)

// display starts an X server for a test.
func display(t *testing.T) string {
	t.Helper()
	testkit.Program(t, "Xvfb")
	stop, name, why := xvfb.Start()
	t.Cleanup(stop)
	if why != "" {
		t.Skip(why)
	}
	return name
}

// program is the running viewer.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	addr   string // on which it listens
	state  string // where it keeps sessions
	stderr bytes.Buffer
	done   chan error
}

// startProgram opens the viewer's window: testscript has put this test's binary, which is the program, on the path. state is the home of what it keeps.
func startProgram(t *testing.T, display, state string, args ...string) *program {
	t.Helper()
	p := &program{t: t, addr: freeAddr(t), state: state, done: make(chan error, 1)}
	p.cmd = exec.Command("framescope", append([]string{"--listen", p.addr}, args...)...)
	p.cmd.Env = append(os.Environ(), "DISPLAY="+display, "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+state,
		"LIBGL_ALWAYS_SOFTWARE=1")
	p.cmd.Stderr = &p.stderr
	testkit.NoErr(t, p.cmd.Start())
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() { p.cmd.Process.Kill() })
	deadline := time.Now().Add(time.Minute)
	for {
		c, err := net.Dial("tcp", p.addr)
		if err == nil {
			c.Close()
			return p
		}
		select {
		case err := <-p.done:
			t.Fatalf("the viewer ended at once: %v\n%s", err, &p.stderr)
		case <-time.After(20 * time.Millisecond):
		}
		testkit.MustThat(t, !time.Now().After(deadline), "the viewer does not listen: %v\n%s", err, &p.stderr)
	}
}

// kill ends the viewer without a warning.
func (p *program) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// alive fails the test if the viewer has ended.
func (p *program) alive() {
	p.t.Helper()
	select {
	case err := <-p.done:
		p.t.Fatalf("the viewer ended: %v\n%s", err, p.stderr.String())
	default:
	}
}

// resident returns the viewer's resident memory and the greatest there was, in bytes.
func (p *program) resident() (now, peak int64) {
	data := testkit.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid)))(p.t)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) >= 2 {
			kB, _ := strconv.ParseInt(f[1], 10, 64)
			switch f[0] {
			case "VmRSS:":
				now = kB << 10
			case "VmHWM:":
				peak = kB << 10
			}
		}
	}
	return now, peak
}

// descriptors returns how many files and sockets the viewer has open.
func (p *program) descriptors() int {
	list := testkit.Must(os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid)))(p.t)
	return len(list)
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// diskUse sums up the files below a folder.
func diskUse(dir string) (bytes int64, files int) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // it may have gone meanwhile
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
			files++
		}
		return nil
	})
	return bytes, files
}

var kills = flag.Int("kills", 2, "how often TestRealKill kills the viewer")

// lost is how much of a session may be missing after its viewer was killed. The rest of the bound
// is for what lies between the game's hand and the viewer's: on a busy machine a frame waits its
// turn.
const lost = time.Second

// TestRealKill kills the real program again and again while a game sends, at moments that nobody chose,
// and then looks for every frame that was sent a second before or earlier: in the session on disk,
// and in the file that was recorded. What was there before must be there still.
func TestRealKill(t *testing.T) {
	if testing.Short() {
		t.Skip("opens windows")
	}
	t.Parallel()
	screen, state, files := display(t), t.TempDir(), t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	found := map[string]int{} // frames by path
	for i := range *kills {
		after := time.Duration(random.Int64N(int64(3 * time.Second)))
		record := filepath.Join(files, fmt.Sprintf("run%d.pstats", i))
		args := []string{"--memory", "256MiB"}
		if i%2 == 0 {
			args = append(args, "--record", record)
		}
		p := startProgram(t, screen, state, args...)
		ctx, stop := context.WithCancel(context.Background())
		var sent soak.Sent
		played := make(chan error, 1)
		load := soak.Load{Addr: p.addr, Name: fmt.Sprintf("kill %d", i), Rate: 120, Threads: 4, Spans: 60}
		go func() { played <- load.Run(ctx, &sent) }()
		testkit.WaitUntil(t, "the first frame", func() bool { p.alive(); return sent.Frames() > 0 })
		time.Sleep(after) // nobody chose the moment
		due := sent.Before(time.Now().Add(-lost))
		p.kill()
		stop()
		<-played

		fresh := 0
		for _, s := range sessionsOnDisk(t, state) {
			n := framesOf(t, s)
			old, known := found[s]
			if !known {
				fresh++
				testkit.That(t, n >= due, "kill %d after %v: %d frames on disk, %d were sent a second before", i, after, n, due)
			} else if n < old {
				t.Errorf("kill %d: %s had %d frames and has %d", i, s, old, n)
			}
			found[s] = n
		}
		testkit.That(t, fresh <= 1 && (fresh != 0 || due <= 0),
			"kill %d: %d new sessions on disk, %d frames were due", i, fresh, due)
		if i%2 == 0 && due > 0 {
			if n := framesOf(t, record); n < due {
				t.Errorf("kill %d after %v: %d frames in the recording, %d were sent a second before", i, after, n, due)
			}
		}
	}
	var all int
	for _, n := range found {
		all += n
	}
	t.Logf("%d kills, %d sessions, %d frames", *kills, len(found), all)
}

// sessionsOnDisk lists the sessions on disk as the command line does.
func sessionsOnDisk(t *testing.T, state string) (paths []string) {
	t.Helper()
	cmd := exec.Command("framescope", "sessions", "--json")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+state)
	cmd.Stderr = os.Stderr
	out := testkit.Must(cmd.Output())(t)
	var list struct {
		Sessions []struct{ Path string }
	}
	err := json.Unmarshal(out, &list)
	testkit.MustThat(t, err == nil, "%v in %s", err, out)
	for _, s := range list.Sessions {
		paths = append(paths, s.Path)
	}
	return paths
}

// framesOf opens a recording and returns the number of frames of its main thread.
func framesOf(t *testing.T, path string) int {
	t.Helper()
	rec, err := load.File(context.Background(), path, load.Options{})
	if rec == nil {
		t.Errorf("%s: %v", path, err)
		return 0
	}
	if track := rec.Session.Track(0); track != nil {
		return track.NumFrames()
	}
	return 0
}

var windowTime = flag.Duration("window", 0, "how long TestRealWindow plays")

// TestRealWindow plays a game of 240 frames a second, four threads and 500 spans of each in every frame
// into the real window at a small memory limit, and looks at what the viewer takes.
func TestRealWindow(t *testing.T) {
	if *windowTime <= 0 {
		t.Skip("takes as long as -window says, such as -window 30m")
	}
	const limit = 256 << 20
	p := startProgram(t, display(t), t.TempDir(), "--memory", "256MiB")
	time.Sleep(5 * time.Second) // what comes at first is not measured
	empty, _ := p.resident()
	bound := empty + limit + limit/5
	t.Logf("with nothing loaded %d MiB, so at most %d MiB", empty>>20, bound>>20)

	ctx, stop := context.WithTimeout(context.Background(), *windowTime)
	defer stop()
	var sent soak.Sent
	played := make(chan error, 1)
	load := soak.Load{Addr: p.addr, Name: "soak", Rate: 240, Threads: 4, Spans: 500}
	go func() { played <- load.Run(ctx, &sent) }()

	began := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var most int64
	for n := 0; ; n++ {
		select {
		case err := <-played:
			testkit.MustThat(t, err == nil && ctx.Err() != nil,
				"the game lost the viewer after %v: %v\n%s", time.Since(began), err, &p.stderr)
			p.alive()
			_, peak := p.resident()
			t.Logf("%d frames sent in %v, peak %d MiB", sent.Frames(), time.Since(began).Round(time.Second), peak>>20)
			testkit.That(t, peak <= bound, "%d MiB resident, %d MiB are the most there may be", peak>>20, bound>>20)
			return
		case <-tick.C:
			p.alive()
			now, _ := p.resident()
			most = max(most, now)
			if n%30 == 0 {
				disk, files := diskUse(p.state)
				t.Logf("%6v: resident %d MiB, at most %d, %d descriptors, %d frames sent, %d MiB in %d files on disk",
					time.Since(began).Round(time.Second), now>>20, most>>20, p.descriptors(), sent.Frames(), disk>>20, files)
			}
		}
	}
}
