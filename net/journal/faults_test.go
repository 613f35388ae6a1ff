package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/journaltest"
	"framescope/net/journal/disk"
)

// faults is a file system that fails: the operations from one number to another, counted over all
// files.
type faults struct {
	disk.FS
	kind faultKind

	mu       sync.Mutex
	n        int // operations so far
	from, to int // those that fail
	failed   int
}

type faultKind int

const (
	noSpace    faultKind = iota // half of a write is in the file, but nothing says so, as with os.File.WriteAt
	noRoom                      // the same, but the system says beforehand that there is no room
	inputError                  // half of a write leaves garbage
	shortWrite                  // half of a write succeeds, and that is no error
	numFaults
)

var faultErrors = [numFaults]error{syscall.ENOSPC, syscall.ENOSPC, syscall.EIO, syscall.EIO}

// fail counts an operation, and returns its error if it is one of those that fail.
func (f *faults) fail(op, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.n <= f.from || f.n > f.to {
		return nil
	}
	f.failed++
	return &fs.PathError{Op: op, Path: name, Err: faultErrors[f.kind]}
}

// try does an operation if it is none of those that fail.
func (f *faults) try(op, name string, do func() error) error {
	if err := f.fail(op, name); err != nil {
		return err
	}
	return do()
}

// heal lets everything succeed from now on.
func (f *faults) heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.to = 0
}

func (f *faults) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if err := f.fail("open", name); err != nil {
		return nil, err
	}
	file, err := f.FS.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{file, f, name}, nil
}

func (f *faults) Mkdir(name string, perm fs.FileMode) error {
	return f.try("mkdir", name, func() error { return f.FS.Mkdir(name, perm) })
}

func (f *faults) MkdirAll(name string, perm fs.FileMode) error {
	return f.try("mkdir", name, func() error { return f.FS.MkdirAll(name, perm) })
}

func (f *faults) Stat(name string) (fs.FileInfo, error) {
	if err := f.fail("stat", name); err != nil {
		return nil, err
	}
	return f.FS.Stat(name)
}

func (f *faults) Rename(from, to string) error {
	return f.try("rename", from, func() error { return f.FS.Rename(from, to) })
}

func (f *faults) Remove(name string) error {
	return f.try("remove", name, func() error { return f.FS.Remove(name) })
}

func (f *faults) Lock(name string, shared, create bool) (func(), error) {
	if err := f.fail("lock", name); err != nil {
		return nil, err
	}
	return f.FS.Lock(name, shared, create)
}

type faultFile struct {
	disk.File
	fs   *faults
	name string
}

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	err := f.fs.fail("write", f.name)
	if err == nil {
		return f.File.WriteAt(p, off)
	}
	half := p[:len(p)/2]
	switch f.fs.kind {
	case inputError:
		f.File.WriteAt(bytes.Repeat([]byte{0xa5}, len(half)), off)
		return 0, err
	case shortWrite:
		return f.File.WriteAt(half, off)
	}
	f.File.WriteAt(half, off)
	return 0, err
}

func (f *faultFile) Reserve(off, size int64) error {
	if f.fs.kind == noRoom {
		if err := f.fs.fail("write", f.name); err != nil {
			return err
		}
	}
	return f.File.Reserve(off, size)
}

func (f *faultFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fs.fail("read", f.name); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f *faultFile) Truncate(size int64) error {
	if f.fs.kind == noSpace || f.fs.kind == noRoom { // what gets shorter needs none
		return f.File.Truncate(size)
	}
	return f.fs.try("truncate", f.name, func() error { return f.File.Truncate(size) })
}

// source is a live source: it knows its definitions.
type source struct {
	w    *Writer
	defs map[string]string
	n    int // data records so far
}

func (s *source) define(key, value string) {
	s.defs[key] = value
	s.w.Define(key, []byte(value))
}

func (s *source) data() {
	if s.w.NeedsDefinitions() {
		for key, value := range s.defs {
			s.w.Define(key, []byte(value))
		}
	}
	s.w.Data(number(s.n))
	s.n++
}

