package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"framescope/app/clips"
	"framescope/app/launch"
	"framescope/app/library"
	"framescope/app/load"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/widgets"
)

// paneDisk is the list of sessions on disk.
const paneDisk = "disk"

// diskList is a snapshot of the sessions on disk. Taking it needs file accesses, so a goroutine does
// it, and only while the list is on the screen.
type diskList struct {
	rows     []widgets.DiskRow
	sessions []library.Session // of the rows
	revision uint64
	looking  bool
	seen     uint64 // the library's revision at the last look
	nextNs   int64  // when to look again: other viewers also write
	soonNs   int64  // when to look again if this one has changed something
	known    bool
	// deletions for room since the start
	sessionsLeft int
	bytesLeft    int64
}

// The list is read anew every diskEvery ns while it is on the screen, using at most a lookShare-th of
// the time.
const (
	diskEvery = 2_000_000_000
	lookShare = 20
	// After a change by this program it is read so much sooner.
	diskSooner = 8
)

// keepsSessions reports whether there is a place for sessions on disk, whether live ones are kept
// there or not.
func (ss *Sessions) keepsSessions() bool { return ss.library.Dir() != "" }

// lookAtDisk brings the list up to date, in a moment.
func (ss *Sessions) lookAtDisk() {
	d := &ss.disk
	if !ss.keepsSessions() || d.looking || d.known && ss.ask.Env.NowNs < d.nextNs &&
		(d.seen == ss.library.Revision() || ss.ask.Env.NowNs < d.soonNs) {
		return
	}
	d.looking, d.seen = true, ss.library.Revision()
	ss.do(func() func() {
		began := time.Now()
		all := ss.library.Sessions()
		rest := max(diskEvery, lookShare*int64(time.Since(began))) // of thousands it takes a while
		rows := make([]widgets.DiskRow, len(all))
		for i := range all {
			rows[i] = diskRow(&all[i])
		}
		return func() {
			d := &ss.disk
			d.sessionsLeft, d.bytesLeft = ss.library.Left()
			d.rows, d.sessions, d.looking, d.known = rows, all, false, true
			d.revision++
			d.nextNs, d.soonNs = ss.ask.Env.NowNs+rest, ss.ask.Env.NowNs+rest/diskSooner
		}
	})
}

// forget takes note that this program has deleted a session.
func (d *diskList) forget(id string) {
	d.sessions = slices.DeleteFunc(slices.Clone(d.sessions), func(s library.Session) bool { return s.ID == id })
	d.rows = slices.DeleteFunc(slices.Clone(d.rows), func(r widgets.DiskRow) bool { return r.ID == id })
	d.revision++
}

func diskRow(s *library.Session) widgets.DiskRow {
	return widgets.DiskRow{
		ID: s.ID, Name: s.Name, Program: s.Program, Source: library.SourceName(s.Source), Host: s.Host, State: s.Words(),
		Live: s.IsLive(), Kept: s.Kept,
		Alarm: s.State == library.Interrupted || s.Damage != "" || s.Missing > 0 || s.Deleted > 0 || s.Trimmed ||
			s.Unkept != "" || s.Silent(),
		BrokeOff: s.BrokeOff(),
		Began:    s.Began, Length: s.Length, Frames: s.Frames(), Bytes: s.Bytes, Path: library.Home(s.Path),
	}
}

// OnDisk implements widgets.DiskProgram.
func (ss *Sessions) OnDisk() ([]widgets.DiskRow, uint64) {
	ss.lookAtDisk()
	return ss.disk.rows, ss.disk.revision
}

// DiskUse implements widgets.DiskProgram.
func (ss *Sessions) DiskUse() (u widgets.DiskUse) {
	if !ss.keepsSessions() {
		return u
	}
	return widgets.DiskUse{
		Bytes: library.Used(ss.disk.sessions), Limit: ss.library.Limit(), Where: library.Home(ss.library.Dir()),
		SessionsLeft: ss.disk.sessionsLeft, BytesLeft: ss.disk.bytesLeft,
	}
}

// onDisk returns the session of that ID, as of the last snapshot.
func (ss *Sessions) onDisk(id string) *library.Session {
	for i := range ss.disk.sessions {
		if s := &ss.disk.sessions[i]; s.ID == id {
			return s
		}
	}
	return nil
}

// DoOnDisk implements widgets.DiskProgram.
func (ss *Sessions) DoOnDisk(what widgets.Action, id string) {
	found := ss.onDisk(id)
	if found == nil {
		return
	}
	s := *found // the list may change meanwhile
	switch what {
	case widgets.Open:
		if s.State == library.Live { // elsewhere: it goes on
			ss.showNext, ss.chosen = true, false
			ss.bringIn(launch.Session{Path: s.Path, Source: load.Journals{Sources: ss.opt.Sources}})
		} else {
			ss.OpenFile(s.Path)
		}
		ss.sources.later(func() { ss.ask.Desk.Close(paneDisk) }) // show the opened session
	case widgets.Rename:
		ss.sources.later(func() { ss.askName(s) })
	case widgets.Export:
		ss.export(s)
	case widgets.Keep:
		ss.changeOnDisk(func() error { return ss.library.Keep(&s, !s.Kept) })
	case widgets.Delete:
		ss.sources.later(func() { ss.askDelete(s) })
	case widgets.ShowMenu:
		x, y := ss.ask.Mouse.X, ss.ask.Mouse.Y
		ss.sources.later(func() { ss.diskMenu(s, x, y) })
	}
}

