package journal

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// What is deleted while it is looked at is not there: no session that lacks its name, or the end that
// was not read any more.
func TestDeletedWhileLookedAt(t *testing.T) {
	for _, at := range []string{sessionFile, userFile} {
		eachFS(t, func(t *testing.T, fsys disk.FS, dir string) {
			root := OpenRoot(dir, RootOptions{FS: fsys})
			path := ended(t, root, 1, 5000)
			root.Close()
			testkit.OK(t, changeUser(fsys, path, func(u *user) { u.Name = "the hitch" }))
			if info, err := ReadInfoOn(fsys, path); err != nil || info.Name != "the hitch" {
				t.Fatalf("%+v, %v", info, err)
			}
			vanish := func(name string) { // another program deletes the session
				if name == filepath.Join(path, at) {
					fsys.Rename(path, path+".gone")
				}
			}
			info, err := ReadInfoOn(hooked{FS: fsys, open: vanish}, path)
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("deleted at %s: %+v, %v", at, info, err)
			}
		})
	}
}
