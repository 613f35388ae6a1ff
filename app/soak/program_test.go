package soak

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/app/e2e/xvfb"
	"framescope/internal/testkit"
)

// binary is the program, built once for all tests.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "framescope-soak-*")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "framescope")
	out, err := exec.Command("go", "build", "-o", path, "framescope").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// display starts an X server for a test.
func display(t *testing.T) string {
	t.Helper()
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

// startProgram opens the viewer's window. state is the home of what it keeps.
func startProgram(t *testing.T, display, state string, args ...string) *program {
	t.Helper()
	path, err := binary()
	testkit.NoErr(t, err)
	p := &program{t: t, addr: freeAddr(t), state: state, done: make(chan error, 1)}
	p.cmd = exec.Command(path, append([]string{"--listen", p.addr}, args...)...)
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
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	testkit.OK(p.t, err)
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
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	testkit.OK(p.t, err)
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