// ledger reads a session and demands that it is a run of data in which exactly what was refused, or
// left, is missing, each in its place. It returns how many records are there, and how many of the
// first n are accounted for.
func ledger(t testing.TB, fsys disk.FS, path string) (got read, next int) {
	t.Helper()
	r := testkit.Must(OpenOn(fsys, path))(t)
	defer r.Close()
	r.Finish()
	each(r, func(rec *Record) {
		had := len(got.data)
		got.take(t, rec)
		switch rec.Kind {
		case KindEvicted:
			next = int(got.evicted.Records + got.evicted.Refused)
		case KindHole:
			next += int(got.holes[len(got.holes)-1].Records)
		case KindData:
			if n := got.data[had]; n != next {
				t.Fatalf("record %d follows where %d is due; holes %+v, evicted %+v", n, next, got.holes, got.evicted)
			}
			next++
		}
	})
	got.damage, _ = r.Damage()
	return got, next
}

// faultTrial runs a session on a file system whose operations from one to another fail.
func faultTrial(t *testing.T, kind faultKind, from, count int, oneFile bool) (operations int) {
	defer func() {
		if t.Failed() {
			t.Logf("with fault %d at operation %d, %d times", kind, from, count)
		}
	}()
	memory := journaltest.NewMemory()
	f := &faults{FS: memory, kind: kind, from: from, to: from + count}
	root := OpenRoot("/j", RootOptions{FS: f, Limit: 12 << 10})
	o := Options{SegmentBytes: 2 << 10, QueueBytes: 4 << 10, Flush: time.Microsecond, Retry: 50 * time.Microsecond}
	told := 0
	o.Changed = func(s Stats) {
		if s.Trouble != nil && s.Trouble.Err != nil {
			told++
		}
	}
	s := &source{defs: map[string]string{}}
	memory.MkdirAll("/", 0o700)
	if oneFile {
		s.w = CreateFileOn(f, filepath.FromSlash("/run"), Meta{Source: "test"}, o)
	} else {
		s.w = root.Create(Meta{Source: "test"}, o)
	}
	s.define("first", "1")
	acknowledged := 0
	for round := range 40 {
		s.define(fmt.Sprint("k", round%5), fmt.Sprint(round))
		for range 12 {
			s.data()
		}
		if s.w.Flush() == nil && round%7 == 0 {
			// All that came is on disk, or in a hole there, whatever happens next.
			_, next := ledger(t, memory, s.w.Path())
			testkit.MustThat(t, next >= acknowledged, "%d records were on disk, now %d", acknowledged, next)
			acknowledged = s.n
		}
		if round == 28 {
			f.heal()
		}
	}
	// It resumes by itself.
	testkit.WaitUntil(t, "writing to be resumed", func() bool { return s.w.Flush() == nil }, func() any { return s.w.Stats().Trouble })
	s.data()
	s.w.Close("done")
	testkit.OK(t, s.w.Wait(20*time.Second))
	got, next := ledger(t, memory, s.w.Path())
	st := s.w.Stats()
	if next != s.n {
		t.Fatalf("%d records of %d are accounted for; holes %+v, evicted %+v, damage %v, %+v", next, s.n, got.holes, got.evicted, got.damage, st)
	}
	var refused int64
	for _, h := range got.holes {
		refused += h.Records
		testkit.That(t, h.Reason != "" && h.FromNs <= h.ToNs, "%+v", h)
	}
	if refused+got.evicted.Refused != st.Refused || int(st.Records+st.Refused) != s.n || len(got.data)+int(got.evicted.Records) != int(st.Records) {
		t.Fatalf("%d records in holes, %d there, evicted %+v, but the writer says %+v", refused, len(got.data), got.evicted, st)
	}
	latest := got.latest()
	for key, value := range s.defs {
		testkit.MustThat(t, latest[key] == value,
			"the definition of %s is %q, it was %q; holes %+v", key, latest[key], value, got.holes)
	}
	testkit.That(t, got.end != nil, "there is no end")
	testkit.That(t, st.Refused <= 0 || told != 0, "nobody was told")
	for _, d := range got.damage {
		// A segment that could not be gone on with ends with a record that is not whole.
		testkit.That(t, errors.Is(faultErrors[kind], syscall.EIO), "damage %v", d)
	}
	root.Close()
	return f.n
}

