package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"framescope/app"
	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/charts/format"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/flare"
)

func TestMain(m *testing.M) {
	leastMeasured, copySize, frameSpans = time.Millisecond, 1<<20, 1<<18 // nobody reads the figures
	watched, many = 50*time.Millisecond, 100
	thrifty = feed.SetMemory // recordings are small: see testkit on garbage
	launch.Pause = func(ctx context.Context, d time.Duration) error { return flare.Pause(ctx, d/20) }
	testscript.Main(ownPlace{m}, map[string]func(){
		"framescope": func() { os.Exit(Execute(os.Args[1:], os.Stdout, os.Stderr)) },
		"fakegst":    fakeGStreamer,
		"fakeviewer": fakeViewer,
		"playclips":  playClips,
	})
}

// ownPlace keeps what tests record out of the user's own place.
type ownPlace struct{ *testing.M }

func (p ownPlace) Run() int {
	os.Setenv("DISPLAY", "") // no window, whatever the machine has
	flag.Set("test.parallel", "8")
	return testkit.InOwnPlace(p.M)
}

// TestScripts runs the command line as people and scripts do; see testdata/script. There "exec framescope" starts a
// program, "run" is the same in the program of the test, without the time that a start takes; one at a time, as it
// has the program's folder and environment for itself. It may end with "< FILE" or "> FILE". "misuse" is one that has
// to end with the status of misuse.
func TestScripts(t *testing.T) {
	places := map[string]string{"CAPTURES": "pstats", "TRACES": "gsttrace", "PROFILES": "profilelib"}
	for name, folder := range places {
		places[name] = testkit.Must(filepath.Abs("../../testdata/" + folder))(t)
	}
	t.Cleanup(xdg.Reload) // when the environment is what it was
	t.Chdir(".")          // and back at the end
	own := []string{"TMPDIR", "TMP", "TEMP", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "FRAMESCOPE_FLARE_AGENT"}
	for _, name := range own {
		t.Setenv(name, os.Getenv(name))
	}
	var one sync.Mutex
	run := func(ts *testscript.TestScript, args []string, right func(code int) bool) {
		one.Lock()
		defer one.Unlock()
		for _, name := range own {
			os.Setenv(name, ts.Getenv(name))
		}
		xdg.Reload()
		ts.Check(os.Chdir(ts.MkAbs(".")))
		out := ts.Stdout()
		if n := len(args) - 2; n > 0 && (args[n] == "<" || args[n] == ">") {
			f, err := os.OpenFile(args[n+1], map[string]int{"<": os.O_RDONLY, ">": os.O_WRONLY}[args[n]], 0)
			ts.Check(err)
			defer f.Close()
			if args[n] == ">" {
				out = f
			} else {
				defer func(was *os.File) { os.Stdin = was }(os.Stdin)
				os.Stdin = f
			}
			args = args[:n]
		}
		if code := Execute(args, out, ts.Stderr()); !right(code) {
			ts.Fatalf("status %d", code)
		}
	}
	p := testscript.Params{
		Dir: testkit.Must(filepath.Abs("testdata/script"))(t),
		Setup: func(env *testscript.Env) error {
			for name, folder := range places {
				env.Setenv(name, folder)
			}
			temp := filepath.Join(env.WorkDir, ".tmp") // where testscript puts it
			for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
				env.Setenv(name, temp)
			}
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": func(ts *testscript.TestScript, neg bool, args []string) {
				run(ts, args, func(code int) bool { return (code != exitOK) == neg })
			},
			"misuse": func(ts *testscript.TestScript, neg bool, args []string) { // with !: the command line is right, but the command failed
				run(ts, args, func(code int) bool { return code == format.Pick(neg, exitError, exitUsage) })
			},
		},
	}
	if testing.Short() { // those in which something runs beside something else
		for _, name := range []string{"demo", "listen", "record", "sessions"} {
			p.Files = append(p.Files, filepath.Join(p.Dir, name+".txtar"))
		}
		p.Dir = ""
	}
	testscript.Run(t, p)
}

