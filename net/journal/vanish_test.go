package journal

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal/disk"
)

// vanishing is a file system on which another program deletes a session when one of its files is
// asked for.
type vanishing struct {
	disk.FS
	path, at string
}

func (v vanishing) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if name == filepath.Join(v.path, v.at) {
		v.FS.Rename(v.path, v.path+".gone")
	}
	return v.FS.OpenFile(name, flag, perm)
}

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
			info, err := ReadInfoOn(vanishing{fsys, path, at}, path)
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("deleted at %s: %+v, %v", at, info, err)
			}
		})
	}
}
