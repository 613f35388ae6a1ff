package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"

	"framescope/app/layout"
	"framescope/charts/view"
	"framescope/internal/testkit"
)

var compared = cmp.AllowUnexported(Values{})

func TestSettingsComeBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "settings.json")
	s := Default()
	s.Width, s.Scale, s.Theme, s.MemoryMiB = 1600, 1.25, "light", 512
	s.Workspaces = map[string]layout.Arrangement{"Samples": {
		Layout:   &layout.Node{Pane: "all", Tabs: []string{"flame", "timeline"}},
		Floating: []layout.Floating{{Pane: "all", X: 0.1, Y: 0.2, W: 0.3, H: 0.4}},
	}}
	s.Workspace = map[string]string{"pstats": "Samples"}
	s.Recent = []string{"a.pstats"}
	s.Colors = map[string]RGB{"App:Collide": {1, 2, 3}}
	testkit.Must(s.save(path, nil))(t)
	got := testkit.Must(Load(path))(t)
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
	testkit.Must(first.save(path, nil))(t)
	load := func() Values {
		t.Helper()
		s := testkit.Must(Load(path))(t)
		return s
	}
	mine := load()
	before := mine.text()
	theirs := load()
	theirs.DiskGiB, theirs.Theme, theirs.Recent = 50, "light", []string{"new.pstats"}
	theirs.Colors = map[string]RGB{"App": {1, 2, 3}}
	testkit.Must(theirs.save(path, first.text()))(t)
	mine.Width, mine.MemoryMiB = 999, 0
	testkit.Must(mine.save(path, before))(t)
	want := theirs
	want.Width, want.MemoryMiB = 999, 0
	testkit.NoDiff(t, cmp.Diff(want, load(), compared), "load")
	// What a later version says stays, too.
	testkit.NoErr(t, os.WriteFile(path, []byte(`{"Later": {"a": 1}, "DiskGiB": 7}`), 0o644))
	before = mine.text()
	mine.Scale = 2
	testkit.Must(mine.save(path, before))(t)
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
	s := testkit.Must(Open(path))(t)
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
	s := testkit.Must(Open(path))(t)
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
		s := testkit.Must(Open(path))(t)
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
	s.Resize(0, 600, 0)
	testkit.That(t, s.Width == 1100 && s.Height == 640 && s.Scale == 1, "nothing was asked for: %d×%d at %v", s.Width, s.Height, s.Scale)
	s.Resize(1000, 600, 0.75)
	testkit.That(t, s.Width == 1000 && s.Height == 600 && s.Scale == 0.75, "%d×%d at %v", s.Width, s.Height, s.Scale)
}

// keptBeside returns the files that are kept beside settings.
func keptBeside(t *testing.T, path string) []string {
	t.Helper()
	found := testkit.Must(filepath.Glob(path + ".bad-*"))(t)
	return found
}

// damaged are files of settings as those of testdata/damaged.txt, and the large ones.
var damaged = append(testkit.Rows("testdata/damaged.txt"),
	[]string{"zeros", "1280 1 20", "not a JSON object", "\x00", strings.Repeat("\x00", 4096)},
	[]string{"escapes", "1600 1 20", `\x1b`, "\x1b", "{\"Width\": 1600, \"\x1b[2J\": \x1b, \"Scale\": 2, \"DiskGiB\": 7}"},
	[]string{"too large", "1600 2 7", "1048576", "Width", `{"Width": 1600, "Scale": 2, "DiskGiB": 7, "Agents": ["` + strings.Repeat("x", maxSettings) + `"]}`},
	[]string{"many", "1600 2 7", "everything from", "Width", `{"Width": 1600, "Scale": 2, "DiskGiB": 7` + strings.Repeat(",!", 1000) + `}`},
)

