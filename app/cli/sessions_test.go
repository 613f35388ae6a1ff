package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/library"
	"framescope/app/settings"
	"framescope/internal/aside"
	"framescope/internal/testkit"
	"framescope/model/place"
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
			n := len([]rune(line))
			testkit.That(t, n <= max(width, 98), "in %d columns: %d in %q", width, n, line)
		}
	}
}

// Large counts have a space between groups of digits that is no rubbish.
func TestSessionTableOfLargeCounts(t *testing.T) {
	var out bytesLines
	many := library.Session{ID: "0a1b2c3d4e", Name: "n", Source: "pstats", Began: time.Now(), Records: 1234567}
	testkit.OK(t, sessionTable(&out, []library.Session{many}, 1000))
	text := string(out.data)
	testkit.That(t, strings.Contains(text, "1\u202f234\u202f567") && !strings.Contains(text, "\uFFFD"), "%q", text)
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
	testkit.MustThat(t, len(all) == 1, "%v", all)
	to := filepath.Join(t.TempDir(), "out.pstats")
	testkit.OK(t, library.Export(t.Context(), &all[0], to, false))
	a, _ := os.ReadFile(file)
	b, _ := os.ReadFile(to)
	testkit.MustThat(t, len(a) != 0 && len(b) != 0, "nothing")
	count := func(path string) int {
		raw := sessionfile.NewRaw()
		testkit.Must(sessionfile.ReadFile(path, raw, nil))(t)
		return len(raw.Numbers(0))
	}
	testkit.Equal(t, count(file), count(to), "frames went in")
	err := library.Export(t.Context(), &all[0], to, false)
	testkit.That(t, err != nil, "a file was replaced")
}

// playClips records a game that is played to it, and interrupts the recording when that is over:
// playclips DIR [flags of record]. The clip of the shader is clip.pstats then.
func playClips() {
	dir := os.Args[1]
	args := append([]string{"record", "--listen", "127.0.0.1:0", "--clips", dir}, os.Args[2:]...)
	code := Execute(args, os.Stdout, &playing{Writer: os.Stderr})
	all, _ := filepath.Glob(filepath.Join(dir, "*.pstats"))
	fmt.Fprintf(os.Stderr, "there are %d clips\n", len(all))
	for _, path := range all {
		if strings.Contains(path, "Compile-shader") {
			aside.Copy(path, "clip.pstats")
		}
	}
	os.Exit(code)
}

// playing plays the game as soon as it reads where somebody listens, and interrupts this program when it
// reads that all of the game has come.
type playing struct {
	io.Writer
	seen       []byte
	begin, end sync.Once
}

// Write implements io.Writer.
func (p *playing) Write(text []byte) (int, error) {
	p.seen = append(p.seen, text...)
	if _, addr, ok := bytes.Cut(p.seen, []byte("Listening for connections on ")); ok && bytes.Contains(addr, []byte(".\n")) {
		addr, _, _ := bytes.Cut(addr, []byte(".\n"))
		p.begin.Do(func() { go play(string(addr)) })
	}
	if bytes.Contains(p.seen, []byte("Lost connection to ")) {
		p.end.Do(interrupt)
	}
	return p.Writer.Write(text)
}

func play(addr string) {
	if err := demo.Run(context.Background(), addr, demo.Options{Frames: 700, Fast: true, Seed: 1}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		interrupt()
	}
}

func interrupt() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Signal(os.Interrupt)
	}
}

// Every form of a report and every export names a frame whose end was not received.
func TestOpenFrameIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "marks.json")
	trace := `[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Main"}}`
	for i := range 4 {
		trace += fmt.Sprintf(`,{"ph":"i","s":"t","name":"frame","pid":1,"tid":1,"ts":%d},`+
			`{"ph":"X","name":"Update","pid":1,"tid":1,"ts":%d,"dur":9000}`, i*10000, i*10000+100)
	}
	testkit.OK(t, os.WriteFile(path, []byte(trace+"]"), 0o644))
	for _, args := range [][]string{
		{"report", path}, {"report", path, "--stats"}, {"report", path, "--html"},
		{"export", path, "--to", "chrome", "-o", filepath.Join(dir, "c.json")},
		{"export", path, "--to", "csv", "--table", "frames", "-o", filepath.Join(dir, "f.csv")},
	} {
		var out, errs bytes.Buffer
		code := Execute(args, &out, &errs)
		testkit.MustThat(t, code == 0, "%v: %d %s", args, code, errs.String())
		want := "frame 3 is open: at least 9.1"
		if args[0] == "export" {
			want = "1 open frame"
		}
		all := out.String() + errs.String()
		testkit.That(t, strings.Count(all, want) == 1, "%v does not say %q once: %s", args, want, all)
	}
}

// last opens what the window showed when it was closed, at its place, unless the user names another; the
// other words stay what they are.
func TestLastIsWhatWasUsed(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	game := filepath.Join(dir, "game.pstats")
	testkit.NoErr(t, os.WriteFile(game, nil, 0o600))
	own := filepath.Join(dir, "settings.json")
	set := testkit.Must(settings.Open(own))(t)
	set.Used = settings.Used{Path: game, Place: "frame=12&thread=Draw"}
	set.Touch()
	testkit.NoErr(t, set.Keep())
	var s streams
	at := map[string]place.Place{}
	name, err := s.usedOr("last", own, at)
	testkit.That(t, err == nil && name == game && at[game].String() == set.Used.Place, "last is %q at %v, %v", name, at, err)
	at["last"] = place.Place{Kind: place.Moment}
	delete(at, game)
	name, err = s.usedOr("last", own, at)
	testkit.That(t, err == nil && name == game && len(at) == 1, "last#time=0s is %q at %v, %v", name, at, err)
	testkit.NoErr(t, os.WriteFile("last", nil, 0o600))
	name, err = s.usedOr("last", own, at)
	testkit.That(t, err == nil && name == "last", "beside a file of that name last is %q, %v", name, err)
}