// TestEveryCommandExplainsItself holds each command to help with an example.
func TestEveryCommandExplainsItself(t *testing.T) {
	root := rootCommand(&Streams{})
	for _, cmd := range append(root.Commands(), root) {
		testkit.That(t, cmd.Short != "" && strings.Contains(cmd.Example, "framescope"),
			"%s: no example, or no word on what it does", cmd.Name())
		var out, errs bytes.Buffer
		args := []string{cmd.Name(), "--help"}
		if cmd == root {
			args = args[1:]
		}
		if code := Execute(args, &out, &errs); code != exitOK || !strings.Contains(out.String(), "Usage:") || errs.Len() > 0 {
			t.Errorf("%v: exit code %d, %s%s", args, code, out.String(), errs.String())
		}
	}
}

func TestHints(t *testing.T) {
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer ln.Close()
	var out, errs bytes.Buffer
	testkit.Equal(t, Execute([]string{"report", "--live", "--seconds", "1", "--listen", ln.Addr().String()}, &out, &errs),
		exitError, "exit code")
	testkit.That(t, strings.Contains(errs.String(), "is taken") && strings.Contains(errs.String(), "--listen HOST:PORT"),
		"%s", errs.String())
	h := hintFor(fmt.Errorf("no window: %w", app.ErrNoDisplay))
	testkit.That(t, strings.Contains(h, "framescope render"), "%s", h)
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"2GiB": 2 << 30, "512M": 512 << 20, "500MB": 500e6, "1.5g": 3 << 29, " 64 mib ": 64 << 20, "33554432": 32 << 20} {
		got, err := settings.ParseBytes(text)
		testkit.That(t, err == nil && got == want, "%q: %d %v, want %d", text, got, err, want)
	}
}

// What was written is told on one line, whatever is in the name of the file.
func TestWroteIsOneLine(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "a.folded")
	testkit.OK(t, os.WriteFile(from, []byte("main;update 3\nmain;draw 4\n"), 0o600))
	to := filepath.Join(dir, "new\nline\x1b[2J.txt")
	_, errs := executed(t, exitOK, "export", from, "--to", "folded", "-o", to)
	testkit.Must(os.Stat(to))(t)
	testkit.Contains(t, errs, "new\uFFFDline\uFFFD[2J.txt: ")
}

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "250000": 250000, "10M": 10e6, "10m": 10e6, "1e7": 1e7, "250k": 250e3, "1.5G": 1500e6, "10_000_000": 10e6, " 7 ": 7,
		"": 0, "0": 0, "-1": 0, "1.5": 0, "M": 0, "ten": 0, "1e99": 0, "NaN": 0, "inf": 0, "10MB": 0,
	} {
		got, err := parseCount(text)
		testkit.That(t, got == want && (err == nil) == (want > 0), "parseCount(%q) = %d, %v; want %d", text, got, err, want)
	}
}

// TestWhatIsLive: each command by which a format is said to be shown live is there, and each that shows
// programs as they run is some format's.
func TestWhatIsLive(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	root := rootCommand(&Streams{})
	var said []string
	for _, src := range reg {
		words := strings.Fields(src.About().Live)
		if len(words) == 0 {
			continue
		}
		said = append(said, src.About().Live)
		cmd, _, err := root.Find(words)
		if err != nil || cmd == root {
			t.Errorf("%s: there is no command %q", src.Name(), words)
		} else if len(words) > 1 && !slices.Contains(cmd.ValidArgs, words[1]) {
			t.Errorf("%s: %s takes %q, not %q", src.Name(), words[0], cmd.ValidArgs, words[1])
		}
	}
	want := []string{"gst", "listen pstats", "listen profilelib"}
	for _, s := range launch.Servers() {
		want = append(want, "connect "+s.Kind)
	}
	slices.Sort(said)
	slices.Sort(want)
	testkit.That(t, slices.Equal(said, want),
		"formats are said to be live by %q, and programs are shown by %q", said, want)
}

