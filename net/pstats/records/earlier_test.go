package records

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"framescope/net/journal"
	"framescope/net/journal/journaltest"
	"framescope/net/pstats/pstatstest"
	"framescope/net/pstats/sessionfile"
	"framescope/net/pstats/wire"
)

// earlierRecord is a record of an earlier version's journal.
func earlierRecord(payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, earlierTable))
	return append(b, payload...)
}

// writeEarlier makes a journal of an earlier version, of so many segments of ten frames, and returns
// its folder. Each segment begins with all definitions, as they did.
func writeEarlier(t testing.TB, parent string, pid, segments int) string {
	t.Helper()
	dir := filepath.Join(parent, fmt.Sprintf("20250102-030405.123456789-%d", pid))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for s := range segments {
		b := []byte(earlierMagic)
		b = append(b, earlierRecord(wire.AppendClientHello(nil, wire.ClientHello{Program: "game", PID: 7, Version: wire.Version{Major: 3, Minor: 2}}))...)
		b = append(b, earlierRecord(wire.AppendCollectors(nil, []wire.CollectorDef{{Index: 1, Name: "App"}}))...)
		b = append(b, earlierRecord(wire.AppendThreads(nil, 0, []string{"Main"}))...)
		for i := range 10 {
			n := 10*s + i
			f := &wire.Frame{Number: uint32(n), Events: pstatstest.Events(fmt.Sprintf("+F@%d -F@%d.5", n, n))}
			b = append(b, earlierRecord(wire.AppendFrame(nil, sessionfile.FrameVersion, f))...)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("segment-%08d.psjrnl", s+1)), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// numbersOf returns the frames of the main thread in a journal.
func numbersOf(t testing.TB, root *journal.Root, path string) []int32 {
	t.Helper()
	r, err := root.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	raw := sessionfile.NewRaw()
	if _, _, err := Replay(t.Context(), r, raw, nil); err != nil {
		t.Fatal(err)
	}
	if raw.ThreadName(0) != "Main" {
		t.Errorf("the thread is called %q", raw.ThreadName(0))
	}
	return raw.Numbers(0)
}

// deadProcess is the number of a process that has ended.
func deadProcess(t testing.TB) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, "-test.run=^$")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// TestImportEarlier makes sessions of journals of earlier versions, whole and damaged.
func TestImportEarlier(t *testing.T) {
	state := t.TempDir()
	journals := filepath.Join(state, "journals")
	root := journal.OpenRoot(filepath.Join(state, "sessions"), journal.RootOptions{})
	defer root.Close()
	whole := writeEarlier(t, journals, deadProcess(t), 3)
	mine := writeEarlier(t, journals, os.Getpid(), 1)
	os.WriteFile(filepath.Join(journals, "a file"), nil, 0o644)
	os.Mkdir(filepath.Join(journals, "20250102-030405.123456789-1x"), 0o755)
	if found := Earlier(journals); len(found) != 1 || found[0] != whole {
		t.Fatalf("found %v; that of a program that runs is %s", found, mine)
	}
	path, err := ImportEarlier(t.Context(), root, whole)
	if err != nil {
		t.Fatal(err)
	}
	if n := numbersOf(t, root, path); len(n) != 30 || n[29] != 29 {
		t.Errorf("frames %v", n)
	}
	info, err := journal.ReadInfo(path)
	want := time.Date(2025, 1, 2, 3, 4, 5, 123456789, time.UTC)
	if err != nil || !info.Start.Equal(want) || info.Program != "game" || info.Length != 29*time.Second || info.Ended.IsZero() || info.Running {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := os.Stat(whole); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal is still there: %v", err)
	}

	// One that was imported, but not deleted, is not imported again; one that was imported in part is.
	again := writeEarlier(t, journals, 1<<30-1, 3)
	os.Rename(again, whole)
	if p, err := ImportEarlier(t.Context(), root, whole); err != nil || p != path || len(root.List()) != 1 {
		t.Errorf("a second time: %s, %v, %d sessions", p, err, len(root.List()))
	}

	// Cut at its end it is whole; damaged elsewhere it stays beside what could be read.
	for _, c := range []struct {
		name   string
		damage func(segment int, b []byte) []byte
		frames int
		stays  bool
	}{
		{"cut at the end", func(s int, b []byte) []byte {
			if s == 3 {
				return b[:len(b)-3]
			}
			return b
		}, 29, false},
		{"damaged in the middle", func(s int, b []byte) []byte {
			if s == 2 {
				b[len(b)-1]++
			}
			return b
		}, 29, true},
		{"an empty segment", func(s int, b []byte) []byte {
			if s == 3 {
				return nil
			}
			return b
		}, 20, true},
		{"without frames", func(s int, b []byte) []byte { return b[:len(earlierMagic)] }, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			journals := t.TempDir()
			root := journal.OpenRoot(filepath.Join(journals, "sessions"), journal.RootOptions{})
			defer root.Close()
			dir := writeEarlier(t, journals, 1<<30-1, 3)
			for s := range 3 {
				file := filepath.Join(dir, fmt.Sprintf("segment-%08d.psjrnl", s+1))
				b, _ := os.ReadFile(file)
				os.WriteFile(file, c.damage(s+1, b), 0o644)
			}
			path, err := ImportEarlier(t.Context(), root, dir)
			if err != nil || (path == "") != (c.frames == 0) {
				t.Fatal(path, err)
			}
			if path != "" {
				if n := numbersOf(t, root, path); len(n) != c.frames {
					t.Errorf("%d frames, want %d", len(n), c.frames)
				}
			}
			left, _ := filepath.Glob(filepath.Join(journals, "2025*"))
			if (len(left) > 0) != c.stays || len(Earlier(journals)) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
}

// FuzzEarlierJournal reads anything as a segment of an earlier version: nothing panics, and garbage
// at the end takes nothing from what came before it.
func FuzzEarlierJournal(f *testing.F) {
	b, err := os.ReadFile(filepath.Join(writeEarlier(f, f.TempDir(), 1, 1), "segment-00000001.psjrnl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:len(b)-1])
	f.Add([]byte(earlierMagic))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(dir, "segment")
		before := int64(-1)
		for _, tail := range []string{"", "\xff\xff"} {
			if err := os.WriteFile(file, append(data[:len(data):len(data)], tail...), 0o644); err != nil {
				t.Fatal(err)
			}
			w := journal.CreateFileOn(journaltest.NewMemory(), "/x", journal.Meta{}, journal.Options{})
			im := &importer{ctx: t.Context(), make: func() *journal.Writer { return w }}
			im.segment(file)
			w.Close("")
			if err := w.Wait(time.Minute); err != nil {
				t.Fatal(err)
			}
			if w.Stats().Records != im.frames {
				t.Fatalf("%d frames were kept of %d", w.Stats().Records, im.frames)
			}
			if im.frames < before {
				t.Fatalf("%d frames with garbage behind them, %d without", im.frames, before)
			}
			before = im.frames
		}
	})
}
