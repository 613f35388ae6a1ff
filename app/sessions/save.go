package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/internal/aside"
	"framescope/net/framescope"
	"framescope/net/journal"
)

// saveAs writes the shown session to a file that the user names.
func (ss *Sessions) saveAs() {
	if _, ok := ss.hub.EntryOf(ss.active); !ok {
		return
	}
	owner := ss.ownerOf(ss.active)
	name := library.FileName(ss.Title(), time.Now(), extensionOf(ss.active, owner))
	x := ss.toSave(framescope.Part{})
	formats := []string{framescope.Extension}
	if end := filepath.Ext(name); end != "" && end != framescope.Extension {
		formats = []string{end, framescope.Extension}
	}
	ss.Save("Save the session", name, formats, func(path string) error {
		if framescope.IsName(path) {
			return ss.saveSession(owner, path, x)
		}
		damaged := save(ss.sources.ctx, owner, path)
		if _, rest := errors.AsType[journal.Unread](damaged); damaged != nil && !rest {
			return damaged
		}
		_, err := library.Of(path, "").Write(x.Marks)
		return cmp.Or(damaged, err)
	})
}

// Save asks for a file, suggesting a name, and writes it in the background. formats are as in
// AskTarget. It does nothing while a system dialog is open.
func (ss *Sessions) Save(title, name string, formats []string, write func(path string) error) {
	write = ss.notOver(write)
	ss.AskTarget(title, filepath.Join(RecordFolder(), name), formats, func(path string) { ss.saveTo(path, "", write) })
}

// saveTo writes a file in the background and reports the result, with a note.
func (ss *Sessions) saveTo(path, note string, write func(path string) error) {
	ss.do(func() func() {
		err := write(path)
		return func() {
			damaged, rest := errors.AsType[journal.Unread](err)
			unread, saved := errors.AsType[*savedError](err)
			switch {
			case saved:
				ss.ask.Warn(fmt.Errorf("saved to %s, but it was not read to its end: %w", library.Home(path), unread))
				return
			case rest:
				ss.ask.Warn(fmt.Errorf("saved to %s, but %w", library.Home(path), damaged))
				return
			case err != nil:
				ss.ask.Warn(err)
				return
			}
			ss.ask.Offer(func() { ss.sources.later(func() { ss.OpenFile(path) }) }, "Saved to %s (a click opens it)%s",
				library.Home(path), note)
		}
	})
}

// notOver makes write refuse the files and folders that the sessions are of now.
func (ss *Sessions) notOver(write func(path string) error) func(path string) error {
	read := ss.FilesRead()
	return func(path string) error {
		if err := aside.Distinct(path, read...); err != nil {
			return err
		}
		return write(path)
	}
}

// FilesRead returns the files and folders that the sessions are of.
func (ss *Sessions) FilesRead() (paths []string) {
	for _, e := range ss.hub.Entries() {
		if path := ownerOf(e.Feed).path(); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// save writes a session to a file: a live one from its copy on disk, an opened one as a copy of its
// file.
func save(ctx context.Context, o owner, path string) error {
	from := o.path()
	switch {
	case from != "" && journal.Is(from):
		return exportFrom(ctx, from, path)
	case o.file != nil:
		if st, err := os.Stat(from); err == nil && st.IsDir() {
			return launch.SaveFolder(from, path)
		}
		return aside.Copy(from, path)
	case o.in != nil:
		if err := o.in.Save(path); !errors.Is(err, launch.ErrNoCopy) {
			return err
		}
	}
	if rec := o.recorder(); rec != nil {
		return saveRecorded(ctx, rec, path)
	}
	return errors.New("this session cannot be saved: it was not kept on disk")
}

// saveRecorded writes a file with a recorder's data so far.
func saveRecorded(ctx context.Context, rec *library.Recorder, path string) error {
	from, err := flushed(rec)
	if err != nil {
		return err
	}
	return exportFrom(ctx, from, path)
}

// flushed returns where a recorder keeps its session, when all that has come is there.
func flushed(rec *library.Recorder) (path string, err error) {
	if !rec.Keeps() {
		return "", errors.New("this session cannot be saved: the settings keep no live sessions on disk; ● " +
			"Record writes what arrives from now on")
	}
	if err := rec.Flush(); err != nil {
		return "", fmt.Errorf("the session on disk is incomplete: %w", err)
	}
	if rec.Path() == "" {
		return "", errors.New("nothing to save yet: no data has arrived")
	}
	return rec.Path(), nil
}

// exportFrom writes a session on disk to a file of its official format.
func exportFrom(ctx context.Context, from, to string) error {
	s, err := library.FromFile(from)
	if err != nil {
		return err
	}
	return library.Export(ctx, &s, to, true) // the dialog has confirmed it
}
