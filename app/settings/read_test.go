package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
)

// keptBeside returns the files that are kept beside settings.
func keptBeside(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(path + ".bad-*")
	testkit.NoErr(t, err)
	return found
}

// damaged are files of settings of which something can't be understood, and what of them can: all
// had a width of 1600 and a scale of 2.
var damaged = map[string]struct {
	text          string
	width         int
	scale         float64
	disk          float64
	says, neverBy string // in the error, not in it
}{
	"a wrong type":        {`{"Width": 1600, "Theme": 7, "Scale": 2, "DiskGiB": 7}`, 1600, 2, 7, `"Theme": "7"`, "DiskGiB"},
	"a wrong type inside": {`{"Recent": ["a", 7], "Width": 1600, "Scale": 2, "DiskGiB": 7}`, 1600, 2, 7, "Recent", "Width"},
	"wrong colours":       {`{"Colors": {"App": [1, 2, 999]}, "Width": 1600, "Scale": 2, "DiskGiB": 7}`, 1600, 2, 7, "Colors", "Width"},
	"no workspaces":       {`{"Workspaces": 7, "Width": 1600, "Scale": 2, "DiskGiB": 7}`, 1600, 2, 7, "Workspaces", "Width"},
	"NaN":                 {`{"Width": 1600, "Scale": NaN, "DiskGiB": 7}`, 1600, 1, 7, "NaN", "Width"},
	"too large a number":  {`{"Width": 1e99, "Scale": 2, "DiskGiB": 7}`, 1280, 2, 7, "Width", "Scale"},
	"no comma":            {`{"Width": 1600 "Scale": 2, "DiskGiB": 7}`, 1280, 1, 7, "Width", "DiskGiB"},
	"no name":             {`{1600, "Scale": 2, "DiskGiB": 7}`, 1280, 2, 7, "1600", "Scale"},
	"cut off in a number": {`{"Width": 1600, "Scale": 2, "DiskGiB": 7`, 1600, 2, DefaultDiskGiB, "cut off", "Width"},
	"cut off in a string": {`{"Width": 1600, "Scale": 2, "DiskGiB": 7, "DiskFolder": "/ho`, 1600, 2, 7, "cut off", "Width"},
	"cut off at once":     {`{`, 1280, 1, DefaultDiskGiB, "cut off", "{"},
	"an array":            {`[{"Width": 1600}]`, 1280, 1, DefaultDiskGiB, "no JSON object", "Width"},
	"zeros":               {strings.Repeat("\x00", 4096), 1280, 1, DefaultDiskGiB, "no JSON object", "\x00"},
	"more after the end":  {`{"Width": 1600, "Scale": 2, "DiskGiB": 7}}}`, 1600, 2, 7, "after the end", "Width"},
	"escapes":             {"{\"Width\": 1600, \"\x1b[2J\": \x1b, \"Scale\": 2, \"DiskGiB\": 7}", 1600, 2, 7, `\x1b`, "\x1b"},
	"too large":           {`{"Width": 1600, "Scale": 2, "DiskGiB": 7, "Agents": ["` + strings.Repeat("x", maxSettings) + `"]}`, 1600, 2, 7, "1048576", "Width"},
	"many":                {`{"Width": 1600, "Scale": 2, "DiskGiB": 7` + strings.Repeat(",!", 1000) + `}`, 1600, 2, 7, "and 996 more", "Width"},
}

// One wrong field costs that field; the file as it was is kept beside before anything is written in
// its place, once, and both are said.
func TestDamagedSettings(t *testing.T) {
	for name, c := range damaged {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "settings.json")
			testkit.NoErr(t, os.WriteFile(path, []byte(c.text), 0o600))
			s, err := Open(path)
			var unused *UnusedError
			if !errors.As(err, &unused) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), c.neverBy) || len(err.Error()) > 1000 {
				t.Fatalf("it was said: %v", err)
			}
			if s.Width != c.width || s.Scale != c.scale || s.DiskGiB != c.disk || s.Theme != "dark" || s.Recent != nil || s.Colors != nil {
				t.Errorf("it is read as %+v", s.Values)
			}
			kept := keptBeside(t, path)
			if len(kept) != 1 || kept[0] != unused.Kept || !strings.Contains(err.Error(), filepath.Base(kept[0])) {
				t.Fatalf("beside it are %v, said was %v", kept, err)
			}
			if data, err := os.ReadFile(kept[0]); err != nil || string(data) != c.text {
				t.Errorf("kept is %d bytes, was %d (%v)", len(data), len(c.text), err)
			}
			s.Height = 999
			testkit.NoErr(t, s.Keep())
			again, err := Open(path)
			if err != nil || len(keptBeside(t, path)) != 1 {
				t.Errorf("the next start says %v, beside are %v", err, keptBeside(t, path))
			}
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
	before, err := os.Stat(file)
	testkit.NoErr(t, err)
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
		if err != nil || got.MemoryMiB != 512 || got.Width != 1280 || !strings.Contains(string(data), fmt.Sprintf("%d\n\t]", i)) {
			t.Errorf("written was %s (%v)", data, err)
		}
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
