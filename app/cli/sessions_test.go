package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/app/library"
	"framescope/internal/testkit"
	"framescope/net/journal"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// fakeViewer is a program that keeps a session on disk as a viewer does: fakeviewer NAME
// FILE.pstats [crash]. With crash it ends as if it had been killed.
func fakeViewer() {
	lib := library.Open(library.Options{Dir: library.DefaultDir(), Limit: 1 << 30})
	rec := lib.Record(journal.Meta{Source: decode.JournalSource, Program: os.Args[1], Host: "devbox"}, nil)
	if _, err := sessionfile.ReadFile(os.Args[2], decode.NewEncoder(unclosed{rec}), nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := rec.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) > 3 {
		os.Exit(0)
	}
	rec.Close("the game ended")
	lib.Close(time.Minute)
}

// unclosed leaves the end of a session to its owner.
type unclosed struct{ *library.Recorder }

func (unclosed) Close(string) {}

// The table fits into a terminal, and names that try to disturb it do not.
func TestSessionTable(t *testing.T) {
	all := []library.Session{
		{ID: "0a1b2c3d4e", Name: "a name that is longer than there is room for \x1b[31m", Source: "pstats", Began: time.Now(), Length: 3723 * time.Second, Records: 12, Bytes: 5 << 20, Kept: true},
		{ID: "11111111", Name: "b", Source: "gsttrace", Began: time.Now(), Records: -1, State: library.Interrupted, Missing: 2},
	}
	for _, width := range []int{80, 100, 1000} {
		var out bytesLines
		testkit.OK(t, sessionTable(&out, all, width))
		for _, line := range out.lines() {
			if n := len([]rune(line)); n > max(width, 98) {
				t.Errorf("in %d columns: %d in %q", width, n, line)
			}
		}
	}
}

// Large counts have a space between groups of digits that is no rubbish.
func TestSessionTableOfLargeCounts(t *testing.T) {
	var out bytesLines
	many := library.Session{ID: "0a1b2c3d4e", Name: "n", Source: "pstats", Began: time.Now(), Records: 1234567}
	testkit.OK(t, sessionTable(&out, []library.Session{many}, 1000))
	if text := string(out.data); !strings.Contains(text, "1\u202f234\u202f567") || strings.Contains(text, "\uFFFD") {
		t.Errorf("%q", text)
	}
}

type bytesLines struct{ data []byte }

func (b *bytesLines) Write(p []byte) (int, error) { b.data = append(b.data, p...); return len(p), nil }
func (b *bytesLines) lines() (out []string) {
	line := ""
	for _, r := range string(b.data) {
		if r == '\n' {
			out, line = append(out, line), ""
			continue
		}
		if r < ' ' {
			out = append(out, fmt.Sprintf("%1000s", "a control character"))
		}
		line += string(r)
	}
	return out
}

// What is in a session comes out of it as it went in.
func TestExportEqualsTheFile(t *testing.T) {
	lib := library.Open(library.Options{Dir: t.TempDir(), Limit: 1 << 30})
	defer lib.Close(time.Minute)
	rec := lib.Record(journal.Meta{Source: decode.JournalSource, Program: "x"}, nil)
	file := "../../testdata/pstats/nested.pstats"
	testkit.Must(sessionfile.ReadFile(file, decode.NewEncoder(rec), nil))(t)
	rec.Close("")
	lib.Close(time.Minute)
	all := lib.Sessions()
	if len(all) != 1 {
		t.Fatal(all)
	}
	to := filepath.Join(t.TempDir(), "out.pstats")
	testkit.OK(t, library.Export(t.Context(), &all[0], to, false))
	a, _ := os.ReadFile(file)
	b, _ := os.ReadFile(to)
	if len(a) == 0 || len(b) == 0 {
		t.Fatal("nothing")
	}
	count := func(path string) int {
		raw := sessionfile.NewRaw()
		testkit.Must(sessionfile.ReadFile(path, raw, nil))(t)
		return len(raw.Numbers(0))
	}
	if n, m := count(file), count(to); n != m {
		t.Errorf("%d frames went in, %d came out", n, m)
	}
	if err := library.Export(t.Context(), &all[0], to, false); err == nil {
		t.Error("a file was replaced")
	}
}
