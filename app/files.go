package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// errCanceled is returned by dialogs that the user closed.
var errCanceled = errors.New("the dialog was closed")

// openFile opens a recording and remembers it.
func (ss *sessions) openFile(path string) {
	ss.open(path)
	ss.chosen = false
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	ss.settings.Recent = slices.DeleteFunc(ss.settings.Recent, func(s string) bool { return s == path })
	ss.settings.Recent = slices.Insert(ss.settings.Recent, 0, path)
	if len(ss.settings.Recent) > maxRecent {
		ss.settings.Recent = ss.settings.Recent[:maxRecent]
	}
	ss.settings.changed = true
	ss.showNext = true
}

// askOpen asks for recordings with the system's own dialog, which must not stop the game loop.
func (ss *sessions) askOpen() {
	ss.inDialog(func() func() {
		paths, err := chooseFiles("Open recordings")
		return func() {
			if err != nil {
				ss.dialogFailed(err, "Drop the file on the window, or name it on the command line.")
				return
			}
			for _, p := range paths {
				ss.openFile(p)
			}
		}
	})
}

// dialogFailed tells why there is no dialog, unless the user closed it.
func (ss *sessions) dialogFailed(err error, instead string) {
	if errors.Is(err, errCanceled) {
		return
	}
	why := err.Error()
	if errors.Is(err, exec.ErrNotFound) { // the system's dialogs are a program's there
		why = "install zenity, or another of the programs that show one (matedialog, qarma)"
	}
	ss.ask.warn(errors.New("No file dialog: " + why + ". " + instead))
}

// reopenRecent opens the file again that was opened last.
func (ss *sessions) reopenRecent() {
	if len(ss.settings.Recent) == 0 {
		ss.ask.tell("No recording was opened yet")
		return
	}
	ss.openFile(ss.settings.Recent[0])
}

// followSettings takes the limit of the disk over when it was changed elsewhere: all viewers keep
// to the same, or those that do would pay for one that
// does not.
func (ss *sessions) followSettings() {
	if ss.settings.path == "" || ss.opt.Deterministic || ss.opt.DiskLimit != nil || ss.settings.changed || ss.settings.reading ||
		time.Since(ss.settings.read) < settingsEvery {
		return
	}
	ss.settings.read, ss.settings.reading = time.Now(), true
	ss.do(func() func() {
		_, err := os.Stat(ss.settings.path) // that there is none says nothing
		s, bad := loadSettings(ss.settings.path)
		return func() {
			if ss.settings.reading = false; err == nil && bad == nil && !ss.settings.changed {
				ss.takeDisk(s.DiskGiB, s.DiskFolder)
			}
		}
	})
}

// takeDisk takes a limit over that the file of settings says. Where sessions would have to leave for it, and the
// user was asked of those in another folder, the user is asked.
func (ss *sessions) takeDisk(gib float64, asked string) {
	if gib == ss.settings.DiskGiB {
		return
	}
	now := ss.library.Limit()
	ss.settings.DiskGiB, ss.settings.DiskFolder = gib, asked
	for _, name := range []string{"DiskGiB", "DiskFolder"} {
		ss.settings.before[name] = ss.settings.text()[name]
	}
	limit := ss.settings.diskLimit()
	if limit <= 0 || now > 0 && limit >= now || asked == ss.library.Dir() {
		ss.limitDisk()
		return
	}
	ss.do(func() func() { // what would leave is on disk
		leaving := ss.library.Leaving(limit)
		return func() {
			if leaving.None() {
				ss.limitDisk()
			} else {
				ss.askLimit(limit, &leaving, ss.limitDisk)
			}
		}
	})
}

// settingsEvery is how often the file of settings is looked at.
const settingsEvery = 2 * time.Second
