package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"

	"framescope/app/workspace"
	"framescope/charts/view"
	"framescope/internal/testkit"
)

var compared = cmp.AllowUnexported(Values{}, workspace.Node{})

func TestSettingsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "settings.json")
	s := Default()
	s.Width, s.Scale, s.Theme, s.MemoryMiB = 1600, 1.25, "light", 512
	s.Workspaces = map[string]workspace.Arrangement{"Samples": {
		Layout:   &workspace.Node{Pane: "all", Tabs: []string{"flame", "timeline"}},
		Floating: []workspace.Floating{{Pane: "all", X: 0.1, Y: 0.2, W: 0.3, H: 0.4}},
	}}
	s.Workspace = map[string]string{"pstats": "Samples"}
	s.Recent = []string{"a.pstats"}
	s.Colors = map[string]RGB{"App:Collide": {1, 2, 3}}
	if _, err := s.save(path, nil); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	testkit.NoErr(t, err)
	testkit.NoDiff(t, cmp.Diff(s, got, compared), "got")
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.part"))
	testkit.That(t, len(left) == 0, "temporary files were left: %v", left)
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		p := filepath.Join(dir, "s.json")
		testkit.NoErr(t, os.WriteFile(p, []byte(text), 0o644))
		return p
	}
	_, err := Load(filepath.Join(dir, "none.json"))
	testkit.That(t, err == nil, "a file that is not there is a first start, not an error: %v", err)
	for _, text := range []string{"", " \n"} {
		s, err := Load(write(text))
		testkit.That(t, err == nil && cmp.Diff(Default(), s, compared) == "", "%q is as good as no file: %v", text, err)
	}
	for text, says := range map[string][]string{
		`{"Width": -5, "Height": 99999999, "Scale": 1e300}`:                {`"Width": "-5" is out of bounds, 1280 is used`, `"Height": "99999999" is out of bounds, 720 is used`, `"Scale": "1e300" is out of bounds, 1 is used`},
		`{"BudgetMs": -1, "MemoryMiB": -3, "DiskGiB": 1e-9}`:               {`"BudgetMs": "-1" is out`, `"MemoryMiB": "-3" is out of bounds, the default is used`, `"DiskGiB": "1e-9" is out of bounds, 20 is used`},
		`{"MemoryMiB": 99999999999, "Theme": "pink", "Motion": "perhaps"}`: {`"MemoryMiB": "99999999999" is out`, `"Theme": "\"pink\"" is not known, "dark" is used`, `"Motion"`},
	} {
		s, err := Load(write(text))
		for _, want := range says {
			testkit.That(t, err != nil && strings.Contains(err.Error(), want), "%s: it lacks %s: %v", text, want, err)
		}
		testkit.NoDiff(t, cmp.Diff(Default(), s, compared), "%q: not the defaults", text)
	}
	for _, text := range []string{`{"MemoryMiB": 0, "DiskGiB": 0.5, "Scale": 0.5, "Width": 320}`, `{}`} {
		_, err := Load(write(text))
		testkit.That(t, err == nil, "%s is within bounds: %v", text, err)
	}
	for _, text := range []string{`{"Layout": {"pane": "timeline"}}`, `{"Layout": {"children": [null, {}]}}`,
		`{"Floating": [{"Pane": "strip", "X": 1e9}]}`} {
		s, err := Load(write(text))
		testkit.That(t, err == nil, "%q: %v", text, err)
		testkit.NoDiff(t, cmp.Diff(Default(), s, compared), "%q: not the defaults", text)
	}
}

