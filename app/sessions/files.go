package sessions

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"framescope/app/settings"
)

// OpenFile opens a recording, or a link to a place in one, and remembers it.
func (ss *Sessions) OpenFile(link string) (o Opening) {
	if strings.EqualFold(filepath.Ext(link), ".toml") && ss.Budgets != nil {
		ss.Budgets(link)
		return o
	}
	o = ss.open(link)
	ss.chosen = false
	path, _, _ := CutPlace(link)
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	ss.settings.Remember(path)
	ss.showNext = true
	return o
}

// askOpen asks for recordings.
func (ss *Sessions) askOpen() {
	ss.AskFiles("Open recordings", nil, func(paths []string) {
		for _, p := range paths {
			ss.OpenFile(p)
		}
	})
}

// AskFiles asks for files, and passes them to use, if there are any: with the system's dialog, or without one with the
// window's own, for one file. formats are the file extensions; nil: recordings, or links to places in them.
func (ss *Sessions) AskFiles(title string, formats []string, use func(paths []string)) {
	from := ss.startFolder()
	ss.inDialog(func() func() {
		paths, err := AskFiles(title, from)
		return func() {
			switch {
			case errors.Is(err, exec.ErrNotFound): // the system's dialogs are a program's there
				ss.listFiles(title, from, formats, use)
			case len(paths) > 0:
				use(paths)
			case err != nil && !errors.Is(err, ErrCanceled):
				ss.ask.Warn(errors.New("No file dialog: " + err.Error()))
			}
		}
	})
}

// reopenRecent opens the file again that was opened last.
func (ss *Sessions) reopenRecent() {
	if len(ss.settings.Recent) == 0 {
		ss.ask.Notify("No recording was opened yet")
		return
	}
	ss.OpenFile(ss.settings.Recent[0])
}

// followSettings applies a disk limit that was changed elsewhere: all viewers use the same limit, else
// some would delete sessions for one that exceeds it.
func (ss *Sessions) followSettings() {
	path := ss.settings.Path()
	if path == "" || ss.opt.Deterministic || ss.opt.DiskLimit != nil || ss.settings.Touched() || ss.reread.running ||
		time.Since(ss.reread.last) < settingsEvery {
		return
	}
	ss.reread.last, ss.reread.running = time.Now(), true
	ss.do(func() func() {
		_, err := os.Stat(path) // a missing file means nothing
		file, bad := settings.Load(path)
		return func() {
			if ss.reread.running = false; err == nil && bad == nil && !ss.settings.Touched() {
				ss.takeDisk(file.DiskGiB, file.DiskFolder)
			}
		}
	})
}

// takeDisk applies a limit from the settings file. It asks the user first if sessions would have to be
// deleted for it, and the user has only agreed to that in another folder.
func (ss *Sessions) takeDisk(gib float64, asked string) {
	if gib == ss.settings.DiskGiB {
		return
	}
	now := ss.library.Limit()
	ss.settings.TakeDisk(gib, asked)
	limit := ss.settings.DiskLimit()
	if limit <= 0 || now > 0 && limit >= now || asked == ss.library.Dir() {
		ss.limitDisk()
		return
	}
	ss.askLimit(limit, ss.limitDisk)
}

// reread is how it stands with looking at the file of settings again.
type reread struct {
	last    time.Time
	running bool
}

// settingsEvery is the interval between checks of the settings file.
const settingsEvery = 2 * time.Second
