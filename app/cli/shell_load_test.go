package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/follow"
	"framescope/net/journal"
)

// What can't be read of a recording is told, and counts, but for where an interrupt has cut a stream off; so
// does what could not be exported of a session, and other errors stay errors.
func TestDamaged(t *testing.T) {
	var text strings.Builder
	s := &Streams{Err: &text}
	s.Damaged(&Recording{Ended: true}, "pipe: byte %d", 7)
	testkit.That(t, !s.AnyDamaged(), "a stream that was interrupted is damaged")
	if err := errors.New("disk full"); !errors.Is(s.Exported(err), err) || s.Exported(nil) != nil || s.AnyDamaged() {
		t.Error("another error is a damage")
	}
	s.Damaged(&Recording{}, "file: byte %d", 8)
	testkit.That(t, s.AnyDamaged(), "it does not count")
	other := &Streams{Err: &text}
	damaged := journal.Unread{First: journal.Damage{File: "a.seg", Offset: 9, Reason: "checksum", Bytes: 3}, More: 2}
	err := other.Exported(errors.Join(damaged, nil))
	testkit.That(t, err == nil && other.AnyDamaged(), "of an export: %v", err)
	want := "framescope: warning: pipe: byte 7\nframescope: warning: file: byte 8\n" +
		"framescope: warning: not all of it can be read: a.seg: offset 9: checksum, 3 bytes cannot be read; 2 more places are damaged\n"
	testkit.That(t, text.String() == want, "%s", text.String())
}

// What is beyond a limit is told in a line; the command ends with a status other than 0 if that is wanted.
func TestBeyond(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep.json")
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	event := `{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1`
	whole := "[" + event + "}"
	for _, c := range []struct{ text, want string }{
		{whole + "]", ""},
		{whole + "," + event + `,"args":` + deep + "}," + event + `,"args":` + deep + "}]",
			"framescope: warning: deep.json: 2 beyond a limit: events with more than 100 values inside each other are left out " +
				"(report --stats has all that is missing)\n"},
	} {
		testkit.OK(t, os.WriteFile(path, []byte(c.text), 0o600))
		for _, strict := range []bool{false, true} {
			var text strings.Builder
			s := &Streams{Err: &text, Strict: strict}
			in := &Recording{Path: path, Name: "deep.json"}
			testkit.Must(s.LoadWhole(t.Context(), in, load.Options{}))(t)
			testkit.That(t, text.String() == c.want && s.AnyDamaged() == (strict && c.want != ""),
				"%q, damaged: %v", text.String(), s.AnyDamaged())
		}
	}
}

// A recording that takes more memory than it may without --memory is read up to there, and the command ends with
// a status other than 0.
func TestTooLarge(t *testing.T) {
	var table strings.Builder
	table.WriteString("Application,ProcessID,SwapChainAddress,MsBetweenPresents,TimeInSeconds\n")
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&table, "game.exe,1,0x1,1,%d.%03d\n", i/1000, i%1000)
	}
	path := filepath.Join(t.TempDir(), "long.csv")
	testkit.OK(t, os.WriteFile(path, []byte(table.String()), 0o600))
	defer feed.SetMemory(0)
	for _, limit := range []int64{0, 4 << 20} {
		var text strings.Builder
		s := &Streams{Err: &text}
		rec := testkit.Must(s.LoadWhole(t.Context(), &Recording{Path: path, Name: "long.csv"}, load.Options{Limit: limit}))(t)
		want := "framescope: warning: long.csv: it needs more than 4 MiB of memory, the limit without --memory: " +
			"the rest is left out (with --memory SIZE, the newest part stays)\n"
		frames := rec.Session.Track(0).NumFrames()
		if limit == 0 {
			want = ""
		}
		if text.String() != want || s.AnyDamaged() != (limit > 0) || frames == 0 || (frames < rows) != (limit > 0) {
			t.Errorf("limit %d: %d frames, %q, status %t", limit, frames, text.String(), s.AnyDamaged())
		}
	}
}

// What did not fit into --memory is told, and is missing: the command ends with a status other than 0, also where
// the frames that stand for it are none.
func TestLeftOutOfMemory(t *testing.T) {
	for memory, samples := range map[string]int{"": 10_000, "16MiB": 400_000} {
		var log, text strings.Builder
		for i := range samples {
			fmt.Fprintf(&log, "game 1/%d %d.%06d: cycles:\n\tab12 f%d (/bin/game)\n\n", 1+i%3, i/1000, i%1000*1000, i%7)
		}
		path := filepath.Join(t.TempDir(), "long.txt")
		testkit.OK(t, os.WriteFile(path, []byte(log.String()), 0o600))
		s := &Streams{Err: &text, Memory: memory}
		testkit.Must(s.LoadWhole(t.Context(), &Recording{Path: path, Name: "long.txt"}, load.Options{}))(t)
		left := memory != ""
		if s.AnyDamaged() != left || strings.Contains(text.String(), "oldest frames, or what stands for them, did not fit") != left {
			t.Errorf("--memory %q: %q, status %t", memory, text.String(), s.AnyDamaged())
		}
	}
}

// Of what does not come it is said that it is waited for, ever more seldom.
func TestNothingComes(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	spool := testkit.Must(launch.NewSpool(reg, "pipe"))(t)
	defer spool.Remove()
	var out strings.Builder
	c := &copier{Spool: spool, out: &out, name: "pipe", patience: firstPatience}
	said := func(idles, lines int, want string) {
		t.Helper()
		for range idles {
			c.Idle()
		}
		testkit.That(t, strings.Count(out.String(), "\n") == lines && strings.Contains(out.String(), want),
			"%q, want %d lines and %q", out.String(), lines, want)
	}
	said(firstPatience-1, 0, "")
	said(1, 1, "framescope: pipe: nothing has come yet: waiting for whoever writes it")
	said(firstPatience-1, 1, "")
	said(1, 2, "")
	testkit.Must(c.Write(make([]byte, 2048)))(t)
	said(4*firstPatience-1, 2, "")
	said(1, 3, "nothing more comes since 2 KiB")
}

// A FIFO to which nobody writes ends with an interrupt, and that is said.
func TestInterruptedBeforeAnythingCame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := follow.MakeFIFO(path); err != nil {
		t.Skip(err)
	}
	reg := testkit.Must(load.Sources{}.Registry())(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	if _, err := (&Streams{Err: &out}).Whole(ctx, path, reg); err == nil || err.Error() != path+": interrupted before any data arrived" || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}