// One wrong field costs that field; the file as it was is kept beside before anything is written in
// its place, once, and both are said.
func TestDamagedSettings(t *testing.T) {
	for _, c := range damaged {
		t.Run(c[0], func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "settings.json")
			testkit.NoErr(t, os.WriteFile(path, []byte(c[4]), 0o600))
			s, err := Open(path)
			var unused *UnusedError
			testkit.MustThat(t, errors.As(err, &unused) && strings.Contains(err.Error(), c[2]) &&
				!strings.Contains(err.Error(), c[3]) && len(err.Error()) <= 1000, "it was said: %v", err)
			testkit.That(t, fmt.Sprint(s.Width, s.Scale, s.DiskGiB) == c[1] && s.Theme == "dark" &&
				s.Recent == nil && s.Colors == nil, "it is read as %+v", s.Values)
			kept := keptBeside(t, path)
			testkit.MustThat(t, len(kept) == 1 && kept[0] == unused.Kept &&
				strings.Contains(err.Error(), filepath.Base(kept[0])), "beside it are %v, said was %v", kept, err)
			if data, err := os.ReadFile(kept[0]); err != nil || string(data) != c[4] {
				t.Errorf("kept is %d bytes, was %d (%v)", len(data), len(c[4]), err)
			}
			s.Height = 999
			testkit.NoErr(t, s.Keep())
			again, err := Open(path)
			testkit.That(t, err == nil && len(keptBeside(t, path)) == 1,
				"the next start says %v, beside are %v", err, keptBeside(t, path))
			testkit.NoDiff(t, cmp.Diff(s.Values, again.Values, compared), "Values")
		})
	}
}

// Settings behind a symbolic link are written where it leads, with the permissions that they have;
// what can't be understood of them is kept beside the link.
func TestSettingsBehindALink(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept-elsewhere.json")
	path := filepath.Join(t.TempDir(), "settings.json")
	text := []byte(`{"Width": "wide"}`)
	testkit.NoErr(t, os.WriteFile(file, text, 0o640))
	if err := os.Symlink(file, path); err != nil {
		t.Skip(err)
	}
	before := testkit.Must(os.Stat(file))(t)
	s, _ := Open(path)
	s.Height = 999
	testkit.NoErr(t, s.Keep())
	st, err := os.Lstat(path)
	testkit.That(t, err == nil && st.Mode()&os.ModeSymlink != 0, "in the place of the link is %v (%v)", st.Mode(), err)
	if st, err := os.Stat(file); err != nil || st.Mode() != before.Mode() {
		t.Errorf("the permissions are %v (%v), were %v", st.Mode(), err, before.Mode())
	}
	again, err := Load(file)
	testkit.That(t, err == nil && again.Height == 999, "the file says %d (%v)", again.Height, err)
	kept := keptBeside(t, path)
	testkit.MustEqual(t, len(kept), 1, "beside the link are %v", kept)
	was, err := os.ReadFile(kept[0])
	testkit.That(t, err == nil && string(was) == string(text), "kept is %q (%v)", was, err)
}

// Settings that are damaged while a viewer runs are kept beside when it writes its own, and so when
// the limit of the disk is set.
func TestSettingsDamagedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	s, err := Open(path)
	testkit.NoErr(t, err)
	var unused *UnusedError
	for i := range maxAside + 3 {
		bad := fmt.Sprintf(`{"Later": [%d], "MemoryMiB": 512, "Width": "wide"`, i)
		testkit.NoErr(t, os.WriteFile(path, []byte(bad+"}"), 0o600))
		if i%2 == 0 {
			s.Height++
			err = s.Keep()
		} else {
			err = SetDiskLimit(path, 9<<30)
		}
		testkit.MustThat(t, errors.As(err, &unused), "%v was said", err)
		if data, _ := os.ReadFile(unused.Kept); string(data) != bad+"}" {
			t.Fatalf("kept is %q", data)
		}
		got, err := Load(path)
		data, _ := os.ReadFile(path)
		testkit.That(t, err == nil && got.MemoryMiB == 512 && got.Width == 1280 &&
			strings.Contains(string(data), fmt.Sprintf("%d\n\t]", i)), "written was %s (%v)", data, err)
		testkit.That(t, (i%2 != 0 || got.Height == s.Height) && (i%2 != 1 || got.DiskGiB == 9),
			"what was changed is not in %s", data)
	}
	testkit.Equal(t, len(keptBeside(t, path)), maxAside, "files are kept beside")
}

// What can't be read, or kept beside, is not written over.
func TestSettingsThatCannotBeKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	testkit.NoErr(t, os.Mkdir(path, 0o700))
	s, err := Open(path)
	testkit.That(t, err != nil && s.Width == 1280, "a folder was read as settings: %v", err)
	err = s.Keep()
	testkit.That(t, err != nil, "settings in place of a folder were written")
	err = SetDiskLimit(path, 1<<30)
	testkit.That(t, err != nil, "a limit in place of a folder was written")
	info, err := os.Stat(path)
	testkit.That(t, err == nil && info.IsDir(), "the folder is gone: %v", err)
}
