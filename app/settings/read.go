package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// UnusedError names the parts of a settings file that are unreadable or out of bounds.
type UnusedError struct {
	Path string
	What []string // the first few, in words
	More int      // how many are not named
	Kept string   // the file as it was, beside Path; empty: at Path
}

// Error implements error.
func (e *UnusedError) Error() string {
	text := "ignored settings in " + e.Path + ": " + strings.Join(e.What, ", ")
	if e.More > 0 {
		text += fmt.Sprintf(", and %d more", e.More)
	}
	if e.Kept != "" {
		text += ". A copy of the old file is beside it: " + filepath.Base(e.Kept)
	}
	return text
}

// fileText is the readable part of a file.
type fileText struct {
	fields text     // nil: the file says nothing
	order  []string // their names as they come
	unused []string // unreadable parts, in words, the first few
	more   int      // number of further ones
}

// doubt notes an unreadable part.
func (f *fileText) doubt(what string) {
	if len(f.unused) < 4 {
		f.unused = append(f.unused, what)
	} else {
		f.more++
	}
}

// err returns an error for the unreadable parts; nil: there are none.
func (f *fileText) err(path string) *UnusedError {
	if len(f.unused) == 0 {
		return nil
	}
	return &UnusedError{Path: path, What: f.unused, More: f.more}
}

// read reads a file, field by field. One that does not exist says nothing.
func read(path string) (fileText, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fileText{}, nil
	} else if err != nil {
		return fileText{}, err
	} else if !info.Mode().IsRegular() { // opening a FIFO would wait for a writer
		return fileText{}, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return fileText{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return fileText{}, err
	}
	file := split(data[:min(len(data), maxSettings)])
	if len(data) > maxSettings {
		file.doubt(fmt.Sprintf("everything after %d bytes", maxSettings))
	}
	var understood Values
	for _, name := range file.order {
		if raw, ok := file.fields[name]; ok && understood.set(name, raw) != nil {
			delete(file.fields, name)
			file.doubt(clip(name, 40) + ": " + clip(string(raw), 40))
		} else if used, outside := outOfBounds(name, raw); ok && outside {
			why := " is out of bounds"
			if raw[0] == '"' {
				why = " is not known"
			}
			delete(file.fields, name)
			file.doubt(clip(name, 40) + ": " + clip(string(raw), 40) + why + ", " + used + " is used")
		}
	}
	return file, nil
}

// outOfBounds reports whether sanitize replaces a value, and the replacement in words.
func outOfBounds(name string, raw json.RawMessage) (used string, outside bool) {
	if !slices.Contains([]string{
		"Width", "Height", "Scale", "Motion", "Theme", "BudgetMs", "DiskGiB", "MemoryMiB", "ClipBefore", "ClipAfter", "Clips",
		"ClipGiB",
	}, name) {
		return "", false
	}
	v := Default()
	v.set(name, raw)
	given := v.text()[name]
	v.sanitize()
	is, ok := v.text()[name]
	if !ok {
		return "the default", given != nil
	}
	return string(is), !bytes.Equal(given, is)
}

// split cuts an object into its fields. A value ends at the comma or the brace after it, whatever it
// is: an invalid value does not affect the others. A value cut off by the end of the file is not used,
// as a number could be incomplete.
func split(data []byte) fileText {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return fileText{}
	}
	file := fileText{fields: text{}}
	if data[0] != '{' {
		file.doubt("all: it is not a JSON object")
		return file
	}
	rest, ended := data[1:], byte(',')
	for ended == ',' {
		var field []byte
		field, rest, ended = cutField(rest)
		field = bytes.TrimSpace(field)
		if len(field) == 0 && ended == '}' {
			break // none, or a comma too many
		}
		name, value, ok := cutName(field)
		switch {
		case ended == 0:
			file.doubt("a cut-off part, " + clip(string(field), 40))
		case !ok || !json.Valid(value):
			file.doubt(clip(string(field), 40))
		default:
			file.order = append(file.order, name)
			file.fields[name] = value
		}
	}
	if rest = bytes.TrimSpace(rest); len(rest) > 0 {
		file.doubt("data after the end, " + clip(string(rest), 40))
	}
	return file
}

// cutField returns the text before the next comma or closing brace of this object, the text after it,
// and that character; 0: the data end before.
func cutField(data []byte) (field, rest []byte, ended byte) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c == ',' || c == '}'):
			return data[:i], data[i+1:], c
		}
	}
	return data, nil, 0
}

// cutName cuts a field into its name and its value.
func cutName(field []byte) (name string, value json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(field))
	if t, err := d.Token(); err != nil {
		return "", nil, false
	} else if name, ok = t.(string); !ok {
		return "", nil, false
	}
	value, ok = bytes.CutPrefix(bytes.TrimSpace(field[d.InputOffset():]), []byte(":"))
	return name, bytes.TrimSpace(value), ok
}

// set takes one field.
func (s *Values) set(name string, value json.RawMessage) error {
	one, err := json.Marshal(text{name: value})
	if err != nil {
		return err
	}
	return json.Unmarshal(one, s)
}

// setFields sets the fields of a file, which read has found to be understood.
func (s *Values) setFields(file fileText) {
	for _, name := range file.order {
		if v, ok := file.fields[name]; ok {
			s.set(name, v)
		}
	}
}

// clip quotes a text of a file safely for terminals.
func clip(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// maxAside is how many files that could not be understood are kept beside the settings.
const maxAside = 5

// keepAside copies a settings file beside itself, whatever its content; the oldest of earlier copies
// are removed.
func keepAside(path string) (string, error) {
	var aside string
	for now := time.Now(); ; now = now.Add(time.Millisecond) {
		aside = path + ".bad-" + now.Format("20060102-150405.000")
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
	}
	// A link needs no room and leaves the file where it is until another takes its place, which is
	// where a symbolic link leads.
	file := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		file = real
	}
	if os.Link(file, aside) != nil {
		if err := os.Rename(path, aside); err != nil {
			return "", err
		}
	}
	dropOldest(path)
	return aside, nil
}

// dropOldest keeps the number of the files beside within its bound.
func dropOldest(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	var old []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+".bad-") {
			old = append(old, e.Name())
		}
	}
	slices.Sort(old)
	for _, name := range old[:max(0, len(old)-maxAside)] {
		os.Remove(filepath.Join(filepath.Dir(path), name))
	}
}