// TestHelpHasAllFormats: the help of open lists what the registry has.
func TestHelpHasAllFormats(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	help := openCommand(&Streams{}).Long
	for _, src := range reg {
		testkit.That(t, strings.Contains(help, "\n  "+src.Name()+" "), "open --help does not name the %s", src.Name())
	}
}

// Names from a file or the command line neither turn the text around them nor begin a line, in pages, pictures and errors.
func TestHostileNamesInPagesAndErrors(t *testing.T) {
	dir := t.TempDir()
	const name = "Main|<i>\u202eevil\u009b31m"
	path := filepath.Join(dir, "names.json")
	trace := `[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"` + name + `"}}`
	for i := range 40 {
		trace += fmt.Sprintf(`,{"ph":"X","name":"Frame","pid":1,"tid":1,"ts":%d,"dur":9000},`+
			`{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":5000}`, i*16000, name, i*16000+100)
	}
	testkit.OK(t, os.WriteFile(path, []byte(trace+"]"), 0o644))
	for _, args := range [][]string{
		{"report", path, "--frames", "Frame", "--html"},
		{"render", path, "--frames", "Frame", "--panel", "calltree", "-o", filepath.Join(dir, "tree.svg")},
		{"report", path, "--frames", "Frame", "--stats"},
	} {
		var out, errs bytes.Buffer
		testkit.MustEqual(t, Execute(args, &out, &errs), 0, "%v: %s", args, errs.String())
		all := out.String() + errs.String()
		if picture, err := os.ReadFile(filepath.Join(dir, "tree.svg")); err == nil {
			all += string(picture)
		}
		if !strings.Contains(all, "evil") || strings.ContainsAny(all, "\u202e\u009b") || strings.Contains(all, "<i>") && args[0] != "report" {
			t.Errorf("%v: the name is missing, or turns what stands around it", args)
		}
	}
	var out, errs bytes.Buffer
	Execute([]string{"why", dir + "/a\n::error::x/b"}, &out, &errs)
	for line := range strings.Lines(errs.String()) {
		testkit.That(t, !strings.HasPrefix(line, "::"), "an argument begins a line: %q", errs.String())
	}
}

// What reads the results of a check in place of people learns that a recording was not read wholly.
func TestDamageIsInTheResultsOfChecks(t *testing.T) {
	dir := t.TempDir()
	data := testkit.Must(os.ReadFile("../../testdata/chrometrace/engine-object.json.gz"))(t)
	damaged, budgets := filepath.Join(dir, "cut.json.gz"), filepath.Join(dir, "b.toml")
	testkit.OK(t, os.WriteFile(damaged, data[:len(data)*3/4], 0o644))
	testkit.OK(t, os.WriteFile(budgets, []byte("[[budget]]\nname = \"frame\"\nlimit = \"1h\"\n"), 0o644))
	markdown, junit := filepath.Join(dir, "m.md"), filepath.Join(dir, "j.xml")
	for _, form := range []string{"--github", "--json"} {
		var out, errs bytes.Buffer
		code := Execute([]string{"check", damaged, "--budgets", budgets, form, "--markdown", markdown, "--junit", junit}, &out, &errs)
		testkit.MustThat(t, code != 0, "status 0: %s", errs.String())
		testkit.That(t, strings.Contains(out.String(), `"unread"`) || strings.Contains(out.String(), "::error"),
			"%s does not say that it is damaged: %s\n%s", form, out.String(), errs.String())
	}
	for _, name := range []string{markdown, junit} {
		text, err := os.ReadFile(name)
		says := strings.Contains(string(text), "could be read") || strings.Contains(string(text), "<error")
		testkit.That(t, err == nil && strings.Contains(string(text), "cut.json.gz") && says,
			"%s does not say so: %v %s", filepath.Base(name), err, text)
	}
}