// TestFaults lets every operation of a session fail in turn, in every way, for a moment and for
// longer.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, oneFile := range []bool{false, true} {
		t.Run(fmt.Sprintf("one file %v", oneFile), func(t *testing.T) {
			total := faultTrial(t, noSpace, 0, 0, oneFile)
			testkit.MustThat(t, total >= 30, "only %d operations", total)
			for from := range total {
				for kind := range numFaults {
					for i, count := range []int{1, 4, 1 << 30} {
						if !faultsInFull && (from+int(kind)+i)%61 > 0 {
							continue
						}
						faultTrial(t, kind, from, count, oneFile)
						if t.Failed() {
							return
						}
					}
				}
			}
		})
	}
}

// TestFaultsToTheEnd lets the disk fail at some operation and never recover: the session ends all
// the same, and what was said to be on disk is there.
func TestFaultsToTheEnd(t *testing.T) {
	t.Parallel()
	trial := func(kind faultKind, from int, oneFile bool) int {
		memory := journaltest.NewMemory()
		memory.MkdirAll("/", 0o700)
		f := &faults{FS: memory, kind: kind, from: from, to: 1 << 30}
		o := Options{SegmentBytes: 2 << 10, QueueBytes: 4 << 10, Flush: time.Microsecond, Retry: 50 * time.Microsecond}
		root := OpenRoot("/j", RootOptions{FS: f, Limit: 12 << 10})
		s := &source{defs: map[string]string{}, w: root.Create(Meta{Source: "test"}, o)}
		if oneFile {
			s.w = CreateFileOn(f, filepath.FromSlash("/run"), Meta{Source: "test"}, o)
		}
		for round := range 20 {
			s.define(fmt.Sprint("k", round%5), fmt.Sprint(round))
			for range 20 {
				s.data()
			}
			s.w.Flush()
		}
		s.w.Close("done")
		err := s.w.Wait(20 * time.Second)
		st := s.w.Stats()
		if int(st.Records+st.Refused) != s.n || !st.Ended || err == nil && st.Refused > 0 && st.Trouble != nil {
			t.Fatalf("fault %d from %d on: %d records, but %+v, %v", kind, from, s.n, st, err)
		}
		if st.Records > 0 {
			got, _ := ledger(t, memory, s.w.Path())
			if len(got.data)+int(got.evicted.Records) != int(st.Records) {
				t.Fatalf("fault %d from %d on: %d are there, %d said to be; evicted %+v", kind, from, len(got.data), st.Records, got.evicted)
			}
		}
		root.Close()
		return f.n
	}
	for _, oneFile := range []bool{false, true} {
		total := trial(noSpace, 1<<30, oneFile)
		for from := range total {
			for kind := range numFaults {
				if faultsInFull || (from+int(kind))%5 == 0 {
					trial(kind, from, oneFile)
				}
			}
		}
	}
}

// hooked is a file system in which a test comes before what is opened, and in place of what is written.
type hooked struct {
	disk.FS
	open  func(name string)
	write func(f disk.File, p []byte, at int64) (int, error)
}

type hookedFile struct {
	disk.File
	write func(f disk.File, p []byte, at int64) (int, error)
}

func (h hooked) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if h.open != nil {
		h.open(name)
	}
	f, err := h.FS.OpenFile(name, flag, perm)
	if err == nil && h.write != nil {
		f = hookedFile{f, h.write}
	}
	return f, err
}

func (f hookedFile) WriteAt(p []byte, at int64) (int, error) { return f.write(f.File, p, at) }

// gated is a file system whose writes wait for a gate.
func gated(fsys disk.FS, gate chan struct{}) disk.FS {
	return hooked{FS: fsys, write: func(f disk.File, p []byte, at int64) (int, error) {
		<-gate
		return f.WriteAt(p, at)
	}}
}

// The test program writes sessions when it is started with this in its environment.
const killEnv = "FRAMESCOPE_JOURNAL_KILLED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killEnv); dir != "" {
		writeUntilKilled(dir)
	}
	os.Exit(testkit.SideBySide(m))
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
	t.Parallel() // it mostly waits, as those do that wait for the writing goroutine
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