// changeOnDisk changes sessions on disk, which may take a while.
func (ss *Sessions) changeOnDisk(change func() error) {
	ss.do(func() func() {
		err := change()
		return func() {
			ss.disk.nextNs, ss.disk.soonNs, ss.kept.nextNs = 0, 0, 0
			ss.ask.Warn(err)
		}
	})
}

// diskMenu offers all that can be done with a session on disk.
func (ss *Sessions) diskMenu(s library.Session, x, y float32) {
	do := func(a widgets.Action) func() { return func() { ss.DoOnDisk(a, s.ID) } }
	m := &widgets.Menu{Name: s.Name, Items: []widgets.MenuItem{
		{Label: "Open", Key: "Enter", Run: do(widgets.Open)},
		{Label: "Rename…", Key: "F2", Run: do(widgets.Rename)},
		{Label: "Export…", Run: do(widgets.Export)},
		{Label: "Keep it for good", On: s.Kept, Run: do(widgets.Keep)},
		{Label: "Copy its path", Run: func() { ss.ask.Copy(s.Path) }},
		{Label: "Delete…", Key: "Del", Line: true, Off: s.IsLive(), Run: do(widgets.Delete)},
	}}
	ss.ask.OpenMenu(m, x, y)
}

// askName asks for the name of a session on disk.
func (ss *Sessions) askName(s library.Session) {
	p := &widgets.Palette{Name: "Rename the session", Does: "Rename", Answer: func(text string) string {
		ss.changeOnDisk(func() error { return ss.library.Rename(&s, strings.TrimSpace(text)) })
		return ""
	}}
	p.Field.Hint = "new name; empty: the name of the program"
	p.Field.SetText(s.Name)
	ss.ask.Ask(p, 420)
}

// askDelete asks whether a session is really to be deleted.
func (ss *Sessions) askDelete(s library.Session) {
	yes := fmt.Sprintf("Delete it: %s, %s", s.Began.Local().Format("2006-01-02 15:04"), library.Bytes(s.Bytes))
	ss.ask.Confirm("Delete “"+s.Name+"” from the disk?", yes, func() {
		written := ss.liveClips.filer.Written()
		ss.changeOnDisk(func() error {
			clips.Wait(written, patience) // a clip of it may be read just now
			if err := ss.library.Delete(&s); err != nil {
				return err
			}
			ss.sources.later(func() {
				ss.disk.forget(s.ID)
				ss.ask.Notify("Deleted %s, %s", s.Name, library.Bytes(s.Bytes))
			})
			return nil
		})
	}, "Keep it")
}

// export writes a session on disk to a file that the user names.
func (ss *Sessions) export(s library.Session) {
	ss.Save("Export the session", s.FileName(), nil, func(path string) error {
		return library.Export(ss.sources.ctx, &s, path, true) // the dialog has confirmed it
	})
}

// showDisk opens the list of sessions on disk.
func (ss *Sessions) showDisk() {
	if !ss.keepsSessions() {
		ss.ask.Notify("No sessions are kept on disk here")
		return
	}
	ss.disk.nextNs, ss.disk.soonNs = 0, 0
	list := widgets.NewDisk(ss)
	list.Close = func() { ss.ask.Desk.Close(paneDisk) }
	ss.ask.Open(&workspace.Tab{ID: paneDisk, Name: "Sessions on disk", Panel: list})
}

// reopen opens the session that was used last, as it was left; where it is gone, or open, the newest ended session
// on disk; without one, the most recently opened recording.
func (ss *Sessions) reopen() {
	if ss.openUsed() {
		return
	}
	if !ss.keepsSessions() {
		ss.reopenRecent()
		return
	}
	ss.do(func() func() {
		all := ss.library.Sessions()
		return func() {
			s, err := library.Find(all, library.Newest)
			if err != nil || s.IsLive() {
				ss.reopenRecent()
				return
			}
			ss.OpenFile(s.Path)
			if newer, ok := library.NewerLive(all, &s); ok && newer.State == library.Live {
				ss.ask.Notify("This is the newest ended session; “%s” is newer, but live in another viewer", newer.Name)
			}
		}
	})
}

// setDisk says how much disk space all sessions may take.
func (ss *Sessions) setDisk(gib float64) {
	set := func() {
		ss.settings.SetDisk(gib, ss.library.Dir())
		ss.limitDisk()
	}
	limit, now := settings.DiskBytes(gib), ss.library.Limit()
	if limit <= 0 || now > 0 && limit >= now || !ss.keepsSessions() {
		set()
		return
	}
	ss.askLimit(limit, set)
}

// limitDisk applies the settings' limit to the library.
func (ss *Sessions) limitDisk() {
	limit := ss.settings.DiskLimit()
	ss.library.SetLimit(limit)
	if limit <= 0 && ss.liveIn() {
		ss.ask.Notify("No sessions are kept on disk: %s", library.KeptOn)
	}
}

// askLimit sets a lower limit, and asks before that whether sessions may leave for it, if some must.
func (ss *Sessions) askLimit(limit int64, set func()) {
	ss.do(func() func() { // finding the sessions to delete reads the disk
		leaving := ss.library.Leaving(limit)
		return func() {
			if leaving.None() {
				set()
				return
			}
			question := "To keep within " + library.Bytes(limit) + " the oldest sessions on disk are deleted"
			ss.ask.Confirm(question, "Delete "+leaving.Words(), set, "Keep the limit")
		}
	})
}
