package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"framescope/internal/aside"
	"framescope/net/flare"
	"framescope/net/journal"
	"framescope/net/pstats/decode"
)

// FromFile returns the session in a file or folder that may be anywhere: a recording that has
// stayed a journal, or a session's folder.
func FromFile(path string) (Session, error) {
	if !journal.Is(path) {
		return Session{}, fmt.Errorf("%s is not a session", path)
	}
	info, err := journal.ReadInfo(path)
	if err != nil {
		return Session{}, err
	}
	return fromInfo(&info), nil
}

// Export writes a session to a file or folder of its official format, up to now if it is live. It
// replaces an existing file only with force, and only after it has written everything. The bookmarks go
// to a file beside it. The error journal.Unread means that all readable data was written.
func Export(ctx context.Context, s *Session, to string, force bool) error {
	if st, err := os.Stat(filepath.Dir(to)); err != nil {
		return fmt.Errorf("there is no folder for %s: %w", to, err)
	} else if !st.IsDir() {
		return fmt.Errorf("%s: %s is not a folder", to, filepath.Dir(to))
	}
	if s.Extension() != "" {
		if err := aside.Check(to); err != nil {
			return err
		}
	}
	if err := aside.Distinct(to, s.Path); err != nil {
		return err
	}
	if err := aside.Free(to, force); err != nil {
		return err
	}
	beside := Of(to, "")
	if err := aside.Free(beside.Path, force); err != nil {
		return err
	}
	list, unread := Of(s.Path, "").Read()
	err := convert(ctx, s.Source, s.Path, to)
	damaged, some := errors.AsType[journal.Unread](err)
	if err != nil && !some {
		return err
	}
	if _, err = beside.Write(list); some { // without bookmarks, those of the replaced file go
		return errors.Join(damaged, unread, err)
	}
	return errors.Join(unread, err)
}

// convert writes the data of a journal to a file of the official format. The two may be the same: the
// file replaces the journal once it is complete.
func convert(ctx context.Context, source, from, to string) error {
	switch source {
	case sourcePStats:
		return decode.Export(ctx, from, to)
	case sourceProfileLib, sourceGStreamer, sourcePuffin, sourceGoTrace, sourcePprof, sourceTracy:
		return exportBytes(ctx, from, to)
	case sourceFlare:
		return exportSamples(ctx, from, to)
	}
	return fmt.Errorf("sessions of the source %q cannot be exported", source)
}

// exportBytes writes the bytes of a stream as they came, compressed if the name ends in .zst.
func exportBytes(ctx context.Context, from, to string) error {
	rd, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer rd.Close()
	err = aside.Write(to, func(out io.Writer) error {
		defer rd.Close() // or Windows would not replace the journal
		return packed(out, to, func(out io.Writer) error {
			return journal.EachPiece(rd, func(p []byte) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				_, err := out.Write(p)
				return err
			}, nil)
		})
	})
	return cmp.Or(err, rd.Unread())
}

// packed calls write with a writer that compresses if the name of the file says so.
func packed(out io.Writer, name string, write func(out io.Writer) error) error {
	if !strings.HasSuffix(name, ".zst") {
		return write(out)
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return errors.Join(write(z), z.Close())
}

// exportSamples writes sample folders: a single segment as the folder of that name, several as
// folders in it.
func exportSamples(ctx context.Context, from, to string) error {
	rd, err := journal.Open(from)
	if err != nil {
		return err
	}
	defer rd.Close()
	err = aside.Folder(to, func(part string) (string, error) {
		dirs, err := flare.ExportJournal(ctx, rd, part)
		if len(dirs) == 1 {
			part = dirs[0]
		}
		return part, err
	})
	return cmp.Or(err, rd.Unread())
}
