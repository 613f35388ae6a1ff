package pstats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"framescope/net/pstats/wire"
)

// sessionBytes writes a session.
func sessionBytes(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestJournalSavesCaptures records every capture in a journal, on disk and in memory, and demands the same session file that the frames in memory give.
func TestJournalSavesCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			data := captureBytes(t, name+".pscap")
			raw := NewRawSession()
			replayInto(t, data, raw)
			want := sessionBytes(t, func(w io.Writer) error { return raw.WriteSession(w, nil) })
			dir := filepath.Join(t.TempDir(), "journal")
			for _, o := range []JournalOptions{{}, {Dir: dir}} {
				j, err := NewJournal(o)
				if err != nil {
					t.Fatal(err)
				}
				replayInto(t, data, j)
				if got := sessionBytes(t, j.WriteSession); !bytes.Equal(got, want) {
					t.Errorf("journal in %q: session of %d bytes differs from the %d wanted", o.Dir, len(got), len(want))
				}
			}
			again, err := RecoverJournal(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := sessionBytes(t, again.WriteSession); !bytes.Equal(got, want) {
				t.Errorf("recovered: session of %d bytes differs from the %d wanted", len(got), len(want))
			}
			if err := again.Remove(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after Remove: %v", err)
			}
		})
	}
}

// TestJournalCrash cuts a journal at every kind of place: what was whole is recovered.
func TestJournalCrash(t *testing.T) {
	dir := t.TempDir()
	j, err := NewJournal(JournalOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	j.Hello(wire.ClientHello{Program: "game", PID: 1})
	j.Threads(0, []string{"Main"})
	for n := range 10 {
		j.Frame(&wire.Frame{Number: uint32(n), Events: ev("+F@0 -F@1")}, 0)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob(filepath.Join(dir, segmentPattern))
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	const record = 8 + 15 + 12
	for _, c := range []struct {
		name   string
		data   []byte
		frames int64
		broken bool
	}{
		{"whole", whole, 10, false},
		{"cut in a payload", whole[:len(whole)-5], 9, true},
		{"cut in a head", whole[:len(whole)-record+3], 9, true},
		{"cut between records", whole[:len(whole)-record], 9, false},
		{"damaged", append(append([]byte{}, whole[:len(whole)-1]...), whole[len(whole)-1]^1), 9, true},
		{"length beyond all bounds", append(append([]byte{}, whole...), 255, 255, 255, 255, 0, 0, 0, 0), 10, true},
		{"only the magic number", whole[:8], 0, false},
		{"empty", nil, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "segment-00000001.psjrnl"), c.data, 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := RecoverJournal(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Remove()
			if s := got.Stats(); s.Frames != c.frames || (s.Err != nil) != c.broken {
				t.Errorf("%d frames, error %v; want %d, %v", s.Frames, s.Err, c.frames, c.broken)
			}
			raw := NewRawSession()
			if _, err := ReadSession(bytes.NewReader(sessionBytes(t, got.WriteSession)), "test", 0, raw, nil); err != nil {
				t.Error(err)
			}
			if n := len(raw.Numbers(0)); int64(n) != c.frames {
				t.Errorf("the session has %d frames, want %d", n, c.frames)
			}
		})
	}
}

// TestJournalLimit checks that the oldest frames leave, that definitions stay, and that a repeated number is written as it came last.
func TestJournalLimit(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		j, err := NewJournal(JournalOptions{Dir: dir, Limit: 3 << 20})
		if err != nil {
			t.Fatal(err)
		}
		j.Hello(wire.ClientHello{Program: "game", PID: 1})
		j.Collectors([]wire.CollectorDef{{Index: 1, Name: "App"}})
		j.Threads(0, []string{"Main"})
		f := benchFrame(1000)
		const frames = 2000 // 12 MB
		for n := range frames {
			f.Number = uint32(n)
			j.Frame(f, 0)
		}
		f.Events = f.Events[:3]
		j.Frame(f, 0) // the last again, shorter
		raw := NewRawSession()
		if _, err := ReadSession(bytes.NewReader(sessionBytes(t, j.WriteSession)), "test", 0, raw, nil); err != nil {
			t.Fatal(err)
		}
		s := j.Stats()
		numbers := raw.Numbers(0)
		if s.Bytes > 3<<20 || s.Err != nil || s.Evicted == 0 || s.Frames+s.Evicted != frames+1 {
			t.Errorf("%+v", s)
		}
		if int64(len(numbers)) != s.Frames-1 || numbers[len(numbers)-1] != frames-1 || len(raw.FrameOf(0, frames-1).Events) != 3 {
			t.Errorf("%d frames up to %d, the last with %d events", len(numbers), numbers[len(numbers)-1], len(raw.FrameOf(0, numbers[len(numbers)-1]).Events))
		}
		if def, ok := raw.Collector(1); !ok || def.Name != "App" || raw.ThreadName(0) != "Main" || raw.Client().Program != "game" {
			t.Error("definitions were lost with the oldest segment")
		}
		if err := j.Remove(); err != nil {
			t.Error(err)
		}
	}
}

// TestJournalWhileWriting saves a session again and again while frames come in.
func TestJournalWhileWriting(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		j, err := NewJournal(JournalOptions{Dir: dir, Limit: 2 << 20})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			f := benchFrame(100)
			for n := range 20000 {
				f.Number = uint32(n)
				j.Frame(f, 0)
			}
			j.Close("done")
		}()
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			raw := NewRawSession()
			if _, err := ReadSession(bytes.NewReader(sessionBytes(t, j.WriteSession)), "test", 0, raw, nil); err != nil {
				t.Fatal(err)
			}
			if n := raw.Numbers(0); len(n) > 0 && int(n[len(n)-1]-n[0])+1 != len(n) {
				t.Fatalf("frames %d to %d, but only %d of them", n[0], n[len(n)-1], len(n))
			}
		}
		path := filepath.Join(t.TempDir(), "sub", "saved.pstats")
		if err := j.SaveSession(path); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSessionFile(path, NewRawSession(), nil); err != nil {
			t.Error(err)
		}
		j.Remove()
	}
}