// TestSettingsOfOthersStay: a viewer that closes writes what it changed and nothing else.
func TestSettingsOfOthersStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	first := Default()
	first.Recent, first.MemoryMiB, first.DiskGiB = []string{"old.pstats"}, 512, 1.0/64
	_, err := first.save(path, nil)
	testkit.NoErr(t, err)
	load := func() Values {
		t.Helper()
		s, err := Load(path)
		testkit.NoErr(t, err)
		return s
	}
	mine := load()
	before := mine.text()
	theirs := load()
	theirs.DiskGiB, theirs.Theme, theirs.Recent = 50, "light", []string{"new.pstats"}
	theirs.Colors = map[string]RGB{"App": {1, 2, 3}}
	_, err = theirs.save(path, first.text())
	testkit.NoErr(t, err)
	mine.Width, mine.MemoryMiB = 999, 0
	_, err = mine.save(path, before)
	testkit.NoErr(t, err)
	want := theirs
	want.Width, want.MemoryMiB = 999, 0
	testkit.NoDiff(t, cmp.Diff(want, load(), compared), "load")
	// What a later version says stays, too.
	testkit.NoErr(t, os.WriteFile(path, []byte(`{"Later": {"a": 1}, "DiskGiB": 7}`), 0o644))
	before = mine.text()
	mine.Scale = 2
	_, err = mine.save(path, before)
	testkit.NoErr(t, err)
	data, _ := os.ReadFile(path)
	got := load()
	testkit.That(t, got.DiskGiB == 7 && got.Scale == 2 && strings.Contains(string(data), "Later"), "%+v\n%s", got, data)
}

// TestSettingsAreNeverTheSystems: where the user's own folder takes nothing, nothing is written
// elsewhere.
func TestSettingsAreNeverTheSystems(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.WriteFile(home, nil, 0o600); err != nil { // not a folder: nothing can be made in it, by root neither
		t.Fatal(err)
	}
	system := filepath.Join(dir, "system")
	defer func(h string, d []string) { xdg.ConfigHome, xdg.ConfigDirs = h, d }(xdg.ConfigHome, xdg.ConfigDirs)
	xdg.ConfigHome, xdg.ConfigDirs = home, []string{system}
	err := SetDiskLimit("", 30<<30)
	testkit.That(t, err != nil, "a limit that was not written was taken")
	_, err = os.Stat(system)
	testkit.That(t, err != nil, "the system's settings were written")
}

// A size that the window got from outside is kept like any other, and written when it is due.
func TestTheSizeOfTheWindowIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	s, err := Open(path)
	testkit.NoErr(t, err)
	s.Sized(s.Width, s.Height, false)
	testkit.That(t, !s.Touched(), "the size that it has was taken for a change")
	s.Sized(1111, 777, false)
	testkit.That(t, s.Touched(), "a change of the size is not noted")
	testkit.NoErr(t, s.Keep())
	if again, err := Open(path); err != nil || again.Width != 1111 || again.Height != 777 {
		t.Errorf("%d × %d after a restart, %v", again.Width, again.Height, err)
	}
}

// How the tracks of a program are shown is kept for it, of so many programs and no more.
func TestTracksOfProgramsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s, err := Open(path)
	testkit.NoErr(t, err)
	for i := range maxPrograms + 5 {
		s.SetTracks(fmt.Sprint("game ", i), view.TrackLook{Pinned: []string{"Draw"}})
	}
	want := view.TrackLook{Order: view.TracksByName, Pinned: []string{"Draw", "Job 2"}}
	s.SetTracks("Solar Chase", want)
	testkit.NoErr(t, s.Keep())
	got, err := Load(path)
	testkit.That(t, err == nil && len(got.Tracks) == maxPrograms && cmp.Diff(got.Tracks["Solar Chase"], want) == "",
		"%d programs, %+v, %v", len(got.Tracks), got.Tracks["Solar Chase"], err)
	s.SetTracks("Solar Chase", view.TrackLook{})
	_, ok := s.Tracks["Solar Chase"]
	testkit.That(t, !ok, "what is as sent is remembered")
}

// The size of the window comes back at the next start, also that which it had before it was
// maximized.
func TestTheWindowKeepsItsSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	start := func() *Settings {
		s, err := Open(path)
		testkit.NoErr(t, err)
		return s
	}
	s := start()
	s.Sized(1100, 640, false)
	s.Sized(1920, 1053, true)
	testkit.MustThat(t, s.Touched(), "nothing is to be kept")
	testkit.NoErr(t, s.Keep())
	if s = start(); s.Width != 1100 || s.Height != 640 || !s.Maximized {
		t.Errorf("it comes back as %d×%d, maximized %v", s.Width, s.Height, s.Maximized)
	}
	s.Sized(1100, 640, false)
	s.Keep()
	if s = start(); s.Maximized || s.Width != 1100 {
		t.Errorf("it comes back as %d×%d, maximized %v", s.Width, s.Height, s.Maximized)
	}
}
