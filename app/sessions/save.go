package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"framescope/app/launch"
	"framescope/app/library"
	"framescope/internal/aside"
	"framescope/net/journal"
)

// saveAs writes the shown session to a file that the user names.
func (ss *Sessions) saveAs() {
	e, ok := ss.hub.EntryOf(ss.active)
	if !ok {
		return
	}
	owner := e.Feed.Owner()
	name := library.FileName(ss.Title(), time.Now(), extensionOf(ss.active, owner))
	ss.Save("Save the session", name, func(path string) error { return save(ss.sources.ctx, owner, path) })
}

// Save asks for a file, suggesting a name, and writes it in the background. It does nothing while a
// dialog is open.
func (ss *Sessions) Save(title, name string, write func(path string) error) {
	if ss.dialog {
		return
	}
	ss.dialog = true
	write = ss.notOver(write)
	suggestion := filepath.Join(recordFolder(), name)
	ss.sources.work.Add(1)
	go func() {
		defer ss.sources.work.Done()
		path, err := chooseTarget(title, suggestion)
		if err != nil && !errors.Is(err, errCanceled) {
			path, err = suggestion, nil // no dialog on this system: better saved there than not at all
		}
		if err == nil {
			err = write(path)
		}
		ss.sources.later(func() {
			ss.dialog = false
			switch {
			case errors.Is(err, errCanceled):
			case err != nil:
				ss.ask.Warn(err)
			default:
				ss.ask.Tell("Saved to %s", library.Home(path))
			}
		})
	}()
}

// notOver makes write refuse the files and folders that the sessions are of now.
func (ss *Sessions) notOver(write func(path string) error) func(path string) error {
	read := ss.filesRead()
	return func(path string) error {
		if err := aside.Distinct(path, read...); err != nil {
			return err
		}
		return write(path)
	}
}

// filesRead returns the files and folders that the sessions are of.
func (ss *Sessions) filesRead() (paths []string) {
	entries := ss.hub.Entries()
	for i := range entries {
		switch own := entries[i].Feed.Owner().(type) {
		case *opened:
			paths = append(paths, own.path)
		case *launch.Recording:
			if own.Path != "" {
				paths = append(paths, own.Path)
			}
		}
	}
	return paths
}

// save writes a session to a file: a live one from what is kept of it on disk, an opened one as a
// copy of its file.
func save(ctx context.Context, owner any, path string) error {
	switch own := owner.(type) {
	case *opened:
		if journal.Is(own.path) {
			return exportFrom(ctx, own.path, path)
		}
		if st, err := os.Stat(own.path); err == nil && st.IsDir() {
			return launch.SaveFolder(own.path, path)
		}
		return aside.Copy(own.path, path)
	case *launch.Recording:
		if own.Path != "" && journal.Is(own.Path) {
			return exportFrom(ctx, own.Path, path)
		}
		if err := own.Save(path); !errors.Is(err, launch.ErrNoCopy) {
			return err
		}
	}
	if rec := recorderOf(owner); rec != nil {
		return saveRecorded(ctx, rec, path)
	}
	return errors.New("this session cannot be saved: nothing of it has been kept on disk")
}

// saveRecorded writes a file of what a recorder has kept so far.
func saveRecorded(ctx context.Context, rec *library.Recorder, path string) error {
	if !rec.Keeps() {
		return errors.New("this session cannot be saved: live sessions are not kept on disk (see the settings); ● " +
			"Record writes what comes from now on")
	}
	if err := rec.Flush(); err != nil {
		return fmt.Errorf("not all of it is on disk: %w", err)
	}
	if rec.Path() == "" {
		return errors.New("nothing can be saved yet: nothing has been received")
	}
	return exportFrom(ctx, rec.Path(), path)
}

// exportFrom writes a session on disk to a file of its official format.
func exportFrom(ctx context.Context, from, to string) error {
	s, err := library.FromFile(from)
	if err != nil {
		return err
	}
	return library.Export(ctx, &s, to, true) // the dialog has asked
}
