package pstats

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/adrg/xdg"
)

// StateDir returns the folder in which sessions are kept automatically: $XDG_STATE_HOME/framescope, or what takes its place on other systems.
func StateDir() string { return filepath.Join(xdg.StateHome, "framescope") }

// LastSessionPath returns the file in which the last session is kept automatically.
func LastSessionPath() string { return filepath.Join(StateDir(), "last-session.pstats") }

// NewJournalDir returns a folder for the journal of one session, of a name that no other has. It does not create it.
func NewJournalDir() string {
	name := time.Now().UTC().Format("20060102-150405.000000000") + "-" + strconv.Itoa(os.Getpid())
	return filepath.Join(journalRoot(), name)
}

func journalRoot() string { return filepath.Join(StateDir(), "journals") }

// LeftJournals returns the folders of journals that were neither saved nor removed, oldest first, for RecoverJournal. Those of programs that still run are among them.
func LeftJournals() []string {
	entries, _ := os.ReadDir(journalRoot())
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, filepath.Join(journalRoot(), e.Name()))
		}
	}
	return dirs
}
