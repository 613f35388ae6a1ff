package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"framescope/net/journal"
	"framescope/net/journal/disk"
	"framescope/net/pstats/records"
)

// earlierJournals is the folder in which versions before this one kept the journals of their
// sessions.
func earlierJournals() string { return filepath.Join(StateDir(), "journals") }

// importEarlier makes sessions of what viewers of earlier versions have left, and tells of them.
// Another viewer may be at it, too.
func (l *Library) importEarlier(ctx context.Context) {
	if l.Limit() <= 0 || l.opt.Dir != DefaultDir() {
		return
	}
	dirs := records.Earlier(earlierJournals())
	if len(dirs) == 0 {
		return
	}
	if err := os.MkdirAll(l.opt.Dir, 0o700); err != nil {
		return
	}
	unlock, err := disk.System.Lock(filepath.Join(l.opt.Dir, ".import.lock"), false, true)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return
	}
	if unlock != nil {
		defer unlock()
	}
	imported := 0
	for _, dir := range dirs {
		path, err := records.ImportEarlier(ctx, l.root, dir)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			l.tell(true, "A session of an earlier version stays where it is: %s: %v", Home(dir), err)
		case path != "":
			imported++
			journal.SetFound(path, time.Now())
		}
	}
	l.changed()
	switch imported {
	case 0:
	case 1:
		l.tell(false, "A session that an earlier version has left is among the sessions on disk now")
	default:
		l.tell(false, "%d sessions that an earlier version has left are among the sessions on disk now", imported)
	}
}
