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

// askOpen asks for recordings; without a dialog it lists the recordings of a folder.
func (ss *Sessions) askOpen() {
	ss.askFiles("Open recordings", "Drop the file on the window, or name it on the command line.", func(paths []string) {
		for _, p := range paths {
			ss.OpenFile(p)
		}
	}, func() { ss.listRecordings(ss.startFolder()) })
}

// AskFile asks for a file, and passes it to use. Without a dialog it calls instead, if not nil.
func (ss *Sessions) AskFile(title string, use func(path string), instead func()) {
	ss.askFiles(title, "", func(paths []string) {
		if len(paths) > 0 {
			use(paths[0])
		}
	}, instead)
}

// askFiles asks for files with the system's own dialog, without stopping the game loop.
func (ss *Sessions) askFiles(title, advice string, use func(paths []string), instead func()) {
	from := ss.startFolder()
	ss.inDialog(func() func() {
		paths, err := AskFiles(title, from)
		return func() {
			switch {
			case errors.Is(err, exec.ErrNotFound) && instead != nil:
				instead()
			case err != nil:
				ss.dialogFailed(err, advice)
			default:
				use(paths)
			}
		}
	})
}

// dialogFailed reports a missing dialog, unless the user closed it.
func (ss *Sessions) dialogFailed(err error, instead string) {
	if errors.Is(err, ErrCanceled) {
		return
	}
	why := err.Error()
	if errors.Is(err, exec.ErrNotFound) { // the system's dialogs are a program's there
		why = "install zenity, or another of the programs that show one (matedialog, qarma)"
	}
	ss.ask.Warn(errors.New(strings.TrimSpace("No file dialog: " + why + ". " + instead)))
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
