package journal

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// The test program writes sessions when it is started with this in its environment.
const killEnv = "FRAMESCOPE_JOURNAL_KILLED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killEnv); dir != "" {
		writeUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// writeUntilKilled writes a session, and a recording of it, and says what was handed over and when.
func writeUntilKilled(dir string) {
	root := OpenRoot(filepath.Join(dir, "sessions"), RootOptions{})
	w := root.Create(Meta{Source: "test", Program: "game", PID: int64(os.Getpid())}, Options{SegmentBytes: 16 << 10})
	file := CreateFile(filepath.Join(dir, fmt.Sprint("run", os.Getpid())), Meta{Source: "test"}, Options{})
	out := bufio.NewWriter(os.Stdout)
	for n := 0; ; n++ {
		if n%100 == 0 {
			w.Define("k", binary.LittleEndian.AppendUint32(nil, uint32(n)))
		}
		w.Data(number(n))
		file.Data(number(n))
		fmt.Fprintln(out, n, time.Now().UnixNano())
		out.Flush()
		time.Sleep(time.Millisecond) // the pace of a game
	}
}

// TestKill kills a program that writes at random moments: what it handed over more than a second
// before is there, of every session and recording, and nothing was overwritten.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills programs")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	kept := map[string]int{} // newest record that must be there
	var mu sync.Mutex
	kill := func(t *testing.T) {
		t.Parallel()
		c := exec.Command(exe)
		c.Env = append(os.Environ(), killEnv+"="+dir)
		c.Stderr = os.Stderr
		pipe := testkit.Must(c.StdoutPipe())(t)
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		// From the first record on, so that something is there.
		lines := bufio.NewScanner(pipe)
		lines.Scan()
		first := lines.Text()
		killed := time.AfterFunc(time.Duration(rand.Int64N(int64(1500*time.Millisecond))), func() { c.Process.Kill() })
		text, _ := io.ReadAll(pipe)
		c.Wait()
		killed.Stop()
		handed := append([]string{first}, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		var last, must int64
		at := make([]int64, 0, len(handed))
		for _, line := range handed {
			_, ns, _ := strings.Cut(line, " ")
			if n, err := strconv.ParseInt(ns, 10, 64); err == nil {
				at = append(at, n)
				last = n
			}
		}
		for n, ns := range at {
			if last-ns > int64(time.Second) {
				must = int64(n) + 1
			}
		}
		mu.Lock()
		defer mu.Unlock()
		kept[strconv.Itoa(c.Process.Pid)] = int(must)
	}
	t.Run("programs", func(t *testing.T) {
		for i := range killTrials {
			t.Run(fmt.Sprint(i), kill)
		}
	})
	root := OpenRoot(filepath.Join(dir, "sessions"), RootOptions{})
	found := 0
	for _, info := range root.List() {
		testkit.That(t, !info.Running && info.Ended.IsZero(), "%s runs, or ended in order: %+v", info.Path, info)
		got := readAll(t, disk.System, info.Path)
		must := kept[strconv.FormatInt(info.PID, 10)]
		testkit.That(t, len(got.data) >= must && isRun(got.data, 0, len(got.data)),
			"%s has %d records, %d must be there", info.Path, len(got.data), must)
		found++
	}
	withData := 0
	for pid, must := range kept {
		path := filepath.Join(dir, "run"+pid)
		if _, err := os.Stat(path); err != nil {
			testkit.That(t, must <= 0, "of %d records nothing is there", must)
			continue
		}
		withData++
		got := readAll(t, disk.System, path)
		testkit.That(t, isRun(got.data, 0, len(got.data)) && len(got.data) >= must && len(got.damage) <= 1,
			"%d records are there, %d must be; damage %v", len(got.data), must, got.damage)
	}
	testkit.That(t, found >= withData, "%d sessions of %d are there", found, withData)
}
