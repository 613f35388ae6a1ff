package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"framescope/app"
	"framescope/charts/registry"
	"framescope/internal/testkit"
)

func TestMain(m *testing.M) {
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
	dir, err := os.MkdirTemp("", "framescope-cli-test-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	return p.M.Run()
}

// inTurn runs scripts one after another: each has the program's folder and environment for itself.
type inTurn struct{ *testing.T }

func (t inTurn) Parallel()     {}
func (t inTurn) Verbose() bool { return testing.Verbose() }
func (t inTurn) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inTurn{t}) })
}

// TestScripts runs the command line as people and scripts do; see testdata/script. There "exec framescope" starts a
// program, "run" is the same in the program of the test, without the time that a start takes.
func TestScripts(t *testing.T) {
	places := map[string]string{"CAPTURES": "pstats", "TRACES": "gsttrace", "PROFILES": "profilelib"}
	for name, folder := range places {
		places[name] = testkit.Must(filepath.Abs("../../testdata/" + folder))(t)
	}
	testscript.RunT(inTurn{t}, testscript.Params{
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
			env.Setenv("DISPLAY", "") // no window, whatever the machine has
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"run": func(ts *testscript.TestScript, neg bool, args []string) {
			for _, name := range []string{"TMPDIR", "TMP", "TEMP", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "DISPLAY", "FRAMESCOPE_FLARE_AGENT"} {
				t.Setenv(name, ts.Getenv(name))
			}
			xdg.Reload()
			t.Chdir(ts.MkAbs("."))
			code := Execute(args, ts.Stdout(), ts.Stderr())
			if (code != exitOK) != neg {
				ts.Fatalf("status %d", code)
			}
		}},
	})
}

// TestEveryCommandExplainsItself holds each command to help with an example.
func TestEveryCommandExplainsItself(t *testing.T) {
	root := rootCommand(&streams{&Streams{}})
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Short == "" || !strings.Contains(cmd.Example, "framescope") {
			t.Errorf("%s: no example, or no word on what it does", cmd.Name())
		}
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
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	var out, errs bytes.Buffer
	if code := Execute([]string{"report", "--live", "--seconds", "1", "--listen", ln.Addr().String()}, &out, &errs); code != exitError {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(errs.String(), "is taken") || !strings.Contains(errs.String(), "--listen HOST:PORT") {
		t.Errorf("%s", errs.String())
	}
	if h := hintFor(fmt.Errorf("no window: %w", app.ErrNoDisplay)); !strings.Contains(h, "framescope render") {
		t.Errorf("%s", h)
	}
	if h := hintFor(errors.New("other")); h != "" {
		t.Errorf("%s", h)
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"2GiB": 2 << 30, "512M": 512 << 20, "500MB": 500e6, "1.5g": 3 << 29, " 64 mib ": 64 << 20, "33554432": 32 << 20} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "lots", "2 giga", "-1GiB", "1kiB", "1e30GB", "NaNGiB", "0"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	if w, h, err := ParseSize("1280X720"); err != nil || w != 1280 || h != 720 {
		t.Errorf("%d %d %v", w, h, err)
	}
	for _, text := range []string{"", "1280", "x720", "1280x", "-5x5", "5x5x5"} {
		if _, _, err := ParseSize(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// The charts that render knows are the panels of the registry: its help has a line for each, in their
// order, and no other; and it takes each by its name.
func TestRenderKnowsAllCharts(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Execute([]string{"render", "--help"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	var names []string
	var lines strings.Builder
	for _, d := range registry.All() {
		names = append(names, d.ID)
		fmt.Fprintf(&lines, "  %-10s  %s\n", d.ID, d.Help)
		if d.Help == "" {
			t.Errorf("nothing says what %s shows", d.ID)
		}
	}
	if !strings.Contains(out.String(), "\n\n"+lines.String()+"\n") {
		t.Errorf("the help has not the lines\n%s", &lines)
	}
	all := slices.Clone(names)
	for _, d := range registry.Compared() {
		all = append(all, d.ID)
		if !strings.Contains(out.String(), fmt.Sprintf("  %-11s  %s\n", d.ID, d.Help)) {
			t.Errorf("nothing says what %s shows", d.ID)
		}
	}
	if list := "the chart: " + strings.Join(all, ", ") + "\n"; !strings.Contains(out.String(), list) {
		t.Errorf("the help of --chart is not %q", list)
	}
	dir := t.TempDir()
	const none = "this recording has no "
	drawn := 0
	for _, name := range names {
		errs.Reset()
		to := filepath.Join(dir, name+".png")
		args := []string{"render", "../../testdata/pstats/levels.pstats", "--chart", name, "--size", "200x150", "-o", to}
		code := Execute(args, &out, &errs)
		_, err := os.Stat(to)
		if code == exitOK && err == nil {
			drawn++
		} else if code != exitError || !strings.Contains(errs.String(), none) {
			t.Errorf("--chart %s: exit code %d, %v: %s", name, code, err, &errs)
		}
	}
	if drawn < len(names)/2 {
		t.Errorf("%d of %d charts were drawn", drawn, len(names))
	}
}
