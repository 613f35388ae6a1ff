// Package convert exports sessions to formats of other programs. Part is the exported range of a
// session, Format describes a format, and Formats lists them. The package depends on the model and on
// ranges of time, and not on windows.
package convert

import (
	"context"
	"fmt"
	"io"
	"strings"

	"framescope/charts/format"
)

// Format is a format for exports.
type Format struct {
	ID   string // its name in commands: "chrome"
	Name string // its name for people: "Chrome trace JSON"
	Ext  string // the end of its files' names, with the dot
	// Help describes the content of the export and its readers, in a line for lists.
	Help string
	// Why returns why the format cannot hold a part; nil: it can.
	Why func(p *Part) error
	// Write writes a part. It counts its work with Part.Done, and notes with Part.Leave the data that
	// the format cannot hold.
	Write func(ctx context.Context, p *Part, w io.Writer) error
	// Tables are the tables to choose from for one file (Part.Table); none: there is no choice. With
	// tables, Folder writes all of them into an existing folder, a file each.
	Tables []string
	Folder func(ctx context.Context, p *Part, dir string) error
}

// Give writes a part into a file. It is an error when the format can hold nothing of it: no program
// opens an empty file. A table may be empty.
func (f *Format) Give(ctx context.Context, p *Part, w io.Writer) error {
	before := p.done
	err := f.Write(ctx, p, w)
	if len(f.Tables) == 0 {
		p.LeaveAccount()
	}
	if err == nil && p.done == before && len(f.Tables) == 0 {
		err = fmt.Errorf("%s: nothing to write: the recording, or this part of it, has no data that the format can hold",
			f.Name)
	}
	return err
}

// InFolder reports whether path is for a folder of files: its name has no file extension of the format.
func (f *Format) InFolder(path string) bool {
	name := strings.ToLower(path)
	for _, packed := range [...]string{"", Gzipped, Zstd} {
		if strings.HasSuffix(name, f.Ext+packed) {
			return false
		}
	}
	return f.Folder != nil && path != "-"
}

// Check returns why the format cannot hold a part, nil if it can.
func (f *Format) Check(p *Part) error {
	if err := f.Why(p); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// Left is a kind of data that a format could not hold.
type Left struct {
	N    int64
	What [2]string // one, several: "message", "messages"
	Why  string    // empty: the format has no place for it
}

// String says it as a line: "12 messages: the format has no place for them".
func (l Left) String() string {
	text := string(format.AppendPlural(nil, l.N, l.What[0], l.What[1]))
	if l.Why != "" {
		return text + ": " + l.Why
	}
	return text
}
