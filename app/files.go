package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// errCanceled is returned by dialogs that the user closed.
var errCanceled = errors.New("the dialog was closed")

// openFile opens a recording and remembers it.
func (g *Game) openFile(path string) {
	g.open(path)
	g.chosen = false
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	g.settings.Recent = slices.DeleteFunc(g.settings.Recent, func(s string) bool { return s == path })
	g.settings.Recent = slices.Insert(g.settings.Recent, 0, path)
	if len(g.settings.Recent) > maxRecent {
		g.settings.Recent = g.settings.Recent[:maxRecent]
	}
	g.settingsChanged = true
	g.showNext = true
}

// askOpen asks for recordings with the system's own dialog, which must not stop the game loop.
func (g *Game) askOpen() {
	if g.dialog {
		return
	}
	g.dialog = true
	go func() {
		paths, err := chooseFiles("Open recordings")
		g.sources.later(func(g *Game) {
			g.dialog = false
			if err != nil {
				g.dialogFailed(err, "Drop the file on the window, or name it on the command line.")
				return
			}
			for _, p := range paths {
				g.openFile(p)
			}
		})
	}()
}

// dialogFailed tells why there is no dialog, unless the user closed it.
func (g *Game) dialogFailed(err error, instead string) {
	if errors.Is(err, errCanceled) {
		return
	}
	why := err.Error()
	if errors.Is(err, exec.ErrNotFound) { // the system's dialogs are a program's there
		why = "install zenity, or another of the programs that show one (matedialog, qarma)"
	}
	g.warn(errors.New("No file dialog: " + why + ". " + instead))
}

// reopenRecent opens the file again that was opened last.
func (g *Game) reopenRecent() {
	if len(g.settings.Recent) == 0 {
		g.tell("No recording was opened yet")
		return
	}
	g.openFile(g.settings.Recent[0])
}

// keepSettings writes the settings if they changed.
func (g *Game) keepSettings() {
	if g.setPath == "" || g.opt.Deterministic {
		return
	}
	g.settings.Arrangement = g.desk.Arrangement()
	if w, h := ebiten.WindowSize(); w > 0 && h > 0 && !ebiten.IsFullscreen() {
		g.settings.Width, g.settings.Height = w, h
	}
	if err := g.settings.save(g.setPath, g.settingsBefore); err != nil {
		g.warn(err)
	} else {
		g.settingsBefore = g.settings.text()
	}
	g.settingsChanged = false
}

// followSettings takes the limit of the disk over when it was changed elsewhere: all viewers keep to the same, or those that do would pay for one that
// does not.
func (g *Game) followSettings() {
	if g.setPath == "" || g.opt.Deterministic || g.opt.DiskLimit != nil || g.settingsChanged || g.settingsReading ||
		time.Since(g.settingsRead) < settingsEvery {
		return
	}
	g.settingsRead, g.settingsReading = time.Now(), true
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		_, err := os.Stat(g.setPath) // that there is none says nothing
		s, bad := loadSettings(g.setPath)
		g.sources.later(func(g *Game) {
			if g.settingsReading = false; err == nil && bad == nil && !g.settingsChanged {
				g.takeDisk(s.DiskGiB)
			}
		})
	}()
}

// takeDisk takes a limit over that the file of settings says.
func (g *Game) takeDisk(gib float64) {
	if gib == g.settings.DiskGiB {
		return
	}
	g.settings.DiskGiB = gib
	g.settingsBefore["DiskGiB"] = g.settings.text()["DiskGiB"]
	g.library.SetLimit(g.settings.diskLimit())
}

// settingsEvery is how often the file of settings is looked at.
const settingsEvery = 2 * time.Second

// keepSettingsNowAndThen writes changed settings some seconds after the change, so that a crash does not lose them.
func (g *Game) keepSettingsNowAndThen() {
	if !g.settingsChanged || time.Since(g.settingsKept) < 3*time.Second {
		return
	}
	g.settingsKept = time.Now()
	g.keepSettings()
}
