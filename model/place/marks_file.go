package place

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"

	"framescope/internal/escape"
)

// Suffix is how the file of the bookmarks of a recording is called: its own name, and that. In the
// folder of a session that is kept on disk it is InFolder.
const (
	Suffix   = ".framescope.toml"
	InFolder = "bookmarks.toml"
)

// MaxMarkBytes bounds such a file.
const MaxMarkBytes = 4 << 20

// head is the text at the top of a file.
const head = `# Bookmarks of a recording, kept by Framescope (docs/bookmarks.md).

`

// file and line are a file as TOML has it.
type file struct {
	Version   int    `toml:"version"`
	Bookmarks []line `toml:"bookmark"`
}

type line struct {
	Number int    `toml:"number,omitempty"`
	At     string `toml:"at"`
	From   string `toml:"from,omitempty"`
	Until  string `toml:"until,omitempty"`
	Note   string `toml:"note,omitempty"`
}

// EncodeMarks returns the text of a file; nil: there is nothing to be kept.
func EncodeMarks(list []Mark) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	f := file{Version: maxVersion}
	for i := range list {
		m := &list[i]
		l := line{Number: m.Number, At: m.Place.String(), Note: m.Note}
		if m.Place.Kind == Frames { // in others the place has the time
			l.From, l.Until = time.Duration(m.BeginNs).String(), time.Duration(m.EndNs).String()
		}
		f.Bookmarks = append(f.Bookmarks, l)
	}
	var b bytes.Buffer
	b.WriteString(head)
	if err := toml.NewEncoder(&b).Encode(f); err != nil {
		return nil, err
	}
	if b.Len() > MaxMarkBytes {
		return nil, fmt.Errorf("the bookmarks take more than %d bytes", MaxMarkBytes)
	}
	return b.Bytes(), nil
}

// DecodeMarks reads the text of a file. An unreadable part is an error, so that the file is not
// replaced.
func DecodeMarks(text []byte) ([]Mark, error) {
	if len(text) > MaxMarkBytes {
		return nil, fmt.Errorf("it is larger than %d bytes", MaxMarkBytes)
	}
	var f file
	md, err := toml.Decode(string(text), &f)
	switch {
	case err != nil:
		return nil, errors.New(escape.Line(err.Error()))
	case f.Version > maxVersion:
		return nil, fmt.Errorf("it has version %d; Framescope reads versions up to %d", f.Version, maxVersion)
	case f.Version < 1:
		return nil, errors.New("its version is missing")
	case len(md.Undecoded()) > 0:
		return nil, fmt.Errorf("unknown key “%s”", escape.Name(md.Undecoded()[0].String()))
	case len(f.Bookmarks) > MaxMarks:
		return nil, fmt.Errorf("it has %d bookmarks; the limit is %d", len(f.Bookmarks), MaxMarks)
	}
	seen := make(map[Place]bool, len(f.Bookmarks))
	list := make([]Mark, 0, len(f.Bookmarks))
	for i := range f.Bookmarks {
		m, err := f.Bookmarks[i].mark()
		if err == nil && seen[m.Place] {
			err = errors.New("it is given twice")
		}
		if err != nil {
			return nil, fmt.Errorf("bookmark %d: %w", i+1, err)
		}
		seen[m.Place] = true
		list = append(list, m)
	}
	slices.SortStableFunc(list, placeCompare)
	unique(list)
	return list, nil
}

func (l *line) mark() (m Mark, err error) {
	if m.Place, err = Parse(l.At); err != nil {
		return m, err
	}
	if l.Number < 0 || l.Number > MaxNumber {
		return m, fmt.Errorf("its number is %d: give 1 to %d, or none", l.Number, MaxNumber)
	}
	m.Number, m.Note = l.Number, CleanMarks(l.Note)
	m.BeginNs, m.EndNs = m.Place.BeginNs, m.Place.EndNs
	if m.Place.Kind != Frames {
		return m, nil
	}
	for _, end := range []struct {
		text string
		to   *int64
	}{{l.From, &m.BeginNs}, {l.Until, &m.EndNs}} {
		if end.text == "" {
			continue
		}
		d, err := time.ParseDuration(end.text)
		if err != nil {
			return m, fmt.Errorf("%q is not a time, such as 12.5s", escape.Name(end.text))
		}
		*end.to = int64(d)
	}
	if m.EndNs < m.BeginNs {
		return m, errors.New("it ends before it begins")
	}
	return m, nil
}

// ReadMarks reads a file. Where there is none there are no bookmarks.
func ReadMarks(path string) (list []Mark, err error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG): // the recording's own name is so long
		return nil, nil
	case err == nil && !st.Mode().IsRegular(): // to open a FIFO would wait for its writer
		err = errors.New("it is not a file")
	}
	if err != nil {
		return nil, err
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, MaxMarkBytes+1))
	if err != nil {
		return nil, err
	}
	return DecodeMarks(text)
}
