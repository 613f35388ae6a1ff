// Package convert gives sessions back in formats of other programs: what a part of a session is to
// those who write it (Part), and what a format is (Format). Each format has a folder of its own below,
// package formats lists them. It knows the model and ranges of time, and no window.
package convert

import (
	"context"
	"fmt"
	"io"
	"strings"

	"framescope/charts/format"
)

// Format is one in which sessions are given back.
type Format struct {
	ID   string // what commands call it: "chrome"
	Name string // what people do: "Chrome trace JSON"
	Ext  string // the end of its files' names, with the dot
	// Help says what becomes of a session in it and who opens that, in a line for lists.
	Help string
	// Why says why a part can't be given back in the format, in a sentence for people; empty: it can.
	Why func(p *Part) string
	// Write writes a part. It counts its work with Part.Done, and says with Part.Leave what of the part
	// the format can't hold.
	Write func(ctx context.Context, p *Part, w io.Writer) error
	// Tables are those of which one is written into a file (Part.Table), none: it has no such choice. Then
	// Folder writes all of them into a folder that is there, a file each.
	Tables []string
	Folder func(ctx context.Context, p *Part, dir string) error
}

// Give writes a part into a file. It is an error when nothing in it is what the format can hold: a file without
// anything opens nowhere. A table may be empty.
func (f *Format) Give(ctx context.Context, p *Part, w io.Writer) error {
	before := p.done
	err := f.Write(ctx, p, w)
	if len(f.Tables) == 0 {
		p.LeaveAccount()
	}
	if err == nil && p.done == before && len(f.Tables) == 0 {
		err = fmt.Errorf("%s: there is nothing to write: the recording, or this part of it, has nothing that the format holds", f.Name)
	}
	return err
}

// InFolder reports whether what is to be called so is a folder of files: its name does not end as those of
// files do.
func (f *Format) InFolder(path string) bool {
	name := strings.ToLower(path)
	for _, packed := range [...]string{"", Gzipped, Zstd} {
		if strings.HasSuffix(name, f.Ext+packed) {
			return false
		}
	}
	return f.Folder != nil && path != "-"
}

// Check returns why a part can't be written in the format, nil if it can.
func (f *Format) Check(p *Part) error {
	if f.Why != nil {
		if why := f.Why(p); why != "" {
			return fmt.Errorf("%s: %s", f.Name, why)
		}
	}
	return nil
}

// Left is what a format could not hold.
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
