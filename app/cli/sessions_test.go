package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/app/demo"
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/internal/aside"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/follow"
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
	testkit.That(t, library.Export(t.Context(), &all[0], to, false) != nil, "a file was replaced")
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
	var s Streams
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

// pageOf writes the page of a session.
func pageOf(t *testing.T, s *store.Session, o PageOptions) string {
	t.Helper()
	var b strings.Builder
	testkit.OK(t, WritePage(&b, s, o))
	return b.String()
}

// TestPageOfHostileNames: what programs call themselves and their threads is text on the page.
func TestPageOfHostileNames(t *testing.T) {
	s := chartstest.NewSession(t)
	s.Apply(model.Info{Program: "</p><script>alert(1)</script>", Host: "\x00\xff"})
	page := pageOf(t, s, PageOptions{Name: "<img src=x onerror=alert(1)>.pstats"})
	for _, bad := range []string{"<script>alert", "<img", "\x00"} {
		testkit.That(t, !strings.Contains(page, bad), "the page holds %q", bad)
	}
	testkit.That(t, strings.Count(page, "<script>") == 1, "there are other scripts than the page's own")
}

// TestPageEscapesEveryType: only markup and numbers stand on the page as they are.
func TestPageEscapesEveryType(t *testing.T) {
	type named string
	b := &body{}
	b.add("<b>%v %v %v %.2f %v %v</b>", named("<i>"), errors.New("a&b"), 7, 1.5, markup("<br>"), "<")
	testkit.Equal(t, b.String(), "<b>&lt;i&gt; a&amp;b 7 1.50 <br> &lt;</b>", "the page has")
}

// The times of a column of the page have one unit, and their exact values beside it.
func TestTimesOfAPageHaveOneUnit(t *testing.T) {
	tab := table{Title: "Calls", Heads: []string{"collector", "total", "self"}}
	tab.add(3, func(i int) row {
		ns := [...]float64{55_900_000, 930_000, 4_000}[i]
		return row{"f", []any{nanoseconds(ns), nanoseconds(0)}}
	})
	var b body
	b.table(&tab)
	for _, want := range []string{
		`<td data-v="55900000" title="55900000 ns">55.9 ms</td><td data-v="0" title="0 ns">0</td>`, `>0.93 ms<`, `title="4000 ns">–<`,
	} {
		testkit.That(t, strings.Contains(b.String(), want), "no %q in %s", want, b.String())
	}
}

// TestPageOfSampledStacks: why methods have more samples is told of a range alone, and the page of all of a
// session has the rest.
func TestPageOfSampledStacks(t *testing.T) {
	testkit.OneGoroutine(t)
	rec, err := load.File(t.Context(), flaretest.Find(t, flaretest.Captures(t), "constructed-60s/127*"), load.Options{})
	testkit.OK(t, err)
	part := place.TimeRange{Times: true, HasA: true, HasB: true, A: 1e9, B: 20e9}
	ranges := pageOf(t, rec.Session, PageOptions{Name: "part", Range: part})
	page := pageOf(t, rec.Session, PageOptions{Name: "all"})
	for name, has := range map[string]bool{page: false, ranges: true} {
		if strings.Contains(name, "Why it was slow") != has || strings.Contains(name, "The worst, one by one") || strings.Count(name, "<details") < 2 {
			t.Errorf("of a range %t: why is told %t, %d tables", has, !has, strings.Count(name, "<details"))
		}
	}
}

// TestPagesShareNoNames: patterns and clips of one picture are not those of another.
func TestPagesShareNoNames(t *testing.T) {
	page := pageOf(t, chartstest.NewSession(t), PageOptions{Name: "session"})
	seen := map[string]bool{}
	for _, part := range strings.Split(page, ` id="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		testkit.That(t, !seen[id], "two parts are called %s", id)
		seen[id] = true
	}
	testkit.That(t, len(seen) != 0 && strings.Count(page, "<svg ") >= 3,
		"%d parts with names in %d pictures", len(seen), strings.Count(page, "<svg "))
}

// TestTablesSayWhatTheyLeaveOut: long tables end, and say how many rows more there are.
func TestTablesSayWhatTheyLeaveOut(t *testing.T) {
	var x table
	x.add(mostRows+1234, func(int) row { return row{Name: "a"} })
	testkit.That(t, len(x.Rows) == mostRows && strings.Contains(x.What, "1234 more: framescope report --stats"),
		"%d rows, %s", len(x.Rows), x.What)
}

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
	many := ""
	for i := range model.MaxArgs + 72 {
		many += fmt.Sprintf(`,"k%d":1`, i)
	}
	const stats = " (report --stats has all that is missing)\n"
	for _, c := range []struct{ text, want string }{
		{whole + "]", ""},
		{whole + "," + event + `,"args":` + deep + "}," + event + `,"args":` + deep + "}]",
			"framescope: warning: deep.json: 2 beyond a limit: events with more than 100 values inside each other are left out" + stats},
		{whole + "," + event + `,"args":{` + many[1:] + "}}]",
			"framescope: warning: deep.json: 72 beyond a limit: arguments beyond 128 of an event are left out" + stats},
		{whole + `,{"name":"b","ph":"E","ts":9,"pid":1,"tid":1}]`,
			"framescope: warning: deep.json: missing, though the recording was read whole: 1 thing that never came" + stats},
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
	testkit.OneGoroutine(t)
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
	testkit.OneGoroutine(t)
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
